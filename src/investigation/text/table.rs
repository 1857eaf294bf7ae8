//! Tables: rows of fields between delimiters or borders, with heads or without.

use std::ops::Range;

use csv_core::{ReadFieldResult, Reader as CsvReader, ReaderBuilder};

use super::{address::address_of, fields::RowFields, json, line, line_form};

/// The most fields of a row that are looked at.
const MOST_FIELDS: usize = 512;

/// Lines at the beginning that tell what a table is.
const TELLING: usize = 40;

/// The longest head of a column.
const LONGEST_HEAD: usize = 48;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableShape {
    pub(super) apart: Apart,
    /// The heads of the columns; empty if it has none.
    pub(super) heads: Vec<String>,
    /// Lines before its first row.
    pub(super) preamble: usize,
    /// Whether it is of the form of the W3C, whose times are UTC.
    pub(super) is_w3c: bool,
}

impl TableShape {
    /// Whether its columns have names.
    #[must_use]
    pub fn is_headed(&self) -> bool {
        !self.heads.is_empty()
    }
}

/// What is between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// A sign, with quotes around fields that have it.
    Sign(u8),
    /// Blanks.
    Blanks,
    /// Borders, which are also around the rows.
    Border(&'static str),
}

const BORDERS: [&str; 4] = ["|", "│", "┃", "║"];

/// The signs of lines that only divide a table.
const RULES: &str = "-+=|: ─━│┃┼╪├┤┌┐└┘┬┴┝┥╞╡═║╔╗╚╝╠╣╦╩╬┏┓┗┛┳┻┣┫╋╇╈┡┩╟╢╫╭╮╰╯\r";

impl TableShape {
    /// The table with this beginning.
    pub(super) fn of(beginning: &[u8]) -> Option<Self> {
        let lines = records(beginning);
        // Their heads have no names, and what is behind these is pairs.
        let has_keys = |line: &&[u8]| {
            ["CEF:", "LEEF:"].iter().any(|head| {
                let at = memchr::memmem::find(line, head.as_bytes());
                at.is_some_and(|at| line[at..].contains(&b'|'))
            })
        };
        if lines.iter().any(has_keys) {
            return None;
        }
        by_fields_line(&lines)
            .or_else(|| with_borders(&lines))
            .or_else(|| by_signs(&lines))
    }

    /// The same, if a row names other heads from here on: `#Fields: date time c-ip`.
    pub(super) fn with_heads_of(&self, row: &[u8]) -> Option<Self> {
        let heads = heads_in(row)?;
        Some(Self {
            heads,
            ..self.clone()
        })
    }

    /// Adds the fields of a row, by head or number.
    pub(super) fn read(&self, row: &[u8], cells: &mut Cells, fields: &mut RowFields) {
        if self.is_no_row(row) {
            return;
        }
        // A known form has names for what has no heads.
        if !self.is_headed() && line_form::read_line(row, fields) {
            return;
        }
        let group = fields.outermost();
        let Cells { text, places } = cells;
        self.apart.split(row, text, places);
        for (number, (value, at)) in places.iter().enumerate() {
            let value = &text[value.clone()];
            if value.starts_with(b"{\"") {
                json::read_inner(value, at.clone(), self.head(number).as_ref(), fields);
                continue;
            }
            fields.push(self.head(number).as_ref(), value, at.clone(), group);
        }
    }

    fn head(&self, number: usize) -> std::borrow::Cow<'_, str> {
        match self.heads.get(number) {
            Some(head) if !head.is_empty() => head.into(),
            _ => format!("column {}", number + 1).into(),
        }
    }

    /// Whether a line is no row: a comment, the heads again, or what divides a table.
    fn is_no_row(&self, row: &[u8]) -> bool {
        match self.apart {
            Apart::Border(border) => {
                is_rule(row) || memchr::memmem::find(row, border.as_bytes()).is_none()
            }
            _ => row.starts_with(b"#"),
        }
    }
}

/// The values of the cells of a row and their places, to be used again.
#[derive(Debug, Default)]
pub struct Cells {
    text: Vec<u8>,
    places: Vec<(Range<usize>, Range<usize>)>,
}

