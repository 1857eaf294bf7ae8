//! What is to be said of a draft: what keeps it from being sent, what is worth knowing, what is fine.

use super::draft::{Draft, Item, Remedy};
use crate::{
    contract::{Conflict, ExportQuery, Feed, Param, Severity, Value, export::LIMIT},
    model::Day,
    report::PARAMETERS,
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

    fn said(tone: Tone, words: impl Into<String>) -> Self {
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

/// Everything to be said of a draft, the worst first. The rules are the contract's; only what a text must be is said here.
pub(super) fn of(draft: &Draft) -> Vec<Check> {
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
    if !is_refused(&checks) {
        checks.push(Check::fine("feed, fields and filters agree"));
    }
    checks.extend(facts(&query));
    checks
}

/// Whether something keeps the request from being sent.
pub(super) fn is_refused(checks: &[Check]) -> bool {
    checks.iter().any(|check| check.tone == Tone::Error)
}

/// What the request asks for, in words.
fn facts(query: &ExportQuery) -> Vec<Check> {
    let mut facts = Vec::new();
    if query.fields.is_empty() {
        facts.push(Check::fine("no fields are chosen: all are sent"));
    }
    let filters = PARAMETERS.iter().filter_map(|words| {
        let [one, several] = words.lets_through;
        let count = match query.value(words.param) {
            Value::Tags(tags) => tags.len(),
            Value::Countries(codes) => codes.len(),
            Value::Truth(true) if !one.is_empty() => return Some(one.to_owned()),
            _ => 0,
        };
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {several}")),
        }
    });
    let filters: Vec<String> = filters.collect();
    if !filters.is_empty() {
        facts.push(Check::fine(filters.join(", ")));
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
