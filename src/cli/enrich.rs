//! `enrich`: every address of a text once, answered from the local feeds. Sends nothing, spends nothing.
//!
//! ```text
//! reading thread: blocks of text → addresses never seen before → batches
//! this task:      batches → lines of records, on a thread for work → answers in the format, on another → standard output
//! ```
//!
//! What is in memory is the addresses seen, and a few batches.

mod plan;
mod reader;
mod show;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::StreamExt;
use tokio::task;

use self::{
    plan::EnrichPlan,
    reader::{AddressReader, ReadStep, TextOutcomes, answers},
    show::{EnrichSheet, ShownBatch, busiest},
};
use super::{
    args::enrich::{EnrichArgs, EnrichSelection},
    console::{CommandResult, Console},
    run::Run,
    search::facets::{check_path, facet_columns, facet_rows, note_values},
    text::InputText,
};
use crate::{
    contract::Feed,
    engine::{Error, Kind, OpenRelease, Picked, enrich::WantedLines},
    investigation::gather::{Gathering, TextTotals},
    report::{ResultFormat, Results, RowPage, count, each},
};

/// Batches that are put into their format while the next one is answered.
const AHEAD: usize = 2;

/// The table of the answers, of the values of a field, or of the plan.
pub(super) fn table_of(args: &EnrichArgs) -> Vec<&'static str> {
    if args.plan {
        plan::columns().names()
    } else if args.facet.is_some() {
        facet_columns().names()
    } else {
        show::columns().names()
    }
}

/// Answers about every address of a text, or says what there is to answer.
///
/// # Errors
/// No local feed; a failure to read the text or a feed.
pub(super) async fn run(args: &EnrichArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let pick = args.feeds(engine.settings.today())?;
    let selected = args.selected()?;
    let times = args.times(engine.settings.now())?;
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
    if let Some(by) = &selected.facet {
        check_path(engine, &opened, by).await?;
    }
    let mut given: Vec<InputText> = args.files.iter().map(text_of).collect();
    if given.is_empty() {
        given.push(InputText::Input);
    }
    let mut outcomes = TextOutcomes::of(&given, console);
    let is_alone = given.len() == 1;
    let mut texts = Vec::new();
    for text in given {
        match text.check() {
            Ok(()) => texts.push(text),
            Err(error) => outcomes.failed(&text, &error)?,
        }
    }
    if texts.is_empty() {
        return Ok(outcomes.exit());
    }
    let named = texts.iter().filter(|_| !is_alone).map(InputText::name);
    let named = named.collect();
    if texts.contains(&InputText::Input) && io::stdin().is_terminal() {
        console.note("reading the text from this terminal; Ctrl-D on an empty line ends it");
    }
    for error in &unusable {
        console.complain(None, error);
    }
    // Where and how often an address occurs is known at the end only, for which a reader of a pipe does not wait.
    let waits = selected.facet.is_some() || selected.top.is_some();
    let counts = !args.plan && (!texts.contains(&InputText::Input) || waits);
    let admission = engine.settings.admission.clone();
    // What stands beside an address is for programs; nobody else waits for it.
    let is_listed = counts && selected.facet.is_none();
    let reads_rows = is_listed && says_times(console.format());
    let gathering = Gathering {
        counts,
        times: reads_rows.then_some(times),
        by_day: false,
        cells: reads_rows,
    };
    let reader = AddressReader::start(texts, admission, gathering);
    let reader = reader.map_err(|error| Error::machine("read the text", &error))?;
    if args.plan {
        let plan = EnrichPlan::of(engine, &opened, reader, &mut outcomes).await?;
        if outcomes.any_was_read() {
            plan.show(console)?;
        }
    } else {
        let asked = EnrichRun {
            run,
            opened: &opened,
            sheet: Arc::new(EnrichSheet::new(
                console,
                &opened,
                selected.clone(),
                counts,
                named,
            )),
            selected,
            zone: &args.zone,
        };
        asked.answer(reader, &mut outcomes).await?;
    }
    run.note_ages(opened.iter().map(|opened| &opened.release));
    Ok(outcomes.exit().or_of(unusable.first()))
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
    run: Run<'a>,
    opened: &'a [OpenRelease],
    sheet: Arc<EnrichSheet>,
    selected: EnrichSelection,
    zone: &'a str,
}

