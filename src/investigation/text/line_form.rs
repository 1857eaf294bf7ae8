//! The forms of lines whose fields have no keys, as data: a new program is a new row.

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use memchr::memmem::{Finder, FinderRev};

use super::fields::RowFields;

/// What may be before a message.
///
/// | in braces | is |
/// |---|---|
/// | `{name}` | a word |
/// | `{name..}`, `{name...}` | anything up to what follows, the first time, the last time that it comes |
/// | `{name#}` | a number, or `-` |
/// | `{name@}` | a date and a clock, as syslog has them |
/// | `{name!}` | the name of a program, perhaps with its number in brackets |
/// | `{name&}` | an address, perhaps with a port |
///
/// A blank is one or more. What is called `-` is dropped.
const HEADERS: [&str; 5] = [
    "1 {-} {host} {program} {-} {-} ",
    // F5 has no blank behind its name.
    "{-@} {host} ASM:",
    "{-@} {host} {program!}: ",
    "{-@} {host} : ",
    "{-@} {host} {program!} {listener} ({client}[",
];

/// Lines and messages of programs.
const FORMS: [&str; 43] = [
    // The combined log format, with a virtual host before it, and the common one.
    r#"{vhost} {client&} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{vhost} {client&} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#}"#,
    r#"{client} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{client} {ident} {user..} [{time..}] "{method} {path} {-}" {status#} {bytes#}"#,
    r#"{client} {ident} {user..} [{time..}] "{request..}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    r#"{client} {ident} {user..} [{time..}] "{request..}" {status#} {bytes#}"#,
    r#"{client} {host} {user} [{time..}] "{method} {path} {-}" {status#} {bytes#} "{referer..}" "{agent..}""#,
    // Load balancers and storage of AWS, Envoy.
    r#"{-} {time} {-} {client} {backend} {-} {-} {-} {status#} {-} {-} {bytes#} "{method} {url} {-}" "{agent..}""#,
    r#"{-} {bucket} [{time..}] {client} {-} {-} {operation} {key} "{method} {path} {-}" {status#} {-} {bytes#} {-} {-} {-} "{referer..}" "{agent..}""#,
    r#"[{time..}] "{method} {path} {-}" {status#} {-} {-} {-} "{-..}" {-#} {bytes#} {-#} {-} "{x_forwarded_for..}" "{agent..}" "{-..}" "{host..}" "{upstream..}" {-} {upstream_local} {listener} {client} "#,
    // Transfers of FTP servers, vsftpd.
    "{time@} {-#} {client} {bytes#} {path} {-} {-} {-} {-} {user} {-} {-} ",
    r#"{time@} [pid {-#}] [{user}] {status} {-}: Client "{client}""#,
    // Apache, lighttpd: failed logins.
    "[{time..}] [{-}] [{-..}] [client {client}] {-}: user {user}: ",
    "[{time..}] [{-}] [{-..}] [client {client}] {-}: user {user} not found: ",
    "{time@}: ({-}) password doesn't match for {path} username: {user} IP: {client}",
    // Squid.
    "{time} {elapsed#} {client} {result}/{status#} {bytes#} {method} {path} {user} {hierarchy}/{server} {type}",
    // HAProxy: HTTP, HTTP with captured headers, TCP.
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} "{method} {path} {-}""#,
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} {-..} "{method} {path} {-}""#,
    r#"{client} [{time..}] {frontend} {backend}/{server} {timers} {status#} {bytes#} {-} {-} {-} {-} {-} "{request..}""#,
    "{client} [{time..}] {frontend} {backend}/{server} {timers} {bytes#} {-} {-} {-}",
    // The slow log of MariaDB and MySQL.
    "# User@Host: {user}[{-}] @ {-..}[{client}]",
    // sshd. A user can have any name, also one with `from` in it.
    "Failed {method} for invalid user {user...} from {client} port {port#}",
    "Failed {method} for {user...} from {client} port {port#}",
    "Accepted {method} for {user...} from {client} port {port#}",
    "Postponed {method} for invalid user {user...} from {client} port {port#}",
    "Postponed {method} for {user...} from {client} port {port#}",
    "Invalid user {user...} from {client} port {port#}",
    "Connection closed by authenticating user {user...} {client} port {port#}",
    "Connection closed by invalid user {user...} {client} port {port#}",
    "Connection reset by authenticating user {user...} {client} port {port#}",
    "Connection reset by invalid user {user...} {client} port {port#}",
    "Disconnected from authenticating user {user...} {client} port {port#}",
    "Disconnected from invalid user {user...} {client} port {port#}",
    "Disconnected from user {user...} {client} port {port#}",
    "error: maximum authentication attempts exceeded for invalid user {user...} from {client} port {port#}",
    "error: maximum authentication attempts exceeded for {user...} from {client} port {port#}",
    "User {user...} from {client} not allowed because",
    // slapd, dhcpd: who asked, and where.
    "conn={-#} fd={-#} ACCEPT from IP={client} (IP={listener})",
    "DHCPREQUEST for {client} ({listener}) from {mac} ",
    "DHCPREQUEST for {client} from {mac} ",
    "DHCPACK on {client} to {mac} ",
    "DHCPOFFER on {client} to {mac} ",
    "DHCPRELEASE of {client} from {mac} ",
];

