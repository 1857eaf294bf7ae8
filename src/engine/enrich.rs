//! Answers about many addresses from this disk: the lines of records as the feeds have them, without reading them.

use std::{net::IpAddr, sync::Arc};

use ipnet::IpNet;

use super::{Engine, Opened, error::Result};
use crate::{
    model::Subject,
    store::{Index, RowId, Stop, index::NoAnswer},
};

/// Bytes of lines of one release that are gathered at a time, but for the last address, whose lines are whole.
const MOST_BYTES: usize = 8 << 20;

/// What the releases of a pick say of some addresses.
#[derive(Clone, Debug)]
pub struct LocalAnswers {
    addresses: Arc<[IpAddr]>,
    /// How many of the addresses are answered, from the first on.
    answered: usize,
    of_releases: Vec<Lines>,
}

/// One record about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalLine<'a> {
    /// The release that holds it, by its number within the pick.
    pub release: usize,
    /// The record, byte for byte as the feed has it.
    pub line: &'a [u8],
}

/// The lines of one release about some addresses, one after the other.
#[derive(Clone, Debug, Default)]
struct Lines {
    bytes: Vec<u8>,
    each: Vec<Line>,
    answered: usize,
}

/// Where a line is, and what it is about.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The address, by its number.
    address: usize,
    /// The length of the network that the record is about: the longer, the more specific.
    length: u8,
    /// Where the line ends.
    end: usize,
}

impl Engine {
    /// What these releases say of these addresses, or of as many of the first ones as fit into memory well; of one at
    /// least.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn answer_locally(
        &self,
        opened: &[Opened],
        addresses: Arc<[IpAddr]>,
    ) -> Result<LocalAnswers> {
        let mut of_releases = Vec::with_capacity(opened.len());
        let mut answered = addresses.len();
        // Which line is the more specific one matters between releases only.
        let measured = opened.len() > 1;
        for one in opened {
            let wanted = addresses.clone();
            let work = move |opened: &Opened, stop: &Stop| {
                Lines::of(&opened.index, &wanted[..answered], measured, stop)
            };
            let lines = self.with_local(one.clone(), work).await?;
            answered = lines.answered;
            of_releases.push(lines);
        }
        Ok(LocalAnswers {
            addresses,
            answered,
            of_releases,
        })
    }
}

impl Lines {
    fn of(
        index: &Index,
        addresses: &[IpAddr],
        measured: bool,
        stop: &Stop,
    ) -> Result<Self, NoAnswer> {
        let mut lines = Self::default();
        for (number, address) in addresses.iter().enumerate() {
            if stop.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            for row in index.covering(IpNet::from(*address))? {
                index.line(row, &mut lines.bytes)?;
                lines.each.push(Line {
                    address: number,
                    length: if measured { length(index, row)? } else { 0 },
                    end: lines.bytes.len(),
                });
            }
            lines.answered = number + 1;
            if lines.bytes.len() >= MOST_BYTES {
                break;
            }
        }
        Ok(lines)
    }
}

/// How specific a record is.
fn length(index: &Index, row: RowId) -> Result<u8, NoAnswer> {
    let subject = index.subject(row)?;
    Ok(subject
        .as_ref()
        .map_or(0, |subject: &Subject| subject.network().prefix_len()))
}

impl LocalAnswers {
    /// The addresses that are answered.
    #[must_use]
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses[..self.answered]
    }

    /// The addresses that are to be asked about next.
    #[must_use]
    pub fn rest(&self) -> Arc<[IpAddr]> {
        self.addresses[self.answered..].into()
    }

    /// Tells of each answered address in turn, with its records: the most specific first, of equally specific ones in the
    /// order of the releases. None of them knows an address without records.
    ///
    /// # Errors
    /// That of the listener, which ends the telling.
    pub fn each<E>(
        &self,
        mut hear: impl FnMut(IpAddr, &[LocalLine<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut next = vec![(0, 0); self.of_releases.len()];
        let mut found: Vec<(u8, LocalLine<'_>)> = Vec::new();
        let mut lines: Vec<LocalLine<'_>> = Vec::new();
        for (number, address) in self.addresses().iter().enumerate() {
            found.clear();
            for (release, (own, next)) in self.of_releases.iter().zip(&mut next).enumerate() {
                let (index, start) = next;
                while let Some(line) = own.each.get(*index).filter(|line| line.address == number) {
                    let bytes = &own.bytes[*start..line.end];
                    found.push((
                        line.length,
                        LocalLine {
                            release,
                            line: bytes,
                        },
                    ));
                    (*index, *start) = (*index + 1, line.end);
                }
            }
            if self.of_releases.len() > 1 {
                found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
            }
            lines.clear();
            lines.extend(found.iter().map(|(_, line)| *line));
            hear(*address, &lines)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(each: &[(usize, u8, &str)], answered: usize) -> Lines {
        let mut lines = Lines {
            answered,
            ..Lines::default()
        };
        for (address, length, text) in each {
            lines.bytes.extend_from_slice(text.as_bytes());
            let (address, length, end) = (*address, *length, lines.bytes.len());
            lines.each.push(Line {
                address,
                length,
                end,
            });
        }
        lines
    }

    #[test]
    fn records_of_several_releases_come_most_specific_first() {
        let addresses: Vec<IpAddr> = ["198.51.100.7", "198.51.100.8", "198.51.100.9"]
            .map(|text| text.parse().expect(text))
            .to_vec();
        let answers = LocalAnswers {
            addresses: addresses.into(),
            answered: 2,
            of_releases: vec![
                lines(&[(0, 24, "a24"), (0, 16, "a16"), (2, 32, "beyond")], 3),
                lines(&[(0, 32, "b32"), (0, 24, "b24"), (1, 8, "b8")], 2),
            ],
        };
        let mut told = Vec::new();
        let all = answers.each(|address, lines| {
            let lines: Vec<_> = lines
                .iter()
                .map(|line| {
                    (
                        line.release,
                        String::from_utf8_lossy(line.line).into_owned(),
                    )
                })
                .collect();
            told.push(format!("{address} {lines:?}"));
            Ok::<(), ()>(())
        });
        assert_eq!(all, Ok(()));
        assert_eq!(
            told,
            [
                r#"198.51.100.7 [(1, "b32"), (0, "a24"), (1, "b24"), (0, "a16")]"#,
                r#"198.51.100.8 [(1, "b8")]"#,
            ]
        );
        assert_eq!(answers.rest().len(), 1);
    }
}
