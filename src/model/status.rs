//! What the service says of the token: whether it works and what is left of it (contract, part 2.7).

use serde_json::Value;

use super::{
    fields::{Object, object},
    lenient::{NotAnObject, ObjectReader},
};

object! {
    /// The answer of the status endpoint.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Status {
        /// Whether the token is active.
        active: bool = "active",
        /// Queries left in the billing period; what is absent is not zero.
        queries_remaining: u64 = "queriesRemaining",
        /// The tier of the token, a word of the service's own.
        service_tier: String = "serviceTier",
        .. unknown, odd
    }
}

impl Status {
    /// Reads the answer.
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
