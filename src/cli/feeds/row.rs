//! One feed of the list: its row of the catalogue, the service's metadata, the local releases.

use std::path::PathBuf;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
        run::Run,
    },
    contract::{
        Feed, Format,
        catalog::{MmdbForm, Offer},
    },
    engine::{Engine, Error, Fetched, Inventory, Kind, Result},
    model::{FeedMetadata, Field, feed_metadata::ReleaseMetadata},
    report::{
        Cell, Columns, Fact, Results, TextCell, Ticket, behind, count, fact, instant, remainder,
        sheet, size,
    },
    store::{Moment, layout::Release, owner::OwnerMark},
};

/// Everything known about a feed.
pub(super) struct FeedRow {
    feed: Feed,
    /// The answer of the service; `None` offline.
    metadata: Option<Result<Fetched<FeedMetadata>>>,
    /// Local releases, newest first, JSON before MMDB.
    local: Vec<Release>,
    /// Local releases that cannot be used.
    unusable: Vec<String>,
    /// The directory of the local releases.
    folder: PathBuf,
    /// Why the newest local release cannot answer, form by form.
    faults: Vec<Error>,
    /// How the service's release compares with the contract's cadence, in words.
    freshness: Option<String>,
    /// Seconds since the newest local release was generated; none where none can be used.
    age_s: Option<u64>,
}

impl FeedRow {
    /// Fetches the metadata unless offline, and reads the local releases.
    async fn of(feed: Feed, engine: &Engine) -> Self {
        let metadata = if engine.settings.offline {
            None
        } else {
            Some(engine.live.feed_metadata(feed).await)
        };
        let folder = engine.releases.cache().feed_dir(feed);
        let Inventory {
            releases: local,
            mut unusable,
            faults,
            unlisted,
        } = engine.releases.inventory(feed);
        let unlisted = unlisted.iter();
        unusable.extend(unlisted.map(|error| format!("{}: {error}", folder.display())));
        let mut row = Self {
            feed,
            metadata,
            local,
            unusable,
            folder,
            faults: faults.into_iter().map(|(_, fault)| fault).collect(),
            freshness: None,
            age_s: None,
        };
        let now = engine.settings.now();
        let newest = row.newest().map(|newest| newest.manifest.generation().at);
        row.age_s = newest.map(|at| u64::try_from(now.duration_since(at).as_secs()).unwrap_or(0));
        let moment = row.moment();
        let words = |moment: Moment| behind(moment.freshness(now)).unwrap_or("current".to_owned());
        row.freshness = moment.map(words);
        row
    }

    /// Prints the releases whose day may be wrong, and the unusable ones: older ones as notes, the newest ones as errors.
    fn name_doubtful(&self, console: &Console) {
        for doubt in self
            .local
            .iter()
            .filter_map(|release| release.manifest.day_doubt())
        {
            console.note(&doubt);
        }
        let is_newest =
            |text: &String| self.faults.iter().any(|error| error.message.contains(text));
        for text in self.unusable.iter().filter(|text| !is_newest(text)) {
            console.note(&format!("unusable local release: {text}"));
        }
        for error in &self.faults {
            console.complain(None, error);
        }
    }

    /// The metadata, if it was fetched and could be read.
    fn metadata(&self) -> Option<&FeedMetadata> {
        Some(&self.fetched()?.value)
    }

    fn fetched(&self) -> Option<&Fetched<FeedMetadata>> {
        self.metadata.as_ref()?.as_ref().ok()
    }

    /// Why the metadata is missing, unless the contract does not promise it.
    fn failure(&self) -> Option<&Error> {
        let error = self.metadata.as_ref()?.as_ref().err();
        error.filter(|error| !self.is_not_offered(error))
    }

    /// The JSON release that the service has.
    fn release(&self) -> Option<&ReleaseMetadata> {
        self.metadata()?.json.is()
    }

