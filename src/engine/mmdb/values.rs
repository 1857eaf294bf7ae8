//! Values of a section, followed without recursion and without keeping any.

use std::io::{Read, Seek};

use super::{
    damage::{Checked, damaged},
    pages::Pages,
};

/// The deepest nesting that readers take.
const DEEPEST: usize = 512;
/// The most values within one value: readers build all of them.
const MOST: u64 = 1 << 20;
/// Damage of a value.
const BROKEN: &str = "a value in it is damaged";

/// A part of the file with values in it. Pointers count from where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// The types of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Pointer,
    Text,
    Double,
    Bytes,
    U16,
    U32,
    Map,
    I32,
    U64,
    U128,
    List,
    Truth,
    Float,
}

impl Type {
    fn of(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Pointer,
            2 => Self::Text,
            3 => Self::Double,
            4 => Self::Bytes,
            5 => Self::U16,
            6 => Self::U32,
            7 => Self::Map,
            8 => Self::I32,
            9 => Self::U64,
            10 => Self::U128,
            11 => Self::List,
            14 => Self::Truth,
            15 => Self::Float,
            // 12 and 13 were meant for something that no writer does.
            _ => return None,
        })
    }

    /// Whether a value of the type may be so many bytes long.
    fn takes(self, size: u64) -> bool {
        match self {
            Self::Text | Self::Bytes | Self::Map | Self::List | Self::Pointer => true,
            Self::Double => size == 8,
            Self::Float => size == 4,
            Self::U16 => size <= 2,
            Self::U32 | Self::I32 => size <= 4,
            Self::U64 => size <= 8,
            Self::U128 => size <= 16,
            Self::Truth => size <= 1,
        }
    }
}

/// What a value begins with.
#[derive(Clone, Copy, Debug)]
struct Head {
    kind: Type,
    /// The bytes of the value, the items of a list, the pairs of a map, or the target of a pointer.
    size: u64,
    /// Where its bytes or items begin.
    body: u64,
}

/// A field of the metadata.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Type,
    /// The value of a number of up to 64 bits.
    pub(super) number: Option<u64>,
}

/// What is to be done behind a value.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// More items of a list; a map has a key before each value, and an even number of both left before a key.
    Items { left: u64, is_map: bool },
    /// Back behind a pointer.
    Back(u64),
}

#[derive(Debug)]
pub(super) struct Walk<'a, 'f, F> {
    pages: &'a mut Pages<'f, F>,
    section: Section,
    steps: u64,
}

impl<'a, 'f, F: Read + Seek> Walk<'a, 'f, F> {
    pub(super) fn of(pages: &'a mut Pages<'f, F>, section: Section) -> Self {
        Self {
            pages,
            section,
            steps: 0,
        }
    }

    /// How many values were read so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Follows a value with all in it; returns where it ends.
    pub(super) fn follow(&mut self, begin: u64) -> Checked<u64> {
        let (mut at, mut frames) = (begin, Vec::new());
        let mut is_target = false;
        let limit = self.steps + MOST;
        loop {
            self.steps += 1;
            if self.steps > limit || frames.len() > 2 * DEEPEST {
                return damaged("a record in it is larger than readers take");
            }
            let Head { kind, size, body } = self.head(at)?;
            let is_key = |frame: &&Frame| matches!(frame, Frame::Items { left, is_map: true } if left.is_multiple_of(2));
            let around = frames.iter().rev();
            let mut around = around.filter(|frame| matches!(frame, Frame::Items { .. }));
            let must_be_text = around.next().as_ref().is_some_and(is_key);
            if must_be_text && !matches!(kind, Type::Text | Type::Pointer) {
                return damaged(BROKEN);
            }
            match kind {
                Type::Pointer => {
                    // A pointer to a pointer is against the format, and could go round in circles.
                    if is_target {
                        return damaged(BROKEN);
                    }
                    frames.push(Frame::Back(body));
                    (at, is_target) = (self.section.begin.saturating_add(size), true);
                    continue;
                }
                Type::Map | Type::List => {
                    let is_map = kind == Type::Map;
                    let left = if is_map { 2 * size } else { size };
                    // Each item takes a byte at least.
                    if left > self.section.end - body {
                        return damaged(BROKEN);
                    }
                    at = body;
                    if left > 0 {
                        frames.push(Frame::Items { left, is_map });
                        is_target = false;
                        continue;
                    }
                }
                Type::Truth => at = body,
                Type::Text => at = self.text(body, size)?,
                _ => at = body + size,
            }
            is_target = false;
            // What ends with this value.
            loop {
                match frames.last_mut() {
                    None => return Ok(at),
                    Some(Frame::Back(behind)) => {
                        at = *behind;
                        frames.pop();
                    }
                    Some(Frame::Items { left: 1, .. }) => {
                        frames.pop();
                    }
                    Some(Frame::Items { left, .. }) => {
                        *left -= 1;
                        break;
                    }
                }
            }
        }
    }

