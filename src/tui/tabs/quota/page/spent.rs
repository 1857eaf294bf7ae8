//! Queries spent by hour or day and by purpose, and queries saved, as a chart and in numbers.

use jiff::{SignedDuration, Timestamp};
use ratatui::text::{Line, Span};

use super::super::{
    QuotaTab,
    chart::{self, ChartSeries, MARGIN},
    tally::{DAYS, HOURS, LedgerTally, SpendBar, Sum},
};
use crate::{
    engine::QueryPurpose,
    model::Day,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetRow, SheetWriter},
        },
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::{PageRow, Section, SectionSide},
            },
            words::number,
        },
    },
};

/// Rows of the two charts, of what was spent and of what was saved, and cells of a bar for an hour and for a day.
#[derive(Clone, Copy)]
struct ChartSize {
    rows: [usize; 2],
    hour: usize,
    day: usize,
}

const SMALL: ChartSize = ChartSize {
    rows: [4, 2],
    hour: 2,
    day: 3,
};
const LARGE: ChartSize = ChartSize {
    rows: [5, 3],
    hour: 3,
    day: 6,
};

fn title(by_day: bool, theme: &Theme) -> Line<'static> {
    let unit = if by_day { "day" } else { "hour" };
    Line::from(vec![
        Span::raw(format!("Spent by ipspect per {unit}")),
        Span::styled("  UTC, its own ledger", theme.dim),
    ])
}

pub(super) fn write(
    tab: &QuotaTab,
    is_large: bool,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let measure = if is_large { LARGE } else { SMALL };
    let mut section = Section::new(title(tab.by_day, theme), SectionSide::Left).columns(vec![
        Column::new("", Width::Fill(12)),
        Column::new("SPENT", Width::Min(6)).right(),
        Column::new("POSSIBLY", Width::Min(8)).right().rank(1),
        Column::new("CACHE", Width::Min(6)).right(),
        Column::new("LOCAL", Width::Min(6)).right(),
    ]);
    let (tally, error) = (tab.ledger.value(), tab.ledger.error());
    if let Some(error) = error {
        let text = format!("x the ledger could not be read: {}", error.message);
        section.push(PageRow::text(Line::styled(text, theme.bad)));
        if tally.is_some() {
            section.push(writer.aside("these figures are older; R refreshes them"));
        }
    }
    match tally {
        Some(tally) => {
            charts(tally, tab.by_day, measure, ctx.now, &mut section, theme);
            section.push(PageRow::text(""));
            sums(tally, &mut section, writer);
            for fault in &tally.faults {
                let text = format!("! ledger: {fault}");
                section.push(PageRow::text(Line::styled(text, theme.warn)));
            }
        }
        None if error.is_none() => section.push(writer.aside("~ reading the ledger")),
        None => {}
    }
    writer.push(section);
    if let Some(tally) = tally.filter(|_| is_large) {
        let mut other = Section::new(title(!tab.by_day, theme), SectionSide::Left);
        charts(tally, !tab.by_day, measure, ctx.now, &mut other, theme);
        writer.push(other);
    }
}

fn charts(
    tally: &LedgerTally,
    by_day: bool,
    measure: ChartSize,
    now: Timestamp,
    section: &mut Section<'static, SheetRow>,
    theme: &Theme,
) {
    let is_empty = |bar: &SpendBar| bar.spent.iter().chain(&bar.saved).all(|count| *count == 0);
    let in_view = if by_day {
        &tally.days[..]
    } else {
        &tally.hours[..]
    };
    if in_view.iter().all(is_empty) {
        let time = if by_day {
            format!("{DAYS} days")
        } else {
            format!("{HOURS} hours")
        };
        let text = if in_view.iter().any(|bar| bar.possibly > 0) {
            format!("0 queries spent for certain, 0 saved in {time}")
        } else {
            format!("nothing was spent or saved in {time}")
        };
        return section.push(PageRow::text(Line::styled(text, theme.dim)));
    }
    let (bars, width): (&[SpendBar], usize) = if by_day {
        (&tally.days, measure.day)
    } else {
        (&tally.hours, measure.hour)
    };
    let kind = |sign, style, word| ChartSeries { sign, style, word };
    let signs = [
        ('#', theme.accent),
        ('%', theme.warn),
        ('@', theme.good),
        ('=', theme.text),
    ];
    let mut kinds: Vec<ChartSeries> = signs
        .into_iter()
        .zip(QueryPurpose::ALL)
        .map(|((sign, style), work)| kind(sign, style, work.word()))
        .collect();
    kinds.push(kind('+', theme.dim, "unclassified"));
    let spent: Vec<Vec<u64>> = bars.iter().map(|bar| bar.spent.to_vec()).collect();
    let is_any = |bars: &[Vec<u64>]| bars.iter().flatten().any(|count| *count > 0);
    // A chart of nothing has no measure: the axis is below the one that has bars.
    let is_spent = is_any(&spent);
    if is_spent {
        section.extend(chart::lines(
            &spent,
            &kinds,
            measure.rows[0],
            width,
            theme.dim,
        ));
        section.push(PageRow::text(axis(by_day, width, now, theme)));
    }
    let saved: Vec<Vec<u64>> = bars.iter().map(|bar| bar.saved.to_vec()).collect();
    let saved_kinds = [
        kind('c', theme.good, "saved by cache"),
        kind('l', theme.good, "saved by local feeds"),
    ];
    if is_any(&saved) {
        section.extend(chart::lines(
            &saved,
            &saved_kinds,
            measure.rows[1],
            width,
            theme.dim,
        ));
    }
    if !is_spent {
        section.push(PageRow::text(axis(by_day, width, now, theme)));
    }
    let legends = [
        chart::legend(&spent, &kinds),
        chart::legend(&saved, &saved_kinds),
    ];
    for legend in legends.into_iter().filter(|legend| !legend.is_empty()) {
        section.push(PageRow::text(Line::from(legend)));
    }
}

/// The hours or days under the bars, as far as they have room.
fn axis(by_day: bool, width: usize, now: Timestamp, theme: &Theme) -> Line<'static> {
    let mut text = " ".repeat(MARGIN);
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

fn sums(
    tally: &LedgerTally,
    section: &mut Section<'static, SheetRow>,
    writer: &mut SheetWriter<'_>,
) {
    let since = tally.since.map_or_else(
        || "ever (nothing yet)".to_owned(),
        |day| format!("since {}", day.dashed()),
    );
    for (period, sum) in [
        ("today (UTC)".to_owned(), tally.today),
        ("last 7 days".to_owned(), tally.week),
        (since, tally.all),
    ] {
        let said = format!(
            "{} queries, possibly {} more; saved by cache {}, by local feeds {}",
            sum.surely, sum.possibly, sum.cache, sum.local
        );
        let row = writer.anchor(
            row_of(&period, sum),
            Meaning::new(format!("spent {period}"), said),
        );
        section.push(row);
    }
    if tally.all.possibly > 0 {
        section.push(writer.aside("possibly: sent without an answer, may have been counted"));
    }
}

fn row_of(period: &str, sum: Sum) -> PageRow<'static, SheetRow> {
    let or_dash = |count: u64| match count {
        0 => "-".to_owned(),
        count => number(count),
    };
    PageRow::cells(vec![
        Line::raw(period.to_owned()),
        Line::raw(number(sum.surely)),
        Line::raw(or_dash(sum.possibly)),
        Line::raw(or_dash(sum.cache)),
        Line::raw(or_dash(sum.local)),
    ])
}
