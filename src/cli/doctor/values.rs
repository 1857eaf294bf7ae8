//! Each value of the configuration with where it comes from, and what it overrides.

use serde_json::Value;

use crate::{
    engine::origins::{Stated, ValueOrigin, ValueSource},
    report::{Csv, Line, Paint, PrintedResults, TextCell, Ticket, markdown_row, table},
};

pub(super) struct DoctorValues(pub(super) Vec<ValueOrigin>);

const HEADS: [&str; 4] = ["KEY", "VALUE", "FROM", "OVERRODE"];

impl DoctorValues {
    fn cells(&self) -> Vec<Vec<TextCell>> {
        let row = |own: &ValueOrigin| {
            let overrode = own.overrode.iter();
            let overrode: Vec<String> = overrode
                .map(|stated| format!("{} ({})", words(&stated.value), place(&stated.source)))
                .collect();
            vec![
                TextCell::known(&own.key),
                value(&own.holds.value),
                TextCell::known(place(&own.holds.source)),
                TextCell::known(overrode.join(", ")),
            ]
        };
        self.0.iter().map(row).collect()
    }
}

impl PrintedResults for DoctorValues {
    const CSV: Csv = Csv::of(&[&["key", "value", "source", "from", "overrode"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |own: &ValueOrigin| {
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
        let changed = self
            .0
            .iter()
            .filter(|own| own.holds.source != ValueSource::Default);
        let changed = changed.count();
        let sentence = format!("{} values, {changed} of them set.", self.0.len());
        // A key is no host: as code it stays as it is typed.
        let rows = self.cells().into_iter().zip(&self.0).map(|(cells, own)| {
            let rest = markdown_row(&cells[1..]);
            format!("| `{}` {rest}", own.key)
        });
        let ticket = Ticket::about("Configuration").sentence(&sentence);
        ticket.table(&HEADS, &[]) + &rows.collect::<String>()
    }
}

fn of(line: Line, stated: &Stated) -> Line {
    let (kind, from) = match &stated.source {
        ValueSource::Default => ("default", None),
        ValueSource::File { path, line } => ("file", Some(format!("{path}:{line}"))),
        ValueSource::Environment(name) => ("environment", Some((*name).to_owned())),
        ValueSource::Flag(name) => ("flag", Some((*name).to_owned())),
        ValueSource::Demo => ("demo", None),
        ValueSource::Stored(path) => ("stored", Some(path.clone())),
    };
    line.key("value", &stated.value)
        .key("source", kind)
        .key("from", from)
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
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
