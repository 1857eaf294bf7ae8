//! Completions in a list of names: the names in local releases, with their record counts.

use super::vocabulary::{KnownNames, keyword_of};
use crate::{
    contract::{Feed, Param},
    model::Keyword,
    report::count,
    tui::ui::{Motion, Suggestion},
};

/// Names that are offered at once.
const MOST: usize = 5;

/// Names for what is being typed, and the one that Enter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Completion {
    /// The parameter whose field is typed into.
    pub(super) param: Param,
    /// The names, with how many records have each where that was counted.
    names: Vec<(String, Option<u64>)>,
    at: usize,
}

impl Completion {
    /// The names for the last item of a text; none where nothing is typed of it, or nothing fits, or it is whole.
    pub(super) fn of(
        vocabulary: &KnownNames,
        feed: Feed,
        param: Param,
        text: &str,
    ) -> Option<Self> {
        let (before, typed) = split(text);
        if typed.is_empty() {
            return None;
        }
        let typed = typed.to_uppercase();
        let has = |name: &str| {
            before
                .split(',')
                .any(|text| text.trim().eq_ignore_ascii_case(name))
        };
        let counted = vocabulary.values(feed, param);
        let mut names: Vec<(String, Option<u64>)> = match counted {
            Some(values) => {
                let values = values.iter().filter(|facet| facet.value.contains(&typed));
                let values = values.map(|facet| (facet.value.clone(), Some(facet.count)));
                values.filter(|(name, _)| !has(name)).collect()
            }
            None if param == Param::Ccs => Vec::new(),
            None => {
                let tags = vocabulary.tags().filter(|name| name.contains(&typed));
                let tags = tags.map(|name| (name.to_owned(), None));
                tags.filter(|(name, _)| !has(name)).collect()
            }
        };
        // Those that begin so come first; both parts stay in their order.
        names.sort_by_key(|(name, _)| !name.starts_with(&typed));
        names.truncate(MOST);
        let is_whole = names.len() == 1 && names.iter().all(|(name, _)| *name == typed);
        (!names.is_empty() && !is_whole).then_some(Self {
            param,
            names,
            at: 0,
        })
    }

    /// The same names, with the one chosen that was chosen before.
    pub(super) fn at_choice_of(mut self, before: &Self) -> Self {
        let chosen = before.names.get(before.at).map(|(name, _)| name);
        let at = self.names.iter().position(|(name, _)| Some(name) == chosen);
        self.at = at.unwrap_or_default();
        self
    }

    /// Moves the choice; returns whether there was one in that direction.
    pub(super) fn step(&mut self, motion: Motion) -> bool {
        let at = match motion {
            Motion::Down => self.at.checked_add(1).filter(|at| *at < self.names.len()),
            Motion::Up => self.at.checked_sub(1),
            _ => None,
        };
        self.at = at.unwrap_or(self.at);
        at.is_some()
    }

    /// Chooses a name by its number, the last one when there are fewer.
    pub(super) fn choose(&mut self, at: usize) {
        self.at = at.min(self.names.len().saturating_sub(1));
    }

    /// The text with the chosen name as its last item.
    pub(super) fn take(&self, text: &str) -> Option<String> {
        let (name, _) = self.names.get(self.at)?;
        let (before, _) = split(text);
        let gap = if before.is_empty() { "" } else { " " };
        Some(format!("{before}{gap}{name}, "))
    }

    /// The names as they are shown.
    pub(super) fn suggestions(&self, noun: &str) -> Vec<Suggestion> {
        let names = self.names.iter().enumerate();
        let suggestion = |(at, (name, records)): (usize, &(String, Option<u64>))| Suggestion {
            text: name.clone(),
            detail: records.map_or_else(String::new, |records| {
                format!("{:>9} {noun}", count(records))
            }),
            is_chosen: at == self.at,
        };
        names.map(suggestion).collect()
    }
}

/// What is typed of the last item of a text, where its parameter has more values than are known: those are to be searched.
pub(super) fn sought(
    vocabulary: &KnownNames,
    feed: Feed,
    param: Param,
    text: &str,
) -> Option<(Keyword, String)> {
    let (_, typed) = split(text);
    let is_open = vocabulary.is_partly_known(feed, param) && !typed.is_empty();
    let field = keyword_of(param).filter(|_| is_open)?;
    Some((field, typed.to_uppercase()))
}

/// The items of a text before the last one, with their commas, and what is typed of that.
fn split(text: &str) -> (&str, &str) {
    let end = text.rfind(',').map_or(0, |comma| comma + 1);
    (text[..end].trim_end(), text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::views::FacetCounts,
        store::index::{Facet, FacetBy},
    };

    fn vocabulary() -> KnownNames {
        let values = [
            ("ACME_VPN", 41_198),
            ("CARGO_VPN", 2_110),
            ("OLD_CARGO", 310),
        ];
        let values = values.map(|(value, count)| Facet {
            value: value.to_owned(),
            count,
        });
        let mut vocabulary = KnownNames::default();
        vocabulary.count(
            Feed::Anonymous,
            Some(&[FacetCounts {
                by: FacetBy::Keyword(Keyword::Tag),
                values: values.to_vec(),
                distinct: 3,
                among: 43_618,
            }]),
        );
        vocabulary
    }

    fn of(text: &str) -> Option<Completion> {
        Completion::of(&vocabulary(), Feed::Anonymous, Param::Tags, text)
    }

    #[test]
    fn what_begins_so_comes_first_and_the_choice_is_put_in() {
        let mut completion = of("ACME_VPN, carg").expect("names");
        let names: Vec<_> = completion
            .names
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["CARGO_VPN", "OLD_CARGO"]);
        let taken = completion.take("ACME_VPN, carg");
        assert_eq!(taken.as_deref(), Some("ACME_VPN, CARGO_VPN, "));
        assert!(completion.step(Motion::Down) && !completion.step(Motion::Down));
        assert_eq!(completion.take("carg").as_deref(), Some("OLD_CARGO, "));
        assert!(completion.suggestions("IPs")[1].is_chosen);
    }

    #[test]
    fn nothing_is_offered_for_nothing_for_a_whole_name_and_for_one_that_is_there() {
        assert_eq!(of(""), None);
        assert_eq!(of("ACME_VPN, "), None);
        assert_eq!(of("ACME_VPN"), None);
        assert_eq!(of("ACME_VPN, ACME"), None);
        assert_eq!(of("NOTHING"), None);
    }
}
