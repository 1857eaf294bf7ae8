//! The columns of a run that chooses them: with `--fields`, as the bare addresses, networks and tags of `--format ids`, or guarded
//! for a spreadsheet.
//!
//! A command prints CSV for all of these, and what it prints is read back here: whole rows, the header first. A column that does not
//! exist must be an error before the command begins, never an empty column.

use ::csv::{ReaderBuilder, StringRecord};

use super::args::{columns::ColumnArgs, global::OutputFormat, value::usage};
use crate::{
    engine::{Error, Kind, Result},
    model::nearest,
    report::{Csv, Paint, RunningTable, TextCell, csv_row, markdown_row, markdown_table},
};

/// The columns that name what a row is about; the first one of these that has a value.
const IDS: [&str; 6] = ["query", "subject", "ip", "network", "tag", "value"];
/// How wide a column of addresses is at least: the longest IPv4 address, and two blanks.
const ADDRESS: u16 = 17;

/// How columns are chosen, and what was printed so far.
#[derive(Debug)]
pub(super) struct Columns {
    args: ColumnArgs,
    form: OutputFormat,
    paint: Paint,
    /// The names of the columns that are printed.
    names: Vec<&'static str>,
    /// Their positions in a row.
    positions: Vec<usize>,
    /// The position of the column that names a failure.
    error: Option<usize>,
    table: RunningTable,
    /// Whether the header row was read.
    begun: bool,
    /// What was printed last, of bare names.
    last: String,
}

impl Columns {
    /// The choice of a run among the columns of a table; none where what a command prints goes out as it is.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a choice that the form of results or the table does not have.
    pub(super) fn of(
        args: &ColumnArgs,
        table: Option<Csv>,
        form: OutputFormat,
        paint: Paint,
    ) -> Result<Option<Self>> {
        if args.spreadsheet_safe && form != OutputFormat::Csv {
            return Err(usage("--spreadsheet-safe guards cells of CSV").hint("add --format csv"));
        }
        if !args.fields.is_empty() && matches!(form, OutputFormat::Json | OutputFormat::Ids) {
            let error = usage("--fields chooses columns of tables and CSV");
            let jq = if form == OutputFormat::Json {
                "; `jq` chooses keys of JSON"
            } else {
                ""
            };
            return Err(error.hint(format!("use --format text, csv or md{jq}")));
        }
        if form != OutputFormat::Ids && *args == ColumnArgs::default() {
            return Ok(None);
        }
        let header: Vec<&str> = table.iter().flat_map(|table| table.columns()).collect();
        let position = |name: &str| header.iter().position(|own| *own == name);
        let positions: Vec<usize> = match (form, args.fields.as_slice()) {
            (OutputFormat::Ids, _) => IDS.iter().filter_map(|name| position(name)).collect(),
            _ if header.is_empty() => {
                let error = usage("this command prints no table, so it has no columns");
                return Err(error.hint("leave --fields and --spreadsheet-safe out"));
            }
            (_, []) => (0..header.len()).collect(),
            (_, fields) => {
                let column = |field: &String| {
                    let name = field.trim();
                    position(name).ok_or_else(|| unknown(name, &header))
                };
                fields.iter().map(column).collect::<Result<_>>()?
            }
        };
        if positions.is_empty() {
            let error = usage("these results name no addresses, networks or tags");
            return Err(error.hint("use --format text, json, csv or md"));
        }
        let names: Vec<&str> = positions.iter().map(|at| header[*at]).collect();
        let width = |name: &&str| if IDS.contains(name) { ADDRESS } else { 0 };
        let headings: Vec<String> = names.iter().map(|name| heading(name)).collect();
        Ok(Some(Self {
            args: args.clone(),
            form,
            paint,
            table: RunningTable::of(&headings).at_least(names.iter().map(width).collect()),
            error: position("error"),
            names,
            positions,
            begun: false,
            last: String::new(),
        }))
    }

