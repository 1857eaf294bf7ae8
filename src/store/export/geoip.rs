//! A record under the names that readers of geolocation databases know, so that a web server, a DNS server or a SIEM uses the file
//! as it is: `country.iso_code`, `city.names.en`, `autonomous_system_number`, `is_anonymous_vpn`. Some of them show a country only where it
//! has a name, others begin with its continent: both come from its code.
//!
//! A flag is false only where the record has what makes it false; else it is left out, since absent is unknown. The type of the
//! database holds what typed readers look for in it, and does not begin with a name that is reserved.

use std::borrow::Cow;

use super::record::{ExportRecord, RecordContent};
use crate::{
    contract::Feed,
    model::{Anonymization, Context, context::Tunnel, country},
    store::mmdb::{spell_list, spell_map, spell_text},
};

/// The fields, in the order of the cells: scalars first.
pub(super) const NAMES: [&str; 14] = [
    "operator",
    "organization",
    "autonomous_system_number",
    "autonomous_system_organization",
    "is_anonymous",
    "is_anonymous_vpn",
    "is_hosting_provider",
    "is_public_proxy",
    "is_residential_proxy",
    "is_tor_exit_node",
    "continent",
    "country",
    "city",
    "subdivisions",
];

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GeoipCell<'a> {
    /// Absent, or not known.
    Nothing,
    Text(Cow<'a, str>),
    Number(u64),
    Truth(bool),
    /// An encoded map or list.
    Compound(Vec<u8>),
}

/// The type of a database of a feed. Typed readers look for these words anywhere in it, and one takes what it ends with.
pub(super) fn kind(feed: Feed) -> &'static str {
    match feed {
        Feed::Dch => "ipspect-GeoIP2-Anonymous-IP-GeoLite2-ASN",
        _ => "ipspect-GeoIP2-Anonymous-IP-GeoLite2-ASN-Country-City",
    }
}

pub(super) fn cells<'a>(record: &ExportRecord<'a>) -> [GeoipCell<'a>; NAMES.len()] {
    use GeoipCell as C;
    match record.says {
        RecordContent::Whole(context) => of_context(context),
        RecordContent::Hosting(hosting) => {
            let mut cells = [const { C::Nothing }; NAMES.len()];
            cells[1] = text(hosting.organization.text());
            cells[2] = number(hosting.asn.is().copied());
            // The feed holds netblocks of hosting and nothing else (contract, part 2.9).
            cells[6] = C::Truth(true);
            cells
        }
        // Rows of the index lack most of the fields: whole records are read for this layout.
        RecordContent::Context(_) => [const { C::Nothing }; NAMES.len()],
    }
}

fn of_context(context: &Context) -> [GeoipCell<'_>; NAMES.len()] {
    use GeoipCell as C;
    let system = context.autonomous_system.is();
    let location = context.location.is();
    let code = location.and_then(|location| location.country.text());
    let known = code.and_then(country);
    let city = location.and_then(|location| location.city.text());
    let state = location.and_then(|location| location.state.text());
    [
        text(context.tunnel_operators().first().copied()),
        text(context.organization.text()),
        number(system.and_then(|system| system.number.is().copied())),
        text(system.and_then(|system| system.organization.text())),
        truth(is_anonymous(context)),
        truth(is_tunnel(context, "VPN")),
        truth(is_hosting(context)),
        truth(is_tunnel(context, "PROXY")),
        truth(is_residential_proxy(context)),
        truth(is_tunnel(context, "TOR")),
        known.map_or(C::Nothing, |known| {
            let mut bytes = Vec::new();
            coded(
                "code",
                known.continent.code,
                Some(known.continent.name),
                &mut bytes,
            );
            C::Compound(bytes)
        }),
        compound(code, |code, into| {
            coded("iso_code", code, known.map(|country| country.name), into)
        }),
        compound(city, named),
        compound(state, |state, into| {
            spell_list(1, into);
            named(state, into);
        }),
    ]
}

/// Whether a tunnel anonymizes; false where there are tunnels, none of them does, and nothing else hints at it.
fn is_anonymous(context: &Context) -> Option<bool> {
    match context.anonymization() {
        Anonymization::Observed => Some(true),
        Anonymization::NotObserved if !context.tunnels.items().is_empty() => Some(false),
        _ => None,
    }
}

/// Whether a callback proxy is known there: residential proxies are reached by them. Absent is unknown.
fn is_residential_proxy(context: &Context) -> Option<bool> {
    let client = context.client.is()?;
    (!client.proxies.items().is_empty()).then_some(true)
}

/// Whether a tunnel of this type anonymizes; false where there is one and none of them does.
fn is_tunnel(context: &Context, kind: &str) -> Option<bool> {
    let own = |tunnel: &&Tunnel| tunnel.kind.text() == Some(kind);
    let mut own = context.tunnels.items().iter().filter(own).peekable();
    own.peek()?;
    let anonymous: Vec<Option<bool>> = own.map(|tunnel| tunnel.anonymous.into_option()).collect();
    if anonymous.contains(&Some(true)) {
        Some(true)
    } else if anonymous.contains(&None) {
        None
    } else {
        Some(false)
    }
}

