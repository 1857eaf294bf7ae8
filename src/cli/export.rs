//! `export`: a filtered subset of a feed as a file, from the service or from this disk, or only the request for it.

mod local;

use std::path::{Path, PathBuf};

use super::{
    args::{Format, export::ExportArgs},
    bar::Bar,
    console::{Console, Outcome},
    exit::Exit,
    freshness::note_ages_of,
};
use crate::{
    contract::{Endpoint, ExportQuery, Rule, Severity},
    engine::{Engine, Error, ExportRun, Exported, Kind, Origin, check_export},
    model::TagName,
    report::{Csv, Line, Ticket, bytes, count, curl, moment},
};

const CSV: Csv = Csv::of(&[
    "feed", "output", "file", "bytes", "records", "asked_at", "url", "source", "day",
]);
const DRY_CSV: Csv = Csv::of(&["url", "curl"]);

/// Runs an export, or shows the request for it.
///
/// # Errors
/// What the contract forbids, before anything is sent; what the service said.
pub(super) async fn run(args: &ExportArgs, engine: &Engine, console: &Console) -> Outcome {
    let query = args.query()?;
    check_export(&query)?;
    for conflict in query.conflicts() {
        if conflict.severity == Severity::Noted && (!args.local || holds_here(&conflict.rule)) {
            console.note(&conflict.to_string());
        }
    }
    note_unknown_tags(&query, engine, console).await;
    match (args.dry_run, args.local) {
        (true, true) => return local::dry_run(&query, engine, console).await,
        (true, false) => return dry_run(&query, args.file.as_deref(), engine, console),
        (false, _) => {}
    }
    let Some(file) = &args.file else {
        return Err(
            Error::new(Kind::Usage, "where should the export go? nothing was sent")
                .hint("name a file with -o FILE; -o - is standard output")
                .into(),
        );
    };
    console.if_interrupted("nothing was written: an export cannot be resumed, start it again");
    let exit = if file == Path::new("-") {
        to_output(&query, args, engine, console).await?
    } else {
        to_file(query.clone(), file.clone(), args, engine, console).await?
    };
    if args.local {
        let days = engine.exports.open_for_export(&query).await?;
        note_ages_of(engine, console, days.opened());
    }
    Ok(exit)
}

/// Says which tags the service-metrics feed on this disk does not know: an export of them would be empty.
async fn note_unknown_tags(query: &ExportQuery, engine: &Engine, console: &Console) {
    let tags: Vec<TagName> = [query.tags.as_slice(), &query.callback_proxies].concat();
    let unknown = match engine.releases.unknown_tags(&tags).await {
        Ok(unknown) => unknown,
        Err(error) => {
            console.warn(&format!(
                "the tags were not compared with the local service-metrics feed: {error}"
            ));
            return;
        }
    };
    for (tag, near) in unknown {
        let near = near
            .map(|near| format!(": did you mean {near}?"))
            .unwrap_or_default();
        console.note(&format!(
            "the service-metrics feed on this disk does not know the tag {tag}{near}"
        ));
    }
}

/// Whether a note is about more than how the service works.
fn holds_here(rule: &Rule) -> bool {
    matches!(rule, Rule::HeaderWithoutCsv | Rule::IpOnIpv6)
}

/// Nothing goes out before all of it is here, so that no reader gets half a document.
async fn to_output(
    query: &ExportQuery,
    args: &ExportArgs,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    let bar = Bar::start(console);
    let exported = if args.local {
        engine
            .exports
            .export_local_unnamed(query, args.spreadsheet_safe)
            .await
    } else {
        engine
            .exports
            .export_unnamed(query, args.spreadsheet_safe, bar.report())
            .await
    };
    drop(bar);
    console.copy(&mut exported?)?;
    Ok(Exit::DONE)
}

async fn to_file(
    query: ExportQuery,
    file: PathBuf,
    args: &ExportArgs,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    let run = ExportRun {
        query,
        file,
        force: args.force,
        spreadsheet_safe: args.spreadsheet_safe,
    };
    let bar = Bar::start(console);
    let exported = if args.local {
        engine.exports.export_local(&run).await
    } else {
        engine.exports.export(&run, bar.report()).await
    };
    drop(bar);
    console.results(&shown(&run.query, &exported?, console))?;
    Ok(Exit::DONE)
}

fn shown(query: &ExportQuery, exported: &Exported, console: &Console) -> String {
    let Exported {
        file,
        bytes: size,
        records,
        asked_at,
        origin,
    } = exported;
    let (file, output) = (file.display().to_string(), query.output.name());
    let (source, url, day) = match origin {
        Origin::Service { url } => ("live", Some(url), None),
        Origin::Disk { day, .. } => ("local", None, Some(day.to_string())),
    };
    match console.format() {
        Format::Json => {
            Line::new()
                .key("feed", query.feed.name())
                .key("output", output)
                .key("file", file)
                .key("bytes", size)
                .key("records", records)
                .key("asked_at", asked_at.to_string())
                .key("url", url)
                .key("source", source)
                .key("day", day)
                .end()
                + "\n"
        }
        Format::Csv => {
            let records = records
                .map(|records| records.to_string())
                .unwrap_or_default();
            CSV.header()
                + &CSV.row(&[
                    query.feed.name(),
                    output,
                    &file,
                    &size.to_string(),
                    &records,
                    &asked_at.to_string(),
                    url.map_or("", String::as_str),
                    source,
                    day.as_deref().unwrap_or_default(),
                ])
        }
        Format::Text => {
            let records = records
                .map(|records| format!("{} records, ", count(records)))
                .unwrap_or_default();
            let from =
                local::read_from(origin).map_or_else(String::new, |from| format!(", from {from}"));
            format!(
                "{}: {records}{}{from}\n",
                crate::model::visible(&file),
                bytes(*size)
            )
        }
        Format::Md => {
            let ticket = Ticket::about(&format!("Export of {}", query.feed));
            let ticket = match (url, local::read_from(origin)) {
                (Some(url), _) => ticket.line("request", url),
                (None, from) => ticket.line("read from", &from.unwrap_or_default()),
            };
            ticket
                .line("asked at", &moment(*asked_at))
                .line("records", &records.map_or("not counted".to_owned(), count))
                .end()
        }
    }
}

/// The request and how anyone can send it. Needs no token, and shows none.
fn dry_run(
    query: &ExportQuery,
    file: Option<&Path>,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    let endpoint = Endpoint::Export(query.clone());
    let url = engine.settings.url_of(&endpoint)?;
    let usual = PathBuf::from(format!("{}.{}", query.feed, query.output.name()));
    let file = file.unwrap_or(&usual).display().to_string();
    let command = format!("{} -o {}", curl(&endpoint, &url), bare_or_quoted(&file));
    let text = match console.format() {
        Format::Json => Line::new().key("url", &url).key("curl", &command).end() + "\n",
        Format::Csv => DRY_CSV.header() + &DRY_CSV.row(&[&url, &command]),
        Format::Text => format!("{}\n{}\n", url, crate::model::visible(&command)),
        Format::Md => format!("```sh\n{}\n```\n", crate::model::visible(&command)),
    };
    console.results(&text)?;
    Ok(Exit::DONE)
}

/// A word that no shell takes for more than itself.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn bare_or_quoted(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        assert_eq!(
            quoted("https://x.example/?a=b&c=d"),
            "'https://x.example/?a=b&c=d'"
        );
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(bare_or_quoted("out/acme.csv"), "out/acme.csv");
        assert_eq!(bare_or_quoted("my file.csv"), "'my file.csv'");
    }
}
