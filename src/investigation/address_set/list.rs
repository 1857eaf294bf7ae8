//! Lists of addresses, networks and ranges, one in a line, as other programs write them.
//!
//! What programs read differently is refused with its line: zeros in front of a number (octal to some), a network with bits behind its
//! length (masked by some, dropped by others). Guessing would put other addresses into a set than its author meant.

use std::{
    io::{self, BufRead, BufReader, Read},
    net::IpAddr,
    path::Path,
};

use ipnet::IpNet;

use super::set::{AddressSet, AddressSetBuilder};
use crate::{
    engine::{Error, Kind, Result},
    model::{BadAddress, parse_subject, visible},
    store::index::leading_v4,
};

/// The longest line of a list, in bytes: a range of IPv6 with a comment is far shorter.
const LONGEST: u64 = 4096;
/// How much of a line that is refused is shown, in letters.
const SHOWN: usize = 60;

/// Reads a list. Empty lines and what follows `#` or `;` are passed over.
///
/// # Errors
/// [`Kind::Usage`] with the line that is no member of a list; [`Kind::Machine`] if it cannot be read.
pub fn read_list(text: impl Read, name: &str) -> Result<AddressSet> {
    let mut text = BufReader::with_capacity(1 << 20, text);
    let (mut line, mut number) = (Vec::new(), 0_u64);
    let mut set = AddressSetBuilder::default();
    loop {
        number += 1;
        line.clear();
        let read = text.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        match read {
            Ok(0) => return Ok(set.end()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(Error::new(Kind::Integrity, format!("{name}: {error}")));
            }
            Err(error) => return Err(Error::machine_at("read", Path::new(name), &error)),
        }
        let is_cut = line.len() as u64 == LONGEST && !line.ends_with(b"\n");
        if is_cut {
            text.skip_until(b'\n')
                .map_err(|error| Error::machine_at("read", Path::new(name), &error))?;
        }
        let member = member(&line);
        if is_cut && memchr::memchr2(b'#', b';', &line).is_none() {
            return Err(ListFault::TooLong.at(number, name, member));
        }
        if let Some(Err(fault)) = member.map(|member| add(member, &mut set)) {
            return Err(fault.at(number, name, member));
        }
    }
}

/// The member in a line, without blanks and what is said behind it.
fn member(line: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr2(b'#', b';', line).unwrap_or(line.len());
    // A mark of byte order may precede the first member.
    let member = line[..end].trim_ascii();
    let member = member.strip_prefix("\u{feff}".as_bytes()).unwrap_or(member);
    (!member.is_empty()).then_some(member)
}

/// Why a line is refused.
#[derive(Debug)]
enum ListFault {
    Bad(BadAddress),
    /// A network with bits behind its length.
    HostBits(IpNet),
    /// The second address of a range is before the first, or of the other family.
    Backwards,
    TooLong,
    Other,
}

/// An IPv4 address or network as it is usually written. Most lists have nothing else, and any other way to read it takes several times as
/// long.
fn usual(member: &[u8]) -> Option<IpNet> {
    let (address, rest) = leading_v4(member)?;
    let length = match rest {
        [] => return Some(IpAddr::V4(address).into()),
        [b'/', digit @ b'0'..=b'9'] => digit - b'0',
        [b'/', ten @ b'1'..=b'3', one @ b'0'..=b'9'] => 10 * (ten - b'0') + (one - b'0'),
        _ => return None,
    };
    let network = IpNet::new(address.into(), length).ok()?;
    (network == network.trunc()).then_some(network)
}

fn add(member: &[u8], set: &mut AddressSetBuilder) -> Result<(), ListFault> {
    if let Some(network) = usual(member) {
        set.add(network);
        return Ok(());
    }
    let text = str::from_utf8(member).map_err(|_| ListFault::Other)?;
    if let Ok(address) = text.parse::<IpAddr>() {
        set.add(address.into());
        return Ok(());
    }
    let length = text.split_once('/').map(|(_, length)| length);
    if length.is_some_and(|length| length.len() > 1 && length.starts_with('0')) {
        return Err(ListFault::Other);
    }
    if let Ok(network) = text.parse::<IpNet>() {
        if network != network.trunc() {
            return Err(ListFault::HostBits(network));
        }
        set.add(network);
        return Ok(());
    }
    let range = text.split_once('-');
    let ends = range.map(|(first, last)| (first.trim().parse(), last.trim().parse()));
    match ends {
        Some((Ok(first), Ok(last))) if set.add_range(first, last) => Ok(()),
        Some((Ok(_), Ok(_))) => Err(ListFault::Backwards),
        _ => Err(match parse_subject(text) {
            Err(BadAddress::Malformed(_)) | Ok(_) => ListFault::Other,
            Err(bad) => ListFault::Bad(bad),
        }),
    }
}

