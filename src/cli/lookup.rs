//! `lookup`: one answer for each address, in input order, and at most one query for each distinct address.

mod answer_part;
mod batch;
mod confirm;
mod input;
mod resolver;
mod show;

pub(super) use self::show::{columns, names, searched};
use self::{
    batch::AnswerBatch,
    input::{different, inputs},
    resolver::Resolver,
};
use super::{
    args::lookup::LookupArgs,
    console::{CommandResult, Console},
};
use crate::engine::Engine;

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are reported one by one.
pub(super) async fn run(args: &LookupArgs, engine: &Engine, console: &Console) -> CommandResult {
    let asker = Resolver::of(args, engine).await?;
    for error in asker.unusable() {
        console.complain(None, error);
    }
    let inputs = inputs(args, &engine.settings.admission)?;
    let subjects = different(&inputs);
    let queries = asker.queries(&subjects).await?;
    confirm::confirm(queries, args, engine, console).await?;
    let mut batch = AnswerBatch::of(args, &inputs, &asker, engine, console);
    console.rows(|rows| rows.begin(&columns(), || None))?;
    batch.print_all(asker.ask(&subjects)).await?;
    batch.note(&asker).await?;
    Ok(batch.exit().or_of(asker.unusable().first()))
}
