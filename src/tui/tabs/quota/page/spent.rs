//! Queries spent by hour or day and by purpose, and queries saved, as a chart and in numbers.

use jiff::{SignedDuration, Timestamp};
use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::super::{
    QuotaTab,
    chart::{self, LABEL},
    tally::{DAYS, HOURS, LedgerTally, SpendBar, Sum},
};
use crate::{
    engine::{Area, QueryPurpose},
    model::Day,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetWriter},
        },
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::{PageRow, SectionSide},
            },
            words::number,
        },
    },
};

/// Cells of a bar for an hour and for a day.
#[derive(Clone, Copy)]
struct BarWidths {
    hour: usize,
    day: usize,
}

const SMALL: BarWidths = BarWidths { hour: 2, day: 3 };
const LARGE: BarWidths = BarWidths { hour: 3, day: 6 };

fn title(by_day: bool) -> &'static str {
    if by_day {
        "Spent by ipspect per day"
    } else {
        "Spent by ipspect per hour"
    }
}

pub(super) fn write(
    tab: &QuotaTab,
    is_large: bool,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    const REMARK: &str = "UTC, its own ledger";
    let widths = if is_large { LARGE } else { SMALL };
    writer.begin(title(tab.by_day), REMARK, SectionSide::Left);
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
        let bad = writer.theme.bad;
        writer.lines([Line::styled(text, bad)]);
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
    writer.lines(charts(tally, tab.by_day, widths, ctx.now, ctx.theme));
    writer.put(PageRow::text(""));
    sums(tally, writer);
    for fault in &tally.faults {
        writer.warning(format!("! ledger: {fault}"));
    }
    if is_large {
        writer.begin(title(!tab.by_day), REMARK, SectionSide::Left);
        writer.lines(charts(tally, !tab.by_day, widths, ctx.now, ctx.theme));
    }
}

/// A purpose beside its bars, named as in the rights of the token where its word has no room.
fn label(purpose: QueryPurpose) -> &'static str {
    match purpose {
        QueryPurpose::PastDay => Area::History.word(),
        purpose => purpose.word(),
    }
}

/// A row of bars for each purpose of which any were spent, and for each source that saved any.
fn charts(
    tally: &LedgerTally,
    by_day: bool,
    widths: BarWidths,
    now: Timestamp,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let (bars, width): (&[SpendBar], usize) = if by_day {
        (&tally.days, widths.day)
    } else {
        (&tally.hours, widths.hour)
    };
    let spent = QueryPurpose::ALL.map(label).into_iter().chain(["other"]);
    let spent = spent.enumerate();
    let spent = spent.map(|(kind, word)| {
        let values: Vec<u64> = bars.iter().map(|bar| bar.spent[kind]).collect();
        (word, theme.accent, values)
    });
    let saved = ["cached", "local"].into_iter().enumerate();
    let saved = saved.map(|(kind, word)| {
        let values: Vec<u64> = bars.iter().map(|bar| bar.saved[kind]).collect();
        (word, theme.good, values)
    });
    let is_any = |(_, _, values): &(&str, Style, Vec<u64>)| values.iter().any(|own| *own > 0);
    let spent: Vec<_> = spent.filter(is_any).collect();
    let saved: Vec<_> = saved.filter(is_any).collect();
    if spent.is_empty() && saved.is_empty() {
        let time = if by_day {
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
    let mut lines = Vec::new();
    let mut full = Vec::new();
    for (rows, word) in [(spent, "spent"), (saved, "saved")] {
        let values = rows.iter().flat_map(|(_, _, values)| values);
        let Some(most) = values.max().copied() else {
            continue;
        };
        full.push(format!("{} {word}", number(most)));
        for (label, style, values) in rows {
            lines.push(Line::from(vec![
                Span::styled(format!("{label:<LABEL$}"), theme.dim),
                Span::styled(chart::bars(&values, most, width), style),
            ]));
        }
    }
    lines.push(axis(by_day, width, now, theme));
    lines.push(Line::styled(
        format!("full bar: {}", full.join(", ")),
        theme.dim,
    ));
    lines
}

/// The hours or days under the bars, as far as they have room.
fn axis(by_day: bool, width: usize, now: Timestamp, theme: &Theme) -> Line<'static> {
    let mut text = " ".repeat(LABEL);
    if by_day {
        for back in (0..DAYS).rev() {
            let day = Day::of(now).plus(-i32::try_from(back).unwrap_or_default());
            let dashed = day.dashed();
            let number = dashed.rsplit('-').next().unwrap_or_default().to_owned();
            text.push_str(&format!("{number:<width$}"));
        }
    } else {
        for back in (0..HOURS).rev().step_by(3) {
            let hours = i64::try_from(back).unwrap_or_default();
            let at = now - SignedDuration::from_hours(hours);
            let hour = at.as_second().div_euclid(3600).rem_euclid(24);
            text.push_str(&format!(
                "{hour:<room$}",
                hour = format!("{hour:02}"),
                room = 3 * width
            ));
        }
    }
    Line::styled(text.trim_end().to_owned(), theme.dim)
}

/// The sums of each period.
fn sums(tally: &LedgerTally, writer: &mut SheetWriter<'_>) {
    let since = tally.since.map_or_else(
        || "ever (nothing yet)".to_owned(),
        |day| format!("since {}", day.dashed()),
    );
    for (period, sum) in [
        ("today (UTC)".to_owned(), tally.today),
        ("last 7 days".to_owned(), tally.week),
        (since, tally.all),
    ] {
        let copied = format!(
            "{} queries, possibly {} more; saved by cache {}, by local feeds {}",
            sum.surely, sum.possibly, sum.cache, sum.local
        );
        let meaning = Meaning::new(format!("spent {period}"), copied);
        writer.cells(cells_of(period, sum), meaning);
    }
    if tally.all.possibly > 0 {
        writer.remark("possibly: sent without an answer, may have been counted");
    }
}

fn cells_of(period: String, sum: Sum) -> Vec<Line<'static>> {
    let or_dash = |count: u64| match count {
        0 => "-".to_owned(),
        count => number(count),
    };
    vec![
        Line::raw(period),
        Line::raw(number(sum.surely)),
        Line::raw(or_dash(sum.possibly)),
        Line::raw(or_dash(sum.cache)),
        Line::raw(or_dash(sum.local)),
    ]
}
