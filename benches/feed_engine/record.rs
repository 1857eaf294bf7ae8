//! One invented record, written as the feeds write them.

use std::{io::Write, net::Ipv4Addr};

use fastrand::Rng;
use ipnet::Ipv6Net;

use super::{
    skewed,
    vocabulary::{GEOHASH, SYSTEMS, Vocabulary},
};

const INFRASTRUCTURES: [&str; 4] = ["DATACENTER", "GOOGLE", "SATELLITE", "IN_FLIGHT_WIFI"];
const RISKS: [&str; 6] = [
    "CALLBACK_PROXY",
    "WEB_SCRAPING",
    "GEO_MISMATCH",
    "TUNNEL",
    "LOGIN_BRUTEFORCE",
    "AD_FRAUD",
];
const SERVICES: [&str; 8] = [
    "OPENVPN",
    "IPSEC",
    "WIREGUARD",
    "SOCKS5",
    "SSH",
    "HTTP",
    "3PROXY",
    "PPTP",
];
const BEHAVIORS: [&str; 4] = [
    "FILE_SHARING",
    "TOR_PROXY_USER",
    "BOREALIS_VPN_USER",
    "GAMING",
];
const DEVICES: [&str; 4] = ["MOBILE", "DESKTOP", "HEADLESS", "IOT"];

/// What an address mostly is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// A home or phone with a proxy on some device.
    Home,
    /// The exit of a service in a datacenter.
    Exit,
    /// A proxy that nobody is known to run.
    Unattributed,
    /// Nothing known but where it is.
    Plain,
}

/// A record being written.
pub(super) struct Record<'a> {
    rng: Rng,
    words: &'a Vocabulary,
    into: &'a mut Vec<u8>,
    nature: Nature,
    /// Which city, network and operator.
    city: usize,
    system: usize,
    tag: usize,
}

impl<'a> Record<'a> {
    /// A record that these throws of dice say.
    pub(super) fn new(mut rng: Rng, words: &'a Vocabulary, into: &'a mut Vec<u8>) -> Self {
        let nature = match rng.u8(..100) {
            0..55 => Nature::Home,
            55..88 => Nature::Exit,
            88..97 => Nature::Unattributed,
            _ => Nature::Plain,
        };
        let system = skewed(&mut rng, SYSTEMS);
        // A network is mostly in few cities.
        let near = skewed(&mut rng, 300) + system * 7;
        Self {
            nature,
            city: near % words.cities.len(),
            system,
            tag: skewed(&mut rng, words.tags.len()),
            rng,
            words,
            into,
        }
    }

