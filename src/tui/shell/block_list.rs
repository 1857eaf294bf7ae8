//! The form that makes what is in front a list to block by: who is behind it, whom to spare, in which form and under which name.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use ipnet::IpNet;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    style::Style,
    text::Line,
    widgets::{Paragraph, Wrap},
};

use super::app::App;
use crate::{
    engine::{Family, at_home, views::ViewQuery},
    investigation::{
        address_set::read_list,
        blocklist::{BLOCK_FORMS, BlockForm, ListCheck, ListWriting},
        collateral::Collateral,
    },
    model::{Day, visible},
    report::{ListForm, ListStyle, addresses_in_words, check_lines, count, counted, shell_word},
    tui::{
        ctx::{
            Asked, FileCheck, Flow, Gesture, ListAsk, ListContent, ListOf, ListPart, Outbox,
            Question, Scope, Surface, TabReply, UpdateCtx, ViewCtx, WhichRows,
        },
        ui::{Control, FieldNote, Focus, Form, Popup, TextField, Theme, Tone},
    },
};

/// How wide the form is at most.
const WIDTH: u16 = 100;
/// How long a list may hold, in words and in seconds.
const HOLDS: [(&str, Option<u64>); 5] = [
    ("without end", None),
    ("12h", Some(43_200)),
    ("1d", Some(86_400)),
    ("3d", Some(259_200)),
    ("7d", Some(604_800)),
];
/// How many addresses may be beyond it, in words and in hundredths.
const BEYOND: [(&str, Option<u8>); 4] = [
    ("none", None),
    ("10 %", Some(10)),
    ("20 %", Some(20)),
    ("50 %", Some(50)),
];
const FAMILIES: [&str; 3] = ["both", "IPv4", "IPv6"];

impl App {
    /// Opens the form about what is in front.
    pub(super) fn block_list(&mut self, out: &mut Outbox) {
        match self.blocked() {
            Ok((of, title)) => {
                let form = self.at(self.tab, out, |_, ctx| BlockListForm::new(of, title, ctx));
                self.follow(Flow::Push(Box::new(form)));
            }
            Err(why) => out.say(Tone::Info, why),
        }
    }

    /// The addresses in front: what is marked, else all that is shown; or the records that a form asks for.
    fn blocked(&self) -> Result<(ListOf, String), String> {
        let over = self.surface().is_some();
        if let Some(ViewQuery {
            feed, day, filter, ..
        }) = self.tabs.of(self.tab).asked_records().filter(|_| !over)
        {
            let title = format!("{feed} {filter}");
            return Ok((ListOf::Records(feed, day, filter), title));
        }
        let nothing = || "there are no addresses here to block".to_owned();
        let front = self
            .written_list()
            .filter(|_| self.raw().is_none())
            .ok_or_else(nothing)?;
        let numbers = front.numbers().ok_or_else(nothing)?;
        let part = ListPart {
            rows: if numbers.marked > 0 {
                WhichRows::Marked
            } else {
                WhichRows::Shown
            },
            has_all_columns: false,
            style: ListStyle {
                form: ListForm::Names,
                is_guarded: false,
                is_defanged: false,
            },
        };
        match front.content(part) {
            ListContent::Records(
                ViewQuery {
                    feed, day, filter, ..
                },
                marked,
                _,
            ) if marked.is_empty() => {
                let title = format!("{feed} {filter}");
                Ok((ListOf::Records(feed, day, filter), title))
            }
            ListContent::Records(_, marked, _) => {
                let subjects = marked.iter().filter_map(|name| name.subject);
                let networks: Vec<IpNet> = subjects.map(|subject| subject.network()).collect();
                let title = format!("{} marked", counted(networks.len() as u64, "record"));
                Ok((ListOf::Networks(networks.into()), title))
            }
            ListContent::Text(text, rows) => {
                let set = read_list(text.as_bytes(), "the list").map_err(|_| nothing())?;
                let networks: Vec<IpNet> = set.networks().collect();
                if networks.is_empty() {
                    return Err(nothing());
                }
                let marked = if numbers.marked > 0 { " marked" } else { "" };
                Ok((
                    ListOf::Networks(networks.into()),
                    counted(rows, "address") + marked,
                ))
            }
        }
    }
}

/// The fields of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockField {
    File,
    As,
    Holds,
    Families,
    Beyond,
    Spare,
}

#[derive(Debug)]
pub(super) struct BlockListForm {
    of: ListOf,
    title: String,
    form: Form<BlockField>,
    /// The records with the most clients, as they were first told: they stay in their places while some are spared.
    largest: Vec<(IpNet, u64)>,
    check: Asked<Question, Box<ListCheck>>,
    /// Who is behind records, which is known sooner.
    people: Asked<Question, Option<Box<Collateral>>>,
    folder: PathBuf,
    there: FileCheck,
    is_over: bool,
}

