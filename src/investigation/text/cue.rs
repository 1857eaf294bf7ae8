//! Whose address it is, by what is beside it in a line: a key, a word such as `from`, an arrow.

use std::ops::Range;

use super::{
    needle::OF_ORACLE,
    role::{AddressRole, FieldRole, role_of_name},
};

/// The most bytes before an address that are looked at.
const NEAR: usize = 64;

/// The most words before an address that say nothing by themselves.
const NEUTRAL_WORDS: usize = 2;

/// Words between the one that says whose it is, and the address.
const NEUTRAL: [&str; 22] = [
    "ip",
    "ips",
    "addr",
    "address",
    "host",
    "hostname",
    "the",
    "a",
    "an",
    "ipv4",
    "ipv6",
    "node",
    "unknown",
    "rhost",
    "port",
    "at",
    "is",
    "interface",
    "ip-address",
    "tcp",
    "udp",
    "remote-address",
];

/// Terminals of people who logged in.
const TERMINALS: [&str; 4] = ["vty", "pts/", "tty", "console"];

/// Words of prose; keys have more.
const PROSE: [(&str, AddressRole); 30] = [
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
    ("dial", AddressRole::Destination),
    ("downstream", AddressRole::Destination),
    ("trying", AddressRole::Destination),
    ("listening", AddressRole::Own),
    ("binding", AddressRole::Own),
    ("nas", AddressRole::Own),
    ("identifier", AddressRole::Own),
    ("econnrefused", AddressRole::Destination),
    ("etimedout", AddressRole::Destination),
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

/// The words before sockets, of which the own one comes first.
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
    if let Some(role) = by_ends(near, &row[place.end..]) {
        return role;
    }
    let command = command_of(row, place.start);
    if COMMANDS.iter().any(|text| text.as_bytes() == command) {
        return AddressRole::Destination;
    }
    if is_first && is_own_socket(row, place, command) {
        return AddressRole::Own;
    }
    // `on [2001:db8::1]:443`: the bracket is the address's own.
    let is_in_brackets = near.ends_with(b" [") && row[place.end..].starts_with(b"]:");
    let near = if is_in_brackets {
        &near[..near.len() - 1]
    } else {
        near
    };
    if let Some(bytes) = near.strip_suffix(b"://").or(near.strip_suffix(b"://[")) {
        // The host of an URL, which an address before it asked for.
        let scheme = bytes
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let before = &bytes[..bytes.len() - scheme.count()];
        return by_words(bytes)
            .or_else(|| by_words(before))
            .unwrap_or(if is_first {
                AddressRole::Unknown
            } else {
                AddressRole::Destination
            });
    }
    if OF_ORACLE.is_in(near) {
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
    line.trim_ascii_start()
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default()
}

/// Whether an address is the own one of a line about sockets: `tcp 0 0 192.0.2.10:22 …`, of Windows `TCP    192.0.2.10:22    …`.
fn is_own_socket(row: &[u8], place: &Range<usize>, command: &[u8]) -> bool {
    let of_list = |text: &&str| text.eq_ignore_ascii_case(&String::from_utf8_lossy(command));
    let is_exact = SOCKETS.iter().any(|text| text.as_bytes() == command);
    // A line that begins with `TCP` can be about anything: nothing is between.
    let before = &row[..place.start];
    let before = before.strip_suffix(b"[").unwrap_or(before).trim_ascii_end();
    is_exact || SOCKETS.iter().any(of_list) && before.ends_with(command)
}

/// The two ends of a connection: `TCP 192.0.2.10:22->198.51.100.7:50122 (ESTABLISHED)` of `lsof`, `192.0.2.10:9092-198.51.100.7:50122` of
/// Kafka, `L:/192.0.2.10:9092 - R:/198.51.100.7:50122` of Netty.
fn by_ends(before: &[u8], behind: &[u8]) -> Option<AddressRole> {
    let is_of_end = |byte: &&u8| byte.is_ascii_hexdigit() || b".:[]%".contains(byte);
    let end_of = |text: &[u8]| text.iter().rev().take_while(is_of_end).count();
    let before = before.strip_suffix(b"[").unwrap_or(before);
    // The threads of a connector of Tomcat have its address.
    for (sign, role) in [
        ("L:/", AddressRole::Own),
        ("R:/", AddressRole::Source),
        ("http-nio-", AddressRole::Own),
        ("https-jsse-nio-", AddressRole::Own),
    ] {
        let own = before.strip_suffix(sign.as_bytes());
        if own.is_some_and(|bytes| !bytes.last().is_some_and(u8::is_ascii_alphanumeric)) {
            return Some(role);
        }
    }
    let port = behind.strip_prefix(b"]").unwrap_or(behind);
    let digits = port.strip_prefix(b":").map(|port| {
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit());
        &port[digits.count()..]
    });
    let rest = digits?;
    let of_lsof = |text: &[u8]| text.ends_with(b" TCP ") || text.ends_with(b" UDP ");
    let behind_end = |sign: &[u8]| {
        let first = before.strip_suffix(sign)?;
        let (outside, end) = first.split_at(first.len() - end_of(first));
        memchr::memchr(b':', end).map(|_| outside)
    };
    let joined = behind_end(b"->").filter(|outside| of_lsof(outside));
    if joined.or_else(|| behind_end(b"-")).is_some() {
        return Some(AddressRole::Source);
    }
    let is_end = |text: &[u8]| {
        let own = text.strip_prefix(b"[").unwrap_or(text);
        let len = own.iter().take_while(is_of_end).count();
        own.first().is_some_and(u8::is_ascii_hexdigit)
            && own[..len].iter().any(|byte| b".:".contains(byte))
    };
    let is_first = match (rest.strip_prefix(b"->"), rest.strip_prefix(b"-")) {
        (Some(second), _) => is_end(second) && of_lsof(before),
        (None, Some(second)) => is_end(second) && end_of(before) == 0,
        (None, None) => false,
    };
    is_first.then_some(AddressRole::Own)
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
    let port = port.count();
    // `198.51.100.7:50122->`
    let sign = behind[port..].starts_with(b">") && behind[..port].ends_with(b"-");
    let rest = behind[port - usize::from(sign)..].trim_ascii_start();
    // A line end is no gap.
    let gap = &behind[..behind.len() - rest.len()];
    if rest.starts_with(b"->/") {
        // `(web1) 192.0.2.20->/var/log/auth.log`
        return Some(AddressRole::Own);
    }
    let is_here = ["-> ", "->", "> ", "=> ", "→", "--> "]
        .iter()
        .any(|text| rest.starts_with(text.as_bytes()));
    (is_here && !gap.contains(&b'\n')).then_some(AddressRole::Source)
}

