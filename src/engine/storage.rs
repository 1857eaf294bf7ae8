//! Where the days of feeds are, chosen once: on this disk, in the warehouse, or on this disk and beyond it in the warehouse.
//!
//! Whoever asks says which feeds and which day, and gets the days that are there and, for each other feed, why its day is not. A loaded
//! day holds no records here until it is asked about something, so none of its records can be taken for missing before that.

mod missing;

pub use self::missing::{Missing, MissingWhy, UnusableFeed};
use std::{net::IpAddr, ops::RangeInclusive};

use super::{
    error::{Error, Kind, Result},
    releases::{DiffDays, Family, OpenRelease, Releases, not_here},
    threads::off_thread,
    warehouse::{Load, Matching, Warehouse, not_loaded},
};
use crate::{
    contract::Feed,
    model::{Day, Subject},
    store::{Filter, Index, ReleasePlace, index::Order, layout::Release},
};

/// Where the days of feeds are that answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DayPlace {
    /// On this disk.
    #[default]
    Disk,
    /// In the warehouse of the profile.
    Warehouse,
    /// On this disk; a past day that is not there, in the warehouse, if the profile names one.
    DiskThenWarehouse,
}

impl DayPlace {
    /// Where a day is looked for first.
    fn first(self) -> ReleasePlace {
        match self {
            Self::Disk | Self::DiskThenWarehouse => ReleasePlace::Local,
            Self::Warehouse => ReleasePlace::Warehouse,
        }
    }

    /// Where a day is looked for last.
    #[must_use]
    pub fn last(self) -> ReleasePlace {
        match self {
            Self::Disk => ReleasePlace::Local,
            Self::Warehouse | Self::DiskThenWarehouse => ReleasePlace::Warehouse,
        }
    }
}

/// Which feeds to ask, and of which day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// One feed only; else all that hold addresses or networks.
    pub feed: Option<Feed>,
    /// This day; else the newest of each feed.
    pub day: Option<Day>,
}

/// The days of feeds at one place.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Works on what is open.
    pub(super) releases: Releases,
    warehouse: Warehouse,
    place: DayPlace,
    /// Why the warehouse is not asked any more.
    refused: Option<Error>,
}

/// A day of a feed that can be asked.
#[derive(Clone, Debug)]
pub struct OpenDay {
    pub release: Release,
    records: DayRecords,
}

#[derive(Clone, Debug)]
enum DayRecords {
    Here(Index),
    There(Box<Load>),
}

impl From<OpenRelease> for OpenDay {
    fn from(opened: OpenRelease) -> Self {
        Self {
            release: opened.release,
            records: DayRecords::Here(opened.index),
        }
    }
}

impl From<&Load> for OpenDay {
    fn from(load: &Load) -> Self {
        Self {
            release: load.release(),
            records: DayRecords::There(Box::new(load.clone())),
        }
    }
}

impl OpenDay {
    /// These days, if all of their records are on this disk.
    #[must_use]
    pub fn all_here(days: &[Self]) -> Option<Vec<OpenRelease>> {
        days.iter().map(Self::here).collect()
    }

    /// The same with its records, where they are on this disk.
    fn here(&self) -> Option<OpenRelease> {
        match &self.records {
            DayRecords::Here(index) => Some(self.on_disk(index)),
            DayRecords::There(_) => None,
        }
    }

    fn on_disk(&self, index: &Index) -> OpenRelease {
        OpenRelease {
            release: self.release.clone(),
            index: index.clone(),
        }
    }
}

/// The days of some feeds that are there.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// Those that answer, in the catalogue's order.
    pub days: Vec<OpenDay>,
    /// The feeds whose day is there and cannot answer. Whoever shows the answers of the others must name these, and end with the code of
    /// their kind.
    pub unusable: Vec<UnusableFeed>,
}

impl Opened {
    /// The feeds whose day is there, whether or not it can answer.
    #[must_use]
    pub fn feeds(&self) -> Vec<Feed> {
        let days = self.days.iter().map(|day| day.release.manifest.feed);
        let unusable = self.unusable.iter().map(|feed| feed.feed);
        let here: Vec<Feed> = days.chain(unusable).collect();
        Feed::all().filter(|feed| here.contains(feed)).collect()
    }

    /// Whether the day of a feed answers.
    #[must_use]
    pub fn has(&self, feed: Feed) -> bool {
        let mut days = self.days.iter();
        days.any(|day| day.release.manifest.feed == feed)
    }

    fn add(&mut self, other: Self) {
        self.days.extend(other.days);
        self.unusable.extend(other.unusable);
        let place = |feed: Feed| Feed::all().position(|other| other == feed);
        self.days
            .sort_by_key(|day| place(day.release.manifest.feed));
    }
}

