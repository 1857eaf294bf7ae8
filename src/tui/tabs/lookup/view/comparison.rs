//! How two records look side by side, and what is missing for that.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::LookupQuery,
    model::compare::Change,
    tui::{
        ctx::ViewCtx,
        tabs::lookup::{
            LookupTab,
            at_hand::Origin,
            case::{Case, aspect},
        },
        ui::{
            theme::Focus,
            widgets::{
                columns::{Column, Width},
                page::{Page, PageState, Row, Section, Side},
                pane::Pane,
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
        Span::raw(side_name(&compare.a, tab)),
        Span::styled("   B ", theme.dim),
        Span::raw(side_name(&compare.b, tab)),
    ]);
    let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
    if all.is_none() {
        return missing_side(frame, inner, tab, ctx);
    }
    if rows.is_empty() {
        let same = Line::styled("both say the same, as sets", theme.text);
        return frame.render_widget(same, inner);
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
    Table::new(&columns, &compare.cursor, rows.len()).draw(frame, inner, line, theme, focus);
}

/// What was asked and which day the answer is of, where that is another.
fn side_name(query: &LookupQuery, tab: &LookupTab) -> String {
    let asked = aspect(query);
    let asked = if asked.is_empty() {
        "today".to_owned()
    } else {
        asked
    };
    let shown = tab.cases.of(*query).and_then(Case::shown);
    let day = shown.and_then(|shown| match shown.origin {
        Origin::Live(provenance) | Origin::Cached(provenance, _) => provenance.data_date,
        Origin::Local(release, _) => Some(release.manifest.moment.day()),
    });
    match day {
        Some(day) if query.date != Some(day) => format!("{asked} (data of {})", day.dashed()),
        _ => asked,
    }
}

fn missing_side(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let Some(compare) = &tab.compare else { return };
    let theme = ctx.theme;
    let mut section: Section<'_, u16> = Section::new("", Side::Both);
    for (name, query) in [("A", compare.a), ("B", compare.b)] {
        let case = tab.cases.of(query);
        let words = match case {
            Some(case) if case.is_pending() => "asking the service".to_owned(),
            Some(case) if case.shown().is_some() => case.mark().word().to_owned(),
            _ => match case.and_then(|case| case.live.error()) {
                Some(error) => format!("x {}", error.message),
                None => "not asked: enter asks (1 query)".to_owned(),
            },
        };
        section.push(Row::field(
            format!("{name}  {}", side_name(&query, tab)),
            Line::raw(words),
        ));
    }
    let page = Page::new().with(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}
