use std::fs;

use super::*;
use crate::engine::Kind;

fn owner(profile: &str) -> EntryOwner {
    EntryOwner {
        profile: profile.to_owned(),
        service: "https://context.example".to_owned(),
    }
}

fn ledger(dir: &tempfile::TempDir, profile: &str) -> Ledger {
    let ledger = Ledger::new(dir.path(), owner(profile));
    ledger.use_token(Some("digest-a".to_owned()));
    ledger
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).expect("time")
}

fn spent(second: i64, surely: u32, possibly: u32, balance: Option<u64>) -> Spent {
    Spent {
        at: at(second),
        surely,
        possibly,
        balance,
        work: None,
        is_total: false,
    }
}

fn intent() -> LedgerIntent {
    LedgerIntent::about("question".to_owned())
}

fn spend(ledger: &Ledger, outcome: &Spent) {
    let intent = intent();
    ledger.intend(&intent, outcome.at, 1).expect("intent");
    ledger.settle(&intent, outcome, true).expect("outcome");
}

impl Ledger {
    fn lines(&self) -> Result<Vec<Spent>> {
        self.statement().map(|statement| statement.spent)
    }
}

fn sum(ledger: &Ledger) -> (u32, u32) {
    let lines = ledger.lines().expect("ledger");
    let add = |(surely, possibly), line: &Spent| (surely + line.surely, possibly + line.possibly);
    lines.iter().fold((0, 0), add)
}

#[test]
fn an_outcome_takes_the_place_of_its_intents() {
    let dir = tempfile::tempdir().expect("directory");
    let ledger = ledger(&dir, "default");
    spend(&ledger, &spent(1, 1, 0, Some(7)));
    let tried_twice = intent();
    ledger.intend(&tried_twice, at(2), 1).expect("intent");
    ledger.intend(&tried_twice, at(3), 1).expect("intent");
    assert_eq!(sum(&ledger), (1, 2), "both tries may have been counted");
    ledger
        .settle(&tried_twice, &spent(4, 1, 1, None), true)
        .expect("outcome");
    let refused = intent();
    ledger.intend(&refused, at(5), 1).expect("intent");
    ledger
        .settle(&refused, &spent(5, 0, 0, None), true)
        .expect("outcome");
    assert_eq!(
        ledger.lines(),
        Ok(vec![spent(1, 1, 0, Some(7)), spent(4, 1, 1, None)])
    );
}

#[test]
fn a_query_whose_outcome_is_missing_is_possibly_spent() {
    let dir = tempfile::tempdir().expect("directory");
    let first = ledger(&dir, "default");
    first.intend(&intent(), at(1), 1).expect("intent");
    // The process was killed here.
    assert_eq!(
        ledger(&dir, "default").lines(),
        Ok(vec![spent(1, 0, 1, None)])
    );
}

#[test]
fn profiles_and_tokens_stay_apart() {
    let dir = tempfile::tempdir().expect("directory");
    let own = ledger(&dir, "default");
    spend(&own, &spent(1, 1, 0, Some(900)));
    let other = ledger(&dir, "work");
    spend(&other, &spent(2, 1, 0, Some(5)));
    own.use_token(Some("digest-b".to_owned()));
    // The query was spent here; the balance was that of another token.
    assert_eq!(own.lines(), Ok(vec![spent(1, 1, 0, None)]));
    own.use_token(None);
    assert_eq!(own.lines(), Ok(vec![spent(1, 1, 0, None)]));
    assert_eq!(other.lines(), Ok(vec![spent(2, 1, 0, Some(5))]));
}

#[test]
fn lines_of_another_key_are_counted_and_told() {
    let dir = tempfile::tempdir().expect("directory");
    let ledger = ledger(&dir, "default");
    ledger.use_token(Some("0a.1".to_owned()));
    spend(&ledger, &spent(1, 1, 0, Some(900)));
    ledger.use_token(Some("0b.1".to_owned()));
    assert_eq!(ledger.statement().expect("another token").faults(), [""; 0]);
    ledger.use_token(Some("0a.2".to_owned()));
    let statement = ledger.statement().expect("another key");
    assert_eq!(statement.other_keys, 2, "intent and outcome");
    let [fault] = statement.faults().try_into().expect("one fault");
    assert!(fault.starts_with("2 lines were written before"), "{fault}");
}

