//! The form: all parameters of an export (contract, part 4.3), checked with each key.

mod controls;

use ratatui::{Frame, layout::Rect};

use super::{
    checks::DraftCheck,
    completion::{self, Completion},
    draft::{Draft, DraftField},
    history::History,
    vocabulary::{KnownNames, keyword_of},
};
use crate::{
    contract::{ExportQuery, Feed, Output, Param, ParamValue},
    model::Keyword,
    report::PARAMETERS,
    tui::{
        ctx::OmittedConditions,
        ui::{Control, Focus, Form, Motion, Pen, TextField, Tone},
    },
};

/// The form, with its checks and its history.
#[derive(Debug)]
pub(super) struct Build {
    form: Form<DraftField>,
    checks: Vec<DraftCheck>,
    history: History<Draft, DraftField>,
    /// Whether the field of text with the focus takes what is typed.
    typing: bool,
    vocabulary: KnownNames,
    /// A draft that was made elsewhere, and what of the wish it does not say.
    omitted: Option<(Draft, OmittedConditions)>,
    /// The names for what is being typed.
    completion: Option<Completion>,
}

impl Default for Build {
    fn default() -> Self {
        let feeds = Control::choice(Feed::EXPORTED.map(Feed::name));
        let form = Form::new().field(DraftField::Feed, "feed", feeds);
        let form = PARAMETERS.iter().fold(form, |form, words| {
            let control = match words.param.default_value() {
                ParamValue::Truth(_) => Control::Toggle(false),
                ParamValue::Output(_) => Control::choice(Output::ALL.map(Output::name)),
                ParamValue::Fields(_) => Control::Set {
                    switches: Vec::new(),
                    at: 0,
                },
                _ => Control::Text(TextField::default()),
            };
            form.field(DraftField::Of(words.param), words.label, control)
        });
        let mut build = Self {
            form,
            checks: Vec::new(),
            history: History::new(Draft::default()),
            typing: false,
            vocabulary: KnownNames::default(),
            omitted: None,
            completion: None,
        };
        build.show();
        build
    }
}

impl Build {
    /// The values in the form.
    pub(super) fn draft(&self) -> &Draft {
        self.history.now()
    }

    /// The request that the form makes; a text that does not parse is not in it.
    pub(super) fn query(&self) -> ExportQuery {
        self.draft().read().0
    }

    /// The findings of the last check of the form.
    pub(super) fn checks(&self) -> &[DraftCheck] {
        &self.checks
    }

    /// How many of the findings are of a kind.
    pub(super) fn count(&self, tone: Tone) -> usize {
        let checks = self.checks.iter();
        checks.filter(|check| check.tone == tone).count()
    }

    /// The first reason why it cannot be sent.
    pub(super) fn refusal(&self) -> Option<&DraftCheck> {
        self.checks.iter().find(|check| check.tone == Tone::Error)
    }

    pub(super) fn focus(&self) -> DraftField {
        self.form.focus().unwrap_or(DraftField::Feed)
    }

    pub(super) fn focus_on(&mut self, item: DraftField) {
        self.form.focus_on(item);
        self.arrived();
    }

    /// Goes to a field, or takes one of its options or a name that is offered, by the number that a click found.
    pub(super) fn go_to(&mut self, field: usize) {
        if let Some(at) = self.form.offered(field) {
            if let Some(completion) = &mut self.completion {
                completion.choose(at);
                self.take_name();
            }
            return;
        }
        let is_changed = self.form.step(Motion::To(field));
        self.arrived();
        if is_changed {
            self.edited(None);
        }
    }

    /// Goes to the next field; returns false when it wraps to the first one.
    pub(super) fn next(&mut self) -> bool {
        let last = self.focus() == DraftField::last();
        self.form.next();
        self.arrived();
        !last
    }

    /// Goes to the field before; returns whether there was one.
    pub(super) fn previous(&mut self) -> bool {
        let first = self.focus() == DraftField::Feed;
        self.form.previous();
        self.arrived();
        !first
    }

    fn arrived(&mut self) {
        self.history.rest();
        self.typing = self.form.is_typing();
        self.close_completion();
    }

    pub(super) fn learn(&mut self, learn: impl FnOnce(&mut KnownNames)) {
        learn(&mut self.vocabulary);
        let (before, now) = (self.completion.take(), self.complete());
        self.completion = match before {
            Some(before) => now.map(|now| now.at_choice_of(&before)),
            None => now,
        };
        self.show();
    }

    /// The parameter that is being typed, and its text.
    fn typed_param(&self) -> Option<(Param, &str)> {
        let item = self.focus();
        let DraftField::Of(param) = item else {
            return None;
        };
        self.typing.then(|| (param, self.draft().text(item)))
    }

    /// The names for what is being typed.
    fn complete(&self) -> Option<Completion> {
        let (param, text) = self.typed_param()?;
        keyword_of(param)?;
        Completion::of(&self.vocabulary, self.draft().feed(), param, text)
    }

    /// What is typed of a value of a field that has more values than are known.
    pub(super) fn sought(&self) -> Option<(Keyword, String)> {
        let (param, text) = self.typed_param()?;
        completion::sought(&self.vocabulary, self.draft().feed(), param, text)
    }

