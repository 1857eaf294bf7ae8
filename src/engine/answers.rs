//! The answer cache: what the Context API answered lately, so that the same question need not be paid for twice.
//!
//! ```text
//! answers/
//!   6c1f…/                    a service, by the hash of profile and address
//!     a7/                     a shelf: the first byte of the hash of a question
//!       a7c0….json            an answer, one line as in the trail's file
//! ```
//!
//! A file is written beside and renamed, so that several processes may read and write at once. What cannot be read, is
//! about another question, too old or from the future is not there. A shelf holds so many answers and bytes at most: the
//! oldest go. Nothing here is the only copy of anything, and no failure of it may cost an answer.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{Engine, history::Entry, lookup::Answer, paths, service_key, settings::Settings};
use crate::contract::{Geolocation, LookupQuery};

/// Answers on one shelf, of 256.
const MOST_ON_A_SHELF: usize = 128;
/// Bytes on one shelf.
const MOST_BYTES: u64 = 2 << 20;
/// The largest answer that is kept.
const LARGEST: usize = 256 << 10;
/// How far ahead of this machine's clock an answer's time may be.
const CLOCK_SLACK: SignedDuration = SignedDuration::from_mins(5);

/// The answers of one service.
#[derive(Debug)]
pub(super) struct Answers {
    dir: PathBuf,
    max_age: SignedDuration,
}

impl Answers {
    pub(super) fn of(settings: &Settings) -> Self {
        let service = format!("{:016x}", xxh3_64(service_key(settings).as_bytes()));
        let hours = i64::try_from(settings.cache.answer_max_age_h).unwrap_or(i64::MAX);
        Self {
            dir: settings.paths.cache.join("answers").join(service),
            max_age: SignedDuration::from_secs(hours.saturating_mul(60 * 60)),
        }
    }

    fn is_off(&self) -> bool {
        self.max_age.is_zero()
    }

    fn file_of(&self, query: &LookupQuery) -> PathBuf {
        let LookupQuery {
            address,
            date,
            geolocation,
        } = query;
        let date = date.map(|day| day.to_string()).unwrap_or_default();
        let mmgeo = *geolocation == Geolocation::Mmgeo;
        let name = format!(
            "{:032x}",
            xxh3_128(format!("{address} {date} {mmgeo}").as_bytes())
        );
        self.dir.join(&name[..2]).join(name + ".json")
    }

    /// The answer to this question, if it is kept and young enough; it costs nothing now.
    pub(super) fn find(&self, query: &LookupQuery, now: Timestamp) -> Option<Answer> {
        if self.is_off() {
            return None;
        }
        let line = paths::read_if_there(&self.file_of(query)).ok()??;
        let Entry::Looked(asked, answer) = Entry::read(&line)? else {
            return None;
        };
        let age = now.duration_since(answer.provenance.asked_at);
        // Two questions may have one hash, in theory.
        if asked != *query || age >= self.max_age || age < -CLOCK_SLACK {
            return None;
        }
        let mut answer = *answer;
        let provenance = &mut answer.provenance;
        (
            provenance.cost,
            provenance.possibly_spent,
            provenance.attempts,
        ) = (0, 0, 0);
        // It was the balance of another time.
        (provenance.balance, provenance.elapsed) = (None, Duration::ZERO);
        Some(answer)
    }

    /// Keeps an answer, unless its text is not whole or too long.
    pub(super) fn keep(&self, query: &LookupQuery, answer: &Answer) {
        let document = answer.record.as_ref().map(|record| &record.document);
        let fits =
            document.is_none_or(|document| !document.lossy() && document.text().len() <= LARGEST);
        if self.is_off() || !fits {
            return;
        }
        let file = self.file_of(query);
        let line = Entry::Looked(*query, Box::new(answer.clone())).to_line();
        // An answer that cannot be kept is an answer still.
        if paths::replace(&file, line.as_bytes()).is_ok()
            && let Some(shelf) = file.parent()
        {
            let _ = tidy(shelf);
        }
    }
}

