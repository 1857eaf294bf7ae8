//! Random access to the rows of an exported file, by the offsets of every 16th row.

use std::{
    fs,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use csv::ByteRecord;
use serde_json::{Map, Value};

use super::{
    order::{CellKind, parse_number},
    splitter::Splitter,
};
use crate::{
    contract::{ExportField, ExportQuery, Output},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        progress::{ProgressReporter, Stage},
    },
    store::{StopFlag, folder::open_users_file},
};

/// The offset of one row in so many is kept.
const EVERY: u64 = 16;
/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;
/// Bytes that a row has at most.
const LONGEST: u64 = 1 << 20;
/// Rows that are looked at for the columns of JSON, and for what the cells of a column are.
const SAMPLE: usize = 200;

#[derive(Debug)]
pub(super) struct ExportFile {
    path: PathBuf,
    file: fs::File,
    state: FileIdentity,
    output: Output,
    columns: Vec<String>,
    kinds: Vec<CellKind>,
    /// Where rows 0, 16, 32 and so on begin, a header counted.
    marks: Vec<u64>,
    /// Where the last row ends.
    end: u64,
    rows: u64,
    /// 1 where the first row is a header.
    header: u64,
    is_torn: bool,
}

/// Identifies a file and its state, to notice a replacement or a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity {
    device: u64,
    inode: u64,
    bytes: u64,
    written: (i64, i64),
}

impl FileIdentity {
    fn of(data: &fs::Metadata) -> Self {
        Self {
            device: data.dev(),
            inode: data.ino(),
            bytes: data.len(),
            written: (data.mtime(), data.mtime_nsec()),
        }
    }
}

impl ExportFile {
    /// Opens a file and reads it once to see where its rows begin.
    ///
    /// # Errors
    /// [`Kind::Usage`] for MMDB; [`Kind::Integrity`] for a row that is too long; a failure to read.
    pub(super) fn open(
        path: &Path,
        export: &ExportQuery,
        stop: &StopFlag,
        reporter: &mut ProgressReporter,
    ) -> Result<Self> {
        let output = export.output;
        if output == Output::Mmdb {
            return Err(Error::new(Kind::Usage, "an MMDB file has no rows to show"));
        }
        let file = open_users_file(path).at("read", path)?;
        let state = FileIdentity::of(&file.metadata().at("read", path)?);
        let mut opened = Self {
            path: path.to_owned(),
            file,
            state,
            output,
            columns: Vec::new(),
            kinds: Vec::new(),
            marks: Vec::new(),
            end: 0,
            rows: 0,
            header: 0,
            is_torn: false,
        };
        opened.index(stop, reporter)?;
        opened.name_columns(export)?;
        Ok(opened)
    }

