//! A text with several addresses as a table: each address once, with its best local record or cached answer. Sends no queries.

mod address;

use std::{
    collections::{BTreeSet, VecDeque},
    net::IpAddr,
};

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use self::address::{AS_IN_TEXT, AddressState, COPIED, HEADS, KINDS};
pub(super) use self::address::{AddressKind, BoardAddress};
use super::field::AddressList;
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{
        answers::BestAnswers,
        views::{UnusableFeed, ViewQuery},
    },
    model::{Day, TagName, visible},
    report::{BoardFinding, count, markdown_table},
    tui::{
        ctx::{
            Asked, Destination, Gesture, HeldRows, List, OmittedConditions, Outbox, Question, Rows,
            TabReply, UpdateCtx, ViewCtx, Yank, failure,
        },
        ui::{BarLine, BarPart, Focus, Motion, Pane, Theme, Tone, cells, words},
    },
};

/// The number of addresses that are requested at a time, so that the table fills from its top.
const AT_A_TIME: usize = 2048;

/// The maximum number of rows in a ticket's table.
const MOST: usize = 1000;

#[derive(Debug)]
pub(super) struct Board {
    pub(super) list: List<HeldRows<BoardAddress>>,
    /// The addresses that may have a record and were not read yet, in the order of the text.
    waiting: VecDeque<IpAddr>,
    /// What is being read; its answer is the local feeds that could not be read.
    pub(super) reading: Asked<Question, Vec<UnusableFeed>>,
    /// The day of the local feeds to read.
    pub(super) day: Option<Day>,
    /// The address that was last opened from the table.
    pub(super) visited: Option<LookupQuery>,
    /// The number of networks in the text, which have no rows.
    networks: usize,
    /// The view in which the addresses were marked; `None` for a text.
    pub(super) view: Option<ViewQuery>,
}

