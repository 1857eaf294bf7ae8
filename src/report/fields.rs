//! The fields of the record of an address or network in words for people, keyed by their dotted paths: one row names a field among
//! facts, on a page and in columns, and says how its value is put. Beside it is what each field of a filter is about.

use std::borrow::Cow;

use super::{
    Fact, TextCell, count, each,
    facts::{self, fact},
    signed,
};
use crate::model::{
    Anonymization, Context, Field,
    context::{AutonomousSystem, Concentration, Tunnel},
    visible,
};

struct FieldRow {
    path: &'static str,
    /// Its label among facts; empty where another fact holds it.
    fact: &'static str,
    page: &'static str,
    /// Its column in tables for programs; empty where it has none.
    column: &'static str,
    words: fn(&Context, WordingPlace) -> Field<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordingPlace {
    Fact,
    Page,
    Column,
}

/// The fields, in the order of facts.
#[rustfmt::skip]
const ROWS: &[FieldRow] = &[
    FieldRow { path: "ip", fact: "", page: "", column: "ip", words: |context, _| text(&context.ip) },
    FieldRow { path: "network", fact: "", page: "", column: "network", words: |context, _| text(&context.network) },
    FieldRow { path: "client.proxies", fact: "proxies", page: "proxies", column: "proxies",
        words: |context, form| context.client.and_then(|client| match (&client.proxies, form) {
            (Field::Is(proxies), WordingPlace::Page) if !proxies.is_empty() => Field::Is(format!("{}, listed above", proxies.len())),
            (proxies, form) => list(proxies, form),
        }) },
    FieldRow { path: "infrastructure", fact: "infrastructure", page: "infrastructure", column: "infrastructure",
        words: |context, _| context.infrastructure.clone() },
    FieldRow { path: "as", fact: "AS", page: "AS", column: "",
        words: |context, form| context.autonomous_system.as_ref().map(|owner| system(owner, form)) },
    FieldRow { path: "as.number", fact: "", page: "", column: "as_number",
        words: |context, _| context.autonomous_system.and_then(|system| text(&system.number)) },
    FieldRow { path: "as.organization", fact: "", page: "", column: "as_organization",
        words: |context, _| context.autonomous_system.and_then(|system| system.organization.clone()) },
    FieldRow { path: "organization", fact: "organization", page: "organization", column: "organization",
        words: |context, _| context.organization.clone() },
    FieldRow { path: "location", fact: "location", page: "location", column: "",
        words: |context, form| context.location.as_ref().map(|at| place([&at.city, &at.state, &at.country], form)) },
    FieldRow { path: "location.city", fact: "", page: "", column: "city",
        words: |context, _| context.location.and_then(|location| location.city.clone()) },
    FieldRow { path: "location.state", fact: "", page: "", column: "state",
        words: |context, _| context.location.and_then(|location| location.state.clone()) },
    FieldRow { path: "location.country", fact: "", page: "", column: "country",
        words: |context, _| context.location.and_then(|location| location.country.clone()) },
    FieldRow { path: "client.count", fact: "clients", page: "count", column: "client_count",
        words: |context, form| context.client.and_then(|client| number(&client.count, form, if form == WordingPlace::Page { " a day" } else { "" })) },
    FieldRow { path: "client.countries", fact: "client countries", page: "countries", column: "client_countries",
        words: |context, form| context.client.and_then(|client| number(&client.countries, form, "")) },
    FieldRow { path: "client.spread", fact: "client spread", page: "spread", column: "client_spread",
        words: |context, form| context.client.and_then(|client| number(&client.spread, form, " km²")) },
    FieldRow { path: "client.types", fact: "client types", page: "types", column: "client_types",
        words: |context, form| context.client.and_then(|client| list(&client.types, form)) },
    FieldRow { path: "client.concentration", fact: "concentration", page: "concentration", column: "",
        words: |context, form| context.client.and_then(|client| client.concentration.as_ref().map(|found| concentration(found, form))) },
    FieldRow { path: "client.behaviors", fact: "behaviors", page: "behaviors", column: "client_behaviors",
        words: |context, form| context.client.and_then(|client| list(&client.behaviors, form)) },
    FieldRow { path: "risks", fact: "risks", page: "risks", column: "risks", words: |context, form| list(&context.risks, form) },
    FieldRow { path: "services", fact: "services", page: "services", column: "services", words: |context, form| list(&context.services, form) },
    FieldRow { path: "ai", fact: "ai", page: "ai", column: "ai", words: |context, _| text(&context.ai) },
];

/// What a page shows of the network, in its order.
const OF_NETWORK: [&str; 6] = [
    "as",
    "organization",
    "infrastructure",
    "services",
    "location",
    "ai",
];
/// What a page shows of the clients, in its order.
const OF_CLIENTS: [&str; 7] = [
    "client.count",
    "client.countries",
    "client.types",
    "client.behaviors",
    "client.proxies",
    "client.spread",
    "client.concentration",
];

/// The fields that are facts by themselves.
pub(super) fn facts(context: &Context) -> impl Iterator<Item = Fact> {
    let shown = ROWS.iter().filter(|row| !row.fact.is_empty());
    shown.map(|row| {
        fact(
            row.fact,
            TextCell::of(&(row.words)(context, WordingPlace::Fact), String::clone),
        )
    })
}

/// The columns that a record of any kind fills, in tables for programs.
pub const COLUMNS: [&str; 18] = [
    "ip",
    "network",
    "as_number",
    "as_organization",
    "organization",
    "infrastructure",
    "city",
    "state",
    "country",
    "anonymization",
    "tunnel_types",
    "operators",
    "proxies",
    "client_count",
    "client_countries",
    "client_types",
    "risks",
    "services",
];

/// More columns, printed only where they are named: the output of earlier versions stays as it is.
pub const EXTRA_COLUMNS: [&str; 10] = [
    "tunnels",
    "client_spread",
    "client_behaviors",
    "concentration_city",
    "concentration_state",
    "concentration_country",
    "concentration_density",
    "concentration_geohash",
    "concentration_skew",
    "ai",
];

/// [`COLUMNS`], then [`EXTRA_COLUMNS`].
pub(super) const ALL_COLUMNS: [&str; COLUMNS.len() + EXTRA_COLUMNS.len()] = {
    let mut all = [""; COLUMNS.len() + EXTRA_COLUMNS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < COLUMNS.len() {
            COLUMNS[at]
        } else {
            EXTRA_COLUMNS[at - COLUMNS.len()]
        };
        at += 1;
    }
    all
};

/// What fills the columns; empty where nothing is said. Text from outside is as it was sent.
pub type ColumnTexts = [String; ALL_COLUMNS.len()];

/// What is in one of the columns.
#[must_use]
pub fn value<'a>(values: &'a ColumnTexts, column: &str) -> &'a str {
    let at = ALL_COLUMNS.iter().position(|text| *text == column);
    at.map_or("", |at| values[at].as_str())
}