    fn index(&mut self, stop: &StopFlag, reporter: &mut ProgressReporter) -> Result<()> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut splitter = self.splitter();
        let mut piece = vec![0; PIECE];
        let (mut offset, total) = (0, self.state.bytes);
        loop {
            check(stop)?;
            reporter.tell(Stage::Indexing, offset, Some(total));
            let read = self.read_some(&mut piece, offset)?;
            if read == 0 {
                break;
            }
            // A byte order mark is no cell.
            let skipped = if offset == 0 && piece[..read].starts_with(MARK) {
                MARK.len()
            } else {
                0
            };
            let mut longest = 0;
            let mut found = |start: u64, end: u64| {
                longest = longest.max(end - start);
                self.found(start, end);
            };
            splitter.feed(offset + skipped as u64, &piece[skipped..read], &mut found);
            offset += read as u64;
            let open = splitter.open_row().map_or(0, |start| offset - start);
            if longest.max(open) > LONGEST {
                let row = self.rows + 1;
                let path = self.path.display();
                return Err(Error::new(
                    Kind::Integrity,
                    format!("row {row} of {path} is longer than 1 MiB"),
                ));
            }
        }
        if let Some(start) = splitter.open_row() {
            // A file that ends within an object has no last row; one that ends within a cell has a torn one.
            if self.output == Output::Csv {
                self.found(start, offset);
                self.is_torn = !splitter.may_end();
            } else {
                self.is_torn = true;
            }
        }
        Ok(())
    }

    fn found(&mut self, start: u64, end: u64) {
        if self.rows.is_multiple_of(EVERY) {
            self.marks.push(start);
        }
        self.rows += 1;
        self.end = end;
    }

    fn name_columns(&mut self, export: &ExportQuery) -> Result<()> {
        let mut names: Vec<String> = Vec::new();
        let mut name = |text: &str| {
            if !names.iter().any(|word| word == text) {
                names.push(text.to_owned());
            }
        };
        let asked = export.columns();
        if self.output == Output::Csv && export.header {
            self.header = 1;
            if self.rows > 0 {
                let first = self.block(0)?.into_iter().next().unwrap_or_default();
                self.columns = first.iter().map(text_of).collect();
            }
        } else if self.output == Output::Json {
            for block in (0..).take(SAMPLE.div_ceil(16)) {
                for text in self.objects(block)? {
                    let object: Map<String, Value> =
                        serde_json::from_slice(&text).unwrap_or_default();
                    object.keys().for_each(|key| name(key));
                }
            }
        }
        if self.columns.is_empty() {
            for field in &asked {
                name(field.name());
            }
            if export.diff {
                name("diff");
            }
            self.columns = names;
        }
        self.rows = self.rows.saturating_sub(self.header);
        let sample: Vec<u64> = (0..self.rows.min(SAMPLE as u64)).collect();
        let sample = self.records_at(&sample)?;
        let kind = |(at, name): (usize, &String)| {
            let field = |field: ExportField| field.name() == name;
            if field(ExportField::Ip) || field(ExportField::Network) {
                return CellKind::Address;
            }
            let cells = sample.iter().filter_map(|row| row.get(at));
            let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
            let is_some = cells.peek().is_some();
            if is_some && cells.all(|cell| parse_number(cell).is_some()) {
                CellKind::Number
            } else {
                CellKind::Text
            }
        };
        self.kinds = self.columns.iter().enumerate().map(kind).collect();
        // A last row with fewer cells than the others and no line break behind it was cut.
        if self.output == Output::Csv && self.rows > 0 && self.end == self.state.bytes {
            let last = self.records_at(&[self.rows - 1])?;
            let cells = last.first().map_or(0, ByteRecord::len);
            self.is_torn |= cells < self.columns.len();
        }
        Ok(())
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How the cells of a column compare.
    pub(super) fn kind(&self, column: usize) -> CellKind {
        self.kinds.get(column).copied().unwrap_or(CellKind::Text)
    }

    /// Its rows, a header not counted.
    pub(super) fn records(&self) -> u64 {
        self.rows
    }

    /// Whether it ends within a row.
    pub(super) fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// Whether this is the file of that name, and nothing was written to it.
    ///
    /// # Errors
    /// A failure to see that: the file may be gone.
    pub(super) fn is_as_it_was(&self, path: &Path) -> Result<bool> {
        let data = fs::metadata(path).at("read", path)?;
        Ok(path == self.path && FileIdentity::of(&data) == self.state)
    }

    /// The rows with these numbers, a cell for each column.
    pub(super) fn rows(&self, numbers: &[u64]) -> Result<Vec<Vec<String>>> {
        let cells = |row: &ByteRecord| {
            let mut cells: Vec<String> = row.iter().map(text_of).collect();
            cells.resize(cells.len().max(self.columns.len()), String::new());
            cells
        };
        Ok(self.records_at(numbers)?.iter().map(cells).collect())
    }

    fn records_at(&self, numbers: &[u64]) -> Result<Vec<ByteRecord>> {
        let mut held: Option<(u64, Vec<ByteRecord>)> = None;
        let mut rows = Vec::with_capacity(numbers.len());
        for number in numbers {
            let place = number + self.header;
            let (block, within) = (place / EVERY, place % EVERY);
            if held.as_ref().is_none_or(|(number, _)| *number != block) {
                held = Some((block, self.block(block)?));
            }
            let row = held.as_ref().and_then(|(_, records)| {
                let within = usize::try_from(within).ok()?;
                records.get(within).cloned()
            });
            rows.push(row.unwrap_or_default());
        }
        Ok(rows)
    }

    /// Gives every row with its number, the header left out.
    pub(super) fn each(
        &self,
        stop: &StopFlag,
        reporter: &mut ProgressReporter,
        mut visit: impl FnMut(u64, &ByteRecord) -> Result<()>,
    ) -> Result<()> {
        let mut place = 0;
        let mut from = 0;
        while from < self.marks.len() {
            check(stop)?;
            let start = self.marks[from];
            reporter.tell(Stage::Indexing, start, Some(self.end));
            let room = |mark: &u64| mark - start < PIECE as u64;
            let to = from + self.marks[from..].partition_point(room).max(1);
            let bytes = self.between(from, to)?;
            self.parse(&bytes, |row| {
                let number = place;
                place += 1;
                match u64::checked_sub(number, self.header) {
                    Some(number) => visit(number, row),
                    None => Ok(()),
                }
            })?;
            from = to;
        }
        Ok(())
    }

    /// The rows between two places that are kept.
    fn block(&self, block: u64) -> Result<Vec<ByteRecord>> {
        let at = usize::try_from(block).unwrap_or(usize::MAX);
        let mut rows = Vec::new();
        self.parse(&self.between(at, at.saturating_add(1))?, |row| {
            rows.push(row.clone());
            Ok(())
        })?;
        Ok(rows)
    }

    /// The objects of a block of JSON, each by itself.
    fn objects(&self, block: usize) -> Result<Vec<Vec<u8>>> {
        let bytes = self.between(block, block + 1)?;
        Ok(objects_in(&bytes).into_iter().map(<[u8]>::to_vec).collect())
    }

    fn between(&self, from: usize, to: usize) -> Result<Vec<u8>> {
        let Some(start) = self.marks.get(from) else {
            return Ok(Vec::new());
        };
        let end = self.marks.get(to).unwrap_or(&self.end);
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length];
        let read = self.file.read_exact_at(&mut bytes, *start);
        read.at("read", &self.path)?;
        Ok(bytes)
    }

    fn read_some(&self, piece: &mut [u8], offset: u64) -> Result<usize> {
        loop {
            match self.file.read_at(piece, offset) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => return read.at("read", &self.path),
            }
        }
    }

    fn splitter(&self) -> Splitter {
        match self.output {
            Output::Csv => Splitter::csv(),
            Output::Json | Output::Mmdb => Splitter::json(),
        }
    }

    /// Reads whole rows.
    fn parse(&self, bytes: &[u8], mut visit: impl FnMut(&ByteRecord) -> Result<()>) -> Result<()> {
        let mut row = ByteRecord::new();
        if self.output == Output::Csv {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(bytes);
            while reader
                .read_byte_record(&mut row)
                .map_err(std::io::Error::from)
                .at("read", &self.path)?
            {
                visit(&row)?;
            }
            return Ok(());
        }
        for text in objects_in(bytes) {
            row.clear();
            match serde_json::from_slice::<Map<String, Value>>(text) {
                Ok(object) => {
                    for column in &self.columns {
                        match object.get(column) {
                            None | Some(Value::Null) => row.push_field(b""),
                            Some(Value::String(text)) => row.push_field(text.as_bytes()),
                            Some(other) => row.push_field(other.to_string().as_bytes()),
                        }
                    }
                }
                // An unreadable object is shown as it is.
                Err(_) => row.push_field(text),
            }
            visit(&row)?;
        }
        Ok(())
    }
}

fn objects_in(bytes: &[u8]) -> Vec<&[u8]> {
    let mut objects = Vec::new();
    Splitter::json().feed(0, bytes, &mut |start, end| {
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        objects.extend(bytes.get(at(start)..at(end)));
    });
    objects
}

/// What is not UTF-8 costs those letters alone.
fn text_of(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).into_owned()
}

fn check(stop: &StopFlag) -> Result<()> {
    if stop.is_stopped() {
        return Err(Error::new(Kind::Interrupted, "stopped"));
    }
    Ok(())
}
