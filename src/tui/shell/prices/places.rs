//! The places in which keys are pressed, each with the keys that lead there and the answers of the engine.

use std::{path::PathBuf, time::Duration};

use jiff::SignedDuration;

use super::{RECORD, is_paid};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{
        DiffPage, DiffRecord, Error, ExportOrigin, Kind, LocalLookup, LocalPreview, LocalRecord,
        OnDisk, PastRun, Sample, SavedExports, TablePage,
        config::AnswerOrder,
        views::{ClauseCount, FacetCounts, View, ViewPage},
        watches::{Watch, Watched},
    },
    investigation::gather::GatheredText,
    model::{Admission, Document, TagName},
    store::{
        DaySource, Manifest, Moment, ReleasePlace, diff,
        filter::Term,
        index::{Facet, FacetBy},
        layout::Release,
    },
    tui::{
        ctx::{Answer, Destination as Goal, Facts, JobId, Question, TokenState},
        harness::{self, Harness},
        shell::msg::Msg,
    },
};

/// A text with two addresses at two times.
const LOG: &str =
    "2026-11-20T10:41:00Z allow 198.51.100.77:443\n2026-11-20T10:42:00Z deny 198[.]51[.]100[.]9\n";

/// The local data of a world, and the answers of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui::shell) enum PricedWorld {
    /// Nothing is local, each query succeeds.
    Live,
    /// Nothing is local, each query fails.
    Failing,
    NoToken,
    /// A feed is local, with fresh records.
    Local,
    /// A feed is local, but the configuration requires a query each time.
    AlwaysLive,
    /// A feed is local, but its records are too old to replace a query.
    Stale,
}

/// A place: its name, what there is, and the keys that lead to it. A blank is between keys after which everything that was asked is
/// answered. `<look>` looks the address up, `<tag>` opens the tag, `<paste>` pastes a text, `<begin>` opens a long one that is still read.
pub(in crate::tui::shell) type PricedPlace = (&'static str, PricedWorld, &'static str);

