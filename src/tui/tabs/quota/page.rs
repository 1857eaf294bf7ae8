//! The Quota tab as one page: the balance first, then what each host allows, what was spent and saved, and the forecast with the
//! guards.

mod ledger;

use jiff::SignedDuration;
use ratatui::{
    layout::Size,
    style::{Modifier, Style},
    text::{Line, Span},
};
use serde_json::Value;

use super::{
    QuotaTab,
    tally::{Forecast, LedgerTally},
};
use crate::{
    engine::{Area, AreaStatus, BalanceSource, Fetched},
    model::{Field, Status, visible},
    report::{counted, minute},
    tui::{
        ctx::{Meaning, Sheet, SheetWriter, ViewCtx, failure},
        ui::{
            Column, PageRow, SectionSide, Theme, Width,
            words::{self, number},
        },
    },
};

/// The size from which a screen is large.
const LARGE: Size = Size::new(150, 50);

/// The areas that a test asks for. The others would cost a query, or need one that is looked up anyway.
const TESTED: [Area; 5] = [
    Area::Status,
    Area::Feeds,
    Area::FeedHistory,
    Area::Realtime,
    Area::Exports,
];

impl QuotaTab {
    /// The page in an area of this size: a large one has room for both charts and for the lines of the ledger.
    #[must_use]
    pub fn sheet(&self, area: Size, ctx: &ViewCtx<'_>) -> Sheet {
        let is_large = area.width >= LARGE.width && area.height >= LARGE.height;
        let mut writer = SheetWriter::new(ctx.theme);
        self.balance(ctx, &mut writer);
        access(self.probe.is_pending(), ctx, &mut writer);
        ledger::spent(self, is_large, ctx, &mut writer);
        writer.begin("Forecast and guards", "", SectionSide::Right);
        if let Some(tally) = self.ledger.value() {
            forecast(tally, ctx, &mut writer);
        }
        guards(ctx, &mut writer);
        if is_large && let Some(tally) = self.ledger.value() {
            ledger::latest(tally, &mut writer);
        }
        if let Some(status) = self.status.value() {
            let status = &status.value;
            writer.beyond(&status.unknown, &status.odd, false, Style::new());
        }
        writer.finish()
    }

    /// The queries left, the source of that number and its time. Unknown is not zero.
    fn balance(&self, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
        let theme = writer.theme;
        writer.begin("", "", SectionSide::Both);
        let left = ctx.facts.balance.map(|balance| balance.remaining);
        let remaining = match left {
            _ if ctx.private => "balance hidden".to_owned(),
            Some(left) => format!("{} queries remaining", number(left)),
            None => "balance unknown".to_owned(),
        };
        let title = theme.title.add_modifier(Modifier::UNDERLINED);
        let mut head = Line::from(Span::styled(remaining, title));
        let warn_below = ctx.facts.guards.warn_below;
        if left.is_some_and(|left| left < warn_below) && !ctx.private {
            let text = format!("  ! below {}", number(warn_below));
            head += Span::styled(text, theme.warn);
        }
        if ctx.private {
            head += Span::styled("   tier and token hidden", theme.dim);
        } else {
            head.spans.extend(account(self.status.value(), theme));
        }
        // Who copies it has asked for it, even where it is hidden on the screen.
        let value = left.map_or_else(|| "unknown".to_owned(), |left| left.to_string());
        writer.stop(head, Meaning::new("queries remaining", value));
        writer.put(Line::default());
        let source = match ctx.facts.balance {
            None => {
                let text = "unknown in this run: /status or a lookup's answer has it";
                Line::styled(text, theme.dim)
            }
            Some(balance) => {
                let who = match balance.source {
                    BalanceSource::Lookup => "x-balance-remaining of your last lookup",
                    BalanceSource::Status => "/status",
                };
                let how_old = match ctx.age(balance.at).as_str() {
                    "now" => "just now".to_owned(),
                    age => format!("{age} ago"),
                };
                let at = words::instant(balance.at);
                Line::raw(format!("{who}, {how_old} ({at})"))
            }
        };
        writer.value("source", source);
        if let Some(fetched) = self.status.value().filter(|_| !ctx.private) {
            writer.value("expires", expiry(fetched, theme));
        }
        self.last_status(ctx, writer);
    }

