//! Targets written by hand from the contract, and requests read back from them.

use super::*;
use crate::contract::{ExportField, Output};

fn day() -> Day {
    Day::new(2026, 11, 20).expect("day")
}

fn lookup(address: &str, date: Option<Day>, geolocation: Geolocation) -> Endpoint {
    Endpoint::Context(LookupQuery {
        address: address.parse().expect(address),
        date,
        geolocation,
    })
}

fn export(feed: Feed, change: impl FnOnce(&mut ExportQuery)) -> Endpoint {
    let mut query = ExportQuery::all_of(feed);
    change(&mut query);
    Endpoint::Export(query)
}

/// Written by hand from part 4 of the contract, not from the code.
#[expect(clippy::too_many_lines, reason = "a table")]
fn table() -> Vec<(Endpoint, Host, &'static str)> {
    let mmdb = FilePath::parse("20261119/feed.mmdb").expect("path");
    let window = Window::new(day(), "2310").expect("window");
    let mut table = vec![
        (
            lookup("198.51.100.7", None, Geolocation::Service),
            Host::Context,
            "/v2/context/198.51.100.7",
        ),
        (
            lookup("198.51.100.7", Some(day()), Geolocation::Service),
            Host::Context,
            "/v2/context/198.51.100.7?dt=20261120",
        ),
        (
            lookup("198.51.100.7", None, Geolocation::Mmgeo),
            Host::Context,
            "/v2/context/198.51.100.7?mmgeo=1",
        ),
        (
            lookup("2001:db8::1", Some(day()), Geolocation::Mmgeo),
            Host::Context,
            "/v2/context/2001:db8::1?dt=20261120&mmgeo=1",
        ),
        (
            Endpoint::Tag("ACME_VPN".parse().expect("tag")),
            Host::Context,
            "/v2/metadata/tags/ACME_VPN",
        ),
        (
            Endpoint::Tag(TagName::new("A%B&C").expect("tag")),
            Host::Context,
            "/v2/metadata/tags/A%25B%26C",
        ),
        (Endpoint::Status, Host::Context, "/status"),
    ];
    let feeds: &[(Feed, Resource, &str)] = &[
        (
            Feed::Anonymous,
            Resource::Latest(Format::Json),
            "/v2/anonymous/latest.json.gz",
        ),
        (Feed::Anonymous, Resource::Metadata, "/v2/anonymous/latest"),
        (
            Feed::Anonymous,
            Resource::Dated(day()),
            "/v2/anonymous/20261120/feed.json.gz",
        ),
        (Feed::Anonymous, Resource::Runs, "/v2/anonymous/"),
        (
            Feed::Anonymous,
            Resource::Files(day()),
            "/v2/anonymous/20261120/",
        ),
        (
            Feed::Anonymous,
            Resource::Readme,
            "/v2/anonymous/README.pdf",
        ),
        (
            Feed::Anonymous,
            Resource::Located(mmdb.clone()),
            "/v2/anonymous/20261119/feed.mmdb",
        ),
        (
            Feed::AnonymousIpv6,
            Resource::Latest(Format::Json),
            "/v2/anonymous-ipv6/latest.json.gz",
        ),
        (
            Feed::AnonymousIpv6,
            Resource::Metadata,
            "/v2/anonymous-ipv6/latest",
        ),
        (
            Feed::AnonymousResidential,
            Resource::Metadata,
            "/v2/anonymous-residential/latest",
        ),
        (
            Feed::AnonymousResidential,
            Resource::Files(day()),
            "/v2/anonymous-residential/20261120/",
        ),
        (
            Feed::AnonymousResidentialIpv6,
            Resource::Dated(day()),
            "/v2/anonymous-residential-ipv6/20261120/feed.json.gz",
        ),
        (
            Feed::Realtime,
            Resource::Latest(Format::Json),
            "/v2/anonymous-residential/realtime/latest.json.gz",
        ),
        (
            Feed::Realtime,
            Resource::Metadata,
            "/v2/anonymous-residential/realtime/latest",
        ),
        (
            Feed::Realtime,
            Resource::Window(window),
            "/v2/anonymous-residential/realtime/20261120/2310.json.gz",
        ),
        (
            Feed::Realtime,
            Resource::Files(day()),
            "/v2/anonymous-residential/realtime/20261120/",
        ),
        (
            Feed::ServiceMetrics,
            Resource::Latest(Format::Json),
            "/v2/service-metrics/latest.json.gz",
        ),
        (
            Feed::ServiceMetrics,
            Resource::Metadata,
            "/v2/service-metrics/latest",
        ),
        (
            Feed::Dch,
            Resource::Latest(Format::Json),
            "/v2/dch/latest.json.gz",
        ),
        (
            Feed::Ipgeo,
            Resource::Latest(Format::Mmdb),
            "/v2/ipgeo/latest.mmdb",
        ),
        (
            Feed::Ipgeo,
            Resource::Latest(Format::Json),
            "/v2/ipgeo/latest.json.gz",
        ),
        (
            Feed::Ipsummary,
            Resource::Latest(Format::Json),
            "/v2/ipsummary/latest.json.gz",
        ),
    ];
    table.extend(feeds.iter().map(|(feed, resource, target)| {
        (
            Endpoint::Feed(*feed, resource.clone()),
            Host::Feeds,
            *target,
        )
    }));
    table.extend([
        (export(Feed::Anonymous, |_| ()), Host::Exports, "/v1/feeds/anonymous?output=csv"),
        (
            export(Feed::Anonymous, |q| {
                q.header = true;
                q.fields = vec![ExportField::Ip, ExportField::Tag, ExportField::ClientCount];
                q.limit = Some(100_000);
                q.tags = vec!["ACME_VPN".parse().expect("tag"), "CARGO_VPN".parse().expect("tag")];
                q.ccs = vec!["NL".into(), "DE".into()];
                q.attributed = true;
            }),
            Host::Exports,
            "/v1/feeds/anonymous?output=csv&includeCSVHeader=true&fields=ip,tag,clientCount&limit=100000\
             &tags=ACME_VPN,CARGO_VPN&ccs=NL,DE&attributed=true",
        ),
        (
            export(Feed::AnonymousIpv6, |q| {
                q.output = Output::Json;
                q.diff = true;
                q.diff_date = Some(day());
            }),
            Host::Exports,
            "/v1/feeds/anonymous-ipv6?output=json&diff=true&diffDate=2026-11-20",
        ),
        (
            export(Feed::AnonymousResidential, |q| {
                q.output = Output::Mmdb;
                q.callback_proxies = vec!["WIDGET_PROXY".parse().expect("tag")];
            }),
            Host::Exports,
            "/v1/feeds/anonymous-residential?output=mmdb&callbackProxies=WIDGET_PROXY",
        ),
        (
            export(Feed::Dch, |q| {
                q.output = Output::Json;
                q.fields = vec![ExportField::Network, ExportField::Organization, ExportField::Asn];
            }),
            Host::Exports,
            "/v1/feeds/dch?output=json&fields=network,organization,asn",
        ),
    ]);
    table
}

