//! The trail in the log: what was looked up, and what was answered, so that the next run can show it again without a query.
//!
//! A record that is large is not kept: then the trail says that it was looked up and how large the record was, never that
//! nothing is known.

pub mod kept_board;

use std::{
    collections::{BTreeSet, HashSet},
    net::IpAddr,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Deserialize as _;
use serde_json::{Value, json};

use self::kept_board::KeptBoard;
use super::{
    answers::{
        answer::LookupAnswer,
        form::{answer_of, answer_value, query_of, query_value},
    },
    error::{ErrorContext, Result},
};
use crate::{
    contract::LookupQuery,
    model::TagName,
    store::{EntryLog, lines::SetAside, log::EntryOwner},
};

/// The largest record that the trail keeps, in bytes. Most take two thousand.
pub const LARGEST_RECORD: usize = 64 << 10;

const LOOKED: &str = "looked";
const VISITED: &str = "visited";
const TAGGED: &str = "tagged";
const PINNED: &str = "pinned";
const NOTED: &str = "noted";
const BOARD: &str = "board";
/// The kinds of the trail in the log.
const KINDS: [&str; 6] = [LOOKED, VISITED, TAGGED, PINNED, NOTED, BOARD];

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 1_000;

#[derive(Clone, Debug, PartialEq)]
pub enum TrailEntry {
    /// An address was looked up.
    Looked(LookupQuery, Box<LookupAnswer>),
    /// An address was opened, and answered without a query.
    Visited(LookupQuery, Timestamp),
    /// An address was looked up, and its record of so many bytes was too large to be kept.
    Unkept(LookupQuery, Timestamp, u64),
    /// A tag was opened.
    Tagged(TagName, Timestamp),
    /// An address was pinned, or let go.
    Pinned(IpAddr, bool),
    /// A line was written about an address; an empty one removes its last line.
    Noted(IpAddr, Timestamp, String),
    /// How the addresses of a text were last shown.
    Board(Box<KeptBoard>),
}

/// The trail of earlier runs.
#[derive(Clone, Debug, Default)]
pub struct SavedTrail {
    /// Its entries, oldest first.
    pub entries: Vec<TrailEntry>,
    /// Lines of the log that were not believed.
    pub set_aside: SetAside,
    /// Entries that are in the log and were too many to be read.
    pub left_out: u64,
}

impl TrailEntry {
    /// The entry as the log keeps it: its kind and its value.
    fn to_line(&self) -> (&'static str, Value) {
        match self {
            Self::Looked(query, answer) => (LOOKED, answer_value(query, answer)),
            Self::Visited(query, at) => {
                let mut value = query_value(query);
                value["at"] = at.to_string().into();
                (VISITED, value)
            }
            Self::Unkept(query, at, bytes) => (LOOKED, unkept_value(query, *at, *bytes)),
            Self::Tagged(tag, at) => (TAGGED, json!({"tag": tag.as_str(), "at": at.to_string()})),
            Self::Pinned(address, on) => {
                (PINNED, json!({"address": address.to_string(), "on": on}))
            }
            Self::Noted(address, at, text) => {
                let text: String = text.chars().take(LONGEST_NOTE).collect();
                let (address, at) = (address.to_string(), at.to_string());
                (NOTED, json!({"address": address, "at": at, "text": text}))
            }
            Self::Board(board) => (BOARD, json!(board)),
        }
    }

    /// Reads an entry back; one that is not of this form is none.
    fn read(kind: &str, value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str();
        match kind {
            TAGGED => Some(Self::Tagged(
                TagName::new(text("tag")?).ok()?,
                text("at")?.parse().ok()?,
            )),
            VISITED => Some(Self::Visited(query_of(value)?, text("at")?.parse().ok()?)),
            PINNED => Some(Self::Pinned(
                text("address")?.parse().ok()?,
                value["on"].as_bool()?,
            )),
            NOTED => Some(Self::Noted(
                text("address")?.parse().ok()?,
                text("at")?.parse().ok()?,
                text("text")?.to_owned(),
            )),
            BOARD => Some(Self::Board(Box::new(KeptBoard::deserialize(value).ok()?))),
            LOOKED => {
                if let Some(bytes) = value["too_large"].as_u64() {
                    let at = text("at")?.parse().ok()?;
                    return Some(Self::Unkept(query_of(value)?, at, bytes));
                }
                let (query, answer) = answer_of(value)?;
                Some(Self::Looked(query, Box::new(answer)))
            }
            _ => None,
        }
    }
}

fn unkept_value(query: &LookupQuery, at: Timestamp, bytes: u64) -> Value {
    let mut value = query_value(query);
    value["at"] = at.to_string().into();
    value["too_large"] = bytes.into();
    value
}

#[derive(Debug)]
pub struct TrailLog(EntryLog);

impl TrailLog {
    pub(super) fn new(state: &Path, owner: EntryOwner) -> Self {
        Self(EntryLog::new(state, owner))
    }

    /// The trail of a case, or of what belongs to none.
    #[must_use]
    pub fn of_case(&self, case: Option<&str>) -> Self {
        Self(self.0.clone().of_case(case.map(str::to_owned)))
    }

    /// The files of all boards, of any profile, service and case.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn board_files(&self) -> Result<HashSet<String>> {
        self.0.about(BOARD).at("read", self.0.path())
    }

    /// The names of the cases of this profile and service.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn cases(&self) -> Result<BTreeSet<String>> {
        self.0.cases(&KINDS).at("read", self.0.path())
    }

    /// Adds an entry to the log.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn append(&self, entry: &TrailEntry) -> Result<()> {
        let (kind, value) = entry.to_line();
        let written = match entry {
            TrailEntry::Board(board) => self.0.replace(kind, &board.file, value),
            _ => self.0.append(kind, value),
        };
        written.at("write", self.0.path())
    }

    /// The trail of earlier runs with this profile and service.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn read(&self) -> Result<SavedTrail> {
        let read = self.0.read(&KINDS).at("read", self.0.path())?;
        let mut trail = SavedTrail {
            set_aside: read.set_aside,
            left_out: read.left_out,
            ..SavedTrail::default()
        };
        for entry in read.entries {
            match TrailEntry::read(&entry.kind, &entry.value) {
                Some(entry) => trail.entries.push(entry),
                None => trail.set_aside.damaged += 1,
            }
        }
        Ok(trail)
    }

    /// How many lines were set aside when the log was rewritten, and where they are.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn count_aside(&self) -> Result<(u64, PathBuf)> {
        let path = self.0.aside();
        Ok((self.0.count_aside().at("read", &path)?, path))
    }

    /// Removes the trail of this profile and service from the log.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn forget(&self) -> Result<()> {
        self.0.forget(&KINDS).at("write", self.0.path())
    }
}

