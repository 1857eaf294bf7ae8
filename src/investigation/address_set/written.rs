//! The addresses of a list in any form in which lists are written, by this program and by others.
//!
//! An entry stands between blanks and the signs around values: `add element … { 192.0.2.0/25 timeout 3d, … }`, `192.0.2.0/25 1;`,
//! `address=192.0.2.0/25`, `"network":"192.0.2.0/25"`, or is the name of a trigger of a zone, `25.0.2.0.192.rpz-ip`. This is for
//! comparisons: what has no entry is passed over.

use std::{
    io::{BufRead, BufReader, Read},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::Path,
};

use ipnet::IpNet;

use super::set::{AddressSet, AddressSetBuilder};
use crate::{
    engine::{Error, Result},
    model::{counted, visible},
};

/// The end of the name of a trigger.
const TRIGGER: &str = ".rpz-ip";

/// A list as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenList {
    pub set: AddressSet,
    pub has_entries: bool,
    /// Words that look like addresses and are none, or that stand behind one: how many, and the line and text of the first.
    pub unread: u64,
    pub first: Option<(u64, String)>,
}

impl WrittenList {
    /// What of it was not read, in words; `None` where all was.
    #[must_use]
    pub fn unread_in_words(&self, name: &str) -> Option<String> {
        let (line, text) = self.first.as_ref()?;
        let text: String = text.chars().take(60).collect();
        let words = counted(self.unread, "entry");
        Some(format!(
            "{words} of {} not read, the first in line {line}: {:?}",
            visible(name),
            visible(&text)
        ))
    }
}

/// Reads the entries of a list.
///
/// # Errors
/// [`Kind::Machine`](crate::engine::Kind::Machine) if it cannot be read.
pub fn read_written(text: impl Read, name: &str) -> Result<WrittenList> {
    let mut text = BufReader::with_capacity(1 << 20, text);
    let mut set = AddressSetBuilder::default();
    let mut list = WrittenList::default();
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        let read = text.read_until(b'\n', &mut line);
        if read.map_err(|error| Error::machine_at("read", Path::new(name), &error))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        for word in entries(&line, |word| add(word, &mut set)) {
            match word {
                Ok(()) => list.has_entries = true,
                Err(text) => {
                    list.unread += 1;
                    list.first.get_or_insert_with(|| (number, text.to_owned()));
                }
            }
        }
    }
    list.set = set.end();
    Ok(list)
}

/// The entries of a line that are added, and the words that look like some and are not.
fn entries(line: &str, mut add: impl FnMut(&str) -> bool) -> Vec<Result<(), &str>> {
    let is_sign = |letter: char| letter.is_whitespace() || ",;{}[]()='\"".contains(letter);
    let line = line.trim_start_matches('\u{feff}').trim_start();
    // A remark.
    if line.starts_with(['#', ';']) {
        return Vec::new();
    }
    let line = line.split('#').next().unwrap_or_default();
    let words = line.split(is_sign).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    // What is behind an entry that begins a line is about it.
    let is_alone = words.clone().next().is_some_and(looks_like_one);
    for word in words {
        if is_alone && !found.is_empty() {
            found.extend(looks_like_one(word).then_some(Err(word)));
        } else if add(word) {
            found.push(Ok(()));
        } else if looks_like_one(word) {
            found.push(Err(word));
        }
    }
    found
}

/// Whether a word has the letters of an address or a network and no others.
fn looks_like_one(word: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_hexdigit() || b".:/-".contains(byte);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let dots = word.bytes().filter(|byte| *byte == b'.').count();
    let colons = word.bytes().filter(|byte| *byte == b':').count();
    word.bytes().all(|byte| is_letter(&byte)) && digits > 0 && (dots >= 3 || colons >= 2)
}

/// Adds an entry; whether it is one.
fn add(word: &str, set: &mut AddressSetBuilder) -> bool {
    // What cannot be one is passed over before it is read thrice.
    if !word.contains(['.', ':']) {
        return false;
    }
    if let Ok(address) = word.parse::<IpAddr>() {
        set.add(address.into());
        return true;
    }
    let network = word.parse::<IpNet>().ok().or_else(|| trigger(word));
    // Some programs mask what is behind the length, others drop the entry.
    if let Some(network) = network.filter(|network| *network == network.trunc()) {
        set.add(network);
        return true;
    }
    let ends = word.split_once('-');
    let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    ends.is_some_and(|(first, last)| set.add_range(first, last))
}

