//! `warehouse`: its tables, its loads and its days.

use std::collections::BTreeMap;

use super::{
    args::warehouse::{DayRange, DropArgs, LoadArgs, WantedLoads, WarehouseCommand},
    console::CommandResult,
    exit::{Exit, ExitTally},
    run::Run,
};
use crate::{
    contract::Feed,
    engine::{
        Error, Kind,
        warehouse::{Load, LoadOutcome, LoadedBefore, not_loaded},
    },
    model::Day,
    report::{Cell, Columns, Line, Results, Ticket, count, counted, each},
    store::Manifest,
};

/// The table of a subcommand; none where it says a sentence.
pub(super) fn table_of(command: Option<&WarehouseCommand>) -> Option<Vec<&'static str>> {
    let Some(command) = command else {
        return Some(day_columns().names());
    };
    match command {
        WarehouseCommand::Load(_) => Some(outcome_columns().names()),
        WarehouseCommand::Days { .. } => Some(day_columns().names()),
        WarehouseCommand::Drop(args) if !args.stale => Some(dropped_columns().names()),
        WarehouseCommand::Init | WarehouseCommand::Drop(_) => None,
    }
}

/// Runs a subcommand.
///
/// # Errors
/// What stopped it.
pub(super) async fn run(command: Option<&WarehouseCommand>, run: Run<'_>) -> CommandResult {
    let Some(command) = command else {
        return days(None, run).await;
    };
    match command {
        WarehouseCommand::Init => init(run).await,
        WarehouseCommand::Load(args) => load(args, run).await,
        WarehouseCommand::Days { feed } => {
            let feed = feed.as_deref().map(super::args::value::feed).transpose()?;
            days(feed, run).await
        }
        WarehouseCommand::Drop(args) => drop_days(args, run).await,
    }
}

async fn init(Run { engine, console }: Run<'_>) -> CommandResult {
    let had = engine.warehouse.init().await?;
    let place = engine.warehouse.place()?;
    let object = Line::default()
        .key("warehouse", place.clone())
        .key("created", !had);
    let sentence = if had {
        format!("{place}: the tables are there already")
    } else {
        format!("{place}: ipspect_records and ipspect_loads are created")
    };
    console.done(&object, &sentence)?;
    Ok(Exit::DONE)
}

async fn load(args: &LoadArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let (feed, wanted) = args.wanted(engine.settings.today())?;
    console.if_interrupted(
        "nothing of the day is seen before all of it is there; run it again to go on",
    );
    let days = match wanted {
        WantedLoads::One(day) => vec![day],
        WantedLoads::Days(range) => {
            let days = local_days(feed, run)
                .into_keys()
                .filter(|day| range.has(*day));
            let days: Vec<Option<Day>> = days.map(Some).collect();
            if days.is_empty() {
                return Err(none_local(feed, range).into());
            }
            days
        }
        WantedLoads::New => {
            let loads = engine.warehouse.loads().await?;
            let is_there = |day: Day, manifest: &Manifest| {
                let mut own = loads
                    .readable()
                    .filter(|load| (load.feed, load.day) == (feed, day));
                own.any(|load| load.hash == manifest.sha256)
            };
            let local = local_days(feed, run).into_iter();
            let new = local.filter(|(day, manifest)| !is_there(*day, manifest));
            let new: Vec<Option<Day>> = new.map(|(day, _)| Some(day)).collect();
            if new.is_empty() {
                console.note(&format!("every local day of {feed} is loaded"));
            }
            new
        }
    };
    let mut tally = ExitTally::default();
    for day in days {
        let loaded = run
            .during(async |report| engine.warehouse.load(feed, day, report).await)
            .await;
        match loaded {
            Ok(outcome) => {
                tally.done();
                show_load(&outcome, run)?;
            }
            // What the next day would fail with as well ends the run.
            Err(error) if error.kind != Kind::NotFound && error.kind != Kind::Integrity => {
                return Err(error.into());
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), &error)?;
            }
        }
    }
    Ok(tally.exit())
}

