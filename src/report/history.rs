//! How an address or a network changed over days: the sentence, the strip with its legend, the stretches and days as rows.

use std::net::IpAddr;

use super::{
    Cell, Columns, Line, TextCell, TextStyle, Ticket, Verdict, count, counted, distinct, each,
    hanging,
};
use crate::{
    investigation::history::{
        DayFinding, DayRecord, DaySource, History, Recent, Stretch, Strip, StripCell, UnknownDay,
    },
    model::{Day, Document, Subject, visible},
};

/// The least cells of a strip on a terminal, and the most in a line that is not for one.
const LEAST_CELLS: usize = 20;
const MOST_CELLS: usize = 100;
/// The stretches that one sentence names.
const NAMED: usize = 12;
/// How a sentence begins that goes on with `since`.
const SAME_VERDICT: &str = "the verdict is the same";
/// A date, and what is between it and the cells.
const DATE: usize = "2026-11-21  ".len();
const INDENT: usize = 2;

/// The symbols of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripSymbols {
    Unicode,
    Ascii,
}

impl StripSymbols {
    #[must_use]
    pub fn of(self, cell: StripCell) -> char {
        let both = match cell {
            StripCell::Operators(at) => return letter(at),
            StripCell::Unattributed => ['●', '*'],
            StripCell::NothingSeen => ['–', '-'],
            StripCell::Undecided => ['%'; 2],
            StripCell::Absent => ['·', '.'],
            StripCell::Unknown => ['?'; 2],
            StripCell::Unreadable => ['!'; 2],
            StripCell::Mixed => ['~'; 2],
        };
        both[usize::from(self == Self::Ascii)]
    }

    fn cells(self, strip: &Strip) -> String {
        strip.cells.iter().map(|cell| self.of(*cell)).collect()
    }
}

/// The letter of operators; those beyond the alphabets share a sign.
fn letter(at: usize) -> char {
    let mut letters = ('A'..='Z').chain('a'..='z');
    letters.nth(at).unwrap_or('+')
}

/// The history of a subject, in words.
#[derive(Clone, Copy, Debug)]
pub struct HistoryWords<'a> {
    pub history: &'a History,
    pub subject: Subject,
}

impl<'a> HistoryWords<'a> {
    fn address(&self) -> Option<IpAddr> {
        let network = self.subject.network();
        matches!(self.subject, Subject::Address(_)).then(|| network.addr())
    }

    /// The verdict as of the last known day, since when it holds and what was before, or on which of the last days one was seen.
    #[must_use]
    pub fn sentence(&self) -> String {
        let stretches = self.history.stretches();
        let Some(at) = stretches
            .iter()
            .rposition(|stretch| stretch.newest.is_known())
        else {
            let (from, to) = (self.history.from, self.history.to());
            return format!("no day from {} to {} is known", from.dashed(), to.dashed());
        };
        let now = stretches[at];
        let as_of = if at + 1 == stretches.len() {
            String::new()
        } else {
            let (known, to) = (now.to.dashed(), self.history.to().dashed());
            format!("as of {known}, the last known day by {to}: ")
        };
        let verdict = if now.newest.is_seen() {
            self.headline(&now).unwrap_or_default()
        } else {
            format!("{} on {}", self.verdict(now.newest), now.to.dashed())
        };
        let beyond = self.beyond().unwrap_or_default();
        visible(&format!("{as_of}{verdict}{beyond}")).into_owned()
    }

    /// What the days before add to the verdict of the last known day, as it follows on that. `None` where they add nothing.
    fn beyond(&self) -> Option<String> {
        let stretches = self.history.stretches();
        let at = stretches
            .iter()
            .rposition(|stretch| stretch.newest.is_known())?;
        let (now, earlier) = (stretches[at], &stretches[..at]);
        if now.newest.is_seen() {
            return Some(self.of_seen(now, earlier));
        }
        Some(format!("; {}", self.of_unseen(earlier)?))
    }

    /// The same by itself, beside the verdict: `since 2026-11-22; before: PROXY of BRAVO_PROXY`.
    #[must_use]
    pub fn beside_verdict(&self) -> Option<String> {
        let is_known = |finding: &&DayFinding| finding.is_known();
        let known = self.history.findings.iter().filter(is_known).count();
        let told = self.beyond().filter(|_| known > 1)?;
        let told = told.trim_start_matches([';', ' ']);
        Some(visible(told).into_owned())
    }

