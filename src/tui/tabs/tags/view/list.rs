//! How the list of tags looks.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::empty;
use crate::{
    contract::cadence::old_day,
    model::visible,
    store::diff::ChangeKind,
    tui::{
        ctx::ViewCtx,
        tabs::tags::{
            TagsFocus, TagsTab,
            areas::Typing,
            case::TagStatus,
            list::{ListedTag, Sort, TagSortKey},
        },
        ui::{
            cells,
            theme::{Focus, Theme},
            widgets::{
                bar::{BarLine, BarPart},
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
            words::{self, number},
        },
    },
};

/// Lines below the list at most.
const LEGEND: usize = 3;

/// Where the parts of the list go: the filter while there is one, the rows, the signs.
struct Places {
    filter: Rect,
    rows: Rect,
    legend: Rect,
}

impl Places {
    fn of(area: Rect, tab: &TagsTab, legend: u16) -> Self {
        let filtered = tab.typing == Some(Typing::Filter) || !tab.filter.is_empty();
        let [filter, rows, legend] = Layout::vertical([
            Constraint::Length(u16::from(filtered)),
            Constraint::Min(0),
            Constraint::Length(legend),
        ])
        .areas(Pane::inner(area));
        Self {
            filter,
            rows,
            legend,
        }
    }
}

pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &TagsTab,
    listed: &[ListedTag<'_>],
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let focus = Focus::when(tab.part == TagsFocus::List && tab.typing.is_none());
    let inner = Pane::inner(area);
    let mut signs = cells::wrap(legend(listed, tab, ctx), inner.width);
    signs.truncate(LEGEND.min(usize::from(inner.height / 4).max(1)));
    let places = Places::of(area, tab, u16::try_from(signs.len()).unwrap_or(1));
    Pane::new(title(tab, listed.len(), ctx), focus)
        .hint(hint(tab, listed, ctx).line(area.width.saturating_sub(4)))
        .draw(frame, area, theme);
    filter(frame, places.filter, tab, theme);
    let has_addresses = tab.known.counted().is_some();
    let columns = columns(tab.sort, widest(listed), has_addresses);
    let range = tab.range(listed);
    let row = |index: usize| {
        let is_in_range = range.as_ref().is_some_and(|range| range.contains(&index));
        let mut cells = cells_of(&listed[index], is_in_range, tab, theme);
        cells.truncate(columns.len());
        cells
    };
    // Without a selected row in the list, none is drawn as selected.
    let (cursor, focus) = match tab.cursor(listed) {
        Some(cursor) => (cursor, focus),
        None => (&tab.scroll, Focus::Elsewhere),
    };
    Table::new(&columns, cursor, listed.len()).draw(frame, places.rows, row, ctx, focus);
    if listed.is_empty() {
        let place = Rect {
            y: places.rows.y + places.rows.height.min(1),
            height: places.rows.height.saturating_sub(1).min(1),
            ..places.rows
        };
        frame.render_widget(Line::styled("  no match; esc shows all", theme.dim), place);
    }
    for (line, place) in signs.into_iter().zip(places.legend.rows()) {
        frame.render_widget(cells::cut_line(line, place.width), place);
    }
}

/// How many tags, of which feed and day, and whether that is old.
fn title(tab: &TagsTab, count: usize, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    let known = &tab.known;
    let mut parts = vec![Span::raw(format!("Tags {}", number(count as u64)))];
    if tab.only_changed {
        parts.push(Span::raw(" changed"));
    }
    if !tab.marked.is_empty() {
        parts.push(Span::raw(format!("  {} marked", tab.marked.len())));
    }
    let Some(list) = known.list() else {
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
    if known.is_reading() {
        parts.push(Span::styled("  ~", theme.warn));
    }
    Line::from(parts)
}

/// What could not be counted, the range, and of which feed and day the addresses are; keys give way first.
fn hint(tab: &TagsTab, listed: &[ListedTag<'_>], ctx: &ViewCtx<'_>) -> BarLine<'static> {
    let mut bar = BarLine::new();
    if listed.is_empty() {
        return bar;
    }
    for own in tab.known.unusable() {
        bar = bar.left(BarPart::new(format!("! {} not counted", own.feed), 1));
    }
    if !tab.marked.is_empty() {
        bar = bar.left(BarPart::new("E export marked", 4));
    }
    if let Some(range) = tab.range(listed) {
        bar = bar.left(BarPart::new(format!("{} in the range", range.len()), 3));
    }
    bar = bar.left(BarPart::new("s < > sort", 5));
    if let Some(counts) = tab.known.counted() {
        let (day, old) = (counts.moment.dashed(), ctx.age(counts.generated));
        let words = format!("LOCAL: {} {day}, {old} old", counts.feed);
        bar = bar.left(BarPart::new(words, 2));
    }
    bar
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

/// Cells for a name that goes before other columns; what is longer may be cut.
const NAME: u16 = 26;

/// Cells that the widest name takes with its sign.
fn widest(listed: &[ListedTag<'_>]) -> u16 {
    let names = listed
        .iter()
        .map(|listed| cells::width(listed.name.as_str()));
    names.max().unwrap_or_default().saturating_add(2)
}

/// The columns. Where names would be cut, what matters least gives way; without a local feed of addresses there is no count of them.
fn columns(sort: Sort, widest: u16, has_addresses: bool) -> Vec<Column<'static>> {
    let column = |name: &str, by: TagSortKey, width| {
        let head = format!("{name}{}", sort.sign(by));
        Column::new(head, width).sorts(by.place())
    };
    let mut columns = vec![
        column(
            "  TAG",
            TagSortKey::Name,
            Width::Fill(widest.clamp(18, NAME)),
        ),
        column("KIND", TagSortKey::Kind, Width::Fixed(8)).rank(1),
        column("DEVICES", TagSortKey::Devices, Width::Fixed(9)).right(),
        column("CHURN", TagSortKey::Churn, Width::Min(5))
            .right()
            .rank(4),
        column("CC", TagSortKey::Countries, Width::Min(3))
            .right()
            .rank(3),
    ];
    if has_addresses {
        let addresses = column("LOCAL", TagSortKey::Addresses, Width::Min(5));
        columns.push(addresses.right().rank(2));
    }
    columns
}

fn cells_of(
    listed: &ListedTag<'_>,
    is_in_range: bool,
    tab: &TagsTab,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let standing = listed.standing();
    let (sign, style) = match (listed.change, standing) {
        _ if is_in_range || tab.marked.contains(&listed.name) => ('*', theme.accent),
        (Some(kind), _) if tab.only_changed => match kind {
            ChangeKind::Added => ('+', theme.good),
            ChangeKind::Removed => ('-', theme.bad),
            ChangeKind::Changed => ('~', theme.warn),
        },
        (_, TagStatus::NotAsked) if listed.only_seen => ('+', theme.dim),
        (_, TagStatus::Pending | TagStatus::Missing) => (standing.sign(), theme.warn),
        (_, TagStatus::Failed) => (standing.sign(), theme.bad),
        (_, TagStatus::Known | TagStatus::NotAsked) => (standing.sign(), theme.dim),
    };
    let is_known = listed.tag().is_some();
    let missing = if is_known { "-" } else { "" };
    let cell = |value: Option<String>| match value {
        Some(value) => Line::raw(value),
        None => Line::styled(missing, theme.dim),
    };
    let kind = visible(&listed.kind()).into_owned();
    let is_dim = listed.alias_of.is_some() || kind == "inactive" || !is_known;
    let text = if is_dim { theme.dim } else { theme.text };
    let mut name = visible(listed.name.as_str()).into_owned();
    if let Some(tag) = listed.alias_of {
        name.push_str(&format!(" -> {}", visible(tag.as_str())));
    }
    let addresses = listed.addresses().filter(|_| listed.alias_of.is_none());
    vec![
        Line::from(vec![
            Span::styled(format!("{sign} "), style),
            Span::styled(name, text),
        ]),
        Line::styled(kind, text),
        cell(
            listed
                .devices()
                .map(|devices| words::decimal(devices.round())),
        ),
        cell(listed.churn().map(words::decimal)),
        cell(listed.countries().map(number)),
        cell(addresses.map(rough)),
    ]
}

/// A count in no more than five cells.
fn rough(count: u64) -> String {
    match count {
        0..10_000 => number(count),
        10_000..1_000_000 => format!("{}k", count / 1000),
        1_000_000..10_000_000 => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
        _ => format!("{}M", count / 1_000_000),
    }
}

/// What changed since the release before, what the signs mean, of which feed the addresses are; else what is missing.
fn legend(listed: &[ListedTag<'_>], tab: &TagsTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    let known = &tab.known;
    let mut parts: Vec<Span<'static>> = Vec::new();
    if let Some(under_way) = empty::download(ctx) {
        parts.push(Span::styled(under_way, theme.warn));
    } else if let Some(error) = known.error() {
        let text = format!("x {}", visible(&error.message));
        parts.push(Span::styled(text, theme.bad));
    } else if known.is_missing() {
        let text = format!("p {}", empty::offer(known, ctx));
        parts.push(Span::styled(text, theme.warn));
    } else if let Some(changes) = known.changes() {
        let count = |kind, word: &str| match changes.count(kind) {
            0 => String::new(),
            count => format!("  {count} {word}"),
        };
        let counts = [
            count(ChangeKind::Added, "added"),
            count(ChangeKind::Removed, "removed"),
            count(ChangeKind::Changed, "changed"),
        ];
        let counts = match counts.concat() {
            none if none.is_empty() => "  no change".to_owned(),
            counts => counts + " (c)",
        };
        let text = format!("since {}:{counts}", changes.since.dashed());
        parts.push(Span::styled(text, theme.dim));
    }
    let seen = listed.iter().filter(|listed| listed.only_seen).count();
    if seen > 0 {
        let gap = if parts.is_empty() { "" } else { "   " };
        let text = format!("{gap}+ {seen} seen in lookups only");
        parts.push(Span::styled(text, theme.dim));
    }
    Line::from(parts)
}

#[cfg(test)]
mod tests {
    use super::rough;

    #[test]
    fn a_rough_count_takes_five_cells() {
        for (count, expected) in [
            (0, "0"),
            (9_999, "9,999"),
            (951_234, "951k"),
            (1_250_000, "1.2M"),
            (43_000_000, "43M"),
        ] {
            assert_eq!(rough(count), expected);
        }
    }
}
