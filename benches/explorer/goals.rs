//! What is measured of the explorer, and the goal of each.

use std::{
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{
    measure::{Times, shown},
    process,
    program::Program,
    say,
    session::{ENDS, Keys, PAGES, ROWS, Session},
    table::Table,
};

const FIRST_FRAME: Duration = Duration::from_millis(50);
pub(crate) const KEY_TO_FRAME: Duration = Duration::from_millis(16);
const COUNT: Duration = Duration::from_millis(100);
const MEMORY: u32 = 64;
/// Processor time of an idle span that is none: a clock that is read, an event that is looked for.
const NO_TIME: Duration = Duration::from_millis(1);

/// For how long nothing is pressed.
const IDLE: Duration = Duration::from_secs(10);
/// Starts of which the slowest one counts.
const STARTS: usize = 5;
/// How often each kind of keys is pressed at rest: there and back.
const ROUNDS: [(Keys, usize); 3] = [(ROWS, 200), (PAGES, 100), (ENDS, 100)];
/// Times that are too few for a statement about one in a hundred.
const TOO_FEW: usize = 20;

/// Measures everything.
pub(crate) fn measure(
    program: &Program,
    records: u64,
    filters: &[String],
    table: &mut Table,
) -> Result<()> {
    say("starting the explorer");
    let mut starts = Times::default();
    for _ in 0..STARTS {
        let (mut session, first_frame) = Session::start(program, records);
        starts.add(first_frame);
        session.terminal.press("q");
        session.terminal.exit_code();
    }
    at_most(table, "first frame", starts.most(), FIRST_FRAME);
    table.beside(format!(
        "{STARTS} starts, median {}",
        shown(starts.median())
    ));

    let (mut session, _) = Session::start(program, records);
    session.open_browser();
    let filters: Vec<(&str, u64)> = filters
        .iter()
        .map(|filter| Ok((filter.as_str(), session.counted(filter)?)))
        .collect::<Result<_>>()?;
    say("pressing keys");
    let process = session.terminal.process();
    let mut memory = Vec::new();
    let mut frames = Frames::default();
    frames.add_keys(&mut session, 1, |_| true)?;
    memory.extend(process::anonymous_memory(process));
    say("typing filters");
    frames.add_filters(&mut session, &filters, |_| true)?;
    memory.extend(process::anonymous_memory(process));
    frames.tell("at rest", table);
    say("asking who is behind a list");
    let mut behind = Times::default();
    for (filter, count) in filters.iter().filter(|(_, count)| *count > 0) {
        behind.add(session.behind(filter, *count)?);
    }
    at_most(
        table,
        "from a filter to who is behind a list of it",
        behind.percentile(99),
        KEY_TO_FRAME,
    );
    table.beside(beside(&behind));
    say("pressing nothing");
    idle(&mut session, table);
    memory.extend(process::anonymous_memory(process));
    match memory.iter().max() {
        Some(most) => {
            let mib = u32::try_from(most.div_ceil(1 << 20)).unwrap_or(u32::MAX);
            let goal = format!("<= {MEMORY} MiB");
            let what = "anonymous memory";
            table.at_most(what, format!("{mib} MiB"), &goal, mib.into(), MEMORY.into());
        }
        None => table.missing("anonymous memory", "this system does not tell"),
    }
    session.terminal.press("ctrl-c");
    session.terminal.exit_code();

    say("downloading and indexing another feed, and pressing keys");
    let (mut session, _) = Session::start(program, records);
    session.begin_download()?;
    session.open_browser();
    let mut frames = Frames::default();
    let mut filters = filters.chunks(2);
    while session.is_busy() && frames.has_room() {
        frames.add_keys(&mut session, 10, is_busy)?;
        let some = filters.next().unwrap_or_default();
        frames.add_filters(&mut session, some, is_busy)?;
    }
    frames.tell("during a download", table);
    Ok(())
}

/// Whether the download goes on.
fn is_busy(session: &Session<'_>) -> bool {
    session.is_busy()
}

/// Times of the frames that followed keys.
#[derive(Debug, Default)]
struct Frames {
    keys: [Times; ROUNDS.len()],
    letters: Times,
    counts: Times,
    /// The filter whose count took longest, and how long.
    slowest: Option<(Duration, String)>,
}

impl Frames {
    /// Presses the keys of each kind, a share of the rounds and as long as `goes_on`.
    fn add_keys(
        &mut self,
        session: &mut Session<'_>,
        share: usize,
        goes_on: impl Fn(&Session<'_>) -> bool + Copy,
    ) -> Result<()> {
        for ((keys, rounds), times) in ROUNDS.into_iter().zip(&mut self.keys) {
            session.press(keys, rounds / share, goes_on, times)?;
        }
        Ok(())
    }

    /// Types filters, as long as `goes_on`.
    fn add_filters(
        &mut self,
        session: &mut Session<'_>,
        filters: &[(&str, u64)],
        goes_on: impl Fn(&Session<'_>) -> bool,
    ) -> Result<()> {
        for (filter, count) in filters {
            let typed = session.filter(filter, *count)?;
            if !goes_on(session) {
                break;
            }
            self.letters.extend(&typed.letters);
            if let Some(time) = typed.count {
                self.counts.add(time);
                if self.slowest.as_ref().is_none_or(|(most, _)| time > *most) {
                    self.slowest = Some((time, (*filter).to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Whether more frames would tell more.
    fn has_room(&self) -> bool {
        let mut kinds = ROUNDS.iter().zip(&self.keys);
        kinds.any(|((_, rounds), times)| times.len() < 2 * rounds)
    }

    fn tell(&self, when: &str, table: &mut Table) {
        let names = ROUNDS.map(|(keys, _)| format!("key to frame {}", keys.name));
        let keys = names.into_iter().zip(&self.keys);
        for (name, times) in keys.chain([("letter of a filter to frame".to_owned(), &self.letters)])
        {
            let what = format!("{name}, {when}");
            if times.len() < TOO_FEW {
                table.missing(&what, &format!("{} frames: more records", times.len()));
                continue;
            }
            at_most(table, &what, times.percentile(99), KEY_TO_FRAME);
            table.beside(beside(times));
        }
        let what = format!("count of an edited filter, {when}");
        if self.counts.len() == 0 {
            return table.missing(&what, "no count: more records");
        }
        at_most(table, &what, self.counts.most(), COUNT);
        let (_, filter) = self.slowest.clone().unwrap_or_default();
        table.beside(format!("{} for {filter}", beside(&self.counts)));
    }
}

fn beside(times: &Times) -> String {
    let [median, most] = [times.median(), times.most()].map(shown);
    format!("{} times, median {median}, most {most}", times.len())
}

/// Presses nothing for a while. An age on the screen may change its words once a minute: of two spans the quieter one counts.
fn idle(session: &mut Session<'_>, table: &mut Table) {
    let terminal = &session.terminal;
    terminal.settle();
    let process = terminal.process();
    let span = || {
        let (before, drawn) = (process::used(process), terminal.raw().len());
        let began = Instant::now();
        thread::sleep(IDLE);
        let (after, drawn) = (process::used(process), terminal.raw().len() - drawn);
        let used = before.zip(after).map(|(before, after)| {
            let time = after.time.saturating_sub(before.time);
            let written = after.written.zip(before.written);
            (
                time,
                written.map(|(after, before)| after.saturating_sub(before)),
            )
        });
        (drawn, used, began.elapsed())
    };
    let (drawn, used, took) = match span() {
        quiet @ (0, _, _) => quiet,
        first => first.min(span()),
    };
    let span = format!("in {}", shown(took));
    none(table, "bytes drawn while idle", drawn as u64);
    table.beside(span.clone());
    let Some((time, written)) = used else {
        return table.missing("processor time while idle", "this system does not tell");
    };
    match written {
        Some(written) => {
            none(table, "bytes written to files while idle", written);
            table.beside(span.clone());
        }
        None => table.missing("bytes written to files while idle", "only root may read it"),
    }
    at_most(table, "processor time while idle", time, NO_TIME);
    table.beside(span);
}

fn none(table: &mut Table, what: &str, count: u64) {
    let value = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    table.at_most(what, count.to_string(), "0", value, 0.0);
}

pub(crate) fn at_most(table: &mut Table, what: &str, time: Duration, bar: Duration) {
    let goal = format!("<= {}", shown(bar));
    let (value, bar) = (time.as_secs_f64(), bar.as_secs_f64());
    table.at_most(what, shown(time), &goal, value, bar);
}