impl Storage {
    pub(super) fn new(releases: Releases, warehouse: Warehouse) -> Self {
        Self {
            releases,
            warehouse,
            place: DayPlace::Disk,
            refused: None,
        }
    }

    /// The same at this place.
    #[must_use]
    pub(super) fn at(mut self, place: DayPlace) -> Self {
        self.place = place;
        self
    }

    /// The same that does not ask the warehouse beyond this disk any more, for this reason.
    #[must_use]
    pub(super) fn without_warehouse(mut self, why: Error) -> Self {
        self.refused = Some(why);
        self
    }

    /// Opens a day, else the newest, of each of these feeds. Of several feeds those that can be read answer.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]; where only the warehouse is asked, what it refuses.
    pub async fn open(
        &self,
        feeds: impl IntoIterator<Item = Feed>,
        day: Option<Day>,
    ) -> Result<Opened> {
        let feeds = feeds.into_iter().collect();
        self.open_if(feeds, day, |kind| kind == Kind::Interrupted)
            .await
    }

    /// Opens what a pick names, as far as it is there. Of several feeds those that can be read answer.
    ///
    /// # Errors
    /// As [`Releases::open_local`], but for a day that is not there, and of several feeds for one that is damaged.
    pub async fn open_picked(&self, pick: &Pick) -> Result<Opened> {
        let Pick { feed, day } = *pick;
        let feeds = match feed {
            Some(feed) => vec![feed],
            None => Feed::of_subjects().collect(),
        };
        self.open_if(feeds, day, |kind| kind != Kind::Integrity || feed.is_some())
            .await
    }

    /// What [`Storage::open_picked`] opens, of which there must be some that can answer.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where nothing is there, with how to get it; the first of those that cannot answer where no other can; as
    /// [`Storage::open_picked`].
    pub async fn open_some(&self, pick: &Pick) -> Result<Opened> {
        let opened = self.open_picked(pick).await?;
        if !opened.days.is_empty() {
            return Ok(opened);
        }
        let mut unusable = opened.unusable.into_iter();
        Err(match (unusable.next(), self.place) {
            (Some(feed), _) => feed.why,
            (None, DayPlace::Warehouse) => nothing_loaded(*pick),
            (None, DayPlace::Disk | DayPlace::DiskThenWarehouse) => nothing_local(*pick),
        })
    }

    /// Opens the days that are there. An error of this kind about a day on this disk ends it.
    async fn open_if(
        &self,
        feeds: Vec<Feed>,
        day: Option<Day>,
        is_fatal: impl Fn(Kind) -> bool,
    ) -> Result<Opened> {
        let (mut opened, mut missing) = (Opened::default(), Vec::new());
        for feed in feeds {
            if self.place == DayPlace::Warehouse {
                missing.push(feed);
                continue;
            }
            match self.releases.open_local(feed, day).await {
                Ok(release) => opened.days.push(release.into()),
                Err(error) if error.kind == Kind::NotFound => missing.push(feed),
                Err(error) if is_fatal(error.kind) => return Err(error),
                Err(why) => opened.unusable.push(UnusableFeed { feed, why }),
            }
        }
        opened.add(self.beyond(&missing, day).await?);
        Ok(opened)
    }

    /// Whether days that are not on this disk are looked for in the warehouse.
    fn is_beyond(&self, day: Option<Day>) -> bool {
        match self.place {
            DayPlace::Disk => false,
            DayPlace::Warehouse => true,
            // The newest is what was pulled last.
            DayPlace::DiskThenWarehouse => day.is_some() && self.warehouse.is_at_hand(),
        }
    }

    /// The loads of a day, else the newest ones, of feeds that are not on this disk.
    async fn beyond(&self, feeds: &[Feed], day: Option<Day>) -> Result<Opened> {
        let mut opened = Opened::default();
        if feeds.is_empty() || !self.is_beyond(day) {
            return Ok(opened);
        }
        let loads = match &self.refused {
            Some(why) => Err(why.clone()),
            None => self.warehouse.recent_loads().await,
        };
        let loads = match loads {
            Ok(loads) => loads,
            // What is on this disk answers all the same.
            Err(why) if self.place == DayPlace::DiskThenWarehouse => {
                opened.unusable = self.unread_beyond(feeds, day, &why);
                return Ok(opened);
            }
            Err(why) => return Err(why),
        };
        for feed in feeds.iter().copied() {
            match loads.pick(feed, day) {
                Ok(load) => opened.days.push(load.into()),
                Err(why) if why.kind == Kind::NotFound => {}
                Err(why) => opened.unusable.push(UnusableFeed { feed, why }),
            }
        }
        Ok(opened)
    }

