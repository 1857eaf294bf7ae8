//! What the form says, before it is a request: choices, and texts that may not parse yet.

use std::fmt;

use crate::{
    contract::{ExportField, ExportQuery, Feed, Fix, Output, Param},
    model::{Day, TagName},
};

/// A field of the form, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Feed,
    Output,
    Header,
    Fields,
    Tags,
    CallbackProxies,
    Ccs,
    Attributed,
    Limit,
    Diff,
    DiffDate,
}

impl Item {
    /// The field of a parameter.
    pub(super) fn of(param: Param) -> Self {
        match param {
            Param::Output => Self::Output,
            Param::Header => Self::Header,
            Param::Fields => Self::Fields,
            Param::Limit => Self::Limit,
            Param::Tags => Self::Tags,
            Param::CallbackProxies => Self::CallbackProxies,
            Param::Ccs => Self::Ccs,
            Param::Attributed => Self::Attributed,
            Param::Diff => Self::Diff,
            Param::DiffDate => Self::DiffDate,
        }
    }
}

/// What the form says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) feed: Feed,
    pub(super) output: Output,
    pub(super) header: bool,
    pub(super) fields: Vec<ExportField>,
    pub(super) tags: String,
    pub(super) callback_proxies: String,
    pub(super) ccs: String,
    pub(super) attributed: bool,
    pub(super) limit: String,
    pub(super) diff: bool,
    pub(super) diff_date: String,
}

impl Default for Draft {
    /// CSV that names its columns: a file that one can read later.
    fn default() -> Self {
        let mut query = ExportQuery::all_of(Feed::Anonymous);
        query.header = true;
        Self::of(&query)
    }
}

/// A text that does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) at: Item,
    pub(super) why: String,
    /// The text of the field without what is wrong in it.
    pub(super) without: String,
}

/// What makes a check pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// What the contract's rules offer.
    Fix(Fix),
    /// Another text in a field.
    Text(Item, String),
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fix(fix) => fix.fmt(f),
            Self::Text(_, text) if text.is_empty() => f.write_str("empty the field"),
            Self::Text(_, text) => write!(f, "leave {text}"),
        }
    }
}

impl Draft {
    /// The form of a request.
    pub(super) fn of(query: &ExportQuery) -> Self {
        Self {
            feed: query.feed,
            output: query.output,
            header: query.header,
            fields: query.fields.clone(),
            tags: joined(&query.tags),
            callback_proxies: joined(&query.callback_proxies),
            ccs: query.ccs.join(", "),
            attributed: query.attributed,
            limit: query
                .limit
                .map_or_else(String::new, |limit| limit.to_string()),
            diff: query.diff,
            diff_date: query.diff_date.map_or_else(String::new, Day::dashed),
        }
    }

    /// The request that the form makes, and the texts of it that do not parse: they are left out of the request.
    pub(super) fn read(&self) -> (ExportQuery, Vec<Unreadable>) {
        let mut unreadable = Vec::new();
        let query = ExportQuery {
            feed: self.feed,
            output: self.output,
            header: self.header,
            fields: self.fields.clone(),
            limit: self.read_limit(&mut unreadable),
            tags: read_tags(Item::Tags, &self.tags, &mut unreadable),
            callback_proxies: read_tags(
                Item::CallbackProxies,
                &self.callback_proxies,
                &mut unreadable,
            ),
            ccs: once(items(&self.ccs).map(str::to_uppercase)),
            attributed: self.attributed,
            diff: self.diff,
            diff_date: self.read_day(&mut unreadable),
        };
        (query, unreadable)
    }

    fn read_limit(&self, unreadable: &mut Vec<Unreadable>) -> Option<u64> {
        let grouping = |digit: char| matches!(digit, ',' | '_') || digit.is_whitespace();
        let digits: String = self
            .limit
            .chars()
            .filter(|digit| !grouping(*digit))
            .collect();
        if digits.is_empty() {
            return None;
        }
        let limit = digits.parse().ok();
        if limit.is_none() {
            unreadable.push(Unreadable {
                at: Item::Limit,
                why: format!("{:?} is not a number of records", self.limit),
                without: String::new(),
            });
        }
        limit
    }

    fn read_day(&self, unreadable: &mut Vec<Unreadable>) -> Option<Day> {
        if self.diff_date.trim().is_empty() {
            return None;
        }
        match self.diff_date.parse::<Day>() {
            Ok(day) => Some(day),
            Err(why) => {
                unreadable.push(Unreadable {
                    at: Item::DiffDate,
                    why: why.to_string(),
                    without: String::new(),
                });
                None
            }
        }
    }