impl ListFault {
    fn at(self, number: u64, name: &str, member: Option<&[u8]>) -> Error {
        let text = String::from_utf8_lossy(member.unwrap_or_default());
        let shown: String = text.chars().take(SHOWN).collect();
        let shown = visible(&shown);
        let (what, hint) = match self {
            Self::Bad(bad) => (
                bad.to_string(),
                "programs would read it differently: write it out".to_owned(),
            ),
            Self::HostBits(network) => (
                format!("{shown:?} has bits behind its length"),
                format!(
                    "write {} for the network, or {} for the address",
                    network.trunc(),
                    network.addr()
                ),
            ),
            Self::Backwards => (
                format!("{shown:?} ends before it begins"),
                "write the lower address first".to_owned(),
            ),
            Self::TooLong => (
                format!("longer than {LONGEST} bytes"),
                "a list has an address, a network or a range in each line".to_owned(),
            ),
            Self::Other => (
                format!("{shown:?} is no address, network or range"),
                "a list has one in each line; `ipspect enrich FILE --format ids` gives the addresses of any text"
                    .to_owned(),
            ),
        };
        Error::new(Kind::Usage, format!("line {number} of {name}: {what}")).hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>> {
        let set = read_list(text.as_bytes(), "block.txt")?;
        Ok(set.networks().map(|network| network.to_string()).collect())
    }

    #[test]
    fn lists_of_other_programs_are_read() {
        for (text, expected) in [
            ("", &[][..]),
            ("# made by hand\n\n  ; nothing\n", &[]),
            (
                "\u{feff}198.51.100.7\r\n198.51.100.6\r\n",
                &["198.51.100.6/31"],
            ),
            (
                "198.51.100.0/25 ; a provider\n198.51.100.128/25# two",
                &["198.51.100.0/24"],
            ),
            (
                "198.51.100.9-198.51.100.11\n198.51.100.8",
                &["198.51.100.8/30"],
            ),
            (
                "2001:db8::2 - 2001:db8::3\n203.0.113.1",
                &["203.0.113.1/32", "2001:db8::2/127"],
            ),
            (
                "::ffff:198.51.100.7\n::ffff:203.0.113.0/120",
                &["198.51.100.7/32", "203.0.113.0/24"],
            ),
        ] {
            assert_eq!(read(text).expect(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_programs_read_differently_is_refused_with_its_line() {
        for (line, said) in [
            ("198.51.100.010", "zero-padded"),
            ("198.51.100.7/24", "bits behind its length"),
            ("2001:db8::1/32", "bits behind its length"),
            ("198.51.100/24", "no address, network or range"),
            ("198.51.100.9-198.51.100.8", "ends before it begins"),
            ("198.51.100.9-2001:db8::1", "ends before it begins"),
            ("198.51.100.0/33", "exceeds 32"),
            ("198.51.100.0/024", "no address, network or range"),
            ("2001:db8::/032", "no address, network or range"),
            ("fe80::1%eth0", "zone"),
            ("198.51.100.7 GET /", "no address, network or range"),
            ("\u{fffd}\u{1b}[2J", "no address, network or range"),
        ] {
            let error = read(&format!("203.0.113.7\n{line}\n")).expect_err(line);
            assert_eq!(error.kind, Kind::Usage);
            assert!(
                error.message.starts_with("line 2 of block.txt: "),
                "{error}"
            );
            assert!(error.message.contains(said), "{error}");
        }
        let long = format!("198.51.100.7 # {}\n198.51.100.6", "9".repeat(5000));
        assert_eq!(read(&long).expect("a comment"), ["198.51.100.6/31"]);
        let blanks = " ".repeat(5000);
        for long in [
            format!("{}198.51.100.7", "9".repeat(5000)),
            format!("198.51.100.7{blanks}, 203.0.113.7"),
            format!("{blanks}198.51.100.7"),
        ] {
            let error = read(&long).expect_err("a long line");
            let said = "line 1 of block.txt: longer than";
            assert!(error.message.starts_with(said), "{error}");
        }
    }
}
