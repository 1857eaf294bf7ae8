//! Questions to open indexes, within this process.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::Path,
    time::Duration,
};

use anyhow::{Result, ensure};
use fastrand::Rng;
use ipnet::IpNet;
use ipspect::{
    model::Keyword,
    store::{
        Filter, Index, StopFlag,
        index::{FacetBy, NotOpened},
    },
};

use super::{
    filters::filters,
    generator::Generator,
    material::Material,
    measure::{Times, each, shown, time},
    say,
    table::Table,
};

/// Addresses that are looked up.
const LOOKUPS: u64 = 200_000;

/// Opens the index of a release.
pub(crate) fn open(path: &Path) -> Result<Index> {
    Index::open(path).map_err(|why| match why {
        NotOpened::Io(error) => error.into(),
        why => anyhow::anyhow!("{}: {why:?}", path.display()),
    })
}

/// Asks the index of addresses everything.
pub(crate) fn ask(path: &Path, material: &Material, table: &mut Table) -> Result<()> {
    say("asking the index");
    let opened = each(0..50, |_| open(path))?;
    let goal = Duration::from_millis(5);
    at_most(table, "open", opened.median(), "<= 5 ms", goal);
    let index = open(path)?;
    lookups(&index, &material.days[0].generator, table)?;
    counts(&index, &material.days[0].generator, table)?;
    let stop = StopFlag::default();
    let all = index.select(&Filter::default(), &stop)?;
    let top = each(0..20, |_| Ok(index.busiest(&all, 100, &stop)?))?;
    let goal = Duration::from_millis(15);
    at_most(
        table,
        "top 100 of all",
        top.median(),
        "<= 15 ms at 50 M",
        goal,
    );
    let mut facets = Vec::new();
    for field in Keyword::ALL {
        let (took, counted) = time(|| index.facets(&all, &FacetBy::Keyword(field), &stop));
        counted?;
        facets.push((took, field.name()));
    }
    facets.sort_unstable();
    let (slowest, goal) = (facets[facets.len() - 1], Duration::from_millis(50));
    at_most(
        table,
        "facets of all, slowest field",
        slowest.0,
        "<= 50 ms at 50 M",
        goal,
    );
    let p50 = shown(facets[facets.len() / 2].0);
    table.beside(format!("{}; p50 of the fields {p50}", slowest.1));
    Ok(())
}

/// Addresses with their records as they were sent, and addresses that are not in the feed.
fn lookups(index: &Index, generator: &Generator, table: &mut Table) -> Result<()> {
    let mut rng = Rng::with_seed(3);
    let records = generator.numbers().end;
    let mut draw = |first: u64| -> Vec<Ipv4Addr> {
        (0..LOOKUPS)
            .map(|_| generator.address(first + rng.u64(..records)))
            .collect()
    };
    let (known, unknown) = (draw(0), draw(records));
    let mut line = Vec::with_capacity(4096);
    let mut found = 0;
    let mut look = |address: &Ipv4Addr| {
        line.clear();
        for row in index.covering(IpAddr::from(*address).into())? {
            index.line(row, &mut line)?;
            found += 1;
        }
        Ok(line.len())
    };
    // The first walk warms the pages.
    each(&known, &mut look)?;
    let times = each(&known, &mut look)?;
    let others = each(&unknown, &mut look)?;
    ensure!(
        found == LOOKUPS * 2,
        "{found} were found in {LOOKUPS} lookups, twice"
    );
    let what = "lookup with full JSON, p50";
    let goal = Duration::from_micros(5);
    at_most(table, what, times.median(), "<= 5 µs", goal);
    table.beside(format!("{} where there is none", shown(others.median())));
    let what = "lookup with full JSON, p99";
    let goal = Duration::from_micros(20);
    at_most(table, what, times.percentile(99), "<= 20 µs", goal);
    Ok(())
}

/// How many records each of many filters means: once on a fresh index, and with other words on one in use.
fn counts(index: &Index, generator: &Generator, table: &mut Table) -> Result<()> {
    let stop = StopFlag::default();
    let mut used = Times::default();
    for variant in 0..6 {
        for filter in filters(generator.words(), variant)? {
            let (took, selection) = time(|| index.select(&filter, &stop));
            selection?;
            // The first variant reads what is read once.
            if variant > 0 {
                used.add(took)
            }
        }
    }
    table.noted("filter count, p50", shown(used.median()));
    let (goal, within) = match generator.numbers().end {
        0..=10_000_000 => ("<= 3 ms at 10 M", Duration::from_millis(3)),
        _ => ("<= 10 ms at 50 M", Duration::from_millis(10)),
    };
    at_most(
        table,
        "filter count, p99",
        used.percentile(99),
        goal,
        within,
    );
    table.beside(format!("slowest {}", shown(used.most())));
    Ok(())
}

/// Networks that cover addresses, in the index of networks.
pub(crate) fn covering(path: &Path, generator: &Generator, table: &mut Table) -> Result<()> {
    let index = open(path)?;
    let mut rng = Rng::with_seed(5);
    let records = generator.numbers().end;
    let inner: Vec<IpNet> = (0..LOOKUPS)
        .map(|_| IpAddr::from(generator.network(rng.u64(..records)).network()).into())
        .collect();
    let mut depth = 0;
    let mut look = |network: &IpNet| {
        let rows = index.covering(*network)?;
        depth += rows.len();
        Ok(rows)
    };
    each(&inner, &mut look)?;
    let times = each(&inner, &mut look)?;
    let what = format!("covering networks of {records}, p50");
    at_most(
        table,
        &what,
        times.median(),
        "<= 1 µs",
        Duration::from_micros(1),
    );
    let mean = depth as f64 / 2.0 / LOOKUPS as f64;
    table.beside(format!(
        "p99 {}, {mean:.1} found",
        shown(times.percentile(99))
    ));
    Ok(())
}

/// Notes a time with its goal.
pub(crate) fn at_most(table: &mut Table, what: &str, took: Duration, goal: &str, within: Duration) {
    let (value, bar) = (took.as_secs_f64(), within.as_secs_f64());
    table.at_most(what, shown(took), goal, value, bar);
}
