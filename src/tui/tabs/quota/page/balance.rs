//! The balance: the queries left, the quota, the source and its time. Unknown is not zero.

use ratatui::{
    style::Modifier,
    text::{Line, Span},
};
use serde_json::Value;

use super::super::QuotaTab;
use crate::{
    engine::{BalanceSource, Fetched},
    model::{Field, Status, visible},
    tui::{
        ctx::{
            ViewCtx, failure,
            sheet::{Meaning, SheetWriter},
        },
        ui::{
            theme::Theme,
            widgets::page::{PageRow, SectionSide},
            words::{self, number},
        },
    },
};

pub(super) fn write(tab: &QuotaTab, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("", "", SectionSide::Both);
    let left = ctx.facts.balance.map(|balance| balance.remaining);
    let mut head = vec![Span::styled(
        remaining(left, ctx),
        theme.title.add_modifier(Modifier::UNDERLINED),
    )];
    let warn_below = ctx.facts.guards.warn_below;
    if left.is_some_and(|left| left < warn_below) && !ctx.private {
        let text = format!("  ! below {}", number(warn_below));
        head.push(Span::styled(text, theme.warn));
    }
    if ctx.private {
        head.push(Span::styled("   tier and token hidden", theme.dim));
    } else {
        head.extend(account(tab.status.value().map(|own| &own.value), theme));
    }
    // Who copies it has asked for it, even where it is hidden on the screen.
    let value = left.map_or_else(|| "unknown".to_owned(), |left| left.to_string());
    writer.stop(
        PageRow::text(head),
        Meaning::new("queries remaining", value),
    );
    writer.put(PageRow::text(""));
    source(ctx, writer);
    if let Some(fetched) = tab.status.value().filter(|_| !ctx.private) {
        expiry(fetched, writer);
    }
    state(tab, ctx, writer);
}

fn remaining(left: Option<u64>, ctx: &ViewCtx<'_>) -> String {
    match left {
        _ if ctx.private => "balance hidden".to_owned(),
        Some(left) => format!("{} queries remaining", number(left)),
        None => "balance unknown".to_owned(),
    }
}

fn account(status: Option<&Status>, theme: &Theme) -> Vec<Span<'static>> {
    let Some(status) = status else {
        return vec![Span::styled(
            "   tier unknown   token active: unknown",
            theme.dim,
        )];
    };
    let tier = words::plain(&status.service_tier, String::clone);
    let (active, style) = match &status.active {
        Field::Is(true) => ("yes".to_owned(), theme.good),
        Field::Is(false) => ("NO".to_owned(), theme.bad),
        other => (words::plain(other, |_| String::new()), theme.dim),
    };
    vec![
        Span::styled("   tier ", theme.dim),
        Span::raw(tier),
        Span::styled("   token active: ", theme.dim),
        Span::styled(active, style),
    ]
}

/// Who named the balance, and when.
fn source(ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let Some(balance) = ctx.facts.balance else {
        let text = "unknown in this run: /status or a lookup's answer has it";
        return writer.value("source", Line::styled(text, writer.theme.dim));
    };
    let who = match balance.source {
        BalanceSource::Lookup => "x-balance-remaining of your last lookup",
        BalanceSource::Status => "/status",
    };
    let how_old = match ctx.age(balance.at).as_str() {
        "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    };
    let line = format!("{who}, {how_old} ({})", words::instant(balance.at));
    writer.value("source", Line::raw(line));
}

/// When the token expires: the contract has no such field, a service may have one all the same.
fn expiry(fetched: &Fetched<Status>, writer: &mut SheetWriter<'_>) {
    let object = fetched.document.value().as_object();
    let mut keys = object.into_iter().flatten();
    let is_named = |(key, value): &(&String, &Value)| {
        key.to_lowercase().contains("expir") && (value.is_string() || value.is_number())
    };
    let line = match keys.find(is_named) {
        Some((key, value)) => {
            let at = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            Line::raw(format!("{} ({})", visible(&at), visible(key)))
        }
        None => Line::styled("not stated in /status", writer.theme.dim),
    };
    writer.value("expires", line);
}

/// What the last answer to /status was: where it differs from the balance, under way, failed, or impossible.
fn state(tab: &QuotaTab, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    if let Some(fetched) = tab.status.value() {
        let said = &fetched.value.queries_remaining;
        let differs = said.is().copied() != ctx.facts.balance.map(|balance| balance.remaining);
        if differs {
            let at = words::instant(fetched.provenance.asked_at);
            let line = |said: &str| format!("queriesRemaining {said} at {at}");
            let copied = line(&words::plain(said, |left| number(*left)));
            let shown = match said {
                Field::Is(_) if ctx.private => line("hidden"),
                _ => copied.clone(),
            };
            let row = PageRow::field("/status", shown);
            writer.stop(row, Meaning::new("/status", copied));
        }
    }
    if tab.status.is_pending() {
        writer.warning("~ fetching /status");
    } else if let Some(error) = tab.status.error() {
        let keys = if tab.status.value().is_some() {
            "tier and token are those of the last answer; R refreshes"
        } else {
            "R refreshes; t asks the other hosts, too"
        };
        writer.lines(failure::lines("/status: ", error, "  ", keys, theme));
    } else if tab.status.value().is_none() {
        let text = ctx.facts.lack().unwrap_or_else(|| {
            let text = if tab.status.was_stopped() {
                "/status: no longer waited for; R refreshes"
            } else {
                "/status was not fetched in this run: R fetches it"
            };
            text.to_owned()
        });
        writer.warning(text);
    }
}
