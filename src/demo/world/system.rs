//! Who announces the addresses: invented operators on autonomous system numbers kept for documentation.

use serde::Serialize;

/// What a block of addresses is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zoning {
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
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct System {
    pub(crate) number: u32,
    pub(crate) organization: &'static str,
    #[serde(skip)]
    pub(crate) zoning: Zoning,
    #[serde(skip)]
    pub(crate) city: &'static str,
}

const fn system(
    number: u32,
    organization: &'static str,
    zoning: Zoning,
    city: &'static str,
) -> System {
    System {
        number,
        organization,
        zoning,
        city,
    }
}

/// All systems: the numbers of RFC 5398, names of nobody.
pub(crate) static SYSTEMS: [System; 32] = [
    system(64496, "Alder Transit Ltd", Zoning::Office, "London"),
    system(
        64497,
        "Borealis Cloud & Colo AB",
        Zoning::Cloud,
        "Stockholm",
    ),
    system(
        64498,
        "Cobalt Rack GmbH",
        Zoning::Hosting,
        "Frankfurt am Main",
    ),
    system(64499, "Delta Mobile S.A.", Zoning::Mobile, "Madrid"),
    system(64500, "Example Hosting BV", Zoning::Hosting, "Amsterdam"),
    system(64501, "Ferrous Data Halls Inc.", Zoning::Hosting, "Ashburn"),
    system(64502, "Gotham Test Fiber LLC", Zoning::Home, "New York"),
    system(64503, "Höhenzug Telekom AG", Zoning::Home, "Berlin"),
    system(64504, "Île-de-Test Réseaux SAS", Zoning::Home, "Paris"),
    system(
        64505,
        "Jasmine Street Broadband",
        Zoning::Home,
        "Los Angeles",
    ),
    system(
        64506,
        "Kestrel Example Satellite Oy",
        Zoning::Satellite,
        "Reykjavík",
    ),
    system(64507, "Łódka Internet Sp. z o.o.", Zoning::Home, "Łódź"),
    system(
        64508,
        "Meridiano Prueba Móvil",
        Zoning::Mobile,
        "Mexico City",
    ),
    system(
        64509,
        "Nimbus Edge & Relay Corp.",
        Zoning::Hosting,
        "Los Angeles",
    ),
    system(
        64510,
        "Orchard Sample University",
        Zoning::Office,
        "Toronto",
    ),
    system(64511, "Pampas Conexão S.A.", Zoning::Home, "São Paulo"),
    system(
        65536,
        "Quartz Test Servers SRL",
        Zoning::Hosting,
        "Bucharest",
    ),
    system(65537, "Redwood Sample Cable Co.", Zoning::Home, "Sydney"),
    system(65538, "Hanabira 試験 Network K.K.", Zoning::Home, "Tokyo"),
    system(65539, "Tundra Rack ehf", Zoning::Hosting, "Reykjavík"),
    system(65540, "Umbra Test Colocation", Zoning::Hosting, "Singapore"),
    system(65541, "Wisła Próbna Komórka S.A.", Zoning::Mobile, "Łódź"),
    system(65542, "Willow Sample Insurance", Zoning::Office, "Zürich"),
    system(65543, "Xenon Example Cloud Pte", Zoning::Cloud, "Singapore"),
    system(65544, "Yarrow Test Wireless", Zoning::Mobile, "Jakarta"),
    system(
        65545,
        "Zephyr Example In-Flight",
        Zoning::Satellite,
        "Perth",
    ),
    system(65546, "Deneme Telekom A.Ş.", Zoning::Home, "Ankara"),
    system(
        65547,
        "Baobab Sample Broadband",
        Zoning::Home,
        "Johannesburg",
    ),
    system(
        65548,
        "Cedar Row Hosting <Test> & Co. KG",
        Zoning::Hosting,
        "Frankfurt am Main",
    ),
    system(65549, "Dune Example Mobile", Zoning::Mobile, "Lagos"),
    system(65550, "Estuary Test Internet", Zoning::Home, "London"),
    system(65551, "Mẫu Thử Viễn Thông", Zoning::Home, "Hanoi"),
];

/// The system of this number.
pub(crate) fn system_of(number: u32) -> &'static System {
    SYSTEMS
        .iter()
        .find(|system| system.number == number)
        .unwrap_or(&SYSTEMS[0])
}

/// All systems of a zoning.
pub(crate) fn systems_in(zoning: Zoning) -> Vec<&'static System> {
    SYSTEMS
        .iter()
        .filter(|system| system.zoning == zoning)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::demo::world::place::place;

    #[test]
    fn numbers_are_for_documentation_and_cities_exist() {
        let numbers: BTreeSet<u32> = SYSTEMS.iter().map(|system| system.number).collect();
        assert_eq!(numbers.len(), SYSTEMS.len());
        for system in &SYSTEMS {
            assert!(matches!(system.number, 64496..=64511 | 65536..=65551));
            assert_eq!(place(system.city).city, system.city);
        }
    }
}
