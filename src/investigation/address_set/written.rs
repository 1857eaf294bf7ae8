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
use crate::engine::{Error, Kind, Result};

/// The end of the name of a trigger.
const TRIGGER: &str = ".rpz-ip";

/// Reads the entries of a list.
///
/// # Errors
/// [`Kind::Usage`] for a text without any; [`Kind::Machine`] if it cannot be read.
pub fn read_written(text: impl Read, name: &str) -> Result<AddressSet> {
    let mut text = BufReader::with_capacity(1 << 20, text);
    let mut set = AddressSetBuilder::default();
    let (mut line, mut has_any) = (Vec::new(), false);
    loop {
        line.clear();
        let read = text.read_until(b'\n', &mut line);
        if read.map_err(|error| Error::machine_at("read", Path::new(name), &error))? == 0 {
            break;
        }
        has_any |= add_line(&String::from_utf8_lossy(&line), &mut set);
    }
    if has_any {
        return Ok(set.end());
    }
    let message = format!("no line of {name} has an address or a network");
    Err(Error::new(Kind::Usage, message).hint("name a list that was written before"))
}

/// Adds the entries of a line; whether it has any.
fn add_line(line: &str, set: &mut AddressSetBuilder) -> bool {
    let is_sign = |letter: char| letter.is_whitespace() || ",;{}[]()='\"".contains(letter);
    let line = line.trim_start_matches('\u{feff}').trim_start();
    // A remark.
    if line.starts_with(['#', ';']) {
        return false;
    }
    let line = line.split('#').next().unwrap_or_default();
    let begins = line
        .split(is_sign)
        .next()
        .is_some_and(|word| add(word, set));
    // What is behind such an entry is about it.
    if begins {
        return true;
    }
    let mut has_any = false;
    for word in line.split(is_sign) {
        has_any |= add(word, set);
    }
    has_any
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
    if let Some(network) = word.parse::<IpNet>().ok().or_else(|| trigger(word)) {
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
        let set = read_written(text.as_bytes(), "old").expect(text);
        set.networks().map(|network| network.to_string()).collect()
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
        let error = read_written("# made today\n".as_bytes(), "old").expect_err("no entry");
        assert_eq!(error.kind, Kind::Usage);
    }
}
