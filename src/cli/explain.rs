//! `explain`: what a field or a value means, by the contract and in the local feeds. Nothing is sent.

use super::{args::explain::ExplainArgs, console::CommandResult, exit::Exit, run::Run};
use crate::{
    engine::{Error, Kind},
    investigation::explanation::{self, Explanation},
    model::nearest,
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
    let found = Explanation::of(engine, word).await?;
    for own in &found.uses.unusable {
        console.complain(None, &own.why);
    }
    let unusable = found.uses.unusable.first().map(|own| &own.why);
    if found.is_unknown() {
        let message = format!("neither the contract nor a local feed has {word:?}");
        let hint = match nearest(word, explanation::words()) {
            Some(near) => format!("did you mean {near}?"),
            None => "the contract names few values, and tags and services by examples only; `ipspect feeds pull anonymous` downloads a feed that has more".to_owned(),
        };
        let error = Error::new(Kind::NotFound, message).hint(hint);
        return Err(unusable.cloned().unwrap_or(error).into());
    }
    let rows = explanation_rows(&found);
    let ticket = Ticket::about(word);
    console.show(Results::table(explanation_columns(), &rows, ticket))?;
    let is_value = found.fields.is_empty();
    // Numbers, addresses and names are any.
    let is_word = found
        .uses
        .found
        .iter()
        .all(|own| own.field.has_vocabulary());
    if is_value && found.values.is_empty() && is_word {
        console.note("the contract does not name this value: its lists are open, and of tags and services it has examples only");
    }
    if is_value && found.uses.found.is_empty() {
        console.note("no local feed has a record with it");
    }
    Ok(Exit::DONE.or_of(unusable))
}
