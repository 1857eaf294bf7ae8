//! The options of every command.

pub use crate::report::ResultFormat;

use std::{env, path::PathBuf};

use clap::{Args as Group, ValueEnum};

use super::value::usage;
use crate::{
    engine::{Error, Overrides, Result},
    model::nearest,
    report::{ChosenColumns, EXTRA_COLUMNS, IDS, TextStyle},
};

/// What every command understands
#[derive(Clone, Debug, Default, Group)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Run on the embedded service with its invented data
    #[arg(long, global = true)]
    pub demo: bool,
    /// Never touch the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Use this profile of the configuration
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// What is remembered belongs to this investigation; `ipspect case` lists, shows and forgets them
    #[arg(long, global = true, value_name = "NAME")]
    pub case: Option<String>,
    /// Read this configuration file; `doctor --config` without a FILE shows each value and where it comes from
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<Option<PathBuf>>,
    /// Keep downloaded feeds here
    #[arg(long, global = true, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// The form of results
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM")]
    pub format: OutputFormat,
    /// Colours on standard output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: When,
    /// Retries after a failed attempt; 0 for none
    #[arg(long, global = true, value_name = "N")]
    pub retries: Option<u32>,
    /// No notes and no progress, and nothing on success where a file or the exit code is the result
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print each request on standard error: URL, status, bytes, milliseconds; -vv also its headers
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// The form of results
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// One object a line
    Json,
    /// RFC 4180, with a header row
    Csv,
    /// Markdown for a ticket, defanged
    Md,
    /// Bare addresses, networks or tags, one a line
    Ids,
}

impl OutputFormat {
    /// What commands print for it.
    #[must_use]
    pub fn printed(self) -> ResultFormat {
        match self {
            Self::Text => ResultFormat::Text,
            Self::Json => ResultFormat::Json,
            Self::Csv | Self::Ids => ResultFormat::Csv,
            Self::Md => ResultFormat::Md,
        }
    }
}

/// When to use colours
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On terminals, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    /// Whether a stream gets colours: decided by option, environment and stream.
    pub fn style(self, is_terminal: bool) -> TextStyle {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        TextStyle::colours(match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if set("NO_COLOR").is_some() => false,
            Self::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Self::Auto => is_terminal && set("TERM").is_none_or(|term| term != "dumb"),
        })
    }
}

impl Global {
    /// What these options change of configuration and environment.
    #[must_use]
    pub fn overrides(&self) -> Overrides {
        Overrides {
            config: self.config.clone().flatten(),
            profile: self.profile.clone(),
            cache_dir: self.cache_dir.clone(),
            retries: self.retries,
            offline: self.offline,
            case: self.case.clone(),
        }
    }
}

/// Which columns are printed
#[derive(Clone, Debug, Default, PartialEq, Eq, Group)]
pub struct ColumnArgs {
    /// Print only these columns of the table or the CSV, by their names in CSV, separated by commas
    #[arg(
        long,
        global = true,
        value_name = "COLUMNS",
        value_delimiter = ',',
        help_heading = "Columns"
    )]
    pub fields: Vec<String>,
    /// Guard CSV cells that a spreadsheet would take for formulas
    #[arg(long, global = true, help_heading = "Columns")]
    pub spreadsheet_safe: bool,
}

// Choosing columns: one that does not exist is an error before the command begins, never an empty column.

