//! Running an export: streamed to a file that appears by rename when it is whole.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use tempfile::NamedTempFile;

use super::{
    Engine,
    ask::web_page,
    body::Body,
    error::{Error, Kind, Result},
    mmdb,
    progress::{Report, Stage, Teller},
    retry::Trouble,
};
use crate::contract::{Endpoint, ExportQuery, Output, Severity};

/// An export to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExportRun {
    /// What is asked for.
    pub query: ExportQuery,
    /// Where it goes.
    pub file: PathBuf,
    /// Whether a file that is there may be replaced.
    pub force: bool,
    /// Whether CSV cells that a spreadsheet would take for formulas are guarded.
    pub spreadsheet_safe: bool,
}

/// An export that is on this disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub file: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its records, the header row not counted; unknown for MMDB.
    pub records: Option<u64>,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// The URL that was asked, without the token.
    pub url: String,
}

impl Engine {
    /// Refuses an export that the contract forbids, before anything is sent.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the rules and their fixes.
    pub fn check_export(query: &ExportQuery) -> Result<()> {
        let refused: Vec<_> = query
            .conflicts()
            .into_iter()
            .filter(|conflict| conflict.severity == Severity::Refused)
            .collect();
        let Some(first) = refused.first() else {
            return Ok(());
        };
        let rules: Vec<String> = refused.iter().map(ToString::to_string).collect();
        let error = Error::new(
            Kind::Usage,
            format!("this export is refused: {}", rules.join("; ")),
        );
        Err(match &first.fix {
            Some(fix) => error.hint(fix.to_string()),
            None => error,
        })
    }

    /// Runs an export to a file.
    ///
    /// # Errors
    /// [`Kind::Usage`] for what the contract forbids and for a file that is there; [`Kind::Integrity`] for an answer
    /// that is not whole. Nothing is left behind by a run that fails.
    pub async fn export(&self, run: &ExportRun, report: Report) -> Result<Exported> {
        Self::check_export(&run.query)?;
        if run.spreadsheet_safe && run.query.output != Output::Csv {
            return Err(Error::new(
                Kind::Usage,
                "spreadsheet-safe cells exist in CSV only",
            ));
        }
        let folder = match run.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !run.force && run.file.symlink_metadata().is_ok() {
            return Err(already_there(&run.file));
        }
        let machine = |what: &str, error: &io::Error| {
            Error::machine(&format!("{what} {}", run.file.display()), error)
        };
        let mut beside = tempfile::Builder::new();
        let beside = beside
            .prefix(".ipspect-")
            .suffix(".part")
            .tempfile_in(folder)
            .map_err(|error| machine("write", &error))?;
        let endpoint = Endpoint::Export(run.query.clone());
        let asked_at = self.now();
        let mut written = self.download_export(&endpoint, beside, report).await?;
        let mut records = check_whole(written.as_file_mut(), run.query.output)?;
        if run.query.header && run.query.output == Output::Csv {
            records = records.map(|count| count.saturating_sub(1));
        }
        if run.spreadsheet_safe {
            written = guarded(&written, folder).map_err(|error| machine("write", &error))?;
        }
        let bytes = written
            .as_file()
            .metadata()
            .map_err(|error| machine("read", &error))?
            .len();
        written
            .as_file()
            .sync_all()
            .map_err(|error| machine("write", &error))?;
        let kept = if run.force {
            written.persist(&run.file)
        } else {
            written.persist_noclobber(&run.file)
        };
        kept.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => already_there(&run.file),
            _ => machine("write", &error.error),
        })?;
        Ok(Exported {
            file: run.file.clone(),
            bytes,
            records,
            asked_at,
            url: self.url_of(&endpoint)?,
        })
    }

    /// Streams an export into a file beside the final one; a try that breaks starts over, since exports cannot be resumed.
    async fn download_export(
        &self,
        endpoint: &Endpoint,
        mut beside: NamedTempFile,
        report: Report,
    ) -> Result<NamedTempFile> {
        let mut budget = self.budget(endpoint);
        let mut teller = Teller::new(report);
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self
                .export_once(endpoint, beside.as_file_mut(), &mut teller)
                .await
            {
                Ok(()) => return Ok(beside),
                Err(trouble) => self.again(&mut budget, trouble, attempts).await?,
            }
        }
    }

    async fn export_once(
        &self,
        endpoint: &Endpoint,
        file: &mut fs::File,
        teller: &mut Teller,
    ) -> Result<(), Trouble> {
        use io::Seek;
        let machine = |error: io::Error| Error::machine("write the export", &error);
        teller.tell(Stage::Asking, 0, None);
        file.set_len(0)
            .and_then(|()| file.rewind())
            .map_err(machine)?;
        let reply = self.open_once(endpoint, None).await?;
        if reply.captured.is_web_page() {
            return Err(web_page(endpoint.host()).status(reply.status()).into());
        }
        let total = reply.captured.length;
        let mut body = Body::of(reply.response, self.silence());
        let mut done = 0;
        while let Some(piece) = body.next().await.map_err(Trouble::broken)? {
            file.write_all(&piece).map_err(machine)?;
            done += piece.len() as u64;
            teller.tell(Stage::Downloading, done, total);
        }
        teller.tell(Stage::Verifying, done, total);
        Ok(())
    }
}

