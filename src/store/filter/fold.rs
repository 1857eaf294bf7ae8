//! Case-insensitive text.

use std::borrow::Cow;

/// Whether `text` contains `part`, ignoring case.
///
/// Each letter is folded without regard to its neighbours, so every part of a text is found in it.
#[must_use]
pub fn contains(text: &str, part: &str) -> bool {
    if text.is_ascii() && part.is_ascii() {
        let (text, part) = (text.as_bytes(), part.as_bytes());
        // `windows` panics for length 0.
        return part.is_empty()
            || text
                .windows(part.len())
                .any(|window| window.eq_ignore_ascii_case(part));
    }
    folded(text).contains(&*folded(part))
}

/// The text in lower case, letter by letter; a final sigma becomes a normal one.
pub(in crate::store) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let lower = |letter: char| {
        letter
            .to_lowercase()
            .map(|letter| if letter == 'ς' { 'σ' } else { letter })
    };
    let same = |letter: char| lower(letter).eq([letter]);
    if text.chars().all(same) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().flat_map(lower).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_makes_no_difference() {
        for (text, part) in [
            ("Example Hosting BV", "EXAMPLE host"),
            ("Zürich Netz", "ZÜRICH"),
            ("ΟΔΟΣ Α", "οδος"),
            ("ΟΔΟΣΑ", "οδος"),
            ("\u{130}stanbul", "\u{130}STAN"),
            ("5 \u{212a}", "5 k"),
            ("x", ""),
        ] {
            assert!(contains(text, part), "{text:?} {part:?}");
        }
        assert!(!contains("Zürich", "Zurich"));
        assert!(!contains("ab", "abc"));
    }

    proptest! {
        #[test]
        fn every_part_is_found_in_whatever_case(before in any::<String>(), part in any::<String>(), after in any::<String>()) {
            let text = format!("{before}{part}{after}");
            prop_assert!(contains(&text, &part));
            let upper: String = text.chars().map(|letter| letter.to_ascii_uppercase()).collect();
            prop_assert!(contains(&upper, &part));
        }
    }
}
