//! What a list is before it is used: how many entries, who is behind them, what of one's own it meets.

use ipnet::IpNet;

use crate::{
    investigation::{
        blocklist::{ListChange, ListCheck},
        collateral::{AFFECTED, Churn, Collateral, LogHit, LogHits},
    },
    model::{Subject, count, counted, visible},
    report::{Cell, Columns, each},
};

/// How many log hits and networks are named.
const NAMED: usize = 10;

/// A number of addresses; null where 64 bits do not count them.
fn cell_of(addresses: u128) -> Cell {
    u64::try_from(addresses).map_or(Cell::Null, Cell::Count)
}

/// A number, null where it is unknown.
fn known(number: Option<u64>) -> Cell {
    number.map_or(Cell::Null, Cell::Count)
}

/// A number of addresses in words.
#[must_use]
pub fn addresses_in_words(addresses: u128) -> String {
    match u64::try_from(addresses) {
        Ok(number) => counted(number, "address"),
        Err(_) => format!("2^{} addresses or more", addresses.ilog2()),
    }
}

/// The columns of a list that was looked at.
pub fn check_columns() -> Columns<ListCheck> {
    let people = |read: fn(&Collateral) -> Option<u64>| {
        move |list: &ListCheck| known(list.people.as_ref().and_then(read))
    };
    let mut columns = Columns::<ListCheck>::default()
        .column("entries", "entries", |list| list.entries)
        .column("addresses", "addresses", |list| cell_of(list.addresses))
        .column("beyond", "beyond", |list| cell_of(list.beyond.addresses()))
        .column(
            "clients",
            "clients",
            people(|people| Some(people.clients())),
        );
    for (at, kind) in AFFECTED.iter().enumerate() {
        let of_kind =
            move |list: &ListCheck| known(list.people.as_ref().map(|people| people.kinds[at]));
        columns = columns.column(kind.key, kind.key, of_kind);
        if at == 0 {
            columns = columns
                .column("allow_hits", "allowed", |list| cell_of(list.allowed))
                .column("log_hits", "in the log", |list| {
                    known(list.log.as_ref().map(|(_, log)| log.hits.len() as u64))
                });
        }
    }
    columns
        .data("records", people(|people| Some(people.records)))
        .data("median", people(Collateral::median))
        .data("exempted", |list| list.exempted)
        .data("earlier", |list| {
            Cell::some(list.churn.map(|churn| churn.day.dashed()))
        })
        .data("earlier_records", |list| {
            Cell::some(list.churn.map(|churn| churn.records))
        })
        .data("gone", |list| {
            Cell::some(list.churn.map(|churn| churn.gone))
        })
        .data("added", |list| {
            list.change
                .as_ref()
                .map_or(Cell::Null, |change| cell_of(change.added))
        })
        .data("removed", |list| {
            list.change
                .as_ref()
                .map_or(Cell::Null, |change| cell_of(change.removed))
        })
        .json("faults", |list| Cell::json(list.faults.clone()))
}

/// All of it in lines, what matters most first.
#[must_use]
pub fn check_lines(list: &ListCheck) -> Vec<String> {
    let mut lines = list.faults.clone();
    match &list.people {
        Some(people) => lines.extend(of_people(people)),
        None => lines.push("who is behind it is unknown: no local feed says".to_owned()),
    }
    let left_out = [
        (list.exempted > 0)
            .then(|| format!("{} of exempted tags", counted(list.exempted, "record"))),
        (list.allowed > 0).then(|| format!("{} of yours", addresses_in_words(list.allowed))),
    ];
    let left_out = each(left_out.into_iter().flatten(), ", ");
    if !left_out.is_empty() {
        lines.push(format!("left out: {left_out}"));
    }
    if let Some((name, log)) = &list.log {
        lines.extend(of_log(name, log));
    }
    lines.extend(list.churn.map(of_churn));
    lines.extend(list.change.as_ref().map(change_of_list));
    if !list.beyond.is_empty() {
        lines.extend(of_beyond(list));
    }
    lines
}

