//! The cell under the cursor: its filter, and the menu of its actions.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    Browser, BrowserFocus, BrowserOverlay,
    actions::VALUE_IN_FOCUS,
    choice, columns,
    columns::ColumnKind,
    menu::{Menu, MenuEffect, MenuItem},
    row::BrowserRow,
};
use crate::{
    contract::{Endpoint, LookupQuery, catalog::RecordKind},
    engine::{answers::replaces_a_query, config::AnswerOrder},
    model::{Document, Keyword, TagName},
    store::{
        Filter,
        filter::{NumberComparison, Term, Test},
    },
    tui::{
        ctx::{UpdateCtx, ViewCtx, destination::Destination, facts::Facts, intent::Yank},
        ui::theme::Tone,
    },
};

impl Browser {
    /// The column under the cursor.
    pub(super) fn kind(&self) -> &'static ColumnKind {
        let columns = columns::of(self.query.feed);
        columns.get(self.column).unwrap_or(&columns[0])
    }

    /// The text of the cell under the cursor.
    pub(super) fn cell_text(&self) -> Option<&str> {
        let cell = self.selected()?.cells.get(self.column)?;
        cell.known.then_some(&cell.text)
    }

    /// The destination of a record: the lookup of its address, or its tag.
    pub(super) fn lead(&self, row: &BrowserRow, ctx: &UpdateCtx<'_>) -> Option<Destination> {
        if self.query.feed.row().records == RecordKind::Tags {
            return TagName::new(row.name()).ok().map(Destination::Tag);
        }
        let query = row.address().map(LookupQuery::now)?;
        Some(if self.is_free(ctx.facts, ctx.out.now) {
            Destination::AtHand(query)
        } else {
            Destination::Address(query)
        })
    }

    /// Whether looking up the record is free: its release is the newest one and fresh enough.
    pub(super) fn is_free(&self, facts: &Facts, now: Timestamp) -> bool {
        if self.query.feed.row().records == RecordKind::Tags {
            return true;
        }
        let Some(shown) = self.held.of(&self.query) else {
            return false;
        };
        if facts.answers == AnswerOrder::Live {
            return false;
        }
        let age = now.duration_since(shown.view.release.manifest.moment.begins());
        replaces_a_query(self.query.feed)
            && shown.view.newer.is_none()
            && age <= facts.local_max_age
    }

    /// The price of looking up the record.
    pub(super) fn price(&self, ctx: &UpdateCtx<'_>) -> &'static str {
        if self.is_free(ctx.facts, ctx.out.now) {
            "local: free"
        } else {
            price_elsewhere(ctx)
        }
    }

    /// The price of Enter on a row of the menu, if it has one.
    pub(in crate::tui::tabs::feeds) fn price_of_enter(
        &self,
        ctx: &ViewCtx<'_>,
    ) -> Option<&'static str> {
        let Some(BrowserOverlay::Menu(menu)) = &self.over else {
            return None;
        };
        match menu.chosen()? {
            MenuEffect::Go(Destination::Address(query)) => Some(ctx.facts.price(query.geolocation)),
            _ => None,
        }
    }

    /// The filter with a clause, or with its negation.
    pub(super) fn like(&self, clause: &Term, negated: bool) -> Filter {
        let filter = &self.query.filter;
        match &clause.test {
            Test::Is(field, values) | Test::Contains(field, values) => {
                let change = if negated {
                    choice::exclude
                } else {
                    choice::choose
                };
                values
                    .first()
                    .map_or_else(|| filter.clone(), |value| change(filter, *field, value))
            }
            Test::Clients(_, number) if negated => choice::with(
                filter,
                Test::Clients(NumberComparison::Less, *number).into(),
            ),
            test => {
                let clause = Term {
                    negated,
                    test: test.clone(),
                };
                choice::with(filter, clause)
            }
        }
    }

    /// The menu of all actions on the cell under the cursor.
    pub(super) fn menu(&self, ctx: &UpdateCtx<'_>) -> Option<Menu> {
        let row = self.selected()?;
        let kind = self.kind();
        let mut items = Vec::new();
        let lead = self.lead(row, ctx);
        if let Some(lead) = lead {
            let label = match &lead {
                Destination::Tag(tag) => format!("open the tag {tag}"),
                _ => format!(
                    "look up {}",
                    row.address().map(|own| own.to_string()).unwrap_or_default()
                ),
            };
            items.push(MenuItem::new(label, self.price(ctx), MenuEffect::Go(lead)));
        }
        for clause in kind.clauses(&row.terms) {
            let opposite = Term {
                negated: true,
                ..clause.clone()
            };
            if let (Test::Is(Keyword::Tag | Keyword::Proxy, values), false) =
                (&clause.test, self.column == 0)
                && let Some(tag) = values.first().and_then(|name| TagName::new(name).ok())
            {
                let label = format!("open the tag {tag}");
                items.push(MenuItem::new(
                    label,
                    "free",
                    MenuEffect::Go(Destination::Tag(tag)),
                ));
            }
            let only = MenuEffect::Filter(self.like(&clause, false));
            items.push(MenuItem::new(format!("only {clause}"), "=", only));
            let none = MenuEffect::Filter(self.like(&clause, true));
            items.push(MenuItem::new(
                format!("not {opposite}").replacen("not -", "without ", 1),
                "-",
                none,
            ));
        }
        if let Some(text) = self.cell_text() {
            let then = MenuEffect::Copy(kind.title.to_lowercase(), text.to_owned());
            items.push(MenuItem::new(format!("copy {text}"), "y v", then));
        }
        let title = format!("{} of {}", kind.title.to_lowercase(), row.name());
        (!items.is_empty()).then(|| Menu::new(title, items))
    }

    /// Whether keys act on a value of the facets.
    pub(super) fn has_facets_in_focus(&self) -> bool {
        self.over.is_none() && self.part == BrowserFocus::Facets
    }

    /// The message if there is no record to show as text.
    pub(in crate::tui::tabs::feeds) fn without_document(&self) -> &'static str {
        if self.has_facets_in_focus() {
            VALUE_IN_FOCUS
        } else {
            "there is no record under the cursor"
        }
    }

    /// The record under the cursor: in the table, or in the comparison.
    pub(in crate::tui::tabs::feeds) fn document(&self) -> Option<&Document> {
        match &self.over {
            Some(BrowserOverlay::Days(days)) => days.selected()?.document.as_ref(),
            None if self.part == BrowserFocus::Facets => None,
            _ => self.selected()?.document(),
        }
    }

    /// The names of the marked records.
    pub(in crate::tui::tabs::feeds) fn marked(&self) -> Vec<String> {
        self.marks.names().map(str::to_owned).collect()
    }

    /// The name of the record under the cursor, or the selected value of the facets.
    pub(in crate::tui::tabs::feeds) fn name(&self) -> Option<String> {
        match &self.over {
            Some(BrowserOverlay::Days(days)) => Some(days.selected()?.name.clone()),
            None if self.part == BrowserFocus::Facets => {
                Some(self.facets.selected(&self.query)?.name)
            }
            _ => Some(self.selected()?.name().to_owned()),
        }
    }

    /// The address of the record under the cursor.
    pub(in crate::tui::tabs::feeds) fn address(&self) -> Option<IpAddr> {
        match &self.over {
            Some(BrowserOverlay::Days(days)) => days.selected()?.address,
            None if self.part == BrowserFocus::Facets => None,
            _ => self.selected()?.address(),
        }
    }

    /// The request that looks up the record under the cursor.
    pub(in crate::tui::tabs::feeds) fn endpoint(&self) -> Option<Endpoint> {
        self.address().map(LookupQuery::now).map(Endpoint::Context)
    }

    /// Copies something; returns whether there was something to copy.
    pub(in crate::tui::tabs::feeds) fn copy(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(BrowserOverlay::Days(days)) = &self.over
            && let Some(row) = days.selected()
            && matches!(what, Yank::Address | Yank::Value | Yank::Row)
        {
            match what {
                Yank::Address => {
                    let what = row.address.map_or("the name", |_| "the address");
                    ctx.out.copy(what, row.name.clone());
                }
                Yank::Value => ctx.out.copy("the change", row.brief()),
                _ => ctx
                    .out
                    .copy_cells("the row", &[row.name.clone(), row.brief()]),
            }
            return true;
        }
        if let Yank::Address = what
            && !self.marks.is_empty()
        {
            let marks: Vec<&str> = self.marks.names().collect();
            let words = format!("{} marked records", marks.len());
            ctx.out.copy_lines(words, marks.join("\n"));
            return true;
        }
        if what == Yank::Ticket {
            return self.copy_note(ctx);
        }
        if self.has_facets_in_focus() {
            return self.copy_value(what, ctx);
        }
        if let Some(clause) = self.clause_in_focus() {
            let is_text = matches!(what, Yank::Address | Yank::Value | Yank::Row);
            if is_text {
                ctx.out.copy("the clause", clause);
            }
            return is_text;
        }
        let Some(row) = self.selected() else {
            return false;
        };
        match what {
            Yank::Address => ctx.out.copy("the address", row.name()),
            Yank::Value => {
                let Some(text) = self.cell_text() else {
                    return false;
                };
                ctx.out.copy(self.kind().title.to_lowercase(), text);
            }
            Yank::Row => {
                let shown = row
                    .cells
                    .iter()
                    .zip(&self.columns)
                    .filter(|(_, shown)| **shown);
                let cells: Vec<String> = shown.map(|(cell, _)| cell.bare().to_owned()).collect();
                ctx.out.copy_cells("the row", &cells);
            }
            _ => return false,
        }
        true
    }
}

