//! Fuzzy matching: whether the letters that were typed are in a text in this order, how well, and where.
//!
//! Words between blanks are searched for each by itself, in any order and whatever their case. What is typed has no syntax.

use frizbee::{CaseMatching, Config, Matcher, Pattern, UnicodeMatching};

use super::cells;

/// Letters from which on a word may have one that is wrong, missing or too many: a shorter one would then match nearly all.
const LONG: usize = 5;

/// What was typed, made ready to be searched for in many texts.
#[derive(Debug)]
pub struct Fuzzy {
    matcher: Matcher,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// How well: more is better, and only scores of one [`Fuzzy`] compare.
    pub score: u16,
    /// The graphemes of the text that matched, in order.
    pub marks: Vec<u32>,
}

impl Fuzzy {
    /// Matches texts that have every letter: for lists that are filtered, where each row shown is taken for what was meant.
    #[must_use]
    pub fn strict(typed: &str) -> Self {
        Self::new(typed, |_| 0)
    }

    /// Matches texts where each word of five letters or more may have one mistake: for lists of which the best row is taken.
    #[must_use]
    pub fn lenient(typed: &str) -> Self {
        Self::new(typed, |word| u16::from(word.chars().count() >= LONG))
    }

    fn new(typed: &str, typos: impl Fn(&str) -> u16) -> Self {
        let config = Config::default()
            .casing(CaseMatching::Ignore)
            .unicode(UnicodeMatching::Always);
        let words = typed.split_whitespace();
        let patterns: Vec<Pattern> = words
            .map(|word| Pattern::from(word).max_typos(Some(typos(word))))
            .collect();
        Self {
            matcher: Matcher::from_patterns(&patterns, &config),
        }
    }

    /// Whether a text matches. Every text does where nothing was typed.
    pub fn matches(&mut self, text: &str) -> bool {
        self.matcher.match_one(text, 0).is_some()
    }

    /// How well a text matches, and where.
    pub fn find(&mut self, text: &str) -> Option<Match> {
        let found = self.matcher.match_one_indices(text, 0)?;
        let mut bytes: Vec<usize> = found.indices.iter().map(|&at| at as usize).collect();
        bytes.sort_unstable();
        Some(Match {
            score: found.score,
            marks: graphemes_at(text, &bytes),
        })
    }
}

/// The graphemes of a text in which these bytes, in order, are.
fn graphemes_at(text: &str, bytes: &[usize]) -> Vec<u32> {
    let mut left = bytes;
    let mut marks = Vec::new();
    let mut end = 0;
    for (mark, (grapheme, _)) in (0..).zip(cells::graphemes(text)) {
        end += grapheme.len();
        let inside = left.iter().take_while(|&&at| at < end).count();
        if inside > 0 {
            marks.push(mark);
            left = &left[inside..];
        }
        if left.is_empty() {
            break;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(typed: &str, text: &str) -> Option<String> {
        let found = Fuzzy::lenient(typed).find(text)?;
        let mark = |(at, (symbol, _)): (u32, (&str, u16))| {
            if found.marks.contains(&at) {
                format!("[{symbol}]")
            } else {
                symbol.to_owned()
            }
        };
        Some((0..).zip(cells::graphemes(text)).map(mark).collect())
    }

    #[test]
    fn what_matched_is_told_by_graphemes() {
        for (typed, text, expected) in [
            ("so", "e\u{301} … sort", "e\u{301} … [s][o]rt"),
            ("é", "ab é", "ab [é]"),
            ("rt so", "sort", "[s][o][r][t]"),
            ("", "anything", "anything"),
            ("  ", "anything", "anything"),
        ] {
            assert_eq!(marked(typed, text).as_deref(), Some(expected), "{typed:?}");
        }
        assert_eq!(marked("tros", "sort"), None, "the order of letters counts");
    }

    #[test]
    fn a_long_word_may_have_a_mistake_where_the_best_is_taken() {
        for (typed, text) in [
            ("dowlnoad", "download"),
            ("tciket", "copy for a ticket"),
            ("zurich", "Zürich"),
        ] {
            assert!(Fuzzy::lenient(typed).matches(text), "{typed}");
            assert!(!Fuzzy::strict(typed).matches(text), "{typed}");
        }
        assert!(
            !Fuzzy::lenient("udno").matches("undo"),
            "short words may not"
        );
    }

    #[test]
    fn what_is_typed_has_no_syntax_and_any_length() {
        for typed in ["!", "^acme$", "'acme", "\\ "] {
            assert!(!Fuzzy::strict(typed).matches("ACME_VPN"), "{typed}");
        }
        assert!(Fuzzy::strict("a!b").matches("xa!yb"));
        let long = "ab ".repeat(20_000);
        assert!(Fuzzy::lenient(&long).find("cab").is_some());
        assert!(Fuzzy::lenient(&"a".repeat(70_000)).find("aaa").is_none());
    }
}
