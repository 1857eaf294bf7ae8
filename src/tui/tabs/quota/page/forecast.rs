//! How long the balance lasts, what other clients spend, and the guards against accidental queries.

use jiff::SignedDuration;
use ratatui::text::Line;

use super::super::{
    QuotaTab,
    tally::{Forecast, LedgerTally},
};
use crate::{
    report::minute,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetWriter},
        },
        ui::{
            widgets::page::{PageRow, SectionSide},
            words::number,
        },
    },
};

pub(super) fn write(tab: &QuotaTab, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    writer.begin("Forecast and guards", "", SectionSide::Right);
    if let Some(tally) = tab.ledger.value() {
        lasts(tally, ctx, writer);
        elsewhere(tally, ctx, writer);
    }
    guards(ctx, writer);
}

/// How long the balance lasts.
fn lasts(tally: &LedgerTally, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let Some(balance) = ctx.facts.balance.filter(|_| !ctx.private) else {
        return;
    };
    let labels = ["24 h rate", "7 day rate"];
    for (label, forecast) in labels.into_iter().zip(tally.lasts(balance.remaining)) {
        let line = match forecast {
            Forecast::Days(days) => Line::raw(format!("lasts {}", how_long(days))),
            Forecast::NothingSpent => Line::styled("nothing spent", writer.theme.dim),
            Forecast::TooEarly(observed) => {
                let words = format!("too early to say: {} of use", observed_for(observed));
                Line::styled(words, writer.theme.dim)
            }
        };
        writer.value(label, line);
    }
}

/// Days in words: no rate tells the days of years ahead.
fn how_long(days: u64) -> String {
    match days {
        0 => "less than a day".to_owned(),
        1 => "~ 1 day".to_owned(),
        2..=365 => format!("~ {} days", number(days)),
        366..=3650 => format!("~ {}.{} years", days / 365, days % 365 * 10 / 365),
        _ => "more than 10 years".to_owned(),
    }
}

/// A time of use in words: `10 minutes`, `2 hours`.
fn observed_for(observed: SignedDuration) -> String {
    match (observed.as_hours(), observed.as_mins()) {
        (0, ..=1) => "1 minute".to_owned(),
        (0, minutes) => format!("{minutes} minutes"),
        (1, _) => "1 hour".to_owned(),
        (hours, _) => format!("{hours} hours"),
    }
}

/// Queries that other clients spent.
fn elsewhere(tally: &LedgerTally, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let Some(found) = tally.elsewhere.filter(|_| !ctx.private) else {
        return;
    };
    let since = minute(found.since);
    let queries = number(found.queries);
    let text = format!("! balance fell by {queries} since {since}, not by this machine");
    let meaning = Meaning::new("spent elsewhere", found.queries.to_string());
    let row = PageRow::text(Line::styled(text, writer.theme.warn));
    writer.stop(row, meaning);
    writer.remark("somebody else uses this token");
}

fn guards(ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let guards = &ctx.facts.guards;
    let left = ctx.facts.balance.map(|balance| balance.remaining);
    let is_warned = left.is_some_and(|left| left < guards.warn_below);
    let line = if is_warned {
        Line::styled(
            format!("{}  ! the balance is below", number(guards.warn_below)),
            theme.warn,
        )
    } else {
        Line::raw(number(guards.warn_below))
    };
    writer.value("warn below", line);
    let stops = left.is_some_and(|left| guards.stop_below > 0 && left < guards.stop_below);
    let line = match guards.stop_below {
        0 => Line::styled("off", theme.dim),
        below if stops => Line::styled(
            format!("{}  ! lookups are refused", number(below)),
            theme.bad,
        ),
        below => Line::raw(format!("{}  refuses lookups", number(below))),
    };
    writer.value("stop below", line);
    let over = format!("{} queries at once", number(guards.confirm_over));
    writer.value("confirm over", Line::raw(over));
    writer.remark("a sets them, in config.toml");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_said_in_words() {
        for (days, expected) in [
            (0, "less than a day"),
            (1, "~ 1 day"),
            (365, "~ 365 days"),
            (655, "~ 1.7 years"),
            (3650, "~ 10.0 years"),
            (16_039, "more than 10 years"),
        ] {
            assert_eq!(how_long(days), expected);
        }
        for (minutes, expected) in [
            (0, "1 minute"),
            (10, "10 minutes"),
            (61, "1 hour"),
            (179, "2 hours"),
        ] {
            assert_eq!(observed_for(SignedDuration::from_mins(minutes)), expected);
        }
    }
}
