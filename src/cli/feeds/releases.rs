//! What is done to local releases: `feeds pull`, `verify`, `rm` and `reindex`.

use super::row::{file_of, form_of, name_columns};
use crate::{
    cli::{
        args::{
            feeds::{PullArgs, RmArgs},
            value::{feed, local_day},
        },
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
        run::Run,
        watch,
    },
    contract::{Feed, Format, Freshness},
    engine::{
        Engine, Error, Kind, PullQuery, Pulled, Removed, Result, VerifiedRelease, WantedRelease,
    },
    model::{Day, visible},
    report::{Cell, Columns, Results, TextCell, Ticket, count, each, size},
    store::{Moment, Rejected, layout::Release, retention::Reason},
};

/// Downloads releases, one after the other, and says what they are.
///
/// # Errors
/// What kept a single one from being published; what went wrong with standard output. What several fail with is said and counted.
pub(super) async fn pull(queries: &[PullQuery], run: Run<'_>) -> CommandResult {
    if let [query] = queries {
        let pulled = download(query, run).await?;
        show(&pulled, run)?;
        watch::after_pull(&[query.feed], run).await?;
        return Ok(Exit::DONE);
    }
    Ok(pull_each(queries.iter().copied(), run).await?.exit())
}

/// Downloads each. Rights are by feed: where one is refused, no more of that feed is asked for.
async fn pull_each(
    queries: impl Iterator<Item = PullQuery>,
    run: Run<'_>,
) -> CommandResult<ExitTally> {
    let mut tally = ExitTally::default();
    let (mut refused, mut feeds) = (None, Vec::new());
    for query in queries {
        if refused == Some(query.feed) {
            continue;
        }
        match download(&query, run).await {
            Ok(pulled) => {
                tally.done();
                show(&pulled, run)?;
                feeds.push(query.feed);
            }
            Err(error) => {
                tally.failed(error.kind);
                run.console.failure(Some(query.feed.name()), &error)?;
                if error.kind.stops_a_batch() {
                    refused = Some(query.feed);
                }
            }
        }
    }
    watch::after_pull(&feeds, run).await?;
    Ok(tally)
}

async fn download(query: &PullQuery, run: Run<'_>) -> Result<Pulled> {
    let Run { engine, console } = run;
    console.if_interrupted("the received part is kept; run it again to resume");
    run.during(async |report| engine.releases.pull(query, report).await)
        .await
}

/// Pulls the feeds that are behind, one after the other.
///
/// # Errors
/// What went wrong with standard output; what feeds fail with is said and counted.
pub(super) async fn pull_stale(args: &PullArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let forms = Feed::all().flat_map(|feed| [Format::Json, Format::Mmdb].map(|form| (feed, form)));
    let stale = forms.filter(|(feed, form)| is_stale(*feed, *form, engine));
    let queries = stale.map(|(feed, form)| PullQuery {
        feed,
        wanted: WantedRelease::Latest,
        form,
        allow_shrink: args.allow_shrink,
        wait: args.wait,
    });
    let tally = pull_each(queries, run).await?;
    if tally.is_empty() {
        console.note("no local feed is behind its cadence");
    }
    Ok(tally.exit())
}

/// Whether a form of a feed is local and a newer release of it is due, or its newest one cannot be used.
fn is_stale(feed: Feed, form: Format, engine: &Engine) -> bool {
    let now = engine.settings.now();
    let inventory = engine.releases.inventory(feed);
    if inventory.faults.iter().any(|(format, _)| *format == form) {
        return true;
    }
    let mut local = inventory.releases.iter().map(|release| &release.manifest);
    let newest = local.find(|manifest| manifest.form() == form);
    newest.is_some_and(|newest| newest.surest_moment().freshness(now) != Freshness::Current)
}

