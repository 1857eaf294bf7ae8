//! What a lookup would show and what it would cost, as known before Enter. The line at the top, the hints of the page, the price in
//! help and what Enter does follow from one [`Quote`].

use std::borrow::Cow;

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{
    Enter, Front, LookupTab, case::LookupCase, field::LookupInput, record::Hints,
    sources::SourceAnswer,
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::config::AnswerOrder,
    model::Day,
    tui::{
        ctx::{DayUse, Facts, ViewCtx},
        ui::{Theme, words},
    },
};

/// The price of a lookup and its outcome, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Free(Cow<'static, str>),
    /// No query can be sent; what is local or cached is shown where there is any.
    NotSent(Cow<'static, str>),
    Query(Cow<'static, str>),
    /// What is local or cached was not read yet, and may replace the query.
    Perhaps,
}

impl Quote {
    pub(super) fn is_free(&self) -> bool {
        matches!(self, Self::Free(_))
    }

    /// Whether it may be a query.
    fn is_paid(&self) -> bool {
        matches!(self, Self::Query(_) | Self::Perhaps)
    }

    fn words(&self) -> &str {
        match self {
            Self::Free(words) | Self::NotSent(words) | Self::Query(words) => words,
            Self::Perhaps => "local first, else 1 query",
        }
    }

    /// The price in help; `None` if it is free.
    pub(super) fn price(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Free(_) | Self::NotSent(_) => None,
            Self::Query(_) => Some("1 query".into()),
            Self::Perhaps => Some("1 query unless local or cached".into()),
        }
    }

    /// What the key does, as a line. Without room it says no more than that it is a query.
    pub(super) fn line(&self, has_room: bool, theme: &Theme) -> Line<'static> {
        let (words, style) = match self.is_paid() {
            true if has_room => (self.words(), theme.warn),
            true => ("1 query", theme.warn),
            false => (self.words(), theme.text),
        };
        keyed("enter", words.to_owned(), style, theme)
    }
}

impl From<&'static str> for Quote {
    /// What is free in any case.
    fn from(words: &'static str) -> Self {
        Self::Free(words.into())
    }
}

/// The price of a lookup now. For the typed address, only a record from the service counts as shown before.
pub(super) fn quote(tab: &LookupTab, query: LookupQuery, facts: &Facts) -> Quote {
    if let Some(reserved) = facts.admission.refuses(query.address) {
        return Quote::NotSent(format!("not sent: {}", reserved.word()).into());
    }
    let is_typed = matches!(tab.front(), Front::Field);
    let case = tab.cases.of(query);
    let is_shown = case.is_some_and(|case| case.live.value().is_some());
    let is_known = !is_typed && tab.is_known(query);
    let found = tab.found_ahead(query);
    let asks = match found.map(|found| found.answer.as_ref()) {
        _ if is_shown => return "shown before: free".into(),
        Some(Some(answer)) if answer.is_fresh() && !facts.is_always_live(query.geolocation) => {
            return Quote::Free(at_hand(answer).into());
        }
        _ if is_known => return "shown before: free".into(),
        _ if facts.lack().is_some() => return Quote::NotSent("local or cached only".into()),
        _ if query.geolocation == Geolocation::Mmgeo => "mmgeo, live: 1 query",
        _ if facts.answers == AnswerOrder::Live => "live: 1 query",
        Some(Some(answer)) if answer.asked().is_some() => "stale cached, then live: 1 query",
        Some(Some(_)) => "stale local, then live: 1 query",
        Some(None) => "none local, live: 1 query",
        None => return Quote::Perhaps,
    };
    Quote::Query(asks.into())
}

