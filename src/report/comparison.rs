//! Two sides in words, and the ticket note about two records side by side: two days of an address, or its two geolocations.

use std::{borrow::Cow, fmt::Display, net::IpAddr};

use super::{
    Reading, TICKET_ROWS, TextCell, Ticket, TicketStamp, Verdict, count, counted, each,
    fields::{difference_side, label_of},
    instant, markdown_table,
};
use crate::{
    contract::Feed,
    engine::Provenance,
    investigation::comparison::{ComparedKind, ComparedRow, Comparison, SideRecord},
    model::{
        Context, Day,
        compare::{Difference, DifferenceKind},
        parse_address,
    },
    store::layout::Release,
};

/// Where a record that is compared comes from.
#[derive(Clone, Copy, Debug)]
pub enum ComparedSource<'a> {
    Live(&'a Provenance),
    /// The service, earlier.
    Cached(&'a Provenance),
    Local(&'a Release),
}

impl ComparedSource<'_> {
    /// Source, day and query time in one line.
    fn words(&self) -> String {
        let answered = |source: &str, asked: &Provenance| {
            let day = asked
                .data_date
                .map_or_else(|| "a day not named".to_owned(), Day::dashed);
            format!(
                "{source}, data of {day}, asked at {}",
                instant(asked.asked_at)
            )
        };
        match self {
            Self::Live(asked) => answered("live lookup", asked),
            Self::Cached(asked) => answered("cached answer of an earlier lookup", asked),
            Self::Local(release) => {
                let manifest = &release.manifest;
                let (feed, day) = (manifest.feed, manifest.moment.dashed());
                let pulled = instant(manifest.pulled_at);
                format!("local feed {feed}, data of {day}, downloaded at {pulled}")
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ComparedSide<'a> {
    /// What it is called: its day, for instance.
    pub name: &'a str,
    /// Where it comes from.
    pub source: ComparedSource<'a>,
    pub context: &'a Context,
    /// What the days before add to it.
    pub days: Option<&'a str>,
}

impl ComparedSide<'_> {
    /// What the record comes to, and where it comes from.
    fn words(&self, address: Option<IpAddr>) -> String {
        let verdict = Verdict::of(self.context, address);
        format!("{}; {}", verdict.line(), self.source.words())
    }
}

/// The record of a side; an answer of the service is a context, as a record of the feed is.
#[must_use]
pub fn reading_of(side: &SideRecord) -> Option<Reading> {
    match side {
        SideRecord::Found(feed, document) => {
            let feed = feed.unwrap_or(Feed::Anonymous);
            Some(Reading::of(feed, document.value()))
        }
        SideRecord::Absent | SideRecord::Unknown(_) | SideRecord::Nothing => None,
    }
}

/// The verdict of a side, in short.
#[must_use]
pub fn side_in_words(side: &SideRecord) -> String {
    match (side, reading_of(side)) {
        (_, Some(reading)) => reading.short_verdict(&reading.values()),
        (SideRecord::Absent, None) => "absent".to_owned(),
        (SideRecord::Nothing, None) => "no record".to_owned(),
        (SideRecord::Unknown(_) | SideRecord::Found(..), None) => "unknown".to_owned(),
    }
}

/// Both verdicts where they differ, else the fields that do: `VPN ACME_VPN -> no record`.
#[must_use]
pub fn compared_in_words(row: &ComparedRow) -> String {
    let [a, b] = row.sides.each_ref().map(side_in_words);
    match row.kind {
        ComparedKind::Added => b,
        ComparedKind::Changed | ComparedKind::Other | ComparedKind::Unknown if a != b => {
            format!("{a} -> {b}")
        }
        ComparedKind::Removed | ComparedKind::Equal | ComparedKind::Unknown => a,
        ComparedKind::Changed | ComparedKind::Other => {
            let differences = changes(&row.differences, label_of, difference_side);
            if differences.is_empty() {
                format!("{a}; a record on one side only")
            } else {
                differences
            }
        }
    }
}

/// How a side of a difference is put, by its path.
pub type SaySide = for<'t> fn(&str, &'t str) -> Cow<'t, str>;

/// What changed, the fields by the names that are made of their paths, their values as `say` puts them.
#[must_use]
pub fn changes<S: Display>(
    differences: &[Difference],
    name: fn(&str) -> S,
    say: SaySide,
) -> String {
    let change = |found: &Difference| change(found, name(&found.path), say);
    each(differences.iter().map(change), "; ")
}

/// A change of the field with this name.
fn change(found: &Difference, name: impl Display, say: SaySide) -> String {
    let side = |side: &Option<String>| {
        let text = side.as_deref().unwrap_or_default();
        say(&found.path, text).into_owned()
    };
    let (a, b) = (side(&found.a), side(&found.b));
    match found.change() {
        DifferenceKind::Added => format!("+{name} {b}"),
        DifferenceKind::Removed => format!("-{name} {a}"),
        DifferenceKind::Changed | DifferenceKind::Equal => format!("{name} {a} -> {b}"),
    }
}

/// What two sides say of an address or a record, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedLine {
    /// Its place among all.
    pub number: usize,
    /// What it is about.
    pub name: String,
    pub address: Option<IpAddr>,
    pub kind: ComparedKind,
    /// The verdicts of both sides; of the second one what differs, where the verdict does not.
    pub sides: [String; 2],
}

/// What matters in a comparison and the rest, as far as it is listed, and the numbers of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparedList {
    pub lines: Vec<ComparedLine>,
    /// How many there are of each kind, in the order of [`ComparedKind::ALL`].
    pub counts: [u64; ComparedKind::ALL.len()],
    /// The days of the answers of both sides; `None` for the newest.
    pub days: [Option<Day>; 2],
    /// The local releases that answer: of each day its feeds.
    pub sources: Vec<String>,
    /// What was left out, or cannot be read.
    pub notes: Vec<String>,
    /// Whether the sides are lists of addresses.
    pub is_of_lists: bool,
}

