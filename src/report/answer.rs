//! Ticket notes about what the service answered.

use super::{Ticket, moment, of_record, of_tag};
use crate::{
    contract::Geolocation,
    engine::{Answer, Fetched},
    model::{Day, Tag},
};

/// What a missing record means, and what it does not mean.
pub const NOTHING: &str =
    "the service knows nothing of it, which does not mean that it is harmless";

/// The note about an answer of the Context API.
#[must_use]
pub fn lookup_ticket(query: &str, geolocation: Geolocation, answer: &Answer) -> String {
    let provenance = &answer.provenance;
    let day = provenance
        .data_date
        .map_or("not named by the service".to_owned(), Day::dashed);
    let location = match geolocation {
        Geolocation::Service => "the service's own",
        Geolocation::Mmgeo => "a third-party database (mmgeo)",
    };
    let ticket = Ticket::about(query)
        .line("source", "live lookup at the Context API")
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