/// What the record of an address says, for programs.
#[must_use]
pub fn values(context: &Context) -> ColumnTexts {
    let concentration = context
        .client
        .is()
        .and_then(|client| client.concentration.is());
    ALL_COLUMNS.map(|column| match column {
        "tunnels" => each(context.tunnels.items().iter().map(tunnel), " "),
        "anonymization" => anonymization(context).to_owned(),
        "tunnel_types" => each(&context.tunnel_types(), " "),
        "operators" => each(&context.tunnel_operators(), " "),
        _ if column.starts_with("concentration_") => concentration
            .and_then(|found| concentrated(found, column))
            .unwrap_or_default(),
        _ => {
            let row = ROWS.iter().find(|row| row.column == column);
            let words = row.map(|row| (row.words)(context, WordingPlace::Column));
            words.and_then(Field::into_option).unwrap_or_default()
        }
    })
}

/// A tunnel in one word: `VPN:ACME_VPN:true`; empty between the colons where the record does not say.
fn tunnel(tunnel: &Tunnel) -> String {
    let part = |field: &Field<String>| field.text().unwrap_or_default().to_owned();
    let anonymous = text(&tunnel.anonymous).into_option().unwrap_or_default();
    format!(
        "{}:{}:{anonymous}",
        part(&tunnel.kind),
        part(&tunnel.operator)
    )
}

