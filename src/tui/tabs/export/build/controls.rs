//! Converts the controls of the form to a draft and back.

use super::Build;
use crate::{
    contract::{ExportField, Feed, Param, ParamValue},
    report::Parameter,
    tui::{
        tabs::export::{
            checks::{self, why_not},
            completion::Completion,
            draft::{Draft, DraftField},
        },
        ui::{FieldNote, Suggestion},
    },
};

impl Build {
    pub(super) fn read(&self) -> Draft {
        Draft::of_fields(|item| self.form.value(item))
    }

    /// Updates the controls from the form, with the remarks at each field.
    pub(super) fn show(&mut self) {
        let draft = self.draft().clone();
        let (query, _) = draft.read();
        // The fields of the feed, and those that are asked for though the feed has them not.
        let fields = ExportField::ALL.into_iter();
        let fields = fields.filter(|field| field.is_of(query.feed) || query.asks_for(*field));
        let fields = fields.map(ExportField::name);
        self.form.offer(DraftField::Of(Param::Fields), fields);
        for item in DraftField::all() {
            self.form.set(item, draft.text(item));
            if let DraftField::Of(param) = item {
                self.form
                    .explain_empty(item, placeholder(query.feed, param));
            }
        }
        let omitted = self
            .omitted()
            .map_or(&[][..], |conditions| conditions.words.as_slice());
        self.checks = checks::of(&draft, &self.vocabulary, omitted);
        self.remark(&draft);
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
            if let DraftField::Of(param) = item
                && let ParamValue::Truth(_) = param.default_value()
            {
                let is_off = draft.text(item).is_empty();
                let why = why_not(draft.feed(), param).filter(|_| is_off);
                self.form.off(item, why);
            }
        }
    }

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
