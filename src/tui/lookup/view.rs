//! How the Lookup tab looks: the address line, the trail beside the record, and what takes the record's place.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{
    Choosing, LookupTab, Part,
    case::{Case, Mark, aspect, mark_of},
    record,
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::Error,
    model::{compare::Change, parse_address},
    tui::{
        app::Look,
        cells,
        theme::Focus,
        trail::{Depth, Stop, Visit},
        widgets::{
            bar::{Bar, Part as BarPart},
            columns::{Column, Width},
            page::{Page, PageState, Row, Section, Side},
            pane::Pane,
            table,
        },
        words,
    },
};

/// The parts of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The address line.
    pub line: Rect,
    /// The trail; empty where there is no room for it.
    pub trail: Rect,
    /// The record.
    pub page: Rect,
}

impl Parts {
    /// Width of the trail beside the record.
    const TRAIL: u16 = 34;

    /// The parts of an area.
    #[must_use]
    pub fn of(body: Rect) -> Self {
        let [line, rest] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(body);
        let width = if LookupTab::is_wide(body) {
            Self::TRAIL
        } else {
            0
        };
        let [trail, page] =
            Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(rest);
        Self { line, trail, page }
    }

    /// Rows of the trail that can be seen, whether it stands beside the record or over it.
    #[must_use]
    pub fn trail_rows(&self) -> usize {
        let area = if self.trail.width == 0 {
            self.page
        } else {
            self.trail
        };
        usize::from(Pane::inner(area).height)
    }
}

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>) {
    let mut parts = Parts::of(area);
    if look.zoomed {
        (parts.trail.width, parts.page) = (0, parts.page.union(parts.trail));
    }
    address_line(frame, parts.line, tab, look);
    let trail_on_top = parts.trail.width == 0 && tab.part == Part::Trail;
    if parts.trail.width > 0 || trail_on_top {
        trail(
            frame,
            if trail_on_top {
                parts.page
            } else {
                parts.trail
            },
            tab,
            look,
        );
    }
    if !trail_on_top {
        main_part(frame, parts.page, tab, look);
    }
    if let Some((choosing, calendar)) = &tab.calendar {
        let title = match choosing {
            Choosing::Date => "Day of lookups",
            Choosing::Comparison => "Compare with (a day not known yet costs 1 query)",
        };
        calendar.draw(frame, area, look.theme, title);
    }
}

fn main_part(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>) {
    let focus = Focus::when(tab.part == Part::Page);
    if let Some(raw) = &tab.raw {
        let name = tab
            .here
            .map_or_else(String::new, |query| query.address.to_string());
        raw.draw(frame, area, &name, look.theme, focus);
    } else if tab.compare.is_some() {
        comparison(frame, area, tab, look, focus);
    } else if let Some(case) = tab.case() {
        case_view(frame, area, case, look, focus);
    } else {
        super::super::welcome::draw(frame, area, tab.examples, look, focus);
    }
}

fn address_line(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>) {
    let theme = look.theme;
    let typing = Focus::when(tab.part == Part::Field);
    let date = tab
        .date
        .map_or_else(|| "today".to_owned(), |day| day.to_string());
    let label = |name: &'static str, value: String, loud: bool| {
        let style = if loud { theme.accent } else { theme.text };
        Line::from(vec![
            Span::styled(name, theme.dim),
            Span::styled(value, style),
        ])
    };
    let bar = Bar::new()
        .right(BarPart::new(label("date ", date, tab.date.is_some()), 1))
        .right(BarPart::new(
            label(
                "geo ",
                tab.geolocation.word().to_owned(),
                tab.geolocation == Geolocation::Mmgeo,
            ),
            2,
        ))
        .right(BarPart::new(label("", cost(tab, look), false), 3))
        .right(BarPart::new(Line::raw(""), 0));
    let room = area.width.saturating_sub(46);
    let facts = bar.line(room);
    let [mark, field, right] = Layout::horizontal([
        Constraint::Length(3),
        Constraint::Min(10),
        Constraint::Length(cells::line_width(&facts)),
    ])
    .areas(area);
    let style = if typing.is_here() {
        theme.accent
    } else {
        theme.dim
    };
    frame.render_widget(Line::styled(" >", style), mark);
    tab.field.draw(frame, field, theme, typing);
    frame.render_widget(facts, right);
}