impl ComparedLine {
    fn of(number: usize, row: &ComparedRow) -> Self {
        let [a, b] = row.sides.each_ref().map(side_in_words);
        let b = if row.kind == ComparedKind::Other && a == b {
            compared_in_words(row)
        } else {
            b
        };
        let day = row
            .event_day
            .map_or_else(String::new, |day| format!(" {}", day.dashed()));
        Self {
            number,
            name: format!("{}{day}", row.name),
            address: row.address(),
            kind: row.kind,
            sides: [a, b],
        }
    }
}

impl ComparedList {
    /// The most lines of each kind.
    const MOST: u64 = 10_000;

    /// Nothing yet of these sides.
    #[must_use]
    pub fn of(sides: &Comparison) -> Self {
        let unusable = sides
            .unusable()
            .into_iter()
            .map(|error| error.message.clone());
        Self {
            days: sides.days(),
            sources: sides.sources(),
            notes: sides.notes().into_iter().chain(unusable).collect(),
            is_of_lists: sides.is_of_lists(),
            ..Self::default()
        }
    }

    /// Counts rows, and lists them while there is room for their kind.
    pub fn add(&mut self, rows: &[ComparedRow]) {
        for row in rows {
            let number = &mut self.counts[row.kind as usize];
            *number += 1;
            if *number <= Self::MOST {
                self.lines.push(ComparedLine::of(self.lines.len(), row));
            }
            for (side, name) in row.sides.iter().zip(["A", "B"]) {
                if let SideRecord::Unknown(feed) = side {
                    let day = self.days[usize::from(name == "B")];
                    let of = day.map_or_else(String::new, |day| format!(" of {}", day.dashed()));
                    let note = match feed {
                        Some(feed) => format!("{name}: no release of {feed}{of} is local"),
                        None => format!("{name}: some answers are open, or cannot be read"),
                    };
                    if !self.notes.contains(&note) {
                        self.notes.push(note);
                    }
                }
            }
        }
    }

    /// How many addresses two lists have both, before the other numbers.
    #[must_use]
    pub fn both(&self) -> Option<String> {
        let both = count(self.number(ComparedKind::is_of_both));
        self.is_of_lists.then(|| format!("{both} in both, "))
    }

    /// The note about two sides: the counts, what is left out, and the first rows that matter.
    #[must_use]
    pub fn ticket(&self, names: &[String; 2], written: TicketStamp) -> String {
        let of = |kind| count(self.number(|compared_kind| compared_kind == kind));
        let sentence = format!(
            "{} (A) and {} (B): {}{} with another verdict, {} in A only, {} in B only, {} unknown.",
            names[0],
            names[1],
            self.both().unwrap_or_default(),
            of(ComparedKind::Changed),
            of(ComparedKind::Removed),
            of(ComparedKind::Added),
            of(ComparedKind::Unknown),
        );
        let mut ticket =
            Ticket::written(&format!("{} and {}", names[0], names[1]), written).sentence(&sentence);
        if !self.sources.is_empty() {
            ticket = ticket.line("local releases", &each(&self.sources, "; "));
        }
        for note in &self.notes {
            ticket = ticket.line("note", note);
        }
        let mut rows: Vec<&ComparedLine> = self
            .lines
            .iter()
            .filter(|line| line.kind.matters())
            .collect();
        rows.sort_by_key(|line| line.kind);
        let all = self.number(ComparedKind::matters);
        let shown = rows.len().min(TICKET_ROWS);
        if all > shown as u64 {
            ticket = ticket.line("rows", &format!("the first {shown} of {}", count(all)));
        }
        let cells = |line: &&ComparedLine| {
            let [a, b] = &line.sides;
            [&line.name, a, b]
                .map(|text| TextCell::known(text.clone()))
                .to_vec()
        };
        let cells: Vec<Vec<TextCell>> = rows.iter().take(shown).map(cells).collect();
        if cells.is_empty() {
            return ticket.end();
        }
        ticket.table(&markdown_table(&["subject", "A", "B"], &cells))
    }

