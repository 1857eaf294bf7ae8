//! Suggestions for a text that is not a filter.

use super::{Filter, mistake::Hint, value, write::quoted};
use crate::model::{Keyword, nearest::distance};

/// The characters of operators.
pub(super) const SIGNS: [char; 5] = [':', '<', '>', '=', '!'];

/// Common words for fields whose names and paths differ.
const ALIASES: [(&str, &str); 17] = [
    ("operator", "tag"),
    ("country", "cc"),
    ("as", "asn"),
    ("organization", "org"),
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

/// A suggestion for a word without a field.
pub(super) fn of_bare(word: &str, negated: bool) -> Hint {
    let (word, minus) = signed(word, negated);
    if word.contains(['“', '”', '„', '«', '»']) {
        return "quotes are straight ones: org:\"part of name\"".into();
    }
    let field = word.to_ascii_lowercase();
    if field == "clients" {
        // An unquoted `>` is a redirection in a shell.
        return "compare it with a number, without spaces and quoted in a shell: 'clients>=20'"
            .into();
    }
    if let Some(field) = Filter::FIELDS.iter().find(|known| known.name == field) {
        return Hint::Write(format!("say which, without spaces: {}", field.example));
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
    Hint::Instead(format!("{minus}{term}"))
}

/// A suggestion for an unknown field; `rest` is the text after its name.
pub(super) fn of_unknown(name: &str, rest: &str, negated: bool) -> Hint {
    let (name, minus) = signed(name, negated);
    match nearest(name) {
        Some("clients") if rest.starts_with(':') => {
            Hint::Instead(format!("{minus}clients>{}", rest.trim_start_matches(SIGNS)))
        }
        Some(field) => Hint::Instead(format!("{minus}{field}{rest}")),
        None => {
            let names = Filter::FIELDS.map(|field| field.name);
            Hint::Write(format!("there are {}", names.join(", ")))
        }
    }
}

/// A suggestion for an operator that the field does not take; `rest` is the text after all operators.
pub(super) fn of_sign(name: &str, sign: &str, rest: &str, negated: bool) -> Hint {
    let minus = if negated { "-" } else { "" };
    if !name.eq_ignore_ascii_case("clients") {
        let minus = if sign.contains('!') == negated {
            ""
        } else {
            "-"
        };
        return Hint::Instead(format!("{minus}{name}:{rest}"));
    }
    match sign {
        "!=" | "<>" => {
            let minus = if negated { "" } else { "-" };
            Hint::Instead(format!("{minus}clients={rest}"))
        }
        "=>" => Hint::Instead(format!("{minus}clients>={rest}")),
        "=<" => Hint::Instead(format!("{minus}clients<={rest}")),
        "==" => Hint::Instead(format!("{minus}clients={rest}")),
        _ => "write clients<5, <=5, =5, >=5 or >5".into(),
    }
}

/// A word without leading dashes of any kind, and whether it had one or was negated.
fn signed(word: &str, negated: bool) -> (&str, &'static str) {
    let plain = word.trim_start_matches([
        '-', '\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}',
    ]);
    let negated = negated || plain.len() < word.len();
    (plain, if negated { "-" } else { "" })
}

/// The field that a name most likely means: by edit distance, alias, path or its last key, or prefix.
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
    let near_alias = || {
        let is_near = |alias: &str| alias.len() > SHORTEST && distance(alias, &name) <= 1;
        let mut aliases = ALIASES.into_iter();
        aliases
            .find(|(alias, _)| is_near(alias))
            .map(|(_, field)| field)
    };
    apart(usize::from(name.len() > 1))
        .or_else(alias)
        .or_else(path)
        .or_else(beginning)
        .or_else(near_alias)
        .or_else(|| apart(2).filter(|_| name.len() > SHORTEST))
}
