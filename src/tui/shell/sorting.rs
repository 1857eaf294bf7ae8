//! Sorting of any table: the menu of its columns, and the steps from column to column. What a table can be sorted by, its tab says.

use super::{
    app::App,
    overlay::{Overlay, SortMenu},
};
use crate::tui::{
    ctx::{
        intent::{Gesture, Intent},
        outbox::Outbox,
    },
    ui::{
        cursor::{Cursor, Motion},
        theme::Tone,
    },
};

impl App {
    /// Sorts what is in front, or opens the menu for it.
    pub(super) fn sort(&mut self, gesture: Gesture, out: &mut Outbox) {
        let orders = match self.raw.get(&self.tab) {
            Some(_) => None,
            None => self.tabs.of(self.tab).orders(&self.view(out.now)),
        };
        let Some(orders) = orders else {
            let why = self.idle(Intent::Shared(gesture), out.now);
            let none = || "there is no table to sort here".into();
            return out.say(Tone::Info, why.unwrap_or_else(none));
        };
        if gesture == Gesture::Sort {
            let cursor = Cursor::default();
            cursor.select(orders.begins(), orders.rows.len());
            self.overlay = Some(Overlay::Sort(SortMenu { orders, cursor }));
        } else if let Some(at) = orders.beside(gesture == Gesture::SortLeft) {
            self.in_front(out, |tab, ctx| tab.sort(at, false, ctx));
        }
    }

    /// Sorts by the column whose head was clicked; once more turns it round.
    pub(super) fn sort_by_head(&mut self, order: usize, out: &mut Outbox) {
        let orders = self.tabs.of(self.tab).orders(&self.view(out.now));
        let Some(orders) = orders.filter(|own| order < own.rows.len()) else {
            return;
        };
        let is_turned = orders.present == Some((order, false));
        self.in_front(out, |tab, ctx| tab.sort(order, is_turned, ctx));
    }

    /// A key in the menu.
    pub(super) fn act_on_orders(&mut self, gesture: Gesture, out: &mut Outbox) {
        let Some(Overlay::Sort(menu)) = &mut self.overlay else {
            return;
        };
        let len = menu.orders.rows.len();
        let motion = match gesture {
            Gesture::Go(motion) => Some(motion),
            Gesture::SortLeft => Some(Motion::Up),
            Gesture::SortRight => Some(Motion::Down),
            _ => None,
        };
        if let Some(motion) = motion {
            menu.cursor.step(motion, len);
            return;
        }
        let Some(at) = menu.cursor.selected(len) else {
            return;
        };
        // `s` again turns it round.
        let is_turned = menu.orders.is_turned(at) != (gesture == Gesture::Sort);
        self.overlay = None;
        self.in_front(out, |tab, ctx| tab.sort(at, is_turned, ctx));
    }
}
