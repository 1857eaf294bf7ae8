//! How the list of tags looks.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    model::visible,
    tui::{
        ctx::ViewCtx,
        tabs::tags::{
            Part, TagsTab,
            case::Standing,
            list::{By, Listed, Sort},
            parts::Typing,
        },
        ui::{
            cells,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
            words,
        },
    },
};

/// Where the parts of the list go: the filter while there is one, the rows, the signs.
struct Places {
    filter: Rect,
    rows: Rect,
    legend: Rect,
}

impl Places {
    fn of(area: Rect, tab: &TagsTab) -> Self {
        let filtered = tab.typing == Some(Typing::Filter) || !tab.filter.is_empty();
        let [filter, rows, legend] = Layout::vertical([
            Constraint::Length(u16::from(filtered)),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(Pane::inner(area));
        Self {
            filter,
            rows,
            legend,
        }
    }
}

/// Draws the list.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &TagsTab,
    listed: &[Listed<'_>],
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let focus = Focus::when(tab.part == Part::List && tab.typing.is_none());
    let places = Places::of(area, tab);
    Pane::new(title(tab, listed.len()), focus)
        .hint(hint(tab, listed.len()))
        .draw(frame, area, theme);
    filter(frame, places.filter, tab, theme);
    let columns = columns(tab.sort);
    let row = |index: usize| cells_of(&listed[index], tab, theme);
    // Without a selected row in the list, none is drawn as selected.
    let (cursor, focus) = match tab.cursor(listed) {
        Some(cursor) => (cursor, focus),
        None => (&tab.scroll, Focus::Elsewhere),
    };
    Table::new(&columns, cursor, listed.len()).draw(frame, places.rows, row, theme, focus);
    if listed.is_empty() {
        let place = Rect {
            y: places.rows.y + places.rows.height.min(1),
            height: places.rows.height.saturating_sub(1).min(1),
            ..places.rows
        };
        frame.render_widget(
            Line::styled("  no tag matches; esc clears the filter", theme.dim),
            place,
        );
    }
    let legend = cells::cut(legend(listed, tab), places.legend.width);
    frame.render_widget(Line::styled(legend, theme.dim), places.legend);
}

fn title(tab: &TagsTab, count: usize) -> String {
    let marked = match tab.marked.len() {
        0 => String::new(),
        marked => format!("  {marked} marked"),
    };
    format!("Tags  {count}{marked}")
}

fn hint(tab: &TagsTab, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let export = match tab.marked.len() {
        0 => "",
        _ => "E export marked  ",
    };
    format!("{export}s sort: {}", tab.sort.words())
}

fn filter(frame: &mut Frame<'_>, place: Rect, tab: &TagsTab, theme: &Theme) {
    if tab.typing == Some(Typing::Filter) {
        tab.filter.draw_behind("/", frame, place, theme);
    } else if !place.is_empty() {
        let line = Line::from(vec![
            Span::styled("/ ", theme.accent),
            Span::styled(visible(tab.filter.value()).into_owned(), theme.text),
            Span::styled("  esc clears", theme.dim),
        ]);
        frame.render_widget(line, place);
    }
}

fn columns(sort: Sort) -> [Column<'static>; 4] {
    let head = |name: &str, by| format!("{name}{}", sort.sign(by));
    [
        Column::new(head("  TAG", By::Name), Width::Fill(12)),
        Column::new("KIND", Width::Fixed(9)).rank(1),
        Column::new(head("DEVICES", By::Devices), Width::Fixed(9)).right(),
        Column::new(head("CHURN", By::Churn), Width::Fixed(7))
            .right()
            .rank(2),
    ]
}

fn cells_of(listed: &Listed<'_>, tab: &TagsTab, theme: &Theme) -> Vec<Line<'static>> {
    let standing = listed.standing();
    let (sign, style) = if tab.marked.contains(&listed.name) {
        ('*', theme.accent)
    } else {
        match standing {
            Standing::NotAsked if listed.only_seen => ('+', theme.dim),
            Standing::Pending | Standing::Missing => (standing.sign(), theme.warn),
            Standing::Failed => (standing.sign(), theme.bad),
            Standing::Known | Standing::NotAsked => (standing.sign(), theme.dim),
        }
    };
    let known = listed.tag().is_some();
    let number = |value: Option<f64>| match value {
        Some(value) => Line::raw(words::decimal(value)),
        None if known => Line::styled("-", theme.dim),
        None => Line::raw(""),
    };
    let kind = visible(&listed.kind()).into_owned();
    vec![
        Line::from(vec![
            Span::styled(format!("{sign} "), style),
            Span::raw(visible(listed.name.as_str()).into_owned()),
        ]),
        Line::styled(kind, if known { theme.text } else { theme.dim }),
        number(listed.devices().map(f64::round)),
        number(listed.churn()),
    ]
}

/// What the signs mean that are in the list.
fn legend(listed: &[Listed<'_>], tab: &TagsTab) -> &'static str {
    let seen = listed.iter().any(|listed| listed.only_seen);
    match (seen, tab.marked.is_empty()) {
        (false, true) => "",
        (false, false) => "* marked",
        (true, true) => "+ named by records of addresses only",
        (true, false) => "* marked  + named by records of addresses only",
    }
}
