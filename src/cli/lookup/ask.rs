//! Who is asked about an address: the local feeds, the answer cache, the service.
//!
//! What may answer in place of a query is decided by [`next`], here as in the explorer. Nothing is sent past the cap of
//! `--spend`, and what would stop every later query stops them.

use std::{
    cell::{Cell, RefCell},
    net::IpAddr,
    time::Instant,
};

use futures_util::{Stream, StreamExt, stream};
use ipnet::IpNet;

use super::{
    part::{Part, most_specific_first},
    told::{NotAnswered, Reply, Told},
};
use crate::{
    cli::{
        args::lookup::{LookupArgs, Source},
        exit::stops_a_batch,
    },
    contract::{Geolocation, LookupQuery},
    engine::{
        Answer, Engine, Error, Kind, LocalLookup, Opened, Pick, Picked, Result,
        answers::{self, Age, Limits, Next, Sources, next, replaces_a_query},
    },
    model::{Day, Subject},
};

/// Queries that may be under way at once.
const IN_FLIGHT: usize = 4;

/// Whom this run asks.
pub(super) struct Asker<'a> {
    engine: &'a Engine,
    source: Source,
    query: Box<dyn Fn(IpAddr) -> LookupQuery>,
    /// The past day that is asked about.
    date: Option<Day>,
    /// The release that `--day` picks: no other and no query is to answer in its place.
    day: Option<Day>,
    /// Whether only the service can answer.
    live_only: bool,
    /// The local releases that are asked.
    opened: Vec<Opened>,
    /// Why local feeds cannot answer.
    unusable: Vec<Error>,
    /// Queries that may still be sent.
    left: Cell<u64>,
    /// What would stop every later query.
    stopped: RefCell<Option<Error>>,
    /// Why nothing may be sent, once that is known.
    closed: RefCell<Option<Error>>,
}

/// What is at hand about one subject before a query is sent.
struct AtHand {
    local: LocalLookup,
    cached: Option<Answer>,
    sources: Sources,
    began: Instant,
}

impl<'a> Asker<'a> {
    /// Opens the local releases that are asked.
    ///
    /// # Errors
    /// Options that do not belong together; no local feed, where only those are asked.
    pub(super) async fn of(args: &LookupArgs, engine: &'a Engine) -> Result<Self> {
        let query = Box::new(args.query()?);
        let date = args.date()?;
        let pick = args.local()?;
        let Picked { opened, unusable } = match (pick, args.source) {
            (None, _) => Picked::default(),
            (Some(pick), Source::Auto) => match engine.open_picked(&pick).await {
                // What is not local is asked of the service, unless `--day` picks a local release.
                Err(error)
                    if error.kind == Kind::NotFound && (pick.day.is_none() || date.is_some()) =>
                {
                    Picked::default()
                }
                picked => picked?,
            },
            (Some(pick), _) => engine.open_some(&pick).await?,
        };
        let day = |pick: Pick| pick.day.filter(|_| date.is_none());
        Ok(Self {
            engine,
            source: args.source,
            query,
            date,
            day: pick.and_then(day),
            live_only: args.geolocation() == Geolocation::Mmgeo,
            opened,
            unusable,
            left: Cell::new(args.spend.unwrap_or(u64::MAX)),
            stopped: RefCell::default(),
            closed: RefCell::default(),
        })
    }

    /// The local releases that are asked.
    pub(super) fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// Why local feeds cannot answer.
    pub(super) fn unusable(&self) -> &[Error] {
        &self.unusable
    }

    /// How many queries these subjects need, after what is local and cached. Sends nothing.
    ///
    /// # Errors
    /// What keeps a local release from being read.
    pub(super) async fn queries(&self, subjects: &[Subject]) -> Result<u64> {
        let mut queries = 0;
        for subject in subjects {
            let Subject::Address(address) = *subject else {
                continue;
            };
            if self.engine.admit(&(self.query)(address)).is_err() {
                continue;
            }
            let needs_one = match self.source {
                Source::Local => false,
                Source::Live => true,
                Source::Auto if self.day.is_some() => false,
                Source::Auto => {
                    let at_hand = self.at_hand(*subject).await?;
                    next(&at_hand.sources, self.engine.now()) == Next::Ask
                }
            };
            // Where nothing may be sent there is nothing to confirm. Whether it may needs the token, which is not read
            // before a query is needed.
            if needs_one && self.closed().await.is_some() {
                return Ok(0);
            }
            queries += u64::from(needs_one);
        }
        Ok(queries)
    }