#[test]
fn damaged_lines_are_counted_and_swallow_none() {
    let dir = tempfile::tempdir().expect("directory");
    let ledger = ledger(&dir, "default");
    spend(&ledger, &spent(1, 1, 0, None));
    let path = dir.path().join("ledger");
    let whole = fs::read_to_string(&path).expect("ledger");
    fs::write(&path, format!("{whole}{{\"kind\":\"outc")).expect("write");
    spend(&ledger, &spent(2, 1, 0, None));
    let account = ledger.statement().expect("account");
    assert_eq!((sum(&ledger), account.set_aside.damaged), ((2, 0), 1));
    fs::write(&path, whole.replace("\"spent\":1", "\"spent\":0")).expect("write");
    let account = ledger.statement().expect("account");
    // The intent stays.
    assert_eq!((sum(&ledger), account.set_aside.damaged), ((0, 1), 1));
}

#[test]
fn a_ledger_that_cannot_be_written_is_an_error() {
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("file");
    fs::write(&file, "x").expect("write");
    let ledger = Ledger::new(&file, owner("default"));
    let error = ledger.intend(&intent(), at(1), 1).expect_err("no folder");
    assert_eq!(error.kind, Kind::Machine);
    assert!(error.message.contains("no query was sent"), "{error}");
    let linked = tempfile::tempdir().expect("directory");
    std::os::unix::fs::symlink(&file, linked.path().join("ledger")).expect("link");
    let ledger = Ledger::new(linked.path(), owner("default"));
    assert!(ledger.intend(&intent(), at(1), 1).is_err());
    assert_eq!(fs::read(&file).expect("as before"), b"x");
}

#[test]
fn adding_up_keeps_every_query_and_the_file_small() {
    let dir = tempfile::tempdir().expect("directory");
    let mut ledger = ledger(&dir, "default");
    ledger.lines = LineFile::new(dir.path(), "ledger", 16 << 10);
    let mut other = self::ledger(&dir, "work");
    other.lines = LineFile::new(dir.path(), "ledger", 16 << 10);
    let (start, minute) = (1_700_000_000, 60);
    let under_way = intent();
    ledger
        .intend(&under_way, at(start + 400 * minute), 1)
        .expect("intent");
    for n in 0..400 {
        let balance = 10_000 - u64::try_from(n).expect("small");
        let outcome = spent(
            start + n * minute,
            1,
            u32::from(n % 100 == 0),
            Some(balance),
        );
        spend(&ledger, &outcome);
        if n % 10 == 0 {
            spend(&other, &spent(start + n * minute, 1, 0, None));
        }
    }
    assert_eq!(sum(&ledger), (400, 4 + 1));
    assert_eq!(sum(&other), (40, 0));
    let length = fs::metadata(dir.path().join("ledger")).expect("file").len();
    assert!(length < 64 << 10, "{length}");
    let lines = ledger.lines().expect("ledger");
    assert!(lines.len() < 100, "{}", lines.len());
    assert_eq!(
        lines.iter().filter_map(|line| line.balance).max(),
        Some(10_000)
    );
    ledger
        .settle(&under_way, &spent(start + 401 * minute, 1, 0, None), true)
        .expect("outcome");
    assert_eq!(sum(&ledger), (401, 4));
    // Much later hours are days, and what never came back is possibly spent.
    ledger
        .intend(&intent(), at(start), 1)
        .expect("an intent of long ago");
    spend(&ledger, &spent(start + 100 * 24 * 60 * minute, 1, 0, None));
    ledger.lines.rewrite(Totals::default()).expect("rewrite");
    assert_eq!(sum(&ledger), (402, 5));
    assert!(ledger.lines().expect("ledger").len() <= 3);
    assert_eq!(ledger.statement().expect("account").set_aside.count(), 0);
}

