//! The draft of the form: choices, and texts that may not parse yet.

use std::{collections::BTreeMap, fmt, mem};

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

    /// Whether it is a field of text.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Of(param) if is_text(param))
    }
}

fn is_text(param: Param) -> bool {
    use ParamValue::{Countries, Day, Number, Tags};
    let value = param.default_value();
    matches!(value, Tags(_) | Countries(_) | Number(_) | Day(_))
}

/// What the form says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// Feed, choices and switches; of what is typed nothing.
    query: ExportQuery,
    /// What is typed, of those parameters where something is.
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
        let mut draft = Self {
            query: query.clone(),
            texts: BTreeMap::new(),
        };
        for param in Param::ALL.into_iter().filter(|param| is_text(*param)) {
            let text = query.value(param).sent().unwrap_or_default();
            draft.query.clear(param);
            draft.write(param, text.replace(',', ", "));
        }
        draft
    }

    pub(super) fn feed(&self) -> Feed {
        self.query.feed
    }

    pub(super) fn set_feed(&mut self, feed: Feed) {
        self.query.feed = feed;
    }

    /// A choice or a switch.
    pub(super) fn value(&self, param: Param) -> ParamValue {
        self.query.value(param)
    }

    /// Sets a choice or a switch.
    pub(super) fn set(&mut self, param: Param, value: ParamValue) {
        self.query.set(param, value);
    }

    /// Sets what is typed.
    pub(super) fn write(&mut self, param: Param, text: String) {
        if text.is_empty() {
            self.texts.remove(&param);
        } else {
            self.texts.insert(param, text);
        }
    }

    /// The request that the form makes, and the texts of it that do not parse: they are left out of the request.
    pub(super) fn read(&self) -> (ExportQuery, Vec<Unreadable>) {
        let (mut query, mut unreadable) = (self.query.clone(), Vec::new());
        for (param, text) in &self.texts {
            let value = match param.default_value() {
                ParamValue::Tags(_) => ParamValue::Tags(read_tags(*param, text, &mut unreadable)),
                ParamValue::Number(_) => {
                    ParamValue::Number(read_number(*param, text, &mut unreadable))
                }
                ParamValue::Day(_) => ParamValue::Day(read_day(*param, text, &mut unreadable)),
                _ => ParamValue::Countries(once(items(text).map(str::to_uppercase))),
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
                let (before, _) = self.read();
                let mut after = before.clone();
                after.apply(fix);
                let (before, mut after) = (Self::of(&before), Self::of(&after));
                let mut texts = mem::take(&mut self.texts);
                for param in Param::ALL {
                    if before.texts.get(&param) != after.texts.get(&param) {
                        texts.remove(&param);
                        texts.extend(after.texts.remove_entry(&param));
                    }
                }
                (self.query, self.texts) = (after.query, texts);
            }
        }
    }

    /// What is typed into a field of text.
    pub(super) fn text(&self, item: DraftField) -> &str {
        let typed = match item {
            DraftField::Feed => None,
            DraftField::Of(param) => self.texts.get(&param),
        };
        typed.map_or("", String::as_str)
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
        unreadable.push(Unreadable {
            at,
            why: format!("{text:?} is not a number of records"),
            without: String::new(),
        });
    }
    number
}

fn read_day(at: Param, text: &str, unreadable: &mut Vec<Unreadable>) -> Option<Day> {
    if text.trim().is_empty() {
        return None;
    }
    let day = text.parse::<Day>();
    if let Err(why) = &day {
        unreadable.push(Unreadable {
            at,
            why: why.to_string(),
            without: String::new(),
        });
    }
    day.ok()
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
