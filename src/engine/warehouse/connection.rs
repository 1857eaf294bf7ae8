//! A `ClickHouse` over its HTTP interface: one statement, its answer whole or an error.
//!
//! The password goes into a header of requests to the configured URL, and nowhere else. The server is asked to hold an answer back until it
//! is complete (`wait_end_of_query`), so that a failure has a status of its own; each row begins with a byte of its own, so that an error
//! in the middle of an answer is never read as a row.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::sync::OnceCell;
use url::Url;

use super::{refusal, row_reader::RowReader, statement::WarehouseStatement};
use crate::{
    contract::Token,
    engine::{
        account::credentials::{WAREHOUSE_VARIABLE, output_of},
        config::WarehouseProfile,
        error::{Error, Kind, Result, offline},
        http::{BodyStream, FailedTry, Post, Posts},
        settings::Settings,
    },
};

/// Between two parts of a form.
const BOUNDARY: &str = "ipspect-statement-7d1c2f";

/// The warehouse of the profile.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    settings: Arc<Settings>,
    posts: Posts,
    password: Arc<OnceCell<Option<Token>>>,
}

/// The answer to a statement, row by row.
pub(super) struct Rows {
    body: BodyStream,
    reader: RowReader,
    password: Option<Token>,
}

impl Rows {
    /// The next row; `None` after the last one of a whole answer.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Vec<u8>>>> {
        loop {
            match self.reader.next() {
                Ok(Some(row)) => return Ok(Some(row)),
                Ok(None) => {}
                Err(_) => {
                    let said = self.rest().await;
                    return Err(refusal::late(&said, self.password.as_ref()));
                }
            }
            match self.body.next().await? {
                Some(piece) => self.reader.take(&piece),
                None if self.reader.is_empty() => return Ok(None),
                None => return Err(refusal::cut()),
            }
        }
    }

    /// What follows the rows, which is no row.
    async fn rest(&mut self) -> Vec<u8> {
        const ENOUGH: usize = 4 << 10;
        let mut rest = self.reader.rest();
        while rest.len() < ENOUGH
            && let Ok(Some(piece)) = self.body.next().await
        {
            rest.extend_from_slice(&piece);
        }
        rest.truncate(ENOUGH);
        rest
    }
}

impl Connection {
    pub(super) fn new(settings: &Arc<Settings>) -> Self {
        Self {
            settings: Arc::clone(settings),
            posts: Posts::default(),
            password: Arc::default(),
        }
    }

    /// Whether the profile names a warehouse.
    pub(super) fn is_configured(&self) -> bool {
        let profile = self.settings.service.warehouse.as_ref();
        profile.is_some_and(|own| own.url.is_some())
    }

    fn profile(&self) -> Result<&WarehouseProfile> {
        let name = &self.settings.profile;
        let profile = self.settings.service.warehouse.as_ref();
        profile.filter(|own| own.url.is_some()).ok_or_else(|| {
            Error::new(Kind::Usage, format!("the profile {name} has no warehouse")).hint(format!(
                "set url in [profiles.{name}.warehouse] of config.toml; `ipspect doctor --sample` shows it"
            ))
        })
    }

    /// Where it is, and whose data it has, for messages.
    pub(super) fn place(&self) -> Result<String> {
        let profile = self.profile()?;
        let url = profile.url.as_ref().map(ToString::to_string);
        Ok(format!(
            "{} ({})",
            url.unwrap_or_default(),
            profile.database
        ))
    }

    async fn password(&self) -> Result<Option<&Token>> {
        let read = async || -> Result<Option<Token>> {
            let text = match std::env::var(WAREHOUSE_VARIABLE) {
                Ok(text) if !text.is_empty() => text,
                _ => match &self.profile()?.password_command {
                    Some(command) => output_of("password_command", command).await?,
                    None => return Ok(None),
                },
            };
            Token::new(&text).map(Some).map_err(|_| {
                let message = "the password of the warehouse cannot be sent in a header";
                Error::new(Kind::Credentials, message).hint(format!(
                    "{WAREHOUSE_VARIABLE} and password_command hold it alone, on one line of ASCII"
                ))
            })
        };
        self.password
            .get_or_try_init(read)
            .await
            .map(Option::as_ref)
    }

    /// Until the first header of an answer that takes work.
    fn patience(&self) -> Duration {
        Duration::from_secs(self.settings.network.export_timeout_s)
    }