/// What is before the name of an interface or of a host that is joined to an address: `to outside:`, `-> dmz/`, `(kafka1.example/`.
fn without_interface(before: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some((sign @ (b':' | b'/'), name)) = before.split_last() else {
        return (before, None);
    };
    let is_of_name = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || b"-_".contains(byte) || **byte == b'.' && *sign == b'/'
    };
    let len = name.iter().rev().take_while(is_of_name).count();
    let (rest, name) = name.split_at(name.len() - len);
    if len > 0 && rest.last().is_some_and(|last| b" [(".contains(last)) {
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
        let role = key_role(own);
        return role.or_else(|| by_words(without));
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
        let lower = word.to_ascii_lowercase();
        let prose = PROSE.iter().find(|(text, _)| *text == lower);
        if let Some((_, role)) = prose.filter(|_| gap.starts_with(b" [ ")) {
            // `listening on [ 192.0.2.10 <ipv4> 1433]`
            return Some(*role);
        }
        if bracket.is_some() && TERMINALS.iter().any(|text| word.starts_with(text)) {
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
        if word == "is" && last_word(more).contains(&b'.') {
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
        if let Some((text, role)) = prose {
            // `bound to 198.51.100.7`, `bind socket to address 198.51.100.7`
            let is_bound = *text == "to"
                && [
                    &b"bound"[..],
                    b"bind",
                    b"bind socket",
                    b"binding",
                    b"listen",
                ]
                .iter()
                .any(|bytes| more.trim_ascii_end().ends_with(bytes));
            // `Got answer from 192.0.2.53:53`: of who was asked.
            let is_answer = *text == "from"
                && ["answer", "answers", "response", "reply", "resolving"]
                    .iter()
                    .any(|text| last_word(more).eq_ignore_ascii_case(text.as_bytes()));
            return Some(match role {
                _ if is_bound => AddressRole::Own,
                _ if is_answer => AddressRole::Destination,
                role => *role,
            });
        }
        let is_number = word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        if !is_number && !NEUTRAL.contains(&lower.as_str()) {
            return None;
        }
        rest = more;
    }
    None
}

/// The last word of a text.
fn last_word(text: &[u8]) -> &[u8] {
    let words = text.trim_ascii_end().rsplit(|byte| *byte == b' ');
    words.into_iter().next().unwrap_or_default()
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
            ("Got answer from ", AddressRole::Destination),
            ("error resolving from ", AddressRole::Destination),
            ("answer for web1 from ", AddressRole::Source),
            ("->[", AddressRole::Destination),
            ("user=<bob> ", AddressRole::Unknown),
            ("user IP = ", AddressRole::Source),
            ("relay=", AddressRole::Destination),
            (
                "Connection to node -1 (kafka1.example/",
                AddressRole::Destination,
            ),
            ("listening on [ ", AddressRole::Own),
            ("Listening at: http://", AddressRole::Own),
            ("Uvicorn running on http://", AddressRole::Own),
            ("listen on ip-address ", AddressRole::Own),
            ("binding to interface ", AddressRole::Own),
            ("UDP server bound to ", AddressRole::Own),
            ("dial tcp ", AddressRole::Destination),
            (
                "TCP connecting to downstream pdns1 (",
                AddressRole::Destination,
            ),
            ("[http-nio-", AddressRole::Own),
            ("[id: 0x1, L:/192.0.2.10:9092 - R:/", AddressRole::Source),
            ("[id: 0x1, L:/", AddressRole::Own),
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
            "203.0.113.9:50122->198.51.100.7:22",
        ] {
            assert_eq!(
                role_at(text.as_bytes(), &(0..11), true),
                AddressRole::Source,
                "{text}"
            );
        }
    }
}
