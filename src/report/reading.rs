//! A record of any feed of addresses and networks, read as what the catalogue says it is.

use serde_json::Value;

use super::{
    Fact, TextCell, distinct, each,
    facts::{english, of_geo, of_hosting, of_record, tunnel_name, unread},
    fields::{ALL_COLUMNS, ColumnTexts, value, values},
};
use crate::{
    contract::Feed,
    contract::catalog::RecordKind,
    engine::{LocalRecord, LookupAnswer},
    model::{Context, Field, Geo, Hosting},
};

/// What a record says, by its kind.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Reading {
    /// Of an address, or an IPv6 network.
    Context(Box<Context>),
    /// Of a netblock of datacenter hosting.
    Hosting(Hosting),
    /// Of where a netblock is.
    Geo(Box<Geo>),
    /// None that this program can read; it is whole in the JSON form.
    Unread,
}

impl Reading {
    pub fn of(feed: Feed, record: &Value) -> Self {
        let read = match feed.row().records {
            RecordKind::Context | RecordKind::Ipv6Context => Context::decode(record)
                .ok()
                .map(|context| Self::Context(Box::new(context))),
            RecordKind::Hosting => Hosting::decode(record).ok().map(Self::Hosting),
            RecordKind::Geo => Geo::decode(record).ok().map(|geo| Self::Geo(Box::new(geo))),
            RecordKind::Tags => None,
        };
        read.unwrap_or(Self::Unread)
    }

    /// A local record.
    pub fn of_record(record: &LocalRecord) -> Self {
        Self::of(record.release.manifest.feed, record.document.value())
    }

    /// The record of an answer of the service, if it has one.
    #[must_use]
    pub fn of_answer(answer: &LookupAnswer) -> Option<Self> {
        let record = answer.record.as_ref()?;
        Some(Self::Context(Box::new(record.context.clone())))
    }

    /// What it says, in words.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        match self {
            Self::Context(context) => of_record(context),
            Self::Hosting(hosting) => of_hosting(hosting),
            Self::Geo(geo) => of_geo(geo),
            Self::Unread => unread(),
        }
    }

    /// What it says, for programs.
    #[must_use]
    pub fn values(&self) -> ColumnTexts {
        match self {
            Self::Context(context) => values(context),
            Self::Hosting(hosting) => in_columns(&[
                ("network", text(&hosting.network)),
                ("as_number", text(&hosting.asn)),
                ("organization", text(&hosting.organization)),
            ]),
            Self::Geo(geo) => values_of_geo(geo),
            Self::Unread => ColumnTexts::default(),
        }
    }

    /// Its tunnels by type and operator, such as `VPN ACME_VPN; TOR`; empty where there are none.
    #[must_use]
    pub fn tunnels(&self) -> String {
        match self {
            Self::Context(context) => tunnels(context),
            Self::Hosting(_) | Self::Geo(_) | Self::Unread => String::new(),
        }
    }

    /// What it says about anonymization, in short: its tunnels, else its proxies, with a word where they are not known to anonymize.
    #[must_use]
    pub fn short_verdict(&self, values: &ColumnTexts) -> String {
        let found = match self.tunnels() {
            none if none.is_empty() => value(values, "proxies").to_owned(),
            tunnels => tunnels,
        };
        match (found.as_str(), value(values, "anonymization")) {
            ("", "") if *self == Self::Unread => "unreadable".to_owned(),
            ("", "" | "none-observed") => "nothing noted".to_owned(),
            ("", word) => word.to_owned(),
            (_, "observed") => found,
            (_, word) => format!("{found}, {word}"),
        }
    }

    /// One line of the record: its tunnels and proxies first, then whose address it is. Without what is in columns.
    pub fn brief(&self, values: &ColumnTexts) -> TextCell {
        let of = |column| value(values, column).to_owned();
        let number = match value(values, "as_number") {
            "" => String::new(),
            number => format!("AS{number}"),
        };
        let (system, organization) = (of("as_organization"), of("organization"));
        let mut parts = vec![
            self.tunnels(),
            of("proxies"),
            of("infrastructure"),
            number,
            system.clone(),
        ];
        // Who uses an address is often who announces it.
        if organization != system {
            parts.push(organization);
        }
        parts.extend([of("city"), of("risks"), of("network")]);
        parts.retain(|part| !part.is_empty());
        TextCell::known(each(&parts, ", "))
    }
}

/// The tunnels of a record by type and operator, each once and in the order sent: `VPN ACME_VPN; TOR`. A tunnel without
/// operator is named by its type, so that no Tor exit or proxy is missing from a table.
#[must_use]
pub fn tunnels(context: &Context) -> String {
    each(
        distinct(context.tunnels.items().iter().map(tunnel_name)),
        "; ",
    )
}

