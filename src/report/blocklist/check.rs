//! What a list is before it is used: how many entries, who is behind them, what of one's own it meets.

use ipnet::IpNet;

use crate::{
    investigation::{
        address_set::AddressSet,
        collateral::{AFFECTED, Churn, Collateral, LogHit, LogHits},
    },
    model::{Subject, count, counted, visible},
    report::{Cell, Columns, each},
};

/// How many log hits and networks are named.
const NAMED: usize = 10;

/// A list that was looked at.
#[derive(Clone, Debug, Default)]
pub struct ListCheck {
    pub entries: u64,
    pub addresses: u128,
    /// The addresses beyond those that were asked for, and in which networks.
    pub beyond: AddressSet,
    /// Whether no list covers as few of them with fewer networks.
    pub is_smallest: bool,
    /// Who is behind it; none where no local feed says.
    pub people: Option<Collateral>,
    /// The records that were left out for a tag of theirs.
    pub exempted: u64,
    /// The addresses that were left out, since lists of one's own have them.
    pub allowed: u128,
    /// What of a log is in it, with the name of the log.
    pub log: Option<(String, LogHits)>,
    pub churn: Option<Churn>,
    /// What an earlier list had.
    pub change: Option<ListChange>,
    /// What is wrong with a list that was written before.
    pub faults: Vec<String>,
}

/// A list beside an earlier one.
#[derive(Clone, Debug)]
pub struct ListChange {
    /// The name of the earlier one.
    pub earlier: String,
    /// The addresses of each, and those that one of them has alone.
    pub before: u128,
    pub after: u128,
    pub added: u128,
    pub removed: u128,
}

/// A number of addresses; null where 64 bits do not count them.
pub(super) fn cell_of(addresses: u128) -> Cell {
    u64::try_from(addresses).map_or(Cell::Null, Cell::Count)
}

/// A number, null where it is unknown.
fn known(number: Option<u64>) -> Cell {
    number.map_or(Cell::Null, Cell::Count)
}

/// The same in words.
fn in_words(addresses: u128) -> String {
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

impl ListCheck {
    /// How many addresses, in words.
    #[must_use]
    pub fn addresses_in_words(&self) -> String {
        in_words(self.addresses)
    }

    /// All of it in lines, what matters most first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.faults.clone();
        match &self.people {
            Some(people) => lines.extend(of_people(people)),
            None => lines.push("who is behind it is unknown: no local feed says".to_owned()),
        }
        let left_out = [
            (self.exempted > 0)
                .then(|| format!("{} of exempted tags", counted(self.exempted, "record"))),
            (self.allowed > 0).then(|| format!("{} of yours", in_words(self.allowed))),
        ];
        let left_out = each(left_out.into_iter().flatten(), ", ");
        if !left_out.is_empty() {
            lines.push(format!("left out: {left_out}"));
        }
        if let Some((name, log)) = &self.log {
            lines.extend(of_log(name, log));
        }
        lines.extend(self.churn.map(of_churn));
        lines.extend(self.change.as_ref().map(ListChange::in_words));
        if !self.beyond.is_empty() {
            lines.extend(self.beyond_in_words());
        }
        lines
    }

    fn beyond_in_words(&self) -> Vec<String> {
        let smallest = if self.is_smallest {
            ""
        } else {
            ", which may not be the fewest"
        };
        let all = in_words(self.beyond.addresses());
        let mut networks: Vec<IpNet> = self.beyond.networks().collect();
        networks.sort_by_key(|network| network.max_prefix_len() - network.prefix_len());
        let named = networks.iter().rev().take(NAMED).map(ToString::to_string);
        vec![
            format!(
                "beyond the filter: {all}, for {} in all{smallest}",
                counted(self.entries, "entry")
            ),
            format!("the largest of them: {}", each(named, ", ")),
        ]
    }
}

fn of_people(people: &Collateral) -> Vec<String> {
    let releases = people
        .releases
        .iter()
        .map(|(feed, day)| format!("{feed} {}", day.dashed()));
    let releases = each(releases, " and ");
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
        return format!("the list of {day} would have been empty");
    }
    format!("of the list of {day} {} are gone", percent(gone, records))
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

impl ListChange {
    /// One list beside another.
    #[must_use]
    pub fn of(earlier: (&str, &AddressSet), now: &AddressSet) -> Self {
        use crate::investigation::address_set::SetOperation::Subtract;
        let (name, before) = earlier;
        Self {
            earlier: name.to_owned(),
            before: before.addresses(),
            after: now.addresses(),
            added: now.combined(before, Subtract).addresses(),
            removed: before.combined(now, Subtract).addresses(),
        }
    }

    /// Whether it has grown or shrunk by more than this.
    #[must_use]
    pub fn exceeds(&self, percent: u8) -> bool {
        let change = self.before.abs_diff(self.after);
        // Neither overflows before the numbers are far apart.
        match (
            change.checked_mul(100),
            self.before.checked_mul(percent.into()),
        ) {
            (Some(change), Some(most)) => change > most,
            _ => change / u128::from(percent.max(1)) > self.before / 100,
        }
    }

    #[must_use]
    pub fn in_words(&self) -> String {
        let earlier = visible(&self.earlier);
        match (self.added, self.removed) {
            (0, 0) => format!("the same addresses as {earlier}"),
            (added, removed) => {
                format!(
                    "beside {earlier}: {} more, {} less",
                    in_words(added),
                    in_words(removed)
                )
            }
        }
    }
}
