//! The checks of a draft: what prevents sending it, what is worth knowing, what is fine.

use super::{
    draft::{Draft, DraftField, Remedy},
    vocabulary::{KnownNames, NameCheck},
};
use crate::{
    contract::{Conflict, ExportQuery, Feed, Param, ParamValue, Severity, export::LIMIT},
    model::Day,
    report::{PARAMETERS, counted},
    tui::ui::{Tone, words},
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
    /// These words, at no field.
    pub(super) fn said(tone: Tone, words: impl Into<String>) -> Self {
        Self {
            tone,
            at: None,
            words: words.into(),
            remedy: None,
        }
    }

    fn at(self, param: Param, remedy: Option<Remedy>) -> Self {
        let at = Some(DraftField::Of(param));
        Self { at, remedy, ..self }
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
        let tone = match conflict.severity {
            Severity::Refused => Tone::Error,
            Severity::Noted => Tone::Info,
        };
        let check = Self::said(tone, conflict.to_string());
        check.at(conflict.at, conflict.fix.map(Remedy::Fix))
    }
}

/// Everything to be said of a draft, the worst first; `omitted` is what was wanted and is not in it. The rules are the contract's; only what a text must be is said here.
pub(super) fn of(draft: &Draft, vocabulary: &KnownNames, omitted: &[String]) -> Vec<DraftCheck> {
    let (query, unreadable) = draft.read();
    let is_refused = !unreadable.is_empty() || query.is_refused();
    let unreadable = unreadable.into_iter().map(|text| {
        let remedy = Remedy::Text(text.at, text.without);
        DraftCheck::said(Tone::Error, text.why).at(text.at, Some(remedy))
    });
    let conflicts = query.conflicts().into_iter().map(DraftCheck::from);
    let omitted = omitted.iter();
    let omitted = omitted.map(|text| DraftCheck::said(Tone::Warn, text));
    let mut checks: Vec<DraftCheck> = unreadable.chain(conflicts).chain(omitted).collect();
    if !is_refused {
        checks.push(DraftCheck::said(Tone::Ok, "feed, fields and filters agree"));
    }
    checks.extend(names(&query, vocabulary));
    checks.extend(facts(&query));
    checks.sort_by_key(|check| std::cmp::Reverse(check.tone >= Tone::Warn));
    checks
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
        let (mut known, mut unchecked) = (0, 0);
        for name in names {
            let (mut text, near) = match vocabulary.verdict(query.feed, words.param, &name) {
                NameCheck::Known => {
                    known += 1;
                    continue;
                }
                NameCheck::Unchecked => {
                    unchecked += 1;
                    continue;
                }
                NameCheck::Unknown(near) => (format!("there is no tag {name}"), near),
                NameCheck::Empty(near) => {
                    let is_among_some = near.is_none() && query.is_filtered();
                    let rest = if is_among_some {
                        " in local records that match the rest"
                    } else {
                        ""
                    };
                    (
                        format!("0 records with the {} {name}{rest}", words.noun),
                        near,
                    )
                }
            };
            if let Some(near) = &near {
                text += &format!(": did you mean {near}?");
            }
            let remedy = near.map(|near| Remedy::Name(words.param, name, near));
            checks.push(DraftCheck::said(Tone::Warn, text).at(words.param, remedy));
        }
        if known > 0 {
            let words = format!("{} known", counted(known, words.noun));
            checks.push(DraftCheck::said(Tone::Ok, words));
        }
        if unchecked > 0 {
            let counted = counted(unchecked, words.noun);
            let words = format!("{counted} not checked: no local feed has them");
            checks.push(DraftCheck::said(Tone::Info, words));
        }
    }
    checks
}

/// What the request asks for, in words.
fn facts(query: &ExportQuery) -> Vec<DraftCheck> {
    let mut facts = Vec::new();
    if query.fields.is_empty() {
        facts.push(DraftCheck::said(
            Tone::Ok,
            "no fields are chosen: all are sent",
        ));
    }
    if query.attributed {
        facts.push(DraftCheck::said(Tone::Ok, "attributed exits only"));
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
    let is_own =
        |conflict: &Conflict| conflict.severity == Severity::Refused && conflict.at == param;
    let conflict = probe.conflicts().into_iter().find(is_own);
    conflict.map(|conflict| conflict.to_string())
}
