//! A release and what is asked of it.

use crate::{
    cli::console::Console,
    engine::{Engine, OpenRelease, Result},
    report::{Ticket, TicketStamp, count, filter_ticket},
    store::{Filter, RowId, StopFlag, index::QueryError},
};

/// A release and what is asked of it.
pub(super) struct SearchInputs<'a> {
    pub(super) engine: &'a Engine,
    pub(super) console: &'a Console,
    pub(super) opened: OpenRelease,
    pub(super) filter: Filter,
}

impl SearchInputs<'_> {
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
        work: impl Fn(&OpenRelease, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        self.engine
            .releases
            .with_local(self.opened.clone(), work)
            .await
    }

    /// What a ticket begins with: how many records match, and of which data.
    pub(super) fn ticket(&self, number: u64) -> Ticket {
        let settings = &self.engine.settings;
        let written = TicketStamp {
            at: settings.now(),
            invented: settings.invented,
        };
        filter_ticket(&self.opened.release, &self.filter, number, written)
    }

    /// How many records match, and in what, for people who watch the run.
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
