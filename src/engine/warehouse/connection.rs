//! A `ClickHouse` over its HTTP interface: one statement, its answer whole or an error.
//!
//! The password goes into a header of requests to the configured URL, and nowhere else. The server is asked to hold an answer back until it
//! is complete (`wait_end_of_query`), so that a failure has a status of its own; each row begins with a byte of its own, so that an error
//! in the middle of an answer is never read as a row.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::sync::OnceCell;
use url::Url;

use super::{
    refusal::{self, Passing},
    row_reader::RowReader,
    statement::{self, WHOLE, WarehouseStatement},
};
use crate::{
    contract::Token,
    engine::{
        Notices,
        account::credentials::{WAREHOUSE_VARIABLE, output_of},
        config::WarehouseProfile,
        error::{Error, Kind, Result, offline},
        http::{BodyStream, Budget, FailedTry, Post, Posts, RetryStep, TryOutcome},
        settings::Settings,
    },
};

/// The most bytes of a small answer, and what a row takes beside its texts.
const MOST: usize = 16 << 20;
const ROW: usize = 64;

/// Between two parts of a form.
const BOUNDARY: &str = "ipspect-statement-7d1c2f";

/// The warehouse of the profile.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    settings: Arc<Settings>,
    notices: Arc<Notices>,
    posts: Posts,
    password: Arc<OnceCell<Option<Token>>>,
    /// Whether the settings of the server give whole answers.
    checked: Arc<OnceCell<()>>,
    /// Until the first header of an answer.
    patience: Duration,
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
    pub(super) fn new(settings: &Arc<Settings>, notices: &Arc<Notices>) -> Self {
        Self {
            settings: Arc::clone(settings),
            notices: Arc::clone(notices),
            posts: Posts::default(),
            password: Arc::default(),
            checked: Arc::default(),
            patience: Duration::from_secs(settings.network.export_timeout_s),
        }
    }

    /// Whether the profile names a warehouse.
    pub(super) fn is_configured(&self) -> bool {
        let profile = self.settings.service.warehouse.as_ref();
        profile.is_some_and(|profile| profile.url.is_some())
    }

    fn profile(&self) -> Result<&WarehouseProfile> {
        let name = &self.settings.profile;
        let profile = self.settings.service.warehouse.as_ref();
        profile.filter(|profile| profile.url.is_some()).ok_or_else(|| {
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
                    Some(command) => {
                        let what = || "still waiting for password_command; Ctrl-C stops".to_owned();
                        let output = output_of("password_command", command);
                        self.notices.while_waiting(what, output).await?
                    }
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

    /// The same that waits no longer than for any small answer.
    pub(super) fn impatient(&self) -> Self {
        let patience = Duration::from_secs(self.settings.network.header_timeout_s);
        Self {
            patience,
            ..self.clone()
        }
    }

    /// The URL of its interface with these fields behind it.
    fn url(&self, fields: &[(&str, &str)]) -> Result<Url> {
        let profile = self.profile()?;
        let base = profile.url.as_ref().map(|url| url.join("/"));
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

    /// Runs a statement that gives no rows and may be run twice, again where it failed; not where it takes too long, since the server may
    /// still be running it. Returns the beginning of what it says.
    pub(super) async fn run(&self, statement: &WarehouseStatement) -> Result<Vec<u8>> {
        self.run_with_retries(statement, |outcome| outcome).await
    }

    /// The same of a statement that must not be run twice: again only where it did not begin.
    pub(super) async fn run_once(&self, statement: &WarehouseStatement) -> Result<Vec<u8>> {
        let retryable = |outcome| match outcome {
            TryOutcome::NotSent => TryOutcome::NotSent,
            _ => TryOutcome::Final,
        };
        self.run_with_retries(statement, retryable).await
    }

    async fn run_with_retries(
        &self,
        statement: &WarehouseStatement,
        retryable: fn(TryOutcome) -> TryOutcome,
    ) -> Result<Vec<u8>> {
        let form = form(&statement.text, statement);
        let url = self.url(&[])?;
        let mut budget = self.budget();
        loop {
            let began = Instant::now();
            let sent = self.send(url.clone(), form_type(), form.clone(), self.patience);
            let tried = match sent.await {
                Ok(answer) => self.end_of(answer).await,
                Err(trouble) => Err(trouble),
            };
            let Err(mut trouble) = tried else {
                return tried.map_err(|failed_try| failed_try.error);
            };
            if began.elapsed() >= self.patience {
                return Err(trouble.error);
            }
            trouble.outcome = retryable(trouble.outcome);
            pause(&mut budget, trouble).await?;
        }
    }

    /// Posts a file behind a statement that reads it. One that still runs under the same name refuses another; a table with replicas takes
    /// what comes twice with the same token once.
    pub(super) async fn load(
        &self,
        statement: &WarehouseStatement,
        name: &str,
        token: &str,
        file: Bytes,
    ) -> Result<(), FailedTry> {
        let url = self.url(&[
            ("query", &statement.text),
            ("query_id", name),
            ("insert_deduplication_token", token),
        ])?;
        let content = "application/octet-stream".to_owned();
        let answer = self.send(url, content, file, self.patience).await?;
        self.end_of(answer).await.map(drop)
    }

    /// Reads an answer without rows to its end, which says that the statement has ended.
    async fn end_of(&self, mut answer: BodyStream) -> Result<Vec<u8>, FailedTry> {
        const ENOUGH: usize = 4 << 10;
        let mut said = Vec::new();
        while let Some(piece) = answer.next().await.map_err(FailedTry::broken)? {
            let room = ENOUGH.saturating_sub(said.len()).min(piece.len());
            said.extend_from_slice(&piece[..room]);
        }
        match refusal::named(&said, self.password().await?) {
            Some((error, code)) => Err(FailedTry {
                error,
                outcome: outcome_of(code),
            }),
            None => Ok(said),
        }
    }

    /// Asks for rows, again where it failed before an answer began; not where that takes too long, since the server may still be running it. The
    /// columns must be texts.
    pub(super) async fn ask(&self, statement: &WarehouseStatement, columns: usize) -> Result<Rows> {
        self.check_settings().await?;
        self.ask_at_once(statement, columns).await
    }

    async fn ask_at_once(&self, statement: &WarehouseStatement, columns: usize) -> Result<Rows> {
        let rest = statement.text.strip_prefix("SELECT ").unwrap_or_default();
        let query = format!("SELECT toUInt8(1), {rest} FORMAT RowBinary");
        let url = self.url(&[("wait_end_of_query", "1")])?;
        let form = form(&query, statement);
        let mut budget = self.budget();
        loop {
            let began = Instant::now();
            let sent = self.send(url.clone(), form_type(), form.clone(), self.patience);
            match sent.await {
                Ok(body) => {
                    return Ok(Rows {
                        body,
                        reader: RowReader::new(columns),
                        password: self.password().await?.cloned(),
                    });
                }
                Err(trouble) if began.elapsed() >= self.patience => return Err(trouble.error),
                Err(trouble) => pause(&mut budget, trouble).await?,
            }
        }
    }

    /// Refuses a server whose settings give a part of an answer for the whole of it.
    async fn check_settings(&self) -> Result<()> {
        let check = async || -> Result<()> {
            let mut rows = self.ask_at_once(&statement::settings(), 1).await?;
            let row = rows.next().await?;
            // One row is always there, unless it is passed over.
            let row = row.ok_or_else(|| refusal::cuts_answers("offset", "0"))?;
            let said = row.into_iter().next().unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let known: HashMap<&str, &str> = said
                .split(' ')
                .filter_map(|text| text.split_once('='))
                .collect();
            for (name, whole) in WHOLE {
                match known.get(name) {
                    Some(value) if *value == whole => {}
                    Some(_) => return Err(refusal::cuts_answers(name, whole)),
                    None => return Err(refusal::unknown_setting(name)),
                }
            }
            Ok(())
        };
        self.checked.get_or_try_init(check).await.copied()
    }

    fn budget(&self) -> Budget {
        let network = &self.settings.network;
        Budget::new(
            network.attempts,
            Duration::from_millis(network.retry_base_ms),
        )
    }

    /// All rows of a small answer, as texts.
    pub(super) async fn rows(
        &self,
        statement: &WarehouseStatement,
        columns: usize,
    ) -> Result<Vec<Vec<String>>> {
        let mut rows = self.ask(statement, columns).await?;
        let (mut all, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.next().await? {
            bytes += row.iter().map(Vec::len).sum::<usize>() + ROW;
            if bytes > MOST {
                let message = "the warehouse answers without an end where little is asked";
                return Err(refusal::unreadable(message));
            }
            let texts = row
                .into_iter()
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
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
        let what = || {
            let place = self.place().unwrap_or_default();
            format!("still waiting for the warehouse {place}; Ctrl-C stops")
        };
        let sent = Box::pin(self.posts.send(post, &self.settings.network));
        let reply = self.notices.while_waiting(what, sent).await?;
        let silence = Duration::from_secs(self.settings.network.silence_timeout_s);
        let status = reply.status();
        let code = reply.response.headers().get("x-clickhouse-exception-code");
        let code = code.and_then(|value| value.to_str().ok()?.parse().ok());
        let headers = reply.response.headers().keys();
        let is_own = headers
            .into_iter()
            .any(|name| name.as_str().starts_with("x-clickhouse-"));
        if status == 200 && code.is_none() && is_own {
            if !reply.is_delimited() {
                return Err(refusal::cut().into());
            }
            return Ok(BodyStream::of(reply, silence));
        }
        let said = BodyStream::of(reply, silence).beginning().await;
        let (error, code) = refusal::refused(status, code, &said, password);
        let outcome = match code {
            Some(code) => outcome_of(code),
            // A proxy before it that cannot reach it.
            None if matches!(status, 502..=504) => TryOutcome::Broken,
            None => TryOutcome::Final,
        };
        Err(FailedTry { error, outcome })
    }
}

/// What a refusal means for another try.
fn outcome_of(code: u32) -> TryOutcome {
    match refusal::passing(code) {
        Some(Passing::NotBegun) => TryOutcome::NotSent,
        Some(Passing::Unsettled) => TryOutcome::Broken,
        None => TryOutcome::Final,
    }
}

/// Waits before another try, or gives the error back when there is none.
async fn pause(budget: &mut Budget, trouble: FailedTry) -> Result<()> {
    match budget.next(trouble.outcome, fastrand::f64()) {
        RetryStep::Again(pause) => {
            tracing::debug!(
                "trying again in {} ms: {}",
                pause.as_millis(),
                trouble.error.message
            );
            tokio::time::sleep(pause).await;
            Ok(())
        }
        RetryStep::Stop | RetryStep::TooLong(_) => Err(trouble.error),
    }
}

fn form_type() -> String {
    format!("multipart/form-data; boundary={BOUNDARY}")
}

/// A statement with its parameters as a form: a server takes long ones there, and none of it is in a URL.
fn form(query: &str, statement: &WarehouseStatement) -> Bytes {
    let values = statement.parameters.iter().enumerate();
    let fields = values.map(|(number, value)| (format!("param_p{number}"), value.field()));
    let mut form = String::new();
    for (name, value) in std::iter::once(("query".to_owned(), query.to_owned())).chain(fields) {
        // Writing to a text does not fail.
        let _ = write!(
            form,
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    let _ = write!(form, "--{BOUNDARY}--\r\n");
    form.into()
}
