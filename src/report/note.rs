//! Notes in Markdown about what is asked for and what is local: a feed, an export.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::{count, counted, each, instant, size};
use crate::{
    contract::Feed,
    engine::{ExportFileRun, UnknownValue},
    model::visible,
    store::{Moment, layout::Release},
};

/// The note on a feed: what the service has, what is local, and how the two differ.
#[must_use]
pub fn feed_note(
    feed: Feed,
    offered: Option<Moment>,
    local: Option<&Release>,
    state: &str,
    now: Timestamp,
) -> String {
    let offered = offered.map_or("not known".to_owned(), Moment::dashed);
    let local = local.map_or("nothing".to_owned(), |release| {
        let manifest = &release.manifest;
        let records = records(manifest.records);
        format!(
            "{}, {records}, sha256 {}",
            manifest.moment.dashed(),
            manifest.sha256
        )
    });
    format!(
        "**Feed {feed}** on {}\n- latest release of the service: {offered}\n- local: {local}\n- state: {state}\n",
        instant(now)
    )
}

/// The note on a value in a filter that no record of these feeds has; without a feed, that is no tag of the local service-metrics
/// feed.
#[must_use]
pub fn unknown_value(unknown: &UnknownValue, feeds: &[Feed]) -> String {
    let UnknownValue { field, value, near } = unknown;
    if feeds.is_empty() {
        let near = near.as_deref().map_or_else(String::new, |near| {
            format!(": did you mean {}?", visible(near))
        });
        let value = visible(value);
        return format!("the local service-metrics feed has no tag {value}{near}");
    }
    let term = |value: &str| format!("{}:{}", field.name(), visible(value));
    let near = near.as_deref().map_or_else(String::new, |near| {
        format!(": did you mean {}?", term(near))
    });
    let feeds = each(feeds.iter().map(|feed| feed.name()), ", ");
    format!("no record of {feeds} has {}{near}", term(value))
}

/// The note on an export: its request and, if it was run, its outcome.
#[must_use]
pub fn export_note(feed: Feed, url: &str, exported: Option<&ExportFileRun>) -> String {
    let run = exported.map_or("- not run yet".to_owned(), |exported| {
        format!(
            "- asked at {}\n- {}",
            instant(exported.asked_at),
            export_outcome(exported)
        )
    });
    format!("**Export of {feed}**\n- request: <{url}>\n{run}\n")
}

#[must_use]
pub fn export_outcome(exported: &ExportFileRun) -> String {
    let records = records(exported.records);
    let bytes = size(exported.bytes);
    let file = exported.file.display().to_string();
    format!("{records}, {bytes} in {}", visible(&file))
}

/// How many records the service gave where so many were counted locally.
#[must_use]
pub fn export_difference(counted: u64, given: u64) -> String {
    let difference = match given.cmp(&counted) {
        Ordering::Equal => return format!("local counted {} too", count(counted)),
        Ordering::Less => format!("{} fewer", count(counted - given)),
        Ordering::Greater => format!("{} more", count(given - counted)),
    };
    let (counted, given) = (count(counted), count(given));
    format!(
        "local counted {counted}, the service gave {given}: {difference}; its data may be newer"
    )
}

fn records(number: Option<u64>) -> String {
    number.map_or("records not counted".to_owned(), |number| {
        counted(number, "record")
    })
}
