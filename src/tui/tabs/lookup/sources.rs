//! What the sources have of an address: the answer that is shown, and how each other source compares with it.
//!
//! No local or cached answer must ever pass for one of the service given just now: whatever shows it names where it comes from. Records are
//! compared and listed one by one; they must never be merged.

use jiff::Timestamp;

use crate::{
    contract::{Feed, LookupQuery},
    engine::{
        Error, LocalRecord, LookupAnswer, Provenance, Sources,
        answers::{Age, PolicyStep, Source, next},
        views::EntryOf,
    },
    model::{
        Context, Day, Document,
        compare::{Difference, DifferenceKind, compare_named},
        terms, visible,
    },
    report::{Fact, Reading, TextCell, TicketStamp, answer_ticket, local_ticket, value},
    store::{Generation, layout::Release},
};

/// An answer about an address.
#[derive(Clone, Debug)]
pub struct SourceAnswer {
    pub origin: AnswerOrigin,
    /// What its record says; `None` if the source has none.
    reading: Option<Reading>,
    pub age: Age,
}

/// An answer, by its source.
#[derive(Clone, Debug)]
pub enum AnswerOrigin {
    Live(Box<LookupAnswer>),
    /// Of the service, earlier.
    Cached(Box<LookupAnswer>),
    Local(Box<LocalRecord>),
}
use AnswerOrigin::{Cached, Live, Local};

impl SourceAnswer {
    fn of_service(
        answer: LookupAnswer,
        age: Age,
        origin: fn(Box<LookupAnswer>) -> AnswerOrigin,
    ) -> Self {
        Self {
            reading: Reading::of_answer(&answer),
            origin: origin(Box::new(answer)),
            age,
        }
    }

    fn of_release(record: LocalRecord, age: Age) -> Self {
        Self {
            reading: Some(Reading::of_record(&record)),
            origin: Local(Box::new(record)),
            age,
        }
    }

    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self.origin, Live(_))
    }

    /// Whether it is young enough to replace a query.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.age == Age::Fresh
    }

    /// The record, or `None` if the source has none.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match &self.origin {
            Live(answer) | Cached(answer) => answer.record.as_ref().map(|record| &record.document),
            Local(record) => Some(&record.document),
        }
    }

    /// The same decoded; `None` for a record of another kind, too.
    #[must_use]
    pub fn context(&self) -> Option<&Context> {
        match &self.reading {
            Some(Reading::Context(context)) => Some(context),
            _ => None,
        }
    }

    /// The request to the service.
    #[must_use]
    pub fn asked(&self) -> Option<&Provenance> {
        match &self.origin {
            Live(answer) | Cached(answer) => Some(&answer.provenance),
            Local(_) => None,
        }
    }

    /// The record of a local release.
    #[must_use]
    pub fn local(&self) -> Option<&LocalRecord> {
        match &self.origin {
            Live(_) | Cached(_) => None,
            Local(record) => Some(record),
        }
    }

    /// The feed that has it, or how the service gave it.
    #[must_use]
    pub fn source(&self) -> &'static str {
        match &self.origin {
            Live(_) => "live",
            Cached(_) => "cached",
            Local(record) => record.release.manifest.feed.name(),
        }
    }

    /// The same in a list of several: a feed of this machine by its name alone.
    #[must_use]
    pub fn listed(&self) -> String {
        let place = self.local();
        let place = place.and_then(|record| record.release.manifest.place().elsewhere());
        let names: Vec<&str> = place.into_iter().chain([self.source()]).collect();
        names.join(" ")
    }

    /// From when its age counts.
    #[must_use]
    pub fn since(&self) -> Generation {
        match &self.origin {
            Live(answer) | Cached(answer) => answer.provenance.asked_at.into(),
            Local(record) => record.release.manifest.generation(),
        }
    }

    /// The day of its data.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        match &self.origin {
            Live(answer) | Cached(answer) => answer.provenance.data_date,
            Local(record) => Some(record.release.manifest.moment.day()),
        }
    }

    /// That day, or the time of a release that has several on a day.
    #[must_use]
    pub fn moment(&self) -> Option<String> {
        match &self.origin {
            Live(answer) | Cached(answer) => answer.provenance.data_date.map(Day::dashed),
            Local(record) => Some(record.release.manifest.moment.dashed()),
        }
    }

    /// The ticket note about it.
    #[must_use]
    pub fn ticket(&self, query: LookupQuery, named: &[EntryOf], written: TicketStamp) -> String {
        let (address, geolocation) = (query.address.to_string(), query.geolocation);
        match &self.origin {
            Live(answer) => {
                answer_ticket(&address, Source::Live, geolocation, answer, named, written)
            }
            Cached(answer) => answer_ticket(
                &address,
                Source::Cached,
                geolocation,
                answer,
                named,
                written,
            ),
            Local(record) => local_ticket(&address, record, named, written),
        }
    }
}

/// An answer that the service gave just now.
impl From<LookupAnswer> for SourceAnswer {
    fn from(answer: LookupAnswer) -> Self {
        Self::of_service(answer, Age::Fresh, Live)
    }
}

