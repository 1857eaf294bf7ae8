//! How a table is drawn: its rows under a head with their numbers, and the values of fields beside them.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{Board, BoardPart, FACET_PANE, TIME_PANE, TextExtent};
use crate::{
    investigation::{board::Standing, gather::AssumedTimes},
    model::visible,
    tui::{
        ctx::{Rows as _, ViewCtx, failure},
        ui::{BarLine, BarPart, Focus, Pane, Theme, cells, words},
    },
};

/// Cells of the values beside the table.
const FACETS: u16 = 30;

impl Board {
    pub(in crate::tui::tabs::lookup) fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        ctx: &ViewCtx<'_>,
        focus: Focus,
    ) {
        let theme = ctx.theme;
        let of_facets = if self.facets.is_some() { FACETS } else { 0 };
        let areas = Layout::horizontal([Constraint::Min(0), Constraint::Length(of_facets)]);
        let [area, beside] = areas.areas(area);
        if let Some(facets) = &self.facets {
            ctx.spots.pane(beside, FACET_PANE);
            let focus = Focus::when(focus.is_here() && self.is_in_facets());
            facets.draw(frame, beside, self.list.filter(), ctx, focus);
        }
        let of_times = Focus::when(focus.is_here() && self.is_in_times());
        let focus = Focus::when(focus.is_here() && self.part() == BoardPart::Rows);
        let all = self.list.rows().all().count();
        let what = if self.is_at_time {
            "addresses and days"
        } else {
            "addresses"
        };
        let shown = self.list.rows().len();
        let number = match words::number(all as u64) {
            all if self.list.filter().is_empty() => all,
            all => format!("{} of {all}", words::number(shown as u64)),
        };
        let title = if self.extent == TextExtent::Beginning {
            format!("the first {number} {what}, the rest is being read")
        } else {
            format!("{number} {what}")
        };
        let source = match self.source() {
            Some(source) => source.title(),
            // A past day may be answered from there.
            None if ctx.facts.warehouse.is_some() && (self.is_at_time || self.day.is_some()) => {
                "LOCAL, cache, warehouse".to_owned()
            }
            None => "LOCAL, cache".to_owned(),
        };
        let day = match (self.source(), self.day) {
            (Some(source), _) => format!("{}, {}", source.day(), ctx.age(source.since())),
            (None, Some(day)) => day.dashed(),
            (None, None) if self.is_at_time => "of each day".to_owned(),
            (None, None) => self
                .same_day()
                .unwrap_or_else(|| "newest releases".to_owned()),
        };
        let source = Line::styled(format!("{source} {day}, free"), theme.badge);
        let pane = Pane::new(title, focus).source(source);
        let pane = pane.hint(self.list.standing(""));
        let inner = pane.draw(frame, area, theme);
        let unusable = self.reading.value().map_or(&[][..], Vec::as_slice);
        let unusable = failure::unusable(unusable, "read", theme);
        let lines = u16::try_from(unusable.len()).unwrap_or(u16::MAX);
        let of_times_lines = if ctx.zoomed {
            0
        } else {
            self.times.lines(inner.height, theme)
        };
        let [head, warnings, times, rows] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(lines.min(inner.height / 2)),
            Constraint::Length(of_times_lines),
            Constraint::Min(0),
        ])
        .areas(inner);
        self.head(theme).telling(theme).draw(frame, head);
        for (line, place) in unusable.into_iter().zip(warnings.rows()) {
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
        if !times.is_empty() {
            ctx.spots.pane(times, TIME_PANE);
            self.times.draw(frame, times, ctx, of_times);
        }
        self.list.draw(frame, rows, ctx, focus);
    }

    /// The numbers by state.
    fn head(&self, theme: &Theme) -> BarLine<'static> {
        let mut bar = BarLine::new();
        for (standing, count) in self.counts.iter() {
            let (sign, style, rank) = match standing {
                Standing::Vpn | Standing::Proxy | Standing::Tor => ("", theme.text, 1),
                Standing::Reading => ("~ ", theme.warn, 0),
                Standing::Unknown => ("", theme.dim, 1),
                _ => ("", theme.dim, 2),
            };
            let words = Span::styled(format!("{sign}{} ", standing.words()), style);
            let line = Line::from(vec![words, Span::raw(words::number(count))]);
            bar = bar.left(BarPart::new(line, rank));
        }
        if self.differing > 0 {
            let differ = match self.differing {
                1 => "1 row differs on its first or last day: ".to_owned(),
                more => format!(
                    "{} rows differ on their first or last day: ",
                    words::number(more)
                ),
            };
            let key = Span::styled("@", theme.key);
            let line = Line::from(vec![Span::styled(differ, theme.warn), key]);
            bar = bar.left(BarPart::new(line, 1));
        }
        if self.networks > 0 {
            let networks = words::number(self.networks);
            let line = Line::styled(format!("networks left out: {networks}"), theme.dim);
            bar = bar.left(BarPart::new(line, 5));
        }
        for words in assumed_in_words(&self.assumed, &self.zone) {
            bar = bar.left(BarPart::new(Line::styled(words, theme.dim), 4));
        }
        if self.has_others {
            let line = Line::styled("8 values a column are kept", theme.dim);
            bar = bar.left(BarPart::new(line, 5));
        }
        if let Some(error) = self.reading.error() {
            let line = Line::styled(format!("x {}", visible(&error.message)), theme.bad);
            bar = bar.left(BarPart::new(line, 0));
        }
        let reversed = match self.list.sorted_by() {
            ("verdict", false) => return bar,
            (by, true) => format!("by {by}, reversed"),
            (by, false) => format!("by {by}"),
        };
        bar.right(BarPart::new(Line::styled(reversed, theme.dim), 3))
    }
}

/// What was assumed of the times in the text.
fn assumed_in_words(assumed: &AssumedTimes, zone: &str) -> Vec<String> {
    let counted = |number: u64, what: &str| {
        let lines = if number == 1 { "line" } else { "lines" };
        (number > 0).then(|| format!("{} {lines} {what}", words::number(number)))
    };
    let names = assumed.names.iter();
    let names = names
        .filter_map(|(name, number)| counted(*number, &format!("name {}: {zone}", name.as_str())));
    [
        counted(assumed.without_zone, &format!("without a zone: {zone}")),
        counted(assumed.without_year, "without a year"),
        counted(assumed.in_future, "later than now"),
    ]
    .into_iter()
    .flatten()
    .chain(names)
    .collect()
}
