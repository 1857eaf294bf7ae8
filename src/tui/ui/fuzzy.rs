//! Searching texts for what was typed: by their letters in order, or by their words.
//!
//! Words between blanks are searched for each by itself, in any order and whatever their case. What is typed has no syntax.

use super::cells;

/// Letters from which on a word may have one that is wrong or too many: a shorter one would then match nearly all.
const LONG: usize = 5;

/// Filters texts that have every letter that was typed in order: for lists where each row shown is taken for what was meant.
#[derive(Debug)]
pub struct LetterFilter {
    /// Each word in lower case.
    words: Vec<String>,
}

impl LetterFilter {
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let words = typed.split_whitespace().map(str::to_lowercase);
        Self {
            words: words.collect(),
        }
    }

    /// Whether a text matches. Every text does where nothing was typed.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let has = |word: &String| {
            let mut letters = text.chars().flat_map(char::to_lowercase);
            word.chars().all(|letter| letters.any(|c| c == letter))
        };
        self.words.iter().all(has)
    }
}

/// How near a text is to what was typed, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Each typed word is a word of the text.
    Whole,
    /// Each is at least the beginning of one.
    Beginning,
    /// Each is at least inside one.
    Inside,
    /// The letters of some typed word are apart in one word of the text, or one of them is wrong.
    Apart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub nearness: Nearness,
    /// The graphemes of the text that matched, in order.
    pub marks: Vec<u32>,
}

/// Searches texts for words: for lists of which the best row is taken.
#[derive(Debug)]
pub struct WordSearch {
    words: Vec<TypedWord>,
}

#[derive(Debug)]
struct TypedWord {
    /// Its graphemes in lower case.
    letters: Vec<String>,
}

impl WordSearch {
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let mut words: Vec<&str> = typed.split_whitespace().collect();
        words.sort_unstable();
        words.dedup();
        let words = words.into_iter().map(|word| TypedWord {
            letters: lower(word),
        });
        Self {
            words: words.filter(|word| !word.letters.is_empty()).collect(),
        }
    }

    /// How near a text is and what matched in it; `None` if some word is not in it. Every text is as near as can be where nothing was
    /// typed.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Match> {
        let letters = lower(text);
        let mut found = Match {
            nearness: Nearness::Whole,
            marks: Vec::new(),
        };
        for word in &self.words {
            let Match { nearness, marks } = word.find(&letters)?;
            found.nearness = found.nearness.max(nearness);
            found.marks.extend(marks);
        }
        found.marks.sort_unstable();
        found.marks.dedup();
        Some(found)
    }

    /// How many letters the longest typed word has.
    #[must_use]
    pub fn longest(&self) -> usize {
        let lengths = self.words.iter().map(|word| word.letters.len());
        lengths.max().unwrap_or_default()
    }
}

impl TypedWord {
    /// Finds it in the letters of a text.
    fn find(&self, letters: &[String]) -> Option<Match> {
        let own = self.letters.len();
        let nearness = |at: usize| {
            let is_edge = |outer: Option<&String>, inner: &String| {
                !outer.is_some_and(|outer| is_of_word(outer)) || !is_of_word(inner)
            };
            let begins = is_edge(
                at.checked_sub(1).and_then(|at| letters.get(at)),
                &letters[at],
            );
            let ends = is_edge(letters.get(at + own), &letters[at + own - 1]);
            match (begins, ends) {
                (true, true) => Nearness::Whole,
                (true, false) => Nearness::Beginning,
                (false, _) => Nearness::Inside,
            }
        };
        let places = letters.windows(own).enumerate();
        let places = places.filter(|(_, window)| *window == self.letters);
        let best = places
            .map(|(at, _)| (nearness(at), at))
            .min_by_key(|(nearness, at)| (*nearness, *at));
        let Some((nearness, at)) = best else {
            return self.find_apart(letters);
        };
        let marks = (0_u32..).skip(at).take(own).collect();
        Some(Match { nearness, marks })
    }

