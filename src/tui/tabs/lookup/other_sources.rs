//! How each other source compares with the answer that is shown: other local feeds, networks that cover the address, the cached answer,
//! and the local one beside a live one. Records are compared and listed one by one; they must never be merged.

use super::free_answers::{AnswerOrigin, FreeAnswer, FreeAnswers, ShownAnswer};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::{LookupAnswer, Provenance, answers::Age},
    model::{
        Day, Document,
        compare::{Difference, DifferenceKind, compare_named},
        terms, visible,
    },
    report::{Fact, Reading, TextCell, value},
    store::{Generation, Moment, layout::Release},
};

/// A source other than the shown one.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherSource {
    pub source: String,
    /// The network that its record is about, where that is not the address alone.
    pub network: Option<String>,
    pub day: Option<String>,
    /// From when its age counts.
    pub since: Generation,
    /// Whether it is too old to replace a query.
    pub stale: bool,
    pub stands: SourceAgreement,
}

/// How a record compares with the shown one.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceAgreement {
    /// Both have the same values.
    Agrees,
    /// They differ in these places: the shown record first, then this one.
    Differs(Vec<Difference>),
    /// It is of another kind, with its own fields.
    Says(OwnFacts),
    /// It cannot be read.
    Unread(String),
    Nothing,
}

/// What a record of another kind has of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnFacts {
    /// In a word or two.
    pub word: String,
    /// In a line.
    pub line: String,
    /// One by one.
    pub facts: Vec<Fact>,
}

impl OwnFacts {
    fn of(feed: Feed, document: &Document) -> Self {
        let reading = Reading::of(feed, document.value());
        let values = reading.values();
        let TextCell { text: line, .. } = reading.brief(&values);
        let place = [value(&values, "city"), value(&values, "country")];
        let word = match reading {
            Reading::Hosting(_) => "hosting".to_owned(),
            Reading::Geo(_) => visible(place.join(" ").trim()).into_owned(),
            Reading::Context(_) | Reading::Unread => line.clone(),
        };
        Self {
            word,
            line,
            facts: reading.facts(),
        }
    }
}

/// Every source beside the one that is shown, in the order of worth.
#[must_use]
pub(super) fn beside(
    shown: Option<ShownAnswer<'_>>,
    found: Option<&FreeAnswers>,
) -> Vec<OtherSource> {
    let mut all = Vec::new();
    let Some(found) = found else { return all };
    let record = shown.and_then(|shown| shown.record);
    let document = record.map(|record| &record.document);
    let live = shown.and_then(|shown| match shown.origin {
        AnswerOrigin::Live(asked) => Some(asked.asked_at),
        _ => None,
    });
    // A copy of the answer that is shown agrees with it, which says nothing.
    let is_copy = |answer: &LookupAnswer| Some(answer.provenance.asked_at) == live;
    if let Some(answer) = found.answer.as_ref().filter(|_| live.is_some()) {
        match answer {
            FreeAnswer::Local(own, release, age) => {
                all.push(of_release(release, &own.document, *age, document));
            }
            FreeAnswer::Cached(answer, _) if is_copy(answer) => {}
            FreeAnswer::Cached(answer, age) => {
                let own = answer.record.as_ref().map(|record| &record.document);
                all.push(cached(&answer.provenance, own, *age, document));
            }
        }
    }
    for (own, age) in &found.others {
        all.push(of_release(&own.release, &own.document, *age, document));
    }
    if let Some((answer, age)) = found.cached.as_ref().filter(|(own, _)| !is_copy(own)) {
        let own = answer.record.as_ref().map(|record| &record.document);
        all.push(cached(&answer.provenance, own, *age, document));
    }
    for (release, why) in &found.unread {
        let (feed, moment) = (release.manifest.feed, release.manifest.moment);
        all.push(OtherSource {
            source: feed.to_string(),
            network: None,
            day: Some(moment.dashed()),
            since: release.manifest.generation(),
            stale: false,
            stands: SourceAgreement::Unread(why.clone()),
        });
    }
    all
}

fn of_release(
    release: &Release,
    document: &Document,
    age: Age,
    shown: Option<&Document>,
) -> OtherSource {
    let (feed, moment): (Feed, Moment) = (release.manifest.feed, release.manifest.moment);
    let subject = document.value().as_object().and_then(terms::subject);
    let network = subject.map(|subject| subject.network());
    let network = network.filter(|network| network.prefix_len() < network.max_prefix_len());
    let is_context = matches!(
        feed.row().records,
        RecordKind::Context | RecordKind::Ipv6Context
    );
    let stands = match shown {
        Some(shown) if is_context => stands(shown, document, feed == Feed::Realtime),
        _ => SourceAgreement::Says(OwnFacts::of(feed, document)),
    };
    OtherSource {
        source: feed.to_string(),
        network: network.map(|network| network.to_string()),
        day: Some(moment.dashed()),
        since: release.manifest.generation(),
        stale: age == Age::Stale,
        stands,
    }
}

fn cached(
    provenance: &Provenance,
    document: Option<&Document>,
    age: Age,
    shown: Option<&Document>,
) -> OtherSource {
    OtherSource {
        source: "cached".to_owned(),
        network: None,
        day: provenance.data_date.map(Day::dashed),
        since: provenance.asked_at.into(),
        stale: age == Age::Stale,
        stands: match (shown, document) {
            (Some(shown), Some(document)) => stands(shown, document, false),
            (None, Some(document)) => {
                SourceAgreement::Says(OwnFacts::of(Feed::Anonymous, document))
            }
            (_, None) => SourceAgreement::Nothing,
        },
    }
}

/// Of a partial record, what it lacks is no difference.
fn stands(shown: &Document, other: &Document, partial: bool) -> SourceAgreement {
    let all = compare_named(shown.value(), other.value());
    let is_subject = |found: &Difference| found.path == "ip" || found.path == "network";
    let differing = all.into_iter().filter(|found| {
        let change = found.change();
        let lacks = partial && change == DifferenceKind::Removed;
        change != DifferenceKind::Equal && !lacks && !is_subject(found)
    });
    match differing.collect::<Vec<_>>() {
        none if none.is_empty() => SourceAgreement::Agrees,
        some => SourceAgreement::Differs(some),
    }
}
