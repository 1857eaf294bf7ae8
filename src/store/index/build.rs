//! Builds an index from lines while they are downloaded, in two passes:
//!
//! ```text
//!  first pass    Building::lines, until the feed ends            second pass   Building::finish
//!  ────────────────────────────────────────────────────────     ─────────────────────────────────────
//!  lines ▶ scanner ▶ encoder ▶ sealer ▶ sections of chunks       sorted runs ▶ merged ▶ orders of all
//!                                   └─▶ sorted runs on disk      dictionaries ▶ written ▶ complete file
//! ```
//!
//! Four threads work on the first pass: the caller's thread decodes the feed; the *scanner* splits lines into tokens; the
//! *encoder* fills chunk builders with records; the *sealer* turns full ones into sections and writes them. The queues between
//! them and the memory of each are bounded, whatever the size of the feed. The second pass merges, across all chunks, the runs
//! that the sealer sorted chunk by chunk. A failure ends the build (see `BuildState`).

mod seal;

use std::{
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread::JoinHandle,
};

use self::seal::Sealer;
use super::{
    chunk_builder::ChunkBuilder,
    encode::{EncodedSections, Encoder},
    id::ChunkId,
    parsed_block::{ParsedBlock, Scanner, SplitKeys},
    section_kind::FIELDS,
};
use crate::store::{
    Folder, Rejected,
    threads::{self, come_after_others},
};

/// The capacity of the queue of blocks.
const WAITING: usize = 4;
/// The priority of the other threads is this much lower than the encoder's. The encoder does half of the work: whenever it waits
/// for a processor, all others wait.
const LESS_TO_DO: i32 = 5;

/// An index under construction. One thread hands it the lines of a feed; it works on others. Dropping it ends the work. The file
/// is complete only after [`Building::finish`].
#[derive(Debug)]
pub struct Building {
    state: BuildState,
    counts: Arc<BuildCounts>,
    spare: Receiver<Vec<u8>>,
}

#[derive(Debug)]
enum BuildState {
    /// The first pass: accepts lines.
    TakingLines(Threads),
    /// The threads have ended: after the last line, after a failure, or because the build was dropped.
    Ended,
}

/// The threads of the first pass. The scanner ends when its queue is closed; the encoder ends after the scanner, and the sealer
/// after the encoder.
#[derive(Debug)]
struct Threads {
    work: SyncSender<EncoderInput>,
    scanner: JoinHandle<()>,
    encoder: JoinHandle<io::Result<(EncodedSections, Rejected)>>,
    sealer: JoinHandle<io::Result<Sealer>>,
}

impl Threads {
    /// Lets the threads finish their queues and waits for all of them, even if one fails. Returns the input of the second pass.
    fn end(self) -> io::Result<(EncodedSections, Rejected, Sealer)> {
        drop(self.work);
        // The scanner fails only if another thread does.
        let _ = self.scanner.join();
        let (encoded, ended) = (self.encoder.join(), self.sealer.join());
        // If the sealer failed, that is also the cause of the encoder's failure.
        let sealer = ended.map_err(|_| ended_early())??;
        let (sections, rejected) = encoded.map_err(|_| ended_early())??;
        Ok((sections, rejected, sealer))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    pub records: u64,
    /// Lines that are not records.
    pub rejected: Rejected,
    /// Length of the index file.
    pub bytes: u64,
}

#[derive(Debug)]
enum EncoderInput {
    Lines(Vec<u8>),
    Rejected(&'static str),
}

#[derive(Debug, Default)]
struct BuildCounts {
    lines: AtomicU64,
    records: AtomicU64,
}

impl Building {
    /// As [`Building::begin_in`], in the folder of this path.
    ///
    /// # Errors
    /// As there.
    pub fn begin(file: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        Self::begin_in(&Folder::root(folder)?, &name.to_string_lossy())
    }

