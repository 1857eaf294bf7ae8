//! How the Tags tab looks: the list beside the metadata where there is room, else one of them.

mod empty;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{TagsFocus, TagsTab, page::TagPage};
use crate::{
    contract::cadence::old_day,
    model::visible,
    store::diff::ChangeKind,
    tui::{
        ctx::{ViewCtx, list::Rows},
        ui::{
            cells,
            spots::PaneId,
            theme::Focus,
            widgets::{
                bar::{BarLine, BarPart},
                pane::Pane,
            },
            words::number,
        },
    },
};

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let split = TagsTab::split(area).zoomed(ctx.zoomed);
    let has_rows = !tab.list.rows().is_empty() || tab.list.is_filtered() || tab.only_changed;
    if !has_rows {
        return empty::draw(frame, area, &tab.known, ctx);
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
}

fn focus(tab: &TagsTab, part: TagsFocus, ctx: &ViewCtx<'_>) -> Focus {
    Focus::when(tab.part == part && ctx.has_keys && !tab.list.is_typing())
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
    for own in unusable.into_iter().flatten() {
        bar = bar.left(BarPart::new(format!("! {} not counted", own.feed), 1));
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
    if let Some(under_way) = empty::download(ctx) {
        line.push_span(Span::styled(under_way, theme.warn));
    } else if let Some(error) = known.error() {
        let text = format!("x {}", visible(&error.message));
        line.push_span(Span::styled(text, theme.bad));
    } else if known.is_missing() {
        let text = format!("p {}", empty::offer(known, ctx));
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
