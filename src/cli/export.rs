//! `export`: a filtered subset of a feed as a file, from the service or from local feeds, or only the request for it.

use std::path::{Path, PathBuf};

use super::{
    args::export::ExportArgs,
    console::{CommandResult, Console},
    exit::Exit,
    run::Run,
};
use crate::{
    contract::{Endpoint, ExportQuery, Fix, Rule, Severity},
    engine::{
        Error, ExportFileRun, ExportOrigin, ExportRun, Kind, LocalChoice, OpenRelease, check_export,
    },
    model::visible,
    report::{
        Cell, Columns, Parameter, Results, TextCell, Ticket, count, counted, curl, each, instant,
        shell_word, size,
    },
    store::Filter,
};

/// Runs an export, or shows the request for it.
///
/// # Errors
/// What the contract forbids, before anything is sent; what the service said.
pub(super) async fn run(args: &ExportArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let today = engine.settings.today();
    let (query, choice) = (args.query(today)?, args.choice(today)?);
    check_export(&query).map_err(|error| with_flags(error, &query))?;
    for conflict in query.conflicts() {
        if conflict.severity == Severity::Noted && (!args.local || holds_here(&conflict.rule)) {
            console.note(&conflict.to_string());
        }
    }
    note_values(&query, &choice, args.local, run).await;
    match (args.dry_run, args.local) {
        (true, true) => return local_dry_run(&query, &choice, run).await,
        (true, false) => return dry_run(&query, args.file.as_deref(), run),
        (false, _) => {}
    }
    let Some(file) = &args.file else {
        return Err(Error::new(Kind::Usage, "the export needs an output file")
            .hint("name it with -o FILE; -o - is standard output")
            .into());
    };
    console.if_interrupted("nothing was written; an export cannot be resumed, run it again");
    let exit = if file == Path::new("-") {
        to_output(&query, &choice, args, run).await?
    } else {
        to_file(query.clone(), &choice, file.clone(), args, run).await?
    };
    if args.local {
        let days = engine.exports.open_chosen(&query, &choice).await?;
        run.note_ages(days.opened().map(|opened| &opened.release));
    }
    Ok(exit)
}

/// A refusal with what to do in flags of the command line.
fn with_flags(error: Error, query: &ExportQuery) -> Error {
    let conflicts = query.conflicts();
    let refused = conflicts
        .iter()
        .find(|conflict| conflict.severity == Severity::Refused);
    let Some(fix) = refused.and_then(|conflict| conflict.fix.as_ref()) else {
        return error.hint(format!(
            "`ipspect help export` lists feeds and fields; `ipspect feeds pull {}` downloads all of it",
            query.feed
        ));
    };
    let flag = |param| Parameter::of(param).flag;
    error.hint(match fix {
        Fix::DropField(field) => format!("take {field} out of --fields"),
        Fix::Clear(param) => format!("leave --{} out", flag(*param)),
        Fix::SetDiff => "add --diff".to_owned(),
        Fix::SetLimit(limit) => format!("for example --limit {limit}"),
        Fix::DropCountry(code) => {
            format!("remove {code:?} from --ccs: countries are codes such as NL,DE")
        }
    })
}

/// Says which values of the query and of the filter the local releases do not have: an export of them would be empty.
async fn note_values(query: &ExportQuery, choice: &LocalChoice, is_local: bool, run: Run<'_>) {
    let Run { engine, console } = run;
    let mut filter = Filter::from(query);
    filter.terms.extend(choice.filter.terms.clone());
    if filter.is_empty() {
        return;
    }
    let opened = if is_local {
        let days = engine.exports.open_chosen(query, choice).await;
        days.map(|days| days.opened().cloned().collect())
    } else {
        let release = engine.releases.open_local(query.feed, None).await;
        release.map(|release| vec![release])
    };
    let opened: Vec<OpenRelease> = match opened {
        Ok(opened) => opened,
        // The export itself says so.
        Err(_) if is_local => return,
        // The service may have what is not local.
        Err(error) if error.kind == Kind::NotFound => Vec::new(),
        Err(error) => {
            return console.warn(&format!(
                "the values were not looked for in the local feed: {error}"
            ));
        }
    };
    run.note_unknown_values(&opened, &filter).await;
}

/// Says that an export has no record, which its file alone does not.
fn note_emptiness(records: Option<u64>, console: &Console) {
    if records == Some(0) {
        console.note("no record matches: the export is empty");
    }
}

/// Whether a note is about more than how the service works.
fn holds_here(rule: &Rule) -> bool {
    matches!(rule, Rule::HeaderWithoutCsv | Rule::IpOnIpv6)
}

/// Nothing is printed before the document is complete.
async fn to_output(
    query: &ExportQuery,
    choice: &LocalChoice,
    args: &ExportArgs,
    run: Run<'_>,
) -> CommandResult {
    let Run { engine, console } = run;
    let safe = args.spreadsheet_safe;
    let (mut exported, records) = run
        .during(async |report| {
            if args.local {
                engine
                    .exports
                    .export_local_unnamed(query, choice, safe)
                    .await
            } else {
                engine.exports.export_unnamed(query, safe, report).await
            }
        })
        .await?;
    console.copy(&mut exported)?;
    note_emptiness(records, console);
    Ok(Exit::DONE)
}