fn values_of_geo(geo: &Geo) -> ColumnTexts {
    let vendor = geo.vendor.is();
    let system = vendor.and_then(|vendor| vendor.autonomous_system.is());
    let state = geo.subdivisions.items().first();
    in_columns(&[
        ("network", text(&geo.prefix)),
        ("as_number", system.and_then(|system| text(&system.number))),
        (
            "as_organization",
            system.and_then(|system| text(&system.organization)),
        ),
        ("city", geo.city.is().map(|city| english(&city.names))),
        ("state", state.map(|place| english(&place.names))),
        (
            "country",
            geo.country.is().and_then(|country| text(&country.code)),
        ),
    ])
}

/// The values of the columns that a record fills.
fn in_columns(filled: &[(&str, Option<String>)]) -> ColumnTexts {
    ALL_COLUMNS.map(|column| {
        let mut filled = filled.iter();
        let own = filled.find(|(name, _)| *name == column);
        own.and_then(|(_, text)| text.clone()).unwrap_or_default()
    })
}

fn text<T: ToString>(field: &Field<T>) -> Option<String> {
    field.is().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_of_record_fills_the_columns_it_has() {
        let brief = |feed, record: &Value| {
            let reading = Reading::of(feed, record);
            reading.brief(&reading.values()).text
        };
        let context = json!({"ip": "198.51.100.7", "as": {"number": 64500, "organization": "Example"}, "organization": "Example",
            "infrastructure": "DATACENTER", "location": {"city": "Amsterdam", "country": "NL"}, "risks": ["TUNNEL", "GEO_MISMATCH"],
            "tunnels": [{"type": "VPN", "operator": "ACME_VPN"}]});
        let said = "VPN ACME_VPN, DATACENTER, AS64500, Example, Amsterdam, TUNNEL GEO_MISMATCH";
        assert_eq!(brief(Feed::Anonymous, &context), said);
        let hosting =
            json!({"network": "198.18.0.0/23", "organization": "Example Hosting", "asn": 64501});
        assert_eq!(
            brief(Feed::Dch, &hosting),
            "AS64501, Example Hosting, 198.18.0.0/23"
        );
        let geo = json!({"prefix": "198.18.0.0/24", "city": {"names": {"en": "Sampletown"}}, "country": {"iso_code": "NL"}});
        let values = Reading::of(Feed::Ipgeo, &geo).values();
        assert_eq!(
            (values[1].as_str(), values[6].as_str(), values[8].as_str()),
            ("198.18.0.0/24", "Sampletown", "NL")
        );
        assert_eq!(Reading::of(Feed::Anonymous, &json!([1])), Reading::Unread);
        assert_eq!(
            Reading::of(Feed::ServiceMetrics, &json!({})).values(),
            ColumnTexts::default()
        );
    }

    #[test]
    fn a_short_verdict_has_a_word_for_what_is_not_known_to_anonymize() {
        let tunnel = |anonymous| json!({"tunnels": [{"type": "VPN", "operator": "ACME_VPN", "anonymous": anonymous}]});
        for (feed, record, expected) in [
            (Feed::Anonymous, tunnel(json!(true)), "VPN ACME_VPN"),
            (
                Feed::Anonymous,
                tunnel(json!(false)),
                "VPN ACME_VPN, none-observed",
            ),
            (
                Feed::Anonymous,
                tunnel(Value::Null),
                "VPN ACME_VPN, possible",
            ),
            (
                Feed::Anonymous,
                json!({"client": {"proxies": ["A_PROXY"]}}),
                "A_PROXY, possible",
            ),
            (Feed::Anonymous, json!({"risks": ["TUNNEL"]}), "possible"),
            (Feed::Anonymous, json!({"tunnels": 7}), "unknown"),
            (
                Feed::Anonymous,
                json!({"infrastructure": "DATACENTER"}),
                "nothing noted",
            ),
            (Feed::Anonymous, json!([1]), "unreadable"),
            (
                Feed::Dch,
                json!({"network": "198.18.0.0/23"}),
                "nothing noted",
            ),
        ] {
            let reading = Reading::of(feed, &record);
            assert_eq!(
                reading.short_verdict(&reading.values()),
                expected,
                "{record}"
            );
        }
    }

    #[test]
    fn a_tunnel_without_operator_is_named_by_its_type() {
        let record = json!({"ip": "198.51.100.7", "infrastructure": "DATACENTER", "tunnels": [
            {"type": "VPN", "operator": "ACME_VPN"}, {"type": "TOR", "anonymous": true}, {"type": "PROXY", "operator": " "},
            {"operator": "BRAVO_VPN"}, {"type": "TOR"}, {"anonymous": true}
        ]});
        let reading = Reading::of(Feed::Anonymous, &record);
        let values = reading.values();
        assert_eq!(
            reading.tunnels(),
            "VPN ACME_VPN; TOR; PROXY; BRAVO_VPN; tunnel of unknown type"
        );
        assert_eq!(value(&values, "tunnel_types"), "VPN TOR PROXY");
        assert_eq!(value(&values, "operators"), "ACME_VPN BRAVO_VPN");
        let tor = Reading::of(
            Feed::Anonymous,
            &json!({"ip": "198.51.100.7", "tunnels": [{"type": "TOR"}]}),
        );
        assert_eq!(tor.brief(&tor.values()).text, "TOR");
    }
}
