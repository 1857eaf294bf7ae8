//! Two sides compared: the addresses and records in which they differ, in a list over the page. Sends nothing.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    style::Style,
    text::Line,
};

use crate::{
    contract::LookupQuery,
    investigation::comparison::ComparedKind,
    model::visible,
    report::{ComparedLine, ComparedList},
    tui::{
        ctx::{
            AnyList, Asked, ColumnSpec, Destination, Flow, Gesture, HeldRow, HeldRows, List,
            ListRow, Meaning, Price, Question, Scope, Subject, Surface, TabReply, UpdateCtx, Value,
            ViewCtx, Why, Yank, failure,
        },
        ui::{Focus, Popup, Theme, Width, widgets::page, words},
    },
};

pub(super) const SIDES: Scope = Scope::Tab("Two sides");

impl ListRow for ComparedLine {
    type Key = usize;

    const NOUN: &'static str = "difference";

    const FILTER: &'static str = "words of both sides, added, removed";

    fn key(&self) -> &usize {
        &self.number
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        match self.kind {
            ComparedKind::Added => ('+', theme.good),
            ComparedKind::Removed => ('-', theme.bad),
            ComparedKind::Changed => ('~', theme.accent),
            ComparedKind::Other => ('~', theme.dim),
            ComparedKind::Equal => ('=', theme.dim),
            ComparedKind::Unknown => ('?', theme.warn),
        }
    }
}

impl HeldRow for ComparedLine {
    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("what", "WHAT", Width::Min(7), |row: &Self| {
            word(row.kind).into()
        }),
        ColumnSpec::text("name", "ADDRESS", Width::Min(15), |row: &Self| {
            row.name.as_str().into()
        }),
        ColumnSpec::text("a", "A", Width::Fill(14), |row: &Self| {
            Value::from(row.sides[0].as_str())
        }),
        ColumnSpec::text("b", "B", Width::Fill(14), |row: &Self| {
            Value::from(row.sides[1].as_str())
        }),
    ];

    fn text(&self) -> Cow<'_, str> {
        let [a, b] = &self.sides;
        format!("{} {} {a} {b}", self.name, word(self.kind)).into()
    }

    /// What matters first.
    fn group(&self) -> u8 {
        self.kind as u8
    }
}

fn word(kind: ComparedKind) -> &'static str {
    match kind {
        ComparedKind::Changed => "verdict",
        ComparedKind::Added => "added",
        ComparedKind::Removed => "removed",
        ComparedKind::Other => "other",
        ComparedKind::Equal => "equal",
        ComparedKind::Unknown => "unknown",
    }
}

/// The differences of two sides.
#[derive(Debug)]
pub(super) struct ComparedSides {
    names: [String; 2],
    found: Asked<Question, ComparedList>,
    list: List<HeldRows<ComparedLine>>,
}

impl ComparedSides {
    pub(super) fn new(names: [String; 2], ctx: &mut UpdateCtx<'_>) -> Self {
        let mut found = Asked::default();
        found.ask_anew(Question::Compare(names.clone()), ctx);
        Self {
            names,
            found,
            list: List::default(),
        }
    }

    /// The numbers of all kinds.
    fn counts(&self) -> Option<String> {
        let found = self.found.value()?;
        let of = |kind| {
            let number = words::number(found.number(|compared_kind| compared_kind == kind));
            format!("{} {number}", word(kind))
        };
        let counts = ComparedKind::ALL.map(of).join("   ");
        Some(found.both().unwrap_or_default() + &counts)
    }

    /// The record of the row, of the second side where it has one.
    fn query(&self) -> Option<LookupQuery> {
        let row = self.list.row()?;
        let side = usize::from(row.kind != ComparedKind::Removed);
        Some(LookupQuery {
            date: self.found.value()?.days[side],
            ..LookupQuery::now(row.address?)
        })
    }
}

impl Surface for ComparedSides {
    fn scope(&self) -> Scope {
        self.list.scope_or(SIDES)
    }

    fn list(&self) -> Option<&dyn AnyList> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        Some(&mut self.list)
    }

    fn subject(&self) -> Option<Subject<'_>> {
        let row = self.list.row();
        Some(Subject {
            name: row.map(|row| row.name.clone()),
            address: row.and_then(|row| row.address),
            meaning: row.map(|row| Meaning::new(row.name.clone(), row.sides.join(" -> "))),
            ..Subject::default()
        })
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let (Yank::Ticket, Some(found)) = (what, self.found.value()) {
            let ticket = found.ticket(&self.names, ctx.written());
            ctx.out.copy_lines("a ticket note", ticket);
            return true;
        }
        self.list.copy(what, |_| None, ctx.out)
    }

    fn when(&self, gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match gesture {
            _ if self.list.is_typing() => Ok(None),
            Gesture::Open if self.list.row().is_some_and(|row| row.address.is_none()) => {
                Err("it is about no single address".into())
            }
            gesture if self.list.lacks_row_for(gesture) => Err("there is no difference".into()),
            _ => Ok(None),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            gesture if self.list.is_typing() => return self.list.on(gesture, ctx.out).into(),
            Gesture::Open => {
                ctx.out.go = self.query().map(Destination::AtHand);
            }
            gesture if self.list.on(gesture, ctx.out) => {}
            Gesture::Escape | Gesture::Quit | Gesture::Back => {
                self.found.stop(ctx);
                return Flow::Close;
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let other = self.found.settle(reply);
        if other.is_none() {
            let lines = self.found.value().map(|list| list.lines.clone());
            self.list.fill(lines.unwrap_or_default());
        }
        other
    }

    fn stays(&self) -> bool {
        self.found.value().is_some()
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let [a, b] = self
            .names
            .each_ref()
            .map(|text| match text.rsplit('/').next() {
                // Of a file the last part of its path is enough.
                Some(file) if text.starts_with('/') => visible(file),
                _ => visible(text),
            });
        let size = Size::new(area.width.saturating_sub(8), area.height.saturating_sub(4));
        let inner = Popup::new(format!("A {a}   B {b}"), size)
            .key(theme, "enter", "open (free)", 0)
            .key(theme, "/", "filter", 1)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, ctx);
        let lines = match (self.found.error(), self.counts()) {
            (Some(error), _) => failure::lines("", error, "  ", "esc closes", theme),
            (None, None) => vec![Line::styled("~ reading both sides", theme.warn)],
            (None, Some(_)) if self.list.rows().all().next().is_none() => {
                vec![Line::styled(
                    "no difference; lists are compared as sets",
                    theme.text,
                )]
            }
            (None, Some(counts)) => {
                let found = self.found.value().into_iter();
                let notes = found.flat_map(|list| list.notes.iter().cloned().chain(list.cut()));
                let notes = notes.map(|note| Line::styled(visible(&note).into_owned(), theme.warn));
                let sources = self
                    .found
                    .value()
                    .into_iter()
                    .flat_map(|list| &list.sources);
                let sources = sources.map(|text| Line::styled(format!("local {text}"), theme.dim));
                let head = [Line::raw(counts)].into_iter().chain(sources);
                let head: Vec<_> = head.chain(notes).collect();
                let lines = u16::try_from(head.len()).unwrap_or(u16::MAX);
                let [top, rows] =
                    Layout::vertical([Constraint::Max(lines), Constraint::Min(2)]).areas(inner);
                page::draw_lines(frame, top, head, theme);
                return self.list.draw(frame, rows, ctx, Focus::Here);
            }
        };
        page::draw_lines(frame, inner, lines, theme);
    }
}