impl BlockListForm {
    fn new(of: ListOf, title: String, ctx: &mut UpdateCtx<'_>) -> Self {
        let mut file = TextField::new("FILE");
        file.set(&format!("blocked-{}.nft", Day::of(ctx.out.now).dashed()));
        file.select_all();
        let forms = BLOCK_FORMS.iter().map(|form| form.name);
        let mut form = Form::new()
            .field(BlockField::File, "file", Control::Text(file))
            .field(BlockField::As, "as", Control::choice(forms))
            .field(
                BlockField::Spare,
                "spare",
                Control::Set {
                    switches: Vec::new(),
                    at: 0,
                },
            )
            .field(
                BlockField::Holds,
                "holds",
                Control::choice(HOLDS.map(|(words, _)| words)),
            )
            .field(BlockField::Families, "families", Control::choice(FAMILIES))
            .field(
                BlockField::Beyond,
                "beyond",
                Control::choice(BEYOND.map(|(words, _)| words)),
            );
        form.set(BlockField::As, "nft");
        form.focus_on(BlockField::As);
        let mut list = Self {
            of,
            title,
            form,
            largest: Vec::new(),
            check: Asked::default(),
            people: Asked::default(),
            folder: ctx.facts.working_dir.clone(),
            there: FileCheck::default(),
            is_over: false,
        };
        list.changed(ctx);
        list
    }

    /// Offers to spare those with the most clients, as they are first told.
    fn offer(&mut self) {
        let people = self.check.value().and_then(|check| check.people.as_ref());
        let sooner = self.people.value().and_then(Option::as_deref);
        let people = people.or(sooner);
        if let Some(people) = people.filter(|_| self.largest.is_empty()) {
            let largest = people.largest.iter();
            self.largest = largest
                .map(|(subject, clients)| (subject.network(), *clients))
                .collect();
            let labels = self
                .largest
                .iter()
                .map(|(network, clients)| label(*network, *clients));
            self.form.offer(BlockField::Spare, labels);
        }
    }

    fn path(&self) -> PathBuf {
        self.folder
            .join(at_home(self.form.value(BlockField::File).trim()))
    }

    fn ask(&self) -> ListAsk {
        let spared = self.form.value(BlockField::Spare);
        let is_spared = |label: &str| spared.split(", ").any(|own| own == label);
        let largest = self
            .largest
            .iter()
            .filter(|(network, clients)| is_spared(&label(*network, *clients)));
        let beyond = self.form.value(BlockField::Beyond);
        ListAsk {
            of: self.of.clone(),
            spared: largest.map(|(network, _)| *network).collect(),
            families: match self.form.value(BlockField::Families).as_str() {
                "IPv4" => vec![Family::V4],
                "IPv6" => vec![Family::V6],
                _ => Family::ALL.to_vec(),
            },
            max_beyond: BEYOND
                .iter()
                .find(|(words, _)| *words == beyond)
                .and_then(|(_, part)| *part),
        }
    }

    fn chosen(&self) -> &'static BlockForm {
        BlockForm::named(&self.form.value(BlockField::As)).unwrap_or(&BLOCK_FORMS[0])
    }

    /// Asks who is behind what is chosen now, and says what the choices mean.
    fn changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let ListOf::Records(..) = self.of {
            let people = ListAsk {
                max_beyond: None,
                ..self.ask()
            };
            self.people
                .ask_once(Question::ListPeople(Box::new(people)), ctx);
        }
        self.look(ctx);
        self.remark();
    }

    /// Asks what the list would be, once it is known who is behind it: that takes longer, and would hold the other up.
    fn look(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.people.is_pending() {
            let question = Question::ListCheck(Box::new(self.ask()));
            self.check.ask_once(question, ctx);
        }
    }

    fn remark(&mut self) {
        let form = self.chosen();
        let note = FieldNote::new(Tone::Info, form.about);
        self.form.remark(BlockField::As, Some(note));
        let remark = if form.expires() {
            "each entry ends by itself"
        } else {
            "written into the list: its reader does not end entries"
        };
        let note = FieldNote::new(Tone::Info, remark);
        let has_end = self.form.value(BlockField::Holds) != HOLDS[0].0;
        self.form.remark(BlockField::Holds, has_end.then_some(note));
    }

    /// What the list would be, and who is behind it: what is known of what is chosen now, else what was known before, marked as old.
    fn told(&self, theme: &Theme) -> (Line<'static>, Vec<String>, Style) {
        let waiting = |text: &str| Line::styled(text.to_owned(), theme.dim);
        let sooner = self.people.answer().and_then(Option::as_deref);
        let chosen = Question::ListCheck(Box::new(self.ask()));
        match (self.check.value(), sooner) {
            (Some(check), _) if self.check.answered() == Some(&chosen) => {
                let entries = counted(check.entries, "entry");
                let head = format!("{entries}, {}", addresses_in_words(check.addresses));
                (
                    Line::styled(head, theme.title),
                    check_lines(check),
                    theme.text,
                )
            }
            (_, Some(people)) => {
                let known = ListCheck {
                    people: Some(people.clone()),
                    ..ListCheck::default()
                };
                let head = waiting("its entries are being counted");
                (head, check_lines(&known), theme.text)
            }
            (Some(check), None) => {
                let head = waiting("looking in the local feeds; this was before");
                (head, check_lines(check), theme.stale)
            }
            (None, None) => (
                waiting("looking in the local feeds"),
                Vec::new(),
                theme.text,
            ),
        }
    }

    /// How the list is written.
    fn writing(&self) -> ListWriting {
        let (form, file) = (self.chosen(), self.path());
        let holds = self.form.value(BlockField::Holds);
        ListWriting {
            name: form.name_of(&file, false),
            form: form.name,
            expires: HOLDS
                .iter()
                .find(|(words, _)| *words == holds)
                .and_then(|(_, seconds)| *seconds),
            action: None,
            split: None,
            command: format!("the explorer, of {}", self.title),
            allow: Vec::new(),
            file,
        }
    }

    /// Writes the list; files of this program are replaced, and others never.
    fn write(&mut self, ctx: &mut UpdateCtx<'_>) {
        let writing = self.writing();
        let name = writing
            .file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let label = visible(&name).into_owned();
        let file = shell_word(&writing.file.display().to_string());
        let check = self
            .chosen()
            .check
            .replace("{file}", &file)
            .replace("{name}", &writing.name);
        let question = Question::WriteBlockList(Box::new(self.ask()), Box::new(writing));
        ctx.start(label, question);
        ctx.out.say(Tone::Info, format!("to check it: {check}"));
        self.is_over = true;
    }
}

