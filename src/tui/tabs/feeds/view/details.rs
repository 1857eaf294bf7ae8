//! What is known of a feed, as a page: its transfer, its releases at the service, its releases here.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    health,
    service::{self, warning},
    transfer,
};
use crate::{
    contract::{Feed, Format, Freshness},
    model::visible,
    store::layout::Release,
    tui::{
        ctx::{
            ViewCtx,
            jobs::{Job, JobState},
        },
        tabs::feeds::{
            FeedsTab,
            follow::{Follow, State},
            known::{Known, form_of},
        },
        ui::{
            glyphs,
            theme::{Focus, Theme},
            widgets::{
                page::{Page, Row, Section, Side},
                pane::Pane,
            },
            words,
        },
    },
};

/// Releases of which the page shows all it knows; of older ones, that they are here.
const IN_FULL: usize = 1;

/// Draws what is known of the selected feed.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &FeedsTab,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    if area.is_empty() {
        return;
    }
    let known = tab.known(tab.selected(), ctx.jobs);
    let content = page(&known, tab, ctx);
    let mut title = Line::raw(known.feed.name());
    let maturity = known.feed.row().maturity.word();
    if !maturity.is_empty() {
        title.push_span(Span::styled(format!("  {maturity}"), ctx.theme.dim));
    }
    content.draw_in(
        frame,
        area,
        Pane::new(title, focus),
        &tab.details,
        ctx.theme,
    );
}

/// What is known of a feed, as a page.
fn page(known: &Known<'_>, tab: &FeedsTab, ctx: &ViewCtx<'_>) -> Page<'static, ()> {
    let (theme, now) = (ctx.theme, ctx.now);
    let mut page = Page::new();
    if let Some(job) = known.job.filter(|job| shows(job)) {
        page.push(transfer::section(job, known, ctx.facts, theme));
    }
    page.push(service::section(known, ctx.facts, theme));
    page.push(here(known, theme, now));
    page.push(health::section(
        known,
        tab.health.get(&known.feed),
        theme,
        now,
    ));
    if let Some(follow) = tab.follow.as_ref().filter(|_| known.feed == Feed::Realtime) {
        page.push(windows(follow, theme));
    }
    page
}

/// The windows that were followed.
fn windows(follow: &Follow, theme: &Theme) -> Section<'static, ()> {
    let title = format!("Following since {}Z", follow.since().hhmm());
    let mut section = Section::new(title, Side::Left);
    for (moment, state) in follow.windows() {
        let line = match state {
            State::Gap => Line::styled("! gap: the service lists later ones", theme.warn),
            State::Coming(_) => Line::styled("~ downloading", theme.dim),
            State::Local => Line::raw("local"),
            State::Failed(why) => Line::styled(format!("x {}", visible(why)), theme.bad),
        };
        section.push(Row::field(moment.dashed(), line));
    }
    section
}

/// Whether a job is still worth a place: a download that ended well speaks through what is here.
fn shows(job: &Job) -> bool {
    !matches!(job.state, JobState::Done(_) | JobState::Cancelled)
}

/// What is local.
fn here(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Section<'static, ()> {
    let mut section = Section::new("Local", Side::Right);
    if known.here.is_empty() && known.unusable.is_empty() {
        section.push(Row::text(Line::styled(
            "nothing: p downloads the latest release",
            theme.dim,
        )));
    }
    for (index, release) in known.here.iter().enumerate() {
        section.push(Row::text(headline(release, known, theme, now)));
        if index < IN_FULL {
            in_full(&mut section, release, theme);
        }
    }
    for why in &known.unusable {
        section.push(warning(format!("not usable: {}", visible(why)), theme));
    }
    section
}

fn headline(release: &Release, known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let manifest = &release.manifest;
    let form = match form_of(release) {
        Format::Json => "JSON",
        Format::Mmdb => "MMDB",
    };
    let mut spans = vec![
        Span::raw(format!("{}  {form}", manifest.moment.dashed())),
        Span::raw(format!("  {}", words::bytes(manifest.bytes))),
    ];
    if let Some(records) = manifest.records {
        spans.push(Span::raw(format!("  {} records", words::number(records))));
    }
    if manifest.pinned {
        spans.push(Span::styled("  * pinned", theme.accent));
    } else if known.freshness(release, now) != Freshness::Current {
        spans.push(Span::styled("  older", theme.dim));
    }
    Line::from(spans)
}

fn in_full(section: &mut Section<'static, ()>, release: &Release, theme: &Theme) {
    const PREFIX: usize = 16;
    let manifest = &release.manifest;
    let prefix: String = manifest.sha256.chars().take(PREFIX).collect();
    let pulled = manifest
        .pulled_at
        .strftime("%Y-%m-%d %H:%M:%SZ")
        .to_string();
    section.push(Row::field("day from", manifest.day_source.words()));
    section.push(Row::field("pulled", pulled));
    section.push(Row::field(
        "sha256",
        format!("{prefix}{}  (computed locally)", glyphs::ELLIPSIS),
    ));
    if form_of(release) == Format::Json {
        section.push(Row::field(
            "index",
            match &manifest.index {
                Some(index) => Line::raw(words::bytes(index.bytes)),
                None => Line::styled("none yet: built when it is first used", theme.dim),
            },
        ));
    }
}
