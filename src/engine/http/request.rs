//! One request to one host, with retries and the errors of the contract.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{
    body::{self, BodyStream},
    client::{Call, HttpClient, Resume, UnreadReply, origin_of},
    headers::Captured,
    response::{CapturedBody, Fetched, Provenance, read_document},
    retry::{Budget, FailedTry, RetryStep, TryOutcome},
};
use crate::{
    contract::{Endpoint, Host, Refusal, Token},
    engine::{
        account::{Account, Area, AreaStatus, Balance, BalanceSource, Cost, Sending},
        error::{Error, Kind, Result, offline},
        settings::Settings,
        threads::lock,
    },
    model::Document,
};

/// Sends requests with the token of an account.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Requests {
    settings: Arc<Settings>,
    account: Arc<Account>,
    client: Arc<HttpClient>,
    clock_off: Arc<Mutex<Option<i64>>>,
}

impl Requests {
    pub(in crate::engine) fn new(settings: &Arc<Settings>, account: &Arc<Account>) -> Self {
        Self {
            settings: Arc::clone(settings),
            account: Arc::clone(account),
            client: Arc::default(),
            clock_off: Arc::default(),
        }
    }

    /// Seconds by which the clock of the service is ahead of this machine's, as its last answer had it, when it is more
    /// than five minutes off.
    pub(in crate::engine) fn clock_off(&self) -> Option<i64> {
        *lock(&self.clock_off)
    }

    /// Asks for a JSON document and reads it.
    pub(in crate::engine) async fn document<T>(
        &self,
        endpoint: &Endpoint,
        read: impl FnOnce(&Document) -> Result<T>,
    ) -> Result<Fetched<T>> {
        let answered = self.small(endpoint).await?;
        let document = read_document(endpoint, &answered)?;
        Ok(Fetched {
            value: read(&document)?,
            document,
            provenance: answered.provenance,
        })
    }

    /// Asks for a body that fits into memory.
    pub(in crate::engine) async fn small(&self, endpoint: &Endpoint) -> Result<CapturedBody> {
        let sending = Sending::default();
        let mut cost = self.cost(endpoint, &sending);
        self.small_at(endpoint, &mut cost).await
    }

