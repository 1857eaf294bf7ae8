//! The headless front: every command, its formats, its streams and its exit codes.
//!
//! Scripts rely on what this layer prints: results on standard output, everything else on standard error, whole lines
//! or nothing. It asks the engine and prints; it must never decide what may be sent, draw a screen, or print past the
//! [`Console`].

pub mod args;
mod bar;
mod complete;
pub mod console;
mod diff;
mod doctor;
mod enrich;
pub mod exit;
mod export;
mod feeds;
mod freshness;
pub mod log;
mod login;
mod lookup;
mod pages;
mod parquet;
mod search;
pub mod signals;
mod status;
mod tag;
mod text;

pub use self::{
    args::{Args, CliCommand, Global},
    console::{CommandEnd, CommandResult, Console},
    exit::Exit,
    pages::{ManSection, help, man},
    signals::{forbid_core_dumps, survive_file_size_limits, until_signal},
};

use crate::engine::{self, Engine, Error, Kind, Settings};

/// Runs one command of those that need nothing which this layer may not know of.
///
/// # Errors
/// What stopped it; failures of single inputs are reported as they happen and are part of the code.
pub async fn run(
    command: CliCommand,
    settings: engine::Result<Settings>,
    engine: &engine::Result<Engine>,
    console: &Console,
) -> CommandResult {
    console.is_about(command.subject());
    if let Ok(engine) = engine {
        engine.notices.report_rebuilds(bar::of_rebuilds(console));
    }
    let outcome = match console.choose(command.columns(), table_of(&command).as_deref()) {
        Ok(()) => Box::pin(answer(command, settings, engine, console)).await,
        Err(error) => Err(error.into()),
    };
    for notice in engine
        .iter()
        .flat_map(|engine| engine.notices.take_notices())
    {
        console.note(&notice);
    }
    for trouble in engine
        .iter()
        .flat_map(|engine| engine.notices.take_troubles())
    {
        console.warn(&trouble.message);
    }
    outcome
}

/// The columns that a command prints as CSV, which are known before anything is sent; none where it prints a document or a sentence.
fn table_of(command: &CliCommand) -> Option<Vec<&'static str>> {
    Some(match command {
        CliCommand::Lookup(_) => lookup::columns().names(),
        CliCommand::Enrich(args) => enrich::table_of(args),
        CliCommand::Tag(_) => tag::columns().names(),
        CliCommand::Tags(_) => tag::list_columns().names(),
        CliCommand::Status(_) => status::columns().names(),
        CliCommand::Feeds(args) => return feeds::table_of(args.command.as_ref()),
        CliCommand::Search(args) => search::table_of(args),
        CliCommand::Diff(args) => diff::table_of(args),
        CliCommand::Parquet(args) if !args.is_to_output() => parquet::columns().names(),
        CliCommand::Doctor(args) => doctor::table_of(args),
        _ => return None,
    })
}

async fn answer(
    command: CliCommand,
    settings: engine::Result<Settings>,
    engine: &engine::Result<Engine>,
    console: &Console,
) -> CommandResult {
    let engine = || -> engine::Result<&Engine> {
        let engine = engine.as_ref().map_err(Clone::clone)?;
        engine.check_folders()?;
        Ok(engine)
    };
    match command {
        CliCommand::Lookup(args) => lookup::run(&args, engine()?, console).await,
        CliCommand::Enrich(args) => enrich::run(&args, engine()?, console).await,
        CliCommand::Tag(args) => tag::run(&args, engine()?, console).await,
        CliCommand::Tags(args) => tag::list(&args, engine()?, console).await,
        CliCommand::Status(args) => status::run(&args, engine()?, console).await,
        CliCommand::Feeds(args) => feeds::run(args.command, engine()?, console).await,
        CliCommand::Diff(args) => diff::run(&args, engine()?, console).await,
        CliCommand::Search(args) => search::run(&args, engine()?, console).await,
        CliCommand::Export(args) => export::run(&args, engine()?, console).await,
        CliCommand::Parquet(args) => parquet::run(&args, engine()?, console).await,
        CliCommand::Login => login::login(settings?, console).await,
        CliCommand::Logout => login::logout(&settings?, console),
        CliCommand::Doctor(args) => doctor::run(&args, settings, console).await,
        CliCommand::Completions { shell } => pages::completions(shell, console),
        CliCommand::Complete { words } => complete::run(&words, engine().ok(), console).await,
        CliCommand::Demo { .. }
        | CliCommand::Serve { .. }
        | CliCommand::Help { .. }
        | CliCommand::Man { .. } => {
            Err(Error::new(Kind::Usage, "this command is put together elsewhere").into())
        }
    }
}