    /// The feeds whose day may be in the warehouse, which does not answer for this reason.
    fn unread_beyond(&self, feeds: &[Feed], day: Option<Day>, why: &Error) -> Vec<UnusableFeed> {
        let loads = self.warehouse.known_loads();
        let may_be_there = |feed: &Feed| {
            let found = loads.as_ref().map(|loads| loads.pick(*feed, day));
            !matches!(found, Some(Err(why)) if why.kind == Kind::NotFound)
        };
        let why = || why.clone();
        let unread = feeds.iter().copied().filter(may_be_there);
        unread
            .map(|feed| UnusableFeed { feed, why: why() })
            .collect()
    }

    /// The records of a day about these addresses and networks, with those that cover them and those within the networks; all records of
    /// a day on this disk.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn about(&self, day: &OpenDay, subjects: &[Subject]) -> Result<OpenRelease> {
        match &day.records {
            DayRecords::There(load) => Box::pin(self.warehouse.open_about(load, subjects)).await,
            DayRecords::Here(index) => Ok(day.on_disk(index)),
        }
    }

    /// The same of several days.
    ///
    /// # Errors
    /// As [`Storage::about`].
    pub async fn all_about(
        &self,
        days: &[OpenDay],
        subjects: impl IntoIterator<Item = Subject>,
    ) -> Result<Vec<OpenRelease>> {
        let subjects: Vec<Subject> = subjects.into_iter().collect();
        let mut all = Vec::with_capacity(days.len());
        for day in days {
            all.push(self.about(day, &subjects).await?);
        }
        Ok(all)
    }

    /// Whether one of these days has a record about an address or network of this family.
    ///
    /// # Errors
    /// As [`Releases::with_local`]; what the warehouse refuses.
    pub async fn hold_family(&self, days: &[&OpenDay], family: Family) -> Result<bool> {
        for day in days {
            let holds = match &day.records {
                DayRecords::There(load) => self.warehouse.holds_family(load, family).await?,
                DayRecords::Here(index) => {
                    let opened = day.on_disk(index);
                    self.releases.holds_family(&opened, family).await?
                }
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Why nothing is known of the day of a feed that was asked for and is not among these.
    #[must_use]
    pub fn missing(&self, opened: &Opened, feed: Feed, day: Option<Day>) -> Missing {
        let why = opened
            .unusable
            .iter()
            .find(|unusable_feed| unusable_feed.feed == feed);
        let why = match why {
            Some(feed) => MissingWhy::of(feed.why.kind),
            None => MissingWhy::NotAt(self.place.first()),
        };
        Missing { feed, day, why }
    }

    /// The days of these feeds that are there, readable or not; and why it is not known which are beyond this disk.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub async fn days_of(&self, feeds: &[Feed]) -> Result<(Vec<(Feed, Day)>, Option<Error>)> {
        let (releases, asked) = (self.releases.clone(), feeds.to_owned());
        let mut days = off_thread(move || {
            let mut days = Vec::new();
            for feed in asked {
                let moments = releases.moments(feed)?.into_iter();
                days.extend(moments.map(|moment| (feed, moment.day())));
            }
            Ok(days)
        })
        .await?;
        let loads = match self.place {
            DayPlace::Disk => return Ok((days, None)),
            DayPlace::Warehouse | DayPlace::DiskThenWarehouse => self.warehouse.loads().await,
        };
        let loads = match loads {
            Ok(loads) => loads,
            Err(why) => return Ok((days, Some(why))),
        };
        let unreadable = loads.unreadable().iter();
        days.extend(unreadable.filter_map(|load| Some((load.feed, load.day?))));
        days.extend(loads.readable().map(|load| (load.feed, load.day)));
        days.retain(|(feed, _)| feeds.contains(feed));
        Ok((days, None))
    }

    /// The feeds of which something is there that may answer about a day: the others are not missed.
    ///
    /// # Errors
    /// As [`Storage::open_picked`].
    pub async fn feeds_about(&self, day: Day) -> Result<Vec<Feed>> {
        let newest = self.open_picked(&Pick::default()).await;
        let mut feeds = newest?.feeds();
        let missing: Vec<Feed> = Feed::of_subjects()
            .filter(|feed| !feeds.contains(feed))
            .collect();
        feeds.extend(self.beyond(&missing, Some(day)).await?.feeds());
        Ok(feeds)
    }

    /// Reads what is known of an address on these days beyond this disk, in one question a feed: for whoever asks day by day.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn read_ahead(
        &self,
        feeds: &[Feed],
        days: RangeInclusive<Day>,
        address: IpAddr,
    ) -> Result<()> {
        if self.refused.is_some() || !self.is_beyond(Some(*days.end())) {
            return Ok(());
        }
        let loads = self.warehouse.recent_loads().await?;
        for feed in feeds {
            let local = match self.place {
                DayPlace::Warehouse => Vec::new(),
                _ => self.releases.moments(*feed)?,
            };
            let is_here = |day: Day| local.iter().any(|moment| moment.day() == day);
            let loads = loads.readable().filter(|load| load.feed == *feed);
            let loads = loads.filter(|load| days.contains(&load.day) && !is_here(load.day));
            let loads: Vec<Load> = loads.cloned().collect();
            if !loads.is_empty() {
                self.warehouse.read_ahead(&loads, address).await?;
            }
        }
        Ok(())
    }

    /// Finds the newest day of a feed, if it has one.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn newest_days(&self) -> Result<impl Fn(Feed) -> Result<Option<Day>>> {
        let loads = match self.place {
            DayPlace::Warehouse => Some(self.warehouse.loads().await?),
            DayPlace::Disk | DayPlace::DiskThenWarehouse => None,
        };
        Ok(move |feed| match &loads {
            Some(loads) => Ok(loads.newest(feed, |_| true)?.map(|load| load.day)),
            None => self.releases.latest_day(feed),
        })
    }

    /// Opens two days of a feed: those that are named, else the newest one and the one before it. Of loaded days the records that differ
    /// and match are here.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where one is not there, with how to get it; what the warehouse refuses.
    pub async fn open_two(
        &self,
        feed: Feed,
        [from, to]: [Option<Day>; 2],
        filter: &Filter,
    ) -> Result<DiffDays> {
        let local = match self.place {
            DayPlace::Warehouse => Err(not_loaded(feed, to)),
            _ => self.releases.open_days(feed, from, to).await,
        };
        match local {
            Err(error) if error.kind == Kind::NotFound && self.is_beyond(to) => {
                let loaded = self.warehouse.open_days(feed, [from, to], filter).await;
                loaded.map_err(|beyond| self.either(error, beyond))
            }
            local => local,
        }
    }

    /// Opens the records of a day, else of the newest, that match a filter: all of them, or of a loaded day no more than fit, the first in
    /// an order. Returns how many match where these are not all.
    ///
    /// # Errors
    /// As [`Storage::open_two`].
    pub(super) async fn open_window(
        &self,
        (feed, day): (Feed, Option<Day>),
        filter: &Filter,
        order: Order,
    ) -> Result<(OpenRelease, Option<u64>)> {
        let there = |day| self.warehouse.open_window(feed, day, filter, order);
        self.one((feed, day), |opened| (opened, None), there).await
    }

    /// Opens all records of a day, else of the newest, that match a filter, unless it is a loaded day that has too many of them.
    ///
    /// # Errors
    /// As [`Storage::open_two`].
    pub(super) async fn open_all(
        &self,
        (feed, day): (Feed, Option<Day>),
        filter: &Filter,
    ) -> Result<Matching> {
        let there = |day| self.warehouse.open_all(feed, day, filter);
        let here = |opened| Matching::Here(Box::new(opened));
        self.one((feed, day), here, there).await
    }

    /// Opens a day, else the newest, on this disk; where a day is not here, in the warehouse if that is asked.
    async fn one<T, F: Future<Output = Result<T>>>(
        &self,
        (feed, day): (Feed, Option<Day>),
        here: impl FnOnce(OpenRelease) -> T,
        there: impl FnOnce(Day) -> F,
    ) -> Result<T> {
        match (self.releases.open_local(feed, day).await, day) {
            (Err(why), Some(own)) if why.kind == Kind::NotFound && self.is_beyond(day) => {
                let found = there(own).await;
                found.map_err(|beyond| self.either(why, beyond))
            }
            (local, _) => Ok(here(local?)),
        }
    }

    /// Where neither place has a day, the error of this disk says how to get it.
    fn either(&self, local: Error, beyond: Error) -> Error {
        match (self.place, beyond.kind) {
            (DayPlace::DiskThenWarehouse, Kind::NotFound) => local,
            _ => beyond,
        }
    }
}

fn nothing_local(pick: Pick) -> Error {
    let (message, hint) = match (pick.feed, pick.day.map(Day::dashed)) {
        (Some(feed), _) => return not_here(feed, pick.day),
        (None, Some(day)) => (
            format!("no local feed has a release of {day}"),
            format!(
                "`ipspect feeds --offline` lists local releases; `ipspect feeds pull anonymous --date {day}` downloads one"
            ),
        ),
        (None, None) => (
            "no feed is downloaded".to_owned(),
            "`ipspect feeds pull anonymous` downloads one; `ipspect feeds` lists them".to_owned(),
        ),
    };
    Error::new(Kind::NotFound, message).hint(hint)
}

fn nothing_loaded(pick: Pick) -> Error {
    if let Some(feed) = pick.feed {
        return not_loaded(feed, pick.day);
    }
    let of = pick
        .day
        .map_or_else(String::new, |day| format!(" of {}", day.dashed()));
    let message = format!("no feed{of} is loaded in the warehouse");
    Error::new(Kind::NotFound, message).hint("`ipspect warehouse days` lists what is there")
}
