//! One run of hexadecimal digits and signs, and what it spells.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    ops::Range,
    str,
};

use ipnet::IpNet;

use super::{
    context::{is_at_firewall, is_of_packet},
    hit::{Found, Hit},
    signs::{Preceding, Separator},
    version::is_version,
};
use crate::model::lenient::scalar;

/// A run as it is in the text.
pub(super) struct CharRun<'a> {
    text: &'a [u8],
    range: Range<usize>,
    dots: usize,
    colons: usize,
    /// Whether two colons stand together.
    has_gap: bool,
}

/// A part of a run: digits, or what joins them.
enum RunPart {
    Digits(Range<usize>),
    Sign(Separator),
}

impl<'a> CharRun<'a> {
    /// The run to which the sign at this place belongs, which is the first sign of it.
    pub(super) fn around(text: &'a [u8], sign: usize) -> Self {
        let before = text[..sign].iter().rev();
        let digits = before.take_while(|byte| byte.is_ascii_hexdigit()).count();
        let (mut end, mut dots, mut colons) = (sign, 0, 0);
        // Where the last colon ended.
        let (mut behind_colon, mut has_gap) = (usize::MAX, false);
        while let Some(byte) = text.get(end) {
            if byte.is_ascii_hexdigit() {
                end += 1;
                continue;
            }
            match Separator::at(text, end) {
                Some((Separator::Dot, length)) => (dots, end) = (dots + 1, end + length),
                Some((Separator::Colon, length)) => {
                    has_gap |= behind_colon == end;
                    (colons, end) = (colons + 1, end + length);
                    behind_colon = end;
                }
                None => break,
            }
        }
        Self {
            text,
            range: sign - digits..end,
            dots,
            colons,
            has_gap,
        }
    }

    pub(super) fn end(&self) -> usize {
        self.range.end
    }

    /// Tells what it spells: one IPv6 address, else its IPv4 addresses.
    pub(super) fn read(self, hear: &mut impl FnMut(Hit)) {
        if self.dots < 3 && self.colons < 2 {
            return;
        }
        if let Some(at) = self.marked_version() {
            return hear(Hit {
                at,
                found: Found::Version,
            });
        }
        let (range, is_a_word) = self.usable();
        // Eight groups have seven colons, or six before an IPv4 address. `2026:10:15:30` is the most usual run.
        let may_be_ipv6 = self.colons >= 6 || self.colons >= 2 && self.has_gap;
        if may_be_ipv6 && let Some(hit) = self.ipv6(range.clone(), is_a_word) {
            hear(hit);
        } else if self.dots >= 3 {
            self.ipv4(range, hear);
        }
    }

    /// The run if it is `v1.2.3.4`.
    fn marked_version(&self) -> Option<Range<usize>> {
        let before = &self.text[..self.range.start];
        let is_marked = match before {
            [.., last, b'v' | b'V'] => !last.is_ascii_alphanumeric(),
            [b'v' | b'V'] => true,
            _ => false,
        };
        let run = &self.text[self.range.clone()];
        let is_four = is_marked && self.colons == 0 && self.dots == 3;
        let is_plain = is_four
            && run
                .split(|byte| *byte == b'.')
                .all(|bytes| octet(bytes).is_some());
        (is_plain && !self.runs_into_a_word()).then(|| self.range.clone())
    }

    /// The run without digits that belong to a word or an escape before it; and whether it is the rest of a word.
    fn usable(&self) -> (Range<usize>, bool) {
        let Range { start, end } = self.range;
        let digits = self.digits(start);
        match Preceding::of(self.text, start) {
            Preceding::Nothing => (start..end, false),
            Preceding::Word => (start + digits..end, true),
            Preceding::Escape(number) => (start + number.min(digits)..end, false),
            Preceding::Percent => {
                let group = &self.text[start..start + digits];
                let whole = octet(group).is_some() || self.colons >= 2 && digits <= 4;
                (start + if whole { 0 } else { digits.min(2) }..end, false)
            }
        }
    }

    /// How many digits are here.
    fn digits(&self, at: usize) -> usize {
        let ahead = self.text[at..self.range.end].iter();
        ahead.take_while(|byte| byte.is_ascii_hexdigit()).count()
    }

    fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, RunPart)> + '_ {
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let start = at;
            let digits = self.digits(at);
            if digits > 0 {
                at += digits;
                return Some((start..at, RunPart::Digits(start..at)));
            }
            let (sign, length) = Separator::at(self.text, at)?;
            at += length;
            Some((start..at, RunPart::Sign(sign)))
        })
    }

    /// Whether a word follows, to which digits at the end of the run belong.
    fn runs_into_a_word(&self) -> bool {
        let next = self.text.get(self.range.end);
        next.is_some_and(u8::is_ascii_alphanumeric)
    }

    /// The run as one IPv6 address.
    fn ipv6(&self, range: Range<usize>, is_a_word: bool) -> Option<Hit> {
        let mut spelling = Ipv6Spelling::default();
        let mut is_after_dot = true;
        for (at, part) in self.parts(range) {
            // `A...2001:db8::7`
            is_after_dot &= matches!(part, RunPart::Sign(Separator::Dot));
            if is_after_dot {
                continue;
            }
            match part {
                RunPart::Digits(digits) => spelling.push(&self.text[digits], &at)?,
                RunPart::Sign(Separator::Dot) => spelling.push(b".", &at)?,
                RunPart::Sign(Separator::Colon) => spelling.push(b":", &at)?,
            }
        }
        if self.runs_into_a_word() {
            spelling.drop_digits();
            if spelling.text().ends_with("::") {
                return None;
            }
        }
        if spelling.text().starts_with(":::") && !is_a_word {
            // Any address, and a port: `:::8080`.
            return None;
        }
        spelling.trim_colons(is_a_word);
        let (address, without_port) = spelling.address()?;
        if self.text.get(self.range.end) == Some(&b'*')
            && matches!(
                self.text[..self.range.end],
                [.., b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F', b':']
            )
        {
            // What did not fit is cut: `2001:db8:77::bad:*`.
            return None;
        }
        let text = spelling.text();
        // Every public address has a digit; names in code often have none.
        if !text.bytes().any(|byte| byte.is_ascii_digit()) || is_of_hardware(text) {
            return None;
        }
        if text.contains('.') && address.segments()[..6] == [0; 6] {
            // Two colons before an IPv4 address: the form was given up, so the IPv4 address is meant.
            return None;
        }
        let place = spelling.place()?;
        if let Some(without) = without_port.filter(|_| !self.is_closed(&place)) {
            return Some(Hit {
                at: place,
                found: Found::MayEndInPort(address, without),
            });
        }
        Some(self.with_length(place, address.into()))
    }

    /// Whether something says where an address ends: brackets, a zone, a length.
    fn is_closed(&self, place: &Range<usize>) -> bool {
        let is_in_brackets = self.text[..place.start].ends_with(b"[");
        match self.text.get(place.end) {
            Some(b']') => is_in_brackets,
            Some(b'%' | b'/' | b'.') => true,
            _ => false,
        }
    }

    /// The IPv4 addresses of a run: sequences of four numbers between colons, ends, or several dots in a row.
    fn ipv4(&self, range: Range<usize>, hear: &mut impl FnMut(Hit)) {
        let mut numbers = Numbers::default();
        for (_, part) in self.parts(range) {
            match part {
                RunPart::Digits(digits) => numbers.push(digits),
                RunPart::Sign(Separator::Dot) if numbers.dots == 1 => {
                    self.tell(&numbers, hear);
                    numbers = Numbers {
                        dots: 2,
                        ..Numbers::default()
                    };
                }
                RunPart::Sign(Separator::Dot) => numbers.dots += 1,
                RunPart::Sign(Separator::Colon) => {
                    self.tell(&numbers, hear);
                    numbers = Numbers::default();
                }
            }
        }
        if numbers.count == 0 || !self.runs_into_a_word() {
            self.tell(&numbers, hear);
        } else if let Some(place) = numbers.before_a_name()
            && is_of_packet(self.text, place.start, self.word_end())
        {
            // `198.51.100.7.https >`
            self.tell_four(&numbers.places, hear);
        }
    }

    /// Where the word ends into which the run goes on.
    fn word_end(&self) -> usize {
        let ahead = &self.text[self.range.end..];
        let own = ahead
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
        self.range.end + own.count()
    }

    fn tell(&self, numbers: &Numbers, hear: &mut impl FnMut(Hit)) {
        if let Some(numbers) = numbers.four() {
            self.tell_four(numbers, hear);
        } else if let Some((place, port)) = numbers.with_port()
            && str::from_utf8(&self.text[port.clone()])
                .is_ok_and(|text| text.parse::<u16>().is_ok())
            && is_of_packet(self.text, place.start, port.end)
        {
            // `198.51.100.7.50122 >`
            self.tell_four(&numbers.places, hear);
        }
    }

    fn tell_four(&self, numbers: &[Range<usize>; 4], hear: &mut impl FnMut(Hit)) {
        let place = numbers[0].start..numbers[3].end;
        let mut octets = [0; 4];
        let mut padded = false;
        for (into, number) in octets.iter_mut().zip(numbers) {
            let digits = &self.text[number.clone()];
            let Some(octet) = octet(digits) else {
                return;
            };
            *into = octet;
            padded |= digits.len() > 1 && digits[0] == b'0';
        }
        if is_version(self.text, &place) {
            return hear(Hit {
                at: place,
                found: Found::Version,
            });
        }
        if is_mask(octets) {
            return;
        }
        if padded {
            hear(Hit {
                at: place,
                found: Found::Padded,
            });
        } else {
            hear(self.with_length(place, Ipv4Addr::from(octets).into()));
        }
    }

    /// An address, or the network that it is together with the length behind it.
    fn with_length(&self, place: Range<usize>, address: IpAddr) -> Hit {
        let network = self.length(&place).and_then(|(length, end)| {
            let network = IpNet::new(address, length).ok()?;
            let whole = network.prefix_len() == network.max_prefix_len();
            let clear = network.trunc().addr() == address;
            (clear && !whole).then_some((network, place.start..end))
        });
        match network {
            Some((network, at)) => Hit {
                at,
                found: Found::Network(scalar::unmapped(network)),
            },
            None => Hit {
                at: place,
                found: Found::Address(address.to_canonical()),
            },
        }
    }

    /// The length that a mask says behind a place, `/255.255.255.0`, and where it ends.
    fn mask(&self, place: &Range<usize>) -> Option<(u8, usize)> {
        let ahead = self.text.get(place.end..)?.strip_prefix(b"/255.")?;
        let is_of_mask = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
        let end = place.end + 5 + ahead.iter().take_while(is_of_mask).count();
        let mask: Ipv4Addr = str::from_utf8(&self.text[place.end + 1..end])
            .ok()?
            .parse()
            .ok()?;
        Some((ipnet::ipv4_mask_to_prefix(mask).ok()?, end))
    }

    /// The length of a network, `/24`, behind a place, and where it ends. In an URL it is a path.
    fn length(&self, place: &Range<usize>) -> Option<(u8, usize)> {
        if let Some(mask) = self.mask(place) {
            return Some(mask);
        }
        if self.text[..place.start].ends_with(b"//") || self.text.get(place.end) != Some(&b'/') {
            return None;
        }
        if is_at_firewall(self.text, place.start) {
            // `outside:198.51.100.128/25` is a port.
            return None;
        }
        let ahead = &self.text[place.end + 1..];
        let count = ahead
            .iter()
            .take(4)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = ahead.split_at(count);
        let scope = rest.strip_prefix(b"/").unwrap_or_default();
        let scope_len = scope
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let ends = match rest {
            [b'.', next, ..] => !next.is_ascii_alphanumeric(),
            // The scope of a client subnet of DNS: `/24/0`.
            [b'/', ..] if (1..=3).contains(&scope_len) => !scope
                .get(scope_len)
                .is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'/'),
            [next, ..] => !next.is_ascii_alphanumeric() && !b"/_-".contains(next),
            [] => true,
        };
        let length = str::from_utf8(digits).ok()?.parse().ok()?;
        (ends && count <= 3).then_some((length, place.end + 1 + count))
    }
}

