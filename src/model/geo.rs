//! What the service says of where a network is: the IP Geo Object (contract, part 2.10).

use ipnet::IpNet;
use serde_json::Value;

use super::{
    context::AutonomousSystem,
    lenient::{Field, NotAnObject, Reader},
};

/// One record of the geolocation feed; every field is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geo {
    /// The network; only in JSON, as the MMDB is indexed by it.
    pub prefix: Field<IpNet>,
    /// City; without a code.
    pub city: Field<Place>,
    /// Continent; its code is the wire key `code`.
    pub continent: Field<Place>,
    /// Country; its code is the wire key `iso_code`.
    pub country: Field<Place>,
    /// Country in which the network is registered, which may differ from where it is.
    pub registered_country: Field<Place>,
    /// Coordinates.
    pub location: Field<Coordinates>,
    /// Data of the service's own.
    pub vendor: Field<Vendor>,
    /// States and the like, the larger ones first; without codes.
    pub subdivisions: Field<Vec<Place>>,
    /// Paths of keys that the contract does not name.
    pub unknown: Vec<String>,
    /// Paths of fields that could not be read.
    pub odd: Vec<String>,
}

/// A city, subdivision, country or continent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its number in `GeoNames`.
    pub geoname_id: Field<u64>,
    /// Code of a country or continent.
    pub code: Field<String>,
    /// Language codes, such as `pt-BR`, and its name in that language, in the order sent.
    pub names: Field<Vec<(String, String)>>,
}

/// Coordinates of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// How far off they may be; the contract shows no unit.
    pub accuracy_radius: Field<u64>,
    /// Degrees north.
    pub latitude: Field<f64>,
    /// Degrees east.
    pub longitude: Field<f64>,
    /// Name of the time zone.
    pub time_zone: Field<String>,
}

/// Data of the service's own in a geolocation record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vendor {
    /// Who announces the network, wire key `as`.
    pub autonomous_system: Field<AutonomousSystem>,
}

impl Geo {
    /// Reads one record of the feed, from its JSON or its MMDB form.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        let mut reader = Reader::open(value)?;
        Ok(Self {
            prefix: reader.network("prefix"),
            city: reader.object("city", Place::read),
            continent: reader.object("continent", |place| Place::coded(place, "code")),
            country: reader.object("country", |place| Place::coded(place, "iso_code")),
            registered_country: reader.object("registered_country", |place| {
                Place::coded(place, "iso_code")
            }),
            location: reader.object("location", Coordinates::read),
            vendor: reader.object("vendor", Vendor::read),
            subdivisions: reader.objects("subdivisions", Place::read),
            unknown: reader.unknown(),
            odd: reader.odd(),
        })
    }
}

impl Place {
    /// Its name in this language, else in English, else in any.
    #[must_use]
    pub fn name(&self, language: &str) -> Option<&str> {
        let names = self.names.items();
        let spoken = |wanted: &str| names.iter().find(|(language, _)| language == wanted);
        let (_, name) = spoken(language)
            .or_else(|| spoken("en"))
            .or_else(|| names.first())?;
        Some(name)
    }

    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            geoname_id: reader.count("geoname_id"),
            code: Field::Absent,
            names: reader.field("names", |names| {
                let names = names.as_object()?.iter();
                let texts = names.filter_map(|(language, name)| {
                    Some((language.clone(), name.as_str()?.to_owned()))
                });
                Some(texts.collect())
            }),
        }
    }

    fn coded(reader: &mut Reader<'_>, key: &'static str) -> Self {
        Self {
            code: reader.text(key),
            ..Self::read(reader)
        }
    }
}

impl Coordinates {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            accuracy_radius: reader.count("accuracy_radius"),
            latitude: reader.decimal("latitude"),
            longitude: reader.decimal("longitude"),
            time_zone: reader.text("time_zone"),
        }
    }
}

impl Vendor {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            autonomous_system: reader.object("as", AutonomousSystem::read),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_is_read_whole() {
        let geo = Geo::decode(&json!({
            "prefix": "203.0.113.0/24",
            "city": {"geoname_id": 1, "names": {"de": "Musterstadt", "en": "Sampletown"}},
            "continent": {"code": "EU", "geoname_id": 2, "names": {"ja": "欧州"}},
            "country": {"geoname_id": 3, "iso_code": "NL", "names": {"en": null}},
            "registered_country": {"iso_code": "CH"},
            "location": {"accuracy_radius": 20, "latitude": -1, "longitude": 4.9, "time_zone": "Europe/Amsterdam"},
            "vendor": {"as": {"number": 64502, "organization": "Example"}},
            "subdivisions": [{"geoname_id": 4, "names": {"en": "Sample County"}, "iso_code": "SC"}]
        }))
        .expect("a record");
        let city = geo.city.is().expect("a city");
        assert_eq!(city.name("de"), Some("Musterstadt"));
        assert_eq!(city.name("ru"), Some("Sampletown"));
        let continent = geo.continent.is().expect("a continent");
        assert_eq!(continent.name("fr"), Some("欧州"));
        assert_eq!(continent.code.text(), Some("EU"));
        assert_eq!(
            geo.country.is().and_then(|country| country.name("en")),
            None
        );
        assert_eq!(
            geo.location.is().map(|location| location.latitude),
            Some(Field::Is(-1.0))
        );
        assert_eq!(geo.unknown, ["subdivisions[0].iso_code"]);
        assert!(geo.odd.is_empty());
    }
}
