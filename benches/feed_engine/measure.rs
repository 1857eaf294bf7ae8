//! How long things take, and how much memory.

use std::{
    fs,
    hint::black_box,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// What a program came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) took: Duration,
    /// The most memory of its own that it was seen to hold, in bytes; where the system tells. Pages of mapped files are not counted: an index
    /// is there while there is room.
    pub(crate) peak: Option<u64>,
    /// The time of processors that it took, to a hundredth of a second; where the system tells.
    pub(crate) processors: Option<Duration>,
    pub(crate) out: String,
}

/// Runs a program to its end. Its standard output is read.
pub(crate) fn run(command: &mut Command) -> Result<Ran> {
    let name = command.get_program().to_string_lossy().into_owned();
    let began = Instant::now();
    let output = command
        .output()
        .with_context(|| format!("{name} was not started"))?;
    let took = began.elapsed();
    if !output.status.success() {
        let said = [output.stderr, output.stdout].concat();
        let said = String::from_utf8_lossy(&said);
        let first = said.lines().next().unwrap_or("it said nothing");
        bail!("{}: {first}", output.status);
    }
    Ok(Ran {
        took,
        peak: None,
        processors: None,
        out: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    })
}

/// Runs a program for a while to its end, and watches its memory.
pub(crate) fn watch(command: &mut Command) -> Result<Ran> {
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let (mut peak, mut processors) = (None, None);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak = held(&child).max(peak);
        processors = computed(&child).max(processors);
        std::thread::sleep(Duration::from_millis(3));
    };
    let took = began.elapsed();
    if !status.success() {
        bail!("{} ended with {status}", command.get_program().display());
    }
    Ok(Ran {
        took,
        peak,
        processors,
        out: String::new(),
    })
}

/// The memory of its own that a process holds, as Linux tells.
fn held(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// How long processors have worked for a process so far, as Linux tells.
fn computed(child: &Child) -> Option<Duration> {
    /// Linux counts in hundredths of a second for everybody who reads this file.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // Behind the name, which may have blanks and brackets.
    let fields = stat.rsplit_once(") ")?.1.split(' ');
    let ticks = fields.skip(11).take(2).map(str::parse::<u32>);
    let ticks: Result<Vec<u32>, _> = ticks.collect();
    Some(TICK * ticks.ok()?.into_iter().sum())
}

/// Times of one kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Adds a time that may not be known.
    pub(crate) fn add_known(&mut self, time: Option<Duration>) {
        self.0.extend(time);
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The time that so many of a hundred stay within.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        let place = last * percent / 100;
        sorted.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    pub(crate) fn most(&self) -> Duration {
        self.percentile(100)
    }
}

/// The time that a piece of work takes, and what it gives.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let began = Instant::now();
    let given = black_box(work());
    (began.elapsed(), given)
}

/// The times of a piece of work for each of these.
pub(crate) fn each<T, U>(
    of: impl IntoIterator<Item = T>,
    mut work: impl FnMut(T) -> Result<U>,
) -> Result<Times> {
    let mut times = Times::default();
    for one in of {
        let (took, given) = time(|| work(one));
        given?;
        times.add(took);
    }
    Ok(times)
}

/// A time in the unit in which it reads best.
pub(crate) fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        1e-3.. => format!("{:.2} ms", seconds * 1e3),
        1e-6.. => format!("{:.2} µs", seconds * 1e6),
        _ => format!("{:.0} ns", seconds * 1e9),
    }
}

/// How many times one goes into the other.
pub(crate) fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64().max(1e-9)
}
