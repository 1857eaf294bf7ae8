//! Whose address it is, by what is beside it in a line: a key, a word such as `from`, an arrow.

use std::ops::Range;

use super::role::{AddressRole, FieldRole, role_of_name};

/// The most bytes before an address that are looked at.
const NEAR: usize = 64;

/// The most words before an address that say nothing by themselves.
const NEUTRAL_WORDS: usize = 2;

/// Words between the one that says whose it is, and the address.
const NEUTRAL: [&str; 17] = [
    "ip", "ips", "addr", "address", "host", "hostname", "the", "a", "an", "ipv4", "ipv6", "node",
    "unknown", "rhost", "port", "at", "is",
];

/// Terminals of people who logged in.
const TERMINALS: [&str; 4] = ["vty", "pts/", "tty", "console"];

/// Words of prose; keys have more.
const PROSE: [(&str, AddressRole); 21] = [
    ("from", AddressRole::Source),
    ("client", AddressRole::Source),
    ("peer", AddressRole::Source),
    ("remote", AddressRole::Source),
    ("src", AddressRole::Source),
    ("source", AddressRole::Source),
    ("faddr", AddressRole::Source),
    ("rhost", AddressRole::Source),
    ("to", AddressRole::Destination),
    ("dst", AddressRole::Destination),
    ("destination", AddressRole::Destination),
    ("server", AddressRole::Destination),
    ("upstream", AddressRole::Destination),
    ("against", AddressRole::Destination),
    ("towards", AddressRole::Destination),
    ("by", AddressRole::Own),
    ("on", AddressRole::Own),
    ("gaddr", AddressRole::Own),
    ("laddr", AddressRole::Own),
    ("local", AddressRole::Own),
    ("via", AddressRole::Proxy),
];

/// Commands that go to an address.
const COMMANDS: [&str; 14] = [
    "ssh",
    "scp",
    "sftp",
    "curl",
    "wget",
    "nc",
    "ncat",
    "ping",
    "nmap",
    "telnet",
    "rsync",
    "traceroute",
    "mtr",
    "dig",
];

/// The first words of lines about sockets, which have the own address first.
const SOCKETS: [&str; 14] = [
    "tcp",
    "tcp4",
    "tcp6",
    "udp",
    "udp4",
    "udp6",
    "ESTAB",
    "LISTEN",
    "UNCONN",
    "TIME-WAIT",
    "SYN-SENT",
    "SYN-RECV",
    "CLOSE-WAIT",
    "FIN-WAIT-1",
];

/// What is beside an address at this place of a row; whether it is the first one there.
#[must_use]
pub fn role_at(row: &[u8], place: &Range<usize>, is_first: bool) -> AddressRole {
    let start = row[..place.start].len().saturating_sub(NEAR);
    let near = &row[start..place.start];
    let near = &near[memchr::memrchr(b'\n', near).map_or(0, |at| at + 1)..];
    let command = command_of(row, place.start);
    if COMMANDS.iter().any(|own| own.as_bytes() == command) {
        return AddressRole::Destination;
    }
    if is_first && SOCKETS.iter().any(|own| own.as_bytes() == command) {
        return AddressRole::Own;
    }
    if let Some(own) = near.strip_suffix(b"://").or(near.strip_suffix(b"://[")) {
        // The host of an URL, which an address before it asked for.
        return by_words(own).unwrap_or(if is_first {
            AddressRole::Unknown
        } else {
            AddressRole::Destination
        });
    }
    if memchr::memmem::find(near, b"(ADDRESS=").is_some() {
        return AddressRole::Source;
    }
    if let Some(role) = by_arrow(near, &row[place.end..]) {
        return role;
    }
    by_words(near).unwrap_or_default()
}

/// The first word of a line up to a place in it, unless that is far away.
fn command_of(row: &[u8], place: usize) -> &[u8] {
    const FAR: usize = 1024;
    let start = place.saturating_sub(FAR);
    let near = &row[start..place];
    let line = match memchr::memrchr(b'\n', near) {
        Some(at) => &near[at + 1..],
        None if start == 0 => near,
        None => return b"",
    };
    line.split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default()
}

/// `A > B`, `A:1 -> outside:B`
fn by_arrow(before: &[u8], behind: &[u8]) -> Option<AddressRole> {
    let (without, _) = without_interface(before);
    let trimmed = without.trim_ascii_end();
    let trimmed = trimmed
        .strip_suffix(b"[")
        .unwrap_or(trimmed)
        .trim_ascii_end();
    let is_arrow = match trimmed {
        [.., b'-' | b'=' | b' ', b'>'] => true,
        _ => trimmed.ends_with("→".as_bytes()),
    };
    if is_arrow {
        return Some(AddressRole::Destination);
    }
    let port = behind.iter().take(24).take_while(|byte| {
        byte.is_ascii_alphanumeric() || b":./#()[]-%".contains(byte) && !behind.starts_with(b"->")
    });
    let rest = behind[port.count()..].trim_ascii_start();
    // A line end is no gap.
    let gap = &behind[..behind.len() - rest.len()];
    let is_here = ["-> ", "->", "> ", "=> ", "→", "--> "]
        .iter()
        .any(|own| rest.starts_with(own.as_bytes()));
    (is_here && !gap.contains(&b'\n')).then_some(AddressRole::Source)
}

