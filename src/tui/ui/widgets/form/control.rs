//! The controls of a field: values, keys and drawing.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::tui::ui::{
    cells,
    cursor::Motion,
    theme::{Focus, Theme},
    widgets::text_field::TextField,
};

/// What a field holds.
#[derive(Clone, Debug)]
pub enum Control {
    Text(TextField),
    Choice(ChoiceControl),
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

/// One of several options. There is always one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceControl {
    options: Vec<String>,
    chosen: usize,
}

impl ChoiceControl {
    /// The options, the first of them chosen.
    pub fn new<S: Into<String>>(options: impl IntoIterator<Item = S>) -> Self {
        Self {
            options: options.into_iter().map(Into::into).collect(),
            chosen: 0,
        }
    }

    /// Chooses an option, the last one when there are fewer.
    #[must_use]
    pub fn choose(mut self, at: usize) -> Self {
        self.chosen = at.min(self.options.len().saturating_sub(1));
        self
    }

    /// The number of the chosen option.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen
    }
}

impl From<TextField> for Control {
    fn from(field: TextField) -> Self {
        Self::Text(field)
    }
}

impl From<ChoiceControl> for Control {
    fn from(choice: ChoiceControl) -> Self {
        Self::Choice(choice)
    }
}

impl From<bool> for Control {
    fn from(on: bool) -> Self {
        Self::Toggle(on)
    }
}

impl From<Vec<Switch>> for Control {
    fn from(switches: Vec<Switch>) -> Self {
        Self::Set { switches, at: 0 }
    }
}

/// How one line of a control is drawn.
pub(super) struct Drawing {
    pub(super) line: usize,
    /// How many switches of a set are in a line.
    pub(super) per_line: usize,
    /// Whether it has no effect now.
    pub(super) off: bool,
    /// The focus, where it has it.
    pub(super) focus: Option<Focus>,
}

impl Control {
    /// Moves within the control; returns whether its value changed.
    pub(super) fn step(&mut self, motion: Motion) -> bool {
        let next = |at: usize, len: usize| match motion {
            Motion::Left => at.saturating_sub(1),
            Motion::Right => (at + 1).min(len.saturating_sub(1)),
            _ => at,
        };
        match self {
            Self::Choice(choice) => {
                let before = choice.chosen;
                choice.chosen = next(before, choice.options.len());
                choice.chosen != before
            }
            Self::Set { switches, at } => {
                *at = next(*at, switches.len());
                false
            }
            Self::Text(_) | Self::Toggle(_) => false,
        }
    }

    /// Switches what can be switched; of a choice, the next option follows the last one by the first.
    pub(super) fn toggle(&mut self) -> bool {
        match self {
            Self::Toggle(on) => {
                *on = !*on;
                true
            }
            Self::Set { switches, at } => switches.get_mut(*at).is_some_and(|switch| {
                switch.on = !switch.on;
                true
            }),
            Self::Choice(choice) => {
                let before = choice.chosen;
                choice.chosen = (before + 1) % choice.options.len().max(1);
                choice.chosen != before
            }
            Self::Text(_) => false,
        }
    }

    /// Goes to a switch of a set, or takes an option, by its number; returns whether a value changed.
    pub(super) fn choose(&mut self, part: usize) -> bool {
        match self {
            Self::Choice(choice) => {
                let before = choice.chosen;
                choice.chosen = part.min(choice.options.len().saturating_sub(1));
                choice.chosen != before
            }
            Self::Set { switches, at } => {
                *at = part.min(switches.len().saturating_sub(1));
                false
            }
            Self::Text(_) | Self::Toggle(_) => false,
        }
    }

    /// The switches or options in one of its lines: the number of each, where it begins, and how wide it is.
    pub(super) fn parts(&self, room: u16, line: usize, per_line: usize) -> Vec<(usize, u16, u16)> {
        match self {
            Self::Choice(choice) => choice.parts(room),
            Self::Set { switches, .. } => {
                let first = line * per_line;
                let width = self.switch_width();
                let starts = (0..).map(|place: u16| place.saturating_mul(width));
                let numbers = first..(first + per_line).min(switches.len());
                numbers
                    .zip(starts)
                    .map(|(number, start)| (number, start, width.saturating_sub(2)))
                    .collect()
            }
            Self::Text(_) | Self::Toggle(_) => Vec::new(),
        }
    }

