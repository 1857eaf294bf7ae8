//! The known state of the feeds, from the catalogue, the service, the local releases and the jobs.

use std::{cmp::Reverse, collections::BTreeMap, path::Path};

use jiff::Timestamp;
use ratatui::style::Style;

use crate::{
    contract::{Feed, Format, Freshness, cadence},
    engine::{
        Error, Fetched, Health, Kind, OnDisk, PartialDownload, PullQuery, WantedRelease,
        warehouse::Load,
    },
    model::{Day, Document, FeedMetadata, Window, feed_metadata::ReleaseMetadata as Offered},
    store::{Generation, Manifest, Moment, layout::Release},
    tui::{
        ctx::{Asked, Job, Jobs, Question, TabReply, UpdateCtx},
        ui::{Theme, Tone},
    },
};

/// What is known of all feeds.
#[derive(Debug)]
pub(super) struct KnownFeeds {
    /// The service's metadata of each feed.
    metadata: BTreeMap<Feed, Asked<Question, Fetched<FeedMetadata>>>,
    disk: Asked<Question, OnDisk>,
    /// The days in the warehouse, where the profile names one.
    loads: Asked<Question, Vec<Load>>,
    /// Samples of the local releases of feeds.
    health: BTreeMap<Feed, Asked<Question, Health>>,
}

impl Default for KnownFeeds {
    fn default() -> Self {
        Self {
            metadata: Feed::all().map(|feed| (feed, Asked::default())).collect(),
            disk: Asked::default(),
            loads: Asked::default(),
            health: BTreeMap::new(),
        }
    }
}

impl KnownFeeds {
    /// All that is known of a feed.
    pub(super) fn of<'a>(&'a self, feed: Feed, jobs: &'a Jobs) -> KnownFeed<'a> {
        let disk = self.disk();
        let releases = disk.into_iter().flat_map(|disk| &disk.releases);
        let own = releases.filter(|release| release.manifest.feed == feed);
        let mut here: Vec<&Release> = own.collect();
        // They come newest first in each form; both forms of a day belong together.
        here.sort_by_key(|release| Reverse(release.manifest.moment));
        let unusable = disk.into_iter().flat_map(|disk| &disk.unusable);
        let unusable = unusable.filter(|(other, _)| *other == feed);
        KnownFeed {
            feed,
            metadata: &self.metadata[&feed],
            here,
            unusable: unusable.map(|(_, why)| &**why).collect(),
            is_faulty: disk.is_some_and(|disk| disk.faulty.contains(&feed)),
            part: disk.and_then(|disk| disk.parts.iter().find(|part| part.query.feed == feed)),
            job: job_of(feed, jobs),
            free: disk.and_then(|disk| disk.free),
            part_dir: disk.and_then(|disk| disk.part_dirs.get(&feed).map(AsRef::as_ref)),
            loaded: self.loaded(feed).map(Moment::Day).collect(),
            not_loaded: self.loads.error(),
            without_load: match self.loads.value() {
                Some(_) => "-",
                None if self.loads.is_pending() => "fetching",
                None => "unknown",
            },
        }
    }

    /// The days of a feed that are in the warehouse.
    fn loaded(&self, feed: Feed) -> impl Iterator<Item = Day> {
        let loads = self.loads.value().into_iter().flatten();
        loads
            .filter(move |load| load.feed == feed)
            .map(|load| load.day)
    }

    /// What is local; `None` until it was read.
    pub(super) fn disk(&self) -> Option<&OnDisk> {
        self.disk.value()
    }

    /// Whether it is not yet known what is local, and soon will be.
    pub(super) fn is_reading_disk(&self) -> bool {
        self.disk().is_none() && self.disk.is_pending()
    }

    /// Why it is not known what is local.
    pub(super) fn lack_of_disk(&self) -> Option<String> {
        if self.is_reading_disk() {
            return Some("local releases are still being read".to_owned());
        }
        let error = self.disk.error().filter(|_| self.disk().is_none());
        error.map(|error| error.message.clone())
    }

    pub(super) fn health(&self, feed: Feed) -> Option<&Asked<Question, Health>> {
        self.health.get(&feed)
    }

    /// The metadata of a feed, as the service sent it.
    pub(super) fn document(&self, feed: Feed) -> Option<&Document> {
        Some(&self.metadata[&feed].value()?.document)
    }

    /// Whether nothing was asked of the service.
    pub(super) fn is_untouched(&self) -> bool {
        self.metadata.values().all(Asked::is_untouched)
    }

    /// Reads again what is local, for another process may have changed it; of the service, asks only what was never asked.
    pub(super) fn load(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.read_disk(ctx);
        self.ask_loads(ctx);
        if ctx.facts.lack_of_feeds().is_none() {
            self.ask_metadata(Asked::is_untouched, ctx);
        }
    }

