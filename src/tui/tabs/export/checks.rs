//! What is to be said of a draft: what keeps it from being sent, what is worth knowing, what is fine.

use super::{
    draft::{Draft, Item, Remedy},
    vocabulary::{Verdict, Vocabulary},
};
use crate::{
    contract::{Conflict, ExportQuery, Feed, Param, Severity, Value, export::LIMIT},
    model::Day,
    report::{PARAMETERS, Parameter},
    tui::ui::{theme::Tone, words},
};

/// One thing to be said of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    /// An error keeps the request from being sent; the others do not.
    pub(super) tone: Tone,
    /// The field at which it is said.
    pub(super) at: Option<Item>,
    /// The words.
    pub(super) words: String,
    /// What makes it pass.
    pub(super) remedy: Option<Remedy>,
}

impl Check {
    fn fine(words: impl Into<String>) -> Self {
        Self::said(Tone::Ok, words)
    }

    /// These words, at no field.
    pub(super) fn said(tone: Tone, words: impl Into<String>) -> Self {
        Self {
            tone,
            at: None,
            words: words.into(),
            remedy: None,
        }
    }

    /// The words and what Enter does about it.
    pub(super) fn with_remedy(&self) -> String {
        match &self.remedy {
            Some(remedy) => format!("{}; enter: {remedy}", self.words),
            None => self.words.clone(),
        }
    }
}

impl From<Conflict> for Check {
    fn from(conflict: Conflict) -> Self {
        Self {
            tone: match conflict.severity {
                Severity::Refused => Tone::Error,
                Severity::Noted => Tone::Info,
            },
            at: Some(Item::Of(conflict.at)),
            words: conflict.to_string(),
            remedy: conflict.fix.map(Remedy::Fix),
        }
    }
}

/// Everything to be said of a draft, the worst first; `unsaid` is what was wanted and is not in it. The rules are the contract's; only what a text must be is said here.
pub(super) fn of(draft: &Draft, vocabulary: &Vocabulary, unsaid: &[Check]) -> Vec<Check> {
    let (query, unreadable) = draft.read();
    let mut checks: Vec<Check> = unreadable
        .into_iter()
        .map(|text| Check {
            tone: Tone::Error,
            at: Some(Item::Of(text.at)),
            words: text.why,
            remedy: Some(Remedy::Text(text.at, text.without)),
        })
        .collect();
    checks.extend(query.conflicts().into_iter().map(Check::from));
    checks.extend_from_slice(unsaid);
    if !is_refused(&checks) {
        checks.push(Check::fine("feed, fields and filters agree"));
    }
    checks.extend(names(&query, vocabulary));
    checks.extend(facts(&query));
    checks.sort_by_key(|check| std::cmp::Reverse(check.tone >= Tone::Warn));
    checks
}

/// Whether something keeps the request from being sent.
pub(super) fn is_refused(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.tone == Tone::Error)
}

/// Whether the names that are asked for are known, a line for each parameter and one for each name that is not.
fn names(query: &ExportQuery, vocabulary: &Vocabulary) -> Vec<Check> {
    let mut checks = Vec::new();
    for words in &PARAMETERS {
        let names: Vec<String> = match query.value(words.param) {
            Value::Tags(tags) => tags.iter().map(ToString::to_string).collect(),
            Value::Countries(codes) => codes,
            _ => continue,
        };
        let [one, several] = words.lets_through;
        let (mut known, mut unchecked) = (0, 0);
        for name in &names {
            let verdict = vocabulary.verdict(query.feed, words.param, name);
            match &verdict {
                Verdict::Known => known += 1,
                Verdict::Unchecked => unchecked += 1,
                Verdict::Empty(near) | Verdict::Unknown(near) => {
                    let unknown = matches!(verdict, Verdict::Unknown(_));
                    checks.push(odd(query, words, name, unknown, near.as_ref()));
                }
            }
        }
        let counted = |count: usize| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {several}"),
        };
        if known > 0 {
            checks.push(Check::fine(format!("{} known", counted(known))));
        }
        if unchecked > 0 {
            let words = format!("{} not checked: no local feed has them", counted(unchecked));
            checks.push(Check::said(Tone::Info, words));
        }
    }
    checks
}

/// A name that no record has, or that does not exist.
fn odd(
    query: &ExportQuery,
    words: &Parameter,
    name: &str,
    unknown: bool,
    near: Option<&String>,
) -> Check {
    let [one, _] = words.lets_through;
    let mut text = if unknown {
        format!("there is no tag {name}")
    } else {
        format!("0 records with the {one} {name}")
    };
    if let Some(near) = near {
        text += &format!(": did you mean {near}?");
    } else if !unknown && query.is_filtered() {
        text += " in local records that match the rest";
    }
    let remedy = |near: &String| Remedy::Name(words.param, name.to_owned(), near.clone());
    Check {
        tone: Tone::Warn,
        at: Some(Item::Of(words.param)),
        words: text,
        remedy: near.map(remedy),
    }
}

/// What the request asks for, in words.
fn facts(query: &ExportQuery) -> Vec<Check> {
    let mut facts = Vec::new();
    if query.fields.is_empty() {
        facts.push(Check::fine("no fields are chosen: all are sent"));
    }
    if query.attributed {
        let [only, _] = Parameter::of(Param::Attributed).lets_through;
        facts.push(Check::fine(only));
    }
    if query.feed != Feed::Dch {
        let most = words::number(query.limit.unwrap_or(LIMIT));
        let words = format!("at most {most} records: the busiest addresses are kept");
        facts.push(Check::said(Tone::Info, words));
    }
    facts
}

/// Why a parameter does nothing with this feed, in the words of the rule that would refuse it.
pub(super) fn why_not(feed: Feed, param: Param) -> Option<String> {
    let mut probe = ExportQuery::all_of(feed);
    // A date does nothing without diff.
    probe.diff = param == Param::DiffDate;
    let set = match param.default_value() {
        Value::Output(_) | Value::Fields(_) => return None,
        Value::Truth(_) => Value::Truth(true),
        Value::Number(_) => Value::Number(Some(1)),
        Value::Tags(_) => Value::Tags("PROBE".parse().into_iter().collect()),
        Value::Countries(_) => Value::Countries(vec!["NL".to_owned()]),
        Value::Day(_) => Value::Day(Day::new(2026, 1, 1)),
    };
    probe.set(param, set);
    let conflicts = probe.conflicts().into_iter();
    conflicts
        .filter(|conflict| conflict.severity == Severity::Refused)
        .find(|conflict| conflict.at == param)
        .map(|conflict| conflict.to_string())
}
