//! A list in its form.

use std::{fmt::Write as _, net::Ipv6Addr};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::form::BlockForm;
use crate::{
    engine::Family,
    model::{Day, Subject},
};

/// Where the addresses of a list are from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOrigin {
    /// The feed; none for addresses that were given.
    pub feed: Option<String>,
    /// The day of its release.
    pub release: Option<Day>,
    pub filter: String,
}

/// A list that is written in a form.
#[derive(Debug)]
pub struct BlockList<'a> {
    pub form: &'static BlockForm,
    /// What its sets are called.
    pub name: &'a str,
    pub origin: &'a ListOrigin,
    /// The day of its release, or on which it was written.
    pub day: Day,
    /// How long an entry holds, in seconds, and until when.
    pub holds: Option<(u64, Timestamp)>,
    /// What is done with a match, where the form says it.
    pub action: Option<&'a str>,
    /// The families that it speaks of: one without entries is emptied where it is a set.
    pub families: &'a [Family],
    /// The serial number of a zone; else the first of its day.
    pub serial: Option<u32>,
}

/// The names in braces of a template, each with what it stands for.
type Names<'n> = [(&'n str, &'n str)];

impl BlockList<'_> {
    /// Writes the list of these networks, which are disjoint, IPv4 first.
    ///
    /// # Errors
    /// What `put` returns.
    pub fn write<E>(
        &self,
        networks: impl IntoIterator<Item = IpNet>,
        mut put: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut networks = networks.into_iter().flat_map(halves).peekable();
        let form = self.form;
        let mut text = String::new();
        if let Some(comment) = form.comment {
            let _ = writeln!(text, "{comment} {}", self.about());
        }
        self.fill(form.head, &[], &mut text);
        // Lines go on from one family to the next where nothing is between these.
        let is_one = form.opening.is_empty() && form.closing.is_empty();
        let mut in_line = 0;
        for family in self.families {
            let names = names_of(*family);
            self.fill(form.opening, &names, &mut text);
            let entry = form.expiring.filter(|_| self.holds.is_some());
            let entry = entry.unwrap_or(form.entry);
            while let Some(network) =
                networks.next_if(|network| Family::of(Subject::Network(*network)) == *family)
            {
                let place = if in_line == 0 {
                    form.lines.begin
                } else {
                    form.lines.between
                };
                self.fill(place, &names, &mut text);
                self.entry(entry, network, &names, &mut text);
                in_line += 1;
                if in_line == form.lines.most {
                    text.push_str(form.lines.end);
                    in_line = 0;
                }
                if text.len() > PAGE {
                    put(&text)?;
                    text.clear();
                }
            }
            if in_line > 0 && !is_one {
                text.push_str(form.lines.end);
                in_line = 0;
            }
            self.fill(form.closing, &names, &mut text);
        }
        if in_line > 0 {
            text.push_str(form.lines.end);
        }
        self.fill(form.tail, &[], &mut text);
        put(&text)
    }

    /// A command of the form for a file.
    #[must_use]
    pub fn command(&self, template: &str, file: &str) -> String {
        let mut text = String::new();
        self.fill(template, &[("file", file)], &mut text);
        text
    }

    /// When this version was made: at the begin of the day of its release; with an end when that was set.
    fn modified(&self) -> Timestamp {
        let lasting = |seconds: u64| i64::try_from(seconds).map(SignedDuration::from_secs);
        let made = self
            .holds
            .and_then(|(seconds, until)| until.checked_sub(lasting(seconds).ok()?).ok());
        made.unwrap_or_else(|| self.day.at(0, 0))
    }

    /// What the list is, in a line of ASCII.
    fn about(&self) -> String {
        let mut text = "ipspect".to_owned();
        let release = self.origin.release.map(Day::dashed);
        let words = [
            self.origin.feed.as_deref(),
            release.as_deref(),
            Some(&*self.origin.filter),
        ];
        for word in words.into_iter().flatten().filter(|word| !word.is_empty()) {
            text.push(' ');
            text.extend(word.chars().map(|letter| match letter {
                ' '..='~' => letter,
                _ => '?',
            }));
        }
        if let Some((_, until)) = self.holds {
            let _ = write!(text, " until {until}");
        }
        text
    }

    fn entry(&self, template: &str, network: IpNet, names: &Names<'_>, text: &mut String) {
        if template == "{network}" {
            return push_network(network, text);
        }
        let mut short = String::new();
        push_network(network, &mut short);
        let mut all = names.to_vec();
        let is_asked = |name: &str| template.contains(name);
        let made = [
            ("cidr", is_asked("{cidr}").then(|| network.to_string())),
            ("rpz", is_asked("{rpz}").then(|| rpz(network))),
            ("pattern", is_asked("{pattern}").then(|| pattern(network))),
            ("uuid", is_asked("{uuid}").then(|| self.uuid(&short))),
        ];
        all.push(("network", &*short));
        let made = made
            .iter()
            .filter_map(|(name, text)| Some((*name, text.as_deref()?)));
        all.extend(made);
        self.fill(template, &all, text);
    }

    /// The id of something in this list: the same in each release of a feed.
    fn uuid(&self, of: &str) -> String {
        let feed = self.origin.feed.as_deref().unwrap_or_default();
        uuid_of(&format!("{feed} {of}"))
    }

    /// Appends a template, with what its names stand for.
    fn fill(&self, template: &str, names: &Names<'_>, text: &mut String) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let name = after.split_once('}').filter(|(name, _)| {
                let is_of_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
                !name.is_empty() && name.bytes().all(is_of_name)
            });
            let Some((name, after)) = name else {
                // A brace of the form itself.
                text.push('{');
                rest = after;
                continue;
            };
            rest = after;
            if let Some((_, value)) = names.iter().find(|(known, _)| *known == name) {
                text.push_str(value);
                continue;
            }
            let _ = match name {
                "name" => text.write_str(self.name),
                "feed" => text.write_str(self.origin.feed.as_deref().unwrap_or_default()),
                "source" => text.write_str(self.origin.feed.as_deref().unwrap_or("a list")),
                "release" => match self.origin.release {
                    Some(day) => text.write_str(&day.dashed()),
                    None => Ok(()),
                },
                "day" => text.write_str(&self.day.dashed()),
                "serial" => match self.serial {
                    Some(number) => write!(text, "{number}"),
                    None => write!(text, "{}00", self.day),
                },
                "action" => text.write_str(self.action.or(self.form.action).unwrap_or_default()),
                "seconds_modified" => write!(text, "{}", self.modified().as_second()),
                "modified" => write!(text, "{:.3}", self.modified()),
                "list" => text.write_str(&self.uuid(self.name)),
                "maker" => text.write_str(&uuid_of("ipspect")),
                "seconds" => write!(text, "{}", self.holds.map_or(0, |(seconds, _)| seconds)),
                "until" => match self.holds {
                    Some((_, until)) => write!(text, "{until}"),
                    None => Ok(()),
                },
                // A test holds that no form has another name.
                _ => write!(text, "{{{name}}}"),
            };
        }
        text.push_str(rest);
    }
}