/// Prints what was pulled, and which releases are gone for it.
fn show(pulled: &Pulled, Run { engine, console }: Run<'_>) -> CommandResult<()> {
    let Pulled { release, .. } = pulled;
    let manifest = &release.manifest;
    let (feed, moment) = (manifest.feed, manifest.moment.dashed());
    let records = manifest.records.map_or_else(String::new, |records| {
        format!("{} records, ", count(records))
    });
    let how = match pulled.resumed_from {
        _ if pulled.was_here => ", unchanged since it was pulled".to_owned(),
        0 => String::new(),
        resumed => format!(", resumed at {}", size(resumed)),
    };
    let (bytes, day) = (size(manifest.bytes), manifest.moment.day().dashed());
    let source = manifest.day_source.words();
    let file = file_of(release).unwrap_or("not kept, as configured".to_owned());
    let file = visible(&file);
    let text = format!(
        "{feed} {moment}  {records}{bytes}{how}\n  day    {day} ({source})\n  file   {file}\n"
    );
    let ticket = Ticket::about(&format!("Feed {feed}"))
        .sentence(&format!("The feed {feed} of {moment} is local."));
    let results = Results::table(pulled_columns(), [pulled], ticket).as_facts();
    console.summary(results.text(text + &index_line(release)))?;
    note_rejected(&manifest.rejected, console);
    let cache = &engine.settings.cache;
    for gone in &pulled.removed {
        let why = match gone.reason {
            Some(Reason::Releases) if gone.feed == Feed::Realtime => {
                format!("{} newer windows are kept", cache.keep_windows)
            }
            Some(Reason::Releases) => {
                let newest = cache.keep_releases;
                format!("{newest} newer releases of each feed are kept")
            }
            _ => format!("the cache keeps {} GB at most", cache.max_gb),
        };
        console.note(&format!("removed {}: {why}", removed_words(gone)));
    }
    for warning in &pulled.warnings {
        console.warn(warning);
    }
    Ok(())
}

/// The file of an index and its length; nothing where there is none.
fn index_line(release: &Release) -> String {
    let index = release.index().zip(release.index_bytes());
    index.map_or_else(String::new, |(index, length)| {
        let index = index.display().to_string();
        format!("  index  {} ({})\n", visible(&index), size(length))
    })
}

/// Lines that are no records are counted, and the first of them named.
fn note_rejected(rejected: &Rejected, console: &Console) {
    if rejected.count > 0 {
        let first = rejected.first.iter();
        let first = each(
            first.map(|(line, why)| format!("\n  line {line}: {why}")),
            "",
        );
        let all = count(rejected.count);
        console.note(&format!("lines that are not records: {all}{first}"));
    }
}

pub(super) fn pulled_columns() -> Columns<Pulled> {
    Columns::<Pulled>::default()
        .data("feed", |pulled| pulled.release.manifest.feed.name())
        .column("release", "release", |pulled| {
            pulled.release.manifest.moment
        })
        .but_json()
        .json("day", |pulled| {
            pulled.release.manifest.moment.day().to_string()
        })
        .json("window", |pulled| match pulled.release.manifest.moment {
            Moment::Day(_) => None,
            Moment::Window(window) => Some(window.hhmm()),
        })
        .json("day_source", |pulled| {
            Cell::json(pulled.release.manifest.day_source)
        })
        .words("day from", |pulled| {
            pulled.release.manifest.day_source.words()
        })
        .data("form", |pulled| form_of(pulled.release.manifest.form()))
        .column("records", "records", |pulled| {
            pulled.release.manifest.records
        })
        .shown(|pulled| TextCell::counted(pulled.release.manifest.records))
        .data("rejected", |pulled| pulled.release.manifest.rejected.count)
        .column("bytes", "size", |pulled| {
            Cell::Bytes(pulled.release.manifest.bytes)
        })
        .column("sha256", "SHA-256", |pulled| {
            pulled.release.manifest.sha256.clone()
        })
        .data("file", |pulled| file_of(&pulled.release))
        .data("was_here", |pulled| pulled.was_here)
        .data("resumed_from", |pulled| pulled.resumed_from)
        .with(|columns| index_columns(columns, |pulled| &pulled.release))
        .shown(|pulled| {
            TextCell::known(pulled.release.index_bytes().map_or("none".to_owned(), size))
        })
        .json("removed", |pulled| {
            let words =
                |gone: &Removed| format!("{} {} {}", gone.feed, gone.moment, form_of(gone.form));
            Cell::json(pulled.removed.iter().map(words).collect::<Vec<_>>())
        })
}

/// Adds the columns of the index of a release.
fn index_columns<R: 'static>(columns: Columns<R>, release: fn(&R) -> &Release) -> Columns<R> {
    columns
        .data("index", move |row| {
            let index = release(row).index();
            index.map(|path| path.display().to_string())
        })
        .column("index_bytes", "index", move |row| {
            release(row).index_bytes().map(Cell::Bytes)
        })
}

