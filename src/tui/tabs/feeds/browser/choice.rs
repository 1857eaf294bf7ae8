//! Changes of a filter by one value of a field, for facets and cells. They must never change a clause about another field.

use crate::{
    model::Keyword,
    store::{
        Filter,
        filter::{Term, Test},
    },
    tui::ui::widgets::facets::ValueChoice,
};

/// How a filter treats a value.
pub(super) fn standing(filter: &Filter, field: Keyword, value: &str) -> ValueChoice {
    let named = |negated| {
        let mut terms = filter.terms.iter().filter(|term| term.negated == negated);
        terms.any(|term| values(term, field).is_some_and(|texts| has(texts, value)))
    };
    if named(true) {
        ValueChoice::Excluded
    } else if named(false) {
        ValueChoice::Chosen
    } else {
        ValueChoice::Open
    }
}

pub(super) fn named(filter: &Filter, field: Keyword) -> impl Iterator<Item = &String> {
    let terms = filter.terms.iter();
    terms.filter_map(move |term| values(term, field)).flatten()
}

/// Limits a field to this value. Removes the clause if the field is limited to it already.
pub(super) fn choose(filter: &Filter, field: Keyword, value: &str) -> Filter {
    let mut changed = without_value(filter, field, value, true);
    let own = |term: &Term| !term.negated && values(term, field).is_some();
    let was_alone = filter.terms.iter().any(|term| {
        own(term) && values(term, field).is_some_and(|texts| texts.len() == 1 && has(texts, value))
    });
    let at = changed.terms.iter().position(own);
    match at {
        Some(at) if was_alone => drop(changed.terms.remove(at)),
        Some(at) => changed.terms[at].test = Test::Is(field, vec![value.to_owned()]),
        None => changed
            .terms
            .push(Test::Is(field, vec![value.to_owned()]).into()),
    }
    changed
}

/// Adds a value to the accepted ones of its field, or removes it from them.
pub(super) fn collect(filter: &Filter, field: Keyword, value: &str) -> Filter {
    toggle(filter, field, value, false)
}

/// Excludes a value, or accepts it again.
pub(super) fn exclude(filter: &Filter, field: Keyword, value: &str) -> Filter {
    toggle(filter, field, value, true)
}

fn toggle(filter: &Filter, field: Keyword, value: &str, negated: bool) -> Filter {
    let is_own = |term: &&Term| {
        term.negated == negated && values(term, field).is_some_and(|texts| has(texts, value))
    };
    if filter.terms.iter().any(|term| is_own(&term)) {
        return without_value(filter, field, value, negated);
    }
    let mut changed = without_value(filter, field, value, !negated);
    let mut terms = changed.terms.iter_mut();
    let own = terms.find(|term| term.negated == negated && values(term, field).is_some());
    match own {
        Some(term) => {
            if let Test::Is(_, values) | Test::Contains(_, values) = &mut term.test {
                values.push(value.to_owned());
            }
        }
        None => changed.terms.push(Term {
            negated,
            test: Test::Is(field, vec![value.to_owned()]),
        }),
    }
    changed
}

/// Removes a value from the clauses of its field, and the clauses that become empty.
fn without_value(filter: &Filter, field: Keyword, value: &str, negated: bool) -> Filter {
    let mut changed = filter.clone();
    changed.terms.retain_mut(|term| {
        if term.negated != negated || values(term, field).is_none() {
            return true;
        }
        let (Test::Is(_, values) | Test::Contains(_, values)) = &mut term.test else {
            return true;
        };
        values.retain(|text| !text.eq_ignore_ascii_case(value));
        !values.is_empty()
    });
    changed
}

pub(super) fn without(filter: &Filter, clause: &Term) -> Filter {
    let mut changed = filter.clone();
    if let Some(at) = changed.terms.iter().position(|term| term == clause) {
        changed.terms.remove(at);
    }
    changed
}

/// Adds a clause, unless the filter has it already.
pub(super) fn with(filter: &Filter, clause: Term) -> Filter {
    let mut changed = filter.clone();
    if !changed.terms.contains(&clause) {
        changed.terms.push(clause);
    }
    changed
}

fn values(term: &Term, field: Keyword) -> Option<&Vec<String>> {
    match &term.test {
        Test::Is(keyword, values) | Test::Contains(keyword, values) if *keyword == field => {
            Some(values)
        }
        _ => None,
    }
}

fn has(values: &[String], value: &str) -> bool {
    values.iter().any(|text| text.eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    type FilterChange = fn(&Filter, Keyword, &str) -> Filter;

    #[test]
    fn a_value_is_chosen_collected_and_excluded() {
        let cases: [(&str, FilterChange, &str, &str); 12] = [
            ("", choose, "NL", "cc:NL"),
            (
                "tag:A cc:DE clients>3",
                choose,
                "NL",
                "tag:A cc:NL clients>3",
            ),
            ("cc:DE,NL", choose, "NL", "cc:NL"),
            ("cc:NL tag:A", choose, "NL", "tag:A"),
            ("-cc:NL,DE", choose, "NL", "-cc:DE cc:NL"),
            ("", collect, "NL", "cc:NL"),
            ("cc:DE", collect, "NL", "cc:DE,NL"),
            ("cc:DE,NL", collect, "NL", "cc:DE"),
            ("", exclude, "NL", "-cc:NL"),
            ("-cc:DE", exclude, "NL", "-cc:DE,NL"),
            ("cc:NL tag:A", exclude, "NL", "tag:A -cc:NL"),
            ("-cc:NL tag:A", exclude, "NL", "tag:A"),
        ];
        for (before, change, value, after) in cases {
            let filter: Filter = before.parse().expect(before);
            let changed = change(&filter, Keyword::Cc, value);
            assert_eq!(changed.to_string(), after, "{before}");
        }
    }

    #[test]
    fn a_filter_stands_to_a_value_as_it_reads() {
        let filter: Filter = "cc:NL,DE -cc:FR".parse().expect("a filter");
        for (value, expected) in [
            ("NL", ValueChoice::Chosen),
            ("FR", ValueChoice::Excluded),
            ("BE", ValueChoice::Open),
        ] {
            assert_eq!(standing(&filter, Keyword::Cc, value), expected);
        }
        assert_eq!(named(&filter, Keyword::Cc).count(), 3);
    }
}