/// The network of the name of a trigger: its length, then the parts of the address from the last one on, `zz` for zeros.
fn trigger(name: &str) -> Option<IpNet> {
    let (name, _) = name.split_once(TRIGGER)?;
    let (length, parts) = name.split_once('.')?;
    let parts: Vec<&str> = parts.rsplit('.').collect();
    let numbers: Option<Vec<u8>> = parts.iter().map(|part| part.parse().ok()).collect();
    let octets = numbers.and_then(|numbers| <[u8; 4]>::try_from(numbers).ok());
    let address = match octets {
        Some(octets) => Ipv4Addr::from(octets).into(),
        None => reversed(&parts)?.into(),
    };
    IpNet::new(address, length.parse().ok()?).ok()
}

/// The address of these parts, one of which may be `zz` for as many zeros as are missing.
fn reversed(parts: &[&str]) -> Option<Ipv6Addr> {
    let missing = 9_usize.checked_sub(parts.len())?;
    let mut segments = Vec::new();
    for part in parts {
        if *part == "zz" {
            segments.resize(segments.len() + missing, 0);
        } else {
            segments.push(u16::from_str_radix(part, 16).ok()?);
        }
    }
    <[u16; 8]>::try_from(segments).ok().map(Ipv6Addr::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let list = read_written(text.as_bytes(), "old").expect(text);
        list.set
            .networks()
            .map(|network| network.to_string())
            .collect()
    }

    #[test]
    fn entries_stand_between_signs() {
        for (text, expected) in [
            (
                "# 203.0.113.1\n198.51.100.0/25 1; # 203.0.113.2\n",
                &["198.51.100.0/25"][..],
            ),
            (
                "198.51.100.7 REJECT asked of 203.0.113.1\n",
                &["198.51.100.7/32"],
            ),
            (
                "add element inet ipspect a4 { 198.51.100.0/25 timeout 60s, 198.51.100.129 }\n",
                &["198.51.100.0/25", "198.51.100.129/32"],
            ),
            (
                "/ip firewall address-list add list=a address=198.51.100.7 timeout=3d",
                &["198.51.100.7/32"],
            ),
            ("{\"network\":\"2001:db8::/48\"}\n", &["2001:db8::/48"]),
            ("a 198.51.100.4-198.51.100.7", &["198.51.100.4/30"]),
            (
                "24.0.100.51.198.rpz-ip CNAME .\n48.zz.db8.2001.rpz-ip CNAME .\n128.1.zz.rpz-ip.a. CNAME .",
                &["198.51.100.0/24", "::1/128", "2001:db8::/48"],
            ),
            (
                "120.zz.1.zz.rpz-ip\n3.zz.rpz-ip\n198.51.100.7",
                &["198.51.100.7/32", "::/3"],
            ),
            (
                "128.7.zz.1.0.db8.2001.rpz-ip CNAME .",
                &["2001:db8:0:1::7/128"],
            ),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
        let none = read_written("# made today\n".as_bytes(), "old").expect("a text");
        assert_eq!(none, WrittenList::default());
    }

    #[test]
    fn what_looks_like_an_entry_and_is_none_is_counted() {
        for (text, unread, entries) in [
            ("198.51.100.065\n198.51.100.7\n", 1, 1),
            ("198.51.100.0/33\n", 1, 0),
            ("198.51.100.7/24\n", 1, 0),
            ("198.51.100.9-198.51.100.1\n", 1, 0),
            ("198.51.100.7,198.51.100.9\n", 1, 1),
            (
                "198.51.100.7,anonymous,2026-11-29,2026-12-02T00:00:00Z\n",
                0,
                1,
            ),
            (
                "$TTL 300\n@ SOA localhost. hostmaster.localhost. 2026112900 3600 600 86400 300\n",
                0,
                0,
            ),
            ("hello\n{\"created\":\"1970-01-01T00:00:00.000Z\"}\n", 0, 0),
        ] {
            let list = read_written(text.as_bytes(), "old").expect("a text");
            assert_eq!((list.unread, list.set.len()), (unread, entries), "{text}");
            assert_eq!(list.unread_in_words("old").is_some(), unread > 0);
        }
    }
}