    /// Since when the verdict with a tunnel or a proxy holds, and what was before. Days that are not known are no end of it, and are said.
    fn of_seen(&self, now: Stretch<'_>, earlier: &[Stretch<'_>]) -> String {
        let headline = self.headline(&now);
        let (mut from, mut unknown, mut not_known) = (now.from, 0, 0);
        let mut before = None;
        for stretch in earlier.iter().rev() {
            if !stretch.newest.is_known() {
                not_known += stretch.findings.len();
            } else if now.newest.continues(stretch.newest) {
                (from, unknown) = (stretch.from, unknown + std::mem::take(&mut not_known));
            } else {
                before = Some(stretch);
                break;
            }
        }
        // A feed without a record is no answer of the service, which may have had one.
        let is_of_service = now.newest.source().is_some_and(DaySource::is_service);
        let is_of_feeds = before.is_some_and(|stretch| stretch.newest.is_absent_in_feeds());
        let is_next = before.is_some() && not_known == 0 && !(is_of_service && is_of_feeds);
        let mut told = format!(" since {}", from.dashed());
        told += if is_next { "" } else { " or earlier" };
        if unknown > 0 {
            let days = counted(unknown as u64, "day");
            told += &format!(" ({days} between not known)");
        }
        let Some(before) = before else {
            return told;
        };
        if is_of_service && is_of_feeds {
            return format!(
                "{told}; no record in the local feeds until {}",
                before.to.dashed()
            );
        }
        let verdict = self
            .headline(before)
            .filter(|text| Some(text) != headline.as_ref());
        let verdict = verdict.unwrap_or_else(|| self.verdict(before.newest));
        told += &format!("; before: {verdict}");
        if !is_next {
            told += &format!(" until {}", before.to.dashed());
        }
        // Where it went and came back, the last days tell more than what was before.
        let recent = self.history.recent();
        let is_back = !before.newest.is_seen() && recent.first.is_some_and(|first| first < from);
        let recent = recent_in_words(&recent).filter(|_| is_back);
        recent.map_or(told.clone(), |recent| format!("{told}; {recent}"))
    }

    /// On which days there was a tunnel or a proxy, where there is none now.
    fn of_unseen(&self, earlier: &[Stretch<'_>]) -> Option<String> {
        if let Some(recent) = recent_in_words(&self.history.recent()) {
            return Some(recent);
        }
        if let Some(seen) = earlier
            .iter()
            .rev()
            .find(|stretch| stretch.newest.is_seen())
        {
            let verdict = self.headline(seen).unwrap_or_default();
            return Some(format!("{verdict} until {}", seen.to.dashed()));
        }
        let mut known = self
            .history
            .days()
            .filter(|(_, finding)| finding.is_known());
        let (first, _) = known.next()?;
        let days = known.count() + 1;
        let first = first.dashed();
        let none = "no tunnel or proxy on any of";
        (days > 1).then(|| format!("{none} {days} known days since {first}"))
    }

    /// The most telling finding of the record of a stretch.
    fn headline(&self, stretch: &Stretch<'_>) -> Option<String> {
        let record = stretch.newest.record()?;
        Some(Verdict::of(&record.context, self.address()).headline)
    }

    /// What there is on a day, with all findings of a record.
    fn verdict(&self, finding: &DayFinding) -> String {
        match finding {
            DayFinding::Record(record) => {
                let verdict = Verdict::of(&record.context, self.address());
                each([verdict.headline].into_iter().chain(verdict.also), "; ")
            }
            DayFinding::Absent(_) => match self.address() {
                Some(_) => "no record".to_owned(),
                None => "no record of the network itself".to_owned(),
            },
            DayFinding::Unknown(why) => match why {
                UnknownDay::NotAt(place, feed) => match place.elsewhere() {
                    None => format!("unknown ({feed} is not local)"),
                    Some(_) => format!("unknown ({feed} is not local or {})", place.words().days),
                },
                UnknownDay::Unread(feed) => format!("unknown ({feed} was not read)"),
                UnknownDay::NotAnswered => "unknown (the query has no answer)".to_owned(),
            },
            DayFinding::Unreadable => "unreadable".to_owned(),
        }
    }

    /// The strip with the dates at its ends, and its legend.
    #[must_use]
    pub fn strip(&self, symbols: StripSymbols, style: TextStyle) -> String {
        let width = style.width.map_or(MOST_CELLS, |all| {
            let room = all.saturating_sub(2 * DATE + INDENT);
            room.max(LEAST_CELLS)
        });
        let strip = Strip::of(self.history, width);
        let cells = symbols.cells(&strip);
        let (from, to) = (self.history.from.dashed(), self.history.to().dashed());
        let mut text = format!("{:INDENT$}{from}  {}  {to}\n", "", style.strong(&cells));
        // An item is not broken at its own blanks.
        let items = strip_legend(&strip, symbols).into_iter();
        let items = items.map(|text| text.replace(' ', "\u{a0}"));
        let legend = hanging(&each(items, "   "), INDENT, style).replace('\u{a0}', " ");
        text += &format!("{:INDENT$}{legend}\n", "");
        text
    }

    /// The strip as a line of a ticket, and what its signs mean.
    pub fn ticket(&self, symbols: StripSymbols, ticket: Ticket) -> Ticket {
        let strip = Strip::of(self.history, MOST_CELLS);
        let legend = each(strip_legend(&strip, symbols), ", ");
        ticket
            .code("strip", &symbols.cells(&strip))
            .line("signs", &legend)
    }

    /// The stretches in one sentence, the newest first, for who hears them.
    #[must_use]
    pub fn spoken(&self) -> String {
        let stretches = self.history.stretches();
        let newest = stretches.iter().rev().take(NAMED);
        let words = newest.map(|stretch| {
            let verdict = self.verdict(stretch.newest);
            let to = match stretch.findings.len() {
                1 => String::new(),
                _ => format!(" to {}", stretch.to.dashed()),
            };
            format!("{verdict}: {}{to}", stretch.from.dashed())
        });
        let more = match stretches.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; {} more before", count(more as u64)),
        };
        visible(&(each(words, "; ") + &more)).into_owned()
    }

    /// The stretches as rows, the oldest first.
    #[must_use]
    pub fn stretches(&self) -> Vec<StretchRow<'a>> {
        self.rows(self.history.stretches())
    }

    /// The days as rows, the oldest first.
    #[must_use]
    pub fn days(&self) -> Vec<StretchRow<'a>> {
        self.rows(self.history.single_days())
    }

    fn rows(&self, stretches: Vec<Stretch<'a>>) -> Vec<StretchRow<'a>> {
        let headlines: Vec<_> = stretches
            .iter()
            .map(|stretch| self.headline(stretch))
            .collect();
        let rows = stretches.into_iter().enumerate().map(|(at, stretch)| {
            let headline = headlines[at].clone();
            // What two stretches in a row have in common tells neither from the other.
            let is_same = |other| headlines.get(other) == Some(&headline);
            let is_whole = headline.is_none() || is_same(at + 1) || at > 0 && is_same(at - 1);
            StretchRow {
                subject: self.subject,
                stretch,
                verdict: if is_whole {
                    self.verdict(stretch.newest)
                } else {
                    headline.clone().unwrap_or_default()
                },
                headline,
            }
        });
        rows.collect()
    }

    /// Text for people: the sentence, the strip, a line a stretch.
    #[must_use]
    pub fn text(&self, symbols: Option<StripSymbols>, style: TextStyle) -> String {
        let sentence = format!("{}  {}", self.subject, self.sentence());
        let spoken = || hanging(&self.spoken(), 0, style) + "\n";
        let strip = symbols.map_or_else(spoken, |symbols| self.strip(symbols, style));
        let table = history_columns().table(&self.stretches(), style);
        let sentence = style.strong(&hanging(&sentence, 0, style));
        format!("{sentence}\n\n{strip}\n{table}")
    }
}

