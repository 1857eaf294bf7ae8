//! The draft of the form: choices, and texts that may not parse yet.

use std::{collections::BTreeMap, fmt};

use crate::{
    contract::{ExportQuery, Feed, Fix, Param, ParamValue},
    model::{Day, TagName},
    report::PARAMETERS,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DraftField {
    Feed,
    Of(Param),
}

impl DraftField {
    /// All, in the form's order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let params = PARAMETERS.iter().map(|words| Self::Of(words.param));
        [Self::Feed].into_iter().chain(params)
    }

    pub(super) fn last() -> Self {
        Self::Of(PARAMETERS[PARAMETERS.len() - 1].param)
    }
}

/// What the form says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    feed: Feed,
    /// The values as they stand in the fields; one that is empty is left out.
    texts: BTreeMap<Param, String>,
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
    pub(super) at: Param,
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
    Text(Param, String),
    /// A name in place of another one of a field.
    Name(Param, String, String),
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fix(fix) => fix.fmt(f),
            Self::Text(_, text) if text.is_empty() => f.write_str("empty the field"),
            Self::Text(_, text) => write!(f, "leave {text}"),
            Self::Name(_, _, name) => write!(f, "use {name}"),
        }
    }
}

impl Draft {
    /// The form of a request.
    pub(super) fn of(query: &ExportQuery) -> Self {
        let text = |param| {
            let sent = query.value(param).sent()?;
            Some((param, sent.replace(',', ", ")))
        };
        Self {
            feed: query.feed,
            texts: Param::ALL.into_iter().filter_map(text).collect(),
        }
    }

    /// A draft of what stands in the fields.
    pub(super) fn of_fields(value: impl Fn(DraftField) -> String) -> Self {
        let feed = value(DraftField::Feed).parse();
        let mut draft = Self {
            feed: feed.unwrap_or(Feed::Anonymous),
            texts: BTreeMap::new(),
        };
        for param in Param::ALL {
            draft.write(param, value(DraftField::Of(param)));
        }
        draft
    }

    pub(super) fn feed(&self) -> Feed {
        self.feed
    }

    /// Sets the value of a parameter.
    pub(super) fn write(&mut self, param: Param, text: String) {
        if text.is_empty() {
            self.texts.remove(&param);
        } else {
            self.texts.insert(param, text);
        }
    }

    /// The request that the form makes, and the texts of it that do not parse: they are left out of the request.
    pub(super) fn read(&self) -> (ExportQuery, Vec<Unreadable>) {
        let (mut query, mut unreadable) = (ExportQuery::all_of(self.feed), Vec::new());
        for (param, text) in &self.texts {
            let value = match param.default_value() {
                ParamValue::Tags(_) => ParamValue::Tags(read_tags(*param, text, &mut unreadable)),
                ParamValue::Number(_) => {
                    ParamValue::Number(read_number(*param, text, &mut unreadable))
                }
                ParamValue::Day(_) => ParamValue::Day(read_day(*param, text, &mut unreadable)),
                ParamValue::Countries(_) => {
                    ParamValue::Countries(once(items(text).map(str::to_uppercase)))
                }
                // What is not typed is always one of the values.
                default => param.parse(text).unwrap_or(default),
            };
            query.set(*param, value);
        }
        (query, unreadable)
    }

    /// Takes what is offered for a check. Texts that it does not concern stay as they were typed.
    pub(super) fn take(&mut self, remedy: &Remedy) {
        match remedy {
            Remedy::Text(param, text) => self.write(*param, text.clone()),
            Remedy::Name(param, old, new) => {
                let name = |item| if item == old { new.as_str() } else { item };
                let names = once(items(self.text(DraftField::Of(*param))).map(name));
                let text = names.join(", ");
                self.write(*param, text);
            }
            Remedy::Fix(fix) => {
                let (query, _) = self.read();
                let before = Self::of(&query).texts;
                let mut fixed = query;
                fixed.apply(fix);
                let mut after = Self::of(&fixed).texts;
                for param in Param::ALL {
                    if before.get(&param) != after.get(&param) {
                        self.write(param, after.remove(&param).unwrap_or_default());
                    }
                }
            }
        }
    }

    /// What stands in a field.
    pub(super) fn text(&self, item: DraftField) -> &str {
        match item {
            DraftField::Feed => self.feed.name(),
            DraftField::Of(param) => self.texts.get(&param).map_or("", String::as_str),
        }
    }
}

impl Unreadable {
    fn new(at: Param, why: impl fmt::Display, without: String) -> Self {
        let why = why.to_string();
        Self { at, why, without }
    }
}

fn read_number(at: Param, text: &str, unreadable: &mut Vec<Unreadable>) -> Option<u64> {
    let grouping = |digit: char| matches!(digit, ',' | '_') || digit.is_whitespace();
    let digits: String = text.chars().filter(|digit| !grouping(*digit)).collect();
    if digits.is_empty() {
        return None;
    }
    let number = digits.parse().ok();
    if number.is_none() {
        let why = format!("{text:?} is not a number of records");
        unreadable.push(Unreadable::new(at, why, String::new()));
    }
    number
}

fn read_day(at: Param, text: &str, unreadable: &mut Vec<Unreadable>) -> Option<Day> {
    if text.trim().is_empty() {
        return None;
    }
    let day = text.parse::<Day>();
    let refused = |why| unreadable.push(Unreadable::new(at, why, String::new()));
    day.map_err(refused).ok()
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

fn read_tags(at: Param, text: &str, unreadable: &mut Vec<Unreadable>) -> Vec<TagName> {
    let mut tags = Vec::new();
    for item in items(text) {
        match TagName::new(item) {
            Ok(tag) => tags.push(tag),
            Err(why) => {
                let others: Vec<&str> = items(text).filter(|other| *other != item).collect();
                unreadable.push(Unreadable::new(at, why, others.join(", ")));
            }
        }
    }
    once(tags.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::ExportField;

    fn draft(texts: [(Param, &str); 4]) -> Draft {
        let mut draft = Draft::default();
        for (param, text) in texts {
            draft.write(param, text.to_owned());
        }
        draft
    }

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
        let draft = draft([
            (Param::Limit, "100,000"),
            (Param::Ccs, "nl, de,,NL"),
            (Param::Tags, " ACME_VPN ,ACME_VPN,"),
            (Param::DiffDate, "20261119"),
        ]);
        let (query, unreadable) = draft.read();
        assert_eq!(unreadable, []);
        assert_eq!(query.limit, Some(100_000));
        assert_eq!(query.ccs, ["NL", "DE"]);
        assert_eq!(query.tags.len(), 1);
        assert_eq!(query.diff_date, Day::new(2026, 11, 19));
    }

    #[test]
    fn a_fix_leaves_other_texts_as_they_were_typed() {
        let mut draft = draft([
            (Param::Tags, "ACME_VPN,  what ever"),
            (Param::Limit, "9000000"),
            (Param::Ccs, ""),
            (Param::DiffDate, ""),
        ]);
        draft.take(&Remedy::Fix(Fix::SetLimit(2_000_000)));
        assert_eq!(
            (
                draft.text(DraftField::Of(Param::Limit)),
                draft.text(DraftField::Of(Param::Tags))
            ),
            ("2000000", "ACME_VPN,  what ever")
        );
        let (_, unreadable) = draft.read();
        draft.take(&Remedy::Text(
            unreadable[0].at,
            unreadable[0].without.clone(),
        ));
        assert_eq!(draft.text(DraftField::Of(Param::Tags)), "ACME_VPN");
    }
}
