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
        compare::{Difference, DifferenceKind},
        visible,
    },
    tui::{
        ctx::{ViewCtx, failure},
        tabs::lookup::{
            LookupTab,
            case::{LookupCase, aspect},
            free_answers::AnswerOrigin,
            view::case::source,
        },
        ui::{
            cells,
            theme::Focus,
            widgets::{
                columns::{Column, Width},
                page::{Page, PageRow, PageState, Section, SectionSide},
                pane::Pane,
                popup::Popup,
                table::Table,
            },
            words,
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
    let mut hint = Vec::new();
    if hidden > 0 {
        hint.push(format!("{hidden} equal rows hidden, . shows"));
    }
    hint.push(format!("cost so far: {}", words::queries(compare.spent)));
    let hint = hint.join("   ");
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
            DifferenceKind::Equal => theme.dim,
            DifferenceKind::Changed => theme.warn,
            DifferenceKind::Added => theme.good,
            DifferenceKind::Removed => theme.bad,
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
        content.push(Section::new(name, SectionSide::Both).row(PageRow::text(text)));
    }
    let width = area.width.saturating_sub(8);
    let size = Size::new(width, content.lines(width));
    let inner = Popup::new(visible(&row.path).into_owned(), size)
        .key(theme, "up down", "scroll", 1)
        .key(theme, "esc", "close", 0)
        .draw(frame, area, ctx);
    content.draw(frame, inner, page, theme, Focus::Here);
}

fn asked(query: &LookupQuery) -> String {
    match aspect(query) {
        today if today.is_empty() => "today".to_owned(),
        aspect => aspect,
    }
}

/// What was asked, and the answer's source, its day where that is another, and its age: `today (local 2026-11-22, 14h)`.
fn side_name(query: &LookupQuery, tab: &LookupTab, ctx: &ViewCtx<'_>) -> String {
    let asked = asked(query);
    let Some(shown) = tab.cases.of(*query).and_then(LookupCase::shown) else {
        return asked;
    };
    let (source, day, at) = match shown.origin {
        AnswerOrigin::Live(provenance) => {
            ("live", provenance.data_date, provenance.asked_at.into())
        }
        AnswerOrigin::Cached(provenance, _) => {
            ("cached", provenance.data_date, provenance.asked_at.into())
        }
        AnswerOrigin::Local(release, _) => {
            let manifest = &release.manifest;
            ("local", Some(manifest.moment.day()), manifest.generation())
        }
    };
    let other = day.filter(|day| query.date != Some(*day));
    let other = other.map_or_else(String::new, |day| format!(" {}", day.dashed()));
    format!("{asked} ({source}{other}, {})", ctx.age(at))
}

fn missing_side(frame: &mut Frame<'_>, area: Rect, tab: &LookupTab, ctx: &ViewCtx<'_>) {
    let Some(compare) = &tab.compare else { return };
    let theme = ctx.theme;
    let mut section: Section<'_, u16> = Section::new("", SectionSide::Both);
    for (name, query) in [("A", compare.a), ("B", compare.b)] {
        let case = tab.cases.of(query);
        let (words, style) = match case {
            Some(case) if case.live.pending().is_some() => {
                ("~ asking the service".to_owned(), theme.warn)
            }
            Some(case) if case.is_pending() => ("~ reading the local feeds".to_owned(), theme.warn),
            Some(case) if case.shown().is_some() => (case.mark().word().to_owned(), theme.text),
            _ => match case.and_then(|case| case.live.error()) {
                Some(error) => (format!("x {}", visible(&error.message)), theme.text),
                None => (
                    format!(
                        "not shown yet: enter fetches, {}",
                        ctx.facts.price_now(query.geolocation)
                    ),
                    theme.text,
                ),
            },
        };
        section.push(PageRow::text(Line::from(vec![
            Span::styled(format!("{name}  "), theme.dim),
            Span::raw(side_name(&query, tab, ctx)),
            Span::raw("   "),
            Span::styled(words, style),
        ])));
        if let Some(error) = case.and_then(|case| case.live.error()) {
            let hint = failure::hint(error);
            let hint = hint.map(|hint| Line::styled(format!("   {}", visible(&hint)), theme.dim));
            section.extend(hint);
            let area = Area::of(&Endpoint::Context(query));
            section.extend(failure::across(error, area, "   ", ctx.facts, theme));
        }
    }
    let page = Page::new().with(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}