    /// The release in words: its day or window, or why it is unknown.
    fn release_words(&self) -> String {
        match &self.metadata {
            None => "not asked".to_owned(),
            Some(Err(error)) if self.is_not_offered(error) => "not offered".to_owned(),
            Some(Err(error)) => match error.status {
                Some(status) => format!("{} ({status})", error.kind.word()),
                None => error.kind.word().to_owned(),
            },
            Some(Ok(_)) => self.moment().map_or("not named".to_owned(), Moment::dashed),
        }
    }

    /// The day or window of the service's release.
    fn moment(&self) -> Option<Moment> {
        let release = self.release()?;
        let window = release.window().map(Moment::Window);
        window.or_else(|| release.day().map(Moment::Day))
    }

    /// The newest local release, if it can be used.
    fn newest(&self) -> Option<&Release> {
        self.local.first().filter(|_| self.faults.is_empty())
    }

    /// Total bytes of the existing indexes.
    fn index_bytes(&self) -> Option<u64> {
        let lengths = self.local.iter().filter_map(Release::index_bytes);
        lengths.reduce(|sum, next| sum + next)
    }

    /// Which releases are local.
    fn local_words(&self) -> TextCell {
        let more = |more: usize, words: &str| TextCell::known(format!("{words}{more} more"));
        match (self.local.as_slice(), self.faults.is_empty()) {
            ([], true) => TextCell::unknown("-"),
            ([], false) => TextCell::known("cannot be used"),
            (all, false) => more(all.len(), "newest cannot be used, "),
            ([only], true) => TextCell::known(only.manifest.moment.dashed()),
            ([newest, rest @ ..], true) => more(
                rest.len(),
                &format!("{} and ", newest.manifest.moment.dashed()),
            ),
        }
    }

    fn is_not_offered(&self, error: &Error) -> bool {
        error.kind == Kind::NotFound && self.feed.row().metadata == Offer::Tried
    }
}

/// The columns of the list of feeds, and of the object of one.
pub(super) fn feed_columns() -> Columns<FeedRow> {
    Columns::<FeedRow>::default()
        .json("query", |row| {
            Cell::some(row.failure().map(|_| row.feed.name()))
        })
        .column("feed", "feed", |row| row.feed.name())
        .shown(|row| {
            let name = row.feed.name();
            TextCell::known(match row.feed.row().maturity.word() {
                "" => name.to_owned(),
                maturity => format!("{name} ({maturity})"),
            })
        })
        .json("base", |row| row.feed.row().base)
        .column("records", "kind", |row| row.feed.row().records.word())
        .data("maturity", |row| row.feed.row().maturity.word())
        .json("covers", |row| row.feed.row().covers)
        .json("offers", |row| offers(row.feed))
        .json("fresh", |row| row.freshness.clone())
        .json("metadata", |row| {
            Cell::document(row.fetched().map(|fetched| &fetched.document))
        })
        .json("lossy", |row| {
            Cell::lossy(row.fetched().map(|fetched| &fetched.document))
        })
        .json("local", |row| {
            let columns = release_columns();
            Cell::objects(row.local.iter().map(|release| columns.object(release)))
        })
        .json("unusable", |row| Cell::json(&row.unusable))
        .column("release", "release", |row| match row.moment() {
            Some(moment) => Cell::Release(moment),
            None => row.release_words().into(),
        })
        .but_json()
        .column("freshness", "state", |row| row.freshness.clone())
        .but_json()
        .column("filesize", "size", |row| {
            row.release()?.filesize.into_option().map(Cell::Bytes)
        })
        .but_json()
        .csv("local_releases", |row| row.local.len())
        .column("newest_local", "local", |row| {
            row.newest().map(|release| release.manifest.moment)
        })
        .but_json()
        .shown(FeedRow::local_words)
        .json("error", |row| {
            row.failure().map_or(Cell::Absent, Cell::error)
        })
        .csv("error", |row| {
            let error = row.failure().or(row.faults.first());
            error.map(|error| error.kind.word())
        })
        .column("index_bytes", "indexed", |row| {
            row.index_bytes().map(Cell::Bytes)
        })
        .but_json()
        .data("age_s", |row| row.age_s)
}

