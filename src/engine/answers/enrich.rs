//! Local answers about many addresses: for each the best record, or all of them, as lines that are never parsed.
//!
//! Two steps for each release: the rows that know an address, with what each is about; then the lines that are wanted. So an
//! address that eight feeds know costs one line.

pub mod facet;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, net::IpAddr, ops::Range, sync::Arc};

use ipnet::IpNet;

use super::Answers;
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease, storage::OpenDay},
    model::{Day, Subject},
    store::{Index, RowId, StopFlag, index::QueryError},
};

/// Bytes of lines of one release that are gathered at a time, except for the last address, whose lines are whole.
const MOST_BYTES: usize = 8 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedLines {
    /// The line of the best record: a context before netblocks, then the most specific, then a full record before the
    /// partial one of realtime, then the newest day, then the order of the releases.
    Best,
    /// The lines of all records, the most specific first, then in the order of the releases.
    All,
    /// No line: only which releases know the address.
    None,
}

/// What some releases know of some addresses.
#[derive(Clone, Debug)]
pub struct LocalAnswers {
    addresses: Arc<[IpAddr]>,
    /// How many of the addresses are answered, from the first on.
    answered: usize,
    /// By address, the best first.
    found: Arc<[FoundRow]>,
    /// The lines of each release, one after the other.
    bytes: Vec<Vec<u8>>,
    /// For each of those found where its line is.
    lines: Vec<Option<Range<usize>>>,
}

/// What the releases know of one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAddress<'a> {
    /// Which of the addresses it is.
    pub number: usize,
    pub address: IpAddr,
    /// The lines that were wanted.
    pub lines: Vec<LocalLine<'a>>,
    /// The other records.
    pub also: Vec<OtherRecord>,
}

/// One record about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalLine<'a> {
    /// The release that holds it, by its number.
    pub release: usize,
    /// The record, byte for byte as the feed has it.
    pub line: &'a [u8],
}

/// A record about an address whose line was not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherRecord {
    /// The release that holds it, by its number.
    pub release: usize,
    pub subject: Option<Subject>,
}

/// A record about an address, and where it is.
#[derive(Clone, Copy, Debug)]
struct FoundRow {
    /// The address, by its number.
    address: usize,
    /// The release, by its number.
    release: usize,
    row: RowId,
    /// Not found out where there is nothing to compare it with.
    subject: Option<Subject>,
}

/// The rank of the records of a release; the best is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AnswerRank {
    is_of_netblocks: bool,
    is_partial: bool,
    day: Reverse<Day>,
}

impl AnswerRank {
    fn of(feed: Feed, day: Day) -> Self {
        Self {
            is_of_netblocks: !feed.holds_contexts(),
            is_partial: feed == Feed::Realtime,
            day: Reverse(day),
        }
    }
}

impl Answers {
    /// What these releases know of these addresses, or of as many of the first ones as fit into memory well; of one at
    /// least.
    ///
    /// # Errors
    /// As [`Releases::with_local`](crate::engine::Releases::with_local).
    pub async fn answer_locally(
        &self,
        days: &[OpenDay],
        addresses: Arc<[IpAddr]>,
        wanted: WantedLines,
    ) -> Result<LocalAnswers> {
        let asked = addresses.iter().copied().map(Subject::Address);
        let opened = self.storage.all_about(days, asked).await?;
        let mut found = Vec::new();
        let compared = opened.len() > 1;
        for (release, one) in opened.iter().enumerate() {
            let asked = addresses.clone();
            let work = move |opened: &OpenRelease, stop: &StopFlag| {
                find(&opened.index, &asked, release, compared, stop)
            };
            found.extend(self.storage.releases.with_local(one.clone(), work).await?);
        }
        let merits: Vec<AnswerRank> = opened
            .iter()
            .map(|opened| &opened.release.manifest)
            .map(|manifest| AnswerRank::of(manifest.feed, manifest.moment.day()))
            .collect();
        rank(&mut found, &merits, wanted);
        let found: Arc<[FoundRow]> = found.into();
        let mut answers = LocalAnswers {
            answered: addresses.len(),
            addresses,
            lines: vec![None; found.len()],
            bytes: Vec::with_capacity(opened.len()),
            found,
        };
        for (release, one) in opened.iter().enumerate() {
            let (found, up_to) = (answers.found.clone(), answers.answered);
            let chosen: Arc<[usize]> = chosen(&found, release, wanted).collect();
            if chosen.is_empty() {
                answers.bytes.push(Vec::new());
                continue;
            }
            let work = move |opened: &OpenRelease, stop: &StopFlag| {
                ReleaseLines::read(&opened.index, &found, &chosen, up_to, stop)
            };
            let lines = self.storage.releases.with_local(one.clone(), work).await?;
            answers.answered = lines.answered;
            for (place, range) in lines.places {
                answers.lines[place] = Some(range);
            }
            answers.bytes.push(lines.bytes);
        }
        Ok(answers)
    }
}