/// Removes the oldest files of a shelf that holds too many. Another process may be doing the same.
fn tidy(shelf: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(shelf)? {
        let entry = entry?;
        if let Ok(metadata) = entry.metadata() {
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
    }
    files.sort_by(|a, b| b.cmp(a));
    let mut bytes = 0;
    for (index, (_, length, path)) in files.iter().enumerate() {
        bytes += length;
        if index >= MOST_ON_A_SHELF || (bytes > MOST_BYTES && index > 0) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

impl Engine {
    /// What the service answered to this question less than `answer_max_age_h` ago. Sends nothing and costs nothing; when
    /// it was asked stands in its provenance.
    #[must_use]
    pub fn kept_answer(&self, query: &LookupQuery) -> Option<Answer> {
        self.answers.find(query, self.now())
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::{
        engine::{Provenance, Record, paths::Paths},
        model::{Context, Document},
    };

    fn now() -> Timestamp {
        "2026-11-20T12:00:00Z".parse().expect("timestamp")
    }

    fn answers(root: &Path) -> Answers {
        let [config, cache, state] = ["config", "cache", "state"].map(|name| root.join(name));
        Answers::of(&Settings::plain(Paths {
            config,
            cache,
            state,
        }))
    }

    fn answer(text: Option<&str>) -> Answer {
        let record = text.map(|text| {
            let document = Document::read(text.as_bytes()).expect("document");
            let context = Context::decode(document.value()).expect("record");
            Record { context, document }
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
        Answer { record, provenance }
    }

    fn query(address: &str) -> LookupQuery {
        LookupQuery::now(address.parse().expect("address"))
    }

    const TEXT: &str = r#"{"ip":"198.51.100.7","odd":1.50}"#;

    #[test]
    fn an_answer_is_kept_for_its_time_and_its_question() {
        let root = tempfile::tempdir().expect("directory");
        let answers = answers(root.path());
        let asked = query("198.51.100.7");
        assert!(answers.find(&asked, now()).is_none());
        answers.keep(&asked, &answer(Some(TEXT)));
        answers.keep(&query("198.51.100.8"), &answer(None));
        let later = |hours| now() + SignedDuration::from_hours(hours);
        let found = answers.find(&asked, later(23)).expect("kept");
        assert_eq!(found.record.expect("record").document.text(), TEXT);
        let Provenance {
            cost,
            balance,
            asked_at,
            ..
        } = found.provenance;
        assert_eq!((cost, balance, asked_at), (0, None, now()));
        assert!(
            answers
                .find(&query("198.51.100.8"), now())
                .expect("kept")
                .record
                .is_none()
        );
        assert!(
            answers.find(&asked, later(24)).is_none() && answers.find(&asked, later(-1)).is_none()
        );
        let dated = LookupQuery {
            date: "20261001".parse().ok(),
            ..asked
        };
        let mmgeo = LookupQuery {
            geolocation: Geolocation::Mmgeo,
            ..asked
        };
        assert!(answers.find(&dated, now()).is_none() && answers.find(&mmgeo, now()).is_none());
    }

    #[test]
    fn what_cannot_be_read_or_is_of_another_service_is_not_there() {
        let root = tempfile::tempdir().expect("directory");
        let answers = answers(root.path());
        let (asked, other) = (query("198.51.100.7"), query("198.51.100.8"));
        answers.keep(&asked, &answer(Some(TEXT)));
        let file = answers.file_of(&asked);
        let line = fs::read(&file).expect("line");
        paths::replace(&answers.file_of(&other), &line).expect("write");
        assert!(answers.find(&other, now()).is_none());
        for text in [&line[..line.len() / 2], b"", b"\xff\xfe", b"{}"] {
            fs::write(&file, text).expect("write");
            assert!(answers.find(&asked, now()).is_none());
        }
        answers.keep(&asked, &answer(Some(TEXT)));
        assert!(answers.find(&asked, now()).is_some());
        let elsewhere = Answers {
            dir: root.path().join("elsewhere"),
            max_age: answers.max_age,
        };
        assert!(elsewhere.find(&asked, now()).is_none());
        let off = Answers {
            max_age: SignedDuration::ZERO,
            ..answers
        };
        assert!(off.find(&asked, now()).is_none());
    }

    #[test]
    fn what_lost_bytes_or_is_very_long_is_not_kept() {
        let root = tempfile::tempdir().expect("directory");
        let answers = answers(root.path());
        let asked = query("198.51.100.7");
        let long = format!(r#"{{"ip":"198.51.100.7","x":"{}"}}"#, "y".repeat(LARGEST));
        answers.keep(&asked, &answer(Some(&long)));
        let mut lossy = answer(Some(TEXT));
        let document =
            Document::read(b"{\"ip\":\"198.51.100.7\",\"x\":\"\xff\"}").expect("document");
        lossy.record.as_mut().expect("record").document = document;
        answers.keep(&asked, &lossy);
        assert!(answers.find(&asked, now()).is_none());
    }

    #[test]
    fn a_shelf_holds_the_newest_only() {
        let root = tempfile::tempdir().expect("directory");
        let answers = answers(root.path());
        let on_shelf = (0_u32..)
            .map(|bits| LookupQuery::now(IpAddr::from((0xc612_0000 + bits).to_be_bytes())));
        let of_one = on_shelf.filter(|query| {
            answers
                .file_of(query)
                .parent()
                .is_some_and(|shelf| shelf.ends_with("00"))
        });
        let asked: Vec<LookupQuery> = of_one.take(MOST_ON_A_SHELF + 3).collect();
        let shelf = answers.file_of(&asked[0]);
        let shelf = shelf.parent().expect("shelf");
        for (age, query) in asked.iter().rev().enumerate() {
            answers.keep(query, &answer(Some(TEXT)));
            let file = fs::File::options().write(true).open(answers.file_of(query));
            let then = std::time::SystemTime::now() - Duration::from_secs(age as u64);
            file.and_then(|file| file.set_modified(then)).ok();
        }
        assert_eq!(fs::read_dir(shelf).expect("shelf").count(), MOST_ON_A_SHELF);
    }
}
