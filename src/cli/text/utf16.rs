//! Decodes UTF-16 to UTF-8 while reading. Invalid characters become U+FFFD.

use std::io::{self, Read};

/// Bytes that are read at once.
const BLOCK: usize = 64 << 10;

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    /// The low byte first, as Windows writes it.
    Little,
    /// The high byte first.
    Big,
}

impl ByteOrder {
    /// The byte order of a text with this beginning; `None` if it is not UTF-16. Without a byte order mark, two ASCII characters decide.
    pub(super) fn of(begins: &[u8]) -> Option<Self> {
        match begins {
            [0xff, 0xfe, ..] | [1..=255, 0, 1..=255, 0, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] | [0, 1..=255, 0, 1..=255, ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// A text that is decoded as it is read.
pub(super) struct Utf16<R> {
    inner: R,
    order: ByteOrder,
    /// Bytes read and not decoded yet.
    rest: Vec<u8>,
    decoded: Vec<u8>,
    /// How much of the decoded text was handed on.
    handed: usize,
    begun: bool,
}

impl<R> Utf16<R> {
    pub(super) fn of(inner: R, order: ByteOrder) -> Self {
        Self {
            inner,
            order,
            rest: Vec::new(),
            decoded: Vec::new(),
            handed: 0,
            begun: false,
        }
    }

    /// Decodes what is there, except for half a unit and half a pair of units.
    fn decode(&mut self, at_end: bool) {
        let mut units: Vec<u16> = self
            .rest
            .chunks_exact(2)
            .map(|pair| self.order.unit([pair[0], pair[1]]))
            .collect();
        let is_half_a_pair = |unit: &u16| (0xd800..0xdc00).contains(unit);
        if !at_end && units.last().is_some_and(is_half_a_pair) {
            units.pop();
        }
        self.rest.drain(..units.len() * 2);
        if !units.is_empty() && !std::mem::replace(&mut self.begun, true) && units[0] == 0xfeff {
            units.remove(0);
        }
        let text: String = char::decode_utf16(units)
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        (self.decoded, self.handed) = (text.into_bytes(), 0);
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.handed == self.decoded.len() {
            let kept = self.rest.len();
            self.rest.resize(kept + BLOCK, 0);
            let count = self.inner.read(&mut self.rest[kept..]);
            self.rest
                .truncate(kept + count.as_ref().copied().unwrap_or_default());
            let at_end = count? == 0;
            self.decode(at_end);
            if at_end {
                // An odd byte at the end is no character.
                self.rest.clear();
                break;
            }
        }
        let left = &self.decoded[self.handed..];
        let count = left.len().min(into.len());
        into[..count].copy_from_slice(&left[..count]);
        self.handed += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            (into[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let text = "a🙂b";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let mut read = String::new();
        Utf16::of(Slow(&bytes), ByteOrder::Big)
            .read_to_string(&mut read)
            .expect("text");
        assert_eq!(read, text);
    }

    #[test]
    fn what_is_no_character_is_replaced() {
        let mut bytes: Vec<u8> = [0x61, 0xd800]
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        bytes.push(7);
        let mut read = String::new();
        Utf16::of(&*bytes, ByteOrder::Little)
            .read_to_string(&mut read)
            .expect("text");
        assert_eq!(read, "a\u{fffd}");
    }

    #[test]
    fn the_first_bytes_tell_the_order() {
        for (begins, order) in [
            (&b"\xff\xfe"[..], Some(ByteOrder::Little)),
            (b"\xfe\xff\x00a", Some(ByteOrder::Big)),
            (b"1\x009\x00", Some(ByteOrder::Little)),
            (b"\x001\x009", Some(ByteOrder::Big)),
            (b"198.", None),
            (b"\x00\x00\x00\x00", None),
            (b"", None),
        ] {
            assert_eq!(ByteOrder::of(begins), order, "{begins:?}");
        }
    }
}