    /// Writes it as the record of an address.
    pub(super) fn of_address(&mut self, address: Ipv4Addr) {
        self.before();
        let mut dotted = address.octets().into_iter();
        self.put(r#","ip":""#);
        self.number(dotted.next().unwrap_or_default());
        for octet in dotted {
            self.put(".");
            self.number(octet);
        }
        self.put(r#"""#);
        self.behind(Some(address));
    }

    /// Writes it as the record of a network.
    pub(super) fn of_network(&mut self, network: Ipv6Net) {
        self.before();
        // Writing to memory does not fail.
        let _ = write!(self.into, r#","network":"{network}""#);
        self.behind(None);
    }

    /// What precedes the address, in the order of the alphabet.
    fn before(&mut self) {
        let words = self.words;
        let system = &words.systems[self.system];
        self.put(r#"{"as":{"number":"#);
        self.number(system.number);
        self.put(r#","organization":""#);
        self.put(&system.organization);
        self.put(r#""},"client":{"#);
        self.client();
        self.put("}");
        match self.nature {
            Nature::Exit => {
                let mut kind = 0;
                if self.one_in(12) {
                    kind = skewed(&mut self.rng, INFRASTRUCTURES.len());
                }
                self.text("infrastructure", INFRASTRUCTURES[kind]);
            }
            Nature::Home => {
                if self.one_in(5) {
                    self.text("infrastructure", "MOBILE");
                }
            }
            Nature::Unattributed | Nature::Plain => {}
        }
    }

    fn client(&mut self) {
        let start = self.into.len();
        let home = self.nature == Nature::Home;
        if self.nature == Nature::Plain || (!home && self.one_in(4)) {
            return;
        }
        if home && self.one_in(3) {
            self.list("behaviors", &BEHAVIORS, 2);
        }
        if home || self.one_in(3) {
            self.concentration();
        }
        let power = self.rng.u32(..if home { 7 } else { 12 });
        let count = (1_u32 << power) + self.rng.u32(..1 << power);
        self.put(r#","count":"#);
        self.number(count);
        self.put(r#","countries":"#);
        let countries = 1 + skewed(&mut self.rng, (count as usize).min(60));
        self.number(u32::try_from(countries).unwrap_or(1));
        if home {
            self.proxies();
        }
        self.put(r#","spread":"#);
        let spread = self.rng.u32(..) >> self.rng.u32(8..26);
        self.number(spread);
        if home || self.one_in(2) {
            self.list("types", &DEVICES, 2);
        }
        // Whatever came first has a comma before it.
        self.into.remove(start);
    }

    fn concentration(&mut self) {
        let mut city = self.city;
        if self.one_in(6) {
            city = skewed(&mut self.rng, self.words.cities.len());
        }
        let words = self.words;
        let place = &words.cities[city];
        self.put(r#","concentration":{"city":""#);
        self.put(&place.name);
        self.put(r#"","country":""#);
        self.put(&words.countries[place.country]);
        self.put(r#"","density":"#);
        if self.one_in(8) {
            self.put("1");
        } else {
            self.put("0.");
            let digits = self.rng.u32(1000..10_000);
            self.number(digits);
        }
        self.put(r#","geohash":""#);
        let letters = self.rng.usize(3..=5);
        self.put(&place.geohash[..letters]);
        if self.one_in(2) {
            let letter = GEOHASH[self.rng.usize(..32)];
            self.into.push(letter);
        }
        self.put(r#"","skew":"#);
        let skew = self.rng.u32(..16_000) >> self.rng.u32(..10);
        self.number(skew);
        self.text("state", &place.state);
        self.put("}");
    }

    fn proxies(&mut self) {
        let words = self.words;
        // Mostly one or two, at times eight.
        let most = 1 + skewed(&mut self.rng, 8);
        let count = 1 + skewed(&mut self.rng, most);
        self.put(r#","proxies":["#);
        for one in 0..count {
            let tag = match one {
                0 => self.tag,
                _ => skewed(&mut self.rng, words.tags.len()),
            };
            self.put(if one == 0 { "\"" } else { ",\"" });
            self.put(&words.tags[tag]);
            self.put("\"");
        }
        self.put("]");
    }

    /// What follows the address.
    fn behind(&mut self, address: Option<Ipv4Addr>) {
        let words = self.words;
        let place = &words.cities[self.city];
        self.put(r#","location":{"#);
        if !self.one_in(8) {
            self.put(r#""city":""#);
            self.put(&place.name);
            self.put(r#"","#);
        }
        self.put(r#""country":""#);
        self.put(&words.countries[place.country]);
        self.put("\"");
        if !self.one_in(8) {
            self.text("state", &place.state);
        }
        self.put("}");
        if self.nature != Nature::Home || self.one_in(3) {
            let mut rank = self.system * 2;
            if self.one_in(2) {
                rank = skewed(&mut self.rng, words.customers.len());
            }
            self.text("organization", &words.customers[rank]);
        }
        match self.nature {
            Nature::Plain => {}
            Nature::Home => self.list("risks", &RISKS, 3),
            _ => self.list("risks", &RISKS[2..4], 2),
        }
        match self.nature {
            Nature::Exit => self.list("services", &SERVICES, 4),
            Nature::Unattributed => self.put(r#","services":[]"#),
            Nature::Home | Nature::Plain => {}
        }
        match self.nature {
            Nature::Exit => self.tunnels(address),
            Nature::Unattributed => {
                self.put(r#","tunnels":[{"anonymous":true,"type":"PROXY"}]"#);
            }
            Nature::Home | Nature::Plain => {}
        }
        self.put("}\n");
    }

    fn tunnels(&mut self, address: Option<Ipv4Addr>) {
        let count = 1 + skewed(&mut self.rng, 3);
        self.put(r#","tunnels":["#);
        for one in 0..count {
            let tag = self.tag + one * 11;
            self.put(if one == 0 { "{" } else { ",{" });
            let anonymous = !self.one_in(9);
            self.put(r#""anonymous":"#);
            self.put(if anonymous { "true" } else { "false" });
            if self.rng.u8(..100) < 60 {
                self.entries(tag);
                if let Some(address) = address {
                    let _ = write!(self.into, r#","exits":["{address}"]"#);
                }
            }
            let words = self.words;
            let tag = &words.tags[tag % words.tags.len()];
            self.text("operator", tag);
            self.text(
                "type",
                if tag.ends_with("_VPN") {
                    "VPN"
                } else {
                    "PROXY"
                },
            );
            self.put("}");
        }
        self.put("]");
    }

    /// Entries lie in the range for benchmarks, some for each service.
    fn entries(&mut self, tag: usize) {
        let count = 1 + skewed(&mut self.rng, 4);
        self.put(r#","entries":["#);
        for one in 0..count {
            let host = (tag * 97 + skewed(&mut self.rng, 200) + one * 3) & 0x1_ffff;
            self.put(if one == 0 { "\"198." } else { ",\"198." });
            for (octet, end) in [
                (18 + (host >> 16), "."),
                (host >> 8 & 255, "."),
                (host & 255, "\""),
            ] {
                self.number(u32::try_from(octet).unwrap_or(0));
                self.put(end);
            }
        }
        self.put("]");
    }

    /// An array of some of these words, each once, beginning anywhere.
    fn list(&mut self, key: &str, words: &[&str], most: usize) {
        let count = 1 + skewed(&mut self.rng, most);
        let first = skewed(&mut self.rng, words.len());
        self.key(key);
        for one in 0..count.min(words.len()) {
            self.put(if one == 0 { "[\"" } else { ",\"" });
            self.put(words[(first + one) % words.len()]);
            self.put("\"");
        }
        self.put("]");
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.put("\"");
        self.put(text);
        self.put("\"");
    }

    fn key(&mut self, key: &str) {
        self.put(",\"");
        self.put(key);
        self.put("\":");
    }

    fn number(&mut self, number: impl Into<u32>) {
        let mut number = number.into();
        let mut digits = [0; 10];
        let mut first = digits.len();
        loop {
            first -= 1;
            // A digit is less than ten.
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.into.extend_from_slice(&digits[first..]);
    }

    fn put(&mut self, text: &str) {
        self.into.extend_from_slice(text.as_bytes());
    }

    fn one_in(&mut self, many: u8) -> bool {
        self.rng.u8(..many) == 0
    }
}