#[test]
fn the_kind_of_work_and_what_was_saved_last_through_adding_up() {
    let dir = tempfile::tempdir().expect("directory");
    let ledger = ledger(&dir, "default");
    spend(&ledger, &spent(1, 1, 0, Some(9)));
    for (second, work) in [
        (2, QueryPurpose::Batch),
        (3, QueryPurpose::Batch),
        (4, QueryPurpose::PastDay),
    ] {
        let outcome = Spent {
            work: Some(work),
            ..spent(second, 1, 0, None)
        };
        spend(&ledger, &outcome);
    }
    for _ in 0..3 {
        ledger.note_saved(at(5), SavedBy::Local);
    }
    ledger.note_saved(at(6), SavedBy::Cache);
    ledger.note_balance(at(7), 5).expect("balance");
    ledger
        .note_balance(at(8), 5)
        .expect("the same is not noted again");
    let told = |ledger: &Ledger| {
        let statement = ledger.statement().expect("statement");
        let of = |work| {
            let own = statement.spent.iter().filter(|line| line.work == work);
            own.map(|line| line.surely).sum::<u32>()
        };
        let spent = [None, Some(QueryPurpose::Batch), Some(QueryPurpose::PastDay)].map(of);
        let saved = SavedBy::ALL.map(|by| {
            let own = statement.saved.iter().filter(|saved| saved.by == by);
            own.map(|saved| saved.queries).sum::<u32>()
        });
        (spent, saved)
    };
    assert_eq!(told(&ledger), ([1, 2, 1], [1, 3]));
    let balances = ledger.lines().expect("lines");
    let balances: Vec<u64> = balances.iter().filter_map(|line| line.balance).collect();
    assert_eq!(balances, [9, 5]);
    ledger.lines.rewrite(Totals::default()).expect("rewrite");
    assert_eq!(told(&ledger), ([1, 2, 1], [1, 3]));
    assert!(
        ledger
            .lines()
            .expect("lines")
            .iter()
            .all(|line| line.is_total)
    );
}

#[test]
fn what_was_saved_is_written_at_the_end() {
    let dir = tempfile::tempdir().expect("directory");
    let first = ledger(&dir, "default");
    first.note_saved(at(5), SavedBy::Local);
    drop(first);
    let saved = ledger(&dir, "default")
        .statement()
        .expect("statement")
        .saved;
    assert_eq!(saved.len(), 1);
}

#[test]
fn a_question_is_unanswered_until_an_answer_comes_or_it_was_never_sent() {
    let dir = tempfile::tempdir().expect("directory");
    let ledger = ledger(&dir, "default");
    let about = |question: &str| LedgerIntent::about(question.to_owned());
    let unanswered = || {
        let mut questions: Vec<_> = ledger.unanswered().expect("ledger").into_iter().collect();
        questions.sort();
        questions
    };
    let killed = about("killed");
    let [answered, refused, failed] = ["answered", "refused", "failed"].map(about);
    for intent in [&killed, &answered, &refused, &failed] {
        ledger.intend(intent, at(1), 1).expect("intent");
    }
    for (intent, possibly, is_answered) in [
        (&answered, 0, true),
        (&refused, 0, false),
        (&failed, 1, false),
    ] {
        let outcome = spent(2, u32::from(is_answered), possibly, None);
        ledger
            .settle(intent, &outcome, is_answered)
            .expect("outcome");
    }
    let expected = [("failed", 1), ("killed", 1)].map(|(text, when)| (text.to_owned(), at(when)));
    assert_eq!(unanswered(), expected);
    // It was sent again, and refused then: what was sent before stays possibly spent.
    let again = about("killed");
    ledger.intend(&again, at(3), 1).expect("intent");
    ledger
        .settle(&again, &spent(3, 0, 0, None), false)
        .expect("outcome");
    assert_eq!(unanswered(), expected);
    let at_last = about("killed");
    ledger.intend(&at_last, at(4), 1).expect("intent");
    ledger
        .settle(&at_last, &spent(4, 1, 0, None), true)
        .expect("outcome");
    assert_eq!(unanswered(), [("failed".to_owned(), at(1))]);
}
