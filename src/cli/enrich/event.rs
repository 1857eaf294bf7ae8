//! The columns of `--at-time`: what was at hand about an address on the UTC day of its event.

use crate::{
    contract::Feed,
    engine::{
        LookupAnswer,
        answers::{BestAnswer, DayAnswer},
    },
    investigation::event_answer::{AddressOnDay, EventAnswer},
    model::{Day, Document},
    report::{Cell, Columns, Line, Reading, TextCell, missing_in_words, value},
};

/// A row about an address on the day of its event.
pub(super) trait EventRow {
    /// The UTC day of the event, if its line has a time.
    fn event_day(&self) -> Option<Day>;

    fn event(&self) -> Option<&EventAnswer>;

    /// Where the releases are that have no record.
    fn place(&self) -> &'static str;

    /// Whether the verdict on that day differs from that of today; `None` where one is unknown.
    fn changed(&self) -> Option<bool>;
}

/// The columns for people.
pub(super) fn event_words<R: EventRow>(columns: Columns<R>) -> Columns<R> {
    columns
        .words("event day", |own| {
            TextCell::or_dash(own.event_day().map(Day::dashed))
        })
        .words("then", |own| TextCell::or_dash(then_in_words(own)))
}

/// The columns for programs.
pub(super) fn event_columns<R: EventRow>(columns: Columns<R>) -> Columns<R> {
    columns
        .data("event_day", |own| {
            Cell::some(own.event_day().map(|day| day.to_string()))
        })
        .json("then", |own| {
            Cell::some(then(own).map(|then| object(then, own.place())))
        })
        .json("next", |own| {
            Cell::some(next(own).map(|next| object(next, own.place())))
        })
        .csv("then_known", |own| {
            Cell::some(then(own).map(AddressOnDay::is_known))
        })
        .csv("then_day", |own| {
            Cell::some(then(own).map(|then| then.day.to_string()))
        })
        .csv("then_feed", |own| {
            Cell::some(then(own).and_then(feed).map(Feed::name))
        })
        .csv("then_tunnel_types", |own| {
            Cell::some(then(own).and_then(|then| column(then, "tunnel_types")))
        })
        .csv("then_operators", |own| {
            Cell::some(then(own).and_then(|then| column(then, "operators")))
        })
        .data("changed", |own| Cell::some(own.changed()))
}

fn then(own: &impl EventRow) -> Option<&AddressOnDay> {
    own.event().map(|event| &event.then)
}

fn next(own: &impl EventRow) -> Option<&AddressOnDay> {
    own.event().and_then(|event| event.next())
}

/// What the service answered just now about the day.
pub(super) fn asked(event: &EventAnswer) -> Option<&LookupAnswer> {
    match event.then.best() {
        Some(BestAnswer::Cached(answer)) if event.then.is_live => Some(answer),
        _ => None,
    }
}

fn feed(on_day: &AddressOnDay) -> Option<Feed> {
    match on_day.best()? {
        BestAnswer::Local(record) => Some(record.release.manifest.feed),
        BestAnswer::Cached(_) => None,
    }
}

pub(super) fn record(on_day: &AddressOnDay) -> Option<&Document> {
    match on_day.best()? {
        BestAnswer::Local(record) => Some(&record.document),
        BestAnswer::Cached(answer) => answer.record.as_ref().map(|record| &record.document),
    }
}

pub(super) fn reading(on_day: &AddressOnDay) -> Option<Reading> {
    match on_day.best()? {
        BestAnswer::Local(record) => Some(Reading::of_record(record)),
        BestAnswer::Cached(answer) => Reading::of_answer(answer),
    }
}

fn column(on_day: &AddressOnDay, name: &str) -> Option<String> {
    let values = reading(on_day)?.values();
    Some(value(&values, name).to_owned())
}

fn object(on_day: &AddressOnDay, place: &'static str) -> Cell {
    let line = Line::default()
        .key("day", on_day.day.to_string())
        .key("known", on_day.is_known());
    if !on_day.is_known() {
        return Cell::Json(line.end());
    }
    let source = match on_day.best() {
        Some(BestAnswer::Cached(_)) if on_day.is_live => "live",
        Some(BestAnswer::Cached(_)) => "cache",
        Some(BestAnswer::Local(record)) => record.release.manifest.source(),
        None => place,
    };
    let line = line
        .key("source", source)
        .key("feed", feed(on_day).map(Feed::name))
        .document("record", record(on_day));
    Cell::Json(line.end())
}

/// `same` where the verdict is that of today, else the verdict in short; behind it that of the next day where it differs.
fn then_in_words(own: &impl EventRow) -> Option<String> {
    let then = then(own)?;
    let then = match own.changed() {
        Some(false) => "same".to_owned(),
        _ => in_words(then),
    };
    Some(match next(own) {
        Some(next) => format!("{then} (next day: {})", in_words(next)),
        None => then,
    })
}

fn in_words(on_day: &AddressOnDay) -> String {
    match (&on_day.answer, reading(on_day)) {
        (DayAnswer::Unknown(missing), _) => missing_in_words(missing.why).to_owned(),
        (DayAnswer::Known(_), None) => "no record".to_owned(),
        (DayAnswer::Known(_), Some(reading)) => reading.short_verdict(&reading.values()),
    }
}
