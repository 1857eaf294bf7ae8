//! What a list is made of, read from arguments and files, and shown where it is only looked at.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::Timestamp;

use crate::{
    cli::{
        args::blocklist::{BlocklistArgs, BlocklistArguments, GivenSource},
        console::CommandResult,
        exit::Exit,
        matching,
        run::Run,
        text::InputText,
    },
    engine::{Error, Kind, ListDescription, Result, at_home, off_thread},
    investigation::{
        address_set::{AddressSet, SetName, SetOperation, WrittenList, read_written},
        blocklist::{ListChange, ListQuery, ListSource, MadeList, refuse},
        collateral::LogHits,
        gather::GatheredText,
    },
    model::visible,
    report::{
        Results, Ticket, addresses_in_words, change_of_list, check_columns, check_lines, counted,
    },
};

/// Makes the list that was asked for, without what these lists have, and looks at it.
pub(super) async fn made(
    args: &BlocklistArgs,
    given: BlocklistArguments,
    allow: &[PathBuf],
    run: Run<'_>,
) -> Result<MadeList> {
    let engine = run.engine;
    let mut found = Vec::new();
    let source = match given.source {
        GivenSource::Records(records) => {
            ListSource::records(records, &engine.settings.blocklist.exempt_tags)
        }
        GivenSource::Input => {
            let (set, _) = matching::set(SetName::List("-".to_owned()), None, run).await?;
            ListSource::Addresses(Arc::new(set))
        }
        GivenSource::Written(file) => {
            let list = written(&file).await?;
            found = faults(&file, &list, run)?;
            ListSource::Addresses(Arc::new(list.set))
        }
    };
    let mut allowed = AddressSet::default();
    for file in allow {
        let file = SetName::List(file.display().to_string());
        let (own, _) = matching::set(file, None, run).await?;
        allowed = allowed.combined(&own, SetOperation::Union);
    }
    let query = ListQuery {
        source,
        allow: allowed,
        families: given.families,
        max_beyond: given.max_beyond,
    };
    let mut made = MadeList::of(engine, query).await?;
    made.check.faults = found;
    if let Some(opened) = &made.opened {
        // A day that was named is as old as it was meant to be.
        if args.day.is_none() {
            run.note_ages([&opened.release]);
        }
        run.note_unknown_values(std::slice::from_ref(opened), &given.typed)
            .await;
    }
    beside((args, given.max_change), &mut made, engine.settings.now()).await?;
    Ok(made)
}

/// Looks at a list beside a log and an earlier list, where these are given.
async fn beside(
    (args, max_change): (&BlocklistArgs, Option<u8>),
    made: &mut MadeList,
    now: Timestamp,
) -> Result<()> {
    if let Some(log) = &args.log {
        made.check.log = Some(hits(log, &made.set, now).await?);
    }
    if let Some(old) = &args.diff {
        let (earlier, name) = (written(old).await?, old.display().to_string());
        if !earlier.has_entries {
            let message = format!("no line of {} has an address or a network", visible(&name));
            return Err(
                Error::new(Kind::Usage, message).hint("name a list that was written before")
            );
        }
        made.check.faults.extend(earlier.unread_in_words(&name));
        let change = ListChange::of((&name, &earlier.set), &made.set);
        if let Some(percent) = max_change.filter(|_| !args.is_forced("change"))
            && change.exceeds(percent)
        {
            let message = format!("more than {percent} % change: {}", change_of_list(&change));
            return Err(Error::new(Kind::Usage, message)
                .hint("look at both, then --force change where it is meant"));
        }
        made.check.change = Some(change);
    }
    Ok(())
}

/// Shows what a list is, and nothing is written.
pub(super) fn show(made: MadeList, args: &BlocklistArgs, run: Run<'_>) -> CommandResult {
    let MadeList {
        check, set, origin, ..
    } = made;
    let (entries, addresses) = (
        counted(check.entries, "entry"),
        addresses_in_words(check.addresses),
    );
    let mut words = format!("{entries}, {addresses}");
    if let (Some(feed), Some(day)) = (&origin.feed, origin.release) {
        words += &format!(", of {feed} {}", day.dashed());
    }
    let lines = check_lines(&check);
    let mut text = words.clone() + "\n";
    for line in &lines {
        text = text + line + "\n";
    }
    let about = format!("{} {}", args.feed, args.filter.join(" "));
    let ticket = Ticket::about(about.trim()).sentence(&words);
    let ticket = lines
        .iter()
        .fold(ticket, |ticket, line| ticket.sentence(line));
    let is_over = !check.faults.is_empty();
    let refused = refuse(&set, |word| args.is_forced(word));
    run.console
        .show(Results::table(check_columns(), &[check], ticket).text(text))?;
    refused?;
    Ok(if is_over { Exit::CHANGED } else { Exit::DONE })
}

/// The entries of a list that was written before, in any form.
async fn written(file: &Path) -> Result<WrittenList> {
    let file = at_home(&file.display().to_string());
    off_thread(move || {
        let text = InputText::named(&file);
        read_written(text.open()?, &text.name())
    })
    .await
}

/// Which addresses of a log are in a set.
async fn hits(log: &Path, set: &Arc<AddressSet>, now: Timestamp) -> Result<(String, LogHits)> {
    let (file, set) = (at_home(&log.display().to_string()), set.clone());
    off_thread(move || {
        let text = InputText::named(&file);
        let read = GatheredText::read_from(text.open()?, false, "UTC", now);
        let gathered = read.map_err(|failure| text.not_gathered(&failure))?;
        Ok((text.name(), LogHits::of(&gathered, &set)))
    })
    .await
}

/// What is wrong with a list that was written before: it is over, was changed, or has entries that nobody reads.
fn faults(file: &Path, list: &WrittenList, run: Run<'_>) -> Result<Vec<String>> {
    let Run { engine, console } = run;
    let name = visible(&file.display().to_string()).into_owned();
    let mut faults: Vec<String> = list.unread_in_words(&name).into_iter().collect();
    let about = match engine.exports.described(file)? {
        ListDescription::Known(about, sha256) => (about, sha256),
        ListDescription::None => {
            console.note(&format!(
                "there is no {name}.json: whether it was changed or is over is unknown"
            ));
            if !list.has_entries {
                let message = format!("no line of {name} has an address or a network");
                return Err(
                    Error::new(Kind::Usage, message).hint("name a list that was written before")
                );
            }
            return Ok(faults);
        }
        ListDescription::Unreadable => {
            faults.push(format!(
                "{name}.json says nothing: whether it was changed or is over is unknown"
            ));
            return Ok(faults);
        }
    };
    let (about, sha256) = about;
    if about["sha256"].as_str() != Some(&sha256) {
        faults.push(format!("{name} was changed after it was written"));
    }
    let until = about["until"]
        .as_str()
        .and_then(|until| until.parse::<Timestamp>().ok());
    if until.is_none() && !about["until"].is_null() {
        faults.push(format!("{name}.json does not say until when it holds"));
    }
    if let Some(until) = until.filter(|until| *until <= engine.settings.now()) {
        faults.push(format!("{name} is over since {until}"));
    }
    Ok(faults)
}
