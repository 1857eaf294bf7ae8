//! What stands around an address: the output of packet tools and of firewalls, where signs mean something else.

/// The most bytes before an address, to the beginning of its line.
const LONGEST: usize = 400;

/// What the interfaces of firewalls are called.
pub(super) const INTERFACES: [&[u8]; 12] = [
    b"outside",
    b"inside",
    b"dmz",
    b"wan",
    b"lan",
    b"mgmt",
    b"management",
    b"internet",
    b"external",
    b"internal",
    b"untrust",
    b"trust",
];

/// Whether an address with a port behind a dot is meant: it ends here, in a line of a packet (`198.51.100.7.50122 > 203.0.113.9.443:`)
/// or of a table of sockets (`tcp4  0  0  192.0.2.5.22  198.51.100.7.50122`).
pub(super) fn is_of_packet(text: &[u8], start: usize, end: usize) -> bool {
    const PROTOCOLS: [&[u8]; 8] = [
        b"tcp4 ", b"tcp6 ", b"tcp46 ", b"tcp ", b"udp4 ", b"udp6 ", b"udp46 ", b"udp ",
    ];
    let behind = &text[end.min(text.len())..];
    let before = &text[..start];
    // `198.51.100.7.36614     ->     192.0.2.10.80`, `<->`
    let ahead = behind.trim_ascii_start();
    let is_arrow = [&b">"[..], b"->", b"<->", b"<-"]
        .iter()
        .any(|bytes| ahead.starts_with(bytes));
    if behind.starts_with(b" ") && is_arrow || before.trim_ascii_end().ends_with(b">") {
        return true;
    }
    if is_beside_another(before, behind) {
        return true;
    }
    let line = line_before(before).trim_ascii_start();
    PROTOCOLS.iter().any(|bytes| line.starts_with(bytes))
}

/// Whether another address with a port behind a dot is the word before or behind this one.
fn is_beside_another(before: &[u8], behind: &[u8]) -> bool {
    let is_one = |word: &[u8]| {
        let mut parts = word.split(|byte| *byte == b'.');
        let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        parts.clone().count() == 5 && parts.all(is_number)
    };
    let near = before.strip_suffix(b" ").map(|text| {
        let near = &text[text.len().saturating_sub(24)..];
        let start = memchr::memrchr(b' ', near).map_or(0, |at| at + 1);
        &near[start..]
    });
    let next = behind.strip_prefix(b" ").map(|text| {
        let near = &text[..text.len().min(24)];
        let end = near.iter().position(u8::is_ascii_whitespace);
        &near[..end.unwrap_or(near.len())]
    });
    near.is_some_and(is_one) || next.is_some_and(is_one)
}

/// Whether an address stands behind the name of an interface of a firewall, as in `outside:198.51.100.7/25`: a port follows it.
#[must_use]
pub fn is_at_firewall(text: &[u8], start: usize) -> bool {
    const MESSAGES: [&[u8]; 3] = [b"%ASA-", b"%FTD-", b"%PIX-"];
    let Some(before) = text[..start].strip_suffix(b":") else {
        return false;
    };
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let name = before.iter().rev().take(LONGEST).take_while(is_of_name);
    let name = &before[before.len() - name.count()..];
    if name.is_empty() {
        return false;
    }
    let line = line_before(before);
    let mut interfaces = INTERFACES.iter();
    interfaces.any(|bytes| name.eq_ignore_ascii_case(bytes))
        || MESSAGES
            .iter()
            .any(|bytes| memchr::memmem::find(line, bytes).is_some())
}

/// The line that is written so far.
fn line_before(text: &[u8]) -> &[u8] {
    let near = &text[text.len().saturating_sub(LONGEST)..];
    let start = memchr::memrchr(b'\n', near).map_or(0, |at| at + 1);
    &near[start..]
}
