//! `parquet`: a local feed as a Parquet file. Nothing is sent.

use super::{args::parquet::ParquetArgs, console::CommandResult, exit::Exit, run::Run};
use crate::{
    engine::{ParquetFile, ParquetRun},
    model::visible,
    report::{Cell, Columns, Results, TextCell, Ticket, count, size},
};

/// Writes the file and prints a summary.
///
/// # Errors
/// An invalid filter; a feed that is not downloaded; a file that is there already.
pub(super) async fn run(args: &ParquetArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let asked = args.run(engine.settings.today())?;
    console.if_interrupted("nothing was written; run it again");
    if args.is_to_output() {
        let (file, mut bytes) = run
            .during(async |report| engine.exports.write_parquet_unnamed(&asked, report).await)
            .await?;
        console.copy(&mut bytes)?;
        run.note_age(asked.feed, file.moment, file.generation);
        return Ok(Exit::DONE);
    }
    let file = run
        .during(async |report| engine.exports.write_parquet(&asked, report).await)
        .await?;
    run.note_age(asked.feed, file.moment, file.generation);
    let (feed, day) = (asked.feed, file.moment.dashed());
    let (records, bytes) = (count(file.records), size(file.bytes));
    let name = asked.file.display().to_string();
    let text = format!(
        "{}: {records} records of {feed} {day}, {bytes}\n",
        visible(&name)
    );
    let ticket = Ticket::about(&format!("Parquet of {feed}")).sentence(&format!(
        "{records} records of the feed {feed} of {day}, as Parquet."
    ));
    let written = (asked, file);
    console.summary(
        Results::table(columns(), [&written], ticket)
            .as_facts()
            .text(text),
    )?;
    Ok(Exit::DONE)
}

/// The columns of a file that was written.
pub(super) fn columns() -> Columns<(ParquetRun, ParquetFile)> {
    Columns::<(ParquetRun, ParquetFile)>::default()
        .data("feed", |(run, _)| run.feed.name())
        .column("day", "data date", |(_, file)| {
            file.moment.day().to_string()
        })
        .shown(|(_, file)| TextCell::known(file.moment.dashed()))
        .data("file", |(run, _)| run.file.display().to_string())
        .words("filter", |(run, _)| run.filter.to_string())
        .words("records", |(_, file)| file.records)
        .column("bytes", "size", |(_, file)| Cell::Bytes(file.bytes))
        .data("records", |(_, file)| file.records)
}
