//! Ticket notes about what the service answered.

use super::{Reading, Ticket, moment, of_record, of_tag};
use crate::{
    contract::Geolocation,
    engine::{Answer, Fetched, LocalRecord},
    model::{Day, Tag},
    store::layout::Release,
};

/// What a missing record means, and what it does not mean.
pub const NOTHING: &str = "no record at the service, which does not mean that it is harmless";

/// What it means that no local feed has a record, and what it does not mean.
pub const NOTHING_HERE: &str =
    "no record in the local feeds, which does not mean that it is harmless";

/// The note about an answer of the Context API.
#[must_use]
pub fn lookup_ticket(query: &str, geolocation: Geolocation, answer: &Answer) -> String {
    let source = "live lookup at the Context API";
    answer_ticket(query, source, geolocation, answer)
}

/// The note about such an answer that was kept since.
#[must_use]
pub fn kept_ticket(query: &str, geolocation: Geolocation, answer: &Answer) -> String {
    let source = "cached answer of an earlier lookup at the Context API";
    answer_ticket(query, source, geolocation, answer)
}

/// The note about a record of a feed on this disk.
#[must_use]
pub fn local_ticket(query: &str, record: &LocalRecord) -> String {
    let reading = Reading::of(record.release.manifest.feed, record.document.value());
    of_release(query, &record.release)
        .facts(&reading.facts())
        .end()
}

/// The note about a tag of the service-metrics feed on this disk.
#[must_use]
pub fn local_tag_ticket(name: &str, release: &Release, tag: &Tag) -> String {
    of_release(name, release).facts(&of_tag(tag)).end()
}

fn of_release(subject: &str, release: &Release) -> Ticket {
    let manifest = &release.manifest;
    Ticket::about(subject)
        .line("source", &format!("feed {}, local", manifest.feed))
        .line("data date", &manifest.moment.dashed())
        .line("downloaded at", &moment(manifest.pulled_at))
}

fn answer_ticket(query: &str, source: &str, geolocation: Geolocation, answer: &Answer) -> String {
    let provenance = &answer.provenance;
    let day = provenance
        .data_date
        .map_or("not named by the service".to_owned(), Day::dashed);
    let location = match geolocation {
        Geolocation::Service => "the service's own",
        Geolocation::Mmgeo => "a third-party database (mmgeo)",
    };
    let ticket = Ticket::about(query)
        .line("source", source)
        .line("data date", &day)
        .line("asked at", &moment(provenance.asked_at))
        .line("location from", location);
    match &answer.record {
        Some(record) => ticket.facts(&of_record(&record.context)),
        None => ticket.line("not known", NOTHING),
    }
    .end()
}

/// The note about a tag, and the addresses on which it was seen.
#[must_use]
pub fn tag_ticket(name: &str, fetched: &Fetched<Tag>, seen_on: &str) -> String {
    let mut ticket = Ticket::about(name)
        .line("source", "tag metadata of the Context API")
        .line("asked at", &moment(fetched.provenance.asked_at));
    if !seen_on.is_empty() {
        ticket = ticket.line("seen on", seen_on);
    }
    ticket.facts(&of_tag(&fetched.value)).end()
}
