//! Days of feeds in a `ClickHouse` of the profile: loaded from local releases, asked with the same filters, answered by the same code.
//!
//! A *load* is one release of a feed in the warehouse. It is posted in parts, and its row is written last: before that nothing reads its
//! records. What is asked of a day comes back as records, which become an index of their own for as long as they are looked at; so
//! the code that searches, looks up and compares is that of local releases. A day without a load is unknown: nothing is concluded from
//! it.
//!
//! Nothing is sent unless the profile names a warehouse and somebody asks for it.

mod connection;
mod load;
mod refusal;
mod row_reader;
mod search;
mod slice;
mod statement;
mod window;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::sync::OnceCell;

use self::{
    connection::Connection,
    statement::{COMMENT, SCHEMA, WarehouseStatement},
};
pub use self::{
    load::{LoadOutcome, LoadedBefore},
    search::{LoadedRecords, RecordOrder, WantedValues},
};
use super::{
    Family, Notices, OpenRelease, Releases,
    error::{Error, Kind, Result},
    settings::Settings,
    threads::lock,
};
use crate::{
    contract::Feed,
    model::{Day, visible},
    store::{Filter, Index, Manifest, Moment, layout::Release},
};

/// The warehouse of the profile.
#[derive(Clone, Debug)]
pub struct Warehouse {
    settings: Arc<Settings>,
    notices: Arc<Notices>,
    releases: Releases,
    connection: Connection,
    /// The lengths of the networks of loads that were asked about.
    lengths: Arc<Mutex<HashMap<String, PrefixLengths>>>,
    /// The loads as they were a while ago.
    recent: Arc<Mutex<RecentLoads>>,
    /// The windows that were opened last.
    windows: Arc<Mutex<Vec<Window>>>,
    /// An index without records.
    empty: Arc<OnceCell<Index>>,
}

/// Loads, and when they were asked for.
type RecentLoads = Option<(Instant, Vec<Load>)>;

/// The lengths of networks, of IPv4 and of IPv6.
type PrefixLengths = [Vec<u8>; Family::ALL.len()];

/// A day of a feed that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub feed: Feed,
    pub day: Day,
    /// Its name, which begins with the time at which it began.
    pub name: String,
    /// The release that it was made from.
    pub moment: Moment,
    pub records: u64,
    /// SHA-256 of the feed file.
    pub hash: String,
    /// The manifest of the release at that time.
    pub manifest: Manifest,
}

impl Load {
    /// The load that a release is of; `None` for one on this disk.
    #[must_use]
    pub fn of_release(release: &Release) -> Option<Self> {
        let manifest = &release.manifest;
        Some(Self {
            feed: manifest.feed,
            day: manifest.moment.day(),
            name: manifest.loaded.clone()?,
            moment: manifest.moment,
            records: manifest.records.unwrap_or_default(),
            hash: manifest.sha256.clone(),
            manifest: manifest.clone(),
        })
    }
}

/// The records of a load that match a filter, or as many of the first ones as a window holds.
#[derive(Clone, Debug)]
struct Window {
    opened: OpenRelease,
    filter: Filter,
    /// The columns by which its records are the first.
    order: &'static str,
    /// How many records match; more than there are in it where it is not all of them.
    count: u64,
}

/// What a warehouse says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarehouseState {
    /// Its URL and database.
    pub place: String,
    pub version: String,
    pub user: String,
    /// Whether the tables are there.
    pub has_tables: bool,
    /// Whether the user may load and drop; `None` where that is unknown.
    pub may_load: Option<bool>,
    pub loads: Vec<Load>,
}

impl Warehouse {
    pub(super) fn new(settings: Arc<Settings>, notices: Arc<Notices>, releases: Releases) -> Self {
        Self {
            connection: Connection::new(&settings),
            settings,
            notices,
            releases,
            lengths: Arc::default(),
            recent: Arc::default(),
            windows: Arc::default(),
            empty: Arc::default(),
        }
    }

