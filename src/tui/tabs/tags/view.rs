//! How the Tags tab looks: the list beside the metadata where there is room, else one of them.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{TagsFocus, TagsTab, known_tags::KnownTags, page::TagPage};
use crate::{
    contract::{Feed, cadence::old_day},
    engine::Area,
    model::visible,
    store::diff::ChangeKind,
    tui::{
        ctx::{Rows, ViewCtx, failure, meter},
        ui::{
            BarLine, BarPart, Focus, Pane, PaneId, cells,
            widgets::page::{draw_lines, text_width},
            words::{bytes, number},
        },
    },
};

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &TagsTab, ctx: &ViewCtx<'_>) -> Rect {
    let split = TagsTab::split(area).zoomed(ctx.zoomed);
    let has_rows = !tab.list.rows().is_empty() || tab.list.is_filtered() || tab.only_changed;
    if !has_rows {
        draw_empty(frame, area, &tab.known, ctx);
        return area;
    }
    if split.is_beside() || tab.part == TagsFocus::List {
        ctx.spots.pane(split.left, TagsFocus::List as PaneId);
        let pane = Pane::new(list_title(tab, ctx), focus(tab, TagsFocus::List, ctx));
        let room = split.left.width.saturating_sub(4);
        let pane = pane.hint(list_hint(tab, ctx).line(room));
        let legend = legend(tab, ctx);
        tab.list.draw_in(frame, split.left, pane, legend, ctx);
    }
    if split.is_beside() || tab.part == TagsFocus::Page {
        ctx.spots.pane(split.right, TagsFocus::Page as PaneId);
        page(frame, split.right, tab, ctx);
    }
    split.right
}

fn focus(tab: &TagsTab, part: TagsFocus, ctx: &ViewCtx<'_>) -> Focus {
    Focus::when(tab.part == part && !ctx.is_covered && !tab.list.is_typing())
}

/// How many tags, of which feed and day, and whether that is old.
fn list_title(tab: &TagsTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    let mut title = format!("Tags {}", number(tab.list.rows().len() as u64));
    if tab.only_changed {
        title.push_str(" changed");
    }
    if !tab.list.marks().is_empty() {
        title.push_str(&format!("  {} marked", tab.list.marks().len()));
    }
    let mut parts = vec![Span::raw(title)];
    let Some(list) = tab.known.list() else {
        return Line::from(parts);
    };
    let manifest = &list.release.manifest;
    let (moment, generation) = (manifest.moment, manifest.generation());
    let day = format!("  service-metrics {} ", moment.dashed());
    parts.push(Span::styled(day, theme.dim));
    parts.push(Span::styled("local", theme.badge));
    if let Some(days) = old_day(generation.at, ctx.now) {
        let mark = if generation.is_known { "" } else { "~" };
        let words = format!("  ! {mark}{days} days old");
        parts.push(Span::styled(words, theme.warn));
    }
    if tab.known.is_reading() {
        parts.push(Span::styled("  ~", theme.warn));
    }
    Line::from(parts)
}

/// What could not be counted, the range, and of which feed and day the addresses are; keys give way first.
fn list_hint(tab: &TagsTab, ctx: &ViewCtx<'_>) -> BarLine<'static> {
    let mut bar = BarLine::new();
    if tab.list.rows().is_empty() {
        return bar;
    }
    let unusable = tab.known.counts().map(|counts| &counts.unusable);
    for feed in unusable.into_iter().flatten() {
        bar = bar.left(BarPart::new(format!("! {} not counted", feed.feed), 1));
    }
    if !tab.list.marks().is_empty() {
        bar = bar.left(BarPart::new("E export marked", 4));
    }
    bar = tab.list.hints(bar);
    if let Some(counts) = tab.known.counted() {
        let (day, old) = (counts.moment.dashed(), ctx.age(counts.generated));
        let words = format!("LOCAL: {} {day}, {old} old", counts.feed);
        bar = bar.left(BarPart::new(words, 2));
    }
    bar
}

/// What changed since the release before, what the signs mean, of which feed the addresses are; else what is missing.
fn legend(tab: &TagsTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let (theme, known) = (ctx.theme, &tab.known);
    let mut line = Line::default();
    if let Some(under_way) = download(ctx) {
        line.push_span(Span::styled(under_way, theme.warn));
    } else if let Some(error) = known.error() {
        let text = format!("x {}", visible(&error.message));
        line.push_span(Span::styled(text, theme.bad));
    } else if known.is_missing() {
        let text = format!("p {}", offer(known, ctx));
        line.push_span(Span::styled(text, theme.warn));
    } else if let Some(changes) = known.changes() {
        let count = |(kind, word)| match changes.count(kind) {
            0 => String::new(),
            count => format!("  {count} {word}"),
        };
        let counts = [
            (ChangeKind::Added, "added"),
            (ChangeKind::Removed, "removed"),
            (ChangeKind::Changed, "changed"),
        ];
        let counts = match counts.map(count).concat() {
            none if none.is_empty() => "  no change".to_owned(),
            counts => counts + " (c)",
        };
        let text = format!("since {}:{counts}", changes.since.dashed());
        line.push_span(Span::styled(text, theme.dim));
    }
    let rows = tab.list.rows();
    let seen = (0..rows.len()).filter_map(|at| rows.row(at));
    let seen = seen.filter(|row| row.only_seen).count();
    if seen > 0 {
        let gap = if line.spans.is_empty() { "" } else { "   " };
        let text = format!("{gap}+ {seen} seen in lookups only");
        line.push_span(Span::styled(text, theme.dim));
    }
    line
}

fn page(frame: &mut Frame<'_>, area: Rect, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let Some((name, case)) = tab.selected_case() else {
        Pane::new("", Focus::Elsewhere).draw(frame, area, ctx.theme);
        return;
    };
    let subject = TagPage {
        name,
        case,
        known: &tab.known,
        ctx,
    };
    let room = area.width.saturating_sub(4);
    let pane = Pane::new(page_title(subject, room), focus(tab, TagsFocus::Page, ctx));
    let inner = case.page.draw(frame, area, pane, subject.sheet(), ctx);
    if case.tag().is_some() || subject.local().is_some() {
        case.live.draw_over(frame, inner, "the local record", ctx);
    }
}

