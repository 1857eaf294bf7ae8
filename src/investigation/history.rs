//! How an address or a network changed over days: what is known of each day, the stretches with one verdict, the last days in short.
//!
//! A day that is not known is never one without a record, and a stretch never reaches over it.

mod bisection;
mod live;
mod local;
mod recent;
mod strip;

pub use self::{
    bisection::Bisection,
    live::{HistorySpending, look_up_between},
    local::{HistoryQuery, LocalHistory, MOST_DAYS, of_answer, read_history},
    recent::RecentDays,
    strip::{Strip, StripCell},
};
use crate::{
    contract::Feed,
    model::{Anonymization, Context, Day, Document, context::VerdictBasis},
    store::ReleasePlace,
};

/// The last known days that [`History::recent`] counts.
pub const RECENT_DAYS: usize = 10;

/// Where what is known of a day comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaySource {
    /// A release of a feed, at this place.
    Feeds(ReleasePlace),
    /// An earlier answer of the service.
    Cached,
    /// The service, just now.
    Live,
}

impl DaySource {
    /// Whether it is the service, now or before.
    #[must_use]
    pub fn is_service(self) -> bool {
        matches!(self, Self::Cached | Self::Live)
    }

    /// Its word in machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Feeds(place) => place.word(),
            Self::Cached => "cache",
            Self::Live => "live",
        }
    }
}

/// Why nothing is known of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownDay {
    /// This feed may have a record, and its release is not there, nor at a place that is asked before.
    NotAt(ReleasePlace, Feed),
    /// This feed may have a record, and the place of its release did not answer.
    Unread(Feed),
    /// A query about it has no answer.
    NotAnswered,
}

impl UnknownDay {
    /// Its word in machine output.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Self::NotAt(place, _) => place.words().missing.replace(' ', "-"),
            Self::Unread(_) => "unread".to_owned(),
            Self::NotAnswered => "not-answered".to_owned(),
        }
    }
}

/// What there is about an address or a network on a day.
#[derive(Clone, Debug, PartialEq)]
pub enum DayFinding {
    Record(Box<DayRecord>),
    /// It is known that there is no record.
    Absent(DaySource),
    Unknown(UnknownDay),
    /// The record, or a release that may have one, cannot be read.
    Unreadable,
}

/// A record as of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct DayRecord {
    pub document: Document,
    pub context: Context,
    pub source: DaySource,
    verdict: VerdictBasis,
}

impl DayRecord {
    /// The operators of its tunnels; without tunnels the callback proxies.
    #[must_use]
    pub fn operators(&self) -> Vec<&str> {
        if self.context.tunnels.items().is_empty() {
            self.context.proxies().iter().map(String::as_str).collect()
        } else {
            self.context.tunnel_operators()
        }
    }
}

impl DayFinding {
    /// A record from this source; one that is no context cannot be read.
    #[must_use]
    pub fn of(document: &Document, source: DaySource) -> Self {
        let Ok(context) = Context::decode(document.value()) else {
            return Self::Unreadable;
        };
        Self::Record(Box::new(DayRecord {
            document: document.clone(),
            verdict: context.verdict_basis(),
            context,
            source,
        }))
    }

    #[must_use]
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Record(_) | Self::Absent(_))
    }

    /// Whether the feeds have no record; the service was not asked.
    #[must_use]
    pub fn is_absent_in_feeds(&self) -> bool {
        matches!(self, Self::Absent(DaySource::Feeds(_)))
    }

    #[must_use]
    pub fn record(&self) -> Option<&DayRecord> {
        match self {
            Self::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Whether a tunnel or a proxy was seen, anonymous or not, or a risk that names one.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        use Anonymization::{Observed, Possible};
        self.record().is_some_and(|record| {
            let found = record.context.anonymization();
            matches!(found, Observed | Possible) || !record.context.tunnels.items().is_empty()
        })
    }

    /// Where it comes from; `None` where nothing is known.
    #[must_use]
    pub fn source(&self) -> Option<DaySource> {
        match self {
            Self::Record(record) => Some(record.source),
            Self::Absent(source) => Some(*source),
            Self::Unknown(_) | Self::Unreadable => None,
        }
    }

    /// Whether both are of one kind, with one verdict.
    #[must_use]
    pub fn continues(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Record(record), Self::Record(other)) => record.verdict == other.verdict,
            (Self::Absent(_), Self::Absent(_)) | (Self::Unreadable, Self::Unreadable) => true,
            (Self::Unknown(day), Self::Unknown(other)) => day.word() == other.word(),
            _ => false,
        }
    }

    /// Whether both are known and their verdicts differ. No record has the verdict of one that names nothing: the feeds lack many
    /// addresses of which the service has a record.
    fn differs(&self, other: &Self) -> bool {
        let verdict = |finding: &Self| match finding {
            Self::Record(record) => Some(record.verdict.clone()),
            Self::Absent(_) => Some(Context::default().verdict_basis()),
            Self::Unknown(_) | Self::Unreadable => None,
        };
        matches!((verdict(self), verdict(other)), (Some(basis), Some(other)) if basis != other)
    }
}

/// What there is on each of some days in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    pub from: Day,
    /// A finding a day, the oldest first.
    pub findings: Vec<DayFinding>,
}

/// Days in a row with one verdict; or without a record, unknown for one reason, or unreadable.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    pub from: Day,
    pub to: Day,
    /// A finding a day, the oldest first.
    pub findings: &'a [DayFinding],
    /// That of its newest day, whose record stands for the stretch.
    pub newest: &'a DayFinding,
}

