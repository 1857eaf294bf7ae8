//! Which addresses of a list are in a log of one's own, and with which users and answers.

use std::{cmp::Reverse, net::IpAddr};

use crate::investigation::{
    address_set::AddressSet,
    gather::{GatheredText, Occurrences},
};

/// The columns of a log that say who came and what was answered: a part of their name.
const TELLING: [&str; 4] = ["user", "account", "login", "status"];
/// Names that have such a part and say something else.
const OTHER: [&str; 2] = ["agent", "referer"];
/// How many values of a column are kept.
const MOST: usize = 3;

/// An address of a list that is in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHit {
    pub address: IpAddr,
    /// The lines that have it.
    pub lines: u64,
    /// Users and answers beside it: the column, a value, how often; the most frequent first.
    pub beside: Vec<(String, String, u32)>,
}

/// What of a log a list would have stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogHits {
    /// The addresses of the log.
    pub addresses: u64,
    /// Those in the list, the most frequent first.
    pub hits: Vec<LogHit>,
}

impl LogHits {
    /// The addresses of a text that are in a set.
    #[must_use]
    pub fn of(text: &GatheredText, set: &AddressSet) -> Self {
        let hit =
            |(address, _, seen): &(IpAddr, _, Occurrences)| {
                set.contains(*address).then(|| {
                    let mut beside = Vec::new();
                    text.values.each(&seen.beside, |column, values| {
                        let name = column.to_ascii_lowercase();
                        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
                        if has(&TELLING) && !has(&OTHER) {
                            let most = values.values.into_iter().take(MOST);
                            beside.extend(most.map(|(value, count)| {
                                (column.to_owned(), value.into_owned(), count)
                            }));
                        }
                    });
                    LogHit {
                        address: *address,
                        lines: seen.lines,
                        beside,
                    }
                })
            };
        let mut hits: Vec<LogHit> = text.addresses.iter().filter_map(hit).collect();
        hits.sort_by_key(|hit| (Reverse(hit.lines), hit.address));
        Self {
            addresses: text.addresses.len() as u64,
            hits,
        }
    }

    /// The lines that have an address of the list.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.hits.iter().map(|hit| hit.lines).sum()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn users_and_answers_are_told_and_nothing_else() {
        let line = |address: &str, user: &str, status: u16| {
            format!(
                "{address} - {user} [20/Nov/2026:03:58:07 +0000] \"GET /user HTTP/1.1\" {status} 512 \"-\" \"curl/8\"\n"
            )
        };
        let text = [
            line("198.51.100.7", "alice", 200),
            line("198.51.100.7", "alice", 401),
            line("203.0.113.9", "bob", 200),
            line("198.51.100.6", "-", 200),
        ]
        .concat();
        let text = GatheredText::of(&text, Timestamp::UNIX_EPOCH);
        let set = AddressSet::of(["198.51.100.0/24".parse().expect("a network")]);
        let found = LogHits::of(&text, &set);
        assert_eq!((found.addresses, found.lines()), (3, 3));
        let hits: Vec<_> = found
            .hits
            .iter()
            .map(|hit| (hit.address.to_string(), hit.lines))
            .collect();
        assert_eq!(
            hits,
            [
                ("198.51.100.7".to_owned(), 2),
                ("198.51.100.6".to_owned(), 1)
            ]
        );
        let beside = &found.hits[0].beside;
        let has = |value: &str| beside.iter().any(|(_, own, _)| own == value);
        assert!(has("alice") && has("401") && has("200"), "{beside:?}");
        assert!(!has("curl/8") && !has("512"), "{beside:?}");
    }
}