fn of_beyond(list: &ListCheck) -> [String; 2] {
    let smallest = if list.is_smallest {
        ""
    } else {
        ", which may not be the fewest"
    };
    let all = addresses_in_words(list.beyond.addresses());
    let mut networks: Vec<IpNet> = list.beyond.networks().collect();
    networks.sort_by_key(|network| network.max_prefix_len() - network.prefix_len());
    let named = networks.iter().rev().take(NAMED).map(ToString::to_string);
    [
        format!(
            "beyond the filter: {all}, for {} in all{smallest}",
            counted(list.entries, "entry")
        ),
        format!("the largest of them: {}", each(named, ", ")),
    ]
}

fn of_people(people: &Collateral) -> Vec<String> {
    let releases = people
        .releases
        .iter()
        .map(|(feed, day)| format!("{feed} {}", day.dashed()));
    let releases = each(releases, " and ");
    if people.records == 0 {
        return vec![format!(
            "nobody is known behind it: {releases} has no record of it"
        )];
    }
    let Some(median) = people.median() else {
        let records = counted(people.records, "record");
        return vec![format!(
            "who is behind it is unknown: {records} of {releases}, none with a number of clients"
        )];
    };
    let unknown = people.records - people.counted();
    let unknown = match unknown {
        0 => String::new(),
        number => format!(", {} without a number", count(number)),
    };
    let mut lines = vec![format!(
        "behind it: {} a day at {} of {releases}, half of them with at most {}{unknown}",
        counted(people.clients(), "client"),
        counted(people.records, "record"),
        count(median)
    )];
    let kinds = AFFECTED
        .iter()
        .zip(people.kinds)
        .filter(|(_, records)| *records > 0);
    let kinds = kinds.map(|(kind, records)| format!("{} {}", count(records), kind.words));
    let kinds = each(kinds, ", ");
    if !kinds.is_empty() {
        lines.push(format!("among them: {kinds}"));
    }
    let largest = people.largest.iter().filter(|(_, clients)| *clients > 1);
    let largest =
        largest.map(|(subject, clients)| format!("{} {}", name(*subject), count(*clients)));
    let largest = each(largest, ", ");
    if !largest.is_empty() {
        lines.push(format!("the most clients: {largest}"));
    }
    lines
}

fn name(subject: Subject) -> String {
    match subject {
        Subject::Address(address) => address.to_string(),
        Subject::Network(network) => network.to_string(),
    }
}

fn of_log(name: &str, log: &LogHits) -> Vec<String> {
    let (hits, all) = (
        count(log.hits.len() as u64),
        counted(log.addresses, "address"),
    );
    let name = visible(name);
    let mut lines = vec![match log.hits.len() {
        0 => format!("{name}: none of its {all} is in the list"),
        _ => format!(
            "{name}: {hits} of its {all} in the list, in {}",
            counted(log.lines(), "line")
        ),
    }];
    lines.extend(log.hits.iter().take(NAMED).map(of_hit));
    if log.hits.len() > NAMED {
        lines.push(format!(
            "  and {} more",
            count((log.hits.len() - NAMED) as u64)
        ));
    }
    lines
}

fn of_hit(hit: &LogHit) -> String {
    let mut text = format!("  {}: {}", hit.address, counted(hit.lines, "line"));
    let mut last = "";
    for (column, value, times) in &hit.beside {
        let name = if last == column {
            String::new()
        } else {
            format!(" {}", visible(column))
        };
        text += &format!(",{name} {} {}", visible(value), count((*times).into()));
        last = column;
    }
    text
}

fn of_churn(churn: Churn) -> String {
    let Churn { day, records, gone } = churn;
    let day = day.dashed();
    if records == 0 {
        return format!("the same filter selected nothing on {day}");
    }
    format!(
        "of what the same filter selected on {day} {} are gone",
        percent(gone, records)
    )
}

/// A part of a whole, in words: `31 % (12 of 39 records)`.
fn percent(part: u64, whole: u64) -> String {
    let share = u128::from(part) * 100 / u128::from(whole.max(1));
    let share = if part > 0 && share == 0 {
        "less than 1".to_owned()
    } else {
        share.to_string()
    };
    format!(
        "{share} % ({} of {})",
        count(part),
        counted(whole, "record")
    )
}

/// A list beside an earlier one, in words.
#[must_use]
pub fn change_of_list(change: &ListChange) -> String {
    let earlier = visible(&change.earlier);
    let [added, removed] = [change.added, change.removed].map(addresses_in_words);
    if change.added == 0 && change.removed == 0 {
        return format!("the same addresses as {earlier}");
    }
    format!("beside {earlier}: {added} more, {removed} less")
}
