//! What the service says of one address or network: the IP Context Object (contract, parts 2.1 to 2.5).

mod findings;

use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

pub use findings::{Anonymization, VerdictBasis};

use super::{
    Subject,
    fields::{Object, object},
    lenient::{NotAnObject, ObjectReader},
};

object! {
    /// One IP Context Object. Only the subject is needed; every other field may be missing.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Context {
        /// The address it is about, where it is not about a network.
        ip: IpAddr = "ip",
        /// The network it is about (part 2.5), where it is not about one address.
        network: IpNet = "network",
        /// AI activity; its fields are not documented.
        ai: Value = "ai",
        /// Who announces the address, wire key `as`.
        autonomous_system: AutonomousSystem = "as",
        /// Who connects from it.
        client: Client = "client",
        /// Kind of infrastructure, such as `DATACENTER`; the vocabulary is open.
        infrastructure: String = "infrastructure" => Infra,
        /// Where the address is; not where its clients are.
        location: Location = "location",
        /// Who uses the address.
        organization: String = "organization" => Org,
        /// Risk factors, such as `TUNNEL`; the vocabulary is open and the order says nothing.
        risks: Vec<String> = "risks" => Risk,
        /// Services and protocols, such as `OPENVPN`; the vocabulary is open and the order says nothing.
        services: Vec<String> = "services" => Service,
        /// Ways in which traffic is tunnelled through it.
        tunnels: Vec<Tunnel> = "tunnels",
        .. unknown, odd
    }
}

object! {
    /// An autonomous system (part 2.2).
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct AutonomousSystem {
        number: u32 = "number" => Asn,
        /// Its name; written `Organization` before 2023-04-20.
        organization: String = "organization" or "Organization" => Org,
    }
}

object! {
    /// Statistics of the clients behind an address (part 2.3).
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Client {
        /// What they do, such as `FILE_SHARING`.
        behaviors: Vec<String> = "behaviors" => Behavior,
        /// Where most of them are.
        concentration: Concentration = "concentration",
        /// How many there are on an average day.
        count: u64 = "count",
        /// From how many countries they come.
        countries: u64 = "countries",
        /// Tags of callback proxies that run on devices there.
        proxies: Vec<String> = "proxies" => Proxy,
        /// Over how large an area they are spread, in km².
        spread: u64 = "spread",
        /// Kinds of devices, such as `MOBILE`.
        types: Vec<String> = "types" => Device,
    }
}

object! {
    /// Where the clients of an address concentrate (part 2.3).
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Concentration {
        city: String = "city",
        /// Two-letter country code.
        country: String = "country",
        /// How dense the concentration is; 1 may be the integer.
        density: f64 = "density",
        /// Geohash of 3 to 6 characters.
        geohash: String = "geohash",
        /// A whole number without a unit: the contract states none.
        skew: i64 = "skew",
        state: String = "state",
    }
}

object! {
    /// Where an address is (part 2.1).
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Location {
        city: String = "city",
        state: String = "state",
        /// Two-letter country code.
        country: String = "country" => Cc,
    }
}

object! {
    /// One way in which traffic is tunnelled (part 2.4).
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Tunnel {
        /// Whether it anonymizes; a missing flag is unknown, not false.
        anonymous: bool = "anonymous",
        /// Addresses where traffic enters, as they are spelled.
        entries: Vec<String> = "entries" => Entry,
        /// Addresses where traffic leaves, as they are spelled.
        exits: Vec<String> = "exits",
        /// Tag of the operator; absent when it is not attributed.
        operator: String = "operator" => Tag,
        /// Such as `VPN` or `PROXY`, wire key `type`.
        kind: String = "type" => Type,
    }
}

impl Context {
    /// Reads a record, whether or not it names what it is about.
    ///
    /// # Errors
    /// [`NotARecord::NotAnObject`] and [`NotARecord::OldSchema`]; anything else odd costs one field only.
    pub fn decode(value: &Value) -> Result<Self, NotARecord> {
        let context = Self::read(&mut ObjectReader::open(value)?);
        if context.is_of_old_schema() {
            return Err(NotARecord::OldSchema);
        }
        Ok(context)
    }

    /// What the record is about: its address, else its network, if it names one that can be read.
    #[must_use]
    pub fn subject(&self) -> Option<Subject> {
        Subject::of(&self.ip, &self.network)
    }

    /// Whether it has keys from before version 2 and says nothing under the keys of today.
    fn is_of_old_schema(&self) -> bool {
        let old = |key: &String| key == "user_count" || key.starts_with("maxmind_");
        let bare = || Self {
            ip: self.ip,
            network: self.network,
            unknown: self.unknown.clone(),
            odd: self.odd.clone(),
            ..Self::default()
        };
        self.unknown.iter().any(old) && *self == bare()
    }
}

/// Why a JSON value is not a record of an address or network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotARecord {
    #[error("{NotAnObject}")]
    NotAnObject,
    /// A line of a feed from before version 2 of the schema.
    #[error(
        "the record has the schema before version 2 (user_count, maxmind_*), which is not read"
    )]
    OldSchema,
}

