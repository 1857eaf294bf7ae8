//! `search --at warehouse`: the same of loaded days, of one or of several.

use std::slice;

use super::{
    facets::check_path,
    records::SearchInputs,
    results::{PAGE, SearchOutput},
};
use crate::{
    cli::{
        args::{
            search::{LoadedDays, SearchResult},
            warehouse::DayRange,
        },
        console::CommandResult,
        exit::Exit,
        run::Run,
        warehouse::none_loaded,
    },
    contract::Feed,
    engine::{
        Error, Kind,
        warehouse::{Load, RecordOrder, WantedValues, Warehouse},
    },
    model::{Day, Keyword},
    report::{Columns, RecordRow, Results, TextCell, Ticket, TicketStamp, count, counted},
    store::{Filter, index::FacetBy},
};

/// Loaded days and what is asked of them.
struct LoadedSearch<'a> {
    output: SearchOutput<'a>,
    warehouse: &'a Warehouse,
    loads: &'a [Load],
    filter: &'a Filter,
}

/// Answers from the warehouse.
///
/// # Errors
/// A day that is not loaded; what the warehouse refuses.
pub(super) async fn run(
    feed: Feed,
    days: LoadedDays,
    filter: Filter,
    wanted: SearchResult,
    run: Run<'_>,
) -> CommandResult {
    let warehouse = &run.engine.warehouse;
    let known = warehouse.loads().await?;
    let (loads, range) = match days {
        LoadedDays::One(None) if wanted == SearchResult::Days => {
            (known.all_of(feed, |_| true)?, Some(DayRange::default()))
        }
        LoadedDays::One(day) => (vec![known.pick(feed, day)?.clone()], None),
        LoadedDays::Range(range) => (known.all_of(feed, |day| range.has(day))?, Some(range)),
    };
    if let Some(range) = range {
        if loads.is_empty() {
            return Err(none_loaded(feed, range).into());
        }
        note_gaps(feed, &loads, range, run);
    }
    let search = LoadedSearch {
        output: SearchOutput {
            run,
            feed,
            days: format!("{}, warehouse", in_words(&loads)),
            is_dated: range.is_some(),
            ticket: Box::new(|number| ticket(feed, &loads, &filter, number, run)),
        },
        warehouse,
        loads: &loads,
        filter: &filter,
    };
    match wanted {
        SearchResult::Count => search.count().await?,
        SearchResult::Days => search.days().await?,
        SearchResult::Busiest(most) => search.list(RecordOrder::Busiest, Some(most)).await?,
        SearchResult::All(limit) => search.list(RecordOrder::Feed, limit).await?,
        SearchResult::Facets(by, limit) => {
            let [load] = loads.as_slice() else {
                let error = Error::new(Kind::Usage, "the values of a field are counted in one day");
                return Err(error
                    .hint("name it with --day; --facet day counts days")
                    .into());
            };
            // Organizations are spelt in many ways, which are values of their own in the records alone.
            if let FacetBy::Keyword(field) = by
                && field != Keyword::Org
            {
                search.facets(load, field, limit).await?;
            } else {
                let opened = warehouse.open_matching(load, &filter).await?;
                check_path(run.engine, slice::from_ref(&opened), &by).await?;
                let opened = SearchInputs::of(run, opened, filter.clone());
                opened.facets(by, limit).await?;
            }
        }
        SearchResult::Sql(..) => {}
    }
    Ok(Exit::DONE)
}

