//! The headless front: every command, its formats, its streams and its exit codes.
//!
//! Scripts rely on what this layer prints: results on standard output, everything else on standard error, whole lines
//! or nothing. It asks the engine and prints; it must never decide what may be sent, draw a screen, or print past the
//! [`Console`].

pub mod args;
mod bar;
mod blocklist;
mod case;
mod common;
mod compare;
mod complete;
pub mod console;
mod diff;
mod doctor;
mod enrich;
pub mod exit;
mod explain;
mod export;
mod feeds;
mod history;
pub mod log;
mod login;
mod lookup;
mod matching;
mod pages;
mod parquet;
mod run;
mod search;
pub mod signals;
mod status;
mod tag;
mod text;
mod warehouse;
mod watch;

pub use self::{
    args::{Args, CliCommand, Global},
    console::{CommandEnd, CommandResult, Console},
    exit::Exit,
    pages::{ManSection, help, man},
    signals::{forbid_core_dumps, survive_file_size_limits, until_signal},
};

use futures_util::future::LocalBoxFuture;

use self::{args::global::ColumnArgs, run::Run};
use crate::engine::{self, Engine, Error, Kind, Settings};

/// Runs one command of those that need nothing which this layer may not know of.
///
/// Boxed, so that all of it is compiled with this library, and not once more with each program that waits for it.
///
/// # Errors
/// What stopped it; failures of single inputs are reported as they happen and are part of the code.
pub fn run<'a>(
    command: CliCommand,
    settings: engine::Result<Settings>,
    engine: &'a engine::Result<Engine>,
    console: &'a Console,
) -> LocalBoxFuture<'a, CommandResult> {
    Box::pin(run_here(command, settings, engine, console))
}

async fn run_here(
    command: CliCommand,
    settings: engine::Result<Settings>,
    engine: &engine::Result<Engine>,
    console: &Console,
) -> CommandResult {
    console.is_about(command.subject());
    let engine = &engine.clone().map(|engine| engine.at(command.place()));
    if let Ok(engine) = engine {
        engine.notices.report_rebuilds(bar::of_rebuilds(console));
    }
    let (columns, table) = table_of(&command).unzip();
    let outcome = match console.choose(columns, table.flatten().as_deref()) {
        Ok(()) => {
            let answer = Box::pin(answer(command, settings, engine, console));
            telling_waits(answer, engine.as_ref().ok(), console).await
        }
        Err(error) => Err(error.into()),
    };
    if let Ok(engine) = engine {
        for notice in engine.notices.take_notices() {
            console.note(&notice);
        }
        for trouble in engine.notices.take_troubles() {
            console.warn(&trouble.message);
        }
    }
    outcome
}

/// The choice among the columns that a command prints as CSV, and these, which are known before anything is sent; none where it
/// prints a document or a sentence.
fn table_of(command: &CliCommand) -> Option<(&ColumnArgs, Option<Vec<&'static str>>)> {
    let (columns, table) = match command {
        CliCommand::Lookup(args) => (&args.columns, lookup::columns().names()),
        CliCommand::Enrich(args) => (&args.columns, enrich::table_of(args)),
        CliCommand::Tag(args) => (&args.columns, tag::columns().names()),
        CliCommand::Tags(args) => (&args.columns, tag::list_columns().names()),
        CliCommand::Status(args) => (&args.columns, status::columns().names()),
        CliCommand::Feeds(args) => {
            return Some((&args.columns, feeds::table_of(args.command.as_ref())));
        }
        CliCommand::Search(args) if args.sql.is_some() => return Some((&args.columns, None)),
        CliCommand::Search(args) => (&args.columns, search::table_of(args)),
        CliCommand::Diff(args) => (&args.columns, diff::table_of(args)),
        CliCommand::Compare(args) => (&args.columns, compare::table_of(args)),
        CliCommand::Match(args) => (&args.columns, matching::table_of(args)),
        CliCommand::Blocklist(args) if args.is_to_output() => return Some((&args.columns, None)),
        CliCommand::Blocklist(args) => (&args.columns, blocklist::table_of(args)),
        CliCommand::Common(args) => (&args.columns, common::table_of(args)),
        CliCommand::Explain(args) => (&args.columns, explain::table_of(args)),
        CliCommand::History(args) => (&args.columns, history::table_of(args)),
        CliCommand::Case(args) => (&args.columns, case::table_of(args)),
        CliCommand::Parquet(args) if args.is_to_output() => return Some((&args.columns, None)),
        CliCommand::Parquet(args) => (&args.columns, parquet::columns().names()),
        CliCommand::Watch(args) => (&args.columns, watch::table_of(args)),
        CliCommand::Doctor(args) => (&args.columns, doctor::table_of(args)),
        CliCommand::Warehouse(args) => {
            return Some((&args.columns, warehouse::table_of(args.command.as_ref())));
        }
        _ => return None,
    };
    Some((columns, Some(table)))
}

