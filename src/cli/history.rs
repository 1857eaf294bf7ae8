//! `history`: how an address or a network changed over days. Only `--spend N` sends queries.

use std::{collections::BTreeSet, env, net::IpAddr};

use super::{
    args::{ResultFormat, history::HistoryArgs},
    console::CommandResult,
    exit::ExitTally,
    run::Run,
    status::note_balance,
};
use crate::{
    engine::{Error, Kind, Spending, locale},
    investigation::history::{
        Bisection, DayFinding, History, HistoryQuery, LocalHistory, look_up_between, read_history,
    },
    model::Subject,
    report::{
        Cell, HistoryWords, Line, Results, StripSymbols, Ticket, TicketStamp, count, counted,
        history_columns, recent_object,
    },
};

/// The table of the days.
pub(super) fn table_of(_args: &HistoryArgs) -> Vec<&'static str> {
    history_columns().names()
}

/// Reads what is at hand, finds the days of changes as far as queries are allowed, and prints the stretches.
///
/// # Errors
/// Invalid arguments; no day at hand; no output.
pub(super) async fn run(args: &HistoryArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let query = args.query(engine.settings.today(), &engine.settings.admission)?;
    engine.answers.admit_subject(query.subject)?;
    console.if_interrupted("nothing was printed");
    let LocalHistory { history, unusable } = read_history(engine, &query).await?;
    let (mut history, mut spent, mut tally) = (history, 0, ExitTally::default());
    tally.done();
    for error in &unusable {
        console.complain(None, error);
    }
    if let Subject::Address(address) = query.subject {
        if let Some(most) = args.spend.filter(|most| *most > 0) {
            spent = spend(address, most, &mut history, &mut tally, run).await?;
        }
        note_gaps(&history, run);
    }
    print(&query, &history, spent, run)?;
    if let Subject::Network(network) = query.subject {
        console.note(&format!(
            "records inside {network} are not followed; `ipspect search {} net:{network}` lists them",
            query.feed()
        ));
    }
    let exit = tally.exit().or_of(unusable.first());
    let is_unreadable = history.findings.contains(&DayFinding::Unreadable);
    let unread = is_unreadable.then(|| Error::new(Kind::Integrity, "a day cannot be read"));
    Ok(exit.or_of(unread.as_ref()))
}

/// Finds the days of changes by queries, of which the most that can be spent is said first.
async fn spend(
    address: IpAddr,
    most: u64,
    history: &mut History,
    tally: &mut ExitTally,
    Run { engine, console }: Run<'_>,
) -> CommandResult<u64> {
    let answers = &engine.answers;
    let (search, lost) = Bisection::plan(answers, address, history, most).await?;
    if lost > 0 {
        let queries = counted(lost as u64, "query");
        console.warn(&format!(
            "{queries} possibly spent and not sent again: sent before, no answer came"
        ));
    }
    if search.left() == 0 {
        console.note("no query to send: no unknown days lie between known days that differ");
        return Ok(0);
    }
    let spending = Spending::at_most(search.left());
    if let Some(why) = answers.closed(&spending).await {
        tally.failed(why.error().kind);
        console.complain(None, why.error());
        return Ok(0);
    }
    console.note(&format!(
        "sending {} at most, to find the day of {}",
        counted(search.left(), "query"),
        counted(search.gaps(history).len() as u64, "change"),
    ));
    console.if_interrupted(
        "queries under way may have been spent; what was answered is cached, and free when it is run again",
    );
    let spent = look_up_between(answers, address, history, search, &spending).await;
    for (day, error) in &spent.failed {
        tally.failed(error.kind);
        console.complain(Some(&format!("{address} on {}", day.dashed())), error);
    }
    let possibly = match spent.possibly_spent {
        0 => String::new(),
        more => format!(", {} possibly beyond that", count(more)),
    };
    console.note(&format!("{} spent{possibly}", counted(spent.cost, "query")));
    note_balance(Run { engine, console });
    Ok(spent.cost)
}

/// Names the changes whose day is not known, and what it costs to find it.
fn note_gaps(history: &History, run: Run<'_>) {
    let search = Bisection::new(history, u64::MAX, BTreeSet::new());
    let (changes, queries) = (search.gaps(history).len() as u64, search.left());
    if changes > 0 {
        let changes = counted(changes, "change");
        let note = format!("at least {changes} on unknown days; --spend {queries} finds the day");
        run.console.note(&note);
    }
}

fn print(
    query: &HistoryQuery,
    history: &History,
    cost: u64,
    Run { engine, console }: Run<'_>,
) -> CommandResult<()> {
    let settings = &engine.settings;
    let words = HistoryWords {
        history,
        subject: query.subject,
    };
    if console.format() == ResultFormat::Json {
        let columns = history_columns();
        console.rows(|rows| rows.rows(&columns, &words.stretches()))?;
        let line = Line::default()
            .key("cost", cost)
            .key("unknown_days", history.unknown_days())
            .key("recent", Cell::Json(recent_object(&history.recent()).end()));
        return console.line(&line.end());
    }
    let unicode = settings.ui.unicode;
    let unicode = unicode.unwrap_or_else(|| locale::draws_unicode(|name| env::var(name).ok()));
    let symbols = match settings.ui.screen_reader {
        true => None,
        false if unicode => Some(StripSymbols::Unicode),
        false => Some(StripSymbols::Ascii),
    };
    let ticket = || {
        let (from, to) = (history.from.dashed(), history.to().dashed());
        let all = history.findings.len();
        let known = all - history.unknown_days();
        let name = query.subject.to_string();
        let ticket = Ticket::written(&name, TicketStamp::of(settings))
            .sentence(&format!("{name}: {}.", words.sentence()))
            .line("days", &format!("{from} to {to}, {known} of {all} known"));
        let ticket = match symbols {
            Some(symbols) => words.ticket(symbols, ticket),
            None => ticket,
        };
        ticket
            .line("cost", &counted(cost, "query"))
            .table(&history_columns().markdown(&words.stretches()))
    };
    let days = words.days();
    console.show(
        Results::table(history_columns(), &days, Ticket::about(""))
            .text(words.text(symbols, console.style()))
            .markdown(ticket()),
    )
}
