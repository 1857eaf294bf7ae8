//! The four formats of rows: JSON, CSV, Markdown and text, and the columns that a run chooses among those of CSV.
//!
//! A row is put into its format alone, on any thread ([`RowFormat`]); the rows of a table are laid out one after the other
//! ([`RowWriter`]).

use ::csv::{Terminator, WriterBuilder};

use super::{
    Cell, Columns, Line, ResultFormat, RunningTable, TextCell, TextStyle, Ticket, markdown_row,
    markdown_table,
};
use crate::{engine::Error, model::visible};

/// The columns of CSV that name what a row is about; the first one of these that has a value.
pub const IDS: [&str; 6] = ["query", "subject", "ip", "network", "tag", "value"];
/// How wide a chosen column of addresses is at least: the longest IPv4 address.
const ADDRESS: usize = 15;

/// A row of CSV as RFC 4180 has it: CRLF, quotes where they are needed. Text from outside is made visible.
#[must_use]
pub fn csv_row<S: AsRef<str>>(cells: &[S]) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    let cells = cells.iter();
    // Writing to memory does not fail.
    let _ = writer.write_record(cells.map(|cell| visible(cell.as_ref()).into_owned()));
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// How a ticket shows rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowsInTicket {
    /// A table, and none without rows.
    Table,
    /// A table, and its headings without rows.
    TableOrHeads,
    /// A line for each column that people read.
    Facts,
}

/// What a command found: rows of one kind, and what people read with them.
#[must_use]
pub struct Results<'a, R> {
    columns: Columns<R>,
    rows: Vec<&'a R>,
    /// What precedes the rows in a ticket.
    ticket: Ticket,
    in_ticket: RowsInTicket,
    json: Option<String>,
    text: Option<String>,
    markdown: Option<String>,
}

impl<'a, R> Results<'a, R> {
    /// A table for people, an object a row in JSON.
    pub fn table(
        columns: Columns<R>,
        rows: impl IntoIterator<Item = &'a R>,
        ticket: Ticket,
    ) -> Self {
        Self {
            columns,
            rows: rows.into_iter().collect(),
            ticket,
            in_ticket: RowsInTicket::Table,
            json: None,
            text: None,
            markdown: None,
        }
    }

    /// The same whose ticket has a line for each column that people read.
    pub fn as_facts(self) -> Self {
        let in_ticket = RowsInTicket::Facts;
        Self { in_ticket, ..self }
    }

    /// The same whose ticket has the headings of the table without rows, too.
    pub fn with_heads(self) -> Self {
        let in_ticket = RowsInTicket::TableOrHeads;
        Self { in_ticket, ..self }
    }

    /// The same with this document in place of the objects of the rows.
    pub fn json(self, line: &Line) -> Self {
        let json = Some(line.end() + "\n");
        Self { json, ..self }
    }

    /// The same with these lines in place of the table.
    pub fn text(self, text: String) -> Self {
        let text = Some(text);
        Self { text, ..self }
    }

    /// The same with these lines as its ticket.
    pub fn markdown(self, markdown: String) -> Self {
        let markdown = Some(markdown);
        Self { markdown, ..self }
    }

    fn objects(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            self.columns.push_line(row, &mut text);
        }
        text
    }

    fn whole_ticket(self) -> String {
        let (rows, columns) = (self.rows, self.columns);
        match self.in_ticket {
            RowsInTicket::Facts => {
                let facts = rows.iter().flat_map(|row| columns.facts(row));
                self.ticket.list(&facts.collect::<Vec<_>>()).end()
            }
            RowsInTicket::Table if rows.is_empty() => self.ticket.end(),
            RowsInTicket::Table | RowsInTicket::TableOrHeads => {
                self.ticket.table(&columns.markdown(rows))
            }
        }
    }
}

/// The columns that a run chooses among those of CSV.
#[derive(Clone, Debug)]
pub struct ChosenColumns {
    /// The names of the columns that are printed.
    pub names: Vec<&'static str>,
    /// Their positions in a row.
    pub positions: Vec<usize>,
    /// The position of the column that names a failure.
    pub error: Option<usize>,
    /// Whether bare names are printed: the first of these columns that has a value.
    pub is_ids: bool,
    /// Whether cells are guarded against spreadsheets.
    pub is_guarded: bool,
}

