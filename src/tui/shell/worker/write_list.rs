//! Writes a list to a file. The records of a view are read page by page, however many there are.

use std::{collections::HashSet, mem, ops::Range, sync::Arc};

use crate::{
    engine::{
        Exports, Progress, Report, Result, Stage, Views,
        views::{RecordName, ViewPage, ViewQuery, ViewRow},
    },
    model::{Subject, Terms},
    report::{ListStyle, ListText, RecordRow, record_columns},
    tui::ctx::{ListContent, ListFile, WrittenList},
};

/// Records that are read together: few at first, so that a list of a few comes at once.
const PAGES: [u64; 2] = [64, 1024];
/// The most marked records that are looked for one by one.
const MOST_SOUGHT: usize = 1_000;

/// Writes the list whole, or not at all. Dropping the future stops it.
pub(super) async fn write_list(
    (views, exports): (&Views, &Exports),
    file: ListFile,
    report: Report,
) -> Result<WrittenList> {
    let ListFile { path, force, list } = file;
    let mut output = exports.begin_text(&path, force)?;
    let rows = match list {
        ListContent::Text(text, rows) => {
            output.push(&text)?;
            rows
        }
        ListContent::Records(query, marked, style) => {
            let mut records = WrittenRecords::of(views, query, marked, style).await?;
            while let Some(text) = records.next(&report).await? {
                output.push(&text)?;
            }
            records.list.rows
        }
    };
    output.publish_aside().await?;
    Ok(WrittenList { rows, path })
}

/// The records of a view, or those of them that are marked, as they are written.
struct WrittenRecords<'v> {
    views: &'v Views,
    query: ViewQuery,
    /// The names of the marked records; none where all are written.
    marked: HashSet<String>,
    /// The positions that are still to be read, and how many there were.
    rest: Vec<Range<u64>>,
    all: u64,
    /// Records that are read together next.
    page: u64,
    /// The bytes of the release.
    bytes: u64,
    list: ListText,
}

impl<'v> WrittenRecords<'v> {
    async fn of(
        views: &'v Views,
        query: ViewQuery,
        marked: Arc<[RecordName]>,
        style: ListStyle,
    ) -> Result<Self> {
        let view = views.page(&query, 0..0).await?.view;
        let networks = marked
            .iter()
            .map(|name| name.subject.as_ref().map(Subject::network));
        let sought: Option<Vec<_>> = networks.collect();
        let sought =
            sought.filter(|networks| !networks.is_empty() && networks.len() <= MOST_SOUGHT);
        let mut rest = Vec::new();
        match sought {
            Some(networks) => {
                let mut positions = Vec::new();
                for network in networks {
                    positions.extend(views.position(&query, network).await?);
                }
                positions.sort_unstable();
                positions.dedup();
                rest.extend(positions.into_iter().map(|at| at..at + 1));
            }
            None => rest.push(0..view.count),
        }
        rest.reverse();
        Ok(Self {
            views,
            list: ListText::begin(style, &record_columns(query.feed)),
            all: rest.iter().map(|range| range.end - range.start).sum(),
            page: PAGES[0],
            bytes: view.release.manifest.bytes,
            query,
            marked: marked.iter().map(|name| name.name.clone()).collect(),
            rest,
        })
    }

    /// The next lines; `None` at the end.
    async fn next(&mut self, report: &Report) -> Result<Option<String>> {
        let Some(mut range) = self.rest.pop() else {
            let last = mem::take(&mut self.list.text);
            return Ok((!last.is_empty()).then_some(last));
        };
        let page = range.start..range.end.min(range.start + self.page);
        self.page = (2 * self.page).min(PAGES[1]);
        range.start = page.end;
        self.rest.extend((!range.is_empty()).then_some(range));
        let ViewPage { rows, .. } = self.views.page(&self.query, page).await?;
        self.push(rows);
        let rest: u64 = self.rest.iter().map(|range| range.end - range.start).sum();
        let done =
            u128::from(self.bytes) * u128::from(self.all - rest) / u128::from(self.all.max(1));
        report(Progress {
            stage: Stage::Writing,
            done: u64::try_from(done).unwrap_or(u64::MAX),
            total: Some(self.bytes),
        });
        Ok(Some(mem::take(&mut self.list.text)))
    }

    /// Adds those of these rows that are wanted. One that cannot be read says so in its place.
    fn push(&mut self, rows: Vec<ViewRow>) {
        let columns = record_columns(self.query.feed);
        for row in rows {
            let terms = row.as_ref().map(|document| Terms::of(document.value()));
            let name = terms.ok().and_then(|terms| RecordName::of(&terms));
            let name = name.map_or_else(String::new, |name| name.name);
            let is_wanted = self.marked.is_empty() || self.marked.contains(&name);
            if is_wanted {
                let line =
                    row.map_or_else(|_| Vec::new(), |document| document.to_line().into_bytes());
                let record = RecordRow::of(self.query.feed, line);
                self.list.push(&columns, &record, &name);
            }
        }
    }
}
