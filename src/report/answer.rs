//! Ticket notes about what was answered: by the service, by a local feed, or by a filter of one.

use std::net::IpAddr;

use super::{
    Fact, Reading, TextCell, Ticket, TicketStamp, Verdict, count, counted, each, fact,
    facts::{anonymity, counted_remainder, in_words, of_tag},
    instant, minute,
    missing::place_of,
    named_as_entry,
    verdict::entries_by_feed,
};
use crate::{
    contract::Geolocation,
    engine::{Fetched, LocalRecord, LookupAnswer, answers::Source, views::EntryOf},
    model::{Context, Day, Field, Tag, parse_address, tag::Metrics},
    store::{Filter, layout::Release},
};

/// What a missing record means, and what it does not mean.
pub const NOTHING: &str = "no record at the service, which does not mean that it is harmless";

/// What it means that no local feed has a record, and what it does not mean.
pub const NOTHING_HERE: &str =
    "no record in the local feeds, which does not mean that it is harmless";

/// The note about a record of a local feed.
#[must_use]
pub fn local_ticket(
    query: &str,
    record: &LocalRecord,
    entry_of: &[EntryOf],
    written: TicketStamp,
) -> String {
    let manifest = &record.release.manifest;
    let day = manifest.moment.dashed();
    let reading = Reading::of_record(record);
    let (sentence, facts) = match &reading {
        Reading::Context(context) => of_context(query, &day, context, entry_of),
        Reading::Hosting(hosting) => {
            let whose = hosting.organization.text();
            let whose = whose.map_or_else(String::new, |name| format!(" of {name}"));
            let block = network_of(&hosting.network);
            let sentence = format!("{query} on {day}: datacenter hosting{whose}{block}.");
            (
                sentence,
                without_paths(reading.facts(), &hosting.unknown, &hosting.odd),
            )
        }
        Reading::Geo(geo) => {
            let facts = reading.facts();
            let place =
                ["city", "country"].map(|label| facts.iter().find(|fact| fact.label == label));
            let place = place.into_iter().flatten().filter(|fact| fact.cell.known);
            let place = each(place.map(|fact| &fact.cell.text), ", ");
            let place = if place.is_empty() {
                "a place without a name"
            } else {
                &place
            };
            let block = network_of(&geo.prefix);
            let sentence = format!("{query} on {day}: located in {place}{block}.");
            (sentence, without_paths(facts, &geo.unknown, &geo.odd))
        }
        Reading::Unread => {
            let sentence = format!("{query} on {day}: a record that cannot be read.");
            (
                sentence,
                vec![fact("record", TextCell::unknown("cannot be read"))],
            )
        }
    };
    let ticket = Ticket::written(query, written)
        .sentence(&sentence)
        .known(&facts);
    of_release(ticket, &record.release, written)
        .unknown(&facts)
        .end()
}

/// The note about a local tag.
#[must_use]
pub fn local_tag_ticket(name: &str, release: &Release, tag: &Tag, written: TicketStamp) -> String {
    let facts = tag_facts(tag);
    let ticket = Ticket::written(name, written)
        .sentence(&tag_sentence(name, tag))
        .known(&facts);
    of_release(ticket, release, written).unknown(&facts).end()
}

/// The note about a tag, and the addresses on which it was seen.
#[must_use]
pub fn tag_ticket(
    name: &str,
    fetched: &Fetched<Tag>,
    seen_on: &str,
    written: TicketStamp,
) -> String {
    let facts = tag_facts(&fetched.value);
    let mut ticket = Ticket::written(name, written)
        .sentence(&tag_sentence(name, &fetched.value))
        .known(&facts);
    if !seen_on.is_empty() {
        ticket = ticket.line("seen on", seen_on);
    }
    ticket
        .line("source", "tag metadata of the Context API")
        .line("asked at", &instant(fetched.provenance.asked_at))
        .unknown(&facts)
        .end()
}

/// What a note about the records of a filter begins with: how many there are, and of which data.
pub fn filter_ticket(
    release: &Release,
    filter: &Filter,
    number: u64,
    written: TicketStamp,
) -> Ticket {
    let manifest = &release.manifest;
    let feed = manifest.feed;
    let (day, filter) = (manifest.moment.dashed(), filter.to_string());
    let records = match manifest.records {
        Some(all) if !filter.is_empty() => format!("{} of {} records", count(number), count(all)),
        _ => counted(number, "record"),
    };
    let matches = if number == 1 { "matches" } else { "match" };
    let sentence = match (number, filter.as_str()) {
        (_, "") => format!("{records} of the feed {feed} of {day}."),
        (0, filter) => format!(
            "No record of the feed {feed} of {day} matches {filter}, which does not mean that there is none elsewhere."
        ),
        (_, filter) => format!("{records} of the feed {feed} of {day} {matches} {filter}."),
    };
    let ticket = Ticket::written(&format!("Search of {feed}"), written).sentence(&sentence);
    of_release(ticket, release, written)
}

