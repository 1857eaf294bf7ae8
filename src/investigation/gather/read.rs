//! The second step of reading a text: what its rows say of each find.

use std::{net::IpAddr, ops::Range};

use super::{
    row::{NoAddress, RowReader},
    scanned::ScannedRows,
    values::{ValueNumber, Values},
};
use crate::{
    investigation::{
        event_time::{EventTime, TimeReader},
        text::AddressRole,
    },
    model::{Admission, scan::Hit},
};

/// Reads what rows say.
#[derive(Debug)]
pub(super) struct HitReader {
    pub(super) rows: RowReader,
    pub(super) values: Values,
    /// Ports of other addresses are no column.
    pub(super) admission: Admission,
    pub(super) keeps_cells: bool,
    /// The next ones to fill.
    pub(super) spare: ReadHits,
}

/// What rows say of finds, of some of a part of a text.
#[derive(Debug, Default)]
pub(super) struct ReadHits {
    pub(super) hits: Vec<ReadHit>,
    /// What stands beside them.
    beside: Vec<CellBeside>,
    /// How many bytes all values take that came so far.
    pub(super) values_size: usize,
    /// Whether those are the last ones of their part.
    pub(super) is_last: bool,
}

/// What its row says of a find.
#[derive(Debug)]
pub(super) struct ReadHit {
    /// The numbers of its row in the part, and of the find in its row.
    pub(super) row: usize,
    pub(super) hit: usize,
    /// The number of its row in all texts, and the event in that.
    pub(super) event: (u64, u32),
    /// Whether no find of the event came before.
    pub(super) is_new_event: bool,
    pub(super) time: Option<EventTime>,
    pub(super) role: AddressRole,
    /// Why it is no address that somebody has, if its field says so.
    pub(super) aside: Option<NoAddress>,
    pub(super) port: Option<u16>,
    /// The same as a column with its value.
    pub(super) port_cell: Option<(u16, ValueNumber)>,
    /// What surrounds it, where that may tell a port from an address.
    pub(super) surroundings: Option<u64>,
    /// Whether another address of its row has a port.
    pub(super) has_ports: bool,
    beside: Range<usize>,
}

/// A value that stands in an event, and the address that it is, if it is one.
#[derive(Clone, Copy, Debug)]
struct CellBeside {
    column: u16,
    value: ValueNumber,
    address: Option<IpAddr>,
}

impl ReadHits {
    /// Beyond so many, those of a row are handed over in parts: a document may have many events with much around them.
    const MOST: usize = 1 << 16;

    /// What stands beside a find that is this address.
    pub(super) fn beside(
        &self,
        hit: &ReadHit,
        address: IpAddr,
    ) -> impl Iterator<Item = (u16, ValueNumber)> {
        let cells = self.beside[hit.beside.clone()].iter();
        let others = cells.filter(move |cell| cell.address != Some(address));
        others.map(|cell| (cell.column, cell.value))
    }

    /// Forgets what rows say and keeps the room for it.
    fn clear(&mut self) {
        self.hits.clear();
        self.beside.clear();
        (self.values_size, self.is_last) = (0, false);
    }

    fn is_full(&self) -> bool {
        self.hits.len() + self.beside.len() >= Self::MOST
    }
}

impl HitReader {
    /// Starts a text; its times begin anew.
    pub(super) fn begin(&mut self, times: Option<TimeReader>) {
        self.rows.begin(times);
    }

    /// Reads a part of a text, until nobody takes what it says; returns whether somebody does. Whoever takes some hands back others that are
    /// no longer needed, whose room serves the next ones.
    pub(super) fn read(
        &mut self,
        text: &[u8],
        scanned: &ScannedRows,
        hand_over: &mut impl FnMut(ReadHits) -> Option<ReadHits>,
    ) -> bool {
        let mut read = std::mem::take(&mut self.spare);
        read.clear();
        for (number, row) in scanned.rows.iter().enumerate() {
            if let Some(shape) = scanned.shape_from(number) {
                self.rows.set_shape(shape);
            }
            let hits = scanned.hits_of(row);
            let bytes = &text[row.at.clone()];
            if hits.is_empty() {
                self.rows.pass(bytes, row.is_row);
                continue;
            }
            self.rows.read(bytes, row.is_row, hits, &mut self.values);
            let mut cells: Option<(u32, Range<usize>)> = None;
            for (at, hit) in hits.iter().enumerate() {
                let hit = self.read_hit(bytes, (number, at), hit, &mut cells, &mut read);
                read.hits.push(hit);
                if read.is_full() {
                    cells = None;
                    let Some(next) = hand_over(read) else {
                        return false;
                    };
                    read = next;
                    read.clear();
                }
            }
        }
        read.values_size = self.values.size();
        read.is_last = true;
        let spare = hand_over(read);
        let is_taken = spare.is_some();
        self.spare = spare.unwrap_or_default();
        is_taken
    }

    fn read_hit(
        &mut self,
        bytes: &[u8],
        (row, at): (usize, usize),
        hit: &Hit,
        cells: &mut Option<(u32, Range<usize>)>,
        read: &mut ReadHits,
    ) -> ReadHit {
        let rows = &mut self.rows;
        let place = rows.place_of(bytes, hit);
        let is_new_event = rows.is_new_event(place.event);
        let time = rows.time_of(bytes, place.event);
        let address = hit.found.address();
        let port = place.port.clone();
        let port = port.and_then(|at| std::str::from_utf8(&bytes[at]).ok()?.parse().ok());
        let may_tell = address.is_some_and(|address| address.is_ipv6()) || place.port.is_some();
        let surroundings = may_tell.then(|| rows.surroundings(bytes, hit, &place));
        let (mut port_cell, mut beside) = (None, 0..0);
        if self.keeps_cells
            && let Some(address) = address
        {
            beside = match cells {
                Some((event, range)) if *event == place.event => range.clone(),
                _ => {
                    let first = read.beside.len();
                    read.beside
                        .extend(rows.beside(place.event).map(|(column, value, address)| {
                            CellBeside {
                                column,
                                value,
                                address,
                            }
                        }));
                    let range = first..read.beside.len();
                    *cells = Some((place.event, range.clone()));
                    range
                }
            };
            let is_asked = place.aside.is_none() && self.admission.refuses(address).is_none();
            if place.port.is_some() && is_asked {
                port_cell = rows.port(bytes, &place, &mut self.values);
            }
        }
        ReadHit {
            row,
            hit: at,
            event: (rows.number(), place.event),
            is_new_event,
            time,
            role: place.role,
            aside: place.aside,
            port,
            port_cell,
            surroundings,
            has_ports: rows.has_ports(),
            beside,
        }
    }
}