/// At least one place for each scope of the table of keys.
#[rustfmt::skip]
pub(in crate::tui::shell) const PLACES: &[PricedPlace] = &[
    ("the welcome", PricedWorld::Live, "<esc>"),
    ("the welcome with what is watched", PricedWorld::Local, "<esc>"),
    ("the welcome without a token", PricedWorld::NoToken, "<esc>"),
    ("token and hosts", PricedWorld::NoToken, "<esc>Tinvented"),
    ("a field", PricedWorld::Live, "i198.51.100.77"),
    ("a record", PricedWorld::Live, "<look>"),
    ("a failure", PricedWorld::Failing, "<look>"),
    ("a local record", PricedWorld::Local, "<look>"),
    ("an exit of a local record", PricedWorld::Local, "<look> <down><down>"),
    ("a stale record", PricedWorld::Stale, "<look>"),
    ("a record, always live", PricedWorld::AlwaysLive, "<look>"),
    ("an exit, always live", PricedWorld::AlwaysLive, "<look> <down><down>"),
    ("a field, always live", PricedWorld::AlwaysLive, "i198.51.100.77"),
    ("the calendar, always live", PricedWorld::AlwaysLive, "<look> c"),
    ("the calendar at a local day, always live", PricedWorld::AlwaysLive, "<look> c <left>"),
    ("the day of lookups, always live", PricedWorld::AlwaysLive, "<look> D"),
    ("a comparison, always live", PricedWorld::AlwaysLive, "<look> c <enter> {"),
    ("a row of a table, always live", PricedWorld::AlwaysLive, "<paste> <down><enter>"),
    ("the browser, always live", PricedWorld::AlwaysLive, "4 <enter>"),
    ("a cell, always live", PricedWorld::AlwaysLive, "4 <enter> <right>"),
    ("two days, always live", PricedWorld::AlwaysLive, "4 <enter> c"),
    ("the rows of an export, always live", PricedWorld::AlwaysLive, "5 <s-tab>"),
    ("the trail", PricedWorld::Live, "<look> <ctrl-t>"),
    ("the words of the trail", PricedWorld::Live, "<look> <ctrl-t> /198"),
    ("the trail of failures", PricedWorld::Failing, "<look> <ctrl-t>"),
    ("another geolocation", PricedWorld::Live, "<look> m"),
    ("the calendar", PricedWorld::Live, "<look> c"),
    ("another day of a record", PricedWorld::Live, "<look> d"),
    ("another day of a record, always live", PricedWorld::AlwaysLive, "<look> d <left>"),
    ("the day of lookups", PricedWorld::Live, "<look> D"),
    ("a comparison", PricedWorld::Live, "<look> c <enter>"),
    ("a comparison that lacks a side", PricedWorld::Live, "<look> c <enter> ["),
    ("a note", PricedWorld::Live, "<look> a"),
    ("a table", PricedWorld::Live, "<paste>"),
    ("the first rows of a table", PricedWorld::Live, "<look> <begin>"),
    ("a table of local records", PricedWorld::Local, "<paste>"),
    ("a plan of lookups", PricedWorld::Live, "<paste> $"),
    ("lookups of a table", PricedWorld::Live, "<paste> $<enter>"),
    ("groups of a table", PricedWorld::Local, "<paste> b"),
    ("the facets of a table", PricedWorld::Local, "<paste> f"),
    ("the times of a table", PricedWorld::Local, "<paste> <tab>"),
    ("what the rows of a table share", PricedWorld::Local, "<paste> C "),
    ("a list that is written", PricedWorld::Local, "<paste> W<tab>"),
    ("fields to group a table by", PricedWorld::Local, "<paste> bb"),
    ("letters of groups of a table", PricedWorld::Local, "<paste> b/v"),
    ("the filter of a table", PricedWorld::Local, "<paste> /acme"),
    ("the trail beside a filter of a table", PricedWorld::Failing, "<look> <paste> /acme <s-tab>"),
    ("two sides", PricedWorld::Local, "<paste> :compare<space>@-7d<enter>"),
    ("two sides of a feed", PricedWorld::Local, "4 <enter> :compare<space>@-7d<enter>"),
    ("words of two sides", PricedWorld::Local, "<paste> :compare<space>@-7d<enter> /v"),
    ("two addresses of a table", PricedWorld::Local, "<paste> Ac"),
    ("a row of a table", PricedWorld::Live, "<paste> <down><enter>"),
    ("raw JSON", PricedWorld::Live, "<look> r"),
    ("what to copy", PricedWorld::Live, "<look> y"),
    ("the jobs", PricedWorld::Live, "<look> J"),
    ("a download that is stopped", PricedWorld::Live, "4 p x"),
    ("the messages", PricedWorld::Live, "<look> !"),
    ("the keys", PricedWorld::Live, "<look> ?"),
    ("the keys, searched", PricedWorld::Live, "<look> ?fetch"),
    ("the commands", PricedWorld::Live, "<look> :"),
    ("a command", PricedWorld::Live, ":lookup<space>198.51.100.9"),
    ("a question", PricedWorld::Live, ":forget<enter>"),
    ("leaving while a download runs", PricedWorld::Live, "4 p q"),
    ("Tags", PricedWorld::Live, "2"),
    ("a tag", PricedWorld::Live, "<look> <tag> <right>"),
    ("the lookups of a tag", PricedWorld::Live, "<look> <tag> <right>G"),
    ("the name of a tag", PricedWorld::Live, "2 iACME"),
    ("where a tag goes", PricedWorld::Live, "<tag> E"),
    ("Quota", PricedWorld::Live, "3"),
    ("the guards", PricedWorld::Live, "3 a"),
    ("Feeds", PricedWorld::Live, "4"),
    ("local feeds", PricedWorld::Local, "4"),
    ("the days of a feed", PricedWorld::Live, "4 d"),
    ("the calendar of days", PricedWorld::Live, "4 d /"),
    ("what to download", PricedWorld::Local, "4 P"),
    ("what to delete", PricedWorld::Local, "4 X"),
    ("the browser", PricedWorld::Local, "4 <enter>"),
    ("the browser of a stale feed", PricedWorld::Stale, "4 <enter>"),
    ("a cell", PricedWorld::Local, "4 <enter> <right>"),
    ("the menu of a cell", PricedWorld::Stale, "4 <enter> <right><enter>"),
    ("the order of records", PricedWorld::Local, "4 <enter> s"),
    ("the columns", PricedWorld::Local, "4 <enter> |"),
    ("the filter of the browser", PricedWorld::Local, "4 <enter> /"),
    ("a row of the browser", PricedWorld::Local, "4 <enter> #7"),
    ("the facets", PricedWorld::Local, "4 <enter> <tab>"),
    ("the clauses", PricedWorld::Local, "4 <enter> /cc:NL<enter> &"),
    ("two days", PricedWorld::Local, "4 <enter> c"),
    ("two days, compared from the list", PricedWorld::Local, "4 c"),
    ("the added records alone", PricedWorld::Local, "4 <enter> c <tab>"),
    ("two days of a stale feed", PricedWorld::Stale, "4 <enter> c"),
    ("a removed record", PricedWorld::Local, "4 <enter> c <down>"),
    ("a removed record with its price", PricedWorld::Local, "4 <enter> c <down><enter>"),
    ("Export", PricedWorld::Live, "5"),
    ("a counted form", PricedWorld::Local, "5"),
    ("a text of the form", PricedWorld::Live, "5 <tab><tab><tab><tab>"),
    ("the rows of an export", PricedWorld::Local, "5 <s-tab>"),
    ("the file of an export", PricedWorld::Live, "5 <ctrl-s>"),
    ("a file that is there", PricedWorld::Live, "5 <ctrl-s> <enter>"),
    ("the name of a preset", PricedWorld::Live, "5 w"),
    ("the presets", PricedWorld::Local, "5 O"),
    ("the rows of a file", PricedWorld::Live, "5 O <ctrl-t>"),
    ("the columns of a file", PricedWorld::Live, "5 O <ctrl-t> s"),
    ("the order of feeds", PricedWorld::Live, "4 s"),
];

