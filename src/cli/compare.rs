//! `compare`: two addresses, texts, earlier runs or filters, each of a day. Nothing is sent.

mod rows;

use std::collections::BTreeMap;

use self::rows::{columns, pair, print};
use super::{
    args::compare::CompareArgs,
    console::{CommandEnd, CommandResult},
    exit::Exit,
    run::Run,
    text::InputText,
};
use crate::{
    contract::Feed,
    engine::{DayPlace, Error, Kind, Result, at_home, off_thread},
    investigation::{
        comparison::{ComparedKind, ComparedRow, Comparison, Side, SideList, SideName, SideRecord},
        history::{HistoryQuery, read_history},
    },
    model::{Admission, Day, Subject},
    report::{HistoryWords, Ticket, count, counted, each, same_verdict},
};

/// The table of the rows.
pub(super) fn table_of(_args: &CompareArgs) -> Vec<&'static str> {
    columns().names()
}

/// Compares two sides and prints where they differ.
///
/// # Errors
/// A side that cannot be read; a release that is not downloaded.
pub(super) async fn run(args: &CompareArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let settings = &engine.settings;
    let names = args.sides(settings.today())?;
    if names
        .iter()
        .all(|name| matches!(name, SideName::Text(path, _) if path == "-"))
    {
        return Err(Error::new(Kind::Usage, "standard input is read once")
            .hint("name a file for the other side")
            .into());
    }
    let days = names.each_ref().map(day_of);
    console.if_interrupted("the output is correct but incomplete");
    let admission = settings.admission.clone();
    let sides = off_thread(move || {
        let [a, b] = names;
        Ok([side(a, &admission)?, side(b, &admission)?])
    });
    let comparison = Comparison::open(engine, sides.await?).await?;
    for note in comparison.notes() {
        console.warn(&note);
    }
    let releases = comparison.releases();
    // A day that was named is as old as it was meant to be.
    if days.contains(&None) {
        run.note_ages(releases);
    }
    let unusable: Vec<Error> = comparison.unusable().into_iter().cloned().collect();
    for error in &unusable {
        console.complain(None, error);
    }
    let releases = each(comparison.sources(), "; ");
    if !releases.is_empty() {
        console.note(&format!("local releases: {releases}"));
    }
    let ticket = |sentence: &str| {
        Ticket::about(&format!("{} and {}", args.a, args.b))
            .sentence(sentence)
            .line("A", &args.a)
            .line("B", &args.b)
            .line("local releases", &releases)
    };
    let mut totals = Totals::default();
    let shows_all = args.all || comparison.is_of_two();
    let is_of_lists = comparison.is_of_lists();
    if comparison.is_of_two() {
        let mut found = Vec::new();
        comparison
            .each(engine, |page| -> Result<(), Error> {
                found.extend(page);
                Ok(())
            })
            .await?;
        for row in &found {
            totals.add(row);
            if row.kind == ComparedKind::Unknown {
                return Err(totals.unknown(&unusable, days).into());
            }
            let before = days_before(row, days, run).await?;
            let ticket = |sentence: &str| match &before {
                Some((label, words)) => ticket(sentence).line(label, words),
                None => ticket(sentence),
            };
            let names = [&*args.a, &args.b];
            console.show(pair(row, names, before.as_ref(), ticket, console.style()))?;
        }
    } else {
        let columns = columns();
        console.rows(|rows| rows.begin(&columns, || Some(ticket("Where the two sides differ: addresses and records that one of them lacks, and other verdicts."))))?;
        comparison
            .each(engine, |mut page| -> Result<(), CommandEnd> {
                for row in &page {
                    totals.add(row);
                }
                page.retain(|row| args.all || row.kind.matters());
                print(&page, &columns, console)
            })
            .await?;
        console.note(&totals.said(args, is_of_lists));
        if totals.unknown > 0 {
            let why = totals.unknown(&unusable, days);
            if totals.is_all(ComparedKind::Unknown) {
                return Err(why.into());
            }
            console.warn(&why.to_string());
        }
    }
    let is_shown =
        |kind: &ComparedKind| kind.matters() || (shows_all && *kind == ComparedKind::Other);
    let is_changed = args.exit_code && totals.kinds.keys().any(is_shown);
    Ok(match Exit::DONE.or_of(unusable.first()) {
        Exit::DONE if is_changed => Exit::CHANGED,
        // Nobody may take what is unknown for unchanged.
        Exit::DONE if args.exit_code && totals.unknown > 0 => Exit::of(Kind::NotFound),
        exit => exit,
    })
}

