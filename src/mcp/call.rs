//! One call of a tool: the command runs as on the command line, with its streams in memory.

use std::sync::Arc;

use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};
use tokio::{runtime::Handle, task::spawn_blocking};

use super::{
    page::{Notes, Page, answer},
    tools::{Asked, ToolCommand},
};
use crate::{
    cli::{self, Args, CommandResult, Console, Exit},
    contract::Feed,
    engine::{Engine, Error, Kind, Settings, views::ViewQuery},
    model::Day,
    store::{Filter, index::Order},
};

/// What a call has at hand.
pub(super) struct Call {
    pub(super) settings: Arc<Settings>,
    pub(super) is_demo: bool,
}

impl Call {
    /// The answer of a tool. What an assistant can mend is an answer, too: what is wrong, and what to do.
    pub(super) async fn answered(
        self,
        tool: &'static ToolCommand,
        arguments: &JsonObject,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> CallToolResult {
        let asked = match tool.asked(arguments) {
            Ok(asked) => asked,
            Err(error) => return refused(&error),
        };
        let work = move || Handle::current().block_on(self.run(tool, &asked, stop));
        match spawn_blocking(work).await {
            Ok(value) => result(value),
            Err(_) => refused(&Error::new(
                Kind::Machine,
                "this program failed at it: please report that",
            )),
        }
    }

    /// Runs the command until its end, or until nobody waits for it: then no further request is sent.
    async fn run(
        self,
        tool: &'static ToolCommand,
        asked: &Asked,
        stop: impl Future<Output = ()>,
    ) -> Value {
        let (page, notes) = (Page::new(asked.offset, asked.limit), Notes::default());
        let console = Console::of_streams(
            self.is_demo,
            (Box::new(page.clone()), Box::new(notes.clone())),
        );
        let mut settings = Settings::clone(&self.settings);
        settings.offline |= tool.is_local;
        let engine = Ok(Engine::new(settings.clone()));
        let outcome: CommandResult = match Args::of_command(&asked.words) {
            Ok(command) => {
                let command = cli::run(command, Ok(settings), &engine, &console);
                tokio::select! {
                    biased;
                    () = stop => Err(Error::new(Kind::Interrupted, "it was cancelled").into()),
                    outcome = command => outcome,
                }
            }
            Err(error) => Err(error.into()),
        };
        let of = match (&engine, &asked.selects) {
            (Ok(engine), Some(selects)) => of_release(engine, selects).await,
            _ => None,
        };
        let exit = console.conclude(outcome);
        let (mut rows, has_more) = page.rows();
        rows.iter_mut().for_each(advise);
        let said = notes.lines().into_iter().map(|note| for_assistants(&note));
        let notes = of.into_iter().chain(said);
        let next = has_more.then_some(asked.offset + rows.len());
        answer((rows, next), notes.collect(), exit.code())
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
const SAID: [(&str, &str); 2] = [
    ("--offline: nothing was sent", "nothing was sent"),
    (
        "leave --offline out to ask the service",
        "no tool sends a query: `ipspect lookup ADDRESS`, which a person types, asks the service for one",
    ),
];

fn for_assistants(text: &str) -> String {
    let replaced = |text: String, (said, meant): &(&str, &str)| text.replace(said, meant);
    SAID.iter().fold(text.to_owned(), replaced)
}

/// Words the message and the hint of a failure for who reads them here.
fn advise(row: &mut Value) {
    for key in ["message", "hint"] {
        if let Some(text) = row.pointer_mut(&format!("/error/{key}"))
            && let Some(said) = text.as_str()
        {
            *text = for_assistants(said).into();
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

/// What is wrong with the arguments, and how to mend it.
fn refused(error: &Error) -> CallToolResult {
    let row = json!({"error": {"message": error.message, "hint": error.hint}});
    let code = Exit::of(error.kind).code();
    CallToolResult::structured_error(answer((vec![row], None), Vec::new(), code))
}
