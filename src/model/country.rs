//! Countries by their codes: what they are called in English, and on which continent they are. The table is that of
//! `GeoNames`, so that names and continents are those of geolocation databases.

use std::{collections::HashMap, sync::LazyLock};

/// A country, or what has a code of ISO 3166-1 as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    pub name: &'static str,
    pub continent: Continent,
}

/// A continent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continent {
    /// As `GeoNames` has it: `EU`.
    pub code: &'static str,
    pub name: &'static str,
}

const CONTINENTS: [Continent; 7] = [
    Continent {
        code: "AF",
        name: "Africa",
    },
    Continent {
        code: "AN",
        name: "Antarctica",
    },
    Continent {
        code: "AS",
        name: "Asia",
    },
    Continent {
        code: "EU",
        name: "Europe",
    },
    Continent {
        code: "NA",
        name: "North America",
    },
    Continent {
        code: "OC",
        name: "Oceania",
    },
    Continent {
        code: "SA",
        name: "South America",
    },
];

static COUNTRIES: LazyLock<HashMap<&str, Country>> = LazyLock::new(|| {
    let lines = include_str!("../../assets/countries.tsv").lines().skip(1);
    let country = |line: &'static str| {
        let mut cells = line.split('\t');
        let (code, continent, name) = (cells.next()?, cells.next()?, cells.next()?);
        let continent = CONTINENTS
            .into_iter()
            .find(|other| other.code == continent)?;
        Some((code, Country { name, continent }))
    };
    lines.filter_map(country).collect()
});

/// The country with this code.
#[must_use]
pub fn country(code: &str) -> Option<Country> {
    COUNTRIES.get(code).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_has_a_name_and_a_continent() {
        let own = country("NL").expect("a country");
        assert_eq!((own.name, own.continent.name), ("Netherlands", "Europe"));
        assert_eq!(country("ZZ"), None);
        let lines = include_str!("../../assets/countries.tsv").lines().count();
        assert_eq!(COUNTRIES.len(), lines - 1, "each line is read");
        assert!(
            COUNTRIES
                .iter()
                .all(|(code, country)| code.len() == 2 && !country.name.is_empty())
        );
    }
}
