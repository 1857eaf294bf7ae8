//! The beginning of an export as rows, without reading more of it.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use crate::{
    contract::{ExportQuery, Output},
    engine::{Error, ErrorContext, Kind, Result},
};

/// Rows that a preview shows.
const ROWS: usize = 200;
/// The most that is read for them.
const BYTES: u64 = 4 << 20;

/// The beginning of an exported file, as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Whether the file goes on.
    pub more: bool,
}

/// Reads the beginning of what a query exported.
///
/// # Errors
/// [`Kind::Usage`] for MMDB, which has no rows.
pub fn of(exported: impl Read, query: &ExportQuery) -> Result<Sample> {
    let reader = BufReader::new(exported.take(BYTES));
    let sample = match query.output {
        Output::Csv => of_csv(reader, query).map_err(io::Error::from),
        Output::Json => of_json(reader),
        Output::Mmdb => {
            return Err(Error::new(Kind::Usage, "an MMDB file has no rows to show"));
        }
    };
    sample.when("read the export")
}

fn of_csv(reader: impl Read, query: &ExportQuery) -> csv::Result<Sample> {
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(reader)
        .into_byte_records();
    // What is not UTF-8 costs those letters, not the row and those behind it.
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
    let cells = |record: csv::ByteRecord| record.iter().map(text).collect::<Vec<_>>();
    let mut sample = Sample::default();
    if query.header {
        // A file without any row has no columns.
        sample.columns = rows.next().transpose()?.map(cells).unwrap_or_default();
    } else {
        sample.columns = query
            .columns()
            .into_iter()
            .map(|field| field.name().to_owned())
            .collect();
        if query.diff {
            sample.columns.push("diff".to_owned());
        }
    }
    for row in rows.by_ref().take(ROWS) {
        sample.rows.push(cells(row?));
    }
    sample.more = rows.next().is_some();
    Ok(sample)
}

fn of_json(mut reader: impl BufRead) -> io::Result<Sample> {
    let mut records: Vec<Value> = Vec::new();
    let mut text = Vec::new();
    // A file that is longer than what is read ends within a record, which is left out.
    let whole = (reader.read_to_end(&mut text)? as u64) < BYTES;
    let text = String::from_utf8_lossy(&text);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    rest = rest.strip_prefix('[').unwrap_or(rest);
    while records.len() <= ROWS {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(record)) = stream.next() else {
            break;
        };
        rest = rest[stream.byte_offset()..]
            .trim_start()
            .trim_start_matches(',');
        records.push(record);
    }
    let more = records.len() > ROWS || !whole;
    records.truncate(ROWS);
    let mut columns: Vec<String> = Vec::new();
    for key in records
        .iter()
        .filter_map(Value::as_object)
        .flat_map(serde_json::Map::keys)
    {
        if !columns.contains(key) {
            columns.push(key.clone());
        }
    }
    let cell = |record: &Value, column: &String| match record.get(column) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let rows = records
        .iter()
        .map(|record| columns.iter().map(|column| cell(record, column)).collect())
        .collect();
    Ok(Sample {
        columns,
        rows,
        more,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ExportField, Feed};

    struct FailingDisk;

    impl Read for FailingDisk {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }

    fn sample(text: &str, change: impl FnOnce(&mut ExportQuery)) -> Sample {
        let mut query = ExportQuery::all_of(Feed::Anonymous);
        change(&mut query);
        of(text.as_bytes(), &query).expect("sample")
    }

    #[test]
    fn rows_of_csv_have_their_columns_with_and_without_a_header() {
        let with = sample("ip,tag\n198.51.100.1,ACME_VPN\n", |query| {
            query.header = true
        });
        let fields = vec![ExportField::Tag, ExportField::Ip];
        let without = sample("198.51.100.1,ACME_VPN\n", |query| query.fields = fields);
        assert_eq!(with, without);
        assert_eq!(with.columns, ["ip", "tag"]);
        assert_eq!(with.rows, [["198.51.100.1", "ACME_VPN"]]);
        assert!(!with.more);
    }

    #[test]
    fn rows_of_json_come_from_an_array_or_from_lines() {
        let array = sample(
            r#"[{"ip":"198.51.100.1","tag":null},{"ip":"198.51.100.2","clientCount":3}]"#,
            |query| query.output = Output::Json,
        );
        let lines = sample(
            "{\"ip\":\"198.51.100.1\",\"tag\":null}\n{\"ip\":\"198.51.100.2\",\"clientCount\":3}\n",
            |query| {
                query.output = Output::Json;
            },
        );
        assert_eq!(array, lines);
        let marked = sample("\u{feff}[{\"ip\":\"198.51.100.1\"}]", |query| {
            query.output = Output::Json;
        });
        assert_eq!(marked.rows, [["198.51.100.1"]]);
        assert_eq!(array.columns, ["ip", "tag", "clientCount"]);
        assert_eq!(array.rows[1], ["198.51.100.2", "", "3"]);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_and_odd_letters_cost_no_row() {
        let query = ExportQuery::all_of(Feed::Anonymous);
        let odd = of(&b"198.51.100.1,\xff\n198.51.100.2,a\n"[..], &query).expect("rows");
        assert_eq!(
            odd.rows,
            [["198.51.100.1", "\u{fffd}"], ["198.51.100.2", "a"]]
        );
        for output in [Output::Csv, Output::Json] {
            let query = ExportQuery {
                output,
                ..query.clone()
            };
            let error = of((&b"1,2\n"[..]).chain(FailingDisk), &query).expect_err("broken");
            assert_eq!(error.kind, Kind::Machine);
        }
    }

    #[test]
    fn a_long_file_is_shown_in_part() {
        let text = "198.51.100.1,7\n".repeat(ROWS + 1);
        let sample = sample(&text, |query| {
            query.fields = vec![ExportField::Ip, ExportField::ClientCount]
        });
        assert_eq!((sample.rows.len(), sample.more), (ROWS, true));
    }
}
