//! Where a download goes: a thread that writes the part and checks it on the way.
//!
//! The bytes are read three times over in one pass: they are written, hashed, and read as what they should be. A gzip
//! feed is decoded while it comes, all members of it, so that a broken file is found early; its lines are counted, and
//! those that are no JSON objects are rejected, one by one. An MMDB file must end with its own metadata.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};

use crate::{
    contract::Format,
    engine::{
        mmdb,
        progress::{Report, Stage, Teller},
    },
    store::Rejected,
};

/// Longer lines are rejected.
const LONGEST_LINE: u64 = 16 << 20;
/// A line as long as this ends the feed.
const ENDLESS_LINE: u64 = 256 << 20;
/// A feed may expand by this much, once it is past [`FREE_EXPANSION`].
const MOST_EXPANSION: u64 = 100;
const FREE_EXPANSION: u64 = 1 << 30;
/// Pieces that may wait for the disk.
const WAITING: usize = 16;

/// What is known of a file that came whole.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    pub(super) records: Option<u64>,
    pub(super) rejected: Rejected,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub(super) enum SinkError {
    /// This machine failed.
    Io(io::Error),
    /// The bytes are not what they should be.
    Corrupt(String),
}

/// The thread's near end.
#[derive(Debug)]
pub(super) struct Sink {
    pieces: Option<mpsc::Sender<Bytes>>,
    outcome: Option<oneshot::Receiver<Result<Verified, SinkError>>>,
    thread: Option<JoinHandle<()>>,
    length: u64,
    stop: Arc<AtomicBool>,
}

impl Sink {
    /// Begins a file, or goes on behind the first `from` bytes of the part, which are read again first.
    pub(super) fn start(form: Format, part: PathBuf, from: u64, report: Report) -> Self {
        let (pieces, incoming) = mpsc::channel(WAITING);
        let (told, outcome) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let result =
                Incoming::open(&part, from, incoming, stopped, report).and_then(|incoming| {
                    match form {
                        Format::Json => read_lines(incoming),
                        Format::Mmdb => read_mmdb(incoming),
                    }
                });
            // Nobody listens when the download was dropped.
            let _ = told.send(result);
        });
        Self {
            pieces: Some(pieces),
            outcome: Some(outcome),
            thread: Some(thread),
            length: from,
            stop,
        }
    }

    /// Bytes handed over so far, with those that were there before.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Hands bytes over; false when the sink has given up, for the reason that [`Sink::reason`] gives.
    pub(super) async fn feed(&mut self, piece: Bytes) -> bool {
        let Some(pieces) = &self.pieces else {
            return false;
        };
        let length = piece.len() as u64;
        let taken = pieces.send(piece).await.is_ok();
        self.length += if taken { length } else { 0 };
        taken
    }

    /// Why the sink gave up.
    pub(super) async fn reason(&mut self) -> Option<SinkError> {
        self.outcome.take()?.await.ok()?.err()
    }

    /// All has come: what is it?
    pub(super) async fn finish(mut self) -> Result<Verified, SinkError> {
        self.pieces = None;
        let outcome = match self.outcome.take() {
            Some(outcome) => outcome.await.ok(),
            None => None,
        };
        outcome.unwrap_or_else(|| {
            Err(SinkError::Io(io::Error::other(
                "the writing thread ended early",
            )))
        })
    }

    /// Stops and leaves the part as far as it came.
    pub(super) async fn abandon(mut self) {
        self.pieces = None;
        if let Some(outcome) = self.outcome.take() {
            let _ = outcome.await;
        }
    }
}

impl Drop for Sink {
    /// The lock on the feed goes with the download: no thread may write behind its back. It is told to stop first, since
    /// reading a large part again takes long.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.pieces = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The bytes of the part, then those that come; each of these is written before it is read.
struct Incoming {
    part: File,
    replay: u64,
    replayed: u64,
    pieces: mpsc::Receiver<Bytes>,
    stop: Arc<AtomicBool>,
    piece: Bytes,
    hash: Sha256,
    length: u64,
    /// A failure to write must not be taken for corrupt data.
    failed: Option<io::Error>,
    teller: Teller,
}

impl Incoming {
    fn open(
        part: &PathBuf,
        from: u64,
        pieces: mpsc::Receiver<Bytes>,
        stop: Arc<AtomicBool>,
        report: Report,
    ) -> Result<Self, SinkError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let part = options
            .open(part)
            .and_then(|part| part.set_len(from).map(|()| part))
            .map_err(SinkError::Io)?;
        let teller = Teller::new(report);
        let piece = Bytes::new();
        Ok(Self {
            part,
            replay: from,
            replayed: 0,
            pieces,
            stop,
            piece,
            hash: Sha256::new(),
            length: 0,
            failed: None,
            teller,
        })
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the download was dropped"));
        }
        if self.replayed < self.replay {
            let most = usize::try_from(self.replay - self.replayed)
                .unwrap_or(usize::MAX)
                .min(buffer.len());
            let count = self.part.read(&mut buffer[..most])?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.replayed += count as u64;
            self.teller
                .tell(Stage::Replaying, self.replayed, Some(self.replay));
            return Ok(count);
        }
        if self.piece.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => {
                    self.part.write_all(&piece)?;
                    self.piece = piece;
                }
                None => return Ok(0),
            }
        }
        let count = self.piece.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.piece.split_to(count));
        Ok(count)
    }

    /// The file is whole: it reaches the disk before anything depends on it.
    fn settle(self) -> Result<(u64, String), SinkError> {
        if let Some(error) = self.failed {
            return Err(SinkError::Io(error));
        }
        // Not for nobody: it may take as long as the disk likes.
        if self.stop.load(Ordering::Relaxed) {
            return Err(SinkError::Io(io::Error::other("the download was dropped")));
        }
        self.part.sync_all().map_err(SinkError::Io)?;
        let hash = self.hash.finalize();
        let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits = digits.filter_map(|half| char::from_digit(u32::from(half), 16));
        Ok((self.length, digits.collect()))
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.read_some(buffer) {
            Ok(count) => {
                self.hash.update(&buffer[..count]);
                self.length += count as u64;
                Ok(count)
            }
            Err(error) => {
                self.failed = Some(error);
                Err(io::Error::other("this machine failed"))
            }
        }
    }
}

