//! `enrich --set-aside`: what looks like an address and is none that can be looked up, with the reason.

use super::{
    beginning::TextBeginning,
    reader::{AddressReader, ReadStep, TextOutcomes},
};
use crate::{
    cli::{args::enrich::EnrichArgs, console::CommandResult, run::Run, text::InputText},
    engine::Error,
    investigation::gather::{Gathering, SetAside},
    report::{Cell, Columns, Results, Ticket, each},
};

/// What was set aside, and the name of its text where there are several.
pub(super) struct AsideRow {
    own: SetAside,
    file: Option<String>,
}

pub(super) fn columns() -> Columns<AsideRow> {
    Columns::<AsideRow>::default()
        .column("text", "text", |row| String::from(&*row.own.text))
        .column("reason", "reason", |row| row.own.reason)
        .column("first_line", "line", |row| row.own.line)
        .data("first_file", |row| Cell::some(row.file.clone()))
}

/// Lists what was set aside, once each in the order of the texts.
///
/// # Errors
/// A failure to read.
pub(super) async fn list(args: &EnrichArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let given = InputText::all(&args.files, console);
    let mut outcomes = TextOutcomes::of(&given, console);
    let texts = outcomes.readable(given)?;
    if texts.is_empty() {
        return Ok(outcomes.exit());
    }
    let gathering = Gathering {
        // Versions are told by the fields of their rows, which are read where occurrences are counted.
        counts: true,
        times: None,
        events: false,
        by_day: false,
        cells: false,
        wanted: Vec::new(),
        lists_aside: true,
        room: args.room(),
    };
    let names: Vec<String> = texts.iter().map(InputText::name).collect();
    let admission = engine.settings.admission.clone();
    let reader = AddressReader::start(texts, TextBeginning::default(), admission, gathering);
    let mut reader = reader.map_err(|error| Error::machine("read the text", &error))?;
    let mut rows = Vec::new();
    while let Some(step) = reader.next().await {
        match step {
            ReadStep::Batch(_) => {}
            ReadStep::Failed(text, error) => outcomes.failed(&text, &error)?,
            ReadStep::End(totals) => {
                let row = |aside: SetAside| AsideRow {
                    file: names.get(aside.file).filter(|_| names.len() > 1).cloned(),
                    own: aside,
                };
                rows = totals.listed_aside.into_iter().map(row).collect();
            }
        }
    }
    let ticket = Ticket::about("Set aside")
        .sentence("What looks like an address in a text and cannot be looked up.")
        .line("texts", &each(&names, ", "));
    console.show(Results::table(columns(), &rows, ticket).with_heads())?;
    Ok(outcomes.exit())
}
