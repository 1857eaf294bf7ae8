//! Since when a local record is unchanged, in words. Days without a local release are named, since the record on them is unknown.

use ratatui::text::Span;

use super::room::Room;
use crate::{
    engine::{
        answers::AnswerRecord,
        views::{EarlierRecord, Since},
    },
    model::{
        Context, Document,
        compare::{DifferenceKind, compare_named},
        visible,
    },
    tui::{tabs::lookup::case::LookupCase, ui::theme::Theme},
};

/// `   since 2026-11-18 (BRAVO_PROXY before)  d compares`; nothing where it is not known.
pub(super) fn words(
    case: &LookupCase,
    record: &AnswerRecord,
    room: Room,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Some(Some(since)) = case.since.value() else {
        return Vec::new();
    };
    let mut spans = vec![
        Span::styled("   since ", theme.dim),
        Span::raw(since.day.dashed()),
        Span::styled(before(since, record), theme.dim),
        Span::styled(gaps(since), theme.warn),
    ];
    // A small screen names the key in its footer alone.
    if since.before.is_some() && room != Room::Narrow {
        spans.push(Span::styled("  d", theme.key));
        spans.push(Span::styled(" compares", theme.dim));
    }
    spans
}

/// Which days are not local: those before the stretch, on each of which it may have begun, and those within it.
fn gaps(since: &Since) -> String {
    let days = |number: u32| if number == 1 { "day" } else { "days" };
    match (since.missing_before(), since.missing) {
        (0, 0) => String::new(),
        (own, 0) => format!("; {own} {} between not local", days(own)),
        (0, own) => format!("; {own} {} since not local", days(own)),
        (one, other) => format!("; {one} {} between, {other} since not local", days(one)),
    }
}

fn before(since: &Since, record: &AnswerRecord) -> String {
    match &since.before {
        None => " or earlier".to_owned(),
        Some(EarlierRecord { record: None, .. }) => " (no record before)".to_owned(),
        Some(EarlierRecord {
            record: Some(old), ..
        }) => format!(" ({})", changed(old, record)),
    }
}

/// What was otherwise: the operators if they were, else the first place.
fn changed(old: &Document, record: &AnswerRecord) -> String {
    if let Ok(context) = Context::decode(old.value()) {
        let (old, new) = (
            context.tunnel_operators(),
            record.context.tunnel_operators(),
        );
        let gone: Vec<&str> = old.into_iter().filter(|own| !new.contains(own)).collect();
        if !gone.is_empty() {
            return format!("{} before", visible(&gone.join(" ")));
        }
    }
    let all = compare_named(old.value(), record.document.value()).into_iter();
    let differing: Vec<_> = all
        .filter(|found| found.change() != DifferenceKind::Equal)
        .collect();
    let more = match differing.len() {
        0 | 1 => String::new(),
        number => format!(", {} more", number - 1),
    };
    let first = differing.first().map_or_else(String::new, |found| {
        let old = found.a.as_deref().unwrap_or("without");
        format!("{} {} before", visible(&found.path), visible(old))
    });
    format!("{first}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Day;

    #[test]
    fn days_that_are_not_local_are_named() {
        let day = |text: &str| -> Day { text.parse().expect(text) };
        for (since, before, missing, expected) in [
            ("20261110", Some("20261109"), 0, ""),
            ("20261109", None, 0, ""),
            (
                "20261109",
                Some("20261102"),
                0,
                "; 6 days between not local",
            ),
            ("20261104", Some("20261102"), 0, "; 1 day between not local"),
            (
                "20261104",
                Some("20261102"),
                1,
                "; 1 day between, 1 since not local",
            ),
            ("20261102", None, 6, "; 6 days since not local"),
        ] {
            let since = Since {
                day: day(since),
                missing,
                before: before.map(|before| EarlierRecord {
                    day: day(before),
                    record: None,
                }),
            };
            assert_eq!(gaps(&since), expected);
        }
    }
}
