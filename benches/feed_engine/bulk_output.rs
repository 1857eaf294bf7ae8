//! What leaves the index in bulk: exports, and the answers for many addresses at once.

use std::{
    fs::{self, File},
    io::{BufWriter, Write, sink},
    net::{IpAddr, Ipv4Addr},
    path::Path,
    sync::Arc,
    time::Duration,
};

use anyhow::{Result, anyhow, ensure};
use fastrand::Rng;
use ipspect::{
    contract::{ExportQuery, Output},
    engine::{Engine, Pick, Settings, enrich::WantedLines, views::CommonQuery},
    investigation::common::Common,
    model::Day,
    store::{
        Filter, Index, StopFlag,
        export::{DatabaseAbout, DatabaseLayout, ExportIndexes, export},
    },
};
use jiff::Timestamp;

use super::{
    building::ADDRESSES,
    generator::Generator,
    measure::{run, shown, time},
    program::{DAYS, Program},
    queries::{at_most, open},
    say,
    table::Table,
};

/// Addresses that are enriched at once.
const ENRICHED: u64 = 100_000;

/// Writes all records of an index to nowhere, as NDJSON.
pub(crate) fn ndjson(path: &Path, table: &mut Table) -> Result<()> {
    say("writing all records");
    let index = open(path)?;
    let (took, bytes) = time(|| write_all(&index, &mut sink()));
    let rate = bytes? as f64 / took.as_secs_f64() / 1e6;
    let shown = format!("{rate:.0} MB/s");
    table.at_least(
        "export of all, NDJSON",
        shown,
        ">= 505 MB/s a thread",
        rate,
        505.0,
    );
    Ok(())
}

