//! The words of invented feeds: tags, countries, cities, networks and who uses them, drawn from a seed.
//!
//! Every word is kept as it is inside a JSON string, so that records are written by copying. The first words of each
//! list are the frequent ones. The numbers of autonomous systems are private ones (RFC 6996), the names are made of
//! syllables: nothing here names anybody.

use std::collections::HashSet;

use fastrand::Rng;

/// How many there are of each.
const TAGS: usize = 600;
const COUNTRIES: usize = 250;
const CITIES: usize = 12_000;
pub(crate) const SYSTEMS: usize = 30_000;
const CUSTOMERS: usize = 60_000;

/// The first private number of 32 bits.
const FIRST_SYSTEM: u32 = 4_200_000_000;

/// The letters of a geohash.
pub(crate) const GEOHASH: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";

const SYLLABLES: [&str; 48] = [
    "ba", "bel", "bor", "bran", "ca", "cor", "dal", "den", "dor", "el", "fa", "fen", "fol", "gar",
    "gel", "gor", "hal", "hem", "ka", "kel", "kor", "lan", "lem", "lor", "ma", "mel", "mir", "mon",
    "na", "nel", "nor", "or", "pa", "pel", "ra", "rin", "ros", "sa", "sel", "sol", "ta", "tel",
    "tor", "va", "vel", "vin", "ya", "zor",
];
const CITY_ENDS: [&str; 8] = ["", "", "ton", "stad", "ville", "é", "burg", "ão"];
const STATE_ENDS: [&str; 4] = ["shire", "land", "ia", " Province"];
const FIRMS: [&str; 10] = [
    "Telecom",
    "Networks",
    "Hosting Ltd",
    "Broadband",
    "Mobile S.A.",
    "Cloud GmbH",
    "Communications, Inc.",
    "Data Center B.V.",
    r"Fiber \u0026 Cable",
    "Internet LLC",
];

/// The words of one seed.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// Services, `…_VPN` or `…_PROXY`.
    pub(crate) tags: Vec<String>,
    /// Two letters each.
    pub(crate) countries: Vec<String>,
    /// Where somebody is.
    pub(crate) cities: Vec<City>,
    /// Networks of the Internet.
    pub(crate) systems: Vec<System>,
    /// Organizations that use addresses.
    pub(crate) customers: Vec<String>,
}

/// A city.
#[derive(Debug)]
pub(crate) struct City {
    pub(crate) name: String,
    pub(crate) state: String,
    /// Which of the countries.
    pub(crate) country: usize,
    /// The first five letters.
    pub(crate) geohash: String,
}

/// An autonomous system.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) number: u32,
    pub(crate) organization: String,
}

impl Vocabulary {
    /// The words of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let tags = distinct(TAGS, |rank| {
            let end = if rank % 5 < 2 { "_VPN" } else { "_PROXY" };
            name(&mut rng, 2..4).to_ascii_uppercase() + end
        });
        let countries = distinct(COUNTRIES, |_| {
            [rng.uppercase(), rng.uppercase()].iter().collect()
        });
        Self {
            tags,
            countries,
            cities: (0..CITIES).map(|_| City::invent(&mut rng)).collect(),
            systems: systems(&mut rng),
            customers: distinct(CUSTOMERS, |_| firm(&mut rng)),
        }
    }
}

impl City {
    fn invent(rng: &mut Rng) -> Self {
        let end = |rng: &mut Rng, ends: &[&'static str]| ends[rng.usize(..ends.len())];
        let city = capital(&name(rng, 2..4)) + end(rng, &CITY_ENDS);
        Self {
            name: city,
            state: capital(&name(rng, 1..3)) + end(rng, &STATE_ENDS),
            country: super::skewed(rng, COUNTRIES),
            geohash: (0..5)
                .map(|_| char::from(GEOHASH[rng.usize(..32)]))
                .collect(),
        }
    }
}

fn systems(rng: &mut Rng) -> Vec<System> {
    let names = distinct(SYSTEMS, |_| firm(rng));
    let mut numbers: Vec<u32> = (FIRST_SYSTEM..).take(SYSTEMS).collect();
    rng.shuffle(&mut numbers);
    let pairs = numbers.into_iter().zip(names);
    pairs
        .map(|(number, organization)| System {
            number,
            organization,
        })
        .collect()
}

/// As many different words; what is drawn twice is drawn again.
fn distinct(count: usize, mut draw: impl FnMut(usize) -> String) -> Vec<String> {
    let mut seen = HashSet::with_capacity(count);
    let mut words = Vec::with_capacity(count);
    while words.len() < count {
        let word = draw(words.len());
        if seen.insert(word.clone()) {
            words.push(word)
        }
    }
    words
}

fn firm(rng: &mut Rng) -> String {
    let name = capital(&name(rng, 2..4));
    format!("{name} {}", FIRMS[rng.usize(..FIRMS.len())])
}

fn name(rng: &mut Rng, syllables: std::ops::Range<usize>) -> String {
    let count = rng.usize(syllables);
    (0..count)
        .map(|_| SYLLABLES[rng.usize(..SYLLABLES.len())])
        .collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
