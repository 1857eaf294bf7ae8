//! The events of the shown rows by time, above them: a span of it is a filter.

use std::ops::Range;

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::address::BoardAddress;
use crate::{
    investigation::board::{EventBin, EventStrip, TimeSpan, TimeTerms},
    tui::{
        ctx::{HeldRows, List, Rows as _, ViewCtx},
        ui::{BarLine, BarPart, Focus, Motion, Theme, glyphs::LEVELS, words},
    },
};

/// The rows of the table.
type BoardRows = List<HeldRows<BoardAddress>>;

/// The most cells of a bin.
const WIDEST: u16 = 6;

const DAY: i32 = 24 * 60;
const WEEK: i32 = 7 * DAY;

/// How far apart the times below the bars are, in minutes.
const APART: [i32; 14] = [
    5,
    10,
    15,
    30,
    60,
    120,
    180,
    360,
    720,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY,
];

/// More rows are not counted while a filter is typed.
const MOST_WHILE_TYPED: usize = 20_000;

/// The steps of a cell of a bar.
const STEPS: u64 = 8;

/// The events by time.
#[derive(Debug, Default)]
pub(super) struct BoardTimes {
    strip: Option<EventStrip>,
    /// The span of time that the filter asks for.
    span: Option<TimeSpan>,
    /// The filter and the state of the rows that were counted.
    counted: Option<(String, u64)>,
    cursor: usize,
    /// The bin at which a range begins.
    from: Option<usize>,
}

impl BoardTimes {
    /// Whether there is more than one time to choose from, or one is chosen.
    pub(super) fn is_shown(&self) -> bool {
        let strip = self.strip.as_ref();
        self.span.is_some() || strip.is_some_and(|strip| strip.bins.len() > 1)
    }

    /// Whether a range was begun.
    pub(super) fn has_range(&self) -> bool {
        self.from.is_some()
    }

    /// The span that the filter asks for.
    pub(super) fn span(&self) -> Option<&TimeSpan> {
        self.span.as_ref()
    }

    /// Whether the events were counted with this filter.
    pub(super) fn is_counted(&self, filter: &str) -> bool {
        self.counted.as_ref().is_some_and(|(own, _)| own == filter)
    }

    /// Counts the events again if other rows are shown. The cursor is at the most of them, or where the strip was before.
    pub(super) fn count(&mut self, list: &BoardRows, revision: u64) {
        let now = (list.filter().to_owned(), revision);
        let is_slow = list.is_typing() && list.rows().len() > MOST_WHILE_TYPED;
        if is_slow || self.counted.as_ref() == Some(&now) {
            return;
        }
        let span = terms_of(list).span;
        let shown = list.rows().shown_in_any_order();
        let events = shown.filter_map(|row| {
            let hides_origin = row.state.standings().hides_origin();
            Some((row.seen.events.as_deref()?, hides_origin))
        });
        let strip = EventStrip::of(events, span.as_ref());
        let time = |strip: &EventStrip| strip.span(0..strip.bins.len());
        let is_moved = strip.as_ref().map(time) != self.strip.as_ref().map(time);
        let here = strip.as_ref().and_then(|strip| strip.bins.get(self.cursor));
        if is_moved || here.is_none_or(|bin| bin.events == 0) {
            let left = self.span.as_ref().filter(|_| span.is_none());
            let cursor = strip.as_ref().map(|strip| match left {
                Some(left) => strip.bin_of(left.0.start),
                None => strip.fullest(),
            });
            (self.from, self.cursor) = (None, cursor.unwrap_or_default());
        }
        (self.strip, self.span, self.counted) = (strip, span, Some(now));
    }

    /// Moves the cursor.
    pub(super) fn step(&mut self, motion: Motion) {
        let last = self.strip.as_ref().map_or(0, |strip| strip.bins.len() - 1);
        let at = self.cursor.min(last);
        self.cursor = match motion {
            Motion::Left => at.saturating_sub(1),
            Motion::Right => (at + 1).min(last),
            Motion::PageUp | Motion::First => 0,
            Motion::PageDown | Motion::Last => last,
            _ => at,
        };
    }

    /// Begins a range at the cursor, or begins none.
    pub(super) fn mark(&mut self) {
        self.from = match self.from {
            None => Some(self.cursor),
            Some(_) => None,
        };
    }

    /// The bins under the cursor: a range, or one.
    fn chosen(&self) -> Range<usize> {
        let from = self.from.unwrap_or(self.cursor);
        let bins = self.strip.as_ref().map_or(0, |strip| strip.bins.len());
        let end = from.max(self.cursor) + 1;
        from.min(self.cursor).min(bins)..end.min(bins)
    }

