//! Reads texts in order on a separate thread and sends their addresses in batches.
//!
//! On a thread, since a read may block until the writer continues; an interrupted run ends without waiting for it.

use std::{
    collections::{HashSet, VecDeque},
    io,
};

use futures_util::{Stream, stream};
use tokio::sync::mpsc;

use super::{beginning::TextBeginning, patience::Patience};
use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
        text::InputText,
    },
    engine::{Engine, Error, LocalAnswers, OpenDay, Result, enrich::WantedLines},
    investigation::{
        earlier_run::AddressOfDay,
        gather::{FoundAddress, GatherFailure, Gatherer, Gathering, TextTotals},
    },
    model::Admission,
    store::threads,
};

const BATCH: usize = 2048;
/// The same where queries are spent: answers that were paid for are printed soon.
const HELD_BATCH: usize = 64;
/// The capacity of the channel, in batches.
const WAITING: usize = 4;

/// A step of reading a text.
#[derive(Debug)]
pub(super) enum ReadStep<T> {
    /// The next new addresses, in the order of the text.
    Batch(T),
    /// A text that could not be read, or not to its end; the next one follows.
    Failed(InputText, Error),
    End(TextTotals),
}

/// A text that is being read, or was read.
pub(super) struct AddressReader<'a> {
    steps: ReadSteps,
    /// Those that were waited for before they were wanted.
    ahead: VecDeque<ReadStep<Vec<FoundAddress>>>,
    /// The addresses that are passed over, each with its day if it comes once for each.
    done: HashSet<AddressOfDay>,
    /// What is said where the first step does not come soon.
    patience: Option<Patience<'a>>,
}

#[derive(Debug)]
enum ReadSteps {
    Coming(mpsc::Receiver<ReadStep<Vec<FoundAddress>>>),
    Held(VecDeque<ReadStep<Vec<FoundAddress>>>),
}

impl<'a> AddressReader<'a> {
    /// Begins to read. If occurrences are counted, no batch is sent before the end of the last text, when all are known.
    ///
    /// # Errors
    /// [`threads::NoThread`].
    pub(super) fn start(
        texts: Vec<InputText>,
        beginning: TextBeginning,
        admission: Admission,
        gathering: Gathering,
    ) -> io::Result<Self> {
        let (tell, heard) = mpsc::channel(WAITING);
        threads::start("reader", move || {
            let counts = gathering.counts;
            let mut gatherer = Gatherer::new(admission, gathering);
            let hear = |batch| {
                beginning.hand_over();
                tell.blocking_send(ReadStep::Batch(batch)).is_ok()
            };
            let mut all = Vec::new();
            // The receiver may be gone, here and at the end.
            let mut fail = |text: &InputText, error| {
                let _ = tell.blocking_send(ReadStep::Failed(text.clone(), error));
            };
            let totals = if counts {
                let mut keep = |batch| {
                    all.extend(batch);
                    !tell.is_closed()
                };
                // A part of a text would look like all of it.
                if !read_all(&texts, &beginning, &mut gatherer, &mut keep, &mut fail) {
                    all.clear();
                }
                hand_over_counted(all, gatherer, hear)
            } else {
                read_all(&texts, &beginning, &mut gatherer, &mut { hear }, &mut fail);
                gatherer.end(Vec::new()).0
            };
            let _ = tell.blocking_send(ReadStep::End(totals));
        })?;
        Ok(Self {
            steps: ReadSteps::Coming(heard),
            ahead: VecDeque::new(),
            done: HashSet::new(),
            patience: None,
        })
    }

    /// The same without these addresses.
    pub(super) fn without(self, done: HashSet<AddressOfDay>) -> Self {
        Self { done, ..self }
    }

    /// The same with a word where the first step does not come soon.
    pub(super) fn patient(self, patience: Option<Patience<'a>>) -> Self {
        Self { patience, ..self }
    }

    /// A text that was read, with these addresses.
    pub(super) fn held(found: Vec<FoundAddress>, totals: TextTotals, spends: bool) -> Self {
        let mut found = found.into_iter();
        let size = if spends { HELD_BATCH } else { BATCH };
        let batches = std::iter::from_fn(|| {
            let batch: Vec<_> = found.by_ref().take(size).collect();
            (!batch.is_empty()).then_some(ReadStep::Batch(batch))
        });
        let steps = batches.chain([ReadStep::End(totals)]);
        Self {
            steps: ReadSteps::Held(steps.collect()),
            ahead: VecDeque::new(),
            done: HashSet::new(),
            patience: None,
        }
    }

    /// Waits until so many bytes of the beginning of the texts are read, or all texts.
    pub(super) async fn read_ahead(&mut self, beginning: &TextBeginning, bytes: usize) {
        while beginning.length() < bytes
            && let Some(step) = self.step().await
        {
            self.ahead.push_back(step);
        }
    }