/// What each symbol of a strip means, as far as it has them.
#[must_use]
pub fn strip_legend(strip: &Strip, symbols: StripSymbols) -> Vec<String> {
    let mut items = Vec::new();
    for (at, operators) in strip.operators.iter().enumerate() {
        items.push(format!("{} {}", letter(at), visible(operators)));
    }
    for (cell, words) in [
        (StripCell::Unattributed, "no operator named"),
        (StripCell::NothingSeen, "no tunnel or proxy seen"),
        (StripCell::Undecided, "a deciding field is unreadable"),
        (StripCell::Absent, "no record"),
        (StripCell::Unknown, "unknown"),
        (StripCell::Unreadable, "unreadable"),
        (StripCell::Mixed, "days differ"),
    ] {
        if strip.cells.contains(&cell) {
            items.push(format!("{} {words}", symbols.of(cell)));
        }
    }
    if strip.days_per_cell > 1 {
        items.push(format!("{} days a cell", strip.days_per_cell));
    }
    items
}

/// What the days add where two days have the same verdict: how many between them have another one, else since when it holds.
#[must_use]
pub fn same_verdict(
    history: &History,
    [from, to]: [Day; 2],
    beside: &str,
) -> (&'static str, String) {
    let [from, to] = if from <= to { [from, to] } else { [to, from] };
    let until = history.until(to);
    let last = until.findings.iter().rfind(|finding| finding.is_known());
    match history.differing_between(from, to) {
        // Of a verdict with a tunnel or a proxy the days say since when it holds.
        0 if last.is_some_and(DayFinding::is_seen) => (SAME_VERDICT, beside.to_owned()),
        0 => ("days before", beside.to_owned()),
        days => {
            let days = counted(days as u64, "day");
            ("days between", format!("another verdict on {days}"))
        }
    }
}

/// The same in a line of text.
#[must_use]
pub fn same_verdict_line(label: &str, words: &str) -> String {
    let colon = if label == SAME_VERDICT { "" } else { ":" };
    visible(&format!("{label}{colon} {words}")).into_owned()
}

