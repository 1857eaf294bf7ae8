//! The health of a local release: its age, its form, its number of records, its unknown keys.

use jiff::Timestamp;
use ratatui::text::{Line, Span};

use super::service::warning;
use crate::{
    contract::{Feed, Format},
    engine::Health,
    model::visible,
    report::{HealthRow, behind, each},
    tui::{
        ctx::{Asked, Question},
        tabs::feeds::known_feeds::KnownFeed,
        ui::{Section, SectionSide, Theme, glyphs, words},
    },
};

/// A share of records that come or go from one release to the next without a word, in per cent.
const USUAL: u64 = 20;
const PATHS: usize = 8;
/// Days in the line of records, those before them by which the first are judged, and the notes below it.
const DAYS: usize = 30;
const BEFORE: usize = 7;
const NOTES: usize = 3;
/// Characters of a rejected line that are shown.
const LONGEST: usize = 120;

/// The section on the newest local release; empty where nothing is local.
pub(super) fn section(
    known: &KnownFeed<'_>,
    health: Option<&Asked<Question, Health>>,
    theme: &Theme,
    now: Timestamp,
) -> Section<'static> {
    let judged = health.filter(|health| health.error().is_none());
    let judged = judged.and_then(Asked::value);
    // In the title: the last lines of a page may lie below the fold.
    let read =
        |judged: &Health| format!("Health, all {} records read", words::number(judged.records));
    let title = judged.map_or_else(|| "Health".to_owned(), read);
    let mut section = Section::new(title, SectionSide::Right);
    let Some(newest) = known.newest() else {
        return section;
    };
    if let Some(behind) = behind(known.freshness(newest, now)) {
        section.push(warning(
            format!("stale: {behind} its cadence; p downloads the latest"),
            theme,
        ));
    }
    let doubts = known
        .here
        .iter()
        .filter_map(|release| release.manifest.day_doubt());
    for doubt in doubts {
        section.push(warning(doubt, theme));
    }
    forms(&mut section, known, theme);
    records(&mut section, known, theme);
    days(&mut section, known.feed, judged, theme);
    let line = match newest.manifest.rejected.count {
        0 => Line::styled("0 lines", theme.dim),
        count => Line::styled(format!("! {}", words::counted(count, "line")), theme.warn),
    };
    section.field("rejected", line);
    let judged = judged.filter(|judged| judged.release == *newest);
    for (line, why) in &newest.manifest.rejected.first {
        section.field("", format!("line {line}: {}", visible(why)));
        if let Some(text) = judged.and_then(|judged| judged.rejected.get(line)) {
            let text: String = visible(text).chars().take(LONGEST).collect();
            section.field("", Line::styled(text, theme.dim));
        }
    }
    keys(&mut section, health, theme);
    section
}

/// The two forms of different days.
fn forms(section: &mut Section<'static>, known: &KnownFeed<'_>, theme: &Theme) {
    let [json, mmdb] = [Format::Json, Format::Mmdb].map(|form| known.newest_in(form));
    if let (Some(json), Some(mmdb)) = (json, mmdb) {
        let (json, mmdb) = (json.manifest.moment, mmdb.manifest.moment);
        if json != mmdb {
            let words = format!("JSON is of {}, MMDB of {}", json.dashed(), mmdb.dashed());
            section.push(warning(words, theme));
        }
    }
}

/// How the number of records has changed since the release before.
fn records(section: &mut Section<'static>, known: &KnownFeed<'_>, theme: &Theme) {
    let all = known.here.iter().map(|release| &release.manifest);
    let mut releases = all.filter(|manifest| manifest.form() == Format::Json);
    let Some(records) = releases.next().and_then(|manifest| manifest.records) else {
        return;
    };
    let before = releases.next();
    let counted = words::number(records);
    let Some((then, day)) = before.and_then(|before| Some((before.records?, before.moment))) else {
        return section.field("records", counted);
    };
    let day = day.dashed();
    let difference = records.abs_diff(then);
    let sign = if records < then { '-' } else { '+' };
    let share = difference.saturating_mul(1000) / then.max(1);
    let words = format!(
        "{counted}  {sign}{}.{} % since {day}",
        share / 10,
        share % 10
    );
    section.field(
        "records",
        if share > USUAL * 10 {
            Line::styled(format!("! {words}"), theme.warn)
        } else {
            Line::raw(words)
        },
    );
}

/// The records of the last days as a line, with what is out of the ordinary, the newest first.
fn days(section: &mut Section<'static>, feed: Feed, judged: Option<&Health>, theme: &Theme) {
    let days = judged.map_or(&[][..], |judged| judged.days.as_slice());
    let rows = HealthRow::of(feed, &days[days.len().saturating_sub(DAYS + BEFORE)..]);
    let rows = &rows[rows.len().saturating_sub(DAYS)..];
    let [_, .., last] = rows else {
        return;
    };
    let numbers: Vec<u64> = rows.iter().map(|row| row.health.records).collect();
    let words = format!("  to {}", last.health.day.dashed());
    let line = Line::from(vec![
        Span::styled(glyphs::spark(&numbers), theme.accent),
        Span::styled(words, theme.dim),
    ]);
    section.field("by day", line);
    for row in rows
        .iter()
        .rev()
        .filter(|row| !row.notes.is_empty())
        .take(NOTES)
    {
        let notes = visible(&each(&row.notes, "; ")).into_owned();
        let words = format!("{}: {notes}", row.health.day.dashed());
        section.push(warning(words, theme));
    }
}

fn keys(section: &mut Section<'static>, health: Option<&Asked<Question, Health>>, theme: &Theme) {
    let Some(health) = health else {
        return;
    };
    if let Some(error) = health.error() {
        return section.field("keys", visible(&error.message).into_owned());
    }
    let Some(found) = health.value() else {
        return section.field("keys", Line::styled("~ reading all records", theme.dim));
    };
    for (label, paths, none) in [
        ("unknown", &found.unknown, "no unknown key"),
        ("unreadable", &found.odd, "no unreadable value"),
        (
            "new values",
            &found.new_values,
            "none beyond the contract's",
        ),
    ] {
        let mut line = Line::default();
        if label == "new values" && !paths.is_empty() {
            line.push_span(Span::styled("not in the contract: ", theme.dim));
        }
        if paths.is_empty() {
            line.push_span(Span::styled(none, theme.dim));
        }
        for (path, count) in paths.iter().take(PATHS) {
            line.push_span(Span::styled(format!("{} ", visible(path)), theme.warn));
            line.push_span(Span::styled(
                format!("{}  ", words::number(*count)),
                theme.dim,
            ));
        }
        if paths.len() > PATHS {
            let more = format!("and {} more", paths.len() - PATHS);
            line.push_span(Span::styled(more, theme.dim));
        }
        section.field(label, line);
    }
}