    async fn step(&mut self) -> Option<ReadStep<Vec<FoundAddress>>> {
        match &mut self.steps {
            ReadSteps::Coming(steps) => match self.patience.take() {
                Some(patience) => patience.until(steps.recv()).await,
                None => steps.recv().await,
            },
            ReadSteps::Held(steps) => steps.pop_front(),
        }
    }

    /// The next step; `None` after the end.
    pub(super) async fn next(&mut self) -> Option<ReadStep<Vec<FoundAddress>>> {
        let mut step = match self.ahead.pop_front() {
            Some(step) => step,
            None => self.step().await?,
        };
        if let ReadStep::Batch(batch) = &mut step
            && !self.done.is_empty()
        {
            batch.retain(|address| !self.done.contains(&(address.address, address.day)));
        }
        Some(step)
    }
}

/// Hands over all addresses, each with its occurrences.
fn hand_over_counted(
    all: Vec<FoundAddress>,
    gatherer: Gatherer,
    mut hand_over: impl FnMut(Vec<FoundAddress>) -> bool,
) -> TextTotals {
    let (totals, mut counted) = gatherer.end(all);
    loop {
        let batch: Vec<FoundAddress> = counted.by_ref().take(BATCH).collect();
        if batch.is_empty() || !hand_over(batch) {
            return totals;
        }
    }
}

/// Reads all texts, until the receiver is gone; returns whether all addresses had room. No address spans two texts.
fn read_all(
    texts: &[InputText],
    beginning: &TextBeginning,
    gatherer: &mut Gatherer,
    hand_over: &mut impl FnMut(Vec<FoundAddress>) -> bool,
    fail: &mut impl FnMut(&InputText, Error),
) -> bool {
    for (number, text) in texts.iter().enumerate() {
        let opened = match text.open() {
            Ok(opened) => beginning.of(opened),
            Err(error) => {
                fail(text, error);
                continue;
            }
        };
        match gatherer.read_to_end(opened, number, BATCH, hand_over) {
            Ok(true) => {}
            Ok(false) => return true,
            Err(failure) => {
                let has_room = !matches!(failure, GatherFailure::NoRoom { .. });
                fail(text, text.not_gathered(&failure));
                if !has_room {
                    return false;
                }
            }
        }
    }
    true
}

/// The answers, batch by batch, and what the text held in all.
pub(super) fn answers<'a>(
    engine: &'a Engine,
    opened: &'a [OpenDay],
    reader: AddressReader<'a>,
    wanted: WantedLines,
) -> impl Stream<Item = Result<ReadStep<(Vec<FoundAddress>, LocalAnswers)>>> + 'a {
    stream::unfold(
        (reader, Vec::new()),
        move |(mut reader, mut rest): (AddressReader<'a>, Vec<FoundAddress>)| async move {
            let step = if rest.is_empty() {
                reader.next().await?
            } else {
                ReadStep::Batch(std::mem::take(&mut rest))
            };
            let mut batch = match step {
                ReadStep::Batch(batch) => batch,
                ReadStep::Failed(text, error) => {
                    return Some((Ok(ReadStep::Failed(text, error)), (reader, rest)));
                }
                ReadStep::End(totals) => return Some((Ok(ReadStep::End(totals)), (reader, rest))),
            };
            let addresses = batch.iter().map(|found| found.address).collect();
            let answers = &engine.answers;
            let answers = answers.answer_locally(opened, addresses, wanted).await;
            let part = answers.map(|answers| {
                rest = batch.split_off(answers.addresses().len());
                ReadStep::Batch((batch, answers))
            });
            Some((part, (reader, rest)))
        },
    )
}

/// How many of the texts of a run were read, and what kept the others from it.
pub(super) struct TextOutcomes<'a> {
    texts: usize,
    failures: usize,
    tally: ExitTally,
    console: &'a Console,
}

impl<'a> TextOutcomes<'a> {
    pub(super) fn of(texts: &[InputText], console: &'a Console) -> Self {
        Self {
            texts: texts.len(),
            failures: 0,
            tally: ExitTally::default(),
            console,
        }
    }

    /// The texts that can be read; the others are reported.
    pub(super) fn readable(&mut self, given: Vec<InputText>) -> CommandResult<Vec<InputText>> {
        let mut texts = Vec::new();
        for text in given {
            match text.check() {
                Ok(()) => texts.push(text),
                Err(error) => self.failed(&text, &error)?,
            }
        }
        Ok(texts)
    }

    /// Reports a text that could not be read to its end.
    pub(super) fn failed(&mut self, text: &InputText, error: &Error) -> CommandResult<()> {
        self.failures += 1;
        self.tally.failed(error.kind);
        self.console.failure(Some(&text.name()), error)
    }

