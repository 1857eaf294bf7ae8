//! `explain`: what a field or a value means, by the contract and in the local feeds. Nothing is sent.

use super::{args::explain::ExplainArgs, console::CommandResult, exit::Exit, run::Run};
use crate::{
    contract::vocabulary,
    engine::{Error, Kind, views::ValueUse},
    investigation::explanation::{self, Explanation},
    model::{Keyword, nearest},
    report::{Results, Ticket, explanation_columns, explanation_rows},
};

/// The table of what is known.
pub(super) fn table_of(_args: &ExplainArgs) -> Vec<&'static str> {
    explanation_columns().names()
}

/// Prints what is known of a word.
///
/// # Errors
/// [`Kind::NotFound`] for a word that neither the contract nor a local feed has.
pub(super) async fn run(args: &ExplainArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let word = args.word.trim();
    if word.is_empty() {
        let error = Error::new(Kind::Usage, "the word to explain is empty");
        return Err(error
            .hint("name a value or a field, such as CALLBACK_PROXY or client.spread")
            .into());
    }
    let found = Explanation::of(engine, word).await?;
    for feed in &found.uses.unusable {
        console.complain(None, &feed.why);
    }
    let unusable = found.uses.unusable.first().map(|feed| &feed.why);
    if found.is_unknown() {
        let message = if found.uses.feeds == 0 {
            format!("the contract does not have {word:?}, and no feed is local")
        } else {
            format!("neither the contract nor a field of a filter in a local feed has {word:?}")
        };
        let hint = match nearest(word, explanation::words()) {
            Some(near) => format!("did you mean {near}?"),
            None if found.uses.feeds == 0 => {
                "`ipspect feeds pull anonymous` downloads one".to_owned()
            }
            None => {
                "the contract names few values, and tags and services by examples only".to_owned()
            }
        };
        let error = Error::new(Kind::NotFound, message).hint(hint);
        return Err(unusable.cloned().unwrap_or(error).into());
    }
    let rows = explanation_rows(&found);
    let ticket = Ticket::about(word);
    console.show(Results::table(explanation_columns(), &rows, ticket))?;
    note_uses(&found, run);
    Ok(Exit::DONE.or_of(unusable))
}

/// Names what the rows do not say of a value.
fn note_uses(found: &Explanation, run: Run<'_>) {
    let note = |text: &str| run.console.note(text);
    if !found.fields.is_empty() {
        return;
    }
    let is_listed = |value_use: &ValueUse| vocabulary::is_listed(value_use.field.paths());
    if found.values.is_empty() && found.uses.found.iter().any(is_listed) {
        note("the contract does not name this value: its lists are open");
    }
    let of_records = found
        .values
        .iter()
        .filter(|field| field.object.records.is_some());
    let mut uncounted = of_records.map(|field| field.field.path);
    let uncounted = uncounted.find(|path| Keyword::at(path).is_none());
    match (uncounted, found.uses.feeds) {
        (Some(path), _) => note(&format!(
            "{path} is no field of a filter: records that have it there are not counted"
        )),
        (None, 0) if found.uses.unusable.is_empty() => {
            note("no feed is local: `ipspect feeds pull anonymous` downloads one");
        }
        (None, _) if found.uses.found.is_empty() && found.uses.unusable.is_empty() => {
            note("no local feed has a record with it");
        }
        _ => {}
    }
}
