//! The fields of the language with a line of help each.

use super::Filter;

/// What there is to know of a field before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldHelp {
    /// Its name.
    pub name: &'static str,
    /// A term with it.
    pub example: &'static str,
    /// What it is about, in one line.
    pub about: &'static str,
}

const fn field(name: &'static str, example: &'static str, about: &'static str) -> FieldHelp {
    FieldHelp {
        name,
        example,
        about,
    }
}

impl Filter {
    /// All fields, in the order in which they are documented.
    pub const FIELDS: [FieldHelp; 15] = [
        field(
            "tag",
            "tag:ACME_VPN,CARGO_VPN",
            "operator of a tunnel, or the tag of a service",
        ),
        field("type", "type:VPN", "kind of a tunnel"),
        field("cc", "cc:NL,DE", "country of the address, two letters"),
        field("infra", "-infra:MOBILE", "kind of infrastructure"),
        field("risk", "risk:TUNNEL", "risk factor"),
        field(
            "service",
            "service:OPENVPN",
            "service or protocol that listens",
        ),
        field("behavior", "behavior:FILE_SHARING", "behavior of clients"),
        field(
            "proxy",
            "proxy:BRAVO_PROXY",
            "callback proxy on a device behind the address",
        ),
        field("device", "device:MOBILE", "kind of a client's device"),
        field(
            "asn",
            "asn:64500",
            "number of the autonomous system, AS64500 too",
        ),
        field(
            "org",
            "org:\"example host\"",
            "part of the name of who uses or announces it",
        ),
        field("entry", "entry:198.51.100.70", "entry address of a tunnel"),
        field(
            "clients",
            "clients>=20",
            "clients on an average day: < <= = >= >, false where unknown",
        ),
        field(
            "net",
            "net:198.51.100.0/24,2001:db8::/32",
            "the record's address or network lies in one of these",
        ),
        field(
            "attributed",
            "attributed:yes",
            "yes: one tunnel has an operator and is a VPN; no: none",
        ),
    ];
}