impl Browser {
    /// The selected clause, if clauses are listed.
    fn clause_in_focus(&self) -> Option<String> {
        let menu = match &self.over {
            Some(BrowserOverlay::Clauses) => self.clauses.menu(&self.query),
            None => self.dropping(),
            Some(_) => None,
        }?;
        let at = menu.cursor.selected(menu.rows.len())?;
        Some(menu.rows[at].label.clone())
    }

    /// Copies the selected value of the facets, alone or with its count; returns whether there was one.
    fn copy_value(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(value) = self.facets.selected(&self.query) else {
            return false;
        };
        match (what, value.count) {
            (Yank::Row, Some(count)) => {
                let cells = [value.name, count.to_string()];
                ctx.out.copy_cells("the value with its count", &cells);
            }
            (Yank::Address | Yank::Value | Yank::Row, _) => {
                ctx.out.copy(value.field.name(), value.name);
            }
            _ => ctx.out.say(Tone::Info, VALUE_IN_FOCUS),
        }
        true
    }
}

/// The price of looking up an address without a known fresh local record.
pub(super) fn price_elsewhere(ctx: &UpdateCtx<'_>) -> &'static str {
    if ctx.facts.answers == AnswerOrder::Live {
        "1 query"
    } else {
        "1 query unless local or cached"
    }
}
