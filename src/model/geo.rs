//! What the service says of where a network is: the IP Geo Object (contract, part 2.10).

use ipnet::IpNet;
use serde_json::Value;

use super::{
    context::AutonomousSystem,
    fields::{FieldKind, FieldType, Object, object},
    lenient::{Field, NotAnObject, ObjectReader},
};

object! {
    /// One record of the geolocation feed; every field is optional.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Geo {
        /// The network; only in JSON, as the MMDB is indexed by it.
        prefix: IpNet = "prefix",
        city: City = "city",
        continent: Continent = "continent",
        country: Country = "country",
        /// Country in which the network is registered, which may differ from where it is.
        registered_country: RegisteredCountry = "registered_country",
        location: Coordinates = "location",
        /// Data of the service's own.
        vendor: Vendor = "vendor",
        /// States and the like, the larger ones first.
        subdivisions: Vec<City> = "subdivisions",
        .. unknown, odd
    }
}

object! {
    /// A city or subdivision, which has no code.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct City {
        /// Its number in `GeoNames`.
        geoname_id: u64 = "geoname_id",
        names: Names = "names",
    }
}

object! {
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Continent {
        /// Its code of two letters.
        code: String = "code",
        /// Its number in `GeoNames`.
        geoname_id: u64 = "geoname_id",
        names: Names = "names",
    }
}

object! {
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Country {
        /// Its number in `GeoNames`.
        geoname_id: u64 = "geoname_id",
        /// Its code of two letters.
        code: String = "iso_code" => Cc,
        names: Names = "names",
    }
}

object! {
    /// The country of a registration, which is not searched.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct RegisteredCountry {
        /// Its number in `GeoNames`.
        geoname_id: u64 = "geoname_id",
        /// Its code of two letters.
        code: String = "iso_code",
        names: Names = "names",
    }
}

object! {
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Coordinates {
        /// How far off they may be; the contract shows no unit.
        accuracy_radius: u64 = "accuracy_radius",
        /// Degrees north.
        latitude: f64 = "latitude",
        /// Degrees east.
        longitude: f64 = "longitude",
        time_zone: String = "time_zone",
    }
}

object! {
    /// Data of the service's own in a geolocation record.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Vendor {
        /// Who announces the network, wire key `as`.
        autonomous_system: AutonomousSystem = "as",
    }
}

impl Geo {
    /// Reads one record of the feed, from its JSON or its MMDB form.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        Ok(Self::read(&mut ObjectReader::open(value)?))
    }
}

/// Language codes, such as `pt-BR`, and the name of a place in that language, in the order sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<(String, String)>);

impl Names {
    /// The name in this language, else in English, else in any.
    #[must_use]
    pub fn within(&self, language: &str) -> Option<&str> {
        let spoken = |wanted: &str| self.0.iter().find(|(language, _)| language == wanted);
        let (_, name) = spoken(language)
            .or_else(|| spoken("en"))
            .or_else(|| self.0.first())?;
        Some(name)
    }
}

impl FieldType for Names {
    const KIND: FieldKind = FieldKind::Named;

    fn read_at(reader: &mut ObjectReader<'_>, key: &'static str) -> Field<Self> {
        reader.field(key, |names| {
            let names = names.as_object()?.iter();
            let texts = names
                .filter_map(|(language, name)| Some((language.clone(), name.as_str()?.to_owned())));
            Some(Self(texts.collect()))
        })
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
        assert_eq!(
            city.names.is().and_then(|names| names.within("de")),
            Some("Musterstadt")
        );
        assert_eq!(
            city.names.is().and_then(|names| names.within("ru")),
            Some("Sampletown")
        );
        let continent = geo.continent.is().expect("a continent");
        assert_eq!(
            continent.names.is().and_then(|names| names.within("fr")),
            Some("欧州")
        );
        assert_eq!(continent.code.text(), Some("EU"));
        assert_eq!(
            geo.country
                .is()
                .and_then(|country| country.names.is()?.within("en")),
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