/// The rows of a release that know each address, in the order in which the index gives them.
fn find(
    index: &Index,
    addresses: &[IpAddr],
    release: usize,
    compared: bool,
    stop: &StopFlag,
) -> Result<Vec<FoundRow>, QueryError> {
    let mut found = Vec::new();
    for (address, asked) in addresses.iter().enumerate() {
        if stop.is_stopped() {
            return Err(QueryError::Stopped);
        }
        let rows = index.covering(IpNet::from(*asked))?;
        let compared = compared || rows.len() > 1;
        for row in rows {
            let subject = if compared { index.subject(row)? } else { None };
            found.push(FoundRow {
                address,
                release,
                row,
                subject,
            });
        }
    }
    Ok(found)
}

/// Puts the records of each address in order, the best first. Equal ones stay in the order of the releases.
fn rank(found: &mut [FoundRow], merits: &[AnswerRank], wanted: WantedLines) {
    let length = |found: &FoundRow| {
        let subject = found.subject;
        Reverse(subject.map_or(0, |subject| subject.network().prefix_len()))
    };
    match wanted {
        WantedLines::All => found.sort_by_key(|found| (found.address, length(found))),
        WantedLines::Best | WantedLines::None => found.sort_by_key(|found| {
            let AnswerRank {
                is_of_netblocks,
                is_partial,
                day,
            } = merits[found.release];
            let length = length(found);
            (found.address, is_of_netblocks, length, is_partial, day)
        }),
    }
}

/// The rows of a release whose lines are wanted.
fn chosen(
    found: &[FoundRow],
    release: usize,
    wanted: WantedLines,
) -> impl Iterator<Item = usize> + '_ {
    let is_chosen = move |place: &usize| {
        let is_first = *place == 0 || found[place - 1].address != found[*place].address;
        let is_wanted = match wanted {
            WantedLines::Best => is_first,
            WantedLines::All => true,
            WantedLines::None => false,
        };
        is_wanted && found[*place].release == release
    };
    (0..found.len()).filter(is_chosen)
}

#[derive(Debug, Default)]
struct ReleaseLines {
    bytes: Vec<u8>,
    /// Whose line is where.
    places: Vec<(usize, Range<usize>)>,
    answered: usize,
}

impl ReleaseLines {
    /// Reads those of addresses below a number, or of as many of them as fit.
    fn read(
        index: &Index,
        found: &[FoundRow],
        chosen: &[usize],
        up_to: usize,
        stop: &StopFlag,
    ) -> Result<Self, QueryError> {
        let mut lines = Self {
            answered: up_to,
            ..Self::default()
        };
        let mut last = None;
        for place in chosen {
            let FoundRow { address, row, .. } = found[*place];
            let is_new = last.is_some_and(|last| last != address);
            if is_new && lines.bytes.len() >= MOST_BYTES {
                lines.answered = lines.answered.min(address);
            }
            if address >= lines.answered {
                break;
            }
            if stop.is_stopped() {
                return Err(QueryError::Stopped);
            }
            let begin = lines.bytes.len();
            index.line(row, &mut lines.bytes)?;
            lines.places.push((*place, begin..lines.bytes.len()));
            last = Some(address);
        }
        Ok(lines)
    }
}

impl LocalAnswers {
    #[must_use]
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses[..self.answered]
    }

    /// The addresses that are to be asked about next.
    #[must_use]
    pub fn rest(&self) -> Arc<[IpAddr]> {
        self.addresses[self.answered..].into()
    }

    /// Tells of each answered address in turn. An address without lines and other records is known to none of the releases.
    pub fn each<'a>(&'a self, mut hear: impl FnMut(KnownAddress<'a>)) {
        let mut next = 0;
        for (number, address) in self.addresses().iter().enumerate() {
            let (mut lines, mut also) = (Vec::new(), Vec::new());
            while let Some(found) = self.found.get(next).filter(|row| row.address == number) {
                let FoundRow {
                    release, subject, ..
                } = *found;
                if let Some(range) = &self.lines[next] {
                    let line = &self.bytes[release][range.clone()];
                    lines.push(LocalLine { release, line });
                } else {
                    let one = OtherRecord { release, subject };
                    // A feed may hold one line twice.
                    if !also.contains(&one) {
                        also.push(one);
                    }
                }
                next += 1;
            }
            hear(KnownAddress {
                number,
                address: *address,
                lines,
                also,
            });
        }
    }
}
