//! `enrich`: every address of a text once, answered from the local feeds. Sends and spends nothing, except with `--spend`.
//!
//! ```text
//! reading thread: blocks of text → addresses never seen before → batches
//! this task:      batches → lines of records, on a thread for work → answers in the format, on another → standard output
//! ```
//!
//! What is in memory is the addresses seen, and a few batches.

mod aside;
mod asked;
mod batch;
mod beginning;
mod event;
mod go_on;
mod kept;
mod notes;
mod patience;
mod plan;
mod reader;
mod recent;
mod rest;
mod resume;
mod row;
mod show;

use std::{
    cell::RefCell,
    collections::HashSet,
    io::{self, IsTerminal},
    net::IpAddr,
    sync::Arc,
};

use futures_util::StreamExt;
use tokio::task;

use self::{
    asked::AskedNow,
    batch::ShownBatch,
    beginning::TextBeginning,
    go_on::GoOn,
    kept::remember,
    notes::{note, note_days, note_times},
    patience::{Patience, awaited},
    plan::EnrichPlan,
    reader::{AddressReader, ReadStep, TextOutcomes, answers},
    recent::{RecentOf, recent_of},
    rest::{Replies, Spender, contexts},
    resume::EarlierRun,
    show::{BatchBeside, EnrichSheet},
};
use super::{
    args::{
        enrich::{EnrichArgs, EnrichSelection, check_names},
        warehouse::PlaceArg,
    },
    console::{CommandResult, Console},
    exit::Exit,
    run::Run,
    search::facets::{check_path, facet_columns, facet_rows, note_values},
    status::note_balance,
    text::InputText,
};
use crate::{
    contract::Feed,
    engine::{
        Engine, Error, Kind, LocalAnswers, OpenDay, Opened, Pick, Result, answers::Limits,
        enrich::WantedLines,
    },
    investigation::{
        board::{BoardField, BoardGroup, BoardGroups},
        earlier_run::RunIdentity,
        event_answer::{EventAnswers, answer_events},
        event_time::TimeReader,
        gather::{FoundAddress, Gathering},
        history::RecentDays,
    },
    report::{Cell, Columns, ResultFormat, Results, RowPage, TextCell, count, counted},
};

/// Batches that are put into their format while the next one is answered.
const AHEAD: usize = 2;

/// The table of the answers, of the values of a field, or of the plan.
pub(super) fn table_of(args: &EnrichArgs) -> Vec<&'static str> {
    if args.set_aside {
        aside::columns().names()
    } else if args.plan {
        plan::columns().names()
    } else if args.facet.is_some() {
        facet_columns().names()
    } else if args.group.is_some() {
        group_columns().names()
    } else {
        row::columns(args.at_time).names()
    }
}

