//! The values that the contract names of its open vocabularies (contract, parts 2.1 to 2.6).
//!
//! Others may come at any time: such a value is new, not wrong. The lists of services (2.1) and of tags are examples of identifiers,
//! and name no vocabulary.

use super::catalog::RecordKind;

/// A path of records, arrays transparent, with the values that the contract names there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    pub path: &'static str,
    pub values: &'static [&'static str],
}

const CONTEXT: [Vocabulary; 5] = [
    Vocabulary {
        path: "infrastructure",
        values: &["DATACENTER", "MOBILE", "SATELLITE"],
    },
    Vocabulary {
        path: "risks",
        values: &["CALLBACK_PROXY", "TUNNEL", "GEO_MISMATCH", "WEB_SCRAPING"],
    },
    Vocabulary {
        path: "client.behaviors",
        values: &["FILE_SHARING", "TOR_PROXY_USER"],
    },
    Vocabulary {
        path: "client.types",
        values: &["MOBILE", "DESKTOP"],
    },
    Vocabulary {
        path: "tunnels.type",
        values: &["VPN", "PROXY", "TOR"],
    },
];

const TAGS: [Vocabulary; 4] = [
    Vocabulary {
        path: "categories",
        values: &[
            "RESIDENTIAL_PROXY",
            "DATACENTER_PROXY",
            "MOBILE_PROXY",
            "ISP_PROXY",
        ],
    },
    Vocabulary {
        path: "platforms",
        values: &["ROUTER"],
    },
    Vocabulary {
        path: "protocols",
        values: &["HTTP", "SOCKS"],
    },
    Vocabulary {
        path: "targetingTypes",
        values: &["CITY", "STATE", "COUNTRY", "ASN"],
    },
];

/// The vocabularies of a kind of records.
#[must_use]
pub fn of(records: RecordKind) -> &'static [Vocabulary] {
    match records {
        RecordKind::Context | RecordKind::Ipv6Context => &CONTEXT,
        RecordKind::Tags => &TAGS,
        RecordKind::Hosting | RecordKind::Geo => &[],
    }
}