    /// Finds a word of a text in which its letters are apart; a long word may have one that is not there.
    fn find_apart(&self, letters: &[String]) -> Option<Match> {
        let mut before = 0;
        for word in letters.chunk_by(|one, other| is_of_word(one) == is_of_word(other)) {
            let own = self.letters.len();
            let mistakes = if own >= LONG { 0..own } else { 0..0 };
            let left_out = mistakes.map(Some).filter(|_| own <= word.len() + 1);
            let found = [None].into_iter().chain(left_out);
            let mut found = found.filter_map(|left_out| self.marks_apart(word, left_out));
            if let Some(marks) = found.next() {
                let marks = marks.into_iter().map(|mark| before + mark);
                return Some(Match {
                    nearness: Nearness::Apart,
                    marks: marks.collect(),
                });
            }
            before = before.saturating_add(u32::try_from(word.len()).unwrap_or(u32::MAX));
        }
        None
    }

    /// Where its letters are in a word, in order, but for one.
    fn marks_apart(&self, word: &[String], left_out: Option<usize>) -> Option<Vec<u32>> {
        let mut places = (0_u32..).zip(word);
        let letters = self.letters.iter().enumerate();
        let letters = letters.filter(|(at, _)| Some(*at) != left_out);
        letters
            .map(|(_, letter)| places.find(|(_, text)| *text == letter))
            .map(|found| found.map(|(mark, _)| mark))
            .collect()
    }
}

/// The graphemes of a text, in lower case.
fn lower(text: &str) -> Vec<String> {
    let graphemes = cells::graphemes(text);
    graphemes.map(|(symbol, _)| symbol.to_lowercase()).collect()
}

fn is_of_word(grapheme: &str) -> bool {
    grapheme.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(typed: &str, text: &str) -> Option<String> {
        let found = WordSearch::new(typed).find(text)?;
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
            ("da", "update the date", "update the [d][a]te"),
            ("cpy", "a copy", "a [c]o[p][y]"),
            ("", "anything", "anything"),
            ("  ", "anything", "anything"),
        ] {
            assert_eq!(marked(typed, text).as_deref(), Some(expected), "{typed:?}");
        }
        assert_eq!(marked("tros", "sort"), None, "the order of letters counts");
    }

    #[test]
    fn words_and_their_beginnings_are_nearer_than_letters_apart() {
        let nearness = |typed: &str| {
            let found = WordSearch::new(typed).find("look ACME_VPN up: ctrl-t, Zürich");
            found.map(|found| found.nearness)
        };
        for (typed, expected) in [
            ("", Some(Nearness::Whole)),
            ("LOOK", Some(Nearness::Whole)),
            ("vpn", Some(Nearness::Whole)),
            ("ctrl-t", Some(Nearness::Whole)),
            ("acme_vpn up", Some(Nearness::Whole)),
            ("lo", Some(Nearness::Beginning)),
            ("look ac", Some(Nearness::Beginning)),
            ("ook", Some(Nearness::Inside)),
            ("look rich", Some(Nearness::Inside)),
            ("lk", Some(Nearness::Apart)),
            ("zurich", Some(Nearness::Apart)),
            ("lup", None),
        ] {
            assert_eq!(nearness(typed), expected, "{typed:?}");
        }
    }

    #[test]
    fn a_long_word_may_have_a_mistake_where_the_best_is_taken() {
        for (typed, text) in [
            ("dowlnoad", "download"),
            ("tciket", "copy for a ticket"),
            ("zurich", "Zürich"),
        ] {
            assert!(WordSearch::new(typed).find(text).is_some(), "{typed}");
            assert!(!LetterFilter::new(typed).matches(text), "{typed}");
        }
        let short = WordSearch::new("udno").find("undo");
        assert_eq!(short, None, "short words may not");
    }

    #[test]
    fn what_is_typed_has_no_syntax_and_any_length() {
        for typed in ["!", "^acme$", "'acme", "\\ "] {
            assert!(!LetterFilter::new(typed).matches("ACME_VPN"), "{typed}");
        }
        assert!(LetterFilter::new("a!b").matches("xa!yb"));
        let long = "ab ".repeat(20_000);
        assert!(WordSearch::new(&long).find("cab").is_some());
        assert!(WordSearch::new(&"a".repeat(70_000)).find("aaa").is_none());
    }
}
