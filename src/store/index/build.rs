//! Building an index from lines, while they come.
//!
//! There are two passes, and between them no way back:
//!
//! ```text
//!  first pass    Building::lines, until the feed ends            second pass   Building::finish
//!  ────────────────────────────────────────────────────────     ─────────────────────────────────────
//!  lines ▶ scanner ▶ encoder ▶ sealer ▶ sections of chunks       sorted runs ▶ merged ▶ orders of all
//!                                   └─▶ sorted runs on disk      dictionaries ▶ written ▶ the file is whole
//! ```
//!
//! In the first one, four threads work on a feed: the caller's, which decodes it; the *scanner*, which takes lines apart; the
//! *encoder*, which makes drafts of chunks out of them; and the *sealer*, which makes sections out of drafts and writes them. What
//! waits between them is bounded, and so is what each of them keeps, whatever the size of the feed. In the second one, what the
//! sealer has put aside chunk by chunk is put in order across all of them. A pass that fails ends both: see `State`.

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
use crate::store::{Rejected, priority::come_after_others};

/// Blocks of lines that may wait.
const WAITING: usize = 4;
/// How far the other threads come after the encoder, which has half of the work to do: whenever it waits for a processor, all wait.
const LESS_TO_DO: i32 = 5;

/// An index being built: takes the lines of a feed, from one thread, and works on others. Dropping it ends the work; the file is
/// complete only after [`Building::finish`].
#[derive(Debug)]
pub struct Building {
    state: BuildState,
    counts: Arc<BuildCounts>,
    spare: Receiver<Vec<u8>>,
}

#[derive(Debug)]
enum BuildState {
    /// In the first pass: lines are taken.
    TakingLines(Threads),
    /// The threads have ended, because all lines have come, or one of them failed, or the work was given up.
    Ended,
}

/// The threads of the first pass. The first ends when nobody sends it work any more, and each of the others after the one before.
#[derive(Debug)]
struct Threads {
    work: SyncSender<EncoderInput>,
    scanner: JoinHandle<()>,
    encoder: JoinHandle<io::Result<(EncodedSections, Rejected)>>,
    sealer: JoinHandle<io::Result<Sealer>>,
}

impl Threads {
    /// Lets them work off what they have, and waits for all of them, whatever one fails with; returns what the second pass begins with.
    fn end(self) -> io::Result<(EncodedSections, Rejected, Sealer)> {
        drop(self.work);
        // The scanner fails only when one of the others does.
        let _ = self.scanner.join();
        let (encoded, ended) = (self.encoder.join(), self.sealer.join());
        // Why the sealer ended is why the encoder did.
        let sealer = ended.map_err(|_| ended_early())??;
        let (sections, rejected) = encoded.map_err(|_| ended_early())??;
        Ok((sections, rejected, sealer))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    pub records: u64,
    /// Lines that are no records.
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
    /// Begins an index in this file, which is replaced if it is there. Scratch files lie beside it and have no names.
    ///
    /// # Errors
    /// A failure to write.
    pub fn begin(file: &Path) -> io::Result<Self> {
        let sealer = Sealer::begin(file)?;
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
        let own = Arc::clone(&counts);
        let encoder = std::thread::Builder::new()
            .name("encoder".to_owned())
            .spawn(move || encode(&taken, &teach, drafts, &used, &own))?;
        let scanner = std::thread::Builder::new()
            .name("scanner".to_owned())
            .spawn(move || {
                come_after_others(LESS_TO_DO);
                scan(&blocks, &sheets, &learnt);
            })?;
        let sealer = std::thread::Builder::new()
            .name("sealer".to_owned())
            .spawn(move || {
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

    /// A block that was handed over and is no longer needed, with what it held, or a new one: memory that was used before is
    /// faster.
    pub fn spare_block(&mut self) -> Vec<u8> {
        self.spare.try_recv().unwrap_or_default()
    }

    /// Takes a block of whole lines, each with its line feed except for the last of the feed, in the order of the feed. Blocks of
    /// about 1 MiB are best. Waits while the workers are behind.
    ///
    /// # Errors
    /// A failure to write, of this block or of one before.
    pub fn lines(&mut self, block: Vec<u8>) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        self.send(EncoderInput::Lines(block))
    }

    /// Counts one line that is not handed over, in its place, as rejected.
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

    /// Lines and records taken so far by the workers, which may be behind.
    #[must_use]
    pub fn so_far(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.counts.lines), read(&self.counts.records))
    }

    /// All lines have come: writes the rest, and what is searched across all records, and has the file reach the disk.
    ///
    /// `tell` hears how many subjects of how many are in order.
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
    /// No thread may write behind the back of whoever gives the work up: what the threads fail with is then nobody's concern.
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// A chunk that is full, and how many words each field had then.
type FullChunk = (Box<ChunkBuilder>, [usize; FIELDS]);

/// Drafts on their way from the encoder to the sealer.
struct Drafts {
    full: SyncSender<FullChunk>,
    begun: usize,
}

impl Drafts {
    /// The draft of the next chunk; there is an end to chunks, behind two terabytes of records.
    fn begin(&mut self) -> io::Result<Box<ChunkBuilder>> {
        let chunk = ChunkId::new(self.begun)
            .ok_or_else(|| io::Error::other("the feed has more records than an index holds"))?;
        self.begun += 1;
        Ok(Box::new(ChunkBuilder::new(chunk)))
    }
}

/// Lines of which the texts are fetched together.
const TOGETHER: usize = 16;

/// What the scanner hands on.
#[derive(Debug)]
enum Scanned {
    ParsedBlock(ParsedBlock),
    Rejected(&'static str),
}

/// How many blocks after a block the first is parsed with what the encoder learnt from it: as many as can be under way, so that no
/// thread waits.
const LAG: usize = 4;
/// Sheets that may wait for the encoder; with those that both threads work on, fewer than [`LAG`] are ahead of a block.
const SHEETS: usize = LAG - 2;

/// The scanner's thread: takes lines apart.
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
/// When the feed takes more chunks than there can be, or another thread has ended early, which says why.
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
            // There may be enough of them.
            let _ = used.try_send(block);
        }
        let news = (encoder.apart().len() > known).then(|| encoder.apart().clone());
        // The scanner may have ended, because there are no more blocks: then nobody waits for it.
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
