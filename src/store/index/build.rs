//! Building an index from lines, while they come.
//!
//! Four threads work on a feed: the caller's, which decodes it; the *scanner*, which takes lines apart; the *encoder*, which
//! makes drafts of chunks out of them; and the *sealer*, which makes sections out of drafts and writes them. What waits between
//! them is bounded, and so is what each of them keeps, whatever the size of the feed.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread::JoinHandle,
};

use zerocopy::{IntoBytes, little_endian::U32};

use super::{
    clients_order,
    draft::Draft,
    encode::{Encoder, Sections},
    file::Writer,
    id::{ChunkId, offset},
    kinds::{self, FIELDS},
    prefixes,
    rows::CHUNK,
    runs::Runs,
    said::Facts,
    sheet::{Apart, Scanner, Sheet},
    subjects::{
        Address, Linker, LooseEntry, LooseRecord, Low, Network, OfRow, PIECE, STRETCH,
        SortedNetwork,
    },
};
use crate::{model::Keyword, store::Rejected};

/// Blocks of lines that may wait.
const WAITING: usize = 4;

/// An index being built: takes the lines of a feed, from one thread, and works on others. Dropping it ends the work; the file is
/// complete only after [`Building::finish`].
#[derive(Debug)]
pub struct Building {
    work: Option<SyncSender<Work>>,
    scanner: Option<JoinHandle<()>>,
    encoder: Option<JoinHandle<Option<Sections>>>,
    sealer: Option<JoinHandle<io::Result<Sealer>>>,
    counts: Arc<Counts>,
    rejected: Option<Receiver<Rejected>>,
}

/// What was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Records in the index.
    pub records: u64,
    /// Lines that are no records.
    pub rejected: Rejected,
    /// Length of the index file.
    pub bytes: u64,
}

/// What the encoder is told.
#[derive(Debug)]
enum Work {
    Lines(Vec<u8>),
    Rejected(&'static str),
}

/// How far the encoder is.
#[derive(Debug, Default)]
struct Counts {
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
        let counts = Arc::new(Counts::default());
        let (work, blocks) = sync_channel(WAITING);
        let (sheets, taken) = sync_channel(SHEETS);
        let (teach, learnt) = channel();
        let (drafts, full) = sync_channel(1);
        let (told, rejected) = sync_channel(1);
        let own = Arc::clone(&counts);
        let encoder = std::thread::Builder::new()
            .name("encoder".to_owned())
            .spawn(move || encode(&taken, &teach, &drafts, &told, &own))?;
        let scanner = std::thread::Builder::new()
            .name("scanner".to_owned())
            .spawn(move || scan(&blocks, &sheets, &learnt))?;
        let sealer = std::thread::Builder::new()
            .name("sealer".to_owned())
            .spawn(move || sealer.seal_all(&full))?;
        Ok(Self {
            work: Some(work),
            scanner: Some(scanner),
            encoder: Some(encoder),
            sealer: Some(sealer),
            counts,
            rejected: Some(rejected),
        })
    }

    /// Takes a block of whole lines, each with its line feed but for the last of the feed, in the order of the feed. Blocks of
    /// about 1 MiB are best. Waits while the workers are behind.
    ///
    /// # Errors
    /// A failure to write, of this block or of one before.
    pub fn lines(&mut self, block: Vec<u8>) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        self.send(Work::Lines(block))
    }

    /// Counts one line that is not handed over, in its place, as rejected.
    ///
    /// # Errors
    /// As [`Building::lines`].
    pub fn rejected(&mut self, why: &'static str) -> io::Result<()> {
        self.send(Work::Rejected(why))
    }

    fn send(&mut self, work: Work) -> io::Result<()> {
        let sent = self.work.as_ref().map(|sender| sender.send(work));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.failure()),
        }
    }

    /// Why the workers have ended early.
    fn failure(&mut self) -> io::Error {
        self.work = None;
        let _ = self.scanner.take().map(JoinHandle::join);
        let _ = self.encoder.take().map(JoinHandle::join);
        match self.sealer.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => error,
            _ => io::Error::other("a thread that builds the index ended early"),
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
        self.work = None;
        let _ = self.scanner.take().map(JoinHandle::join);
        let encoded = self
            .encoder
            .take()
            .and_then(|thread| thread.join().ok().flatten());
        let ended = self.sealer.take().and_then(|thread| thread.join().ok());
        let ended_early = || io::Error::other("a thread that builds the index ended early");
        let sealer = ended.ok_or_else(ended_early)??;
        let sections = encoded.ok_or_else(ended_early)?;
        let rejected = self
            .rejected
            .take()
            .and_then(|told| told.recv().ok())
            .unwrap_or_default();
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
    /// No thread may write behind the back of whoever gives the work up.
    fn drop(&mut self) {
        self.work = None;
        let _ = self.scanner.take().map(JoinHandle::join);
        let _ = self.encoder.take().map(JoinHandle::join);
        let _ = self.sealer.take().map(JoinHandle::join);
    }
}