    /// The cost of a request, none so far.
    pub(in crate::engine) fn cost<'a>(
        &'a self,
        endpoint: &'a Endpoint,
        sending: &'a Sending,
    ) -> Cost<'a> {
        Cost::of(&self.account, endpoint, sending)
    }

    /// The same at this cost: no further attempt of a paid query is sent once no one waits.
    pub(in crate::engine) async fn small_at(
        &self,
        endpoint: &Endpoint,
        cost: &mut Cost<'_>,
    ) -> Result<CapturedBody> {
        let mut budget = self.budget(endpoint);
        let (asked_at, began) = (self.settings.now(), Instant::now());
        let mut attempts = 0;
        loop {
            attempts += 1;
            let tried = self.small_once(endpoint, cost).await;
            cost.end_try();
            match tried {
                Ok((status, captured, body)) => {
                    // Answers outside the contract may or may not be counted: a page from a proxy, or a 404 for an
                    // address without a record.
                    let sure =
                        status == 200 && !captured.is_web_page() && !body::is_web_page(&body);
                    let surely = if sure { endpoint.cost() } else { 0 };
                    cost.possibly += endpoint.cost() - surely;
                    let provenance = Provenance {
                        url: self.settings.url_of(endpoint)?,
                        status,
                        asked_at,
                        elapsed: began.elapsed(),
                        attempts,
                        cost: surely,
                        possibly_spent: cost.possibly,
                        balance: captured.balance,
                        data_date: captured.result_date,
                        clock_off: self.clock_ahead(&captured),
                    };
                    cost.answered(surely, captured.balance);
                    return Ok(CapturedBody {
                        body,
                        captured,
                        provenance,
                    });
                }
                Err(trouble) => {
                    if may_have_cost(trouble.outcome) {
                        cost.possibly += endpoint.cost();
                    }
                    let again = self.wait_or_give_up(&mut budget, trouble, attempts).await;
                    again.map_err(|error| with_cost(error, cost.possibly))?;
                }
            }
        }
    }

    async fn small_once(
        &self,
        endpoint: &Endpoint,
        cost: &mut Cost<'_>,
    ) -> Result<(u16, Captured, Vec<u8>), FailedTry> {
        let reply = self.open_with(endpoint, None, || cost.intend()).await?;
        let (status, captured) = (reply.status(), reply.captured.clone());
        let body = BodyStream::of(reply, self.silence()).whole().await;
        let body = body.map_err(|error| FailedTry {
            outcome: outcome_of_body(&error),
            error,
        })?;
        Ok((status, captured, body))
    }

    /// Opens an answer whose body is to be streamed. A refusal is an error here already.
    pub(in crate::engine) async fn open_once(
        &self,
        endpoint: &Endpoint,
        resume: Option<&Resume>,
    ) -> Result<UnreadReply, FailedTry> {
        self.open_with(endpoint, resume, || Ok(())).await
    }

    /// The same; `before` is called when everything is ready to be sent, and keeps it from being sent if it fails.
    async fn open_with(
        &self,
        endpoint: &Endpoint,
        resume: Option<&Resume>,
        before: impl FnOnce() -> Result<()>,
    ) -> Result<UnreadReply, FailedTry> {
        let settings = &self.settings;
        if settings.offline {
            return Err(offline().into());
        }
        let url = settings.url(endpoint.host())?.join(&endpoint.target());
        let url = url.map_err(|error| {
            Error::new(
                Kind::Usage,
                format!("the {} host's address: {error}", endpoint.host()),
            )
        })?;
        let token = self.account.token().await?;
        let call = Call {
            host: endpoint.host(),
            url,
            token: &token,
            limits: &settings.network,
            resume,
        };
        before()?;
        let reply = self
            .client
            .ask(&call)
            .await
            .inspect_err(|trouble| self.hear_trouble(endpoint, trouble, &token))?;
        self.hear(endpoint, &reply, &token);
        if reply.trusted || reply.response.status().is_success() {
            self.refusal(endpoint, reply, &token).await
        } else {
            Err(storage_refusal(&reply))
        }
    }

    async fn refusal(
        &self,
        endpoint: &Endpoint,
        reply: UnreadReply,
        token: &Token,
    ) -> Result<UnreadReply, FailedTry> {
        let status = reply.status();
        let Some(refusal) = Refusal::of(endpoint, status) else {
            return Ok(reply);
        };
        if refusal == Refusal::NotThere
            && may_know_nothing(endpoint)
            && !reply.captured.is_web_page()
        {
            return Ok(reply);
        }
        let (asked, web_page) = (reply.captured.retry_after, reply.captured.is_web_page());
        let location = reply
            .response
            .headers()
            .get("location")
            .and_then(|to| to.to_str().ok());
        let redirected = location.map(|to| format!("a redirect to {}", place_of(to)));
        let body = BodyStream::of(reply, self.silence()).beginning().await;
        let said = redirected.or_else(|| body::said(&body, web_page, token));
        let diagnosis = match refusal {
            Refusal::TokenOrAccess | Refusal::NoAccess => {
                self.account.diagnosis(Area::of(endpoint))
            }
            _ => None,
        };
        let error = Error::refused(endpoint, refusal, status, diagnosis, said.as_deref());
        Err(FailedTry {
            error,
            outcome: TryOutcome::Refused(refusal, asked),
        })
    }

    /// Waits before another try, or gives the error back when there is none.
    pub(in crate::engine) async fn wait_or_give_up(
        &self,
        budget: &mut Budget,
        trouble: FailedTry,
        attempts: u32,
    ) -> Result<()> {
        match budget.next(trouble.outcome, fastrand::f64()) {
            RetryStep::Again(pause) => {
                let (why, pause_ms) = (&trouble.error.message, pause.as_millis());
                tracing::debug!("trying again in {pause_ms} ms: {why}");
                tokio::time::sleep(pause).await;
                Ok(())
            }
            RetryStep::Stop if attempts > 1 => {
                let message = format!("{} (after {attempts} attempts)", trouble.error.message);
                Err(Error {
                    message,
                    ..trouble.error
                })
            }
            RetryStep::Stop => Err(trouble.error),
            RetryStep::TooLong(pause) => {
                // A service may name any number; the end of time is as good as any beyond it.
                let pause =
                    jiff::SignedDuration::try_from(pause).unwrap_or(jiff::SignedDuration::MAX);
                let until = self
                    .settings
                    .now()
                    .saturating_add(pause)
                    .unwrap_or(Timestamp::MAX);
                let hint = format!("the service asks to wait until {until:.0}: run it again then");
                Err(trouble.error.hint(hint))
            }
        }
    }

    pub(in crate::engine) fn budget(&self, endpoint: &Endpoint) -> Budget {
        let network = &self.settings.network;
        let pause = Duration::from_millis(network.retry_base_ms);
        match endpoint.host() {
            Host::Context => Budget::cautious(self.settings.lookup_retries, pause),
            Host::Feeds | Host::Exports => Budget::new(network.attempts, pause),
        }
    }

    pub(in crate::engine) fn silence(&self) -> Duration {
        Duration::from_secs(self.settings.network.silence_timeout_s)
    }

    fn clock_ahead(&self, captured: &Captured) -> Option<i64> {
        const TOLERATED: i64 = 300;
        let ahead = captured.date?.as_second() - self.settings.now().as_second();
        (ahead.abs() > TOLERATED).then_some(ahead)
    }

    fn hear(&self, endpoint: &Endpoint, reply: &UnreadReply, token: &Token) {
        if !self.account.uses(token) {
            // Another token was entered meanwhile.
            return;
        }
        let at = self.settings.now();
        // The storage's answer to a signed link tells nothing about the token.
        let status = if reply.trusted { reply.status() } else { 302 };
        let (status, trouble) = if reply.trusted && reply.captured.is_web_page() {
            // A web page tells nothing about the token.
            (None, Some(format!("a web page, with status {status}")))
        } else {
            (Some(status), None)
        };
        let heard = AreaStatus {
            at,
            status,
            trouble,
        };
        let area = Area::of(endpoint);
        if let Some(beside) = status.and_then(|status| area.beside(status)) {
            self.account.record(beside, heard.clone());
        }
        self.account.record(area, heard);
        *lock(&self.clock_off) = self.clock_ahead(&reply.captured);
        let remaining = reply.captured.balance;
        if let Some(remaining) = remaining.filter(|_| endpoint.host() == Host::Context) {
            self.account.guards.hear(Balance {
                remaining,
                at,
                source: BalanceSource::Lookup,
            });
        }
    }

    fn hear_trouble(&self, endpoint: &Endpoint, trouble: &FailedTry, token: &Token) {
        if !self.account.uses(token) {
            return;
        }
        let heard = AreaStatus {
            at: self.settings.now(),
            status: None,
            trouble: Some(trouble.error.message.clone()),
        };
        self.account.record(Area::of(endpoint), heard);
    }
}

