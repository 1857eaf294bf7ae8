//! The ledger: queries spent by hour or day and by purpose, and queries saved, as a chart, in numbers and line by line.

use jiff::{SignedDuration, Timestamp};
use ratatui::text::{Line, Span};

use super::super::{
    QuotaTab,
    tally::{DAYS, HOURS, LedgerLine, LedgerTally, Sum},
};
use crate::{
    engine::{Area, QueryPurpose, SavedBy},
    model::Day,
    tui::{
        ctx::{Meaning, SheetWriter, ViewCtx},
        ui::{
            Column, SectionSide, Theme, Width,
            glyphs::LEVELS,
            words::{self, number},
        },
    },
};

/// Cells before the bars.
const LABEL: usize = 8;

/// A chart of the ledger.
#[derive(Clone, Copy)]
struct Chart {
    /// Whether its bars are days, and not hours.
    by_day: bool,
    /// Cells of a bar.
    width: usize,
}

impl Chart {
    fn new(by_day: bool, is_large: bool) -> Self {
        let width = match (by_day, is_large) {
            (false, false) => 2,
            (false, true) | (true, false) => 3,
            (true, true) => 6,
        };
        Self { by_day, width }
    }

    fn begin(self, writer: &mut SheetWriter<'_>) {
        let unit = if self.by_day { "day" } else { "hour" };
        let title = format!("Spent by ipspect per {unit}");
        writer.begin(title, "UTC, its own ledger", SectionSide::Left);
    }

    /// A row of bars for each purpose of which any were spent, and for each source that saved any.
    fn lines(self, tally: &LedgerTally, now: Timestamp, theme: &Theme) -> Vec<Line<'static>> {
        let bars: &[Sum] = if self.by_day {
            &tally.days
        } else {
            &tally.hours
        };
        let purposes = QueryPurpose::ALL.map(label).into_iter().chain(["other"]);
        let spent = purposes.enumerate().map(|(kind, word)| {
            let values: Vec<u64> = bars.iter().map(|bar| bar.spent[kind]).collect();
            (word, values)
        });
        let sources = ["cached", "local"].into_iter().enumerate();
        let saved = sources.map(|(kind, word)| {
            let values: Vec<u64> = bars.iter().map(|bar| bar.saved[kind]).collect();
            (word, values)
        });
        let (mut lines, mut full) = (Vec::new(), Vec::new());
        for (rows, word, style) in [
            (spent.collect::<Vec<_>>(), "spent", theme.accent),
            (saved.collect(), "saved", theme.good),
        ] {
            let values = rows.iter().flat_map(|(_, values)| values);
            let most = values.max().copied().unwrap_or_default();
            if most > 0 {
                full.push(format!("{} {word}", number(most)));
            }
            for (label, values) in rows {
                if values.iter().any(|value| *value > 0) {
                    let label = Span::styled(format!("{label:<LABEL$}"), theme.dim);
                    let values = upright(&values, most, self.width);
                    lines.push(label + Span::styled(values, style));
                }
            }
        }
        if lines.is_empty() {
            let time = if self.by_day {
                format!("{DAYS} days")
            } else {
                format!("{HOURS} hours")
            };
            let text = if bars.iter().any(|bar| bar.possibly > 0) {
                format!("0 queries spent for certain, 0 saved in {time}")
            } else {
                format!("nothing was spent or saved in {time}")
            };
            return vec![Line::styled(text, theme.dim)];
        }
        lines.push(Line::styled(self.axis(now), theme.dim));
        let full = format!("full bar: {}", full.join(", "));
        lines.push(Line::styled(full, theme.dim));
        lines
    }

    /// The hours or days under the bars, as far as they have room.
    fn axis(self, now: Timestamp) -> String {
        let (bars, step) = if self.by_day { (DAYS, 1) } else { (HOURS, 3) };
        let mut text = " ".repeat(LABEL);
        for back in (0..bars).rev().step_by(step) {
            let hours = i64::try_from(back).unwrap_or_default();
            let name = if self.by_day {
                let dashed = Day::of(now - SignedDuration::from_hours(24 * hours)).dashed();
                dashed.rsplit('-').next().unwrap_or_default().to_owned()
            } else {
                (now - SignedDuration::from_hours(hours))
                    .strftime("%H")
                    .to_string()
            };
            let room = step * self.width;
            text += &format!("{name:<room$}");
        }
        text.trim_end().to_owned()
    }
}

/// A purpose beside its bars, named as in the rights of the token where its word has no room.
fn label(purpose: QueryPurpose) -> &'static str {
    match purpose {
        QueryPurpose::PastDay => Area::History.word(),
        purpose => purpose.word(),
    }
}

/// A bar for each value, each so wide; `most` is a full one. What is not nothing is an eighth at least.
fn upright(values: &[u64], most: u64, width: usize) -> String {
    let full = LEVELS.len() as u64 - 1;
    let bar = |value: &u64| {
        let level = value.saturating_mul(full).div_ceil(most.max(1)).min(full);
        let level = LEVELS[usize::try_from(level).unwrap_or_default()];
        format!("{:<width$}", level.repeat(width.saturating_sub(1).max(1)))
    };
    let bars: String = values.iter().map(bar).collect();
    bars.trim_end().to_owned()
}