impl Apart {
    /// The cells of a row: the places of their values in `text`, and of themselves in the row.
    fn split(self, row: &[u8], text: &mut Vec<u8>, places: &mut Vec<(Range<usize>, Range<usize>)>) {
        text.clear();
        places.clear();
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        match self {
            Self::Sign(sign) => split_quoted(sign, row, text, places),
            Self::Blanks => {
                text.extend_from_slice(row);
                let mut at = 0;
                while let Some(begin) = row[at..]
                    .iter()
                    .position(|byte| !byte.is_ascii_whitespace())
                {
                    let begin = at + begin;
                    let own = quoted(row, begin).unwrap_or_else(|| {
                        let len = row[begin..].iter().position(u8::is_ascii_whitespace);
                        begin..len.map_or(row.len(), |len| begin + len)
                    });
                    let has_quotes = row[begin] == b'"' && own.start > begin;
                    at = own.end + usize::from(has_quotes);
                    places.push((own, begin..at));
                    if places.len() == MOST_FIELDS {
                        return;
                    }
                }
            }
            Self::Border(border) => {
                text.extend_from_slice(row);
                let mut at = 0;
                let bytes = border.as_bytes();
                let mut ends: Vec<usize> = memchr::memmem::find_iter(row, bytes).collect();
                ends.push(row.len());
                for end in ends {
                    let own = &row[at..end];
                    let before = own.len() - own.trim_ascii_start().len();
                    let len = own.trim_ascii().len();
                    let begin = (at + before).min(end);
                    places.push((begin..begin + len, at..end));
                    at = (end + bytes.len()).min(row.len());
                }
                let is_bordered = row.trim_ascii_start().starts_with(bytes);
                if is_bordered {
                    places.remove(0);
                    if row.trim_ascii_end().ends_with(bytes) {
                        places.pop();
                    }
                }
                places.truncate(MOST_FIELDS);
            }
        }
    }

    fn texts(self, row: &[u8]) -> Vec<String> {
        let (mut text, mut places) = (Vec::new(), Vec::new());
        self.split(row, &mut text, &mut places);
        let own = places.into_iter();
        own.map(|(value, _)| String::from_utf8_lossy(&text[value]).trim().to_owned())
            .collect()
    }
}

/// The value in quotes that begins here and that a blank follows.
fn quoted(row: &[u8], begin: usize) -> Option<Range<usize>> {
    let rest = row[begin..].strip_prefix(b"\"")?;
    let is_end = |at: &usize| rest.get(at + 1).is_none_or(u8::is_ascii_whitespace);
    let len = memchr::memchr_iter(b'"', rest).find(is_end)?;
    Some(begin + 1..begin + 1 + len)
}

/// Fields between signs, as CSV has them; a blank behind the sign does not keep quotes from being quotes.
fn split_quoted(
    sign: u8,
    row: &[u8],
    text: &mut Vec<u8>,
    places: &mut Vec<(Range<usize>, Range<usize>)>,
) {
    text.resize(row.len() + 1, 0);
    let mut reader: CsvReader = ReaderBuilder::new().delimiter(sign).build();
    let (mut from, mut filled) = (0, 0);
    loop {
        // What is read does not begin with blanks.
        let blanks = row[from..].iter().take_while(|byte| **byte == b' ').count();
        let start = from + blanks;
        let (mut result, mut taken, mut written) =
            reader.read_field(&row[start..], &mut text[filled..]);
        if result == ReadFieldResult::InputEmpty {
            let more = reader.read_field(&[], &mut text[filled + written..]);
            result = more.0;
            taken += more.1;
            written += more.2;
        }
        let is_last = !matches!(result, ReadFieldResult::Field { record_end: false });
        let end = (start + taken - usize::from(!is_last)).max(start);
        places.push((filled..filled + written, start..end));
        filled += written;
        from = start + taken;
        if is_last || places.len() == MOST_FIELDS {
            return;
        }
    }
}

