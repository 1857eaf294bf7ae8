//! Since when the verdict on a local record is unchanged: what was before it, and which days are not known.

use super::Verdict;
use crate::{
    engine::views::Since,
    model::{Context, Document, visible},
};

/// What follows the day: what was before and where no record is, and what is not known.
#[must_use]
pub fn since_in_words(since: &Since, now: &Context) -> (String, String) {
    let before = since.before.as_ref().map(|own| match &own.record {
        None => "no record before".to_owned(),
        Some(old) => format!("{} until {}", changed(old, now), own.day.dashed()),
    });
    let mut told = if before.is_none() { " or earlier" } else { "" }.to_owned();
    let parts: Vec<String> = before.into_iter().chain(absent(since)).collect();
    if !parts.is_empty() {
        told += &format!(" ({})", parts.join("; "));
    }
    let unknown = unknown(since);
    let unknown = unknown.iter().flat_map(|words| ["; ", words]);
    (told, unknown.collect())
}

/// What the verdict was: the operators that are no longer there, else the first finding that is another one.
fn changed(old: &Document, now: &Context) -> String {
    let Ok(old) = Context::decode(old.value()) else {
        return "another verdict".to_owned();
    };
    let only = |one: &Context, other: &Context| -> Vec<String> {
        let others = other.tunnel_operators();
        let own = one.tunnel_operators().into_iter();
        let own = own.filter(|own| !others.contains(own));
        own.map(|own| visible(own).into_owned()).collect()
    };
    let (gone, new) = (only(&old, now), only(now, &old));
    if !gone.is_empty() {
        return gone.join(" ");
    }
    let findings = |context: &Context| {
        let verdict = Verdict::of(context, None);
        let mut all = vec![verdict.headline];
        all.extend(verdict.also);
        all
    };
    let now = findings(now);
    let first = findings(&old).into_iter().find(|own| !now.contains(own));
    first.unwrap_or_else(|| match new.as_slice() {
        [] => "another verdict".to_owned(),
        new => format!("without {}", new.join(" ")),
    })
}

/// The local days without a record since then, with the last day before them that has one, and those after another verdict.
fn absent(since: &Since) -> Option<String> {
    let other = since.before.as_ref().filter(|own| own.record.is_some());
    // Where there was no record before, that is said.
    let before = other.map_or(&[][..], |_| &since.gaps_before.absent);
    let days = [&since.gaps.absent, before].concat();
    let seen = since.gaps.seen;
    let seen = seen.map(|day| format!("; seen {}", day.dashed()));
    let on = match &days[..] {
        [] => return None,
        [day] => day.dashed(),
        [last, ..] => format!("{} days, the last {}", days.len(), last.dashed()),
    };
    Some(format!("no record on {on}{}", seen.unwrap_or_default()))
}