/// The result of a task; says meanwhile what it waits for.
async fn telling_waits<T>(
    mut task: impl Future<Output = T> + Unpin,
    engine: Option<&Engine>,
    console: &Console,
) -> T {
    let Some(engine) = engine else {
        return task.await;
    };
    loop {
        tokio::select! {
            done = &mut task => return done,
            waits = engine.notices.next_wait() => console.note(&waits),
        }
    }
}

async fn answer(
    command: CliCommand,
    settings: engine::Result<Settings>,
    engine: &engine::Result<Engine>,
    console: &Console,
) -> CommandResult {
    let run = || -> engine::Result<Run<'_>> {
        let engine = engine.as_ref().map_err(Clone::clone)?;
        engine.check_folders()?;
        Ok(Run { engine, console })
    };
    match command {
        CliCommand::Lookup(args) => lookup::run(&args, run()?).await,
        CliCommand::Enrich(args) => Box::pin(enrich::run(&args, run()?)).await,
        CliCommand::Tag(args) => tag::run(&args, run()?).await,
        CliCommand::Tags(args) => tag::list(&args, run()?).await,
        CliCommand::Status(args) => status::run(&args, run()?).await,
        CliCommand::Feeds(args) => feeds::run(args.command, run()?).await,
        CliCommand::Diff(args) => diff::run(&args, run()?).await,
        CliCommand::Compare(args) => compare::run(&args, run()?).await,
        CliCommand::Match(args) => matching::run(&args, run()?).await,
        CliCommand::Blocklist(args) => blocklist::run(&args, run()?).await,
        CliCommand::Common(args) => common::run(&args, run()?).await,
        CliCommand::Explain(args) => explain::run(&args, run()?).await,
        CliCommand::Case(args) => case::run(&args, run()?),
        CliCommand::Watch(args) => watch::run(&args, run()?).await,
        CliCommand::History(args) => Box::pin(history::run(&args, run()?)).await,
        CliCommand::Search(args) => search::run(&args, run()?).await,
        CliCommand::Export(args) => export::run(&args, run()?).await,
        CliCommand::Parquet(args) => parquet::run(&args, run()?).await,
        CliCommand::Warehouse(args) => warehouse::run(args.command.as_ref(), run()?).await,
        CliCommand::Login => login::login(settings?, console).await,
        CliCommand::Logout => login::logout(&settings?, console),
        CliCommand::Doctor(args) => doctor::run(&args, settings, console).await,
        CliCommand::Completions { shell } => pages::completions(shell, console),
        CliCommand::Complete { words } => {
            complete::run(&words, run().ok().map(|run| run.engine), console).await
        }
        #[cfg(feature = "mcp")]
        CliCommand::Mcp(_) => {
            Err(Error::new(Kind::Usage, "this command is put together elsewhere").into())
        }
        CliCommand::Demo { .. }
        | CliCommand::Serve { .. }
        | CliCommand::Help { .. }
        | CliCommand::Man { .. } => {
            Err(Error::new(Kind::Usage, "this command is put together elsewhere").into())
        }
    }
}