    /// Begins an index in this file and replaces an existing one. Scratch files are unnamed, in the same folder.
    ///
    /// # Errors
    /// A failure to write; [`threads::NoThread`].
    pub fn begin_in(folder: &Folder, name: &str) -> io::Result<Self> {
        let sealer = Sealer::begin(folder, name)?;
        let counts = Arc::new(BuildCounts::default());
        let (work, blocks) = sync_channel(WAITING);
        let (sheets, taken) = sync_channel(SHEETS);
        let (teach, learnt) = channel();
        let (drafts, full) = sync_channel(1);
        let (used, spare) = sync_channel(WAITING / 2);
        let drafts = Drafts {
            full: drafts,
            begun: 0,
        };
        let build_counts = Arc::clone(&counts);
        // If a later one is refused, the earlier ones end: their queues are closed.
        let encoder = threads::start("encoder", move || {
            encode(&taken, &teach, drafts, &used, &build_counts)
        })?;
        let scanner = threads::start("scanner", move || {
            come_after_others(LESS_TO_DO);
            scan(&blocks, &sheets, &learnt);
        })?;
        let sealer = threads::start("sealer", move || {
            come_after_others(LESS_TO_DO);
            sealer.seal_all(&full)
        })?;
        let threads = Threads {
            work,
            scanner,
            encoder,
            sealer,
        };
        Ok(Self {
            state: BuildState::TakingLines(threads),
            counts,
            spare,
        })
    }

    /// A used block for the next lines, with its old contents, or a new one. Reusing memory is faster.
    pub fn spare_block(&mut self) -> Vec<u8> {
        self.spare.try_recv().unwrap_or_default()
    }

    /// Takes a block of whole lines in the order of the feed. Each line has its line feed, except for the last of the feed.
    /// Blocks of about 1 MiB are best. Blocks while the queue is full.
    ///
    /// # Errors
    /// A failure to write this block or an earlier one.
    pub fn lines(&mut self, block: Vec<u8>) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        self.send(EncoderInput::Lines(block))
    }

    /// Counts one line that is not handed over as rejected, at its position in the feed.
    ///
    /// # Errors
    /// As [`Building::lines`].
    pub fn rejected(&mut self, why: &'static str) -> io::Result<()> {
        self.send(EncoderInput::Rejected(why))
    }

    fn send(&mut self, work: EncoderInput) -> io::Result<()> {
        match &self.state {
            BuildState::TakingLines(threads) if threads.work.send(work).is_ok() => Ok(()),
            _ => Err(self.end().err().unwrap_or_else(ended_early)),
        }
    }

    /// Ends the first pass.
    fn end(&mut self) -> io::Result<(EncodedSections, Rejected, Sealer)> {
        match std::mem::replace(&mut self.state, BuildState::Ended) {
            BuildState::TakingLines(threads) => threads.end(),
            BuildState::Ended => Err(ended_early()),
        }
    }

    /// The lines and records processed so far. This may lag behind the lines handed over.
    #[must_use]
    pub fn so_far(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.counts.lines), read(&self.counts.records))
    }

    /// Writes the rest of the file after the last line: the structures across all chunks. Then syncs the file to disk.
    ///
    /// `tell` receives the number of sorted subjects and their total.
    ///
    /// # Errors
    /// A failure to write.
    pub fn finish(mut self, tell: &mut dyn FnMut(u64, u64)) -> io::Result<Built> {
        let (sections, rejected, sealer) = self.end()?;
        let (_, records) = self.so_far();
        let bytes = sealer.finish(&sections, records, tell)?;
        Ok(Built {
            records,
            rejected,
            bytes,
        })
    }
}

