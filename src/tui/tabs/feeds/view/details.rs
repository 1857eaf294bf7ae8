//! A feed as a page: its transfer, its releases at the service, its local releases. On a tall and wide screen the local releases are a
//! table beside it.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{health, service, service::warning};
use crate::{
    contract::{Feed, Format, Freshness, catalog::RecordKind},
    engine::{Area, Stage, WantedRelease},
    model::visible,
    store::layout::Release,
    tui::{
        ctx::{Facts, Job, JobState, Question, ViewCtx, failure, meter},
        tabs::feeds::{
            FeedsTab,
            follow::{Follow, WindowState},
            known_feeds::{KnownFeed, form_word, kept_style, kept_word},
        },
        ui::{
            Column, Focus, Page, PageRow, PageState, Pane, Section, SectionSide, Theme, Width,
            glyphs, words,
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
    let known = tab.known.of(tab.selected(), ctx.jobs);
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
    // A completed download shows as a local release.
    let is_over = |job: &&Job| matches!(job.state, JobState::Done(_) | JobState::Cancelled);
    if let Some(job) = known.job.filter(|job| !is_over(job)) {
        page.push(transfer(job, known, ctx.facts, theme));
    }
    let service = service::section(known, ctx.facts, theme);
    let health = health::section(known, tab.known.health(known.feed), theme, now);
    let local = local(known, ctx.facts, is_tall, theme, now);
    // In one column the first lines are what a small screen shows: what is local, if anything is.
    let sections = if known.is_absent() {
        [service, local, health]
    } else {
        [local, health, service]
    };
    for section in sections {
        page.push(section);
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
        section.field(moment.dashed(), line);
    }
    section
}

fn local(
    known: &KnownFeed<'_>,
    facts: &Facts,
    is_tall: bool,
    theme: &Theme,
    now: Timestamp,
) -> Section<'static> {
    let mut section = Section::new("Local", SectionSide::Right);
    if known.is_absent() {
        let words = if facts.lack_of_feeds().is_none() {
            "nothing: p downloads the latest release"
        } else {
            "nothing"
        };
        section.text(Line::styled(words, theme.dim));
    }
    // On a tall screen the older ones stand in a table of their own.
    let listed = if is_tall { IN_FULL } else { usize::MAX };
    for (index, release) in known.here.iter().take(listed).enumerate() {
        section.text(headline(release, known, theme, now));
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
    let (form, moment) = (form_word(manifest), manifest.moment.dashed());
    let mut words = format!("{moment}  {form}  {}", words::bytes(manifest.bytes));
    if let Some(records) = manifest.records {
        words += &format!("  {} records", words::number(records));
    }
    let kept = match kept_word(manifest) {
        "" if known.freshness(release, now) != Freshness::Current => "older",
        kept => kept,
    };
    let kept = Span::styled(format!("  {kept}"), kept_style(kept, theme));
    Line::from(vec![Span::raw(words), kept])
}

fn in_full(section: &mut Section<'static>, release: &Release, theme: &Theme) {
    const PREFIX: usize = 16;
    let manifest = &release.manifest;
    let prefix: String = manifest.sha256.chars().take(PREFIX).collect();
    let pulled = words::instant(manifest.pulled_at);
    section.field("day from", manifest.day_source.words());
    section.field("pulled", pulled);
    section.field(
        "sha256",
        format!("{prefix}{}  (computed locally)", glyphs::ELLIPSIS),
    );
    if release.manifest.form() == Format::Json {
        section.field(
            "index",
            match &manifest.index {
                Some(index) => Line::raw(words::bytes(index.bytes)),
                None => Line::styled("none yet: built at first use", theme.dim),
            },
        );
    }
}

/// How far a download is and what can be done with it.
fn transfer(job: &Job, known: &KnownFeed<'_>, facts: &Facts, theme: &Theme) -> Section<'static> {
    const GAUGE: u16 = 44;
    let mut section = Section::new(format!("Transfer  {}", job.label), SectionSide::Right);
    if let JobState::Failed(error) = &job.state {
        let received = job.progress.is_some_and(|progress| progress.done > 0);
        let keys = if received || known.part.is_some() {
            "z resumes, p starts over"
        } else {
            "p tries again"
        };
        section.extend(failure::lines("", error, "", keys, theme));
        section.extend(failure::across(error, area_of(job), "", facts, theme));
        return section;
    }
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let part = job.percent().map(|percent| percent as f64 / 100.0);
    let keys = if job.state == JobState::Paused {
        "paused: z resumes, x stops: keep or delete the received part"
    } else {
        "z pauses, x stops: keep or delete the received part"
    };
    let gauge = meter::gauge(part, GAUGE, theme);
    section.text(Line::styled(gauge, theme.accent));
    section.text(meter::words(job));
    section.text(phase_line(job, theme));
    if let Some(dir) = &known.part_dir {
        let dir = visible(&dir.display().to_string()).into_owned();
        section.text(Line::styled(format!("in {dir}"), theme.dim));
    }
    section.text(Line::styled(keys, theme.dim));
    section
}

/// The right that a download needs.
fn area_of(job: &Job) -> Area {
    match &job.question {
        Question::Pull(query) if query.feed == Feed::Realtime => Area::Realtime,
        Question::Pull(query) if query.wanted != WantedRelease::Latest => Area::FeedHistory,
        _ => Area::Feeds,
    }
}

/// The phases of a download with the present one marked.
fn phase_line(job: &Job, theme: &Theme) -> Line<'static> {
    const PHASES: [Stage; 5] = [
        Stage::Asking,
        Stage::Downloading,
        Stage::Verifying,
        Stage::Indexing,
        Stage::Publishing,
    ];
    let stage = job
        .progress
        .map_or(Stage::Asking, |progress| progress.stage);
    // What an earlier run had is read again before more of it comes.
    let now = if stage == Stage::Replaying {
        Stage::Downloading
    } else {
        stage
    };
    let mut spans = Vec::new();
    // To ask takes a moment: there is no room for it afterwards.
    let past = |phase: &Stage| *phase == Stage::Asking && now != Stage::Asking;
    for phase in PHASES.into_iter().filter(|phase| !past(phase)) {
        if !spans.is_empty() {
            spans.push(Span::styled(" > ", theme.dim));
        }
        spans.push(if phase == now {
            Span::styled(format!("[{}]", stage.word()), theme.accent)
        } else {
            Span::styled(phase.word(), theme.dim)
        });
    }
    Line::from(spans)
}

/// Draws the local releases of a feed.
pub(super) fn draw_releases(
    frame: &mut Frame<'_>,
    area: Rect,
    known: &KnownFeed<'_>,
    ctx: &ViewCtx<'_>,
) {
    if area.is_empty() {
        return;
    }
    let theme = ctx.theme;
    let title = format!("{}  local releases", known.feed);
    let pane = Pane::new(title, Focus::Elsewhere).hint("d lists the days of the service");
    let columns = vec![
        Column::new("RELEASE", Width::Min(10)),
        Column::new("FORM", Width::Fixed(4)),
        Column::new("SIZE", Width::Min(9)).right(),
        Column::new("RECORDS", Width::Min(7)).right(),
        Column::new("CHANGE", Width::Min(7)).right().rank(1),
        Column::new("INDEX", Width::Min(9)).right().rank(2),
        Column::new("", Width::Fixed(8)),
    ];
    let mut section: Section<'static> = Section::new("", SectionSide::Both).columns(columns);
    for (at, release) in known.here.iter().enumerate() {
        let form = release.manifest.form();
        let older = known.here.get(at + 1..).unwrap_or_default();
        let before = older.iter().find(|release| release.manifest.form() == form);
        section.push(release_row(release, before.copied(), theme));
    }
    if known.here.is_empty() {
        section.text(Line::styled("nothing is local", theme.dim));
    }
    let releases = Page::new().with(section);
    releases.draw_in(frame, area, pane, &PageState::default(), theme);
}

fn release_row(release: &Release, before: Option<&Release>, theme: &Theme) -> PageRow<'static> {
    let manifest = &release.manifest;
    let or_dash =
        |text: Option<String>| text.map_or_else(|| Line::styled("-", theme.dim), Line::raw);
    let index = manifest.index.as_ref();
    let index = index.map(|index| words::bytes(index.bytes));
    let before = before.and_then(|before| before.manifest.records);
    let change = manifest.records.zip(before).map(|(now, then)| {
        let sign = if now < then { '-' } else { '+' };
        format!("{sign}{}", words::number(now.abs_diff(then)))
    });
    let kept = kept_word(manifest);
    PageRow::cells(vec![
        Line::raw(manifest.moment.dashed()),
        Line::raw(form_word(manifest)),
        Line::raw(words::bytes(manifest.bytes)),
        or_dash(manifest.records.map(words::number)),
        or_dash(change),
        or_dash(index),
        Line::styled(kept, kept_style(kept, theme)),
    ])
}
