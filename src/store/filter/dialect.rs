//! Translates filters of other query languages into this one, for the hint of an error message. A text is translated only if its
//! meaning is unambiguous. No search ever uses the translation.

use super::{Filter, hint::nearest};

/// The rule for joining terms, for people who know other languages.
pub(super) const RULE: &str = "a comma is OR, a space is AND, a minus is NOT";

/// Whether a word belongs to another language.
pub(super) fn is_foreign(word: &str) -> bool {
    operator(word).is_some() || word.starts_with('(') || word.ends_with(')')
}

/// The text as a filter of this language.
pub(super) fn translated(text: &str) -> Option<String> {
    if text.contains('"') {
        return None;
    }
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let spaced = spaced.replace("&&", " && ").replace("||", " || ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let has = |wanted: Operator| words.iter().any(|word| operator(word) == Some(wanted));
    let grouped = words.contains(&"(");
    if has(Operator::Or) && has(Operator::And) && !grouped {
        // The result depends on which operator binds closer.
        return None;
    }
    let mut reader = DialectReader {
        words: &words,
        terms: Vec::new(),
        or: false,
        not: false,
    };
    while reader.step()? {}
    let terms: Vec<String> = reader.terms.iter().map(ForeignTerm::written).collect();
    let filter: Filter = terms.join(" ").parse().ok()?;
    (!filter.is_empty()).then(|| filter.to_string())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    And,
    Or,
    Not,
}

fn operator(word: &str) -> Option<Operator> {
    match word.to_ascii_lowercase().as_str() {
        "and" | "&&" | "&" => Some(Operator::And),
        "or" | "||" | "|" => Some(Operator::Or),
        "not" | "!" => Some(Operator::Not),
        _ => None,
    }
}

/// A term of another filter language.
struct ForeignTerm {
    negated: bool,
    field: String,
    values: String,
}

impl ForeignTerm {
    fn written(&self) -> String {
        let minus = if self.negated { "-" } else { "" };
        format!("{minus}{}:{}", self.field, self.values)
    }
}

struct DialectReader<'a> {
    words: &'a [&'a str],
    terms: Vec<ForeignTerm>,
    or: bool,
    not: bool,
}

impl<'a> DialectReader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Reads a word or a term; `None` if it cannot be translated, `false` at the end.
    fn step(&mut self) -> Option<bool> {
        let Some(word) = self.next() else {
            return Some(false);
        };
        match operator(word) {
            Some(Operator::Or) => self.or = true,
            Some(Operator::And) => {}
            Some(Operator::Not) => self.not = true,
            // A negated group cannot be one term.
            None if word == "(" && self.not => return None,
            None if matches!(word, "(" | ")") => {}
            None => {
                let term = self.term(word)?;
                self.add(term)?;
            }
        }
        Some(true)
    }

    fn term(&mut self, word: &str) -> Option<ForeignTerm> {
        let (word, minus) = match word.strip_prefix('-') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let (field, values) = match word.split_once([':', '=']) {
            Some((field, values)) if !values.is_empty() => {
                (field, values.trim_start_matches('=').to_owned())
            }
            Some((field, _)) => (field, self.next()?.to_owned()),
            None => (word, self.behind_sign()?),
        };
        Some(ForeignTerm {
            negated: minus != std::mem::take(&mut self.not),
            field: nearest(field)?.to_owned(),
            values,
        })
    }

    /// The values after a separate operator: `= A`, `IN (A, B)`.
    fn behind_sign(&mut self) -> Option<String> {
        let sign = self.next()?;
        if matches!(sign, "=" | "==" | ":" | "is" | "IS") {
            return self.next().map(str::to_owned);
        }
        if !sign.eq_ignore_ascii_case("in") || self.next()? != "(" {
            return None;
        }
        let mut values = String::new();
        loop {
            match self.next()? {
                ")" => return Some(values.trim_matches(',').to_owned()),
                value if values.ends_with(',') || value.starts_with(',') || values.is_empty() => {
                    values.push_str(value);
                }
                _ => return None,
            }
        }
    }

    fn add(&mut self, term: ForeignTerm) -> Option<()> {
        if !std::mem::take(&mut self.or) {
            self.terms.push(term);
            return Some(());
        }
        let last = self.terms.last_mut()?;
        if last.field != term.field || last.negated || term.negated {
            return None;
        }
        last.values.push(',');
        last.values.push_str(&term.values);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_understood_where_there_is_no_doubt() {
        for (text, expected) in [
            ("tag:A OR tag:B", Some("tag:A,B")),
            ("tag:A || tag:B || tag:C", Some("tag:A,B,C")),
            ("tag:A AND cc:NL", Some("tag:A cc:NL")),
            ("cc:NL && (tag:A OR tag:B)", Some("cc:NL tag:A,B")),
            ("tag:A AND NOT infra:MOBILE", Some("tag:A -infra:MOBILE")),
            ("country = NL and tag = A", Some("cc:NL tag:A")),
            ("country:NL OR country:DE", Some("cc:NL,DE")),
            ("cc IN (NL, DE)", Some("cc:NL,DE")),
            ("tag:A OR cc:NL", None),
            ("tag:A OR tag:B AND cc:NL", None),
            ("NOT (tag:A OR tag:B)", None),
            ("tag:A OR", Some("tag:A")),
            ("OR", None),
            ("org:\"a b\" OR tag:A", None),
        ] {
            assert_eq!(translated(text).as_deref(), expected, "{text}");
        }
    }
}
