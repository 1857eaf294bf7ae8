//! What the service says of the token: whether it works and what is left of it (contract, part 2.7).

use serde_json::Value;

use super::lenient::{Field, NotAnObject, Reader};

/// The answer of the status endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Whether the token is active.
    pub active: Field<bool>,
    /// Queries left in the billing period; what is absent is not zero.
    pub queries_remaining: Field<u64>,
    /// The tier of the token, a word of the service's own.
    pub service_tier: Field<String>,
    /// Keys that the contract does not name.
    pub unknown: Vec<String>,
    /// Fields that could not be read.
    pub odd: Vec<String>,
}

impl Status {
    /// Reads the answer.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        let mut reader = Reader::open(value)?;
        Ok(Self {
            active: reader.flag("active"),
            queries_remaining: reader.count("queriesRemaining"),
            service_tier: reader.text("serviceTier"),
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
    fn a_missing_balance_is_not_zero() {
        let status = Status::decode(&json!({"active": true, "renews": "soon"})).expect("a status");
        assert_eq!(status.queries_remaining, Field::Absent);
        assert_eq!(status.unknown, ["renews"]);
        let status = Status::decode(&json!({"queriesRemaining": "48120", "serviceTier": null}));
        assert_eq!(
            status.map(|status| (status.queries_remaining, status.service_tier)),
            Ok((Field::Is(48_120), Field::Null))
        );
    }
}