    /// What is not listed, in words.
    #[must_use]
    pub fn cut(&self) -> Option<String> {
        let is_cut = self.counts.iter().any(|number| *number > Self::MOST);
        is_cut.then(|| format!("the first {} of each kind are listed", count(Self::MOST)))
    }

    /// How many there are of the kinds of which this holds.
    #[must_use]
    pub fn number(&self, holds: impl Fn(ComparedKind) -> bool) -> u64 {
        let counts = ComparedKind::ALL.into_iter().zip(self.counts);
        counts
            .filter(|(kind, _)| holds(*kind))
            .map(|(_, number)| number)
            .sum()
    }
}

/// The note about two records of an address.
#[must_use]
pub fn comparison_ticket(
    address: &str,
    sides: [ComparedSide<'_>; 2],
    differences: &[Difference],
    written: TicketStamp,
) -> String {
    let [first, second] = sides;
    let (a, b) = (first.name, second.name);
    let about = parse_address(address).ok();
    let other: Vec<&Difference> = differences
        .iter()
        .filter(|row| row.change() != DifferenceKind::Equal)
        .collect();
    let equal = differences.len() - other.len();
    let differ = match other.len() {
        0 => "no field differs".to_owned(),
        1 => "1 field differs".to_owned(),
        number => format!("{} differ", counted(number as u64, "field")),
    };
    let sentence = format!(
        "{address}, {a} (A) and {b} (B): {differ}; {} {} the same.",
        counted(equal as u64, "field"),
        if equal == 1 { "is" } else { "are" }
    );
    let ticket = Ticket::written(&format!("{address}: {a} and {b}"), written)
        .sentence(&sentence)
        .line("A", &first.words(about))
        .line("B", &second.words(about));
    let before = [
        ("days before A", first.days),
        ("days before B", second.days),
    ];
    let ticket = before
        .into_iter()
        .fold(ticket, |ticket, (label, days)| match days {
            Some(words) => ticket.line(label, words),
            None => ticket,
        });
    if other.is_empty() {
        return ticket.end();
    }
    // A list is parted into what each side has alone: none of that is not an absent list.
    let side = |row: &Difference, side: &Option<String>| match side {
        Some(text) => TextCell::known(difference_side(&row.path, text)),
        None if row.path.ends_with(" in both)") => TextCell::unknown("-"),
        None => TextCell::unknown("(absent)"),
    };
    let word = |change| match change {
        DifferenceKind::Equal => "equal",
        DifferenceKind::Changed => "changed",
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
    };
    let row = |row: &&Difference| {
        vec![
            TextCell::known(label_of(&row.path)),
            TextCell::known(word(row.change())),
            side(row, &row.a),
            side(row, &row.b),
        ]
    };
    let rows: Vec<Vec<TextCell>> = other.iter().map(row).collect();
    ticket.table(&markdown_table(&["field", "change", "A", "B"], &rows))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::model::compare::compare_named;

    #[test]
    fn two_days_are_told_in_words() {
        let a = json!({"ip": "198.51.100.7", "client": {"count": 3}, "as": {"number": 64500, "organization": "A"}, "risks": ["TUNNEL"]});
        let b = json!({"ip": "198.51.100.7", "client": {"count": 14}, "as": {"number": 64501, "organization": "A"}, "tunnels": [{"type": "VPN", "operator": "ACME_VPN"}]});
        let asked = Provenance {
            url: String::new(),
            status: 200,
            asked_at: "2026-11-20T10:00:00Z".parse().expect("timestamp"),
            elapsed: Duration::ZERO,
            attempts: 1,
            cost: 1,
            possibly_spent: 0,
            balance: None,
            data_date: Day::new(2026, 11, 20),
            clock_off: None,
        };
        let written = TicketStamp {
            at: asked.asked_at,
            invented: false,
        };
        let sides = [
            ("2026-10-01", ComparedSource::Cached(&asked), &a),
            ("2026-11-20", ComparedSource::Live(&asked), &b),
        ];
        let contexts = sides.map(|(.., record)| Context::decode(record).expect("a context"));
        let side = |at: usize| ComparedSide {
            name: sides[at].0,
            source: sides[at].1,
            context: &contexts[at],
            days: [Some("since 2026-09-20 or earlier"), None][at],
        };
        let sides = [side(0), side(1)];
        // Where nothing differs, whose the address is stands there all the same.
        let same = comparison_ticket("198.51.100.7", [sides[1], sides[1]], &[], written);
        assert_eq!(same.matches("VPN of ACME_VPN").count(), 2, "{same}");
        insta::assert_snapshot!(comparison_ticket(
            "198.51.100.7",
            sides,
            &compare_named(&a, &b),
            written
        ));
    }
}
