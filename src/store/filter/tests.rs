//! The filter language as people type it, and its meaning.

mod mistakes;
mod random;

use serde_json::json;

use super::*;
use crate::{
    contract::{ExportQuery, Feed},
    model::{TagName, Terms},
};

fn read(text: &str) -> Filter {
    text.parse()
        .unwrap_or_else(|bad: BadFilter| panic!("{}\n{bad}", bad.picture()))
}

#[test]
fn every_field_is_documented_and_every_example_is_a_filter() {
    let names: Vec<&str> = Filter::FIELDS.iter().map(|field| field.name).collect();
    let words: Vec<&str> = Keyword::ALL.into_iter().map(Keyword::name).collect();
    assert_eq!(names[..words.len()], words);
    assert_eq!(names[words.len()..], ["clients", "net", "attributed"]);
    for field in Filter::FIELDS {
        assert_eq!(read(field.example).terms.len(), 1);
        assert!(
            field
                .example
                .trim_start_matches('-')
                .starts_with(field.name)
        );
    }
}

#[test]
fn every_spelling_has_one_meaning_and_one_canonical_text() {
    for (text, canonical) in [
        ("", ""),
        (" \t\u{a0}\n", ""),
        (
            "tag:ACME_VPN,CARGO_VPN  cc:nl",
            "tag:ACME_VPN,CARGO_VPN cc:NL",
        ),
        ("TAG:acme_vpn -Infra:MOBILE", "tag:acme_vpn -infra:MOBILE"),
        (
            "clients:5 clients=05 clients<5 clients<=5 clients>5 clients>=5",
            "clients=5 clients=5 clients<5 clients<=5 clients>5 clients>=5",
        ),
        ("-clients>\"20\"", "-clients>20"),
        ("asn:AS64500,64501,as064502", "asn:64500,64501,64502"),
        (
            r#"org:"part of name",b,"c,d""#,
            r#"org:"part of name",b,"c,d""#,
        ),
        (
            r#"org:part" of "name org:"plain""#,
            r#"org:"part of name" org:plain"#,
        ),
        (
            r#"org:"say \"x\" \\ \y" org:a\b"#,
            r#"org:"say \"x\" \\ \\y" org:a\b"#,
        ),
        (
            "net:198.51.100.77/24,198[.]51[.]100[.]7,2001:DB8::1/32",
            "net:198.51.100.0/24,198.51.100.7,2001:db8::/32",
        ),
        (
            "net:::ffff:198.51.100.7,::ffff:198.51.100.7/120,::/0",
            "net:198.51.100.7,198.51.100.0/24,::/0",
        ),
        (
            "net:198.51.100.7/32 net:2001:db8::1",
            "net:198.51.100.7 net:2001:db8::1",
        ),
        (
            "entry:198[.]51[.]100[.]70,2001:DB8:0::1,::ffff:198.51.100.7",
            "entry:198.51.100.70,2001:db8::1,198.51.100.7",
        ),
        (
            "attributed:YES -attributed:no",
            "attributed:yes -attributed:no",
        ),
        ("service:OPENVPN:1194", "service:OPENVPN:1194"),
        (
            "ORG=\"part of name\",plain -org=\"=x\"",
            "org=\"part of name\",plain -org=\"=x\"",
        ),
    ] {
        let filter = read(text);
        assert_eq!(filter.to_string(), canonical, "{text}");
        assert_eq!(read(canonical), filter, "{text}");
        assert_eq!(filter.is_empty(), canonical.is_empty());
    }
}

fn record() -> Terms {
    Terms::of(&json!({
        "ip": "198.51.100.7", "as": {"number": 64500, "organization": "Example Networks"}, "organization": "Zürich Hosting BV",
        "client": {"count": 20, "proxies": ["BRAVO_PROXY"], "types": ["MOBILE"], "behaviors": ["FILE_SHARING"]},
        "infrastructure": "DATACENTER", "location": {"country": "NL"}, "risks": ["TUNNEL"], "services": ["OPENVPN", "IPSEC"],
        "tunnels": [{"type": "VPN", "operator": "ACME_VPN", "entries": ["198.51.100.70"]}, {"type": "PROXY"}]
    }))
}

