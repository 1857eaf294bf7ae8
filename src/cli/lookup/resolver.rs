//! The local feeds, the answer cache and the service, asked about many addresses.
//!
//! What may answer in place of a query is decided by the engine. Nothing is sent past the cap of `--spend`.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt, stream};
use ipnet::IpNet;

use super::show::{AnswerPart, AnswerParts, LookupReply, SourceRecord};
use crate::{
    cli::args::lookup::{LookupArgs, SourceArg},
    contract::LookupQuery,
    engine::{
        Engine, Error, Family, Kind, LocalLookup, LocalRecord, OpenDay, OpenRelease, Opened, Pick,
        Result, Sources, Spending, Unread,
        answers::{Age, IN_FLIGHT, Source, replaces_a_query},
    },
    model::{Day, Subject},
};

/// Whom this run asks.
pub(super) struct Resolver<'a> {
    pub(super) engine: &'a Engine,
    pub(super) source: SourceArg,
    pub(super) query: Box<dyn Fn(IpAddr) -> LookupQuery>,
    /// The past day that the service is asked about.
    pub(super) date: Option<Day>,
    /// The release that `--day` picks: no other and no query is to answer in its place.
    pub(super) day: Option<Day>,
    pub(super) picked: Opened,
    /// The releases that are asked, with what they have about the subjects.
    opened: Vec<OpenRelease>,
    pub(super) spending: Spending,
}

/// The releases that a run asks, before it is known about what.
pub(super) struct LookupDays {
    days: Opened,
    pub(super) source: SourceArg,
}

impl LookupDays {
    /// Opens the releases that are asked.
    ///
    /// # Errors
    /// Options that do not belong together; no local feed, where only those are asked.
    pub(super) async fn of(args: &LookupArgs, engine: &Engine) -> Result<Self> {
        let today = engine.settings.today();
        let date = args.date(today)?;
        let storage = &engine.storage;
        let days = match (args.local(today)?, args.asked()) {
            (None, _) => Opened::default(),
            // What is not local is asked of the service, unless `--day` picks a local release.
            (Some(pick), SourceArg::Auto) if pick.day.is_none() || date.is_some() => {
                storage.open_picked(&pick).await?
            }
            (Some(pick), _) => storage.open_some(&pick).await?,
        };
        let source = args.asked();
        Ok(Self { days, source })
    }

    /// Why feeds cannot answer.
    pub(super) fn unusable(&self) -> impl Iterator<Item = &Error> {
        self.days.unusable.iter().map(|feed| &feed.why)
    }
}

