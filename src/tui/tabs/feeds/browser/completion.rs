//! Completions for a filter: names of fields, and values that occur in the records.
//!
//! The caller provides the values: [`CompletionSpot`] names the field, and [`rest`] is the filter for counting them.

use crate::{
    model::Keyword,
    report::{about, count},
    store::{
        Filter,
        filter::{Term, Test},
        index::Facet,
    },
};

/// What can be completed at a position of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompletionSpot {
    /// The byte offset of the text to replace.
    pub(super) from: usize,
    pub(super) typed: String,
    /// What to complete.
    pub(super) of: Of,
}

/// What to complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Fields,
    Values(Keyword),
    Truth,
    /// A value without suggestions: a number or a network.
    Nothing,
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilterCandidate {
    /// The replacement for the typed text.
    pub(super) text: String,
    /// A description of a field, or the number of records with a value.
    pub(super) detail: String,
}

/// What can be completed at the end of this text.
pub(super) fn spot(before: &str) -> CompletionSpot {
    let start = last_word(before);
    let body = start + usize::from(before[start..].starts_with('-'));
    let word = &before[body..];
    let Some(sign) = word.find([':', '<', '>', '=']) else {
        return CompletionSpot {
            from: body,
            typed: word.to_owned(),
            of: Of::Fields,
        };
    };
    let of = match word[..sign].to_ascii_lowercase().as_str() {
        "attributed" => Of::Truth,
        name => match Keyword::named(name) {
            Some(field) if word[sign..].starts_with(':') => Of::Values(field),
            Some(Keyword::Org) if word[sign..].starts_with('=') => Of::Values(Keyword::Org),
            _ => Of::Nothing,
        },
    };
    let behind = word[sign..].trim_start_matches([':', '<', '>', '=']);
    let from = body + last_value(word, word.len() - behind.len());
    CompletionSpot {
        from,
        typed: before[from..].trim_start_matches('"').to_owned(),
        of,
    }
}

/// The filter without the word at the cursor; values are counted among its records.
pub(super) fn rest(before: &str, after: &str) -> Filter {
    let kept = &before[..last_word(before)];
    let behind = after
        .find(char::is_whitespace)
        .map_or("", |at| &after[at..]);
    let whole = format!("{kept}{behind}").parse();
    whole.or_else(|_| kept.parse()).unwrap_or_default()
}

/// The fields whose names begin with this text or contain it. If there are none, the fields with a matching description:
/// `operator` finds `tag`.
pub(super) fn fields(typed: &str) -> Vec<FilterCandidate> {
    let all = || {
        Filter::FIELDS.iter().map(|field| FilterCandidate {
            text: format!(
                "{}{}",
                field.name,
                if field.name == "clients" { ">=" } else { ":" }
            ),
            detail: about(field.name).to_owned(),
        })
    };
    let named = ranked(all(), typed);
    if !named.is_empty() {
        return named;
    }
    let typed = typed.to_lowercase();
    let is_about = |candidate: &FilterCandidate| {
        let mut words = candidate
            .detail
            .split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word.to_lowercase().starts_with(&typed))
    };
    all().filter(is_about).collect()
}

/// The values of a field that begin with this text or contain it: the most frequent ones first, then further ones from a search.
pub(super) fn values(
    field: Keyword,
    frequent: &[Facet],
    rare: &[Facet],
    typed: &str,
) -> Vec<FilterCandidate> {
    let written = |value: &str| {
        let term = Term::from(Test::Is(field, vec![value.to_owned()])).to_string();
        term[field.name().len() + 1..].to_owned()
    };
    let is_new = |facet: &&Facet| frequent.iter().all(|other| other.value != facet.value);
    let facets = frequent.iter().chain(rare.iter().filter(is_new));
    let found = facets.map(|facet| FilterCandidate {
        text: written(&facet.value),
        detail: count(facet.count),
    });
    ranked(found, typed)
}

pub(super) fn truths(typed: &str) -> Vec<FilterCandidate> {
    let found = ["yes", "no"].map(|text| FilterCandidate {
        text: text.to_owned(),
        detail: String::new(),
    });
    ranked(found.into_iter(), typed)
}

