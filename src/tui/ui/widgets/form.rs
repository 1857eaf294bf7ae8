//! A form: fields below each other, each with its name at the left and, where there is one, a remark below.
//!
//! Nothing that can be chosen is blocked. A field that has no effect now says why, and keeps its value.

use std::{cell::RefCell, mem};

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::text_field::TextField;
use crate::tui::ui::{Focus, Motion, Pen, Theme, Tone, areas, cells};

/// Cells that a name takes besides itself: the mark before it and the gap after it.
const AROUND_LABEL: u16 = 4;

/// What a field holds.
#[derive(Clone, Debug)]
pub enum Control {
    Text(TextField),
    /// One of several. There is always one.
    Choice {
        options: Vec<String>,
        chosen: usize,
    },
    Toggle(bool),
    /// Any of several.
    Set {
        /// What can be switched.
        switches: Vec<Switch>,
        /// The one that Space switches.
        at: usize,
    },
}

/// One option of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub label: String,
    pub on: bool,
}

/// The parts of a line, with what a click on each finds.
type Parts<'f> = Vec<(Option<FormSpot>, Line<'f>)>;

impl Control {
    /// One of these options, the first of them chosen.
    pub fn choice<S: Into<String>>(options: impl IntoIterator<Item = S>) -> Self {
        Self::Choice {
            options: options.into_iter().map(Into::into).collect(),
            chosen: 0,
        }
    }

    /// The value as text: the chosen option; `true` where a toggle is on; the switches that are on, separated by commas.
    fn value(&self) -> String {
        match self {
            Self::Text(field) => field.value().to_owned(),
            Self::Choice { options, chosen } => options.get(*chosen).cloned().unwrap_or_default(),
            Self::Toggle(on) => if *on { "true" } else { "" }.to_owned(),
            Self::Set { switches, .. } => {
                let on = switches.iter().filter(|switch| switch.on);
                let on: Vec<&str> = on.map(|switch| switch.label.as_str()).collect();
                on.join(", ")
            }
        }
    }

    /// Takes a value as [`Control::value`] spells it.
    fn set(&mut self, value: &str) {
        match self {
            // The cursor stays where it is in the same text.
            Self::Text(field) if field.value() == value => {}
            Self::Text(field) => field.set(value),
            Self::Choice { options, chosen } => {
                let at = options.iter().position(|option| option == value);
                *chosen = at.unwrap_or_default();
            }
            Self::Toggle(on) => *on = !value.is_empty(),
            Self::Set { switches, .. } => {
                for switch in switches {
                    switch.on = value.split(',').any(|text| text.trim() == switch.label);
                }
            }
        }
    }

    /// Goes to another option or switch, by the number of the present one; returns whether the value changed.
    fn go(&mut self, to: impl Fn(usize) -> usize) -> bool {
        match self {
            Self::Choice { options, chosen } => {
                let next = to(*chosen).min(options.len().saturating_sub(1));
                mem::replace(chosen, next) != next
            }
            Self::Set { switches, at } => {
                *at = to(*at).min(switches.len().saturating_sub(1));
                false
            }
            Self::Text(_) | Self::Toggle(_) => false,
        }
    }

    /// Switches what can be switched; of a choice, the next option follows the last one by the first.
    fn toggle(&mut self) -> bool {
        match self {
            Self::Toggle(on) => *on = !*on,
            Self::Set { switches, at } => match switches.get_mut(*at) {
                Some(switch) => switch.on = !switch.on,
                None => return false,
            },
            Self::Choice { options, .. } => {
                let len = options.len().max(1);
                return self.go(|at| (at + 1) % len);
            }
            Self::Text(_) => return false,
        }
        true
    }