/// What sending what is typed would cost.
fn cost(tab: &LookupTab, look: &Look<'_>) -> String {
    let Ok(address) = parse_address(tab.field.value()) else {
        return "a lookup costs 1".to_owned();
    };
    if let Some(reserved) = look.facts.admission.refuses(address) {
        return format!("not sent: {}", reserved.word());
    }
    let known = tab
        .of(tab.query_for(address))
        .is_some_and(|case| case.live.value().is_some());
    if known {
        "known here: costs 0".to_owned()
    } else {
        "costs 1 query".to_owned()
    }
}

fn trail(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>) {
    let theme = look.theme;
    let focus = Focus::when(tab.part == Part::Trail);
    let listed = look.trail.listed();
    let count = if listed.is_empty() {
        String::new()
    } else {
        format!("{}", listed.len())
    };
    let inner = Pane::new("Trail", focus)
        .hint(count)
        .draw(frame, area, theme);
    if listed.is_empty() {
        frame.render_widget(
            Line::styled("what you look up stands here", theme.dim),
            inner,
        );
        return;
    }
    let selected = tab.trail.selected(listed.len()).filter(|_| focus.is_here());
    let window = tab.trail.window(listed.len(), usize::from(inner.height));
    for (line, index) in window.clone().enumerate() {
        let (visit, depth) = &listed[index];
        let place = Rect {
            y: inner.y + u16::try_from(line).unwrap_or(0),
            height: 1,
            ..inner
        };
        let here = look.trail.here() == Some(&visit.stop);
        frame.render_widget(
            stop_line(visit, *depth, here, tab, look, place.width),
            place,
        );
        if selected == Some(index) {
            frame.buffer_mut().set_style(place, theme.row(focus));
        }
    }
}

fn stop_line<'a>(
    visit: &Visit,
    depth: Depth,
    here: bool,
    tab: &LookupTab,
    look: &Look<'_>,
    width: u16,
) -> Line<'a> {
    let theme = look.theme;
    let arrow = if here { ">" } else { " " };
    let (sign, style, name, note) = match &visit.stop {
        Stop::Address(query) => {
            let mark = tab.of(*query).map_or(Mark::NotAsked, Case::mark);
            let pin = if look.trail.is_pinned(query.address) {
                "*"
            } else {
                ""
            };
            (
                mark.sign(),
                mark_style(mark, look),
                format!("{}{pin}", query.address),
                aspect(query),
            )
        }
        Stop::Tag(tag) => ('t', theme.accent, tag.to_string(), String::new()),
    };
    let indent = if depth == Depth::Child { "  " } else { "" };
    let left = Line::from(vec![
        Span::styled(arrow, theme.accent),
        Span::raw(indent),
        Span::styled(format!("{sign} "), style),
        Span::raw(name),
    ]);
    let age = Line::from(vec![
        Span::styled(note, theme.dim),
        Span::styled(format!(" {}", words::age(visit.at, look.now)), theme.dim),
    ]);
    Bar::new()
        .left(BarPart::new(left, 0))
        .right(BarPart::new(age, 1))
        .line(width)
}

fn mark_style(mark: Mark, look: &Look<'_>) -> ratatui::style::Style {
    match mark {
        Mark::Observed | Mark::Failed => look.theme.bad,
        Mark::Possible | Mark::Nothing | Mark::Pending => look.theme.warn,
        Mark::NotObserved | Mark::NotAsked => look.theme.dim,
    }
}

