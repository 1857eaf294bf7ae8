//! A list in a file: its form, which the name of the file says, and its rows as the command line writes them.

use std::{collections::HashSet, path::Path};

use super::{Columns, csv_row, defanged, markdown_row, markdown_table, rows::guarded};
use crate::model::visible;

/// The form of a list in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListForm {
    Csv,
    JsonLines,
    Markdown,
    /// The names of the rows alone, each once: addresses, where rows are about addresses.
    Names,
}

/// The endings of file names, with the form that each stands for.
const ENDINGS: [(&str, ListForm); 5] = [
    ("csv", ListForm::Csv),
    ("jsonl", ListForm::JsonLines),
    ("ndjson", ListForm::JsonLines),
    ("md", ListForm::Markdown),
    ("txt", ListForm::Names),
];

impl ListForm {
    /// The form that the name of a file says.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let mut all = ENDINGS.iter();
        let named = all.find(|(text, _)| text.eq_ignore_ascii_case(ending))?;
        Some(named.1)
    }

    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::JsonLines => "JSON lines",
            Self::Markdown => "a Markdown table",
            Self::Names => "addresses or names alone, a line each",
        }
    }
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListStyle {
    pub form: ListForm,
    /// Whether no spreadsheet takes a cell of CSV for a formula.
    pub is_guarded: bool,
    /// Whether addresses and hosts cannot be clicked in CSV and in names: in Markdown they never can, and JSON, which is for
    /// programs, has them as they are.
    pub is_defanged: bool,
}

/// A list that is being written.
#[derive(Debug)]
pub struct ListText {
    style: ListStyle,
    /// What is written so far.
    pub text: String,
    /// The rows so far.
    pub rows: u64,
    /// The names so far, where there is nothing else.
    names: HashSet<String>,
}

impl ListText {
    /// A list of these columns.
    #[must_use]
    pub fn begin<R>(style: ListStyle, columns: &Columns<R>) -> Self {
        let text = match style.form {
            ListForm::Csv => csv_row(&columns.usual_names()),
            ListForm::Markdown => markdown_table(&columns.heads(), &[]),
            ListForm::JsonLines | ListForm::Names => String::new(),
        };
        Self {
            style,
            text,
            rows: 0,
            names: HashSet::new(),
        }
    }

    /// Adds a row, and what it is about.
    pub fn push<R>(&mut self, columns: &Columns<R>, row: &R, name: &str) {
        let safe = |cell: String| {
            if self.style.is_defanged {
                defanged(&cell)
            } else {
                cell
            }
        };
        match self.style.form {
            ListForm::Csv => {
                let cells = columns.usual_texts(row).into_iter().map(safe);
                let cells = cells.map(|cell| {
                    if self.style.is_guarded {
                        guarded(&cell)
                    } else {
                        cell
                    }
                });
                self.text += &csv_row(&cells.collect::<Vec<_>>());
            }
            ListForm::JsonLines => columns.push_line(row, &mut self.text),
            ListForm::Markdown => self.text += &markdown_row(&columns.cells(row)),
            ListForm::Names => {
                // A record that cannot be read has no name; the other forms have a row for it.
                if name.is_empty() || !self.names.insert(name.to_owned()) {
                    return;
                }
                self.text += &visible(&safe(name.to_owned()));
                self.text.push('\n');
            }
        }
        self.rows += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of a list: its name, a number and a text.
    type Row = (&'static str, u64, &'static str);

    fn written(style: ListStyle, rows: &[Row]) -> String {
        let columns = Columns::<Row>::default()
            .column("address", "address", |row| row.0)
            .column("lines", "lines", |row| row.1)
            .column("beside", "beside", |row| row.2);
        let mut list = ListText::begin(style, &columns);
        for row in rows {
            list.push(&columns, row, row.0);
        }
        list.text
    }

    #[test]
    fn the_name_of_a_file_says_its_form() {
        for (name, form) in [
            ("a.csv", Some(ListForm::Csv)),
            ("A.CSV", Some(ListForm::Csv)),
            ("a.b.jsonl", Some(ListForm::JsonLines)),
            ("a.ndjson", Some(ListForm::JsonLines)),
            ("a.md", Some(ListForm::Markdown)),
            ("a.txt", Some(ListForm::Names)),
            ("a.xlsx", None),
            ("csv", None),
            ("a.", None),
        ] {
            assert_eq!(ListForm::of(name.as_ref()), form, "{name}");
        }
    }

    #[test]
    fn a_list_is_written_in_each_form() {
        let rows = [
            ("198.51.100.7", 1_234, "=1+1"),
            ("2001:db8::7", 2, "user \"x\", at acme.example"),
            ("198.51.100.7", 1, "a|b\u{202e}"),
        ];
        let of = |form, is_safe| {
            let style = ListStyle {
                form,
                is_guarded: is_safe,
                is_defanged: is_safe,
            };
            written(style, &rows)
        };
        assert_eq!(
            of(ListForm::Csv, false),
            "address,lines,beside\r\n198.51.100.7,1234,=1+1\r\n2001:db8::7,2,\"user \"\"x\"\", at acme.example\"\r\n\
             198.51.100.7,1,a|b\\u{202e}\r\n"
        );
        assert_eq!(
            of(ListForm::Csv, true),
            "address,lines,beside\r\n198[.]51[.]100[.]7,1234,'=1+1\r\n2001[:]db8[:][:]7,2,\"user \"\"x\"\", at acme[.]example\"\r\n\
             198[.]51[.]100[.]7,1,a|b\\u{202e}\r\n"
        );
        for is_safe in [false, true] {
            assert_eq!(
                of(ListForm::JsonLines, is_safe).lines().next(),
                Some(r#"{"address":"198.51.100.7","lines":1234,"beside":"=1+1"}"#)
            );
        }
        assert_eq!(of(ListForm::Names, false), "198.51.100.7\n2001:db8::7\n");
        assert_eq!(
            of(ListForm::Names, true),
            "198[.]51[.]100[.]7\n2001[:]db8[:][:]7\n"
        );
        let table = of(ListForm::Markdown, true);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 5, "{table}");
        assert!(
            lines[0].contains("ADDRESS") && lines[1].contains("---"),
            "{table}"
        );
        assert!(
            lines[2].contains("198[.]51[.]100[.]7") && lines[2].contains("1,234"),
            "{table}"
        );
        assert!(lines[4].contains("a\\|b"), "{table}");
    }
}
