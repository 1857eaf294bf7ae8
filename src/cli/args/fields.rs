//! Checks fields of filters and facets against the feed: a field that its records cannot have is an error, never a count of 0.

use super::value::usage;
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::Result,
    model::{
        Keyword,
        fields::{FieldKind, have, paths},
        meant,
    },
    report::each,
    store::{
        Filter,
        filter::{Test, nearest},
        index::FacetBy,
    },
};

/// The kinds of records, each once.
const KINDS: [RecordKind; 4] = [
    RecordKind::Context,
    RecordKind::Tags,
    RecordKind::Hosting,
    RecordKind::Geo,
];

/// Refuses a filter by a field that no record of these feeds has.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) with the valid fields.
pub(super) fn check_filter(feeds: &[Feed], filter: &Filter) -> Result<()> {
    let mut names = filter.terms.iter().map(|term| name(&term.test));
    names.try_for_each(|name| check(feeds, name, |records| has(records, name)))
}

/// Refuses to count values of a field that no record of these feeds has.
///
/// # Errors
/// As [`check_filter`].
pub(super) fn check_facet(feeds: &[Feed], by: &FacetBy) -> Result<()> {
    match by {
        FacetBy::Keyword(field) => check(feeds, field.name(), |records| has(records, field.name())),
        // Records may have keys that the contract does not name.
        FacetBy::Path(path) if !is_documented(path) => Ok(()),
        FacetBy::Path(path) => check(feeds, path, |records| has_path(records, path)),
    }
}

/// Whether the contract names a path in any kind of record.
pub(in crate::cli) fn is_documented(path: &str) -> bool {
    KINDS.iter().any(|kind| has_path(*kind, path))
}

fn check(feeds: &[Feed], name: &str, has_it: impl Fn(RecordKind) -> bool) -> Result<()> {
    if feeds.iter().any(|feed| has_it(feed.row().records)) {
        return Ok(());
    }
    let names = Filter::FIELDS.map(|field| field.name).into_iter();
    let is_of_one = |name: &&str| feeds.iter().any(|feed| has(feed.row().records, name));
    let names: Vec<&str> = names.filter(is_of_one).collect();
    let feeds = each(feeds.iter().map(|feed| feed.name()), " and ");
    let error = usage(format!("records of {feeds} have no {name}"));
    Err(error.hint(format!("they are searched by {}", names.join(", "))))
}

fn has_path(records: RecordKind, path: &str) -> bool {
    paths(records.members()).iter().any(|text| text == path)
}

fn name(test: &Test) -> &'static str {
    match test {
        Test::Is(field, _) | Test::Contains(field, _) => field.name(),
        Test::Clients(..) => "clients",
        Test::Within(_) => "net",
        Test::Attributed(_) => "attributed",
    }
}

fn has(records: RecordKind, name: &str) -> bool {
    let is_context = matches!(records, RecordKind::Context | RecordKind::Ipv6Context);
    match name {
        "clients" | "attributed" => is_context,
        "net" => records != RecordKind::Tags,
        name => Keyword::named(name).is_some_and(|field| have(records.members(), field)),
    }
}

/// The field or path that was most likely meant by a name that is neither.
pub(super) fn field_instead_of(typed: &str) -> Option<String> {
    let is_key = KINDS
        .iter()
        .flat_map(|records| records.members())
        .any(|member| member.name == typed && !matches!(member.kind, FieldKind::Group(_)));
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
            check_filter(&[feed], &filter).map_err(|error| error.to_string())
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
    fn of_several_feeds_one_must_have_the_field() {
        let filter: Filter = "cc:NL".parse().expect("filter");
        assert_eq!(check_filter(&[Feed::Dch, Feed::Anonymous], &filter), Ok(()));
        let refused = check_filter(&[Feed::Dch, Feed::ServiceMetrics], &filter);
        assert_eq!(
            refused.map_err(|error| error.message),
            Err("records of dch and service-metrics have no cc".to_owned())
        );
    }

    #[test]
    fn a_path_of_other_records_is_refused_and_an_unknown_one_is_not() {
        let by = |path: &str| check_facet(&[Feed::Dch], &FacetBy::Path(path.to_owned()));
        assert!(by("location.city").is_err() && by("client.count").is_err());
        assert_eq!((by("organization"), by("new.key")), (Ok(()), Ok(())));
        assert!(check_facet(&[Feed::Dch], &FacetBy::Keyword(Keyword::Cc)).is_err());
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
