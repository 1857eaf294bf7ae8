//! The values of fields among the records of a view, and what each clause of its filter selects.
//!
//! A field that the filter names is counted as if it did not: its other values stay in view, so that one of them can be chosen.

use std::sync::Arc;

use super::{ViewQuery, Views};
use crate::{
    engine::{
        error::Result,
        releases::{OpenRelease, UnknownValue},
        warehouse::{LoadedMatching, Matching, WantedValues},
    },
    model::Keyword,
    store::{
        Filter, StopFlag,
        filter::{Term, Test, sql::in_fields},
        index::{Facet, FacetBy, QueryError, Selection},
    },
};

/// The values of a field among some records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCounts {
    pub by: FacetBy,
    /// The most frequent values, with how many records have each, then those that the filter names.
    pub values: Vec<Facet>,
    /// How many values there are.
    pub distinct: usize,
    /// The records among which they were counted.
    pub among: u64,
}

/// What one clause of a filter does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseCount {
    pub term: Term,
    /// The records that it selects by itself.
    pub alone: u64,
    /// The records that the filter would select without it.
    pub without: u64,
    /// Its values that nothing local has.
    pub unknown: Vec<UnknownValue>,
}

impl Views {
    /// The most frequent values of each of these fields, no more than `most` of each beside those that the filter names.
    ///
    /// # Errors
    /// As [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn facets(
        &self,
        query: &ViewQuery,
        fields: &[FacetBy],
        most: usize,
    ) -> Result<Vec<FacetCounts>> {
        let of = (query.feed, query.day);
        match self.storage.open_all(of, &query.filter).await? {
            Matching::Here(opened) => self.facets_of(*opened, query, fields, most).await,
            Matching::There(there) => self.facets_there(&there, query, fields, most).await,
        }
    }

    /// The same of a day that counts itself: fields that cannot be counted in the records that match, or of which only the number is at
    /// hand, are counted there.
    async fn facets_there(
        &self,
        there: &LoadedMatching,
        query: &ViewQuery,
        fields: &[FacetBy],
        most: usize,
    ) -> Result<Vec<FacetCounts>> {
        let mut counts = Vec::with_capacity(fields.len());
        for by in fields {
            let filter = without_choice(&query.filter, by);
            let is_same = filter == query.filter;
            let field = match by {
                FacetBy::Keyword(field) if !is_same || there.at_hand.is_none() => *field,
                by => {
                    let one = std::slice::from_ref(by);
                    // A path is counted in the records that are at hand alone.
                    let opened = match &there.at_hand {
                        Some(opened) => opened.clone(),
                        None => self.open(query).await?.0,
                    };
                    counts.extend(self.facets_of(opened, query, one, most).await?);
                    continue;
                }
            };
            let (values, distinct) = counted_there(there, query, field, &filter, most).await?;
            let among = if is_same {
                there.number
            } else {
                there.count(&filter).await?
            };
            counts.push(FacetCounts {
                by: by.clone(),
                values,
                distinct,
                among,
            });
        }
        there.still_holds().await?;
        Ok(counts)
    }

    async fn facets_of(
        &self,
        opened: OpenRelease,
        query: &ViewQuery,
        fields: &[FacetBy],
        most: usize,
    ) -> Result<Vec<FacetCounts>> {
        let (kept, filter, fields) = (self.kept.clone(), query.filter.clone(), fields.to_vec());
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let mut last: Option<(Filter, Arc<Selection>)> = None;
            let count = |by: &FacetBy| -> Result<FacetCounts, QueryError> {
                let (whole, filter) = (&filter, without_choice(&filter, by));
                // Most fields are not chosen from, so their filters are the same.
                let rows = match &last {
                    Some((same, rows)) if *same == filter => Arc::clone(rows),
                    _ => kept.select(opened, &filter, stop)?,
                };
                last = Some((filter, Arc::clone(&rows)));
                let mut values = opened.index.facets(&rows, by, stop)?;
                let distinct = values.len();
                let rare = values.split_off(most.min(values.len()));
                values.extend(
                    rare.into_iter()
                        .filter(|facet| names(whole, by, &facet.value)),
                );
                let (by, among) = (by.clone(), rows.count());
                Ok(FacetCounts {
                    by,
                    values,
                    distinct,
                    among,
                })
            };
            fields.iter().map(count).collect()
        };
        self.releases.with_local(opened, work).await
    }

    /// The values of a field among the records of the view that have a text in them, those that begin with it first, then the most
    /// frequent ones; no more than `most`. Those that the filter chooses of the field do not narrow them.
    ///
    /// # Errors
    /// As [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn values_with(
        &self,
        query: &ViewQuery,
        field: Keyword,
        part: &str,
        most: usize,
    ) -> Result<Vec<Facet>> {
        let filter = without_choice(&query.filter, &FacetBy::Keyword(field));
        let of = (query.feed, query.day);
        let opened = match self.storage.open_all(of, &filter).await? {
            Matching::Here(opened) => *opened,
            Matching::There(there) => {
                if let Some(opened) = &there.at_hand {
                    opened.clone()
                } else {
                    let part = part.to_ascii_lowercase();
                    let wanted = WantedValues::With(&part, most);
                    let (values, _) = there.facets(&filter, field, wanted).await?;
                    there.still_holds().await?;
                    return Ok(values);
                }
            }
        };
        let (kept, part) = (self.kept.clone(), part.to_owned());
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let rows = kept.select(opened, &filter, stop)?;
            opened.index.alike(&rows, field, &part, most, stop)
        };
        self.releases.with_local(opened, work).await
    }

    /// What each clause of the filter does.
    ///
    /// # Errors
    /// As [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn clauses(&self, query: &ViewQuery) -> Result<Vec<ClauseCount>> {
        let of = (query.feed, query.day);
        let opened = match self.storage.open_all(of, &query.filter).await? {
            Matching::There(there) => return clauses_there(&there, &query.filter.terms).await,
            Matching::Here(opened) => *opened,
        };
        let terms = query.filter.terms.clone();
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let count = |terms: Vec<Term>| -> Result<u64, QueryError> {
                Ok(opened.index.select(&Filter { terms }, stop)?.count())
            };
            let clause = |at: usize| -> Result<ClauseCount, QueryError> {
                let mut others = terms.clone();
                let term = others.remove(at);
                Ok(ClauseCount {
                    alone: count(vec![term.clone()])?,
                    without: count(others)?,
                    term,
                    unknown: Vec::new(),
                })
            };
            (0..terms.len()).map(clause).collect()
        };
        let clauses = self.releases.with_local(opened.clone(), work).await;
        let mut clauses: Vec<ClauseCount> = clauses?;
        let opened = std::slice::from_ref(&opened);
        // What nothing local has may be where an excerpt is from.
        let is_whole = !opened[0].release.manifest.is_excerpt();
        for clause in clauses.iter_mut().filter(|_| is_whole) {
            let filter = Filter {
                terms: vec![clause.term.clone()],
            };
            clause.unknown = self.releases.unknown_values(opened, &filter).await?;
        }
        Ok(clauses)
    }
}

