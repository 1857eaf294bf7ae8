//! Where things are: real cities, so that maps and country filters mean something. Who is there is invented.

mod atlas;

use serde::Serialize;

pub(crate) use atlas::{anywhere, place};

/// A city with what the records say of one.
#[derive(Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) city: &'static str,
    /// Absent for some, as in real records.
    pub(crate) state: Option<&'static str>,
    pub(crate) country: &'static Country,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) time_zone: &'static str,
    pub(crate) geoname_id: u32,
}

/// A country, for geolocation records.
#[derive(Debug, PartialEq)]
pub(crate) struct Country {
    pub(crate) code: &'static str,
    pub(crate) geoname_id: u32,
    /// English, German, Russian.
    pub(crate) names: [&'static str; 3],
    pub(crate) continent: (&'static str, u32, &'static str),
}

/// `location` of a context record (contract, part 2.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) city: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<&'static str>,
    pub(crate) country: &'static str,
}

impl Place {
    /// The place as a record's location.
    pub(crate) fn location(&self) -> Location {
        Location {
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

    #[test]
    fn geohashes_and_distances_are_those_of_the_globe() {
        assert_eq!(place("Amsterdam").geohash(5), "u173z");
        assert_eq!(place("São Paulo").geohash(4), "6gyf");
        let way = place("London").distance_km(place("Sydney"));
        assert!((16_900.0..17_100.0).contains(&way), "{way}");
        assert!(place("Perth").distance_km(place("Perth")) < 1.0);
    }
}
