//! How many addresses there are, who answers, and what the rest costs: `--plan`, and before anything is sent for `--spend`.

use serde_json::json;

use super::{
    reader::{AddressReader, ReadStep, TextOutcomes, answers},
    rest::{Rest, contexts, open_today, queries_then, queries_today},
};
use crate::{
    cli::{
        args::enrich::EnrichArgs,
        console::{CommandResult, Console},
        lookup,
    },
    contract::Feed,
    engine::{
        Balance, Engine, LocalAnswers, OpenDay, Result,
        answers::{BestAnswer, DayAnswer, Limits},
        enrich::WantedLines,
    },
    investigation::{
        event_answer::answer_events,
        gather::{FoundAddress, TextTotals},
    },
    report::{Cell, Columns, Fact, Line, Results, TextCell, Ticket, count, fact, minute, sheet},
    store::layout::Release,
};

pub(super) struct EnrichPlan {
    totals: TextTotals,
    /// Each release that is asked, and how many addresses it knows.
    releases: Vec<(Release, u64)>,
    /// Addresses that one of them knows; with the days of events the addresses and days that local releases know.
    answered: u64,
    rest: Rest,
    /// The days of events are asked about, too.
    at_time: bool,
    /// The balance that the service named last, in earlier runs too.
    balance: Option<Balance>,
}

/// How many addresses there are of a kind: what they are, more of that, and the number.
pub(super) struct PlanRow(String, String, u64);

impl EnrichPlan {
    /// Reads the text and asks the local feeds and the cache, about the days of events those feeds. Returns all addresses as well.
    ///
    /// # Errors
    /// What keeps any of them from being read.
    pub(super) async fn of(
        engine: &Engine,
        (opened, feeds_of_events): (&[OpenDay], Option<&[Feed]>),
        any_role: bool,
        reader: AddressReader<'_>,
        outcomes: &mut TextOutcomes<'_>,
    ) -> CommandResult<(Self, Vec<FoundAddress>)> {
        use futures_util::StreamExt;
        let mut all = Vec::new();
        let mut plan = Self {
            totals: TextTotals::default(),
            releases: opened
                .iter()
                .map(|opened| (opened.release.clone(), 0))
                .collect(),
            answered: 0,
            rest: Rest {
                any_role,
                ..Rest::default()
            },
            at_time: feeds_of_events.is_some(),
            balance: engine.account.last_balance()?,
        };
        let mut parts = std::pin::pin!(answers(engine, opened, reader, WantedLines::None));
        while let Some(part) = parts.next().await {
            match part? {
                ReadStep::Batch((found, part)) => {
                    plan.count(&part);
                    match feeds_of_events {
                        Some(feeds) => plan.add_events(engine, feeds, &found).await?,
                        None => plan.add(engine, opened, &found, &part).await?,
                    }
                    all.extend(found);
                }
                ReadStep::Failed(text, error) => outcomes.failed(&text, &error)?,
                ReadStep::End(totals) => plan.totals = totals,
            }
        }
        let queries = plan.rest.queries.iter().map(|(query, _)| *query);
        plan.rest.lost = engine.answers.possibly_spent(queries.collect()).await?;
        Ok((plan, all))
    }

    /// What is needed to answer it all, and the balance as far as it is known.
    pub(super) fn into_rest(self) -> (Rest, Option<Balance>, TextTotals) {
        (self.rest, self.balance, self.totals)
    }

    fn count(&mut self, part: &LocalAnswers) {
        part.each(|of_address| {
            self.answered += u64::from(!self.at_time && !of_address.also.is_empty());
            for (number, (_, known)) in self.releases.iter_mut().enumerate() {
                let mut also = of_address.also.iter();
                *known += u64::from(also.any(|record| record.release == number));
            }
        });
    }

    /// Adds the queries about today of addresses without a record that replaces one.
    async fn add(
        &mut self,
        engine: &Engine,
        opened: &[OpenDay],
        found: &[FoundAddress],
        part: &LocalAnswers,
    ) -> Result<()> {
        let ages = (Limits::of(&engine.settings), engine.settings.now());
        let known = contexts(found, part, opened, ages);
        let queries = queries_today(found, &known);
        let cached = engine.answers.cached_answers(queries).await?;
        self.rest.others += open_today(found, &known, true)
            .filter(|(query, address)| {
                !address.is_worth_a_query(self.rest.any_role) && !cached.contains_key(query)
            })
            .count() as u64;
        for (query, address) in open_today(found, &known, self.rest.any_role) {
            if cached.contains_key(&query) {
                self.rest.cached += 1;
            } else {
                self.rest.queries.push((query, lines(address)));
            }
        }
        Ok(())
    }

