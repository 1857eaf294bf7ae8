//! The threads that write, check and index a download while it arrives.
//!
//! One writes the bytes (`intake`). For a gzip feed another decodes all members as they arrive, which finds a broken file
//! early, and passes the lines to the index builder, which has its own threads. An MMDB file must be whole, as far as a sample of it shows.

use std::{
    io,
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
};

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use super::{
    intake::{DownloadEnd, Intake, PieceReader, Received},
    part_files::PartFiles,
};
use crate::{
    contract::Format,
    engine::{
        mmdb::{self, Extent, NotWhole},
        progress::Report,
        releases::indexing::{FileSource, ReadFailure, finish, read_lines},
        threads::give_way,
    },
    store::{
        FeedLock,
        index::build::{Building, Built},
        threads,
    },
};

/// Pieces that may wait for the disk.
const WAITING: usize = 16;

/// A complete, verified file.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    /// The index of its lines; an MMDB file has none.
    pub(super) built: Option<Built>,
}

impl Verified {
    /// Its records; those of an MMDB file are not counted.
    pub(super) fn records(&self) -> Option<u64> {
        self.built.as_ref().map(|built| built.records)
    }
}

/// The handle of the threads.
#[derive(Debug)]
pub(super) struct Sink {
    pieces: Option<mpsc::Sender<Bytes>>,
    outcome: Option<oneshot::Receiver<Result<Verified, ReadFailure>>>,
    thread: Option<JoinHandle<()>>,
    length: u64,
    ending: DownloadEnd,
}

impl Sink {
    /// Starts a file, or resumes it after the first `from` bytes of the part, which are read again. The lock is held while the
    /// threads write. With `gives_way` they run at low priority.
    ///
    /// # Errors
    /// [`threads::NoThread`].
    pub(super) fn start(
        form: Format,
        place: PartFiles,
        lock: Arc<FeedLock>,
        from: u64,
        report: Report,
        gives_way: bool,
    ) -> io::Result<Self> {
        let (pieces, incoming) = mpsc::channel(WAITING);
        let (told, outcome) = oneshot::channel();
        let ending = DownloadEnd::default();
        let work = SinkThread {
            place,
            _lock: lock,
            report: Arc::clone(&report),
            ending: ending.clone(),
        };
        let thread = threads::start("sink", move || {
            if gives_way {
                give_way();
            }
            let intake = Intake::open(&work.place, from, incoming, work.ending.clone(), report);
            let result = intake
                .map_err(ReadFailure::Io)
                .and_then(|intake| match form {
                    Format::Json => work.take_feed(intake),
                    Format::Mmdb => work.take_mmdb(intake),
                });
            if result.is_err() {
                let place = &work.place;
                // If this fails, the next pull removes it.
                let _ = place.folder.remove(&place.index);
            }
            drop(work);
            // The receiver is gone if the download was dropped.
            let _ = told.send(result);
        })?;
        Ok(Self {
            pieces: Some(pieces),
            outcome: Some(outcome),
            thread: Some(thread),
            length: from,
            ending,
        })
    }

    /// All bytes so far, those of the part included.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Hands bytes over; false if the sink failed, see [`Sink::reason`].
    pub(super) async fn feed(&mut self, piece: Bytes) -> bool {
        let Some(pieces) = &self.pieces else {
            return false;
        };
        let length = piece.len() as u64;
        let taken = pieces.send(piece).await.is_ok();
        self.length += if taken { length } else { 0 };
        taken
    }

    /// Why the sink failed.
    pub(super) async fn reason(&mut self) -> Option<ReadFailure> {
        self.outcome.take()?.await.ok()?.err()
    }

    /// Waits for the checks after the last byte.
    pub(super) async fn finish(mut self) -> Result<Verified, ReadFailure> {
        self.pieces = None;
        let outcome = match self.outcome.take() {
            Some(outcome) => outcome.await.ok(),
            None => None,
        };
        outcome.unwrap_or_else(|| {
            Err(ReadFailure::Io(io::Error::other(
                "the writing thread ended early",
            )))
        })
    }

    /// Stops, and keeps the part.
    pub(super) async fn abandon(mut self) {
        self.ending.write_only.store(true, Ordering::Relaxed);
        self.pieces = None;
        if let Some(outcome) = self.outcome.take() {
            let _ = outcome.await;
        }
    }
}

impl Drop for Sink {
    /// Stops the threads and waits for them, so that the next download finds no writer. The last step of an index cannot be
    /// stopped and is not waited for; it holds the lock until it ends.
    fn drop(&mut self) {
        self.ending.stop.store(true, Ordering::Relaxed);
        self.pieces = None;
        if let Some(thread) = self.thread.take()
            && !self.ending.finishing.load(Ordering::Relaxed)
        {
            // A panicked thread has ended too.
            let _ = thread.join();
        }
    }
}

/// What the thread of a sink works with.
struct SinkThread {
    /// Where the part and the index of a gzip feed are.
    place: PartFiles,
    _lock: Arc<FeedLock>,
    report: Report,
    ending: DownloadEnd,
}

impl SinkThread {
    /// Takes in a gzip file of newline-separated JSON.
    fn take_feed(&self, mut intake: Intake) -> Result<Verified, ReadFailure> {
        let reader = intake.reader();
        let (received, built) = thread::scope(|scope| {
            let intake = threads::start_in(scope, || intake.run()).map_err(ReadFailure::Io)?;
            // This drops the reader, so the writer does not block on it.
            let built = self.index(reader);
            let received = intake.join();
            let ended = || Err(io::Error::other("the writing thread ended early"));
            Ok((received.unwrap_or_else(|_| ended()), built))
        })?;
        // A failure of this machine must not pass for corrupt data.
        let received = received.map_err(ReadFailure::Io)?;
        Self::verified(received, built.map(Some))
    }

    /// Takes in an MMDB file, which must be whole.
    fn take_mmdb(&self, intake: Intake) -> Result<Verified, ReadFailure> {
        let received = intake.run().map_err(ReadFailure::Io)?;
        let PartFiles { folder, part, .. } = &self.place;
        let mut file = folder.open(part).map_err(ReadFailure::Io)?;
        let stop = || self.ending.is_stopped();
        let checked = mmdb::check(&mut file, Extent::Sample, &stop).map_err(|why| match why {
            NotWhole::Damaged(why) => {
                ReadFailure::Corrupt(format!("it is not a whole MMDB file: {why}"))
            }
            NotWhole::Unread(error) => ReadFailure::Io(error),
        });
        Self::verified(received, checked.map(|()| None))
    }

    fn verified(
        received: Option<Received>,
        built: Result<Option<Built>, ReadFailure>,
    ) -> Result<Verified, ReadFailure> {
        let built = built?;
        let Received { bytes, sha256 } =
            received.ok_or_else(|| ReadFailure::Io(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Verified {
            bytes,
            sha256,
            built,
        })
    }

    fn index(&self, reader: PieceReader) -> Result<Built, ReadFailure> {
        let PartFiles { folder, index, .. } = &self.place;
        let mut building = Building::begin_in(folder, index).map_err(ReadFailure::Io)?;
        let length = read_lines(reader, &mut building)?.taken();
        if self.ending.is_stopped() {
            return Err(ReadFailure::Io(io::ErrorKind::Interrupted.into()));
        }
        self.ending.finishing.store(true, Ordering::Relaxed);
        finish(building, length, &self.report)
    }
}
