//! A chart of stacked bars as lines of text. Each kind has a sign of its own, so that colour is never alone.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

/// A kind of values: its sign, its colour, its word.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartSeries {
    pub(super) sign: char,
    pub(super) style: Style,
    pub(super) word: &'static str,
}

/// Cells before the bars: numbers and the axis.
pub(super) const MARGIN: usize = 7;

/// The lines of bars of so many rows, each bar so wide, with the highest value at the axis.
pub(super) fn lines(
    bars: &[Vec<u64>],
    kinds: &[ChartSeries],
    rows: usize,
    width: usize,
    axis: Style,
) -> Vec<Line<'static>> {
    let total = |bar: &Vec<u64>| bar.iter().sum::<u64>();
    let highest = bars.iter().map(total).max().unwrap_or_default();
    let line = |row: usize| {
        let head = match row {
            _ if row + 1 == rows && highest > 0 => short(highest),
            0 => String::from("0"),
            _ => String::new(),
        };
        let mut spans = vec![Span::styled(format!("{head:>5} |"), axis)];
        for bar in bars {
            let (text, style) = match kind_at(bar, highest, row, rows) {
                Some(kind) => {
                    let kind = kinds[kind];
                    let filled = kind.sign.to_string().repeat(width.saturating_sub(1).max(1));
                    (format!("{filled:<width$}"), kind.style)
                }
                None => (" ".repeat(width), axis),
            };
            spans.push(Span::styled(text, style));
        }
        Line::from(spans)
    };
    (0..rows).rev().map(line).collect()
}

/// The kind that a bar has in a row from the bottom. What is not nothing fills a row at least.
fn kind_at(bar: &[u64], highest: u64, row: usize, rows: usize) -> Option<usize> {
    let total: u64 = bar.iter().sum();
    let (row, rows) = (row as u64, rows as u64);
    let filled = (total * rows).div_ceil(highest.max(1));
    if row >= filled {
        return None;
    }
    // The middle of the row within the bar.
    let middle = (2 * row + 1) * total;
    let mut below = 0;
    bar.iter().position(|value| {
        below += value;
        middle < 2 * below * filled
    })
}

/// What the signs mean, of those kinds that occur.
pub(super) fn legend(bars: &[Vec<u64>], kinds: &[ChartSeries]) -> Vec<Span<'static>> {
    let occurs = |at: usize| bars.iter().any(|bar| bar[at] > 0);
    let kinds = kinds.iter().enumerate().filter(|(at, _)| occurs(*at));
    kinds
        .flat_map(|(_, kind)| {
            [
                Span::styled(kind.sign.to_string(), kind.style),
                Span::raw(format!(" {}   ", kind.word)),
            ]
        })
        .collect()
}

fn short(value: u64) -> String {
    match value {
        0..100_000 => value.to_string(),
        100_000..1_000_000 => format!("{}k", value / 1000),
        _ => format!("{}M", value / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_stacked_and_little_is_not_nothing() {
        let kind = |sign| ChartSeries {
            sign,
            style: Style::new(),
            word: "",
        };
        let bars = [vec![0, 0], vec![1, 0], vec![40, 40], vec![0, 100]];
        let lines = lines(&bars, &[kind('#'), kind('=')], 4, 2, Style::new());
        let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "  100 |    = = ",
                "      |    = = ",
                "      |    # = ",
                "    0 |  # # = ",
            ]
        );
    }

    #[test]
    fn nothing_at_all_is_an_empty_chart() {
        let lines = lines(&[vec![0]], &[], 2, 1, Style::new());
        assert_eq!(lines[0].to_string(), "      | ");
        assert_eq!(lines[1].to_string(), "    0 | ");
    }
}