/// The tag, where its metadata is from and how old that is, and at last its name for people, where there is room for all of it: it is on the
/// page, too.
fn page_title(subject: TagPage<'_>, room: u16) -> Line<'static> {
    let TagPage {
        name, case, ctx, ..
    } = subject;
    let theme = ctx.theme;
    let mut line = Line::raw(visible(name.as_str()).into_owned());
    let local = subject.local();
    if let Some(fetched) = case.live.value() {
        let age = match ctx.age(fetched.provenance.asked_at).as_str() {
            "now" => String::new(),
            age => format!(" {age} old"),
        };
        line.push_span(Span::styled("  live", theme.badge));
        line.push_span(Span::styled(age, theme.dim));
    } else if let Some(local) = local {
        let day = format!(" {}", local.moment.dashed());
        line.push_span(Span::styled("  local", theme.badge));
        line.push_span(Span::styled(day, theme.dim));
    }
    let tag = case.tag().or(local.map(|local| &local.tag.tag));
    if tag.is_some() && case.live.is_pending() {
        line.push_span(Span::styled("  ~ fetching live", theme.warn));
    }
    if let Some(name) = tag.and_then(|tag| tag.name.text()) {
        let name = format!("  {}", visible(name));
        if cells::line_width(&line).saturating_add(cells::width(&name)) <= room {
            line.push_span(name);
        }
    }
    line
}

/// What is shown in place of the list while there is no tag: what is missing, and how to get it.
fn draw_empty(frame: &mut Frame<'_>, area: Rect, known: &KnownTags, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let inner = Pane::new("Tags", Focus::Here).draw(frame, area, theme);
    if known.is_reading() && known.error().is_none() {
        let line = Line::styled("~ reading the local service-metrics feed", theme.warn);
        return draw_lines(frame, inner, [line], theme);
    }
    let key = |key: &str, does: String| {
        let head = Line::styled(format!("  {key:<7}"), theme.key);
        cells::hang(head, Line::raw(does), text_width(inner))
    };
    let mut lines = Vec::new();
    if let Some(error) = known.error() {
        let text = format!("x {}", visible(&error.message));
        lines.push(Line::styled(text, theme.bad));
        let hint = failure::hint(error).into_iter();
        lines.extend(hint.map(|hint| Line::styled(visible(&hint).into_owned(), theme.dim)));
    } else {
        let text = "The list of tags is the service-metrics feed, which is not local.";
        lines.push(Line::raw(text));
    }
    lines.push(Line::default());
    match download(ctx) {
        Some(under_way) => lines.push(Line::styled(under_way, theme.warn)),
        None => lines.extend(key("p", offer(known, ctx))),
    }
    let types = "types a tag and fetches its metadata: free, no query";
    lines.extend(key("i", types.to_owned()));
    let comes = "in Lookup, on an operator or a callback proxy, comes here";
    lines.extend(key("enter", comes.to_owned()));
    lines.push(Line::default());
    if ctx.facts.lack_of_feeds().is_some() {
        let unset = || "feeds_url is not set: nothing can be downloaded".to_owned();
        let lack = ctx.facts.lack().unwrap_or_else(unset);
        lines.push(Line::styled(lack, theme.warn));
    }
    draw_lines(frame, inner, lines, theme);
}

/// What one key gets, and how large that is; else why it was refused.
fn offer(known: &KnownTags, ctx: &ViewCtx<'_>) -> String {
    if let Some(why) = ctx.facts.refusal(Area::Feeds) {
        return format!("tries again to download service-metrics ({why})");
    }
    let size = known.size();
    let size = size.map_or_else(String::new, |size| format!(" ({})", bytes(size)));
    format!("downloads service-metrics{size}: free, no query")
}

/// How far the download of the feed is, while it is under way.
fn download(ctx: &ViewCtx<'_>) -> Option<String> {
    let job = ctx.jobs.running_pull(Feed::ServiceMetrics)?;
    let progress = meter::words(job);
    Some(format!("~ downloading service-metrics  {progress}"))
}