impl EnrichRun<'_> {
    /// Prints the answers as they come, or their values at the end.
    async fn answer(
        &self,
        reader: AddressReader,
        outcomes: &mut TextOutcomes<'_>,
    ) -> CommandResult<()> {
        let columns = self.sheet.columns();
        if self.selected.facet.is_none() {
            self.run
                .console
                .rows(|rows| rows.begin(&columns, || Some(self.sheet.ticket())))?;
        }
        let wanted = if self.selected.all {
            WantedLines::All
        } else {
            WantedLines::Best
        };
        let mut text_totals = None;
        let mut sum = ShownBatch::default();
        {
            let answers = answers(self.run.engine, self.opened, reader, wanted);
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
                        ReadStep::Failed(text, error) => Ok(ReadStep::Failed(text, error)),
                        ReadStep::End(totals) => Ok(ReadStep::End(totals)),
                    }
                }
            });
            let mut shown = std::pin::pin!(shown.buffered(AHEAD));
            while let Some(step) = shown.next().await {
                match step? {
                    ReadStep::Batch(shown) => self.take(shown, &mut sum)?,
                    ReadStep::Failed(text, error) => outcomes.failed(&text, &error)?,
                    ReadStep::End(totals) => text_totals = Some(totals),
                }
            }
        }
        // The thread that reads sends the end last.
        let totals = text_totals.ok_or_else(|| lost(&"the reader of the text"))?;
        if outcomes.any_was_read() {
            self.conclude(&mut sum)?;
            note(&totals, self.run.console);
            if says_times(self.run.console.format()) {
                note_times(&totals, self.zone, self.run.console);
            }
        }
        if !self.selected.filter.is_empty() {
            self.run.console.note(&format!(
                "{} of {} addresses match",
                count(sum.matched),
                count(sum.addresses)
            ));
            let filter = &self.selected.filter;
            self.run.note_unknown_values(self.opened, filter).await;
        }
        if sum.unread > 0 {
            self.run.console.warn(&format!(
                "unreadable records left out: {}",
                count(sum.unread)
            ));
        }
        sum.families.note(self.opened, self.run).await
    }

    /// Prints a batch, or adds what is printed at the end to that of those before.
    fn take(&self, shown: ShownBatch, sum: &mut ShownBatch) -> CommandResult<()> {
        self.run
            .console
            .rows(|rows| rows.page(&self.sheet.columns(), shown.rows))?;
        sum.addresses += shown.addresses;
        sum.matched += shown.matched;
        sum.unread += shown.unread;
        sum.families.add(shown.families);
        sum.tally.merge(shown.tally);
        if let Some(most) = self.selected.top {
            sum.busiest.extend(shown.busiest);
            busiest(&mut sum.busiest, most);
        }
        self.run.console.if_interrupted(format!(
            "{} addresses are answered; their rows are complete",
            count(sum.addresses)
        ));
        Ok(())
    }

    /// Prints what waited for the end.
    fn conclude(&self, sum: &mut ShownBatch) -> CommandResult<()> {
        let Some(by) = &self.selected.facet else {
            let mut rows = RowPage::default();
            for answer in std::mem::take(&mut sum.busiest) {
                rows.append(answer.row);
            }
            let columns = self.sheet.columns();
            return self.run.console.rows(|writer| writer.page(&columns, rows));
        };
        let facets = std::mem::take(&mut sum.tally).facets();
        let (all, matched) = (facets.len(), sum.matched);
        let ticket = self.sheet.ticket().line("answers", &count(matched));
        let rows = facet_rows(facets, self.selected.top, matched);
        let columns = facet_columns().labelled("records", "addresses");
        let results = Results::table(columns, &rows, ticket).with_heads();
        self.run.console.show(results)?;
        note_values(self.run.console, by, matched, all, rows.len());
        Ok(())
    }
}

/// What was set aside, and why.
fn note(totals: &TextTotals, console: &Console) {
    if totals.unique() == 0 {
        console.note("the text has no address");
    }
    if let Some(words) = set_aside_in_words(totals) {
        console.note(&format!("set aside: {words}"));
    }
}

/// Whether answers in a format have what stands beside the addresses in the text.
fn says_times(format: ResultFormat) -> bool {
    matches!(format, ResultFormat::Json | ResultFormat::Csv)
}

/// What was assumed of the times in the text, and what does not fit beside the addresses.
fn note_times(totals: &TextTotals, zone: &str, console: &Console) {
    let of = |number: u64| format!("{} of {}", count(number), count(totals.timed));
    if totals.without_zone > 0 {
        let without = of(totals.without_zone);
        console.note(&format!(
            "{without} times name no zone and are taken for {zone}: --zone says another"
        ));
    }
    if totals.without_year > 0 {
        let without = of(totals.without_year);
        console.note(&format!(
            "{without} times have no year: the latest that is not in the future was assumed"
        ));
    }
    if totals.is_cut {
        console.note("columns leaves out values: the text has more than are kept");
    }
}

/// What was set aside, in words; `None` for nothing.
fn set_aside_in_words(totals: &TextTotals) -> Option<String> {
    let aside = totals.set_aside.iter();
    let words = aside.map(|(reason, number)| format!("{} {reason}", count(*number)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| each(&words, ", "))
}

/// Work on a thread ends early only by a bug in this program.
fn lost(error: &impl std::fmt::Display) -> Error {
    Error::new(
        Kind::Machine,
        format!("a working thread ended early: {error}"),
    )
}
