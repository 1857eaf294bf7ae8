//! Parses a filter: words separated by spaces, each with a field, an operator and values.

use std::{ops::Range, str::FromStr};

use super::{
    BadFilter, Filter, NumberComparison, Term, Test, dialect, hint,
    mistake::{FilterMistake, Hint},
    scan::{next_word, values},
    value,
};
use crate::model::Keyword;

impl FromStr for Filter {
    type Err = BadFilter;

    fn from_str(text: &str) -> Result<Self, BadFilter> {
        let (filter, _) = Self::read_beside(text, |_| None::<Result<(), String>>)?;
        Ok(filter)
    }
}

/// A term about none of the fields of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignTerm<'t> {
    pub negated: bool,
    /// The name before the sign; empty if there is no sign, for a word by itself.
    pub name: &'t str,
    /// `:`, or the characters of a comparison.
    pub sign: &'t str,
    pub values: Vec<String>,
}

impl Filter {
    /// Reads a filter among terms about other fields, of which `foreign` makes what they mean, or says what is wrong with them; nothing if
    /// it does not know them.
    ///
    /// # Errors
    /// [`BadFilter`], also for a term that neither is about a field of a record nor known to `foreign`.
    pub fn read_beside<T>(
        text: &str,
        mut foreign: impl FnMut(ForeignTerm<'_>) -> Option<Result<T, String>>,
    ) -> Result<(Self, Vec<T>), BadFilter> {
        let (mut terms, mut others) = (Vec::new(), Vec::new());
        let mut from = 0;
        while let Some(word) = next_word(text, from).map_err(|mistake| mistake.of(text))? {
            from = word.end;
            match read(text, word.clone()) {
                Ok(term) => terms.push(term),
                Err(mistake) => match foreign_term(text, word.clone()).and_then(&mut foreign) {
                    Some(Ok(other)) => others.push(other),
                    Some(Err(why)) => return Err(FilterMistake::at(word, why).of(text)),
                    None => return Err(bad(text, word, mistake)),
                },
            }
        }
        Ok((Self { terms }, others))
    }
}

/// The terms of a filter as they are written, up to a quote that is not closed.
pub fn written_terms(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let word = next_word(text, from).ok().flatten()?;
        from = word.end;
        Some(&text[word])
    })
}

/// A word as a term about another field; `None` if it is about one of a record, or none at all.
fn foreign_term(text: &str, word: Range<usize>) -> Option<ForeignTerm<'_>> {
    let negated = text[word.clone()].starts_with('-');
    let start = word.start + usize::from(negated);
    let body = &text[start..word.end];
    let end = body.find([':', '<', '>', '=', '!', '"', ',']);
    let is_word = value::is_network(body);
    let sign = end
        .filter(|_| !is_word)
        .map_or("", |end| sign(&body[end..]));
    let (name, behind) = match sign {
        "" => ("", start),
        sign => {
            let name = &body[..end.unwrap_or(body.len())];
            (name, start + name.len() + sign.len())
        }
    };
    if TermName::named(name).is_some() {
        return None;
    }
    let values = values(text, behind..word.end).ok()?;
    Some(ForeignTerm {
        negated,
        name,
        sign,
        values: values.into_iter().map(|value| value.text).collect(),
    })
}

/// The error for a text with a word that is not a term.
fn bad(text: &str, place: Range<usize>, mistake: FilterMistake) -> BadFilter {
    let meant = mistake.instead().filter(|meant| is_term(meant));
    let mend = meant.map(|meant| format!("{}{meant}{}", &text[..place.start], &text[place.end..]));
    let word = &text[place];
    let bad = BadFilter {
        mend,
        ..mistake.of(text)
    };
    let has_operator = || text.split_whitespace().any(dialect::is_foreign);
    let Some(meant) = has_operator().then(|| dialect::translated(text)).flatten() else {
        if dialect::is_foreign(word) {
            let hint = "for example tag:ACME_VPN,BRAVO_PROXY cc:NL -infra:MOBILE";
            return BadFilter {
                message: dialect::RULE.to_owned(),
                hint: Some(hint.to_owned()),
                mend: None,
                ..bad
            };
        }
        return bad;
    };
    BadFilter {
        message: dialect::RULE.to_owned(),
        hint: Some(Hint::Instead(meant.clone()).to_string()),
        mend: Some(meant),
        ..bad
    }
}

/// Whether a word is a term.
fn is_term(word: &str) -> bool {
    let whole = next_word(word, 0).ok().flatten();
    whole.is_some_and(|place| place == (0..word.len()) && read(word, place).is_ok())
}

