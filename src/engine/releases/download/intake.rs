//! Writes received bytes to the part, hashes them, and hands them on to the reader.
//!
//! A resumed download reads the part first, so that the reader sees the file from its beginning. This runs on its own thread:
//! writing waits for the disk, reading for the processor.

use std::{
    fs::File,
    io::{self, BufRead, Read, Seek, SeekFrom, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
};

use bytes::{Buf, Bytes};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::part_files::PartFiles;
use crate::{
    engine::{
        progress::{ProgressReporter, Report, Stage},
        releases::indexing::FileSource,
    },
    store::checksum::hexadecimal,
};

/// Pieces that may wait for the reader.
const WAITING: usize = 16;
/// Bytes of the part that are read together.
const PIECE: usize = 256 << 10;

/// The flags that end a download from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct DownloadEnd {
    /// Stops everything.
    pub(super) stop: Arc<AtomicBool>,
    /// Received bytes are still written, but no longer read.
    pub(super) write_only: Arc<AtomicBool>,
    /// The last step of the index has begun, which cannot be stopped and is short.
    pub(super) finishing: Arc<AtomicBool>,
}

impl DownloadEnd {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_write_only(&self) -> bool {
        self.write_only.load(Ordering::Relaxed)
    }
}

pub(super) struct Received {
    pub(super) bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub(super) sha256: String,
}

enum ReaderInput {
    Piece(Bytes),
    /// The file is complete.
    End,
}

/// Writes one file.
pub(super) struct Intake {
    part: File,
    from: u64,
    pieces: mpsc::Receiver<Bytes>,
    onward: Option<SyncSender<ReaderInput>>,
    ending: DownloadEnd,
    hash: Sha256,
    length: u64,
    reporter: ProgressReporter,
}

impl Intake {
    /// Opens the part, of which the first `from` bytes are kept.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn open(
        place: &PartFiles,
        from: u64,
        pieces: mpsc::Receiver<Bytes>,
        ending: DownloadEnd,
        report: Report,
    ) -> io::Result<Self> {
        let part = place.folder.update(&place.part)?;
        part.set_len(from)?;
        Ok(Self {
            part,
            from,
            pieces,
            onward: None,
            ending,
            hash: Sha256::new(),
            length: 0,
            reporter: ProgressReporter::new(report),
        })
    }

    /// A reader of all bytes, those of the part included.
    pub(super) fn reader(&mut self) -> PieceReader {
        let (onward, pieces) = sync_channel(WAITING);
        self.onward = Some(onward);
        PieceReader {
            pieces,
            piece: Bytes::new(),
            ended: false,
            taken: 0,
            ending: self.ending.clone(),
            failure: None,
        }
    }

    /// Writes and syncs everything. `None` if the reader ended early.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn run(mut self) -> io::Result<Option<Received>> {
        while self.length < self.from && !self.ending.is_write_only() {
            let most = usize::try_from(self.from - self.length).unwrap_or(PIECE);
            let mut piece = vec![0; most.min(PIECE)];
            self.part.read_exact(&mut piece)?;
            if !self.take(piece.into())? {
                return Ok(None);
            }
            self.reporter
                .tell(Stage::Replaying, self.length, Some(self.from));
        }
        self.part.seek(SeekFrom::Start(self.from))?;
        while let Some(piece) = self.pieces.blocking_recv() {
            self.part.write_all(&piece)?;
            if !self.take(piece)? {
                return Ok(None);
            }
        }
        if self.ending.is_write_only() {
            return Ok(None);
        }
        // The reader continues while the disk syncs.
        if let Some(onward) = self.onward.take() {
            // A reader that ended reports its own error.
            let _ = onward.send(ReaderInput::End);
        }
        self.check()?;
        self.part.sync_all()?;
        Ok(Some(Received {
            bytes: self.length,
            sha256: hexadecimal(&self.hash.finalize()),
        }))
    }

    /// Hashes a piece and hands it on; returns whether the reader wants more.
    fn take(&mut self, piece: Bytes) -> io::Result<bool> {
        self.check()?;
        self.hash.update(&piece);
        self.length += piece.len() as u64;
        if self.ending.is_write_only() {
            self.onward = None;
        }
        let Some(onward) = &self.onward else {
            return Ok(true);
        };
        Ok(onward.send(ReaderInput::Piece(piece)).is_ok() || self.ending.is_write_only())
    }

    fn check(&self) -> io::Result<()> {
        if self.ending.is_stopped() {
            return Err(dropped());
        }
        Ok(())
    }
}

fn dropped() -> io::Error {
    io::Error::other("the download was dropped")
}

/// The file as it comes, to be read without copying it.
pub(super) struct PieceReader {
    pieces: Receiver<ReaderInput>,
    piece: Bytes,
    ended: bool,
    taken: u64,
    ending: DownloadEnd,
    failure: Option<io::Error>,
}

impl BufRead for PieceReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.piece.is_empty() && !self.ended {
            if self.ending.is_stopped() || self.ending.is_write_only() {
                self.failure = Some(dropped());
                return Err(dropped());
            }
            match self.pieces.recv() {
                Ok(ReaderInput::Piece(piece)) => self.piece = piece,
                Ok(ReaderInput::End) => self.ended = true,
                // The writer ended before the end of the file.
                Err(_) => {
                    self.failure = Some(io::ErrorKind::BrokenPipe.into());
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
        Ok(&self.piece)
    }

    fn consume(&mut self, count: usize) {
        self.piece.advance(count);
        self.taken += count as u64;
    }
}

impl Read for PieceReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl FileSource for PieceReader {
    fn taken(&self) -> u64 {
        self.taken
    }

    fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}
