//! `parquet`: a feed on this disk as a Parquet file. Nothing is sent.

use super::{
    args::{Format, parquet::ParquetArgs},
    bar::Bar,
    console::{Console, Outcome},
    exit::Exit,
    freshness::note_age,
};
use crate::{
    engine::{Engine, ParquetFile, ParquetRun},
    model::visible,
    report::{Csv, Line, Ticket, bytes, count},
};

const CSV: Csv = Csv::of(&["feed", "day", "file", "bytes", "records"]);

/// Writes the file and says what it is.
///
/// # Errors
/// What is no filter; a feed that is not on this disk; a file that is there already.
pub(super) async fn run(args: &ParquetArgs, engine: &Engine, console: &Console) -> Outcome {
    let run = args.run()?;
    console.if_interrupted("nothing was written: start it again");
    let bar = Bar::start(console);
    let written = engine.exports.write_parquet(&run, bar.report()).await;
    drop(bar);
    let written = written?;
    note_age(engine, console, run.feed, written.moment);
    console.results(&shown(&run, &written, console.format()))?;
    Ok(Exit::DONE)
}

fn shown(run: &ParquetRun, written: &ParquetFile, format: Format) -> String {
    let ParquetFile {
        moment,
        records,
        bytes: size,
    } = written;
    let (feed, file) = (run.feed.name(), run.file.display().to_string());
    match format {
        Format::Json => {
            Line::new()
                .key("feed", feed)
                .key("day", moment.day().to_string())
                .key("file", file)
                .key("bytes", size)
                .key("records", records)
                .end()
                + "\n"
        }
        Format::Csv => {
            CSV.header()
                + &CSV.row(&[
                    feed,
                    &moment.day().to_string(),
                    &file,
                    &size.to_string(),
                    &records.to_string(),
                ])
        }
        Format::Text => format!(
            "{}: {} records of {feed} {moment}, {}\n",
            visible(&file),
            count(*records),
            bytes(*size)
        ),
        Format::Md => Ticket::about(&format!("Parquet of {feed}"))
            .line("data date", &moment.to_string())
            .line("filter", &run.filter.to_string())
            .line("records", &count(*records))
            .line("size", &bytes(*size))
            .end(),
    }
}
