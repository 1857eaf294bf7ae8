//! A damaged index: noticed, or harmless; never a wrong answer.

use std::{collections::BTreeMap, fmt::Debug, fs, path::Path};

use fastrand::Rng;
use ipspect::{
    model::Keyword,
    store::{
        Filter, Index, RowId, StopFlag,
        index::{FacetBy, NotOpened, Order, QueryError, SortField},
    },
};

use xxhash_rust::xxh3::xxh3_64;

use super::{
    feeds::{Feed, generated},
    fixture::{FILE, Fixture},
    lines, oddities,
};

/// What is asked of rows.
const FILTERS: [&str; 11] = [
    "",
    "tag:ACME_VPN",
    "cc:NL,BE -infra:MOBILE",
    "org:carrier",
    "org:a,e -risk:TUNNEL",
    "clients>3",
    "net:198.51.100.0/24,2001:db8::/32",
    "attributed:yes",
    "asn:64500",
    "entry:198.51.100.70",
    "-service:OPENVPN -type:VPN -behavior:FILE_SHARING -proxy:X_PROXY -device:MOBILE",
];

/// A small feed with something of everything.
fn feed() -> Feed {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for feed in generated() {
        for number in 0..6 {
            let mut line = Vec::new();
            feed.line(number, &mut line);
            line.pop();
            lines.push(line);
        }
    }
    lines.extend(oddities::all_short());
    for network in lines::NETWORKS {
        let line = format!(
            "{{\"network\":\"{network}\",\"organization\":\"Example Carrier\",\"asn\":64500}}"
        );
        lines.push(line.into_bytes());
    }
    Feed::plain(lines)
}

/// One answer, in words; or that there is none because of the damage.
type Answer = Result<String, QueryError>;

/// The answers to questions that read every part of an index, by question.
#[derive(Debug, Default)]
struct Answers(BTreeMap<String, Answer>);

impl Answers {
    fn of(index: &Index) -> Self {
        let mut answers = Self::default();
        for row in (0..).map(RowId).take(index.records().min(1000) as usize) {
            let mut line = Vec::new();
            answers.note(
                format!("line {row:?}"),
                index.line(row, &mut line).map(|()| line),
            );
            answers.note(format!("subject {row:?}"), index.subject(row));
            let mut flat = String::new();
            let read = index.flats().and_then(|flats| {
                let show = |row: &ipspect::store::index::ExportRow<'_>| {
                    flat = format!("{row:?}");
                    Ok(())
                };
                flats.each(&[row], |odd| odd, show)
            });
            answers.note(format!("flat {row:?}"), read.map(|()| flat));
        }
        let networks = lines::NETWORKS.iter().map(|text| text.parse().expect(text));
        for network in networks.chain([generated()[1].network(3).into()]) {
            answers.note(format!("covering {network}"), index.covering(network));
        }
        let subjects: Result<Vec<_>, _> = index.subjects().collect();
        answers.note("subjects".to_owned(), subjects);
        for filter in FILTERS {
            answers.ask(index, filter);
        }
        answers
    }

    fn ask(&mut self, index: &Index, text: &str) {
        let stop = StopFlag::default();
        let filter: Filter = text.parse().expect(text);
        let selection = index.select(&filter, &stop);
        let rows = selection.as_ref().map(|all| all.rows().collect::<Vec<_>>());
        self.note(format!("select {text}"), rows.map_err(Clone::clone));
        let Ok(selection) = selection else { return };
        self.note(
            format!("busiest {text}"),
            index.busiest(&selection, 20, &stop),
        );
        self.note(
            format!("by address {text}"),
            index.by_address(&selection, &stop),
        );
        let by = |by| Order::Field {
            by,
            descending: false,
        };
        for order in [
            Order::File,
            Order::Address,
            Order::Clients,
            Order::ClientsAscending,
            by(SortField::Words(Keyword::Asn)),
            by(SortField::Path("location.city")),
        ] {
            let ordered = index.ordered(&selection, order, &stop);
            let page = ordered.and_then(|ordered| ordered.page(index, 0..50, &stop));
            if let (Ok(ordered), Some(row)) = (
                index.ordered(&selection, order, &stop),
                page.as_ref().ok().and_then(|rows| rows.last()),
            ) {
                let position = ordered.position(index, *row, &stop);
                self.note(format!("position {order:?} {text}"), position);
            }
            self.note(format!("{order:?} {text}"), page);
        }
        let fields = [Keyword::Tag, Keyword::Asn, Keyword::Entry].map(FacetBy::Keyword);
        let city = FacetBy::Path("location.city".to_owned());
        for by in fields.into_iter().chain([city]) {
            self.note(
                format!("{by:?} {text}"),
                index.facets(&selection, &by, &stop),
            );
        }
    }

    fn note<T: Debug>(&mut self, question: String, answer: Result<T, QueryError>) {
        self.0
            .insert(question, answer.map(|answer| format!("{answer:?}")));
    }

    /// Each answer is the right one or none.
    #[track_caller]
    fn agree(&self, right: &Self, damage: &str) {
        for (question, answer) in &self.0 {
            match answer {
                Err(why @ (QueryError::Stopped | QueryError::TooMany(..))) => {
                    panic!("{damage}: {question}: {why}")
                }
                Err(QueryError::Damaged(_)) => {}
                Ok(_) => assert_eq!(right.0.get(question), Some(answer), "{damage}: {question}"),
            }
        }
    }
}