fn facts(world: PricedWorld) -> Facts {
    let mut facts = Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    };
    if world == PricedWorld::Local {
        facts.watched.watches.push(Watch {
            name: "office".to_owned(),
            feed: "anonymous".to_owned(),
            what: Watched::Tag("ACME_VPN".to_owned()),
            at_least: None,
            at_most: None,
            looked: None,
            counts: Vec::new(),
        });
    }
    if world == PricedWorld::NoToken {
        facts.token = TokenState::Missing;
    }
    if world == PricedWorld::AlwaysLive {
        facts.answers = AnswerOrder::Live;
    }
    if world == PricedWorld::Stale {
        facts.limits.local = SignedDuration::from_hours(1);
    }
    facts
}

/// The local answers of a world about an address.
pub(in crate::tui::shell) fn at_hand(world: PricedWorld) -> LocalLookup {
    let record = |ip: &str| LocalRecord {
        release: release("20261120"),
        document: document(&RECORD.replace("198.51.100.77", ip)),
    };
    let is_local = matches!(
        world,
        PricedWorld::Local | PricedWorld::AlwaysLive | PricedWorld::Stale
    );
    LocalLookup {
        records: is_local
            .then(|| record("198.51.100.77"))
            .into_iter()
            .collect(),
        ..LocalLookup::default()
    }
}

pub(in crate::tui::shell) fn at(
    (_, world, script): &PricedPlace,
    (width, height): (u16, u16),
) -> Harness {
    let mut harness = Harness::with(facts(*world), width, height);
    harness.sources.local = at_hand(*world);
    harness.sources.limits.local = facts(*world).limits.local;
    for keys in script.split(' ') {
        match keys {
            "<look>" => {
                let address = "198.51.100.77".parse().expect("an address");
                harness.go(Goal::Address(LookupQuery::now(address)));
            }
            "<tag>" => {
                let tag = TagName::new("ACME_VPN").expect("a tag");
                harness.go(Goal::Tag(tag));
            }
            "<paste>" => drop(harness.tell(Msg::Paste(LOG.to_owned()))),
            "<begin>" => {
                harness.keys(":open log<enter>");
                let reads = |(job, question): &(JobId, Question)| {
                    matches!(question, Question::Gather(_)).then_some(*job)
                };
                let job = harness.asked.iter().find_map(reads).expect("it is read");
                let text = GatheredText::of(LOG, harness::now());
                harness.tell(Msg::Beginning(job, Box::new(text)));
            }
            keys => drop(harness.keys(keys)),
        }
        answer_all(&mut harness, *world);
    }
    harness
}