    /// What the last answer to /status was: where it differs from the balance, under way, failed, or impossible.
    fn last_status(&self, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
        let last = self.status.value();
        if let Some(fetched) = last {
            let said = &fetched.value.queries_remaining;
            if said.is().copied() != ctx.facts.balance.map(|balance| balance.remaining) {
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
        if self.status.is_pending() {
            writer.warning("~ fetching /status");
        } else if let Some(error) = self.status.error() {
            let keys = if last.is_some() {
                "tier and token are those of the last answer; R refreshes"
            } else {
                "R refreshes; t asks the other hosts, too"
            };
            writer.lines(failure::lines("/status: ", error, "  ", keys, ctx.theme));
        } else if last.is_none() {
            let text = if self.status.was_stopped() {
                "/status: no longer waited for; R refreshes"
            } else {
                "/status was not fetched in this run: R fetches it"
            };
            let lack = ctx.facts.lack();
            writer.warning(lack.unwrap_or_else(|| text.to_owned()));
        }
    }
}

/// Tier, and whether the token is active.
fn account(status: Option<&Fetched<Status>>, theme: &Theme) -> Vec<Span<'static>> {
    let Some(status) = status.map(|fetched| &fetched.value) else {
        let text = "   tier unknown   token active: unknown";
        return vec![Span::styled(text, theme.dim)];
    };
    let (active, style) = match &status.active {
        Field::Is(true) => ("yes".to_owned(), theme.good),
        Field::Is(false) => ("NO".to_owned(), theme.bad),
        other => (words::plain(other, |_| String::new()), theme.dim),
    };
    vec![
        Span::styled("   tier ", theme.dim),
        Span::raw(words::plain(&status.service_tier, String::clone)),
        Span::styled("   token active: ", theme.dim),
        Span::styled(active, style),
    ]
}

/// When the token expires: the contract has no such field, a service may have one all the same.
fn expiry(fetched: &Fetched<Status>, theme: &Theme) -> Line<'static> {
    let object = fetched.document.value().as_object();
    let mut keys = object.into_iter().flatten();
    let is_named = |(key, value): &(&String, &Value)| {
        key.to_lowercase().contains("expir") && (value.is_string() || value.is_number())
    };
    let Some((key, value)) = keys.find(is_named) else {
        return Line::styled("not stated in /status", theme.dim);
    };
    let at = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    Line::raw(format!("{} ({})", visible(&at), visible(key)))
}

/// The last answer of each host about the token, and the conclusion from all of them.
fn access(is_testing: bool, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    writer.begin("Access, by each host's last answer", "", SectionSide::Both);
    writer.columns(vec![
        Column::new("HOST", Width::Fixed(7)),
        Column::new("AREA", Width::Fixed(12)),
        Column::new("CHECKED", Width::Fixed(9)),
        Column::new("RESULT", Width::Fixed(9)),
        Column::new("MEANING", Width::Fill(20)),
    ]);
    let mut host = None;
    // The words of a trouble are as long as they are: they are below the table, each once.
    let mut troubles: Vec<(String, &str)> = Vec::new();
    for area in Area::ALL {
        let is_first = host.replace(area.host()) != Some(area.host());
        let head = if is_first { area.host().name() } else { "" };
        let is_testing = is_testing && TESTED.contains(&area);
        area_row(area, head, is_testing, ctx, writer);
        let last = ctx.facts.access.of(area);
        if let Some(trouble) = last.and_then(|last| last.trouble.as_deref()) {
            match troubles.iter_mut().find(|(_, known)| *known == trouble) {
                Some((areas, _)) => *areas += &format!(", {}", area.word()),
                None => troubles.push((area.word().to_owned(), trouble)),
            }
        }
    }
    for (areas, trouble) in troubles {
        let text = format!("x {areas}: {}", visible(trouble));
        writer.put(Line::styled(text, ctx.theme.bad));
    }
    writer.remark(if is_testing {
        "~ asking each host; these rows show the earlier answers"
    } else {
        "t tests access: asks for the status, a feed's metadata, days and window, one row of an export; costs no query"
    });
}

