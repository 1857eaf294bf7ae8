use std::{fs, net::IpAddr};

use std::path::Path;

use super::*;
use crate::{
    engine::{AnswerRecord, Provenance, paths::Paths},
    model::{Context, Document},
};

fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().expect("timestamp")
}

fn answers(root: &Path) -> AnswerCache {
    let [config, cache, state] = ["config", "cache", "state"].map(|name| root.join(name));
    AnswerCache::of(&Settings::plain(Paths {
        config,
        cache,
        state,
    }))
}

fn answer(text: Option<&str>) -> LookupAnswer {
    let record = text.map(|text| {
        let document = Document::read(text.as_bytes()).expect("document");
        let context = Context::decode(document.value()).expect("record");
        AnswerRecord { context, document }
    });
    let provenance = Provenance {
        url: "https://context.example/v2/context/198.51.100.7".to_owned(),
        status: if text.is_some() { 200 } else { 404 },
        asked_at: now(),
        elapsed: Duration::from_millis(7),
        attempts: 1,
        cost: 1,
        possibly_spent: 0,
        balance: Some(7),
        data_date: "20261120".parse().ok(),
        clock_off: None,
    };
    LookupAnswer { record, provenance }
}

fn query(address: &str) -> LookupQuery {
    LookupQuery::now(address.parse().expect("address"))
}

fn find(answers: &AnswerCache, query: &LookupQuery, now: Timestamp) -> Option<LookupAnswer> {
    let listed = answers.listing().find(query, now).unwrap_or_default();
    let found = answers.find(query, now).unwrap_or_default();
    assert_eq!(listed, found);
    found
}

const TEXT: &str = r#"{"ip":"198.51.100.7","odd":1.50}"#;

#[test]
fn an_answer_is_kept_for_its_question_and_is_not_from_the_future() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let asked = query("198.51.100.7");
    assert!(find(&answers, &asked, now()).is_none());
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    answers
        .keep(&query("198.51.100.8"), &answer(None))
        .expect("kept");
    let later = |hours| now() + SignedDuration::from_hours(hours);
    let found = find(&answers, &asked, later(23)).expect("kept");
    assert_eq!(found.record.expect("record").document.text(), TEXT);
    let Provenance {
        cost,
        balance,
        asked_at,
        ..
    } = found.provenance;
    assert_eq!((cost, balance, asked_at), (0, None, now()));
    assert!(
        find(&answers, &query("198.51.100.8"), now())
            .expect("kept")
            .record
            .is_none()
    );
    assert!(find(&answers, &asked, later(-1)).is_none());
    let dated = LookupQuery {
        date: "20261001".parse().ok(),
        ..asked
    };
    let mmgeo = LookupQuery {
        geolocation: Geolocation::Mmgeo,
        ..asked
    };
    assert!(find(&answers, &dated, now()).is_none() && find(&answers, &mmgeo, now()).is_none());
}

#[test]
fn what_cannot_be_read_or_is_of_another_service_is_not_there() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let (asked, other) = (query("198.51.100.7"), query("198.51.100.8"));
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    let file = answers.file_of(&asked);
    let line = fs::read(&file).expect("line");
    let elsewhere = answers.file_of(&other);
    fs::create_dir_all(elsewhere.parent().expect("bucket")).expect("folder");
    fs::write(elsewhere, &line).expect("write");
    assert!(find(&answers, &other, now()).is_none());
    for text in [&line[..line.len() / 2], b"", b"\xff\xfe", b"{}"] {
        fs::write(&file, text).expect("write");
        assert!(find(&answers, &asked, now()).is_none());
    }
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    assert!(find(&answers, &asked, now()).is_some());
    let another = AnswerCache {
        owner: EntryOwner {
            profile: "work".to_owned(),
            ..answers.owner.clone()
        },
        dir: answers.dir.clone(),
        root: answers.root.clone(),
        is_off: answers.is_off,
    };
    assert!(another.find(&asked, now()).is_err());
    assert!(!file.exists(), "what belongs to another is removed");
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    let off = AnswerCache {
        is_off: true,
        ..answers
    };
    assert!(find(&off, &asked, now()).is_none());
}

#[test]
fn what_lost_bytes_or_is_very_long_is_not_kept() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let asked = query("198.51.100.7");
    let long = format!(r#"{{"ip":"198.51.100.7","x":"{}"}}"#, "y".repeat(LARGEST));
    answers.keep(&asked, &answer(Some(&long))).expect("kept");
    let mut lossy = answer(Some(TEXT));
    let document = Document::read(b"{\"ip\":\"198.51.100.7\",\"x\":\"\xff\"}").expect("document");
    lossy.record.as_mut().expect("record").document = document;
    answers.keep(&asked, &lossy).expect("kept");
    assert!(find(&answers, &asked, now()).is_none());
}

#[test]
fn a_bucket_holds_the_newest_only() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let in_bucket =
        (0_u32..).map(|bits| LookupQuery::now(IpAddr::from((0xc612_0000 + bits).to_be_bytes())));
    let of_one = in_bucket.filter(|query| {
        answers
            .file_of(query)
            .parent()
            .is_some_and(|bucket| bucket.ends_with("00"))
    });
    let asked: Vec<LookupQuery> = of_one.take(MOST_IN_A_BUCKET + 3).collect();
    let bucket = answers.file_of(&asked[0]);
    let bucket = bucket.parent().expect("bucket");
    for (age, query) in asked.iter().rev().enumerate() {
        answers.keep(query, &answer(Some(TEXT))).expect("kept");
        let file = fs::File::options().write(true).open(answers.file_of(query));
        let then = std::time::SystemTime::now() - Duration::from_secs(age as u64);
        file.and_then(|file| file.set_modified(then)).ok();
    }
    assert_eq!(
        fs::read_dir(bucket).expect("bucket").count(),
        MOST_IN_A_BUCKET
    );
}

#[test]
fn a_flipped_bit_never_gives_another_record() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let asked = query("198.51.100.7");
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    let file = answers.file_of(&asked);
    let whole = fs::read(&file).expect("file");
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, &flipped).expect("write");
        let error = answers.find(&asked, now()).expect_err("not believed");
        assert_eq!(error.kind, Kind::Integrity, "bit {bit}");
        assert!(!file.exists());
    }
}

#[test]
fn links_in_the_cache_are_not_followed_and_killed_writers_leave_one_file() {
    let root = tempfile::tempdir().expect("directory");
    let answers = answers(root.path());
    let asked = query("198.51.100.7");
    let file = answers.file_of(&asked);
    let bucket = file.parent().expect("bucket");
    let outside = root.path().join("outside");
    fs::create_dir(&outside).expect("folder");
    fs::create_dir_all(bucket.parent().expect("service")).expect("folder");
    std::os::unix::fs::symlink(&outside, bucket).expect("link");
    assert!(answers.keep(&asked, &answer(Some(TEXT))).is_err());
    assert!(answers.find(&asked, now()).is_err());
    assert_eq!(fs::read_dir(&outside).expect("list").count(), 0);
    fs::remove_file(bucket).expect("the link goes");
    fs::create_dir(bucket).expect("folder");
    fs::write(bucket.join(".ipspect-answer"), "half an ans").expect("left behind");
    answers.keep(&asked, &answer(Some(TEXT))).expect("kept");
    assert!(find(&answers, &asked, now()).is_some());
    assert_eq!(fs::read_dir(bucket).expect("list").count(), 1);
}
