//! Since when the verdict on a local record is the same, as far as the local releases of its feed reach.
//!
//! Releases are read from the newest back, until one has another verdict. Numbers that move, such as `client.count`, change no verdict.
//! A day without a record between two with the same verdict is a gap and no end. Days of which no release is local, and releases or
//! records that cannot be read, are named and never taken for days without a change. No index is built for this.

use std::mem;

use ipnet::IpNet;

use super::Views;
use crate::{
    contract::Feed,
    engine::{
        error::{Kind, Result},
        releases::{LocalRecord, OpenRelease},
        threads::off_thread,
    },
    model::{Context, Day, Document, context::VerdictBasis, terms},
    store::{Moment, index::QueryError},
};

/// Releases that are read at most.
const MOST: usize = 128;

/// Since when the verdict on a record is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The oldest local day with this verdict, with no other verdict after it.
    pub day: Day,
    /// What is missing from then on.
    pub gaps: Gaps,
    /// The release before it, with another verdict or without a record. `None` where none is known.
    pub before: Option<EarlierRecord>,
    /// What is missing between the release before it and this day, or all that is older where there is none before it.
    pub gaps_before: Gaps,
}

/// Days of a stretch on which the verdict was not the same, or is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Local days without a record, the newest first.
    pub absent: Vec<Day>,
    /// The last day with this verdict before the newest of those.
    pub seen: Option<Day>,
    /// Local days that cannot be read, the newest first.
    pub unread: Vec<Day>,
    /// Days of which no release is local.
    pub not_local: u32,
}

impl Gaps {
    /// Adds what is missing after a day with the same verdict.
    fn add(&mut self, other: Self, seen: Day) {
        if self.seen.is_none() && !other.absent.is_empty() {
            self.seen = Some(seen);
        }
        self.absent.extend(other.absent);
        self.unread.extend(other.unread);
        self.not_local += other.not_local;
    }
}

/// The last local release with another verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRecord {
    pub day: Day,
    /// The record as it was; `None` where there was none.
    pub record: Option<Document>,
}

impl Views {
    /// Since when the verdict on a local record is the same. `None` for a record that is about nothing or is no context, and for one of
    /// realtime, whose windows hold what was seen in them and no more.
    ///
    /// # Errors
    /// What keeps the releases from being listed.
    pub async fn since(&self, record: &LocalRecord) -> Result<Option<Since>> {
        let manifest = &record.release.manifest;
        let subject = record.document.value().as_object().and_then(terms::subject);
        let Some(subject) = subject.filter(|_| manifest.feed != Feed::Realtime) else {
            return Ok(None);
        };
        let Some(basis) = basis(&record.document) else {
            return Ok(None);
        };
        let (feed, day, network) = (manifest.feed, manifest.moment.day(), subject.network());
        let releases = self.releases.clone();
        off_thread(move || {
            let moments = releases.moments(feed)?.into_iter().map(Moment::day);
            let mut earlier = moments.filter(|own| *own < day);
            let found = earlier.by_ref().take(MOST).filter_map(|day| {
                let found = match releases.open_as_is(feed, day) {
                    Err(error) if error.kind == Kind::NotFound => return None,
                    Err(_) => ExactRecord::Unread,
                    Ok(opened) => exact(&opened, network).unwrap_or(ExactRecord::Unread),
                };
                Some((day, found))
            });
            let mut since = walk(day, &basis, found);
            if earlier.next().is_some() && since.is_without_record_before() {
                // Older releases were not read: they may have the record.
                (since.before, since.gaps_before) = (None, Gaps::default());
            }
            Ok(Some(since))
        })
        .await
    }
}

impl Since {
    fn is_without_record_before(&self) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| before.record.is_none())
    }
}

/// Goes back from a day, to the first other verdict.
fn walk(
    day: Day,
    basis: &VerdictBasis,
    earlier: impl Iterator<Item = (Day, ExactRecord)>,
) -> Since {
    let (mut since, mut gaps) = (day, Gaps::default());
    let (mut last, mut pending) = (day, Gaps::default());
    // The first day without a record since then, and what is missing after it.
    let mut without: Option<(Day, Gaps)> = None;
    for (day, found) in earlier {
        pending.not_local += days_between(day, last);
        last = day;
        match found {
            ExactRecord::Record(own, _) if own == *basis => {
                gaps.add(mem::take(&mut pending), day);
                (since, without) = (day, None);
            }
            ExactRecord::Record(_, record) => {
                let record = Some(record);
                return Since {
                    day: since,
                    gaps,
                    before: Some(EarlierRecord { day, record }),
                    gaps_before: pending,
                };
            }
            ExactRecord::None => {
                without.get_or_insert_with(|| (day, pending.clone()));
                pending.absent.push(day);
            }
            ExactRecord::Unread => pending.unread.push(day),
        }
    }
    let (before, gaps_before) = match without {
        Some((day, gaps)) => (Some(EarlierRecord { day, record: None }), gaps),
        None => (None, pending),
    };
    Since {
        day: since,
        gaps,
        before,
        gaps_before,
    }
}