    /// The time under the cursor.
    pub(super) fn here(&self) -> Option<TimeSpan> {
        Some(self.strip.as_ref()?.span(self.chosen()))
    }

    /// The filter with the time under the cursor.
    pub(super) fn choose(&mut self, list: &BoardRows) -> Option<String> {
        let here = self.here()?;
        self.from = None;
        Some(terms_of(list).with(Some(&here)))
    }

    /// How many lines it takes above a table of so many.
    pub(super) fn lines(&self, height: u16, theme: &Theme) -> u16 {
        match height {
            _ if !self.is_shown() => 0,
            // Read aloud, bars say nothing.
            _ if theme.spoken => 1,
            0..10 => 0,
            10..18 => 2,
            18..28 => 4,
            _ => 5,
        }
    }

    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>, focus: Focus) {
        if area.is_empty() {
            return;
        }
        let theme = ctx.theme;
        let words = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        self.words(focus, theme).draw(frame, words);
        let Some(strip) = &self.strip else {
            return;
        };
        let bins = u16::try_from(strip.bins.len()).unwrap_or(u16::MAX);
        let width = (area.width / bins.max(1)).min(WIDEST);
        let most = strip.bins[strip.fullest()].events.max(1);
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let has_axis = area.height > 2;
        let height = area.height - 1 - u16::from(has_axis);
        let chosen = self.chosen();
        let chosen = if focus.is_here() { chosen } else { 0..0 };
        if has_axis {
            let axis = Rect {
                y: words.y - 1,
                ..words
            };
            frame.render_widget(
                Line::styled(axis_of(strip, width, axis.width), theme.dim),
                axis,
            );
            let under = Rect {
                x: axis.x + small(chosen.start).saturating_mul(width),
                width: small(chosen.len()).saturating_mul(width),
                ..axis
            };
            frame
                .buffer_mut()
                .set_style(under.intersection(axis), theme.selected);
        }
        for (at, bin) in strip.bins.iter().enumerate() {
            let is_chosen = chosen.contains(&at);
            let of_others = if is_chosen { theme.accent } else { theme.dim };
            for (row, (level, is_hidden)) in (0..height).zip(cells_of(*bin, most, height)) {
                let cell = Rect {
                    x: area.x + small(at).saturating_mul(width),
                    y: area.y + height - 1 - row,
                    width,
                    height: 1,
                };
                // A gap tells wide bins apart.
                let symbols = match width {
                    wide @ 3.. => LEVELS[level].repeat(usize::from(wide) - 1) + LEVELS[0],
                    narrow => LEVELS[level].repeat(usize::from(narrow)),
                };
                let style = match is_hidden {
                    _ if is_chosen && !has_axis => theme.selected,
                    true => theme.bad,
                    false => of_others,
                };
                frame.render_widget(Line::styled(symbols, style), cell.intersection(area));
            }
        }
    }

    /// The time under the cursor with its events; without the focus those of all.
    fn words(&self, focus: Focus, theme: &Theme) -> BarLine<'static> {
        let Some(strip) = &self.strip else {
            let why = "no event of these rows is in this time; ";
            let all = Line::from(vec![
                Span::styled(why, theme.dim),
                Span::styled("esc", theme.key),
                Span::styled(" shows all", theme.dim),
            ]);
            return BarLine::new().left(BarPart::new(all, 0));
        };
        let all = 0..strip.bins.len();
        let (span, bins) = if focus.is_here() {
            (self.here(), &strip.bins[self.chosen()])
        } else {
            (Some(strip.span(all)), &strip.bins[..])
        };
        let sum = EventBin::sum(bins);
        let style = if focus.is_here() {
            theme.accent
        } else {
            theme.text
        };
        let span = span.map_or_else(String::new, |span| span.to_string());
        let events = match sum.events {
            1 => "1 event".to_owned(),
            more => format!("{} events", words::number(more)),
        };
        let hidden = format!("{} by VPN, proxy, Tor", words::number(sum.hidden));
        let each = format!("a bar: {}", length_in_words(strip.minutes()));
        let bar = BarLine::new()
            .left(BarPart::new(Span::styled(format!("{span}Z"), style), 0))
            .left(BarPart::new(Span::raw(events), 1));
        let bar = if sum.hidden > 0 {
            bar.left(BarPart::new(Span::styled(hidden, theme.bad), 2))
        } else {
            bar
        };
        let bar = if focus.is_here() {
            bar
        } else {
            bar.right(BarPart::hint(theme, "tab", "selects", 3))
        };
        bar.right(BarPart::new(Span::styled(each, theme.dim), 4))
    }
}

