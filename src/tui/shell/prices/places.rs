//! The places in which keys are pressed, each with how to get there, and what the engine answers on the way.

use std::{path::PathBuf, time::Duration};

use jiff::SignedDuration;

use super::{RECORD, is_paid};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{
        DiffRecord, Error, Kind, LocalLookup, LocalPreview, LocalRecord, OnDisk, Origin, PastRun,
        Sample, SavedExports, TablePage,
        config::Answers,
        views::{ClauseCount, FacetCounts, Page, View},
    },
    model::{Admission, Document, TagName},
    store::{
        DaySource, Manifest, Moment, diff,
        filter::Term,
        index::{Facet, FacetBy},
        layout::Release,
    },
    tui::{
        ctx::{
            facts::{Facts, TokenState},
            place::Place as Goal,
            request::{Answer, Question},
        },
        harness::{self, Harness},
        shell::msg::Msg,
    },
};

/// A text with more than one address.
const LOG: &str = "10:41 allow 198.51.100.77:443\n10:42 deny 198[.]51[.]100[.]9\n";

/// What is at hand, and what the service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui::shell) enum World {
    /// Nothing is local, each query is answered.
    Live,
    /// Nothing is local, each query fails.
    Failing,
    /// There is no token either.
    NoToken,
    /// A feed is local, with fresh records.
    Local,
    /// A feed is local, and each query is sent all the same, as the configuration says.
    AlwaysLive,
    /// A feed is local, whose records are too old to replace a query.
    Stale,
}

/// A place: its name, what there is, and the keys that lead to it. A blank stands between keys after which everything that was asked is
/// answered. `<look>` looks the address up, `<tag>` opens the tag, `<paste>` pastes a text.
pub(in crate::tui::shell) type Place = (&'static str, World, &'static str);

/// One place at least for each scope of the table of keys.
#[rustfmt::skip]
pub(in crate::tui::shell) const PLACES: &[Place] = &[
    ("the welcome", World::Live, "<esc>"),
    ("the welcome without a token", World::NoToken, "<esc>"),
    ("token and hosts", World::NoToken, "<esc>Tinvented"),
    ("a field", World::Live, "i198.51.100.77"),
    ("a record", World::Live, "<look>"),
    ("a failure", World::Failing, "<look>"),
    ("a local record", World::Local, "<look>"),
    ("an exit of a local record", World::Local, "<look> <down><down>"),
    ("a stale record", World::Stale, "<look>"),
    ("a record, always live", World::AlwaysLive, "<look>"),
    ("an exit, always live", World::AlwaysLive, "<look> <down><down>"),
    ("a field, always live", World::AlwaysLive, "i198.51.100.77"),
    ("the calendar, always live", World::AlwaysLive, "<look> d"),
    ("the calendar at a local day, always live", World::AlwaysLive, "<look> d <left>"),
    ("the day of lookups, always live", World::AlwaysLive, "<look> D"),
    ("a comparison, always live", World::AlwaysLive, "<look> d <enter> {"),
    ("a row of a table, always live", World::AlwaysLive, "<paste> <down><enter>"),
    ("the browser, always live", World::AlwaysLive, "4 <enter>"),
    ("a cell, always live", World::AlwaysLive, "4 <enter> <right>"),
    ("two days, always live", World::AlwaysLive, "4 <enter> c"),
    ("the rows of an export, always live", World::AlwaysLive, "5 <s-tab>"),
    ("the trail", World::Live, "<look> t"),
    ("the words of the trail", World::Live, "<look> t /198"),
    ("the trail of failures", World::Failing, "<look> t"),
    ("another geolocation", World::Live, "<look> m"),
    ("the calendar", World::Live, "<look> d"),
    ("the day of lookups", World::Live, "<look> D"),
    ("a comparison", World::Live, "<look> d <enter>"),
    ("a comparison that lacks a side", World::Live, "<look> d <enter> {"),
    ("a note", World::Live, "<look> a"),
    ("a table", World::Live, "<paste>"),
    ("a table of local records", World::Local, "<paste>"),
    ("the filter of a table", World::Local, "<paste> /acme"),
    ("a row of a table", World::Live, "<paste> <down><enter>"),
    ("raw JSON", World::Live, "<look> r"),
    ("what to copy", World::Live, "<look> y"),
    ("the jobs", World::Live, "<look> J"),
    ("a download that is stopped", World::Live, "4 p x"),
    ("the messages", World::Live, "<look> !"),
    ("the keys", World::Live, "<look> ?"),
    ("the keys, searched", World::Live, "<look> ?fetch"),
    ("the commands", World::Live, "<look> :"),
    ("a command", World::Live, ":lookup<space>198.51.100.9"),
    ("a question", World::Live, ":forget<enter>"),
    ("leaving while a download runs", World::Live, "4 p q"),
    ("Tags", World::Live, "2"),
    ("a tag", World::Live, "<look> <tag> <right>"),
    ("the lookups of a tag", World::Live, "<look> <tag> <right>G"),
    ("the name of a tag", World::Live, "2 iACME"),
    ("where a tag goes", World::Live, "<tag> E"),
    ("Quota", World::Live, "3"),
    ("the guards", World::Live, "3 a"),
    ("Feeds", World::Live, "4"),
    ("local feeds", World::Local, "4"),
    ("the days of a feed", World::Live, "4 d"),
    ("the calendar of days", World::Live, "4 d /"),
    ("what to delete", World::Local, "4 D"),
    ("the browser", World::Local, "4 <enter>"),
    ("the browser of a stale feed", World::Stale, "4 <enter>"),
    ("a cell", World::Local, "4 <enter> <right>"),
    ("the menu of a cell", World::Stale, "4 <enter> <right><enter>"),
    ("the order of records", World::Local, "4 <enter> s"),
    ("the columns", World::Local, "4 <enter> C"),
    ("the filter of the browser", World::Local, "4 <enter> /"),
    ("a row of the browser", World::Local, "4 <enter> #7"),
    ("the facets", World::Local, "4 <enter> <tab>"),
    ("the clauses", World::Local, "4 <enter> /cc:NL<enter> w"),
    ("two days", World::Local, "4 <enter> c"),
    ("a removed record", World::Local, "4 <enter> c <down>"),
    ("a removed record with its price", World::Local, "4 <enter> c <down><enter>"),
    ("Export", World::Live, "5"),
    ("a counted form", World::Local, "5"),
    ("the rows of an export", World::Local, "5 <s-tab>"),
    ("the file of an export", World::Live, "5 <ctrl-s>"),
    ("a file that is there", World::Live, "5 <ctrl-s> <enter>"),
    ("the name of a preset", World::Live, "5 p"),
    ("the presets", World::Local, "5 P"),
    ("the rows of a file", World::Live, "5 P <ctrl-t>"),
    ("the columns of a file", World::Live, "5 P <ctrl-t> s"),
    ("the order of feeds", World::Live, "4 s"),
];

