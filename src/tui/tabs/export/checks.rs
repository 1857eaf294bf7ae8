//! The checks of a draft: what prevents sending it, what is worth knowing, what is fine.

use super::{
    draft::{Draft, DraftField, Remedy},
    vocabulary::{KnownNames, NameCheck},
};
use crate::{
    contract::{Conflict, ExportQuery, Feed, Param, ParamValue, Severity, export::LIMIT},
    model::Day,
    report::{PARAMETERS, Parameter},
    tui::ui::{theme::Tone, words},
};

/// One thing to be said of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DraftCheck {
    /// An error keeps the request from being sent; the others do not.
    pub(super) tone: Tone,
    /// The field at which it is said.
    pub(super) at: Option<DraftField>,
    pub(super) words: String,
    /// What makes it pass.
    pub(super) remedy: Option<Remedy>,
}

impl DraftCheck {
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

impl From<Conflict> for DraftCheck {
    fn from(conflict: Conflict) -> Self {
        Self {
            tone: match conflict.severity {
                Severity::Refused => Tone::Error,
                Severity::Noted => Tone::Info,
            },
            at: Some(DraftField::Of(conflict.at)),
            words: conflict.to_string(),
            remedy: conflict.fix.map(Remedy::Fix),
        }
    }
}

/// Everything to be said of a draft, the worst first; `omitted` is what was wanted and is not in it. The rules are the contract's; only what a text must be is said here.
pub(super) fn of(draft: &Draft, vocabulary: &KnownNames, omitted: &[String]) -> Vec<DraftCheck> {
    let (query, unreadable) = draft.read();
    let mut checks: Vec<DraftCheck> = unreadable
        .into_iter()
        .map(|text| DraftCheck {
            tone: Tone::Error,
            at: Some(DraftField::Of(text.at)),
            words: text.why,
            remedy: Some(Remedy::Text(text.at, text.without)),
        })
        .collect();
    checks.extend(query.conflicts().into_iter().map(DraftCheck::from));
    checks.extend(
        omitted
            .iter()
            .map(|text| DraftCheck::said(Tone::Warn, text)),
    );
    if !is_refused(&checks) {
        checks.push(DraftCheck::fine("feed, fields and filters agree"));
    }
    checks.extend(names(&query, vocabulary));
    checks.extend(facts(&query));
    checks.sort_by_key(|check| std::cmp::Reverse(check.tone >= Tone::Warn));
    checks
}

/// Whether something keeps the request from being sent.
pub(super) fn is_refused(checks: &[DraftCheck]) -> bool {
    checks.iter().any(|check| check.tone == Tone::Error)
}

/// Whether the names that are asked for are known, a line for each parameter and one for each name that is not.
fn names(query: &ExportQuery, vocabulary: &KnownNames) -> Vec<DraftCheck> {
    let mut checks = Vec::new();
    for words in &PARAMETERS {
        let names: Vec<String> = match query.value(words.param) {
            ParamValue::Tags(tags) => tags.iter().map(ToString::to_string).collect(),
            ParamValue::Countries(codes) => codes,
            _ => continue,
        };
        let [one, several] = words.lets_through;
        let (mut known, mut unchecked) = (0, 0);
        for name in &names {
            let verdict = vocabulary.verdict(query.feed, words.param, name);
            match &verdict {
                NameCheck::Known => known += 1,
                NameCheck::Unchecked => unchecked += 1,
                NameCheck::Empty(near) | NameCheck::Unknown(near) => {
                    let unknown = matches!(verdict, NameCheck::Unknown(_));
                    checks.push(odd(query, words, name, unknown, near.as_ref()));
                }
            }
        }
        let counted = |count: usize| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {several}"),
        };
        if known > 0 {
            checks.push(DraftCheck::fine(format!("{} known", counted(known))));
        }
        if unchecked > 0 {
            let words = format!("{} not checked: no local feed has them", counted(unchecked));
            checks.push(DraftCheck::said(Tone::Info, words));
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
) -> DraftCheck {
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
    DraftCheck {
        tone: Tone::Warn,
        at: Some(DraftField::Of(words.param)),
        words: text,
        remedy: near.map(remedy),
    }
}

/// What the request asks for, in words.
fn facts(query: &ExportQuery) -> Vec<DraftCheck> {
    let mut facts = Vec::new();
    if query.fields.is_empty() {
        facts.push(DraftCheck::fine("no fields are chosen: all are sent"));
    }
    if query.attributed {
        let [only, _] = Parameter::of(Param::Attributed).lets_through;
        facts.push(DraftCheck::fine(only));
    }
    if query.feed != Feed::Dch {
        let most = words::number(query.limit.unwrap_or(LIMIT));
        let words = format!("at most {most} records: the busiest addresses are kept");
        facts.push(DraftCheck::said(Tone::Info, words));
    }
    facts
}

/// Why a parameter does nothing with this feed, in the words of the rule that would refuse it.
pub(super) fn why_not(feed: Feed, param: Param) -> Option<String> {
    let mut probe = ExportQuery::all_of(feed);
    // A date does nothing without diff.
    probe.diff = param == Param::DiffDate;
    let set = match param.default_value() {
        ParamValue::Output(_) | ParamValue::Fields(_) => return None,
        ParamValue::Truth(_) => ParamValue::Truth(true),
        ParamValue::Number(_) => ParamValue::Number(Some(1)),
        ParamValue::Tags(_) => ParamValue::Tags("PROBE".parse().into_iter().collect()),
        ParamValue::Countries(_) => ParamValue::Countries(vec!["NL".to_owned()]),
        ParamValue::Day(_) => ParamValue::Day(Day::new(2026, 1, 1)),
    };
    probe.set(param, set);
    let conflicts = probe.conflicts().into_iter();
    conflicts
        .filter(|conflict| conflict.severity == Severity::Refused)
        .find(|conflict| conflict.at == param)
        .map(|conflict| conflict.to_string())
}