async fn to_file(
    query: ExportQuery,
    choice: &LocalChoice,
    file: PathBuf,
    args: &ExportArgs,
    run: Run<'_>,
) -> CommandResult {
    let Run { engine, console } = run;
    let asked = ExportRun {
        query,
        file,
        force: args.force,
        spreadsheet_safe: args.spreadsheet_safe,
    };
    let exported = run
        .during(async |report| {
            if args.local {
                engine.exports.export_chosen(&asked, choice).await
            } else {
                engine.exports.export(&asked, report).await
            }
        })
        .await?;
    let (feed, records) = (asked.query.feed, exported.records);
    let (name, bytes) = (exported.file.display().to_string(), size(exported.bytes));
    let number = records.map(|number| counted(number, "record"));
    let from = read_from(&exported.origin);
    let of = from
        .as_ref()
        .map_or_else(String::new, |from| format!(", from {from}"));
    let size = each(number.iter().chain([&bytes]), ", ");
    let text = format!("{}: {size}{of}\n", visible(&name));
    let number = number.unwrap_or("Records".to_owned());
    let were = if records == Some(1) { "was" } else { "were" };
    let sentence = format!("{number} of the feed {feed} {were} exported.");
    let ticket = Ticket::about(&format!("Export of {feed}")).sentence(&sentence);
    let ticket = match &exported.origin {
        ExportOrigin::Service { url } => ticket.line("request", url),
        ExportOrigin::Disk { .. } => ticket.line("read from", &from.unwrap_or_default()),
    };
    let written = (asked.query, exported);
    console.summary(
        Results::table(written_columns(), [&written], ticket)
            .as_facts()
            .text(text),
    )?;
    note_emptiness(records, console);
    Ok(Exit::DONE)
}

/// The columns of an export that is a file now.
fn written_columns() -> Columns<(ExportQuery, ExportFileRun)> {
    Columns::<(ExportQuery, ExportFileRun)>::default()
        .data("feed", |(query, _)| query.feed.name())
        .data("output", |(query, _)| query.output.name())
        .data("file", |(_, run)| run.file.display().to_string())
        .data("bytes", |(_, run)| Cell::Bytes(run.bytes))
        .words("asked at", |(_, run)| instant(run.asked_at))
        .column("records", "records", |(_, run)| run.records)
        .shown(|(_, run)| TextCell::counted(run.records))
        .data("asked_at", |(_, run)| run.asked_at.to_string())
        .data("url", |(_, run)| match &run.origin {
            ExportOrigin::Service { url } => Some(url.clone()),
            ExportOrigin::Disk { .. } => None,
        })
        .data("source", |(_, run)| match run.origin {
            ExportOrigin::Service { .. } => "live",
            ExportOrigin::Disk { .. } => "local",
        })
        .data("day", |(_, run)| match run.origin {
            ExportOrigin::Service { .. } => None,
            ExportOrigin::Disk { day, .. } => Some(day.to_string()),
        })
}

/// The request and how anyone can send it. Needs no token, and shows none.
fn dry_run(
    query: &ExportQuery,
    file: Option<&Path>,
    Run { engine, console }: Run<'_>,
) -> CommandResult {
    let endpoint = Endpoint::Export(query.clone());
    let url = engine.settings.url_of(&endpoint)?;
    let usual = PathBuf::from(format!("{}.{}", query.feed, query.output.name()));
    let file = file.unwrap_or(&usual).display().to_string();
    let command = format!("{} -o {}", curl(&endpoint, &url), shell_word(&file));
    let columns = Columns::<(String, String)>::default()
        .data("url", |(url, _)| url.clone())
        .data("curl", |(_, command)| command.clone());
    let shown = visible(&command).into_owned();
    let text = format!("{url}\n{shown}\n");
    let request = (url, command);
    let results = Results::table(columns, [&request], Ticket::about("Request"));
    console.show(
        results
            .text(text)
            .markdown(format!("```sh\n{shown}\n```\n")),
    )?;
    Ok(Exit::DONE)
}

/// The releases that an export was read from, in words; `None` for one that the service answered.
fn read_from(origin: &ExportOrigin) -> Option<String> {
    let ExportOrigin::Disk { day, before, .. } = origin else {
        return None;
    };
    let day = day.dashed();
    Some(match before {
        None => format!("the release of {day}"),
        Some(before) => format!("the releases of {} and {day}", before.dashed()),
    })
}

/// The releases that would be read, the one of the day first. Reads none of their records.
async fn local_dry_run(query: &ExportQuery, choice: &LocalChoice, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let days = engine.exports.open_chosen(query, choice).await?;
    run.note_ages(days.opened().map(|opened| &opened.release));
    let columns = Columns::<OpenRelease>::default()
        .data("feed", |release| release.release.manifest.feed.name())
        .data("source", |_| "local")
        .column("day", "release", |release| release.release.manifest.moment)
        .column("records", "records", |release| release.index.records())
        .column("file", "file", index_file);
    let line = |opened: &OpenRelease| {
        let (manifest, file) = (&opened.release.manifest, index_file(opened));
        let (feed, day, file) = (manifest.feed, manifest.moment.dashed(), visible(&file));
        let records = count(opened.index.records());
        format!("{feed} {day}: {records} records, {file}\n")
    };
    let ticket = |opened: &OpenRelease| {
        let manifest = &opened.release.manifest;
        let (feed, day) = (manifest.feed, manifest.moment.dashed());
        Ticket::about(&format!("Local export of {feed}"))
            .sentence(&format!(
                "An export would be made from the local feed {feed} of {day}."
            ))
            .list(&columns.facts(opened))
            .end()
    };
    let text = each(days.opened().map(line), "");
    let markdown = each(days.opened().map(ticket), "");
    let results = Results::table(columns, days.opened(), Ticket::about("Local export"));
    console.show(results.text(text).markdown(markdown))?;
    Ok(Exit::DONE)
}

/// The file that would be read: the index; the feed file behind it need not be here.
fn index_file(opened: &OpenRelease) -> String {
    let index = opened.release.index();
    let file = index.unwrap_or_else(|| opened.release.data.clone());
    file.display().to_string()
}
