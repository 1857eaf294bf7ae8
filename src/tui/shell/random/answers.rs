//! A random answer of the right type to any question, or an error of any kind.

use fastrand::Rng;

use super::texts;
use crate::{
    contract::{ExportQuery, Feed, Format},
    engine::{
        Deleted, Error, ExportFileRun, ExportOrigin, FetchedListing, Health, Kind, LocalTags,
        OnDisk, PartialDownload, Pinned, Preset, Pulled, SavedExports, Statement, Unfinished,
        VerifiedRelease,
        views::{HeldWithin, OfFeeds, RecordName},
    },
    investigation::gather::GatheredText,
    model::{FeedMetadata, Listing, Subject},
    store::{Moment, layout::Release},
    tui::{
        ctx::{Answer, GatherQuery, Question, TextFrom},
        harness::{self, Harness},
        shell::prices::places::{self, PricedWorld},
    },
};

const KINDS: [Kind; 12] = [
    Kind::Usage,
    Kind::Guard,
    Kind::Credentials,
    Kind::Quota,
    Kind::RateLimit,
    Kind::Network,
    Kind::Contract,
    Kind::Integrity,
    Kind::Machine,
    Kind::Locked,
    Kind::NotFound,
    Kind::Interrupted,
];

const METADATA: &str =
    r#"{"json":{"location":"20261120/feed.json.gz","date":"20261120","filesize":1600000000}}"#;

/// The result of a question.
pub(super) fn of(
    rng: &mut Rng,
    harness: &Harness,
    question: &Question,
    world: PricedWorld,
) -> Result<Answer, Error> {
    if rng.u32(..5) == 0 {
        let kind = KINDS[rng.usize(..KINDS.len())];
        let message = format!("it came to nothing: {}\u{1b}[31m", kind.word());
        return Err(Error::new(kind, message));
    }
    if let Question::Resolve(_) = question {
        return Ok(Answer::Resolved(None));
    }
    if harness::is_free(question) {
        return Ok(harness.at_hand(question));
    }
    if rng.u32(..50) == 0 {
        return Ok(Answer::Status(harness::status("{}")));
    }
    match question {
        Question::IsThere(_) => return Ok(Answer::IsThere(rng.bool())),
        Question::ListPeople(_) => return Ok(Answer::ListPeople(rng.bool().then(Box::default))),
        Question::ListCheck(_) => return Ok(Answer::ListCheck(Box::default())),
        _ => {}
    }
    places::answer(question, world).unwrap_or_else(|| other(rng, harness, question))
}

fn health(release: Release) -> Health {
    Health {
        release,
        records: 1_000,
        new_values: vec![("risks GHOSTS".to_owned(), 3)],
        rejected: std::collections::BTreeMap::new(),
        unknown: vec![("ai.model".to_owned(), 12)],
        odd: Vec::new(),
        days: Vec::new(),
    }
}

