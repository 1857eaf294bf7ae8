//! A form: fields below each other, each with its name at the left and, where there is one, a remark below.
//!
//! Nothing that can be chosen is blocked. A field that has no effect now says why, and keeps its value.

mod control;
mod drawn;
mod field;
mod layout;

use ratatui::{Frame, layout::Rect};

use crate::tui::ui::{cursor::Motion, spots::Pen, theme::Focus};
pub use control::{ChoiceControl, Control, Switch};
use drawn::Drawn;
pub use field::{FieldNote, FormField, Suggestion};
use layout::{FieldLayout, FormLayout};

/// The number of the first switch or option of the first field, for clicks; those of each further field follow after as many.
const PARTS: usize = 1_000;
/// The number of the first suggestion among the parts of a field.
const OFFERED: usize = 500;

/// Fields, and the one that keys go to.
#[derive(Clone, Debug)]
pub struct Form<I> {
    fields: Vec<FormField<I>>,
    focus: usize,
    /// The first line in view, where the wheel has moved it; else the field with the focus is in view.
    first: Option<usize>,
}

impl<I> Default for Form<I> {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            focus: 0,
            first: None,
        }
    }
}

impl<I: Copy + PartialEq> Form<I> {
    /// A form without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field at the end.
    #[must_use]
    pub fn field(mut self, id: I, label: impl Into<String>, control: impl Into<Control>) -> Self {
        self.fields.push(FormField {
            id,
            label: label.into(),
            control: control.into(),
            remark: None,
            suggestions: Vec::new(),
            off: None,
        });
        self
    }

    /// The field that keys go to.
    #[must_use]
    pub fn focus(&self) -> Option<I> {
        self.fields.get(self.focus).map(|field| field.id)
    }

    /// Moves what is in view by one line, as the wheel does; the focus stays where it is.
    pub fn scroll(&mut self, motion: Motion, area: Rect) {
        let layout = FormLayout::of(&self.fields, area.width);
        let first = self.first_line(&layout, area.height);
        let next = match motion {
            Motion::Up => first.saturating_sub(1),
            Motion::Down => first.saturating_add(1),
            _ => return,
        };
        self.first = Some(next.min(layout.last_offset(area.height)));
    }

    /// Brings the field with the focus into view again.
    pub fn follow_focus(&mut self) {
        self.first = None;
    }

    fn first_line(&self, layout: &FormLayout, height: u16) -> usize {
        match self.first {
            Some(first) => first.min(layout.last_offset(height)),
            None => layout.offset(self.focus, height),
        }
    }

    /// Lets keys go to this field.
    pub fn focus_on(&mut self, id: I) {
        if let Some(at) = self.fields.iter().position(|field| field.id == id) {
            self.focus = at;
            self.first = None;
        }
    }

    /// Lets keys go to the next field, from the last one to the first: what Tab does.
    pub fn next(&mut self) {
        self.focus = (self.focus + 1) % self.fields.len().max(1);
        self.first = None;
    }

    /// Lets keys go to the previous field, from the first one to the last.
    pub fn previous(&mut self) {
        let len = self.fields.len().max(1);
        self.focus = (self.focus + len - 1) % len;
        self.first = None;
    }