fn already_there(file: &Path) -> Error {
    Error::new(
        Kind::Usage,
        format!("{} is there already: nothing was sent", file.display()),
    )
    .hint("choose another name, or replace it with --force")
}

/// Whether a file is whole in its form; gives the number of its records where they can be counted.
fn check_whole(file: &mut fs::File, output: Output) -> Result<Option<u64>> {
    use io::Seek;
    let broken = |why: &str| {
        Error::new(Kind::Integrity, format!("the export is not whole: {why}"))
            .hint("nothing was written: run it again")
    };
    let read = |error: io::Error| Error::machine("read the export back", &error);
    file.rewind().map_err(read)?;
    let reader = io::BufReader::new(&mut *file);
    match output {
        Output::Csv => {
            let mut rows = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(reader);
            let mut count = 0;
            let mut row = csv::ByteRecord::new();
            while rows
                .read_byte_record(&mut row)
                .map_err(|error| broken(&error.to_string()))?
            {
                if count == 0 && row.get(0).is_some_and(|cell| cell.starts_with(b"<")) {
                    return Err(web_page(crate::contract::Host::Exports));
                }
                count += 1;
            }
            Ok(Some(count))
        }
        Output::Json => count_json(reader).map(Some).map_err(|why| broken(&why)),
        Output::Mmdb => {
            drop(reader);
            if mmdb::is_whole(file).map_err(read)? {
                Ok(None)
            } else {
                Err(broken("its end is not that of an MMDB file"))
            }
        }
    }
}

/// Rewrites CSV so that no spreadsheet takes a cell for a formula.
fn guarded(file: &NamedTempFile, folder: &Path) -> io::Result<NamedTempFile> {
    let safe = tempfile::Builder::new()
        .prefix(".ipspect-")
        .suffix(".part")
        .tempfile_in(folder)?;
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(file.reopen()?);
    let mut output = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(io::BufWriter::new(safe));
    let mut row = csv::ByteRecord::new();
    while rows.read_byte_record(&mut row)? {
        for cell in &row {
            match cell.first() {
                Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => {
                    output.write_field([b"'", cell].concat())?
                }
                _ => output.write_field(cell)?,
            }
        }
        output.write_record(None::<&[u8]>)?;
    }
    let buffered = output
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    buffered
        .into_inner()
        .map_err(io::IntoInnerError::into_error)
}

/// One array, or one object a line: the contract states neither.
fn count_json(reader: impl io::BufRead) -> Result<u64, String> {
    use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
    struct Counted;
    impl<'de> Visitor<'de> for Counted {
        type Value = u64;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("records")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u64, A::Error> {
            let mut count = 0;
            while items.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            Ok(count)
        }
    }
    let mut reader = reader;
    let first = loop {
        let buffer = reader.fill_buf().map_err(|error| error.to_string())?;
        match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(at) => break Some(buffer[at]),
            None if buffer.is_empty() => break None,
            None => {
                let length = buffer.len();
                reader.consume(length);
            }
        }
    };
    match first {
        None => Ok(0),
        Some(b'[') => {
            let mut json = serde_json::Deserializer::from_reader(reader);
            let count = json
                .deserialize_seq(Counted)
                .map_err(|error| error.to_string())?;
            json.end()
                .map(|()| count)
                .map_err(|error| error.to_string())
        }
        Some(b'{') => {
            let mut count = 0;
            for record in serde_json::Deserializer::from_reader(reader).into_iter::<IgnoredAny>() {
                record.map_err(|error| error.to_string())?;
                count += 1;
            }
            Ok(count)
        }
        Some(b'<') => Err("a web page where JSON belongs".to_owned()),
        Some(_) => Err("neither an array nor objects".to_owned()),
    }
}
