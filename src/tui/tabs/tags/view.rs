//! How the Tags tab looks: the list beside the metadata where there is room, else one of them.

mod empty;
pub mod list;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    TagsFocus, TagsTab,
    areas::{TagsAreas, Typing},
    case::TagCase,
    page::TagPage,
};
use crate::{
    model::{TagName, visible},
    tui::{
        ctx::{ViewCtx, failure},
        ui::{cells, spots::PaneId, theme::Focus, widgets::pane::Pane},
    },
};

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let parts = TagsAreas::of(area, tab.typing).zoomed(ctx.zoomed);
    if tab.typing == Some(Typing::Name) {
        tab.name.draw_behind(" tag", frame, parts.line, ctx.theme);
    }
    let listed = tab.listed(ctx.trail, ctx.evidence);
    if listed.is_empty() && tab.filter.is_empty() && !tab.only_changed {
        return empty::draw(frame, parts.list.union(parts.page), &tab.known, ctx);
    }
    if parts.beside() || tab.part == TagsFocus::List {
        ctx.spots.pane(parts.list, TagsFocus::List as PaneId);
        list::draw(frame, parts.list, tab, &listed, ctx);
    }
    if parts.beside() || tab.part == TagsFocus::Page {
        ctx.spots.pane(parts.page, TagsFocus::Page as PaneId);
        match tab.current(&listed) {
            Some(tag) => metadata(frame, parts.page, &tag, tab, ctx),
            None => {
                Pane::new("", Focus::Elsewhere).draw(frame, parts.page, ctx.theme);
            }
        }
    }
    if let Some((tags, picker)) = &tab.export {
        let title = match tags.as_slice() {
            [only] => format!("Export {} as", visible(only.as_str())),
            tags => format!("Export {} tags as", tags.len()),
        };
        picker.draw(frame, area, &title, ctx);
    }
}

fn metadata(frame: &mut Frame<'_>, area: Rect, tag: &TagName, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let focus = Focus::when(tab.part == TagsFocus::Page && tab.typing.is_none());
    let case = tab.cases.get(tag);
    let subject = TagPage {
        name: tag,
        case,
        known: &tab.known,
        seen: ctx.evidence.of(tag),
        facts: ctx.facts,
        now: ctx.now,
        ages: ctx.ages,
    };
    let sheet = subject.sheet(theme);
    let state = case.map_or(&tab.unasked, |case| &case.page);
    let room = area.width.saturating_sub(4);
    let pane = Pane::new(title(subject, room, ctx), focus);
    let inner = state.draw(frame, area, pane, sheet, ctx);
    if let Some(case) = case.filter(|case| case.live.value().is_some() || subject.local().is_some())
    {
        over_old_content(frame, inner, case, ctx);
    }
}

/// The tag, where its metadata is from and how old that is, and at last its name for people, where there is room for all of it: it is on the
/// page, too.
fn title<'a>(subject: TagPage<'_>, room: u16, ctx: &ViewCtx<'_>) -> Line<'a> {
    let theme = ctx.theme;
    let mut parts = vec![Span::raw(visible(subject.name.as_str()).into_owned())];
    let live = subject.case.and_then(|case| case.live.value());
    let local = subject.local();
    if let Some(fetched) = live {
        let age = match ctx.age(fetched.provenance.asked_at).as_str() {
            "now" => String::new(),
            age => format!(" {age} old"),
        };
        parts.push(Span::styled("  live", theme.badge));
        parts.push(Span::styled(age, theme.dim));
    } else if let Some(local) = local {
        parts.push(Span::styled("  local", theme.badge));
        parts.push(Span::styled(
            format!(" {}", local.moment.dashed()),
            theme.dim,
        ));
    }
    let is_pending = subject
        .case
        .is_some_and(|case| case.live.pending().is_some());
    if is_pending && (live.is_some() || local.is_some()) {
        parts.push(Span::styled("  ~ fetching live", theme.warn));
    }
    let tag = live.map(|fetched| &fetched.value);
    let tag = tag.or(local.map(|local| &local.tag.tag));
    if let Some(name) = tag.and_then(|tag| tag.name.text()) {
        let name = Span::raw(format!("  {}", visible(name)));
        let taken: u16 = parts.iter().map(|part| cells::width(&part.content)).sum();
        if taken.saturating_add(cells::width(&name.content)) <= room {
            parts.push(name);
        }
    }
    Line::from(parts)
}

/// While the service is asked, what was there stays; an answer that is older is dimmed. Why nothing came is in the last
/// line.
fn over_old_content(frame: &mut Frame<'_>, inner: Rect, case: &TagCase, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let is_old = case.live.pending().is_some() || case.live.error().is_some();
    if is_old && case.live.value().is_some() {
        frame.buffer_mut().set_style(inner, theme.stale);
    }
    if let Some(error) = case.live.error() {
        let what = match case.live.value() {
            Some(_) => "the last answer",
            None => "the local record",
        };
        let why = format!("x {}; this is {what}", visible(&error.message));
        failure::over_last_lines(frame, inner, &why, theme);
    }
}
