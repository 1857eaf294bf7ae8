//! Reading a filter: words separated by spaces, in each a field, a sign and values.

use std::{ops::Range, str::FromStr};

use super::{
    BadFilter, Compare, Filter, Term, Test,
    bad::Mistake,
    dialect, hint,
    scan::{next_word, values},
    value,
};
use crate::model::Keyword;

impl FromStr for Filter {
    type Err = BadFilter;

    fn from_str(text: &str) -> Result<Self, BadFilter> {
        let mut terms = Vec::new();
        let mut from = 0;
        loop {
            match next_word(text, from) {
                Ok(None) => return Ok(Self { terms }),
                Ok(Some(word)) => {
                    from = word.end;
                    let term = read(text, word.clone());
                    terms.push(term.map_err(|mistake| bad(text, &text[word], mistake))?);
                }
                Err(mistake) => return Err(mistake.of(text)),
            }
        }
    }
}

/// What is wrong with a text, one of whose words is no term.
fn bad(text: &str, word: &str, mistake: Mistake) -> BadFilter {
    let bad = mistake.of(text);
    let has_operator = || text.split_whitespace().any(dialect::is_foreign);
    let Some(meant) = has_operator().then(|| dialect::translated(text)).flatten() else {
        if dialect::is_foreign(word) {
            let hint = "for example tag:ACME_VPN,BRAVO_PROXY cc:NL -infra:MOBILE";
            return BadFilter {
                message: dialect::RULE.to_owned(),
                hint: Some(hint.to_owned()),
                ..bad
            };
        }
        return bad;
    };
    BadFilter {
        message: dialect::RULE.to_owned(),
        hint: Some(format!("did you mean {meant}?")),
        ..bad
    }
}

/// What a name at the beginning of a term stands for.
enum Field {
    Word(Keyword),
    Clients,
    Net,
    Attributed,
}

impl Field {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "clients" => Self::Clients,
            "net" => Self::Net,
            "attributed" => Self::Attributed,
            name => Self::Word(Keyword::named(name)?),
        })
    }
}

/// The term that a word is.
fn read(text: &str, word: Range<usize>) -> Result<Term, Mistake> {
    let negated = text[word.clone()].starts_with('-');
    let start = word.start + usize::from(negated);
    let body = &text[start..word.end];
    if body.is_empty() {
        return Err(Mistake::at(word, "a minus stands alone")
            .hint("it goes directly in front of what must not hold: -infra:MOBILE"));
    }
    let end = body.find([':', '<', '>', '=', '!', '"', ',']);
    let sign = end.map_or("", |end| sign(&body[end..]));
    let name = &body[..end.unwrap_or(body.len())];
    if sign.is_empty() || value::is_network(body) {
        return Err(
            Mistake::at(start..word.end, format!("{body:?} names no field"))
                .hint(hint::of_bare(body, negated)),
        );
    }
    let behind = start + name.len() + sign.len()..word.end;
    let Some(field) = Field::named(name) else {
        let place = start..start + name.len().max(sign.len());
        return Err(Mistake::at(place, format!("there is no field {name:?}"))
            .hint(hint::of_unknown(name, &body[name.len()..], negated)));
    };
    let sign = Sign {
        text: sign,
        place: behind.start - sign.len()..behind.start,
    };
    let asked = test(&field, &sign, text, behind).map_err(|wrong| match wrong {
        Wrong::Sign => {
            let rest = body[name.len()..].trim_start_matches(hint::SIGNS);
            let message = format!("{name} takes no {:?}", sign.text);
            let hint = hint::of_sign(name, sign.text, rest, negated);
            Mistake::at(sign.place.clone(), message).hint(hint)
        }
        Wrong::Value(mistake) => mistake,
    });
    Ok(Term {
        negated,
        test: asked?,
    })
}

struct Sign<'a> {
    text: &'a str,
    place: Range<usize>,
}

/// The sign at the beginning of a text: a colon, or all that compares.
fn sign(text: &str) -> &str {
    let end = if text.starts_with(':') {
        1
    } else {
        text.find(|letter| !"<>=!".contains(letter))
            .unwrap_or(text.len())
    };
    &text[..end]
}

enum Wrong {
    Sign,
    Value(Mistake),
}

impl From<Mistake> for Wrong {
    fn from(mistake: Mistake) -> Self {
        Self::Value(mistake)
    }
}

fn test(field: &Field, sign: &Sign<'_>, text: &str, behind: Range<usize>) -> Result<Test, Wrong> {
    if let Field::Clients = field {
        let compare = match sign.text {
            ":" if text[behind.clone()].starts_with(['<', '>', '=']) => return Err(Wrong::Sign),
            "<" => Compare::Less,
            "<=" => Compare::AtMost,
            ":" | "=" => Compare::Equal,
            ">=" => Compare::AtLeast,
            ">" => Compare::More,
            _ => return Err(Wrong::Sign),
        };
        let number = value::number(&values(text, behind)?)?;
        return Ok(Test::Clients(compare, number));
    }
    let is_whole = matches!(field, Field::Word(Keyword::Org)) && sign.text == "=";
    if sign.text != ":" && !is_whole {
        return Err(Wrong::Sign);
    }
    let values = values(text, behind)?;
    Ok(match field {
        Field::Attributed => Test::Attributed(value::truth(&values)?),
        Field::Net => Test::Within(value::all(&values, value::network)?),
        Field::Word(Keyword::Org) if !is_whole => Test::Contains(
            Keyword::Org,
            values.into_iter().map(|value| value.text).collect(),
        ),
        Field::Word(field) => Test::Is(
            *field,
            value::all(&values, |text| value::word(*field, text))?,
        ),
        Field::Clients => return Err(Wrong::Sign),
    })
}
