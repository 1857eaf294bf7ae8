//! The files that exports come in: CSV, one array of JSON, a database.

use serde_json::{Map, Value};

use super::row::DemoRow;
use crate::{
    contract::{ExportField, ExportQuery, Output},
    demo::{mmdb, release, world::json_line},
    model::Day,
};

/// An export could not be written.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) struct DemoExport {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

pub(super) fn written(
    query: &ExportQuery,
    day: Day,
    columns: &[ExportField],
    rows: Vec<DemoRow>,
) -> Result<DemoExport, Failed> {
    let (content_type, bytes) = match query.output {
        Output::Csv => ("text/csv; charset=utf-8", csv(query, columns, rows)?),
        Output::Json => {
            let objects: Vec<Value> = rows
                .into_iter()
                .map(|row| object(columns, row).into())
                .collect();
            ("application/json", json_line(&objects).into_bytes())
        }
        Output::Mmdb => (
            "application/octet-stream",
            database(query, day, columns, rows)?,
        ),
    };
    Ok(DemoExport {
        content_type,
        bytes,
    })
}

fn csv(
    query: &ExportQuery,
    columns: &[ExportField],
    rows: Vec<DemoRow>,
) -> Result<Vec<u8>, Failed> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if query.header {
        let names = columns.iter().map(|field| field.name());
        writer
            .write_record(names.chain(query.diff.then_some("diff")))
            .map_err(|_| Failed)?;
    }
    for row in rows {
        let cells = row.cells.into_iter().map(cell);
        writer
            .write_record(cells.chain(row.diff.map(|diff| diff.word().to_owned())))
            .map_err(|_| Failed)?;
    }
    writer.into_inner().map_err(|_| Failed)
}

/// A cell: null is empty, text is itself, an array is JSON.
fn cell(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn object(columns: &[ExportField], row: DemoRow) -> Map<String, Value> {
    let fields = columns
        .iter()
        .map(|field| field.name().to_owned())
        .zip(row.cells);
    fields
        .chain(row.diff.map(|diff| ("diff".to_owned(), diff.word().into())))
        .collect()
}

/// A database needs no column for what it is indexed by.
fn database(
    query: &ExportQuery,
    day: Day,
    columns: &[ExportField],
    rows: Vec<DemoRow>,
) -> Result<Vec<u8>, Failed> {
    let entries = rows.into_iter().map(|row| {
        let network = row.network;
        let mut fields = object(columns, row);
        fields.retain(|name, _| !matches!(name.as_str(), "ip" | "network"));
        (network, fields.into())
    });
    let asked = query.parameters().into_iter();
    let asked = asked.map(|(param, value)| format!(" {}={value}", param.name()));
    let description = mmdb::Description {
        kind: format!("demo-export-{}", query.feed),
        text: format!(
            "Invented data: {} of {}, asked for with{}",
            query.feed,
            day.dashed(),
            asked.collect::<String>()
        ),
        built: release::generated_at(query.feed, day),
    };
    mmdb::written(&description, entries.collect()).map_err(|_| Failed)
}