    pub(super) fn read_disk(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.disk.ask_anew(Question::Releases, ctx);
    }

    /// Reads again what is local, unless it was never read: it is on arrival then.
    pub(super) fn reread_disk(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.disk.is_untouched() {
            self.read_disk(ctx);
        }
    }

    /// Reads what is local, unless that was done.
    pub(super) fn read_disk_once(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.disk.is_untouched() {
            self.read_disk(ctx);
        }
    }

    /// Reads again what is local, and asks for the metadata of all feeds.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.read_disk(ctx);
        self.ask_loads(ctx);
        self.ask_metadata(|_| true, ctx);
    }

    /// Asks which days are in the warehouse, where there is one.
    pub(super) fn ask_loads(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.facts.warehouse.is_some() && !ctx.facts.offline {
            self.loads.ask_anew(Question::Loads, ctx);
        }
    }

    fn ask_metadata(
        &mut self,
        is_wanted: impl Fn(&Asked<Question, Fetched<FeedMetadata>>) -> bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        for (feed, metadata) in &mut self.metadata {
            if is_wanted(metadata) {
                metadata.ask(Question::Metadata(*feed), ctx);
            }
        }
    }

    /// Judges the records of a feed's newest local release, unless that was done. All of them are read, so that nothing else is
    /// judged meanwhile; without a feed nothing is.
    pub(super) fn judge(&mut self, feed: Option<Feed>, ctx: &mut UpdateCtx<'_>) {
        for (own, health) in &mut self.health {
            if Some(*own) != feed && health.stop(ctx) {
                *health = Asked::default();
            }
        }
        let newest = feed.and_then(|feed| self.of(feed, ctx.jobs).newest().cloned());
        let Some(newest) = newest.filter(|release| release.manifest.form() == Format::Json) else {
            return;
        };
        let feed = newest.manifest.feed;
        let health = self.health.entry(feed).or_default();
        let is_known = health
            .value()
            .is_some_and(|health| health.release == newest);
        if !is_known && health.error().is_none() {
            health.ask(Question::Health(feed), ctx);
        }
    }

    /// Takes the answer to a question of this part; hands back any other.
    pub(super) fn settle<'q>(&mut self, reply: TabReply<'q>) -> Option<TabReply<'q>> {
        match reply.question {
            Question::Metadata(feed) => self.metadata.get_mut(feed)?.settle(reply),
            Question::Health(feed) => self.health.entry(*feed).or_default().settle(reply),
            Question::Releases => self.disk.settle(reply),
            Question::Loads => self.loads.settle(reply),
            _ => Some(reply),
        }
    }

    /// The local JSON releases of a feed, the newest first.
    fn local(&self, feed: Feed) -> impl Iterator<Item = &Manifest> {
        let releases = self.disk().into_iter().flat_map(|disk| &disk.releases);
        let manifests = releases.map(|release| &release.manifest);
        manifests.filter(move |manifest| manifest.feed == feed && manifest.form() == Format::Json)
    }

    /// Whether a release of the feed is local in a form that can be browsed.
    pub(super) fn is_local(&self, feed: Feed) -> bool {
        self.local(feed).next().is_some()
    }

    /// The local days of a feed, the newest first.
    pub(super) fn local_days(&self, feed: Feed) -> impl Iterator<Item = Day> {
        self.local(feed)
            .filter_map(|manifest| match manifest.moment {
                Moment::Day(day) => Some(day),
                Moment::Window(_) => None,
            })
    }

    /// The days that can be compared with a day of a feed, the newest first: those that are local if it is, and those in the warehouse if it
    /// is there.
    pub(super) fn days_beside(&self, feed: Feed, own: Day) -> Vec<Day> {
        let local: Vec<Day> = self.local_days(feed).collect();
        let loaded: Vec<Day> = self.loaded(feed).collect();
        let sides = [local, loaded]
            .into_iter()
            .filter(|days| days.contains(&own));
        let mut days: Vec<Day> = sides.flatten().collect();
        days.sort_unstable_by_key(|day| Reverse(*day));
        days.dedup();
        days
    }

    /// From when the age of a local day counts.
    pub(super) fn generated(&self, feed: Feed, day: Day) -> Option<Generation> {
        let mut own = self.local(feed);
        own.find(|manifest| manifest.moment == Moment::Day(day))
            .map(Manifest::generation)
    }
}

