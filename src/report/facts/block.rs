//! The record of a netblock, in words: hosting, and geolocation.

use super::{Fact, fact, remainder, within};
use crate::{
    model::{
        Field, Geo, Hosting,
        context::AutonomousSystem,
        geo::{Coordinates, Names},
    },
    report::{TextCell, each},
};

/// What the record of a netblock of datacenter hosting says.
#[must_use]
pub(in crate::report) fn of_hosting(hosting: &Hosting) -> Vec<Fact> {
    let mut facts = vec![
        fact("record of", TextCell::number(&hosting.network)),
        fact(
            "kind",
            TextCell::known("datacenter hosting, not filtered for activity"),
        ),
        fact("organization", TextCell::text(&hosting.organization)),
        fact("AS", TextCell::of(&hosting.asn, |asn| format!("AS{asn}"))),
    ];
    facts.extend(remainder(&hosting.unknown, &hosting.odd));
    facts
}

/// What a record of the geolocation feed says.
#[must_use]
pub(in crate::report) fn of_geo(geo: &Geo) -> Vec<Fact> {
    let mut facts = vec![
        fact("record of", TextCell::number(&geo.prefix)),
        fact("city", TextCell::of(&geo.city, |city| english(&city.names))),
        fact(
            "subdivisions",
            TextCell::of(&geo.subdivisions, |places| {
                let names = places.iter().map(|place| english(&place.names));
                each(names, ", ")
            }),
        ),
        fact(
            "country",
            TextCell::of(&geo.country, |place| coded(&place.names, &place.code)),
        ),
        fact(
            "registered in",
            TextCell::of(&geo.registered_country, |place| {
                coded(&place.names, &place.code)
            }),
        ),
        fact(
            "continent",
            TextCell::of(&geo.continent, |place| coded(&place.names, &place.code)),
        ),
        fact("coordinates", TextCell::of(&geo.location, coordinates)),
        fact(
            "AS",
            within(&geo.vendor, |vendor| {
                TextCell::of(&vendor.autonomous_system, system)
            }),
        ),
    ];
    facts.extend(remainder(&geo.unknown, &geo.odd));
    facts
}

/// What a record says that cannot be read.
#[must_use]
pub(in crate::report) fn unread() -> Vec<Fact> {
    vec![fact(
        "record",
        TextCell::unknown("cannot be read as a record of this feed; --format json shows it whole"),
    )]
}

pub(in crate::report) fn system(system: &AutonomousSystem) -> String {
    let number = system.number.is().map(|number| format!("AS{number}"));
    let name = system.organization.text().map(str::to_owned);
    each(number.into_iter().chain(name), " ")
}

/// The name of a place in English, else in any language.
pub(in crate::report) fn english(names: &Field<Names>) -> String {
    let name = names.is().and_then(|names| names.within("en"));
    name.unwrap_or_default().to_owned()
}

fn coded(names: &Field<Names>, code: &Field<String>) -> String {
    let name = Some(english(names)).filter(|name| !name.is_empty());
    let code = code.text().map(|code| format!("({code})"));
    each(name.into_iter().chain(code), " ")
}

fn coordinates(place: &Coordinates) -> String {
    fn part<T: ToString>(label: &str, field: &Field<T>) -> Option<String> {
        field
            .is()
            .map(|value| format!("{label} {}", value.to_string()))
    }
    let parts = [
        part("latitude", &place.latitude),
        part("longitude", &place.longitude),
        part("accuracy radius", &place.accuracy_radius),
        part("time zone", &place.time_zone),
    ];
    each(parts.into_iter().flatten(), ", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said<'a>(facts: &'a [Fact], label: &str) -> &'a str {
        let fact = facts.iter().find(|fact| fact.label == label);
        &fact.expect(label).cell.text
    }

    #[test]
    fn a_netblock_says_whose_it_is() {
        let hosting = Hosting::decode(
            &json!({"network": "198.18.0.0/23", "organization": "Example Hosting", "asn": null}),
        );
        let facts = of_hosting(&hosting.expect("record"));
        assert_eq!(said(&facts, "record of"), "198.18.0.0/23");
        assert_eq!(said(&facts, "organization"), "Example Hosting");
        assert_eq!(said(&facts, "AS"), "null");
    }

    #[test]
    fn a_geolocation_says_where_in_one_language() {
        let geo = Geo::decode(&json!({
            "prefix": "198.18.0.0/24", "city": {"names": {"de": "Musterstadt", "en": "Sampletown"}},
            "country": {"iso_code": "NL", "names": {"en": "Netherlands"}}, "subdivisions": [{"names": {"en": "A"}}, {"names": {"en": "B"}}],
            "location": {"latitude": 52.5, "accuracy_radius": 20}, "vendor": {"as": {"number": 64500, "organization": "Example"}}
        }));
        let facts = of_geo(&geo.expect("record"));
        for (label, expected) in [
            ("record of", "198.18.0.0/24"),
            ("city", "Sampletown"),
            ("subdivisions", "A, B"),
            ("country", "Netherlands (NL)"),
            ("continent", "absent"),
            ("coordinates", "latitude 52.5, accuracy radius 20"),
            ("AS", "AS64500 Example"),
        ] {
            assert_eq!(said(&facts, label), expected, "{label}");
        }
    }
}
