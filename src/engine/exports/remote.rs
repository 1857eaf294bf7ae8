//! Runs an export at the service, streamed to a file that is published when it is complete.

use std::{
    fs,
    io::{self, Write},
    mem,
    sync::Arc,
};

use super::{
    Exports,
    completeness::check_whole,
    output::{OutputFile, empty},
    run::{ExportFileRun, ExportOrigin, ExportRun, WRITE, check_run},
};
use crate::{
    contract::{Endpoint, ExportQuery, Output},
    engine::{
        error::{Error, ErrorContext, Result},
        http::{BodyStream, FailedTry, web_page},
        progress::{ProgressReporter, Report, Stage},
        threads::off_thread,
    },
    store::space::FileSystem,
};

impl Exports {
    /// Runs an export to a file.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for what the contract forbids and for a file that is there;
    /// [`Kind::Integrity`](crate::engine::Kind::Integrity) for an answer that is not whole. Nothing is left behind by a run
    /// that fails.
    pub async fn export(&self, run: &ExportRun, report: Report) -> Result<ExportFileRun> {
        check_run(&run.query, run.spreadsheet_safe)?;
        let mut output = OutputFile::begin(&self.settings.paths, &run.file, run.force)?;
        let asked_at = self.settings.now();
        let records = self.fill_export(&run.query, output.file(), report).await?;
        let url = self.settings.url_of(&Endpoint::Export(run.query.clone()))?;
        run.publish(output, asked_at, ExportOrigin::Service { url }, records)
            .await
    }

    /// Runs an export to a file without a name, from which a whole answer can be handed on; it is gone with its handle. Returns the
    /// number of records as well, where they can be counted.
    ///
    /// # Errors
    /// As [`Exports::export`].
    pub async fn export_unnamed(
        &self,
        query: &ExportQuery,
        spreadsheet_safe: bool,
        report: Report,
    ) -> Result<(fs::File, Option<u64>)> {
        check_run(query, spreadsheet_safe)?;
        let mut file = self.unnamed()?;
        let records = self.fill_export(query, &mut file, report).await?;
        Ok((self.handed_on(file, spreadsheet_safe).await?, records))
    }

    /// Streams an export into a file and checks it; returns the number of records where they can be counted. A failed
    /// attempt starts over, since exports cannot be resumed.
    async fn fill_export(
        &self,
        query: &ExportQuery,
        file: &mut fs::File,
        report: Report,
    ) -> Result<Option<u64>> {
        let endpoint = Endpoint::Export(query.clone());
        let mut spool = Spool::onto(file).when(WRITE)?;
        let mut budget = self.requests.budget(&endpoint);
        let mut reporter = ProgressReporter::new(report);
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.export_once(&endpoint, &mut spool, &mut reporter).await {
                Ok(()) => break,
                Err(trouble) => {
                    self.requests
                        .wait_or_give_up(&mut budget, trouble, attempts)
                        .await?
                }
            }
        }
        let (mut written, output) = (file.try_clone().when(WRITE)?, query.output);
        let rows = off_thread(move || check_whole(&mut written, output)).await?;
        let header = query.header && query.output == Output::Csv;
        Ok(rows.map(|count| count.saturating_sub(u64::from(header))))
    }

    async fn export_once(
        &self,
        endpoint: &Endpoint,
        spool: &mut Spool,
        reporter: &mut ProgressReporter,
    ) -> Result<(), FailedTry> {
        reporter.tell(Stage::Asking, 0, None);
        spool.empty().when(WRITE)?;
        let reply = self.requests.open_once(endpoint, None).await?;
        if reply.captured.is_web_page() {
            return Err(web_page(endpoint.host()).status(reply.status()).into());
        }
        let total = reply.captured.length;
        let mut body = BodyStream::of(reply, self.requests.silence());
        let mut done = 0;
        while let Some(piece) = body.next().await.map_err(FailedTry::broken)? {
            let written = spool.push(&piece).await;
            let needed = total.map(|total| total.saturating_sub(done));
            written.map_err(|error| spool.failed(&error, needed))?;
            done += piece.len() as u64;
            reporter.tell(Stage::Downloading, done, total);
        }
        let written = spool.flush().await;
        written.map_err(|error| spool.failed(&error, None))?;
        reporter.tell(Stage::Verifying, done, total);
        Ok(())
    }
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

    /// A failed write, with the bytes that were still to come.
    fn failed(&self, error: &io::Error, needed: Option<u64>) -> Error {
        let failed = Error::machine(WRITE, error).needing(error, needed);
        failed.on(error, || FileSystem::of_file(&self.file))
    }

    /// Discards what a failed attempt has written.
    fn empty(&mut self) -> io::Result<()> {
        self.waiting.clear();
        empty(&self.file)
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
