//! The service's metadata of a feed.

use std::borrow::Cow;

use jiff::Timestamp;
use ratatui::text::{Line, Span};

use crate::{
    contract::{Feed, catalog::MmdbForm},
    engine::Area,
    model::{
        Field,
        feed_metadata::{ReleaseDate, ReleaseMetadata},
        visible,
    },
    tui::{
        ctx::{Facts, JobState, failure},
        tabs::feeds::known_feeds::KnownFeed,
        ui::{PageRow, Section, SectionSide, Theme, words},
    },
};

/// What the service says of the feed, or why it does not.
pub(super) fn section(known: &KnownFeed<'_>, facts: &Facts, theme: &Theme) -> Section<'static> {
    let mut section = Section::new("Service", SectionSide::Left);
    asking(&mut section, known, facts, theme);
    if let Some((needs, free)) = known.needs() {
        let (needs, free) = (words::bytes(needs), words::bytes(free));
        let text = format!("takes {needs} if filesize is in bytes; {free} are free");
        section.push(warning(text, theme));
    }
    if let Some(fetched) = known.metadata.value() {
        let metadata = &fetched.value;
        block(&mut section, "json", &metadata.json, known.length(), theme);
        if known.feed.row().mmdb != MmdbForm::No {
            block(&mut section, "mmdb", &metadata.mmdb, None, theme);
        }
        if metadata.mmdb_lags() {
            section.push(warning(
                "the MMDB is older than the JSON: still being built",
                theme,
            ));
        }
        if !metadata.odd.is_empty() {
            let odd = visible(&metadata.odd.join(", ")).into_owned();
            section.field("unreadable", Line::styled(odd, theme.warn));
        }
        let beyond = |path: &&String| !path.starts_with("json.") && !path.starts_with("mmdb.");
        let unknown: Vec<&str> = metadata
            .unknown
            .iter()
            .filter(beyond)
            .map(String::as_str)
            .collect();
        if !unknown.is_empty() {
            section.field("also sent", visible(&unknown.join(", ")).into_owned());
        }
    }
    section.field("covers", known.feed.row().covers);
    section
}

/// How it stands with asking: what is missing, asked for, refused.
fn asking(section: &mut Section<'static>, known: &KnownFeed<'_>, facts: &Facts, theme: &Theme) {
    let asked = known.metadata;
    let (words, style) = match asked.error() {
        Some(_) if known.is_not_offered() => (
            "the service has no metadata of it; it may have a release all the same: p downloads it"
                .to_owned(),
            theme.dim,
        ),
        Some(error) => {
            section.extend(failure::lines("", error, "", "R refreshes", theme));
            // A download that was refused says it above.
            if !known
                .job
                .is_some_and(|job| matches!(job.state, JobState::Failed(_)))
            {
                let area = match known.feed {
                    Feed::Realtime => Area::Realtime,
                    _ => Area::Feeds,
                };
                section.extend(failure::across(error, area, "", facts, theme));
            }
            return;
        }
        None if asked.is_pending() && asked.value().is_some() => {
            ("~ fetching: this is the last answer".to_owned(), theme.warn)
        }
        None if asked.is_pending() => ("~ fetching".to_owned(), theme.warn),
        None if asked.value().is_none() => (
            facts
                .lack_of_feeds()
                .unwrap_or_else(|| "not fetched yet: R fetches".to_owned()),
            theme.dim,
        ),
        None => return,
    };
    section.text(Line::styled(words, style));
}

/// A block of the metadata (contract, part 2.8).
fn block(
    section: &mut Section<'static>,
    name: &'static str,
    release: &Field<ReleaseMetadata>,
    length: Option<u64>,
    theme: &Theme,
) {
    let instant = |value: &Timestamp| words::instant(*value);
    let Field::Is(release) = release else {
        return section.field(name, words::shown(release, theme, |_| String::new()));
    };
    let date = words::plain(&release.date, |date| match date {
        ReleaseDate::Day(day) => day.dashed(),
        ReleaseDate::Instant(at) => instant(at),
    });
    let mut place = words::shown(&release.location, theme, String::clone);
    place.push_span(Span::styled(format!("  {date}"), theme.dim));
    section.field(name, place);
    for (label, at) in [
        ("generated", &release.generated_at),
        ("available", &release.available_at),
    ] {
        section.field(label, words::shown(at, theme, instant));
    }
    section.field("filesize", filesize(&release.filesize, length, theme));
    for (key, value) in &release.extra {
        let value = match (value.as_str(), value.as_u64()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(count)) => words::number(count),
            (None, None) => value.to_string(),
        };
        section.field(visible(key).into_owned(), visible(&value).into_owned());
    }
}

/// The number as it was sent. It is shown as bytes only when the size matches the file.
fn filesize(said: &Field<u64>, length: Option<u64>, theme: &Theme) -> Line<'static> {
    let Field::Is(number) = said else {
        return words::shown(said, theme, |number| words::number(*number));
    };
    let note = match length {
        None => "the contract states no unit".to_owned(),
        Some(length) if length == *number => {
            format!("size matches the file ({})", words::bytes(length))
        }
        Some(length) => format!("the file has {} bytes", words::number(length)),
    };
    Line::from(vec![
        Span::raw(words::number(*number)),
        Span::styled(format!("  {note}"), theme.dim),
    ])
}

pub(super) fn warning(text: impl Into<Cow<'static, str>>, theme: &Theme) -> PageRow<'static> {
    PageRow::text(vec![
        Span::styled("! ", theme.warn),
        Span::styled(text, theme.warn),
    ])
}