/// The level of each cell of a bar from below, and whether most of it is of tunnels and proxies. One event is seen, and in a bar of several
/// cells one of those is, too.
fn cells_of(bin: EventBin, most: u64, height: u16) -> impl Iterator<Item = (usize, bool)> {
    let all = u64::from(height) * STEPS;
    let steps = |events: u64| (events * all).div_ceil(most).min(all);
    let (level, hidden) = (steps(bin.events), steps(bin.hidden));
    let is_short = level <= STEPS;
    (0..u64::from(height)).map(move |row| {
        let own = |steps: u64| steps.saturating_sub(row * STEPS).min(STEPS);
        let is_hidden = match row {
            0 if is_short => bin.hidden > 0 && 2 * bin.hidden >= bin.events,
            0 => bin.hidden > 0,
            _ => own(hidden) > 0 && 2 * own(hidden) >= own(level),
        };
        (usize::try_from(own(level)).unwrap_or_default(), is_hidden)
    })
}

/// The times below the bars, each where it begins, as many as there is room for.
fn axis_of(strip: &EventStrip, width: u16, room_of_all: u16) -> String {
    let minutes = strip.minutes();
    let form = match minutes {
        ..60 => "%H:%M",
        60..DAY => "%H",
        DAY..WEEK => "%m-%d",
        _ => "%Y-%m",
    };
    let bins_apart = |minutes_apart: i32| usize::try_from(minutes_apart / minutes).unwrap_or(1);
    // The day is said where it begins.
    let room = if minutes < WEEK { "00-00 " } else { "0000-00 " }.len();
    let is_apart =
        |number: &i32| number % minutes == 0 && bins_apart(*number) * usize::from(width) >= room;
    let apart = APART.into_iter().find(is_apart).unwrap_or(minutes * 8);
    let mut axis = String::new();
    for bin in 0..strip.bins.len() {
        let (start, at) = (strip.span(bin..bin + 1).0.start, bin * usize::from(width));
        if start.rem_euclid(apart) != 0 || axis.len() > at {
            continue;
        }
        let form = match start.rem_euclid(DAY) {
            0 if minutes < WEEK => "%m-%d",
            _ => form,
        };
        let label = Timestamp::from_second(i64::from(start) * 60);
        let label = label.map_or_else(
            |_| String::new(),
            |timestamp| timestamp.strftime(form).to_string(),
        );
        // What has no room would be another time.
        if at + label.len() > usize::from(room_of_all) {
            break;
        }
        axis += &" ".repeat(at - axis.len());
        axis += &label;
        axis.push(' ');
    }
    axis
}

/// What the filter of the table asks of the time of events, and what it asks beside that.
pub(super) fn terms_of(list: &BoardRows) -> TimeTerms {
    let columns = list.rows().all().next().map(|row| row.values.columns());
    TimeTerms::of(list.filter(), columns)
}

/// A number of minutes as people say it.
fn length_in_words(minutes: i32) -> String {
    let counted = |number: i32, unit: &str| match number {
        1 => format!("1 {unit}"),
        more => format!("{more} {unit}s"),
    };
    let hour = 60;
    match minutes {
        weeks if weeks % (7 * DAY) == 0 => counted(weeks / (7 * DAY), "week"),
        days if days % DAY == 0 => counted(days / DAY, "day"),
        hours if hours % hour == 0 => counted(hours / hour, "hour"),
        minutes => counted(minutes, "minute"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_one_event_of_many_and_one_of_a_tunnel_among_them() {
        let cells = |events, hidden, most| {
            cells_of(EventBin { events, hidden }, most, 2).collect::<Vec<_>>()
        };
        assert_eq!(cells(16, 16, 16), [(8, true), (8, true)]);
        assert_eq!(cells(16, 8, 16), [(8, true), (8, false)]);
        assert_eq!(cells(16, 0, 16), [(8, false), (8, false)]);
        assert_eq!(cells(1, 0, 1_000_000), [(1, false), (0, false)]);
        assert_eq!(cells(1_000_000, 1, 1_000_000), [(8, true), (8, false)]);
        assert_eq!(cells(0, 0, 16), [(0, false), (0, false)]);
        // A bar of one cell has the colour of most of it.
        assert_eq!(cells(4, 1, 16), [(4, false), (0, false)]);
        assert_eq!(cells(4, 2, 16), [(4, true), (0, false)]);
    }

    #[test]
    fn lengths_are_said_in_the_largest_unit() {
        for (minutes, said) in [
            (1, "1 minute"),
            (30, "30 minutes"),
            (60, "1 hour"),
            (360, "6 hours"),
            (1440, "1 day"),
            (4 * 7 * 1440, "4 weeks"),
        ] {
            assert_eq!(length_in_words(minutes), said);
        }
    }
}
