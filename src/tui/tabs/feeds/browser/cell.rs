//! The cell under the cursor: what it filters by, and the menu of what can be done with it.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    Browser, Over, choice, columns,
    columns::ColumnKind,
    menu::{Item, Menu, Then},
    row::Row,
};
use crate::{
    contract::{Endpoint, LookupQuery, catalog::Records},
    engine::{answers::replaces_a_query, config::Answers},
    model::{Document, Keyword, TagName},
    store::{
        Filter,
        filter::{Compare, Term, Test},
    },
    tui::ctx::{UpdateCtx, ViewCtx, facts::Facts, intent::Yank, place::Place},
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

    /// Where the record under the cursor leads: to the lookup of its address, or to its tag.
    pub(super) fn lead(&self, row: &Row, ctx: &UpdateCtx<'_>) -> Option<Place> {
        if self.query.feed.row().records == Records::Tags {
            return TagName::new(row.name()).ok().map(Place::Tag);
        }
        let query = row.address().map(LookupQuery::now)?;
        Some(if self.is_free(ctx.facts, ctx.out.now) {
            Place::AtHand(query)
        } else {
            Place::Address(query)
        })
    }

    /// Whether the record under the cursor stands for a query: its release is the newest one and young enough.
    pub(super) fn is_free(&self, facts: &Facts, now: Timestamp) -> bool {
        if self.query.feed.row().records == Records::Tags {
            return true;
        }
        let Some(shown) = self.held.of(&self.query) else {
            return false;
        };
        if facts.answers == Answers::Live {
            return false;
        }
        let age = now.duration_since(shown.view.release.manifest.moment.begins());
        replaces_a_query(self.query.feed)
            && shown.view.newer.is_none()
            && age <= facts.local_max_age
    }

    /// What a look at the record costs.
    pub(super) fn price(&self, ctx: &UpdateCtx<'_>) -> &'static str {
        if self.is_free(ctx.facts, ctx.out.now) {
            "local: free"
        } else {
            price_elsewhere(ctx)
        }
    }

    /// What Enter may cost: in the menu of a cell, on its first row.
    pub(in crate::tui::tabs::feeds) fn price_of_enter(
        &self,
        ctx: &ViewCtx<'_>,
    ) -> Option<&'static str> {
        let Some(Over::Menu(menu)) = &self.over else {
            return None;
        };
        match menu.chosen()? {
            Then::Go(Place::Address(query)) => Some(ctx.facts.price(query.geolocation)),
            _ => None,
        }
    }

    /// The filter with a clause, or with its opposite.
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
            Test::Clients(_, number) if negated => {
                choice::with(filter, Test::Clients(Compare::Less, *number).into())
            }
            test => {
                let clause = Term {
                    negated,
                    test: test.clone(),
                };
                choice::with(filter, clause)
            }
        }
    }

    /// Everything that can be done with the cell under the cursor.
    pub(super) fn menu(&self, ctx: &UpdateCtx<'_>) -> Option<Menu> {
        let row = self.selected()?;
        let kind = self.kind();
        let mut items = Vec::new();
        let lead = self.lead(row, ctx);
        if let Some(lead) = lead {
            let label = match &lead {
                Place::Tag(tag) => format!("open the tag {tag}"),
                _ => format!(
                    "look up {}",
                    row.address().map(|own| own.to_string()).unwrap_or_default()
                ),
            };
            items.push(Item::new(label, self.price(ctx), Then::Go(lead)));
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
                items.push(Item::new(label, "free", Then::Go(Place::Tag(tag))));
            }
            let only = Then::Filter(self.like(&clause, false));
            items.push(Item::new(format!("only {clause}"), "=", only));
            let none = Then::Filter(self.like(&clause, true));
            items.push(Item::new(
                format!("not {opposite}").replacen("not -", "without ", 1),
                "-",
                none,
            ));
        }
        if let Some(text) = self.cell_text() {
            let then = Then::Copy(kind.title.to_lowercase(), text.to_owned());
            items.push(Item::new(format!("copy {text}"), "y v", then));
        }
        let title = format!("{} of {}", kind.title.to_lowercase(), row.name());
        (!items.is_empty()).then(|| Menu::new(title, items))
    }

    /// The record under the cursor: of the table, or of the days that are compared.
    pub(in crate::tui::tabs::feeds) fn document(&self) -> Option<&Document> {
        match &self.over {
            Some(Over::Days(days)) => days.selected()?.document.as_ref(),
            _ => self.selected()?.document(),
        }
    }

    /// What the marked records are called.
    pub(in crate::tui::tabs::feeds) fn marked(&self) -> Vec<String> {
        self.marks.names().map(str::to_owned).collect()
    }

    /// What the record under the cursor is called.
    pub(in crate::tui::tabs::feeds) fn name(&self) -> Option<String> {
        match &self.over {
            Some(Over::Days(days)) => Some(days.selected()?.name.clone()),
            _ => Some(self.selected()?.name().to_owned()),
        }
    }

    /// The address of the record under the cursor.
    pub(in crate::tui::tabs::feeds) fn address(&self) -> Option<IpAddr> {
        match &self.over {
            Some(Over::Days(days)) => days.selected()?.address,
            _ => self.selected()?.address(),
        }
    }

    /// The request that looks the record under the cursor up.
    pub(in crate::tui::tabs::feeds) fn endpoint(&self) -> Option<Endpoint> {
        self.address().map(LookupQuery::now).map(Endpoint::Context)
    }

    /// Copies what only the browser can make; says whether there was something.
    pub(in crate::tui::tabs::feeds) fn copy(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
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

/// What a look at an address costs that no fresh local release is known to have.
pub(super) fn price_elsewhere(ctx: &UpdateCtx<'_>) -> &'static str {
    if ctx.facts.answers == Answers::Live {
        "1 query"
    } else {
        "1 query unless local or cached"
    }
}