/// What may be anywhere in a line, by its first words.
const PARTS: [&str; 4] = [
    r#"request: "{method} {path} {-}""#,
    "query: {query} {-} {-} {-} ({listener})",
    "for user '{user..}'@",
    "Connect\t{user}@{client} ",
];

/// Messages whose fields have keys behind a head of fields without.
const CEF: [&str; 7] = [
    "",
    "vendor",
    "product",
    "product_version",
    "signature",
    "name",
    "severity",
];
const LEEF: [&str; 5] = ["", "vendor", "product", "product_version", "event"];

/// The forms, ready to be looked for.
struct Forms {
    headers: Vec<Form>,
    lines: Vec<Form>,
    /// Each with what finds its beginning.
    parts: Vec<(Finder<'static>, Form)>,
}

static COMPILED: LazyLock<Forms> = LazyLock::new(|| Forms {
    headers: HEADERS.iter().map(|own| Form::of(own)).collect(),
    lines: FORMS.iter().map(|own| Form::of(own)).collect(),
    parts: PARTS
        .iter()
        .map(|own| {
            let begin = own.split('{').next().unwrap_or_default();
            (Finder::new(begin), Form::of(own))
        })
        .collect(),
});

/// The values of a form: their names and places in the line.
pub(super) type FormValues = Vec<(&'static str, Range<usize>)>;

/// A form, in pieces.
#[derive(Debug)]
struct Form {
    pieces: Vec<Piece>,
    /// The bytes of its literals: a line without one of them has another form.
    needs: ByteSet,
}

#[derive(Debug)]
enum Piece {
    Literal(&'static [u8]),
    Value(&'static str, ValueKind),
}

#[derive(Debug)]
enum ValueKind {
    /// A blank ends it, and this sign that follows in the form.
    Word(u8),
    Quoted,
    Until(Box<Finder<'static>>),
    Rest,
    Last(Box<FinderRev<'static>>),
    Number,
    Stamp,
    Tag,
    Address,
}

/// The bytes below 128 that are in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ByteSet(u128);

impl ByteSet {
    fn of(text: &[u8]) -> Self {
        // In two halves, since shifts by a variable number are dear in one.
        let mut halves = [0_u64; 2];
        for byte in text.iter().filter(|byte| byte.is_ascii()) {
            halves[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        Self(u128::from(halves[0]) | u128::from(halves[1]) << 64)
    }

    fn has(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

impl Form {
    fn of(text: &'static str) -> Self {
        let mut literals = Vec::new();
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let start = rest.find('{').unwrap_or(rest.len());
            if start > 0 {
                literals.extend_from_slice(&rest.as_bytes()[..start]);
                pieces.push(Piece::Literal(&rest.as_bytes()[..start]));
                rest = &rest[start..];
                continue;
            }
            let end = rest.find('}').unwrap_or(rest.len());
            let behind = rest.get(end + 1..).unwrap_or_default();
            let next = &behind[..behind.find('{').unwrap_or(behind.len())];
            let (name, kind) = ValueKind::of(&rest[1..end], next.as_bytes());
            pieces.push(Piece::Value(name, kind));
            rest = behind;
        }
        let needs = ByteSet::of(&literals);
        Self { pieces, needs }
    }

    /// The places of its values in a line from here on, and where it ends; `None` if the line has another form.
    fn read(&self, line: &[u8], from: usize, values: &mut FormValues) -> Option<usize> {
        values.clear();
        read_pieces(&self.pieces, line, from, values)
    }
}

fn read_pieces(
    pieces: &[Piece],
    line: &[u8],
    from: usize,
    values: &mut FormValues,
) -> Option<usize> {
    let mut at = from;
    for (number, piece) in pieces.iter().enumerate() {
        let (name, kind) = match piece {
            Piece::Literal(text) => {
                at = literal_end(line, at, text)?;
                continue;
            }
            Piece::Value(name, kind) => (*name, kind),
        };
        if let ValueKind::Last(next) = kind {
            // The last place behind which the rest of the form is there.
            let (rest, before) = (&pieces[number + 1..], values.len());
            let mut ends = next.rfind_iter(line.get(at..)?).filter(|len| *len > 0);
            return ends.find_map(|len| {
                values.truncate(before);
                values.push((name, at..at + len));
                read_pieces(rest, line, at + len, values)
            });
        }
        let end = kind.end(line, at)?;
        if name != "-" {
            values.push((name, at..end));
        }
        at = end;
    }
    Some(at)
}

/// Where a literal ends that is here; a blank in it is one or more.
fn literal_end(line: &[u8], mut at: usize, text: &[u8]) -> Option<usize> {
    for byte in text {
        if *byte == b' ' {
            let blanks = line[at..].iter().take_while(|own| **own == b' ').count();
            if blanks == 0 {
                return None;
            }
            at += blanks;
        } else {
            (line.get(at) == Some(byte)).then_some(())?;
            at += 1;
        }
    }
    Some(at)
}

impl ValueKind {
    /// The name of a value and its kind, by what is in the braces and what follows.
    fn of(text: &'static str, next: &'static [u8]) -> (&'static str, Self) {
        if let Some(name) = text.strip_suffix("...") {
            return (name, Self::Last(Box::new(FinderRev::new(next))));
        }
        if let Some(name) = text.strip_suffix("..") {
            let kind = match next {
                [] => Self::Rest,
                [b'"', ..] => Self::Quoted,
                _ => Self::Until(Box::new(Finder::new(next))),
            };
            return (name, kind);
        }
        let word = || (text, Self::Word(next.first().copied().unwrap_or(b' ')));
        let signs = [
            ('#', Self::Number),
            ('@', Self::Stamp),
            ('!', Self::Tag),
            ('&', Self::Address),
        ];
        let own = |(sign, kind)| Some((text.strip_suffix(sign)?, kind));
        signs.into_iter().find_map(own).unwrap_or_else(word)
    }

    /// Where a value of this kind ends that begins here.
    fn end(&self, line: &[u8], at: usize) -> Option<usize> {
        let rest = line.get(at..)?;
        let len = match self {
            Self::Number => {
                let is_of_number = |byte: &&u8| byte.is_ascii_digit() || b"-+".contains(byte);
                rest.iter().take_while(is_of_number).count()
            }
            Self::Word(sign) => rest
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || byte == sign)
                .unwrap_or(rest.len()),
            // What is quoted has no quotes but escaped ones.
            Self::Quoted => {
                let mut quotes = memchr::memchr_iter(b'"', rest);
                return Some(at + quotes.find(|at| !rest[..*at].ends_with(b"\\"))?);
            }
            Self::Until(next) => return Some(at + next.find(rest)?),
            Self::Rest => return Some(line.len()),
            // Read with what follows.
            Self::Last(next) => next.rfind(rest)?,
            Self::Tag => {
                let is_of_tag =
                    |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_./%()".contains(byte);
                let name = rest.iter().take_while(is_of_tag).count();
                let number = match rest.get(name) {
                    Some(b'[') => rest[name..].iter().position(|byte| *byte == b']')? + 1,
                    _ => 0,
                };
                if name == 0 { 0 } else { name + number }
            }
            Self::Stamp => stamp_len(rest)?,
            Self::Address => {
                let is_of_address =
                    |byte: &&u8| byte.is_ascii_hexdigit() || b".:[]%".contains(byte);
                let len = rest.iter().take_while(is_of_address).count();
                let own = &rest[..len];
                let is_v6 = memchr::memchr_iter(b':', own).count() > 1;
                let is_begin = own
                    .first()
                    .is_some_and(|first| first.is_ascii_digit() || is_v6);
                let has_sign = own.contains(&b'.') || is_v6;
                if is_begin && has_sign { len } else { 0 }
            }
        };
        (len > 0).then_some(at + len)
    }
}

/// How long the date with a clock is with which a text begins: `Nov  1 10:15:30`, `2026-11-20T10:15:30.25+01:00`, `Nov 20 2026 10:15:30 CET`.
fn stamp_len(text: &[u8]) -> Option<usize> {
    let is_iso = matches!(text, [b'0'..=b'9', _, _, _, b'-' | b'/', ..]);
    let is_month = matches!(text, [b'A'..=b'Z', b'a'..=b'z', b'a'..=b'z', b' ', ..]);
    if !is_iso && !is_month {
        return None;
    }
    let near = &text[..text.len().min(40)];
    let colon = memchr::memchr(b':', near)?;
    let clock = near[colon..].iter();
    let clock = clock.take_while(|byte| !byte.is_ascii_whitespace()).count();
    let mut end = colon + clock;
    if near[..end].ends_with(b":") {
        // `Nov 20 2026 10:15:30: %ASA-`
        return Some(end - 1);
    }
    let zone = text.get(end..)?.strip_prefix(b" ")?;
    if let [b'+' | b'-', offset @ ..] = zone
        && offset
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
            == 4
    {
        // `2026-11-20 10:15:30.250 +0100 nginx.access: `
        return Some(end + 6);
    }
    let year = zone.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if year == 4 && matches!(zone.get(4), Some(b' ')) && !is_iso {
        return Some(end + 5);
    }
    let len = zone
        .iter()
        .take_while(|byte| byte.is_ascii_uppercase())
        .count();
    if (3..=4).contains(&len) && matches!(zone.get(len), Some(b' ' | b':')) {
        end += 1 + len;
    }
    Some(end)
}

/// Adds the fields of a line that has one of the forms; returns where the rest of it begins.
pub(super) fn read(line: &[u8], fields: &mut RowFields) -> usize {
    let mut values = std::mem::take(&mut fields.form_values);
    let end = read_form(line, &mut values, fields);
    fields.form_values = values;
    end
}

fn read_form(line: &[u8], values: &mut FormValues, fields: &mut RowFields) -> usize {
    let forms = &*COMPILED;
    let bytes = ByteSet::of(line);
    let first = |forms: &[Form], at, values: &mut FormValues| {
        let mut own = forms.iter().filter(|own| bytes.has(own.needs));
        own.find_map(|own| own.read(line, at, values))
    };
    let mut at = priority_end(line);
    let header = first(&forms.headers, at, values);
    if let Some(end) = header.filter(|_| !is_of_client(line, values)) {
        push(line, values, fields);
        at = end;
        // No structured data.
        if let Some(rest) = line[at..].strip_prefix(b"-") {
            at += 1 + rest.iter().take_while(|byte| **byte == b' ').count();
        }
    }
    if let Some(end) = by_keys(line, at, fields) {
        return end;
    }
    if let Some(end) = first(&forms.lines, at, values) {
        push(line, values, fields);
        return forwarded(line, end, fields).unwrap_or(end);
    }
    for (begin, part) in forms.parts.iter().filter(|(_, own)| bytes.has(own.needs)) {
        if let Some(begin) = begin.find(&line[at..])
            && part.read(line, at + begin, values).is_some()
        {
            push(line, values, fields);
        }
    }
    at
}

/// Adds what proxies forwarded, which many a log has in quotes behind the user agent; returns where it ends.
fn forwarded(line: &[u8], from: usize, fields: &mut RowFields) -> Option<usize> {
    let rest = line[from..].strip_prefix(b" \"")?;
    let len = memchr::memchr(b'"', rest)?;
    let place = from + 2..from + 2 + len;
    let is_last = rest[len + 1..].trim_ascii().is_empty();
    let has_addresses = line[place.clone()]
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || b".:, -unkow".contains(byte));
    if !is_last || !has_addresses {
        return None;
    }
    let group = fields.outermost();
    fields.push(
        "x_forwarded_for",
        &line[place.clone()],
        place.clone(),
        group,
    );
    Some(place.end + 1)
}

/// Whether what would be the host of a header is none, or a client: an address with a port, or before words in capitals, as `OpenVPN` has them.
fn is_of_client(line: &[u8], values: &FormValues) -> bool {
    let named = |name: &str| {
        let found = values.iter().find(|(own, _)| *own == name);
        found.map_or(&[][..], |(_, place)| &line[place.clone()])
    };
    let (host, program) = (named("host"), named("program"));
    let colons = memchr::memchr_iter(b':', host).count();
    let is_address = colons > 1 || host.first().is_some_and(u8::is_ascii_digit);
    let is_loud = program
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let is_name = host.iter().any(u8::is_ascii_alphanumeric);
    !is_name || host.contains(&b'/') || is_address && (colons == 1 || is_loud)
}

fn push(line: &[u8], values: &FormValues, fields: &mut RowFields) {
    let group = fields.outermost();
    for (name, place) in values {
        let mut value = &line[place.clone()];
        match *name {
            // Without its query.
            // Of an URL the path.
            "url" => {
                let own = memchr::memmem::find(value, b"://").map_or(value, |at| &value[at + 3..]);
                let start = own
                    .iter()
                    .position(|byte| *byte == b'/')
                    .unwrap_or(own.len());
                let own = &own[start..];
                let end = own.iter().position(|byte| *byte == b'?');
                fields.push(
                    "path",
                    &own[..end.unwrap_or(own.len())],
                    place.clone(),
                    group,
                );
                continue;
            }
            "path" => {
                let end = value.iter().position(|byte| *byte == b'?');
                value = &value[..end.unwrap_or(value.len())];
            }
            // lighttpd has the host there.
            "ident" if value.contains(&b'.') || value.contains(&b':') => {
                fields.push("host", value, place.clone(), group);
                continue;
            }
            "ident" => continue,
            // Without its number.
            "program" => {
                let end = value.iter().position(|byte| *byte == b'[');
                value = &value[..end.unwrap_or(value.len())];
            }
            _ => {}
        }
        fields.push(name, value, place.clone(), group);
    }
}

/// Where a line begins behind the priority of syslog.
fn priority_end(line: &[u8]) -> usize {
    let digits = match line {
        [b'<', rest @ ..] => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => return 0,
    };
    let is_priority = (1..=3).contains(&digits) && line.get(digits + 1) == Some(&b'>');
    if is_priority { digits + 2 } else { 0 }
}

/// CEF and LEEF; returns where it ends.
fn by_keys(line: &[u8], from: usize, fields: &mut RowFields) -> Option<usize> {
    let rest = &line[from..];
    memchr::memchr(b'|', rest)?;
    let (at, heads): (usize, &[&str]) = match memchr::memmem::find(rest, b"CEF:") {
        Some(at) => (at, &CEF),
        None => (memchr::memmem::find(rest, b"LEEF:")?, &LEEF),
    };
    let is_begin = at == 0 || rest[at - 1].is_ascii_whitespace() || rest[at - 1] == b'"';
    is_begin.then_some(())?;
    let group = fields.outermost();
    let mut start = from + at;
    let mut version: &[u8] = b"";
    for (number, head) in heads.iter().enumerate() {
        let end = start + pipe(&line[start..])?;
        if number == 0 {
            version = &line[start..end];
        }
        fields.push(head, &line[start..end], start..end, group);
        start = end + 1;
    }
    if heads.len() == CEF.len() {
        extension(line, start, fields);
        return Some(line.len());
    }
    let mut delimiter = b'\t';
    if version.ends_with(b"2.0")
        && let Some(end) = pipe(&line[start..]).filter(|len| *len <= 5)
    {
        delimiter = match &line[start..start + end] {
            [own] => *own,
            [b'0', b'x' | b'X', digits @ ..] | [b'x' | b'X', digits @ ..] => {
                let digits = std::str::from_utf8(digits).unwrap_or_default();
                u8::from_str_radix(digits, 16).unwrap_or(b'\t')
            }
            _ => b'\t',
        };
        start += end + 1;
    }
    for part in line[start..].split(|byte| *byte == delimiter) {
        let own = start..start + part.len();
        start = own.end + 1;
        if let Some(sign) = memchr::memchr(b'=', part) {
            let name = String::from_utf8_lossy(&part[..sign]);
            fields.push(
                name.trim(),
                &part[sign + 1..],
                own.start + sign + 1..own.end,
                group,
            );
        }
    }
    Some(line.len())
}

/// The next `|` that is not escaped.
fn pipe(text: &[u8]) -> Option<usize> {
    let mut pipes = memchr::memchr_iter(b'|', text);
    pipes.find(|at| !text[..*at].ends_with(b"\\"))
}

/// A value without the signs that keep `=`, `|` and line ends from their meaning.
fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return value.into();
    }
    let mut own = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                Some(b'n' | b'r') => own.push(b' '),
                Some(next @ (b'=' | b'|' | b'\\')) => own.push(*next),
                Some(next) => own.extend_from_slice(&[b'\\', *next]),
                None => own.push(b'\\'),
            },
            _ => own.push(*byte),
        }
    }
    own.into()
}

/// The extension of CEF: a value ends where the next key begins, and may have blanks.
fn extension(line: &[u8], start: usize, fields: &mut RowFields) {
    let group = fields.outermost();
    let text = &line[start..];
    let is_of_key = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-[]".contains(byte);
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut push = |key: Range<usize>, value: Range<usize>| {
        let name = String::from_utf8_lossy(&text[key]).into_owned();
        let own = text[value.clone()].trim_ascii_end();
        let place = start + value.start..start + value.start + own.len();
        fields.push(&name, &unescaped(own), place, group);
    };
    for sign in memchr::memchr_iter(b'=', text) {
        let before = &text[..sign];
        let len = before.iter().rev().take_while(is_of_key).count();
        let key = sign - len..sign;
        let is_key = len > 0 && (key.start == 0 || text[key.start - 1] == b' ');
        if !is_key {
            continue;
        }
        if let Some((own, value)) = open.take() {
            push(own, value..key.start);
        }
        open = Some((key, sign + 1));
    }
    if let Some((own, value)) = open {
        push(own, value..text.len());
    }
}