    /// Asks a few at a time, answers in order. What would stop every later question stops them; those under way are
    /// awaited, since they may have been paid for.
    pub(super) fn ask<'b>(&'b self, subjects: &'b [Subject]) -> impl Stream<Item = Reply> + 'b {
        stream::iter(subjects)
            .map(|subject| self.one(*subject))
            .buffered(IN_FLIGHT)
    }

    async fn one(&self, subject: Subject) -> Reply {
        self.engine.admit_subject(subject)?;
        match (self.source, subject) {
            (Source::Live, Subject::Address(address)) => {
                let answer = self.of_service((self.query)(address)).await?;
                Ok(Told::of(Part::Live(answer)))
            }
            (Source::Auto, Subject::Address(address)) => self.by_policy(address).await,
            (Source::Local, Subject::Address(_)) => {
                let at_hand = self.at_hand(subject).await?;
                Ok(self.local(at_hand))
            }
            (Source::Local | Source::Auto, Subject::Network(network))
                if !self.opened.is_empty() =>
            {
                Ok(self.of_network(network).await?)
            }
            (_, Subject::Network(network)) => Err(no_networks(&network.to_string()).into()),
        }
    }

    /// What is local and cached about a subject. Sends nothing.
    async fn at_hand(&self, subject: Subject) -> Result<AtHand> {
        let began = Instant::now();
        let mut local = self.engine.lookup_local(subject, &self.opened).await?;
        most_specific_first(&mut local.records);
        let cached = match subject {
            Subject::Address(address) if self.source == Source::Auto && !self.live_only => {
                self.engine.cached_answer(&(self.query)(address))
            }
            _ => None,
        };
        let releases = local.records.iter().map(|record| &record.release.manifest);
        let contexts = releases.filter(|manifest| replaces_a_query(manifest.feed));
        let sources = Sources {
            date: self.date,
            local: contexts.map(|manifest| manifest.moment).max(),
            cached: cached.as_ref().map(|answer| answer.provenance.asked_at),
            may_send: true,
            limits: Limits::of(&self.engine.settings),
        };
        Ok(AtHand {
            local,
            cached,
            sources,
            began,
        })
    }

    /// What is at hand where that may answer, else the service.
    async fn by_policy(&self, address: IpAddr) -> Reply {
        let subject = Subject::Address(address);
        let at_hand = self.at_hand(subject).await?;
        if let Some(day) = self.day {
            return match at_hand.sources.local {
                Some(_) => Ok(self.local(at_hand)),
                None => Err(not_of_that_day(address, day).into()),
            };
        }
        if let Next::Show(source, age) = next(&at_hand.sources, self.engine.now()) {
            return Ok(self.shown(at_hand, source, age));
        }
        let why = match self.closed().await {
            Some(closed) => closed,
            None => match self.of_service((self.query)(address)).await {
                Ok(answer) => return Ok(self.beside(Part::Live(answer), at_hand)),
                // A guard closed since: what is at hand may answer, marked as stale.
                Err(why) if why.error().kind == Kind::Guard => why,
                Err(why) => return Err(why),
            },
        };
        let sources = Sources {
            may_send: false,
            ..at_hand.sources
        };
        if let Next::Show(source, age) = next(&sources, self.engine.now()) {
            return Ok(self.shown(at_hand, source, age));
        }
        // A local release that cannot be used may have had the answer.
        let nothing = |error: Error| {
            let error = self.unusable.first().cloned().unwrap_or(error);
            let message = format!("no local or cached answer for {address}; {}", error.message);
            Error { message, ..error }
        };
        Err(match why {
            NotAnswered::Failed(error) => NotAnswered::Failed(nothing(error)),
            NotAnswered::LeftOut(error) => NotAnswered::LeftOut(error),
        })
    }

