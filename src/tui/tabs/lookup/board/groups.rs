//! The addresses of the table by a field: each value with its addresses, lines and clients, over the rows.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    style::Style,
};

use crate::{
    investigation::board::{BoardField, BoardGroup},
    model::visible,
    tui::{
        ctx::{
            AnyList, ColumnSpec, Destination, Flow, Gesture, HeldRow, HeldRows, List, ListRow,
            Meaning, Price, Scope, SignPlace, Subject, Surface, UpdateCtx, Value, ViewCtx, Why,
            Yank,
        },
        ui::{Focus, Motion, Popup, Theme, Width, words},
    },
};

pub(in crate::tui::tabs::lookup) const GROUPS: Scope = Scope::Tab("Groups");

/// What stands for no value.
const NONE: &str = "(none)";

/// The addresses with one value.
#[derive(Debug)]
struct GroupRow {
    name: String,
    group: BoardGroup,
}

impl ListRow for GroupRow {
    type Key = String;

    const NOUN: &'static str = "group";

    const FILTER: &'static str = "letters of a value";

    const SIGNS: SignPlace = SignPlace::Nowhere;

    fn key(&self) -> &String {
        &self.name
    }

    fn style(&self, column: &str, theme: &Theme) -> Style {
        match (column, &self.group.value) {
            ("value", Some(_)) => theme.accent,
            (_, None) => theme.dim,
            _ => theme.text,
        }
    }
}

impl HeldRow for GroupRow {
    /// Those with the most addresses first.
    const SORTED_BY: usize = 1;

    const COLUMNS: &'static [ColumnSpec<Self>] =
        &[
            ColumnSpec::text("value", "VALUE", Width::Fill(16), |row: &Self| {
                row.name.as_str().into()
            }),
            ColumnSpec::number("addresses", "ADDRESSES", Width::Min(9), |row: &Self| {
                Value::Count(row.group.addresses)
            }),
            ColumnSpec::number("lines", "LINES", Width::Min(6), |row: &Self| {
                Value::Count(row.group.lines)
            }),
            ColumnSpec::number("clients", "CLIENTS", Width::Min(7), |row: &Self| match row
                .group
                .clients
            {
                0 => Value::Unknown,
                clients => Value::Count(clients),
            })
            .rank(1),
        ];

    fn text(&self) -> Cow<'_, str> {
        self.name.as_str().into()
    }

    /// What has no value is below all else.
    fn group(&self) -> u8 {
        u8::from(self.group.value.is_none())
    }
}

/// The groups of the rows that were shown when it was opened.
#[derive(Debug)]
pub(in crate::tui::tabs::lookup) struct BoardGroupList {
    by: BoardField,
    /// The fields to the left and to the right of it.
    beside: [BoardField; 2],
    /// The number of addresses in them.
    addresses: u64,
    list: List<HeldRows<GroupRow>>,
}

impl BoardGroupList {
    pub(super) fn new(
        by: BoardField,
        beside: [BoardField; 2],
        addresses: u64,
        groups: Vec<BoardGroup>,
    ) -> Self {
        let row = |group: BoardGroup| GroupRow {
            name: group.value.clone().unwrap_or_else(|| NONE.to_owned()),
            group,
        };
        let mut list = List::<HeldRows<GroupRow>>::default();
        list.fill(groups.into_iter().map(row).collect());
        Self {
            by,
            beside,
            addresses,
            list,
        }
    }

    /// The filter of the addresses in the selected group.
    fn term(&self) -> Option<String> {
        let value = self.list.row()?.group.value.as_ref()?;
        Some(self.by.term(value))
    }
}

impl Surface for BoardGroupList {
    fn scope(&self) -> Scope {
        self.list.scope_or(GROUPS)
    }

    fn list(&self) -> Option<&dyn AnyList> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        Some(&mut self.list)
    }

    fn subject(&self) -> Option<Subject<'_>> {
        let row = self.list.row();
        let meaning = row.map(|row| {
            let addresses = words::number(row.group.addresses);
            Meaning::new(row.name.clone(), format!("{addresses} addresses"))
        });
        Some(Subject {
            name: row.map(|row| row.name.clone()),
            meaning,
            ..Subject::default()
        })
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.list.copy(what, |_| None, ctx.out)
    }

    fn when(&self, gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match gesture {
            _ if self.list.is_typing() => Ok(None),
            Gesture::Open if self.list.row().is_some() && self.term().is_none() => {
                Err("addresses without a value cannot be filtered".into())
            }
            gesture if self.list.lacks_row_for(gesture) => Err("there is no group".into()),
            _ => Ok(None),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let [left, right] = &self.beside;
        match gesture {
            gesture if self.list.is_typing() => return self.list.on(gesture, ctx.out).into(),
            Gesture::Open => ctx.out.go = self.term().map(Destination::BoardWith),
            Gesture::Go(Motion::Left) => ctx.out.go = Some(Destination::BoardBy(left.clone())),
            Gesture::Go(Motion::Right) => ctx.out.go = Some(Destination::BoardBy(right.clone())),
            gesture if self.list.on(gesture, ctx.out) => {}
            Gesture::Escape | Gesture::Quit | Gesture::Back => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let rows = self.list.rows().all().count() + 2;
        let rows = u16::try_from(rows).unwrap_or(u16::MAX).max(8);
        let size = Size::new(76, rows.min(area.height.saturating_sub(4)));
        let title = format!(
            "{} addresses by {}",
            words::number(self.addresses),
            visible(self.by.in_words())
        );
        let inner = Popup::new(title, size)
            .key(ctx.theme, "enter", "filter", 0)
            .key(ctx.theme, "left right", "other field", 1)
            .key(ctx.theme, "b", "fields", 2)
            .key(ctx.theme, "esc", "close", 0)
            .draw(frame, area, ctx);
        self.list.draw(frame, inner, ctx, Focus::Here);
    }
}
