//! The days that are loaded: a row of `ipspect_loads` each. One that cannot be read is an error of its day, and no other day answers in
//! its place.

use std::{collections::BTreeMap, path::PathBuf};

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
    /// The day as a release; there is no file of it.
    pub(in crate::engine) fn release(&self) -> Release {
        let manifest = self.manifest.clone().in_load(&self.name);
        let data = PathBuf::from(format!("{} of the warehouse", manifest.file));
        Release { manifest, data }
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
    /// Reads rows, in any order: of several of a day the one with the greatest name holds.
    pub(super) fn of(rows: &[Vec<String>]) -> Self {
        let mut by_day = BTreeMap::new();
        for result in rows.iter().flat_map(|row| read_load(row)) {
            let (feed, day, name) = match &result {
                Ok(load) => (load.feed, Some(load.day), &load.name),
                Err(load) => (load.feed, load.day, &load.name),
            };
            let name = name.clone();
            let holds = by_day
                .entry((feed.name(), day))
                .or_insert_with(|| (name.clone(), result.clone()));
            // What cannot be read comes before what can: one of two rows of one name is wrong.
            if holds.0 < name || (holds.0 == name && result.is_err()) {
                *holds = (name, result);
            }
        }
        let mut loads = Self::default();
        for (_, result) in by_day.into_values() {
            match result {
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
            .filter(|load| load.feed == feed && passes(load.day));
        let found = own.max_by_key(|load| load.day);
        let mut before = self.unreadable.iter().filter(|load| load.feed == feed);
        let before = before.find(|unreadable_load| match (unreadable_load.day, found) {
            // A load of an unknown day is none of a day that is loaded.
            (None, Some(found)) => passes(found.day.plus(1)),
            (None, None) => true,
            (Some(day), found) => passes(day) && found.is_none_or(|found| found.day < day),
        });
        match before {
            Some(load) => Err(load.why.clone()),
            None => Ok(found),
        }
    }

    /// The load of a day, else the newest one, of a feed.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where it is not loaded; that of a load that cannot be read.
    pub fn pick(&self, feed: Feed, day: Option<Day>) -> Result<&Load> {
        self.newest(feed, |other| day.is_none_or(|day| other == day))?
            .ok_or_else(|| not_loaded(feed, day))
    }

    /// The loads of a feed among the days that pass.
    ///
    /// # Errors
    /// That of one that cannot be read.
    pub fn all_of(&self, feed: Feed, passes: impl Fn(Day) -> bool) -> Result<Vec<Load>> {
        let mut unreadable = self.unreadable.iter();
        let among = unreadable.find(|load| load.feed == feed && load.day.is_none_or(&passes));
        if let Some(load) = among {
            return Err(load.why.clone());
        }
        let own = self
            .readable()
            .filter(|load| load.feed == feed && passes(load.day));
        Ok(own.cloned().collect())
    }
}

/// The load of a row of `ipspect_loads`; nothing for a feed that this program does not know.
///
/// The manifest has a checksum. Where it is of another feed or day than the row, one of the two is wrong, and neither day is known.
fn read_load(row: &[String]) -> Vec<Result<Load, UnreadableLoad>> {
    let [feed, day, name, ..] = row else {
        return Vec::new();
    };
    let manifest = row.get(6).map(|text| Manifest::read(text.as_bytes()));
    let own = feed.parse::<Feed>().ok();
    let own = own.map(|feed| (feed, Day::from_dashed(day)));
    let what = match read_known(own, manifest.as_ref(), row) {
        Ok(load) => return vec![Ok(load)],
        Err(what) => what,
    };
    let (of, day) = (visible(feed), visible(day));
    let message = format!("the load of {of} {day} in the warehouse has {what}");
    let why = match what {
        NoLoad::Schema(_) => refusal::other_schema(&message),
        NoLoad::Odd(_) => refusal::unreadable(&message).hint(format!(
            "`ipspect warehouse load {of} --day {day}` loads it again where the day is local"
        )),
    };
    let promised = manifest.and_then(Result::ok);
    let promised = promised.map(|manifest| (manifest.feed, Some(manifest.moment.day())));
    let mut of: Vec<(Feed, Option<Day>)> = own.into_iter().chain(promised).collect();
    of.dedup();
    let unreadable = of.into_iter().map(|(feed, day)| {
        Err(UnreadableLoad {
            feed,
            day,
            name: name.clone(),
            why: why.clone(),
        })
    });
    unreadable.collect()
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

fn read_known(
    of: Option<(Feed, Option<Day>)>,
    manifest: Option<&Result<Manifest, String>>,
    row: &[String],
) -> Result<Load, NoLoad> {
    let odd = |what: &str| NoLoad::Odd(what.to_owned());
    let [_, _, name, release, records, hash, _, schema] = row else {
        return Err(odd("other columns"));
    };
    if *schema != SCHEMA.to_string() {
        return Err(match schema.parse::<u32>() {
            Ok(schema) => NoLoad::Schema(schema.to_string()),
            Err(_) => odd("no readable schema"),
        });
    }
    let (Some((feed, Some(day))), Some(moment), Ok(records)) =
        (of, Moment::parse(release), records.parse())
    else {
        return Err(odd("no readable feed, day, release or count"));
    };
    let manifest = match manifest {
        Some(Ok(manifest)) => manifest.clone(),
        Some(Err(why)) => return Err(NoLoad::Odd(format!("a manifest that is {why}"))),
        None => return Err(odd("no manifest")),
    };
    if (manifest.feed, manifest.moment) != (feed, moment) || moment.day() != day {
        return Err(odd("the manifest of another release"));
    }
    if manifest.sha256 != *hash || manifest.records.is_some_and(|number| number != records) {
        return Err(odd("another hash or count than its manifest"));
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
