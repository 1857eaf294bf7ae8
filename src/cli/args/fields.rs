//! Fields of filters and facets beside the feed that is asked: what its records cannot have is a mistake, and never counted as 0.

use super::value::usage;
use crate::{
    contract::{Feed, catalog::Records},
    engine::Result,
    model::{
        Keyword,
        fields::{Kind, have, paths},
        meant,
    },
    store::{
        Filter,
        filter::{Test, nearest},
        index::FacetBy,
    },
};

/// One feed for each kind of records.
const KINDS: [Records; 4] = [
    Records::Context,
    Records::Tags,
    Records::Hosting,
    Records::Geo,
];

/// Refuses a filter by a field that no record of the feed has.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) with the fields that there are.
pub(super) fn check_filter(feed: Feed, filter: &Filter) -> Result<()> {
    let mut names = filter.terms.iter().map(|term| name(&term.test));
    names.try_for_each(|name| check(feed, name))
}

/// Refuses to count values of a field that no record of the feed has.
///
/// # Errors
/// As [`check_filter`].
pub(super) fn check_facet(feed: Feed, by: &FacetBy) -> Result<()> {
    match by {
        FacetBy::Keyword(field) => check(feed, field.name()),
        FacetBy::Path(_) => Ok(()),
    }
}

fn check(feed: Feed, name: &str) -> Result<()> {
    let records = feed.row().records;
    if has(records, name) {
        return Ok(());
    }
    let names = Filter::FIELDS.map(|field| field.name);
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| has(records, name))
        .collect();
    let error = usage(format!("records of {feed} have no {name}"));
    Err(error.hint(format!("they are searched by {}", names.join(", "))))
}

fn name(test: &Test) -> &'static str {
    match test {
        Test::Is(field, _) | Test::Contains(field, _) => field.name(),
        Test::Clients(..) => "clients",
        Test::Within(_) => "net",
        Test::Attributed(_) => "attributed",
    }
}

fn has(records: Records, name: &str) -> bool {
    let is_context = matches!(records, Records::Context | Records::Ipv6Context);
    match name {
        "clients" | "attributed" => is_context,
        "net" => records != Records::Tags,
        name => Keyword::named(name).is_some_and(|field| have(records.members(), field)),
    }
}

/// The field or path that was most likely meant by a name that is neither.
pub(super) fn field_instead_of(typed: &str) -> Option<String> {
    let is_key = KINDS
        .iter()
        .flat_map(|records| records.members())
        .any(|member| member.name == typed && !matches!(member.kind, Kind::Group(_)));
    if is_key || typed.contains('.') {
        return None;
    }
    nearest(typed)
        .map(str::to_owned)
        .or_else(|| path_instead_of(typed))
}

/// The path of a record that was most likely meant.
pub(in crate::cli) fn path_instead_of(typed: &str) -> Option<String> {
    let all: Vec<String> = KINDS
        .iter()
        .flat_map(|records| paths(records.members()))
        .filter(|path| path != typed)
        .collect();
    let end = format!(".{typed}");
    let ending = all.iter().filter(|path| path.ends_with(&end));
    let ending = ending.min_by_key(|path| path.len());
    ending
        .cloned()
        .or_else(|| meant(typed, all.iter().map(String::as_str)).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_feed_does_not_have_is_refused() {
        let checked = |feed: Feed, text: &str| {
            let filter: Filter = text.parse().expect(text);
            check_filter(feed, &filter).map_err(|error| error.to_string())
        };
        for (feed, text) in [
            (Feed::Anonymous, "tag:A cc:NL clients>5 attributed:yes"),
            (Feed::Realtime, "infra:MOBILE net:198.51.100.0/24"),
            (Feed::Dch, "asn:64500 org:x net:198.51.100.0/24"),
            (Feed::Ipgeo, "cc:NL"),
            (Feed::ServiceMetrics, "tag:A"),
        ] {
            assert_eq!(checked(feed, text), Ok(()), "{text}");
        }
        assert_eq!(
            checked(Feed::Dch, "asn:64500 -cc:NL"),
            Err("records of dch have no cc\n  they are searched by asn, org, net".to_owned())
        );
        assert!(checked(Feed::ServiceMetrics, "clients>5").is_err());
    }

    #[test]
    fn names_of_fields_lead_to_the_field() {
        for (typed, expected) in [
            ("country", Some("cc")),
            ("operator", Some("tag")),
            ("city", Some("location.city")),
            ("location", Some("location.city")),
            ("infrastructure", None),
            ("location.town", None),
        ] {
            assert_eq!(field_instead_of(typed).as_deref(), expected, "{typed}");
        }
    }
}