    /// How wide a switch of a set is, the gap after it included.
    pub(super) fn switch_width(&self) -> u16 {
        let Self::Set { switches, .. } = self else {
            return 0;
        };
        let labels = switches.iter().map(|switch| cells::width(&switch.label));
        labels.max().unwrap_or_default().saturating_add(6)
    }

    /// The switch that Space works on.
    pub(super) fn active(&self) -> usize {
        match self {
            Self::Set { at, .. } => *at,
            Self::Text(_) | Self::Choice(_) | Self::Toggle(_) => 0,
        }
    }

    /// How many switches it has.
    pub(super) fn switches(&self) -> usize {
        match self {
            Self::Set { switches, .. } => switches.len(),
            Self::Text(_) | Self::Choice(_) | Self::Toggle(_) => 0,
        }
    }

    pub(super) fn draw(&self, frame: &mut Frame<'_>, row: Rect, theme: &Theme, how: &Drawing) {
        let text = if how.off { theme.dim } else { theme.text };
        let here = how.focus.is_some_and(Focus::is_here);
        let line = match self {
            Self::Text(field) => {
                return field.draw(frame, row, theme, Focus::when(here));
            }
            Self::Toggle(on) => Line::styled(mark(*on), if here { theme.accent } else { text }),
            Self::Choice(choice) => choice.line(row.width, text, theme),
            Self::Set { switches, at } => {
                let first = how.line * how.per_line;
                let range = first..(first + how.per_line).min(switches.len());
                let chosen = here.then_some(*at);
                set_line(switches, range, self.switch_width(), chosen, (text, theme))
            }
        };
        frame.render_widget(cells::cut_line(line, row.width), row);
    }
}

impl ChoiceControl {
    /// All options where they fit, else the chosen one with arrows that say that there are others.
    fn line(&self, room: u16, text: Style, theme: &Theme) -> Line<'_> {
        let mut all = Line::default();
        for (at, name) in self.options.iter().enumerate() {
            all.spans.extend(self.option(at, name, text, theme));
        }
        if cells::line_width(&all) <= room {
            return all;
        }
        let chosen = self.options.get(self.chosen).map_or("", String::as_str);
        self.option(self.chosen, chosen, text, theme)
            .into_iter()
            .collect()
    }

    /// Where the options are, as [`ChoiceControl::line`] has them.
    fn parts(&self, room: u16) -> Vec<(usize, u16, u16)> {
        let mut end = 0_u16;
        let options = self.options.iter().enumerate();
        let parts: Vec<_> = options
            .map(|(at, name)| {
                let (start, width) = (end, cells::width(name).saturating_add(4));
                end = end.saturating_add(width);
                (at, start, width)
            })
            .collect();
        if end <= room {
            parts
        } else {
            vec![(self.chosen, 0, room)]
        }
    }

    /// An option between arrows when it is the chosen one, and between blanks otherwise.
    fn option<'a>(&self, at: usize, name: &'a str, text: Style, theme: &Theme) -> [Span<'a>; 3] {
        let ([before, after], style) = if at == self.chosen {
            (["< ", " >"], text.patch(theme.accent))
        } else {
            (["  ", "  "], theme.dim)
        };
        [
            Span::styled(before, theme.dim),
            Span::styled(name, style),
            Span::styled(after, theme.dim),
        ]
    }
}

fn set_line<'a>(
    switches: &'a [Switch],
    range: Range<usize>,
    width: u16,
    chosen: Option<usize>,
    (text, theme): (Style, &Theme),
) -> Line<'a> {
    let mut spans = Vec::new();
    for at in range {
        let Some(switch) = switches.get(at) else {
            continue;
        };
        let style = if chosen == Some(at) {
            theme.row(Focus::Here)
        } else if switch.on {
            text
        } else {
            theme.dim
        };
        let label = format!("{} {}", mark(switch.on), switch.label);
        let rest = usize::from(width.saturating_sub(cells::width(&label)));
        spans.push(Span::styled(label, style));
        spans.push(Span::raw(" ".repeat(rest)));
    }
    Line::from(spans)
}

fn mark(on: bool) -> &'static str {
    if on { "[x]" } else { "[ ]" }
}