/// The chart, and the sums of each period. A large screen has both charts.
pub(super) fn spent(
    tab: &QuotaTab,
    is_large: bool,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let chart = Chart::new(tab.by_day, is_large);
    chart.begin(writer);
    writer.columns(vec![
        Column::new("", Width::Fill(12)),
        Column::new("SPENT", Width::Min(6)).right(),
        Column::new("POSSIBLY", Width::Min(8)).right().rank(1),
        Column::new("CACHE", Width::Min(6)).right(),
        Column::new("LOCAL", Width::Min(6)).right(),
    ]);
    let (tally, error) = (tab.ledger.value(), tab.ledger.error());
    if let Some(error) = error {
        let text = format!("x the ledger could not be read: {}", error.message);
        writer.put(Line::styled(text, ctx.theme.bad));
        if tally.is_some() {
            writer.remark("these figures are older; R refreshes them");
        }
    }
    let Some(tally) = tally else {
        if error.is_none() {
            writer.remark("~ reading the ledger");
        }
        return;
    };
    writer.lines(chart.lines(tally, ctx.now, ctx.theme));
    writer.put(Line::default());
    sums(tally, writer);
    for fault in &tally.faults {
        writer.warning(format!("! ledger: {fault}"));
    }
    if is_large {
        let other = Chart::new(!tab.by_day, is_large);
        other.begin(writer);
        writer.lines(other.lines(tally, ctx.now, ctx.theme));
    }
}

/// The sums of each period.
fn sums(tally: &LedgerTally, writer: &mut SheetWriter<'_>) {
    let since = match tally.since {
        Some(day) => format!("since {}", day.dashed()),
        None => "ever (nothing yet)".to_owned(),
    };
    for (period, sum) in [
        ("today (UTC)".to_owned(), tally.today()),
        ("last 7 days".to_owned(), tally.week),
        (since, tally.all),
    ] {
        let (surely, possibly, [cache, local]) = (sum.surely(), sum.possibly, sum.saved);
        let copied = format!(
            "{surely} queries, possibly {possibly} more; saved by cache {cache}, by local feeds {local}"
        );
        let meaning = Meaning::new(format!("spent {period}"), copied);
        let or_dash = |count: u64| match count {
            0 => Line::raw("-"),
            count => Line::raw(number(count)),
        };
        let cells = vec![
            Line::raw(period),
            Line::raw(number(surely)),
            or_dash(possibly),
            or_dash(cache),
            or_dash(local),
        ];
        writer.cells(cells, meaning);
    }
    if tally.all.possibly > 0 {
        writer.remark("possibly: sent without an answer, may have been counted");
    }
}

/// The newest lines: what each query was spent for, and what was saved.
pub(super) fn latest(tally: &LedgerTally, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("Latest queries", "", SectionSide::Right);
    writer.columns(vec![
        Column::new("AT", Width::Fixed(20)),
        Column::new("FOR", Width::Fill(16)),
        Column::new("SPENT", Width::Min(5)).right(),
        Column::new("SAVED", Width::Min(5)).right(),
    ]);
    for line in &tally.latest {
        let (what, [spent, saved]) = match line {
            LedgerLine::Spent(line) => {
                let mut what = line
                    .work
                    .map_or("kind not recorded", QueryPurpose::word)
                    .to_owned();
                if line.is_total {
                    what += ", added up";
                }
                let (surely, possibly) = (u64::from(line.surely), u64::from(line.possibly));
                let spent = match (surely, possibly) {
                    (0, possibly) => format!("possibly {}", number(possibly)),
                    (surely, 0) => number(surely),
                    _ => format!("{} to {}", number(surely), number(surely + possibly)),
                };
                (what, [Some(spent), None])
            }
            LedgerLine::Saved(line) => {
                let by = match line.by {
                    SavedBy::Cache => "from the cache",
                    SavedBy::Local => "from local feeds",
                };
                (by.to_owned(), [None, Some(number(line.queries.into()))])
            }
        };
        let copied = match (&spent, &saved) {
            (Some(spent), _) => format!("{what}, spent {spent}"),
            (None, saved) => format!("{what}, saved {}", saved.as_deref().unwrap_or("0")),
        };
        let at = words::instant(line.at());
        let or_dash = |text: Option<String>| match text {
            Some(text) => Line::raw(text),
            None => Line::styled("-", theme.dim),
        };
        let cells = vec![
            Line::styled(at.clone(), theme.dim),
            Line::raw(what),
            or_dash(spent),
            or_dash(saved),
        ];
        writer.cells(cells, Meaning::new(at, copied));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_not_nothing_and_the_highest_is_full() {
        assert_eq!(upright(&[0, 1, 50, 100], 100, 2), "  ▁ ▄ █");
        assert_eq!(upright(&[0, 7], 7, 3), "   ██");
        assert_eq!(upright(&[0], 0, 1), "");
        assert_eq!(upright(&[u64::MAX], u64::MAX, 1), "▁");
    }
}
