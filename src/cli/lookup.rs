//! `lookup`: one answer for each address, in input order, and at most one query for each distinct address.

mod batch;
mod confirm;
mod resolver;
mod show;

pub(super) use self::{
    confirm::agreed,
    show::{columns, names, searched, source_of},
};
use std::{collections::HashSet, io::Read};

use self::{
    batch::{AnswerBatch, Input},
    resolver::{LookupDays, Resolver},
};
use super::{
    args::lookup::{LookupArgs, SourceArg},
    console::CommandResult,
    run::Run,
    text::InputText,
};
use crate::{
    engine::{Error, Kind, Result},
    model::{Admission, Subject},
};

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are reported one by one.
pub(super) async fn run(args: &LookupArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let days = LookupDays::of(args, engine).await?;
    for error in days.unusable() {
        console.complain(None, error);
    }
    let inputs = inputs(args, days.source, &engine.settings.admission)?;
    let subjects = different(&inputs);
    let asker = Resolver::of(args, engine, days, &subjects).await?;
    let queries = asker.queries(&subjects).await?;
    if let Some(allowance) = confirm::confirm(queries, args, run).await? {
        asker.spending.allow(allowance);
    }
    let mut batch = AnswerBatch::of(args, &inputs, &asker, run);
    console.rows(|rows| rows.begin(&columns(), || None))?;
    batch.print_all(asker.ask(&subjects)).await?;
    batch.note(&asker).await?;
    Ok(batch.exit().or_of(asker.unusable().next()))
}

/// Bytes of addresses that standard input may hold.
const MOST_BYTES: u64 = 64 << 20;

/// The addresses and networks in input order; `-` stands for those on standard input.
fn inputs(args: &LookupArgs, source: SourceArg, admission: &Admission) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    let read = |text: &str| Input::read(text, source, admission);
    for text in &args.addresses {
        if text == "-" {
            let piped = piped()?;
            let piped = piped.split_whitespace();
            inputs.extend(piped.map(read));
        } else {
            inputs.push(read(text));
        }
    }
    Ok(inputs)
}

fn piped() -> Result<String> {
    let mut bytes = Vec::new();
    let input = InputText::Input;
    let read = input.open()?.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| input.unread(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = "standard input holds more than 64 MiB of addresses: nothing was sent";
        return Err(Error::new(Kind::Usage, message)
            .hint("`ipspect enrich` finds the addresses of a text of any length"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Each subject once, in the order in which they come up first.
fn different(inputs: &[Input]) -> Vec<Subject> {
    let mut seen = HashSet::new();
    let subjects = inputs
        .iter()
        .filter_map(|input| input.subject.as_ref().ok());
    subjects
        .filter(|subject| seen.insert(**subject))
        .copied()
        .collect()
}