/// Answers all questions that have an answer, including those that follow.
pub(in crate::tui::shell) fn answer_all(harness: &mut Harness, world: PricedWorld) {
    while let Some((job, result)) = harness
        .asked
        .iter()
        .find_map(|(job, question)| Some((*job, answer(question, world)?)))
    {
        harness.asked.retain(|(other, _)| *other != job);
        harness.answer_to(job, result);
    }
}

/// The answer to a question in a world; `None` if there is none.
pub(in crate::tui::shell) fn answer(
    question: &Question,
    world: PricedWorld,
) -> Option<Result<Answer, Error>> {
    let is_local = matches!(
        world,
        PricedWorld::Local | PricedWorld::AlwaysLive | PricedWorld::Stale
    );
    if is_paid(question) {
        return Some(if world == PricedWorld::Failing {
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
        Question::Page(query, positions) => Answer::Page(ViewPage {
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
                beyond: None,
            },
            first: positions.start,
            rows: (positions.start..positions.end.min(100))
                .map(|position| Ok(record(position)))
                .collect(),
        }),
        Question::Compare(_) => Answer::Compared(harness::compared()),
        Question::Explain(value) => Answer::Explained(Box::new(harness::explanation(value, true))),
        Question::Common(_) => Answer::Common(Box::new(harness::common(release("20261120")))),
        Question::Facets(_, fields, _) => Answer::Facets(fields.iter().map(facets).collect()),
        Question::Values(_, field, ..) => Answer::Values(facets(&FacetBy::Keyword(*field)).values),
        Question::Clauses(query) => {
            let count = |term: &Term| ClauseCount {
                term: term.clone(),
                alone: 9,
                without: 90,
                unknown: Vec::new(),
            };
            Answer::Clauses(query.filter.terms.iter().map(count).collect())
        }
        Question::Diff(query, _) => Answer::Diff(differing(query.listed)),
        Question::DiffSummary(_) => Answer::DiffSummary(diff::Summary::default()),
        Question::LocalPreview(_) => Answer::LocalPreview(LocalPreview {
            sample: Sample {
                columns: vec!["ip".to_owned()],
                rows: vec![vec!["198.51.100.77".to_owned()]],
                more: false,
            },
            bytes: 100,
            origin: ExportOrigin::Disk {
                day: Moment::parse("20261120").expect("a day"),
                generation: Moment::parse("20261120").expect("a day").generation(),
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

/// An added record, which is in the newer release, and a removed one, which may not be local. Others have the same verdict.
fn differing(listed: diff::ListedChanges) -> DiffPage {
    let of = |kind, before, after| DiffRecord {
        kind,
        before,
        after,
        differences: Vec::new(),
    };
    let mut records = vec![
        of(diff::ChangeKind::Added, None, Some(record(7))),
        of(diff::ChangeKind::Removed, Some(record(9)), None),
    ];
    records.retain(|record| listed.kind.is_none_or(|kind| record.kind == kind));
    let main = diff::ChangeCounts {
        added: 1,
        removed: 1,
        changed: 0,
    };
    DiffPage {
        records,
        counts: diff::RankedCounts { main, others: 1 },
        place: ReleasePlace::default(),
    }
}

pub(in crate::tui::shell) fn release(day: &str) -> Release {
    let file = "feed-1.json.gz".to_owned();
    let mut manifest = Manifest::new(
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
    manifest.generated_at = Some(manifest.moment.begins());
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds/anonymous").join(file),
    }
}