/// All that is known of one feed.
#[derive(Clone, Debug)]
pub(super) struct KnownFeed<'a> {
    pub(super) feed: Feed,
    /// What the service says of its latest release.
    pub(super) metadata: &'a Asked<Question, Fetched<FeedMetadata>>,
    /// The local releases in both forms, newest first.
    pub(super) here: Vec<&'a Release>,
    /// What is local and cannot be used.
    pub(super) unusable: Vec<&'a str>,
    /// Whether its newest JSON release cannot be used.
    pub(super) is_faulty: bool,
    pub(super) part: Option<&'a PartialDownload>,
    pub(super) job: Option<&'a Job>,
    /// Bytes free on the disk.
    pub(super) free: Option<u64>,
    /// Where its parts are while they come.
    pub(super) part_dir: Option<&'a Path>,
    /// The days in the warehouse.
    pub(super) loaded: Vec<Moment>,
    /// What is said of a day that is not one of them.
    pub(super) without_load: &'static str,
    /// Why it is not known which these are.
    pub(super) not_loaded: Option<&'a Error>,
}

impl<'a> KnownFeed<'a> {
    /// The latest JSON release, as the service describes it.
    pub(super) fn offered(&self) -> Option<&'a Offered> {
        self.metadata.value()?.value.json.is()
    }

    /// The latest release that the service has.
    pub(super) fn offered_moment(&self) -> Option<Moment> {
        self.moment_of(self.offered()?)
    }

    /// The latest release that the service is known to have: it has what was downloaded, whatever its metadata says.
    pub(super) fn latest_moment(&self) -> Option<Moment> {
        let offered = self.offered_moment();
        let is_told = offered.is_some() || self.is_not_offered();
        let local = self.newest().filter(|_| is_told);
        offered.max(local.map(|local| local.manifest.surest_moment()))
    }

    /// The latest release in a form that the service has: the MMDB comes after the JSON.
    fn offered_in(&self, form: Format) -> Option<Moment> {
        let metadata = &self.metadata.value()?.value;
        let release = match form {
            Format::Json => metadata.json.is(),
            Format::Mmdb => metadata.mmdb.is(),
        };
        self.moment_of(release?)
    }

    fn moment_of(&self, release: &Offered) -> Option<Moment> {
        if self.feed == Feed::Realtime {
            release.window().map(Moment::Window)
        } else {
            release.day().map(Moment::Day)
        }
    }

    /// Whether the service has no metadata for it: the contract only says that it follows the pattern. There may be a release all the same.
    pub(super) fn is_not_offered(&self) -> bool {
        self.metadata
            .error()
            .is_some_and(|error| error.kind == Kind::NotFound)
    }

    /// The newest local JSON release, else the newest in any form.
    pub(super) fn newest(&self) -> Option<&'a Release> {
        let json = self.newest_in(Format::Json);
        json.or_else(|| self.here.first().copied())
    }

    /// The newest release in a form, local.
    pub(super) fn newest_in(&self, form: Format) -> Option<&'a Release> {
        let mut here = self.here.iter();
        here.find(|release| release.manifest.form() == form)
            .copied()
    }

    /// The local releases of a day or window, in both forms.
    pub(super) fn of_moment(&self, moment: Moment) -> impl Iterator<Item = &'a Manifest> {
        let here = self.here.iter().map(|release| &release.manifest);
        here.filter(move |manifest| manifest.moment == moment)
    }

    /// How a release compares with the one due now. It is stale where the service has a newer one, however new it is by the clock; and it
    /// is not while the service has none, as long as that was heard lately.
    pub(super) fn freshness(&self, release: &Release, now: Timestamp) -> Freshness {
        let moment = release.manifest.surest_moment();
        let by_clock = moment.freshness(now);
        let offered = self.offered_in(release.manifest.form());
        match offered {
            Some(offered) if offered > moment && by_clock == Freshness::Current => {
                behind(moment, offered)
            }
            Some(offered) if offered <= moment && self.is_heard_lately(moment, now) => {
                Freshness::Current
            }
            _ => by_clock,
        }
    }

    /// Whether the metadata was read so lately that no release has become due since.
    fn is_heard_lately(&self, moment: Moment, now: Timestamp) -> bool {
        let heard = self
            .metadata
            .value()
            .map(|fetched| fetched.provenance.asked_at);
        heard.is_some_and(|heard| match moment {
            Moment::Day(_) => cadence::expected_day(heard) >= cadence::expected_day(now),
            Moment::Window(window) => {
                let heard = Window::of(heard).max(window);
                cadence::of_window(heard, now) == Freshness::Current
            }
        })
    }

    /// The size of the latest JSON release. Unless [`KnownFeed::length`] is known, it is a number without a unit, taken for bytes.
    pub(super) fn size(&self) -> Option<u64> {
        let stated = || self.offered()?.filesize.is().copied();
        self.length().or_else(stated)
    }

    /// The size of the latest JSON release, from its `Content-Length` or from the local file.
    pub(super) fn length(&self) -> Option<u64> {
        let offered = self.latest_moment()?;
        let here = self.here.iter().find(|release| {
            release.manifest.form() == Format::Json && release.manifest.moment == offered
        });
        here.map(|release| release.manifest.bytes)
            .or_else(|| self.announced())
    }

    /// What a running download of the latest JSON release was told.
    fn announced(&self) -> Option<u64> {
        let job = self.job?;
        let latest =
            |query: &PullQuery| query.wanted == WantedRelease::Latest && query.form == Format::Json;
        match &job.question {
            Question::Pull(query) if latest(query) => job.progress?.total,
            _ => None,
        }
    }

    /// The size of the latest release and the bytes free, if it seems not to fit.
    pub(super) fn needs(&self) -> Option<(u64, u64)> {
        self.size()
            .zip(self.free)
            .filter(|(size, free)| size > free)
    }

    /// Whether nothing is local, usable or not.
    pub(super) fn is_absent(&self) -> bool {
        self.here.is_empty() && self.unusable.is_empty()
    }

    /// The forms whose newest local release is stale.
    pub(super) fn stale_forms(&self, now: Timestamp) -> Vec<Format> {
        let is_stale = |form: &Format| {
            let newest = self.newest_in(*form);
            newest.is_some_and(|release| self.freshness(release, now) != Freshness::Current)
        };
        let forms = [Format::Json, Format::Mmdb].into_iter();
        forms.filter(is_stale).collect()
    }

    /// Whether the latest JSON release can be downloaded, as far as is known, and is neither local nor on its way.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        let refused = self.metadata.error();
        let is_refused = refused.is_some_and(|error| error.kind == Kind::Credentials);
        let is_coming = self.job.is_some_and(Job::is_open);
        let is_fresh = |newest| self.freshness(newest, now) == Freshness::Current;
        !(is_refused || is_coming || self.newest_in(Format::Json).is_some_and(is_fresh))
    }
}