fn ranked(candidates: impl Iterator<Item = FilterCandidate>, typed: &str) -> Vec<FilterCandidate> {
    let typed = typed.to_lowercase();
    let place = |candidate: &FilterCandidate| {
        candidate
            .text
            .to_lowercase()
            .trim_start_matches('"')
            .find(&typed)
    };
    let found = candidates.filter_map(|candidate| Some((place(&candidate)? > 0, candidate)));
    let mut found: Vec<(bool, FilterCandidate)> = found.collect();
    found.sort_by_key(|(within, _)| *within);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The start of the last word; blanks in quotes do not separate words.
fn last_word(text: &str) -> usize {
    let (mut start, mut quoted) = (0, false);
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '"';
        if letter.is_whitespace() && !quoted {
            start = at + letter.len_utf8();
        }
    }
    start
}

/// The start of the last value of a word: after its operator, or after the last comma outside quotes.
fn last_value(word: &str, from: usize) -> usize {
    let (mut start, mut quoted) = (from, false);
    for (at, letter) in word.char_indices().filter(|(at, _)| *at >= from) {
        quoted ^= letter == '"';
        if letter == ',' && !quoted {
            start = at + 1;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_the_cursor_says_what_is_completed() {
        for (before, from, typed, of) in [
            ("", 0, "", Of::Fields),
            ("ta", 0, "ta", Of::Fields),
            ("cc:NL -inf", 7, "inf", Of::Fields),
            ("cc:NL ", 6, "", Of::Fields),
            ("tag:AC", 4, "AC", Of::Values(Keyword::Tag)),
            ("tag:ACME_VPN,car", 13, "car", Of::Values(Keyword::Tag)),
            (
                "org:\"Example Ho",
                4,
                "Example Ho",
                Of::Values(Keyword::Org),
            ),
            ("attributed:", 11, "", Of::Truth),
            ("clients>=2", 9, "2", Of::Nothing),
            ("net:198.", 4, "198.", Of::Nothing),
            ("tga:x", 4, "x", Of::Nothing),
        ] {
            let found = spot(before);
            assert_eq!(
                (found.from, found.typed.as_str(), found.of),
                (from, typed, of),
                "{before}"
            );
        }
    }

    #[test]
    fn the_rest_of_the_filter_counts() {
        for (before, after, expected) in [
            ("cc:NL tag:AC", "", "cc:NL"),
            ("cc:NL tag:AC", "ME infra:MOBILE", "cc:NL infra:MOBILE"),
            ("tag:", "", ""),
            ("bad cc:N", "", ""),
        ] {
            assert_eq!(
                rest(before, after).to_string(),
                expected,
                "{before}|{after}"
            );
        }
    }

    #[test]
    fn beginnings_come_before_parts_and_blanks_are_quoted() {
        let facet = |value: &str, count| Facet {
            value: value.to_owned(),
            count,
        };
        let facets = [
            facet("WIDGET_VPN", 9),
            facet("VPN_ONE", 3),
            facet("OTHER", 1),
        ];
        let texts = |found: Vec<FilterCandidate>| -> Vec<String> {
            found.into_iter().map(|candidate| candidate.text).collect()
        };
        assert_eq!(
            texts(values(Keyword::Tag, &facets[..1], &facets, "vpn")),
            ["VPN_ONE", "WIDGET_VPN"]
        );
        let facets = [facet("Example Hosting BV", 7)];
        assert_eq!(
            texts(values(Keyword::Org, &facets, &[], "exam")),
            ["\"Example Hosting BV\""]
        );
        assert_eq!(texts(fields("cl")), ["clients>="]);
        assert_eq!(texts(fields("")).len(), Filter::FIELDS.len());
        assert_eq!(texts(truths("n")), ["no"]);
    }

    #[test]
    fn a_field_is_found_by_what_it_is_about_where_no_name_fits() {
        for (typed, found) in [
            ("op", vec!["tag:", "attributed:"]),
            ("Country", vec!["cc:"]),
            ("tunnel", vec!["tag:", "type:", "entry:", "attributed:"]),
            ("xyz", vec![]),
        ] {
            let texts: Vec<String> = fields(typed)
                .into_iter()
                .map(|candidate| candidate.text)
                .collect();
            assert_eq!(texts, found, "{typed}");
        }
    }
}
