//! A release and what is asked of it.

use crate::{
    cli::console::Console,
    engine::{Engine, Opened, Result},
    report::{Ticket, count, moment},
    store::{Filter, RowId, Stop, index::NoAnswer},
};

/// A release and what is asked of it.
pub(super) struct Asked<'a> {
    pub(super) engine: &'a Engine,
    pub(super) console: &'a Console,
    pub(super) opened: Opened,
    pub(super) filter: Filter,
}

impl Asked<'_> {
    /// The lines of these rows.
    pub(super) async fn lines(&self, rows: Vec<RowId>) -> Result<Vec<Vec<u8>>> {
        self.ask(move |opened, _| {
            let line = |row: &RowId| {
                let mut line = Vec::new();
                opened.index.line(*row, &mut line).map(|()| line)
            };
            rows.iter().map(line).collect()
        })
        .await
    }

    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&Opened, &Stop) -> Result<T, NoAnswer> + Send + Sync + 'static,
    ) -> Result<T> {
        self.engine
            .releases
            .with_local(self.opened.clone(), work)
            .await
    }

    /// What a ticket begins with: the question, and of which data it is asked.
    pub(super) fn ticket(&self) -> Ticket {
        let manifest = &self.opened.release.manifest;
        let ticket = Ticket::about(&format!("Search of {}", manifest.feed))
            .line("source", &format!("feed {} on this disk", manifest.feed))
            .line("data date", &manifest.moment.dashed())
            .line("downloaded at", &moment(manifest.pulled_at));
        if self.filter.is_empty() {
            return ticket;
        }
        ticket.line("filter", &self.filter.to_string())
    }

    /// How many records match, and in what, for whoever reads along.
    pub(super) fn said(&self, number: u64) -> String {
        let manifest = &self.opened.release.manifest;
        let of = format!("in {} of {}", manifest.feed, manifest.moment.dashed());
        match number {
            0 => format!("no record matches {of}"),
            1 => format!("1 record matches {of}"),
            _ => format!("{} records match {of}", count(number)),
        }
    }
}