#[test]
fn terms_are_joined_by_and_values_by_or() {
    for (text, expected) in [
        ("", true),
        ("tag:acme_vpn", true),
        ("tag:ACME", false),
        ("tag:acme*", true),
        ("tag:BRAVO*,ACME*", true),
        ("tag:VPN*", false),
        ("-tag:ACME*", false),
        ("tag:*", true),
        ("proxy:BRAVO_PROXY*", true),
        ("tag:CARGO_VPN,ACME_VPN cc:DE,NL", true),
        ("tag:ACME_VPN cc:DE", false),
        ("-cc:DE -infra:MOBILE type:PROXY type:VPN", true),
        ("-service:IPSEC", false),
        (
            "risk:tunnel proxy:BRAVO_PROXY device:MOBILE behavior:FILE_SHARING",
            true,
        ),
        ("asn:AS64500 entry:198[.]51[.]100[.]70", true),
        ("org:HOSTING", true),
        ("org:\"ZÜRICH host\"", true),
        ("org:\"networks\"", true),
        ("org:zurich", false),
        ("org=\"Zürich hosting bv\"", true),
        ("org=\"example networks\",x", true),
        ("org=Hosting", false),
        ("-org=Networks", true),
        (
            "clients>19 clients>=20 clients<=20 clients<21 clients:20",
            true,
        ),
        ("clients>20", false),
        ("clients<20", false),
        ("net:198.51.100.0/24,2001:db8::/32", true),
        ("net:198.51.100.7", true),
        ("net:198.51.100.8/29", false),
        ("net:::/0", false),
        ("attributed:yes", true),
        ("attributed:no", false),
        ("-attributed:no", true),
    ] {
        assert_eq!(read(text).matches(&record()), expected, "{text}");
    }
}

#[test]
fn what_is_not_known_passes_no_test_and_every_negated_one() {
    let nothing = Terms::of(&json!({}));
    for test in [
        "clients<5",
        "clients>=0",
        "net:0.0.0.0/0,::/0",
        "tag:X",
        "org:x",
        "attributed:yes",
    ] {
        assert!(!read(test).matches(&nothing), "{test}");
        assert!(read(&format!("-{test}")).matches(&nothing), "{test}");
    }
    assert!(read("attributed:no").matches(&nothing));
}

#[test]
fn a_network_lies_in_what_covers_all_of_it() {
    let terms = Terms::of(&json!({"network": "2001:db8:7::/48"}));
    for (text, expected) in [
        ("net:2001:db8::/32", true),
        ("net:2001:db8:7::/48", true),
        ("net:2001:db8:7::/49,2001:db8:7:8000::/49", false),
        ("net:0.0.0.0/0", false),
    ] {
        assert_eq!(read(text).matches(&terms), expected, "{text}");
    }
}

#[test]
fn one_word_is_accepted_by_the_test_of_its_field_only() {
    let test = |text: &str| read(text).terms.remove(0).test;
    assert!(test("tag:A,B").accepts_word(Keyword::Tag, "b"));
    assert!(!test("tag:A,B").accepts_word(Keyword::Proxy, "B"));
    assert!(test("-org:bc").accepts_word(Keyword::Org, "ABCD"));
    assert!(!test("clients>1").accepts_word(Keyword::Tag, "2"));
}

#[test]
fn an_export_means_a_filter() {
    let mut query = ExportQuery::all_of(Feed::AnonymousResidential);
    query.limit = Some(10);
    query.diff = true;
    assert!(Filter::from(&query).is_empty());
    let tags = |names: &[&str]| {
        names
            .iter()
            .map(|name| TagName::new(name).expect("tag"))
            .collect()
    };
    query.tags = tags(&["ACME_VPN", "CARGO_VPN"]);
    query.callback_proxies = tags(&["BRAVO_PROXY"]);
    query.ccs = vec!["NL".to_owned(), "DE".to_owned()];
    query.attributed = true;
    assert_eq!(
        Filter::from(&query).to_string(),
        "tag:ACME_VPN,CARGO_VPN proxy:BRAVO_PROXY cc:NL,DE attributed:yes"
    );
}