/// Answers that the worlds of the places do not have.
fn other(rng: &mut Rng, harness: &Harness, question: &Question) -> Result<Answer, Error> {
    let some = rng.bool();
    let release = || places::release("20261120");
    let moment = || Moment::parse("20261120").expect("a day");
    Ok(match question {
        Question::Status => Answer::Status(harness::status(
            r#"{"active":true,"queriesRemaining":48121,"serviceTier":"enterprise"}"#,
        )),
        Question::Probe | Question::Login(..) => Answer::Probed(Vec::new()),
        Question::Ledger => Answer::Ledger(Statement::default()),
        Question::ChangeGuards(guards) => Answer::GuardsChanged(guards.clone()),
        Question::Metadata(_) => Answer::Metadata(harness::fetched(METADATA, |value| {
            FeedMetadata::decode(value).expect(METADATA)
        })),
        Question::Runs(_) => listed(r#"["20261120", "20261119", "20261001"]"#),
        Question::Files(..) => listed(r#"["2305.json.gz", "2310.json.gz"]"#),
        Question::Releases => Answer::Releases(OnDisk {
            releases: if some { vec![release()] } else { Vec::new() },
            free: Some(rng.u64(..1 << 40)),
            ..OnDisk::default()
        }),
        Question::Loads => Answer::Loads(Vec::new()),
        Question::Unfinished => Answer::Unfinished(Unfinished::default()),
        Question::LeftOf(query) | Question::DeletePart(query) => {
            Answer::Left(some.then(|| PartialDownload {
                query: *query,
                moment: moment(),
                bytes: 100,
                total: Some(700),
            }))
        }
        Question::Pull(_) => Answer::Pulled(Pulled {
            release: release(),
            was_here: some,
            resumed_from: 0,
            removed: Vec::new(),
            warnings: Vec::new(),
        }),
        Question::Pin(feed, moment, is_pinned) => Answer::Pinned(Pinned {
            feed: *feed,
            moment: *moment,
            is_pinned: *is_pinned,
        }),
        Question::Gather(query) => Answer::Gathered(Box::new(gathered(rng, query))),
        Question::Verify(_) => Answer::Verified(vec![VerifiedRelease {
            release: release(),
            form: Format::Json,
            data: some,
            index: true,
        }]),
        Question::Reindex(_) => Answer::Reindexed(release()),
        Question::Health(_) => Answer::Health(health(release())),
        Question::Delete(feed, what) => Answer::Deleted(Deleted::of(*feed, what.clone())),
        Question::Undelete(deleted) => Answer::Deleted(deleted.clone()),
        Question::WriteBlockList(..) => Answer::BlockListed(Vec::new()),
        Question::WriteList(list) => harness::written(2, &list.path),
        Question::Readme(_, path) => Answer::Saved(path.clone()),
        Question::Export(run) | Question::ExportLocal(run) => Answer::Exported(ExportFileRun {
            file: run.file.clone(),
            bytes: 1_204_112,
            records: some.then_some(43_291),
            asked_at: harness.now,
            origin: ExportOrigin::Service {
                url: "https://exports.example/v1/feeds/anonymous".to_owned(),
            },
        }),
        Question::SavePreset(name, query) => saved(name, query.clone()),
        Question::DeletePreset(_) => saved("night", ExportQuery::all_of(Feed::Anonymous)),
        Question::Trail => Answer::Trail(crate::engine::SavedTrail::default()),
        Question::Position(..) => Answer::Position(some.then(|| rng.u64(..100))),
        Question::Compare(_) => Answer::Compared(harness::compared()),
        Question::Names(_, rows) => {
            let rows = rows.clone().take(500);
            Answer::Names(rows.map(|row| record_name(row, some)).collect())
        }
        Question::Explain(word) => Answer::Explained(Box::new(harness::explanation(word, some))),
        Question::Common(_) => Answer::Common(Box::new(harness::common(release()))),
        Question::HeldWithin(_) => Answer::HeldWithin(HeldWithin::default()),
        Question::LocalTags => Answer::LocalTags(LocalTags {
            release: release(),
            tags: Vec::new(),
            unread: 0,
        }),
        Question::TagChanges => Answer::TagChanges(None),
        Question::TagCounts => Answer::TagCounts(OfFeeds {
            found: Vec::new(),
            unusable: Vec::new(),
        }),
        Question::TagUses(_) => Answer::TagUses(OfFeeds {
            found: Vec::new(),
            unusable: Vec::new(),
        }),
        _ => return Err(Error::new(Kind::NotFound, "it is not there")),
    })
}

fn record_name(row: u64, has_subject: bool) -> RecordName {
    let last = u8::try_from(row % 256).unwrap_or_default();
    RecordName {
        name: format!("198.51.100.{last}"),
        subject: has_subject.then(|| Subject::Address([198, 51, 100, last].into())),
        tags: vec!["ACME_VPN".to_owned()],
    }
}

fn listed(json: &str) -> Answer {
    Answer::Listed(FetchedListing {
        listing: Listing::read(json.as_bytes()).expect(json),
        provenance: harness::provenance(),
    })
}

fn saved(name: &str, query: ExportQuery) -> Answer {
    Answer::SavedExports(SavedExports {
        presets: vec![Preset {
            name: name.to_owned(),
            query,
        }],
        runs: Vec::new(),
    })
}

/// The addresses of a paste, or of a file with any text.
pub(super) fn gathered(rng: &mut Rng, query: &GatherQuery) -> GatheredText {
    let text = match &query.from {
        TextFrom::Paste(text) => text.text(),
        TextFrom::File(_) => texts::pasted(rng).into(),
    };
    GatheredText::read(&text, query.by_day, &query.zone, harness::now())
}
