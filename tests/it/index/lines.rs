//! Records put together field by field, from few words, so that questions meet many of them.

use proptest::{collection::vec, prelude::*, sample::select};

/// What may be where an address belongs.
pub(crate) const ADDRESSES: &[&str] = &[
    "198.51.100.7",
    "198.51.100.8",
    "198.51.100.9",
    "198.51.100.70",
    "203.0.113.1",
    "198.18.0.1",
    "2001:db8::1",
    "2001:db8:0:1::1",
    "2001:db8:0:1:2::",
    "::ffff:198.51.100.7",
    "0.0.0.0",
    "255.255.255.255",
    "::",
];
/// The same in spellings that are not the usual one, or that are none.
const ODD_ADDRESSES: &[&str] = &[
    " 198.51.100.7 ",
    "2001:DB8::1",
    "2001:db8:0:0:0:0:0:1",
    "::FFFF:c633:6407",
    "198.51.100.007",
    "198.51.100",
    "10.0.0.1",
    "198.51.100.7/32",
    "fe80::1%eth0",
    "",
    "x",
];
/// What may be where a network belongs.
pub(crate) const NETWORKS: &[&str] = &[
    "198.51.100.0/24",
    "198.51.100.0/25",
    "198.51.100.0/28",
    "198.51.100.7/32",
    "198.51.96.0/20",
    "198.51.100.64/26",
    "203.0.113.0/24",
    "0.0.0.0/0",
    "::/0",
    "2001:db8::/32",
    "2001:db8::/48",
    "2001:db8:0:1::/64",
    "2001:db8:0:1::/96",
    "2001:db8::1/128",
    "255.255.255.255/32",
];
const ODD_NETWORKS: &[&str] = &[
    "198.51.100.77/24",
    "198.51.100.7",
    "2001:db8::77/48",
    "2001:db8::1",
    "::ffff:198.51.100.0/120",
    "::ffff:0:0/96",
    "::ffff:0:0/95",
    " 198.51.100.0/24",
    "198.51.100.0/33",
    "198.51.100.0/024",
    "",
];
/// Words of the several fields; some are in two of them, or differ by case alone.
pub(crate) const TAGS: &[&str] = &[
    "ACME_VPN",
    "CARGO_VPN",
    "BOREALIS_PROXY",
    "acme_vpn",
    "0DAY_VPN",
    "É_VPN",
    "é_VPN",
];
pub(crate) const COUNTRIES: &[&str] = &["NL", "BE", "nl", "Zz"];
pub(crate) const KINDS: &[&str] = &["VPN", "PROXY", "vpn", "TOR"];
pub(crate) const INFRASTRUCTURES: &[&str] = &["DATACENTER", "MOBILE", "mobile"];
pub(crate) const RISKS: &[&str] = &["TUNNEL", "CALLBACK_PROXY", "GEO_MISMATCH"];
pub(crate) const SERVICES: &[&str] = &["OPENVPN", "IPSEC", "3PROXY"];
pub(crate) const BEHAVIORS: &[&str] = &["FILE_SHARING", "TOR_PROXY_USER"];
pub(crate) const DEVICES: &[&str] = &["MOBILE", "DESKTOP"];
pub(crate) const FIRMS: &[&str] = &[
    "Example Carrier",
    "Carrier of Examples",
    "Straße GmbH",
    "ÉXAMPLE",
    "Smith & Sons",
    "O'Neil \\\\N\\tLtd",
];
/// Numbers, as JSON.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "14",
    "14.0",
    "1.4e1",
    "64500",
    "64501",
    "\"64500\"",
    "\" 14 \"",
    "-1",
    "-0",
    "-0.0",
    "0.5",
    "1e400",
    "4294967295",
    "4294967296",
    "9007199254740993.0",
    "18446744073709551615",
    "18446744073709551616",
    "\"\"",
    "true",
];
/// What may be anywhere, as JSON.
const ANYTHING: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-1.5e-7",
    "\"\"",
    "\" \"",
    "\"x\"",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    "{\"x\":1}",
    "[\"ACME_VPN\",5,null,\"NL\"]",
    "{\"tag\":\"ACME_VPN\"}",
    "[[\"MOBILE\",[\"NL\"]]]",
];

/// A JSON text.
type Text = BoxedStrategy<String>;

/// A record of one of the feeds, or of several at once.
pub(crate) fn record() -> impl Strategy<Value = Vec<u8>> + Clone {
    let context = object(vec![
        (8, "ip", address()),
        (1, "network", network()),
        (5, "as", system()),
        (6, "client", client()),
        (5, "location", location()),
        (4, "infrastructure", word(INFRASTRUCTURES)),
        (4, "organization", word(FIRMS)),
        (4, "risks", words(RISKS)),
        (4, "services", words(SERVICES)),
        (6, "tunnels", tunnels()),
        (1, "ai", one_of(ANYTHING)),
        (1, "x\\u0000y", one_of(ANYTHING)),
    ]);
    let networks = object(vec![
        (9, "network", network()),
        (4, "as", system()),
        (3, "client", client()),
        (5, "location", location()),
        (4, "tunnels", tunnels()),
        (1, "ip", address()),
    ]);
    let hosting = object(vec![
        (9, "network", network()),
        (6, "organization", word(FIRMS)),
        (6, "asn", one_of(NUMBERS)),
    ]);
    let named = object(vec![(
        5,
        "names",
        object(vec![(5, "en", word(FIRMS)), (5, "pt-BR", word(FIRMS))]),
    )]);
    let country = object(vec![
        (8, "iso_code", word(COUNTRIES)),
        (3, "geoname_id", one_of(NUMBERS)),
    ]);
    let geolocation = object(vec![
        (9, "prefix", network()),
        (7, "country", country.clone()),
        (3, "registered_country", country),
        (3, "city", named.clone()),
        (3, "subdivisions", list(named)),
        (5, "vendor", object(vec![(8, "as", system())])),
    ]);
    let service = object(vec![
        (9, "tag", word(TAGS)),
        (5, "name", word(FIRMS)),
        (
            5,
            "isNoLog",
            one_of(&["\"true\"", "true", "null", "\"False\""]),
        ),
        (
            5,
            "metrics",
            object(vec![
                (5, "distinctIPs", one_of(NUMBERS)),
                (5, "churnRate", one_of(NUMBERS)),
            ]),
        ),
    ]);
    prop_oneof![6 => context, 3 => networks, 1 => hosting, 1 => geolocation, 1 => service]
        .prop_map(String::into_bytes)
}

