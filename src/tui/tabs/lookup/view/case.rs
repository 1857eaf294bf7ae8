//! How a case looks: its record, while it is asked for, and when it could not be answered.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::Endpoint,
    engine::{Area, answers::Age},
    model::visible,
    report::named_as_entry,
    tui::{
        ctx::{ViewCtx, failure, trail::TrailStop},
        tabs::lookup::{
            case::{LookupCase, aspect},
            free_answers::AnswerOrigin,
            record::{
                self,
                hints::{Hints, Room},
            },
        },
        ui::{
            theme::Focus,
            widgets::{
                page::{self, Page},
                pane::Pane,
            },
        },
    },
};

/// The title of a case: the address, and what was asked of it.
fn title<'a>(case: &LookupCase) -> Line<'a> {
    let mut parts = vec![Span::raw(case.query.address.to_string())];
    let aspect = aspect(&case.query);
    if !aspect.is_empty() {
        parts.push(Span::raw(format!(" {aspect}")));
    }
    Line::from(parts)
}

/// Where the answer comes from and how old it is: `LOCAL anonymous 2026-11-20, 9h old`.
pub(in crate::tui::tabs::lookup) fn source<'a>(case: &LookupCase, ctx: &ViewCtx<'_>) -> Line<'a> {
    let theme = ctx.theme;
    let Some(shown) = case.shown() else {
        return Line::default();
    };
    let (since, day) = (shown.since(), shown.day());
    let day = day.map_or_else(String::new, |day| format!(" {}", day.dashed()));
    let session = match shown.origin {
        AnswerOrigin::Live(_) if case.recalled => ", last session",
        _ => "",
    };
    let is_local = matches!(shown.origin, AnswerOrigin::Local(..));
    let old = match (is_local, ctx.age(since).as_str()) {
        (true, "now") if since.is_known => ", just generated".to_owned(),
        (true, "now") => ", just begun".to_owned(),
        (true, old) => format!(", {old} old"),
        (false, "now") => format!(", just now{session}"),
        (false, age) => format!(", asked {age} ago{session}"),
    };
    let source = if is_local {
        format!("LOCAL {}{day}", shown.source())
    } else {
        format!("{}{day}", shown.source().to_uppercase())
    };
    let mut parts = vec![
        Span::styled(source, theme.badge),
        Span::styled(old, theme.dim),
    ];
    if shown.age() == Age::Stale {
        parts.push(Span::styled(" stale", theme.warn));
    }
    Line::from(parts)
}

/// How much room there is inside a pane of this size.
fn room(area: Rect) -> Room {
    let inner = Pane::inner(area);
    if inner.width >= Page::TWO_TABLES && inner.height >= 24 {
        Room::Broad
    } else if inner.width >= Page::TWO_COLUMNS && inner.height >= 24 {
        Room::Wide
    } else {
        Room::Narrow
    }
}

/// Draws a case: its record, or what keeps it away.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    case: &LookupCase,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let pane = Pane::new(title(case), focus).source(source(case, ctx));
    let Some(shown) = case.shown() else {
        let inner = pane.draw(frame, area, theme);
        return waiting_or_failed(frame, inner, case, ctx);
    };
    let sheet = record::page(case, shown, room(area), hints, ctx);
    let inner = case.page.draw(frame, area, pane, sheet, ctx);
    // What is new or wrong is over the old content's first line, which stays.
    if case.live.pending().is_some() {
        let text = match shown.origin {
            AnswerOrigin::Live(_) => "~ asking the service; the last answer stays shown",
            _ => "~ asking the service; the local record stays shown",
        };
        let line = Line::styled(text, theme.warn);
        frame.render_widget(line.right_aligned(), inner);
        frame.buffer_mut().set_style(
            Rect {
                y: inner.y + 1,
                height: inner.height.saturating_sub(1),
                ..inner
            },
            theme.stale,
        );
    } else if let Some(error) = case.live.error() {
        let why = format!("x {}", visible(&error.message));
        failure::over_last_lines(frame, inner, &why, theme);
    }
}

fn waiting_or_failed(frame: &mut Frame<'_>, area: Rect, case: &LookupCase, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let lines = if case.live.pending().is_some() {
        let sent = ctx
            .trail
            .listed()
            .iter()
            .find(|(visit, _)| visit.stop == TrailStop::Address(case.query))
            .map(|(visit, _)| visit.at);
        let waited = sent.map_or(0, |at| ctx.now.duration_since(at).as_secs().max(0));
        let since = if waited > 0 {
            format!("  {waited} s")
        } else {
            String::new()
        };
        vec![
            Line::styled(format!("~ asking the service{since}"), theme.warn),
            Line::styled(
                "x or esc stops waiting; the query may have been counted by then",
                theme.dim,
            ),
        ]
    } else if case.at_hand.pending().is_some() {
        let text = "~ reading the local feeds and the cached answers";
        vec![Line::styled(text, theme.warn)]
    } else if let Some(error) = case.live.error() {
        let area = Area::of(&Endpoint::Context(case.query));
        let keys = match ctx.facts.lack_in_short() {
            Some(lack) if ctx.facts.offline => lack,
            Some(_) => "then R asks the service (1 query)",
            None => "R asks the service again (1 query)",
        };
        let mut lines = failure::lines("", error, "  ", keys, theme);
        lines.extend(failure::across(error, area, "  ", ctx.facts, theme));
        lines
    } else if let Some(reserved) = ctx.facts.admission.refuses(case.query.address) {
        let why = format!("x {}", reserved.why());
        vec![
            Line::styled(why, theme.warn),
            Line::styled(
                "The service answers for public addresses only: nothing is sent.",
                theme.dim,
            ),
        ]
    } else if case.live.was_stopped() {
        vec![
            Line::styled("x no longer waiting for the service", theme.warn),
            Line::styled("The query may have been counted.", theme.dim),
            ask("asks the service again: 1 query", ctx),
        ]
    } else {
        let named = named_as_entry(case.entry_of());
        let mut lines = vec![
            Line::raw("No local feed and no cached answer has a record of this address."),
            Line::styled("That does not mean that it is harmless.", theme.dim),
        ];
        lines.extend(named.map(|words| Line::styled(format!("It is {words}."), theme.warn)));
        lines.push(ask("asks the service: 1 query", ctx));
        lines
    };
    page::draw_lines(frame, area, lines, theme);
}

/// What `R` does, or why it does nothing now.
fn ask(does: &'static str, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    match ctx.facts.lack() {
        Some(lack) => Line::styled(lack, theme.dim),
        None => Line::from(vec![
            Span::styled("R ", theme.key),
            Span::styled(does, theme.text),
        ]),
    }
}
