//! The warehouse beside the local index, measured in one run and printed as one table:
//!
//! ```sh
//! cargo bench --bench warehouse -- [--days 30] [--records 500000] [--kills 0] [--dir DIR]
//! ```
//!
//! It invents so many days of a feed (`generator`), which the real program downloads and loads into `ClickHouse`: the server that
//! `IPSPECT_CLICKHOUSE` names, else chDB behind an HTTP front, with the Python that `.ci/engines` prepares. Everything is asked by the command
//! line, of the warehouse and of the local index in turns, after 1, after a third and after all of the days: so each time has the start of a
//! process in it. With `--kills` a load is killed so many times at random moments, and what is seen then is counted.

#![expect(
    clippy::cast_precision_loss,
    reason = "figures for people, rounded anyway"
)]

#[path = "feed_engine/generator.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod generator;
#[path = "feed_engine/measure.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod measure;
#[path = "feed_engine/program.rs"]
#[expect(dead_code, reason = "the other benchmark asks more of it")]
mod program;

use std::{
    env,
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, write::GzEncoder};
use ipspect::{contract::Feed, model::Day};

use self::{
    generator::{About, Generator},
    measure::{Ran, Times, shown, watch},
    program::Program,
};

const SEED: u64 = 20_261_120;
/// The addresses of the log that is answered.
const ADDRESSES: u64 = 10_000;
/// Times that a question is asked of each side.
const TURNS: usize = 5;

/// What is asked for.
struct Options {
    days: i32,
    records: u64,
    kills: u32,
    dir: Option<PathBuf>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            days: 30,
            records: 500_000,
            kills: 0,
            dir: None,
        };
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("{word} needs a value"))
            };
            match word.as_str() {
                "--days" => options.days = value()?.parse()?,
                "--records" => options.records = value()?.parse()?,
                "--kills" => options.kills = value()?.parse()?,
                "--dir" => options.dir = Some(value()?.into()),
                // Cargo adds it.
                "--bench" => {}
                _ => bail!("there is no option {word}"),
            }
        }
        ensure!(
            options.days >= 2 && options.records >= 1000,
            "two days of 1000 records at least"
        );
        Ok(options)
    }
}