    /// Adds the queries about the days of events that are unknown.
    async fn add_events(
        &mut self,
        engine: &Engine,
        feeds: &[Feed],
        found: &[FoundAddress],
    ) -> Result<()> {
        let events = answer_events(&engine.answers, feeds, found).await?;
        for event in events.answers.iter().flatten() {
            match &event.then.answer {
                DayAnswer::Known(Some(BestAnswer::Cached(_))) => self.rest.cached += 1,
                _ if event.then.is_answered() => self.answered += 1,
                _ => {}
            }
        }
        let today = engine.settings.today();
        let queries = queries_then(found, &events, today, self.rest.any_role);
        let all = queries_then(found, &events, today, true).len();
        self.rest.others += (all - queries.len()) as u64;
        let queries = queries.into_iter();
        self.rest
            .queries
            .extend(queries.map(|(number, query)| (query, lines(&found[number]))));
        Ok(())
    }

    /// Addresses without a local record; with the days of events the addresses and days that are unknown.
    fn unknown(&self) -> u64 {
        self.totals.public - self.answered
    }

    /// Prints the counts.
    pub(super) fn show(&self, console: &Console, args: &EnrichArgs) -> CommandResult<()> {
        let repeated = if args.yes {
            self.rest.lost.len() as u64
        } else {
            0
        };
        let cost = (self.rest.live() + repeated).min(args.spend.unwrap_or(0));
        let fact = |PlanRow(what, detail, number): &PlanRow| {
            let label = format!("{what} {detail}").trim_end().to_owned();
            fact(label, TextCell::known(count(*number)))
        };
        let rows = self.counts(cost);
        let facts: Vec<Fact> = rows.iter().map(fact).collect();
        let feed = |(release, known): &(Release, u64)| {
            let manifest = &release.manifest;
            json!({"feed": manifest.feed.name(), "day": manifest.moment.day().to_string(), "answered": known})
        };
        let feeds: Vec<_> = self.releases.iter().map(feed).collect();
        let line = Line::default()
            .key("found", self.totals.found)
            .key("unique", self.totals.unique())
            .key("public", self.totals.public)
            .key("set_aside", Cell::json(&self.totals.set_aside))
            .key("answered", self.answered)
            .key("feeds", Cell::json(feeds))
            .key("unknown", self.unknown())
            .key("cached", self.rest.cached)
            .key("live", self.rest.live())
            .key("other_roles", self.rest.others)
            .key("possibly_spent", self.rest.lost.len() as u64)
            .key("cost", cost)
            .key("balance", self.balance.map(|balance| balance.remaining));
        let [unique, known] = [self.totals.unique(), self.answered].map(count);
        let sentence =
            format!("{unique} different addresses, {known} with a record in the local feeds.");
        let ticket = Ticket::about("Plan").sentence(&sentence).list(&facts);
        let results = Results::table(columns(), &rows, ticket).as_facts();
        let text = sheet("plan", &facts, console.style());
        console.show(results.json(&line).text(text))?;
        if self.releases.is_empty() {
            console.note("no feed is downloaded: `ipspect feeds pull anonymous` downloads one");
        }
        Ok(())
    }

    fn counts(&self, cost: u64) -> Vec<PlanRow> {
        let row =
            |what: &str, detail: &str, number| PlanRow(what.to_owned(), detail.to_owned(), number);
        let TextTotals {
            found,
            public,
            set_aside,
            ..
        } = &self.totals;
        let mut rows = vec![
            row("found", "", *found),
            row("unique", "", self.totals.unique()),
        ];
        rows.extend(
            set_aside
                .iter()
                .map(|(reason, number)| row("set aside", reason, *number)),
        );
        rows.extend([
            row("public", "", *public),
            row("answered locally", "", self.answered),
        ]);
        rows.extend(self.releases.iter().map(|(release, known)| {
            row(
                "answered by",
                &lookup::names(std::slice::from_ref(release)),
                *known,
            )
        }));
        rows.extend([
            row("unknown", "", self.unknown()),
            row("cached", "free", self.rest.cached),
            row("unanswered", "a query each", self.rest.live()),
        ]);
        if self.rest.others > 0 {
            rows.push(row(
                "not sent",
                "no sources: --filter role:destination,own,proxy sends them",
                self.rest.others,
            ));
        }
        if !self.rest.lost.is_empty() {
            let lost = self.rest.lost.len() as u64;
            rows.push(row("possibly spent", "sent before without an answer", lost));
        }
        rows.push(row("this command", "sends", cost));
        if let Some(Balance { remaining, at, .. }) = self.balance {
            let after = remaining.saturating_sub(cost);
            rows.push(row(
                "balance",
                &format!("after it, by that of {}", minute(at)),
                after,
            ));
        }
        rows
    }
}

/// How often an address is in the text, as far as that is counted.
fn lines(found_address: &FoundAddress) -> u64 {
    found_address
        .seen
        .as_deref()
        .map_or(1, |(seen, _)| seen.lines)
}

/// The columns of the counts.
pub(super) fn columns() -> Columns<PlanRow> {
    Columns::<PlanRow>::default()
        .data("what", |row| row.0.clone())
        .data("detail", |row| row.1.clone())
        .data("count", |row| row.2)
}
