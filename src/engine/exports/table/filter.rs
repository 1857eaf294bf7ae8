//! Words that a row must have.

use csv::ByteRecord;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowFilter {
    words: Vec<Word>,
}

/// A word, and the column whose cell must have it; else any cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    column: Option<usize>,
    text: Vec<u8>,
}

impl RowFilter {
    /// Words separated by spaces. What precedes a colon names a column, where there is one of that name.
    pub(super) fn parse(text: &str, columns: &[String]) -> Self {
        let word = |word: &str| {
            let named = word.split_once(':').and_then(|(name, rest)| {
                let is_it = |column: &String| column.eq_ignore_ascii_case(name);
                Some((columns.iter().position(is_it)?, rest))
            });
            let (column, text) = named.map_or((None, word), |(at, rest)| (Some(at), rest));
            Word {
                column,
                text: text.as_bytes().to_vec(),
            }
        };
        let words = text.split_whitespace().map(word);
        Self {
            words: words.filter(|word| !word.text.is_empty()).collect(),
        }
    }

    /// Whether it lets every row through.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether it lets a row through.
    pub(super) fn lets_through(&self, row: &ByteRecord) -> bool {
        self.words.iter().all(|word| match word.column {
            Some(at) => row.get(at).is_some_and(|cell| has(cell, &word.text)),
            None => row.iter().any(|cell| has(cell, &word.text)),
        })
    }
}

/// Whether a cell has a text, in letters of either case.
fn has(cell: &[u8], text: &[u8]) -> bool {
    let mut windows = cell.windows(text.len());
    windows.any(|window| window.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_must_be_in_a_cell_or_in_that_of_its_column() {
        let columns = ["ip", "tag", "locationCountry"].map(str::to_owned);
        let row = ByteRecord::from(vec!["2001:db8::7", "INLET_VPN", "NL"]);
        for (filter, expected) in [
            ("", true),
            ("inlet nl", true),
            ("inlet DE", false),
            ("locationcountry:nl", true),
            ("tag:DE", false),
            ("tag:", true),
            ("2001:db8", true),
        ] {
            let filter_of = RowFilter::parse(filter, &columns);
            assert_eq!(filter_of.lets_through(&row), expected, "{filter}");
        }
    }
}
