//! The signs that join the parts of an address, plain, defanged and escaped; and the escapes that may be before one.

/// What joins two parts of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Dot,
    Colon,
}

impl Separator {
    /// The sign that begins here, and its length.
    #[inline]
    pub(super) fn at(text: &[u8], at: usize) -> Option<(Self, usize)> {
        match *text.get(at)? {
            b'.' => Some((Self::Dot, 1)),
            b':' => Some((Self::Colon, 1)),
            _ => Self::escaped_at(&text[at..]),
        }
    }

    /// The sign that begins a text and is defanged or escaped, and its length.
    fn escaped_at(ahead: &[u8]) -> Option<(Self, usize)> {
        match *ahead.first()? {
            b'[' => Self::between(ahead, b']').or_else(|| Self::open(ahead)),
            b'(' => Self::between(ahead, b')'),
            b'{' => Self::between(ahead, b'}'),
            b' ' => Self::apart(ahead),
            b'&' => Self::entity(ahead),
            // In regular expressions.
            b'\\' if ahead.get(1) == Some(&b'.') => Some((Self::Dot, 2)),
            // In addresses of web pages.
            b'%' => match (ahead.get(1)?, ahead.get(2)?.to_ascii_uppercase()) {
                (b'3', b'A') => Some((Self::Colon, 3)),
                (b'2', b'E') => Some((Self::Dot, 3)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A defanged sign that was left open: `[.`.
    fn open(ahead: &[u8]) -> Option<(Self, usize)> {
        match ahead {
            [_, b'.', digit, ..] if digit.is_ascii_digit() => Some((Self::Dot, 2)),
            _ => None,
        }
    }

    /// A defanged dot between blanks: ` [.] `.
    fn apart(ahead: &[u8]) -> Option<(Self, usize)> {
        match ahead {
            [_, b'[', b'.', b']', b' ', digit, ..] if digit.is_ascii_digit() => {
                Some((Self::Dot, 5))
            }
            [_, b'[', b'.', b']', digit, ..] if digit.is_ascii_digit() => Some((Self::Dot, 4)),
            _ => None,
        }
    }

    /// A sign as an entity of HTML.
    fn entity(ahead: &[u8]) -> Option<(Self, usize)> {
        const ENTITIES: [(&[u8], Separator); 6] = [
            (b"&#46;", Separator::Dot),
            (b"&#x2e;", Separator::Dot),
            (b"&period;", Separator::Dot),
            (b"&#58;", Separator::Colon),
            (b"&#x3a;", Separator::Colon),
            (b"&colon;", Separator::Colon),
        ];
        let is_here = |name: &[u8]| {
            let own = ahead.get(..name.len());
            own.is_some_and(|bytes| bytes.eq_ignore_ascii_case(name))
        };
        let found = ENTITIES.into_iter().find(|(name, _)| is_here(name));
        found.map(|(name, sign)| (sign, name.len()))
    }

    /// A defanged sign: `[.]`, `[:]`, `[dot]`.
    fn between(ahead: &[u8], close: u8) -> Option<(Self, usize)> {
        const DOT: &[u8] = b"dot";
        match *ahead.get(1)? {
            b'.' if ahead.get(2) == Some(&close) => {
                // `203[.] 0`
                let is_apart =
                    matches!(ahead.get(3..5), Some([b' ', digit]) if digit.is_ascii_digit());
                Some((Self::Dot, if is_apart { 4 } else { 3 }))
            }
            b':' if ahead.get(2) == Some(&close) => Some((Self::Colon, 3)),
            b'd' | b'D'
                if ahead.get(1..4)?.eq_ignore_ascii_case(DOT) && ahead.get(4) == Some(&close) =>
            {
                Some((Self::Dot, 5))
            }
            _ => None,
        }
    }
}

/// What precedes a run that begins with digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preceding {
    Nothing,
    /// A letter, so that the digits are the end of a word.
    Word,
    /// The beginning of an escape, to which so many of the digits belong.
    Escape(usize),
    /// A percent sign: two of the digits may belong to it.
    Percent,
}

impl Preceding {
    pub(super) fn of(text: &[u8], start: usize) -> Self {
        let before = text.get(..start).unwrap_or_default();
        match before {
            [.., b'%'] => Self::Percent,
            [.., b'\\', b'u'] => Self::Escape(4),
            [.., b'\\', b'x'] => Self::Escape(2),
            [.., b'\\', b'n' | b'r' | b't'] => Self::Nothing,
            [.., b'm' | b'K'] if ends_with_a_colour(before) => Self::Nothing,
            [.., last] if last.is_ascii_alphanumeric() => Self::Word,
            _ => Self::Nothing,
        }
    }
}

/// Whether the text ends with a terminal's sequence such as `ESC [ 1 ; 31 m`.
fn ends_with_a_colour(text: &[u8]) -> bool {
    const LONGEST: usize = 20;
    let Some((_, text)) = text.split_last() else {
        return false;
    };
    let numbers = text.iter().rev().take(LONGEST);
    let numbers = numbers.take_while(|byte| byte.is_ascii_digit() || **byte == b';');
    text[..text.len() - numbers.count()].last() == Some(&b'[')
}