/// On how many of the last known days a tunnel or proxy was seen; `None` where on none.
#[must_use]
pub fn recent_in_words(recent: &Recent) -> Option<String> {
    let last = recent.last?;
    let types = match recent.types.as_slice() {
        [] if recent.operators.is_empty() => "tunnel or proxy".to_owned(),
        [] => "callback proxy".to_owned(),
        types => types.join(", "),
    };
    let of = match recent.operators.as_slice() {
        [] => String::new(),
        operators => format!(" of {}", operators.join(", ")),
    };
    let source = match recent.source {
        Some(DaySource::Feeds(place)) => place.words().days,
        _ => "known",
    };
    let on = match (recent.seen, recent.days) {
        (_, 1) => format!("the only {source} day"),
        (seen, days) => format!("{seen} of the last {days} {source} days"),
    };
    let told = format!("{types}{of} on {on}, last {}", last.dashed());
    Some(visible(&told).into_owned())
}

/// What the last known days add to an answer about an address: in words, and counted. `None` where they add nothing: on none of them, or on
/// the only one, was a tunnel or proxy seen.
#[must_use]
pub fn recent_beside(history: &History, address: IpAddr) -> Option<(String, Recent)> {
    let recent = history.recent();
    let words = HistoryWords {
        history,
        subject: Subject::Address(address),
    };
    (recent.days > 1 && recent.seen > 0).then(|| (words.sentence(), recent))
}

/// The same for programs; days as `YYYYMMDD`.
pub fn recent_object(recent: &Recent) -> Line {
    let day = |day: Option<Day>| day.map(|day| day.to_string());
    Line::default()
        .key("days", recent.days)
        .key("seen", recent.seen)
        .key("first", day(recent.first))
        .key("last", day(recent.last))
        .key("types", Cell::json(&recent.types))
        .key("operators", Cell::json(&recent.operators))
}

/// A stretch, or a day, as a row.
#[derive(Clone, Debug)]
pub struct StretchRow<'a> {
    subject: Subject,
    stretch: Stretch<'a>,
    /// The most telling finding of its record.
    headline: Option<String>,
    /// The verdict as people read it, or why there is none.
    verdict: String,
}

impl StretchRow<'_> {
    fn operators(&self) -> Vec<&str> {
        let record = self.stretch.newest.record();
        record.map(DayRecord::operators).unwrap_or_default()
    }

    fn types(&self) -> Vec<&str> {
        let record = self.stretch.newest.record();
        let types = record.map(|record| record.context.tunnel_types());
        types.unwrap_or_default()
    }

    /// Why there is no record; `None` where there is one.
    fn why(&self) -> Option<String> {
        match self.stretch.newest {
            DayFinding::Record(_) => None,
            DayFinding::Absent(_) => Some("no-record".to_owned()),
            DayFinding::Unknown(why) => Some(why.word()),
            DayFinding::Unreadable => Some("unreadable".to_owned()),
        }
    }

    fn document(&self) -> Option<&Document> {
        self.stretch.newest.record().map(|record| &record.document)
    }
}

/// The columns of a history: JSON and people have a row a stretch, CSV a row a day.
pub fn history_columns<'a>() -> Columns<StretchRow<'a>> {
    Columns::<StretchRow<'a>>::default()
        .data("query", |row| row.subject.to_string())
        .csv("day", |row| row.stretch.from.to_string())
        .json("from", |row| row.stretch.from.to_string())
        .json("to", |row| row.stretch.to.to_string())
        .json("days", |row| row.stretch.findings.len())
        .data("known", |row| row.stretch.newest.is_known())
        .data("why", |row| Cell::some(row.why()))
        .data("source", |row| {
            row.stretch.newest.source().map(DaySource::word)
        })
        .data("verdict", |row| row.headline.clone())
        .csv("tunnel_types", |row| row.types().join(" "))
        .csv("operators", |row| row.operators().join(" "))
        .json("operators", |row| Cell::json(row.operators()))
        .json("types", |row| Cell::json(row.types()))
        .json("record", |row| Cell::document(row.document()))
        .json("lossy", |row| Cell::lossy(row.document()))
        .words("from", |row| row.stretch.from.dashed())
        .words("to", |row| row.stretch.to.dashed())
        .words("days", |row| row.stretch.findings.len())
        .words("source", |row| {
            let sources = row.stretch.findings.iter().filter_map(DayFinding::source);
            or_dash(each(distinct(sources.map(DaySource::word)), ", "))
        })
        .words("verdict", |row| TextCell::known(&row.verdict))
        .words("operators", |row| or_dash(row.operators().join(", ")))
}

fn or_dash(text: String) -> TextCell {
    TextCell::or_dash(Some(text).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests;
