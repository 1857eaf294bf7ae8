//! Writes addresses, numbers and lists of words as lines and exports spell them.

/// Appends an address in canonical spelling.
#[inline]
pub(in crate::store) fn spell_v4(octets: [u8; 4], into: &mut Vec<u8>) {
    for (at, octet) in octets.into_iter().enumerate() {
        if at > 0 {
            into.push(b'.');
        }
        if octet >= 100 {
            into.push(b'0' + octet / 100);
        }
        if octet >= 10 {
            into.push(b'0' + octet / 10 % 10);
        }
        into.push(b'0' + octet % 10);
    }
}

/// Appends a number in decimal digits. Exports have many; this takes a quarter of the time of `fmt`.
#[inline]
pub(in crate::store) fn spell_number(number: u64, into: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut at, mut left) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10).to_le_bytes()[0];
        left /= 10;
        if left == 0 {
            break;
        }
    }
    into.extend_from_slice(&digits[at..]);
}

/// Appends a list of words.
#[inline]
pub(super) fn spell_words<'a, E>(
    mut words: impl Iterator<Item = Result<&'a [u8], E>>,
    into: &mut Vec<u8>,
) -> Result<(), E> {
    into.extend_from_slice(b"[\"");
    words.try_fold(true, |is_first, word| {
        if !is_first {
            into.extend_from_slice(b"\",\"");
        }
        into.extend_from_slice(word?);
        Ok(false)
    })?;
    into.extend_from_slice(b"\"]");
    Ok(())
}