fn facts(world: World) -> Facts {
    let mut facts = Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    };
    if world == World::NoToken {
        facts.token = TokenState::Missing;
    }
    if world == World::AlwaysLive {
        facts.answers = Answers::Live;
    }
    if world == World::Stale {
        facts.local_max_age = SignedDuration::from_hours(1);
    }
    facts
}

/// What the local feeds of a world have about an address.
pub(in crate::tui::shell) fn at_hand(world: World) -> LocalLookup {
    let record = |ip: &str| LocalRecord {
        release: release("20261120"),
        document: document(&RECORD.replace("198.51.100.77", ip)),
    };
    let is_local = matches!(world, World::Local | World::AlwaysLive | World::Stale);
    LocalLookup {
        records: is_local
            .then(|| record("198.51.100.77"))
            .into_iter()
            .collect(),
        ..LocalLookup::default()
    }
}

/// The explorer in a place.
pub(in crate::tui::shell) fn at(
    (_, world, script): &Place,
    (width, height): (u16, u16),
) -> Harness {
    let mut stage = Harness::with(facts(*world), width, height);
    stage.sources.local = at_hand(*world);
    stage.sources.limits.local = facts(*world).local_max_age;
    for keys in script.split(' ') {
        match keys {
            "<look>" => {
                let address = "198.51.100.77".parse().expect("an address");
                stage.go(Goal::Address(LookupQuery::now(address)));
            }
            "<tag>" => {
                let tag = TagName::new("ACME_VPN").expect("a tag");
                stage.go(Goal::Tag(tag));
            }
            "<paste>" => drop(stage.tell(Msg::Paste(LOG.to_owned()))),
            keys => drop(stage.keys(keys)),
        }
        answer_all(&mut stage, *world);
    }
    stage
}

/// Answers whatever was asked and can be answered, as often as more is asked.
pub(in crate::tui::shell) fn answer_all(stage: &mut Harness, world: World) {
    while let Some((job, result)) = stage
        .asked
        .iter()
        .find_map(|(job, question)| Some((*job, answer(question, world)?)))
    {
        stage.asked.retain(|(own, _)| *own != job);
        stage.answer_to(job, result);
    }
}

