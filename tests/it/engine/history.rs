//! The history of invented addresses, completed by queries: what a service that knows the truth is asked, and what is found.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    ops::Range,
    sync::{Arc, Mutex},
};

use fastrand::Rng;
use ipspect::{
    contract::Feed,
    engine::Spending,
    investigation::history::{
        Bisection, DayFinding, DaySource, History, UnknownDay, look_up_between,
    },
    model::{Day, Document},
    store::ReleasePlace,
};

use super::fixture::{Fixture, today};
use crate::fake::{Fake, answer};

const DAYS: usize = 60;

/// What is true of an address: a verdict a day, some of which come back. An operator by its letter, `p` a proxy without one, `n` a record
/// that names nothing, `-` no record.
fn truth(random: &mut Rng) -> Vec<char> {
    let (mut verdict, mut before, stay) = ('A', '-', random.usize(2..40));
    let days = (0..DAYS).map(|_| {
        if random.usize(0..stay) == 0 {
            let other = random.choice(['A', 'B', 'C', 'p', 'n', '-']);
            let other = other.filter(|_| random.bool()).unwrap_or(before);
            (before, verdict) = (verdict, other);
        }
        verdict
    });
    days.collect()
}

/// What is known of it: `?` is a day that is not local, `!` one that cannot be read.
fn known(truth: &[char], random: &mut Rng) -> Vec<char> {
    let (mut is_gap, stay) = (random.bool(), random.usize(2..16));
    let days = truth.iter().map(|c| {
        is_gap ^= random.usize(0..stay) == 0;
        match random.usize(0..20) {
            0 => '!',
            _ if is_gap => '?',
            _ => *c,
        }
    });
    days.collect()
}

/// What the service has of a past day: where the feeds have no record it has one that names nothing.
fn told(letter: char) -> char {
    if letter == '-' { 'n' } else { letter }
}

