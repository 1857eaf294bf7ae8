//! Why a local release cannot answer, and what to do about it.

use std::io;

pub(super) use crate::engine::threads::stopped;
use crate::{
    contract::{Feed, Format},
    engine::error::{Error, Kind, is_out_of_resources},
    model::Day,
    store::{
        Cache, NoRelease,
        index::{NotOpened, QueryError},
        layout::Release,
        manifest::Unusable,
    },
};

/// The index cannot be used and cannot be built.
pub(super) fn unfit(release: &Release, why: &str) -> Error {
    let message = format!("the index of {} cannot be used: {why}", name_of(release));
    Error::new(Kind::Integrity, message).hint(fetch_again(release))
}

/// A release as people read it.
fn name_of(release: &Release) -> String {
    let manifest = &release.manifest;
    format!("{} {}", manifest.feed, manifest.moment.dashed())
}

pub(super) fn fetch_again(release: &Release) -> String {
    let manifest = &release.manifest;
    let (feed, day) = (manifest.feed, manifest.moment.day().dashed());
    format!(
        "`ipspect feeds rm {feed} --day {day}` removes it, `ipspect feeds pull {feed}` downloads the latest, with --date {day} this one"
    )
}

/// A newer program wrote it, and will want it again.
fn newer(release: &Release, version: u32) -> Error {
    let message = format!(
        "the index of {} is of version {version}, which this ipspect cannot read: it was not changed",
        name_of(release)
    );
    Error::new(Kind::Integrity, message)
        .hint("use the newer ipspect that wrote it, or another cache with --cache-dir")
}

/// Why the index of a release was not opened.
pub(super) fn not_opened(release: &Release, why: NotOpened) -> Error {
    match why {
        NotOpened::Newer(version) => newer(release, version),
        NotOpened::Io(error) => unreadable(release, &error),
        NotOpened::Unfit(why) => unfit(release, &why),
    }
}

pub(super) fn unreadable(release: &Release, error: &io::Error) -> Error {
    let index = release.index().unwrap_or_else(|| release.data.clone());
    let feed = release.manifest.feed;
    let day = release.manifest.moment.day().dashed();
    let made = Error::machine_at("read the index", index, error);
    if is_out_of_resources(error) {
        return made;
    }
    made.hint(format!(
        "make it readable, or rebuild it: `ipspect feeds reindex {feed} --day {day}`"
    ))
}

/// The records are too many for what is asked.
pub(super) fn too_many(why: &QueryError) -> Error {
    Error::new(Kind::Usage, why.to_string()).hint("use a filter that selects fewer of them")
}

/// Why a feed cannot answer.
pub(super) fn no_release(cache: &Cache, feed: Feed, why: &NoRelease) -> Error {
    match why {
        NoRelease::Unusable(unusable) => cannot_be_used(unusable),
        NoRelease::Io(error) => Error::machine_at("read", cache.feed_dir(feed), error),
    }
}

/// A release that cannot be used, and what to do about it.
pub(super) fn cannot_be_used(unusable: &Unusable) -> Error {
    let Unusable {
        feed, form, moment, ..
    } = unusable;
    if unusable.is_not_opened() {
        let no_more = io::Error::from(rustix::io::Errno::MFILE);
        return Error::machine_at("read", &unusable.path, &no_more);
    }
    let message = format!(
        "the release of {feed} for {} cannot be used: {unusable}",
        moment.dashed()
    );
    let day = moment.day().dashed();
    let rest =
        format!("with --date {day} this one, `ipspect feeds rm {feed} --day {day}` removes it");
    Error::new(Kind::Integrity, message).hint(match form {
        Format::Json => format!(
            "`ipspect feeds reindex {feed} --day {day}` rebuilds the index if the feed file is intact, `ipspect feeds pull {feed}` \
             downloads the latest, {rest}"
        ),
        // It has no index.
        Format::Mmdb => {
            format!("`ipspect feeds pull {feed} --mmdb` downloads the latest, {rest}")
        }
    })
}

/// Nothing is known of a release that is not local.
#[must_use]
pub(in crate::engine) fn not_here(feed: Feed, day: Option<Day>) -> Error {
    let which = day.map_or_else(String::new, |day| format!(" of {}", day.dashed()));
    let message = format!("the feed {feed}{which} is not downloaded");
    Error::new(Kind::NotFound, message).hint(how_to_download(feed, day))
}

/// How to download the latest release, or that of a day; a day of realtime has many.
pub(super) fn how_to_download(feed: Feed, day: Option<Day>) -> String {
    match day.map(Day::dashed) {
        None => format!("download it with `ipspect feeds pull {feed}`"),
        Some(day) if feed == Feed::Realtime => format!(
            "`ipspect feeds files {feed} --date {day}` lists its windows, \
             `ipspect feeds pull {feed} --date {day} --at HHMM` downloads one"
        ),
        Some(day) => format!("download it with `ipspect feeds pull {feed} --date {day}`"),
    }
}
