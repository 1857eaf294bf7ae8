//! One record of an export: the reduced, flattened form of a context (contract, part 2.11).

use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::{
    Subject,
    lenient::{Field, NotAnObject, Reader},
};

/// One record of an export in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRow {
    /// The address it is about, where it is not about a network.
    pub ip: Field<IpAddr>,
    /// The network it is about, where it is not about one address.
    pub network: Field<IpNet>,
    /// The anonymization service.
    pub tag: Field<String>,
    /// A callback proxy service on the address.
    pub callback_proxy: Field<String>,
    /// Kind of infrastructure.
    pub infrastructure: Field<String>,
    /// Services that listen there.
    pub services: Field<Vec<String>>,
    /// Devices on an average day.
    pub client_count: Field<u64>,
    /// City of the address.
    pub location_city: Field<String>,
    /// State of the address.
    pub location_state: Field<String>,
    /// Country of the address.
    pub location_country: Field<String>,
    /// What happened to it since the day before; only in a diff.
    pub diff: Field<Change>,
    /// Keys that the contract does not name.
    pub unknown: Vec<String>,
    /// Fields that could not be read.
    pub odd: Vec<String>,
}

/// What happened to a record between two days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It came, `add`.
    Added,
    /// It went, `del`.
    Deleted,
}

impl Change {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "add",
            Self::Deleted => "del",
        }
    }

    /// Reads the word of the wire.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Added, Self::Deleted]
            .into_iter()
            .find(|change| change.word() == word)
    }
}

impl ExportRow {
    /// Reads one record.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        let mut reader = Reader::open(value)?;
        Ok(Self {
            ip: reader.address("ip"),
            network: reader.network("network"),
            tag: reader.text("tag"),
            callback_proxy: reader.text("callbackProxy"),
            infrastructure: reader.text("infrastructure"),
            services: reader.texts("services"),
            client_count: reader.count("clientCount"),
            location_city: reader.text("locationCity"),
            location_state: reader.text("locationState"),
            location_country: reader.text("locationCountry"),
            diff: reader.scalar("diff", Change::parse),
            unknown: reader.unknown(),
            odd: reader.odd(),
        })
    }

    /// What the record is about, if it names it in a way that can be read.
    #[must_use]
    pub fn subject(&self) -> Option<Subject> {
        Subject::of(&self.ip, &self.network)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nulls_are_written_out_and_read_as_such() {
        let row = ExportRow::decode(&json!({
            "ip": "198.51.100.77", "tag": "ACME_VPN", "infrastructure": null, "services": [],
            "clientCount": 14, "locationCountry": "NL", "diff": "add", "score": 7
        }))
        .expect("a row");
        assert_eq!(
            row.subject().map(|subject| subject.to_string()),
            Some("198.51.100.77".into())
        );
        assert_eq!(row.infrastructure, Field::Null);
        assert_eq!(row.services, Field::Is(Vec::new()));
        assert_eq!(row.callback_proxy, Field::Absent);
        assert_eq!(row.diff, Field::Is(Change::Added));
        assert_eq!(row.unknown, ["score"]);
    }

    #[test]
    fn a_network_identifies_a_row_and_an_open_word_is_odd() {
        let row =
            ExportRow::decode(&json!({"network": "2001:db8::/32", "diff": "mod"})).expect("a row");
        assert_eq!(
            row.subject().map(|subject| subject.to_string()),
            Some("2001:db8::/32".into())
        );
        assert_eq!(row.diff, Field::Odd);
    }
}
