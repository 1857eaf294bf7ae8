//! What the service says of one datacenter netblock: the DCH Object (contract, part 2.9).

use ipnet::IpNet;
use serde_json::Value;

use super::{
    fields::{Object, object},
    lenient::{NotAnObject, ObjectReader},
};

object! {
    /// One netblock of datacenter infrastructure.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Hosting {
        network: IpNet = "network",
        /// Who registered it.
        organization: String = "organization" => Org,
        /// Number of its autonomous system.
        asn: u32 = "asn" => Asn,
        .. unknown, odd
    }
}

impl Hosting {
    /// Reads one record of the feed or of the export.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        Ok(Self::read(&mut ObjectReader::open(value)?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Field;

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
