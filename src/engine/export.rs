//! Running an export: streamed to a file that appears by rename when it is whole. What is asked of this disk instead of the
//! service is in [`local`].

pub mod local;
mod whole;

use std::{
    fs,
    io::{self, Seek, Write},
    mem,
    path::PathBuf,
    sync::Arc,
};

use jiff::Timestamp;

use self::whole::{check_whole, guard_cells};
use super::{
    Engine,
    ask::web_page,
    body::Body,
    error::{Error, Kind, Result},
    output::OutputFile,
    progress::{Report, Stage, Teller},
    retry::Trouble,
};
use crate::{
    contract::{Endpoint, ExportQuery, Output, Severity},
    store::{Folder, Moment},
};

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
    /// Who answered.
    pub origin: Origin,
}

/// Who answered an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The service.
    Service {
        /// The URL that was asked, without the token.
        url: String,
    },
    /// This disk.
    Disk {
        /// The release that was read.
        day: Moment,
        /// That of the day before, for a diff.
        before: Option<Moment>,
    },
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
        check_run(&run.query, run.spreadsheet_safe)?;
        let mut output = OutputFile::begin(&self.settings.paths, &run.file, run.force)?;
        let asked_at = self.now();
        let records = self.fill_export(&run.query, output.file(), report).await?;
        let safe = run.spreadsheet_safe;
        let publish = move || {
            if safe {
                output.rewrite(guard_cells)?;
            }
            output.publish()
        };
        Ok(Exported {
            file: run.file.clone(),
            bytes: off_thread(publish).await?,
            records,
            asked_at,
            origin: Origin::Service {
                url: self.url_of(&Endpoint::Export(run.query.clone()))?,
            },
        })
    }

    /// Runs an export to a file without a name, from which a whole answer can be handed on; it is gone with its handle.
    ///
    /// # Errors
    /// As [`Engine::export`].
    pub async fn export_unnamed(
        &self,
        query: &ExportQuery,
        spreadsheet_safe: bool,
        report: Report,
    ) -> Result<fs::File> {
        check_run(query, spreadsheet_safe)?;
        let mut file = self.unnamed()?;
        self.fill_export(query, &mut file, report).await?;
        self.handed_on(file, spreadsheet_safe).await
    }

    /// A file without a name.
    fn unnamed(&self) -> Result<fs::File> {
        Folder::make_root(&self.settings.paths.cache)
            .and_then(|cache| cache.unnamed())
            .map_err(|error| unkept(&error))
    }

    /// A whole export, to be read from its beginning.
    async fn handed_on(&self, mut file: fs::File, spreadsheet_safe: bool) -> Result<fs::File> {
        let mut safe = spreadsheet_safe.then(|| self.unnamed()).transpose()?;
        off_thread(move || {
            if let Some(safe) = &mut safe {
                guard_cells(&mut file, safe).map_err(|error| unkept(&error))?;
            }
            let mut file = safe.unwrap_or(file);
            file.rewind().map_err(|error| unkept(&error))?;
            Ok(file)
        })
        .await
    }

    /// Streams an export into a file and checks it; gives the number of records where they can be counted. A try that
    /// breaks starts over, since exports cannot be resumed.
    async fn fill_export(
        &self,
        query: &ExportQuery,
        file: &mut fs::File,
        report: Report,
    ) -> Result<Option<u64>> {
        let endpoint = Endpoint::Export(query.clone());
        let mut spool = Spool::onto(file).map_err(|error| unwritten(&error))?;
        let mut budget = self.budget(&endpoint);
        let mut teller = Teller::new(report);
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.export_once(&endpoint, &mut spool, &mut teller).await {
                Ok(()) => break,
                Err(trouble) => self.again(&mut budget, trouble, attempts).await?,
            }
        }
        let (mut written, output) = (
            file.try_clone().map_err(|error| unwritten(&error))?,
            query.output,
        );
        let rows = off_thread(move || check_whole(&mut written, output)).await?;
        let header = query.header && query.output == Output::Csv;
        Ok(rows.map(|count| count.saturating_sub(u64::from(header))))
    }

    async fn export_once(
        &self,
        endpoint: &Endpoint,
        spool: &mut Spool,
        teller: &mut Teller,
    ) -> Result<(), Trouble> {
        teller.tell(Stage::Asking, 0, None);
        spool.empty().map_err(|error| unwritten(&error))?;
        let reply = self.open_once(endpoint, None).await?;
        if reply.captured.is_web_page() {
            return Err(web_page(endpoint.host()).status(reply.status()).into());
        }
        let total = reply.captured.length;
        let mut body = Body::of(reply.response, self.silence());
        let mut done = 0;
        while let Some(piece) = body.next().await.map_err(Trouble::broken)? {
            spool
                .push(&piece)
                .await
                .map_err(|error| unwritten(&error))?;
            done += piece.len() as u64;
            teller.tell(Stage::Downloading, done, total);
        }
        spool.flush().await.map_err(|error| unwritten(&error))?;
        teller.tell(Stage::Verifying, done, total);
        Ok(())
    }
}

fn unwritten(error: &io::Error) -> Error {
    Error::machine("write the export", error)
}

fn unkept(error: &io::Error) -> Error {
    Error::machine("keep the export", error)
}

/// Runs what may take long where it holds nothing else up.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|_| {
        Err(Error::new(
            Kind::Machine,
            "a task of this program ended early",
        ))
    })
}

/// A file that is written in large pieces, on threads that may wait for the disk.
struct Spool {
    file: Arc<fs::File>,
    waiting: Vec<u8>,
}

impl Spool {
    const PIECE: usize = 1 << 20;

    fn onto(file: &fs::File) -> io::Result<Self> {
        let file = Arc::new(file.try_clone()?);
        Ok(Self {
            file,
            waiting: Vec::new(),
        })
    }

    /// Forgets what a try that broke has left.
    fn empty(&mut self) -> io::Result<()> {
        self.waiting.clear();
        self.file.set_len(0)?;
        (&*self.file).rewind()
    }

    async fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(piece);
        if self.waiting.len() < Self::PIECE {
            return Ok(());
        }
        self.flush().await
    }

    async fn flush(&mut self) -> io::Result<()> {
        let (file, waiting) = (Arc::clone(&self.file), mem::take(&mut self.waiting));
        let written = tokio::task::spawn_blocking(move || (&*file).write_all(&waiting)).await;
        written.unwrap_or_else(|ended| Err(io::Error::other(ended)))
    }
}

/// Refuses what must not be sent.
fn check_run(query: &ExportQuery, spreadsheet_safe: bool) -> Result<()> {
    Engine::check_export(query)?;
    if spreadsheet_safe && query.output != Output::Csv {
        return Err(Error::new(
            Kind::Usage,
            "spreadsheet-safe cells exist in CSV only: nothing was sent",
        ));
    }
    Ok(())
}
