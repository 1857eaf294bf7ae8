//! How the releases of a feed were, day by day: kept in the log, so that it outlasts the releases.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{DiffDays, Releases};
use crate::{
    contract::Feed,
    engine::error::{ErrorContext, Kind, Result},
    model::Day,
    store::{EntryLog, Filter, Moment, layout::Release},
};

const HEALTH: &str = "health";

/// The hour of the day, UTC, by which a daily release is due.
const DUE_HOUR: i8 = 5;

/// What is known of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayHealth {
    pub day: Day,
    pub generated: Option<Timestamp>,
    pub records: u64,
    pub bytes: u64,
    /// Lines that are no records.
    pub rejected: u64,
    /// The records added, removed and changed since the local release before; none where there was none, or nobody looked.
    #[serde(default)]
    pub churn: Option<[u64; 3]>,
    /// Paths and values that the contract does not name; none where nobody looked.
    #[serde(default)]
    pub unknown: Option<Vec<String>>,
}

impl DayHealth {
    fn of(release: &Release) -> Self {
        let manifest = &release.manifest;
        let generation = manifest.generation();
        Self {
            day: manifest.moment.day(),
            generated: generation.is_known.then_some(generation.at),
            records: manifest.records.unwrap_or_default(),
            bytes: manifest.bytes,
            rejected: manifest.rejected.count,
            churn: None,
            unknown: None,
        }
    }

    /// The seconds from when it was due to when it was generated; 0 where it was not late, none where the time is unknown.
    #[must_use]
    pub fn late_s(&self) -> Option<u64> {
        let late = self.generated?.duration_since(self.day.at(DUE_HOUR, 0));
        Some(u64::try_from(late.as_secs()).unwrap_or(0))
    }
}

impl Releases {
    fn health_log(&self) -> EntryLog {
        EntryLog::new(&self.settings.paths.state, self.settings.owner())
    }

    pub(super) fn noted(&self, feed: Feed) -> Result<Vec<DayHealth>> {
        let log = self.health_log();
        let read = log.read(&[HEALTH]).at("read", log.path())?;
        let own = read
            .entries
            .iter()
            .filter(|entry| entry.value["feed"] == feed.name());
        let days = own.filter_map(|entry| DayHealth::deserialize(&entry.value["day"]).ok());
        let mut days: Vec<DayHealth> = days.collect();
        days.sort_by_key(|health| health.day);
        Ok(days)
    }

    fn note(&self, feed: Feed, health: &DayHealth) -> Result<()> {
        let log = self.health_log();
        let about = format!("{feed} {}", health.day);
        let value = json!({"feed": feed.name(), "day": health});
        log.replace(HEALTH, &about, value).at("write", log.path())
    }

    /// Keeps what a release that was pulled says of itself.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn note_pulled(&self, release: &Release) -> Result<()> {
        let manifest = &release.manifest;
        if !matches!(manifest.moment, Moment::Day(_)) || manifest.records.is_none() {
            return Ok(());
        }
        let new = DayHealth::of(release);
        let is_known = |known: &DayHealth| (known.day, known.generated) == (new.day, new.generated);
        if self.noted(manifest.feed)?.iter().any(is_known) {
            return Ok(());
        }
        self.note(manifest.feed, &new)
    }

    /// All days that are known of a feed, the oldest first. Local releases that nobody looked at are looked at: each beside the one before
    /// it, and the newest for what the contract does not name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn health_over_time(&self, feed: Feed) -> Result<Vec<DayHealth>> {
        let mut local: Vec<Day> = self.moments(feed)?.into_iter().map(Moment::day).collect();
        local.sort_unstable();
        local.dedup();
        let mut before = None;
        for (at, day) in local.iter().enumerate() {
            let opened = match self.open_local(feed, Some(*day)).await {
                // It has no records here, or cannot be used.
                Err(error) if matches!(error.kind, Kind::NotFound | Kind::Integrity) => continue,
                opened => opened?,
            };
            let mut health = DayHealth::of(&opened.release);
            let known = self.noted(feed)?.into_iter();
            let is_own =
                |known: &DayHealth| (known.day, known.generated) == (health.day, health.generated);
            let known = known.rev().find(is_own);
            if let Some(known) = &known {
                (health.churn, health.unknown) = (known.churn, known.unknown.clone());
            }
            if let (None, Some(before)) = (health.churn, before) {
                let days = DiffDays {
                    before,
                    after: opened.clone(),
                };
                let counts = self.diff_totals(&days, &Filter::default()).await?;
                health.churn = Some([counts.added, counts.removed, counts.changed]);
            }
            if health.unknown.is_none() && at + 1 == local.len() {
                let found = self.health(feed).await?;
                let names = found
                    .unknown
                    .into_iter()
                    .chain(found.odd)
                    .chain(found.new_values);
                health.unknown = Some(names.map(|(name, _)| name).collect());
            }
            if known.as_ref() != Some(&health) {
                self.note(feed, &health)?;
            }
            before = Some(opened);
        }
        self.noted(feed)
    }
}
