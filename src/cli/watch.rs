//! `watch`: what is looked for in each new release, and what changed. Nothing is sent.

use std::path::Path;

use super::{
    args::watch::{WatchArgs, WatchCommand},
    console::CommandResult,
    exit::{Exit, ExitTally},
    run::Run,
    text::InputText,
};
use crate::{
    contract::Feed,
    engine::{Engine, Error, Kind, Result, at_home, off_thread, watches::Watch},
    investigation::{
        gather::GatheredText,
        watch::{LookBack, WatchChange, WatchCheck, WatchKind, check_pulled, told},
    },
    model::{nearest, visible},
    report::{
        Results, Ticket, change_columns, change_in_words, change_object, change_of_object,
        changes_in_words, count, counted, watch_columns,
    },
};

/// The table of the watches, or of what changed.
pub(super) fn table_of(args: &WatchArgs) -> Vec<&'static str> {
    match args.command {
        Some(WatchCommand::Check { .. }) => change_columns().names(),
        _ => watch_columns().names(),
    }
}

/// Adds, ends, lists or checks watches.
///
/// # Errors
/// A watch that is not there; a failure of this machine; while another one checks.
pub(super) async fn run(args: &WatchArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    if let Some(words) = engine.watches.unreadable()? {
        console.warn(&words);
    }
    match &args.command {
        None | Some(WatchCommand::List) => {
            let watches = engine.watches.all()?;
            let ticket = Ticket::about("watches");
            console.show(Results::table(watch_columns(), &watches, ticket))?;
            if watches.is_empty() {
                console.note("nothing is watched: `ipspect watch add NAME --tag TAG` begins");
            }
            Ok(Exit::DONE)
        }
        Some(WatchCommand::Add(given)) => {
            let watch = given.watch(&engine.settings.admission, |is_v6| widest(engine, is_v6))?;
            let _lock = engine.watches.lock()?;
            let begun = match WatchCheck::of(engine, watch.clone()).await {
                Ok(check) => check.watch,
                // It begins with the first release.
                Err(error) if error.kind == Kind::NotFound => watch,
                Err(error) => return Err(error.into()),
            };
            let watches = engine.watches.all()?;
            if let Some(other) = watches.iter().find(|watch| watch.name == begun.name) {
                let (kind, value) = (other.what.kind(), other.what.value());
                console.note(&format!(
                    "{} was {kind} {} of {} so far",
                    other.name,
                    visible(&value),
                    other.feed
                ));
            }
            engine.watches.save(&begun)?;
            let ticket = Ticket::about(&begun.name);
            let words = format!(
                "{}: {} {} of {}\n",
                begun.name,
                begun.what.kind(),
                visible(&begun.what.value()),
                begun.feed
            );
            console.summary(Results::table(watch_columns(), [&begun], ticket).text(words))?;
            match (begun.looked, begun.counts.last()) {
                (None, _) => console.note(&format!(
                    "{} is not local: it begins with its first release",
                    begun.feed
                )),
                (_, Some((_, number))) if !begun.admits(*number) => {
                    console.warn(&format!(
                        "{} records are beyond the bounds already",
                        count(*number)
                    ));
                }
                _ => {}
            }
            Ok(Exit::DONE)
        }
        Some(WatchCommand::Rm { names }) => {
            let _lock = engine.watches.lock()?;
            let watches = engine.watches.all()?;
            let named = named(&watches, names)?;
            for watch in &named {
                engine.watches.remove(&watch.name)?;
            }
            let words = format!("{} ended\n", counted(named.len() as u64, "watch"));
            let ticket = Ticket::about("watches").sentence(words.trim_end());
            console.summary(Results::table(watch_columns(), named, ticket).text(words))?;
            Ok(Exit::DONE)
        }
        Some(WatchCommand::Check {
            file: Some(log), ..
        }) => look_back(log, run).await,
        Some(WatchCommand::Check {
            told: true, names, ..
        }) => {
            let told = engine.watches.told()?;
            let told = told.iter().filter_map(change_of_object);
            let is_wanted =
                |change: &WatchChange| names.is_empty() || names.contains(&change.watch);
            let told: Vec<WatchChange> = told.filter(is_wanted).collect();
            let ticket = Ticket::about("watches").sentence("What was told before.");
            console.show(Results::table(change_columns(), &told, ticket))?;
            Ok(Exit::DONE)
        }
        Some(WatchCommand::Check { names, .. }) => check(names, run).await,
    }
}

/// The widest local feed of a family; where none is local, the widest.
fn widest(engine: &Engine, is_v6: bool) -> Feed {
    let feeds = if is_v6 {
        [Feed::AnonymousResidentialIpv6, Feed::AnonymousIpv6]
    } else {
        [Feed::AnonymousResidential, Feed::Anonymous]
    };
    let is_local = |feed: &Feed| matches!(engine.releases.latest_day(*feed), Ok(Some(_)));
    feeds.into_iter().find(is_local).unwrap_or(feeds[0])
}