/// The record of a day.
fn record(address: &str, letter: char) -> String {
    let tunnels = match letter {
        'n' => "[]".to_owned(),
        'p' => r#"[{"type":"PROXY","anonymous":true}]"#.to_owned(),
        c => format!(r#"[{{"type":"VPN","operator":"{c}_VPN","anonymous":true}}]"#),
    };
    format!(r#"{{"ip":"{address}","tunnels":{tunnels}}}"#)
}

fn finding(address: &str, letter: char) -> DayFinding {
    match letter {
        '-' => DayFinding::Absent(DaySource::Feeds(ReleasePlace::Local)),
        '?' => DayFinding::Unknown(UnknownDay::NotAt(ReleasePlace::Local, Feed::Anonymous)),
        '!' => DayFinding::Unreadable,
        c => {
            let text = record(address, c);
            let document = Document::read(text.as_bytes()).expect("a record");
            DayFinding::of(&document, DaySource::Feeds(ReleasePlace::Local))
        }
    }
}

/// What the service knows, and what it was asked.
#[derive(Default)]
struct Oracle {
    address: String,
    days: BTreeMap<Day, char>,
    /// Days about which it cannot answer.
    failing: BTreeSet<Day>,
    asked: Vec<Day>,
}

impl Oracle {
    fn answer(&mut self, target: &str) -> Vec<u8> {
        let Some(rest) = target.strip_prefix("/v2/context/") else {
            return answer(404, "", b"{}");
        };
        let (address, day) = rest.split_once("?dt=").expect("a day");
        assert_eq!(address, self.address);
        let day: Day = day.parse().expect("a day");
        self.asked.push(day);
        match self.days[&day] {
            _ if self.failing.contains(&day) => answer(500, "", b""),
            c => answer(200, "", record(address, told(c)).as_bytes()),
        }
    }
}

/// Whether a stretch begins on each day that shows another letter than the known day before, and on no other; on how many of them the
/// verdict has changed.
fn changes_shown(letters: &[char], after: &History) -> usize {
    let days: Vec<(Day, &DayFinding)> = after.days().collect();
    let begin: BTreeSet<Day> = after
        .stretches()
        .iter()
        .map(|stretch| stretch.from)
        .collect();
    let pairs = days.windows(2).zip(letters.windows(2));
    let known = pairs.filter(|(days, _)| days.iter().all(|(_, finding)| finding.is_known()));
    let shown = known.filter(|(days, letters)| {
        let begins = begin.contains(&days[1].0);
        assert_eq!(begins, letters[0] != letters[1], "{}", days[1].0);
        told(letters[0]) != told(letters[1])
    });
    shown.count()
}

/// What was followed.
#[derive(Debug, Default)]
struct Followed {
    changes: usize,
    queries: usize,
    unknown_days: usize,
    /// Histories whose gaps have one change each, with all queries answered.
    whole: usize,
}

/// Follows some addresses of one home, the queries against the truth.
async fn follow(numbers: Range<u32>, random: &mut Rng) -> Followed {
    let oracle: Arc<Mutex<Oracle>> = Arc::default();
    let asked = Arc::clone(&oracle);
    let fake = Fake::answering(move |target| asked.lock().expect("it").answer(target));
    let fixture = Fixture::fake(fake, |settings| settings.lookup_retries = 0);
    let answers = &fixture.engine.answers;
    let first = today().plus(-70);
    let at = |day: Day| usize::try_from(day.days_since(first)).expect("a day of it");
    let mut all = Followed::default();
    for number in numbers {
        let address = std::net::Ipv4Addr::from(u32::from_be_bytes([198, 18, 0, 1]) + number);
        let text = address.to_string();
        let truth = truth(random);
        let letters = known(&truth, random);
        let shown: String = truth.iter().chain(&['\n']).chain(&letters).collect();
        let fails = random.usize(0..4) == 0;
        let days = (0..DAYS).map(|at| first.plus(i32::try_from(at).expect("small")));
        let days: Vec<Day> = days.collect();
        *oracle.lock().expect("it") = Oracle {
            address: text.clone(),
            days: days.iter().copied().zip(truth.iter().copied()).collect(),
            failing: days
                .iter()
                .copied()
                .filter(|_| fails && random.usize(0..5) == 0)
                .collect(),
            asked: Vec::new(),
        };
        let findings = letters.iter().map(|c| finding(&text, *c));
        let mut after = History {
            from: first,
            findings: findings.collect(),
        };
        let most = [0, 3, 8, u64::MAX][random.usize(0..4)];
        let (search, lost) = Bisection::plan(answers, address.into(), &after, most)
            .await
            .expect("a plan");
        let (announced, gaps) = (search.left(), search.gaps(&after));
        assert!(lost == 0 && announced <= most, "{shown}");
        let spending = Spending::at_most(announced);
        let end = look_up_between(answers, address.into(), &mut after, search, &spending).await;
        // What reached the service is no more than was announced, and no day twice.
        let asked = oracle.lock().expect("it").asked.clone();
        let different: BTreeSet<Day> = asked.iter().copied().collect();
        assert_eq!(different.len(), asked.len(), "{shown}");
        assert!(asked.len() as u64 <= announced, "{shown}");
        assert!(
            end.cost + end.possibly_spent <= asked.len() as u64,
            "{shown}"
        );
        all.queries += asked.len();
        // A day is known where it was or is answered, as it is in truth; each other one is unknown for its reason.
        let failing = oracle.lock().expect("it").failing.clone();
        let mut seen = letters.clone();
        for (day, day_finding) in after.days() {
            let is_asked = different.contains(&day);
            let letter = &mut seen[at(day)];
            if is_asked && !failing.contains(&day) {
                *letter = told(truth[at(day)]);
            }
            let expected = match finding(&text, *letter) {
                DayFinding::Unknown(_) if is_asked => DayFinding::Unknown(UnknownDay::NotAnswered),
                expected => expected,
            };
            assert!(
                day_finding.continues(&expected),
                "{day} {day_finding:?}\n{shown}"
            );
            all.unknown_days += usize::from(!day_finding.is_known());
        }
        all.changes += changes_shown(&seen, &after);
        // Where each gap has one change and all queries are answered, no change is left on unknown days.
        let is_single = |gap: &Vec<Day>| {
            let around = &truth[at(gap[0]) - 1..=at(gap[gap.len() - 1]) + 1];
            around
                .windows(2)
                .filter(|pair| told(pair[0]) != told(pair[1]))
                .count()
                == 1
        };
        if most == u64::MAX && !fails && gaps.iter().all(is_single) {
            all.whole += usize::from(!gaps.is_empty());
            let left = Bisection::new(&after, most, BTreeSet::new()).gaps(&after);
            assert_eq!(left, Vec::<Vec<Day>>::new(), "{shown}");
        }
    }
    all
}

/// Follows so many addresses. Each run reads the queries of its home, so a home has a hundred of them.
async fn follow_all(addresses: u32) {
    let mut random = Rng::with_seed(60);
    let mut all = Followed::default();
    for first in (0..addresses).step_by(100) {
        let more = follow(first..first + 100, &mut random).await;
        all.changes += more.changes;
        all.queries += more.queries;
        all.unknown_days += more.unknown_days;
        all.whole += more.whole;
    }
    writeln!(std::io::stderr(), "{all:?}").expect("a terminal");
    let least = usize::try_from(addresses).expect("small");
    let is_enough = all.changes > least && all.queries > least / 2 && all.unknown_days > least;
    assert!(is_enough && all.whole > least / 30, "{all:?}");
}

#[tokio::test]
async fn each_change_is_found_or_its_days_are_unknown_within_the_announced_cost() {
    follow_all(100).await;
}

#[tokio::test]
#[ignore = "minutes long: see CONTRIBUTING.md"]
async fn two_thousand_histories_are_true_within_the_announced_cost() {
    follow_all(2000).await;
}
