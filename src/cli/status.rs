//! `status`: the state of the token, and the last answer of each host.

use super::{
    args::StatusArgs,
    console::CommandResult,
    exit::{Exit, ExitTally},
    run::Run,
};
use crate::{
    engine::{Area, AreaStatus, Error, Fetched, Kind, Probed, Result},
    model::{Field, Status},
    report::{
        Cell, Columns, Line, Results, TextCell, TextStyle, Ticket, count, fact, moment, sheet,
    },
};

/// Asks for the status, and with `--test` every host.
///
/// # Errors
/// What went wrong with standard output; what the hosts refuse is an answer.
pub(super) async fn run(args: &StatusArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let status = engine.live.status().await;
    let probed = if args.test {
        engine.live.probe_beyond_status().await
    } else {
        Vec::new()
    };
    let mut tally = ExitTally::default();
    match &status {
        Ok(_) => tally.done(),
        Err(error) => tally.failed(error.kind),
    }
    for Probed { outcome, .. } in &probed {
        match outcome {
            Err(error) if !is_an_answer(error) => tally.failed(error.kind),
            _ => tally.done(),
        }
    }
    let access = engine.account.access();
    let hosts = Area::ALL.map(|area| AreaAccess {
        area,
        heard: access.of(area).cloned(),
        meaning: access.meaning(area),
    });
    let shortfall = status.as_ref().ok().and_then(|fetched| {
        let below = || args.below.and_then(|least| too_few(&fetched.value, least));
        inactive(&fetched.value).or_else(below)
    });
    let results = results(&status, &hosts, console.style());
    if args.below.is_some() && shortfall.is_none() && tally.exit() == Exit::DONE {
        console.summary(results)?;
    } else {
        console.show(results)?;
    }
    if let Err(error) = &status {
        console.complain(None, error);
    }
    for Probed { area, outcome, .. } in &probed {
        if let Err(error) = outcome
            && !is_an_answer(error)
        {
            console.complain(Some(area.word()), error);
        }
    }
    note_balance(run);
    warn_of_ledger(run);
    let exit = tally.exit();
    // Without the status there is no answer to what was asked for, whatever the hosts said.
    if let Err(error) = status {
        return Ok(Exit::of(error.kind));
    }
    match shortfall {
        None => Ok(exit),
        Some(error) => {
            console.complain(None, &error);
            Ok(Exit::of(error.kind))
        }
    }
}

/// That a token is not active, where the service says so.
fn inactive(status: &Status) -> Option<Error> {
    (status.active == Field::Is(false)).then(|| {
        let error = Error::new(Kind::Credentials, "the token is not active");
        error.hint("activate it in the account dashboard, or store another with `ipspect login`")
    })
}

/// Why a token does not have as many queries left as there should be. A balance that was not given is not taken for enough.
fn too_few(status: &Status, least: u64) -> Option<Error> {
    match status.queries_remaining {
        Field::Is(left) if left >= least => None,
        Field::Is(left) => {
            let (left, least) = (count(left), count(least));
            let error = Error::new(
                Kind::Quota,
                format!("{left} queries are left, below {least}"),
            );
            Some(error.hint("raise the quota, or wait for the next billing period"))
        }
        _ => {
            let error = Error::new(Kind::Contract, "the service did not give the balance");
            Some(error.hint("`ipspect status --format json` shows what it sent"))
        }
    }
}

/// Says what is wrong with the ledger, beside which the balance is read.
fn warn_of_ledger(Run { engine, console }: Run<'_>) {
    match engine.account.ledger.statement() {
        Ok(statement) => {
            for fault in statement.faults() {
                console.warn(&format!("ledger: {fault}"));
            }
        }
        Err(error) => console.warn(&error.message),
    }
}

/// Says when few queries are left, and when the clocks differ.
pub(super) fn note_balance(Run { engine, console }: Run<'_>) {
    let warn_below = engine.settings.guards.warn_below;
    if let Some(balance) = engine
        .account
        .balance()
        .filter(|balance| balance.remaining < warn_below)
    {
        let (left, below) = (count(balance.remaining), count(warn_below));
        console.note(&format!(
            "the balance is {left}, below {below} (warn_below in [guards])"
        ));
    }
    if let Some(seconds) = engine.clock_off() {
        let (minutes, side) = (
            seconds.unsigned_abs() / 60,
            if seconds > 0 { "behind" } else { "ahead of" },
        );
        console.note(&format!("this machine's clock is {minutes} minutes {side} the service's: dates may be off by one"));
    }
}

/// Whether a probe's failure tells what the token may do, or that the host is not configured.
fn is_an_answer(error: &Error) -> bool {
    matches!(
        error.kind,
        Kind::Usage | Kind::Credentials | Kind::Quota | Kind::RateLimit | Kind::NotFound
    )
}

/// What a part of a host said last.
pub(super) struct AreaAccess {
    area: Area,
    heard: Option<AreaStatus>,
    meaning: &'static str,
}

pub(super) fn columns() -> Columns<AreaAccess> {
    Columns::<AreaAccess>::default()
        .column("area", "area", |access| access.area.word())
        .column("host", "host", |access| access.area.host().name())
        .column("status", "status", |access| {
            Some(u32::from(access.heard.as_ref()?.status?))
        })
        .column("at", "heard", |access| Some(access.heard.as_ref()?.at))
        .column("meaning", "meaning", |access| access.meaning)
}

/// What the service and its hosts said of the token.
fn results<'a>(
    status: &Result<Fetched<Status>>,
    hosts: &'a [AreaAccess],
    style: TextStyle,
) -> Results<'a, AreaAccess> {
    let (fetched, columns) = (status.as_ref().ok(), columns());
    let line = Line::default()
        .key("query", Cell::some(fetched.is_none().then_some("status")))
        .document("status", fetched.map(|fetched| &fetched.document))
        .key(
            "hosts",
            Cell::objects(hosts.iter().map(|row| columns.object(row))),
        );
    let ticket = Ticket::about("Token");
    let fetched = match status {
        Ok(fetched) => fetched,
        Err(error) => {
            let line = line.key("error", Cell::error(error));
            return Results::table(columns, hosts, ticket).json(&line);
        }
    };
    let given = &fetched.value;
    let facts = [
        fact("active", TextCell::flag(given.active)),
        fact("queries left", TextCell::count(&given.queries_remaining)),
        fact("tier", TextCell::text(&given.service_tier)),
    ];
    let text = sheet("token", &facts, style) + "\n" + &columns.table(hosts, style);
    let ticket = ticket
        .sentence(&sentence(given))
        .line("asked at", &moment(fetched.provenance.asked_at))
        .list(&facts);
    Results::table(columns, hosts, ticket)
        .json(&line)
        .text(text)
}

fn sentence(status: &Status) -> String {
    let active = match status.active {
        Field::Is(true) => "The token is active",
        Field::Is(false) => "The token is not active",
        _ => "Whether the token is active was not given",
    };
    match status.queries_remaining {
        Field::Is(1) => format!("{active}; 1 query is left."),
        Field::Is(number) => format!("{active}; {} queries are left.", count(number)),
        _ => format!("{active}; the balance was not given."),
    }
}
