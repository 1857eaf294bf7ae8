//! What is local or cached about an address without a query: the answer that is shown, and what the other local feeds have.
//!
//! None of it must ever pass for an answer of the service given just now: whatever shows it names where it comes from.

use jiff::Timestamp;

use crate::{
    contract::Geolocation,
    engine::{
        self, LocalRecord, Provenance, Sources,
        answers::{Age, AnswerRecord, PolicyStep, Source, next},
        views::EntryOf,
    },
    model::{Context, Day},
    report::{TicketStamp, kept_ticket, local_ticket},
    store::{Generation, layout::Release},
};

/// An answer that costs nothing.
#[derive(Clone, Debug)]
pub enum FreeAnswer {
    Local(AnswerRecord, Box<Release>, Age),
    /// What the service answered before.
    Cached(engine::LookupAnswer, Age),
}

/// All that is at hand about a question.
#[derive(Clone, Debug, Default)]
pub struct FreeAnswers {
    /// What the policy shows where no query is sent.
    pub answer: Option<FreeAnswer>,
    /// The local records that are not shown, the most specific first.
    pub others: Vec<(LocalRecord, Age)>,
    /// The cached answer, where it is not shown.
    pub cached: Option<(engine::LookupAnswer, Age)>,
    /// Releases with a record of it that cannot be read, and why.
    pub unread: Vec<(Release, String)>,
}

#[derive(Clone, Copy, Debug)]
pub struct ShownAnswer<'a> {
    /// The record, or `None` when the service has no record.
    pub record: Option<&'a AnswerRecord>,
    /// Where it comes from.
    pub origin: AnswerOrigin<'a>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug)]
pub enum AnswerOrigin<'a> {
    Live(&'a Provenance),
    /// The service, earlier.
    Cached(&'a Provenance, Age),
    Local(&'a Release, Age),
}

impl ShownAnswer<'_> {
    /// The feed that has it, or how the service gave it.
    #[must_use]
    pub fn source(&self) -> &'static str {
        match self.origin {
            AnswerOrigin::Live(_) => "live",
            AnswerOrigin::Cached(..) => "cached",
            AnswerOrigin::Local(release, _) => release.manifest.feed.name(),
        }
    }

    /// From when its age counts.
    #[must_use]
    pub fn since(&self) -> Generation {
        match self.origin {
            AnswerOrigin::Live(asked) | AnswerOrigin::Cached(asked, _) => asked.asked_at.into(),
            AnswerOrigin::Local(release, _) => release.manifest.generation(),
        }
    }

    #[must_use]
    pub fn age(&self) -> Age {
        match self.origin {
            AnswerOrigin::Live(_) => Age::Fresh,
            AnswerOrigin::Cached(_, age) | AnswerOrigin::Local(_, age) => age,
        }
    }

    /// The day of its data.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        match self.origin {
            AnswerOrigin::Live(asked) | AnswerOrigin::Cached(asked, _) => asked.data_date,
            AnswerOrigin::Local(release, _) => Some(release.manifest.moment.day()),
        }
    }
}

impl FreeAnswers {
    /// What these sources have. Fresh answers replace a query, stale ones are shown in its place.
    #[must_use]
    pub fn of(mut sources: Sources, now: Timestamp) -> Self {
        sources.may_send = false;
        let mut found = Self::default();
        let shown = match next(&sources, now) {
            PolicyStep::Show(Source::Local, age) => sources.best_record(now).map(|at| (at, age)),
            PolicyStep::Show(Source::Cached, age) => {
                let cached = sources.cached.take();
                found.answer = cached.map(|cached| FreeAnswer::Cached(cached, age));
                None
            }
            PolicyStep::Show(Source::Live, _) | PolicyStep::Ask(_) => None,
        };
        found.cached = sources.cached.take().map(|answer| {
            let is_stale = sources.is_stale_answer(&answer, now);
            (answer, if is_stale { Age::Stale } else { Age::Fresh })
        });
        let age_of = |record: &LocalRecord| {
            if sources.is_stale(record, now) {
                Age::Stale
            } else {
                Age::Fresh
            }
        };
        let ages: Vec<Age> = sources.local.records.iter().map(age_of).collect();
        for (at, (record, own)) in sources.local.records.into_iter().zip(ages).enumerate() {
            match shown {
                Some((shown, age)) if shown == at => found.answer = local(record, age),
                _ => found.others.push((record, own)),
            }
        }
        let unread = sources.local.unread.into_iter();
        found.unread = unread.map(|unread| (unread.release, unread.why)).collect();
        found
    }

    /// Whether something is young enough to replace a query.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.answer.as_ref().is_some_and(FreeAnswer::is_fresh)
    }
}

fn local(record: LocalRecord, age: Age) -> Option<FreeAnswer> {
    let LocalRecord { release, document } = record;
    let context = Context::decode(document.value()).ok()?;
    Some(FreeAnswer::Local(
        AnswerRecord { context, document },
        Box::new(release),
        age,
    ))
}

impl FreeAnswer {
    /// Whether it is young enough to replace a query.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let (Self::Local(_, _, age) | Self::Cached(_, age)) = self;
        *age == Age::Fresh
    }

    /// The record of a local release.
    #[must_use]
    pub fn local_record(&self) -> Option<LocalRecord> {
        match self {
            Self::Local(record, release, _) => {
                let (release, document) = (Release::clone(release), record.document.clone());
                Some(LocalRecord { release, document })
            }
            Self::Cached(..) => None,
        }
    }

    /// The ticket note about it.
    #[must_use]
    pub fn ticket(
        &self,
        address: &str,
        geolocation: Geolocation,
        entry_of: &[EntryOf],
        written: TicketStamp,
    ) -> String {
        match self {
            Self::Cached(answer, _) => kept_ticket(address, geolocation, answer, entry_of, written),
            Self::Local(..) => self
                .local_record()
                .map(|record| local_ticket(address, &record, entry_of, written))
                .unwrap_or_default(),
        }
    }

    /// As it is shown.
    #[must_use]
    pub fn shown(&self) -> ShownAnswer<'_> {
        match self {
            Self::Local(record, release, age) => ShownAnswer {
                record: Some(record),
                origin: AnswerOrigin::Local(release, *age),
            },
            Self::Cached(answer, age) => ShownAnswer {
                record: answer.record.as_ref(),
                origin: AnswerOrigin::Cached(&answer.provenance, *age),
            },
        }
    }
}

impl<'a> From<&'a engine::LookupAnswer> for ShownAnswer<'a> {
    fn from(answer: &'a engine::LookupAnswer) -> Self {
        Self {
            record: answer.record.as_ref(),
            origin: AnswerOrigin::Live(&answer.provenance),
        }
    }
}