    pub(super) fn any_was_read(&self) -> bool {
        self.failures < self.texts
    }

    pub(super) fn exit(mut self) -> Exit {
        if self.any_was_read() {
            self.tally.done();
        }
        self.tally.exit()
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read, net::IpAddr};

    use super::*;
    use crate::investigation::gather::Room;

    /// Gives a text in pieces of this size.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            let (piece, rest) = self.0.split_at(count);
            into[..count].copy_from_slice(piece);
            self.0 = rest;
            Ok(count)
        }
    }

    fn gatherer() -> Gatherer {
        let block = "198.18.0.0/15".parse().expect("block");
        let gathering = Gathering {
            counts: true,
            ..Gathering::default()
        };
        Gatherer::new(Admission::with(vec![block]), gathering)
    }

    /// The addresses, each with its number and first line, and what was found in all.
    fn addresses_of(text: &[u8], size: usize) -> (Vec<(IpAddr, u64, u64)>, TextTotals) {
        let mut gatherer = gatherer();
        let mut all = Vec::new();
        let mut take = |batch: Vec<FoundAddress>| {
            assert!(!batch.is_empty() && batch.len() <= BATCH);
            all.extend(batch);
            true
        };
        let read = gatherer.read_to_end(Pieces(text, size), 0, BATCH, &mut take);
        assert!(read.expect("read"));
        let mut counted = Vec::new();
        let totals = hand_over_counted(all, gatherer, |batch| {
            counted.extend(batch.into_iter().map(|found| {
                let (seen, _) = *found.seen.expect("counted");
                (found.address, seen.count, seen.first_line)
            }));
            true
        });
        (counted, totals)
    }

    #[test]
    fn pieces_make_no_difference() {
        let line = |host: u32| {
            format!(
                "a 198.18.{}.{}\tx 10.0.0.1\n",
                host % 7000 / 256,
                host % 256
            )
        };
        let text: String = (0..9000).map(line).collect();
        let whole = addresses_of(text.as_bytes(), usize::MAX);
        assert!(
            whole.0.len() > 2 * BATCH && whole.1.found == 18_000,
            "{:?}",
            whole.1
        );
        let (_, count, first_line) = whole.0[1];
        assert_eq!((count, first_line), (2, 2));
        for size in [1, 7, 4096] {
            assert_eq!(addresses_of(text.as_bytes(), size), whole, "{size}");
        }
    }

    #[test]
    fn a_text_without_lines_is_cut_between_addresses() {
        let text = "198.18.0.7,".repeat(300_000);
        let (addresses, totals) = addresses_of(text.as_bytes(), 100_003);
        assert_eq!(
            (addresses.len(), totals.found, totals.unique()),
            (1, 300_000, 1)
        );
        let blob = "x".repeat(3 << 20);
        assert_eq!(
            addresses_of(blob.as_bytes(), usize::MAX).1,
            TextTotals::default()
        );
    }

    #[test]
    fn reading_ends_when_nobody_listens() {
        let mut gatherer = gatherer();
        let endless = io::repeat(b'\n').chain(io::empty());
        let text = b"198.18.0.7\n".chain(endless);
        assert!(gatherer.read_to_end(text, 0, BATCH, &mut |_| false).is_ok());
    }

    /// A part of a text would look like all of it.
    #[tokio::test]
    async fn of_a_text_without_room_nothing_is_answered() {
        let dir = tempfile::tempdir().expect("folder");
        let path = dir.path().join("log");
        let line = |host: u32| format!("198.18.{}.{} user=u{host}\n", host / 256, host % 256);
        let text: String = (0..60_000).map(line).collect();
        std::fs::write(&path, text).expect("write");
        let block = "198.18.0.0/15".parse().expect("block");
        for counts in [true, false] {
            let gathering = Gathering {
                counts,
                room: Room::in_mebibytes(65),
                ..Gathering::default()
            };
            let texts = vec![InputText::File(path.clone())];
            let admission = Admission::with(vec![block]);
            let mut reader =
                AddressReader::start(texts, TextBeginning::default(), admission, gathering)
                    .expect("a thread");
            let (mut handed_over, mut failures) = (0, Vec::new());
            while let Some(step) = reader.next().await {
                match step {
                    ReadStep::Batch(batch) => handed_over += batch.len(),
                    ReadStep::Failed(_, error) => failures.push(error),
                    ReadStep::End(_) => {}
                }
            }
            let [failure] = &failures[..] else {
                panic!("{failures:?}");
            };
            let said = failure.to_string();
            assert!(said.contains("do not fit into 65 MiB"), "{said}");
            let hint = failure.hint.as_deref().unwrap_or_default();
            assert!(hint.contains("--memory 260"), "{hint}");
            assert_eq!(handed_over == 0, counts, "{handed_over}");
        }
    }
}
