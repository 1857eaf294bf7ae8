//! `case`: investigations by their names, what was done in one, and an end to it. Nothing is sent.

use super::{
    args::case::{CaseArgs, CaseCommand},
    console::CommandResult,
    exit::Exit,
    run::Run,
};
use crate::{
    engine::{Engine, Error, Kind, Result, check_case},
    investigation::case::Case,
    model::nearest,
    report::{
        ResultFormat, Results, Ticket, case_columns, case_in_words, cases_columns, count, counted,
    },
};

/// The table of the cases, or of what was done in one.
pub(super) fn table_of(args: &CaseArgs) -> Vec<&'static str> {
    match args.command {
        Some(CaseCommand::Show { .. }) => case_columns().names(),
        None | Some(CaseCommand::List { .. } | CaseCommand::Forget { .. }) => {
            cases_columns().names()
        }
    }
}

/// Lists cases, shows one or deletes one.
///
/// # Errors
/// [`Kind::NotFound`] for a case that is not there.
pub(super) fn run(args: &CaseArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let aside = engine.trail.read()?.set_aside;
    if aside.count() > 0 {
        console.warn(&format!("log: {aside}; a case may have had more"));
    }
    match &args.command {
        None => list(None, run)?,
        Some(CaseCommand::List { text }) => list(text.as_deref(), run)?,
        Some(CaseCommand::Show { name }) => {
            let case = find(engine, name)?;
            let ticket =
                Ticket::about(name).sentence(&format!("{name}: {}.", case_in_words(&case)));
            console.show(Results::table(case_columns(), &case.entries, ticket))?;
            console.note(&format!("{name}: {}", case_in_words(&case)));
            if case.left_out > 0 {
                let text = format!("older entries are not shown: {}", count(case.left_out));
                console.note(&text);
            }
        }
        Some(CaseCommand::Forget { name }) => {
            let case = find(engine, name)?;
            case.forget(engine)?;
            let entries = counted(case.entries.len() as u64, "entry");
            if console.format() == ResultFormat::Text {
                console.note(&format!("case {name}: {entries} deleted"));
            } else {
                let ticket = Ticket::about(name).sentence(&format!("{name}: {entries} deleted."));
                console.show(Results::table(cases_columns(), [&case], ticket))?;
            }
        }
    }
    Ok(Exit::DONE)
}

fn list(text: Option<&str>, run: Run<'_>) -> CommandResult<()> {
    let wanted = text.map(str::to_lowercase);
    let mut cases = Case::all(run.engine)?;
    let all = cases.len();
    cases.retain(|case| wanted.as_ref().is_none_or(|text| case.has(text)));
    run.console.show(Results::table(
        cases_columns(),
        &cases,
        Ticket::about("cases"),
    ))?;
    if all == 0 {
        run.console
            .note("there is no case: `--case NAME` on a command begins one");
    } else if cases.is_empty() {
        run.console.note("no case has this text");
    }
    Ok(())
}

/// A case that is there.
fn find(engine: &Engine, name: &str) -> Result<Case> {
    check_case(name)?;
    let names = engine.trail.cases()?;
    if names.contains(name) {
        return Case::read(engine, name.to_owned());
    }
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "`ipspect case` lists them".to_owned(),
    };
    Err(Error::new(Kind::NotFound, format!("there is no case {name:?}")).hint(hint))
}