impl Board {
    /// The table of these addresses, and the view in which they were marked.
    pub(super) fn new(
        addresses: AddressList,
        day: Option<Day>,
        view: Option<ViewQuery>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Self {
        let row = |(place, (address, times))| BoardAddress {
            address,
            place,
            times,
            state: match ctx.facts.admission.refuses(address) {
                Some(reserved) => AddressState::Refused(reserved),
                None => AddressState::Waiting,
            },
        };
        let rows: Vec<BoardAddress> = (0..).zip(addresses.addresses).map(row).collect();
        let waiting = rows.iter().filter(|row| row.state == AddressState::Waiting);
        let mut board = Self {
            waiting: waiting.map(|row| row.address).collect(),
            list: List::default(),
            reading: Asked::default(),
            day,
            visited: None,
            networks: addresses.networks,
            view,
        };
        board.list.hide(AS_IN_TEXT, true);
        board.list.fill(rows);
        board.read(ctx);
        board
    }

    /// Reads what is local or cached about the next addresses.
    fn read(&mut self, ctx: &mut UpdateCtx<'_>) {
        let next = self.waiting.iter().take(AT_A_TIME).copied();
        if !self.waiting.is_empty() {
            let question = Question::BestAnswers(next.collect(), self.day);
            self.reading.ask(question, ctx);
        }
    }

    /// Takes what was read, and reads on.
    pub(super) fn settle(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let (list, waiting) = (&mut self.list, &mut self.waiting);
        let fill = |best: BestAnswers<BoardFinding>| {
            let is_all_read = best.unusable.is_empty();
            let read = waiting.drain(..best.answers.len().min(waiting.len()));
            let read: Vec<IpAddr> = read.collect();
            list.edit(read.into_iter().zip(best.answers), |row, finding| {
                row.state = AddressState::of(finding, is_all_read);
            });
            best.unusable
        };
        if self.reading.settle_with(reply, fill).is_none() && self.reading.error().is_none() {
            self.read(ctx);
        }
    }

    /// The number of addresses in a state.
    pub(super) fn count(&self, kind: AddressKind) -> usize {
        let rows = self.list.rows().all();
        rows.filter(|row| row.state.outline().0 == kind).count()
    }

    /// The number of rows shown.
    pub(super) fn len(&self) -> usize {
        self.list.rows().len()
    }

    /// A row, by its position on the screen.
    pub(super) fn row(&self, at: usize) -> Option<&BoardAddress> {
        self.list.rows().row(at)
    }

    /// The row under the cursor.
    pub(super) fn here(&self) -> Option<&BoardAddress> {
        self.row(self.list.position()?)
    }

    /// The marked rows, those that are shown first; without marks all rows shown.
    fn chosen(&self) -> Vec<&BoardAddress> {
        let rows = self.list.rows();
        if self.list.marks().is_empty() {
            return (0..rows.len()).filter_map(|at| rows.row(at)).collect();
        }
        let marked = self.list.marked_keys().into_iter();
        marked.filter_map(|address| rows.find(address)).collect()
    }

    /// The operators of the chosen rows, as tags for an export.
    pub(super) fn operators(&self) -> Vec<TagName> {
        let known = self.chosen().into_iter().filter_map(BoardAddress::known);
        let tags = known.flat_map(|row| &row.tags);
        let tags: BTreeSet<TagName> = tags.filter_map(|tag| TagName::new(tag).ok()).collect();
        tags.into_iter().collect()
    }

    /// The chosen rows in words, for a message.
    fn chosen_words(&self, all: String) -> String {
        match self.list.marks().len() {
            0 => all,
            1 => "1 marked row".to_owned(),
            more => format!("{} marked rows", count(more as u64)),
        }
    }

    /// The export with the operators of the marked rows; without marks, of all rows shown.
    pub(super) fn export(&self) -> Destination {
        let tags = self.operators();
        let operators = match tags.len() {
            1 => "operator".to_owned(),
            more => format!("{} operators", count(more as u64)),
        };
        let rows = self.chosen_words(format!("the {} rows", count(self.len() as u64)));
        let omitted = format!("an export has no addresses: it asks for the {operators} of {rows}");
        let query = ExportQuery {
            tags,
            ..ExportQuery::all_of(Feed::Anonymous)
        };
        let omitted = OmittedConditions {
            words: vec![omitted],
            wanted: None,
        };
        Destination::Export(query, omitted)
    }

    /// Copies if the marks affect the result; returns whether it did.
    pub(super) fn copy(&self, what: Yank, out: &mut Outbox) -> bool {
        let chosen = self.chosen().into_iter();
        let words = self.chosen_words("the table".to_owned());
        match (what, self.list.marks().is_empty()) {
            (Yank::Ticket, _) => {
                let rows: Vec<_> = chosen.take(MOST).map(BoardAddress::cells).collect();
                out.copy_lines(words, markdown_table(&HEADS, &rows));
            }
            (Yank::Row, false) => {
                let cells = chosen.map(BoardAddress::cells);
                let texts = cells.map(|own| own.into_iter().map(|cell| cell.text).collect());
                out.copy_csv(words, &COPIED, texts);
            }
            (Yank::Json, false) => out.copy_json_lines(words, chosen.map(BoardAddress::object)),
            _ => return false,
        }
        true
    }

    /// Handles a gesture that means something in the table alone; returns whether it did.
    pub(super) fn on(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        let is_marked_alone = gesture == Gesture::Mark && self.list.range().is_none();
        match gesture {
            Gesture::Escape
                if !self.list.is_typing()
                    && self.list.range().is_none()
                    && self.list.clear_marks() =>
            {
                out.say(Tone::Info, "marks cleared; u brings them back");
            }
            Gesture::Back if let Some(view) = &self.view => {
                out.go = Some(Destination::Browse(view.clone()));
            }
            Gesture::Refresh => out.say(
                Tone::Info,
                "the table sends nothing: enter opens an address, R there fetches it (1 query)",
            ),
            gesture if !self.list.on(gesture, out) => return false,
            _ if is_marked_alone => {
                self.list.on(Gesture::Go(Motion::Down), out);
            }
            _ => {}
        }
        true
    }

    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>, focus: Focus) {
        let theme = ctx.theme;
        let all = self.list.rows().all().count();
        let title = format!("{} addresses", words::number(all as u64));
        let day = self.day.map(Day::dashed);
        let day = day.unwrap_or_else(|| "newest releases".to_owned());
        let source = Line::styled(format!("LOCAL feeds and cache, {day}, free"), theme.badge);
        let pane = Pane::new(title, focus).source(source);
        let pane = pane.hint(self.list.standing(""));
        let inner = pane.draw(frame, area, theme);
        let unusable = self.reading.value().map_or(&[][..], Vec::as_slice);
        let unusable = failure::unusable(unusable, "read", theme);
        let lines = u16::try_from(unusable.len()).unwrap_or(u16::MAX);
        let [head, warnings, rows] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(lines.min(inner.height / 2)),
            Constraint::Min(0),
        ])
        .areas(inner);
        self.head(theme).draw(frame, head);
        for (line, place) in unusable.into_iter().zip(warnings.rows()) {
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
        self.list.draw(frame, rows, ctx, focus);
    }

    /// The numbers by state.
    fn head(&self, theme: &Theme) -> BarLine<'static> {
        let mut bar = BarLine::new();
        let mut push = |count: usize, sign: &str, what: &str, style, rank| {
            let number = Span::raw(format!("{sign}{}", words::number(count as u64)));
            let line = Line::from(vec![number, Span::styled(format!(" {what}"), style)]);
            bar = std::mem::take(&mut bar).left(BarPart::new(line, rank));
        };
        for (kind, what, rank) in KINDS {
            match (kind, self.count(kind)) {
                (AddressKind::Known, count) => push(count, "", what, theme.dim, rank),
                (_, 0) => {}
                (AddressKind::Waiting, count) => push(count, "~ ", what, theme.warn, rank),
                (_, count) => push(count, "", what, theme.dim, rank),
            }
        }
        let times = self.list.rows().all().map(|row| row.times as usize - 1);
        let repeated: usize = times.sum();
        if repeated > 0 {
            push(repeated, "", "repeated", theme.dim, 4);
        }
        if self.networks > 0 {
            let networks = words::number(self.networks as u64);
            let line = Line::styled(format!("networks left out: {networks}"), theme.dim);
            bar = bar.left(BarPart::new(line, 5));
        }
        if let Some(error) = self.reading.error() {
            let line = Line::styled(format!("x {}", visible(&error.message)), theme.bad);
            bar = bar.left(BarPart::new(line, 0));
        }
        let reversed = match self.list.sorted_by() {
            (AS_IN_TEXT, false) => return bar,
            (by, true) => format!("by {by}, reversed"),
            (by, false) => format!("by {by}"),
        };
        bar.right(BarPart::new(Line::styled(reversed, theme.dim), 3))
    }
}
