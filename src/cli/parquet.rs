//! `parquet`: a local feed as a Parquet file. Nothing is sent.

use std::iter;

use super::{
    args::parquet::ParquetArgs,
    bar,
    console::{CommandResult, Console},
    exit::Exit,
    freshness::note_age,
};
use crate::{
    engine::{Engine, ParquetFile, ParquetRun},
    model::visible,
    report::{Cell, Columns, Results, RowsInTicket, TextCell, TextStyle, Ticket, count, size},
};

/// Writes the file and prints a summary.
///
/// # Errors
/// An invalid filter; a feed that is not downloaded; a file that is there already.
pub(super) async fn run(args: &ParquetArgs, engine: &Engine, console: &Console) -> CommandResult {
    let run = args.run(engine.settings.today())?;
    console.if_interrupted("nothing was written; run it again");
    if args.is_to_output() {
        let (written, mut file) = bar::during(console, async |report| {
            engine.exports.write_parquet_unnamed(&run, report).await
        })
        .await?;
        console.copy(&mut file)?;
        note_age(
            engine,
            console,
            run.feed,
            written.moment,
            written.generation,
        );
        return Ok(Exit::DONE);
    }
    let file = bar::during(console, async |report| {
        engine.exports.write_parquet(&run, report).await
    })
    .await?;
    note_age(engine, console, run.feed, file.moment, file.generation);
    console.summary(&WrittenParquet { run, file })?;
    Ok(Exit::DONE)
}

/// A file that was written.
pub(super) struct WrittenParquet {
    run: ParquetRun,
    file: ParquetFile,
}

impl WrittenParquet {
    fn name(&self) -> String {
        self.run.file.display().to_string()
    }
}

impl Results for WrittenParquet {
    type Row = Self;

    const IN_TICKET: RowsInTicket = RowsInTicket::Facts;

    fn columns() -> Columns<Self> {
        Columns::<Self>::new()
            .data("feed", |own| own.run.feed.name())
            .column("day", "data date", |own| own.file.moment.day().to_string())
            .shown(|own| TextCell::known(own.file.moment.dashed()))
            .data("file", Self::name)
            .words("filter", |own| own.run.filter.to_string())
            .words("records", |own| own.file.records)
            .column("bytes", "size", |own| Cell::Bytes(own.file.bytes))
            .data("records", |own| own.file.records)
    }

    fn rows(&self) -> impl Iterator<Item = &Self> {
        iter::once(self)
    }

    fn text(&self, _: TextStyle) -> String {
        format!(
            "{}: {} records of {} {}, {}\n",
            visible(&self.name()),
            count(self.file.records),
            self.run.feed,
            self.file.moment.dashed(),
            size(self.file.bytes)
        )
    }

    fn ticket(&self) -> Ticket {
        let (feed, day) = (self.run.feed, self.file.moment.dashed());
        let records = count(self.file.records);
        Ticket::about(&format!("Parquet of {feed}")).sentence(&format!(
            "{records} records of the feed {feed} of {day}, as Parquet."
        ))
    }
}