impl LoadedSearch<'_> {
    async fn count(&self) -> CommandResult<()> {
        let number = self.warehouse.count(self.loads, self.filter).await?;
        self.warehouse.still_holds(self.loads).await?;
        self.output.count(number)
    }

    async fn days(&self) -> CommandResult<()> {
        let counts = self.warehouse.count_by_day(self.loads, self.filter).await?;
        self.warehouse.still_holds(self.loads).await?;
        let number = counts.iter().map(|(_, count)| count).sum();
        let ticket = (self.output.ticket)(number);
        let results = Results::table(day_columns(), &counts, ticket).with_heads();
        self.output.run.console.show(results)?;
        self.output.note(number, number);
        Ok(())
    }

    /// The values of a field of filters, counted there.
    async fn facets(&self, load: &Load, field: Keyword, limit: Option<usize>) -> CommandResult<()> {
        let (warehouse, filter) = (self.warehouse, self.filter);
        let number = warehouse.count(self.loads, filter).await?;
        let wanted = limit.map_or(WantedValues::All, WantedValues::Frequent);
        let counted = warehouse.facets(load, filter, field, wanted).await?;
        warehouse.still_holds(self.loads).await?;
        let by = FacetBy::Keyword(field);
        self.output.facets(&by, counted, number, limit)
    }

    async fn list(&self, order: RecordOrder, limit: Option<usize>) -> CommandResult<()> {
        let (warehouse, loads) = (self.warehouse, self.loads);
        let number = warehouse.count(loads, self.filter).await?;
        let records = warehouse.records(loads, self.filter, order, limit);
        let promised = limit.map_or(number, |limit| number.min(limit as u64));
        let mut records = records.await?.promised(promised);
        let SearchOutput { feed, is_dated, .. } = self.output;
        let next = async |printed| {
            let page = records.page(PAGE).await;
            let page = page.map_err(|error| broken_off(error, printed))?;
            if page.is_empty() {
                let holds = warehouse.still_holds(loads).await;
                holds.map_err(|error| broken_off(error, printed))?;
            }
            let row = |(day, line)| {
                let row = RecordRow::of(feed, line);
                if is_dated { row.on(day) } else { row }
            };
            Ok(page.into_iter().map(row).collect())
        };
        self.output.list(number, next).await
    }
}

/// Days between those that are asked and not loaded are unknown, and said to be.
fn note_gaps(feed: Feed, loads: &[Load], range: DayRange, Run { engine, console }: Run<'_>) {
    let known = || loads.iter().map(|load| load.day);
    let (Some(first), Some(last)) = (range.from.or(known().min()), range.to.or(known().max()))
    else {
        return;
    };
    // A day that is not over may have no release.
    let today = engine.settings.today();
    let last = if known().max() >= Some(today) {
        last.min(today)
    } else {
        last.min(today.plus(-1))
    };
    let all = u64::try_from(last.days_since(first) + 1).unwrap_or_default();
    let missing = all.saturating_sub(loads.len() as u64);
    if missing > 0 {
        console.note(&format!(
            "{} of {} from {} to {} not loaded, so unknown; `ipspect warehouse days {feed}` lists them",
            count(missing),
            counted(all, "day"),
            first.dashed(),
            last.dashed()
        ));
    }
}

/// The days, for people.
fn in_words(loads: &[Load]) -> String {
    match loads {
        [first, .., last] if first.day != last.day => format!(
            "{} days from {} to {}",
            loads.len(),
            first.day.dashed(),
            last.day.dashed()
        ),
        [load, ..] => load.day.dashed(),
        [] => String::new(),
    }
}

fn ticket(feed: Feed, loads: &[Load], filter: &Filter, number: u64, run: Run<'_>) -> Ticket {
    let matching = if filter.is_empty() {
        String::new()
    } else {
        format!(" that match {filter}")
    };
    let (records, days) = (counted(number, "record"), in_words(loads));
    let written = TicketStamp::of(&run.engine.settings);
    let ticket = Ticket::written(&format!("Search of {feed}"), written);
    let ticket = ticket.sentence(&format!(
        "{records} of the feed {feed} of {days}{matching}."
    ));
    let place = run.engine.warehouse.place().unwrap_or_default();
    let ticket = ticket.line("source", &format!("warehouse {place}"));
    match loads {
        [load] => ticket.line("load", &load.name),
        loads => ticket.line("loads", &count(loads.len() as u64)),
    }
}

/// The error that ended an answer after so many records.
fn broken_off(error: Error, shown: u64) -> Error {
    if shown == 0 {
        return error;
    }
    let records = counted(shown, "record");
    let message = format!("{}, after {records}", error.message);
    let error = Error { message, ..error };
    match error.kind {
        Kind::Network => error.hint(
            "the server closes an answer that is not read for half a minute: write it to a file, or ask for less",
        ),
        _ => error,
    }
}

/// How many records of each day.
pub(super) fn day_columns() -> Columns<(Day, u64)> {
    Columns::<(Day, u64)>::default()
        .column("day", "day", |(day, _)| day.to_string())
        .shown(|(day, _)| TextCell::known(day.dashed()))
        .column("count", "records", |(_, count)| *count)
}
