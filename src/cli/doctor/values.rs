//! Each value of the configuration with where it comes from, and what it stands before.

use serde_json::Value;

use crate::{
    engine::origins::{Origin, Source, Stated},
    report::{Cell, Csv, Line, Paint, Results, markdown_table, table},
};

/// Each value.
pub(super) struct Values(pub(super) Vec<Origin>);

const HEADS: [&str; 4] = ["KEY", "VALUE", "FROM", "OVERRODE"];

impl Values {
    fn cells(&self) -> Vec<Vec<Cell>> {
        let row = |own: &Origin| {
            let overrode = own.overrode.iter();
            let overrode: Vec<String> = overrode
                .map(|stated| format!("{} ({})", words(&stated.value), place(&stated.source)))
                .collect();
            vec![
                Cell::known(&own.key),
                value(&own.holds.value),
                Cell::known(place(&own.holds.source)),
                Cell::known(overrode.join(", ")),
            ]
        };
        self.0.iter().map(row).collect()
    }
}

impl Results for Values {
    const CSV: Csv = Csv::of(&[&["key", "value", "source", "from", "overrode"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |own: &Origin| {
            let overrode: Vec<Line> = own
                .overrode
                .iter()
                .map(|stated| of(Line::new(), stated))
                .collect();
            let texts = own.overrode.iter();
            let texts: Vec<String> = texts
                .map(|stated| format!("{} ({})", words(&stated.value), place(&stated.source)))
                .collect();
            of(Line::new().key("key", &own.key), &own.holds)
                .objects("overrode", &overrode)
                .cell("overrode", texts.join("; "))
        };
        self.0.iter().map(line).collect()
    }

    fn text(&self, paint: Paint) -> String {
        table(&HEADS, &self.cells(), paint)
    }

    fn markdown(&self) -> String {
        markdown_table(&HEADS, &self.cells())
    }
}

fn of(line: Line, stated: &Stated) -> Line {
    let (kind, from) = match &stated.source {
        Source::Default => ("default", None),
        Source::File { path, line } => ("file", Some(format!("{path}:{line}"))),
        Source::Environment(name) => ("environment", Some((*name).to_owned())),
        Source::Flag(name) => ("flag", Some((*name).to_owned())),
        Source::Demo => ("demo", None),
        Source::Stored(path) => ("stored", Some(path.clone())),
    };
    line.key("value", &stated.value)
        .key("source", kind)
        .key("from", from)
}

/// A source in words.
fn place(source: &Source) -> String {
    match source {
        Source::Default => "default".to_owned(),
        Source::File { path, line } => format!("{path}, line {line}"),
        Source::Environment(name) => format!("environment variable {name}"),
        Source::Flag(name) => (*name).to_owned(),
        Source::Demo => "--demo".to_owned(),
        Source::Stored(path) => path.clone(),
    }
}

fn value(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::unknown("not set"),
        value => Cell::known(words(value)),
    }
}

/// A value in words; texts without quotes.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
