//! How the Tags tab looks: the list beside the metadata where there is room, else one of them.

pub mod list;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    Part, TagsTab,
    case::Case,
    page::Subject,
    parts::{Parts, Typing},
};
use crate::{
    model::{TagName, visible},
    tui::{
        ctx::{ViewCtx, failure},
        ui::{
            theme::Focus,
            widgets::{page, pane::Pane},
            words,
        },
    },
};

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let parts = Parts::of(area, tab.typing).zoomed(ctx.zoomed);
    if tab.typing == Some(Typing::Name) {
        tab.name.draw_behind(" tag", frame, parts.line, ctx.theme);
    }
    let listed = tab.listed(ctx.trail, ctx.evidence);
    if listed.is_empty() && tab.filter.is_empty() {
        return empty(frame, parts.list.union(parts.page), ctx);
    }
    if parts.beside() || tab.part == Part::List {
        list::draw(frame, parts.list, tab, &listed, ctx);
    }
    if parts.beside() || tab.part == Part::Page {
        match tab.current(&listed) {
            Some(tag) => metadata(frame, parts.page, &tag, tab, ctx),
            None => {
                Pane::new("", Focus::Elsewhere).draw(frame, parts.page, ctx.theme);
            }
        }
    }
}

/// How tags come here.
fn empty(frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let inner = Pane::new("Tags", Focus::Here).draw(frame, area, theme);
    let key = |key: &'static str, does: &'static str| {
        Line::from(vec![
            Span::styled(format!("  {key:<7}"), theme.key),
            Span::raw(does),
        ])
    };
    let lines = [
        Line::raw("No tag is known yet. A tag names a service that anonymizes, such as ACME_VPN."),
        Line::default(),
        key(
            "i",
            "types the name of a tag and asks the service for its metadata",
        ),
        key(
            "enter",
            "in Lookup, on an operator or a callback proxy, comes here",
        ),
        Line::default(),
        match ctx.facts.lack() {
            Some(lack) => Line::styled(lack, theme.warn),
            None => Line::styled("Asking for metadata costs no query.", theme.dim),
        },
    ];
    page::draw_lines(frame, inner, lines, theme);
}

fn metadata(frame: &mut Frame<'_>, area: Rect, tag: &TagName, tab: &TagsTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let focus = Focus::when(tab.part == Part::Page && tab.typing.is_none());
    let case = tab.cases.get(tag);
    let subject = Subject {
        name: tag,
        case,
        seen: ctx.evidence.of(tag),
        facts: ctx.facts,
    };
    let sheet = subject.sheet(theme);
    let state = case.map_or(&tab.unasked, |case| &case.page);
    let pane = Pane::new(title(tag, case, ctx), focus);
    let inner = state.draw(frame, area, pane, sheet, theme);
    if let Some(case) = case.filter(|case| case.live.value().is_some()) {
        over_old_content(frame, inner, case, ctx);
    }
}

/// The tag, where its metadata is from and how old that is, and at last, as it may be cut, its name for people.
fn title<'a>(tag: &TagName, case: Option<&Case>, ctx: &ViewCtx<'_>) -> Line<'a> {
    let theme = ctx.theme;
    let mut parts = vec![Span::raw(visible(tag.as_str()).into_owned())];
    if let Some(case) = case
        && let Some(fetched) = case.live.value()
    {
        let age = match words::age(fetched.provenance.asked_at, ctx.now).as_str() {
            "now" => String::new(),
            age => format!(" asked {age} ago"),
        };
        parts.push(Span::styled("  live", theme.badge));
        parts.push(Span::styled(age, theme.dim));
        if case.live.pending().is_some() {
            parts.push(Span::styled("  ~ asking again", theme.warn));
        }
        if let Some(name) = fetched.value.name.text() {
            parts.push(Span::raw(format!("  {}", visible(name))));
        }
    }
    Line::from(parts)
}

/// While the service is asked again, and after that failed, the last answer stays, dimmed; what went wrong stands in
/// the last line.
fn over_old_content(frame: &mut Frame<'_>, inner: Rect, case: &Case, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    if case.live.pending().is_some() || case.live.error().is_some() {
        frame.buffer_mut().set_style(inner, theme.stale);
    }
    if let Some(error) = case.live.error() {
        let why = format!("x {}; this is the last answer", visible(&error.message));
        failure::over_last_line(frame, inner, &why, theme);
    }
}