    /// The lines of a control without text in so many cells. A choice has all options where they fit, else the chosen one, with
    /// arrows that say that there are others.
    fn lines(
        &self,
        field: usize,
        room: u16,
        text: Style,
        is_here: bool,
        theme: &Theme,
    ) -> Vec<Parts<'_>> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::Toggle(on) => {
                let style = if is_here { theme.accent } else { text };
                vec![vec![(None, Line::styled(mark(*on), style))]]
            }
            Self::Choice { options, chosen } => {
                let option = |(at, name): (usize, &'_ String)| {
                    let ([before, after], style) = if at == *chosen {
                        (["< ", " >"], text.patch(theme.accent))
                    } else {
                        (["  ", "  "], theme.dim)
                    };
                    let line = Line::from(vec![
                        Span::styled(before, theme.dim),
                        Span::styled(name.clone(), style),
                        Span::styled(after, theme.dim),
                    ]);
                    (Some(FormSpot::Part(field, at)), line)
                };
                let mut parts: Parts<'_> = options.iter().enumerate().map(option).collect();
                let width: usize = parts.iter().map(|(_, line)| line.width()).sum();
                if width > usize::from(room) {
                    parts = parts.into_iter().skip(*chosen).take(1).collect();
                }
                vec![parts]
            }
            Self::Set { switches, at: here } => {
                let widths = switches.iter().map(|switch| cells::width(&switch.label));
                let width = widths.max().unwrap_or_default().saturating_add(6);
                let part = |(at, switch): (usize, &Switch)| {
                    let style = match switch.on {
                        _ if is_here && at == *here => theme.row(Focus::Here),
                        true => text,
                        false => theme.dim,
                    };
                    let label = format!("{} {}", mark(switch.on), switch.label);
                    let rest = usize::from(width.saturating_sub(cells::width(&label)));
                    let spans = vec![Span::styled(label, style), Span::raw(" ".repeat(rest))];
                    (Some(FormSpot::Part(field, at)), Line::from(spans))
                };
                let parts: Parts<'_> = switches.iter().enumerate().map(part).collect();
                let per_line = usize::from(room / width).max(1);
                let mut lines: Vec<_> = parts.chunks(per_line).map(<[_]>::to_vec).collect();
                lines.resize(lines.len().max(1), Vec::new());
                lines
            }
        }
    }
}

fn mark(on: bool) -> &'static str {
    if on { "[x]" } else { "[ ]" }
}

/// A note on a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNote {
    pub tone: Tone,
    /// The note, in one line.
    pub text: String,
}

impl FieldNote {
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { tone, text }
    }
}

/// What is offered for what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What would be typed.
    pub text: String,
    /// A word more about it.
    pub detail: String,
    /// Whether it is the one that Enter takes.
    pub is_chosen: bool,
}

impl Suggestion {
    fn line(&self, room: u16, theme: &Theme) -> Line<'_> {
        // Details are one below the other, where texts are not too long for that.
        const COLUMN: u16 = 22;
        let (mark, style) = if self.is_chosen {
            ("> ", theme.accent)
        } else {
            ("  ", theme.text)
        };
        let room_of_text = room.saturating_sub(cells::width(&self.detail) + 4);
        let text = cells::cut(&self.text, room_of_text);
        let gap = COLUMN.min(room_of_text).saturating_sub(cells::width(&text)) + 2;
        Line::from(vec![
            Span::styled(mark, style),
            Span::styled(text, style),
            Span::raw(" ".repeat(gap.into())),
            Span::styled(self.detail.as_str(), theme.dim),
        ])
    }
}

/// One field. `I` tells the fields of a form apart.
#[derive(Clone, Debug)]
struct FormField<I> {
    id: I,
    label: String,
    control: Control,
    remark: Option<FieldNote>,
    suggestions: Vec<Suggestion>,
    off: Option<String>,
}

impl<I> FormField<I> {
    /// What is below the field: why it has no effect, else what is said about it.
    fn remark_lines(&self, room: u16, theme: &Theme) -> Vec<Line<'_>> {
        let note = self.remark.as_ref();
        let own = note.map(|note| (note.tone, note.text.as_str()));
        let off = self.off.as_deref().map(|reason| (Tone::Info, reason));
        off.or(own).map_or_else(Vec::new, |(tone, text)| {
            let sign = Line::styled(format!("{:<2}", tone.sign()), theme.tone(tone));
            cells::hang(sign, Line::styled(text, theme.dim), room)
        })
    }
}

/// What a click finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormSpot {
    Field(usize),
    /// An option or a switch of a field.
    Part(usize, usize),
    /// A suggestion below a field.
    Offer(usize, usize),
}

/// A line of a form.
struct FormLine<'f> {
    field: usize,
    /// Whether it has the name of the field.
    is_first: bool,
    parts: Parts<'f>,
}

/// A form as it was drawn last: what can be clicked, the first line in view, and the furthest one that could be.
#[derive(Clone, Debug, Default)]
struct Drawn {
    spots: Vec<FormSpot>,
    first: usize,
    last: usize,
}

/// Fields, and the one that keys go to.
#[derive(Clone, Debug)]
pub struct Form<I> {
    fields: Vec<FormField<I>>,
    focus: usize,
    /// The first line in view, where the wheel has moved it; else the field with the focus is in view.
    first: Option<usize>,
    drawn: RefCell<Drawn>,
}

