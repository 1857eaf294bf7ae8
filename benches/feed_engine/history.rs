//! The days of one address: what so many local releases have about it, read as the strip of an explorer reads it.

use std::{
    fs,
    net::IpAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use ipspect::{
    contract::{BaseUrl, Host},
    engine::{DayPlace, Engine, Settings},
    investigation::history::{DayFinding, HistoryQuery, read_history},
    model::{Admission, Day, Subject},
};

use super::{
    building::ADDRESSES,
    generator::{About, Generator},
    material::gzipped,
    measure::{Times, run, shown, time},
    program::{self, Program},
    say,
    table::Table,
};

const SEED: u64 = 20_261_122;
/// The days that are local.
const DAYS: i32 = 60;
/// The addresses that are asked about.
const ASKED: u64 = 200;
/// The goal for one of them, in milliseconds.
const GOAL: u32 = 20;

/// Pulls the days, and reads what they have about some addresses.
pub(crate) fn strip(records: u64, dir: &Path, home: &Path) -> Result<Table> {
    let mut table = Table::default();
    table.noted("records of a day", records.to_string());
    let generator = Generator::new(About::Addresses, SEED, records);
    let (even, odd) = (file(dir, "even"), file(dir, "odd"));
    for (generator, path) in [(&generator, &even), (&generator.next_day(), &odd)] {
        gzipped(path, 1, |out| Ok(generator.write(out).map(drop)?))?;
    }
    let first = Day::new(2026, 9, 1).context("a day")?;
    let days: Vec<String> = (0..DAYS)
        .map(|number| first.plus(number).to_string())
        .collect();
    let served = days.iter().enumerate().map(|(at, day)| {
        let path = if at % 2 == 0 { &even } else { &odd };
        (ADDRESSES, day.as_str(), path.as_path())
    });
    let host = program::serve(&served.collect::<Vec<_>>())?;
    let program = Program::at(home.to_owned(), &host)?;
    let config = program.paths().config.join("config.toml");
    let text = fs::read_to_string(&config)?;
    fs::write(&config, text + "[cache]\nkeep_feed_files = false\n")?;
    for (at, day) in days.iter().enumerate() {
        say(&format!("pulling day {} of {DAYS}", at + 1));
        let words = ["feeds", "pull", ADDRESSES.name(), "--date", day, "-q"];
        run(&mut program.command(&words))?;
    }
    fs::remove_file(even)?;
    fs::remove_file(odd)?;
    read(&engine(&program, &host)?, &generator, first, &mut table)?;
    Ok(table)
}

fn file(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("history-{name}.json.gz"))
}

/// The engine of a front on the home of the program, as that is configured.
fn engine(program: &Program, host: &str) -> Result<Engine> {
    // It can be set once; another time it is there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url: BaseUrl = host.parse().context("a URL")?;
    let mut settings = Settings::plain(program.paths());
    settings.service.set_url(Host::Feeds, url.clone());
    settings.default_feeds_url = Some(url);
    settings.admission = Admission::invented(vec!["240.0.0.0/4".parse()?]);
    Ok(Engine::new(settings))
}

fn read(engine: &Engine, generator: &Generator, first: Day, table: &mut Table) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (mut opening, mut times, mut seen) = (None, Times::default(), 0);
    for number in 0..ASKED {
        let query = HistoryQuery {
            subject: Subject::Address(IpAddr::from(generator.address(number * 97))),
            feeds: Vec::new(),
            from: Some(first),
            to: first.plus(DAYS - 1),
            place: DayPlace::Disk,
        };
        let (took, read) = time(|| runtime.block_on(read_history(engine, &query)));
        let findings = read?.history.findings;
        let is_whole = findings.len() == usize::try_from(DAYS)?;
        ensure!(
            is_whole && findings.iter().all(DayFinding::is_known),
            "not all days are known"
        );
        seen += findings
            .iter()
            .filter(|finding| finding.record().is_some())
            .count();
        if opening.is_none() {
            opening = Some(took);
        } else {
            times.add(took);
        }
    }
    ensure!(seen > 0, "no record was found");
    let what = format!("history of an address, {DAYS} local days");
    let (median, goal) = (times.median(), format!("<= {GOAL} ms"));
    let value = median.as_secs_f64() * 1e3;
    table.at_most(&what, shown(median), &goal, value, GOAL.into());
    table.beside(format!("99 of 100: {}", shown(times.percentile(99))));
    table.noted(
        "  the first, which opens them",
        shown(opening.unwrap_or_default()),
    );
    Ok(())
}