/// The choice of a run among the columns of a table, none where it has no table; nothing where rows go out as they are.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) for a choice that the form of results or the table does not have.
pub(in crate::cli) fn chosen(
    args: &ColumnArgs,
    table: Option<&[&'static str]>,
    form: OutputFormat,
) -> Result<Option<ChosenColumns>> {
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
    let is_ids = form == OutputFormat::Ids;
    if !is_ids && *args == ColumnArgs::default() {
        return Ok(None);
    }
    let header = table.unwrap_or_default();
    let position = |name: &str| header.iter().position(|text| *text == name);
    let positions: Vec<usize> = match args.fields.as_slice() {
        _ if is_ids => IDS.iter().filter_map(|name| position(name)).collect(),
        _ if header.is_empty() => {
            let error = usage("this command prints no table, so it has no columns");
            return Err(error.hint("leave --fields and --spreadsheet-safe out"));
        }
        [] => (0..header.len())
            .filter(|at| !EXTRA_COLUMNS.contains(&header[*at]))
            .collect(),
        fields => {
            let column = |field: &String| {
                let name = field.trim();
                position(name).ok_or_else(|| unknown(name, header))
            };
            fields.iter().map(column).collect::<Result<_>>()?
        }
    };
    if positions.is_empty() {
        let error = usage("these results name no addresses, networks or tags");
        return Err(error.hint("use --format text, json, csv or md"));
    }
    Ok(Some(ChosenColumns {
        names: positions.iter().map(|at| header[*at]).collect(),
        error: position("error"),
        positions,
        is_ids,
        is_guarded: args.spreadsheet_safe,
    }))
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

    use crate::{
        engine::Kind,
        report::{Columns, ResultFormat, RowWriter, TextStyle},
    };

    type Row = [&'static str; 4];

    const TABLE: &[&str] = &["query", "ip", "client_count", "error"];
    const ROWS: [Row; 4] = [
        ["198.51.100.7", "198.51.100.7", "14", ""],
        ["198.51.100.7", "", "3", ""],
        ["nonsense", "", "", "usage"],
        ["2001:db8::7", "=x", "1,5", ""],
    ];

    fn columns(names: &[&'static str]) -> Columns<Row> {
        let names = names.iter().enumerate();
        names.fold(Columns::default(), |columns, (at, name)| {
            columns.csv(name, move |row: &Row| row[at])
        })
    }

    /// Rows that are printed one by one.
    fn written(
        chosen: ChosenColumns,
        format: ResultFormat,
        table: &[&'static str],
        rows: &[Row],
    ) -> String {
        let (mut writer, columns) = (RowWriter::of(format, TextStyle::PLAIN), columns(table));
        writer.format.chosen = Some(chosen);
        let head = writer.begin(&columns, || None);
        let rows = rows.iter().map(|row| writer.rows(&columns, [row]));
        head + &rows.collect::<String>()
    }

    fn printed(fields: &[&str], form: OutputFormat, spreadsheet_safe: bool) -> Result<String> {
        let args = ColumnArgs {
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
            spreadsheet_safe,
        };
        let chosen = chosen(&args, Some(TABLE), form)?.expect("a choice");
        Ok(written(chosen, form.printed(), TABLE, &ROWS))
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
        let of = |table| chosen(&ColumnArgs::default(), table, OutputFormat::Ids);
        let table = &["ip", "network"][..];
        let subjects = of(Some(table)).expect("form").expect("a choice");
        let rows = [["", "2001:db8::/32", "", ""], ["198.51.100.7", "", "", ""]];
        assert_eq!(
            written(subjects, ResultFormat::Csv, table, &rows),
            "2001:db8::/32\n198.51.100.7\n"
        );
        for table in [Some(&["count"][..]), None] {
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
        let of = |args: &ColumnArgs, form| chosen(args, None, form);
        let nothing = of(&ColumnArgs::default(), OutputFormat::Json);
        assert!(matches!(nothing, Ok(None)));
        let guarded = ColumnArgs {
            spreadsheet_safe: true,
            ..ColumnArgs::default()
        };
        let error = of(&guarded, OutputFormat::Csv).expect_err("no table");
        assert!(error.to_string().contains("no table"), "{error}");
    }

    #[test]
    fn colours_are_there_when_they_are_wanted() {
        assert_eq!(When::Always.style(false).alarm("x"), "\x1b[1;31mx\x1b[0m");
        assert_eq!(When::Never.style(true).alarm("x"), "x");
        assert!(!When::Auto.style(false).is_on() || env::var_os("CLICOLOR_FORCE").is_some());
    }
}