/// What is in a column about where clients concentrate.
fn concentrated(found: &Concentration, column: &str) -> Option<String> {
    match column {
        "concentration_city" => found.city.is().cloned(),
        "concentration_state" => found.state.is().cloned(),
        "concentration_country" => found.country.is().cloned(),
        "concentration_geohash" => found.geohash.is().cloned(),
        "concentration_density" => text(&found.density).into_option(),
        _ => text(&found.skew).into_option(),
    }
}

fn anonymization(context: &Context) -> &'static str {
    match context.anonymization() {
        Anonymization::Observed => "observed",
        Anonymization::Possible => "possible",
        Anonymization::NotObserved => "none-observed",
        Anonymization::Unknown => "unknown",
    }
}

/// The path of a difference as people call it: `client.count` is `clients`, `client.concentration.city` is `concentration: city`.
#[must_use]
pub fn label_of(path: &str) -> String {
    let (path, behind) = path.split_at(path.find(' ').unwrap_or(path.len()));
    let labelled = ROWS.iter().filter(|row| !row.fact.is_empty());
    let within = |row: &&FieldRow| {
        let below = path.strip_prefix(row.path);
        below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
    };
    let label = match labelled.filter(within).max_by_key(|row| row.path.len()) {
        Some(row) if row.path == path => row.fact.to_owned(),
        Some(row) => {
            let below = path[row.path.len()..].trim_start_matches('.');
            format!("{}: {}", row.fact, below.replace('.', " "))
        }
        None => path.replace('.', " "),
    };
    label + behind
}

/// A side of a difference at a path, in words: what is a number of clients there is grouped as on a page.
#[must_use]
pub fn difference_side<'t>(path: &str, side: &'t str) -> Cow<'t, str> {
    const NUMBERS: [&str; 3] = ["client.count", "client.countries", "client.spread"];
    let number = NUMBERS.contains(&path).then(|| side.parse().ok()).flatten();
    number.map_or(side.into(), |number| count(number).into())
}

/// A field on a page: its label, and its value in words. Text from outside is as it was sent.
pub(super) type Labelled = (&'static str, Field<String>);

/// What a record says of the network, for a page.
pub fn of_network(context: &Context) -> impl Iterator<Item = Labelled> {
    on_page(context, &OF_NETWORK)
}

/// What a record says of the clients, for a page.
pub fn of_clients(context: &Context) -> impl Iterator<Item = Labelled> {
    on_page(context, &OF_CLIENTS)
}

fn on_page<'a>(
    context: &'a Context,
    paths: &'static [&'static str],
) -> impl Iterator<Item = Labelled> + use<'a> {
    let rows = paths
        .iter()
        .filter_map(|path| ROWS.iter().find(|row| row.path == *path));
    rows.map(|row| (row.page, (row.words)(context, WordingPlace::Page)))
}

fn text<T: ToString>(field: &Field<T>) -> Field<String> {
    field.as_ref().map(ToString::to_string)
}

fn list(field: &Field<Vec<String>>, form: WordingPlace) -> Field<String> {
    field.as_ref().map(|items| match (items.as_slice(), form) {
        ([], WordingPlace::Fact | WordingPlace::Page) => "none".to_owned(),
        (items, WordingPlace::Page) => each(items, "  "),
        (items, _) => each(items, " "),
    })
}

fn number(field: &Field<u64>, form: WordingPlace, unit: &str) -> Field<String> {
    field.as_ref().map(|number| match form {
        WordingPlace::Column => number.to_string(),
        WordingPlace::Fact | WordingPlace::Page => format!("{}{unit}", count(*number)),
    })
}

