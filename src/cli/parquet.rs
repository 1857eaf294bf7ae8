//! `parquet`: a local feed as a Parquet file. Nothing is sent.

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
    report::{Csv, Line, Paint, PrintedResults, Ticket, count, size},
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

impl PrintedResults for WrittenParquet {
    const CSV: Csv = Csv::of(&[&["feed", "day", "file", "bytes", "records"]]);

    fn lines(&self) -> Vec<Line> {
        let line = Line::new()
            .key("feed", self.run.feed.name())
            .key("day", self.file.moment.day().to_string())
            .key("file", self.name())
            .key("bytes", self.file.bytes)
            .key("records", self.file.records);
        vec![line]
    }

    fn text(&self, _: Paint) -> String {
        format!(
            "{}: {} records of {} {}, {}\n",
            visible(&self.name()),
            count(self.file.records),
            self.run.feed,
            self.file.moment.dashed(),
            size(self.file.bytes)
        )
    }

    fn markdown(&self) -> String {
        let (feed, day) = (self.run.feed, self.file.moment.dashed());
        let records = count(self.file.records);
        Ticket::about(&format!("Parquet of {feed}"))
            .sentence(&format!(
                "{records} records of the feed {feed} of {day}, as Parquet."
            ))
            .line("data date", &day)
            .line("filter", &self.run.filter.to_string())
            .line("records", &count(self.file.records))
            .line("size", &size(self.file.bytes))
            .end()
    }
}
