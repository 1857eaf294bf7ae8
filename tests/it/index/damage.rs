//! A damaged index: noticed, or harmless; never a wrong answer.

use std::{collections::BTreeMap, fmt::Debug, fs, path::Path};

use fastrand::Rng;
use ipspect::{
    model::Keyword,
    store::{
        Filter, Index, Row, Stop,
        index::{FacetBy, NoAnswer},
    },
};

use super::{
    feeds::{Feed, generated},
    lines, oddities,
    stand::{FILE, Stand},
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
type Answer = Result<String, NoAnswer>;

/// The answers to questions that read every part of an index, by question.
#[derive(Debug, Default)]
struct Answers(BTreeMap<String, Answer>);

impl Answers {
    fn of(index: &Index) -> Self {
        let mut answers = Self::default();
        for row in (0..).map(Row).take(index.records().min(1000) as usize) {
            let mut line = Vec::new();
            answers.note(
                format!("line {row:?}"),
                index.line(row, &mut line).map(|()| line),
            );
            answers.note(format!("subject {row:?}"), index.subject(row));
            let mut flat = String::new();
            let read = index.flats().and_then(|flats| {
                let show = |own: &ipspect::store::index::Flat<'_>| {
                    flat = format!("{own:?}");
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
        let stop = Stop::default();
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
        let fields = [Keyword::Tag, Keyword::Asn, Keyword::Entry].map(FacetBy::Keyword);
        let city = FacetBy::Path("location.city".to_owned());
        for by in fields.into_iter().chain([city]) {
            self.note(
                format!("{by:?} {text}"),
                index.facets(&selection, &by, &stop),
            );
        }
    }

    fn note<T: Debug>(&mut self, question: String, answer: Result<T, NoAnswer>) {
        self.0
            .insert(question, answer.map(|answer| format!("{answer:?}")));
    }

    /// Each answer is the right one or none.
    #[track_caller]
    fn agree(&self, right: &Self, damage: &str) {
        for (question, answer) in &self.0 {
            match answer {
                Err(NoAnswer::Stopped) => panic!("{damage}: {question} was stopped"),
                Err(NoAnswer::Damaged(_)) => {}
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
    if index.check(&Stop::default()).is_ok() {
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
    let stand = Stand::of(&feed());
    let right = Answers::of(&stand.index);
    assert!(right.0.values().all(Result::is_ok), "{right:?}");
    let bytes = fs::read(stand.dir.path().join(FILE)).expect("the index");
    let mut rng = Rng::with_seed(11);
    for at in places(&bytes, times, &mut rng) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << rng.u8(..8);
        let damage = format!("byte {at} of {} is {}", bytes.len(), flipped[at]);
        is_noticed_or_harmless(&flipped, &right, stand.dir.path(), &damage);
        let cut = stand.dir.path().join("cut");
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
