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
    engine::{Engine, Error, Kind, Settings},
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
                    outcome = command => outcome,
                    () = stop => Err(Error::new(Kind::Interrupted, "it was cancelled").into()),
                }
            }
            Err(error) => Err(error.into()),
        };
        let exit = console.conclude(outcome);
        let (rows, has_more) = page.rows();
        let next = has_more.then_some(asked.offset + rows.len());
        answer((rows, next), notes.lines(), exit.code())
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
    if is_done || rows.is_some_and(|rows| !rows.is_empty() && !rows.iter().all(is_error)) {
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