impl ChosenColumns {
    fn of<'a>(&self, texts: &'a [String]) -> Vec<&'a str> {
        let cells = self.positions.iter();
        cells.map(|at| texts[*at].as_str()).collect()
    }

    /// The columns as headings of a table.
    fn heads(&self) -> Vec<String> {
        let heads = self.names.iter();
        heads
            .map(|name| name.replace('_', " ").to_uppercase())
            .collect()
    }

    fn running_table(&self) -> RunningTable {
        let width = |name: &&str| if IDS.contains(name) { ADDRESS } else { 0 };
        RunningTable::of(&self.heads()).at_least(self.names.iter().map(width))
    }

    /// What a row is about; nothing for a failure.
    fn id(&self, texts: &[String]) -> Option<TextCell> {
        if self.error.is_some_and(|at| !texts[at].is_empty()) {
            return None;
        }
        let mut ids = self.of(texts).into_iter();
        ids.find(|id| !id.is_empty()).map(TextCell::known)
    }
}

/// A cell that no spreadsheet takes for a formula.
pub(super) fn guarded(cell: &str) -> String {
    let cell = visible(cell);
    if cell.starts_with(['=', '+', '-', '@']) {
        format!("'{cell}")
    } else {
        cell.into_owned()
    }
}

/// The form in which rows go out.
#[derive(Clone, Debug)]
pub struct RowFormat {
    pub format: ResultFormat,
    pub style: TextStyle,
    pub chosen: Option<ChosenColumns>,
}

/// Rows in their format, as far as a row alone decides it: text, or cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowPage {
    text: String,
    cells: Vec<Vec<TextCell>>,
}

impl RowPage {
    /// Whole lines.
    #[cfg(test)]
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            cells: Vec::new(),
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.cells.is_empty()
    }

    /// Adds a member to the first row, where that is an object of JSON.
    pub fn add_to_first(&mut self, key: &str, json: &str) {
        if let Some(end) = self.text.find("}\n") {
            self.text.insert_str(end, &format!(",\"{key}\":{json}"));
        }
    }

    /// Adds the rows of another page behind these.
    pub fn append(&mut self, mut other: Self) {
        self.text += &other.text;
        self.cells.append(&mut other.cells);
    }
}

impl RowFormat {
    /// Adds a row to a page.
    pub fn push<R>(&self, columns: &Columns<R>, row: &R, page: &mut RowPage) {
        match (self.format, &self.chosen) {
            (_, Some(chosen)) => self.push_chosen(chosen, &columns.texts(row), page),
            (ResultFormat::Json, None) => columns.push_line(row, &mut page.text),
            (ResultFormat::Csv, None) => page.text += &csv_row(&columns.usual_texts(row)),
            (ResultFormat::Md, None) => page.text += &markdown_row(&columns.cells(row)),
            (ResultFormat::Text, None) => page.cells.push(columns.cells(row)),
        }
    }

    fn push_chosen(&self, chosen: &ChosenColumns, texts: &[String], page: &mut RowPage) {
        if chosen.is_ids {
            page.cells.extend(chosen.id(texts).map(|id| vec![id]));
            return;
        }
        let cells = chosen.of(texts);
        match self.format {
            ResultFormat::Csv if chosen.is_guarded => {
                let cells: Vec<String> = cells.into_iter().map(guarded).collect();
                page.text += &csv_row(&cells);
            }
            ResultFormat::Csv => page.text += &csv_row(&cells),
            ResultFormat::Md => {
                let cells: Vec<TextCell> = cells.iter().map(TextCell::known).collect();
                page.text += &markdown_row(&cells);
            }
            ResultFormat::Text | ResultFormat::Json => {
                let filled =
                    |cell: &str| Some(cell.to_owned()).filter(|text| !text.trim().is_empty());
                let cells = cells
                    .into_iter()
                    .map(|cell| TextCell::or_dash(filled(cell)));
                page.cells.push(cells.collect());
            }
        }
    }
}

/// The rows of a run being written: what comes next depends on what was printed.
#[derive(Debug)]
#[must_use]
pub struct RowWriter {
    pub format: RowFormat,
    begun: bool,
    table: Option<RunningTable>,
    /// The bare name that was printed last.
    last: String,
}

impl RowWriter {
    pub fn of(format: ResultFormat, style: TextStyle) -> Self {
        Self {
            format: RowFormat {
                format,
                style,
                chosen: None,
            },
            begun: false,
            table: None,
            last: String::new(),
        }
    }

