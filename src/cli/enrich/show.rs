//! Answers put into their format, batch by batch.

use std::{collections::HashSet, net::IpAddr};

use super::{
    batch::{BusyAnswer, ShownBatch, busiest},
    recent::RecentOf,
    rest::{Replies, Unanswered},
    row::{EnrichRow, RowContext, ServiceAnswer, columns},
};
use crate::{
    cli::{args::enrich::EnrichSelection, console::Console, lookup, run::FeedsJudged},
    contract::Feed,
    engine::{KnownAddress, LocalAnswers, LocalLine, OpenDay, OtherRecord},
    investigation::{board::BoardGroups, event_answer::EventAnswer, gather::FoundAddress},
    model::{Document, Subject, Terms},
    report::{Columns, ResultFormat, RowFormat, RowPage, Ticket},
    store::layout::Release,
};

/// The form of the answers of a run, and which of them are wanted.
pub(super) struct EnrichSheet {
    rows: RowFormat,
    selected: EnrichSelection,
    /// Whether occurrences are counted.
    counts: bool,
    /// For each release whether its records tell that there are some of a family of addresses.
    judged: Vec<bool>,
    of_rows: RowContext,
}

impl EnrichSheet {
    pub(super) fn new(
        console: &Console,
        opened: &[OpenDay],
        selected: EnrichSelection,
        counts: bool,
        texts: Vec<String>,
    ) -> Self {
        let judged = FeedsJudged::of(opened);
        let has = |opened: &OpenDay| judged.has(opened.release.manifest.feed);
        let releases: Vec<Release> = opened.iter().map(|opened| opened.release.clone()).collect();
        Self {
            rows: console.row_format(),
            counts,
            judged: opened.iter().map(has).collect(),
            of_rows: RowContext::new(releases, texts, selected.all),
            selected,
        }
    }

    /// The same with what was at hand on the days of events; `is_whole` where every local feed that is asked can be read.
    pub(super) fn with_events(mut self, at_time: bool, is_whole: bool) -> Self {
        (self.of_rows.at_time, self.of_rows.is_whole) = (at_time, is_whole);
        self
    }

    /// The columns of the answers, of those that people read the ones that say something.
    pub(super) fn columns<'a>(&self) -> Columns<EnrichRow<'a>> {
        let feeds = self
            .of_rows
            .releases
            .iter()
            .map(|release| release.manifest.feed);
        let mut columns = columns(self.of_rows.at_time);
        if feeds.len() > 0 && !feeds.clone().any(Feed::holds_contexts) {
            columns = columns.without(&["anonymization", "clients"]);
        }
        if !self.counts {
            columns = columns.without(&["seen", "role"]);
        }
        if self.rows.format == ResultFormat::Md {
            return columns.labelled("day", "data date");
        }
        let width = feeds.map(|feed| feed.name().len()).max();
        columns.sized(move |label| match label {
            "address" => (15, false),
            "feed" => (width.unwrap_or(0), false),
            "day" | "event day" => (10, false),
            "then" => (16, false),
            "anonymization" => (13, false),
            "cc" => (2, false),
            "clients" => (7, true),
            "seen" => (5, true),
            "role" => (6, false),
            _ => (0, false),
        })
    }

    /// What precedes the answers, or a list of values; `spends` where the cache and the service answer as well.
    pub(super) fn ticket(&self, spends: bool) -> Ticket {
        let place = lookup::source_of(self.of_rows.releases.first());
        let source = if spends {
            format!("{place} feeds, cached answers and live queries")
        } else {
            format!("{place} feeds")
        };
        Ticket::about("Addresses")
            .sentence("Addresses found in a text, with their records.")
            .line("source", &source)
            .line("data", &lookup::names(&self.of_rows.releases))
    }