    /// The fields of a map that was followed before; `None` where it is not one.
    pub(super) fn fields(&mut self, begin: u64) -> Checked<Option<Vec<Field>>> {
        let map = self.head(begin)?;
        if map.kind != Type::Map {
            return Ok(None);
        }
        let (mut at, mut fields) = (map.body, Vec::new());
        for _ in 0..map.size {
            let key = self.resolved(at)?;
            let mut name = Vec::new();
            // No name of the format is that long.
            for at in key.body..key.body + key.size.min(64) {
                name.push(self.pages.byte(at)?);
            }
            at = self.follow(at)?;
            let value = self.resolved(at)?;
            let is_number = matches!(value.kind, Type::U16 | Type::U32 | Type::U64);
            let number = is_number.then(|| self.pages.number(value.body, value.size));
            fields.push(Field {
                name: String::from_utf8_lossy(&name).into_owned(),
                kind: value.kind,
                number: number.transpose()?,
            });
            at = self.follow(at)?;
        }
        Ok(Some(fields))
    }

    /// What a value begins with, behind a pointer.
    fn resolved(&mut self, at: u64) -> Checked<Head> {
        let head = self.head(at)?;
        match head.kind {
            Type::Pointer => self.head(self.section.begin.saturating_add(head.size)),
            _ => Ok(head),
        }
    }

    /// Whether so many bytes from here on are in the section.
    fn has(&self, at: u64, bytes: u64) -> Checked<()> {
        if at < self.section.begin || bytes > self.section.end.saturating_sub(at) {
            return damaged(BROKEN);
        }
        Ok(())
    }

    fn head(&mut self, at: u64) -> Checked<Head> {
        self.has(at, 1)?;
        let control = self.pages.byte(at)?;
        let (mut at, number, form) = (at + 1, control >> 5, u64::from(control & 31));
        if number == 1 {
            return self.pointer(at, form);
        }
        let kind = if number == 0 {
            self.has(at, 1)?;
            at += 1;
            let extended = self.pages.byte(at - 1)?;
            // The lower types are not spelt in this way.
            (1..=8)
                .contains(&extended)
                .then(|| Type::of(extended + 7))
                .flatten()
        } else {
            Type::of(number)
        };
        let more = form.saturating_sub(28);
        self.has(at, more)?;
        let size = match form {
            29 => 29,
            30 => 285,
            31 => 65_821,
            _ => form,
        } + self.pages.number(at, more)?;
        let body = at + more;
        let Some(kind) = kind.filter(|kind| kind.takes(size)) else {
            return damaged(BROKEN);
        };
        if !matches!(kind, Type::Map | Type::List | Type::Truth) {
            self.has(body, size)?;
        }
        Ok(Head { kind, size, body })
    }

    fn pointer(&mut self, at: u64, form: u64) -> Checked<Head> {
        let (bytes, above) = ((form >> 3) + 1, form & 7);
        self.has(at, bytes)?;
        let number = self.pages.number(at, bytes)?;
        let size = match bytes {
            1 => above << 8 | number,
            2 => (above << 16 | number) + 2048,
            3 => (above << 24 | number) + 526_336,
            _ => number,
        };
        Ok(Head {
            kind: Type::Pointer,
            size,
            body: at + bytes,
        })
    }

    /// Reads a text, which must be UTF-8; returns where it ends.
    fn text(&mut self, begin: u64, size: u64) -> Checked<u64> {
        // A text that many pointers lead to is read as often, which must not go on for ever.
        self.steps += size / 64;
        let (mut at, end) = (begin, begin + size);
        let mut rest = Vec::new();
        while at < end {
            let piece = self.pages.some(at, end - at)?;
            at += piece.len() as u64;
            // A character may go over the end of a page.
            let joined;
            let piece = if rest.is_empty() {
                piece
            } else {
                joined = [&rest[..], piece].concat();
                &joined
            };
            rest = match std::str::from_utf8(piece) {
                Ok(_) => Vec::new(),
                Err(error) if error.error_len().is_none() => piece[error.valid_up_to()..].to_vec(),
                Err(_) => return damaged("a text in it is not UTF-8"),
            };
        }
        if rest.is_empty() {
            Ok(end)
        } else {
            damaged("a text in it is not UTF-8")
        }
    }
}