/// Verifies a release and prints the findings.
///
/// # Errors
/// When it is not here; damage is reported for each form.
pub(super) async fn verify(feed: Feed, day: Option<Day>, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    console.if_interrupted("nothing was changed");
    let checked = run
        .during(async |report| engine.releases.verify(feed, day, report).await)
        .await?;
    let sound: Vec<&VerifiedRelease> = checked.iter().flatten().collect();
    let results = Results::table(
        verified_columns(),
        sound.iter().copied(),
        verified_ticket(feed, &checked),
    );
    let text = each(sound.into_iter().map(verified_text), "");
    console.summary(results.text(text))?;
    let mut tally = ExitTally::default();
    for form in &checked {
        match form {
            Ok(verified) => {
                tally.done();
                if let Some(doubt) = verified.release.manifest.day_doubt() {
                    console.note(&doubt);
                }
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), error)?;
            }
        }
    }
    Ok(tally.exit())
}

/// What was checked, in words; nothing where there was nothing to check.
fn checked_words(verified: &VerifiedRelease) -> (Option<String>, Option<String>) {
    let VerifiedRelease { release, data, .. } = verified;
    let file = || format!("OK, {}, as published", size(release.manifest.bytes));
    let index = || {
        let matches = if *data { ", matches the file" } else { "" };
        let length = size(release.index_bytes().unwrap_or_default());
        format!("OK, {length}{matches}")
    };
    (data.then(file), verified.index.then(index))
}

fn verified_text(verified: &VerifiedRelease) -> String {
    let manifest = &verified.release.manifest;
    let records = manifest.records.map_or_else(String::new, |records| {
        format!(", {} records", count(records))
    });
    let (file, index) = checked_words(verified);
    let (feed, moment) = (manifest.feed, manifest.moment.dashed());
    let form = form_of(verified.form);
    let file = file.unwrap_or("not kept: the index cannot be rebuilt".to_owned());
    let index = match index {
        Some(index) => format!("  index  {index}\n"),
        None if verified.form == Format::Json => {
            "  index  none yet: it is built at first use\n".to_owned()
        }
        None => String::new(),
    };
    format!("{feed} {moment}  {form}{records}\n  file   {file}\n{index}")
}

/// How many of the forms are as they should be, and what is wrong with the others.
fn verified_ticket(feed: Feed, forms: &[Result<VerifiedRelease>]) -> Ticket {
    let mut sound = forms.iter().flatten().peekable();
    let of = sound.peek().map_or_else(String::new, |verified| {
        format!(" of {}", verified.release.manifest.moment.dashed())
    });
    let sentence = match (sound.count(), forms.len()) {
        (sound, all) if sound == all => format!("The local release of {feed}{of} is sound."),
        (0, _) => format!("The local release of {feed} is damaged."),
        (sound, all) => {
            format!("{sound} of {all} forms of the local release of {feed}{of} are sound.")
        }
    };
    let ticket = Ticket::about(&format!("Check of {feed}")).sentence(&sentence);
    let damaged = forms.iter().filter_map(|form| form.as_ref().err());
    damaged.fold(ticket, |ticket, error| {
        ticket.line("damaged", &error.message)
    })
}

pub(super) fn verified_columns() -> Columns<VerifiedRelease> {
    let is_sound = |is_sound: bool| is_sound.then_some(true);
    let sound = |is_sound: bool| is_sound.then_some("sound");
    name_columns(|release: &VerifiedRelease| {
        (
            release.release.manifest.feed,
            release.release.manifest.moment,
        )
    })
    .column("form", "form", |release| form_of(release.form))
    .column("records", "records", |release| {
        release.release.manifest.records
    })
    .data("rejected", |release| {
        release.release.manifest.rejected.count
    })
    .data("bytes", |release| {
        Cell::Bytes(release.release.manifest.bytes)
    })
    .json("file", move |release| is_sound(release.data))
    .column("file", "file", move |release| sound(release.data))
    .but_json()
    .shown(|release| TextCell::or_dash(checked_words(release).0))
    .json("index", move |release| is_sound(release.index))
    .column("index", "index", move |release| sound(release.index))
    .but_json()
    .shown(|release| TextCell::or_dash(checked_words(release).1))
}