/// What a feed offers, and how firmly the contract states it.
fn offers(feed: Feed) -> Value {
    let row = feed.row();
    let word = |offer| match offer {
        Offer::Stated => "stated",
        Offer::Tried => "tried",
        Offer::No => "no",
    };
    let mmdb = match row.mmdb {
        MmdbForm::ByMetadata => "by metadata",
        MmdbForm::Latest => "latest",
        MmdbForm::No => "no",
    };
    json!({"metadata": word(row.metadata), "history": word(row.history), "mmdb": mmdb, "readme": word(row.readme)})
}

/// The columns of local releases.
pub(super) fn release_columns() -> Columns<Release> {
    Columns::<Release>::default()
        .json("day", |release| release.manifest.moment.day().to_string())
        .column("release", "release", |release| release.manifest.moment)
        .column("form", "form", |release| form_of(release.manifest.form()))
        .column("records", "records", |release| release.manifest.records)
        .column("rejected", "rejected", |release| {
            release.manifest.rejected.count
        })
        .column("bytes", "size", |release| {
            Cell::Bytes(release.manifest.bytes)
        })
        .shown(|release| {
            if release.holds_data() {
                TextCell::known(size(release.manifest.bytes))
            } else {
                TextCell::unknown("not kept")
            }
        })
        .words("index", |release| {
            match (release.index_bytes(), release.manifest.form()) {
                (None, Format::Json) => TextCell::unknown("not yet"),
                (length, _) => TextCell::or_dash(length.map(size)),
            }
        })
        .csv("day_source", |release| release.manifest.day_source.words())
        .data("pinned", |release| release.manifest.pinned)
        .column("pulled_at", "pulled", |release| release.manifest.pulled_at)
        .csv("file", file_of)
        .json("file_kept", Release::holds_data)
        .data("index_bytes", Release::index_bytes)
}

/// The columns of rows that name a release.
pub(super) fn name_columns<R: 'static>(name: fn(&R) -> (Feed, Moment)) -> Columns<R> {
    Columns::default()
        .column("feed", "feed", move |row| name(row).0.name())
        .column("release", "release", move |row| name(row).1)
        .json("day", move |row| name(row).1.day().to_string())
}

/// The file of a release, unless only its index was kept.
pub(super) fn file_of(release: &Release) -> Option<String> {
    let kept = release.holds_data();
    kept.then(|| release.data.display().to_string())
}

/// A form as the command line calls it.
pub(super) fn form_of(form: Format) -> &'static str {
    match form {
        Format::Json => "json",
        Format::Mmdb => "mmdb",
    }
}

/// Shows every feed.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn list(Run { engine, console }: Run<'_>) -> CommandResult {
    let rows = join_all(Feed::all().map(|feed| FeedRow::of(feed, engine))).await;
    let local = rows.iter().filter(|row| !row.local.is_empty()).count();
    let sentence = match local {
        0 => "No feed is local.".to_owned(),
        1 => format!("1 of {} feeds is local.", rows.len()),
        many => format!("{many} of {} feeds are local.", rows.len()),
    };
    let ticket = Ticket::about("Feeds").sentence(&sentence);
    console.show(Results::table(feed_columns(), &rows, ticket))?;
    for row in &rows {
        row.name_doubtful(console);
    }
    let cache = engine.releases.cache();
    if let OwnerMark::Names(url) = engine.releases.mark()
        && cache.service().is_some_and(|service| service != url)
        && !engine.settings.invented
    {
        let dir = cache.feeds_dir().display();
        console.note(&format!(
            "the folder feeds belongs to {url}; local releases of this service are in {dir}"
        ));
    }
    // A feed that fails has the failure in its row. When all fail there is no answer.
    let failures: Vec<&Error> = rows.iter().filter_map(FeedRow::failure).collect();
    let mut tally = ExitTally::default();
    if failures.len() == rows.len() {
        console.complain(None, failures[0]);
        for error in failures {
            tally.failed(error.kind);
        }
    }
    let fault = rows.iter().flat_map(|row| &row.faults).next();
    Ok(tally.exit().or_of(fault))
}