    /// Whether letters are typed now, so that they mean nothing else.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        let field = self.fields.get(self.focus);
        field.is_some_and(|field| matches!(field.control, Control::Text(_)))
    }

    /// Moves; returns whether a value changed. A click chooses an option, or goes to a switch. Up and down go from field to field, left and right within one.
    pub fn step(&mut self, motion: Motion) -> bool {
        let last = self.fields.len().saturating_sub(1);
        // What is clicked is in view already.
        if !matches!(motion, Motion::To(_)) {
            self.first = None;
        }
        match motion {
            Motion::Up => self.focus = self.focus.saturating_sub(1),
            Motion::Down => self.focus = (self.focus + 1).min(last),
            Motion::First | Motion::PageUp | Motion::HalfUp => self.focus = 0,
            Motion::Last | Motion::PageDown | Motion::HalfDown => self.focus = last,
            Motion::To(place) => {
                let part = place.checked_sub(PARTS);
                self.focus = part.map_or(place, |part| part / PARTS).min(last);
                let part = part.map(|part| part % PARTS);
                let control = self.focused();
                return control
                    .zip(part)
                    .is_some_and(|(control, part)| control.choose(part));
            }
            Motion::Left | Motion::Right => {
                return self.focused().is_some_and(|control| control.step(motion));
            }
        }
        false
    }

    /// The suggestion that a click found, by its number, where the click was on one of the field that keys go to.
    #[must_use]
    pub fn offered(&self, place: usize) -> Option<usize> {
        let part = place.checked_sub(PARTS)?;
        let is_here = part / PARTS == self.focus;
        (part % PARTS).checked_sub(OFFERED).filter(|_| is_here)
    }

    /// Switches what Space switches: a toggle, or one of a set; returns whether a value changed.
    pub fn toggle(&mut self) -> bool {
        self.focused().is_some_and(Control::toggle)
    }

    /// What a field holds.
    #[must_use]
    pub fn control(&self, id: I) -> Option<&Control> {
        self.find(id).map(|field| &field.control)
    }

    /// What a field holds, to set it.
    pub fn control_mut(&mut self, id: I) -> Option<&mut Control> {
        self.find_mut(id).map(|field| &mut field.control)
    }

    /// The text of a field of text, or nothing.
    #[must_use]
    pub fn text(&self, id: I) -> &str {
        match self.control(id) {
            Some(Control::Text(field)) => field.value(),
            _ => "",
        }
    }

    /// The number of the chosen option.
    #[must_use]
    pub fn chosen(&self, id: I) -> Option<usize> {
        match self.control(id)? {
            Control::Choice(choice) => Some(choice.chosen()),
            _ => None,
        }
    }

    /// Whether a toggle is on.
    #[must_use]
    pub fn is_on(&self, id: I) -> bool {
        matches!(self.control(id), Some(Control::Toggle(true)))
    }

    /// The numbers of the options of a set that are on.
    pub fn on_in(&self, id: I) -> impl Iterator<Item = usize> + '_ {
        let switches = match self.control(id) {
            Some(Control::Set { switches, .. }) => switches.as_slice(),
            _ => &[],
        };
        let on = switches.iter().enumerate().filter(|(_, switch)| switch.on);
        on.map(|(at, _)| at)
    }

    /// Sets or clears what is said about a field.
    pub fn remark(&mut self, id: I, remark: Option<FieldNote>) {
        if let Some(field) = self.find_mut(id) {
            field.remark = remark;
        }
    }

    /// Sets what is offered below a field for what is typed.
    pub fn suggest(&mut self, id: I, suggestions: Vec<Suggestion>) {
        if let Some(field) = self.find_mut(id) {
            field.suggestions = suggestions;
        }
    }

    /// Says why a field has no effect now, or that it has one. Its value is kept, and shown dimmed.
    pub fn off(&mut self, id: I, reason: Option<String>) {
        if let Some(field) = self.find_mut(id) {
            field.off = reason;
        }
    }

    /// Draws the fields in view; the one with the focus always is, until the wheel moves it out.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pen: impl Into<Pen<'p>>,
        focus: Focus,
    ) {
        let pen = pen.into();
        let theme = pen.theme;
        let layout = FormLayout::of(&self.fields, area.width);
        let offset = self.first_line(&layout, area.height);
        for (field, field_layout) in self.fields.iter().zip(&layout.fields) {
            let here = field_layout.index == self.focus;
            let drawn = Drawn {
                field,
                layout: field_layout,
                theme,
                focus: here.then_some(focus),
            };
            for (line, y) in (field_layout.y..field_layout.end).enumerate() {
                let row = y.checked_sub(offset).and_then(|row| area.rows().nth(row));
                if let Some(row) = row {
                    drawn.line(frame, row, line);
                    // Where text is typed, one more click chooses nothing.
                    let is_text = matches!(field.control, Control::Text(_));
                    let is_here = here && focus.is_here();
                    pen.row(row, field_layout.index, is_here && !is_text);
                    if let Some(below) = line.checked_sub(field_layout.lines) {
                        if below < field.suggestions.len() {
                            pen.row(
                                row,
                                PARTS * (field_layout.index + 1) + OFFERED + below,
                                false,
                            );
                        }
                    } else {
                        note_parts(field, field_layout, row, line, is_here, pen);
                    }
                }
            }
        }
    }

    fn focused(&mut self) -> Option<&mut Control> {
        self.fields
            .get_mut(self.focus)
            .map(|field| &mut field.control)
    }

    fn find(&self, id: I) -> Option<&FormField<I>> {
        self.fields.iter().find(|field| field.id == id)
    }

    fn find_mut(&mut self, id: I) -> Option<&mut FormField<I>> {
        self.fields.iter_mut().find(|field| field.id == id)
    }
}

/// Notes the switches or options of a line: those of a set are switched where one is already.
fn note_parts<I>(
    field: &FormField<I>,
    field_layout: &FieldLayout,
    row: Rect,
    line: usize,
    is_here: bool,
    pen: Pen<'_>,
) {
    let label = field_layout.label.min(row.width);
    let parts = field
        .control
        .parts(row.width - label, line, field_layout.per_line);
    for (part, start, width) in parts {
        let x = row.x.saturating_add(label).saturating_add(start);
        let place = Rect { x, width, ..row }.intersection(row);
        let is_switch = matches!(&field.control, Control::Set { at, .. } if *at == part);
        pen.row(
            place,
            PARTS * (field_layout.index + 1) + part,
            is_here && is_switch,
        );
    }
}

#[cfg(test)]
mod tests;