/// A chunk that is full, and how many words each field had then.
type Full = (Box<Draft>, [usize; FIELDS]);

/// Lines of which the texts are fetched together.
const TOGETHER: usize = 16;

/// What the scanner hands on.
#[derive(Debug)]
enum Scanned {
    Sheet(Sheet),
    Rejected(&'static str),
}

/// Blocks between one and the first that is taken apart by what was learnt from it: as many as can be under way, so that nobody
/// waits.
const LAG: usize = 4;
/// Sheets that may wait for the encoder; with those that both threads work on, fewer than [`LAG`] are ahead of a block.
const SHEETS: usize = LAG - 2;

/// The scanner's thread: takes lines apart.
fn scan(blocks: &Receiver<Work>, sheets: &SyncSender<Scanned>, learnt: &Receiver<Option<Apart>>) {
    let mut scanner = Scanner::default();
    let mut blocks_taken = 0;
    for work in blocks {
        let sent = match work {
            Work::Lines(block) => {
                if blocks_taken >= LAG {
                    match learnt.recv() {
                        Ok(Some(news)) => scanner.learn(news),
                        Ok(None) => {}
                        Err(_) => return,
                    }
                }
                blocks_taken += 1;
                sheets.send(Scanned::Sheet(scanner.sheet(block)))
            }
            Work::Rejected(why) => sheets.send(Scanned::Rejected(why)),
        };
        if sent.is_err() {
            return;
        }
    }
}

/// The encoder's thread; gives nothing when the sealer has ended.
fn encode(
    sheets: &Receiver<Scanned>,
    learnt: &Sender<Option<Apart>>,
    drafts: &SyncSender<Full>,
    told: &SyncSender<Rejected>,
    counts: &Counts,
) -> Option<Sections> {
    let mut encoder = Encoder::new();
    let mut chunks = 0;
    let mut draft = Box::new(Draft::new(ChunkId::new(0)?));
    for scanned in sheets {
        let sheet = match scanned {
            Scanned::Sheet(mut sheet) => {
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
            encoder.expect(&together);
            for line in &together {
                encoder.line(*line, &mut draft);
                if draft.is_full() {
                    chunks += 1;
                    counts
                        .records
                        .fetch_add(draft.rows() as u64, Ordering::Relaxed);
                    // There is an end to chunks, behind two terabytes of records.
                    let next = Box::new(Draft::new(ChunkId::new(chunks)?));
                    let mut full = std::mem::replace(&mut draft, next);
                    full.learnt = encoder.learnt();
                    drafts.send((full, encoder.words())).ok()?;
                    encoder.turn();
                }
            }
            lines += together.len() as u64;
        }
        let news = (encoder.apart().len() > known).then(|| encoder.apart().clone());
        // The scanner may have ended: there are no more blocks.
        let _ = learnt.send(news);
        counts.lines.fetch_add(lines, Ordering::Relaxed);
    }
    if draft.rows() > 0 {
        counts
            .records
            .fetch_add(draft.rows() as u64, Ordering::Relaxed);
        draft.learnt = encoder.learnt();
        drafts.send((draft, encoder.words())).ok()?;
    }
    told.send(encoder.rejects().clone()).ok()?;
    Some(encoder.sections())
}

/// Makes sections out of drafts.
#[derive(Debug)]
struct Sealer {
    writer: Writer,
    addresses: Runs<Address>,
    networks: Runs<SortedNetwork>,
    /// The numbers of clients of records that are about nothing that can be read, in the order of the file.
    loose: Runs<LooseRecord>,
    by_clients: clients_order::Builder,
    /// How many rows each chunk has.
    chunks: Vec<U32>,
    /// For each column what its tokens say.
    known: Vec<Facts>,
}

impl Sealer {
    fn begin(file: &Path) -> io::Result<Self> {
        let folder: PathBuf = file.parent().map(Path::to_owned).unwrap_or_default();
        let _ = fs::remove_file(file);
        Ok(Self {
            writer: Writer::create(file)?,
            addresses: Runs::create(&folder)?,
            networks: Runs::create(&folder)?,
            loose: Runs::create(&folder)?,
            by_clients: clients_order::Builder::create(&folder)?,
            chunks: Vec::new(),
            known: Vec::new(),
        })
    }

    /// The sealer's thread.
    fn seal_all(mut self, drafts: &Receiver<Full>) -> io::Result<Self> {
        let mut clients = vec![0; CHUNK];
        for (mut draft, words) in drafts {
            self.learn(std::mem::take(&mut draft.learnt));
            draft.sections(&words, &self.known, |kind, bytes| {
                self.writer.section(kind, bytes)
            })?;
            self.chunks.push(offset(draft.rows())?);
            draft.clients_of_rows(&mut clients);
            note_clients(&mut draft.addresses, &clients);
            note_clients(&mut draft.networks, &clients);
            note_clients(&mut draft.loose, &clients);
            self.addresses.push(&mut draft.addresses)?;
            self.networks.push(&mut draft.networks)?;
            self.loose.push(&mut draft.loose)?;
        }
        Ok(self)
    }

    fn learn(&mut self, learnt: Vec<Facts>) {
        self.known.resize_with(learnt.len(), Facts::default);
        for (known, learnt) in self.known.iter_mut().zip(learnt) {
            known.append(learnt);
        }
    }

    /// Writes what is searched across all records; gives the length of the file.
    fn finish(
        self,
        sections: &Sections,
        records: u64,
        tell: &mut dyn FnMut(u64, u64),
    ) -> io::Result<u64> {
        let Self {
            mut writer,
            addresses,
            networks,
            loose,
            mut by_clients,
            chunks,
            ..
        } = self;
        writer.section(kinds::CHUNKS, chunks.as_bytes())?;
        let all = addresses.count() + networks.count() + loose.count();
        let mut done = 0;
        let mut step = |clients| {
            by_clients.push(clients)?;
            done += 1;
            if done % PIECE as u64 == 0 || done == all {
                tell(done, all);
            }
            io::Result::Ok(())
        };
        write_subjects(&mut writer, addresses, networks, &mut step)?;
        write_loose(&mut writer, loose, &mut step)?;
        by_clients.finish(&mut writer)?;
        writer.section(kinds::SHAPES, &sections.shapes()?)?;
        for column in &sections.columns {
            writer.section(kinds::TOKENS, &column.tokens().section()?)?;
        }
        for field in kinds::fields() {
            let words = sections.words.of(field);
            writer.section(kinds::DICTIONARIES, &words.section()?)?;
        }
        // Parts are searched in this field only.
        let organizations = sections.words.of(Keyword::Org).folded()?;
        writer.section(kinds::FOLDED, &organizations)?;
        writer.finish(records)
    }
}

/// Notes the numbers of clients of a chunk's rows with what is sorted across chunks.
fn note_clients(entries: &mut [impl OfRow], clients: &[u64]) {
    for entry in entries {
        entry.set_clients(clients[usize::from(entry.row().within())]);
    }
}

/// A section that is written in pieces.
struct Pieces<T> {
    kind: u32,
    piece: Vec<T>,
}

impl<T: IntoBytes + zerocopy::Immutable> Pieces<T> {
    fn of(kind: u32) -> Self {
        Self {
            kind,
            piece: Vec::with_capacity(PIECE),
        }
    }

    fn push(&mut self, entry: T, writer: &mut Writer) -> io::Result<()> {
        self.piece.push(entry);
        if self.piece.len() == PIECE {
            self.write(writer)?;
        }
        Ok(())
    }

    /// Writes what is left, if anything is.
    fn write(&mut self, writer: &mut Writer) -> io::Result<()> {
        if !self.piece.is_empty() {
            writer.section(self.kind, self.piece.as_bytes())?;
            self.piece.clear();
        }
        Ok(())
    }
}

/// Writes addresses and networks, each in their order; `step` hears the number of clients of each record, in the order of all.
fn write_subjects(
    writer: &mut Writer,
    addresses: Runs<Address>,
    networks: Runs<SortedNetwork>,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut prefixes = prefixes::Writer::default();
    let (mut firsts, mut place, mut linker) = (Vec::new(), 0_usize, Linker::default());
    let mut lows = Pieces::<Low>::of(kinds::ADDRESSES);
    let mut written = Pieces::<Network>::of(kinds::NETWORKS);
    let (mut addresses, mut networks) = (addresses.merge()?, networks.merge()?);
    let (mut address, mut network) = (addresses.next()?, networks.next()?);
    loop {
        let address_first = match (&address, &network) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(address), Some(network)) => {
                network.network.comes_after(address.bits(), address.row())
            }
        };
        if let Some(own) = address.filter(|_| address_first) {
            prefixes.push(own.upper())?;
            lows.push(own.low(), writer)?;
            step(own.clients())?;
            address = addresses.next()?;
        } else if let Some(mut own) = network {
            linker.link(&mut own.network);
            if place.is_multiple_of(STRETCH) {
                firsts.extend_from_slice(&own.network.head());
            }
            place += 1;
            written.push(own.network, writer)?;
            step(own.clients())?;
            network = networks.next()?;
        }
    }
    lows.write(writer)?;
    writer.section(kinds::PREFIXES, prefixes.section())?;
    written.write(writer)?;
    writer.section(kinds::FIRSTS, &firsts)
}

/// Writes the records that are about nothing that can be read, in the order of the file.
fn write_loose(
    writer: &mut Writer,
    loose: Runs<LooseRecord>,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut written = Pieces::<LooseEntry>::of(kinds::LOOSE);
    let mut loose = loose.merge()?;
    while let Some(own) = loose.next()? {
        written.push(own.entry, writer)?;
        step(own.clients())?;
    }
    written.write(writer)
}