/// The id of a text: the same whenever it is made.
fn uuid_of(text: &str) -> String {
    /// The ids of this program are of names of its own.
    const OWN: Uuid = Uuid::from_u128(0x6f2b_3c1e_5d47_5a8e_9b0c_7e41_d2a3_f865);
    Uuid::new_v5(&OWN, text.as_bytes()).to_string()
}

/// What STIX compares an address with: many readers know one value only.
fn pattern(network: IpNet) -> String {
    if network.prefix_len() == network.max_prefix_len() {
        format!("= '{}'", network.addr())
    } else {
        format!("ISSUBSET '{network}'")
    }
}

/// How much text is put at a time, in bytes.
const PAGE: usize = 1 << 16;

/// What templates say of a family.
fn names_of(family: Family) -> [(&'static str, &'static str); 3] {
    match family {
        Family::V4 => [("family", "4"), ("inet", "inet"), ("ip", "ip")],
        Family::V6 => [("family", "6"), ("inet", "inet6"), ("ip", "ipv6")],
    }
}

/// Appends a network, an address without its length. There may be millions: of IPv4 each digit is put by itself.
pub fn push_network(network: IpNet, text: &mut String) {
    match network {
        IpNet::V4(network) => {
            for (at, octet) in network.addr().octets().into_iter().enumerate() {
                if at > 0 {
                    text.push('.');
                }
                push_number(octet, text);
            }
        }
        // Writing to memory does not fail.
        IpNet::V6(network) => drop(write!(text, "{}", network.addr())),
    }
    if network.prefix_len() < network.max_prefix_len() {
        text.push('/');
        push_number(network.prefix_len(), text);
    }
}

fn push_number(number: u8, text: &mut String) {
    let digits = [number / 100, number / 10 % 10, number % 10];
    let from = digits.iter().position(|digit| *digit > 0).unwrap_or(2);
    text.extend(digits[from..].iter().map(|digit| char::from(b'0' + digit)));
}

/// A network, the whole of a family as two halves: ipset and zones have no length 0.
fn halves(network: IpNet) -> impl Iterator<Item = IpNet> {
    let halves = (network.prefix_len() == 0).then(|| network.subnets(1));
    let halves = halves.and_then(Result::ok);
    let whole = halves.is_none().then_some(network);
    whole.into_iter().chain(halves.into_iter().flatten())
}

/// A network as a trigger of a response policy zone: the length, then the parts from the last one on, with `zz` for the longest run of
/// zeros. BIND drops what is written in another way.
fn rpz(network: IpNet) -> String {
    let mut text = network.prefix_len().to_string();
    match network {
        IpNet::V4(network) => {
            for part in network.network().octets().iter().rev() {
                let _ = write!(text, ".{part}");
            }
        }
        IpNet::V6(network) => {
            let parts = reversed(network.network());
            for part in parts {
                text.push('.');
                text.push_str(&part);
            }
        }
    }
    text + ".rpz-ip"
}

/// The parts of an address from the last one on, the longest run of two zeros and more as `zz`; of two the first of the address.
fn reversed(address: Ipv6Addr) -> Vec<String> {
    let parts = address.segments();
    let runs = (0..8).map(|from| {
        let length = parts[from..].iter().take_while(|part| **part == 0).count();
        (from, length)
    });
    let mut longest = (0, 1);
    for (from, length) in runs {
        if length > longest.1 {
            longest = (from, length);
        }
    }
    let (from, length) = longest;
    let mut words = Vec::new();
    let mut at = 0;
    while at < 8 {
        if length > 1 && at == from {
            words.push("zz".to_owned());
            at += length;
        } else {
            words.push(format!("{:x}", parts[at]));
            at += 1;
        }
    }
    words.reverse();
    words
}

#[cfg(test)]
mod tests;
