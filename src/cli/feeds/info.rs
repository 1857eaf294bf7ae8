//! `feeds info`: all about one feed.

use super::row::{FeedRow, release_columns};
use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::Feed,
    engine::Engine,
    model::{Field, feed_metadata::ReleaseMetadata},
    report::{
        Columns, Fact, Results, RowsInTicket, TextCell, TextStyle, Ticket, count, fact, instant,
        remainder, sheet, size,
    },
    store::layout::Release,
};

/// Shows one feed: its row in the catalogue, its metadata, its local releases.
///
/// # Errors
/// A failure to write to standard output.
pub(super) async fn run(feed: Feed, engine: &Engine, console: &Console) -> CommandResult {
    let row = FeedRow::of(feed, engine).await;
    console.show(&row)?;
    row.name_doubtful(console);
    let Some(error) = row.failure() else {
        return Ok(Exit::DONE.or_of(row.faults.first()));
    };
    console.complain(Some(feed.name()), error);
    Ok(Exit::of(error.kind))
}

fn facts(row: &FeedRow) -> Vec<Fact> {
    let catalog = row.feed.row();
    let mut facts = vec![
        fact("covers", TextCell::known(catalog.covers)),
        fact("records", TextCell::known(catalog.records.word())),
        fact("path", TextCell::known(catalog.base)),
        fact("latest", TextCell::known(row.release_words())),
        fact("age", TextCell::or_dash(row.freshness.as_ref())),
        fact("folder", TextCell::known(row.folder.display().to_string())),
    ];
    let Some(metadata) = row.metadata() else {
        return facts;
    };
    for (form, release) in [("json", &metadata.json), ("mmdb", &metadata.mmdb)] {
        match release {
            Field::Is(release) => facts.extend(of_release(form, release)),
            other => facts.push(fact(form, TextCell::of(other, |_| ""))),
        }
    }
    if metadata.mmdb_lags() {
        let lags = "the MMDB of this release is still being built";
        facts.push(fact("note", TextCell::known(lags)));
    }
    facts.extend(remainder(&metadata.unknown, &metadata.odd));
    facts
}

fn of_release(form: &str, release: &ReleaseMetadata) -> Vec<Fact> {
    let own = |label: &str, cell| fact(format!("{form} {label}"), cell);
    let at = |field: &Field<jiff::Timestamp>| TextCell::of(field, |at| instant(*at));
    let filesize = |number: &u64| {
        let (digits, bytes) = (count(*number), size(*number));
        format!("{digits} ({bytes} if that is bytes: the unit is not stated)")
    };
    let mut facts = vec![
        own("location", TextCell::text(&release.location)),
        own("made", at(&release.generated_at)),
        own("available", at(&release.available_at)),
        own("size", TextCell::of(&release.filesize, filesize)),
    ];
    let lines = release.line_count();
    facts.extend(lines.map(|lines| own("lines", TextCell::known(count(lines)))));
    facts
}

impl Results for FeedRow {
    type Row = Release;

    const IN_TICKET: RowsInTicket = RowsInTicket::TableOrHeads;

    fn columns() -> Columns<Release> {
        release_columns()
    }

    fn rows(&self) -> impl Iterator<Item = &Release> {
        self.local.iter()
    }

    fn json(&self) -> String {
        Self::list_columns().object(self).end() + "\n"
    }

    fn text(&self, style: TextStyle) -> String {
        let heading = format!("{} {}", self.feed, self.feed.row().maturity.word());
        let local = if self.local.is_empty() {
            format!("no local release: ipspect feeds pull {}\n", self.feed)
        } else {
            Self::columns().table(&self.local, style)
        };
        sheet(heading.trim_end(), &facts(self), style) + "\n" + &local
    }

    fn ticket(&self) -> Ticket {
        let local = match self.local.len() {
            0 => "none is local".to_owned(),
            1 => "1 release is local".to_owned(),
            many => format!("{many} releases are local"),
        };
        let latest = self.release_words();
        let ticket = Ticket::about(&format!("Feed {}", self.feed)).sentence(&format!(
            "Latest release of the feed {} at the service: {latest}; {local}.",
            self.feed
        ));
        ticket.list(&facts(self))
    }
}