/// What was seen on the last known days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// How many known days were counted, [`RECENT_DAYS`] at most.
    pub days: usize,
    /// On how many of them a tunnel or proxy was seen.
    pub seen: usize,
    /// The first and the last of those.
    pub first: Option<Day>,
    pub last: Option<Day>,
    /// Types of the tunnels, the newest first.
    pub types: Vec<String>,
    /// Operators of the tunnels, and callback proxies, the newest first.
    pub operators: Vec<String>,
    /// Where all of the days come from; `None` where that is not one source.
    pub source: Option<DaySource>,
}

impl History {
    /// The days with their findings, the oldest first.
    #[must_use]
    pub fn days(&self) -> impl DoubleEndedIterator<Item = (Day, &DayFinding)> {
        let days = self.findings.iter().enumerate();
        days.map(|(at, finding)| (self.day(at), finding))
    }

    /// The newest day.
    #[must_use]
    pub fn to(&self) -> Day {
        self.day(self.findings.len().saturating_sub(1))
    }

    fn day(&self, at: usize) -> Day {
        self.from.plus(i32::try_from(at).unwrap_or(i32::MAX))
    }

    /// Adds what was found about a day. What is known of it stays, but that a feed has no record: the service may have one. An unreadable
    /// day without an answer is unreadable still.
    pub fn learn(&mut self, day: Day, finding: DayFinding) {
        let at = usize::try_from(day.days_since(self.from)).ok();
        let Some(day_finding) = at.and_then(|at| self.findings.get_mut(at)) else {
            return;
        };
        let is_more = finding.is_known() || matches!(day_finding, DayFinding::Unknown(_));
        let is_of_service = |record: &DayRecord| record.source.is_service();
        let is_told =
            day_finding.is_absent_in_feeds() && finding.record().is_some_and(is_of_service);
        if is_told || is_more && !day_finding.is_known() {
            *day_finding = finding;
        }
    }

    /// Sets what was found about a day, whatever was known of it: what is shown beside it is the newest answer.
    pub fn set(&mut self, day: Day, finding: DayFinding) {
        let at = usize::try_from(day.days_since(self.from)).ok();
        if let Some(day_finding) = at.and_then(|at| self.findings.get_mut(at)) {
            *day_finding = finding;
        }
    }

    /// The same up to a day.
    #[must_use]
    pub fn until(&self, day: Day) -> Self {
        let days = usize::try_from(day.days_since(self.from) + 1).unwrap_or_default();
        Self {
            from: self.from,
            findings: self.findings.iter().take(days).cloned().collect(),
        }
    }

    /// What there is on a day; `None` beyond these days.
    #[must_use]
    pub fn on(&self, day: Day) -> Option<&DayFinding> {
        let at = usize::try_from(day.days_since(self.from)).ok()?;
        self.findings.get(at)
    }

    /// The stretch of a day.
    #[must_use]
    pub fn stretch_of(&self, day: Day) -> Option<Stretch<'_>> {
        let mut stretches = self.stretches().into_iter();
        stretches.find(|stretch| (stretch.from..=stretch.to).contains(&day))
    }

    /// The known days between two days whose verdict is another one than that of the second.
    #[must_use]
    pub fn differing_between(&self, from: Day, to: Day) -> usize {
        let Some(last) = self.on(to) else {
            return 0;
        };
        let between = self.days().filter(|(day, _)| from < *day && *day < to);
        let differing =
            between.filter(|(_, finding)| finding.is_known() && !last.continues(finding));
        differing.count()
    }

    /// The last known day before one with another verdict than that one has.
    #[must_use]
    pub fn last_other(&self, day: Day) -> Option<Day> {
        let finding = self.on(day)?;
        let mut earlier = self.days().rev().skip_while(|(at, _)| *at >= day);
        let other = earlier.find(|(_, other)| other.is_known() && !finding.continues(other));
        other.map(|(day, _)| day)
    }

    /// How many days are not known, the unreadable ones among them.
    #[must_use]
    pub fn unknown_days(&self) -> usize {
        let unknown = self.findings.iter().filter(|finding| !finding.is_known());
        unknown.count()
    }

    /// The stretches, the oldest first.
    #[must_use]
    pub fn stretches(&self) -> Vec<Stretch<'_>> {
        self.chunks(|before, finding| finding.continues(before))
    }

    /// Each day as a stretch of its own, the oldest first.
    #[must_use]
    pub fn single_days(&self) -> Vec<Stretch<'_>> {
        self.chunks(|_, _| false)
    }

    fn chunks(&self, goes_on: impl Fn(&DayFinding, &DayFinding) -> bool) -> Vec<Stretch<'_>> {
        let (mut first, mut stretches) = (0, Vec::new());
        for findings in self.findings.chunk_by(goes_on) {
            let from = self.day(first);
            first += findings.len();
            stretches.extend(findings.last().map(|newest| Stretch {
                from,
                to: self.day(first - 1),
                findings,
                newest,
            }));
        }
        stretches
    }

    /// What was seen on the last known days.
    #[must_use]
    pub fn recent(&self) -> Recent {
        let mut recent = Recent::default();
        let known = self.days().rev().filter(|(_, finding)| finding.is_known());
        for (day, finding) in known.take(RECENT_DAYS) {
            let source = finding.source();
            recent.source = source.filter(|_| recent.days == 0 || recent.source == source);
            recent.days += 1;
            let Some(record) = finding.record().filter(|_| finding.is_seen()) else {
                continue;
            };
            recent.seen += 1;
            recent.last = recent.last.or(Some(day));
            recent.first = Some(day);
            add_new(&mut recent.types, record.context.tunnel_types());
            add_new(&mut recent.operators, record.operators());
        }
        recent
    }
}

fn add_new(texts: &mut Vec<String>, more: Vec<&str>) {
    for text in more {
        if !texts.iter().any(|word| word == text) {
            texts.push(text.to_owned());
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