/// Answers about every address of a text, or says what there is to answer.
///
/// # Errors
/// No local feed; a failure to read the text or a feed.
pub(super) async fn run(args: &EnrichArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let selected = args.selected()?;
    if args.set_aside {
        return aside::list(args, run).await;
    }
    let earlier = earlier_run(args, console)?;
    let times = args.times(engine.settings.now())?;
    let days = opened(args, &selected, engine).await?;
    let feeds = days.feeds();
    let Opened {
        days: opened,
        unusable,
    } = days;
    let given = InputText::all(&args.files, console);
    let mut outcomes = TextOutcomes::of(&given, console);
    let is_alone = given.len() == 1;
    let texts = outcomes.readable(given)?;
    if texts.is_empty() {
        return Ok(outcomes.exit());
    }
    remember(&texts, args, run);
    let named = texts.iter().filter(|_| !is_alone).map(InputText::name);
    let named = named.collect();
    for feed in &unusable {
        console.complain(None, &feed.why);
    }
    let gathering = gathering(args, &selected, (&texts, console), times);
    let counts = gathering.counts;
    let asked = AskedNow::of(args, &selected.filter_text, &opened);
    let earlier = earlier.map(|run| run.answers(&asked)).transpose()?;
    let patience = patience(&texts, args, counts, console);
    let beginning = TextBeginning::default();
    let admission = engine.settings.admission.clone();
    let reader = AddressReader::start(texts, beginning.clone(), admission, gathering);
    let reader = reader.map_err(|error| Error::machine("read the text", &error))?;
    let mut reader = reader.patient(patience);
    if let Some(earlier) = earlier {
        reader = earlier.go_on(reader, &beginning).await?;
    }
    let unnamed = (console.format() == ResultFormat::Json).then_some((asked.run, beginning));
    let feeds_of_events = args.at_time.then_some(feeds);
    let mut spender = None;
    if args.plan || args.spend.is_some() {
        let asked = (&opened[..], feeds_of_events.as_deref());
        let (plan, found) = EnrichPlan::of(
            engine,
            asked,
            selected.filter.names_roles(),
            reader,
            &mut outcomes,
        )
        .await?;
        if args.plan {
            if outcomes.any_was_read() {
                plan.show(console, args)?;
            }
            run.note_ages(opened.iter().map(|opened| &opened.release));
            let first = unusable.first().map(|feed| &feed.why);
            return Ok(outcomes.exit().or_of(first));
        }
        let (rest, balance, totals) = plan.into_rest();
        reader = AddressReader::held(found, totals, args.spend > Some(0));
        spender = match args.spend {
            Some(most) => Some(Spender::begin(run, (rest, balance), (most, args.yes)).await?),
            None => None,
        };
    }
    let sheet = EnrichSheet::new(console, &opened, selected.clone(), counts, named);
    let to = args.feeds(engine.settings.today())?.day;
    let to = to.unwrap_or(engine.settings.today());
    // An event has its own day; a count of values has no place for them.
    let is_shown = selected.facet.is_none() && selected.group.is_none() && !args.at_time;
    let is_shown = is_shown && console.format() != ResultFormat::Csv;
    let recent_days = if is_shown && args.pick.at == PlaceArg::Local {
        RecentDays::open(engine, to).await?
    } else {
        None
    };
    let asked = EnrichRun {
        run,
        opened: &opened,
        sheet: Arc::new(sheet.with_events(feeds_of_events.is_some(), unusable.is_empty())),
        feeds_of_events,
        selected,
        spender,
        recent_days,
        unnamed: RefCell::new(unnamed),
        args,
    };
    let sum = asked.answer(reader, &mut outcomes).await?;
    let exit_of_rest = sum.tally_of_rest.exit();
    let days_unusable = asked.note_records(sum).await?;
    run.note_ages(opened.iter().map(|opened| &opened.release));
    let unusable = unusable.iter().map(|feed| &feed.why);
    let mut unusable = unusable.chain(&days_unusable);
    Ok(match outcomes.exit() {
        Exit::DONE => exit_of_rest.or_of(unusable.next()),
        exit => exit,
    })
}

/// What is gathered of the texts.
fn gathering(
    args: &EnrichArgs,
    selected: &EnrichSelection,
    (texts, console): (&[InputText], &Console),
    times: TimeReader,
) -> Gathering {
    // Where and how often an address occurs is known at the end only, for which a reader of a pipe does not wait.
    let waits = selected.facet.is_some()
        || selected.top.is_some()
        || selected.group.is_some()
        || selected.filter.asks_for_more()
        // What is sent is known before anything is, and whose the addresses are.
        || args.spend.is_some()
        || args.plan;
    let counts = !texts.contains(&InputText::Input) || waits;
    // What stands beside an address is for programs; nobody else waits for it.
    let is_listed = counts && selected.facet.is_none() && selected.group.is_none();
    let listed = is_listed && matches!(console.format(), ResultFormat::Json | ResultFormat::Csv);
    let cells = listed || selected.asks_for_columns();
    let events = selected.filter.asks_for_times();
    Gathering {
        counts,
        times: (cells || events || args.at_time).then_some(times),
        events,
        by_day: args.at_time,
        cells,
        wanted: selected.wanted_columns(),
        lists_aside: false,
        room: args.room(),
    }
}

/// The earlier run that this one goes on with.
fn earlier_run<'a>(args: &'a EnrichArgs, console: &Console) -> Result<Option<EarlierRun<'a>>> {
    match &args.resume {
        Some(_) if console.format() != ResultFormat::Json => {
            let message = "--resume goes on with JSON lines: nothing was sent";
            Err(Error::new(Kind::Usage, message).hint("add --format json"))
        }
        Some(path) => EarlierRun::open(path).map(Some),
        None => Ok(None),
    }
}

