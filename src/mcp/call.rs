//! One call of a tool: the command runs as on the command line, with its streams in memory.

use std::{
    cell::Cell,
    future::pending,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rmcp::{
    RoleServer,
    model::{CallToolResult, JsonObject, ProgressNotificationParam, ProgressToken},
    service::Peer,
};
use serde_json::Value;
use tokio::{runtime::Handle, task::spawn_blocking, time::sleep};

use super::{
    consent::{Asking, Paying},
    page::{Notes, Page, answer},
    resources::{Named, vocabulary},
    tools::{Asked, ToolCommand, in_words},
};
use crate::{
    cli::{self, Args, CommandResult, Console, Exit, console::Caller},
    contract::Feed,
    engine::{Engine, Error, Kind, Result, Settings, views::ViewQuery},
    model::Day,
    report::{Cell as ReportCell, Line, counted},
    store::{Filter, index::Order},
};

/// What a call has at hand.
pub(super) struct Call {
    pub(super) settings: Arc<Settings>,
    pub(super) is_demo: bool,
    /// What sends queries: one for all calls, so that none is sent twice at once.
    pub(super) engine: Arc<Result<Engine>>,
    pub(super) paying: Arc<Paying>,
    pub(super) asking: Asking,
    /// Whoever wants to hear how far it is.
    pub(super) progress: Option<Hearer>,
}

/// How a call ended.
pub(super) enum CallEnd {
    Answered(CallToolResult),
    /// A person has to agree to so many queries about this first.
    Asks(u64, String),
}

impl Call {
    /// The answer of a tool. What an assistant can mend is an answer, too: what is wrong, and what to do.
    pub(super) async fn answered(
        self,
        tool: &'static ToolCommand,
        arguments: &JsonObject,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> CallEnd {
        let paying = Arc::clone(&self.paying);
        let asked = match tool.asked(arguments) {
            Ok(asked) => asked,
            Err(error) => return CallEnd::Answered(refused(&error, &paying)),
        };
        let about = in_words(arguments);
        let (own, is_local) = (about.clone(), tool.is_local);
        match apart(move || Handle::current().block_on(self.run(is_local, asked, own, stop))).await
        {
            Ok(Ok(value)) => CallEnd::Answered(result(value)),
            Ok(Err(queries)) => CallEnd::Asks(queries, about),
            Err(error) => CallEnd::Answered(refused(&error, &paying)),
        }
    }

    /// What a resource is. Sends nothing.
    pub(super) async fn read(
        self,
        named: Named,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Value> {
        let asked = match named {
            Named::Command(asked) => asked,
            Named::Vocabulary => return vocabulary(self.is_demo),
        };
        let read =
            apart(move || Handle::current().block_on(self.run(true, asked, String::new(), stop)))
                .await?;
        read.map_err(|_| Error::new(Kind::Guard, "a resource costs nothing"))
    }

    /// Runs the command until its end, or until nobody waits for it: then no further request is sent. An error is how many queries a
    /// person has to agree to before it is made again.
    async fn run(
        self,
        is_local: bool,
        asked: Asked,
        about: String,
        stop: impl Future<Output = ()>,
    ) -> std::result::Result<Value, u64> {
        let may_send = asked.spend > 0;
        let page = Page::new(asked.offset, asked.limit, !may_send);
        let (notes, open, sent) = (Notes::default(), Rc::new(Cell::new(0)), Arc::default());
        let caller = Caller {
            text: asked.text,
            consent: may_send.then(|| {
                let counts = (Rc::clone(&open), Arc::clone(&sent));
                self.paying.consent(self.asking, about, counts)
            }),
        };
        let console = Console::of_streams(
            self.is_demo,
            (Box::new(page.clone()), Box::new(notes.clone())),
            caller,
        );
        let mut settings = Settings::clone(&self.settings);
        settings.offline |= is_local && !may_send;
        let own = Ok(Engine::new(settings.clone()));
        let engine = if may_send { &*self.engine } else { &own };
        let outcome: CommandResult = match Args::of_command(&asked.words) {
            Ok(command) => {
                let command = cli::run(command, Ok(settings), engine, &console);
                let told = telling(self.progress, &page, &sent);
                tokio::select! {
                    biased;
                    () = stop => Err(Error::new(Kind::Interrupted, "it was cancelled").into()),
                    outcome = command => outcome,
                    () = told => unreachable!("it is told until the end"),
                }
            }
            Err(error) => Err(error.into()),
        };
        if open.get() > 0 {
            return Err(open.get());
        }
        let of = match (engine, &asked.selects) {
            (Ok(engine), Some(selects)) => of_release(engine, selects).await,
            _ => None,
        };
        let exit = console.conclude(outcome);
        // What it did not send is the budget's again.
        drop(console);
        let (mut rows, has_more) = page.rows();
        let options = asked.options.as_slice();
        for row in &mut rows {
            advise(row, options);
        }
        let said = notes.lines().into_iter();
        let said = said.map(|note| for_assistants(&note, options));
        let is_beyond = rows.is_empty() && asked.offset > 0;
        let beyond = is_beyond.then(|| format!("there are no {} rows to pass over", asked.offset));
        let notes = of.into_iter().chain(said).chain(beyond).collect();
        let next = has_more.then_some(asked.offset + rows.len());
        let left = self.paying.budget.left();
        Ok(answer((rows, next), notes, exit.code(), left))
    }
}

/// Work on a thread of its own, since a command waits for nobody else. One that fails at it is an answer, too: without one a client waits for
/// its own time limit.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let failed = |_| {
        Error::new(
            Kind::Machine,
            "this program failed at it: please report that",
        )
    };
    spawn_blocking(work).await.map_err(failed)
}

/// How often it is told how far a call is.
const EVERY: Duration = Duration::from_millis(500);

/// Tells how far a call is, as long as it is polled: what it counts only goes up.
async fn telling(hearer: Option<Hearer>, page: &Page, sent: &AtomicU64) {
    let Some(hearer) = hearer else {
        return pending().await;
    };
    let mut known = 0;
    loop {
        sleep(EVERY).await;
        let (rows, sent) = (page.lines(), sent.load(Ordering::Relaxed));
        if rows + sent > known {
            known = rows + sent;
            let rows = counted(rows, "row");
            let said = match sent {
                0 => rows,
                sent => format!("{rows}, {} sent", counted(sent, "query")),
            };
            hearer.hear(known, said).await;
        }
    }
}

/// The client, where it wants to hear how far a call is.
pub(super) struct Hearer {
    pub(super) peer: Peer<RoleServer>,
    pub(super) token: ProgressToken,
}

impl Hearer {
    async fn hear(&self, known: u64, said: String) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the protocol has numbers with fractions"
        )]
        let told = ProgressNotificationParam::new(self.token.clone(), known as f64);
        // Who does not hear it misses nothing.
        let _ = self.peer.notify_progress(told.with_message(said)).await;
    }
}