    /// The answers of a batch.
    pub(super) fn show(
        &self,
        found_address: &[FoundAddress],
        answers: &LocalAnswers,
        beside: &BatchBeside<'_>,
    ) -> ShownBatch {
        let mut shown = ShownBatch {
            addresses: found_address.len() as u64,
            groups: self.selected.group.clone().map(|by| {
                let is_json = self.rows.format == ResultFormat::Json;
                BoardGroups::new(by).with_lists(is_json)
            }),
            ..ShownBatch::default()
        };
        let columns = self.columns();
        answers.each(|known| {
            let Some(found) = found_address.get(known.number) else {
                return;
            };
            let event = beside.events.get(known.number).and_then(Option::as_ref);
            let reply = beside.replies.today(found);
            let is_known = reply.is_some()
                || known.lines.iter().any(|line| self.judged[line.release])
                || known.also.iter().any(|other| self.judged[other.release]);
            shown
                .families
                .asked(Subject::Address(known.address), is_known);
            let why_not = beside.replies.why_not(found, event);
            match why_not {
                Some((error, Unanswered::Failed)) => {
                    let typed = found.typed.as_deref().map(str::to_owned);
                    let query = found.address.to_string();
                    return shown.failures.push((query, typed, error.clone()));
                }
                Some((error, Unanswered::NotSent)) => shown.left_out.count_unsent(error),
                Some((_, Unanswered::PossiblySpent)) => shown.left_out.possibly_spent += 1,
                None => {}
            }
            let row = |line, answer, also| {
                let mut row = EnrichRow::of(&self.of_rows, found, event, line, also);
                row.answer = answer;
                row.is_left_out = why_not.is_some();
                row.is_named = beside.named.contains(&found.address);
                row.recent = beside.recent.get(&found.address).cloned();
                row
            };
            self.add(row, (known, reply), &columns, &mut shown);
        });
        if let Some(most) = self.selected.top {
            busiest(&mut shown.busiest, most);
        }
        shown
    }

    fn add<'a>(
        &'a self,
        row: impl Fn(
            Option<LocalLine<'a>>,
            Option<&'a ServiceAnswer>,
            Vec<OtherRecord>,
        ) -> EnrichRow<'a>,
        (known, reply): (KnownAddress<'a>, Option<&'a ServiceAnswer>),
        columns: &Columns<EnrichRow<'a>>,
        shown: &mut ShownBatch,
    ) {
        let EnrichSelection {
            filter, facet, top, ..
        } = &self.selected;
        let mut rows = Vec::new();
        match reply {
            Some(_) => rows.push(row(None, reply, with_lines(&known))),
            None if known.lines.is_empty() => rows.push(row(None, None, known.also.clone())),
            None => {}
        }
        if reply.is_none() || self.selected.all {
            let lines = known.lines.iter();
            rows.extend(lines.map(|line| row(Some(*line), None, known.also.clone())));
        }
        let is_grouped = shown.groups.is_some();
        let reads = !filter.is_empty() || facet.is_some() || top.is_some() || is_grouped;
        for row in rows {
            let document = reads.then(|| row.entry_document()).flatten();
            // Where there is no record there are no values and no clients.
            let is_without = document.is_none() && (row.has_no_record() || self.of_rows.at_time);
            if is_without && (facet.is_some() || top.is_some() && !is_grouped) {
                continue;
            }
            let terms = document
                .as_ref()
                .map(|document| Terms::of(document.value()));
            // A group counts it as what it is.
            if reads && document.is_none() && !is_grouped && !is_without {
                shown.unread += 1;
            }
            let entry = reads.then(|| row.entry(terms.as_ref()));
            if let Some(entry) = &entry
                && !filter.matches(entry, String::new)
            {
                continue;
            }
            shown.matched += 1;
            if let (Some(groups), Some(entry)) = (&mut shown.groups, &entry) {
                groups.add(entry);
                continue;
            }
            if let Some(by) = facet {
                if let Some(document) = &document {
                    shown.tally.add(by, document);
                }
                continue;
            }
            let mut busy = RowPage::default();
            let page = if top.is_some() {
                &mut busy
            } else {
                &mut shown.rows
            };
            self.rows.push(columns, &row, page);
            shown.unread += u64::from(row.is_unread());
            if top.is_some() {
                shown.busiest.push(BusyAnswer {
                    clients: terms.and_then(|terms| terms.clients),
                    count: row.seen().map_or(1, |seen| seen.count),
                    row: busy,
                });
            }
        }
    }
}

/// What is known of the addresses of a batch beside their local records.
pub(super) struct BatchBeside<'b> {
    /// What was at hand on the days of events.
    pub(super) events: &'b [Option<EventAnswer>],
    /// What the cache and the service answered.
    pub(super) replies: &'b Replies,
    /// The addresses that records of others name as an entry.
    pub(super) named: &'b HashSet<IpAddr>,
    /// What the last local days add.
    pub(super) recent: &'b RecentOf,
}

/// All local records about an address, where another answer is shown.
fn with_lines(known: &KnownAddress<'_>) -> Vec<OtherRecord> {
    let of_lines = known.lines.iter().map(|line| OtherRecord {
        release: line.release,
        subject: Document::read(line.line)
            .ok()
            .and_then(|document| Terms::of(document.value()).subject),
    });
    of_lines.chain(known.also.iter().copied()).collect()
}