/// What the days at hand add to a verdict on an address that both sides have.
async fn days_before(
    row: &ComparedRow,
    days: [Option<Day>; 2],
    run: Run<'_>,
) -> Result<Option<(&'static str, String)>> {
    let Some(address) = row
        .address()
        .filter(|_| !row.kind.matters() && row.other.is_none())
    else {
        return Ok(None);
    };
    let today = run.engine.settings.today();
    let days = days.map(|day| day.unwrap_or(today));
    let query = HistoryQuery {
        subject: Subject::Address(address),
        feeds: Vec::new(),
        from: None,
        to: days[0].max(days[1]),
        place: DayPlace::Disk,
    };
    let found = match read_history(run.engine, &query).await {
        Ok(found) => found,
        Err(error) if error.kind == Kind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let words = HistoryWords {
        history: &found.history,
        subject: query.subject,
    };
    let words = words.beside_verdict();
    Ok(words.map(|words| same_verdict(&found.history, days, &words)))
}

fn day_of(name: &SideName) -> Option<Day> {
    match name {
        SideName::Address(_, day) | SideName::Text(_, day) => *day,
        SideName::Records(set) => set.day,
    }
}

fn side(name: SideName, admission: &Admission) -> Result<Side> {
    Ok(match name {
        SideName::Address(address, day) => {
            Side::List(SideList::of_address(address, day, admission)?)
        }
        SideName::Text(path, day) => {
            let text = InputText::named(&at_home(&path));
            Side::List(SideList::read(text.open()?, &path, day, admission)?)
        }
        SideName::Records(set) => Side::Records(set),
    })
}

/// How many rows there are of each kind.
#[derive(Debug, Default)]
struct Totals {
    kinds: BTreeMap<ComparedKind, u64>,
    /// Rows of which a side is unknown.
    unknown: u64,
    /// A feed that is not local for each side with an unknown address.
    missing: [Option<Feed>; 2],
}

impl Totals {
    fn add(&mut self, row: &ComparedRow) {
        *self.kinds.entry(row.kind).or_default() += 1;
        let is_unknown = |record: &SideRecord| matches!(record, SideRecord::Unknown(_));
        self.unknown += u64::from(row.sides.iter().any(is_unknown));
        for (missing, side) in self.missing.iter_mut().zip(&row.sides) {
            if let SideRecord::Unknown(feed) = side {
                *missing = missing.or(*feed);
            }
        }
    }

    fn of(&self, kind: ComparedKind) -> u64 {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    fn is_all(&self, kind: ComparedKind) -> bool {
        self.kinds
            .keys()
            .all(|compared_kind| *compared_kind == kind)
    }

    /// Why something is unknown.
    fn unknown(&self, unusable: &[Error], days: [Option<Day>; 2]) -> Error {
        if let Some(error) = unusable.first() {
            return error.clone();
        }
        let unknown = counted(self.unknown, "record");
        let message = format!("what a side says is not known for {unknown}");
        let mut missing = self.missing.iter().zip(days);
        let missing = missing.find_map(|(feed, day)| Some(((*feed)?, day)));
        match missing {
            None => Error::new(Kind::NotFound, message)
                .hint("an earlier run has no answer, or a line of a feed cannot be read"),
            Some((feed, day)) => {
                let (of, date) = match day {
                    Some(day) => (
                        format!(" of {}", day.dashed()),
                        format!(" --date {}", day.dashed()),
                    ),
                    None => (String::new(), String::new()),
                };
                Error::new(
                    Kind::NotFound,
                    format!("{message}: no release of {feed}{of} is local"),
                )
                .hint(format!("`ipspect feeds pull {feed}{date}` downloads it"))
            }
        }
    }

    /// The result in one line; of lists what both have comes first.
    fn said(&self, args: &CompareArgs, is_of_lists: bool) -> String {
        let of = |kind| count(self.of(kind));
        let mut said = String::new();
        if is_of_lists {
            let both = self.kinds.iter().filter(|(kind, _)| kind.is_of_both());
            let both = count(both.map(|(_, number)| number).sum());
            said = format!("{both} in both, ");
        }
        said += &format!(
            "{} in A only, {} in B only, {} with another verdict",
            of(ComparedKind::Removed),
            of(ComparedKind::Added),
            of(ComparedKind::Changed)
        );
        let others = [
            (ComparedKind::Other, "differ in other fields only"),
            (ComparedKind::Equal, "equal"),
        ];
        for (kind, words) in others {
            if self.of(kind) > 0 {
                said += &format!(", {} {words}", of(kind));
            }
        }
        let hidden = self.kinds.iter().any(|(kind, _)| !kind.matters());
        if hidden && !args.all {
            said += "; --all shows these, too";
        }
        said
    }
}