fn address() -> Text {
    prop_oneof![12 => word(ADDRESSES), 3 => word(ODD_ADDRESSES), 1 => one_of(ANYTHING)].boxed()
}

fn network() -> Text {
    prop_oneof![12 => word(NETWORKS), 3 => word(ODD_NETWORKS), 1 => one_of(ANYTHING)].boxed()
}

fn system() -> Text {
    let strategy = object(vec![
        (8, "number", one_of(NUMBERS)),
        (5, "organization", word(FIRMS)),
        (2, "Organization", word(FIRMS)),
    ]);
    prop_oneof![12 => strategy.clone(), 1 => list(strategy), 1 => one_of(ANYTHING)].boxed()
}

fn client() -> Text {
    let strategy = object(vec![
        (7, "count", one_of(NUMBERS)),
        (4, "proxies", words(TAGS)),
        (4, "behaviors", words(BEHAVIORS)),
        (4, "types", words(DEVICES)),
        (3, "concentration", location()),
        (2, "spread", one_of(NUMBERS)),
    ]);
    prop_oneof![12 => strategy.clone(), 1 => list(strategy), 1 => one_of(ANYTHING)].boxed()
}

fn location() -> Text {
    let strategy = object(vec![
        (8, "country", word(COUNTRIES)),
        (4, "city", word(FIRMS)),
        (3, "state", word(FIRMS)),
    ]);
    prop_oneof![12 => strategy.clone(), 1 => list(strategy), 1 => one_of(ANYTHING)].boxed()
}

fn tunnels() -> Text {
    let entry = prop_oneof![4 => address(), 1 => object(vec![(5, "ip", address()), (5, "address", address())])];
    let strategy = object(vec![
        (8, "type", word(KINDS)),
        (7, "operator", word(TAGS)),
        (3, "anonymous", one_of(&["true", "false", "null"])),
        (3, "entries", list(entry)),
        (2, "exits", words(ADDRESSES)),
    ]);
    prop_oneof![12 => list(strategy.clone()), 2 => strategy.clone(), 1 => list(list(strategy)), 1 => one_of(ANYTHING)].boxed()
}

/// One of these words as a JSON string, at times spelt with escapes.
fn word(words: &'static [&'static str]) -> Text {
    let spelt = (select(words), 0..24_u8).prop_map(|(word, how)| match how {
        0 => {
            let units = word.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
            format!("\"{}\"", units.collect::<String>())
        }
        1 => format!("\"{}\"", word.replace('/', "\\/")),
        _ => format!("\"{word}\""),
    });
    prop_oneof![30 => spelt, 1 => one_of(ANYTHING)].boxed()
}

/// An array of such words, with repeats; at times one word without its array.
fn words(words: &'static [&'static str]) -> Text {
    prop_oneof![10 => list(word(words)), 1 => word(words)].boxed()
}

fn one_of(texts: &'static [&'static str]) -> Text {
    select(texts).prop_map(str::to_owned).boxed()
}

fn list(of: impl Strategy<Value = String> + 'static) -> Text {
    (vec(of, 0..4), blank())
        .prop_map(|(items, blank)| format!("[{}]", items.join(&format!(",{blank}"))))
        .boxed()
}

/// An object with some of these fields: each of them so often in ten, now and then in another order, or twice.
fn object(fields: Vec<(u32, &'static str, Text)>) -> Text {
    let drawn: Vec<_> = fields
        .into_iter()
        .map(|(often, key, value)| {
            let there = prop::bool::weighted(f64::from(often) / 10.0);
            (there, Just(key), value).prop_map(|(there, key, value)| there.then_some((key, value)))
        })
        .collect();
    let order = prop_oneof![8 => Just(0_u8), 1 => Just(1), 1 => Just(2)];
    (drawn, order, blank())
        .prop_map(|(fields, order, blank)| {
            let mut fields: Vec<(&str, String)> = fields.into_iter().flatten().collect();
            match order {
                1 => fields.reverse(),
                2 => fields.extend(fields.clone().into_iter().take(1)),
                _ => {}
            }
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("\"{key}\":{blank}{value}"))
                .collect();
            format!("{{{}}}", fields.join(&format!(",{blank}")))
        })
        .boxed()
}

/// What follows a separator: mostly nothing, a blank as some writers of JSON put it, or worse.
fn blank() -> impl Strategy<Value = &'static str> + Clone {
    prop_oneof![14 => Just(""), 2 => Just(" "), 1 => Just(" \t")]
}