fn write_all(index: &Index, out: &mut impl Write) -> Result<u64> {
    let all = index.select(&Filter::default(), &StopFlag::default())?;
    let mut lines = Vec::with_capacity(1 << 17);
    let mut bytes = 0;
    for row in all.rows() {
        index.line(row, &mut lines)?;
        lines.push(b'\n');
        if lines.len() > 1 << 16 {
            bytes += lines.len() as u64;
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    out.write_all(&lines)?;
    Ok(bytes + lines.len() as u64)
}

/// Exports of all records, in the forms of the service, written to nowhere.
pub(crate) fn exports(path: &Path, records: u64, table: &mut Table) -> Result<()> {
    let index = open(path)?;
    for (output, goal) in [(Output::Csv, 2.5e6), (Output::Mmdb, 1e6)] {
        say(&format!("exporting {output:?}"));
        let query = ExportQuery {
            output,
            ..ExportQuery::all_of(ADDRESSES)
        };
        let days = ExportIndexes {
            day: &index,
            before: None,
            filter: None,
        };
        let stop = StopFlag::default();
        let about = DatabaseAbout {
            generated: Timestamp::now(),
            description: "All records".to_owned(),
            layout: DatabaseLayout::Service,
        };
        let (took, rows) = time(|| export(&query, days, &about, &stop, &mut sink()));
        let rows = rows?;
        ensure!(rows == records.min(2_000_000), "{rows} rows of {records}");
        let rate = rows as f64 / took.as_secs_f64();
        let (shown, asked) = match output {
            Output::Mmdb => (format!("{:.0} ns a record", 1e9 / rate), "<= 1 µs a record"),
            _ => (format!("{:.2} M rows/s", rate / 1e6), ">= 2.5 M rows/s"),
        };
        let what = format!("export of all, {output:?}");
        table.at_least(&what, shown, asked, rate, goal);
    }
    Ok(())
}

/// Many addresses at once, half of them in the feed: by the engine in this process.
pub(crate) fn answer(program: &Program, generator: &Generator, table: &mut Table) -> Result<()> {
    let addresses: Arc<[IpAddr]> = drawn(generator).map(IpAddr::from).collect();
    let engine = Engine::new(Settings::plain(program.paths()));
    let pick = Pick {
        feed: Some(ADDRESSES),
        day: Day::from_compact(DAYS[0]),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut took = Duration::MAX;
    // The first run warms the pages.
    for _ in 0..3 {
        let (once, found) = time(|| runtime.block_on(answered(&engine, &pick, addresses.clone())));
        ensure!(found? == ENRICHED / 2, "not half of them were found");
        took = took.min(once);
    }
    let goal = Duration::from_millis(150);
    at_most(
        table,
        "100,000 addresses answered, in process",
        took,
        "<= 150 ms",
        goal,
    );
    Ok(())
}

/// What the records about many addresses share, half of which are in the feed.
pub(crate) fn common(program: &Program, generator: &Generator, table: &mut Table) -> Result<()> {
    const ASKED: usize = 10_000;
    let addresses: Arc<[IpAddr]> = drawn(generator).take(ASKED).map(IpAddr::from).collect();
    let engine = Engine::new(Settings::plain(program.paths()));
    let query = CommonQuery::Addresses(addresses, Some(ADDRESSES), Day::from_compact(DAYS[0]));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut took = Duration::MAX;
    // The first run warms the pages.
    for _ in 0..3 {
        let (once, found) = time(|| runtime.block_on(Common::of(&engine, &query)));
        let common = found.map_err(|error| anyhow!("{error:?}"))?;
        ensure!(
            common.without == ASKED / 2 && !common.values.is_empty(),
            "not half of them were found"
        );
        took = took.min(once);
    }
    let goal = Duration::from_secs(1);
    let what = "what 10,000 addresses share";
    at_most(table, what, took, "<= 1 s", goal);
    Ok(())
}

/// How many of these addresses are known.
async fn answered(engine: &Engine, pick: &Pick, mut addresses: Arc<[IpAddr]>) -> Result<u64> {
    let opened = engine
        .storage
        .open_some(pick)
        .await
        .map_err(|error| anyhow!("{error:?}"))?;
    let mut found = 0;
    while !addresses.is_empty() {
        let answers = engine
            .answers
            .answer_locally(&opened.days, addresses, WantedLines::Best)
            .await;
        let answers = answers.map_err(|error| anyhow!("{error:?}"))?;
        answers.each(|known| {
            found += u64::from(!known.lines.is_empty());
        });
        addresses = answers.rest();
    }
    Ok(found)
}

/// Addresses in no order, every second one of the feed.
fn drawn(generator: &Generator) -> impl Iterator<Item = Ipv4Addr> {
    let mut rng = Rng::with_seed(9);
    let records = generator.numbers().end;
    (0..ENRICHED).map(move |one| generator.address(rng.u64(..records) + one % 2 * records))
}

/// The same in one text, by one command.
pub(crate) fn enrich(
    program: &Program,
    generator: &Generator,
    dir: &Path,
    table: &mut Table,
) -> Result<()> {
    say("enriching");
    let file = dir.join("addresses.log");
    let mut out = BufWriter::new(File::create(&file)?);
    for address in drawn(generator) {
        writeln!(
            out,
            "Nov 20 03:58:07 gate drop src={address} dst=198.51.100.7 dpt=22"
        )?;
    }
    out.flush()?;
    let path = file.display().to_string();
    let words = [
        "enrich",
        &path,
        "--feed",
        ADDRESSES.name(),
        "--day",
        DAYS[0],
        "--format",
        "json",
        "-q",
    ];
    let what = "100,000 addresses enriched, one command";
    match run(&mut program.command(&words)) {
        Ok(ran) => {
            let goal = Duration::from_secs(2).as_secs_f64();
            table.at_most(
                what,
                shown(ran.took),
                "<= 2 s",
                ran.took.as_secs_f64(),
                goal,
            );
        }
        Err(error) => table.missing(what, &error.to_string()),
    }
    fs::remove_file(&file)?;
    Ok(())
}
