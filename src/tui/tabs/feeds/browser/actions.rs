//! What is done with records: the menu of a cell and its filter, copies, marks, tables, exports and comparisons.
//!
//! The engine names the records of a range or of a filter, so that their rows need not be loaded to be marked.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    Browser, BrowserOverlay, choice,
    columns::{self, ColumnKind},
    diff::Comparison,
    menu::{Menu, MenuEffect, MenuItem},
    records::{BrowserRow, VALUE_IN_FOCUS},
};
use crate::{
    contract::{Feed, LookupQuery, catalog::RecordKind},
    engine::views::{CommonQuery, ViewQuery},
    model::{Day, Keyword, Subject, TagName},
    report::{count, each},
    store::{
        Filter, Generation, Manifest, Moment,
        diff::ListedChanges,
        filter::{NumberComparison, Term, Test},
    },
    tui::{
        ctx::{AnyList, Destination, DiffQuery, Facts, OmittedConditions, UpdateCtx, Yank},
        ui::Tone,
    },
};

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
        let head = &shown.head;
        let moment = head.release.manifest.moment;
        head.newer.is_none() && facts.is_free(self.query().feed, moment, now)
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
    pub(super) fn cell_menu(&self, ctx: &UpdateCtx<'_>) -> Option<Menu> {
        let row = self.list.row()?;
        let kind = self.column();
        let mut items = Vec::new();
        if let Some(lead) = self.lead(row, ctx.facts, ctx.out.now) {
            let price = lead.price(ctx.facts).unwrap_or("local: free");
            let label = match &lead {
                Destination::Tag(tag) => format!("open the tag {tag}"),
                _ => format!(
                    "look up {}",
                    row.address()
                        .map(|address| address.to_string())
                        .unwrap_or_default()
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

    /// Copies something; returns whether there was something to copy.
    pub(super) fn copy_front(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
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
        if let (Yank::Ticket, Some(rows)) = (what, self.list.rows().current()) {
            let note = self.facets.ticket(rows, ctx.written());
            ctx.out.copy_lines("a ticket note", note);
            return true;
        }
        if what == Yank::Ticket {
            return false;
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
        if matches!(self.over, Some(BrowserOverlay::Menu(_))) {
            return None;
        }
        Some(self.menu()?.selected()?.label.clone())
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

    /// The marked records that are about a single address.
    pub(super) fn marked_addresses(&self) -> Vec<IpAddr> {
        let subjects = self.list.marks().iter().filter_map(|key| key.0.subject);
        let addresses = subjects.filter_map(|subject| match subject {
            Subject::Address(address) => Some(address),
            Subject::Network(_) => None,
        });
        addresses.collect()
    }

    /// The question what the marked records share, else those of the filter.
    pub(in crate::tui::tabs::feeds) fn common(&self) -> CommonQuery {
        let ViewQuery {
            feed, day, filter, ..
        } = self.query().clone();
        match self.marked_addresses() {
            marked if marked.is_empty() => CommonQuery::Matching(feed, day, filter),
            marked => CommonQuery::Addresses(marked.into(), Some(feed), day),
        }
    }

    /// The value under the cursor that is explained, and its field.
    pub(in crate::tui::tabs::feeds) fn explained(&self) -> (Option<String>, Option<String>) {
        if self.has_facets_in_focus() {
            let value = self.facets.selected(self.query());
            return value
                .map(|value| (value.name, value.field.name().to_owned()))
                .unzip();
        }
        let row = self.list.row();
        let clauses = row.map(|row| self.column().clauses(&row.terms));
        let clause = clauses.into_iter().flatten().next();
        match clause.map(|term| term.test) {
            Some(Test::Is(field, values) | Test::Contains(field, values)) => {
                (values.into_iter().next(), Some(field.name().to_owned()))
            }
            Some(Test::Clients(..)) => (None, Some("clients".to_owned())),
            // What the record is about, whatever its column is called.
            _ if self.list.column() == 0 => (None, Some("net".to_owned())),
            _ => {
                let field = self.column().title.to_lowercase();
                (self.cell_text().map(str::to_owned), Some(field))
            }
        }
    }

    /// The operators of the marked records.
    pub(super) fn marked_tags(&self) -> Vec<TagName> {
        let tags = self.list.marks().iter().flat_map(|key| &key.0.tags);
        let mut tags: Vec<TagName> = tags.filter_map(|tag| TagName::new(tag).ok()).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Opens the marked addresses as a table in Lookup.
    pub(super) fn tabulate_marks(&self, ctx: &mut UpdateCtx<'_>) {
        let addresses = self.marked_addresses();
        let left = self.list.marks().len() - addresses.len();
        if left > 0 {
            let text = format!(
                "{} marked networks are no rows of the table",
                count(left as u64)
            );
            ctx.out.say(Tone::Info, text);
        }
        let ViewQuery { feed, filter, .. } = self.query();
        let name = format!("marked in {feed} {filter}");
        ctx.out.go = Some(Destination::Board(addresses, name.trim_end().to_owned()));
    }

    /// The feed for an export of these records: the same feed if it has exports, else one with records of the same kind. For
    /// marked tags, the feed with most of their addresses.
    pub(super) fn exported(&self) -> Option<Feed> {
        let feed = self.query().feed;
        match feed.row().records {
            _ if Feed::EXPORTED.contains(&feed) => Some(feed),
            RecordKind::Context => Some(Feed::Anonymous),
            RecordKind::Ipv6Context => Some(Feed::AnonymousIpv6),
            RecordKind::Tags if !self.list.marks().is_empty() => Some(Feed::Anonymous),
            RecordKind::Tags | RecordKind::Hosting | RecordKind::Geo => None,
        }
    }

    /// Opens an export with this filter; for marked records, with their tags.
    pub(super) fn export(&mut self, ctx: &mut UpdateCtx<'_>) {
        let own = self.query().feed;
        let Some(feed) = self.exported() else {
            return;
        };
        let (mut query, left) = self.query().filter.to_export(feed);
        let left: Vec<String> = left.iter().map(ToString::to_string).collect();
        let mut omitted = Vec::new();
        if feed != own {
            omitted.push(format!("{own} has no export: this asks for {feed}"));
        }
        if !left.is_empty() {
            omitted.push(format!(
                "an export cannot have {}: left out",
                each(&left, " ")
            ));
        }
        let marked = self.list.marks().len() as u64;
        if marked > 0 {
            let tags = self.marked_tags();
            let text = format!(
                "an export has no addresses: it asks for the {} of {} marked records",
                if tags.len() == 1 {
                    "operator".to_owned()
                } else {
                    format!("{} operators", count(tags.len() as u64))
                },
                count(marked)
            );
            omitted.push(text);
            query.tags = tags;
        }
        let wanted = if marked == 0 {
            let shown = self.list.rows().current();
            shown.map(|shown| format!("{} records shown", count(shown.head.matching())))
        } else {
            Some(format!("{} records marked", count(marked)))
        };
        let omitted = OmittedConditions {
            words: omitted,
            wanted,
        };
        ctx.out.go = Some(Destination::Export(query, omitted));
    }

    /// The menu of columns to show or hide.
    pub(super) fn columns_menu(&self) -> Menu {
        let columns = columns::of(self.query().feed).iter().enumerate().skip(1);
        let item = |(at, column): (usize, &columns::ColumnKind)| {
            let mark = if self.list.is_shown(at) { "[x]" } else { "[ ]" };
            let label = format!("{mark} {}", column.title);
            MenuItem::new(label, "", MenuEffect::Column(at))
        };
        Menu::new("Columns", columns.map(item).collect())
    }

    /// Compares with another day; chooses it, the newest first, if there are several.
    pub(super) fn choose_day(&mut self, ctx: &mut UpdateCtx<'_>) {
        let others = self.days.iter().copied();
        let others = others.filter(|day| self.query().day != Some(*day));
        let others: Vec<Day> = others.collect();
        if let [only] = others.as_slice() {
            return self.compare(*only, ctx);
        }
        let item = |day: Day| MenuItem::new(day.dashed(), "", MenuEffect::Compare(day));
        let rows = others.into_iter().map(item).collect();
        self.over = Some(BrowserOverlay::Menu(Menu::new("Compare with", rows)));
    }

    /// Compares with a day.
    pub(in crate::tui::tabs::feeds) fn compare(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        let Some(own) = self.query().day else {
            return;
        };
        let feed = self.query().feed;
        let query = DiffQuery {
            feed,
            from: own.min(day),
            to: own.max(day),
            filter: self.query().filter.clone(),
            listed: ListedChanges {
                kind: None,
                others: !feed.row().records.has_verdict(),
            },
        };
        let mut days = Comparison::of(query, self.days.first().copied(), ctx);
        let browsed = self.list.rows().loaded();
        let browsed = browsed.map(|rows| &rows.head.release.manifest);
        let browsed = browsed.filter(|manifest| manifest.moment == Moment::Day(days.query().to));
        days.generated = browsed.map(Manifest::generation);
        self.over = Some(BrowserOverlay::Days(Box::new(days)));
    }

    /// Marks the comparison as opened from the list of feeds, so that closing it leads back there. The list provides the time
    /// from which the age of the new day counts.
    pub(in crate::tui::tabs::feeds) fn compared_from_list(
        &mut self,
        generated: Option<Generation>,
    ) {
        if let Some(BrowserOverlay::Days(days)) = &mut self.over {
            days.is_from_list = true;
            days.generated = generated.or(days.generated);
        }
    }
}