/// The outcome of Enter, where it looks something up or opens what is typed or visited.
fn quote_of_enter(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<Quote> {
    let lacks = ctx.facts.lack().is_some();
    let front = tab.front();
    let quote = match (tab.enter(ctx.facts), front) {
        (Enter::LookUp(query), _) => quote(tab, query, ctx.facts),
        (Enter::Browse(_), _) => "browses local records: free".into(),
        (Enter::Table(number), _) => {
            Quote::Free(format!("table of {number} addresses: free").into())
        }
        (Enter::Type, _) if lacks => "local or cached only".into(),
        (Enter::Type, _) => "local first, live: 1 query".into(),
        (Enter::Bad(_), _) => "no address in it".into(),
        (Enter::Go(_), Front::Trail) => "opens it: free".into(),
        _ => return None,
    };
    // A narrow footer has no room for what `R` and `m` cost.
    let is_alone = !matches!(front, Front::Trail) || tab.has_other_beside() || lacks;
    let is_alone = is_alone || tab.case().is_none();
    if is_alone || quote.is_paid() {
        return Some(quote);
    }
    Some("free; R or m: 1 query".into())
}

/// What Enter in the calendar costs.
pub(super) fn quote_of_day(
    tab: &LookupTab,
    what_for: DayUse,
    date: Option<Day>,
    facts: &Facts,
) -> Quote {
    let query = tab.query_on(what_for, date);
    match (what_for, query) {
        (DayUse::Record, Some(query)) => quote(tab, query, facts),
        (DayUse::Comparison, Some(query)) => quote_of_comparison(tab, query, facts),
        (_, Some(query)) => {
            let quote = quote(tab, query, facts);
            let words = match &quote {
                Quote::Free(_) if tab.found_ahead(query).is_none() => {
                    "shows that day again: free".to_owned()
                }
                Quote::Free(words) => format!("shows {words}"),
                Quote::NotSent(_) => "sets it: free".to_owned(),
                quote => format!("sets it: free; then R: {}", quote.words()),
            };
            Quote::Free(words.into())
        }
        (_, None) if facts.lack().is_some() => {
            "sets it: free; lookups: local or cached only".into()
        }
        (_, None) if facts.is_always_live(tab.geolocation) => {
            "sets it: free; lookups: 1 query each".into()
        }
        (_, None) => "sets it: free; lookups: local or cached, else 1 query".into(),
    }
}

/// What it costs to compare the record with another: each side of which nothing is shown is asked for.
fn quote_of_comparison(tab: &LookupTab, other: LookupQuery, facts: &Facts) -> Quote {
    let lacks = |query| tab.cases.shown(query).is_none();
    let quote = if lacks(other) {
        quote(tab, other, facts)
    } else {
        "shown before: free".into()
    };
    let is_sent = !matches!(quote, Quote::NotSent(_)) && facts.lack().is_none();
    match tab.here {
        Some(here) if other != here && lacks(here) && is_sent => {
            let words = format!("{}; the other day: 1 query", quote.words());
            Quote::Query(words.into())
        }
        _ => quote,
    }
}

/// The outcome of Enter while an address is typed, or on the row under the cursor; else the price of a live answer.
pub(super) fn line(tab: &LookupTab, is_wide: bool, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    if let Some(quote) = quote_of_enter(tab, ctx) {
        // Beside the day of lookups there is no room for why it costs that.
        return quote.line(is_wide || tab.date.is_none(), theme);
    }
    let front = tab.front();
    if matches!(front, Front::Table(_)) {
        return Line::default();
    }
    let here = tab.here;
    if let Some(reserved) = here.and_then(|query| ctx.facts.admission.refuses(query.address)) {
        return Line::styled(format!("not sent: {}", reserved.word()), theme.dim);
    }
    if ctx.facts.offline {
        return Line::styled("offline: local only", theme.dim);
    }
    if ctx.facts.lack().is_some() {
        return Line::styled("live: not possible now", theme.dim);
    }
    if let Front::Comparison(comparison) = front {
        let missing = comparison.missing(&tab.cases).count();
        if missing == 0 {
            return Line::styled("both sides shown: free", theme.dim);
        }
        let local = if ctx.facts.is_always_live(comparison.b.geolocation) {
            "live"
        } else {
            "local, else"
        };
        let price = words::queries(missing as u64);
        return keyed("enter", format!("{local} {price}"), theme.warn, theme);
    }
    if tab.geolocation == Geolocation::Mmgeo {
        let words = "live, as every enter: 1 query".to_owned();
        return keyed("R", words, theme.warn, theme);
    }
    let Some(here) = here else {
        return Line::styled("local first, live: 1 query", theme.dim);
    };
    let words = match tab.refreshes(here).date {
        day if day == here.date => "live: 1 query".to_owned(),
        Some(day) => format!("live {}: 1 query", day.dashed()),
        None => "live, today: 1 query".to_owned(),
    };
    keyed("R", words, theme.text, theme)
}

/// That today is free for the address that is typed, while lookups ask for another day.
pub(super) fn today(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<Line<'static>> {
    let LookupInput::Address(address) = LookupInput::of(tab.field.0.value()) else {
        return None;
    };
    let today = LookupQuery {
        date: None,
        ..tab.query_for(address)
    };
    let is_typed = matches!(tab.front(), Front::Field) && tab.date.is_some();
    let is_free = is_typed && quote(tab, today, ctx.facts).is_free();
    is_free.then(|| {
        keyed(
            "ctrl-n",
            "today: free".to_owned(),
            ctx.theme.good,
            ctx.theme,
        )
    })
}

fn keyed(key: &'static str, words: String, style: Style, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(key, theme.key),
        Span::raw(" "),
        Span::styled(words, style),
    ])
}

/// What stands on the page of a record: what Enter costs on the row under the cursor, and that the record is of another day than lookups
/// ask for.
pub(super) fn hints(case: &LookupCase, tab: &LookupTab, ctx: &ViewCtx<'_>) -> Hints {
    let is_here = matches!(tab.front(), Front::Record(_));
    let row = tab.query_of_enter(ctx.facts);
    let row = row.filter(|_| is_here);
    let day = |date: Option<Day>| date.map_or_else(|| "today".to_owned(), Day::dashed);
    let other_day = tab.other_day().map(|other| {
        let (own, asked) = (day(case.query.date), day(other.date));
        let mut words = format!("! record of {own}, not of {asked}");
        if quote(tab, other, ctx.facts).is_free() {
            words.push_str(": enter here, free");
        } else if ctx.facts.lack().is_none() {
            words.push_str(": R, 1 query");
        }
        if other.date.is_some() {
            words.push_str("; esc: today");
        }
        (other, words)
    });
    Hints {
        enter: row.map(|query| (query, quote(tab, query, ctx.facts).words().to_owned())),
        other_day,
        is_walk: is_here && tab.walked_from().is_some(),
    }
}

fn at_hand(answer: &SourceAnswer) -> String {
    match answer.local() {
        Some(record) => {
            let manifest = &record.release.manifest;
            let (place, moment) = (manifest.source(), manifest.moment.dashed());
            format!("{place} {} {moment}: free", answer.source())
        }
        None => "cached: free".to_owned(),
    }
}
