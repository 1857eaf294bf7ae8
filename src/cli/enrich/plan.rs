//! `--plan`: how many addresses there are and who would answer, without answering.

use serde_json::json;

use super::reader::{AddressReader, ReadStep, TextOutcomes, answers};
use crate::{
    cli::{
        console::{CommandResult, Console},
        lookup,
    },
    engine::{Engine, OpenRelease, enrich::WantedLines},
    investigation::gather::TextTotals,
    report::{Cell, Columns, Fact, Line, Results, TextCell, Ticket, count, fact, sheet},
    store::layout::Release,
};

pub(super) struct EnrichPlan {
    totals: TextTotals,
    /// Each release that is asked, and how many addresses it knows.
    releases: Vec<(Release, u64)>,
    /// Addresses that one of them knows.
    answered: u64,
}

/// How many addresses there are of a kind: what they are, more of that, and the number.
pub(super) struct PlanRow(String, String, u64);

impl EnrichPlan {
    /// Reads the text and asks the local feeds.
    ///
    /// # Errors
    /// What keeps either from being read.
    pub(super) async fn of(
        engine: &Engine,
        opened: &[OpenRelease],
        reader: AddressReader,
        outcomes: &mut TextOutcomes<'_>,
    ) -> CommandResult<Self> {
        use futures_util::StreamExt;
        let mut plan = Self {
            totals: TextTotals::default(),
            releases: opened
                .iter()
                .map(|opened| (opened.release.clone(), 0))
                .collect(),
            answered: 0,
        };
        let mut parts = std::pin::pin!(answers(engine, opened, reader, WantedLines::None));
        while let Some(part) = parts.next().await {
            match part? {
                ReadStep::Batch((_, part)) => {
                    part.each(|of_address| {
                        plan.answered += u64::from(!of_address.also.is_empty());
                        for (number, (_, known)) in plan.releases.iter_mut().enumerate() {
                            let mut also = of_address.also.iter();
                            *known += u64::from(also.any(|record| record.release == number));
                        }
                    });
                }
                ReadStep::Failed(text, error) => outcomes.failed(&text, &error)?,
                ReadStep::End(totals) => plan.totals = totals,
            }
        }
        Ok(plan)
    }

    /// Addresses that no feed here knows.
    fn unknown(&self) -> u64 {
        self.totals.public - self.answered
    }

    pub(super) fn show(&self, console: &Console) -> CommandResult<()> {
        let fact = |PlanRow(what, detail, number): &PlanRow| {
            let label = format!("{what} {detail}").trim_end().to_owned();
            fact(label, TextCell::known(count(*number)))
        };
        let rows = self.counts();
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
            .key("cost", 0_u64);
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

    fn counts(&self) -> Vec<PlanRow> {
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
            row("queries it costs", "", 0),
        ]);
        rows
    }
}

/// The columns of the counts.
pub(super) fn columns() -> Columns<PlanRow> {
    Columns::<PlanRow>::default()
        .data("what", |own| own.0.clone())
        .data("detail", |own| own.1.clone())
        .data("count", |own| own.2)
}