/// The local releases that are asked, which have what is selected.
async fn opened(
    args: &EnrichArgs,
    selected: &EnrichSelection,
    engine: &Engine,
) -> CommandResult<Opened> {
    let pick = args.feeds(engine.settings.today())?;
    if let Some(feed) = pick.feed {
        selected.check(&[feed])?;
    }
    // What is not local is asked of the service, unless a release is named.
    let is_asked = args.plan || args.spend.is_some();
    let days = if is_asked && pick == Pick::default() {
        engine.storage.open_picked(&pick).await?
    } else {
        engine.storage.open_some(&pick).await?
    };
    let opened = &days.days;
    if !opened.is_empty() {
        let feeds: Vec<Feed> = opened.iter().map(|day| day.release.manifest.feed).collect();
        selected.check(&feeds)?;
    }
    if let (Some(by), Some(here)) = (&selected.facet, OpenDay::all_here(opened)) {
        check_path(engine, &here, by).await?;
    }
    Ok(days)
}

/// What is said where the text is waited for: at once where it is typed, else after a while.
fn patience<'a>(
    texts: &[InputText],
    args: &EnrichArgs,
    counts: bool,
    console: &'a Console,
) -> Option<Patience<'a>> {
    if texts.contains(&InputText::Input) && io::stdin().is_terminal() {
        console.note("reading the text from this terminal; Ctrl-D on an empty line ends it");
        return None;
    }
    awaited(texts, args, counts).map(|text| Patience::noting(text, console))
}

/// A run: what is asked, and how it is answered.
struct EnrichRun<'a> {
    run: Run<'a>,
    opened: &'a [OpenDay],
    sheet: Arc<EnrichSheet>,
    selected: EnrichSelection,
    /// The feeds that are asked about the days of events.
    feeds_of_events: Option<Vec<Feed>>,
    /// Who answers what the local feeds leave unanswered.
    spender: Option<Spender<'a>>,
    /// The last local days, where they are shown.
    recent_days: Option<RecentDays>,
    /// What the first row is yet to say of the run, and of its text.
    unnamed: RefCell<Option<(RunIdentity, TextBeginning)>>,
    args: &'a EnrichArgs,
}