/// The watches of these names.
fn named<'w>(watches: &'w [Watch], names: &[String]) -> Result<Vec<&'w Watch>> {
    let find = |name: &String| {
        let found = watches.iter().find(|watch| watch.name == *name);
        found.ok_or_else(|| {
            let known = watches.iter().map(|watch| watch.name.as_str());
            let hint = match nearest(name, known) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "`ipspect watch` lists them".to_owned(),
            };
            Error::new(Kind::NotFound, format!("there is no watch {name:?}")).hint(hint)
        })
    };
    names.iter().map(find).collect()
}

/// Tells what changed, then notes that it was told: after a kill it is told once more.
async fn check(names: &[String], run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    console.if_interrupted("what was told may be told once more");
    let _lock = engine.watches.lock()?;
    let watches = engine.watches.all()?;
    let wanted = match names {
        [] => watches.iter().collect(),
        names => named(&watches, names)?,
    };
    if wanted.is_empty() {
        console.note("nothing is watched: `ipspect watch add NAME --tag TAG` begins");
    }
    let mut tally = ExitTally::default();
    let mut checks = Vec::new();
    for watch in wanted {
        match WatchCheck::of(engine, watch.clone()).await {
            Ok(check) => {
                tally.done();
                checks.push(check);
            }
            // It begins with the first release.
            Err(error) if error.kind == Kind::NotFound => {
                console.note(&format!(
                    "watch {}: {} is not local",
                    watch.name, watch.feed
                ));
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(&watch.name), &error)?;
            }
        }
    }
    let changes: Vec<WatchChange> = checks
        .iter()
        .flat_map(|check| &check.changes)
        .cloned()
        .collect();
    let ticket = Ticket::about("watches").sentence(&changes_in_words(&changes));
    console.show(Results::table(change_columns(), &changes, ticket))?;
    note_more(&checks, run);
    if let Some(line) = told(engine, &checks, change_object).await? {
        console.warn(&line);
    }
    let is_changed = changes
        .iter()
        .any(|change| change.kind != WatchKind::Unknown);
    if changes.is_empty() && !checks.is_empty() && tally.exit() == Exit::DONE {
        console.note("nothing changed since the last look");
    }
    Ok(match tally.exit() {
        Exit::DONE if is_changed => Exit::CHANGED,
        exit => exit,
    })
}

fn note_more(checks: &[WatchCheck], run: Run<'_>) {
    for check in checks.iter().filter(|check| check.more > 0) {
        let (name, more) = (&check.watch.name, counted(check.more, "change"));
        run.console.note(&format!(
            "{name}: {more} beyond these; `ipspect diff` lists all"
        ));
    }
}

/// Checks the watches of feeds that were pulled, and says on standard error what changed. What keeps it from that is said, and the
/// release is there all the same.
pub(super) async fn after_pull(feeds: &[Feed], run: Run<'_>) -> Result<()> {
    let Run { engine, console } = run;
    let found = check_pulled(engine, feeds, change_object).await?;
    for line in found.faults {
        console.warn(&line);
    }
    let changes: Vec<&WatchChange> = found
        .checks
        .iter()
        .flat_map(|check| &check.changes)
        .collect();
    for change in changes.iter().take(MOST_SAID) {
        console.note(&change_in_words(change));
    }
    if changes.len() > MOST_SAID {
        let more = counted((changes.len() - MOST_SAID) as u64, "change");
        console.note(&format!(
            "{more} beyond these: `ipspect watch check --told` lists them"
        ));
    }
    note_more(&found.checks, run);
    Ok(())
}

/// Changes that are said after a pull.
const MOST_SAID: usize = 20;

/// Which addresses of a log became known since.
async fn look_back(log: &Path, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let (file, now) = (at_home(&log.display().to_string()), engine.settings.now());
    let gathered = off_thread(move || {
        let text = InputText::named(&file);
        let read = GatheredText::read_from(text.open()?, true, "UTC", now);
        read.map_err(|failure| text.not_gathered(&failure))
    });
    let found = LookBack::of(engine, &gathered.await?).await?;
    if found.addresses == 0 {
        console.note(&format!(
            "{} has no addresses",
            visible(&log.display().to_string())
        ));
        return Ok(Exit::DONE);
    }
    let ticket = Ticket::about(&log.display().to_string());
    console.show(Results::table(change_columns(), &found.changes, ticket))?;
    let [all, known, unknown] =
        [found.addresses, found.changes.len() as u64, found.unknown].map(count);
    console.note(&format!("{known} of {all} addresses became known; of {unknown} it is unknown: no time, or a day that is not local"));
    Ok(if found.changes.is_empty() {
        Exit::DONE
    } else {
        Exit::CHANGED
    })
}
