//! `match`: two sets of addresses united, intersected or subtracted. Nothing is sent.

use ipnet::IpNet;

use super::{
    args::{ResultFormat, matching::MatchArgs},
    console::CommandResult,
    exit::Exit,
    run::Run,
    text::InputText,
};
use crate::{
    engine::{Family, Result, at_home, off_thread},
    investigation::{
        address_set::{AddressSet, SetName, SetOperation, read_list, set_of_records},
        blocklist::push_network,
    },
    model::Day,
    report::{Cell, Columns, Ticket, counted},
    store::Filter,
};

/// Networks that are printed at a time.
const PAGE: usize = 4096;

/// The columns of a network.
fn columns() -> Columns<IpNet> {
    Columns::<IpNet>::default()
        .column("network", "network", name)
        .column("addresses", "addresses", |network| {
            let bits = network.max_prefix_len() - network.prefix_len();
            match 1_u64.checked_shl(bits.into()) {
                Some(number) => Cell::Count(number),
                None => Cell::Null,
            }
        })
}

/// The table of the networks.
pub(super) fn table_of(_args: &MatchArgs) -> Vec<&'static str> {
    columns().names()
}

/// A network as lists have it: an address without the length.
fn name(network: &IpNet) -> String {
    let mut text = String::new();
    push_network(*network, &mut text);
    text
}

/// Prints what two sets are combined to.
///
/// # Errors
/// A list that cannot be read; a release that is not downloaded.
pub(super) async fn run(args: &MatchArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let names = args.sets(engine.settings.today(), &engine.settings.admission)?;
    console.if_interrupted("the output is correct but incomplete");
    let (mut sets, mut releases) = (Vec::new(), Vec::new());
    for name in names {
        let feed = match &name {
            SetName::Records(records) => Some(records.feed),
            _ => None,
        };
        let (set, day) = set(name, None, run).await?;
        let release = feed.zip(day);
        releases.push(release.map(|(feed, day)| format!(", of {feed} {}", day.dashed())));
        sets.push(set);
    }
    let operation = args.operation();
    let sets = off_thread(move || {
        let both = sets[0].combined(&sets[1], operation);
        Ok((sets, both))
    });
    let (sets, both) = sets.await?;
    let of_both = match operation {
        SetOperation::Union => "A or B",
        SetOperation::Intersect => "A and B",
        SetOperation::Subtract => "A and not B",
    };
    let all = ["A", "B", of_both].into_iter();
    let all = all.zip([&sets[0], &sets[1], &both]);
    releases.push(None);
    for ((what, set), release) in all.zip(releases) {
        console.note(&format!(
            "{what}: {}{}",
            said(set),
            release.unwrap_or_default()
        ));
    }
    let columns = columns();
    let ticket = || {
        let lines = Ticket::about(&format!("{} and {}", args.a, args.b));
        lines.sentence(&format!("What is in {of_both}: {}.", said(&both)))
    };
    console.rows(|rows| rows.begin(&columns, || Some(ticket())))?;
    let mut networks = both.networks().peekable();
    while networks.peek().is_some() {
        let page: Vec<IpNet> = networks.by_ref().take(PAGE).collect();
        console.rows(|writer| {
            if writer.format.format == ResultFormat::Text && writer.format.chosen.is_none() {
                let mut text = String::new();
                for network in &page {
                    push_network(*network, &mut text);
                    text.push('\n');
                }
                return text;
            }
            writer.rows(&columns, &page)
        })?;
    }
    Ok(Exit::DONE)
}

/// Reads a set, and the day of the release that it is from. Values of the filter that no record has are named, or of what was `typed` of it.
pub(super) async fn set(
    name: SetName,
    typed: Option<&Filter>,
    run: Run<'_>,
) -> Result<(AddressSet, Option<Day>)> {
    match name {
        SetName::Subject(subject) => Ok((AddressSet::of([subject.network()]), None)),
        SetName::List(path) => {
            let set = off_thread(move || {
                let text = InputText::named(&at_home(&path));
                read_list(text.open()?, &text.name())
            });
            Ok((set.await?, None))
        }
        SetName::Records(records) => {
            let (set, opened) = set_of_records(run.engine, &records).await?;
            // A day that was named is as old as it was meant to be.
            if records.day.is_none() {
                run.note_ages([&opened.release]);
            }
            let day = opened.release.manifest.moment.day();
            let typed = typed.unwrap_or(&records.filter);
            run.note_unknown_values(&[opened], typed).await;
            Ok((set, Some(day)))
        }
    }
}

/// A set in numbers: addresses of IPv6 are too many to say anything.
fn said(set: &AddressSet) -> String {
    let [v4, v6] = Family::ALL.map(|family| set.of_family(family));
    let mut parts = Vec::new();
    if !v4.is_empty() {
        let addresses = u64::try_from(v4.addresses()).unwrap_or(u64::MAX);
        let addresses = counted(addresses, "IPv4 address");
        let networks = counted(v4.len() as u64, "network");
        parts.push(format!("{addresses} in {networks}"));
    }
    if !v6.is_empty() {
        parts.push(counted(v6.len() as u64, "IPv6 network"));
    }
    if parts.is_empty() {
        return "no addresses".to_owned();
    }
    parts.join(", ")
}
