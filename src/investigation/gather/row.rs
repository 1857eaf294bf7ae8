//! Reads a row: its fields, the time and the role of each of its addresses, and what stands beside them.

mod place;
mod port;
mod times;
mod url;

use std::{cell::OnceCell, net::IpAddr, ops::Range, sync::Arc};

use super::values::{ValueNumber, Values, is_nothing};
use crate::{
    investigation::{
        board::is_column,
        event_time::{EventTime, TimeReader, WrittenTime},
        text::{
            AddressRole, Cells, FieldRole, RowFields, TextShape, TimeRole, WeakName, role_of_name,
            weak_name,
        },
    },
    model::scan::Hit,
};
pub(super) use place::NoAddress;
use port::port_behind;
use url::is_of_url;

/// The most addresses of a row whose fields are read: one with more is no row of a program.
const MOST_ADDRESSES: usize = 2048;

/// The most times that the only address of a row comes in it.
const MOST_OF_ONE: usize = 8;

/// Reads the rows of one text after the other.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "two say what is wanted, two what the row is"
)]
pub(super) struct RowReader {
    shape: Arc<TextShape>,
    cells: Cells,
    fields: RowFields,
    times: Option<TimeReader>,
    /// Whether roles are wanted, or what stands beside addresses.
    reads_roles: bool,
    keeps_cells: bool,
    wanted: Vec<String>,
    names: NameMeanings,
    /// The number of the row.
    number: u64,
    is_row: bool,
    /// What stands in the row: column, value, the address that a field is, its group.
    beside: Vec<(u16, ValueNumber, Option<IpAddr>, u32)>,
    /// The places of fields of a divided row that have addresses.
    texts: Vec<Range<usize>>,
    /// The first address of the row that is no host of an URL.
    outside_urls: Option<IpAddr>,
    /// Whether the row has more than one address.
    has_several: bool,
    /// Whether the row has a request, once that is asked for.
    has_request: OnceCell<bool>,
    /// The last address of the row, and its role.
    last: Option<(Range<usize>, AddressRole)>,
    /// The addresses of the row so far, each with its event and its role there.
    row_roles: Vec<(IpAddr, u32, AddressRole)>,
    /// Whether an address of the row has a port for certain.
    has_ports: bool,
    /// The day that a line says of those behind it, as `#Date:` in W3C logs.
    file_day: Option<WrittenTime>,
    /// The events of the row whose time is known.
    events: Vec<(u32, Option<EventTime>)>,
    /// The time of a line that is nothing else, for those behind it.
    stamp: Option<EventTime>,
    /// The last line that is not indented, and its time if it was read.
    before: Vec<u8>,
    before_time: Option<EventTime>,
}

/// What the names of fields mean, by their numbers.
#[derive(Debug, Default)]
struct NameMeanings {
    generation: u32,
    names: Vec<Option<NameMeaning>>,
}

/// What the name of a field means, and the number of its column.
#[derive(Clone, Copy, Debug)]
struct NameMeaning {
    role: FieldRole,
    /// What it means beside the address of a client.
    weak: Option<WeakName>,
    column: ColumnNumber,
}

impl NameMeanings {
    /// Begins anew where the numbers do.
    fn begin(&mut self, generation: u32) {
        if self.generation != generation {
            self.generation = generation;
            self.names.clear();
        }
    }

    /// What the name of these fields means that has this number.
    fn of(&mut self, number: u32, fields: &RowFields) -> &mut NameMeaning {
        let at = number as usize;
        if at >= self.names.len() {
            self.names.resize(at + 1, None);
        }
        self.names[at].get_or_insert_with(|| NameMeaning {
            role: role_of_name(fields.name_of(number)),
            weak: weak_name(fields.name_of(number)),
            column: ColumnNumber::Untried,
        })
    }
}

/// The number of a column.
#[derive(Clone, Copy, Debug, Default)]
enum ColumnNumber {
    /// No value of it came so far.
    #[default]
    Untried,
    /// There were more columns than are kept before it came.
    LeftOut,
    Kept(u16),
}

impl ColumnNumber {
    /// The number, which is asked for when the first value comes.
    fn or_new(&mut self, number: impl FnOnce() -> Option<u16>) -> Option<u16> {
        if let Self::Untried = self {
            *self = number().map_or(Self::LeftOut, Self::Kept);
        }
        match self {
            Self::Kept(number) => Some(*number),
            Self::Untried | Self::LeftOut => None,
        }
    }
}

impl RowReader {
    /// A reader that reads roles, keeps what stands beside addresses, and such columns of it however many there are.
    pub(super) fn new(reads_roles: bool, keeps_cells: bool, wanted: Vec<String>) -> Self {
        Self {
            shape: Arc::new(TextShape::Lines),
            cells: Cells::default(),
            fields: RowFields::default(),
            times: None,
            reads_roles,
            keeps_cells,
            wanted,
            names: NameMeanings::default(),
            number: 0,
            is_row: false,
            beside: Vec::new(),
            texts: Vec::new(),
            outside_urls: None,
            has_several: false,
            has_request: OnceCell::new(),
            last: None,
            row_roles: Vec::new(),
            has_ports: false,
            file_day: None,
            events: Vec::new(),
            stamp: None,
            before: Vec::new(),
            before_time: None,
        }
    }