/// Reads a gzip file of newline-separated JSON to its end.
fn read_lines(incoming: Incoming) -> Result<Verified, SinkError> {
    let mut reader = BufReader::with_capacity(256 << 10, MultiGzDecoder::new(incoming));
    let mut lines = Lines::default();
    let read = lines.read(&mut reader);
    let mut incoming = reader.into_inner().into_inner();
    if let Some(error) = incoming.failed.take() {
        return Err(SinkError::Io(error));
    }
    read?;
    lines.check()?;
    let (bytes, sha256) = incoming.settle()?;
    Ok(Verified {
        bytes,
        sha256,
        records: Some(lines.records),
        rejected: lines.rejected,
    })
}

/// What has been seen of a feed's lines.
#[derive(Default)]
struct Lines {
    number: u64,
    records: u64,
    rejected: Rejected,
    decoded: u64,
}

impl Lines {
    fn read(&mut self, reader: &mut BufReader<MultiGzDecoder<Incoming>>) -> Result<(), SinkError> {
        let corrupt = |error: io::Error| SinkError::Corrupt(format!("gzip: {error}"));
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = reader
                .by_ref()
                .take(LONGEST_LINE + 1)
                .read_until(b'\n', &mut line)
                .map_err(corrupt)? as u64;
            if count == 0 {
                return Ok(());
            }
            self.number += 1;
            self.decoded += count;
            if count > LONGEST_LINE && line.last() != Some(&b'\n') {
                self.decoded += skip_line(reader).map_err(corrupt)?;
                self.rejected
                    .add(self.number, || "longer than 16 MiB".to_owned());
                if self.rejected.count > 0 && self.decoded > ENDLESS_LINE && self.records == 0 {
                    return Err(SinkError::Corrupt("a line does not end".to_owned()));
                }
            } else {
                self.take(&line);
            }
            let taken = reader.get_ref().get_ref().length;
            if self.decoded > FREE_EXPANSION && self.decoded / MOST_EXPANSION > taken {
                return Err(SinkError::Corrupt(
                    "it expands more than a hundredfold".to_owned(),
                ));
            }
        }
    }

    fn take(&mut self, line: &[u8]) {
        let line = line
            .strip_prefix(b"\xef\xbb\xbf")
            .filter(|_| self.number == 1)
            .unwrap_or(line);
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        if line.first() != Some(&b'{') {
            self.rejected
                .add(self.number, || "not a JSON object".to_owned());
        } else if let Err(error) = serde_json::from_slice::<&serde_json::value::RawValue>(line) {
            self.rejected.add(self.number, || {
                let error = error.to_string();
                error
                    .split(" at line")
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
        } else {
            self.records += 1;
        }
    }

    /// A file without any record, or with fewer records than rejects, is no feed.
    fn check(&self) -> Result<(), SinkError> {
        if self.number > 0 && self.records < self.rejected.count {
            let (line, why) = self.rejected.first.first().cloned().unwrap_or_default();
            let count = self.rejected.count;
            return Err(SinkError::Corrupt(format!(
                "it is not newline-separated JSON ({count} of {} lines rejected, first line {line}: {why})",
                self.number
            )));
        }
        Ok(())
    }
}

/// Passes over the rest of a line without keeping it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(count);
        passed += count as u64;
        if end.is_some() || count == 0 {
            return Ok(passed);
        }
        if passed > ENDLESS_LINE {
            return Err(io::Error::other("a line does not end within 256 MiB"));
        }
    }
}

/// Reads an MMDB file to its end, where its metadata must stand.
fn read_mmdb(mut incoming: Incoming) -> Result<Verified, SinkError> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match incoming.read(&mut buffer) {
            Ok(0) => break,
            Ok(_) => {}
            Err(_) => {
                return Err(SinkError::Io(
                    incoming
                        .failed
                        .take()
                        .unwrap_or_else(|| io::ErrorKind::Other.into()),
                ));
            }
        }
    }
    if !mmdb::is_whole(&mut incoming.part).map_err(SinkError::Io)? {
        return Err(SinkError::Corrupt(
            "it is not an MMDB file, or its end is missing".to_owned(),
        ));
    }
    let (bytes, sha256) = incoming.settle()?;
    Ok(Verified {
        bytes,
        sha256,
        records: None,
        rejected: Rejected::default(),
    })
}