    /// Whether the profile names one.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        self.connection.is_configured()
    }

    /// Whether the profile names one and it may be asked.
    #[must_use]
    pub fn is_at_hand(&self) -> bool {
        self.is_configured() && !self.settings.offline
    }

    /// Its URL and database, for messages.
    ///
    /// # Errors
    /// [`Kind::Usage`] where the profile names none.
    pub fn place(&self) -> Result<String> {
        self.connection.place()
    }

    /// Creates the tables where they do not exist. Returns whether they did.
    ///
    /// # Errors
    /// What the warehouse refuses; tables of another version.
    pub async fn init(&self) -> Result<bool> {
        let had = self.has_tables().await?;
        if !had {
            for statement in statement::create() {
                self.run(&statement).await?;
            }
            if !self.has_tables().await? {
                return Err(refusal::other_schema(
                    "the tables of the warehouse were not created",
                ));
            }
        }
        Ok(had)
    }

    /// Asks for all that `doctor` says of it.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn state(&self) -> Result<WarehouseState> {
        // It answers at once, or something is wrong.
        let own = Self {
            connection: self.connection.impatient(),
            ..self.clone()
        };
        own.state_at_once().await
    }

    async fn state_at_once(&self) -> Result<WarehouseState> {
        let place = self.place()?;
        let mut rows = self.connection.ask(&statement::version(), 2).await?;
        let row = rows.next().await?.ok_or_else(refusal::no_answer)?;
        let text = |at: usize| {
            let bytes = row.get(at).map_or(&[][..], Vec::as_slice);
            String::from_utf8_lossy(bytes).into_owned()
        };
        let has_tables = self.has_tables().await?;
        let (may_load, loads) = if has_tables {
            (self.may_load().await, self.loads().await?)
        } else {
            (None, Vec::new())
        };
        Ok(WarehouseState {
            place,
            version: text(0),
            user: text(1),
            has_tables,
            may_load,
            loads,
        })
    }

    /// The days that are loaded, by feed and day.
    ///
    /// # Errors
    /// What the warehouse refuses; loads of another version.
    pub async fn loads(&self) -> Result<Vec<Load>> {
        let rows = self.connection.rows(&statement::loads(), 8).await?;
        let mut loads = BTreeMap::new();
        for row in rows {
            // Sorted by name: of several the last one holds.
            match read_load(&row) {
                Ok(Some(load)) => drop(loads.insert((load.feed.name(), load.day), load)),
                Ok(None) => {}
                // The other days are read all the same.
                Err(error) => self.notices.trouble(error),
            }
        }
        Ok(loads.into_values().collect())
    }

    /// The same as they were a minute ago at most, for whoever asks often: what is read of one is checked afterwards.
    pub(super) async fn recent_loads(&self) -> Result<Vec<Load>> {
        const RECENT: Duration = Duration::from_mins(1);
        let known = lock(&self.recent).clone();
        if let Some((at, loads)) = known
            && at.elapsed() < RECENT
        {
            return Ok(loads);
        }
        let loads = self.loads().await?;
        *lock(&self.recent) = Some((Instant::now(), loads.clone()));
        Ok(loads)
    }

    /// Refuses what was read of these loads where one of them does not hold any more: its records may have been removed meanwhile.
    ///
    /// # Errors
    /// [`Kind::Integrity`]; what the warehouse refuses.
    pub async fn still_holds(&self, loads: &[Load]) -> Result<()> {
        // They are of one feed.
        let Some(first) = loads.first() else {
            return Ok(());
        };
        let rows = self
            .connection
            .rows(&statement::holding(first.feed), 2)
            .await?;
        let holds = |own: &Load| rows.iter().any(|row| row.get(1) == Some(&own.name));
        if let Some(own) = loads.iter().find(|own| !holds(own)) {
            *lock(&self.recent) = None;
            let (feed, day) = (own.feed, own.day.dashed());
            let message =
                format!("{feed} {day} was replaced or dropped in the warehouse while it was read");
            return Err(Error::new(Kind::Integrity, message).hint("run it again"));
        }
        Ok(())
    }

    /// Removes the loads of these days, with their records, whatever version they are of. Returns them: day and number of records.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn drop_days(
        &self,
        feed: Feed,
        is_one: impl Fn(Day) -> bool,
    ) -> Result<Vec<(Day, u64)>> {
        let mut dropped = Vec::new();
        for row in self.connection.rows(&statement::names(), 4).await? {
            let [own, day, load, records] = row.as_slice() else {
                continue;
            };
            let Some(day) = Day::from_dashed(day).filter(|day| own == feed.name() && is_one(*day))
            else {
                continue;
            };
            let records = records.parse();
            let records = records.map_err(|_| {
                refusal::other_schema("a load of the warehouse has no readable count")
            })?;
            // Without its row it is not there, whatever becomes of the records. A load that began later is not touched.
            for table in ["ipspect_loads", "ipspect_records"] {
                let statement = statement::delete_up_to(table, feed, day, load, true);
                self.run(&statement).await?;
            }
            dropped.push((day, records));
        }
        dropped.sort_unstable();
        Ok(dropped)
    }

    async fn run(&self, statement: &WarehouseStatement) -> Result<()> {
        self.connection.run(statement).await.map(drop)
    }

    /// Whether the user may load and drop; `None` where the server does not say, or only a right is missing that newer versions do not need.
    async fn may_load(&self) -> Option<bool> {
        let mut may = Some(true);
        for (statement, is_needed) in statement::rights() {
            let said = self.connection.run(&statement).await;
            match said.ok()?.trim_ascii() {
                b"1" => {}
                b"0" if is_needed => return Some(false),
                // A right that newer versions do not need.
                b"0" => may = None,
                _ => return None,
            }
        }
        may
    }

    /// Whether both tables are there and of this version.
    async fn has_tables(&self) -> Result<bool> {
        let tables = self.connection.rows(&statement::tables(), 2).await?;
        let odd = tables.iter().find_map(|row| match row.as_slice() {
            [name, comment] if comment != COMMENT => Some((name, comment)),
            _ => None,
        });
        if let Some((name, comment)) = odd {
            let message = format!(
                "the table {name} of the warehouse is of another version: {:?} in place of {COMMENT:?}",
                visible(comment)
            );
            return Err(refusal::other_schema(&message));
        }
        Ok(tables.len() == 2)
    }
}

