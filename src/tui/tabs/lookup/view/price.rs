//! The price of Enter or `R`, shown before it is spent.

use ratatui::text::{Line, Span};

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::config::AnswerOrder,
    model::Day,
    tui::{
        ctx::{ViewCtx, trail::TrailStop},
        tabs::lookup::{
            Choosing, LookupFocus, LookupTab,
            case::LookupCase,
            compare::CompareView,
            free_answers::{FreeAnswer, FreeAnswers},
            input::LookupInput,
            record::Hints,
        },
        ui::{theme::Theme, widgets::calendar::Calendar, words},
    },
};

/// The outcome of Enter while an address is typed, or on the row under the cursor; else the price of a live answer.
pub(super) fn line(tab: &LookupTab, is_wide: bool, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    // Beside the day of lookups there is no room for why it costs that.
    let has_room = is_wide || tab.date.is_none();
    if tab.part == LookupFocus::Field {
        let (mut words, is_paid) = enter(tab, ctx);
        if is_paid && !has_room {
            "1 query".clone_into(&mut words);
        }
        let style = if is_paid { theme.warn } else { theme.text };
        return keyed("enter", words, style, theme);
    }
    if tab.part == LookupFocus::Trail
        && let Some((words, is_paid)) = of_trail(tab, ctx)
    {
        let style = if is_paid { theme.warn } else { theme.text };
        return keyed("enter", words, style, theme);
    }
    if tab.part == LookupFocus::Page
        && tab.compare.is_none()
        && let Some((_, mut words, is_paid)) = of_row(tab, ctx)
    {
        if is_paid && !has_room {
            "1 query".clone_into(&mut words);
        }
        let style = if is_paid { theme.warn } else { theme.text };
        return keyed("enter", words, style, theme);
    }
    if tab.open_table().is_some() {
        return Line::default();
    }
    let refused = tab
        .here
        .and_then(|own| ctx.facts.admission.refuses(own.address));
    if let Some(reserved) = refused {
        return Line::styled(format!("not sent: {}", reserved.word()), theme.dim);
    }
    if ctx.facts.offline {
        return Line::styled("offline: local only", theme.dim);
    }
    if ctx.facts.lack().is_some() {
        return Line::styled("live: not possible now", theme.dim);
    }
    if let Some(compare) = &tab.compare {
        return of_sides(compare, tab, ctx);
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

/// What today costs for the address that is typed, while lookups ask for another day; nothing where that is the same.
pub(super) fn today(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<Line<'static>> {
    let is_typed = tab.part == LookupFocus::Field && tab.calendar.is_none();
    let LookupInput::Address(address) = LookupInput::of(tab.field.value()) else {
        return None;
    };
    let query = tab.query_for(address);
    let today = LookupQuery {
        date: None,
        ..query
    };
    let is_free = is_typed && query.date.is_some() && tab.is_said_free(today, ctx.facts);
    is_free.then(|| {
        keyed(
            "ctrl-n",
            "today: free".to_owned(),
            ctx.theme.good,
            ctx.theme,
        )
    })
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

/// What it costs to fetch the sides of a comparison that are missing.
fn of_sides(compare: &CompareView, tab: &LookupTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    let missing = compare.missing(&tab.cases).count();
    let local = if ctx.facts.is_always_live(compare.b.geolocation) {
        "live"
    } else {
        "local, else"
    };
    match missing {
        0 => Line::styled("both sides shown: free", theme.dim),
        one_or_two => {
            let price = words::queries(one_or_two as u64);
            keyed("enter", format!("{local} {price}"), theme.warn, theme)
        }
    }
}

/// What Enter on the selected stop of the trail costs, and whether that may be a query; `None` where there is none.
fn of_trail(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<(String, bool)> {
    let listed = tab.stops(ctx.trail);
    let (visit, _) = listed.get(tab.trail.selected(listed.len())?)?;
    let (words, is_paid) = match visit.stop {
        TrailStop::Address(query) => of_query(query, tab, ctx),
        _ => ("opens it: free".to_owned(), false),
    };
    // A narrow footer has no room for what `R` and `m` cost.
    let spends_else = tab.case().is_some() && ctx.facts.lack().is_none();
    if spends_else && !is_paid {
        return Some(("free; R or m: 1 query".to_owned(), false));
    }
    Some((words, is_paid))
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
    let (words, is_paid) = match (choosing, tab.here) {
        (Choosing::Record, Some(_)) => {
            let query = tab.of_calendar(Day::of(ctx.now));
            query.map_or_else(Default::default, |query| of_query(query, tab, ctx))
        }
        (Choosing::Comparison, Some(here)) => of_comparison(here, day, tab, ctx),
        _ => of_lookups(day, calendar, tab, ctx),
    };
    let style = if is_paid { theme.warn } else { theme.text };
    keyed("enter", words, style, theme)
}

/// What it costs to look addresses up on this day: the one that is shown, where there is one.
fn of_lookups(day: Day, calendar: &Calendar, tab: &LookupTab, ctx: &ViewCtx<'_>) -> (String, bool) {
    if let Some(query) = tab.of_calendar(Day::of(ctx.now)) {
        let (words, is_paid) = of_query(query, tab, ctx);
        return if is_paid {
            (format!("sets it: free; then R: {words}"), false)
        } else {
            let shows = match tab.found_ahead(query) {
                Some(_) => format!("shows {words}"),
                None if tab.is_known(query) => "shows that day again: free".to_owned(),
                None => "sets it: free".to_owned(),
            };
            (shows, false)
        };
    }
    let words = if ctx.facts.lack().is_some() {
        "local or cached only"
    } else if ctx.facts.is_always_live(tab.geolocation) {
        "1 query each"
    } else if calendar.is_local(day) {
        "local of this day, else 1 query"
    } else {
        "cached, else 1 query"
    };
    (format!("sets it: free; lookups: {words}"), false)
}

/// What it costs to compare what is shown with this day: each side of which nothing is shown is asked for.
fn of_comparison(
    here: LookupQuery,
    day: Day,
    tab: &LookupTab,
    ctx: &ViewCtx<'_>,
) -> (String, bool) {
    let date = (day != Day::of(ctx.now)).then_some(day);
    let other = LookupQuery { date, ..here };
    let lacks = |query: LookupQuery| tab.cases.of(query).and_then(LookupCase::shown).is_none();
    if let Some(reserved) = ctx.facts.admission.refuses(here.address) {
        return (format!("not sent: {}", reserved.word()), false);
    }
    let (words, is_paid) = if lacks(other) {
        of_query(other, tab, ctx)
    } else {
        ("shown before: free".to_owned(), false)
    };
    if other != here && lacks(here) && ctx.facts.lack().is_none() {
        return (format!("{words}; the other day: 1 query"), true);
    }
    (words, is_paid)
}

/// What Enter does with what is typed, and whether that costs a query.
fn enter(tab: &LookupTab, ctx: &ViewCtx<'_>) -> (String, bool) {
    let free = |words: &str| (words.to_owned(), false);
    let address = match LookupInput::of(tab.field.value()) {
        LookupInput::Address(address) => address,
        LookupInput::Network(_) => return free("browses local records: free"),
        LookupInput::List(list) => {
            let number = list.addresses.len();
            return (format!("table of {number} addresses: free"), false);
        }
        LookupInput::Nothing if ctx.facts.lack().is_some() => return free("local or cached only"),
        LookupInput::Nothing => return free("local first, live: 1 query"),
        LookupInput::Bad(_) => return free("no address in it"),
    };
    of_query(tab.query_for(address), tab, ctx)
}

/// What it costs to look an address up, in words, and whether that may be a query.
fn of_query(query: LookupQuery, tab: &LookupTab, ctx: &ViewCtx<'_>) -> (String, bool) {
    let free = |words: &str| (words.to_owned(), false);
    let may_send = ctx.facts.lack().is_none();
    let paid = |words: &str| {
        if may_send {
            (words.to_owned(), true)
        } else {
            ("local or cached only".to_owned(), false)
        }
    };
    if let Some(reserved) = ctx.facts.admission.refuses(query.address) {
        return (format!("not sent: {}", reserved.word()), false);
    }
    let case = tab.cases.of(query);
    if case.is_some_and(|case| case.live.value().is_some()) {
        return free("shown before: free");
    }
    if query.geolocation == Geolocation::Mmgeo {
        return paid("mmgeo, live: 1 query");
    }
    if ctx.facts.answers == AnswerOrder::Live {
        return paid("live: 1 query");
    }
    let is_typed = tab.part == LookupFocus::Field && tab.calendar.is_none();
    match tab.found_ahead(query) {
        Some(found) if found.is_fresh() => (at_hand(found), false),
        _ if !is_typed && tab.is_known(query) => free("shown before: free"),
        Some(FreeAnswers {
            answer: Some(FreeAnswer::Cached(..)),
            ..
        }) => paid("stale cached, then live: 1 query"),
        Some(FreeAnswers {
            answer: Some(FreeAnswer::Local(..)),
            ..
        }) => paid("stale local, then live: 1 query"),
        Some(_) => paid("not local, live: 1 query"),
        None => paid("local first, else 1 query"),
    }
}

/// The address that Enter looks up as the tab stands, the field aside, and what that costs.
pub(super) fn of_row(tab: &LookupTab, ctx: &ViewCtx<'_>) -> Option<(LookupQuery, String, bool)> {
    let query = tab.enters(ctx.facts, ctx.trail)?;
    let (words, is_paid) = of_query(query, tab, ctx);
    Some((query, words, is_paid))
}

/// What stands on the page of a record: what Enter costs on the row under the cursor, and that the record is of another day than lookups
/// ask for.
pub(super) fn hints(case: &LookupCase, tab: &LookupTab, ctx: &ViewCtx<'_>) -> Hints {
    let is_here = tab.part == LookupFocus::Page && tab.calendar.is_none();
    let row = is_here.then(|| of_row(tab, ctx)).flatten();
    let day = |date: Option<Day>| date.map_or_else(|| "today".to_owned(), Day::dashed);
    let other_day = tab.other_day().map(|other| {
        let (own, asked) = (day(case.query.date), day(other.date));
        let mut words = format!("! record of {own}, not of {asked}");
        if tab.is_known(other) || tab.is_said_free(other, ctx.facts) {
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
        enter: row.map(|(query, words, _)| (query, words)),
        other_day,
    }
}

fn at_hand(found: &FreeAnswers) -> String {
    match &found.answer {
        Some(FreeAnswer::Local(_, release, _)) => {
            let manifest = &release.manifest;
            format!("local {} {}: free", manifest.feed, manifest.moment.dashed())
        }
        _ => "cached: free".to_owned(),
    }
}
