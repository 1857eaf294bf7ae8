//! A context record as the service writes it (contract, parts 2.1 to 2.5), with the liberties that real records take:
//! every field but the address may be missing.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv6Net};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    place::{DemoLocation, Locality},
    system::System,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum RecordKey {
    #[serde(rename = "ip")]
    Address(IpAddr),
    #[serde(rename = "network")]
    Network(Ipv6Net),
}

impl RecordKey {
    /// The key as a network, a single address being one too.
    pub(crate) fn network(self) -> IpNet {
        match self {
            Self::Address(address) => address.into(),
            Self::Network(network) => network.into(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DemoRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ai: Option<Value>,
    #[serde(rename = "as")]
    pub(crate) system: &'static System,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<DemoClient>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) infrastructure: Option<&'static str>,
    #[serde(flatten)]
    pub(crate) key: RecordKey,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) location: Option<DemoLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) organization: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) risks: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) services: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tunnels: Option<Vec<DemoTunnel>>,
}

/// Those who connect (contract, part 2.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct DemoClient {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) behaviors: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) concentration: Option<DemoConcentration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) countries: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) proxies: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spread: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) types: Vec<&'static str>,
}

/// Where clients gather.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DemoConcentration {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) city: Option<&'static str>,
    pub(crate) country: &'static str,
    /// In thousandths.
    #[serde(serialize_with = "density")]
    pub(crate) density: u32,
    pub(crate) geohash: String,
    pub(crate) skew: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<&'static str>,
}

impl DemoConcentration {
    /// Clients around `center`, seen from an address that is registered at `registered`.
    pub(crate) fn around(
        center: &'static Locality,
        registered: &Locality,
        density: u32,
        characters: usize,
    ) -> Self {
        let DemoLocation {
            city,
            state,
            country,
        } = center.location();
        // Distances on this globe are below 20,040 km.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 20,040"
        )]
        let skew = center.distance_km(registered).round() as u32;
        Self {
            city,
            country,
            density,
            geohash: center.geohash(characters),
            skew,
            state,
        }
    }
}

/// A density of one is the integer 1 on the wire, any other a fraction.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde asks for"
)]
fn density<S: Serializer>(thousandths: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    match thousandths {
        1000 => serializer.serialize_u32(1),
        part => serializer.serialize_f64(f64::from(*part) / 1000.0),
    }
}

/// A tunnel (contract, part 2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DemoTunnel {
    pub(crate) anonymous: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) entries: Vec<IpAddr>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) exits: Vec<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) operator: Option<&'static str>,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
}

impl DemoTunnel {
    /// An anonymising tunnel of an operator, without its ends.
    pub(crate) fn of(kind: &'static str, operator: Option<&'static str>) -> Self {
        Self {
            anonymous: true,
            entries: Vec::new(),
            exits: Vec::new(),
            operator,
            kind,
        }
    }
}

impl DemoRecord {
    /// A record with owner and location only.
    pub(crate) fn plain(
        key: RecordKey,
        system: &'static System,
        place: &Locality,
        organization: Option<String>,
    ) -> Self {
        Self {
            ai: None,
            system,
            client: None,
            infrastructure: None,
            key,
            location: Some(place.location()),
            organization,
            risks: None,
            services: None,
            tunnels: None,
        }
    }

    /// The busiest first is the order of exports.
    pub(crate) fn client_count(&self) -> Option<u32> {
        self.client.as_ref().and_then(|client| client.count)
    }

    /// The record as one line of JSON.
    pub(crate) fn line(&self) -> String {
        json_line(self)
    }
}

/// JSON as the service spells it: `&`, `<` and `>` are escaped, although JSON does not ask for it.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    // Nothing here has keys that are not strings, the one way in which writing to memory fails.
    let text = serde_json::to_string(value).unwrap_or_default();
    if !text.contains(['&', '<', '>']) {
        return text;
    }
    text.replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}
