//! One run of hexadecimal digits and signs, and what it spells.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    ops::Range,
    str,
};

use ipnet::IpNet;

use super::{
    hit::{Found, Hit},
    signs::{Preceding, Separator},
};
use crate::model::lenient::scalar;

/// A run as it is in the text.
pub(super) struct CharRun<'a> {
    text: &'a [u8],
    range: Range<usize>,
    dots: usize,
    colons: usize,
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
        while let Some(byte) = text.get(end) {
            if byte.is_ascii_hexdigit() {
                end += 1;
                continue;
            }
            match Separator::at(text, end) {
                Some((Separator::Dot, length)) => (dots, end) = (dots + 1, end + length),
                Some((Separator::Colon, length)) => (colons, end) = (colons + 1, end + length),
                None => break,
            }
        }
        Self {
            text,
            range: sign - digits..end,
            dots,
            colons,
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
        let (range, is_a_word) = self.usable();
        if self.colons >= 2
            && let Some(hit) = self.ipv6(range.clone(), is_a_word)
        {
            hear(hit);
        } else if self.dots >= 3 {
            self.ipv4(range, hear);
        }
    }

    /// The run without digits that belong to a word or an escape before it; and whether it is the rest of a word.
    fn usable(&self) -> (Range<usize>, bool) {
        let Range { start, end } = self.range;
        let digits = self.digits(start);
        match Preceding::of(self.text, start) {
            Preceding::Nothing => (start..end, false),
            Preceding::Word => (start + digits..end, true),
            Preceding::Escape(own) => (start + own.min(digits)..end, false),
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
        for (at, part) in self.parts(range) {
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
        spelling.trim_colons(is_a_word);
        let address = spelling.address()?;
        let text = spelling.text();
        // Every public address has a digit; names in code often have none.
        if !text.bytes().any(|byte| byte.is_ascii_digit()) || is_of_hardware(text) {
            return None;
        }
        if text.contains('.') && address.segments()[..6] == [0; 6] {
            // Two colons before an IPv4 address: the form was given up, so the IPv4 address is meant.
            return None;
        }
        Some(self.with_length(spelling.place()?, address.into()))
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
        }
    }

    fn tell(&self, numbers: &Numbers, hear: &mut impl FnMut(Hit)) {
        let Some(numbers) = numbers.four() else {
            return;
        };
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
        if self.is_version(&place) {
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

    /// Whether these four numbers are the version of a product: `OpenSSH_9.6.0.1`, `Chrome/130.0.0.0`.
    fn is_version(&self, place: &Range<usize>) -> bool {
        const LONGEST: usize = 40;
        let behind = &self.text[place.end..];
        if let [b':' | b'_', b'0'..=b'9', ..] = behind {
            return false;
        }
        match self.text[..place.start].split_last() {
            Some((b'_', before)) => before.last().is_some_and(u8::is_ascii_alphanumeric),
            Some((b'/', before)) => {
                let name = before.iter().rev().take(LONGEST);
                let name =
                    name.take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
                let (before, name) = before.split_at(before.len() - name.count());
                let continues =
                    |byte: &u8| byte.is_ascii_alphanumeric() || b"/.@%\\".contains(byte);
                name.first().is_some_and(u8::is_ascii_alphabetic)
                    && !before.last().is_some_and(continues)
            }
            _ => false,
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

    /// The length of a network, `/24`, behind a place, and where it ends. In an URL it is a path.
    fn length(&self, place: &Range<usize>) -> Option<(u8, usize)> {
        if self.text[..place.start].ends_with(b"//") || self.text.get(place.end) != Some(&b'/') {
            return None;
        }
        let ahead = &self.text[place.end + 1..];
        let count = ahead
            .iter()
            .take(4)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = ahead.split_at(count);
        let ends = match rest {
            [b'.', next, ..] => !next.is_ascii_alphanumeric(),
            [next, ..] => !next.is_ascii_alphanumeric() && !b"/_-".contains(next),
            [] => true,
        };
        let length = str::from_utf8(digits).ok()?.parse().ok()?;
        (ends && count <= 3).then_some((length, place.end + 1 + count))
    }
}

/// Up to three decimal digits that make a number up to 255.
fn octet(digits: &[u8]) -> Option<u8> {
    if digits.len() > 3 {
        return None;
    }
    // Digits are few and ASCII, and `parse` takes no sign where there is none.
    str::from_utf8(digits).ok()?.parse().ok()
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
    count: usize,
    /// Dots since the last number.
    dots: usize,
    /// Whether one dot alone precedes the first.
    led: bool,
}

impl Numbers {
    fn push(&mut self, digits: Range<usize>) {
        if self.count == 0 {
            self.led = self.dots == 1;
        }
        if let Some(place) = self.places.get_mut(self.count) {
            *place = digits;
        }
        (self.count, self.dots) = (self.count + 1, 0);
    }

    fn four(&self) -> Option<&[Range<usize>; 4]> {
        (self.count == 4 && !self.led).then_some(&self.places)
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

    /// The address, if it is one. A port goes: behind a dot, or behind a colon where eight groups make it one too many.
    fn address(&mut self) -> Option<Ipv6Addr> {
        if let Ok(address) = self.text().parse() {
            return Some(address);
        }
        let text = self.text();
        let is_full = text.split(':').count() == 9 && !text.contains("::");
        let at = if is_full {
            text.rfind(':')
        } else {
            text.find('.')
        }?;
        if text[at + 1..].bytes().all(|byte| byte.is_ascii_digit()) {
            self.end = self.start + at;
        }
        self.text().parse().ok()
    }

    fn place(&self) -> Option<Range<usize>> {
        let places = self.places.get(self.start..self.end)?;
        Some(places.first()?.0..places.last()?.1)
    }
}