/// Some deployments answer 404 for an address without a record. For a past day the 404 may be about the day, so there it is an
/// error.
fn may_know_nothing(endpoint: &Endpoint) -> bool {
    matches!(endpoint, Endpoint::Context(query) if query.date.is_none())
}

/// Whether a try that failed may have been counted by the service.
fn may_have_cost(outcome: TryOutcome) -> bool {
    matches!(
        outcome,
        TryOutcome::Broken | TryOutcome::Useless | TryOutcome::Refused(Refusal::Fault, _)
    )
}

fn with_cost(error: Error, possibly: u32) -> Error {
    if possibly == 0 {
        return error;
    }
    let spent = match possibly {
        1 => "1 query was".to_owned(),
        many => format!("{many} queries were"),
    };
    Error {
        message: format!("{}; {spent} possibly spent", error.message),
        ..error
    }
}

fn outcome_of_body(error: &Error) -> TryOutcome {
    if error.kind == Kind::Network {
        TryOutcome::Broken
    } else {
        TryOutcome::Useless
    }
}

/// Storage refused a link that the feeds host had just given: passing, as a fresh link may be better.
fn storage_refusal(reply: &UnreadReply) -> FailedTry {
    let status = reply.status();
    let place = origin_of(reply.response.url());
    let outcome = match status {
        408 | 429 | 500..=599 => TryOutcome::Refused(Refusal::Fault, reply.captured.retry_after),
        401 | 403 | 410 => TryOutcome::Refused(Refusal::Fault, None),
        _ => TryOutcome::Final,
    };
    let message = match status {
        416 => format!("{place} has no more bytes than were downloaded already (416)"),
        _ => format!("{place}, to which the feeds host redirected, answered {status}"),
    };
    let kind = if status == 404 {
        Kind::NotFound
    } else {
        Kind::Contract
    };
    let error = Error::new(kind, message)
        .status(status)
        .hint("each attempt requests a fresh link: try again later");
    FailedTry { error, outcome }
}

fn place_of(location: &str) -> String {
    match reqwest::Url::parse(location) {
        Ok(url) => origin_of(&url),
        Err(_) => "a relative location".to_owned(),
    }
}