    /// Starts a text; its times begin anew.
    pub(super) fn begin(&mut self, times: Option<TimeReader>) {
        self.times = times;
        (self.stamp, self.before_time, self.file_day) = (None, None, None);
        self.before.clear();
    }

    /// The shape of the text, from the next row on.
    pub(super) fn set_shape(&mut self, shape: &Arc<TextShape>) {
        self.shape = shape.clone();
    }

    /// The number of the row.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reads a row with these addresses.
    pub(super) fn read(&mut self, row: &[u8], is_row: bool, hits: &[Hit], values: &mut Values) {
        self.number += 1;
        self.is_row = is_row;
        self.events.clear();
        self.beside.clear();
        self.texts.clear();
        self.last = None;
        let mut others = hits.iter().filter(|hit| !is_of_url(row, hit));
        self.outside_urls = others.find_map(|hit| hit.found.address());
        self.has_request.take();
        let first = hits.first().and_then(|hit| hit.found.address());
        // One that comes again and again is no event of one host.
        self.has_several =
            hits.len() > MOST_OF_ONE || hits.iter().any(|hit| hit.found.address() != first);
        self.row_roles.clear();
        let mut ports = hits
            .iter()
            .take(MOST_ADDRESSES)
            .map(|hit| port_behind(row, hit));
        self.has_ports = hits.len() > 1 && ports.any(|port| port.is_some());
        self.fields.clear();
        self.names.begin(self.fields.generation());
        // Whose address it is stands in the fields, whether they are kept or not.
        if !(is_row && self.reads_roles) || hits.len() > MOST_ADDRESSES {
            return;
        }
        self.shape
            .read(row, hits, &mut self.cells, &mut self.fields);
        if self.fields.is_divided() {
            self.mark_events(row, hits);
        }
        if self.keeps_cells {
            self.read_cells(row, hits, values);
        }
    }

    /// Whether an address of the row has a port for certain.
    pub(super) fn has_ports(&self) -> bool {
        self.has_ports
    }

    /// Marks the objects of lists that have addresses or times of their own.
    fn mark_events(&mut self, row: &[u8], hits: &[Hit]) {
        let groups: Vec<u32> = hits
            .iter()
            .filter(|hit| hit.found.address().is_some())
            .filter_map(|hit| {
                let field = self.fields.at(row, &hit.at)?;
                self.texts.push(field.at.clone());
                Some(field.group)
            })
            .collect();
        let of_times = self.fields.iter().filter(|field| {
            let role = self.names.of(field.path_number, &self.fields).role;
            matches!(role, FieldRole::Time(TimeRole::Event(..=1)))
                && field.value.len() >= 8
                && field.value.as_bytes()[0].is_ascii_digit()
        });
        let groups: Vec<u32> = groups
            .into_iter()
            .chain(of_times.map(|view| view.group))
            .collect();
        for group in groups {
            self.fields.mark_event(group);
        }
        self.fields.name_within_events();
    }

    /// Keeps the fields of a row as columns, without those that are its time.
    fn read_cells(&mut self, row: &[u8], hits: &[Hit], values: &mut Values) {
        for field in self.fields.iter() {
            if is_nothing(field.value) {
                continue;
            }
            let meaning = self.names.of(field.number, &self.fields);
            if is_time(meaning.role, field.value) {
                continue;
            }
            let address = address_in(row, &field.at, hits);
            if address.is_some() && hits.len() == 1 {
                continue;
            }
            let wanted = &self.wanted;
            let column = meaning.column.or_new(|| {
                let is_wanted = wanted.iter().any(|name| is_column(field.name, name));
                values.column(field.name, is_wanted)
            });
            let number = column.and_then(|column| Some((column, values.value(field.value)?)));
            if let Some((column, value)) = number {
                self.beside.push((column, value, address, field.group));
            }
        }
    }

    /// What stands in an event of the row: column, value, and the address that it is, if it is one.
    pub(super) fn beside(
        &self,
        event: u32,
    ) -> impl Iterator<Item = (u16, ValueNumber, Option<IpAddr>)> {
        let own = self.beside.iter().filter(move |(column, _, _, group)| {
            let Some(distance) = self.fields.distance(event, *group) else {
                return false;
            };
            // A member of the event stands before one of the same name around it.
            let is_hidden = distance > 0
                && self.beside.iter().any(|(other, .., group)| {
                    other == column && self.fields.distance(event, *group) == Some(0)
                });
            !is_hidden
        });
        own.map(|(column, value, address, _)| (*column, *value, *address))
    }
}

/// Whether a field is the time of the row, which is no column: it would have another value in each.
fn is_time(role: FieldRole, value: &str) -> bool {
    const SHORTEST: usize = 8;
    if !matches!(role, FieldRole::Time(TimeRole::Event(_))) || value.len() < SHORTEST {
        return false;
    }
    let is_number = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_epoch = value.find('.').unwrap_or(value.len()) >= SHORTEST;
    !is_number || is_epoch
}

/// The address that a field is, with or without brackets and a port.
fn address_in(row: &[u8], at: &Range<usize>, hits: &[Hit]) -> Option<IpAddr> {
    let hit = hits
        .iter()
        .find(|hit| hit.at.start >= at.start && hit.at.end <= at.end)?;
    let behind = &row[hit.at.end..at.end];
    let is_whole = hit.at.start - at.start <= 2
        && (behind.is_empty() || b":].#(\"' \t".contains(&behind[0]) && behind.len() <= 8);
    hit.found.address().filter(|_| is_whole)
}
