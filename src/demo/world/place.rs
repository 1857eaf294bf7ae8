//! Where things are: real cities, so that maps and country filters mean something. Who is there is invented.

use std::sync::LazyLock;

use fastrand::Rng;
use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::demo::table::rows;

/// A city with what the records say of one.
#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct Locality {
    pub(crate) city: &'static str,
    /// Absent for some, as in real records.
    pub(crate) state: Option<&'static str>,
    #[serde(deserialize_with = "country")]
    pub(crate) country: &'static DemoCountry,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) time_zone: &'static str,
    pub(crate) geoname_id: u32,
}

/// A country, for geolocation records.
#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct DemoCountry {
    pub(crate) code: &'static str,
    pub(crate) geoname_id: u32,
    /// English, German, Russian.
    pub(crate) names: [&'static str; 3],
    /// Code, number and English name.
    pub(crate) continent: (&'static str, u32, &'static str),
}

static COUNTRIES: LazyLock<Vec<DemoCountry>> =
    LazyLock::new(|| rows(include_str!("../../../assets/demo/countries.tsv")));

static PLACES: LazyLock<Vec<Locality>> =
    LazyLock::new(|| rows(include_str!("../../../assets/demo/places.tsv")));

/// Reads the code of a country.
fn country<'de, D: Deserializer<'de>>(cell: D) -> Result<&'static DemoCountry, D::Error> {
    let code = <&str>::deserialize(cell)?;
    let found = COUNTRIES.iter().find(|country| country.code == code);
    found.ok_or_else(|| D::Error::custom("no such country"))
}

pub(crate) fn place(city: &str) -> &'static Locality {
    // A name that is not in the table is a slip that the tests find: every name used in the code is tried there.
    PLACES
        .iter()
        .find(|place| place.city == city)
        .unwrap_or(&PLACES[0])
}

pub(crate) fn anywhere(dice: &mut Rng) -> &'static Locality {
    &PLACES[dice.usize(..PLACES.len())]
}

/// `location` of a context record (contract, part 2.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DemoLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) city: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<&'static str>,
    pub(crate) country: &'static str,
}

impl Locality {
    /// The place as a record's location.
    pub(crate) fn location(&self) -> DemoLocation {
        DemoLocation {
            city: Some(self.city),
            state: self.state,
            country: self.country.code,
        }
    }

    /// The place's geohash of this many characters: each halves the map in turn, east from west first.
    pub(crate) fn geohash(&self, characters: usize) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
        let (mut east, mut north) = ((-180.0, 180.0), (-90.0, 90.0));
        let mut bit = 0;
        let mut hash = String::new();
        for _ in 0..characters {
            let mut index = 0;
            for _ in 0..5 {
                let (range, value) = if bit % 2 == 0 {
                    (&mut east, self.longitude)
                } else {
                    (&mut north, self.latitude)
                };
                let middle = f64::midpoint(range.0, range.1);
                index *= 2;
                if value >= middle {
                    index += 1;
                    range.0 = middle;
                } else {
                    range.1 = middle;
                }
                bit += 1;
            }
            hash.push(char::from(ALPHABET[index]));
        }
        hash
    }

    /// The way to another place over the ground, in kilometres.
    pub(crate) fn distance_km(&self, other: &Self) -> f64 {
        let (north, south) = (self.latitude.to_radians(), other.latitude.to_radians());
        let turn = (self.longitude - other.longitude).to_radians();
        let cosine = north.sin() * south.sin() + north.cos() * south.cos() * turn.cos();
        6371.0 * cosine.clamp(-1.0, 1.0).acos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::table::tests::is_whole;

    #[test]
    fn every_line_is_a_country_or_a_place() {
        assert!(is_whole(
            include_str!("../../../assets/demo/countries.tsv"),
            &COUNTRIES
        ));
        assert!(is_whole(
            include_str!("../../../assets/demo/places.tsv"),
            &PLACES
        ));
    }

    #[test]
    fn geohashes_and_distances_are_those_of_the_globe() {
        assert_eq!(place("Amsterdam").geohash(5), "u173z");
        assert_eq!(place("São Paulo").geohash(4), "6gyf");
        let way = place("London").distance_km(place("Sydney"));
        assert!((16_900.0..17_100.0).contains(&way), "{way}");
        assert!(place("Perth").distance_km(place("Perth")) < 1.0);
    }
}
