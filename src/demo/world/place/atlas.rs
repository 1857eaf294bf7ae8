//! The places of the world, with what is public knowledge of them.

use fastrand::Rng;

use super::{Country, Place};

const EUROPE: (&str, u32, &str) = ("EU", 6_255_148, "Europe");
const NORTH: (&str, u32, &str) = ("NA", 6_255_149, "North America");
const SOUTH: (&str, u32, &str) = ("SA", 6_255_150, "South America");
const ASIA: (&str, u32, &str) = ("AS", 6_255_147, "Asia");
const AFRICA: (&str, u32, &str) = ("AF", 6_255_146, "Africa");
const OCEANIA: (&str, u32, &str) = ("OC", 6_255_151, "Oceania");

const fn country(
    code: &'static str,
    geoname_id: u32,
    names: [&'static str; 3],
    continent: (&'static str, u32, &'static str),
) -> Country {
    Country {
        code,
        geoname_id,
        names,
        continent,
    }
}

static NL: Country = country(
    "NL",
    2_750_405,
    ["The Netherlands", "Niederlande", "Нидерланды"],
    EUROPE,
);
static DE: Country = country(
    "DE",
    2_921_044,
    ["Germany", "Deutschland", "Германия"],
    EUROPE,
);
static ES: Country = country("ES", 2_510_769, ["Spain", "Spanien", "Испания"], EUROPE);
static GB: Country = country(
    "GB",
    2_635_167,
    ["United Kingdom", "Vereinigtes Königreich", "Великобритания"],
    EUROPE,
);
static FR: Country = country("FR", 3_017_382, ["France", "Frankreich", "Франция"], EUROPE);
static UA: Country = country("UA", 690_791, ["Ukraine", "Ukraine", "Украина"], EUROPE);
static PL: Country = country("PL", 798_544, ["Poland", "Polen", "Польша"], EUROPE);
static CH: Country = country(
    "CH",
    2_658_434,
    ["Switzerland", "Schweiz", "Швейцария"],
    EUROPE,
);
static SE: Country = country("SE", 2_661_886, ["Sweden", "Schweden", "Швеция"], EUROPE);
static RO: Country = country("RO", 798_549, ["Romania", "Rumänien", "Румыния"], EUROPE);
static IS: Country = country("IS", 2_629_691, ["Iceland", "Island", "Исландия"], EUROPE);
static TR: Country = country("TR", 298_795, ["Türkiye", "Türkei", "Турция"], ASIA);
static US: Country = country("US", 6_252_001, ["United States", "USA", "США"], NORTH);
static CA: Country = country("CA", 6_251_999, ["Canada", "Kanada", "Канада"], NORTH);
static MX: Country = country("MX", 3_996_063, ["Mexico", "Mexiko", "Мексика"], NORTH);
static BR: Country = country("BR", 3_469_034, ["Brazil", "Brasilien", "Бразилия"], SOUTH);
static CO: Country = country(
    "CO",
    3_686_110,
    ["Colombia", "Kolumbien", "Колумбия"],
    SOUTH,
);
static JP: Country = country("JP", 1_861_060, ["Japan", "Japan", "Япония"], ASIA);
static SG: Country = country("SG", 1_880_251, ["Singapore", "Singapur", "Сингапур"], ASIA);
static IN: Country = country("IN", 1_269_750, ["India", "Indien", "Индия"], ASIA);
static VN: Country = country("VN", 1_562_822, ["Vietnam", "Vietnam", "Вьетнам"], ASIA);
static ID: Country = country(
    "ID",
    1_643_084,
    ["Indonesia", "Indonesien", "Индонезия"],
    ASIA,
);
static KE: Country = country("KE", 192_950, ["Kenya", "Kenia", "Кения"], AFRICA);
static NG: Country = country("NG", 2_328_926, ["Nigeria", "Nigeria", "Нигерия"], AFRICA);
static ZA: Country = country("ZA", 953_987, ["South Africa", "Südafrika", "ЮАР"], AFRICA);
static AU: Country = country(
    "AU",
    2_077_456,
    ["Australia", "Australien", "Австралия"],
    OCEANIA,
);

const fn at(
    city: &'static str,
    state: Option<&'static str>,
    country: &'static Country,
    (latitude, longitude): (f64, f64),
    time_zone: &'static str,
    geoname_id: u32,
) -> Place {
    Place {
        city,
        state,
        country,
        latitude,
        longitude,
        time_zone,
        geoname_id,
    }
}

/// All places of the world.
pub(crate) static PLACES: [Place; 30] = [
    at(
        "Amsterdam",
        Some("North Holland"),
        &NL,
        (52.374, 4.8897),
        "Europe/Amsterdam",
        2_759_794,
    ),
    at(
        "Berlin",
        Some("Land Berlin"),
        &DE,
        (52.5244, 13.4105),
        "Europe/Berlin",
        2_950_159,
    ),
    at(
        "Frankfurt am Main",
        Some("Hesse"),
        &DE,
        (50.1155, 8.6842),
        "Europe/Berlin",
        2_925_533,
    ),
    at(
        "Madrid",
        Some("Madrid"),
        &ES,
        (40.4165, -3.7026),
        "Europe/Madrid",
        3_117_735,
    ),
    at(
        "London",
        Some("England"),
        &GB,
        (51.5085, -0.1257),
        "Europe/London",
        2_643_743,
    ),
    at(
        "Paris",
        Some("Île-de-France"),
        &FR,
        (48.8534, 2.3488),
        "Europe/Paris",
        2_988_507,
    ),
    at(
        "Kyiv",
        Some("Kyiv City"),
        &UA,
        (50.4547, 30.5238),
        "Europe/Kyiv",
        703_448,
    ),
    at(
        "Łódź",
        Some("Łódź Voivodeship"),
        &PL,
        (51.75, 19.4667),
        "Europe/Warsaw",
        3_093_133,
    ),
    at(
        "Zürich",
        Some("Zurich"),
        &CH,
        (47.3667, 8.55),
        "Europe/Zurich",
        2_657_896,
    ),
    at(
        "Stockholm",
        Some("Stockholm County"),
        &SE,
        (59.3294, 18.0687),
        "Europe/Stockholm",
        2_673_730,
    ),
    at(
        "Bucharest",
        Some("București"),
        &RO,
        (44.4323, 26.1063),
        "Europe/Bucharest",
        683_506,
    ),
    at(
        "Reykjavík",
        Some("Capital Region"),
        &IS,
        (64.1355, -21.8954),
        "Atlantic/Reykjavik",
        3_413_829,
    ),
    at(
        "Ankara",
        Some("Ankara"),
        &TR,
        (39.9199, 32.8543),
        "Europe/Istanbul",
        323_786,
    ),
    at(
        "New York",
        Some("New York"),
        &US,
        (40.7143, -74.006),
        "America/New_York",
        5_128_581,
    ),
    at(
        "Ashburn",
        Some("Virginia"),
        &US,
        (39.0437, -77.4875),
        "America/New_York",
        4_744_870,
    ),
    at(
        "Los Angeles",
        Some("California"),
        &US,
        (34.0522, -118.2437),
        "America/Los_Angeles",
        5_368_361,
    ),
    at(
        "Toronto",
        Some("Ontario"),
        &CA,
        (43.7064, -79.3986),
        "America/Toronto",
        6_167_865,
    ),
    at(
        "Mexico City",
        Some("Mexico City"),
        &MX,
        (19.4285, -99.1277),
        "America/Mexico_City",
        3_530_597,
    ),
    at(
        "São Paulo",
        Some("São Paulo"),
        &BR,
        (-23.5475, -46.6361),
        "America/Sao_Paulo",
        3_448_439,
    ),
    at(
        "Bogotá",
        Some("Bogota D.C."),
        &CO,
        (4.6097, -74.0818),
        "America/Bogota",
        3_688_689,
    ),
    at(
        "Tokyo",
        Some("Tokyo"),
        &JP,
        (35.6895, 139.6917),
        "Asia/Tokyo",
        1_850_147,
    ),
    at(
        "Singapore",
        None,
        &SG,
        (1.2897, 103.8501),
        "Asia/Singapore",
        1_880_252,
    ),
    at(
        "Mumbai",
        Some("Maharashtra"),
        &IN,
        (19.0728, 72.8826),
        "Asia/Kolkata",
        1_275_339,
    ),
    at(
        "Hanoi",
        None,
        &VN,
        (21.0245, 105.8412),
        "Asia/Ho_Chi_Minh",
        1_581_130,
    ),
    at(
        "Jakarta",
        Some("Jakarta"),
        &ID,
        (-6.2146, 106.8451),
        "Asia/Jakarta",
        1_642_911,
    ),
    at(
        "Nairobi",
        Some("Nairobi County"),
        &KE,
        (-1.2833, 36.8167),
        "Africa/Nairobi",
        184_745,
    ),
    at(
        "Lagos",
        Some("Lagos"),
        &NG,
        (6.4541, 3.3947),
        "Africa/Lagos",
        2_332_459,
    ),
    at(
        "Johannesburg",
        Some("Gauteng"),
        &ZA,
        (-26.2023, 28.0436),
        "Africa/Johannesburg",
        993_800,
    ),
    at(
        "Sydney",
        Some("New South Wales"),
        &AU,
        (-33.8678, 151.2073),
        "Australia/Sydney",
        2_147_714,
    ),
    at(
        "Perth",
        Some("Western Australia"),
        &AU,
        (-31.9522, 115.8614),
        "Australia/Perth",
        2_063_523,
    ),
];

/// The place of this name.
pub(crate) fn place(city: &str) -> &'static Place {
    // A name that is not in the table is a slip that the tests find: every name used in the code is tried there.
    PLACES
        .iter()
        .find(|place| place.city == city)
        .unwrap_or(&PLACES[0])
}

/// Any place.
pub(crate) fn anywhere(dice: &mut Rng) -> &'static Place {
    &PLACES[dice.usize(..PLACES.len())]
}
