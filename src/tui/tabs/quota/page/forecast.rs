//! How long the balance lasts, what somebody else spends of it, and what keeps queries from being spent by accident.

use ratatui::text::Line;

use super::super::{QuotaTab, tally::Tally};
use crate::tui::{
    ctx::{
        ViewCtx,
        sheet::{Meaning, RowId, Writer},
    },
    ui::{
        widgets::page::{Row, Section, Side},
        words::number,
    },
};

pub(super) fn write(tab: &QuotaTab, ctx: &ViewCtx<'_>, writer: &mut Writer<'_>) {
    let mut section = Section::new("Forecast and guards", Side::Right);
    if let Some(tally) = tab.ledger.value() {
        lasts(tally, ctx, &mut section, writer);
        elsewhere(tally, ctx, &mut section, writer);
    }
    guards(ctx, &mut section, writer);
    writer.push(section);
}

/// How long the balance lasts.
fn lasts(
    tally: &Tally,
    ctx: &ViewCtx<'_>,
    section: &mut Section<'static, RowId>,
    writer: &mut Writer<'_>,
) {
    let Some(balance) = ctx.facts.balance.filter(|_| !ctx.private) else {
        return;
    };
    let (today, week) = tally.lasts(balance.remaining);
    for (label, days) in [("24 h rate", today), ("7 day rate", week)] {
        let line = match days {
            Some(days) => Line::raw(format!("lasts ~ {} days", number(days))),
            None => Line::styled("nothing spent", writer.theme.dim),
        };
        section.push(writer.field(label, line));
    }
}

/// What somebody else spent.
fn elsewhere(
    tally: &Tally,
    ctx: &ViewCtx<'_>,
    section: &mut Section<'static, RowId>,
    writer: &mut Writer<'_>,
) {
    let Some(found) = tally.elsewhere.filter(|_| !ctx.private) else {
        return;
    };
    let since = found.since.strftime("%Y-%m-%d %H:%M");
    let queries = number(found.queries);
    let text = format!("! balance fell by {queries} since {since} UTC, not by this machine");
    let meaning = Meaning::new("spent elsewhere", found.queries.to_string());
    let row = Row::text(Line::styled(text, writer.theme.warn));
    section.push(writer.anchor(row, meaning));
    section.push(writer.aside("somebody else uses this token"));
}

fn guards(ctx: &ViewCtx<'_>, section: &mut Section<'static, RowId>, writer: &mut Writer<'_>) {
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
    section.push(writer.field("warn below", line));
    let stops = left.is_some_and(|left| guards.stop_below > 0 && left < guards.stop_below);
    let line = match guards.stop_below {
        0 => Line::styled("off", theme.dim),
        below if stops => Line::styled(
            format!("{}  ! lookups are refused", number(below)),
            theme.bad,
        ),
        below => Line::raw(format!("{}  refuses lookups", number(below))),
    };
    section.push(writer.field("stop below", line));
    let over = format!("{} queries at once", number(guards.confirm_over));
    section.push(writer.field("confirm over", Line::raw(over)));
    section.push(writer.aside("a sets them, in config.toml"));
}
