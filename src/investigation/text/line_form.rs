//! The forms of lines whose fields have no keys, as data: a new program is a new row.

mod forms;
mod keyed;

use std::{cell::LazyCell, ops::Range, sync::LazyLock};

use memchr::memmem::{Finder, FinderRev};

use forms::{FORMS, HEADERS, PARTS};
use keyed::by_keys;

use super::{fields::RowFields, needle::OF_REQUEST};

/// So many forms are read without a look at the bytes of a line, if the line before had the last of them.
const FEW: usize = 16;

/// The forms, ready to be looked for.
struct Forms {
    headers: Vec<Form>,
    lines: Vec<Form>,
    /// Each with what finds its beginning.
    parts: Vec<(Finder<'static>, Form)>,
}

static COMPILED: LazyLock<Forms> = LazyLock::new(|| Forms {
    headers: HEADERS.iter().map(|text| Form::of(text)).collect(),
    lines: FORMS.iter().map(|text| Form::of(text)).collect(),
    parts: PARTS
        .iter()
        .map(|text| {
            let begin = text.split('{').next().unwrap_or_default();
            (Finder::new(begin), Form::of(text))
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
    /// What follows in the form ends it.
    Until(Mark),
    Rest,
    Last(Box<FinderRev<'static>>),
    Number,
    Stamp,
    Tag,
    Address,
    /// Anything up to this sign, or nothing.
    Cell(u8),
}

/// What ends a value. It is short, so that one of its bytes is looked for: to begin with a search for all of it is dearer.
#[derive(Clone, Copy, Debug)]
struct Mark {
    text: &'static [u8],
    /// Which of its bytes that is.
    at: usize,
}

impl Mark {
    fn of(text: &'static [u8]) -> Self {
        // Letters, digits and blanks are frequent.
        let is_rare = |byte: &u8| byte.is_ascii_punctuation();
        let at = text.iter().position(is_rare).unwrap_or_default();
        Self { text, at }
    }

    /// Where it is first.
    fn find(&self, text: &[u8]) -> Option<usize> {
        let Self { text: own, at } = *self;
        let mut places = memchr::memchr_iter(own[at], text.get(at..)?);
        places.find(|start| text[*start..].starts_with(own))
    }
}

/// The bytes below 128 that are in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ByteSet(u128);

impl ByteSet {
    fn of(text: &[u8]) -> Self {
        // In two halves, since shifts by a variable number are dear in one; each in a register, without a branch.
        let (mut low, mut high) = (0_u64, 0_u64);
        for byte in text {
            let bit = 1_u64 << (byte & 63);
            low |= if byte >> 6 == 0 { bit } else { 0 };
            high |= if byte >> 6 == 1 { bit } else { 0 };
        }
        Self(u128::from(low) | u128::from(high) << 64)
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
        at = colours_end(line, at);
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

/// Where the colours of a terminal end that begin here, which no value has.
fn colours_end(line: &[u8], mut at: usize) -> usize {
    while let Some(rest) = line.get(at..).and_then(|rest| rest.strip_prefix(b"\x1b[")) {
        let is_of_colour = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
        let len = rest.iter().take_while(is_of_colour).count();
        if rest.get(len) != Some(&b'm') {
            break;
        }
        at += len + 3;
    }
    at
}

/// Where a literal ends that is here; a blank in it is one or more.
fn literal_end(line: &[u8], mut at: usize, text: &[u8]) -> Option<usize> {
    for byte in text {
        if *byte == b' ' {
            let blanks = line[at..].iter().take_while(|byte| **byte == b' ').count();
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
                _ => Self::Until(Mark::of(next)),
            };
            return (name, kind);
        }
        let word = || (text, Self::Word(next.first().copied().unwrap_or(b' ')));
        let signs = [
            ('#', Self::Number),
            ('@', Self::Stamp),
            ('!', Self::Tag),
            ('&', Self::Address),
            ('?', Self::Cell(next.first().copied().unwrap_or(b' '))),
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
            Self::Cell(sign) => return Some(at + memchr::memchr(*sign, rest)?),
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

/// Adds the fields of a line that as a whole has one of the forms; returns whether it has.
pub(super) fn read_line(line: &[u8], fields: &mut RowFields) -> bool {
    let bytes = ByteSet::of(line);
    let mut values = std::mem::take(&mut fields.form_values);
    let mut forms = COMPILED.lines.iter().filter(|form| bytes.has(form.needs));
    let is_read = forms.any(|form| form.read(line, 0, &mut values).is_some());
    if is_read {
        push(line, &values, fields);
    }
    fields.form_values = values;
    is_read
}

fn read_form(line: &[u8], values: &mut FormValues, fields: &mut RowFields) -> usize {
    let forms = &*COMPILED;
    // What bytes a line has costs more than to read the first few forms in vain.
    let bytes = LazyCell::new(|| ByteSet::of(line));
    let first = |forms: &[Form], likely: usize, at, values: &mut FormValues| {
        forms.iter().enumerate().find_map(|(number, form)| {
            let may_fit = number <= likely || bytes.has(form.needs);
            let end = may_fit.then(|| form.read(line, at, values)).flatten()?;
            Some((number, end))
        })
    };
    let mut at = priority_end(line);
    let header = first(&forms.headers, forms.headers.len(), at, values).map(|(_, end)| end);
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
    let at_request = request_start(line, at).unwrap_or(at);
    if let Some((number, end)) = first(&forms.lines, fields.likely_form, at_request, values) {
        fields.likely_form = if number < FEW { number } else { 0 };
        push(line, values, fields);
        let end = forwarded(line, end, fields).unwrap_or(end);
        let is_request = values.iter().any(|(name, _)| *name == "bytes");
        fields.request_end = is_request.then_some(end);
        return end;
    }
    for (begin, part) in forms.parts.iter().filter(|(_, form)| bytes.has(form.needs)) {
        if let Some(begin) = begin.find(&line[at..])
            && part.read(line, at + begin, values).is_some()
        {
            push(line, values, fields);
        }
    }
    request(line, at, values, fields);
    at
}

/// Adds the method, the path and the status of a request anywhere in a line: `"GET /login HTTP/1.1" 200`.
fn request(line: &[u8], from: usize, values: &mut FormValues, fields: &mut RowFields) {
    let Some(sign) = OF_REQUEST.find(&line[from..]).map(|at| from + at) else {
        return;
    };
    if fields.iter().any(|view| view.name == "method") {
        return;
    }
    let start_of =
        |end: usize| memchr::memrchr(b' ', &line[from..end]).map_or(from, |at| from + at + 1);
    let path = start_of(sign)..sign;
    let Some(end) = path.start.checked_sub(1).filter(|end| *end > from) else {
        return;
    };
    let letters = line[from..end]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_uppercase());
    let method = end - letters.count()..end;
    let before = line[..method.start].last();
    if !(3..=8).contains(&method.len()) || !before.is_none_or(|sign| b"\"' ".contains(sign)) {
        return;
    }
    values.clear();
    values.push(("method", method));
    values.push(("path", path));
    let behind = &line[sign + 1..];
    let word = behind
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace())
        .count();
    if let [b' ', status @ .., b' ' | b'\n' | b'\r'] = &behind[word..behind.len().min(word + 5)]
        && status.len() == 3
        && status.iter().all(u8::is_ascii_digit)
    {
        let at = sign + 1 + word + 1;
        values.push(("status", at..at + 3));
    }
    push(line, values, fields);
}

/// Where the common log of a request begins that stands behind something else, as its client and two words before `[28/Nov/2026:`; a host before
/// the client belongs to it.
fn request_start(line: &[u8], from: usize) -> Option<usize> {
    let own = &line[from..];
    let is_date = |at: &usize| {
        matches!(
            own.get(at + 1..at + 8),
            Some([b'0'..=b'9', b'0'..=b'9', b'/', _, _, _, b'/'])
        )
    };
    let mut brackets = memchr::memchr_iter(b'[', own);
    let bracket = brackets.find(|at| own[..*at].ends_with(b" ") && is_date(at))?;
    let mark = bracket - 1;
    let mut words = own[..mark].rsplitn(4, |byte| *byte == b' ');
    let (user, ident, client) = (words.next()?, words.next()?, words.next()?);
    let is_address = |word: &[u8]| ValueKind::Address.end(word, 0) == Some(word.len());
    let len = user.len() + ident.len() + client.len() + 2;
    let before = words.next().map_or(&[][..], <[u8]>::trim_ascii_end);
    let has_host = !before.is_empty()
        && !before.contains(&b' ')
        && !before.ends_with(b":")
        && !before.ends_with(b"]");
    let is_in_list = before.ends_with(b",");
    (is_address(client) && !has_host && !is_in_list && len < mark).then(|| from + mark - len)
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
        let found = values.iter().find(|(text, _)| *text == name);
        found.map_or(&[][..], |(_, place)| &line[place.clone()])
    };
    let (host, program) = (named("host"), named("program"));
    if host.is_empty() {
        return false;
    }
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
    let client = values.iter().find(|(name, _)| *name == "client");
    let is_of_client = client
        .is_some_and(|(_, place)| ValueKind::Address.end(line, place.start) == Some(place.end));
    for (name, place) in values {
        let mut value = &line[place.clone()];
        if let [b'"', bytes @ .., b'"'] = value {
            value = bytes;
        }
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
            "ident" if is_of_client && (value.contains(&b'.') || value.contains(&b':')) => {
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