/// What is before the name of an interface or of a host that is joined to an address: `to outside:`, `-> dmz/`.
fn without_interface(before: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some((b':' | b'/', name)) = before.split_last() else {
        return (before, None);
    };
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let len = name.iter().rev().take_while(is_of_name).count();
    let (rest, name) = name.split_at(name.len() - len);
    if len > 0 && (rest.ends_with(b" ") || rest.ends_with(b"[")) {
        (rest, Some(name))
    } else {
        (before, None)
    }
}

/// The word or key before an address.
fn by_words(before: &[u8]) -> Option<AddressRole> {
    let (without, interface) = without_interface(before);
    if let Some(interface) = interface {
        let own = std::str::from_utf8(interface).ok()?;
        let own = key_role(own);
        return own.or_else(|| by_words(without));
    }
    let mut rest = before;
    let mut is_joined = true;
    let mut is_behind_host = false;
    for step in 0..=NEUTRAL_WORDS {
        let signs = rest
            .iter()
            .rev()
            .take_while(|byte| b" \t\"'([{<=:|`".contains(byte));
        let signs = signs.count();
        let (more, gap) = rest.split_at(rest.len() - signs);
        if !std::mem::take(&mut is_behind_host) {
            is_joined &= step == 0 && gap.iter().any(|byte| b"=:".contains(byte));
        }
        let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.@$".contains(byte);
        let len = more.iter().rev().take_while(is_of_word).count();
        if len == 0 {
            return None;
        }
        let (more, word) = more.split_at(more.len() - len);
        let word = std::str::from_utf8(word).ok()?;
        if more.ends_with(b"AF=") {
            // `AF=10 [2001:db8::7]`
            rest = &more[..more.len() - 3];
            continue;
        }
        let bracket = gap.iter().rev().find(|byte| !byte.is_ascii_whitespace());
        if bracket.is_some() && TERMINALS.iter().any(|own| word.starts_with(own)) {
            // `on vty0 (198.51.100.9)`
            return Some(AddressRole::Source);
        }
        let is_host = matches!(bracket, Some(b'[' | b'(')) && step < NEUTRAL_WORDS;
        if is_host {
            // `client=unknown[198.51.100.7]`, `by mx1.example (203.0.113.9)`
            rest = more;
            is_joined = more.ends_with(b"=") || more.ends_with(b"=<") || more.ends_with(b"=\"");
            is_behind_host = true;
            continue;
        }
        if word == "is"
            && more
                .trim_ascii_end()
                .rsplit(|byte| *byte == b' ')
                .next()
                .is_some_and(|own| own.contains(&b'.'))
        {
            // `reply www.example is 203.0.113.9`
            return Some(AddressRole::Destination);
        }
        if is_joined {
            // `host=198.51.100.7` is a client, `"host":"192.0.2.10"` is the own one.
            let is_client = word == "host" && gap.contains(&b'=');
            if let Some(role) = key_role(word).filter(|_| !is_client) {
                return Some(role);
            }
        }
        let lower = word.to_ascii_lowercase();
        if let Some((_, role)) = PROSE.iter().find(|(own, _)| *own == lower) {
            return Some(*role);
        }
        if !NEUTRAL.contains(&lower.as_str()) {
            return None;
        }
        rest = more;
    }
    None
}

fn key_role(key: &str) -> Option<AddressRole> {
    match role_of_name(key) {
        FieldRole::Address(role) => Some(role),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beside_an_address_says_whose_it_is() {
        for (text, expected) in [
            ("Failed password for root from ", AddressRole::Source),
            ("SRC=", AddressRole::Source),
            ("\"src_ip\":\"", AddressRole::Source),
            ("client: ", AddressRole::Source),
            ("x DST=", AddressRole::Destination),
            ("198.51.100.7.50122 > ", AddressRole::Destination),
            ("{TCP} 198.51.100.7:50122 -> ", AddressRole::Destination),
            ("-> dmz/", AddressRole::Destination),
            ("to inside:", AddressRole::Destination),
            ("dst outside:", AddressRole::Destination),
            ("upstream: \"http://", AddressRole::Destination),
            ("\"referer\":\"http://", AddressRole::Destination),
            ("port 22 on ", AddressRole::Own),
            ("by mx1.example (", AddressRole::Own),
            ("client=unknown[", AddressRole::Source),
            ("connect to relay.example[", AddressRole::Destination),
            ("from local address AF=10 [", AddressRole::Own),
            ("reply www.example is ", AddressRole::Destination),
            ("->[", AddressRole::Destination),
            ("user=<bob> ", AddressRole::Unknown),
            ("user IP = ", AddressRole::Source),
            ("relay=", AddressRole::Destination),
            ("", AddressRole::Unknown),
            ("GET ", AddressRole::Unknown),
        ] {
            let row = format!("{text}203.0.113.9 x");
            let place = text.len()..text.len() + 11;
            assert_eq!(role_at(row.as_bytes(), &place, false), expected, "{row}");
        }
        for text in [
            "203.0.113.9.50122 > x",
            "203.0.113.9:5 -> x",
            "203.0.113.9 → x",
            "203.0.113.9/5(1) -> x",
        ] {
            assert_eq!(
                role_at(text.as_bytes(), &(0..11), true),
                AddressRole::Source,
                "{text}"
            );
        }
    }
}