/// Up to three decimal digits that make a number up to 255.
fn octet(digits: &[u8]) -> Option<u8> {
    if digits.is_empty() || digits.len() > 3 {
        return None;
    }
    let mut number = 0_u16;
    for digit in digits {
        number = number * 10 + u16::from(digit.is_ascii_digit().then(|| digit - b'0')?);
    }
    u8::try_from(number).ok()
}

/// Whether these are the mask of a network: `255.255.255.0`.
fn is_mask(octets: [u8; 4]) -> bool {
    let bits = u32::from_be_bytes(octets);
    octets[0] == 255 && bits != u32::MAX && bits.leading_ones() + bits.trailing_zeros() == 32
}

/// Whether these are the eight bytes of a hardware address, as some networks have them.
fn is_of_hardware(text: &str) -> bool {
    let mut groups = text.split(':');
    groups.clone().count() == 8 && groups.all(|group| group.len() == 2)
}

/// Numbers joined by single dots.
#[derive(Default)]
struct Numbers {
    places: [Range<usize>; 4],
    fifth: Range<usize>,
    count: usize,
    /// Dots since the last number.
    dots: usize,
    /// Whether one dot alone precedes the first.
    is_after_dot: bool,
}

impl Numbers {
    fn push(&mut self, digits: Range<usize>) {
        if self.count == 0 {
            self.is_after_dot = self.dots == 1;
        }
        match self.places.get_mut(self.count) {
            Some(place) => *place = digits,
            None if self.count == 4 => self.fifth = digits,
            None => {}
        }
        (self.count, self.dots) = (self.count + 1, 0);
    }