/// What is answered to a question in a world; `None` where nothing is.
pub(in crate::tui::shell) fn answer(
    question: &Question,
    world: World,
) -> Option<Result<Answer, Error>> {
    let is_local = matches!(world, World::Local | World::AlwaysLive | World::Stale);
    if is_paid(question) {
        return Some(if world == World::Failing {
            Err(Error::new(Kind::Network, "the service was not reached"))
        } else {
            Ok(Answer::Lookup(harness::record(RECORD)))
        });
    }
    Some(Ok(match question {
        Question::Tag(_) => Answer::Tag(harness::tag(r#"{"tag":"ACME_VPN","name":"Acme"}"#)),
        Question::IsThere(_) => Answer::IsThere(true),
        Question::SavedExports => Answer::SavedExports(SavedExports {
            presets: Vec::new(),
            runs: vec![PastRun {
                query: ExportQuery::all_of(Feed::Anonymous),
                at: harness::now(),
                file: "/cases/anonymous.csv".into(),
                records: Some(1),
                is_local: false,
                release: None,
            }],
        }),
        Question::ExportRows(..) => Answer::ExportRows(TablePage {
            columns: vec!["ip".to_owned(), "tag".to_owned()],
            records: 1,
            count: 1,
            first: 0,
            rows: vec![vec!["198.51.100.77".to_owned(), "ACME_VPN".to_owned()]],
            is_torn: false,
            took: Duration::ZERO,
        }),
        _ if !is_local => return None,
        Question::Releases => Answer::Releases(OnDisk {
            releases: vec![release("20261120"), release("20261119")],
            ..OnDisk::default()
        }),
        Question::Page(query, positions) => Answer::Page(Page {
            view: View {
                release: release(
                    &query
                        .day
                        .map_or("20261120".to_owned(), |day| day.to_string()),
                ),
                records: 200,
                count: 100,
                took: Duration::from_millis(3),
                newer: None,
            },
            first: positions.start,
            rows: (positions.start..positions.end.min(100))
                .map(|position| Ok(record(position)))
                .collect(),
        }),
        Question::Facets(_, fields, _) => Answer::Facets(fields.iter().map(facets).collect()),
        Question::Values(_, field, ..) => Answer::Values(facets(&FacetBy::Keyword(*field)).values),
        Question::Clauses(query) => {
            let count = |term: &Term| ClauseCount {
                term: term.clone(),
                alone: 9,
                without: 90,
            };
            Answer::Clauses(query.filter.terms.iter().map(count).collect())
        }
        Question::Diff(..) => Answer::Diff(differing()),
        Question::DiffSummary(_) => Answer::DiffSummary(diff::Summary::default()),
        Question::LocalPreview(_) => Answer::LocalPreview(LocalPreview {
            sample: Sample {
                columns: vec!["ip".to_owned()],
                rows: vec![vec!["198.51.100.77".to_owned()]],
                more: false,
            },
            bytes: 100,
            origin: Origin::Disk {
                day: Moment::parse("20261120").expect("a day"),
                before: None,
            },
            changes: None,
            changed: Vec::new(),
        }),
        _ => return None,
    }))
}

fn document(text: &str) -> Document {
    Document::read(text.as_bytes()).expect(text)
}

fn record(position: u64) -> Document {
    document(&RECORD.replace("198.51.100.77", &format!("198.51.100.{position}")))
}

fn facets(by: &FacetBy) -> FacetCounts {
    let facet = |value: &str| Facet {
        value: value.to_owned(),
        count: 40,
    };
    FacetCounts {
        by: by.clone(),
        values: ["ACME_VPN", "NL"].map(facet).to_vec(),
        distinct: 2,
        among: 100,
    }
}

/// A record that was added, and one that was removed: neither can be known to be local and fresh.
fn differing() -> Vec<DiffRecord> {
    let of = |kind, before, after| DiffRecord {
        kind,
        before,
        after,
        differences: Vec::new(),
    };
    vec![
        of(diff::Kind::Added, None, Some(record(7))),
        of(diff::Kind::Deleted, Some(record(9)), None),
    ]
}

/// The release of a day.
pub(in crate::tui::shell) fn release(day: &str) -> Release {
    let file = "feed-1.json.gz".to_owned();
    let manifest = Manifest::new(
        Feed::Anonymous,
        Moment::parse(day).expect(day),
        DaySource::Header,
        false,
        file.clone(),
        1_600_000_000,
        "0123456789abcdef".repeat(4),
        "/v2/anonymous/latest.json.gz".to_owned(),
        harness::now(),
    );
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds/anonymous").join(file),
    }
}
