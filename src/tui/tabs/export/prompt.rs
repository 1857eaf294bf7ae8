//! The output file of an export: its name is typed, and an existing file is replaced only after a confirmation.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::Line,
};

use crate::{
    contract::ExportQuery,
    engine::ExportRun,
    model::visible,
    tui::{
        ctx::{FileCheck, Flow, Gesture, Question, Scope, Surface, TabReply, UpdateCtx, ViewCtx},
        ui::{Focus, Popup, TextField, Tone, cells},
    },
};

/// The question for a file.
#[derive(Debug)]
pub(super) struct FilePrompt {
    field: TextField,
    /// Whether the local release answers.
    is_local: bool,
    run: ExportRun,
    /// What the export leaves out, a sentence for each.
    remarks: Vec<String>,
    check: FileCheck,
    is_over: bool,
}

impl FilePrompt {
    /// Offers a name that is new each minute.
    pub(super) fn new(
        query: ExportQuery,
        is_local: bool,
        remarks: Vec<String>,
        ctx: &UpdateCtx<'_>,
    ) -> Self {
        let mut field = TextField::new("a file name");
        // Both exports of a form, of the service and of what is local, can stand beside each other.
        field.set(&format!(
            "{}-{}{}.{}",
            query.feed,
            ctx.out.now.strftime("%Y%m%d-%H%M"),
            if is_local { "-local" } else { "" },
            query.output.name()
        ));
        Self {
            field,
            is_local,
            run: ExportRun {
                query,
                file: ctx.facts.working_dir.clone(),
                force: false,
                spreadsheet_safe: false,
            },
            remarks,
            check: FileCheck::default(),
            is_over: false,
        }
    }

    fn start(&self, force: bool, ctx: &mut UpdateCtx<'_>) {
        let run = ExportRun {
            force,
            ..self.run.clone()
        };
        let feed = run.query.feed;
        if self.is_local {
            ctx.start(format!("local export {feed}"), Question::ExportLocal(run));
        } else {
            ctx.start(format!("export {feed}"), Question::Export(run));
        }
    }
}

impl Surface for FilePrompt {
    fn scope(&self) -> Scope {
        if self.check.asks() {
            Scope::Erasing
        } else {
            Scope::Input
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let takes_text = !self.check.asks();
        takes_text.then_some(&mut self.field)
    }

    fn typed(&mut self) {
        self.check.forget();
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match (self.check.on(gesture, ctx), gesture) {
            (Some(true), _) => {
                self.start(true, ctx);
                return Flow::Close;
            }
            (None, Gesture::Escape) => return Flow::Close,
            (None, Gesture::Open) if self.field.value().trim().is_empty() => {
                ctx.out.say(Tone::Warn, "type a file name first");
            }
            (None, Gesture::Open) => {
                self.run.file = ctx.facts.working_dir.join(self.field.value().trim());
                self.check.look(&self.run.file, ctx);
            }
            _ => {}
        }
        Flow::Done
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let other = self.check.settle(reply, ctx);
        self.is_over = other.is_none() && self.check.is_free();
        if self.is_over {
            self.start(false, ctx);
        }
        other
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let width = area.width.saturating_sub(8).min(70);
        if self.check.asks() {
            return self.check.draw(&self.run.file, frame, area, ctx);
        }
        let (by, price) = if self.is_local {
            ("Export of the local release", "free: nothing is sent")
        } else {
            ("Export", "free: an export costs no query")
        };
        let folder = ctx.facts.working_dir.display().to_string();
        let title = format!("{by} to a file in {}", visible(&folder));
        let width = width.max(3);
        let mut below = vec![Line::styled(price, theme.dim)];
        for words in &self.remarks {
            let line = Line::styled(format!("! {words}"), theme.warn);
            below.extend(cells::wrap(line, width - 2));
        }
        let height = u16::try_from(below.len() + 1).unwrap_or(u16::MAX);
        let inner = Popup::new(title, Size::new(width, height))
            .key(theme, "enter", "run", 0)
            .key(theme, "esc", "back to the form", 0)
            .draw(frame, area, ctx);
        let mut rows = inner.rows();
        if let Some(row) = rows.next() {
            self.field.draw(frame, row, theme, Focus::Here);
        }
        for (line, row) in below.into_iter().zip(rows) {
            frame.render_widget(line, row);
        }
    }
}
