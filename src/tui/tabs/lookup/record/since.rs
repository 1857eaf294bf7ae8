//! Since when a local record reads as it does, in words.

use ratatui::text::Span;

use crate::{
    engine::{
        answers::Record,
        views::{Before, Since},
    },
    model::{
        Context, Document,
        compare::{Change, compare_named},
        visible,
    },
    tui::{tabs::lookup::case::Case, ui::theme::Theme},
};

/// `   since 2026-11-18 (BRAVO_PROXY before)  d compares`; nothing where it is not known.
pub(super) fn words(case: &Case, record: &Record, theme: &Theme) -> Vec<Span<'static>> {
    let Some(Some(since)) = case.since.value() else {
        return Vec::new();
    };
    let mut spans = vec![
        Span::styled("   since ", theme.dim),
        Span::raw(since.day.dashed()),
        Span::styled(before(since, record), theme.dim),
    ];
    if since.before.is_some() {
        spans.push(Span::styled("  d", theme.key));
    }
    spans
}

fn before(since: &Since, record: &Record) -> String {
    match &since.before {
        None => " or earlier".to_owned(),
        Some(Before { record: None, .. }) => " (no record before)".to_owned(),
        Some(Before {
            record: Some(old), ..
        }) => format!(" ({})", changed(old, record)),
    }
}

/// What was otherwise: the operators if they were, else the first place.
fn changed(old: &Document, record: &Record) -> String {
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
        .filter(|found| found.change() != Change::Equal)
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