impl EnrichRun<'_> {
    /// Prints the answers as they come, or their values at the end.
    async fn answer(
        &self,
        reader: AddressReader<'_>,
        outcomes: &mut TextOutcomes<'_>,
    ) -> CommandResult<ShownBatch> {
        let columns = self.sheet.columns();
        if self.selected.facet.is_none() && self.selected.group.is_none() {
            self.run.console.rows(|rows| {
                rows.begin(&columns, || Some(self.sheet.ticket(self.spender.is_some())))
            })?;
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
            let shown = answers.map(async |part| self.shown(part?).await);
            // No more queries are under way than those of one batch.
            let ahead = if self.spender.is_some() { 1 } else { AHEAD };
            let mut shown = std::pin::pin!(shown.buffered(ahead));
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
        if totals.public == 0 {
            check_names(&self.selected.filter_text)?;
        }
        if outcomes.any_was_read() {
            self.conclude(&mut sum)?;
            note(&totals, self.run.console);
            note_times(&totals, &self.args.zone, self.run.console);
            if self.args.at_time {
                note_days(&totals, &sum.gaps, self.run.console);
            }
        }
        Ok(sum)
    }

    /// How this run goes on where it has not sent all.
    fn go_on(&self) -> GoOn<'_> {
        GoOn {
            resumed: self.args.resume.as_deref(),
            is_json: self.run.console.format() == ResultFormat::Json,
        }
    }

    /// Notes what was spent, and what was not sent.
    fn note_spent(&self, sum: &ShownBatch) {
        if self.spender.is_none() {
            return;
        }
        let console = self.run.console;
        let possibly = match sum.possibly_spent {
            0 => String::new(),
            more => format!(", possibly {} more", count(more)),
        };
        let spent = counted(sum.spent, "query");
        console.note(&format!("{spent} spent{possibly}"));
        if !sum.left_out.is_empty() {
            console.warn(&self.go_on().after_left_out(&sum.left_out));
        }
        note_balance(self.run);
    }

    /// Notes what the answers do not show of the records. Returns why releases of the days of events cannot be read.
    async fn note_records(&self, sum: ShownBatch) -> CommandResult<Vec<Error>> {
        self.note_spent(&sum);
        if !self.selected.filter.is_empty() {
            // Without a record there are no values to count.
            let with_record = self
                .selected
                .facet
                .as_ref()
                .map_or("", |_| " have a record and");
            self.run.console.note(&format!(
                "{} of {} {}{with_record} match",
                count(sum.matched),
                count(sum.addresses),
                self.answered()
            ));
            let filter = &self.selected.filter;
            if let Some(here) = OpenDay::all_here(self.opened) {
                self.run.note_unknown_values(&here, filter.record()).await;
            }
        }
        if sum.unread > 0 {
            self.run.console.warn(&format!(
                "unreadable records left out: {}",
                count(sum.unread)
            ));
        }
        sum.families.note(self.opened, self.run).await?;
        let unusable = sum.gaps.unusable.into_iter().map(|feed| feed.why);
        Ok(unusable
            .inspect(|error| self.run.console.complain(None, error))
            .collect())
    }

    /// Puts a batch into its format, on a thread.
    async fn shown(
        &self,
        step: ReadStep<(Vec<FoundAddress>, LocalAnswers)>,
    ) -> Result<ReadStep<ShownBatch>> {
        let (found_address, answers) = match step {
            ReadStep::Batch(batch) => batch,
            ReadStep::Failed(text, error) => return Ok(ReadStep::Failed(text, error)),
            ReadStep::End(totals) => return Ok(ReadStep::End(totals)),
        };
        if let Some((_, values)) = found_address
            .first()
            .and_then(|address| address.seen.as_deref())
        {
            self.selected.check_columns(values.columns())?;
        }
        let mut events = self.events(&found_address).await?;
        let mut replies = Replies::default();
        if let Some(spender) = &self.spender {
            let Engine { settings, .. } = self.run.engine;
            let ages = (Limits::of(settings), settings.now());
            let known = contexts(&found_address, &answers, self.opened, ages);
            let events = self.feeds_of_events.is_some().then_some(&mut events);
            replies = spender.replies(&found_address, &known, events).await?;
        }
        let named = self.named_as_entries(&found_address).await?;
        let recent = match &self.recent_days {
            Some(days) => recent_of(self.run.engine, days, self.opened, &answers).await?,
            None => RecentOf::new(),
        };
        let (sheet, spends) = (self.sheet.clone(), self.spender.is_some());
        let show = move || {
            let beside = BatchBeside {
                events: &events.answers,
                replies: &replies,
                named: &named,
                recent: &recent,
            };
            let mut shown = sheet.show(&found_address, &answers, &beside);
            if spends {
                replies.count(found_address.len(), &mut shown.tally_of_rest);
                (shown.spent, shown.possibly_spent) = (replies.spent, replies.possibly_spent);
            }
            shown.gaps.add(events);
            shown
        };
        let shown = task::spawn_blocking(show).await;
        let shown = shown.map_err(|error| lost(&error))?;
        Ok(ReadStep::Batch(shown))
    }

    /// The addresses that records of others name as an entry, if it is asked what they are today.
    async fn named_as_entries(&self, found: &[FoundAddress]) -> Result<HashSet<IpAddr>> {
        let EnrichSelection { group, filter, .. } = &self.selected;
        let is_asked = *group == Some(BoardField::Is) || filter.asks_for_standings();
        let pick = &self.args.pick;
        let is_of_newest = pick.feed.is_none() && pick.day.is_none() && pick.at == PlaceArg::Local;
        if !is_asked || !is_of_newest || self.args.at_time {
            return Ok(HashSet::new());
        }
        let addresses = found.iter().map(|address| address.address).collect();
        let named = self.run.engine.views.entries_of(addresses).await?;
        Ok(named
            .found
            .into_iter()
            .map(|(address, _)| address)
            .collect())
    }

    /// What is at hand about each of these addresses on the day of its event, where that is asked.
    async fn events(&self, found_address: &[FoundAddress]) -> Result<EventAnswers> {
        match &self.feeds_of_events {
            Some(feeds) => answer_events(&self.run.engine.answers, feeds, found_address).await,
            None => Ok(EventAnswers::default()),
        }
    }

    /// What each answer is about.
    fn answered(&self) -> &'static str {
        if self.args.at_time {
            "addresses and days"
        } else {
            "addresses"
        }
    }

    /// Prints answers.
    fn print(&self, mut rows: RowPage) -> CommandResult<()> {
        if !rows.is_empty()
            && let Some((mut run, beginning)) = self.unnamed.take()
        {
            run.text = beginning.mark();
            rows.add_to_first("run", &run.printed());
        }
        self.run
            .console
            .rows(|writer| writer.page(&self.sheet.columns(), rows))
    }

    /// Prints a batch, or adds what is printed at the end to that of those before.
    fn take(&self, mut shown: ShownBatch, sum: &mut ShownBatch) -> CommandResult<()> {
        self.print(std::mem::take(&mut shown.rows))?;
        for (query, typed, error) in std::mem::take(&mut shown.failures) {
            self.run.console.complain(Some(&query), &error);
            let query = (query.as_str(), typed.as_deref());
            self.run
                .console
                .rows(|rows| rows.failure(&self.sheet.columns(), query, &error))?;
        }
        sum.add(shown, self.selected.top);
        let spent = match &self.spender {
            Some(_) => format!("\n  {}", self.go_on().after_interruption()),
            None => String::new(),
        };
        self.run.console.if_interrupted(format!(
            "{} {} are answered; their rows are complete{spent}",
            count(sum.addresses),
            self.answered()
        ));
        Ok(())
    }

    /// Prints the addresses by a field.
    fn conclude_groups(&self, by: &BoardField, sum: &mut ShownBatch) -> CommandResult<()> {
        let groups = sum.groups.take().map(BoardGroups::ranked);
        let mut groups = groups.unwrap_or_default();
        let all = groups.len();
        groups.truncate(self.selected.top.unwrap_or(usize::MAX));
        let ticket = self
            .sheet
            .ticket(self.spender.is_some())
            .line("by", by.heading());
        let ticket = ticket.line("answers", &count(sum.matched));
        let console = self.run.console;
        console.show(Results::table(group_columns(), &groups, ticket).with_heads())?;
        if groups.len() < all {
            console.note(&format!(
                "{} values, {} shown",
                count(all as u64),
                groups.len()
            ));
        }
        Ok(())
    }

    /// Prints what waited for the end.
    fn conclude(&self, sum: &mut ShownBatch) -> CommandResult<()> {
        if let Some(by) = &self.selected.group {
            return self.conclude_groups(by, sum);
        }
        let Some(by) = &self.selected.facet else {
            let mut rows = RowPage::default();
            for answer in std::mem::take(&mut sum.busiest) {
                rows.append(answer.row);
            }
            return self.print(rows);
        };
        let facets = std::mem::take(&mut sum.tally).facets();
        let (all, matched) = (facets.len(), sum.matched);
        let ticket = self
            .sheet
            .ticket(self.spender.is_some())
            .line("answers", &count(matched));
        let rows = facet_rows(facets, self.selected.top, matched);
        let columns = facet_columns().labelled("records", "addresses");
        let results = Results::table(columns, &rows, ticket).with_heads();
        self.run.console.show(results)?;
        note_values(self.run.console, by, matched, all, rows.len());
        Ok(())
    }
}

/// The columns of the addresses by a field.
fn group_columns() -> Columns<BoardGroup> {
    Columns::<BoardGroup>::default()
        .data("value", |group| {
            group.value.clone().map_or(Cell::Null, Cell::Text)
        })
        .words("value", |group| TextCell::or_dash(group.value.clone()))
        .column("addresses", "addresses", |group| group.addresses)
        .column("lines", "lines", |group| group.lines)
        .column("clients", "clients", |group| group.clients)
        .json("queries", |group| {
            Cell::json(
                group
                    .list
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>(),
            )
        })
}

/// Work on a thread ends early only by a bug in this program.
fn lost(error: &impl std::fmt::Display) -> Error {
    Error::new(
        Kind::Machine,
        format!("a working thread ended early: {error}"),
    )
}
