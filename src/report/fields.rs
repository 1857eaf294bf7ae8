//! The fields of records in words for people: what a filter can ask.

/// The fields of the filter language by their names, and what each is about in one line.
const ABOUT: [(&str, &str); 15] = [
    ("tag", "operator of a tunnel, or the tag of a service"),
    ("type", "kind of a tunnel"),
    ("cc", "country of the address, two letters"),
    ("infra", "kind of infrastructure"),
    ("risk", "risk factor"),
    ("service", "service or protocol that listens"),
    ("behavior", "behavior of clients"),
    ("proxy", "callback proxy on a device behind the address"),
    ("device", "kind of a client's device"),
    ("asn", "number of the autonomous system, AS64500 too"),
    ("org", "part of the name of who uses or announces it"),
    ("entry", "entry address of a tunnel"),
    (
        "clients",
        "clients on an average day: < <= = >= >, false where unknown",
    ),
    (
        "net",
        "the record's address or network lies in one of these",
    ),
    (
        "attributed",
        "yes: one tunnel has an operator and is a VPN; no: none",
    ),
];

/// What a field of the filter language is about.
#[must_use]
pub fn about(field: &str) -> &'static str {
    let own = ABOUT.iter().find(|(name, _)| *name == field);
    own.map_or("", |(_, about)| about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Filter;

    #[test]
    fn every_field_of_the_filter_is_described() {
        assert!(
            Filter::FIELDS
                .map(|field| field.name)
                .iter()
                .eq(ABOUT.map(|(name, _)| name).iter())
        );
    }
}