    /// Why nothing may be sent, where that is known; once closed it stays so for this run.
    async fn closed(&self) -> Option<NotAnswered> {
        if let Some(error) = self.stopped.borrow().clone() {
            return Some(NotAnswered::LeftOut(error));
        }
        if self.left.get() == 0 {
            return Some(NotAnswered::LeftOut(spent()));
        }
        let known = self.closed.borrow().clone();
        let error = match known {
            Some(error) => Some(error),
            None => self.engine.may_send().await.err(),
        };
        self.closed.borrow_mut().clone_from(&error);
        error.map(NotAnswered::Failed)
    }

    async fn of_service(&self, query: LookupQuery) -> Result<Answer, NotAnswered> {
        if let Some(error) = self.stopped.borrow().clone() {
            return Err(NotAnswered::LeftOut(error));
        }
        let Some(left) = self.left.get().checked_sub(1) else {
            return Err(NotAnswered::LeftOut(spent()));
        };
        self.left.set(left);
        let answer = self.engine.lookup(&query).await.inspect_err(|error| {
            if stops_a_batch(error.kind) {
                self.stopped
                    .borrow_mut()
                    .get_or_insert_with(|| error.clone());
            }
        });
        Ok(answer?)
    }

    fn shown(&self, at_hand: AtHand, source: answers::Source, age: Age) -> Told {
        match (source, at_hand.cached.clone()) {
            (answers::Source::Cached, Some(answer)) => {
                let stale = age == Age::Stale;
                self.beside(Part::Cached { answer, stale }, at_hand)
            }
            _ => self.local(at_hand),
        }
    }

    /// An answer of the service, and the local records that stand beside one.
    fn beside(&self, first: Part, at_hand: AtHand) -> Told {
        let mut told = self.local(at_hand);
        told.parts.retain(|part| match part {
            Part::Record { record, .. } => !replaces_a_query(record.release.manifest.feed),
            _ => false,
        });
        told.parts.insert(0, first);
        told
    }

    /// The local records. Of those that may replace a query, the ones too old for that are marked where it matters.
    fn local(&self, at_hand: AtHand) -> Told {
        let AtHand {
            local: LocalLookup { records, unread },
            sources,
            began,
            ..
        } = at_hand;
        let elapsed = began.elapsed();
        let judges = self.source == Source::Auto && self.date.is_none() && self.day.is_none();
        let now = self.engine.now();
        let mut parts: Vec<Part> = Vec::with_capacity(records.len());
        for record in records {
            let manifest = &record.release.manifest;
            let stale = judges
                && replaces_a_query(manifest.feed)
                && sources.limits.is_stale(manifest.moment, now);
            parts.push(Part::Record {
                record,
                elapsed,
                stale,
                inside: None,
            });
        }
        if parts.is_empty() {
            parts.push(Part::NoRecord {
                releases: self.releases(),
                elapsed,
                inside: None,
                unread: unread.len(),
            });
        }
        Told { parts, unread }
    }

    /// The network's own record, those that cover it, and for each release the number of records inside it.
    async fn of_network(&self, network: IpNet) -> Result<Told> {
        let began = Instant::now();
        let subject = Subject::Network(network);
        let (mut parts, mut unread) = (Vec::new(), Vec::new());
        for opened in &self.opened {
            let count = self.engine.records_inside(opened, network).await?;
            let one = std::slice::from_ref(opened);
            let found = self.engine.lookup_local(subject, one).await?;
            let (elapsed, inside) = (began.elapsed(), Some(count));
            if found.records.is_empty() && count > 0 {
                parts.push(Part::NoRecord {
                    releases: vec![opened.release.clone()],
                    elapsed,
                    inside,
                    unread: found.unread.len(),
                });
            }
            parts.extend(found.records.into_iter().map(|record| Part::Record {
                record,
                elapsed,
                stale: false,
                inside,
            }));
            unread.extend(found.unread);
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.length()));
        if parts.is_empty() {
            parts.push(Part::NoRecord {
                releases: self.releases(),
                elapsed: began.elapsed(),
                inside: Some(0),
                unread: unread.len(),
            });
        }
        Ok(Told { parts, unread })
    }

    fn releases(&self) -> Vec<crate::store::layout::Release> {
        let opened = self.opened.iter();
        opened.map(|opened| opened.release.clone()).collect()
    }
}

fn spent() -> Error {
    Error::new(
        Kind::Guard,
        "the queries of --spend are used up: nothing was sent",
    )
    .hint("start the same again with a larger --spend for the rest")
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
