//! `search --at warehouse`: the same of loaded days, of one or of several.

use super::facets;
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
        warehouse::{Load, RecordOrder, WantedValues, not_loaded},
    },
    model::{Day, Keyword},
    report::{
        Columns, RecordRow, Results, TextCell, Ticket, TicketStamp, count, counted,
        dated_record_columns, record_columns,
    },
    store::{Filter, index::FacetBy},
};

/// Records that are printed together.
const PAGE: usize = 1024;

/// Loaded days and what is asked of them.
struct LoadedSearch<'a> {
    run: Run<'a>,
    feed: Feed,
    loads: Vec<Load>,
    filter: Filter,
    /// Whether each line has its day.
    is_dated: bool,
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
    let (loads, is_dated) = match days {
        LoadedDays::One(None) if wanted == SearchResult::Days => {
            (warehouse.loads().await?.all_of(feed, |_| true)?, true)
        }
        LoadedDays::One(day) => (vec![warehouse.pick(feed, day).await?], false),
        LoadedDays::Range(range) => {
            let loads = warehouse.loads().await?;
            (loads.all_of(feed, |day| range.has(day))?, true)
        }
    };
    if loads.is_empty() {
        return Err(match days {
            LoadedDays::Range(range) => none_loaded(feed, range),
            LoadedDays::One(day) => not_loaded(feed, day),
        }
        .into());
    }
    let search = LoadedSearch {
        run,
        feed,
        loads,
        filter,
        is_dated,
    };
    search.note_gaps(days);
    match wanted {
        SearchResult::Count => search.count().await?,
        SearchResult::Days => search.days().await?,
        SearchResult::Busiest(most) => search.list(RecordOrder::Busiest, Some(most)).await?,
        SearchResult::All(limit) => search.list(RecordOrder::Feed, limit).await?,
        SearchResult::Facets(by, limit) => {
            let [load] = search.loads.as_slice() else {
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
                let opened = warehouse.open_matching(load, &search.filter).await?;
                facets::show_of(run, opened, search.filter, by, limit).await?;
            }
        }
        SearchResult::Sql(..) => {}
    }
    Ok(Exit::DONE)
}