impl<'a> Resolver<'a> {
    /// Reads what these days have about these addresses and networks.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub(super) async fn of(
        args: &LookupArgs,
        engine: &'a Engine,
        LookupDays { days, source }: LookupDays,
        subjects: &[Subject],
    ) -> Result<Self> {
        let today = engine.settings.today();
        let query = Box::new(args.query(today)?);
        let (date, pick) = (args.date(today)?, args.local(today)?);
        let admitted = subjects.iter().copied();
        let admitted = admitted.filter(|subject| engine.answers.admit_subject(*subject).is_ok());
        let day = |pick: Pick| pick.day.filter(|_| date.is_none());
        Ok(Self {
            engine,
            source,
            query,
            date,
            day: pick.and_then(day),
            opened: engine.storage.all_about(&days.days, admitted).await?,
            picked: days,
            spending: Spending::at_most(args.spend.unwrap_or(u64::MAX)),
        })
    }

    /// The releases that are asked.
    pub(super) fn days(&self) -> &[OpenDay] {
        &self.picked.days
    }

    /// Why feeds cannot answer.
    pub(super) fn unusable(&self) -> impl Iterator<Item = &Error> {
        self.picked.unusable.iter().map(|feed| &feed.why)
    }

    /// Asks a few at a time, answers in order. What would stop every later question stops them; those under way are
    /// awaited, since they may have been paid for.
    pub(super) fn ask<'b>(
        &'b self,
        subjects: &'b [Subject],
    ) -> impl Stream<Item = LookupReply> + 'b {
        if subjects.len() > 1 {
            self.spending.begin_batch();
        }
        stream::iter(subjects)
            .map(|subject| self.one(*subject))
            .buffered(IN_FLIGHT)
    }

    async fn one(&self, subject: Subject) -> LookupReply {
        let Engine {
            answers, releases, ..
        } = self.engine;
        answers.admit_subject(subject)?;
        match (self.source, subject) {
            (SourceArg::Live, Subject::Address(address)) => {
                let query = (self.query)(address);
                let answer = answers.lookup_within(&query, &self.spending).await?;
                Ok(AnswerParts {
                    parts: vec![AnswerPart::answered(Source::Live, answer, false)],
                    unread: Vec::new(),
                })
            }
            (SourceArg::Auto, Subject::Address(address)) => self.by_policy(address).await,
            (SourceArg::Local, Subject::Address(_)) => {
                let began = Instant::now();
                let found = releases.lookup_local(subject, &self.opened).await?;
                Ok(self.local(subject, found, began.elapsed(), |_| false))
            }
            (SourceArg::Local | SourceArg::Auto, Subject::Network(network))
                if !self.opened.is_empty() =>
            {
                Ok(self.of_network(network).await?)
            }
            (_, Subject::Network(network)) => Err(no_networks(&network.to_string()).into()),
        }
    }

    /// What is local or cached where that may answer, else the service.
    async fn by_policy(&self, address: IpAddr) -> LookupReply {
        let (began, answers) = (Instant::now(), &self.engine.answers);
        let query = (self.query)(address);
        let mut sources = answers.sources_among(&query, &self.picked).await?;
        if let Some(day) = self.day {
            return if sources.has_context() {
                let subject = Subject::Address(address);
                Ok(self.local(subject, sources.local, began.elapsed(), |_| false))
            } else {
                Err(not_of_that_day(address, day).into())
            };
        }
        let (source, age) = answers.resolve(&mut sources, &self.spending).await?;
        let subject = Subject::Address(address);
        Ok(self.shown(subject, sources, (source, age), began.elapsed()))
    }

    /// The answer of a source, and the local records that are beside it.
    fn shown(
        &self,
        subject: Subject,
        mut sources: Sources,
        (source, age): (Source, Age),
        elapsed: Duration,
    ) -> AnswerParts {
        let first = match (source, sources.cached.take(), sources.live.take()) {
            (Source::Cached, Some(answer), _) | (Source::Live, _, Some(answer)) => {
                AnswerPart::answered(source, answer, age == Age::Stale)
            }
            _ => {
                let now = self.engine.settings.now();
                let local = std::mem::take(&mut sources.local);
                return self.local(subject, local, elapsed, |record| {
                    sources.is_stale(record, now)
                });
            }
        };
        let LocalLookup {
            mut records,
            unread,
        } = sources.local;
        records.retain(|record| !replaces_a_query(record.release.manifest.feed));
        let beside = records.into_iter();
        let beside =
            beside.map(|record| AnswerPart::of(SourceRecord::Record(Box::new(record)), elapsed));
        AnswerParts {
            parts: std::iter::once(first).chain(beside).collect(),
            unread,
        }
    }

    /// The local records, or that there is none.
    fn local(
        &self,
        subject: Subject,
        found: LocalLookup,
        elapsed: Duration,
        is_stale: impl Fn(&LocalRecord) -> bool,
    ) -> AnswerParts {
        let part = |record| AnswerPart {
            stale: is_stale(&record),
            ..AnswerPart::of(SourceRecord::Record(Box::new(record)), elapsed)
        };
        let parts = found.records.into_iter().map(part).collect();
        self.told(subject, parts, found.unread, elapsed, None)
    }

    /// These parts, or if there are none, the releases that were searched for the subject.
    fn told(
        &self,
        subject: Subject,
        mut parts: Vec<AnswerPart>,
        unread: Vec<Unread>,
        elapsed: Duration,
        inside: Option<u64>,
    ) -> AnswerParts {
        if parts.is_empty() {
            let releases = self.opened.iter().map(|opened| &opened.release);
            let none = SourceRecord::NoRecord {
                releases: releases
                    .filter(|release| Family::of(subject).is_of(release.manifest.feed))
                    .cloned()
                    .collect(),
                unread: unread.len(),
            };
            parts.push(AnswerPart {
                inside,
                ..AnswerPart::of(none, elapsed)
            });
        }
        AnswerParts { parts, unread }
    }

    /// The network's own record, those that cover it, and for each release the number of records inside it.
    async fn of_network(&self, network: IpNet) -> Result<AnswerParts> {
        let began = Instant::now();
        let subject = Subject::Network(network);
        let (mut parts, mut unread) = (Vec::new(), Vec::new());
        for opened in &self.opened {
            let count = self.engine.releases.records_inside(opened, network).await?;
            let one = std::slice::from_ref(opened);
            let found = self.engine.releases.lookup_local(subject, one).await?;
            let part = |found| AnswerPart {
                inside: Some(count),
                ..AnswerPart::of(found, began.elapsed())
            };
            if found.records.is_empty() && count > 0 {
                parts.push(part(SourceRecord::NoRecord {
                    releases: vec![opened.release.clone()],
                    unread: found.unread.len(),
                }));
            }
            let records = found.records.into_iter().map(Box::new);
            let records = records.map(SourceRecord::Record);
            parts.extend(records.map(part));
            unread.extend(found.unread);
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.length()));
        Ok(self.told(subject, parts, unread, began.elapsed(), Some(0)))
    }
}

fn not_of_that_day(address: IpAddr, day: Day) -> Error {
    let day = day.dashed();
    let message = format!("the local releases of {day} have no IP context of {address}");
    Error::new(Kind::NotFound, message).hint(format!(
        "--date {day} in place of --day asks the service where no local release answers"
    ))
}

fn no_networks(network: &str) -> Error {
    let message = format!(
        "{network} is a network; the Context API answers for one address: nothing was sent"
    );
    Error::new(Kind::Usage, message)
        .hint("local feeds answer for networks: `ipspect feeds pull` downloads them")
}