impl<I> Default for Form<I> {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            focus: 0,
            first: None,
            drawn: RefCell::default(),
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
    pub fn field(mut self, id: I, label: impl Into<String>, control: Control) -> Self {
        self.fields.push(FormField {
            id,
            label: label.into(),
            control,
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
    pub fn scroll(&mut self, motion: Motion) {
        let drawn = self.drawn.get_mut();
        // The wheel may turn several times before the next drawing.
        let first = self.first.unwrap_or(drawn.first).min(drawn.last);
        self.first = match motion {
            Motion::Up => Some(first.saturating_sub(1)),
            Motion::Down => Some((first + 1).min(drawn.last)),
            _ => return,
        };
    }

    /// Brings the field with the focus into view again.
    pub fn follow_focus(&mut self) {
        self.first = None;
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
        matches!(self.control(), Some(Control::Text(_)))
    }

    /// Moves; returns whether a value changed. A click chooses an option, or goes to a switch. Up and down go from field to field, left
    /// and right within one.
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
            Motion::To(spot) => match self.spot(spot) {
                Some(FormSpot::Field(field) | FormSpot::Offer(field, _)) => self.focus = field,
                Some(FormSpot::Part(field, part)) => {
                    self.focus = field;
                    return self.change(|control| control.go(|_| part));
                }
                None => {}
            },
            Motion::Left => return self.change(|control| control.go(|at| at.saturating_sub(1))),
            Motion::Right => return self.change(|control| control.go(|at| at + 1)),
        }
        false
    }

    /// The suggestion that a click found, by its number, where the click was on one of the field that keys go to.
    #[must_use]
    pub fn offered(&self, spot: usize) -> Option<usize> {
        match self.spot(spot)? {
            FormSpot::Offer(field, at) => (field == self.focus).then_some(at),
            FormSpot::Field(_) | FormSpot::Part(..) => None,
        }
    }

    fn spot(&self, number: usize) -> Option<FormSpot> {
        self.drawn.borrow().spots.get(number).copied()
    }

    /// Switches what Space switches: a toggle, or one of a set; returns whether a value changed.
    pub fn toggle(&mut self) -> bool {
        self.change(Control::toggle)
    }

    fn change(&mut self, change: impl FnOnce(&mut Control) -> bool) -> bool {
        let field = self.fields.get_mut(self.focus);
        field.is_some_and(|field| change(&mut field.control))
    }

    /// What the field holds that keys go to.
    #[must_use]
    pub fn control(&self) -> Option<&Control> {
        self.fields.get(self.focus).map(|field| &field.control)
    }

    /// The field that keys go to, if text is typed into it.
    pub fn text_field(&mut self) -> Option<&mut TextField> {
        match &mut self.fields.get_mut(self.focus)?.control {
            Control::Text(field) => Some(field),
            _ => None,
        }
    }

    /// The value of a field as text: the chosen option; `true` where a toggle is on; the switches that are on, separated by commas.
    #[must_use]
    pub fn value(&self, id: I) -> String {
        let field = self.fields.iter().find(|field| field.id == id);
        field.map_or_else(String::new, |field| field.control.value())
    }

    /// Sets the value of a field, spelled like that.
    pub fn set(&mut self, id: I, value: &str) {
        if let Some(field) = self.find_mut(id) {
            field.control.set(value);
        }
    }

    /// Sets what a field of text shows while it is empty.
    pub fn explain_empty(&mut self, id: I, placeholder: String) {
        if let Some(Control::Text(field)) = self.find_mut(id).map(|field| &mut field.control)
            && field.is_empty()
        {
            *field = TextField::new(placeholder);
        }
    }

    /// Sets what can be switched in a set, all of it off; the switch that Space switches stays the same where it is still there.
    pub fn offer(&mut self, id: I, labels: impl Iterator<Item: Into<String>>) {
        let Some(Control::Set { switches, at }) = self.find_mut(id).map(|field| &mut field.control)
        else {
            return;
        };
        let here = switches.get(*at).map(|switch| switch.label.clone());
        let labels = labels.map(Into::into);
        *switches = labels.map(|label| Switch { label, on: false }).collect();
        let same = |switch: &Switch| Some(&switch.label) == here.as_ref();
        *at = switches.iter().position(same).unwrap_or_default();
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

    fn find_mut(&mut self, id: I) -> Option<&mut FormField<I>> {
        self.fields.iter_mut().find(|field| field.id == id)
    }

    /// The lines of a field: its control, then what is offered for it, then the remark.
    fn lines(&self, index: usize, room: u16, focus: Focus, theme: &Theme) -> Vec<FormLine<'_>> {
        let field = &self.fields[index];
        let is_here = index == self.focus && focus.is_here();
        let text = if field.off.is_some() {
            theme.dim
        } else {
            theme.text
        };
        let mut lines = field.control.lines(index, room, text, is_here, theme);
        if let Control::Text(_) = field.control {
            lines.push(Vec::new());
        }
        let offers = field.suggestions.iter().enumerate().map(|(at, offer)| {
            let spot = FormSpot::Offer(index, at);
            vec![(Some(spot), offer.line(room, theme))]
        });
        let remarks = field.remark_lines(room, theme).into_iter();
        let remarks = remarks.map(|line| vec![(None, line)]);
        let lines = lines.into_iter().chain(offers).chain(remarks).enumerate();
        let lines = lines.map(|(line, parts)| FormLine {
            field: index,
            is_first: line == 0,
            parts,
        });
        lines.collect()
    }

    /// The first line in view, such that all of the field with the focus is, or of a large one the line that is worked on.
    fn first_line(&self, lines: &[FormLine<'_>], height: usize) -> usize {
        let is_own = |line: &FormLine<'_>| line.field == self.focus;
        let Some(begin) = lines.iter().position(is_own) else {
            return 0;
        };
        let end = begin
            + lines[begin..]
                .iter()
                .take_while(|line| is_own(line))
                .count();
        // Where there is room, the next field is in view too: it shows that the form goes on.
        let below = (end + 1).min(lines.len());
        let whole = below.saturating_sub(height).min(begin);
        let here = match self.fields[self.focus].control {
            Control::Set { at, .. } => Some(FormSpot::Part(self.focus, at)),
            _ => None,
        };
        let has_here = |line: &FormLine<'_>| line.parts.iter().any(|(spot, _)| *spot == here);
        let active = lines[begin..end].iter().position(has_here);
        let active = begin + active.filter(|_| here.is_some()).unwrap_or_default() + 1;
        whole.max(active.saturating_sub(height))
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
        let widest = self.fields.iter().map(|field| cells::width(&field.label));
        let label = widest.max().unwrap_or_default().min(area.width / 3) + AROUND_LABEL;
        let room = area.width.saturating_sub(label);
        let all = 0..self.fields.len();
        let lines = all.flat_map(|index| self.lines(index, room, focus, pen.theme));
        let lines: Vec<FormLine<'_>> = lines.collect();
        let height = usize::from(area.height);
        let last = lines.len().saturating_sub(height);
        let first = self.first.map(|first| first.min(last));
        let first = first.unwrap_or_else(|| self.first_line(&lines, height));
        let mut spots = Vec::new();
        for (line, row) in lines.into_iter().skip(first).zip(area.rows()) {
            self.draw_line(frame, row, label, line, &mut spots, (pen, focus));
        }
        self.drawn.replace(Drawn { spots, first, last });
    }

    fn draw_line(
        &self,
        frame: &mut Frame<'_>,
        row: Rect,
        label: u16,
        line: FormLine<'_>,
        spots: &mut Vec<FormSpot>,
        (pen, focus): (Pen<'_>, Focus),
    ) {
        let (field, theme) = (&self.fields[line.field], pen.theme);
        let has_focus = line.field == self.focus;
        let is_here = has_focus && focus.is_here();
        let [name, value] = areas::split_at(row, label);
        let mut note = |place, spot, is_selected| {
            pen.row(place, spots.len(), is_selected);
            spots.push(spot);
        };
        // Where text is typed, one more click chooses nothing.
        let is_text = matches!(field.control, Control::Text(_));
        note(row, FormSpot::Field(line.field), is_here && !is_text);
        if line.is_first {
            let style = if is_here { theme.accent } else { theme.label };
            let mark = if has_focus { "> " } else { "  " };
            let text = cells::cut(&field.label, name.width.saturating_sub(AROUND_LABEL));
            let text = Line::from(vec![mark.into(), text.into()]).style(style);
            frame.render_widget(cells::cut_line(text, name.width), name);
            if theme.spoken && is_here {
                let mark = Style::new().add_modifier(Theme::MARK);
                frame.buffer_mut().set_style(row, mark);
            }
            if let Control::Text(text) = &field.control {
                return text.draw(frame, value, theme, Focus::when(is_here));
            }
        }
        let here = match field.control {
            Control::Set { at, .. } if is_here => Some(FormSpot::Part(line.field, at)),
            _ => None,
        };
        let mut x = value.x;
        let mut whole = Line::default();
        for (spot, part) in line.parts {
            let width = match spot {
                Some(FormSpot::Offer(..)) => value.width,
                _ => cells::line_width(&part),
            };
            if let Some(spot) = spot {
                let place = Rect { x, width, ..value }.intersection(value);
                note(place, spot, Some(spot) == here);
            }
            x = x.saturating_add(width);
            whole.extend(cells::spans(part, Style::new()));
        }
        frame.render_widget(cells::cut_line(whole, value.width), value);
    }
}

#[cfg(test)]
mod tests;
