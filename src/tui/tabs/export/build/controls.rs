//! Converts the controls of the form to a draft and back.

use super::Build;
use crate::{
    contract::{ExportField, Feed, Output, Param, ParamValue},
    report::Parameter,
    tui::{
        tabs::export::{
            checks::{self, why_not},
            completion::Completion,
            draft::{Draft, DraftField},
        },
        ui::widgets::{
            form::{Control, FieldNote, Suggestion, Switch},
            text_field::TextField,
        },
    },
};

impl Build {
    pub(super) fn read(&self) -> Draft {
        let chosen = |item, most: usize| self.form.chosen(item).unwrap_or_default().min(most - 1);
        let mut draft = Draft::default();
        draft.set_feed(Feed::EXPORTED[chosen(DraftField::Feed, Feed::EXPORTED.len())]);
        for param in Param::ALL {
            let item = DraftField::Of(param);
            let value = match param.default_value() {
                ParamValue::Truth(_) => ParamValue::Truth(self.form.is_on(item)),
                ParamValue::Output(_) => {
                    ParamValue::Output(Output::ALL[chosen(item, Output::ALL.len())])
                }
                ParamValue::Fields(_) => {
                    let on = self.form.on_in(item);
                    ParamValue::Fields(on.filter_map(|at| self.offered.get(at).copied()).collect())
                }
                _ => {
                    draft.write(param, self.form.text(item).to_owned());
                    continue;
                }
            };
            draft.set(param, value);
        }
        draft
    }

    /// Updates the controls from the form, with the remarks at each field.
    pub(super) fn show(&mut self) {
        let draft = self.draft().clone();
        self.choose(DraftField::Feed, position(&Feed::EXPORTED, &draft.feed()));
        for param in Param::ALL {
            let item = DraftField::Of(param);
            match (draft.value(param), self.form.control_mut(item)) {
                (ParamValue::Truth(on), Some(Control::Toggle(own))) => *own = on,
                (ParamValue::Output(output), Some(Control::Choice { chosen, .. })) => {
                    *chosen = position(&Output::ALL, &output);
                }
                (_, Some(Control::Text(field))) => match draft.text(item) {
                    "" => *field = TextField::new(placeholder(draft.feed(), param)),
                    text if field.value() != text => field.set(text),
                    _ => {}
                },
                _ => {}
            }
        }
        self.offer(&draft);
        let omitted = self.omitted().map_or(&[][..], |own| own.words.as_slice());
        self.checks = checks::of(&draft, &self.vocabulary, omitted);
        self.remark(&draft);
    }

    fn choose(&mut self, item: DraftField, at: usize) {
        if let Some(Control::Choice { chosen, .. }) = self.form.control_mut(item) {
            *chosen = at;
        }
    }

    /// The fields of the feed, and those that are asked for though the feed has them not.
    fn offer(&mut self, draft: &Draft) {
        let ParamValue::Fields(asked) = draft.value(Param::Fields) else {
            return;
        };
        let offered: Vec<ExportField> = ExportField::ALL
            .into_iter()
            .filter(|field| field.is_of(draft.feed()) || asked.contains(field))
            .collect();
        let switch = |field: &ExportField| Switch {
            label: field.name().to_owned(),
            on: asked.contains(field),
        };
        if let Some(Control::Set { switches, at }) =
            self.form.control_mut(DraftField::Of(Param::Fields))
        {
            let here = self.offered.get(*at);
            *at = here
                .and_then(|here| offered.iter().position(|field| field == here))
                .unwrap_or_default();
            *switches = offered.iter().map(switch).collect();
        }
        self.offered = offered;
    }

    fn remark(&mut self, draft: &Draft) {
        for item in DraftField::all() {
            let mut said = self.at(item);
            let remark = said.next().map(|first| {
                let more = match said.count() {
                    0 => String::new(),
                    count => format!(" (+{count})"),
                };
                FieldNote::new(first.tone, first.with_remedy() + &more)
            });
            // What is still being typed is not judged while names for it are offered.
            let offered = self.offered_at(item);
            let remark = remark.filter(|_| offered.is_empty());
            self.form.remark(item, remark);
            self.form.suggest(item, offered);
        }
        for param in Param::ALL {
            let value = draft.value(param);
            if matches!(value, ParamValue::Truth(_)) {
                let is_off = value == ParamValue::Truth(false);
                let why = why_not(draft.feed(), param).filter(|_| is_off);
                self.form.off(DraftField::Of(param), why);
            }
        }
    }
}

impl Build {
    /// The names that are offered at a field.
    fn offered_at(&self, item: DraftField) -> Vec<Suggestion> {
        let here = |completion: &&Completion| DraftField::Of(completion.param) == item;
        let completion = self.completion.as_ref().filter(here);
        let noun = if self.draft().feed().is_ipv6() {
            "networks"
        } else {
            "IPs"
        };
        completion.map_or_else(Vec::new, |completion| completion.suggestions(noun))
    }
}

fn position<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|own| own == one).unwrap_or_default()
}

/// The placeholder of an empty field: the default, or why a value has no effect with this feed.
fn placeholder(feed: Feed, param: Param) -> String {
    match why_not(feed, param) {
        // The name of the field is beside it.
        Some(_) if param == Param::CallbackProxies => {
            "only for anonymous-residential feeds".to_owned()
        }
        Some(_) if feed == Feed::Dch => "not for dch".to_owned(),
        Some(why) => why,
        None => Parameter::of(param).usual.to_owned(),
    }
}