/// The most frequent values of a day that counts itself, then those that the filter of the view names.
async fn counted_there(
    there: &LoadedMatching,
    query: &ViewQuery,
    field: Keyword,
    filter: &Filter,
    most: usize,
) -> Result<(Vec<Facet>, usize)> {
    let frequent = WantedValues::Frequent(most);
    let (mut values, distinct) = there.facets(filter, field, frequent).await?;
    let is_rare = |named: &&str| {
        !values
            .iter()
            .any(|facet| facet.value.eq_ignore_ascii_case(named))
    };
    let rare = named(&query.filter, field).filter(is_rare);
    let rare = rare.map(str::to_ascii_lowercase).collect();
    for some in in_fields(rare) {
        let named = WantedValues::Named(&some);
        values.extend(there.facets(filter, field, named).await?.0);
    }
    Ok((values, distinct))
}

/// What each of these clauses does to a day that counts itself.
async fn clauses_there(there: &LoadedMatching, terms: &[Term]) -> Result<Vec<ClauseCount>> {
    let mut clauses = Vec::with_capacity(terms.len());
    for (at, term) in terms.iter().enumerate() {
        let mut others = terms.to_vec();
        let alone = Filter {
            terms: vec![others.remove(at)],
        };
        clauses.push(ClauseCount {
            term: term.clone(),
            alone: there.count(&alone).await?,
            without: there.count(&Filter { terms: others }).await?,
            unknown: Vec::new(),
        });
    }
    Ok(clauses)
}

/// Whether a filter names a value of a field.
pub(super) fn names(filter: &Filter, by: &FacetBy, value: &str) -> bool {
    match by {
        FacetBy::Keyword(by) => named(filter, *by).any(|text| text.eq_ignore_ascii_case(value)),
        FacetBy::Path(_) => false,
    }
}

/// The values of a field that a filter names.
fn named(filter: &Filter, by: Keyword) -> impl Iterator<Item = &str> {
    let named = filter
        .terms
        .iter()
        .filter_map(move |term| match &term.test {
            Test::Is(field, named) | Test::Contains(field, named) if *field == by => Some(named),
            _ => None,
        });
    named.flatten().map(String::as_str)
}

/// The filter without the clauses that choose values of a field.
fn without_choice(filter: &Filter, by: &FacetBy) -> Filter {
    let chooses = |term: &Term| match (&term.test, by) {
        (Test::Is(field, _) | Test::Contains(field, _), FacetBy::Keyword(by)) => {
            field == by && !term.negated
        }
        _ => false,
    };
    let terms = filter.terms.iter().filter(|term| !chooses(term));
    Filter {
        terms: terms.cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_value_leaves_the_others_of_its_field_in_view() {
        let filter: Filter = "tag:ACME_VPN cc:NL -tag:BRAVO_PROXY"
            .parse()
            .expect("a filter");
        for (field, left) in [
            (Keyword::Tag, "cc:NL -tag:BRAVO_PROXY"),
            (Keyword::Cc, "tag:ACME_VPN -tag:BRAVO_PROXY"),
            (Keyword::Asn, "tag:ACME_VPN cc:NL -tag:BRAVO_PROXY"),
        ] {
            let rest = without_choice(&filter, &FacetBy::Keyword(field));
            assert_eq!(rest.to_string(), left);
        }
    }
}