    fn close_completion(&mut self) {
        if self.completion.take().is_some() {
            self.show();
        }
    }

    /// Moves among the names that are offered; returns whether there was one in that direction.
    pub(super) fn choose_name(&mut self, motion: Motion) -> bool {
        let completion = self.completion.as_mut();
        let moved = completion.is_some_and(|completion| completion.step(motion));
        if moved {
            self.show();
        }
        moved
    }

    /// Puts the chosen name in; returns whether one was offered.
    fn take_name(&mut self) -> bool {
        let Some(completion) = self.completion.take() else {
            return false;
        };
        let item = DraftField::Of(completion.param);
        if let Some(text) = completion.take(self.draft().text(item)) {
            self.form.set(item, &text);
        }
        self.edited(Some(item));
        true
    }

    /// The field that takes what is typed.
    pub(super) fn field(&mut self) -> Option<&mut TextField> {
        self.form.text_field().filter(|_| self.typing)
    }

    /// Whether letters are typed into a field.
    pub(super) fn is_typing(&self) -> bool {
        self.typing
    }

    /// Begins typing into the field with the focus; returns whether it takes text.
    pub(super) fn begin_typing(&mut self) -> bool {
        self.typing = self.form.is_typing();
        self.typing
    }

    /// Stops typing: letters are commands again.
    pub(super) fn stop_typing(&mut self) {
        self.typing = false;
        self.history.rest();
        self.close_completion();
    }

    /// Moves what is in view, as the wheel does; keys go where they went.
    pub(super) fn scroll(&mut self, motion: Motion) {
        self.form.scroll(motion);
    }

    /// A text has changed.
    pub(super) fn typed(&mut self) {
        self.form.follow_focus();
        self.edited(Some(self.focus()));
        self.completion = self.complete();
        self.show();
    }

    /// Moves within the field.
    pub(super) fn step(&mut self, motion: Motion) {
        if self.form.step(motion) {
            self.edited(None);
        }
    }

    /// Whether the field with the focus can be switched, or has choices to step through. Where text is typed, Space begins that.
    pub(super) fn can(&self, toggle: bool) -> bool {
        match self.form.control() {
            Some(Control::Choice { .. } | Control::Set { .. }) => true,
            Some(Control::Toggle(_)) => toggle,
            Some(Control::Text(_)) | None => false,
        }
    }

    /// Switches the field.
    pub(super) fn toggle(&mut self) {
        if self.form.toggle() {
            self.edited(None);
        }
    }

    /// Does what Enter does: puts the name in that is offered for what is typed, else takes the fix that the field offers, else switches it, else goes to the next one.
    pub(super) fn enter(&mut self) {
        if self.take_name() {
            return;
        }
        let offered = self.at(self.focus());
        let offered = { offered }.find_map(|check| check.remedy.clone());
        match offered {
            Some(remedy) => {
                let mut draft = self.draft().clone();
                draft.take(&remedy);
                self.set(draft);
            }
            None if self.typing => drop(self.next()),
            None if self.begin_typing() => {}
            None => self.toggle(),
        }
    }

    /// Whether Enter takes a fix at the field with the focus.
    pub(super) fn offers_fix(&self) -> bool {
        let mut checks = self.at(self.focus());
        checks.any(|check| check.remedy.is_some())
    }

    /// Puts other values into the form, as one step.
    pub(super) fn set(&mut self, draft: Draft) {
        self.history.rest();
        self.history.record(draft, None);
        self.show();
    }

    /// Fills in the form. Conditions that it cannot express are listed among the checks until a value changes.
    pub(super) fn seed(&mut self, draft: Draft, omitted: OmittedConditions) {
        self.omitted =
            Some((draft.clone(), omitted)).filter(|(_, conditions)| !conditions.words.is_empty());
        self.set(draft);
    }

    /// The conditions that the form cannot express, until a value changes.
    pub(super) fn omitted(&self) -> Option<&OmittedConditions> {
        let (draft, omitted) = self.omitted.as_ref()?;
        (draft == self.draft()).then_some(omitted)
    }

    /// Stops listing the conditions that the form cannot express.
    pub(super) fn forget_omitted(&mut self) {
        if self.omitted.take().is_some() {
            self.show();
        }
    }

    /// How many changes can be undone.
    pub(super) fn changes(&self) -> usize {
        self.history.changes()
    }

    /// Undoes the last change; returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let changed = self.history.undo().is_some();
        self.show();
        changed
    }

    /// Makes it again; returns whether there was one.
    pub(super) fn redo(&mut self) -> bool {
        let changed = self.history.redo().is_some();
        self.show();
        changed
    }

    /// What is said at a field.
    fn at(&self, item: DraftField) -> impl Iterator<Item = &DraftCheck> {
        self.checks
            .iter()
            .filter(move |check| check.at == Some(item))
    }

    fn edited(&mut self, run: Option<DraftField>) {
        let draft = self.read();
        self.history.record(draft, run);
        self.show();
    }

    /// Draws the fields in view.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect, pen: Pen<'_>, focus: Focus) {
        // Without typing there is no caret, so that one sees that letters are commands.
        let commands = self.form.is_typing() && !self.typing;
        let focus = if commands { Focus::Elsewhere } else { focus };
        self.form.draw(frame, area, pen, focus);
    }
}
