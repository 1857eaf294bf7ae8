//! The one wording of where days are, each place with its words here alone; and of a day that is not known: what is the matter with it, and
//! how it is had.

use super::Cell;
use crate::{
    contract::Feed,
    engine::{Missing, MissingWhy},
    store::{Manifest, ReleasePlace, layout::Release},
};

/// What days there are called: `local`.
#[must_use]
pub fn days_at(place: ReleasePlace) -> &'static str {
    match place {
        ReleasePlace::Local => "local",
        ReleasePlace::Warehouse => "loaded",
    }
}

/// What is the matter with a day that is not there.
#[must_use]
pub fn missing_at(place: ReleasePlace) -> MissingWhy {
    match place {
        ReleasePlace::Local => MissingWhy::NotLocal,
        ReleasePlace::Warehouse => MissingWhy::NotLoaded,
    }
}

/// The place of what is not local, which is not named.
#[must_use]
pub fn place_elsewhere(place: ReleasePlace) -> Option<&'static str> {
    (place != ReleasePlace::Local).then(|| place.word())
}

/// The place with what has the records there.
#[must_use]
pub(super) fn place_of(manifest: &Manifest) -> String {
    match manifest.load_name() {
        Some(load) => format!("load {load} of the warehouse"),
        None => manifest.place().word().to_owned(),
    }
}

/// The name of the load that has the records of a release; absent where they are in none.
pub fn load_cell(release: Option<&Release>) -> Cell {
    Cell::some(release.and_then(|own| own.manifest.load_name().map(str::to_owned)))
}

/// What is the matter with a day that does not answer.
#[must_use]
pub fn missing_in_words(why: MissingWhy) -> &'static str {
    match why {
        MissingWhy::NotLocal => "not local",
        MissingWhy::NotLoaded => "not loaded",
        MissingWhy::Unread => "not read",
        MissingWhy::Unreadable => "unreadable",
    }
}

/// How it is had: what downloads, loads or repairs it, named by `it`.
#[must_use]
pub fn how_to_get(missing: &Missing, it: &str) -> String {
    let Missing { feed, day, why } = missing;
    let of =
        |option: &str| day.map_or_else(String::new, |day| format!(" {option} {}", day.dashed()));
    match why {
        MissingWhy::NotLocal if *feed == Feed::Realtime && day.is_some() => {
            format!(
                "`ipspect feeds files {feed}{}` lists the windows of {it}",
                of("--date")
            )
        }
        MissingWhy::NotLocal => {
            format!("`ipspect feeds pull {feed}{}` downloads {it}", of("--date"))
        }
        MissingWhy::NotLoaded => {
            format!("`ipspect warehouse load {feed}{}` loads {it}", of("--day"))
        }
        MissingWhy::Unread => format!("run it again to read {it}"),
        MissingWhy::Unreadable => format!("`ipspect doctor` says what is the matter with {it}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Day;

    #[test]
    fn each_reason_has_its_words_and_its_way() {
        let day = Day::from_dashed("2026-11-20");
        for (feed, day, why, words, how) in [
            (
                Feed::Anonymous,
                day,
                MissingWhy::NotLocal,
                "not local",
                "`ipspect feeds pull anonymous --date 2026-11-20` downloads it",
            ),
            (
                Feed::Anonymous,
                None,
                MissingWhy::NotLocal,
                "not local",
                "`ipspect feeds pull anonymous` downloads it",
            ),
            (
                Feed::Realtime,
                day,
                MissingWhy::NotLocal,
                "not local",
                "`ipspect feeds files realtime --date 2026-11-20` lists the windows of it",
            ),
            (
                Feed::Dch,
                day,
                MissingWhy::NotLoaded,
                "not loaded",
                "`ipspect warehouse load dch --day 2026-11-20` loads it",
            ),
            (
                Feed::Dch,
                day,
                MissingWhy::Unread,
                "not read",
                "run it again to read it",
            ),
            (
                Feed::Dch,
                day,
                MissingWhy::Unreadable,
                "unreadable",
                "`ipspect doctor` says what is the matter with it",
            ),
        ] {
            let missing = Missing { feed, day, why };
            assert_eq!(missing_in_words(why), words);
            assert_eq!(how_to_get(&missing, "it"), how);
        }
    }
}