/// The local releases of a feed by day.
fn local_days(feed: Feed, Run { engine, .. }: Run<'_>) -> BTreeMap<Day, Manifest> {
    let releases = engine.releases.inventory(feed).releases.into_iter();
    let indexed = releases.filter(|release| release.manifest.index.is_some());
    indexed
        .map(|release| (release.manifest.moment.day(), release.manifest))
        .collect()
}

/// None of these days is in the warehouse.
pub(super) fn none_loaded(feed: Feed, range: DayRange) -> Error {
    if range.from == range.to {
        return not_loaded(feed, range.from);
    }
    let (from, to) = in_words(range);
    let message = format!("no day of {feed} from {from} to {to} is loaded in the warehouse");
    Error::new(Kind::NotFound, message).hint(format!(
        "`ipspect warehouse days {feed}` lists what is there"
    ))
}

fn in_words(range: DayRange) -> (String, String) {
    let day = |day: Option<Day>, open: &str| day.map_or(open.to_owned(), Day::dashed);
    (day(range.from, "the first"), day(range.to, "the last"))
}

fn none_local(feed: Feed, range: DayRange) -> Error {
    let (from, to) = in_words(range);
    Error::new(
        Kind::NotFound,
        format!("no release of {feed} from {from} to {to} is local"),
    )
    .hint(format!(
        "`ipspect feeds pull {feed} --date DAY` downloads one"
    ))
}

fn show_load(outcome: &LoadOutcome, Run { console, .. }: Run<'_>) -> CommandResult<()> {
    let (feed, day) = (outcome.feed, outcome.day.dashed());
    let records = counted(outcome.records, "record");
    let text = match (outcome.before, outcome.resumed_from) {
        (LoadedBefore::Same, _) => format!("{feed} {day}: loaded already, {records}\n"),
        (before, resumed) => {
            let resumed = if resumed > 0 {
                format!(", {} of them by an earlier run", count(resumed))
            } else {
                String::new()
            };
            let replaced = if before == LoadedBefore::Other {
                "; replaces another release"
            } else {
                ""
            };
            format!("{feed} {day}: {records} loaded{resumed}{replaced}\n")
        }
    };
    let ticket = Ticket::about(&format!("Load of {feed}"))
        .sentence(&format!("The feed {feed} of {day} is in the warehouse."));
    let results = Results::table(outcome_columns(), [outcome], ticket).as_facts();
    console.summary(results.text(text))
}

fn outcome_columns() -> Columns<LoadOutcome> {
    Columns::<LoadOutcome>::default()
        .data("feed", |outcome| outcome.feed.name())
        .data("day", |outcome| outcome.day.to_string())
        .column("records", "records", |outcome| outcome.records)
        .data("hash", |outcome| outcome.hash.clone())
        .data("replaced", |outcome| outcome.before == LoadedBefore::Other)
        .data("was_there", |outcome| outcome.before == LoadedBefore::Same)
        .data("resumed_from", |outcome| outcome.resumed_from)
}

/// A day of a feed, in the warehouse, on this machine or on both.
struct KnownDay {
    feed: Feed,
    day: Day,
    load: Option<Load>,
    /// Why its load cannot be read.
    unreadable: Option<Error>,
    local: Option<Manifest>,
}

impl KnownDay {
    fn records(&self) -> Option<u64> {
        let load = self.load.as_ref().map(|load| load.records);
        load.or_else(|| self.local.as_ref()?.records)
    }

    fn hash(&self) -> Option<String> {
        let load = self.load.as_ref().map(|load| load.hash.clone());
        load.or_else(|| self.local.as_ref().map(|manifest| manifest.sha256.clone()))
    }

    /// Whether both are the same release; `None` where one is missing.
    fn is_same(&self) -> Option<bool> {
        Some(self.load.as_ref()?.hash == self.local.as_ref()?.sha256)
    }

    fn words(&self) -> &'static str {
        match (&self.load, self.is_same()) {
            (None, _) if self.unreadable.is_some() => "cannot be read",
            (None, _) => "not loaded",
            (Some(_), None) => "not local",
            (Some(_), Some(true)) => "local as well",
            (Some(_), Some(false)) => "another release is local",
        }
    }
}