    /// Rows of CSV, as they are to be printed.
    ///
    /// # Errors
    /// [`Kind::Machine`] for what is not CSV.
    pub(super) fn of_rows(&mut self, csv: &str) -> Result<String> {
        let mut text = String::new();
        let mut rows = Vec::new();
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(csv.as_bytes());
        for row in reader.into_records() {
            let row = row.map_err(|error| Error::new(Kind::Machine, error.to_string()))?;
            if !self.begun {
                self.begun = true;
                debug_assert_eq!(
                    self.cells(&row),
                    self.names,
                    "the table that was chosen from"
                );
                text += &self.head();
            } else if self.form == OutputFormat::Ids {
                text += &self.id(&row);
            } else {
                rows.push(self.cells(&row));
            }
        }
        Ok(text + &self.rows(&rows))
    }

    /// What precedes the first row.
    fn head(&self) -> String {
        match self.form {
            OutputFormat::Csv => csv_row(&self.names),
            OutputFormat::Md => {
                let headings: Vec<String> = self.names.iter().map(|name| heading(name)).collect();
                let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
                markdown_table(&headings, &[])
            }
            OutputFormat::Text | OutputFormat::Json | OutputFormat::Ids => String::new(),
        }
    }

    fn cells(&self, row: &StringRecord) -> Vec<String> {
        let cell = |at: &usize| row.get(*at).unwrap_or_default().to_owned();
        self.positions.iter().map(cell).collect()
    }

    /// The line of what a row is about; empty for a failure, and where the line before it is the same.
    fn id(&mut self, row: &StringRecord) -> String {
        let failed = self.error.and_then(|at| row.get(at));
        let mut ids = self.positions.iter().filter_map(|at| row.get(*at));
        let id = ids.find(|id| !id.is_empty());
        match id {
            Some(id) if failed.is_none_or(str::is_empty) && id != self.last => {
                id.clone_into(&mut self.last);
                format!("{id}\n")
            }
            _ => String::new(),
        }
    }

    fn rows(&mut self, rows: &[Vec<String>]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        match self.form {
            OutputFormat::Csv if self.args.spreadsheet_safe => {
                let guarded = rows.iter().map(|row| {
                    let cells: Vec<String> = row.iter().map(|cell| guarded(cell)).collect();
                    csv_row(&cells)
                });
                guarded.collect()
            }
            OutputFormat::Csv => rows.iter().map(|row| csv_row(row)).collect(),
            OutputFormat::Md => {
                let row = |row: &Vec<String>| {
                    let cells: Vec<TextCell> = row.iter().map(TextCell::known).collect();
                    markdown_row(&cells)
                };
                rows.iter().map(row).collect()
            }
            OutputFormat::Text | OutputFormat::Json | OutputFormat::Ids => {
                let row = |row: &Vec<String>| {
                    let cell = |cell: &String| {
                        TextCell::or_dash(Some(cell).filter(|text| !text.trim().is_empty()))
                    };
                    row.iter().map(cell).collect()
                };
                let rows: Vec<Vec<TextCell>> = rows.iter().map(row).collect();
                self.table.rows(&rows, self.paint)
            }
        }
    }
}

/// A column as the heading of a table.
fn heading(name: &str) -> String {
    name.replace('_', " ").to_uppercase()
}