/// Shows one feed: its row in the catalogue, its metadata, its local releases.
///
/// # Errors
/// A failure to write to standard output.
pub(super) async fn info(feed: Feed, Run { engine, console }: Run<'_>) -> CommandResult {
    let row = FeedRow::of(feed, engine).await;
    let (columns, facts, latest) = (release_columns(), facts(&row), row.release_words());
    let heading = format!("{feed} {}", feed.row().maturity.word());
    let table = if row.local.is_empty() {
        format!("no local release: ipspect feeds pull {feed}\n")
    } else {
        columns.table(&row.local, console.style())
    };
    let text = sheet(heading.trim_end(), &facts, console.style()) + "\n" + &table;
    let local = match row.local.len() {
        0 => "none is local".to_owned(),
        1 => "1 release is local".to_owned(),
        many => format!("{many} releases are local"),
    };
    let ticket = Ticket::about(&format!("Feed {feed}")).sentence(&format!(
        "Latest release of the feed {feed} at the service: {latest}; {local}."
    ));
    let results = Results::table(columns, &row.local, ticket.list(&facts)).with_heads();
    console.show(results.text(text).json(&feed_columns().object(&row)))?;
    row.name_doubtful(console);
    let Some(error) = row.failure() else {
        return Ok(Exit::DONE.or_of(row.faults.first()));
    };
    console.complain(Some(feed.name()), error);
    Ok(Exit::of(error.kind))
}

fn facts(row: &FeedRow) -> Vec<Fact> {
    let catalog = row.feed.row();
    let mut facts = vec![
        fact("covers", TextCell::known(catalog.covers)),
        fact("records", TextCell::known(catalog.records.word())),
        fact("path", TextCell::known(catalog.base)),
        fact("latest", TextCell::known(row.release_words())),
        fact("age", TextCell::or_dash(row.freshness.as_ref())),
        fact("folder", TextCell::known(row.folder.display().to_string())),
    ];
    let Some(metadata) = row.metadata() else {
        return facts;
    };
    for (form, release) in [("json", &metadata.json), ("mmdb", &metadata.mmdb)] {
        match release {
            Field::Is(release) => facts.extend(of_release(form, release)),
            other => facts.push(fact(form, TextCell::of(other, |_| ""))),
        }
    }
    if metadata.mmdb_lags() {
        let lags = "the MMDB of this release is still being built";
        facts.push(fact("note", TextCell::known(lags)));
    }
    facts.extend(remainder(&metadata.unknown, &metadata.odd));
    facts
}

fn of_release(form: &str, release: &ReleaseMetadata) -> Vec<Fact> {
    let own = |label: &str, cell| fact(format!("{form} {label}"), cell);
    let at = |field: &Field<jiff::Timestamp>| TextCell::of(field, |at| instant(*at));
    let filesize = |number: &u64| {
        let (digits, bytes) = (count(*number), size(*number));
        format!("{digits} ({bytes} if that is bytes: the unit is not stated)")
    };
    let mut facts = vec![
        own("location", TextCell::text(&release.location)),
        own("made", at(&release.generated_at)),
        own("available", at(&release.available_at)),
        own("size", TextCell::of(&release.filesize, filesize)),
    ];
    let lines = release.line_count();
    facts.extend(lines.map(|lines| own("lines", TextCell::known(count(lines)))));
    facts
}