/// The unknown days: those that are not local, within the period and before it, where it may have begun; and local days that cannot
/// be read.
fn unknown(since: &Since) -> Vec<String> {
    let (gaps, gaps_before) = (&since.gaps, &since.gaps_before);
    let days = |number: u32| if number == 1 { "day" } else { "days" };
    let between = since.before.as_ref().map_or(0, |_| gaps_before.not_local);
    let not_local = match (between, gaps.not_local) {
        (0, 0) => None,
        (own, 0) => Some(format!("{own} {} between not local", days(own))),
        (0, own) => Some(format!("{own} {} since not local", days(own))),
        (one, other) => Some(format!(
            "{one} {} between, {other} since not local",
            days(one)
        )),
    };
    let unread = [&gaps.unread[..], &gaps_before.unread].concat();
    let unread = match &unread[..] {
        [] => None,
        [day] => Some(format!("{} cannot be read", day.dashed())),
        many => Some(format!("{} local days cannot be read", many.len())),
    };
    not_local.into_iter().chain(unread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::views::{EarlierRecord, Gaps},
        model::Day,
    };

    fn document(tunnels: &str) -> Document {
        let text = format!(r#"{{"ip":"198.51.100.77","tunnels":[{tunnels}]}}"#);
        Document::read(text.as_bytes()).expect("a record")
    }

    fn day(text: &str) -> Day {
        text.parse().expect(text)
    }

    fn days(text: &str) -> Vec<Day> {
        text.split_whitespace().map(day).collect()
    }

    const ACME: &str = r#"{"type":"VPN","operator":"ACME_VPN","anonymous":true}"#;

    /// The words behind the day of a record of `ACME_VPN`.
    fn words(before: Option<(&str, Option<&str>)>, gaps: Gaps, gaps_before: Gaps) -> String {
        let now = Context::decode(document(ACME).value()).expect("a record");
        let since = Since {
            day: day("20261121"),
            gaps,
            before: before.map(|(text, tunnels)| EarlierRecord {
                day: day(text),
                record: tunnels.map(document),
            }),
            gaps_before,
        };
        let (told, unknown) = since_in_words(&since, &now);
        told + &unknown
    }

    #[test]
    fn a_change_of_verdict_is_said_with_its_last_day() {
        let none = Gaps::default;
        let bravo = ACME.replace("ACME_VPN", "BRAVO_PROXY");
        let other_type = ACME.replace("\"VPN\"", "\"PROXY\"");
        let not_anonymous = ACME.replace("true", "false");
        for (before, expected) in [
            (Some(&*bravo), " (BRAVO_PROXY until 2026-11-20)"),
            (Some(&other_type), " (PROXY of ACME_VPN until 2026-11-20)"),
            (
                Some(&not_anonymous),
                " (VPN of ACME_VPN, not anonymous until 2026-11-20)",
            ),
            (Some(""), " (no tunnel or proxy seen until 2026-11-20)"),
            (None, " (no record before)"),
        ] {
            assert_eq!(words(Some(("20261120", before)), none(), none()), expected);
        }
        let both = format!("{ACME},{bravo}");
        let now = Context::decode(document(&both).value()).expect("a record");
        assert_eq!(changed(&document(ACME), &now), "without BRAVO_PROXY");
        assert_eq!(words(None, none(), none()), " or earlier");
    }

    #[test]
    fn gaps_and_what_is_not_known_are_named() {
        let absent = |text: &str, seen: Option<&str>| Gaps {
            absent: days(text),
            seen: seen.map(day),
            ..Gaps::default()
        };
        let unknown = |not_local: u32, unread: &str| Gaps {
            not_local,
            unread: days(unread),
            ..Gaps::default()
        };
        let before = Some(("20261112", None));
        let bravo = ACME.replace("ACME_VPN", "BRAVO_PROXY");
        for (before, gaps, gaps_before, expected) in [
            (
                None,
                absent("20261122", Some("20261121")),
                unknown(0, ""),
                " or earlier (no record on 2026-11-22; seen 2026-11-21)",
            ),
            (
                Some(("20261118", Some(&*bravo))),
                absent("20261124 20261122", Some("20261123")),
                absent("20261119", None),
                " (BRAVO_PROXY until 2026-11-18; no record on 3 days, the last 2026-11-24; seen 2026-11-23)",
            ),
            (
                before,
                unknown(0, ""),
                unknown(6, ""),
                " (no record before); 6 days between not local",
            ),
            (
                before,
                unknown(1, ""),
                unknown(1, ""),
                " (no record before); 1 day between, 1 since not local",
            ),
            (
                None,
                unknown(6, ""),
                unknown(0, ""),
                " or earlier; 6 days since not local",
            ),
            (
                None,
                unknown(0, ""),
                unknown(0, "20261119"),
                " or earlier; 2026-11-19 cannot be read",
            ),
            (
                before,
                unknown(0, "20261122"),
                unknown(0, "20261119"),
                " (no record before); 2 local days cannot be read",
            ),
        ] {
            assert_eq!(words(before, gaps, gaps_before), expected);
        }
    }
}
