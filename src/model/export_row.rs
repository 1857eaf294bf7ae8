//! One record of an export: the reduced, flattened form of a context (contract, part 2.11).

use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::{
    Subject,
    fields::{Held, Kind, Object, object},
    lenient::{Field, NotAnObject, Reader},
};

object! {
    /// One record of an export in JSON.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ExportRow {
        /// The address it is about, where it is not about a network.
        ip: IpAddr = "ip",
        /// The network it is about, where it is not about one address.
        network: IpNet = "network",
        /// The anonymization service.
        tag: String = "tag",
        /// A callback proxy service on the address.
        callback_proxy: String = "callbackProxy",
        /// Kind of infrastructure.
        infrastructure: String = "infrastructure",
        /// Services that listen there.
        services: Vec<String> = "services",
        /// Devices on an average day.
        client_count: u64 = "clientCount",
        /// City of the address.
        location_city: String = "locationCity",
        /// State of the address.
        location_state: String = "locationState",
        /// Country of the address.
        location_country: String = "locationCountry",
        /// What happened to it since the day before; only in a diff.
        diff: Change = "diff",
        .. unknown, odd
    }
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

impl Held for Change {
    const KIND: Kind = Kind::Text;

    fn read_at(reader: &mut Reader<'_>, key: &'static str) -> Field<Self> {
        reader.scalar(key, Self::parse)
    }
}

impl ExportRow {
    /// Reads one record.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        Ok(Self::read(&mut Reader::open(value)?))
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