    /// What precedes the first row, once; nothing where each row is a block of its own for people.
    pub fn begin<R>(
        &mut self,
        columns: &Columns<R>,
        ticket: impl FnOnce() -> Option<Ticket>,
    ) -> String {
        if self.begun {
            return String::new();
        }
        let head = match (self.format.format, &self.format.chosen) {
            (_, Some(chosen)) if chosen.is_ids => String::new(),
            (ResultFormat::Csv, Some(chosen)) => csv_row(&chosen.names),
            (ResultFormat::Md, Some(chosen)) => markdown_table(&chosen.heads(), &[]),
            (ResultFormat::Csv, None) => csv_row(&columns.usual_names()),
            (ResultFormat::Md, None) => match ticket() {
                Some(ticket) => ticket.table(&columns.markdown([])),
                None => return String::new(),
            },
            (ResultFormat::Text | ResultFormat::Json, _) => return String::new(),
        };
        self.begun = true;
        head
    }

    /// The next rows.
    pub fn page<R>(&mut self, columns: &Columns<R>, page: RowPage) -> String {
        let RowPage { mut text, cells } = page;
        let chosen = self.format.chosen.as_ref();
        if chosen.is_some_and(|chosen| chosen.is_ids) {
            for cell in cells.into_iter().flatten() {
                if cell.text != self.last {
                    text += &cell.text;
                    text.push('\n');
                    self.last = cell.text;
                }
            }
        } else if !cells.is_empty() {
            let table =
                || chosen.map_or_else(|| columns.running_table(), ChosenColumns::running_table);
            let table = self.table.get_or_insert_with(table);
            text += &table.rows(&cells, self.format.style);
        }
        text
    }

    /// The next rows, which are put into their format.
    pub fn rows<'a, R: 'a>(
        &mut self,
        columns: &Columns<R>,
        rows: impl IntoIterator<Item = &'a R>,
    ) -> String {
        let mut page = RowPage::default();
        for row in rows {
            self.format.push(columns, row, &mut page);
        }
        self.page(columns, page)
    }

    /// One row that is a table's, or for people a block of its own in these words.
    pub fn block<R>(
        &mut self,
        columns: &Columns<R>,
        row: &R,
        words: impl FnOnce() -> String,
    ) -> String {
        let is_for_people = matches!(self.format.format, ResultFormat::Text | ResultFormat::Md);
        if !is_for_people || self.format.chosen.is_some() {
            return self.rows(columns, [row]);
        }
        let is_first = !std::mem::replace(&mut self.begun, true);
        let apart = if is_first { "" } else { "\n" };
        apart.to_owned() + &words()
    }

    /// The object or the row of an input without an answer; nothing for people, who have the reason on standard error.
    pub fn failure<R>(
        &mut self,
        columns: &Columns<R>,
        (query, typed): (&str, Option<&str>),
        error: &Error,
    ) -> String {
        let text = |name: &str| match name {
            "query" => query.to_owned(),
            "error" => error.kind.word().to_owned(),
            _ => String::new(),
        };
        let texts = |names: Vec<&str>| names.into_iter().map(text).collect::<Vec<String>>();
        let mut page = RowPage::default();
        match (self.format.format, &self.format.chosen) {
            (_, Some(chosen)) => {
                let texts = texts(columns.names());
                self.format.push_chosen(chosen, &texts, &mut page);
            }
            (ResultFormat::Json, None) => {
                let line = Line::about(query, typed).key("error", Cell::error(error));
                page.text = line.end() + "\n";
            }
            (ResultFormat::Csv, None) => page.text = csv_row(&texts(columns.usual_names())),
            (ResultFormat::Text | ResultFormat::Md, None) => {}
        }
        self.page(columns, page)
    }

    /// All that a command found.
    pub fn results<R>(&mut self, mut results: Results<'_, R>) -> String {
        match (self.format.format, &self.format.chosen) {
            (_, Some(_)) | (ResultFormat::Csv, None) => {
                self.begin(&results.columns, || None) + &self.rows(&results.columns, results.rows)
            }
            (ResultFormat::Json, None) => results.json.take().unwrap_or_else(|| results.objects()),
            (ResultFormat::Text, None) => {
                let table = || results.columns.table(results.rows, self.format.style);
                results.text.unwrap_or_else(table)
            }
            (ResultFormat::Md, None) => {
                let own = results.markdown.take();
                own.unwrap_or_else(|| results.whole_ticket())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_added_to_the_first_object_alone() {
        let mut page = RowPage::of("{\"a\":{}}\n{\"b\":{}}\n");
        page.add_to_first("run", "{\"at\":1}");
        assert_eq!(
            page,
            RowPage::of("{\"a\":{},\"run\":{\"at\":1}}\n{\"b\":{}}\n")
        );
        let mut none = RowPage::default();
        none.add_to_first("run", "1");
        assert!(none.is_empty() && !page.is_empty());
    }
}
