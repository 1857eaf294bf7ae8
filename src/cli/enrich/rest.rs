//! What the local feeds leave unanswered, and what the cache and the service answer of it.
//!
//! `--spend N` reads the whole text first, so that the plan is known before anything is sent: the addresses with most lines are asked
//! about first. With `--at-time` a query is about an address and the day of its event.

use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{HashMap, HashSet},
    io::{self, IsTerminal},
};

use jiff::Timestamp;

use crate::{
    cli::{console::CommandResult, exit::ExitTally, lookup::agreed, run::Run},
    contract::LookupQuery,
    engine::{
        Balance, Error, Kind, LocalAnswers, LookupAnswer, OpenDay, Result, Spending,
        answers::{Age, Limits, PossiblySpent, Source},
    },
    investigation::{
        event_answer::{EventAnswer, EventAnswers},
        gather::FoundAddress,
    },
    model::Day,
    report::{count, counted},
};

/// The ages of the local records of these addresses that stand in place of a query, in their order; `None` where there is none. A cached
/// answer is given in place of a stale one.
pub(super) fn contexts(
    found: &[FoundAddress],
    answers: &LocalAnswers,
    opened: &[OpenDay],
    (limits, now): (Limits, Timestamp),
) -> Vec<Option<Age>> {
    let age = |release: usize| {
        let manifest = &opened[release].release.manifest;
        limits.age_of(manifest.feed, manifest.moment, now)
    };
    let mut contexts = vec![None; found.len()];
    answers.each(|address| {
        let of_lines = address.lines.iter().map(|line| line.release);
        let releases = of_lines.chain(address.also.iter().map(|other| other.release));
        if let Some(known) = contexts.get_mut(address.number) {
            *known = releases.filter_map(age).chain(*known).min();
        }
    });
    contexts
}

/// The queries about today that a cached answer may replace: of the addresses without a fresh local record.
pub(super) fn queries_today(found: &[FoundAddress], known: &[Option<Age>]) -> Vec<LookupQuery> {
    let others = found.iter().zip(known);
    let others = others.filter(|(_, known)| **known != Some(Age::Fresh));
    others
        .map(|(address, _)| LookupQuery::now(address.address))
        .collect()
}

/// The queries about the days of events that are unanswered, each with the number of its address; a day that is not over yet has no release.
pub(super) fn queries_then(
    found: &[FoundAddress],
    events: &EventAnswers,
    today: Day,
    any_role: bool,
) -> Vec<(usize, LookupQuery)> {
    let events = found.iter().zip(&events.answers).enumerate();
    events
        .filter_map(|(number, (address, event))| {
            let then = &event.as_ref()?.then;
            let query = LookupQuery {
                date: Some(then.day),
                ..LookupQuery::now(address.address)
            };
            let is_open =
                !then.is_answered() && then.day < today && address.is_worth_a_query(any_role);
            is_open.then_some((number, query))
        })
        .collect()
}

/// The queries about today of the addresses without a local record that replaces one, each with its address.
pub(super) fn open_today<'f>(
    found: &'f [FoundAddress],
    known: &'f [Option<Age>],
    any_role: bool,
) -> impl Iterator<Item = (LookupQuery, &'f FoundAddress)> {
    let unknown = found.iter().zip(known);
    unknown
        .filter(move |(address, known)| known.is_none() && address.is_worth_a_query(any_role))
        .map(|(address, _)| (LookupQuery::now(address.address), address))
}

/// What would have to be sent.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// The queries that nothing at hand answers, each with the lines of its address.
    pub(super) queries: Vec<(LookupQuery, u64)>,
    /// How many the cache answers.
    pub(super) cached: u64,
    /// How many are not sent for their role in the text, or since they may end in a port.
    pub(super) others: u64,
    /// Whether the filter names the roles that are meant; else sources are.
    pub(super) any_role: bool,
    /// Those of the queries that are possibly spent.
    pub(super) lost: HashSet<LookupQuery>,
}

impl Rest {
    /// How many queries are sent that were never sent before.
    pub(super) fn live(&self) -> u64 {
        (self.queries.len() - self.lost.len()) as u64
    }

    /// The queries that are sent, at most so many: those of the addresses with most lines first, then as in the text.
    fn chosen(self, most: u64, lost: PossiblySpent) -> HashSet<LookupQuery> {
        let mut queries = self.queries;
        queries.retain(|(query, _)| lost == PossiblySpent::Repeated || !self.lost.contains(query));
        queries.sort_by_key(|(_, lines)| Reverse(*lines));
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        queries
            .into_iter()
            .take(most)
            .map(|(query, _)| query)
            .collect()
    }
}