fn basis(document: &Document) -> Option<VerdictBasis> {
    // Another kind of record has no verdict.
    let context = Context::decode(document.value()).ok()?;
    Some(context.verdict_basis())
}

/// The days between two days, neither of them counted.
fn days_between(earlier: Day, later: Day) -> u32 {
    u32::try_from(later.days_since(earlier) - 1).unwrap_or_default()
}

/// The record about exactly one address or network.
enum ExactRecord {
    Record(VerdictBasis, Document),
    None,
    /// It cannot be read.
    Unread,
}

fn exact(opened: &OpenRelease, network: IpNet) -> Result<ExactRecord, QueryError> {
    let rows = opened.index.covering(network)?;
    let Some(row) = rows.into_iter().next() else {
        return Ok(ExactRecord::None);
    };
    let about = opened.index.subject(row)?;
    if about.is_none_or(|about| about.network() != network) {
        return Ok(ExactRecord::None);
    }
    let mut line = Vec::new();
    opened.index.line(row, &mut line)?;
    let Ok(document) = Document::read(&line) else {
        return Ok(ExactRecord::Unread);
    };
    let basis = basis(&document);
    Ok(basis.map_or(ExactRecord::Unread, |basis| {
        ExactRecord::Record(basis, document)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of a letter: `-` for none, `?` for one that cannot be read, else the operator; its count moves every day.
    fn found(letter: char, day: Day) -> ExactRecord {
        if "-?".contains(letter) {
            return if letter == '-' {
                ExactRecord::None
            } else {
                ExactRecord::Unread
            };
        }
        let text = format!(
            r#"{{"client":{{"count":{}}},"tunnels":[{{"operator":"{letter}_VPN"}}]}}"#,
            number(day)
        );
        let document = Document::read(text.as_bytes()).expect("a record");
        ExactRecord::Record(basis(&document).expect("a context"), document)
    }

    /// The day of the month.
    fn number(day: Day) -> String {
        day.to_string().split_off(6)
    }

    fn numbers(days: &[Day]) -> String {
        let numbers = days.iter().map(|day| number(*day));
        numbers.collect::<Vec<_>>().join(" ")
    }

    /// Shows the local days back from the 23rd, the first day with the verdict, the gaps since then, the day before, and the gaps
    /// before. Of gaps the days without a record, those that cannot be read, and the number that is not local.
    const TABLE: &str = "
        23A 22A 21A         | 21 | || 0  |     | || 0
        23A 22- 21A         | 21 | 22 || 0 |   | || 0
        23A 22- 21A 20B     | 21 | 22 || 0 | 20B | || 0
        23A 22- 21B         | 23 | || 0 | 21B | 22 || 0
        23A 22- 21-         | 23 | || 0 | 22- | || 0
        23A 20A 17- 16-     | 20 | || 2 | 17- | || 2
        23A 20A 17B         | 20 | || 2 | 17B | || 2
        23A 22? 21A         | 21 | | 22 | 0 | | || 0
        23A 22? 21B         | 23 | || 0 | 21B | | 22 | 0
        23A 22? 21-         | 23 | || 0 | 21- | | 22 | 0
        23A 22- 21?         | 23 | || 0 | 22- | || 0
        23A 22?             | 23 | || 0 | | | 22 | 0
        23A 22- 20? 19A 18- | 19 | 22 | 20 | 1 | 18- | || 0";

    #[test]
    fn a_verdict_lasts_over_gaps_until_another_one() {
        let day = |number: &str| -> Day { format!("202611{number}").parse().expect(number) };
        for row in TABLE.lines().skip(1) {
            let (local, expected) = row.split_once('|').expect(row);
            let local = local.split_whitespace().map(|own| own.split_at(2));
            let mut local = local.map(|(number, letter)| {
                let letter = letter.chars().next().expect(row);
                (day(number), found(letter, day(number)))
            });
            let Some((now, ExactRecord::Record(basis, _))) = local.next() else {
                panic!("{row}");
            };
            let since = walk(now, &basis, local);
            let gaps = |gaps: &Gaps| {
                let (absent, unread) = (numbers(&gaps.absent), numbers(&gaps.unread));
                format!("{absent}|{unread}|{}", gaps.not_local)
            };
            let before = since.before.as_ref().map(|own| {
                let sign = if own.record.is_some() { 'B' } else { '-' };
                format!("{}{sign}", number(own.day))
            });
            let shown = format!(
                "{}|{}|{}|{}",
                number(since.day),
                gaps(&since.gaps),
                before.unwrap_or_default(),
                gaps(&since.gaps_before)
            );
            let expected: String = expected
                .split('|')
                .map(str::trim)
                .collect::<Vec<_>>()
                .join("|");
            assert_eq!(shown, expected, "{row}");
            let seen = since.gaps.absent.is_empty() || since.gaps.seen.is_some();
            assert!(seen, "{row}");
        }
    }
}