/// Where the first record of a table ends: at the first line end outside quotes.
pub(super) fn record_end(text: &[u8]) -> Option<usize> {
    let (mut at, mut is_quoted) = (0, false);
    loop {
        at += memchr::memchr2(b'\n', b'"', text.get(at..)?)?;
        match text[at] {
            b'"' => is_quoted = !is_quoted,
            _ if !is_quoted => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

/// The records at the beginning of a text.
fn records(beginning: &[u8]) -> Vec<&[u8]> {
    let (mut at, mut lines) = (0, Vec::new());
    while let Some(end) = record_end(&beginning[at..]).filter(|_| lines.len() < TELLING) {
        lines.push(trimmed_end(&beginning[at..at + end]));
        at += end;
    }
    if at < beginning.len() && lines.len() < TELLING && lines.is_empty() {
        lines.push(trimmed_end(beginning));
    } else if at < beginning.len() && lines.len() < TELLING && beginning.len() < 64 << 10 {
        lines.push(trimmed_end(&beginning[at..]));
    }
    lines
}

/// Without its line end. Blanks and tabs at the end are empty cells.
fn trimmed_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The heads that a line such as `#Fields: date time c-ip` names.
fn heads_in(line: &[u8]) -> Option<Vec<String>> {
    let rest = line
        .strip_prefix(b"#fields")
        .or(line.strip_prefix(b"#Fields:"))?;
    let rest = rest.trim_ascii();
    let apart = [b'\t', b','].into_iter().find(|sign| rest.contains(sign));
    Some(apart.map_or(Apart::Blanks, Apart::Sign).texts(rest))
}

fn by_fields_line(lines: &[&[u8]]) -> Option<TableShape> {
    let mut named = lines.iter().rev();
    let heads = named.find_map(|line| heads_in(line))?;
    // Rows may have another sign than the heads.
    let rows = || {
        lines
            .iter()
            .filter(|line| !line.starts_with(b"#") && !line.is_empty())
    };
    let signs = [
        Apart::Sign(b'\t'),
        Apart::Sign(b','),
        Apart::Sign(b';'),
        Apart::Blanks,
    ];
    let fits = |apart: &Apart| {
        let fitting = rows().filter(|row| apart.texts(row).len().abs_diff(heads.len()) <= 1);
        fitting.count()
    };
    let apart = signs.into_iter().rev().max_by_key(fits)?;
    let line = lines.iter().find(|line| line.starts_with(b"#fields"));
    let is_of_tabs = line.is_some_and(|line| line.contains(&b'\t'));
    let apart = match apart {
        _ if fits(&apart) > 0 => apart,
        _ if is_of_tabs => Apart::Sign(b'\t'),
        _ => Apart::Blanks,
    };
    Some(TableShape {
        apart,
        heads,
        preamble: 0,
        is_w3c: lines.iter().any(|line| line.starts_with(b"#Fields:")),
    })
}

fn is_rule(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    text.chars().count() >= 3
        && text.chars().all(|sign| RULES.contains(sign))
        && text.contains(['-', '─', '━', '═', '='])
}

fn with_borders(lines: &[&[u8]]) -> Option<TableShape> {
    let rule = lines.iter().position(|line| is_rule(line))?;
    let has = |border: &str| {
        let rows = lines.iter().filter(|line| !is_rule(line));
        rows.filter(|line| memchr::memmem::find(line, border.as_bytes()).is_some())
            .count()
    };
    // The head of a table may have thicker borders than its rows.
    let border = BORDERS.into_iter().max_by_key(|border| has(border))?;
    if has(border) < 2 {
        return None;
    }
    let with = |line: &&&[u8]| {
        BORDERS
            .iter()
            .any(|text| memchr::memmem::find(line, text.as_bytes()).is_some())
    };
    let is_first_rule = lines[..rule]
        .iter()
        .all(|line| line.is_empty() || !with(&line));
    let at = if is_first_rule {
        rule + 1
            + lines[rule + 1..]
                .iter()
                .position(|line| with(&line) && !is_rule(line))?
    } else {
        lines[..rule].iter().rposition(|line| with(&line))?
    };
    let own = BORDERS
        .into_iter()
        .max_by_key(|border| Apart::Border(border).texts(lines[at]).len())?;
    let heads = Apart::Border(own).texts(lines[at]);
    (heads.len() >= 2 && heads.iter().all(|head| !head.contains(['{', '=']))).then_some(
        TableShape {
            apart: Apart::Border(border),
            heads,
            preamble: at + 1,
            is_w3c: false,
        },
    )
}

fn by_signs(lines: &[&[u8]]) -> Option<TableShape> {
    let named = lines.first().and_then(|line| {
        let sign = line
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(line)
            .strip_prefix(b"sep=")?;
        sign.first().copied()
    });
    let signs: &[u8] = match &named {
        Some(sign) => std::slice::from_ref(sign),
        None => b"\t,;|",
    };
    let skipped = usize::from(named.is_some());
    let found = signs
        .iter()
        .filter_map(|sign| by_sign(*sign, lines, skipped));
    let found = found.max_by_key(|(score, _)| *score);
    found.map(|(_, table)| table).or_else(|| by_blanks(lines))
}

/// A table with nothing but blanks between its fields, whose heads are keys: `version account-id srcaddr dstaddr`.
fn by_blanks(lines: &[&[u8]]) -> Option<TableShape> {
    const FEWEST: usize = 5;
    let [first, rest @ ..] = lines else {
        return None;
    };
    let heads = Apart::Blanks.texts(first);
    let is_key = |head: &String| line::is_key(head.as_bytes()) && !head.contains('.');
    let rows = rest.iter().filter(|row| !row.trim_ascii().is_empty());
    let is_row = |row: &&[u8]| {
        let cells = Apart::Blanks.texts(row);
        cells.len() == heads.len()
    };
    let mut addresses = rows.clone().flat_map(|row| Apart::Blanks.texts(row));
    let is_table = heads.len() >= FEWEST
        && heads.iter().all(is_key)
        && rows.clone().count() > 0
        && rows.clone().all(is_row)
        && addresses.any(|cell| address_of(&cell).is_some());
    is_table.then_some(TableShape {
        apart: Apart::Blanks,
        heads,
        preamble: 1,
        is_w3c: false,
    })
}

/// The table with this sign between its fields, and how much speaks for it.
fn by_sign(sign: u8, lines: &[&[u8]], skipped: usize) -> Option<(usize, TableShape)> {
    let apart = Apart::Sign(sign);
    let rows: Vec<Vec<String>> = lines.iter().map(|line| apart.texts(line)).collect();
    let is_line = |at: usize| {
        at >= skipped && !lines[at].trim_ascii().is_empty() && !lines[at].starts_with(b"#")
    };
    let all = (0..rows.len()).filter(|at| is_line(*at)).count();
    let of_width = |width: usize| {
        (0..rows.len())
            .filter(|at| is_line(*at) && rows[*at].len() == width)
            .count()
    };
    let width = rows.iter().map(Vec::len).filter(|width| *width >= 2);
    let width = width.max_by_key(|width| (of_width(*width), *width))?;
    let even = of_width(width);
    let first = (0..rows.len()).find(|at| is_line(*at) && rows[*at].len() == width)?;
    let body: Vec<&Vec<String>> = (first + 1..rows.len())
        .filter(|at| is_line(*at) && rows[*at].len() == width)
        .map(|at| &rows[at])
        .collect();
    let has_address = |row: &Vec<String>| row.iter().any(|cell| address_of(cell).is_some());
    let is_headed = skipped == 1 || are_heads(&rows[first], &body, sign);
    let before = (0..first).filter(|at| is_line(*at)).count();
    // A preamble, and a line that has more or fewer fields.
    let is_table = if is_headed {
        even >= 2 && even * 2 >= all - before || all == 1 && width >= 2
    } else {
        even == all && (has_address(&rows[first]) || body.iter().any(|row| has_address(row)))
    };
    if !is_table || is_headed && body.is_empty() && skipped == 0 {
        return None;
    }
    let heads = if is_headed {
        rows[first].clone()
    } else {
        Vec::new()
    };
    let preamble = if is_headed { first + 1 } else { 0 };
    Some((
        even * width,
        TableShape {
            apart,
            heads,
            preamble,
            is_w3c: false,
        },
    ))
}

/// Whether a row is one of names: short, each once, no values, unlike the rows behind it.
fn are_heads(row: &[String], body: &[&Vec<String>], sign: u8) -> bool {
    let is_name = |cell: &str| {
        cell.len() <= LONGEST_HEAD
            && !cell.starts_with(|first: char| first.is_ascii_digit())
            && !cell.contains(['=', '{', '<'])
            && address_of(cell).is_none()
            && cell.split(' ').count() <= 5
            && !cell.ends_with(':')
    };
    let empty = row.iter().filter(|cell| cell.is_empty()).count();
    let mut names: Vec<&String> = row.iter().filter(|cell| !cell.is_empty()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    let is_unique = names.len() + 1 >= count || sign == b'\t';
    // Words of prose have blanks behind their commas, and no row has a value that is no word.
    let has_value = body.iter().any(|row| {
        row.iter().any(|cell| {
            cell.starts_with(|first: char| first.is_ascii_digit())
                || address_of(cell).is_some()
                || cell.starts_with('{')
        })
    });
    // Only the first and the last may be without a name.
    let inner = row.get(1..row.len().saturating_sub(1)).unwrap_or_default();
    count >= 1
        && inner.iter().all(|cell| !cell.is_empty())
        && empty <= 2
        && is_unique
        && has_value
        && row.iter().all(|cell| is_name(cell))
        && row
            .iter()
            .any(|cell| line::is_key(cell.as_bytes()) || cell.contains(' ') || !cell.is_ascii())
}