/// Opens an index of these bytes, and asks it everything.
#[track_caller]
fn is_noticed_or_harmless(bytes: &[u8], right: &Answers, dir: &Path, damage: &str) {
    let file = dir.join("damaged");
    // A mapped file is replaced, never written over.
    let _ = fs::remove_file(&file);
    fs::write(&file, bytes).expect("room");
    let Ok(index) = Index::open(&file) else {
        return;
    };
    let answers = Answers::of(&index);
    answers.agree(right, damage);
    if index.check(&StopFlag::default()).is_ok() {
        let silent = answers.0.values().all(Result::is_ok);
        assert!(
            silent,
            "{damage}: found by a question, and not by the check"
        );
    }
}

/// Flips a bit at so many places, and cuts the file off before them.
#[track_caller]
fn flips_and_cuts(times: usize) {
    let fixture = Fixture::of(&feed());
    let right = Answers::of(&fixture.index);
    assert!(right.0.values().all(Result::is_ok), "{right:?}");
    let bytes = fs::read(fixture.dir.path().join(FILE)).expect("the index");
    let mut rng = Rng::with_seed(11);
    for at in places(&bytes, times, &mut rng) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << rng.u8(..8);
        let damage = format!("byte {at} of {} is {}", bytes.len(), flipped[at]);
        is_noticed_or_harmless(&flipped, &right, fixture.dir.path(), &damage);
        let cut = fixture.dir.path().join("cut");
        let _ = fs::remove_file(&cut);
        fs::write(&cut, &bytes[..at]).expect("room");
        let opened = Index::open(&cut);
        assert!(opened.is_err(), "{at} of {} bytes", bytes.len());
    }
}

/// Places all over a file. Long runs of one number are most of a small index: few places lie in them.
fn places(bytes: &[u8], times: usize, rng: &mut Rng) -> Vec<usize> {
    let is_run = |at: &usize| *at >= 4 && bytes[*at] == bytes[*at - 4];
    let (runs, others): (Vec<usize>, Vec<usize>) = (0..bytes.len()).partition(is_run);
    let mut places = Vec::new();
    for (from, times) in [(runs, times / 8), (others, times)] {
        let step = (from.len() / times.max(1)).max(1);
        places.extend(from[rng.usize(..step)..].iter().step_by(step));
    }
    places
}

#[test]
fn flipped_bits_and_lost_ends_never_give_a_wrong_answer() {
    flips_and_cuts(80);
}

#[test]
#[ignore = "long: see the head of tests/it/index.rs"]
fn no_flipped_bit_gives_a_wrong_answer() {
    flips_and_cuts(20_000);
}

/// A section as the directory names it.
#[derive(Clone, Copy)]
struct Section {
    /// Where its entry is in the file.
    entry: usize,
    offset: usize,
    length: usize,
}

fn number(bytes: &[u8], at: usize) -> usize {
    let bytes = bytes[at..at + 8].try_into().expect("eight bytes");
    usize::try_from(u64::from_le_bytes(bytes)).expect("small")
}

fn sections(bytes: &[u8]) -> Vec<Section> {
    let end = bytes.len() - 32;
    let entries = (number(bytes, end + 8)..end).step_by(32);
    let section = |entry| Section {
        entry,
        offset: number(bytes, entry + 8),
        length: number(bytes, entry + 16),
    };
    entries.map(section).collect()
}

/// Gives every checksum of a file what it is of, as somebody would who means to do harm.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    for Section {
        entry,
        offset,
        length,
    } in sections(&bytes)
    {
        if let Some(section) = offset
            .checked_add(length)
            .and_then(|end| bytes.get(offset..end))
        {
            let hash = xxh3_64(section).to_le_bytes();
            bytes[entry + 24..entry + 32].copy_from_slice(&hash);
        }
    }
    let end = bytes.len() - 32;
    let directory = xxh3_64(&bytes[number(&bytes, end + 8)..end]);
    let hash = directory ^ xxh3_64(&bytes[end..end + 8]);
    bytes[end + 16..end + 24].copy_from_slice(&hash.to_le_bytes());
    bytes
}

