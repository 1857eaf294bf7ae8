//! What the Quota tab says, as one page: the balance first, then what was spent, the guards, and what each host allows.

mod access;
mod balance;

use ratatui::{style::Style, text::Line};

use super::{
    QuotaTab,
    tally::{Sum, Tally},
};
use crate::tui::{
    ctx::{
        ViewCtx,
        sheet::{Meaning, Sheet, Writer},
    },
    ui::{
        widgets::{
            columns::{Column, Width},
            page::{Row, Section, Side},
        },
        words::number,
    },
};

impl QuotaTab {
    /// The page.
    #[must_use]
    pub fn sheet(&self, ctx: &ViewCtx<'_>) -> Sheet {
        let mut writer = Writer::new(ctx.theme);
        balance::write(self, ctx, &mut writer);
        self.spent(ctx, &mut writer);
        guards(ctx, &mut writer);
        access::write(self, ctx, &mut writer);
        if let Some(status) = self.status.value() {
            let status = &status.value;
            writer.beyond(&status.unknown, &status.odd, false, Style::new());
        }
        writer.finish()
    }

    fn spent(&self, ctx: &ViewCtx<'_>, writer: &mut Writer<'_>) {
        let columns = vec![
            Column::new("SPENT BY IPSPECT", Width::Fill(16)),
            Column::new("QUERIES", Width::Min(7)).right(),
            Column::new("POSSIBLY", Width::Min(8)).right(),
        ];
        let mut section = Section::new("This program's own ledger", Side::Left).columns(columns);
        match (self.ledger.value(), self.ledger.error()) {
            (_, Some(error)) => {
                let text = format!("x the ledger could not be read: {}", error.message);
                section.push(Row::text(Line::styled(text, writer.theme.bad)));
            }
            (None, None) => section.push(writer.aside("~ reading the ledger")),
            (Some(tally), None) => {
                let since = tally.since.map_or_else(
                    || "ever (nothing yet)".to_owned(),
                    |day| format!("since {day}"),
                );
                for (period, sum) in [
                    ("today (UTC)".to_owned(), tally.today),
                    ("last 7 days".to_owned(), tally.week),
                    (since, tally.all),
                ] {
                    let row = row_of(&period, sum);
                    let said = format!("{} queries, possibly {} more", sum.surely, sum.possibly);
                    section.push(writer.anchor(row, Meaning::new(format!("spent {period}"), said)));
                }
                if tally.all.possibly > 0 {
                    section.push(writer.aside("possibly: without an answer, yet perhaps counted"));
                }
                pace(tally, ctx, &mut section, writer);
            }
        }
        writer.push(section);
    }
}

fn row_of(period: &str, sum: Sum) -> Row<'static, crate::tui::ctx::sheet::RowId> {
    let possibly = match sum.possibly {
        0 => "-".to_owned(),
        possibly => number(possibly),
    };
    Row::cells(vec![
        Line::raw(period.to_owned()),
        Line::raw(number(sum.surely)),
        Line::raw(possibly),
    ])
}

/// How long the balance lasts, if nobody else spends of it.
fn pace(
    tally: &Tally,
    ctx: &ViewCtx<'_>,
    section: &mut Section<'static, crate::tui::ctx::sheet::RowId>,
    writer: &Writer<'_>,
) {
    let balance = ctx.facts.balance.filter(|_| !ctx.private);
    if let Some(days) = balance.and_then(|balance| tally.lasts(balance.remaining)) {
        let text = format!(
            "at the pace of these 7 days the balance lasts {} days",
            number(days)
        );
        section.push(writer.aside(text));
    }
}

fn guards(ctx: &ViewCtx<'_>, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let guards = &ctx.facts.guards;
    let left = ctx.facts.balance.map(|balance| balance.remaining);
    let mut section = Section::new("Guards", Side::Right);
    let warned = left.is_some_and(|left| left < guards.warn_below);
    let line = if warned {
        Line::styled(
            format!("{}  ! the balance is below", number(guards.warn_below)),
            theme.warn,
        )
    } else {
        Line::raw(number(guards.warn_below))
    };
    section.push(writer.field("warn_below", line));
    let stops = left.is_some_and(|left| guards.stop_below > 0 && left < guards.stop_below);
    let line = match guards.stop_below {
        0 => Line::styled("off", theme.dim),
        below if stops => Line::styled(
            format!("{}  ! lookups are refused", number(below)),
            theme.bad,
        ),
        below => Line::raw(format!("{}  refuses lookups", number(below))),
    };
    section.push(writer.field("stop_below", line));
    let over = format!("{} lookups at once ask first", number(guards.confirm_over));
    section.push(writer.field("confirm_over", Line::raw(over)));
    section.push(writer.aside("[guards] of config.toml sets them"));
    writer.push(section);
}