impl From<NotAnObject> for NotARecord {
    fn from(_: NotAnObject) -> Self {
        Self::NotAnObject
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Field;

    fn decode(value: &Value) -> Context {
        Context::decode(value).expect("a record")
    }

    #[test]
    fn a_full_record_is_read_whole() {
        let context = decode(&json!({
            "ai": {"anything": [1]},
            "as": {"number": 64500, "organization": "Example Hosting"},
            "client": {
                "behaviors": ["FILE_SHARING"],
                "concentration": {"city": "Zürich", "country": "CH", "density": 1, "geohash": "u0qj",
                    "skew": 15_400, "state": "Zurich"},
                "count": 14, "countries": 6, "proxies": ["WIDGET_PROXY"], "spread": 91_400, "types": ["MOBILE"]
            },
            "infrastructure": "DATACENTER",
            "ip": "198.51.100.77",
            "location": {"city": "Amsterdam", "state": "North Holland", "country": "NL"},
            "organization": "Example customer 12",
            "risks": ["TUNNEL"],
            "services": ["OPENVPN"],
            "tunnels": [{"anonymous": true, "entries": ["198.51.100.70"], "exits": ["198.51.100.77"],
                "operator": "ACME_VPN", "type": "VPN"}]
        }));
        assert_eq!(
            context.subject().map(|subject| subject.to_string()),
            Some("198.51.100.77".to_owned())
        );
        let client = context.client.is().expect("a client");
        let concentration = client.concentration.is().expect("a concentration");
        assert_eq!(concentration.density, Field::Is(1.0));
        assert_eq!(concentration.skew, Field::Is(15_400));
        assert_eq!(context.tunnels.items()[0].kind.text(), Some("VPN"));
        assert!(context.unknown.is_empty() && context.odd.is_empty());
    }

    #[test]
    fn what_is_known_of_nothing_is_still_a_record() {
        let context = decode(&json!({
            "ip": "2001:DB8:0::1", "as": {"number": 64501, "Organization": "Old Spelling"},
            "location": {"country": "NL"}, "client": {}
        }));
        assert_eq!(context.client, Field::Is(Client::default()));
        assert_eq!(context.tunnels, Field::Absent);
        let system = context.autonomous_system.is().expect("a system");
        assert_eq!(system.organization.text(), Some("Old Spelling"));
        assert_eq!(
            context.ip.map(|ip| ip.to_string()),
            Field::Is("2001:db8::1".into())
        );
    }

    #[test]
    fn absent_null_and_empty_differ() {
        let client = |value: Value| decode(&value).client;
        assert_eq!(client(json!({})), Field::Absent);
        assert_eq!(client(json!({"client": null})), Field::Null);
        assert_eq!(client(json!({"client": []})), Field::Odd);
        assert_eq!(client(json!({"client": {}})), Field::Is(Client::default()));
    }

    #[test]
    fn one_odd_field_costs_that_field() {
        let context = decode(&json!({
            "ip": "203.0.113.9", "as": {"number": 4_294_967_296_u64, "organization": "Example"},
            "risks": ["TUNNEL", {"x": 1}], "infrastructure": ["DATACENTER"],
            "tunnels": ["VPN", {"type": "PROXY", "entries": [{"ip": "203.0.113.8"}]}]
        }));
        assert_eq!(
            context.odd,
            ["as.number", "infrastructure", "risks[1]", "tunnels[0]"]
        );
        assert_eq!(context.risks.items(), ["TUNNEL"]);
        assert_eq!(context.tunnels.items()[0].entries.items(), ["203.0.113.8"]);
    }

    #[test]
    fn unknown_keys_are_listed_by_their_paths() {
        let context = decode(&json!({
            "ip": "203.0.113.9", "ai": {"opaque": 1}, "fresh": 1, "as": {"rir": 1},
            "client": {"new": 1, "concentration": {"newer": 1}},
            "location": {"zip": 1}, "tunnels": [{"type": "TOR"}, {"port": 1}]
        }));
        assert_eq!(
            context.unknown,
            [
                "as.rir",
                "client.concentration.newer",
                "client.new",
                "location.zip",
                "tunnels[1].port",
                "fresh"
            ]
        );
    }

    #[test]
    fn a_network_is_a_subject_too() {
        let context = decode(&json!({"network": "2001:db8:1::5/48"}));
        assert_eq!(
            context.subject().map(|subject| subject.to_string()),
            Some("2001:db8:1::/48".to_owned())
        );
    }

    #[test]
    fn what_is_no_record_says_why() {
        assert_eq!(Context::decode(&json!([])), Err(NotARecord::NotAnObject));
        assert_eq!(
            decode(&json!({"ip": "198.051.100.7", "risks": []})).subject(),
            None
        );
        let old = json!({"ip": "203.0.113.9", "user_count": 3, "maxmind_city": "Zürich"});
        assert_eq!(Context::decode(&old), Err(NotARecord::OldSchema));
        let new = json!({"ip": "203.0.113.9", "user_count": 3, "risks": []});
        assert_eq!(decode(&new).unknown, ["user_count"]);
    }
}