/// The title of a case: the address, what was asked, where the answer comes from and how old it is.
fn title<'a>(case: &Case, look: &Look<'_>) -> Line<'a> {
    let theme = look.theme;
    let mut parts = vec![Span::raw(case.query.address.to_string())];
    let aspect = aspect(&case.query);
    if !aspect.is_empty() {
        parts.push(Span::raw(format!(" {aspect}")));
    }
    if let Some(answer) = case.live.value() {
        let day = answer
            .provenance
            .data_date
            .map(|day| format!(" {day}"))
            .unwrap_or_default();
        parts.push(Span::styled(format!(" live{day}"), theme.badge));
        let age = words::age(answer.provenance.asked_at, look.now);
        if case.recalled {
            parts.push(Span::styled(
                format!(" asked {age} ago, in an earlier run"),
                theme.stale,
            ));
        } else if age != "now" {
            parts.push(Span::styled(format!(" asked {age} ago"), theme.dim));
        }
    }
    Line::from(parts)
}

fn case_view(frame: &mut Frame<'_>, area: Rect, case: &Case, look: &Look<'_>, focus: Focus) {
    let theme = look.theme;
    let mut pane = Pane::new(title(case, look), focus);
    let inner = Pane::inner(area);
    let Some(answer) = case.live.value() else {
        let inner = pane.draw(frame, area, theme);
        return waiting_or_failed(frame, inner, case, look);
    };
    let content = record::page(answer, case.query.geolocation, theme);
    let view = case.page.view(&content.page, inner.as_size());
    if view.total > usize::from(inner.height) {
        pane = pane.hint(format!(
            "{}-{} of {} lines",
            view.lines.start + 1,
            view.lines.end,
            view.total
        ));
    }
    let inner = pane.draw(frame, area, theme);
    content.page.draw(frame, inner, &case.page, theme, focus);
    // What is new or wrong stands over the old content's first line, which stays.
    if case.live.pending().is_some() {
        let line = Line::styled(
            "~ asking again: what stands here is the last answer",
            theme.warn,
        );
        frame.render_widget(
            line.right_aligned(),
            Rect {
                height: inner.height.min(1),
                ..inner
            },
        );
        frame.buffer_mut().set_style(
            Rect {
                y: inner.y + 1,
                height: inner.height.saturating_sub(1),
                ..inner
            },
            theme.stale,
        );
    } else if let Some(error) = case.live.error() {
        let text = format!("x {}", error.message);
        let line = Line::styled(cells::cut(&text, inner.width).into_owned(), theme.bad);
        let bottom = Rect {
            y: inner.bottom().saturating_sub(1),
            height: inner.height.min(1),
            ..inner
        };
        frame.render_widget(ratatui::widgets::Clear, bottom);
        frame.render_widget(line, bottom);
    }
}

fn waiting_or_failed(frame: &mut Frame<'_>, area: Rect, case: &Case, look: &Look<'_>) {
    let theme = look.theme;
    let mut section: Section<'_, u16> = Section::new("", Side::Both);
    if case.live.pending().is_some() {
        let sent = look
            .trail
            .listed()
            .iter()
            .find(|(visit, _)| visit.stop == Stop::Address(case.query))
            .map(|(visit, _)| visit.at);
        let waited = sent.map_or(0, |at| look.now.duration_since(at).as_secs().max(0));
        let since = if waited > 0 {
            format!("  {waited} s")
        } else {
            String::new()
        };
        section.push(Row::text(Line::styled(
            format!("~ asking the service{since}"),
            theme.warn,
        )));
        section.push(Row::text(Line::styled(
            "x or esc stops waiting; the query may have been counted by then",
            theme.dim,
        )));
    } else if let Some(error) = case.live.error() {
        for row in failure(error, look) {
            section.push(row);
        }
    } else {
        section.push(Row::text(Line::raw("This was not asked yet.")));
        section.push(Row::text(Line::styled(
            "R asks the service: 1 query",
            theme.dim,
        )));
    }
    let mut page = Page::new();
    page.push(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}

/// A failure: what, why, and what to do.
fn failure<'a>(error: &Error, look: &Look<'_>) -> Vec<Row<'a, u16>> {
    let theme = look.theme;
    let mut rows = vec![Row::text(Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(error.message.clone()),
    ]))];
    if let Some(hint) = &error.hint {
        rows.push(Row::text(Line::styled(format!("  {hint}"), theme.dim)));
    }
    rows.push(Row::text(Line::styled("  R asks again", theme.dim)));
    rows
}