impl LoadedSearch<'_> {
    /// Days between those that are asked and not loaded are unknown, and said to be.
    fn note_gaps(&self, days: LoadedDays) {
        let known = || self.loads.iter().map(|own| own.day);
        let range = match days {
            LoadedDays::Range(range) => range,
            LoadedDays::One(None) if self.is_dated => DayRange {
                from: None,
                to: None,
            },
            LoadedDays::One(_) => return,
        };
        let (Some(first), Some(last)) = (range.from.or(known().min()), range.to.or(known().max()))
        else {
            return;
        };
        // A day that is not over may have no release.
        let today = self.run.engine.settings.today();
        let last = if known().max() >= Some(today) {
            last.min(today)
        } else {
            last.min(today.plus(-1))
        };
        let all = u64::try_from(last.days_since(first) + 1).unwrap_or_default();
        let missing = all.saturating_sub(self.loads.len() as u64);
        if missing > 0 {
            let of = format!("{} to {}", first.dashed(), last.dashed());
            self.run.console.note(&format!(
                "{} of {} from {of} not loaded, so unknown; `ipspect warehouse days {}` lists them",
                count(missing),
                counted(all, "day"),
                self.feed
            ));
        }
    }

    /// The days, for people.
    fn of_days(&self) -> String {
        match (self.loads.first(), self.loads.last()) {
            (Some(first), Some(last)) if first.day != last.day => format!(
                "{} days from {} to {}",
                self.loads.len(),
                first.day.dashed(),
                last.day.dashed()
            ),
            (Some(own), _) => own.day.dashed(),
            _ => String::new(),
        }
    }

    fn ticket(&self, number: u64) -> Ticket {
        let settings = &self.run.engine.settings;
        let (feed, days, filter) = (self.feed, self.of_days(), self.filter.to_string());
        let matching = if filter.is_empty() {
            String::new()
        } else {
            format!(" that match {filter}")
        };
        let records = counted(number, "record");
        let ticket = Ticket::written(&format!("Search of {feed}"), TicketStamp::of(settings));
        let ticket = ticket.sentence(&format!(
            "{records} of the feed {feed} of {days}{matching}."
        ));
        let place = self.run.engine.warehouse.place().unwrap_or_default();
        let loads: Vec<&str> = self.loads.iter().map(|own| own.name.as_str()).collect();
        let ticket = ticket.line("source", &format!("warehouse {place}"));
        match loads.as_slice() {
            [load] => ticket.line("load", load),
            loads => ticket.line("loads", &count(loads.len() as u64)),
        }
    }

    fn note_number(&self, number: u64, shown: u64) {
        let of = format!("in {} of {}, warehouse", self.feed, self.of_days());
        let rest = if shown < number {
            format!(", {} shown", count(shown))
        } else {
            String::new()
        };
        let matching = match number {
            0 => format!("no record matches {of}"),
            1 => format!("1 record matches {of}"),
            _ => format!("{} records match {of}", count(number)),
        };
        self.run.console.note(&(matching + &rest));
    }

    async fn count(&self) -> CommandResult<()> {
        let number = self.run.engine.warehouse.count(&self.loads, &self.filter);
        let number = number.await?;
        self.still_holds().await?;
        let columns = super::records::count_columns();
        let results = Results::table(columns, [&number], self.ticket(number)).as_facts();
        self.run.console.show(results.text(format!("{number}\n")))
    }

    async fn days(&self) -> CommandResult<()> {
        let counts = self
            .run
            .engine
            .warehouse
            .count_by_day(&self.loads, &self.filter);
        let counts = counts.await?;
        self.still_holds().await?;
        let number = counts.iter().map(|(_, count)| count).sum();
        let results = Results::table(day_columns(), &counts, self.ticket(number)).with_heads();
        self.run.console.show(results)?;
        self.note_number(number, number);
        Ok(())
    }

    /// The values of a field of filters, counted there.
    async fn facets(&self, load: &Load, field: Keyword, limit: Option<usize>) -> CommandResult<()> {
        let warehouse = &self.run.engine.warehouse;
        let number = warehouse.count(&self.loads, &self.filter).await?;
        let wanted = limit.map_or(WantedValues::All, WantedValues::Frequent);
        let counted = warehouse.facets(load, &self.filter, field, wanted).await;
        let (values, all) = counted?;
        self.still_holds().await?;
        let rows = facets::facet_rows(values, limit, number);
        let results = Results::table(facets::facet_columns(), &rows, self.ticket(number));
        self.run.console.show(results.with_heads())?;
        self.note_number(number, number);
        let by = FacetBy::Keyword(field);
        facets::note_values(self.run.console, &by, number, all, rows.len());
        Ok(())
    }

    async fn list(&self, order: RecordOrder, limit: Option<usize>) -> CommandResult<()> {
        let (warehouse, console) = (&self.run.engine.warehouse, self.run.console);
        let number = warehouse.count(&self.loads, &self.filter).await?;
        let records = warehouse.records(&self.loads, &self.filter, order, limit);
        let promised = limit.map_or(number, |limit| number.min(limit as u64));
        let mut records = records.await?.promised(promised);
        let columns = if self.is_dated {
            dated_record_columns(self.feed)
        } else {
            record_columns(self.feed)
        };
        let mut printed = 0;
        loop {
            let page = records.page(PAGE).await;
            let page = page.map_err(|error| broken_off(error, printed))?;
            if page.is_empty() {
                break;
            }
            if printed == 0 {
                console.rows(|rows| rows.begin(&columns, || Some(self.ticket(number))))?;
            }
            printed += page.len() as u64;
            let row = |(day, line)| {
                let row = RecordRow::of(self.feed, line);
                if self.is_dated { row.on(day) } else { row }
            };
            let page: Vec<RecordRow> = page.into_iter().map(row).collect();
            console.rows(|rows| rows.rows(&columns, &page))?;
        }
        let holds = self.run.engine.warehouse.still_holds(&self.loads).await;
        holds.map_err(|error| broken_off(error, printed))?;
        self.note_number(number, printed);
        Ok(())
    }

    /// Refuses a result whose days were replaced while they were read.
    async fn still_holds(&self) -> CommandResult<()> {
        Ok(self.run.engine.warehouse.still_holds(&self.loads).await?)
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