/// Whether it is in a datacenter; false for the kinds of the contract that are something else (part 2.1). Others are not shown there.
fn is_hosting(context: &Context) -> Option<bool> {
    match context.infrastructure.text()? {
        "DATACENTER" => Some(true),
        "MOBILE" | "SATELLITE" => Some(false),
        _ => None,
    }
}

fn text(text: Option<&str>) -> GeoipCell<'_> {
    let text = text.filter(|text| !text.is_empty());
    text.map_or(GeoipCell::Nothing, |text| GeoipCell::Text(text.into()))
}

fn number(number: Option<u32>) -> GeoipCell<'static> {
    number.map_or(GeoipCell::Nothing, |number| {
        GeoipCell::Number(number.into())
    })
}

fn truth(truth: Option<bool>) -> GeoipCell<'static> {
    truth.map_or(GeoipCell::Nothing, GeoipCell::Truth)
}

fn compound(text: Option<&str>, spell: impl Fn(&str, &mut Vec<u8>)) -> GeoipCell<'static> {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return GeoipCell::Nothing;
    };
    let mut bytes = Vec::new();
    spell(text, &mut bytes);
    GeoipCell::Compound(bytes)
}

/// A place with its code, and its name where that is known: `{"iso_code": "NL", "names": {"en": …}}`.
fn coded(key: &str, code: &str, name: Option<&str>, into: &mut Vec<u8>) {
    spell_map(1 + usize::from(name.is_some()), into);
    spell_text(key, into);
    spell_text(code, into);
    if let Some(name) = name {
        spell_text("names", into);
        spell_map(1, into);
        spell_text("en", into);
        spell_text(name, into);
    }
}

/// A place as it is named: `{"names": {"en": …}}`.
fn named(text: &str, into: &mut Vec<u8>) {
    spell_map(1, into);
    spell_text("names", into);
    spell_map(1, into);
    spell_text("en", into);
    spell_text(text, into);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The flags of a record that are known.
    fn flags(record: &Value) -> Vec<(&'static str, bool)> {
        let context = Context::decode(record).expect("a record");
        let cells = of_context(&context).into_iter().zip(NAMES);
        cells
            .filter_map(|(cell, name)| match cell {
                GeoipCell::Truth(truth) => Some((name, truth)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_country_has_its_name_and_its_continent() {
        let record = json!({"location": {"country": "NL"}});
        let context = Context::decode(&record).expect("a record");
        let cells: Vec<_> = of_context(&context).into_iter().zip(NAMES).collect();
        for (name, texts) in [
            ("country", ["NL", "Netherlands"]),
            ("continent", ["EU", "Europe"]),
        ] {
            let found = cells.iter().find_map(|(cell, other)| match cell {
                GeoipCell::Compound(bytes) if *other == name => Some(bytes.as_slice()),
                _ => None,
            });
            let found = found.expect(name);
            for text in texts {
                assert!(
                    memchr::memmem::find(found, text.as_bytes()).is_some(),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_flag_is_what_the_record_makes_it_and_absent_where_it_makes_it_nothing() {
        let (anonymous, vpn) = ("is_anonymous", "is_anonymous_vpn");
        let tunnel = |kind: &str, anonymous: Option<bool>| match anonymous {
            Some(anonymous) => json!({"type": kind, "anonymous": anonymous}),
            None => json!({"type": kind}),
        };
        for (tunnels, expected) in [
            (json!([]), vec![]),
            (
                json!([tunnel("VPN", Some(true))]),
                vec![(anonymous, true), (vpn, true)],
            ),
            (
                json!([tunnel("VPN", Some(false))]),
                vec![(anonymous, false), (vpn, false)],
            ),
            (json!([tunnel("VPN", None)]), vec![]),
            (
                json!([tunnel("VPN", Some(false)), tunnel("PROXY", Some(true))]),
                vec![(anonymous, true), (vpn, false), ("is_public_proxy", true)],
            ),
            (
                json!([tunnel("TOR", Some(true))]),
                vec![(anonymous, true), ("is_tor_exit_node", true)],
            ),
        ] {
            let record = json!({"ip": "198.51.100.77", "tunnels": tunnels});
            assert_eq!(flags(&record), expected, "{tunnels}");
        }
        // A callback proxy may anonymize, whatever the tunnels are.
        let possible = json!({"tunnels": [tunnel("VPN", Some(false))], "client": {"proxies": ["WIDGET_PROXY"]}});
        assert_eq!(
            flags(&possible),
            [(vpn, false), ("is_residential_proxy", true)]
        );
        for (infrastructure, expected) in [
            ("DATACENTER", Some(true)),
            ("MOBILE", Some(false)),
            ("SOMETHING_NEW", None),
        ] {
            let record = json!({"infrastructure": infrastructure});
            let expected: Vec<_> = expected
                .map(|is| ("is_hosting_provider", is))
                .into_iter()
                .collect();
            assert_eq!(flags(&record), expected, "{infrastructure}");
        }
    }
}
