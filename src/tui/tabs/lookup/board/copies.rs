//! What is copied of a table: its rows, the ticket note with the command that counts the same, and the export of its operators.

use std::collections::BTreeSet;

use super::{
    Board, BoardAddress,
    address::{COPIED, HEADS},
};
use crate::{
    contract::{ExportQuery, Feed},
    investigation::board::{BoardField, BoardFilter, BoardGroups, Standing},
    model::{Keyword, TagName},
    report::{
        BoardSummary, EnrichAnswers, EnrichCommand, RowSource, TICKET_ROWS, TicketStamp,
        board_ticket, count, each, enrich_command,
    },
    store::ReleasePlace,
    tui::ctx::{Destination, OmittedConditions, Outbox, Rows as _, Yank},
};

impl Board {
    /// Whether a chosen row has an operator that an export can ask for.
    pub(in crate::tui::tabs::lookup) fn has_operators(&self) -> bool {
        let mut known = self.chosen().filter_map(BoardAddress::known);
        known.any(|row| row.tags.iter().any(|tag| TagName::new(tag).is_ok()))
    }

    /// The operators of the chosen rows, as tags for an export.
    pub(in crate::tui::tabs::lookup) fn operators(&self) -> Vec<TagName> {
        let known = self.chosen().filter_map(BoardAddress::known);
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
    pub(in crate::tui::tabs::lookup) fn export(&self) -> Destination {
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
    pub(in crate::tui::tabs::lookup) fn copy(
        &self,
        what: Yank,
        written: TicketStamp,
        out: &mut Outbox,
    ) -> bool {
        let chosen = self.chosen();
        let words = self.chosen_words("the table".to_owned());
        if let (Yank::Value, Some(value)) = (what, self.value_in_focus()) {
            out.copy(value.field.heading().to_owned(), value.name.clone());
            return true;
        }
        match (what, self.list.marks().is_empty()) {
            (Yank::Ticket, _) => {
                out.copy_lines(words, self.ticket(written));
            }
            (Yank::Row, false) => {
                let cells = chosen.map(BoardAddress::cells);
                let texts = cells.map(|cells| cells.into_iter().map(|cell| cell.text).collect());
                out.copy_csv(words, &COPIED, texts);
            }
            (Yank::Json, false) => out.copy_json_lines(words, chosen.map(BoardAddress::object)),
            _ => return false,
        }
        true
    }

    /// The command that counts the same, if the text is in a file and all its rows are chosen.
    fn command(&self, is_invented: bool) -> Option<String> {
        let file = self
            .file
            .as_ref()
            .filter(|_| self.list.marks().is_empty())?;
        let filter = self.list.filter();
        let read = BoardFilter::read(filter, None).ok()?;
        // Words that may be anywhere in a row are not in the language of the command line.
        if self.list.rows().mistake().is_some() || read.has_words() {
            return None;
        }
        let filter = Some(filter).filter(|text| !text.is_empty());
        let has = |wanted: Standing| self.counts.iter().any(|(standing, _)| standing == wanted);
        let known = self.list.rows().all().filter_map(|row| row.known());
        let places: Vec<Option<ReleasePlace>> = known.map(|row| row.source.place()).collect();
        let elsewhere = |place: &Option<ReleasePlace>| place.and_then(ReleasePlace::elsewhere);
        let answers = match places.iter().find_map(elsewhere) {
            Some(place) => EnrichAnswers::At(place),
            None if places.contains(&None) => EnrichAnswers::Cached,
            None => EnrichAnswers::Local,
        };
        // The command line asks another place alone, or not at all.
        let is_there = |place| elsewhere(place).map(EnrichAnswers::At) == Some(answers);
        if matches!(answers, EnrichAnswers::At(_)) && !places.iter().all(is_there) {
            return None;
        }
        let day = match self.source() {
            Some(RowSource::Release { moment, .. }) => Some(moment.day()),
            _ => self.day,
        };
        Some(enrich_command(&EnrichCommand {
            file,
            profile: self.profile.as_deref().filter(|_| !is_invented),
            is_invented,
            at_time: self.is_at_time,
            // Who names an address as an entry is known of the newest releases only.
            day: day.filter(|_| {
                !self.is_at_time && answers != EnrichAnswers::Cached && !has(Standing::Entry)
            }),
            answers,
            filter,
        }))
    }

    /// The ticket note about the chosen rows.
    fn ticket(&self, written: TicketStamp) -> String {
        let invented = written.invented;
        let rows: Vec<&BoardAddress> = self.chosen().collect();
        let mut operators = BoardGroups::new(BoardField::Record(Keyword::Tag));
        for row in &rows {
            operators.add(&row.entry());
        }
        let mut sources: Vec<String> = Vec::new();
        for source in rows.iter().filter_map(|row| Some(row.known()?.source)) {
            let words = format!("{} {}", source.word(), source.day());
            if !sources.contains(&words) {
                sources.push(words);
            }
        }
        let summary = BoardSummary {
            addresses: rows
                .iter()
                .map(|row| row.key.address)
                .collect::<BTreeSet<_>>()
                .len() as u64,
            rows: rows.len() as u64,
            lines: rows.iter().map(|row| row.seen.count).sum(),
            counts: rows.iter().map(|row| row.state.standings()).collect(),
            operators: operators.ranked(),
            filter: match self.list.rows().mistake() {
                Some(_) => "",
                None => self.list.filter(),
            },
            source: match each(&sources, ", ") {
                none if none.is_empty() => "local feeds and cache".to_owned(),
                sources if self.is_at_time => format!("as of the day of each event: {sources}"),
                sources => sources,
            },
            differing: rows.iter().filter(|row| self.events.differ(row)).count() as u64,
            cost: self.spent,
            command: self.command(invented).unwrap_or_default(),
        };
        let cells = rows.iter().take(TICKET_ROWS).map(|row| row.ticket_cells());
        let cells: Vec<_> = cells.collect();
        board_ticket(&summary, &HEADS, &cells, written)
    }
}
