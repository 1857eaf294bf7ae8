//! The days that are loaded: a row of `ipspect_loads` each. One that cannot be read is an error of its day, and no other day answers in
//! its place.

use std::collections::BTreeMap;

use super::{refusal, statement::SCHEMA};
use crate::{
    contract::Feed,
    engine::error::{Error, Kind, Result},
    model::{Day, visible},
    store::{Manifest, Moment, layout::Release},
};

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
    /// The load from which a release was opened; `None` for a release on this disk.
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

/// A load whose row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableLoad {
    pub feed: Feed,
    /// Its day, if that can be read.
    pub day: Option<Day>,
    pub name: String,
    pub why: Error,
}

/// The days that are loaded, by feed and day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    readable: Vec<Load>,
    unreadable: Vec<UnreadableLoad>,
}

impl Loads {
    /// Reads rows that are sorted by feed, day and name: of several of a day the last one holds.
    pub(super) fn of(rows: &[Vec<String>]) -> Self {
        let mut by_day = BTreeMap::new();
        for row in rows {
            match read_load(row) {
                Some(Ok(load)) => drop(by_day.insert((load.feed.name(), Some(load.day)), Ok(load))),
                Some(Err(load)) => drop(by_day.insert((load.feed.name(), load.day), Err(load))),
                // A feed that this program does not know.
                None => {}
            }
        }
        let mut loads = Self::default();
        for own in by_day.into_values() {
            match own {
                Ok(load) => loads.readable.push(load),
                Err(load) => loads.unreadable.push(load),
            }
        }
        loads
    }

    /// Those that can be read.
    pub fn readable(&self) -> impl Iterator<Item = &Load> + Clone {
        self.readable.iter()
    }

    #[must_use]
    pub fn unreadable(&self) -> &[UnreadableLoad] {
        &self.unreadable
    }

    /// The newest load of a feed among the days that pass.
    ///
    /// # Errors
    /// That of a load that cannot be read, and stands before all that can.
    pub fn newest(&self, feed: Feed, passes: impl Fn(Day) -> bool) -> Result<Option<&Load>> {
        let own = self
            .readable()
            .filter(|own| own.feed == feed && passes(own.day));
        let found = own.max_by_key(|own| own.day);
        let mut before = self.unreadable.iter().filter(|own| own.feed == feed);
        let before = before.find(|own| match (own.day, found) {
            // A load of an unknown day is none of a day that is loaded.
            (None, Some(found)) => passes(found.day.plus(1)),
            (None, None) => true,
            (Some(day), found) => passes(day) && found.is_none_or(|found| found.day < day),
        });
        match before {
            Some(own) => Err(own.why.clone()),
            None => Ok(found),
        }
    }

    /// The load of a day, else the newest one, of a feed.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where it is not loaded; that of a load that cannot be read.
    pub fn pick(&self, feed: Feed, day: Option<Day>) -> Result<&Load> {
        self.newest(feed, |own| day.is_none_or(|day| own == day))?
            .ok_or_else(|| not_loaded(feed, day))
    }

    /// The loads of a feed among the days that pass.
    ///
    /// # Errors
    /// That of one that cannot be read.
    pub fn all_of(&self, feed: Feed, passes: impl Fn(Day) -> bool) -> Result<Vec<Load>> {
        let mut unreadable = self.unreadable.iter();
        let among = unreadable.find(|own| own.feed == feed && own.day.is_none_or(&passes));
        if let Some(own) = among {
            return Err(own.why.clone());
        }
        let own = self
            .readable()
            .filter(|own| own.feed == feed && passes(own.day));
        Ok(own.cloned().collect())
    }
}

/// A row of `ipspect_loads`; `None` for a feed that this program does not know.
fn read_load(row: &[String]) -> Option<Result<Load, UnreadableLoad>> {
    let [feed, day, name, ..] = row else {
        return None;
    };
    let known: Feed = feed.parse().ok()?;
    let read = Day::from_dashed(day);
    Some(read_known(known, read, row).map_err(|what| {
        let (of, day) = (visible(feed), visible(day));
        let message = format!("the load of {of} {day} in the warehouse has {what}");
        let why = match what {
            NoLoad::Schema(_) => refusal::other_schema(&message),
            NoLoad::Odd(_) => refusal::unreadable(&message).hint(format!(
                "`ipspect warehouse load {of} --day {day}` loads it again where the day is local"
            )),
        };
        UnreadableLoad {
            feed: known,
            day: read,
            name: name.clone(),
            why,
        }
    }))
}

/// What is wrong with the row of a load.
#[derive(Debug)]
enum NoLoad {
    /// It is of another version.
    Schema(String),
    Odd(String),
}

impl std::fmt::Display for NoLoad {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Schema(schema) => {
                write!(out, "the schema {schema}, and this program reads {SCHEMA}")
            }
            Self::Odd(what) => out.write_str(what),
        }
    }
}

fn read_known(feed: Feed, day: Option<Day>, row: &[String]) -> Result<Load, NoLoad> {
    let odd = |what: &str| NoLoad::Odd(what.to_owned());
    let [_, _, name, release, records, hash, manifest, schema] = row else {
        return Err(odd("other columns"));
    };
    if *schema != SCHEMA.to_string() {
        return Err(match schema.parse::<u32>() {
            Ok(schema) => NoLoad::Schema(schema.to_string()),
            Err(_) => odd("no readable schema"),
        });
    }
    let (Some(day), Some(moment), Ok(records)) = (day, Moment::parse(release), records.parse())
    else {
        return Err(odd("no readable day, release or count"));
    };
    let manifest = match Manifest::read(manifest.as_bytes()) {
        Ok(manifest) if manifest.feed == feed && manifest.moment == moment => manifest,
        Ok(_) => return Err(odd("the manifest of another release")),
        Err(why) => return Err(NoLoad::Odd(format!("a manifest that is {why}"))),
    };
    if moment.day() != day {
        return Err(odd("the release of another day"));
    }
    Ok(Load {
        feed,
        day,
        name: name.clone(),
        moment,
        records,
        hash: hash.clone(),
        manifest,
    })
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