/// Answers what the local feeds leave unanswered.
pub(super) struct Spender<'a> {
    run: Run<'a>,
    /// The most queries to send.
    most: u64,
    spending: Spending,
    lost: PossiblySpent,
    chosen: HashSet<LookupQuery>,
    /// Those that are possibly spent and not to be repeated.
    possibly_spent: HashSet<LookupQuery>,
    /// Whether addresses of any role are meant.
    any_role: bool,
    /// Why a query is not sent that is not among the chosen.
    left_out: Error,
}

impl<'a> Spender<'a> {
    /// Says what is sent, and asks whether what is possibly spent is to be repeated.
    pub(super) async fn begin(
        run: Run<'a>,
        (rest, balance): (Rest, Option<Balance>),
        (most, is_agreed): (u64, bool),
    ) -> CommandResult<Self> {
        let Run { engine, console } = run;
        let spending = Spending::at_most(most);
        let (live, possibly) = (rest.live(), rest.lost.len() as u64);
        let mut lost = PossiblySpent::LeftOut;
        let lost_queries = counted(possibly, "query");
        if possibly > 0 && most > 0 {
            let were = "sent before without an answer, and may be paid for twice";
            if is_agreed {
                lost = PossiblySpent::Repeated;
            } else if console.caller().is_none()
                && io::stdin().is_terminal()
                && io::stderr().is_terminal()
            {
                console.ask(&format!("{lost_queries} {were}. Send again? [y/N] "));
                if agreed().await? {
                    lost = PossiblySpent::Repeated;
                }
            }
            if lost == PossiblySpent::LeftOut {
                console.warn(&format!(
                    "{lost_queries} possibly spent and not sent again: sent before, no answer came\n  --yes sends again, which may be paid for twice"
                ));
            }
        }
        let closed = if live + possibly > 0 && most > 0 {
            engine.answers.closed(&spending).await
        } else {
            None
        };
        let all = live
            + if lost == PossiblySpent::Repeated {
                possibly
            } else {
                0
            };
        let sent = if closed.is_some() { 0 } else { most.min(all) };
        let mut most = most;
        if let Some(allowance) = console.allowance(sent).await? {
            most = most.min(allowance.queries());
            spending.allow(allowance);
        }
        let mut spender = Self {
            run,
            most,
            spending,
            lost,
            chosen: HashSet::new(),
            possibly_spent: HashSet::new(),
            any_role: rest.any_role,
            left_out: Error::new(Kind::Guard, format!("--spend {most} allows no more")),
        };
        if let Some(why) = closed {
            spender.left_out = why.error().clone();
            console.complain(None, &spender.left_out);
            return Ok(spender);
        }
        if all > 0 {
            let sent = most.min(all);
            console.note(&plan_in_words(rest.cached, (all, sent), balance));
        }
        if rest.others > 0 && most > 0 {
            console.note(&format!(
                "{} in the text no sources or may end in a port: not sent\n  --filter role:destination,own,proxy sends those that it names",
                match rest.others {
                    1 => "1 address is".to_owned(),
                    more => format!("{} addresses are", count(more)),
                }
            ));
        }
        if lost == PossiblySpent::LeftOut {
            spender.possibly_spent.clone_from(&rest.lost);
        }
        spender.chosen = rest.chosen(most, lost);
        Ok(spender)
    }

    /// What the cache and the service answer about these addresses today, and about the days of events, which are completed by it.
    pub(super) async fn replies(
        &self,
        found: &[FoundAddress],
        known: &[Option<Age>],
        events: Option<&mut EventAnswers>,
    ) -> Result<Replies> {
        let answers = &self.run.engine.answers;
        let mut replies = Replies::default();
        let today = queries_today(found, known);
        let cached = answers.cached_answers(today.clone()).await?;
        answers.note_saved_by_cache(cached.len());
        replies.take_cached(cached);
        let today_of_service = self.run.engine.settings.today();
        let of_events = events
            .as_deref()
            .map(|events| queries_then(found, events, today_of_service, self.any_role));
        let open: Vec<LookupQuery> = match &of_events {
            Some(of_events) => of_events.iter().map(|(_, query)| *query).collect(),
            None => open_today(found, known, self.any_role)
                .map(|(query, _)| query)
                .filter(|query| !replies.answers.contains_key(query))
                .collect(),
        };
        // Where nothing may be spent, nothing was to be sent.
        if self.most > 0 {
            self.send(open, &mut replies).await;
        }
        if let (Some(events), Some(of_events)) = (events, of_events) {
            for (number, query) in of_events {
                if let Some((source, answer)) = replies.answers.get(&query)
                    && let Some(event) = &mut events.answers[number]
                {
                    event.answer(*source, answer.clone());
                }
            }
        }
        Ok(replies)
    }

