//! The form that edits the guards, over the tab.

use ratatui::{
    Frame,
    layout::{Rect, Size},
};

use crate::{
    engine::config::GuardSettings,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            asked::Asked,
            intent::{Gesture, Scope},
            request::Question,
            surface::{Flow, Surface},
            tab::TabReply,
        },
        ui::{
            theme::{Focus, Tone},
            widgets::{
                form::{Control, FieldNote, Form},
                popup::Popup,
                text_field::TextField,
            },
        },
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardField {
    WarnBelow,
    StopBelow,
    ConfirmOver,
}

const ITEMS: [GuardField; 3] = [
    GuardField::WarnBelow,
    GuardField::StopBelow,
    GuardField::ConfirmOver,
];

/// The form while it is open.
#[derive(Debug)]
pub(super) struct GuardsForm {
    form: Form<GuardField>,
    /// What is being written.
    saved: Asked<Question, GuardSettings>,
}

impl GuardsForm {
    pub(super) fn of(guards: &GuardSettings) -> Self {
        let field = |value: u64| {
            let mut field = TextField::new("0");
            field.set(&value.to_string());
            field
        };
        let form = Form::new()
            .field(
                GuardField::WarnBelow,
                "warn below",
                field(guards.warn_below),
            )
            .field(
                GuardField::StopBelow,
                "stop below",
                field(guards.stop_below),
            )
            .field(
                GuardField::ConfirmOver,
                "confirm over",
                field(guards.confirm_over),
            );
        Self {
            form,
            saved: Asked::default(),
        }
    }

    /// The guards that are typed; a field that holds no number says so, and has the focus.
    fn read(&mut self) -> Option<GuardSettings> {
        let mut numbers = [0; ITEMS.len()];
        let mut is_read = true;
        for (item, number) in ITEMS.into_iter().zip(&mut numbers).rev() {
            let digits: String = self
                .form
                .text(item)
                .chars()
                .filter(char::is_ascii_digit)
                .collect();
            let odd = |letter: char| !letter.is_ascii_digit() && !matches!(letter, ',' | '_' | ' ');
            let has_odd = self.form.text(item).contains(odd);
            match digits.parse() {
                Ok(value) if !has_odd => {
                    *number = value;
                    self.form.remark(item, None);
                }
                _ => {
                    is_read = false;
                    let why = "a number of queries, 0 or more".to_owned();
                    self.form
                        .remark(item, Some(FieldNote::new(Tone::Error, why)));
                    self.form.focus_on(item);
                }
            }
        }
        let [warn_below, stop_below, confirm_over] = numbers;
        is_read.then_some(GuardSettings {
            warn_below,
            stop_below,
            confirm_over,
        })
    }
}

impl Surface for GuardsForm {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let item = self.form.focus()?;
        match self.form.control_mut(item)? {
            Control::Text(field) => Some(field),
            _ => None,
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Open if self.saved.is_pending() => {}
            Gesture::Open => {
                if let Some(guards) = self.read() {
                    self.saved.ask(Question::ChangeGuards(guards), ctx);
                }
            }
            Gesture::NextPane => self.form.next(),
            Gesture::PreviousPane => self.form.previous(),
            Gesture::Go(motion) => drop(self.form.step(motion)),
            Gesture::Escape => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let failure = reply.failure();
        if let Some(other) = self.saved.settle(reply) {
            return Some(other);
        }
        if let Some(message) = failure {
            ctx.out.say(Tone::Error, format!("guards: {message}"));
            return None;
        }
        let text = if ctx.facts.invented {
            "guards set for this run: the demo keeps none".to_owned()
        } else {
            format!("guards kept in {}", ctx.facts.config_file.display())
        };
        ctx.out.say(Tone::Ok, text);
        None
    }

    fn is_over(&self) -> bool {
        self.saved.value().is_some() && self.saved.error().is_none()
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let remarks = 3;
        let inner = Popup::new("Guards", Size::new(56, 3 + remarks))
            .key(theme, "enter", "save", 0)
            .key(theme, "tab", "next field", 1)
            .key(theme, "esc", "leave", 0)
            .draw(frame, area, ctx);
        self.form.draw(frame, inner, ctx, Focus::Here);
    }
}
