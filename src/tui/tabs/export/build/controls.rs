//! From the controls of the form to what it says, and back: one draft, shown by many controls.

use super::Build;
use crate::{
    contract::{ExportField, Feed, Output, Param},
    tui::{
        tabs::export::{
            checks::{self, why_not},
            draft::{Draft, Item, TEXTS},
        },
        ui::widgets::{
            form::{Control, Remark, Switch},
            text_field::TextField,
        },
    },
};

impl Build {
    /// What the controls hold.
    pub(super) fn read(&self) -> Draft {
        let chosen = |item| self.form.chosen(item).unwrap_or_default();
        let text = |item| self.form.text(item).to_owned();
        let fields = self.form.on_in(Item::Fields);
        Draft {
            feed: Feed::EXPORTED[chosen(Item::Feed).min(Feed::EXPORTED.len() - 1)],
            output: Output::ALL[chosen(Item::Output).min(Output::ALL.len() - 1)],
            header: self.form.is_on(Item::Header),
            fields: fields
                .filter_map(|at| self.offered.get(at).copied())
                .collect(),
            tags: text(Item::Tags),
            callback_proxies: text(Item::CallbackProxies),
            ccs: text(Item::Ccs),
            attributed: self.form.is_on(Item::Attributed),
            limit: text(Item::Limit),
            diff: self.form.is_on(Item::Diff),
            diff_date: text(Item::DiffDate),
        }
    }

    /// Brings the controls in line with what the form says, and says what is to be said at each field.
    pub(super) fn show(&mut self) {
        let draft = self.draft().clone();
        self.choose(Item::Feed, position(&Feed::EXPORTED, &draft.feed));
        self.choose(Item::Output, position(&Output::ALL, &draft.output));
        for (item, on) in [
            (Item::Header, draft.header),
            (Item::Attributed, draft.attributed),
            (Item::Diff, draft.diff),
        ] {
            if let Some(Control::Toggle(own)) = self.form.control_mut(item) {
                *own = on;
            }
        }
        for item in TEXTS {
            if let Some(Control::Text(field)) = self.form.control_mut(item) {
                if draft.text(item).is_empty() {
                    *field = TextField::new(placeholder(draft.feed, item));
                } else if field.value() != draft.text(item) {
                    field.set(draft.text(item));
                }
            }
        }
        self.offer(&draft);
        self.checks = checks::of(&draft);
        self.remark(&draft);
    }

    fn choose(&mut self, item: Item, at: usize) {
        if let Some(Control::Choice(choice)) = self.form.control_mut(item) {
            *choice = choice.clone().choose(at);
        }
    }

    /// The fields of the feed, and those that are asked for though the feed has them not.
    fn offer(&mut self, draft: &Draft) {
        let offered: Vec<ExportField> = ExportField::ALL
            .into_iter()
            .filter(|field| field.is_of(draft.feed) || draft.fields.contains(field))
            .collect();
        let switch = |field: &ExportField| Switch {
            label: field.name().to_owned(),
            on: draft.fields.contains(field),
        };
        if let Some(Control::Set { switches, at }) = self.form.control_mut(Item::Fields) {
            let here = self.offered.get(*at);
            *at = here
                .and_then(|here| offered.iter().position(|field| field == here))
                .unwrap_or_default();
            *switches = offered.iter().map(switch).collect();
        }
        self.offered = offered;
    }

    fn remark(&mut self, draft: &Draft) {
        for item in ITEMS {
            let mut said = self.at(item);
            let remark = said.next().map(|first| {
                let more = match said.count() {
                    0 => String::new(),
                    count => format!(" (+{count})"),
                };
                Remark::new(first.tone, first.with_remedy() + &more)
            });
            self.form.remark(item, remark);
        }
        for (item, param, on) in [
            (Item::Attributed, Param::Attributed, draft.attributed),
            (Item::Diff, Param::Diff, draft.diff),
        ] {
            let why = why_not(draft.feed, param).filter(|_| !on);
            self.form.off(item, why);
        }
    }
}

const ITEMS: [Item; 11] = [
    Item::Feed,
    Item::Output,
    Item::Header,
    Item::Fields,
    Item::Tags,
    Item::CallbackProxies,
    Item::Ccs,
    Item::Attributed,
    Item::Limit,
    Item::Diff,
    Item::DiffDate,
];

fn position<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|own| own == one).unwrap_or_default()
}

/// What stands in an empty field: what happens without it, or why it does nothing with this feed.
fn placeholder(feed: Feed, item: Item) -> String {
    let (param, usual) = match item {
        Item::Tags => (Param::Tags, "all, or ACME_VPN, BRAVO_PROXY"),
        Item::CallbackProxies => (Param::CallbackProxies, "all, or WIDGET_PROXY"),
        Item::Ccs => (Param::Ccs, "all, or NL, DE"),
        Item::Limit => (Param::Limit, "2,000,000, which is the most"),
        _ => (Param::DiffDate, "the latest, or YYYY-MM-DD"),
    };
    why_not(feed, param).unwrap_or_else(|| usual.to_owned())
}
