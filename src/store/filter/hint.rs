//! What may be meant by a text that is no filter.

use super::{Filter, value, write::quoted};
use crate::model::{Keyword, nearest::distance};

/// What signs are made of.
pub(super) const SIGNS: [char; 5] = [':', '<', '>', '=', '!'];

/// Words that people use for fields whose names and paths are others.
const ALIASES: [(&str, &str); 16] = [
    ("operator", "tag"),
    ("country", "cc"),
    ("as", "asn"),
    ("infrastructure", "infra"),
    ("ip", "net"),
    ("address", "net"),
    ("cidr", "net"),
    ("prefix", "net"),
    ("network", "net"),
    ("count", "clients"),
    ("users", "clients"),
    ("vpn", "tag"),
    ("provider", "tag"),
    ("name", "tag"),
    ("geo", "cc"),
    ("isp", "org"),
];

/// What may be meant by a word without a field.
pub(super) fn of_bare(word: &str, negated: bool) -> String {
    let (word, minus) = signed(word, negated);
    if word.contains(['“', '”', '„', '«', '»']) {
        return "quotes are straight ones: org:\"part of name\"".to_owned();
    }
    let field = word.to_ascii_lowercase();
    if field == "clients" {
        // A shell takes the sign for itself.
        return "compare it with a number, without blanks and quoted in a shell: 'clients>=20'"
            .to_owned();
    }
    if let Some(field) = Filter::FIELDS.iter().find(|known| known.name == field) {
        return format!("say which, without blanks: {}", field.example);
    }
    let term = if value::is_network(word) {
        format!("net:{word}")
    } else if word.len() > 2
        && value::system(word).is_some()
        && !word.starts_with(|c: char| c.is_ascii_digit())
    {
        format!("asn:{word}")
    } else if word.contains('"') {
        format!("org:{word}")
    } else {
        format!(
            "tag:{}",
            if word.contains(',') {
                word.into()
            } else {
                quoted(word)
            }
        )
    };
    format!("did you mean {minus}{term}?")
}

/// The field that may be meant by an unknown one; `rest` is what follows its name.
pub(super) fn of_unknown(name: &str, rest: &str, negated: bool) -> String {
    let (name, minus) = signed(name, negated);
    match nearest(name) {
        Some("clients") if rest.starts_with(':') => format!(
            "did you mean {minus}clients>{}?",
            rest.trim_start_matches(SIGNS)
        ),
        Some(field) => format!("did you mean {minus}{field}{rest}?"),
        None => {
            let names = Filter::FIELDS.map(|field| field.name);
            format!("there are {}", names.join(", "))
        }
    }
}

/// What may be meant by a sign that a field does not take; `rest` is what follows all signs.
pub(super) fn of_sign(name: &str, sign: &str, rest: &str, negated: bool) -> String {
    let minus = if negated { "-" } else { "" };
    if !name.eq_ignore_ascii_case("clients") {
        let minus = if sign.contains('!') == negated {
            ""
        } else {
            "-"
        };
        return format!("did you mean {minus}{name}:{rest}?");
    }
    match sign {
        "!=" | "<>" => {
            let minus = if negated { "" } else { "-" };
            format!("did you mean {minus}clients={rest}?")
        }
        "=>" => format!("did you mean {minus}clients>={rest}?"),
        "=<" => format!("did you mean {minus}clients<={rest}?"),
        "==" => format!("did you mean {minus}clients={rest}?"),
        _ => "write one of clients<5, clients<=5, clients=5, clients>=5, clients>5".to_owned(),
    }
}

/// A word without dashes that are no minus but were typed as one.
fn signed(word: &str, negated: bool) -> (&str, &'static str) {
    let plain = word.trim_start_matches([
        '-', '\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}',
    ]);
    let negated = negated || plain.len() < word.len();
    (plain, if negated { "-" } else { "" })
}

/// The field of the language that was most likely meant: a letter apart, or the end of a path that it stands for, or its
/// beginning.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 3;
    let name = name.to_ascii_lowercase();
    let fields = || Filter::FIELDS.into_iter().map(|field| field.name);
    let apart = |most: usize| fields().find(|field| distance(field, &name) <= most);
    let path = || {
        let of = |field: &Keyword| {
            field
                .paths()
                .any(|path| path == name || path.rsplit('.').next() == Some(&name))
        };
        Keyword::ALL.into_iter().find(of).map(Keyword::name)
    };
    let alias = || {
        ALIASES
            .into_iter()
            .find(|(alias, _)| *alias == name)
            .map(|(_, field)| field)
    };
    let beginning = || {
        let long = name.len() >= SHORTEST;
        fields().find(|field| long && (field.starts_with(&name) || name.starts_with(field)))
    };
    apart(usize::from(name.len() > 1))
        .or_else(alias)
        .or_else(path)
        .or_else(beginning)
        .or_else(|| apart(2).filter(|_| name.len() > SHORTEST))
}
