//! `enrich`: every address of a text once, answered from the local feeds. Sends nothing, spends nothing.
//!
//! ```text
//! reading thread: blocks of text → addresses never seen before → batches
//! this task:      batches → lines of records, on a thread for work → answers in the format, on another → standard output
//! ```
//!
//! What is in memory is the addresses seen, and a few batches.

mod answers;
mod dedup;
mod plan;
mod reader;
mod show;
mod text;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::StreamExt;
use tokio::task;

use self::{
    answers::answers,
    dedup::TextTotals,
    plan::EnrichPlan,
    reader::{AddressReader, ReadStep},
    show::{EnrichSheet, ShownBatch, busiest},
    text::InputText,
};
use super::{
    args::enrich::{EnrichArgs, EnrichSelection},
    console::{CommandResult, Console},
    exit::Exit,
    freshness::note_ages,
    search::facets::{FacetResults, note_values},
};
use crate::{
    contract::Feed,
    engine::{Engine, Error, Kind, OpenRelease, Picked, enrich::WantedLines},
    report::count,
};

/// Batches that are put into their format while the next one is answered.
const AHEAD: usize = 2;

/// Answers about every address of a text, or says what there is to answer.
///
/// # Errors
/// No local feed; a failure to read the text or a feed.
pub(super) async fn run(args: &EnrichArgs, engine: &Engine, console: &Console) -> CommandResult {
    let pick = args.feeds(engine.settings.today())?;
    let selected = args.selected()?;
    if let Some(feed) = pick.feed {
        selected.check(&[feed])?;
    }
    let Picked { opened, unusable } = if args.plan {
        engine.releases.open_picked(&pick).await?
    } else {
        engine.releases.open_some(&pick).await?
    };
    if !opened.is_empty() {
        let feeds: Vec<Feed> = opened.iter().map(|own| own.release.manifest.feed).collect();
        selected.check(&feeds)?;
    }
    let texts: Vec<InputText> = args.files.iter().map(text_of).collect();
    let texts = if texts.is_empty() {
        vec![InputText::Input]
    } else {
        texts
    };
    for text in &texts {
        text.check()?;
    }
    if texts.contains(&InputText::Input) && io::stdin().is_terminal() {
        console.note("reading the text from this terminal; Ctrl-D on an empty line ends it");
    }
    for error in &unusable {
        console.complain(None, error);
    }
    // Where and how often an address occurs is known at the end only, for which a reader of a pipe does not wait.
    let waits = selected.facet.is_some() || selected.top.is_some();
    let counts = !args.plan && (!texts.contains(&InputText::Input) || waits);
    let reader = AddressReader::start(texts.clone(), engine.settings.admission.clone(), counts);
    let exit = if args.plan {
        EnrichPlan::of(engine, &opened, reader)
            .await?
            .show(console)?
    } else {
        let asked = EnrichRun {
            engine,
            console,
            opened: &opened,
            sheet: Arc::new(EnrichSheet::new(
                console,
                &opened,
                selected.clone(),
                counts,
                &texts,
            )),
            selected,
        };
        asked.answer(reader).await?
    };
    note_ages(engine, console, opened.iter().map(|opened| &opened.release));
    Ok(exit.or_of(unusable.first()))
}

/// The text that an argument names.
fn text_of(file: &PathBuf) -> InputText {
    if file == Path::new("-") {
        InputText::Input
    } else {
        InputText::File(file.clone())
    }
}

/// A run: what is asked, and how it is answered.
struct EnrichRun<'a> {
    engine: &'a Engine,
    console: &'a Console,
    opened: &'a [OpenRelease],
    sheet: Arc<EnrichSheet>,
    selected: EnrichSelection,
}

impl EnrichRun<'_> {
    /// Prints the answers as they come, or their values at the end.
    async fn answer(&self, reader: AddressReader) -> CommandResult {
        self.console.results(&self.sheet.head())?;
        let wanted = if self.selected.all {
            WantedLines::All
        } else {
            WantedLines::Best
        };
        let mut text_totals = None;
        let mut sum = ShownBatch::default();
        {
            let answers = answers(self.engine, self.opened, reader, wanted);
            let shown = answers.map(|part| {
                let sheet = self.sheet.clone();
                async move {
                    match part? {
                        ReadStep::Batch((found_address, answers)) => {
                            task::spawn_blocking(move || sheet.show(&found_address, &answers))
                                .await
                                .map(ReadStep::Batch)
                                .map_err(|error| lost(&error))
                        }
                        ReadStep::End(totals) => Ok(ReadStep::End(totals)),
                    }
                }
            });
            let mut shown = std::pin::pin!(shown.buffered(AHEAD));
            while let Some(step) = shown.next().await {
                match step? {
                    ReadStep::Batch(shown) => self.take(shown, &mut sum)?,
                    ReadStep::End(totals) => text_totals = Some(totals),
                }
            }
        }
        self.conclude(&mut sum)?;
        if let Some(totals) = text_totals {
            note(&totals, self.console);
        }
        if !self.selected.filter.is_empty() {
            self.console.note(&format!(
                "{} of {} addresses match",
                count(sum.matched),
                count(sum.addresses)
            ));
        }
        if sum.unread > 0 {
            self.console.warn(&format!(
                "unreadable records left out: {}",
                count(sum.unread)
            ));
        }
        sum.families
            .note(self.engine, self.opened, self.console)
            .await?;
        Ok(Exit::DONE)
    }

    /// Prints a batch, or adds what is printed at the end to that of those before.
    fn take(&self, shown: ShownBatch, sum: &mut ShownBatch) -> CommandResult<()> {
        self.console.results(&shown.text)?;
        sum.addresses += shown.addresses;
        sum.matched += shown.matched;
        sum.unread += shown.unread;
        sum.families.add(shown.families);
        sum.tally.merge(shown.tally);
        if let Some(most) = self.selected.top {
            sum.busiest.extend(shown.busiest);
            busiest(&mut sum.busiest, most);
        }
        self.console.if_interrupted(format!(
            "{} addresses are answered; their rows are complete",
            count(sum.addresses)
        ));
        Ok(())
    }

    /// Prints what waited for the end.
    fn conclude(&self, sum: &mut ShownBatch) -> CommandResult<()> {
        let Some(by) = &self.selected.facet else {
            let lines = sum.busiest.iter().map(|answer| answer.text.as_str());
            return self.console.results(&lines.collect::<String>());
        };
        let facets = std::mem::take(&mut sum.tally).facets();
        let most = self.selected.top.unwrap_or(usize::MAX);
        let shown = FacetResults {
            values: &facets[..facets.len().min(most)],
            number: sum.matched,
            ticket: self.sheet.ticket().line("answers", &count(sum.matched)),
        };
        self.console.show(&shown)?;
        let shown = shown.values.len();
        note_values(self.console, by, sum.matched, facets.len(), shown);
        Ok(())
    }
}

/// What was set aside, and why.
fn note(totals: &TextTotals, console: &Console) {
    if totals.unique() == 0 {
        console.note("the text has no address");
    }
    if let Some(words) = totals.set_aside_in_words() {
        console.note(&format!("set aside: {words}"));
    }
}

/// Work on a thread ends early only by a bug in this program.
fn lost(error: &task::JoinError) -> Error {
    Error::new(
        Kind::Machine,
        format!("a working thread ended early: {error}"),
    )
}