/// How far a release is behind a newer one of the same feed.
fn behind(moment: Moment, newer: Moment) -> Freshness {
    if let (Moment::Window(window), Moment::Window(newer)) = (moment, newer) {
        let minutes = newer.begins().duration_since(window.begins()).as_mins();
        return Freshness::MinutesBehind(u32::try_from(minutes).unwrap_or(u32::MAX));
    }
    let days = newer.day().days_since(moment.day());
    Freshness::DaysBehind(u32::try_from(days).unwrap_or(u32::MAX))
}

/// The form of a local release, in a word.
pub(super) fn form_word(release: &Manifest) -> &'static str {
    match release.form() {
        Format::Json => "JSON",
        Format::Mmdb => "MMDB",
    }
}

/// Whether newer releases leave a local one where it is, in a word: because it was pinned, or because its day was asked for.
pub(super) fn kept_word(release: &Manifest) -> &'static str {
    match (release.pinned_by_hand, release.pinned) {
        (true, _) => "* pinned",
        (false, true) => "kept",
        (false, false) => "",
    }
}

pub(super) fn kept_style(word: &str, theme: &Theme) -> Style {
    if word == "* pinned" {
        theme.accent
    } else {
        theme.dim
    }
}

/// The download of a feed that matters: one that can still be stopped, else the last one.
pub(super) fn job_of(feed: Feed, jobs: &Jobs) -> Option<&Job> {
    let is_open = |job: &&Job| job.is_open();
    let open = jobs.pulls(feed).find(is_open);
    open.or_else(|| jobs.pulls(feed).next())
}

/// Starts a download.
pub(super) fn pull(query: PullQuery, ctx: &mut UpdateCtx<'_>) {
    if let Some(why) = ctx.facts.lack_of_feeds() {
        return ctx.out.say(Tone::Warn, why);
    }
    ctx.start(label(&query), Question::Pull(query));
}

/// What a download is called.
pub(super) fn label(query: &PullQuery) -> String {
    let feed = query.feed;
    let mmdb = match query.form {
        Format::Json => "",
        Format::Mmdb => " mmdb",
    };
    let wanted = match query.wanted {
        WantedRelease::Latest => "latest".to_owned(),
        WantedRelease::Day(day) => day.dashed(),
        WantedRelease::Window(window) => Moment::Window(window).dashed(),
    };
    format!("{feed}{mmdb} {wanted}")
}

#[cfg(test)]
impl KnownFeeds {
    /// Where this is local, and nothing was asked of the service.
    pub(super) fn with_disk(disk: OnDisk) -> Self {
        Self {
            disk: Asked::known(disk),
            ..Self::default()
        }
    }
}