/// A day among those that are known.
fn of_day<'k>(
    known: &'k mut BTreeMap<(&'static str, Day), KnownDay>,
    feed: Feed,
    day: Day,
) -> &'k mut KnownDay {
    let new = || KnownDay {
        feed,
        day,
        load: None,
        unreadable: None,
        local: None,
    };
    known.entry((feed.name(), day)).or_insert_with(new)
}

async fn days(feed: Option<Feed>, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let is_asked = |other: Feed| feed.is_none_or(|feed| feed == other);
    let mut known = BTreeMap::new();
    let loads = engine.warehouse.loads().await?;
    for load in loads.readable().filter(|load| is_asked(load.feed)) {
        of_day(&mut known, load.feed, load.day).load = Some(load.clone());
    }
    let mut tally = ExitTally::default();
    for load in loads.unreadable().iter().filter(|load| is_asked(load.feed)) {
        tally.failed(load.why.kind);
        console.failure(Some(load.feed.name()), &load.why)?;
        if let Some(day) = load.day {
            of_day(&mut known, load.feed, day).unreadable = Some(load.why.clone());
        }
    }
    for feed in Feed::all().filter(|feed| *feed != Feed::Realtime && is_asked(*feed)) {
        for (day, manifest) in local_days(feed, run) {
            of_day(&mut known, feed, day).local = Some(manifest);
        }
    }
    let known: Vec<KnownDay> = known.into_values().collect();
    let loaded = known.iter().filter(|day| day.load.is_some()).count();
    let place = engine.warehouse.place()?;
    let sentence = format!("{} in {place}.", counted(loaded as u64, "loaded day"));
    console.show(Results::table(
        day_columns(),
        &known,
        Ticket::about("Warehouse").sentence(&sentence),
    ))?;
    if loaded == 0 {
        console.note("nothing is loaded; `ipspect warehouse load FEED` loads a local release");
    }
    Ok(tally.exit())
}

fn day_columns() -> Columns<KnownDay> {
    Columns::<KnownDay>::default()
        .column("feed", "feed", |day| day.feed.name())
        .column("day", "day", |day| day.day.to_string())
        .shown(|day| crate::report::TextCell::known(day.day.dashed()))
        .column("records", "records", |day| Cell::some(day.records()))
        .data("hash", |day| Cell::some(day.hash()))
        .data("loaded", |day| {
            day.load.is_some() || day.unreadable.is_some()
        })
        .data("local", |day| day.local.is_some())
        .data("same", |day| day.is_same().map_or(Cell::Null, Cell::Flag))
        .words("where", KnownDay::words)
}

async fn drop_days(args: &DropArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let Some((feed, range)) = args.wanted(engine.settings.today())? else {
        let loads = engine.warehouse.drop_stale().await?;
        let object = Line::default().key("loads", loads);
        let sentence = match loads {
            0 => "nothing is left of broken or replaced loads".to_owned(),
            loads => format!("removed what was left of {}", counted(loads, "load")),
        };
        console.done(&object, &sentence)?;
        return Ok(Exit::DONE);
    };
    let dropped = engine
        .warehouse
        .drop_days(feed, |day| range.has(day))
        .await?;
    if dropped.is_empty() {
        return Err(none_loaded(feed, range).into());
    }
    let line = |(day, records): &(Day, u64)| {
        format!(
            "{feed} {}: {} removed\n",
            day.dashed(),
            counted(*records, "record")
        )
    };
    let sentence = format!(
        "{} of {feed} removed.",
        counted(dropped.len() as u64, "day")
    );
    let text = each(dropped.iter().map(line), "");
    let dropped = dropped
        .into_iter()
        .map(|(day, records)| (feed, day, records));
    let dropped: Vec<(Feed, Day, u64)> = dropped.collect();
    let ticket = Ticket::about(&format!("Warehouse: {feed}")).sentence(&sentence);
    console.summary(Results::table(dropped_columns(), &dropped, ticket).text(text))?;
    Ok(Exit::DONE)
}

fn dropped_columns() -> Columns<(Feed, Day, u64)> {
    Columns::<(Feed, Day, u64)>::default()
        .data("feed", |(feed, ..)| feed.name())
        .data("day", |(_, day, _)| day.to_string())
        .column("records", "records", |(.., records)| *records)
}
