//! The addresses of a board, grouped by a field.

use std::{collections::HashMap, net::IpAddr};

use super::field::{BoardEntry, BoardField};

/// The addresses of a board with one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardGroup {
    /// `None` for those without a value.
    pub value: Option<String>,
    pub addresses: u64,
    pub lines: u64,
    /// Clients of all its addresses on an average day, as far as they are counted.
    pub clients: u64,
    /// The addresses, if they are listed.
    pub list: Vec<IpAddr>,
}

/// Counts addresses by their values of a field, the case of letters aside, as in filters. An address with several counts for each.
#[derive(Clone, Debug)]
pub struct BoardGroups {
    by: BoardField,
    /// Whether the addresses are listed.
    lists: bool,
    /// By value in lower case.
    groups: HashMap<Option<String>, BoardGroup>,
}

impl BoardGroups {
    #[must_use]
    pub fn new(by: BoardField) -> Self {
        Self {
            by,
            lists: false,
            groups: HashMap::new(),
        }
    }

    /// The same with a list of the addresses of each group.
    #[must_use]
    pub fn with_lists(self, lists: bool) -> Self {
        Self { lists, ..self }
    }

    pub fn add(&mut self, entry: &BoardEntry<'_>) {
        let values = self.by.values(entry);
        let clients = entry.record.and_then(|record| record.clients);
        let mut counted: Vec<Option<String>> = Vec::new();
        let mut count = |value: Option<&str>, lines: u64| {
            let key = value.map(str::to_lowercase);
            let group = self.groups.entry(key.clone());
            let group = group.or_insert_with(|| BoardGroup {
                value: value.map(str::to_owned),
                ..BoardGroup::default()
            });
            group.lines += lines;
            if !counted.contains(&key) {
                group.addresses += 1;
                group
                    .list
                    .extend(Some(entry.address).filter(|_| self.lists));
                group.clients = group.clients.saturating_add(clients.unwrap_or_default());
                counted.push(key);
            }
        };
        if values.is_empty() {
            count(None, entry.lines);
        }
        for (value, lines) in values {
            count(Some(&value), lines);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: Self) {
        for (key, board_group) in other.groups {
            let group = self.groups.entry(key);
            let group = group.or_insert_with(|| BoardGroup {
                value: board_group.value,
                ..BoardGroup::default()
            });
            group.addresses += board_group.addresses;
            group.list.extend(board_group.list);
            group.lines += board_group.lines;
            group.clients = group.clients.saturating_add(board_group.clients);
        }
    }

    /// The groups, the largest first; what has no value is the last one.
    #[must_use]
    pub fn ranked(self) -> Vec<BoardGroup> {
        let mut groups: Vec<BoardGroup> = self.groups.into_values().collect();
        groups.sort_unstable_by(|a, b| {
            let sizes = |group: &BoardGroup| (group.addresses, group.lines, group.clients);
            let is_none = |group: &BoardGroup| group.value.is_none();
            let order = is_none(a).cmp(&is_none(b));
            order
                .then_with(|| sizes(b).cmp(&sizes(a)))
                .then_with(|| a.value.cmp(&b.value))
        });
        groups
    }
}