/// All local and cached answers to a question.
#[derive(Clone, Debug, Default)]
pub struct FreeAnswers {
    /// What the policy shows where no query is sent.
    pub answer: Option<SourceAnswer>,
    /// The local records that are not shown, the most specific first, and the cached answer if it is not shown.
    others: Vec<SourceAnswer>,
    /// Releases with a record of it that cannot be read, and why.
    unread: Vec<(Release, String)>,
    /// Why releases cannot be used that may have had an answer.
    pub unusable: Vec<Error>,
}

impl FreeAnswers {
    /// What these sources have. Fresh answers replace a query, stale ones are shown in its place.
    #[must_use]
    pub fn of(mut sources: Sources, now: Timestamp) -> Self {
        sources.may_send = false;
        let shown = match next(&sources, now) {
            PolicyStep::Show(Source::Local, _) => sources.best_record(now),
            PolicyStep::Show(Source::Cached, _) => Some(sources.local.records.len()),
            PolicyStep::Show(Source::Live, _) | PolicyStep::Ask(_) => None,
        };
        let age = |is_stale| if is_stale { Age::Stale } else { Age::Fresh };
        let records = sources.local.records.iter();
        let local = records.map(|record| {
            SourceAnswer::of_release(record.clone(), age(sources.is_stale(record, now)))
        });
        let cached = sources.cached.iter().map(|answer| {
            let age = age(sources.is_stale_answer(answer, now));
            SourceAnswer::of_service(answer.clone(), age, Cached)
        });
        let mut others: Vec<SourceAnswer> = local.chain(cached).collect();
        let unread = sources.local.unread.into_iter();
        Self {
            answer: shown.map(|at| others.remove(at)),
            others,
            unread: unread.map(|unread| (unread.release, unread.why)).collect(),
            unusable: sources.unusable,
        }
    }

    /// Whether something is young enough to replace a query.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.answer.as_ref().is_some_and(SourceAnswer::is_fresh)
    }

    /// How every source beside the one that is shown compares with it, in the order of worth.
    #[must_use]
    pub fn compared_with(&self, shown: Option<&SourceAnswer>) -> Vec<OtherSource> {
        let document = shown.and_then(SourceAnswer::document);
        let live = shown.filter(|shown| shown.is_live());
        let asked_at = live
            .and_then(SourceAnswer::asked)
            .map(|asked| asked.asked_at);
        // A copy of the answer that is shown agrees with it, which says nothing.
        let is_copy = |answer: &&SourceAnswer| {
            let asked = answer.asked().map(|asked| asked.asked_at);
            asked.is_some() && asked == asked_at
        };
        let replaced = self.answer.iter().filter(|_| live.is_some());
        let others = replaced
            .chain(&self.others)
            .filter(|answer| !is_copy(answer));
        let unread = self.unread.iter().map(|(release, why)| OtherSource {
            source: release.manifest.feed.to_string(),
            network: None,
            day: Some(release.manifest.moment.dashed()),
            since: release.manifest.generation(),
            stale: false,
            stands: SourceAgreement::Unread(why.clone()),
        });
        let others = others.map(|answer| OtherSource::of(answer, document));
        others.chain(unread).collect()
    }
}

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
    fn of(reading: &Reading) -> Self {
        let values = reading.values();
        let TextCell { text: line, .. } = reading.brief(&values);
        let place = [value(&values, "city"), value(&values, "country")];
        let word = match reading {
            Reading::Hosting(_) => "hosting".to_owned(),
            Reading::Geo(_) => visible(place.join(" ").trim()).into_owned(),
            Reading::Context(_) | Reading::Unread => line.clone(),
        };
        let facts = reading.facts();
        Self { word, line, facts }
    }
}

impl OtherSource {
    fn of(answer: &SourceAnswer, shown: Option<&Document>) -> Self {
        let is_partial = answer.source() == Feed::Realtime.name();
        let record = answer.document();
        let subject = record.and_then(|document| terms::subject(document.value().as_object()?));
        let network = subject.map(|subject| subject.network());
        let network = network.filter(|network| network.prefix_len() < network.max_prefix_len());
        Self {
            source: answer.listed(),
            network: network.map(|network| network.to_string()),
            day: answer.moment(),
            since: answer.since(),
            stale: !answer.is_fresh(),
            stands: match (&answer.reading, record, shown) {
                (Some(Reading::Context(_)), Some(document), Some(shown)) => {
                    SourceAgreement::between(shown, document, is_partial)
                }
                (Some(reading), ..) => SourceAgreement::Says(OwnFacts::of(reading)),
                (None, ..) => SourceAgreement::Nothing,
            },
        }
    }
}

impl SourceAgreement {
    /// Of a partial record, what it lacks is no difference.
    fn between(shown: &Document, other: &Document, partial: bool) -> Self {
        let all = compare_named(shown.value(), other.value());
        let is_subject = |found: &Difference| found.path == "ip" || found.path == "network";
        let differing = all.into_iter().filter(|found| {
            let change = found.change();
            let lacks = partial && change == DifferenceKind::Removed;
            change != DifferenceKind::Equal && !lacks && !is_subject(found)
        });
        match differing.collect::<Vec<_>>() {
            none if none.is_empty() => Self::Agrees,
            some => Self::Differs(some),
        }
    }
}