/// A record that may be spared.
fn label(network: IpNet, clients: u64) -> String {
    let name = if network.prefix_len() == network.max_prefix_len() {
        network.addr().to_string()
    } else {
        network.to_string()
    };
    format!("{name} {}", count(clients))
}

impl Surface for BlockListForm {
    fn scope(&self) -> Scope {
        match self.form.focus() {
            _ if self.there.asks() => Scope::Erasing,
            Some(BlockField::File) => Scope::Input,
            _ => Scope::Options,
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        let takes_text = !self.there.asks();
        self.form.text_field().filter(|_| takes_text)
    }

    fn typed(&mut self) {
        self.there.forget();
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match self.there.on(gesture, ctx) {
            Some(true) => {
                self.write(ctx);
                return Flow::Close;
            }
            Some(false) => return Flow::Done,
            None => {}
        }
        match gesture {
            Gesture::Escape => return Flow::Close,
            Gesture::Open => self.there.look(&self.path(), ctx),
            Gesture::NextPane => self.form.next(),
            Gesture::PreviousPane => self.form.previous(),
            Gesture::Go(motion) => drop(self.form.step(motion)),
            Gesture::Mark => drop(self.form.toggle()),
            _ => return Flow::Ignored,
        }
        self.changed(ctx);
        Flow::Done
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let Some(reply) = self.check.settle(reply) else {
            self.offer();
            return None;
        };
        let Some(reply) = self.people.settle(reply) else {
            self.offer();
            self.look(ctx);
            return None;
        };
        let other = self.there.settle(reply, ctx);
        if other.is_none() && self.there.is_free() {
            self.write(ctx);
        }
        other
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        if self.there.asks() {
            return self.there.draw(&self.path(), frame, area, ctx);
        }
        let title = format!("A list to block by: {}", visible(&self.title));
        let width = area.width.saturating_sub(8).min(WIDTH);
        let inner = Popup::new(
            title,
            Size::new(width, area.height.saturating_sub(4).min(24)),
        )
        .key(ctx.theme, "enter", "write", 0)
        .key(ctx.theme, "tab", "next", 1)
        .key(ctx.theme, "space", "spare, switch", 1)
        .key(ctx.theme, "esc", "leave", 0)
        .draw(frame, area, ctx);
        let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(12)]);
        let [told, form] = parts.areas(inner);
        self.form.draw(frame, form, ctx, Focus::Here);
        let said = |lines: Vec<Line<'static>>| Paragraph::new(lines).wrap(Wrap { trim: false });
        if let Some(error) = self.check.error() {
            let mut lines = vec![Line::styled(
                visible(&error.message).into_owned(),
                ctx.theme.bad,
            )];
            let hint = error.hint.as_deref().map(|hint| visible(hint).into_owned());
            lines.extend(hint.map(|hint| Line::styled(hint, ctx.theme.text)));
            return frame.render_widget(said(lines), told);
        }
        let (head, lines, style) = self.told(ctx.theme);
        let lines = lines.into_iter().map(|line| Line::styled(line, style));
        let lines = [head].into_iter().chain(lines).collect();
        frame.render_widget(said(lines), told);
    }
}
