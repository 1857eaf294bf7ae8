//! The form that edits the guards, over the tab.

use ratatui::{
    Frame,
    layout::{Rect, Size},
};

use crate::{
    engine::config::GuardSettings,
    tui::{
        ctx::{Asked, Flow, Gesture, Question, Scope, Surface, TabReply, UpdateCtx, ViewCtx},
        ui::{Control, FieldNote, Focus, Form, Popup, TextField, Tone},
    },
};

/// A field of the form: its name and its value.
type GuardField = (&'static str, fn(&mut GuardSettings) -> &mut u64);

/// The fields, by their numbers.
const FIELDS: [GuardField; 3] = [
    ("warn below", |guards| &mut guards.warn_below),
    ("stop below", |guards| &mut guards.stop_below),
    ("confirm over", |guards| &mut guards.confirm_over),
];

/// The form while it is open.
#[derive(Debug)]
pub(super) struct GuardsForm {
    form: Form<usize>,
    /// What is being written.
    saved: Asked<Question, GuardSettings>,
}

impl GuardsForm {
    pub(super) fn new(mut guards: GuardSettings) -> Self {
        let mut form = Form::new();
        for (at, (label, value)) in FIELDS.into_iter().enumerate() {
            let mut field = TextField::new("0");
            field.set(&value(&mut guards).to_string());
            form = form.field(at, label, Control::Text(field));
        }
        let saved = Asked::default();
        Self { form, saved }
    }

    /// The guards that are typed; a field that holds no number says so, and has the focus.
    fn read(&mut self) -> Option<GuardSettings> {
        let mut guards = GuardSettings::default();
        let mut is_read = true;
        for (at, (_, value)) in FIELDS.into_iter().enumerate().rev() {
            let digits = self.form.value(at).replace([',', '_', ' '], "");
            let is_number = digits.chars().all(|letter| letter.is_ascii_digit());
            let number = digits.parse().ok().filter(|_| is_number);
            let why = "a number of queries, 0 or more".to_owned();
            let remark = number.is_none().then(|| FieldNote::new(Tone::Error, why));
            self.form.remark(at, remark);
            if let Some(number) = number {
                *value(&mut guards) = number;
            } else {
                is_read = false;
                self.form.focus_on(at);
            }
        }
        is_read.then_some(guards)
    }
}

impl Surface for GuardsForm {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        self.form.text_field()
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
        match failure {
            Some(message) => ctx.out.say(Tone::Error, format!("guards: {message}")),
            None if ctx.facts.invented => {
                let text = "guards set for this run: the demo keeps none";
                ctx.out.say(Tone::Ok, text);
            }
            None => {
                let text = format!("guards kept in {}", ctx.facts.config_file.display());
                ctx.out.say(Tone::Ok, text);
            }
        }
        None
    }

    fn is_over(&self) -> bool {
        self.saved.value().is_some() && self.saved.error().is_none()
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        // A field may have a remark below it.
        let inner = Popup::new("Guards", Size::new(56, 6))
            .key(theme, "enter", "save", 0)
            .key(theme, "tab", "next field", 1)
            .key(theme, "esc", "leave", 0)
            .draw(frame, area, ctx);
        self.form.draw(frame, inner, ctx, Focus::Here);
    }
}