fn comparison(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>, focus: Focus) {
    let Some(compare) = &tab.compare else { return };
    let theme = look.theme;
    let rows = compare.rows(tab);
    let all = compare.differences(tab);
    let hidden = all.as_ref().map_or(0, Vec::len) - rows.len();
    let hint = if hidden > 0 {
        format!("{hidden} equal rows hidden, = shows")
    } else {
        String::new()
    };
    let title = Line::from(vec![
        Span::raw(compare.a.address.to_string()),
        Span::styled("   A ", theme.dim),
        Span::raw(side_name(&compare.a, tab)),
        Span::styled("   B ", theme.dim),
        Span::raw(side_name(&compare.b, tab)),
    ]);
    let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
    if all.is_none() {
        return missing_side(frame, inner, tab, look);
    }
    if rows.is_empty() {
        frame.render_widget(
            Line::styled("both say the same, as sets", theme.text),
            inner,
        );
        return;
    }
    let columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("FIELD", Width::Min(12)),
        Column::new("A", Width::Fill(16)),
        Column::new("B", Width::Fill(16)),
    ];
    let line = |index: usize| {
        let row = &rows[index];
        let style = match row.change() {
            Change::Equal => theme.dim,
            Change::Changed => theme.warn,
            Change::Added => theme.good,
            Change::Removed => theme.bad,
        };
        let side = |side: &Option<String>| match side {
            Some(text) => Line::raw(crate::model::visible(text).into_owned()),
            None => Line::styled("-", theme.dim),
        };
        vec![
            Line::styled(row.change().sign().to_string(), style),
            Line::raw(crate::model::visible(&row.path).into_owned()),
            side(&row.a),
            side(&row.b),
        ]
    };
    table::draw(
        frame,
        inner,
        &columns,
        compare.cursor,
        rows.len(),
        line,
        theme,
        focus,
    );
}

/// What was asked and which day the answer is of, where that is another.
fn side_name(query: &LookupQuery, tab: &LookupTab) -> String {
    let asked = aspect(query);
    let asked = if asked.is_empty() {
        "today".to_owned()
    } else {
        asked
    };
    let answer = tab.of(*query).and_then(|case| case.live.value());
    match answer.and_then(|answer| answer.provenance.data_date) {
        Some(day) if query.date != Some(day) => format!("{asked} (data of {day})"),
        _ => asked,
    }
}

fn missing_side(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, look: &Look<'_>) {
    let Some(compare) = &tab.compare else { return };
    let theme = look.theme;
    let mut section: Section<'_, u16> = Section::new("", Side::Both);
    for (name, query) in [("A", compare.a), ("B", compare.b)] {
        let case = tab.of(query);
        let words = match case {
            Some(case) if case.live.pending().is_some() => "asking the service".to_owned(),
            Some(case) if case.live.value().is_some() => case
                .live
                .value()
                .map(mark_of)
                .map_or_else(String::new, |mark| mark.word().to_owned()),
            Some(case) if case.live.error().is_some() => case
                .live
                .error()
                .map(|error| format!("x {}", error.message))
                .unwrap_or_default(),
            _ => "not asked: enter asks (1 query)".to_owned(),
        };
        section.push(Row::field(
            format!("{name}  {}", side_name(&query, tab)),
            Line::raw(words),
        ));
    }
    let mut page = Page::new();
    page.push(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}
