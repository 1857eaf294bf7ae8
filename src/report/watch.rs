//! Watches and what they found, in rows and in words.

use serde_json::{Value, json};

use super::{Cell, Columns, TextCell, count, counted, each};
use crate::{
    contract::Feed,
    engine::watches::Watch,
    investigation::watch::{WatchChange, WatchKind, WatchValue},
    model::{Day, parse_subject},
};

/// A value as JSON.
fn json_of(value: &WatchValue) -> Value {
    match value {
        WatchValue::Nothing => Value::Null,
        WatchValue::Number(number) => (*number).into(),
        WatchValue::Operators(names) => json!(names),
    }
}

fn in_words(value: &WatchValue) -> String {
    match value {
        WatchValue::Nothing => "-".to_owned(),
        WatchValue::Number(number) => count(*number),
        WatchValue::Operators(names) if names.is_empty() => "no operator".to_owned(),
        WatchValue::Operators(names) => each(names, ", "),
    }
}

/// The columns of what changed.
pub fn change_columns() -> Columns<WatchChange> {
    let subject = |change: &WatchChange| change.subject.map(|subject| subject.to_string());
    Columns::<WatchChange>::default()
        .column("watch", "watch", |change| change.watch.clone())
        .column("feed", "feed", |change| {
            change
                .feed
                .map_or(Cell::Null, |feed| Cell::Text(feed.name().to_owned()))
        })
        .column("from", "from", |change| change.from.dashed())
        .column("to", "to", |change| change.to.dashed())
        .column("kind", "what", |change| change.kind.word())
        .column("subject", "of", move |change| {
            subject(change).map_or(Cell::Null, Cell::Text)
        })
        .column("before", "before", |change| {
            Cell::json(json_of(&change.before))
        })
        .shown(|change| TextCell::known(in_words(&change.before)))
        .column("after", "after", |change| {
            Cell::json(json_of(&change.after))
        })
        .shown(|change| TextCell::known(in_words(&change.after)))
}

/// A change as JSON, as the command line prints it.
#[must_use]
pub fn change_object(change: &WatchChange) -> Value {
    json!({
        "watch": change.watch,
        "feed": change.feed.map(Feed::name),
        "from": change.from.dashed(),
        "to": change.to.dashed(),
        "kind": change.kind.word(),
        "subject": change.subject.map(|subject| subject.to_string()),
        "before": json_of(&change.before),
        "after": json_of(&change.after),
    })
}

/// A change that was told before, as [`change_object`] has it.
#[must_use]
pub fn change_of_object(object: &Value) -> Option<WatchChange> {
    let text = |key: &str| object[key].as_str();
    let value = |key: &str| match &object[key] {
        Value::Null => WatchValue::Nothing,
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
            WatchValue::Operators(names.collect())
        }
        other => other
            .as_u64()
            .map_or(WatchValue::Nothing, WatchValue::Number),
    };
    let kind = |word: &str| WatchKind::ALL.into_iter().find(|kind| kind.word() == word);
    Some(WatchChange {
        watch: text("watch")?.to_owned(),
        feed: text("feed").and_then(|feed| feed.parse().ok()),
        from: Day::from_dashed(text("from")?)?,
        to: Day::from_dashed(text("to")?)?,
        kind: kind(text("kind")?)?,
        subject: text("subject").and_then(|subject| parse_subject(subject).ok()),
        before: value("before"),
        after: value("after"),
    })
}

/// A change in one line.
#[must_use]
pub fn change_in_words(change: &WatchChange) -> String {
    let (before, after) = (in_words(&change.before), in_words(&change.after));
    let subject = change
        .subject
        .map(|subject| subject.to_string())
        .unwrap_or_default();
    let (from, to) = (change.from.dashed(), change.to.dashed());
    let text = match change.kind {
        WatchKind::Added => format!("{subject} is new: {after}"),
        WatchKind::Removed => format!("{subject} is gone: {before}"),
        WatchKind::Operator => format!("{subject} has other operators: {before}, now {after}"),
        WatchKind::Clients => format!("{subject} has {after} clients, {before} before"),
        WatchKind::Count => format!("{after} records, {before} before"),
        WatchKind::Known => format!("{subject} was unknown and is known now: {after}"),
        WatchKind::Unknown => {
            return format!("{}: from {from} to {to} unknown, not local", change.watch);
        }
    };
    match change.watch.as_str() {
        "" => format!("{text} ({from} to {to})"),
        watch => format!("{watch}: {text} ({from} to {to})"),
    }
}

/// What changed, for a message after a pull: the first changes, and how many there are beyond.
#[must_use]
pub fn changes_after_pull(changes: &[String]) -> Vec<String> {
    const MOST: usize = 3;
    let mut lines: Vec<String> = changes.iter().take(MOST).cloned().collect();
    if changes.len() > MOST {
        let more = counted((changes.len() - MOST) as u64, "change");
        lines.push(format!(
            "{more} of what is watched beyond these: `ipspect watch check --told`"
        ));
    }
    lines
}

/// The columns of watches.
pub fn watch_columns() -> Columns<Watch> {
    Columns::<Watch>::default()
        .column("watch", "watch", |watch| watch.name.clone())
        .column("feed", "feed", |watch| watch.feed.clone())
        .column("kind", "what", |watch| watch.what.kind())
        .column("value", "value", |watch| watch.what.value())
        .data("at_least", |watch| {
            watch.at_least.map_or(Cell::Null, Cell::Count)
        })
        .data("at_most", |watch| {
            watch.at_most.map_or(Cell::Null, Cell::Count)
        })
        .column("looked", "looked at", |watch| {
            watch
                .looked
                .map_or(Cell::Null, |looked| Cell::Text(looked.day.dashed()))
        })
        .column("count", "records", |watch| {
            watch
                .counts
                .last()
                .map_or(Cell::Null, |(_, number)| Cell::Count(*number))
        })
        .json("counts", |watch| {
            let day = |(day, number): &(Day, u64)| json!([day.dashed(), number]);
            Cell::json(watch.counts.iter().map(day).collect::<Vec<_>>())
        })
}

/// How many changes of which watches there are, in words.
#[must_use]
pub fn changes_in_words(changes: &[WatchChange]) -> String {
    let told = changes
        .iter()
        .filter(|change| change.kind != WatchKind::Unknown);
    counted(told.count() as u64, "change")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_back_as_it_was_told() {
        let day = |text| Day::from_dashed(text).expect("a day");
        let values = [
            WatchValue::Nothing,
            WatchValue::Number(7),
            WatchValue::Operators(vec!["ACME_VPN".to_owned()]),
        ];
        for (kind, value) in WatchKind::ALL.into_iter().zip(values.into_iter().cycle()) {
            let change = WatchChange {
                watch: "office".to_owned(),
                feed: Some(Feed::Anonymous),
                from: day("2026-11-20"),
                to: day("2026-11-22"),
                kind,
                subject: parse_subject("198.51.100.7").ok(),
                before: WatchValue::Nothing,
                after: value,
            };
            assert_eq!(change_of_object(&change_object(&change)), Some(change));
        }
    }
}
