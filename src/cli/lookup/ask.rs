//! Who is asked about an address: the feeds on this disk, the kept answers, the service.

use std::{
    cell::RefCell,
    net::IpAddr,
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt, stream};

use super::most_specific_first;
use crate::{
    cli::{
        args::lookup::{LookupArgs, Source},
        exit::stops_a_batch,
    },
    contract::LookupQuery,
    engine::{Answer, Engine, Error, Kind, LocalRecord, Pick, Picked, Result},
    model::Subject,
    store::layout::Release,
};

/// Queries that may be under way at once.
const IN_FLIGHT: usize = 4;

/// What became of a question.
pub(super) type Reply = Result<Told, NotAnswered>;

/// Who answered.
#[derive(Clone, Debug)]
pub(super) enum Told {
    /// The service.
    Live(Answer),
    /// The service, some time ago.
    Kept(Answer),
    /// The feeds on this disk, the most specific record first.
    Local(Vec<LocalRecord>, Duration),
    /// None of the feeds on this disk.
    Nowhere(Duration),
}

#[derive(Clone, Debug)]
pub(super) enum NotAnswered {
    /// It failed by itself.
    Failed(Error),
    /// It was not asked, because it would have met what another one met.
    LeftOut(Error),
}

impl From<Error> for NotAnswered {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Whom this run asks.
pub(super) struct Asker<'a> {
    engine: &'a Engine,
    source: Source,
    query: Box<dyn Fn(IpAddr) -> LookupQuery>,
    local: Option<Local>,
    /// What would stop every later query.
    stopped: RefCell<Option<Error>>,
}

/// The feeds on this disk that are asked.
struct Local {
    pick: Pick,
    picked: Picked,
}

impl<'a> Asker<'a> {
    /// Opens what is asked on this disk.
    ///
    /// # Errors
    /// Options that do not belong together; nothing to ask on this disk, where only that is asked.
    pub(super) async fn of(args: &LookupArgs, engine: &'a Engine) -> Result<Self> {
        let query = Box::new(args.query()?);
        let local = match args.local()? {
            None => None,
            Some(pick) => {
                let picked = match engine.open_some(&pick).await {
                    // Whoever wants a certain day does not want what the service says of today.
                    Err(error)
                        if args.source == Source::Auto
                            && error.kind == Kind::NotFound
                            && pick.day.is_none() =>
                    {
                        Picked::default()
                    }
                    picked => picked?,
                };
                Some(Local { pick, picked })
            }
        };
        Ok(Self {
            engine,
            source: args.source,
            query,
            local,
            stopped: RefCell::new(None),
        })
    }

    /// What is asked on this disk.
    pub(super) fn releases(&self) -> Vec<Release> {
        let opened = self.local.iter().flat_map(|local| &local.picked.opened);
        opened.map(|opened| opened.release.clone()).collect()
    }

    /// Why feeds on this disk cannot answer.
    pub(super) fn unusable(&self) -> &[Error] {
        let local = self.local.as_ref();
        local.map_or(&[], |local| &local.picked.unusable)
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
        let local = self.local.as_ref();
        if let Some(local) = local.filter(|local| !local.picked.opened.is_empty()) {
            let began = Instant::now();
            let opened = &local.picked.opened;
            let mut records = self.engine.lookup_local(subject, opened).await?;
            most_specific_first(&mut records);
            if !records.is_empty() {
                return Ok(Told::Local(records, began.elapsed()));
            }
            if self.is_final(local, subject) {
                return Ok(Told::Nowhere(began.elapsed()));
            }
        }
        match subject {
            Subject::Address(address) => self.of_service((self.query)(address)).await,
            Subject::Network(network) => Err(no_networks(&network.to_string()).into()),
        }
    }

    /// Whether nothing more can be said where the feeds on this disk say nothing.
    fn is_final(&self, local: &Local, subject: Subject) -> bool {
        let network = matches!(subject, Subject::Network(_));
        let kept = || match subject {
            Subject::Address(address) => self.engine.kept_answer(&(self.query)(address)),
            Subject::Network(_) => None,
        };
        let offline = self.engine.settings.offline;
        self.source == Source::Local
            || local.pick.day.is_some()
            || network
            || offline && kept().is_none()
    }

    async fn of_service(&self, query: LookupQuery) -> Reply {
        if self.source == Source::Auto
            && let Some(answer) = self.engine.kept_answer(&query)
        {
            return Ok(Told::Kept(answer));
        }
        if let Some(error) = self.stopped.borrow().clone() {
            return Err(NotAnswered::LeftOut(error));
        }
        let answer = self.engine.lookup(&query).await.inspect_err(|error| {
            if stops_a_batch(error.kind) {
                self.stopped
                    .borrow_mut()
                    .get_or_insert_with(|| error.clone());
            }
        });
        Ok(Told::Live(answer?))
    }
}

fn no_networks(network: &str) -> Error {
    let message = format!(
        "{network} is a network; the Context API answers for one address: nothing was sent"
    );
    Error::new(Kind::Usage, message)
        .hint("feeds on this disk answer for networks: `ipspect feeds pull` downloads them")
}
