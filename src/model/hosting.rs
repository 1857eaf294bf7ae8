//! What the service says of one datacenter netblock: the DCH Object (contract, part 2.9).

use ipnet::IpNet;
use serde_json::Value;

use super::lenient::{Field, NotAnObject, Reader};

/// One netblock of datacenter infrastructure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosting {
    /// The netblock.
    pub network: Field<IpNet>,
    /// Who registered it.
    pub organization: Field<String>,
    /// Number of its autonomous system.
    pub asn: Field<u32>,
    /// Keys that the contract does not name.
    pub unknown: Vec<String>,
    /// Fields that could not be read.
    pub odd: Vec<String>,
}

impl Hosting {
    /// Reads one record of the feed or of the export.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        let mut reader = Reader::open(value)?;
        Ok(Self {
            network: reader.network("network"),
            organization: reader.text("organization"),
            asn: reader.count("asn"),
            unknown: reader.unknown(),
            odd: reader.odd(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_netblock_may_lack_its_system() {
        let hosting =
            Hosting::decode(&json!({"network": "198.18.1.0/23", "asn": null})).expect("a record");
        assert_eq!(
            hosting.network.map(|network| network.to_string()),
            Field::Is("198.18.0.0/23".into())
        );
        assert_eq!(hosting.organization, Field::Absent);
        assert_eq!(hosting.asn, Field::Null);
    }
}
