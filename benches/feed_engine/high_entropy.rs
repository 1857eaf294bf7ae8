//! A feed that repeats little: about 86 bytes a record after `gzip -5`, as measured on feeds from other sources.
//!
//! Tags, countries and autonomous systems are drawn evenly, entries and exits at random from the reserved block that the
//! generator uses, and every record has names of organizations and cities of its own. Dictionaries and repeated strings
//! help less here than on the generator's own feed, so this is the harder input for a pull.
//!
//! A record is a pure function of its number. Every record has a list of two different values at least, so that
//! [`reversed_lists`](super::reversed_lists) gives another line for each.

use std::{
    io::{self, Write},
    net::Ipv4Addr,
};

use fastrand::Rng;

use super::generator::{Generator, mix};

const SEED: u64 = 20_261_121;
const STATES: usize = 100;
const CONSONANTS: &[u8; 16] = b"bcdfghklmnprstvz";
const VOWELS: &[u8; 5] = b"aeiou";
const GEOHASH: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
const FIRMS: [&str; 8] = [
    "Telecom", "Networks", "Hosting", "GmbH", "S.A.", "Inc.", "B.V.", "LLC",
];
const INFRASTRUCTURES: [&str; 4] = ["DATACENTER", "MOBILE", "SATELLITE", "GOOGLE"];
const RISKS: [&str; 5] = [
    "CALLBACK_PROXY",
    "WEB_SCRAPING",
    "GEO_MISMATCH",
    "TUNNEL",
    "AD_FRAUD",
];
const SERVICES: [&str; 6] = ["OPENVPN", "IPSEC", "WIREGUARD", "SOCKS5", "SSH", "HTTP"];
const DEVICES: [&str; 4] = ["MOBILE", "DESKTOP", "HEADLESS", "IOT"];

/// The feed, with the words and addresses of a generator.
#[derive(Clone, Debug)]
pub(crate) struct HighEntropyFeed(pub(crate) Generator);

impl HighEntropyFeed {
    /// Appends the line of a number with its line end.
    pub(crate) fn line(&self, number: u64, into: &mut Vec<u8>) -> io::Result<()> {
        let words = self.0.words();
        let mut rng = Rng::with_seed(mix(SEED ^ mix(number)));
        let rng = &mut rng;
        let system = &words.systems[rng.usize(..words.systems.len())];
        write!(
            into,
            r#"{{"as":{{"number":{},"organization":"{}"}},"client":{{"#,
            system.number, system.organization
        )?;
        let residential = rng.bool();
        if residential {
            self.client(rng, into)?;
        }
        let infrastructure = INFRASTRUCTURES[rng.usize(..INFRASTRUCTURES.len())];
        let address = self.0.address(number);
        write!(
            into,
            r#"}},"infrastructure":"{infrastructure}","ip":"{address}","location":{{"city":"{}","country":"{}","state":"{}"}}"#,
            city(rng),
            self.country(rng),
            self.state(rng),
        )?;
        write!(into, r#","organization":"{}","risks":"#, organization(rng))?;
        let count = rng.usize(2..4);
        list(into, sample(rng, &RISKS, count))?;
        if !residential {
            into.extend_from_slice(br#","services":"#);
            let count = rng.usize(1..4);
            list(into, sample(rng, &SERVICES, count))?;
            self.tunnels(rng, into)?;
        }
        into.extend_from_slice(b"}\n");
        Ok(())
    }

    /// What is inside of `client`.
    fn client(&self, rng: &mut Rng, into: &mut Vec<u8>) -> io::Result<()> {
        if rng.bool() {
            write!(
                into,
                r#""concentration":{{"city":"{}","country":"{}","density":0.{},"geohash":"{}","skew":{},"state":"{}"}},"#,
                city(rng),
                self.country(rng),
                rng.u32(10..100),
                letters(rng, GEOHASH, 5),
                rng.u32(..1000),
                self.state(rng),
            )?;
        }
        let (count, countries) = (rng.u32(1..200), rng.u32(1..60));
        write!(
            into,
            r#""count":{count},"countries":{countries},"proxies":"#
        )?;
        let count = rng.usize(1..3);
        list(into, sample(rng, &self.0.words().tags, count))?;
        write!(into, r#","spread":{},"types":"#, rng.u32(..1 << 16))?;
        let count = rng.usize(2..4);
        list(into, sample(rng, &DEVICES, count))
    }

    /// One tunnel, or two in every sixteenth record.
    fn tunnels(&self, rng: &mut Rng, into: &mut Vec<u8>) -> io::Result<()> {
        into.extend_from_slice(br#","tunnels":["#);
        self.tunnel(rng, into)?;
        if rng.u8(..16) == 0 {
            into.push(b',');
            self.tunnel(rng, into)?;
        }
        into.push(b']');
        Ok(())
    }

    fn tunnel(&self, rng: &mut Rng, into: &mut Vec<u8>) -> io::Result<()> {
        let words = self.0.words();
        let tag = &words.tags[rng.usize(..words.tags.len())];
        let kind = tag.rsplit('_').next().unwrap_or_default();
        into.extend_from_slice(br#"{"anonymous":true,"entries":"#);
        let count = rng.usize(1..4);
        list(into, (0..count).map(|_| reserved(rng)))?;
        let exit = reserved(rng);
        write!(
            into,
            r#","exits":["{exit}"],"operator":"{tag}","type":"{kind}"}}"#
        )
    }

    fn country(&self, rng: &mut Rng) -> &str {
        let countries = &self.0.words().countries;
        &countries[rng.usize(..countries.len())]
    }

    fn state(&self, rng: &mut Rng) -> &str {
        &self.0.words().cities[rng.usize(..STATES)].state
    }
}

/// An address of 240.0.0.0/4.
fn reserved(rng: &mut Rng) -> Ipv4Addr {
    Ipv4Addr::from(0xf000_0000 | rng.u32(..1 << 28))
}

fn organization(rng: &mut Rng) -> String {
    let (first, second) = (name(rng, 2), name(rng, 2));
    format!("{first} {second} {}", FIRMS[rng.usize(..FIRMS.len())])
}

fn city(rng: &mut Rng) -> String {
    name(rng, 4)
}

/// So many syllables, the first letter a capital.
fn name(rng: &mut Rng, syllables: usize) -> String {
    let mut name: String = (0..syllables)
        .map(|_| letters(rng, CONSONANTS, 1) + &letters(rng, VOWELS, 1))
        .collect();
    name[..1].make_ascii_uppercase();
    name
}

fn letters(rng: &mut Rng, of: &[u8], count: usize) -> String {
    (0..count)
        .map(|_| char::from(of[rng.usize(..of.len())]))
        .collect()
}

/// So many different values, in random order.
fn sample<'a>(rng: &mut Rng, of: &'a [impl AsRef<str>], count: usize) -> Vec<&'a str> {
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count.min(of.len()) {
        let one = of[rng.usize(..of.len())].as_ref();
        if !drawn.contains(&one) {
            drawn.push(one)
        }
    }
    drawn
}

/// Writes a list of strings that need no escapes.
fn list(into: &mut Vec<u8>, items: impl IntoIterator<Item = impl ToString>) -> io::Result<()> {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    write!(into, r#"["{}"]"#, items.join(r#"",""#))
}
