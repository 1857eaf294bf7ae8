//! Each value of the configuration with where it comes from, and what it overrides.

use serde_json::Value;

use crate::{
    cli::console::{CommandResult, Console},
    engine::origins::{Stated, ValueOrigin, ValueSource},
    report::{Cell, Columns, Line, Results, TextCell, Ticket, each, markdown_row},
};

/// Prints each value with where it comes from.
pub(super) fn show(values: &[ValueOrigin], console: &Console) -> CommandResult<()> {
    let changed = values
        .iter()
        .filter(|origin| origin.holds.source != ValueSource::Default);
    let (all, changed) = (values.len(), changed.count());
    let sentence = format!("{all} values, {changed} of them set.");
    let ticket = Ticket::about("Configuration").sentence(&sentence);
    let columns = columns();
    // A key is no host: as code it stays as it is typed.
    let row = |origin: &ValueOrigin| {
        let rest = markdown_row(&columns.cells(origin)[1..]);
        format!("| `{}` {rest}", origin.key)
    };
    let rows = each(values.iter().map(row), "");
    let markdown = ticket.clone().table(&columns.markdown([])) + &rows;
    console.show(Results::table(columns, values, ticket).markdown(markdown))
}

pub(super) fn columns() -> Columns<ValueOrigin> {
    let overrode = |origin: &ValueOrigin, between: &str| {
        let stated = origin.overrode.iter();
        let stated =
            stated.map(|stated| format!("{} ({})", words(&stated.value), place(&stated.source)));
        each(stated, between)
    };
    Columns::<ValueOrigin>::default()
        .column("key", "key", |origin| origin.key.clone())
        .column("value", "value", |origin| origin.holds.value.clone())
        .shown(|origin| value(&origin.holds.value))
        .data("source", |origin| source(&origin.holds.source).0)
        .column("from", "from", |origin| source(&origin.holds.source).1)
        .shown(|origin| TextCell::known(place(&origin.holds.source)))
        .json("overrode", |origin| {
            Cell::objects(origin.overrode.iter().map(of))
        })
        .csv("overrode", move |origin| overrode(origin, "; "))
        .words("overrode", move |origin| overrode(origin, ", "))
}

fn of(stated: &Stated) -> Line {
    let (kind, from) = source(&stated.source);
    let line = Line::default().key("value", stated.value.clone());
    line.key("source", kind).key("from", from)
}

/// The kind of a source, and where it is.
fn source(source: &ValueSource) -> (&'static str, Option<String>) {
    match source {
        ValueSource::Default => ("default", None),
        ValueSource::File { path, line } => ("file", Some(format!("{path}:{line}"))),
        ValueSource::Environment(name) => ("environment", Some((*name).to_owned())),
        ValueSource::Flag(name) => ("flag", Some((*name).to_owned())),
        ValueSource::Demo => ("demo", None),
        ValueSource::Stored(path) => ("stored", Some(path.clone())),
    }
}

fn place(source: &ValueSource) -> String {
    match source {
        ValueSource::Default => "default".to_owned(),
        ValueSource::File { path, line } => format!("{path}, line {line}"),
        ValueSource::Environment(name) => format!("environment variable {name}"),
        ValueSource::Flag(name) => (*name).to_owned(),
        ValueSource::Demo => "--demo".to_owned(),
        ValueSource::Stored(path) => path.clone(),
    }
}

fn value(value: &Value) -> TextCell {
    match value {
        Value::Null => TextCell::unknown("not set"),
        value => TextCell::known(words(value)),
    }
}

/// A value in words; texts without quotes.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => each(values.iter().map(words), ", "),
        other => other.to_string(),
    }
}
