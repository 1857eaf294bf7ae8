//! Days of feeds in a `ClickHouse` of the profile: loaded from local releases, asked with the same filters, answered by the same code.
//!
//! A *load* is one release of a feed in the warehouse. It is posted in parts, and its row is written last: before that nothing reads its
//! records. What is asked of a day comes back as records, which become an index of their own for as long as they are looked at; so
//! the code that searches, looks up and compares is that of local releases. A day without a load is unknown: nothing is concluded from
//! it.
//!
//! Nothing is sent unless the profile names a warehouse and somebody asks for it.

mod about;
mod connection;
mod load;
mod loads;
mod refusal;
mod row_reader;
mod search;
mod slice;
mod statement;
mod window;

use std::{
    collections::{BTreeSet, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use self::{
    connection::Connection,
    statement::{COMMENT, WarehouseStatement},
};
pub use self::{
    load::{LoadOutcome, LoadedBefore},
    loads::{Load, Loads, UnreadableLoad, not_loaded},
    search::{LoadedRecords, RecordOrder, WantedValues},
    window::{LoadedMatching, Matching},
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
    store::Filter,
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
    /// What several loads have about one address.
    ahead: Arc<Mutex<ReadAhead>>,
    /// The loads as they were a while ago.
    recent: Arc<Mutex<RecentLoads>>,
    /// The windows that were opened last.
    windows: Arc<Mutex<Vec<Window>>>,
}

/// Loads, and when they were asked for.
type RecentLoads = Option<(Instant, Loads)>;

/// The lengths of networks, of IPv4 and of IPv6.
type PrefixLengths = [BTreeSet<u8>; Family::ALL.len()];

/// What loads have about an address, by their names; the address that was asked about last.
type ReadAhead = (Option<IpAddr>, HashMap<String, Vec<(Day, Vec<u8>)>>);

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
    pub loads: Loads,
}

impl Warehouse {
    pub(super) fn new(settings: Arc<Settings>, notices: Arc<Notices>, releases: Releases) -> Self {
        Self {
            connection: Connection::new(&settings, &notices),
            settings,
            notices,
            releases,
            lengths: Arc::default(),
            ahead: Arc::default(),
            recent: Arc::default(),
            windows: Arc::default(),
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
        let warehouse = Self {
            connection: self.connection.impatient(),
            ..self.clone()
        };
        warehouse.state_at_once().await
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
            (None, Loads::default())
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
    /// What the warehouse refuses.
    pub async fn loads(&self) -> Result<Loads> {
        let rows = self.connection.rows(&statement::loads(), 8).await?;
        let loads = Loads::of(&rows);
        *lock(&self.recent) = Some((Instant::now(), loads.clone()));
        Ok(loads)
    }

    /// The same as they were a minute ago at most, for whoever asks often: what is read of one is checked afterwards.
    pub(super) async fn recent_loads(&self) -> Result<Loads> {
        match self.known_loads() {
            Some(loads) => Ok(loads),
            None => self.loads().await,
        }
    }

    /// The same as far as they are known without a question.
    pub(super) fn known_loads(&self) -> Option<Loads> {
        const RECENT: Duration = Duration::from_mins(1);
        let known = lock(&self.recent);
        let known = known.as_ref().filter(|(at, _)| at.elapsed() < RECENT);
        known.map(|(_, loads)| loads.clone())
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
        let holds = |load: &Load| rows.iter().any(|row| row.get(1) == Some(&load.name));
        if let Some(load) = loads.iter().find(|load| !holds(load)) {
            *lock(&self.recent) = None;
            let (feed, day) = (load.feed, load.day.dashed());
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