impl From<(&LookupQuery, &LookupAnswer)> for TrailEntry {
    /// What the trail keeps of an answer.
    fn from((query, answer): (&LookupQuery, &LookupAnswer)) -> Self {
        let record = answer.record.as_ref().map(|record| record.document.text());
        match record.map_or(0, str::len) {
            length if length > LARGEST_RECORD => {
                Self::Unkept(*query, answer.provenance.asked_at, length as u64)
            }
            _ => Self::Looked(*query, Box::new(answer.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{
        kept_board::{BoardShape, KeptRow},
        *,
    };
    use crate::{
        contract::Geolocation,
        engine::{AnswerRecord, Provenance},
        model::{Context, Document},
    };

    #[test]
    fn an_answer_comes_back_as_it_was() {
        let text = r#"{"ip":"198.51.100.7","as":{"number":64500},"odd":1.50,"x":"\u0026"}"#;
        let document = Document::read(text.as_bytes()).expect("document");
        let context = Context::decode(document.value()).expect("record");
        let query = LookupQuery {
            address: [198, 51, 100, 7].into(),
            date: "20261001".parse().ok(),
            geolocation: Geolocation::Mmgeo,
        };
        let provenance = Provenance {
            url: "https://context.example/v2/context/198.51.100.7".to_owned(),
            status: 200,
            asked_at: Timestamp::UNIX_EPOCH,
            elapsed: Duration::from_millis(142),
            attempts: 1,
            cost: 1,
            possibly_spent: 0,
            balance: Some(48_120),
            data_date: "20261001".parse().ok(),
            clock_off: None,
        };
        let entry = TrailEntry::Looked(
            query,
            Box::new(LookupAnswer {
                record: Some(AnswerRecord { context, document }),
                provenance: provenance.clone(),
            }),
        );
        let (kind, value) = entry.to_line();
        let Some(TrailEntry::Looked(back, answer)) = TrailEntry::read(kind, &value) else {
            panic!("{value}")
        };
        assert_eq!((back, &answer.provenance), (query, &provenance));
        assert_eq!(answer.record.expect("record").document.text(), text);
        for key in ["address", "at", "record", "status", "mmgeo"] {
            let mut odd = value.clone();
            odd[key] = json!({"odd": true});
            assert!(TrailEntry::read(kind, &odd).is_none(), "{key}");
        }
    }

    #[test]
    fn a_board_comes_back_as_it_was_shown() {
        let dir = tempfile::tempdir().expect("directory");
        let owner = EntryOwner {
            profile: "default".to_owned(),
            service: "https://context.example".to_owned(),
        };
        let log = TrailLog::new(dir.path(), owner);
        let row = |last: u8, day: Option<&str>| KeptRow {
            address: [198, 51, 100, last].into(),
            day: day.map(|text| text.parse().expect("a day")),
        };
        let board = KeptBoard {
            file: "/var/log/incident.log".into(),
            at: Timestamp::UNIX_EPOCH,
            shape: BoardShape {
                name: Some("marked".to_owned()),
                addresses: 402,
                summary: "VPN 166".to_owned(),
                zone: "+02:00".to_owned(),
                by_day: true,
                day: "20261001".parse().ok(),
                filter: "is:vpn".to_owned(),
                sorted_by: "lines".to_owned(),
                is_reversed: true,
                grouped_by: Some("operator".to_owned()),
                selected: Some(row(7, None)),
                marked: vec![row(7, Some("20261001")), row(8, None)],
                marks: 2,
            },
        };
        let older = KeptBoard {
            shape: BoardShape::default(),
            ..board.clone()
        };
        for kept_board in [older, board.clone()] {
            log.append(&TrailEntry::Board(kept_board.into()))
                .expect("written");
        }
        let read = log.read().expect("read").entries;
        assert_eq!(
            read,
            [TrailEntry::Board(board.into())],
            "the last one of a file"
        );
        // A later version may have written more, an earlier one less; of another form it is none.
        let mut value = json!({"file": "a.log", "at": "1970-01-01T00:00:00Z", "later": 1});
        let least = TrailEntry::read(BOARD, &value).expect("a board");
        let TrailEntry::Board(least) = least else {
            panic!("{least:?}")
        };
        assert_eq!(least.shape, BoardShape::default());
        for (key, odd) in [("marked", json!(["x"])), ("filter", json!(1))] {
            let before = value[key].take();
            value[key] = odd;
            assert_eq!(TrailEntry::read(BOARD, &value), None, "{key}");
            value[key] = before;
        }
    }

    #[test]
    fn a_visit_comes_back_with_the_day_that_was_asked_for() {
        let query = LookupQuery {
            address: [198, 51, 100, 7].into(),
            date: "20261001".parse().ok(),
            geolocation: Geolocation::Mmgeo,
        };
        let entry = TrailEntry::Visited(query, Timestamp::UNIX_EPOCH);
        let (kind, value) = entry.to_line();
        assert_eq!(TrailEntry::read(kind, &value), Some(entry));
    }

    #[test]
    fn a_note_comes_back_and_is_never_longer_than_it_may_be() {
        let note = |text: &str| {
            TrailEntry::Noted(
                [198, 51, 100, 7].into(),
                Timestamp::UNIX_EPOCH,
                text.to_owned(),
            )
        };
        let back = |entry: &TrailEntry| {
            let (kind, value) = entry.to_line();
            TrailEntry::read(kind, &value)
        };
        for text in ["seen at the VPN gateway\nagain", ""] {
            assert_eq!(back(&note(text)), Some(note(text)));
        }
        let long = "\u{e9}".repeat(LONGEST_NOTE + 1);
        let kept = note(&"\u{e9}".repeat(LONGEST_NOTE));
        assert_eq!(back(&note(&long)), Some(kept));
        let (kind, mut value) = note("x").to_line();
        value["text"] = json!(7);
        assert_eq!(TrailEntry::read(kind, &value), None);
    }

    #[test]
    fn a_large_record_is_never_taken_for_none() {
        let text = format!(
            r#"{{"ip":"198.51.100.7","x":"{}"}}"#,
            "y".repeat(LARGEST_RECORD)
        );
        let document = Document::read(text.as_bytes()).expect("document");
        let context = Context::decode(document.value()).expect("record");
        let query = LookupQuery::now([198, 51, 100, 7].into());
        let answer = LookupAnswer {
            record: Some(AnswerRecord { context, document }),
            provenance: Provenance {
                url: String::new(),
                status: 200,
                asked_at: Timestamp::UNIX_EPOCH,
                elapsed: Duration::ZERO,
                attempts: 1,
                cost: 1,
                possibly_spent: 0,
                balance: None,
                data_date: None,
                clock_off: None,
            },
        };
        let (kind, value) = TrailEntry::from((&query, &answer)).to_line();
        assert!(value.to_string().len() < 200, "{value}");
        let Some(TrailEntry::Unkept(back, at, bytes)) = TrailEntry::read(kind, &value) else {
            panic!("{value}")
        };
        assert_eq!(
            (back, at, bytes),
            (query, Timestamp::UNIX_EPOCH, text.len() as u64)
        );
    }
}