/// The name at the beginning of a term.
enum TermName {
    Word(Keyword),
    Clients,
    Net,
    Attributed,
}

impl TermName {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "clients" => Self::Clients,
            "net" => Self::Net,
            "attributed" => Self::Attributed,
            name => Self::Word(Keyword::named(name)?),
        })
    }
}

fn read(text: &str, word: Range<usize>) -> Result<Term, FilterMistake> {
    let negated = text[word.clone()].starts_with('-');
    let start = word.start + usize::from(negated);
    let body = &text[start..word.end];
    if body.is_empty() {
        return Err(FilterMistake::at(word, "a minus on its own")
            .hint("put it directly before a term: -infra:MOBILE"));
    }
    let end = body.find([':', '<', '>', '=', '!', '"', ',']);
    let sign = end.map_or("", |end| sign(&body[end..]));
    let name = &body[..end.unwrap_or(body.len())];
    if sign.is_empty() || value::is_network(body) {
        return Err(
            FilterMistake::at(start..word.end, format!("{body:?} is not a filter term"))
                .hint(hint::of_bare(body, negated)),
        );
    }
    let behind = start + name.len() + sign.len()..word.end;
    let Some(field) = TermName::named(name) else {
        let place = start..start + name.len().max(sign.len());
        return Err(
            FilterMistake::at(place, format!("there is no field {name:?}")).hint(hint::of_unknown(
                name,
                &body[name.len()..],
                negated,
            )),
        );
    };
    let sign = FilterSign {
        text: sign,
        place: behind.start - sign.len()..behind.start,
    };
    let asked = test(&field, &sign, text, behind).map_err(|wrong| match wrong {
        ReadMistake::Sign => {
            let rest = body[name.len()..].trim_start_matches(hint::SIGNS);
            let message = format!("{name} takes no {:?}", sign.text);
            let hint = hint::of_sign(name, sign.text, rest, negated);
            FilterMistake::at(sign.place.clone(), message).hint(hint)
        }
        ReadMistake::Value(mistake) => mistake,
    });
    Ok(Term {
        negated,
        test: asked?,
    })
}

impl NumberComparison {
    /// The comparison of a sign, if it is one.
    #[must_use]
    pub fn of(sign: &str) -> Option<Self> {
        Some(match sign {
            "<" => Self::Less,
            "<=" => Self::AtMost,
            ":" | "=" => Self::Equal,
            ">=" => Self::AtLeast,
            ">" => Self::More,
            _ => return None,
        })
    }
}

struct FilterSign<'a> {
    text: &'a str,
    place: Range<usize>,
}

/// The operator at the beginning of a text: a colon, or all characters of a comparison.
fn sign(text: &str) -> &str {
    let end = if text.starts_with(':') {
        1
    } else {
        text.find(|letter| !"<>=!".contains(letter))
            .unwrap_or(text.len())
    };
    &text[..end]
}

enum ReadMistake {
    Sign,
    Value(FilterMistake),
}

impl From<FilterMistake> for ReadMistake {
    fn from(mistake: FilterMistake) -> Self {
        Self::Value(mistake)
    }
}

fn test(
    field: &TermName,
    sign: &FilterSign<'_>,
    text: &str,
    behind: Range<usize>,
) -> Result<Test, ReadMistake> {
    if let TermName::Clients = field {
        if sign.text == ":" && text[behind.clone()].starts_with(['<', '>', '=']) {
            return Err(ReadMistake::Sign);
        }
        let compare = NumberComparison::of(sign.text).ok_or(ReadMistake::Sign)?;
        let number = value::number(&values(text, behind)?)?;
        return Ok(Test::Clients(compare, number));
    }
    let is_whole = matches!(field, TermName::Word(Keyword::Org)) && sign.text == "=";
    if sign.text != ":" && !is_whole {
        return Err(ReadMistake::Sign);
    }
    let values = values(text, behind)?;
    Ok(match field {
        TermName::Attributed => Test::Attributed(value::truth(&values)?),
        TermName::Net => Test::Within(value::all(&values, value::network)?),
        TermName::Word(Keyword::Org) if !is_whole => Test::Contains(
            Keyword::Org,
            values.into_iter().map(|value| value.text).collect(),
        ),
        TermName::Word(field) => Test::Is(
            *field,
            value::all(&values, |text| value::word(*field, text))?,
        ),
        TermName::Clients => return Err(ReadMistake::Sign),
    })
}
