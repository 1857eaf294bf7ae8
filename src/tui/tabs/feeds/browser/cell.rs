//! The cell under the cursor: its filter, and the menu of its actions.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    Browser, BrowserFocus, BrowserOverlay, choice,
    columns::{self, ColumnKind},
    keys::VALUE_IN_FOCUS,
    menu::{Menu, MenuEffect, MenuItem},
    records::BrowserRow,
};
use crate::{
    contract::{LookupQuery, catalog::RecordKind},
    engine::{answers::replaces_a_query, config::AnswerOrder},
    model::{Document, Keyword, TagName},
    store::{
        Filter,
        filter::{NumberComparison, Term, Test},
    },
    tui::{
        ctx::{UpdateCtx, destination::Destination, facts::Facts, intent::Yank, list::AnyList},
        ui::theme::Tone,
    },
};

/// Why a record cannot be looked up.
pub(super) const NO_ADDRESS: &str = "this record has no address to look up";

/// What is under the cursor.
#[derive(Debug, Default)]
pub(in crate::tui::tabs::feeds) struct BrowserSubject<'b> {
    pub(in crate::tui::tabs::feeds) name: Option<String>,
    pub(in crate::tui::tabs::feeds) address: Option<IpAddr>,
    pub(in crate::tui::tabs::feeds) document: Option<&'b Document>,
}

impl Browser {
    /// The column under the cursor.
    pub(super) fn column(&self) -> &'static ColumnKind {
        &columns::of(self.query().feed)[self.list.column()]
    }

    /// The text of the cell under the cursor.
    pub(super) fn cell_text(&self) -> Option<&str> {
        let cell = self.list.row()?.cells.get(self.list.column())?;
        cell.known.then_some(&cell.text)
    }

    /// The destination of a record: the lookup of its address, or its tag.
    pub(super) fn lead(
        &self,
        row: &BrowserRow,
        facts: &Facts,
        now: Timestamp,
    ) -> Option<Destination> {
        if self.query().feed.row().records == RecordKind::Tags {
            return TagName::new(row.name()).ok().map(Destination::Tag);
        }
        let query = row.address().map(LookupQuery::now)?;
        Some(if self.is_free(facts, now) {
            Destination::AtHand(query)
        } else {
            Destination::Address(query)
        })
    }

    /// Whether looking up the record is free: its release is the newest one and fresh enough.
    pub(super) fn is_free(&self, facts: &Facts, now: Timestamp) -> bool {
        if self.query().feed.row().records == RecordKind::Tags {
            return true;
        }
        let Some(shown) = self.list.rows().current() else {
            return false;
        };
        if facts.answers == AnswerOrder::Live {
            return false;
        }
        let age = now.duration_since(shown.view.release.manifest.moment.begins());
        replaces_a_query(self.query().feed)
            && shown.view.newer.is_none()
            && age <= facts.local_max_age
    }

    /// The filter with a clause, or with its negation.
    pub(super) fn like(&self, clause: &Term, negated: bool) -> Filter {
        let filter = &self.query().filter;
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
        let row = self.list.row()?;
        let kind = self.column();
        let mut items = Vec::new();
        if let Some(lead) = self.lead(row, ctx.facts, ctx.out.now) {
            let price = lead.price(ctx.facts).unwrap_or("local: free");
            let label = match &lead {
                Destination::Tag(tag) => format!("open the tag {tag}"),
                _ => format!(
                    "look up {}",
                    row.address().map(|own| own.to_string()).unwrap_or_default()
                ),
            };
            items.push(MenuItem::new(label, price, MenuEffect::Go(lead)));
        }
        for clause in kind.clauses(&row.terms) {
            let opposite = Term {
                negated: true,
                ..clause.clone()
            };
            if let (Test::Is(Keyword::Tag | Keyword::Proxy, values), false) =
                (&clause.test, self.list.column() == 0)
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

    /// The message if there is no record to show as text.
    pub(in crate::tui::tabs::feeds) fn without_document(&self) -> &'static str {
        if self.has_facets_in_focus() {
            VALUE_IN_FOCUS
        } else {
            "there is no record under the cursor"
        }
    }

    /// What is under the cursor: in the table, in the facets, or in the comparison.
    pub(in crate::tui::tabs::feeds) fn front(&self) -> BrowserSubject<'_> {
        match &self.over {
            Some(BrowserOverlay::Days(days)) => {
                days.selected()
                    .map_or_else(BrowserSubject::default, |row| BrowserSubject {
                        name: Some(row.name.clone()),
                        address: row.address,
                        document: row.document.as_ref(),
                    })
            }
            None if self.part == BrowserFocus::Facets => BrowserSubject {
                name: self.facets.selected(self.query()).map(|value| value.name),
                ..BrowserSubject::default()
            },
            _ => {
                let row = self.list.row();
                row.map_or_else(BrowserSubject::default, |row| BrowserSubject {
                    name: Some(row.name().to_owned()),
                    address: row.address(),
                    document: row.document(),
                })
            }
        }
    }

    /// The names of the marked records.
    pub(in crate::tui::tabs::feeds) fn marked(&self) -> Vec<String> {
        self.list.marked()
    }

    /// Copies something; returns whether there was something to copy.
    pub(in crate::tui::tabs::feeds) fn copy(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(BrowserOverlay::Days(days)) = &self.over
            && days.copy(what, ctx)
        {
            return true;
        }
        if what == Yank::Address && !self.list.marks().is_empty() {
            let marked = self.list.marked();
            let words = format!("{} marked records", marked.len());
            ctx.out.copy_lines(words, marked.join("\n"));
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
        let Some(row) = self.list.row() else {
            return false;
        };
        match what {
            Yank::Address => ctx.out.copy("the address", row.name()),
            Yank::Value => {
                let Some(text) = self.cell_text() else {
                    return false;
                };
                ctx.out.copy(self.column().title.to_lowercase(), text);
            }
            Yank::Row => {
                let cells = row.cells.iter().enumerate();
                let shown = cells.filter(|(at, _)| self.list.is_shown(*at));
                let cells: Vec<String> = shown.map(|(_, cell)| cell.bare().to_owned()).collect();
                ctx.out.copy_cells("the row", &cells);
            }
            _ => return false,
        }
        true
    }

    /// The selected clause, if clauses are listed.
    fn clause_in_focus(&self) -> Option<String> {
        let menu = match &self.over {
            Some(BrowserOverlay::Clauses) => self.clauses.menu(self.query()),
            None => self.dropping(),
            Some(_) => None,
        }?;
        let at = menu.cursor.selected(menu.rows.len())?;
        Some(menu.rows[at].label.clone())
    }

    /// Copies the selected value of the facets, alone or with its count; returns whether there was one.
    fn copy_value(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(value) = self.facets.selected(self.query()) else {
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