/// A cell that no spreadsheet takes for a formula.
fn guarded(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

fn unknown(name: &str, header: &[&str]) -> Error {
    let hint = match nearest(name, header.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("the columns are {}", header.join(", ")),
    };
    usage(format!("there is no column {name:?}")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Csv = Csv::of(&[&["query", "ip", "client_count", "error"]]);
    const ROWS: &str = "query,ip,client_count,error\r\n\
        198.51.100.7,198.51.100.7,14,\r\n\
        198.51.100.7,,3,\r\n\
        nonsense,,,usage\r\n\
        2001:db8::7,=x,\"1,5\",\r\n";

    fn printed(fields: &[&str], form: OutputFormat, spreadsheet_safe: bool) -> Result<String> {
        let args = ColumnArgs {
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
            spreadsheet_safe,
        };
        let columns = Columns::of(&args, Some(TABLE), form, Paint::PLAIN)?;
        let mut columns = columns.expect("a choice");
        // However it is cut into pieces.
        let pieces = ROWS.split_inclusive('\n');
        pieces.map(|piece| columns.of_rows(piece)).collect()
    }

    #[test]
    fn columns_come_in_the_order_in_which_they_are_named() {
        assert_eq!(
            printed(&["client_count", " query"], OutputFormat::Csv, false),
            Ok("client_count,query\r\n14,198.51.100.7\r\n3,198.51.100.7\r\n,nonsense\r\n\"1,5\",2001:db8::7\r\n".to_owned())
        );
        assert_eq!(
            printed(&["query", "client_count"], OutputFormat::Text, false),
            Ok("QUERY            CLIENT COUNT\n\
                198.51.100.7     14\n\
                198.51.100.7     3\n\
                nonsense         -\n\
                2001:db8::7      1,5\n"
                .to_owned())
        );
        assert_eq!(
            printed(&["query"], OutputFormat::Md, false),
            Ok("| QUERY |\n| --- |\n| 198[.]51[.]100[.]7 |\n| 198[.]51[.]100[.]7 |\n| nonsense |\n| 2001[:]db8[:][:]7 |\n".to_owned())
        );
    }

    #[test]
    fn names_are_bare_and_failures_have_none() {
        assert_eq!(
            printed(&[], OutputFormat::Ids, false),
            Ok("198.51.100.7\n2001:db8::7\n".to_owned())
        );
        let of = |table| {
            let none = ColumnArgs::default();
            Columns::of(&none, table, OutputFormat::Ids, Paint::PLAIN)
        };
        let subjects = of(Some(Csv::of(&[&["ip", "network"]]))).expect("form");
        let rows = "ip,network\r\n,2001:db8::/32\r\n198.51.100.7,\r\n";
        assert_eq!(
            subjects.expect("a choice").of_rows(rows),
            Ok("2001:db8::/32\n198.51.100.7\n".to_owned())
        );
        for table in [Some(Csv::of(&[&["count"]])), None] {
            let error = of(table).expect_err("no names");
            assert!(error.to_string().contains("no addresses, networks or tags"));
        }
    }

    #[test]
    fn a_cell_is_guarded_where_a_spreadsheet_would_calculate() {
        let rows = printed(&["ip"], OutputFormat::Csv, true).expect("rows");
        assert_eq!(rows, "ip\r\n198.51.100.7\r\n\"\"\r\n\"\"\r\n'=x\r\n");
    }

    #[test]
    fn what_cannot_be_chosen_is_said_with_the_columns_there_are() {
        for (fields, form, guarded, says) in [
            (
                &["client_cuont"][..],
                OutputFormat::Text,
                false,
                "did you mean client_count?",
            ),
            (
                &["nothing"],
                OutputFormat::Csv,
                false,
                "the columns are query, ip",
            ),
            (&["ip"], OutputFormat::Json, false, "tables and CSV"),
            (&["ip"], OutputFormat::Ids, false, "tables and CSV"),
            (&[], OutputFormat::Text, true, "--format csv"),
        ] {
            let error = printed(fields, form, guarded).expect_err(says);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(says), "{error}");
        }
        let of = |args: &ColumnArgs, form| Columns::of(args, None, form, Paint::PLAIN);
        let nothing = of(&ColumnArgs::default(), OutputFormat::Json);
        assert!(matches!(nothing, Ok(None)));
        let guarded = ColumnArgs {
            spreadsheet_safe: true,
            ..ColumnArgs::default()
        };
        let error = of(&guarded, OutputFormat::Csv).expect_err("no table");
        assert!(error.to_string().contains("no table"), "{error}");
    }
}
