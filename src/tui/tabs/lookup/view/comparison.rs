//! How two records look side by side, and what is missing for that.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    text::{Line, Span},
};

use crate::{
    contract::{Endpoint, LookupQuery},
    engine::Area,
    model::{
        compare::{Change, Difference},
        visible,
    },
    tui::{
        ctx::{ViewCtx, failure},
        tabs::lookup::{
            LookupTab,
            at_hand::Origin,
            case::{Case, aspect},
            view::case::source,
        },
        ui::{
            cells,
            theme::Focus,
            widgets::{
                columns::{Column, Width},
                page::{Page, PageState, Row, Section, Side},
                pane::Pane,
                popup::Popup,
                table::Table,
            },
        },
    },
};

/// Draws two records side by side.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let Some(compare) = &tab.compare else { return };
    let theme = ctx.theme;
    let rows = compare.rows(&tab.cases);
    let all = compare.differences(&tab.cases);
    let hidden = all.as_ref().map_or(0, Vec::len) - rows.len();
    let hint = if hidden > 0 {
        format!("{hidden} equal rows hidden, = shows")
    } else {
        String::new()
    };
    let title = Line::from(vec![
        Span::raw(compare.a.address.to_string()),
        Span::styled("   A ", theme.dim),
        Span::raw(asked(&compare.a)),
        Span::styled("   B ", theme.dim),
        Span::raw(asked(&compare.b)),
    ]);
    let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
    if all.is_none() {
        return missing_side(frame, inner, tab, ctx);
    }
    let [a, b, inner] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(inner);
    for (place, name, query) in [(a, "A", &compare.a), (b, "B", &compare.b)] {
        let mut line = Line::from(Span::styled(format!("  {name}  "), theme.dim));
        let case = tab.cases.of(*query);
        line.extend(case.map(|case| source(case, ctx).spans).unwrap_or_default());
        frame.render_widget(cells::cut_line(line, place.width), place);
    }
    if rows.is_empty() {
        let same = Line::styled("no difference; lists are compared as sets", theme.text);
        return frame.render_widget(same, inner);
    }
    let columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("FIELD", Width::Min(12)),
        Column::new(format!("A {}", asked(&compare.a)), Width::Fill(16)),
        Column::new(format!("B {}", asked(&compare.b)), Width::Fill(16)),
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
            Some(text) => Line::raw(visible(text).into_owned()),
            None => Line::styled("-", theme.dim),
        };
        vec![
            Line::styled(row.change().sign().to_string(), style),
            Line::raw(visible(&row.path).into_owned()),
            side(&row.a),
            side(&row.b),
        ]
    };
    Table::new(&columns, &compare.cursor, rows.len()).draw(frame, inner, line, ctx, focus);
    let here = compare.cursor.selected(rows.len());
    if let (Some(page), Some(row)) = (&compare.whole, here.map(|here| &rows[here])) {
        whole(frame, area, row, page, ctx);
    }
}

/// A row in full, over the table: each side by itself, wrapped.
fn whole(
    frame: &mut Frame<'_>,
    area: Rect,
    row: &Difference,
    page: &PageState<u16>,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let mut content = Page::new();
    for (name, side) in [("A", &row.a), ("B", &row.b)] {
        let text = side.as_deref().map_or_else(
            || Line::styled("(absent, or nothing that the other side lacks)", theme.dim),
            |text| Line::raw(visible(text).into_owned()),
        );
        content.push(Section::new(name, Side::Both).row(Row::text(text)));
    }
    let size = Size::new(area.width.saturating_sub(8), area.height.saturating_sub(6));
    let inner = Popup::new(visible(&row.path).into_owned(), size)
        .key(theme, "up down", "scroll", 1)
        .key(theme, "esc", "close", 0)
        .draw(frame, area, ctx);
    content.draw(frame, inner, page, theme, Focus::Here);
}

/// What was asked.
fn asked(query: &LookupQuery) -> String {
    match aspect(query) {
        today if today.is_empty() => "today".to_owned(),
        aspect => aspect,
    }
}

/// What was asked, and the answer's source, its day where that is another, and its age: `today (local 2026-11-22, 14h)`.
fn side_name(query: &LookupQuery, tab: &LookupTab, ctx: &ViewCtx<'_>) -> String {
    let asked = asked(query);
    let Some(shown) = tab.cases.of(*query).and_then(Case::shown) else {
        return asked;
    };
    let (source, day, at) = match shown.origin {
        Origin::Live(provenance) => ("live", provenance.data_date, provenance.asked_at),
        Origin::Cached(provenance, _) => ("cached", provenance.data_date, provenance.asked_at),
        Origin::Local(release, _) => {
            let moment = release.manifest.moment;
            ("local", Some(moment.day()), moment.begins())
        }
    };
    let other = day.filter(|day| query.date != Some(*day));
    let other = other.map_or_else(String::new, |day| format!(" {}", day.dashed()));
    format!("{asked} ({source}{other}, {})", ctx.age(at))
}

fn missing_side(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let Some(compare) = &tab.compare else { return };
    let theme = ctx.theme;
    let mut section: Section<'_, u16> = Section::new("", Side::Both);
    for (name, query) in [("A", compare.a), ("B", compare.b)] {
        let case = tab.cases.of(query);
        let words = match case {
            Some(case) if case.live.pending().is_some() => "~ asking the service".to_owned(),
            Some(case) if case.is_pending() => "~ reading the local feeds".to_owned(),
            Some(case) if case.shown().is_some() => case.mark().word().to_owned(),
            _ => match case.and_then(|case| case.live.error()) {
                Some(error) => format!("x {}", visible(&error.message)),
                None if ctx.facts.is_always_live(query.geolocation) => {
                    "not shown yet: enter asks, 1 query".to_owned()
                }
                None => "not shown yet: enter reads a local record, else 1 query".to_owned(),
            },
        };
        section.push(Row::field(
            format!("{name}  {}", side_name(&query, tab, ctx)),
            Line::raw(words),
        ));
        if let Some(error) = case.and_then(|case| case.live.error()) {
            let hint = error.hint.as_deref();
            let hint = hint.map(|hint| Line::styled(format!("   {}", visible(hint)), theme.dim));
            section.extend(hint);
            let area = Area::of(&Endpoint::Context(query));
            section.extend(failure::across(error, area, "   ", ctx.facts, theme));
        }
    }
    let page = Page::new().with(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}