/// Changes a number, a length or a few bytes of a section, and gives every checksum what it is of.
fn crafted(bytes: &[u8], rng: &mut Rng) -> (Vec<u8>, String) {
    let mut crafted = bytes.to_vec();
    let all = sections(bytes);
    let at = rng.usize(..all.len());
    let section = all[at];
    let kind = u32::from_le_bytes(
        bytes[section.entry..section.entry + 4]
            .try_into()
            .expect("four"),
    );
    let step = if rng.bool() { 4 } else { 1 };
    let place = section.offset + rng.usize(..section.length.max(1)) / step * step;
    let what = match rng.u8(..10) {
        0 => {
            let length = rng.usize(..=section.length) as u64;
            crafted[section.entry + 16..section.entry + 24].copy_from_slice(&length.to_le_bytes());
            format!("is {length} bytes long")
        }
        1 => {
            let other = all[rng.usize(..all.len())].entry;
            crafted.copy_within(other + 8..other + 24, section.entry + 8);
            "is another section".to_owned()
        }
        2 => {
            let records = rng.choice([0, 1, 70_000, u64::from(u32::MAX), u64::MAX]);
            let end = bytes.len() - 32;
            let records = records.expect("one").to_le_bytes();
            crafted[end..end + 8].copy_from_slice(&records);
            format!("has {records:?} records")
        }
        3..8 if section.length >= 4 => {
            let place = place.min(section.offset + section.length - 4);
            let near = u32::from_le_bytes(crafted[place..place + 4].try_into().expect("four"));
            let numbers = [
                0,
                1,
                near.wrapping_add(1),
                near.wrapping_sub(1),
                65_536,
                70_000,
                1 << 31,
                u32::MAX,
            ];
            let number = rng.choice(numbers).expect("one");
            crafted[place..place + 4].copy_from_slice(&number.to_le_bytes());
            format!("has {number} at {}", place - section.offset)
        }
        _ if section.length > 0 => {
            let end = (place + rng.usize(1..9)).min(section.offset + section.length);
            crafted[place..end]
                .iter_mut()
                .for_each(|byte| *byte = rng.u8(..));
            format!("has other bytes at {}", place - section.offset)
        }
        _ => "is as it was".to_owned(),
    };
    (
        sealed(crafted),
        format!("section {at} of kind {kind} {what}"),
    )
}

/// Asks files whose checksums are right and whose numbers are not: whatever the answers, each question ends with one.
fn crafted_files_are_read(times: usize, seed: u64) {
    let fixture = Fixture::of(&feed());
    let bytes = fs::read(fixture.dir.path().join(FILE)).expect("the index");
    let whole = sealed(bytes.clone());
    assert_eq!(whole, bytes, "the documentation of the file is right");
    let mut rng = Rng::with_seed(seed);
    let mut noticed = 0;
    for _ in 0..times {
        let (crafted, what) = crafted(&bytes, &mut rng);
        let file = fixture.dir.path().join("crafted");
        let _ = fs::remove_file(&file);
        fs::write(&file, &crafted).expect("room");
        let asked = std::panic::catch_unwind(|| match Index::open(&file) {
            Err(_) => true,
            Ok(index) => Answers::of(&index).0.values().any(Result::is_err),
        });
        noticed += usize::from(asked.expect(&what));
    }
    assert!(noticed > times / 4, "{noticed} of {times}");
}

#[test]
fn crafted_files_are_refused_or_read_without_a_panic() {
    crafted_files_are_read(150, fastrand::u64(..));
}

#[test]
#[ignore = "long: see the head of tests/it/index.rs"]
fn many_crafted_files_are_refused_or_read_without_a_panic() {
    crafted_files_are_read(20_000, 12);
}

#[test]
fn a_chunk_of_more_rows_than_there_can_be_is_refused() {
    let fixture = Fixture::of(&feed());
    let bytes = fs::read(fixture.dir.path().join(FILE)).expect("the index");
    let mut crafted = bytes.clone();
    let chunks = sections(&bytes)
        .into_iter()
        .find(|section| bytes[section.entry..section.entry + 4] == [0; 4])
        .expect("chunks");
    let end = bytes.len() - 32;
    crafted[chunks.offset..chunks.offset + 4].copy_from_slice(&70_000_u32.to_le_bytes());
    crafted[end..end + 8].copy_from_slice(&70_000_u64.to_le_bytes());
    let file = fixture.dir.path().join("crafted");
    fs::write(&file, sealed(crafted)).expect("room");
    assert!(matches!(Index::open(&file), Err(NotOpened::Unfit(_))));
}
