//! Who announces the addresses: invented operators on autonomous system numbers kept for documentation.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::demo::table::rows;

/// What a block of addresses is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum BlockUse {
    /// Servers for rent: where VPNs and datacenter proxies have their exits.
    Hosting,
    /// Servers of companies.
    Cloud,
    /// Households.
    Home,
    /// Phones behind carrier address translation.
    Mobile,
    /// Offices and universities.
    Office,
    /// Ships, planes and farms.
    Satellite,
}

/// An autonomous system, which is also the `as` of a record (contract, part 2.2).
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct System {
    pub(crate) number: u32,
    pub(crate) organization: &'static str,
    #[serde(skip_serializing)]
    pub(crate) zoning: BlockUse,
    #[serde(skip_serializing)]
    pub(crate) city: &'static str,
}

/// All systems: the numbers of RFC 5398, invented names.
pub(crate) static SYSTEMS: LazyLock<Vec<System>> =
    LazyLock::new(|| rows(include_str!("../../../assets/demo/systems.tsv")));

pub(crate) fn system_of(number: u32) -> &'static System {
    SYSTEMS
        .iter()
        .find(|system| system.number == number)
        .unwrap_or(&SYSTEMS[0])
}

pub(crate) fn systems_in(zoning: BlockUse) -> Vec<&'static System> {
    SYSTEMS
        .iter()
        .filter(|system| system.zoning == zoning)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::demo::{table::tests::is_whole, world::place::place};

    #[test]
    fn numbers_are_for_documentation_and_cities_exist() {
        let numbers: BTreeSet<u32> = SYSTEMS.iter().map(|system| system.number).collect();
        assert_eq!(numbers.len(), SYSTEMS.len());
        assert!(is_whole(
            include_str!("../../../assets/demo/systems.tsv"),
            &SYSTEMS
        ));
        for system in SYSTEMS.iter() {
            assert!(matches!(system.number, 64496..=64511 | 65536..=65551));
            assert_eq!(place(system.city).city, system.city);
        }
    }
}
