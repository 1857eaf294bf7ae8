//! The one wording of a day that is not known: what is the matter with it, and how it is had.

use super::Cell;
use crate::{
    contract::Feed,
    engine::{Missing, MissingWhy},
    store::{Manifest, layout::Release, manifest::PlaceWords},
};

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
    Cell::some(release.and_then(|release| release.manifest.load_name().map(str::to_owned)))
}

/// What is the matter with a day that does not answer.
#[must_use]
pub fn missing_in_words(why: MissingWhy) -> &'static str {
    match why {
        MissingWhy::NotAt(place) => place.words().missing,
        MissingWhy::Unread => "not read",
        MissingWhy::Unreadable => "unreadable",
    }
}

/// How it is had: what downloads, loads or repairs it, named by `it`.
#[must_use]
pub fn how_to_get(missing: &Missing, it: &str) -> String {
    let Missing { feed, day, why } = missing;
    match why {
        MissingWhy::NotAt(place) => {
            let PlaceWords {
                command,
                day_option,
                does,
                ..
            } = place.words();
            // What is had of a past day of it are its windows.
            let is_windows = *feed == Feed::Realtime && day.is_some();
            let (command, does) = if is_windows && place.elsewhere().is_none() {
                ("feeds files", "lists the windows of")
            } else {
                (*command, *does)
            };
            let day = day.map(|day| format!(" {day_option} {}", day.dashed()));
            let day = day.unwrap_or_default();
            format!("`ipspect {command} {feed}{day}` {does} {it}")
        }
        MissingWhy::Unread => format!("run it again to read {it}"),
        MissingWhy::Unreadable => format!("`ipspect doctor` says what is the matter with {it}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Day, store::ReleasePlace};

    #[test]
    fn each_reason_has_its_words_and_its_way() {
        let day = Day::from_dashed("2026-11-20");
        for (feed, day, why, words, how) in [
            (
                Feed::Anonymous,
                day,
                MissingWhy::NotAt(ReleasePlace::Local),
                "not local",
                "`ipspect feeds pull anonymous --date 2026-11-20` downloads it",
            ),
            (
                Feed::Anonymous,
                None,
                MissingWhy::NotAt(ReleasePlace::Local),
                "not local",
                "`ipspect feeds pull anonymous` downloads it",
            ),
            (
                Feed::Realtime,
                day,
                MissingWhy::NotAt(ReleasePlace::Local),
                "not local",
                "`ipspect feeds files realtime --date 2026-11-20` lists the windows of it",
            ),
            (
                Feed::Dch,
                day,
                MissingWhy::NotAt(ReleasePlace::Warehouse),
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