    /// Takes what is offered for a check. Texts that it does not concern stay as they were typed.
    pub(super) fn take(&mut self, remedy: &Remedy) {
        match remedy {
            Remedy::Text(item, text) => {
                if let Some(own) = self.text_mut(*item) {
                    own.clone_from(text);
                }
            }
            Remedy::Fix(fix) => {
                let (before, _) = self.read();
                let mut after = before.clone();
                after.apply(fix);
                let (before, after) = (Self::of(&before), Self::of(&after));
                (self.output, self.header) = (after.output, after.header);
                self.fields.clone_from(&after.fields);
                (self.attributed, self.diff) = (after.attributed, after.diff);
                for item in TEXTS {
                    let (before, after) = (before.text(item), after.text(item));
                    if let Some(own) = self.text_mut(item).filter(|_| before != after) {
                        after.clone_into(own);
                    }
                }
            }
        }
    }

    /// The text of a field of text.
    pub(super) fn text(&self, item: Item) -> &str {
        match item {
            Item::Tags => &self.tags,
            Item::CallbackProxies => &self.callback_proxies,
            Item::Ccs => &self.ccs,
            Item::Limit => &self.limit,
            Item::DiffDate => &self.diff_date,
            _ => "",
        }
    }

    pub(super) fn text_mut(&mut self, item: Item) -> Option<&mut String> {
        match item {
            Item::Tags => Some(&mut self.tags),
            Item::CallbackProxies => Some(&mut self.callback_proxies),
            Item::Ccs => Some(&mut self.ccs),
            Item::Limit => Some(&mut self.limit),
            Item::DiffDate => Some(&mut self.diff_date),
            _ => None,
        }
    }
}

/// The fields of text.
pub(super) const TEXTS: [Item; 5] = [
    Item::Tags,
    Item::CallbackProxies,
    Item::Ccs,
    Item::Limit,
    Item::DiffDate,
];

fn joined(tags: &[TagName]) -> String {
    let tags: Vec<&str> = tags.iter().map(TagName::as_str).collect();
    tags.join(", ")
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

/// Each item once, in the order given.
fn once<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

fn read_tags(at: Item, text: &str, unreadable: &mut Vec<Unreadable>) -> Vec<TagName> {
    let mut tags = Vec::new();
    for item in items(text) {
        match TagName::new(item) {
            Ok(tag) => tags.push(tag),
            Err(why) => {
                let others: Vec<&str> = items(text).filter(|other| *other != item).collect();
                unreadable.push(Unreadable {
                    at,
                    why: why.to_string(),
                    without: others.join(", "),
                });
            }
        }
    }
    once(tags.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_comes_back_from_its_form() {
        let mut query = ExportQuery::all_of(Feed::AnonymousResidential);
        query.fields = vec![ExportField::Ip, ExportField::Tag];
        query.tags = vec![
            "ACME_VPN".parse().expect("tag"),
            "BRAVO_PROXY".parse().expect("tag"),
        ];
        query.callback_proxies = vec!["WIDGET_PROXY".parse().expect("tag")];
        query.ccs = vec!["NL".to_owned(), "DE".to_owned()];
        query.limit = Some(100_000);
        query.diff_date = Day::new(2026, 11, 19);
        assert_eq!(Draft::of(&query).read(), (query, vec![]));
    }

    #[test]
    fn people_write_numbers_and_lists_in_their_own_way() {
        let draft = Draft {
            limit: "100,000".to_owned(),
            ccs: "nl, de,,NL".to_owned(),
            tags: " ACME_VPN ,ACME_VPN,".to_owned(),
            diff_date: "20261119".to_owned(),
            ..Draft::default()
        };
        let (query, unreadable) = draft.read();
        assert_eq!(unreadable, []);
        assert_eq!(query.limit, Some(100_000));
        assert_eq!(query.ccs, ["NL", "DE"]);
        assert_eq!(query.tags.len(), 1);
        assert_eq!(query.diff_date, Day::new(2026, 11, 19));
    }

    #[test]
    fn a_fix_leaves_other_texts_as_they_were_typed() {
        let mut draft = Draft {
            tags: "ACME_VPN,  what ever".to_owned(),
            limit: "9000000".to_owned(),
            ..Draft::default()
        };
        draft.take(&Remedy::Fix(Fix::SetLimit(2_000_000)));
        assert_eq!(
            (draft.limit.as_str(), draft.tags.as_str()),
            ("2000000", "ACME_VPN,  what ever")
        );
        let (_, unreadable) = draft.read();
        draft.take(&Remedy::Text(
            unreadable[0].at,
            unreadable[0].without.clone(),
        ));
        assert_eq!(draft.tags, "ACME_VPN");
    }
}
