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
        .words("event day", |row| {
            TextCell::or_dash(row.event_day().map(Day::dashed))
        })
        .words("then", |row| TextCell::or_dash(then_in_words(row)))
}

/// The columns for programs.
pub(super) fn event_columns<R: EventRow>(columns: Columns<R>) -> Columns<R> {
    columns
        .data("event_day", |row| {
            Cell::some(row.event_day().map(|day| day.to_string()))
        })
        .json("then", |row| {
            Cell::some(then(row).map(|then| object(then, row.place())))
        })
        .json("next", |row| {
            Cell::some(next(row).map(|next| object(next, row.place())))
        })
        .csv("then_known", |row| {
            Cell::some(then(row).map(AddressOnDay::is_known))
        })
        .csv("then_day", |row| {
            Cell::some(then(row).map(|then| then.day.to_string()))
        })
        .csv("then_feed", |row| {
            Cell::some(then(row).and_then(feed).map(Feed::name))
        })
        .csv("then_tunnel_types", |row| {
            Cell::some(then(row).and_then(|then| column(then, "tunnel_types")))
        })
        .csv("then_operators", |row| {
            Cell::some(then(row).and_then(|then| column(then, "operators")))
        })
        .data("changed", |row| Cell::some(row.changed()))
}

fn then(row: &impl EventRow) -> Option<&AddressOnDay> {
    row.event().map(|event| &event.then)
}

fn next(row: &impl EventRow) -> Option<&AddressOnDay> {
    row.event().and_then(|event| event.next())
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
fn then_in_words(row: &impl EventRow) -> Option<String> {
    let then = then(row)?;
    let then = match row.changed() {
        Some(false) => "same".to_owned(),
        _ => in_words(then),
    };
    Some(match next(row) {
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