    /// The URL of its interface with these fields behind it.
    fn url(&self, fields: &[(&str, &str)]) -> Result<Url> {
        let profile = self.profile()?;
        let base = profile.url.as_ref().map(|own| own.join("/"));
        let mut url = base.and_then(Result::ok).ok_or_else(|| {
            Error::new(
                Kind::Usage,
                "the URL of the warehouse cannot be put together",
            )
        })?;
        let mut pairs = url.query_pairs_mut();
        pairs.append_pair("database", &profile.database);
        for (name, value) in fields {
            pairs.append_pair(name, value);
        }
        drop(pairs);
        Ok(url)
    }

    /// Sends a statement that gives no rows, with what it reads behind it. Returns the beginning of what it says.
    pub(super) async fn run(
        &self,
        statement: &WarehouseStatement,
        body: Bytes,
    ) -> Result<Vec<u8>, FailedTry> {
        const ENOUGH: usize = 4 << 10;
        let names = parameters(statement);
        let mut fields = vec![("query", statement.text.as_str())];
        fields.extend(
            names
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        );
        let url = self.url(&fields)?;
        let content = "application/octet-stream".to_owned();
        let mut answer = self.send(url, content, body, self.patience()).await?;
        // Its end says that the statement has ended.
        let mut said = Vec::new();
        while let Some(piece) = answer.next().await.map_err(FailedTry::broken)? {
            let room = ENOUGH.saturating_sub(said.len()).min(piece.len());
            said.extend_from_slice(&piece[..room]);
        }
        match refusal::named(&said, self.password().await?) {
            Some(error) => Err(error.into()),
            None => Ok(said),
        }
    }

    /// Asks for rows. The columns must be texts.
    pub(super) async fn ask(&self, statement: &WarehouseStatement, columns: usize) -> Result<Rows> {
        self.ask_within(statement, columns, self.patience()).await
    }

    /// The same for an answer that must begin by then.
    pub(super) async fn ask_within(
        &self,
        statement: &WarehouseStatement,
        columns: usize,
        wait: Duration,
    ) -> Result<Rows> {
        let rest = statement.text.strip_prefix("SELECT ").unwrap_or_default();
        let query = format!("SELECT toUInt8(1), {rest} FORMAT RowBinary");
        let url = self.url(&[("wait_end_of_query", "1")])?;
        let mut form = String::new();
        let parameters = parameters(statement);
        let fields = parameters
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in std::iter::once(("query", query.as_str())).chain(fields) {
            // Writing to a text does not fail.
            let _ = write!(
                form,
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
        }
        let _ = write!(form, "--{BOUNDARY}--\r\n");
        let content = format!("multipart/form-data; boundary={BOUNDARY}");
        let body = self.send(url, content, form.into(), wait).await;
        Ok(Rows {
            body: body.map_err(|trouble| trouble.error)?,
            reader: RowReader::new(columns),
            password: self.password().await?.cloned(),
        })
    }

    /// All rows of a small answer, as texts.
    pub(super) async fn rows(
        &self,
        statement: &WarehouseStatement,
        columns: usize,
    ) -> Result<Vec<Vec<String>>> {
        let mut rows = self.ask(statement, columns).await?;
        let mut all = Vec::new();
        while let Some(row) = rows.next().await? {
            let texts = row
                .into_iter()
                .map(|own| String::from_utf8_lossy(&own).into_owned());
            all.push(texts.collect());
        }
        Ok(all)
    }

    async fn send(
        &self,
        url: Url,
        content_type: String,
        body: Bytes,
        wait: Duration,
    ) -> Result<BodyStream, FailedTry> {
        if self.settings.offline {
            return Err(offline().into());
        }
        let (profile, password) = (self.profile()?, self.password().await?);
        let post = Post {
            url,
            content_type,
            headers: &[("x-clickhouse-user", profile.user.as_str())],
            password_header: "x-clickhouse-key",
            password,
            body,
            wait,
        };
        let reply = self.posts.send(post, &self.settings.network).await?;
        let (status, silence) = (reply.status(), wait);
        let code = reply.response.headers().get("x-clickhouse-exception-code");
        let code = code.and_then(|own| own.to_str().ok()?.parse().ok());
        if status == 200 && code.is_none() {
            if !reply.is_delimited() {
                return Err(refusal::cut().into());
            }
            return Ok(BodyStream::of(reply, silence));
        }
        let said = BodyStream::of(reply, silence).beginning().await;
        Err(refusal::refused(status, code, &said, password).into())
    }
}

/// The parameters of a statement as fields of a request.
fn parameters(statement: &WarehouseStatement) -> Vec<(String, String)> {
    let values = statement.parameters.iter().enumerate();
    let fields = values.map(|(number, own)| (format!("param_p{number}"), own.field()));
    fields.collect()
}
