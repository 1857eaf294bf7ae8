//! `status`: what the token is worth, and what each host last said of it.

use serde_json::{Value, json};

use super::{
    args::{Format, StatusArgs},
    console::{Console, Outcome},
    exit::Tally,
};
use crate::{
    engine::{Access, Area, Engine, Error, Fetched, Kind, Probed, Result},
    model::Status,
    report::{Cell, Csv, Line, Ticket, count, markdown_table, minute, moment, sheet, table},
};

const CSV: Csv = Csv::of(&["area", "host", "status", "at", "meaning"]);

/// Asks for the status, and with `--test` every host.
///
/// # Errors
/// What went wrong with standard output; what the hosts refuse is an answer.
pub(super) async fn run(args: &StatusArgs, engine: &Engine, console: &Console) -> Outcome {
    let status = engine.live.status().await;
    let probed = if args.test {
        engine.live.probe_beyond_status().await
    } else {
        Vec::new()
    };
    let mut tally = Tally::default();
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
    let results = match console.format() {
        Format::Json => json_line(&status, &access),
        Format::Csv => CSV.header() + &rows(&access).map(|row| CSV.row(&row)).collect::<String>(),
        Format::Text => text(&status, &access, console),
        Format::Md => ticket(&status, &access),
    };
    console.results(&results)?;
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
    note_balance(engine, console);
    let exit = tally.exit();
    // Without the status there is no answer to what was asked for, whatever the hosts said.
    Ok(status
        .err()
        .map_or(exit, |error| super::Exit::of(error.kind)))
}

/// Says when few queries are left, and when the clocks differ.
pub(super) fn note_balance(engine: &Engine, console: &Console) {
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

fn json_line(status: &Result<Fetched<Status>>, access: &Access) -> String {
    let hosts: Vec<Value> = Area::ALL
        .into_iter()
        .map(|area| host(access, area))
        .collect();
    let line = match status {
        Ok(fetched) => Line::new().document("status", Some(&fetched.document)),
        Err(_) => Line::new().key("query", "status").document("status", None),
    };
    let line = line.key("hosts", hosts);
    let line = match status {
        Ok(_) => line,
        Err(error) => line.error(error),
    };
    line.end() + "\n"
}

fn host(access: &Access, area: Area) -> Value {
    let heard = access.of(area);
    json!({
        "area": area.word(),
        "host": area.host().name(),
        "status": heard.and_then(|heard| heard.status),
        "at": heard.map(|heard| heard.at.to_string()),
        "meaning": access.meaning(area),
    })
}

/// What was last heard, a row for each area: area, host, status, when, meaning.
fn rows(access: &Access) -> impl Iterator<Item = [String; 5]> + '_ {
    Area::ALL.into_iter().map(|area| {
        let heard = access.of(area);
        let status = heard.and_then(|heard| heard.status);
        [
            area.word().to_owned(),
            area.host().name().to_owned(),
            status.map(|status| status.to_string()).unwrap_or_default(),
            heard
                .map(|heard| moment(heard.at).into_owned())
                .unwrap_or_default(),
            access.meaning(area).to_owned(),
        ]
    })
}

fn cells(access: &Access) -> Vec<Vec<Cell>> {
    let dash = |text: String| {
        if text.is_empty() {
            Cell::unknown("-")
        } else {
            Cell::known(text)
        }
    };
    let heard = |area| {
        access
            .of(area)
            .map(|heard| minute(heard.at))
            .unwrap_or_default()
    };
    let row = |(area, row): (Area, [String; 5])| {
        let [name, host, status, _, meaning] = row;
        vec![
            Cell::known(name),
            Cell::known(host),
            dash(status),
            dash(heard(area)),
            Cell::known(meaning),
        ]
    };
    Area::ALL.into_iter().zip(rows(access)).map(row).collect()
}

const COLUMNS: [&str; 5] = ["AREA", "HOST", "STATUS", "HEARD", "MEANING"];

fn facts(status: &Status) -> [(&'static str, Cell); 3] {
    [
        ("active", Cell::flag(status.active)),
        ("queries left", Cell::count(&status.queries_remaining)),
        ("tier", Cell::text(&status.service_tier)),
    ]
}

fn text(status: &Result<Fetched<Status>>, access: &Access, console: &Console) -> String {
    let paint = console.paint();
    let hosts = table(&COLUMNS, &cells(access), paint);
    match status {
        Ok(fetched) => {
            let facts = facts(&fetched.value);
            sheet(
                "token",
                facts.iter().map(|(label, cell)| (*label, cell)),
                paint,
            ) + "\n"
                + &hosts
        }
        Err(_) => hosts,
    }
}

fn ticket(status: &Result<Fetched<Status>>, access: &Access) -> String {
    let mut ticket = Ticket::about("Token");
    if let Ok(fetched) = status {
        ticket = ticket.line("asked at", &moment(fetched.provenance.asked_at));
        for (label, cell) in facts(&fetched.value) {
            ticket = ticket.line(label, &cell.text);
        }
    }
    ticket.end() + "\n" + &markdown_table(&COLUMNS, &cells(access))
}