fn area_row(
    area: Area,
    head: &'static str,
    is_testing: bool,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let last = ctx.facts.access.of(area);
    let checked = match last {
        _ if is_testing => "~ testing".to_owned(),
        Some(last) => ctx.age(last.at),
        None => "never".to_owned(),
    };
    let (result, style) = result(last, theme);
    let meaning = ctx.facts.access.meaning(area);
    let trouble = last.and_then(|last| last.trouble.as_deref());
    let shown = trouble.map_or(meaning, |_| "no answer, see below");
    let whole = trouble.map_or(meaning.into(), visible);
    let copied = format!("{result}, {whole} (checked {checked})");
    let mut cells = vec![
        Line::styled(head, theme.dim),
        Line::raw(area.word()),
        Line::styled(checked, if is_testing { theme.warn } else { theme.dim }),
        Line::styled(result, style),
        Line::raw(shown),
    ];
    if is_testing {
        let older = cells.into_iter().map(|cell| cell.patch_style(theme.stale));
        cells = older.collect();
    }
    let host = area.host().name();
    let name = match area.word() {
        word if word == host => host.to_owned(),
        word => format!("{host} {word}"),
    };
    writer.cells(cells, Meaning::new(name, copied));
}

fn result(last: Option<&AreaStatus>, theme: &Theme) -> (String, Style) {
    let Some(last) = last else {
        return ("-".to_owned(), theme.dim);
    };
    match last.status {
        Some(status @ 200..=399) => (format!("ok {status}"), theme.good),
        Some(status @ (404 | 429)) => (format!("! {status}"), theme.warn),
        Some(status) => (format!("x {status}"), theme.bad),
        None => ("x none".to_owned(), theme.bad),
    }
}

/// How long the balance lasts, and what other clients spent of it.
fn forecast(tally: &LedgerTally, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    if ctx.private {
        return;
    }
    let theme = writer.theme;
    if let Some(balance) = ctx.facts.balance {
        let labels = ["24 h rate", "7 day rate"];
        for (label, forecast) in labels.into_iter().zip(tally.lasts(balance.remaining)) {
            let line = match forecast {
                Forecast::Days(days) => Line::raw(format!("lasts {}", how_long(days))),
                Forecast::NothingSpent => Line::styled("nothing spent", theme.dim),
                Forecast::TooEarly(observed) => {
                    let words = format!("too early to say: {} of use", observed_for(observed));
                    Line::styled(words, theme.dim)
                }
            };
            writer.value(label, line);
        }
    }
    if let Some(found) = tally.elsewhere {
        let (queries, since) = (number(found.queries), minute(found.since));
        let text = format!("! balance fell by {queries} since {since}, not by this machine");
        let meaning = Meaning::new("spent elsewhere", found.queries.to_string());
        writer.stop(Line::styled(text, theme.warn), meaning);
        writer.remark("somebody else uses this token");
    }
}

/// Days in words: no rate tells the days of years ahead.
fn how_long(days: u64) -> String {
    match days {
        0 => "less than a day".to_owned(),
        1..=365 => format!("~ {}", counted(days, "day")),
        366..=3650 => format!("~ {}.{} years", days / 365, days % 365 * 10 / 365),
        _ => "more than 10 years".to_owned(),
    }
}

/// A time of use in words: `10 minutes`, `2 hours`.
fn observed_for(observed: SignedDuration) -> String {
    match (observed.as_hours(), observed.as_mins()) {
        (0, minutes) => counted(minutes.max(1).unsigned_abs(), "minute"),
        (hours, _) => counted(hours.unsigned_abs(), "hour"),
    }
}

/// The guards against accidental queries.
fn guards(ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let (theme, guards) = (writer.theme, &ctx.facts.guards);
    let left = ctx.facts.balance.map(|balance| balance.remaining);
    let is_below = |guard: u64| left.is_some_and(|left| left < guard);
    let warn = number(guards.warn_below);
    writer.value(
        "warn below",
        if is_below(guards.warn_below) {
            Line::styled(format!("{warn}  ! the balance is below"), theme.warn)
        } else {
            Line::raw(warn)
        },
    );
    let stop = number(guards.stop_below);
    writer.value(
        "stop below",
        match guards.stop_below {
            0 => Line::styled("off", theme.dim),
            below if is_below(below) => {
                Line::styled(format!("{stop}  ! lookups are refused"), theme.bad)
            }
            _ => Line::raw(format!("{stop}  refuses lookups")),
        },
    );
    let over = format!("{} queries at once", number(guards.confirm_over));
    writer.value("confirm over", over);
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