fn of_release(ticket: Ticket, release: &Release, written: TicketStamp) -> Ticket {
    let manifest = &release.manifest;
    let (feed, place) = (manifest.feed, place_of(manifest));
    ticket
        .line("source", &format!("feed {feed}, {place}"))
        .line("data date", &manifest.moment.dashed())
        .line("downloaded at", &instant(manifest.pulled_at))
        .line("read at", &format!("{}, no query sent", minute(written.at)))
}

/// The note about an answer of the Context API, live or kept since.
#[must_use]
pub fn answer_ticket(
    query: &str,
    source: Source,
    geolocation: Geolocation,
    answer: &LookupAnswer,
    entry_of: &[EntryOf],
    written: TicketStamp,
) -> String {
    let source = match source {
        Source::Live => "live lookup at the Context API",
        Source::Cached | Source::Local => "cached answer of an earlier lookup at the Context API",
    };
    let provenance = &answer.provenance;
    let day = provenance.data_date.map(Day::dashed);
    let location = match geolocation {
        Geolocation::Service => "the service's own",
        Geolocation::Mmgeo => "a third-party database (mmgeo)",
    };
    let (sentence, facts) = if let Some(record) = &answer.record {
        let day = day.as_deref().unwrap_or("an unknown day");
        of_context(query, day, &record.context, entry_of)
    } else {
        let named = named_as_entry(entry_of);
        let named = named.map_or_else(String::new, |words| format!("; {words}"));
        (format!("{query}: {NOTHING}{named}."), named_by(entry_of))
    };
    let ticket = Ticket::written(query, written)
        .sentence(&sentence)
        .known(&facts)
        .line("source", source)
        .line(
            "data date",
            day.as_deref().unwrap_or("not named by the service"),
        )
        .line("asked at", &instant(provenance.asked_at))
        .line("location from", location)
        .unknown(&facts);
    if answer.record.is_some() {
        ticket.end()
    } else {
        ticket.line("not known", "all else about it").end()
    }
}

/// The record of an address or network: one sentence, then its facts.
fn of_context(
    query: &str,
    day: &str,
    context: &Context,
    entry_of: &[EntryOf],
) -> (String, Vec<Fact>) {
    let address: Option<IpAddr> = parse_address(query).ok();
    let verdict = Verdict::beside(context, address, entry_of);
    let also = if verdict.also.is_empty() {
        String::new()
    } else {
        format!("; also {}", each(&verdict.also, ", "))
    };
    let (line, clients) = (verdict.line(), &verdict.clients);
    let sentence = format!("{query} on {day}: {line}{also}; {clients}.");
    let mut facts = named_by(entry_of);
    facts.extend(in_words(context, address));
    (sentence, facts)
}

/// In which local records the address is named as an entry, feed by feed.
fn named_by(entry_of: &[EntryOf]) -> Vec<Fact> {
    let words = entries_by_feed(entry_of).into_iter();
    words
        .map(|words| fact("named as entry", TextCell::known(words)))
        .collect()
}

fn tag_sentence(name: &str, tag: &Tag) -> String {
    let known =
        |field: &Field<String>| field.text().filter(|text| *text != name).map(str::to_owned);
    let long = known(&tag.name).map_or_else(String::new, |long| format!(" ({long})"));
    let metrics = tag.metrics.is();
    let number = |of: fn(&Metrics) -> &Field<u64>, noun| Some(counted(*of(metrics?).is()?, noun));
    let alias = known(&tag.alias_of).map(|of| format!("an alias of {of}"));
    let categories = each(tag.categories.items(), " ");
    let parts = [
        alias,
        Some(categories).filter(|names| !names.is_empty()),
        Some(anonymity(tag.is_anonymous).to_owned()),
        number(|metrics| &metrics.distinct_ips, "address"),
        number(|metrics| &metrics.distinct_countries, "country"),
    ];
    format!("{name}{long}: {}.", each(parts.into_iter().flatten(), ", "))
}

fn tag_facts(tag: &Tag) -> Vec<Fact> {
    without_paths(of_tag(tag), &tag.unknown, &tag.odd)
}

/// Facts that end with the paths of what is not read, with how many there are instead.
fn without_paths(mut facts: Vec<Fact>, unknown: &[String], odd: &[String]) -> Vec<Fact> {
    facts.retain(|fact| !matches!(&*fact.label, "other keys" | "unreadable"));
    facts.extend(counted_remainder(unknown, odd));
    facts
}

fn network_of<T: ToString>(network: &Field<T>) -> String {
    network.is().map_or_else(String::new, |network| {
        format!(" in {}", network.to_string())
    })
}