/// Removes the named releases and prints them.
///
/// # Errors
/// No day given for several releases, nothing to remove, or another process writing the feed.
pub(super) async fn remove(args: &RmArgs, Run { engine, console }: Run<'_>) -> CommandResult {
    let feed = feed(&args.feed)?;
    let on = match &args.day {
        None => None,
        Some(text) => match local_day(text, engine.settings.today())? {
            // Without a day everything would be removed.
            None => Some(engine.releases.latest_day(feed)?.ok_or_else(|| {
                Error::new(Kind::NotFound, format!("{feed} has no local release"))
                    .hint("--all also removes partial downloads")
            })?),
            day => day,
        },
    };
    if on.is_none() && !args.all {
        refuse_a_choice(feed, engine)?;
    }
    let removed = engine.releases.remove(feed, on, args.wait).await?;
    let releases = &removed.releases;
    let results = Results::table(removed_columns(), releases, removed_ticket(releases));
    let lines = releases
        .iter()
        .map(|gone| format!("removed {}\n", removed_words(gone)));
    console.summary(results.text(each(lines, "")))?;
    if removed.partial > 0 {
        let partial = size(removed.partial);
        console.note(&format!("removed partial downloads too: {partial}"));
    }
    Ok(Exit::DONE)
}

/// A feed without a day is enough only if one release is local.
fn refuse_a_choice(feed: Feed, engine: &Engine) -> Result<()> {
    let moments = engine.releases.moments(feed)?;
    let ([newest, .., oldest], many) = (&moments[..], moments.len()) else {
        return Ok(());
    };
    let (oldest, newest) = (oldest.dashed(), newest.dashed());
    let message =
        format!("{many} releases of {feed} are local, {oldest} to {newest}: nothing was removed");
    Err(Error::new(Kind::Usage, message).hint("name one with --day DAY, or remove them with --all"))
}

pub(super) fn removed_columns() -> Columns<Removed> {
    name_columns(|gone: &Removed| (gone.feed, gone.moment))
        .column("form", "form", |gone| form_of(gone.form))
        .column("bytes", "freed", |gone| Cell::Bytes(gone.bytes))
}

fn removed_ticket(releases: &[Removed]) -> Ticket {
    let Some(first) = releases.first() else {
        return Ticket::about("Removed releases").sentence("Only a partial download was removed.");
    };
    let space = size(releases.iter().map(|gone| gone.bytes).sum());
    let (feed, day) = (first.feed, first.moment.dashed());
    let sentence = match releases.len() {
        1 => format!("The local release of {feed} for {day} was removed; {space} freed."),
        many => format!("{many} local releases of {feed} were removed; {space} freed."),
    };
    Ticket::about(&format!("Removed releases of {feed}")).sentence(&sentence)
}

/// A removed release and the space it freed.
fn removed_words(gone: &Removed) -> String {
    let (day, form) = (gone.moment.dashed(), form_of(gone.form));
    format!("{} {day} ({form}), {}", gone.feed, size(gone.bytes))
}

/// Rebuilds the index of a release and prints it.
///
/// # Errors
/// When the release is not here, its file is damaged or was not kept, or another process writes the feed.
pub(super) async fn reindex(
    feed: Feed,
    day: Option<Day>,
    wait: bool,
    run: Run<'_>,
) -> CommandResult {
    let Run { engine, console } = run;
    console.if_interrupted("the index was not changed");
    let release = run
        .during(async |report| engine.releases.reindex(feed, day, wait, report).await)
        .await?;
    let manifest = &release.manifest;
    let day = manifest.moment.dashed();
    let records = count(manifest.records.unwrap_or_default());
    let text = format!("{feed} {day}  {records} records\n{}", index_line(&release));
    let ticket = Ticket::about(&format!("Feed {feed}")).sentence(&format!(
        "The index of the local feed {feed} of {day} was rebuilt."
    ));
    let results = Results::table(reindexed_columns(), [&release], ticket).as_facts();
    console.summary(results.text(text))?;
    note_rejected(&manifest.rejected, console);
    Ok(Exit::DONE)
}

pub(super) fn reindexed_columns() -> Columns<Release> {
    Columns::<Release>::default()
        .data("feed", |release| release.manifest.feed.name())
        .column("release", "release", |release| release.manifest.moment)
        .json("day", |release| release.manifest.moment.day().to_string())
        .column("records", "records", |release| release.manifest.records)
        .data("rejected", |release| release.manifest.rejected.count)
        .with(|columns| index_columns(columns, |release| release))
}