/// Of which release an answer is, and how many records match: a page does not have the note at the end of all.
async fn of_release(
    engine: &Engine,
    (feed, day, filter): &(Feed, Option<String>, Filter),
) -> Option<String> {
    let today = engine.settings.today();
    let day = day.as_deref().map(|text| Day::read(text, today));
    let query = ViewQuery {
        feed: *feed,
        day: day.transpose().ok()?,
        filter: filter.clone(),
        order: Order::Address,
    };
    let page = engine.views.page(&query, 0..0).await.ok()?;
    let (count, records) = (page.view.count, page.view.records);
    let day = page.view.release.manifest.moment.dashed();
    Some(format!(
        "{count} of {records} records of {feed} of {day} match"
    ))
}

/// What the command line says of its option, and what that is to an assistant: local tools never have another choice.
const SAID: [(&str, &str); 6] = [
    (", or `--force empty` where that is meant", ""),
    (", or mark some", ""),
    ("--offline: nothing was sent", "nothing was sent"),
    (
        "the queries of --spend are used up",
        "the queries of `spend` are used up",
    ),
    (
        "run it again with a larger --spend for the rest",
        "call it again with `spend` for the rest, as the budget allows",
    ),
    (
        "leave --offline out to ask the service",
        "with `spend` lookup and enrich ask it, where the server may; a person types `ipspect lookup ADDRESS`",
    ),
];

fn for_assistants(text: &str, options: &[(&str, &str)]) -> String {
    let replaced = |text: String, (said, meant): &(&str, &str)| text.replace(said, meant);
    let text = SAID.iter().fold(text.to_owned(), replaced);
    options.iter().fold(text, replaced)
}

/// Words the message and the hint of a failure for who reads them here.
fn advise(row: &mut Value, options: &[(&str, &str)]) {
    for key in ["message", "hint"] {
        if let Some(text) = row.pointer_mut(&format!("/error/{key}"))
            && let Some(said) = text.as_str()
        {
            *text = for_assistants(said, options).into();
        }
    }
}

/// A result as the protocol has it: an error where nothing but errors came.
fn result(value: Value) -> CallToolResult {
    let code = value["code"].as_u64().unwrap_or_default();
    let is_done = [Exit::DONE, Exit::CHANGED]
        .iter()
        .any(|exit| u64::from(exit.code()) == code);
    let rows = value["rows"].as_array();
    let is_error = |row: &Value| row.get("error").is_some_and(|error| !error.is_null());
    // Of several inputs some may fail.
    let is_some = code == u64::from(Exit::SOME_FAILED.code());
    if is_done || is_some && rows.is_some_and(|rows| !rows.iter().all(is_error)) {
        CallToolResult::structured(value)
    } else {
        CallToolResult::structured_error(value)
    }
}

/// Why a call is not made, and what to do.
pub(super) fn refused(error: &Error, paying: &Paying) -> CallToolResult {
    let line = Line::default().key("error", ReportCell::error(error)).end();
    let row = serde_json::from_str(&line).unwrap_or_default();
    let (code, left) = (Exit::of(error.kind).code(), paying.budget.left());
    CallToolResult::structured_error(answer((vec![row], None), Vec::new(), code, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_an_answer() {
        assert_eq!(apart(|| 7).await, Ok(7));
        let failed = apart(|| panic!("on purpose")).await;
        let error = failed.map(|(): ()| ()).expect_err("a failure");
        let refused = refused(&error, &Paying::new(3));
        assert_eq!(refused.is_error, Some(true));
        let answer = refused.structured_content.expect("an answer");
        assert_eq!(answer["rows"][0]["error"]["kind"], "machine");
        assert_eq!((&answer["code"], &answer["budget"]), (&8.into(), &3.into()));
    }
}