impl Drop for Building {
    /// Waits for the threads, so that none writes after the drop. Their errors are ignored.
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// A full chunk, and the number of words of each field when it became full.
type FullChunk = (Box<ChunkBuilder>, [usize; FIELDS]);

/// Creates chunk builders, and passes full ones from the encoder to the sealer.
struct Drafts {
    full: SyncSender<FullChunk>,
    begun: usize,
}

impl Drafts {
    /// The builder of the next chunk. The limit on chunks allows two terabytes of records.
    fn begin(&mut self) -> io::Result<Box<ChunkBuilder>> {
        let chunk = ChunkId::new(self.begun)
            .ok_or_else(|| io::Error::other("the feed has more records than an index holds"))?;
        self.begun += 1;
        Ok(Box::new(ChunkBuilder::new(chunk)))
    }
}

/// The number of lines whose dictionary slots are prefetched together.
const TOGETHER: usize = 16;

/// The output of the scanner.
#[derive(Debug)]
enum Scanned {
    ParsedBlock(ParsedBlock),
    Rejected(&'static str),
}

/// A block is parsed with the split keys that the encoder had found this many blocks before it. As many blocks can be in flight
/// at once, so no thread waits.
const LAG: usize = 4;
/// The capacity of the queue of parsed blocks. With the blocks in work on both threads, fewer than [`LAG`] are in flight.
const SHEETS: usize = LAG - 2;

/// The scanner's thread: splits lines into tokens.
fn scan(
    blocks: &Receiver<EncoderInput>,
    sheets: &SyncSender<Scanned>,
    learnt: &Receiver<Option<SplitKeys>>,
) {
    let mut scanner = Scanner::default();
    let mut blocks_taken = 0;
    for work in blocks {
        let sent = match work {
            EncoderInput::Lines(block) => {
                if blocks_taken >= LAG {
                    match learnt.recv() {
                        Ok(Some(news)) => scanner.learn(news),
                        Ok(None) => {}
                        Err(_) => return,
                    }
                }
                blocks_taken += 1;
                sheets.send(Scanned::ParsedBlock(scanner.sheet(block)))
            }
            EncoderInput::Rejected(why) => sheets.send(Scanned::Rejected(why)),
        };
        if sent.is_err() {
            return;
        }
    }
}

/// The encoder's thread.
///
/// # Errors
/// If the feed needs more chunks than an index can have, or if another thread ended early; that thread reports the cause.
fn encode(
    sheets: &Receiver<Scanned>,
    learnt: &Sender<Option<SplitKeys>>,
    mut drafts: Drafts,
    used: &SyncSender<Vec<u8>>,
    counts: &BuildCounts,
) -> io::Result<(EncodedSections, Rejected)> {
    let full = drafts.full.clone();
    let hand_on = |mut draft: Box<ChunkBuilder>, encoder: &mut Encoder| {
        counts
            .records
            .fetch_add(draft.rows() as u64, Ordering::Relaxed);
        draft.learnt = encoder.learnt();
        let sent = full.send((draft, encoder.words()));
        sent.map_err(|_| ended_early())
    };
    let mut encoder = Encoder::new();
    let mut draft = drafts.begin()?;
    for scanned in sheets {
        let sheet = match scanned {
            Scanned::ParsedBlock(mut sheet) => {
                encoder.learn(std::mem::take(&mut sheet.skeletons));
                sheet
            }
            Scanned::Rejected(why) => {
                encoder.reject(why);
                continue;
            }
        };
        let (mut lines, mut together) = (0, Vec::with_capacity(TOGETHER));
        let known = encoder.apart().len();
        let mut left = sheet.lines();
        loop {
            together.clear();
            together.extend(left.by_ref().take(TOGETHER));
            if together.is_empty() {
                break;
            }
            encoder.prefetch(&together);
            for line in &together {
                encoder.line(*line, &mut draft);
                if draft.is_full() {
                    let next = drafts.begin()?;
                    hand_on(std::mem::replace(&mut draft, next), &mut encoder)?;
                    encoder.turn();
                }
            }
            lines += together.len() as u64;
        }
        drop(left);
        if let Some(block) = sheet.into_block() {
            // The queue may already hold enough of them.
            let _ = used.try_send(block);
        }
        let news = (encoder.apart().len() > known).then(|| encoder.apart().clone());
        // After the last block the scanner has ended, and this message has no receiver.
        let _ = learnt.send(news);
        counts.lines.fetch_add(lines, Ordering::Relaxed);
    }
    if draft.rows() > 0 {
        hand_on(draft, &mut encoder)?;
    }
    let rejected = encoder.rejects().clone();
    Ok((encoder.sections(), rejected))
}

fn ended_early() -> io::Error {
    io::Error::other("a thread that builds the index ended early")
}
