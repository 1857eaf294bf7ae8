//! The form that writes the list in front to a file: which rows, which columns, and under which name, whose ending says the form.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use ratatui::{
    Frame,
    layout::{Rect, Size},
};

use super::app::App;
use crate::{
    engine::at_home,
    model::{Day, visible},
    report::{ListForm, ListStyle, count, counted},
    tui::{
        ctx::{
            FileCheck, Flow, Gesture, ListFile, ListPart, Outbox, Question, RowNumbers, Scope,
            Surface, TabReply, TrailStop, UpdateCtx, ViewCtx, WhichRows,
        },
        ui::{Control, FieldNote, Focus, Form, Popup, TextField, Tone},
    },
};

impl App {
    /// Opens the form that writes the list in front to a file.
    pub(super) fn write_list(&mut self, out: &mut Outbox) {
        let numbers = self.written_list().and_then(|front| front.numbers());
        let Some(numbers) = numbers.filter(|_| self.raw().is_none()) else {
            return out.say(Tone::Info, "there is no list to write here, or not yet");
        };
        if numbers.all == Some(0) {
            return out.say(Tone::Info, "there is nothing to write");
        }
        let here = self.trail.here().filter(|_| self.left().is_none());
        let is_named = |stop: &&TrailStop| matches!(stop, TrailStop::Board(_) | TrailStop::View(_));
        let named = here.filter(|_| self.surface().is_none()).filter(is_named);
        let name = named.map_or_else(|| numbers.noun.to_owned(), TrailStop::name);
        let form = self.at(self.tab, out, |_, ctx| WriteList::new(numbers, &name, ctx));
        self.follow(Flow::Push(Box::new(form)));
    }

    /// Has part of the list in front written to a file.
    pub(super) fn start_writing(
        &mut self,
        (part, path, force): (ListPart, PathBuf, bool),
        out: &mut Outbox,
    ) {
        let Some(list) = self.written_list().map(|front| front.content(part)) else {
            return;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let label = visible(&name).into_owned();
        let file = ListFile { path, force, list };
        self.at(self.tab, out, |_, ctx| {
            ctx.start(label, Question::WriteList(Box::new(file)));
        });
    }
}

/// The fields of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteField {
    File,
    Rows,
    Columns,
    Addresses,
    Formulas,
}

const ALL: &str = "all";
const AS_THEY_ARE: &str = "as they are";
const DEFANGED: &str = "defanged";
const AS_TEXT: &str = "as text";

#[derive(Debug)]
pub(super) struct WriteList {
    form: Form<WriteField>,
    /// The choices of rows, with their words in the form.
    rows: Vec<(WhichRows, String)>,
    noun: &'static str,
    folder: PathBuf,
    check: FileCheck,
    is_over: bool,
}

impl WriteList {
    pub(super) fn new(numbers: RowNumbers, name: &str, ctx: &UpdateCtx<'_>) -> Self {
        let mut file = TextField::new("NAME.csv, .jsonl, .md or .txt");
        file.set(&format!(
            "{}-{}.csv",
            file_name(name),
            Day::of(ctx.out.now).dashed()
        ));
        file.select_all();
        let RowNumbers {
            noun,
            marked,
            shown,
            all,
            columns,
        } = numbers;
        let choices = [
            (WhichRows::Marked, "marked", Some(marked), marked > 0),
            (WhichRows::Shown, "shown", shown, true),
            (WhichRows::All, "all", all, all > shown),
        ];
        let choices = choices.into_iter().filter(|(.., is_there)| *is_there);
        let rows = choices.map(|(which, word, number, _)| {
            (
                which,
                match number {
                    Some(number) => format!("{word} {}", count(number)),
                    None => word.to_owned(),
                },
            )
        });
        let rows: Vec<_> = rows.collect();
        let words = rows.iter().map(|(_, words)| words.clone());
        let form = Form::new()
            .field(WriteField::File, "file", Control::Text(file))
            .field(WriteField::Rows, "rows", Control::choice(words))
            .field(
                WriteField::Columns,
                "columns",
                Control::choice(columns.iter().copied()),
            )
            .field(
                WriteField::Addresses,
                "addresses",
                Control::choice([AS_THEY_ARE, DEFANGED]),
            )
            .field(
                WriteField::Formulas,
                "formulas",
                Control::choice([AS_TEXT, AS_THEY_ARE]),
            );
        let mut list = Self {
            form,
            rows,
            noun,
            folder: ctx.facts.working_dir.clone(),
            check: FileCheck::default(),
            is_over: false,
        };
        list.remark();
        list
    }

