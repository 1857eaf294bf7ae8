//! What Enter or `R` would cost, told before it is spent.

use ratatui::text::{Line, Span};

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::config::Answers,
    model::Day,
    tui::{
        ctx::{ViewCtx, trail::Stop},
        tabs::lookup::{
            Choosing, LookupTab, Part,
            at_hand::{AtHand, Found},
            case::Case,
            typed::Typed,
        },
        ui::{theme::Theme, widgets::calendar::Calendar},
    },
};

/// What comes of Enter while an address is typed; else the price of a live answer.
pub(super) fn line(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    if tab.part == Part::Field {
        let (words, is_paid) = enter(tab, ctx);
        let style = if is_paid { theme.warn } else { theme.text };
        return keyed("enter", words, style, theme);
    }
    if tab.part == Part::Trail
        && let Some((words, is_paid)) = of_trail(tab, ctx)
    {
        let style = if is_paid { theme.warn } else { theme.text };
        return keyed("enter", words.to_owned(), style, theme);
    }
    if ctx.facts.lack().is_some() {
        return Line::styled("live: not possible now", theme.dim);
    }
    if tab.geolocation == Geolocation::Mmgeo {
        return keyed(
            "R",
            "live, as every enter: 1 query".to_owned(),
            theme.warn,
            theme,
        );
    }
    match tab.case() {
        Some(case) => {
            let date = tab.refreshes(case.query).date;
            let words = match date.filter(|_| date != case.query.date) {
                Some(day) => format!("live {}: 1 query", day.dashed()),
                None if date != case.query.date => "live, today: 1 query".to_owned(),
                None => "live: 1 query".to_owned(),
            };
            keyed("R", words, theme.text, theme)
        }
        None => Line::styled("local first, live: 1 query", theme.dim),
    }
}

fn keyed(
    key: &'static str,
    words: String,
    style: ratatui::style::Style,
    theme: &Theme,
) -> Line<'static> {
    Line::from(vec![
        Span::styled(key, theme.key),
        Span::raw(" "),
        Span::styled(words, style),
    ])
}

/// What Enter on the selected stop of the trail costs, and whether that may be a query; `None` for what is no address.
fn of_trail(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<(&'static str, bool)> {
    let listed = tab.stops(ctx.trail);
    let (visit, _) = listed.get(tab.trail.selected(listed.len())?)?;
    // A narrow footer has no room for what `R` and `m` cost.
    let spends_else = tab.case().is_some() && ctx.facts.lack().is_none();
    let free = |words| {
        let words = if spends_else {
            "free; R m 1 query"
        } else {
            words
        };
        Some((words, false))
    };
    let Stop::Address(query) = visit.stop else {
        return free("opens it: free");
    };
    if tab.is_known(query) {
        return free("shown before: free");
    }
    Some(if ctx.facts.is_always_live(query.geolocation) {
        ("live: 1 query", true)
    } else {
        ("local, else 1 query", true)
    })
}

/// What Enter on the chosen day of the calendar costs; nothing while what is typed is no day.
pub(super) fn of_day(
    choosing: Choosing,
    calendar: &Calendar,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
) -> Line<'static> {
    let theme = ctx.theme;
    let Ok(day) = calendar.chosen() else {
        return Line::default();
    };
    let is_local = calendar.is_local(day);
    let (words, is_paid) = if let (Choosing::Comparison, Some(here)) = (choosing, tab.here) {
        of_comparison(here, day, is_local, tab, ctx)
    } else {
        let lookups = if ctx.facts.is_always_live(tab.geolocation) {
            "1 query each"
        } else {
            "local, else 1 query"
        };
        let local = if is_local { " (local day)" } else { "" };
        (format!("sets it: free; lookups: {lookups}{local}"), false)
    };
    let style = if is_paid { theme.warn } else { theme.text };
    keyed("enter", words, style, theme)
}

/// What it costs to compare what is shown with this day: each side of which nothing is shown is asked for.
fn of_comparison(
    here: LookupQuery,
    day: Day,
    is_local: bool,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
) -> (String, bool) {
    let date = (day != Day::of(ctx.now)).then_some(day);
    let other = LookupQuery { date, ..here };
    let lacks = |query: LookupQuery| tab.cases.of(query).and_then(Case::shown).is_none();
    if let Some(reserved) = ctx.facts.admission.refuses(here.address) {
        return (format!("not sent: {}", reserved.word()), false);
    }
    let lacks_here = other != here && lacks(here);
    if !lacks(other) && !lacks_here {
        return ("shown before: free".to_owned(), false);
    }
    let has_record = tab
        .day_before()
        .is_some_and(|before| before.day == day && before.record.is_some());
    let of_other = if !lacks(other) {
        "shown before: free"
    } else if ctx.facts.is_always_live(here.geolocation) {
        "live: 1 query"
    } else if has_record {
        "local record: free"
    } else if is_local {
        "local day; without the address in it 1 query"
    } else {
        "not local: 1 query unless cached"
    };
    let also = if lacks_here {
        "; the other day: 1 query"
    } else {
        ""
    };
    let words = format!("{of_other}{also}");
    let is_paid = words.contains("query");
    (words, is_paid)
}

/// What Enter does with what is typed, and whether that costs a query.
fn enter(tab: &LookupTab, ctx: &ViewCtx<'_>) -> (String, bool) {
    let free = |words: &str| (words.to_owned(), false);
    let address = match Typed::of(tab.field.value()) {
        Typed::Address(address) => address,
        Typed::Network(_) => return free("browses local records: free"),
        Typed::Several(several) => {
            let number = several.addresses.len();
            return (format!("table of {number} addresses: free"), false);
        }
        Typed::Nothing => return free("local first, live: 1 query"),
        Typed::Bad(_) => return free("nothing: no address"),
    };
    if let Some(reserved) = ctx.facts.admission.refuses(address) {
        return (format!("not sent: {}", reserved.word()), false);
    }
    let query = tab.query_for(address);
    let case = tab.cases.of(query);
    if case.is_some_and(|case| case.live.value().is_some()) {
        return free("shown before: free");
    }
    let paid = |words: &str| (words.to_owned(), true);
    if tab.geolocation == Geolocation::Mmgeo {
        return paid("mmgeo, live: 1 query");
    }
    if ctx.facts.answers == Answers::Live {
        return paid("live: 1 query");
    }
    let preview = tab.preview.as_ref().filter(|(own, _)| *own == query);
    let Some((_, found)) = preview else {
        return paid("local first, else 1 query");
    };
    match found.value() {
        Some(found) if found.is_fresh() => (at_hand(found), false),
        Some(Found {
            answer: Some(AtHand::Cached(..)),
            ..
        }) => paid("stale cached, then live: 1 query"),
        Some(Found {
            answer: Some(AtHand::Local(..)),
            ..
        }) => paid("stale local, then live: 1 query"),
        Some(_) => paid("not local, live: 1 query"),
        None => paid("local first, else 1 query"),
    }
}

fn at_hand(found: &Found) -> String {
    match &found.answer {
        Some(AtHand::Local(_, release, _)) => {
            let manifest = &release.manifest;
            format!("local {} {}: free", manifest.feed, manifest.moment.dashed())
        }
        _ => "cached: free".to_owned(),
    }
}