    fn four(&self) -> Option<&[Range<usize>; 4]> {
        (self.count == 4 && !self.is_after_dot).then_some(&self.places)
    }

    /// The place of four numbers, and of a fifth behind them.
    fn with_port(&self) -> Option<(Range<usize>, Range<usize>)> {
        let place = self.places[0].start..self.places[3].end;
        (self.count == 5 && !self.is_after_dot).then(|| (place, self.fifth.clone()))
    }

    /// The place of four numbers with a dot behind them, and perhaps the first letters of a name.
    fn before_a_name(&self) -> Option<Range<usize>> {
        let is_before = self.count == 4 && self.dots == 1 || self.count == 5 && self.dots == 0;
        (is_before && !self.is_after_dot).then(|| self.places[0].start..self.places[3].end)
    }
}

/// An IPv6 address without defanging, with the place of each of its characters.
struct Ipv6Spelling {
    text: [u8; Self::LONGEST],
    places: [(usize, usize); Self::LONGEST],
    start: usize,
    end: usize,
}

impl Default for Ipv6Spelling {
    fn default() -> Self {
        Self {
            text: [0; Self::LONGEST],
            places: [(0, 0); Self::LONGEST],
            start: 0,
            end: 0,
        }
    }
}

impl Ipv6Spelling {
    /// The longest address, some colons around it, and a port.
    const LONGEST: usize = 56;

    /// `None` when it gets longer than any address.
    fn push(&mut self, part: &[u8], at: &Range<usize>) -> Option<()> {
        let end = self.end + part.len();
        self.text.get_mut(self.end..end)?.copy_from_slice(part);
        for (index, place) in self.places[self.end..end].iter_mut().enumerate() {
            // Digits have a place each, a defanged sign has one for all that it is.
            *place = if part.len() == at.len() {
                (at.start + index, at.start + index + 1)
            } else {
                (at.start, at.end)
            };
        }
        self.end = end;
        Some(())
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.text[self.start..self.end]).unwrap_or_default()
    }

    /// Takes the digits at the end away.
    fn drop_digits(&mut self) {
        while self.text().ends_with(|last: char| last.is_ascii_hexdigit()) {
            self.end -= 1;
        }
    }

    /// Takes colons away that do not belong to the address: single ones at the ends, and all at the beginning if a word
    /// precedes them.
    fn trim_colons(&mut self, all_at_the_beginning: bool) {
        let spare = |colons| match colons {
            0 | 2 => 0,
            1 => 1,
            more => more - 2,
        };
        let leading = self.text().bytes().take_while(|byte| *byte == b':').count();
        self.start += if all_at_the_beginning {
            leading
        } else {
            spare(leading)
        };
        let trailing = self
            .text()
            .bytes()
            .rev()
            .take_while(|byte| *byte == b':')
            .count();
        self.end -= spare(trailing);
    }

    /// The address, if it is one, and what it would be if its last group were a port. What can only be a port goes: behind a dot, behind
    /// eight groups, or more than a group can hold.
    fn address(&mut self) -> Option<(Ipv6Addr, Option<Ipv6Addr>)> {
        if let Ok(address) = self.text().parse() {
            return Some((address, self.without_port()));
        }
        let text = self.text();
        let is_full = text.split(':').count() == 9 && !text.contains("::");
        let last = text.rfind(':').map_or(0, |at| at + 1);
        let is_no_group = text.len() - last == 5 && text[last..].parse::<u16>().is_ok();
        let at = if is_full || is_no_group {
            text.rfind(':')
        } else {
            text.find('.')
        }?;
        if text[at + 1..].bytes().all(|byte| byte.is_ascii_digit()) {
            self.end = self.start + at;
        }
        Some((self.text().parse().ok()?, None))
    }

    /// The address before the last group, where that reads as a port: `2001:db8::1:8080`.
    fn without_port(&self) -> Option<Ipv6Addr> {
        let (address, port) = self.text().rsplit_once(':')?;
        let is_decimal = port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
        let is_port = is_decimal && port.parse::<u16>().is_ok() && !address.ends_with(':');
        address.parse().ok().filter(|_| is_port)
    }

    fn place(&self) -> Option<Range<usize>> {
        let places = self.places.get(self.start..self.end)?;
        Some(places.first()?.0..places.last()?.1)
    }
}