#[test]
fn endpoints_are_the_urls_of_the_contract_and_back() {
    for (endpoint, host, target) in table() {
        assert_eq!(
            (endpoint.host(), endpoint.target().as_str()),
            (host, target)
        );
        assert_eq!(Endpoint::parse(host, target), Ok(endpoint), "{target}");
    }
}

#[test]
fn a_token_in_the_query_does_not_change_the_route() {
    let with = Endpoint::parse(Host::Feeds, "/v2/dch/latest.json.gz?Token=x");
    assert_eq!(
        with,
        Ok(Endpoint::Feed(Feed::Dch, Resource::Latest(Format::Json)))
    );
}

#[test]
fn what_the_contract_does_not_have_is_not_routed() {
    for (host, target) in [
        (Host::Context, "/"),
        (Host::Context, "/v1/context/198.51.100.7"),
        (Host::Context, "/v2/context/198.51.100.7/x"),
        (Host::Context, "/v2/metadata/tags/"),
        (Host::Feeds, "/v2/nothing/latest"),
        (Host::Feeds, "/v2/anonymous"),
        (Host::Feeds, "/v2/anonymous/../dch/latest"),
        (Host::Feeds, "/v2/anonymous/20261320/feed.json.gz"),
        (Host::Feeds, "/v2/anonymous-residential/realtime/"),
        (
            Host::Feeds,
            "/v2/anonymous-residential/realtime/20261120/2460.json.gz",
        ),
        (Host::Feeds, "/v2/anonymous-residential/realtime/README.pdf"),
        (Host::Feeds, "/v2/service-metrics/latest.mmdb"),
        (Host::Exports, "/v1/feeds/ipsummary"),
        (Host::Exports, "/v2/feeds/anonymous"),
    ] {
        assert_eq!(
            Endpoint::parse(host, target),
            Err(Unrouted::NotFound),
            "{target}"
        );
    }
    for (host, target) in [
        (Host::Context, "/v2/context/example"),
        (Host::Context, "/v2/context/198.51.100.7?dt=2026-11-20"),
        (Host::Context, "/v2/context/198.51.100.7?mmgeo=maybe"),
        (Host::Exports, "/v1/feeds/anonymous?limit=many"),
        (Host::Exports, "/v1/feeds/anonymous?output=xml"),
        (Host::Exports, "/v1/feeds/anonymous?fields=ip,nothing"),
        (Host::Exports, "/v1/feeds/anonymous?diffDate=20261120"),
        (Host::Exports, "/v1/feeds/anonymous?diff=perhaps"),
    ] {
        assert!(
            matches!(Endpoint::parse(host, target), Err(Unrouted::BadRequest(_))),
            "{target}"
        );
    }
}