/// A row of `ipspect_loads`; `None` for a feed that this program does not know.
fn read_load(row: &[String]) -> Result<Option<Load>> {
    let of = row
        .iter()
        .take(2)
        .map(|own| visible(own))
        .collect::<Vec<_>>()
        .join(" ");
    let odd = |what: &str| {
        let message = format!("the load of {of} in the warehouse has {what}, so it is not read");
        Err(refusal::other_schema(&message))
    };
    let [feed, day, name, release, records, hash, manifest, schema] = row else {
        return odd("other columns");
    };
    let Ok(feed) = feed.parse() else {
        return Ok(None);
    };
    if *schema != SCHEMA.to_string() {
        return odd(&format!(
            "the schema {schema}, and this program reads {SCHEMA}"
        ));
    }
    let (Some(day), Some(moment), Ok(records)) = (
        Day::from_dashed(day),
        Moment::parse(release),
        records.parse(),
    ) else {
        return odd("no readable day, release or count");
    };
    let manifest = match Manifest::read(manifest.as_bytes()) {
        Ok(manifest) if manifest.feed == feed && manifest.moment == moment => manifest,
        Ok(_) => return odd("the manifest of another release"),
        Err(why) => return odd(&format!("a manifest that is {why}")),
    };
    Ok(Some(Load {
        feed,
        day,
        name: name.clone(),
        moment,
        records,
        hash: hash.clone(),
        manifest,
    }))
}

/// Nothing is known of a day that is not loaded.
#[must_use]
pub fn not_loaded(feed: Feed, day: Option<Day>) -> Error {
    let message = match day {
        Some(day) => format!("{feed} of {} is not loaded in the warehouse", day.dashed()),
        None => format!("no day of {feed} is loaded in the warehouse"),
    };
    let day = day.map_or_else(String::new, |day| format!(" --day {}", day.dashed()));
    Error::new(Kind::NotFound, message).hint(format!(
        "`ipspect warehouse load {feed}{day}` loads it; `ipspect warehouse days` lists what is there"
    ))
}
