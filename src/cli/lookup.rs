//! `lookup`: one answer for each address, in input order, and not one query more than there are different addresses.

mod ask;
mod batch;
mod confirm;
mod input;
mod part;
mod show;
mod told;

pub(super) use self::show::{BEFORE, BEHIND, names};
use self::{
    ask::Asker,
    batch::Batch,
    input::{different, inputs},
    show::CSV,
};
use super::{
    args::{Format, lookup::LookupArgs},
    console::{Console, Outcome},
};
use crate::engine::Engine;

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are told one by one.
pub(super) async fn run(args: &LookupArgs, engine: &Engine, console: &Console) -> Outcome {
    let asker = Asker::of(args, engine).await?;
    for error in asker.unusable() {
        console.complain(None, error);
    }
    let inputs = inputs(args)?;
    let subjects = different(&inputs);
    let queries = asker.queries(&subjects).await?;
    confirm::confirm(queries, args, engine, console).await?;
    let mut batch = Batch::of(args, &inputs, &asker, engine, console);
    if console.format() == Format::Csv {
        console.results(&CSV.header())?;
    }
    batch.print_all(asker.ask(&subjects)).await?;
    batch.note(&asker).await?;
    Ok(batch.exit().or_of(asker.unusable().first()))
}