    fn path(&self) -> PathBuf {
        self.folder
            .join(at_home(self.form.value(WriteField::File).trim()))
    }

    /// What is written; `None` if the name of the file says no form.
    fn part(&self) -> Option<ListPart> {
        let form = ListForm::of(&self.path())?;
        let chosen = self.form.value(WriteField::Rows);
        let (rows, _) = self.rows.iter().find(|(_, words)| *words == chosen)?;
        Some(ListPart {
            rows: *rows,
            has_all_columns: self.form.value(WriteField::Columns) == ALL,
            style: ListStyle {
                form,
                is_guarded: self.form.value(WriteField::Formulas) == AS_TEXT,
                is_defanged: self.form.value(WriteField::Addresses) == DEFANGED,
            },
        })
    }

    /// Says what is written, and which choices do not matter for that.
    fn remark(&mut self) {
        let form = ListForm::of(&self.path());
        let remark = match form {
            Some(form) => FieldNote::new(Tone::Info, form.words()),
            None => FieldNote::new(
                Tone::Warn,
                "the ending says the form: .csv, .jsonl, .md, .txt",
            ),
        };
        self.form.remark(WriteField::File, Some(remark));
        let is = |list_form| form == Some(list_form);
        let off = |has_effect: bool, why: &str| (!has_effect).then(|| why.to_owned());
        let why = off(!is(ListForm::Names), "names alone have no columns");
        self.form.off(WriteField::Columns, why);
        let why = match form {
            Some(ListForm::JsonLines) => Some("JSON has them as they are".to_owned()),
            Some(ListForm::Markdown) => Some("Markdown has them defanged".to_owned()),
            _ => None,
        };
        self.form.off(WriteField::Addresses, why);
        let why = off(is(ListForm::Csv), "CSV alone is opened by spreadsheets");
        self.form.off(WriteField::Formulas, why);
    }

    fn write(&self, force: bool, ctx: &mut UpdateCtx<'_>) {
        ctx.out.write = self.part().map(|part| (part, self.path(), force));
    }
}

/// The noun for several.
fn many(noun: &str) -> String {
    let words = counted(0, noun);
    words.trim_start_matches("0 ").to_owned()
}

/// What can be part of the name of a file.
fn file_name(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or_default();
    let letters = name.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() || ".-_".contains(letter) => letter,
        _ => '-',
    });
    let name: String = letters.take(40).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "list" } else { name }.to_owned()
}

impl Surface for WriteList {
    fn scope(&self) -> Scope {
        match self.form.focus() {
            _ if self.check.asks() => Scope::Erasing,
            Some(WriteField::File) => Scope::Input,
            _ => Scope::Options,
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let takes_text = !self.check.asks();
        self.form.text_field().filter(|_| takes_text)
    }

    fn typed(&mut self) {
        self.check.forget();
        self.remark();
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match self.check.on(gesture, ctx) {
            Some(true) => {
                self.write(true, ctx);
                return Flow::Close;
            }
            Some(false) => return Flow::Done,
            None => {}
        }
        match gesture {
            Gesture::Escape => return Flow::Close,
            Gesture::Open if self.part().is_none() => {
                self.form.focus_on(WriteField::File);
                ctx.out
                    .say(Tone::Warn, "name it .csv, .jsonl, .md or .txt first");
            }
            Gesture::Open => self.check.look(&self.path(), ctx),
            Gesture::NextPane => self.form.next(),
            Gesture::PreviousPane => self.form.previous(),
            Gesture::Go(motion) => drop(self.form.step(motion)),
            Gesture::Mark => drop(self.form.toggle()),
            _ => return Flow::Ignored,
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
            self.write(false, ctx);
        }
        other
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        if self.check.asks() {
            return self.check.draw(&self.path(), frame, area, ctx);
        }
        let folder = self.folder.display().to_string();
        let title = format!(
            "Write {} to a file in {}",
            many(self.noun),
            visible(&folder)
        );
        let width = area.width.saturating_sub(8).min(70);
        let inner = Popup::new(title, Size::new(width, 9))
            .key(ctx.theme, "enter", "write", 0)
            .key(ctx.theme, "tab", "next", 1)
            .key(ctx.theme, "left/right", "choose", 2)
            .key(ctx.theme, "esc", "leave", 0)
            .draw(frame, area, ctx);
        self.form.draw(frame, inner, ctx, Focus::Here);
    }
}
