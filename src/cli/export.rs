//! `export`: a filtered subset of a feed as a file, from the service or from local feeds, or only the request for it.

mod local;

use std::{
    iter,
    path::{Path, PathBuf},
};

use super::{
    args::export::ExportArgs,
    bar,
    console::{CommandResult, Console},
    exit::Exit,
    freshness::{note_ages, note_unknown_values},
};
use crate::{
    contract::{Endpoint, ExportQuery, Fix, Rule, Severity},
    engine::{
        Engine, Error, ExportFileRun, ExportOrigin, ExportRun, Kind, LocalChoice, OpenRelease,
        check_export,
    },
    model::visible,
    report::{
        Cell, Columns, Parameter, Results, RowsInTicket, TextCell, TextStyle, Ticket, count, curl,
        instant, size,
    },
    store::Filter,
};

/// Runs an export, or shows the request for it.
///
/// # Errors
/// What the contract forbids, before anything is sent; what the service said.
pub(super) async fn run(args: &ExportArgs, engine: &Engine, console: &Console) -> CommandResult {
    let today = engine.settings.today();
    let (query, choice) = (args.query(today)?, args.choice(today)?);
    check_export(&query).map_err(|error| with_flags(error, &query))?;
    for conflict in query.conflicts() {
        if conflict.severity == Severity::Noted && (!args.local || holds_here(&conflict.rule)) {
            console.note(&conflict.to_string());
        }
    }
    note_values(&query, &choice, args.local, engine, console).await;
    match (args.dry_run, args.local) {
        (true, true) => return local::dry_run(&query, &choice, engine, console).await,
        (true, false) => return dry_run(&query, args.file.as_deref(), engine, console),
        (false, _) => {}
    }
    let Some(file) = &args.file else {
        return Err(Error::new(Kind::Usage, "the export needs an output file")
            .hint("name it with -o FILE; -o - is standard output")
            .into());
    };
    console.if_interrupted("nothing was written; an export cannot be resumed, run it again");
    let exit = if file == Path::new("-") {
        to_output(&query, &choice, args, engine, console).await?
    } else {
        to_file(query.clone(), &choice, file.clone(), args, engine, console).await?
    };
    if args.local {
        let days = engine.exports.open_chosen(&query, &choice).await?;
        note_ages(engine, console, days.opened().map(|opened| &opened.release));
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
async fn note_values(
    query: &ExportQuery,
    choice: &LocalChoice,
    is_local: bool,
    engine: &Engine,
    console: &Console,
) {
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
    note_unknown_values(engine, console, &opened, &filter).await;
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
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    let safe = args.spreadsheet_safe;
    let (mut exported, records) = bar::during(console, async |report| {
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
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    let run = ExportRun {
        query,
        file,
        force: args.force,
        spreadsheet_safe: args.spreadsheet_safe,
    };
    let exported = bar::during(console, async |report| {
        if args.local {
            engine.exports.export_chosen(&run, choice).await
        } else {
            engine.exports.export(&run, report).await
        }
    })
    .await?;
    let (query, records) = (run.query, exported.records);
    console.summary(&WrittenExport { query, exported })?;
    note_emptiness(records, console);
    Ok(Exit::DONE)
}

/// An export that is a file now.
struct WrittenExport {
    query: ExportQuery,
    exported: ExportFileRun,
}

impl WrittenExport {
    fn file(&self) -> String {
        self.exported.file.display().to_string()
    }
}

impl Results for WrittenExport {
    type Row = Self;

    const IN_TICKET: RowsInTicket = RowsInTicket::Facts;

    fn columns() -> Columns<Self> {
        Columns::<Self>::new()
            .data("feed", |own| own.query.feed.name())
            .data("output", |own| own.query.output.name())
            .data("file", Self::file)
            .data("bytes", |own| Cell::Bytes(own.exported.bytes))
            .words("asked at", |own| instant(own.exported.asked_at))
            .column("records", "records", |own| own.exported.records)
            .shown(|own| TextCell::counted(own.exported.records))
            .data("asked_at", |own| own.exported.asked_at.to_string())
            .data("url", |own| match &own.exported.origin {
                ExportOrigin::Service { url } => Some(url.clone()),
                ExportOrigin::Disk { .. } => None,
            })
            .data("source", |own| match own.exported.origin {
                ExportOrigin::Service { .. } => "live",
                ExportOrigin::Disk { .. } => "local",
            })
            .data("day", |own| match own.exported.origin {
                ExportOrigin::Service { .. } => None,
                ExportOrigin::Disk { day, .. } => Some(day.to_string()),
            })
    }

    fn rows(&self) -> impl Iterator<Item = &Self> {
        iter::once(self)
    }

    fn text(&self, _: TextStyle) -> String {
        let records = self.exported.records;
        let records = records.map(|records| format!("{} records, ", count(records)));
        let from = local::read_from(&self.exported.origin).map(|from| format!(", from {from}"));
        format!(
            "{}: {}{}{}\n",
            visible(&self.file()),
            records.unwrap_or_default(),
            size(self.exported.bytes),
            from.unwrap_or_default()
        )
    }

    fn ticket(&self) -> Ticket {
        let (feed, counted) = (self.query.feed, self.exported.records);
        let sentence = match counted {
            Some(1) => format!("1 record of the feed {feed} was exported."),
            Some(number) => format!(
                "{} records of the feed {feed} were exported.",
                count(number)
            ),
            None => format!("Records of the feed {feed} were exported."),
        };
        let ticket = Ticket::about(&format!("Export of {feed}")).sentence(&sentence);
        match &self.exported.origin {
            ExportOrigin::Service { url } => ticket.line("request", url),
            disk @ ExportOrigin::Disk { .. } => {
                ticket.line("read from", &local::read_from(disk).unwrap_or_default())
            }
        }
    }
}

/// The request and how anyone can send it. Needs no token, and shows none.
fn dry_run(
    query: &ExportQuery,
    file: Option<&Path>,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    let endpoint = Endpoint::Export(query.clone());
    let url = engine.settings.url_of(&endpoint)?;
    let usual = PathBuf::from(format!("{}.{}", query.feed, query.output.name()));
    let file = file.unwrap_or(&usual).display().to_string();
    let command = format!("{} -o {}", curl(&endpoint, &url), bare_or_quoted(&file));
    console.show(&Request { url, command })?;
    Ok(Exit::DONE)
}

/// A request that was not sent.
struct Request {
    url: String,
    command: String,
}

impl Results for Request {
    type Row = Self;

    fn columns() -> Columns<Self> {
        Columns::<Self>::new()
            .data("url", |own| own.url.clone())
            .data("curl", |own| own.command.clone())
    }

    fn rows(&self) -> impl Iterator<Item = &Self> {
        iter::once(self)
    }

    fn ticket(&self) -> Ticket {
        Ticket::about("Request")
    }

    fn text(&self, _: TextStyle) -> String {
        format!("{}\n{}\n", self.url, visible(&self.command))
    }

    fn markdown(&self) -> String {
        format!("```sh\n{}\n```\n", visible(&self.command))
    }
}

/// A word that no shell takes for more than itself.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

pub(super) fn bare_or_quoted(text: &str) -> String {
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
