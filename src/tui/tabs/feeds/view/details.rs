//! A feed as a page: its transfer, its releases at the service, its local releases.

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
    contract::{Feed, Format, Freshness, catalog::RecordKind},
    model::visible,
    store::layout::Release,
    tui::{
        ctx::{
            ViewCtx,
            facts::Facts,
            jobs::{Job, JobState},
        },
        tabs::feeds::{
            FeedsTab,
            follow::{Follow, WindowState},
            known_feed::{KnownFeed, form_of},
        },
        ui::{
            glyphs,
            theme::{Focus, Theme},
            widgets::{
                page::{Page, PageRow, Section, SectionSide},
                pane::Pane,
            },
            words,
        },
    },
};

/// The number of releases that are shown in full; older ones are only listed.
const IN_FULL: usize = 1;

/// Draws what is known of the selected feed.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &FeedsTab,
    is_tall: bool,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    if area.is_empty() {
        return;
    }
    let known = tab.known(tab.selected(), ctx.jobs);
    let content = page(&known, tab, is_tall, ctx);
    let mut title = Line::raw(known.feed.name());
    let kind = format!("  {}", kind(known.feed.row().records));
    title.push_span(Span::styled(kind, ctx.theme.dim));
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

/// What the records of a feed are: its name alone says it to few.
fn kind(records: RecordKind) -> &'static str {
    match records {
        RecordKind::Context => "IP contexts",
        RecordKind::Ipv6Context => "IPv6 contexts, by network",
        RecordKind::Tags => "tags of services",
        RecordKind::Hosting => "datacenter hosting, by network",
        RecordKind::Geo => "geolocation of addresses",
    }
}

/// What is known of a feed, as a page.
fn page(known: &KnownFeed<'_>, tab: &FeedsTab, is_tall: bool, ctx: &ViewCtx<'_>) -> Page<'static> {
    let (theme, now) = (ctx.theme, ctx.now);
    let mut page = Page::new();
    if let Some(job) = known.job.filter(|job| shows(job)) {
        page.push(transfer::section(job, known, ctx.facts, theme));
    }
    let service = service::section(known, ctx.facts, theme);
    let health = health::section(known, tab.health.get(&known.feed), theme, now);
    // In one column the first lines are what a small screen shows: what is local, if anything is.
    let is_local = !known.here.is_empty() || !known.unusable.is_empty();
    if is_local {
        page.push(here(known, ctx.facts, is_tall, theme, now));
        page.push(health);
        page.push(service);
    } else {
        page.push(service);
        page.push(here(known, ctx.facts, is_tall, theme, now));
        page.push(health);
    }
    if let Some(follow) = tab.follow.as_ref().filter(|_| known.feed == Feed::Realtime) {
        page.push(windows(follow, theme));
    }
    page
}

fn windows(follow: &Follow, theme: &Theme) -> Section<'static> {
    let title = format!("Following since {}", follow.since().clock());
    let mut section = Section::new(title, SectionSide::Left);
    for (moment, state) in follow.windows() {
        let line = match state {
            WindowState::Gap => Line::styled("! gap: the service lists later ones", theme.warn),
            WindowState::Coming(_) => Line::styled("~ downloading", theme.dim),
            WindowState::Local => Line::raw("local"),
            WindowState::Failed(why) => Line::styled(format!("x {}", visible(why)), theme.bad),
        };
        section.push(PageRow::field(moment.dashed(), line));
    }
    section
}

/// Whether a job is still listed: a completed download shows as a local release.
fn shows(job: &Job) -> bool {
    !matches!(job.state, JobState::Done(_) | JobState::Cancelled)
}

fn here(
    known: &KnownFeed<'_>,
    facts: &Facts,
    is_tall: bool,
    theme: &Theme,
    now: Timestamp,
) -> Section<'static> {
    let mut section = Section::new("Local", SectionSide::Right);
    if known.here.is_empty() && known.unusable.is_empty() {
        let words = if facts.lack_of_feeds().is_none() {
            "nothing: p downloads the latest release"
        } else {
            "nothing"
        };
        section.push(PageRow::text(Line::styled(words, theme.dim)));
    }
    // On a tall screen the older ones stand in a table of their own.
    let listed = if is_tall { IN_FULL } else { usize::MAX };
    for (index, release) in known.here.iter().take(listed).enumerate() {
        section.push(PageRow::text(headline(release, known, theme, now)));
        if index < IN_FULL {
            in_full(&mut section, release, theme);
        }
    }
    for why in &known.unusable {
        section.push(warning(format!("not usable: {}", visible(why)), theme));
    }
    section
}

fn headline(
    release: &Release,
    known: &KnownFeed<'_>,
    theme: &Theme,
    now: Timestamp,
) -> Line<'static> {
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
    if manifest.pinned_by_hand {
        spans.push(Span::styled("  * pinned", theme.accent));
    } else if manifest.pinned {
        spans.push(Span::styled("  kept", theme.dim));
    } else if known.freshness(release, now) != Freshness::Current {
        spans.push(Span::styled("  older", theme.dim));
    }
    Line::from(spans)
}

fn in_full(section: &mut Section<'static>, release: &Release, theme: &Theme) {
    const PREFIX: usize = 16;
    let manifest = &release.manifest;
    let prefix: String = manifest.sha256.chars().take(PREFIX).collect();
    let pulled = words::instant(manifest.pulled_at);
    section.push(PageRow::field("day from", manifest.day_source.words()));
    section.push(PageRow::field("pulled", pulled));
    section.push(PageRow::field(
        "sha256",
        format!("{prefix}{}  (computed locally)", glyphs::ELLIPSIS),
    ));
    if form_of(release) == Format::Json {
        section.push(PageRow::field(
            "index",
            match &manifest.index {
                Some(index) => Line::raw(words::bytes(index.bytes)),
                None => Line::styled("none yet: built at first use", theme.dim),
            },
        ));
    }
}
