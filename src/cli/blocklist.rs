//! `blocklist`: a list to block by, in the form of its reader, with a description beside it. Nothing is sent.

mod made;

use std::{env, path::PathBuf};

use self::made::{made, show};
use super::{args::blocklist::BlocklistArgs, console::CommandResult, exit::Exit, run::Run};
use crate::{
    investigation::blocklist::{BlockForm, ListFile, refuse, write_files},
    model::visible,
    report::{Cell, Columns, Results, Ticket, check_columns, check_lines, counted, shell_word},
};

/// The columns of a file that was written.
fn columns() -> Columns<ListFile> {
    Columns::<ListFile>::default()
        .column("file", "file", |list| list.file.clone())
        .column("form", "form", |list| list.form)
        .data("feed", |list| Cell::some(list.origin.feed.clone()))
        .data("release", |list| {
            Cell::some(list.origin.release.map(|day| day.to_string()))
        })
        .data("filter", |list| list.origin.filter.clone())
        .column("entries", "entries", |list| list.entries)
        .column("addresses", "addresses", |list| number(list.addresses))
        .data("until", |list| Cell::some(list.until.map(Cell::Instant)))
        .data("sha256", |list| list.sha256.clone())
}

/// A number of addresses; null where 64 bits do not count them.
fn number(addresses: u128) -> Cell {
    u64::try_from(addresses).map_or(Cell::Null, Cell::Count)
}

/// The table of the files, or of what a list is.
pub(super) fn table_of(args: &BlocklistArgs) -> Vec<&'static str> {
    if args.check {
        check_columns().names()
    } else {
        columns().names()
    }
}

/// Writes a list, or says what it is.
///
/// # Errors
/// A list that cannot be read; a release that is not downloaded; a list that would harm who uses it.
pub(super) async fn run(args: &BlocklistArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let settings = &engine.settings;
    let mut given = args.list(settings.today())?;
    console.if_interrupted("nothing was written");
    let configured = settings.blocklist.allow_files(&settings.config_file);
    let allow: Vec<PathBuf> = configured.chain(args.allow.iter().cloned()).collect();
    let writing = given.writing.take();
    let made = made(args, given, &allow, run).await?;
    let Some(mut writing) = writing else {
        return show(made, args, run);
    };
    refuse(&made.set, |word| args.is_forced(word))?;
    writing.allow = allow
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    writing.command = typed();
    let lines = check_lines(&made.check);
    let say = || lines.iter().for_each(|line| console.note(line));
    if args.is_to_output() {
        made.put(engine, &writing, |text| console.results(text))?;
        say();
        return Ok(Exit::DONE);
    }
    console.if_interrupted("the list may be there or not: run it again");
    let (files, left) = write_files(engine, &made, &writing).await?;
    for other in left {
        let name = other.display();
        console.warn(&format!(
            "{name} is of an earlier list and was left as it is"
        ));
    }
    let words = files.iter().map(|file| {
        let mut words = counted(file.entries, "entry");
        if let (Some(feed), Some(day)) = (&file.origin.feed, file.origin.release) {
            words += &format!(" of {feed} {}", day.dashed());
        }
        if let Some(until) = file.until {
            words += &format!(", until {until}");
        }
        format!("{}: {words}\n", visible(&file.file))
    });
    let words: String = words.collect();
    let about = writing.file.display().to_string();
    let ticket = Ticket::about(&about).sentence("A list to block by.");
    console.summary(Results::table(columns(), &files, ticket).text(words))?;
    say();
    let is_silent = BlockForm::named(writing.form).is_some_and(|form| !form.says_end());
    if is_silent && writing.expires.is_some() {
        let text = format!(
            "{} has no place for an end: only the description beside the file says it",
            writing.form
        );
        console.note(&text);
    }
    for file in &files {
        let commands = made.commands(&writing, &file.name, &shell_word(&file.file));
        if let Some([check, apply]) = commands {
            console.note(&format!("to check it: {check}"));
            console.note(&format!("to use it: {apply}"));
        }
    }
    Ok(Exit::DONE)
}

/// The command as it was typed.
fn typed() -> String {
    let words = env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| shell_word(&word.to_string_lossy()))
        .collect();
    format!("ipspect {}", words.join(" "))
}