    async fn send(&self, open: Vec<LookupQuery>, replies: &mut Replies) {
        let (chosen, others): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|query| self.chosen.contains(query));
        let told = RefCell::new(Vec::new());
        let tell = |query, result| told.borrow_mut().push((query, result));
        let answers = &self.run.engine.answers;
        let end = answers.look_up_all(chosen.clone(), (&self.spending, self.lost), tell);
        let end = end.await;
        for (query, result) in told.into_inner() {
            match result {
                Ok(answer) => {
                    let (source, provenance) = (answer.0, &answer.1.provenance);
                    replies.spent += u64::from(source == Source::Live);
                    replies.possibly_spent += u64::from(provenance.possibly_spent);
                    replies.answers.insert(query, answer);
                }
                Err(error) => {
                    let failed = (error, Unanswered::Failed);
                    replies.unanswered.insert(query, failed);
                }
            }
        }
        for query in others {
            let is_lost = self.possibly_spent.contains(&query);
            let why = if is_lost {
                possibly_spent()
            } else {
                (self.left_out.clone(), Unanswered::NotSent)
            };
            replies.unanswered.insert(query, why);
        }
        let stopped = end.stopped.map(|why| (why, Unanswered::NotSent));
        let why = stopped.unwrap_or_else(possibly_spent);
        for query in chosen {
            if !replies.answers.contains_key(&query) {
                let left_out = replies.unanswered.entry(query);
                left_out.or_insert_with(|| why.clone());
            }
        }
    }
}

fn possibly_spent() -> (Error, Unanswered) {
    let message = "sent before without an answer, and possibly spent";
    let why =
        Error::new(Kind::Guard, message).hint("--yes sends again, which may be paid for twice");
    (why, Unanswered::PossiblySpent)
}

/// What is sent of all that is unanswered, and what is left then.
fn plan_in_words(cached: u64, (all, sent): (u64, u64), balance: Option<Balance>) -> String {
    let first = if sent < all {
        ", for the addresses with most lines"
    } else {
        ""
    };
    let after = balance.map_or_else(
        || "the balance is unknown".to_owned(),
        |balance| {
            let after = balance.remaining.saturating_sub(sent);
            format!("balance after: {}", count(after))
        },
    );
    format!(
        "{} unanswered, {} cached; sending {}{first}; {after}",
        count(all),
        count(cached),
        counted(sent, "query"),
    )
}

/// What became of a query without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// It was sent.
    Failed,
    /// It was not sent.
    NotSent,
    /// It was not sent again: an earlier run sent it, and no answer came.
    PossiblySpent,
}

/// What the cache and the service answered about some addresses.
#[derive(Debug, Default)]
pub(super) struct Replies {
    pub(super) answers: HashMap<LookupQuery, (Source, LookupAnswer)>,
    /// Why the others have no answer.
    pub(super) unanswered: HashMap<LookupQuery, (Error, Unanswered)>,
    /// Queries that were answered live.
    pub(super) spent: u64,
    /// Queries that may have been counted for attempts that failed.
    pub(super) possibly_spent: u64,
}

impl Replies {
    fn take_cached(&mut self, cached: HashMap<LookupQuery, LookupAnswer>) {
        let cached = cached.into_iter();
        self.answers
            .extend(cached.map(|(query, answer)| (query, (Source::Cached, answer))));
    }

    /// What is known of an address today.
    pub(super) fn today(&self, found: &FoundAddress) -> Option<&(Source, LookupAnswer)> {
        self.answers.get(&LookupQuery::now(found.address))
    }

    /// Why what was asked about an address has no answer.
    pub(super) fn why_not(
        &self,
        found: &FoundAddress,
        event: Option<&EventAnswer>,
    ) -> Option<&(Error, Unanswered)> {
        let query = LookupQuery {
            date: event.map(|event| event.then.day),
            ..LookupQuery::now(found.address)
        };
        self.unanswered.get(&query)
    }

    /// Counts what has no answer, and so many that have one.
    pub(super) fn count(&self, rows: usize, tally: &mut ExitTally) {
        for (error, _) in self.unanswered.values() {
            tally.failed(error.kind);
        }
        for _ in self.unanswered.len()..rows {
            tally.done();
        }
    }
}
