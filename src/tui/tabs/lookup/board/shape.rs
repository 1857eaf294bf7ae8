//! How a table is shown, to be kept and shown like that again.

use std::{cmp::Reverse, collections::HashMap, net::IpAddr, ops::Range};

use super::{Board, address::RowKey};
use crate::{
    engine::trail::kept_board::{BoardShape, KeptRow, MOST_MARKS},
    investigation::board::Standing,
    tui::{ctx::Rows as _, ui::words},
};

impl Board {
    pub(in crate::tui::tabs::lookup) fn shape(&self) -> BoardShape {
        let kept = |key: &RowKey| KeptRow {
            address: key.address,
            day: key.day,
        };
        let marks = self.list.marks();
        let (sorted_by, is_reversed) = self.list.sorted_by();
        let marked = marks.iter().map(kept);
        BoardShape {
            name: self.name.clone(),
            addresses: self.list.rows().all().count() as u64,
            summary: self.summary(),
            zone: self.zone.clone(),
            by_day: self.is_at_time,
            day: self.day,
            filter: self.list.filter().to_owned(),
            sorted_by: sorted_by.to_owned(),
            is_reversed,
            grouped_by: self.grouped_by.as_ref().map(ToString::to_string),
            // Who is at the top stays there, whatever comes to be first.
            selected: self
                .list
                .selected()
                .filter(|_| self.list.position() != Some(0))
                .map(kept),
            marked: if marks.len() > MOST_MARKS {
                Vec::new()
            } else {
                marked.collect()
            },
            marks: marks.len() as u64,
        }
    }

    /// Shows it as it was kept; returns what of that is worth a word.
    pub(in crate::tui::tabs::lookup) fn restore(&mut self, shape: &BoardShape) -> Vec<String> {
        self.list.sort_by(&shape.sorted_by, shape.is_reversed);
        self.list.filter_by(&shape.filter);
        let fields = self.fields().into_iter();
        self.grouped_by = shape.grouped_by.as_ref().and_then(|name| {
            let mut own = fields.filter(|field| field.to_string() == *name);
            own.next()
        });
        let selected = self.keys_of(shape.selected.as_slice(), shape.by_day);
        if let Some(key) = selected.first() {
            self.list.select(*key);
            self.list.keep_in_view();
        }
        let marked = self.keys_of(&shape.marked, shape.by_day);
        let found = marked.len() as u64;
        self.list.marks_mut().add(marked);
        let lost = shape.marks - found.min(shape.marks);
        let (now, before) = (self.list.rows().all().count() as u64, shape.addresses);
        let is_other = shape.by_day == self.is_at_time && before > 0 && now != before;
        let number = |number: u64| words::number(number);
        [
            (!shape.filter.is_empty()).then(|| format!("filter {}", shape.filter)),
            (found > 0).then(|| format!("marked: {}", number(found))),
            (lost > 0).then(|| format!("marks not kept: {}", number(lost))),
            is_other.then(|| format!("rows: {}, before {}", number(now), number(before))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The kept rows that are still there. If only then or only now each day has a row, the first one of each address.
    fn keys_of(&self, kept: &[KeptRow], was_by_day: bool) -> Vec<RowKey> {
        let rows = self.list.rows();
        if was_by_day == self.is_at_time {
            let keys = kept.iter().map(|row| RowKey {
                address: row.address,
                day: row.day,
            });
            return keys.filter(|key| rows.find(key).is_some()).collect();
        }
        let mut first: HashMap<IpAddr, RowKey> = HashMap::new();
        for row in rows.all() {
            first.entry(row.key.address).or_insert(row.key);
        }
        kept.iter()
            .filter_map(|row| first.get(&row.address).copied())
            .collect()
    }

    /// What its addresses are for the most part: tunnels and proxies before hosting and entries.
    fn summary(&self) -> String {
        let known = |among: Range<usize>| {
            let own = self
                .counts
                .iter()
                .filter(move |(standing, _)| among.contains(&(*standing as usize)));
            own.max_by_key(|(standing, count)| (*count, Reverse(*standing as usize)))
        };
        let hosting = Standing::Hosting as usize;
        let most = known(0..hosting).or_else(|| known(hosting..hosting + 2));
        most.map_or_else(String::new, |(standing, count)| {
            format!("{} {}", standing.words(), words::number(count))
        })
    }
}
