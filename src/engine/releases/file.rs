//! The file of a release, read from its beginning to its end and hashed on the way.

use std::{
    fs::File,
    io::{self, BufRead, Read},
};

use sha2::{Digest, Sha256};

use super::indexing::FileSource;
use crate::{
    engine::progress::{ProgressReporter, Report, Stage},
    store::{StopFlag, checksum::hexadecimal},
};

/// Bytes that are read together.
const PIECE: usize = 256 << 10;

/// A file being read.
pub(super) struct FeedFile {
    file: File,
    length: u64,
    piece: Vec<u8>,
    at: usize,
    taken: u64,
    hash: Sha256,
    stop: StopFlag,
    stage: Stage,
    reporter: ProgressReporter,
    failure: Option<io::Error>,
}

impl FeedFile {
    /// Reads an open file; how far it is told as this stage.
    ///
    /// # Errors
    /// A failure to read.
    pub(super) fn of(
        file: File,
        stage: Stage,
        stop: &StopFlag,
        report: Report,
    ) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self {
            file,
            length,
            piece: Vec::new(),
            at: 0,
            taken: 0,
            hash: Sha256::new(),
            stop: stop.clone(),
            stage,
            reporter: ProgressReporter::new(report),
            failure: None,
        })
    }

    /// Reads what is left; returns the length and the SHA-256 of all of it.
    ///
    /// # Errors
    /// A failure to read.
    pub(super) fn finish(mut self) -> io::Result<(u64, String)> {
        loop {
            let count = self.fill_buf()?.len();
            if count == 0 {
                return Ok((self.taken, hexadecimal(&self.hash.finalize())));
            }
            self.consume(count);
        }
    }

    fn next_piece(&mut self) -> io::Result<()> {
        if self.stop.is_stopped() {
            return Err(io::Error::other("it was stopped"));
        }
        self.piece.resize(PIECE, 0);
        let count = loop {
            match self.file.read(&mut self.piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.piece.truncate(count);
        self.at = 0;
        self.hash.update(&self.piece);
        self.reporter
            .tell(self.stage, self.taken + count as u64, Some(self.length));
        Ok(())
    }
}

impl BufRead for FeedFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.piece.len()
            && let Err(error) = self.next_piece()
        {
            let kind = error.kind();
            self.failure = Some(error);
            return Err(kind.into());
        }
        Ok(&self.piece[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
        self.taken += count as u64;
    }
}

impl Read for FeedFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl FileSource for FeedFile {
    fn taken(&self) -> u64 {
        self.taken
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}