/// The warehouse, and how it is asked for what the program does not say.
struct Server {
    url: String,
    child: Option<Child>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Server {
    fn start(dir: &Path) -> Result<Self> {
        if let Ok(url) = env::var("IPSPECT_CLICKHOUSE") {
            return Ok(Self { url, child: None });
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = env::var_os("IPSPECT_PYTHON").map(PathBuf::from);
        let python = python.unwrap_or_else(|| root.join("target/engines/bin/python"));
        let mut child = Command::new(python)
            .arg(root.join("tests/warehouse.py"))
            .arg(dir.join("clickhouse"))
            .stdout(Stdio::piped())
            .spawn()
            .context("Python with chdb is needed: run .ci/engines once")?;
        let mut url = String::new();
        let out = child.stdout.take().context("its output")?;
        BufReader::new(out).read_line(&mut url)?;
        ensure!(!url.is_empty(), "chdb does not start: run .ci/engines once");
        Ok(Self {
            url: url.trim().to_owned(),
            child: Some(child),
        })
    }

    /// The bytes of the records on its disk.
    fn bytes(&self) -> Result<u64> {
        let query = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'ipspect_records' FORMAT TSV";
        let out = Command::new("curl")
            .args([
                "-s",
                "-H",
                "X-ClickHouse-User: default",
                "-H",
                "X-ClickHouse-Key: invented",
                "-F",
            ])
            .arg(format!("query={query}"))
            .arg(format!("{}/?database=ipspect", self.url))
            .output()?;
        let text = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        text.parse().with_context(|| text)
    }
}

/// A feed that goes on, one day after the other, and the home that has it.
struct Bench {
    program: Program,
    /// A home without a local day.
    elsewhere: Program,
    server: Server,
    dir: PathBuf,
    first: Day,
    address: String,
    log: PathBuf,
}

/// What one question took on each side.
struct Row {
    what: &'static str,
    warehouse: Times,
    local: Times,
}

impl Bench {
    fn day(&self, number: i32) -> String {
        self.first.plus(number).dashed()
    }

    /// A command; of the home without a local day where it begins with `elsewhere`.
    fn command(&self, line: &str) -> Command {
        let (program, line) = match line.strip_prefix("elsewhere ") {
            Some(line) => (&self.elsewhere, line),
            None => (&self.program, line),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = program.command(&words);
        command.env("IPSPECT_WAREHOUSE_PASSWORD", "invented");
        command
    }

    fn run(&self, line: &str) -> Result<Ran> {
        measure::run(&mut self.command(line)).with_context(|| line.to_owned())
    }

    /// Downloads a day and loads it. Returns how long the load took, and the most memory that it held.
    fn add(&self, generator: &Generator, number: i32) -> Result<Ran> {
        let day = self.first.plus(number);
        let path = feed_file(&self.dir, number);
        let file = BufWriter::new(File::create(&path)?);
        let mut gzip = GzEncoder::new(file, Compression::fast());
        generator.write(&mut gzip)?;
        gzip.finish()?.flush()?;
        self.run(&format!("feeds pull anonymous --date {day} -q"))?;
        fs::remove_file(&path)?;
        watch(&mut self.command(&format!("warehouse load anonymous --day {day} -q")))
    }

    fn configure(&self) -> Result<()> {
        for program in [&self.program, &self.elsewhere] {
            let file = program.root.join("config/config.toml");
            let text = fs::read_to_string(&file)?;
            let url = &self.server.url;
            let own = format!(
                "{text}[profiles.default.warehouse]\nurl = {url:?}\ndatabase = \"ipspect\"\n[cache]\nkeep_feed_files = false\n"
            );
            fs::write(file, own)?;
        }
        Ok(())
    }

    /// Asks everything of both sides, with so many days there.
    fn ask(&self, days: i32) -> Result<Vec<Row>> {
        let (last, before) = (self.day(days - 1), self.day((days - 2).max(0)));
        let log = self.log.display();
        let of_day = |line: &str| (format!("{line} --at warehouse"), vec![line.to_owned()]);
        let each_day = (0..days).map(|number| {
            format!(
                "search anonymous net:{} --format json -q --day {}",
                self.address,
                self.day(number)
            )
        });
        let history = format!(
            "history {} --feed anonymous --from {} --to {last} --format csv",
            self.address,
            self.day(0)
        );
        let mut questions = vec![
            (
                "verdict of one address on each day",
                (format!("elsewhere {history} --at warehouse"), vec![history]),
            ),
            (
                "history of one address",
                (
                    format!(
                        "search anonymous net:{} --format json -q --at warehouse --from {}",
                        self.address,
                        self.day(0)
                    ),
                    each_day.collect(),
                ),
            ),
            (
                "10,000 addresses of one day",
                of_day(&format!(
                    "enrich {log} --feed anonymous --day {last} --format json -q"
                )),
            ),
            (
                "filter count, one day",
                of_day(&format!(
                    "search anonymous type:VPN cc:NL --day {last} --count"
                )),
            ),
        ];
        if days > 1 {
            questions.push((
                "diff of two days, counted",
                of_day(&format!(
                    "diff anonymous --from {before} --to {last} --count -q"
                )),
            ));
        }
        let mut rows = Vec::new();
        for (what, (loaded, local)) in questions {
            let mut row = Row {
                what,
                warehouse: Times::default(),
                local: Times::default(),
            };
            for _ in 0..TURNS {
                let ran = self.run(&loaded)?;
                row.warehouse.add(ran.took);
                let mut took = Duration::ZERO;
                let mut lines = 0;
                for line in &local {
                    let ran = self.run(line)?;
                    took += ran.took;
                    lines += ran.out.lines().count();
                }
                row.local.add(took);
                ensure!(
                    ran.out.lines().count() == lines,
                    "{what}: {} and {lines} lines",
                    ran.out.lines().count()
                );
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Kills a load of the last day at random moments. Whatever is seen of it is the whole of it.
    fn kill(&self, kills: u32, days: i32, takes: Duration) -> Result<String> {
        let day = self.day(days - 1);
        let whole = self
            .run(&format!("search anonymous --day {day} --count"))?
            .out;
        let load = format!("warehouse load anonymous --day {day} --format json");
        let (mut killed, mut resumed, mut seen) = (0, 0, 0);
        for number in 0..kills {
            self.run(&format!("warehouse drop anonymous --day {day} -q"))?;
            for attempt in 0..=number % 3 {
                let mut child = self.command(&load).stdout(Stdio::null()).spawn()?;
                let until = Instant::now() + takes.mul_f64(fastrand::f64() * 1.1);
                while Instant::now() < until && child.try_wait()?.is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                killed += u32::from(child.try_wait()?.is_none());
                let _ = child.kill();
                child.wait()?;
                let asked = format!("search anonymous --day {day} --count --at warehouse");
                let out = self.command(&asked).output()?;
                match out.status.code() {
                    Some(0) => {
                        seen += 1;
                        let text = String::from_utf8_lossy(&out.stdout).trim().to_owned();
                        ensure!(
                            text == whole,
                            "{text} of {whole} records are seen after {attempt}"
                        );
                    }
                    Some(10) => {}
                    code => bail!("{code:?}: {}", String::from_utf8_lossy(&out.stderr)),
                }
            }
            let ran = self.run(&load)?;
            resumed += u32::from(!ran.out.contains("\"resumed_from\":0"));
            let text = self
                .run(&format!(
                    "search anonymous --day {day} --count --at warehouse"
                ))?
                .out;
            ensure!(
                text == whole,
                "{text} of {whole} records after kill {number}"
            );
            if number % 10 == 9 {
                self.run("warehouse drop --stale")?;
            }
        }
        Ok(format!(
            "{killed} loads killed while they ran in {kills} rounds: {seen} times the whole day was seen, else nothing; {resumed} loads went on \
            with parts that were there"
        ))
    }
}

fn main() -> Result<()> {
    let options = Options::read(env::args().skip(1))?;
    let temporary = tempfile::tempdir()?;
    let dir = options
        .dir
        .clone()
        .unwrap_or_else(|| temporary.path().to_owned());
    fs::create_dir_all(&dir)?;
    let mut generator = Generator::new(About::Addresses, SEED, options.records);
    let log = dir.join("log");
    let mut text = String::new();
    for number in 0..ADDRESSES {
        writeln!(
            text,
            "{} was seen",
            generator.address(number * (options.records / ADDRESSES).max(1))
        )?;
    }
    fs::write(&log, text)?;
    let first = Day::new(2026, 10, 22).context("a day")?;
    let files =
        (0..options.days).map(|number| (first.plus(number).to_string(), feed_file(&dir, number)));
    let files: Vec<(String, PathBuf)> = files.collect();
    let served = files
        .iter()
        .map(|(day, path)| (Feed::Anonymous, day.as_str(), path.as_path()));
    // Each file is made when its day comes.
    let host = program::serve(&served.collect::<Vec<_>>())?;
    let bench = Bench {
        program: Program::at(dir.join("home"), &host)?,
        elsewhere: Program::at(dir.join("elsewhere"), &host)?,
        server: Server::start(&dir)?,
        first,
        address: generator.address(7).to_string(),
        dir,
        log,
    };
    bench.configure()?;
    bench.run("warehouse init")?;
    let stops = [1, (options.days / 3).max(2), options.days];
    let (mut loads, mut peak, mut tables) = (Times::default(), 0, Vec::new());
    let mut sizes = Vec::new();
    for number in 0..options.days {
        let ran = bench.add(&generator, number)?;
        loads.add(ran.took);
        peak = peak.max(ran.peak.unwrap_or_default());
        say(&format!(
            "day {} of {} loaded in {}",
            number + 1,
            options.days,
            shown(ran.took)
        ));
        if stops.contains(&(number + 1)) {
            sizes.push(bench.server.bytes()?);
            tables.push(bench.ask(number + 1)?);
        }
        generator = generator.next_day();
    }
    let mut out = String::new();
    print(
        &options,
        &mut out,
        &stops,
        (&sizes, &tables),
        (&loads, peak),
    )?;
    if options.kills > 0 {
        writeln!(
            out,
            "\n{}",
            bench.kill(options.kills, options.days, loads.median())?
        )?;
    }
    io::stdout().write_all(out.as_bytes())?;
    Ok(())
}

fn feed_file(dir: &Path, number: i32) -> PathBuf {
    dir.join(format!("day-{number}.json.gz"))
}

/// Prints the table, and what a year of a large feed would take.
fn print(
    options: &Options,
    out: &mut String,
    stops: &[i32],
    (sizes, tables): (&[u64], &[Vec<Row>]),
    (loads, peak): (&Times, u64),
) -> Result<()> {
    /// A year of the largest feed.
    const YEAR: f64 = 365.0 * 50e6;
    let records = options.records;
    writeln!(
        out,
        "{} days of {records} records; {} times each, the median\n",
        options.days, TURNS
    )?;
    let heads: Vec<String> = stops
        .iter()
        .map(|days| format!("{days} d: warehouse / local"))
        .collect();
    writeln!(
        out,
        "| | {} |\n|---|{}",
        heads.join(" | "),
        "---|".repeat(heads.len())
    )?;
    let last = tables.last().context("a table")?;
    for (at, row) in last.iter().enumerate() {
        let cells = tables.iter().map(|rows| match rows.get(at) {
            Some(row) => format!(
                "{} / {}",
                shown(row.warehouse.median()),
                shown(row.local.median())
            ),
            None => "-".to_owned(),
        });
        writeln!(
            out,
            "| {} | {} |",
            row.what,
            cells.collect::<Vec<_>>().join(" | ")
        )?;
    }
    let mebibytes = |bytes: &u64| format!("{:.1} MiB", *bytes as f64 / f64::from(1 << 20));
    writeln!(
        out,
        "| size on disk | {} |",
        sizes.iter().map(mebibytes).collect::<Vec<_>>().join(" | ")
    )?;
    let rate = records as f64 / loads.median().as_secs_f64();
    writeln!(
        out,
        "\nload of a day: {} (median), {:.0} records a second, at most {:.0} MiB of memory here",
        shown(loads.median()),
        rate,
        peak as f64 / f64::from(1 << 20)
    )?;
    let all = *sizes.last().context("a size")? as f64;
    let each = all / (f64::from(options.days) * records as f64);
    writeln!(
        out,
        "365 days x 50,000,000 records: {each:.1} bytes a record x 18.25e9 = {:.2} TB; {:.0} records a second: {:.1} h a day",
        each * YEAR / 1e12,
        rate,
        50e6 / rate / 3600.0
    )?;
    Ok(())
}

/// Says on standard error what is going on.
fn say(text: &str) {
    // Whoever closes it does not want to know.
    let _ = writeln!(io::stderr(), "{text}");
}