fn system(owner: &AutonomousSystem, form: WordingPlace) -> String {
    if form == WordingPlace::Page {
        let number = stated(&owner.number, ToString::to_string);
        return format!("{number}  {}", stated(&owner.organization, String::clone));
    }
    facts::system(owner)
}

/// A field as text within a line of a page, text from outside made visible.
pub fn stated<T>(field: &Field<T>, words: impl FnOnce(&T) -> String) -> String {
    match field {
        Field::Is(value) => visible(&words(value)).into_owned(),
        Field::Absent => "(absent)".to_owned(),
        Field::Null => "(null)".to_owned(),
        Field::Odd => "(unreadable)".to_owned(),
    }
}

fn place(parts: [&Field<String>; 3], form: WordingPlace) -> String {
    let names: Vec<&str> = parts.into_iter().filter_map(Field::text).collect();
    match (names.as_slice(), form) {
        ([], WordingPlace::Page) => "(no part of it named)".to_owned(),
        (names, _) => each(names, ", "),
    }
}

fn concentration(found: &Concentration, form: WordingPlace) -> String {
    let parts = [&found.city, &found.state, &found.country];
    if form == WordingPlace::Page {
        return place(parts, form);
    }
    let names = parts.into_iter().filter_map(Field::text).map(str::to_owned);
    let geohash = found.geohash.text().map(|hash| format!("geohash {hash}"));
    let density = found
        .density
        .is()
        .map(|density| format!("density {density}"));
    let skew = found
        .skew
        .is()
        .map(|skew| format!("skew {}", signed(*skew)));
    each(names.chain(geohash).chain(density).chain(skew), ", ")
}

/// The fields of the filter language by their names, and what each is about in one line.
const ABOUT: [(&str, &str); 15] = [
    ("tag", "operator of a tunnel, or the tag of a service"),
    ("type", "kind of a tunnel"),
    ("cc", "country of the address, two letters"),
    ("infra", "kind of infrastructure"),
    ("risk", "risk factor"),
    ("service", "service or protocol that listens"),
    ("behavior", "behavior of clients"),
    ("proxy", "callback proxy on a device behind the address"),
    ("device", "kind of a client's device"),
    ("asn", "number of the autonomous system, AS64500 too"),
    (
        "org",
        "part of the organization's name; org= the whole name",
    ),
    ("entry", "entry address of a tunnel"),
    (
        "clients",
        "clients on an average day: < <= = >= >, false where unknown",
    ),
    (
        "net",
        "the record's address or network lies in one of these",
    ),
    (
        "attributed",
        "yes: one tunnel has an operator and is a VPN; no: none",
    ),
];

/// What a field of the filter language is about.
#[must_use]
pub fn about(field: &str) -> &'static str {
    let own = ABOUT.iter().find(|(name, _)| *name == field);
    own.map_or("", |(_, about)| about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fields::{FieldKind, Member, Object};
    use crate::store::Filter;

    #[test]
    fn every_field_of_the_filter_is_described() {
        assert!(
            Filter::FIELDS
                .map(|field| field.name)
                .iter()
                .eq(ABOUT.map(|(name, _)| name).iter())
        );
    }

    /// A field of the record that has no row is lost to every reader but the raw one.
    #[test]
    fn every_field_of_a_record_has_a_row_or_stands_in_one() {
        fn walk(above: &str, members: &[Member], missing: &mut Vec<String>) {
            for member in members {
                let path = format!("{above}{}", member.name);
                match member.kind {
                    _ if ROWS.iter().any(|row| row.path == path) || path == "tunnels" => {}
                    FieldKind::Group(inner) => walk(&format!("{path}."), inner, missing),
                    _ => missing.push(path),
                }
            }
        }
        let mut missing = Vec::new();
        walk("", Context::MEMBERS, &mut missing);
        assert!(missing.is_empty(), "{missing:?}");
    }
}
