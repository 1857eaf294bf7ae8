//! The one wording of a day that is not known: what is the matter with it, and how it is had.

use crate::{
    contract::Feed,
    engine::{Missing, MissingWhy},
};

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
