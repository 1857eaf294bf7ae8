//! Reads a row: its fields, the time and the role of each of its addresses, and what stands beside them.

use std::{
    hash::{BuildHasher, Hasher},
    net::IpAddr,
    ops::Range,
};

use foldhash::fast::FixedState;

use super::{
    named_times::NamedTimes,
    values::{ValueNumber, Values, is_nothing},
};
use crate::{
    investigation::{
        board::is_column,
        event_time::{DateOrder, EventTime, TimeReader, WrittenTime},
        text::{
            AddressRole, Cells, FieldRole, FieldView, RowFields, RowSpan, Rows, TextShape,
            TimeRole, WORD, role_at, role_of_name,
        },
    },
    model::scan::{Found, Hit},
};

/// The most addresses of a row whose fields are read: one with more is no row of a program.
const MOST_ADDRESSES: usize = 2048;

/// The bytes before an address that surround it.
const NEAR: usize = 64;

/// The most letters of the word before an address.
const LONGEST_CUE: usize = 16;

/// The longest line that is nothing but a time.
const LONGEST_STAMP: usize = 80;

/// The column of the port of an address.
const PORT: &str = "port";

/// The weakest rank of a name that decides before a date that is anywhere in a line.
const STRONG: u8 = 2;

/// Reads the rows of one text after the other.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "two say what is wanted, two what the row is"
)]
pub(super) struct RowReader {
    parts: Rows,
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

/// Where in a row an address is.
#[derive(Clone, Debug)]
pub(super) struct HitPlace {
    /// The event of the row that it belongs to.
    pub(super) event: u32,
    pub(super) role: AddressRole,
    /// The place of its port.
    pub(super) port: Option<Range<usize>>,
    /// Whether its field holds a version.
    pub(super) is_version: bool,
    /// The number of the name of its field, if that has one of its own.
    field: Option<u32>,
}

impl RowReader {
    /// A reader that reads roles, keeps what stands beside addresses, and such columns of it however many there are.
    pub(super) fn new(reads_roles: bool, keeps_cells: bool, wanted: Vec<String>) -> Self {
        Self {
            parts: Rows::of(TextShape::Lines),
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

    /// Starts a text of this shape; its times begin anew.
    pub(super) fn begin(&mut self, shape: TextShape, times: Option<TimeReader>) {
        self.parts = Rows::of(shape);
        self.times = times;
        (self.stamp, self.before_time, self.file_day) = (None, None, None);
        self.before.clear();
    }

    pub(super) fn next(&mut self, text: &[u8], is_at_end: bool) -> Option<RowSpan> {
        self.parts.next(text, is_at_end)
    }

    /// The number of the row.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Passes a row without an address, whose time may be that of those behind it.
    pub(super) fn pass(&mut self, row: &[u8], is_row: bool) {
        if let Some(date) = row.strip_prefix(b"#Date:")
            && let Some(times) = &self.times
        {
            self.file_day = WrittenTime::of_value(date, times.order(), true);
        }
        let is_line = is_row && self.times.is_some() && self.parts.shape().is_of_lines();
        if !is_line || row.trim_ascii().is_empty() {
            return;
        }
        if row.len() <= LONGEST_STAMP
            && let Some(time) = self.stamp_of(row)
        {
            self.stamp = Some(time);
        }
        if !row[0].is_ascii_whitespace() {
            self.before.clear();
            self.before.extend_from_slice(row);
            self.before_time = None;
        }
    }

    /// The time of a line that is nothing else: `#1795428930`, `# Time: 2026-11-20T10:15:30Z`, `SET timestamp=1795428930;`.
    fn stamp_of(&mut self, line: &[u8]) -> Option<EventTime> {
        let line = line.trim_ascii();
        let is_of_sql = line.strip_prefix(b"SET timestamp=");
        let own = is_of_sql
            .and_then(|own| own.strip_suffix(b";"))
            .unwrap_or(line);
        let own = own.trim_ascii_start();
        let key = own.strip_prefix(b"#").unwrap_or(own).trim_ascii_start();
        let key = key.strip_prefix(b"Time:").unwrap_or(key).trim_ascii_start();
        if !key
            .first()
            .is_some_and(|first| first.is_ascii_digit() || first.is_ascii_uppercase())
        {
            return None;
        }
        let times = self.times.as_mut()?;
        let none = |_: &Range<usize>| false;
        let (written, place) = WrittenTime::of_line(own, times.order(), &none)
            .filter(|_| is_of_sql.is_none() || own.len() == 10)?;
        let rest = own[..place.start].iter().chain(&own[place.end..]);
        let mut letters = rest.filter(|byte| byte.is_ascii_alphanumeric()).count();
        if own.starts_with(b"# Time:") {
            letters -= 4;
        }
        // The name of a day.
        (letters <= 3 && written.has_day()).then(|| times.resolve(&written))?
    }

    /// Reads a row with these addresses.
    pub(super) fn read(&mut self, row: &[u8], is_row: bool, hits: &[Hit], values: &mut Values) {
        self.number += 1;
        self.is_row = is_row;
        self.events.clear();
        self.beside.clear();
        self.texts.clear();
        self.last = None;
        self.row_roles.clear();
        let mut ports = hits
            .iter()
            .take(MOST_ADDRESSES)
            .map(|hit| port_behind(row, hit));
        self.has_ports = hits.len() > 1 && ports.any(|port| port.is_some());
        self.fields.clear();
        self.names.begin(self.fields.generation());
        let is_of_lines = self.parts.shape().is_of_lines();
        let has_use = self.keeps_cells || self.times.is_some() || !is_of_lines;
        if !(is_row && self.reads_roles && has_use) || hits.len() > MOST_ADDRESSES {
            return;
        }
        self.parts
            .shape()
            .read(row, hits, &mut self.cells, &mut self.fields);
        if self.fields.is_divided() {
            self.mark_events(row, hits);
        }
        if self.keeps_cells {
            self.read_cells(row, hits, values);
        }
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
            .chain(of_times.map(|own| own.group))
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
            let own = self.names.of(field.number, &self.fields);
            if is_time(own.role, field.value) {
                continue;
            }
            let address = address_in(row, &field.at, hits);
            if address.is_some() && hits.len() == 1 {
                continue;
            }
            let wanted = &self.wanted;
            let column = own.column.or_new(|| {
                let is_wanted = wanted.iter().any(|name| is_column(field.name, name));
                values.column(field.name, is_wanted)
            });
            let number = column.and_then(|column| Some((column, values.value(field.value)?)));
            if let Some((column, value)) = number {
                self.beside.push((column, value, address, field.group));
            }
        }
    }

    /// What stands beside an address in an event of the row.
    pub(super) fn beside(
        &self,
        event: u32,
        address: IpAddr,
    ) -> impl Iterator<Item = (u16, ValueNumber)> {
        let own = self.beside.iter().filter(move |(column, _, own, group)| {
            let Some(distance) = self.fields.distance(event, *group) else {
                return false;
            };
            // A member of the event stands before one of the same name around it.
            let is_hidden = distance > 0
                && self.beside.iter().any(|(other, .., group)| {
                    other == column && self.fields.distance(event, *group) == Some(0)
                });
            *own != Some(address) && !is_hidden
        });
        own.map(|(column, value, ..)| (*column, *value))
    }

    /// The column and the value of the port of an address.
    pub(super) fn port(
        &mut self,
        row: &[u8],
        place: &HitPlace,
        values: &mut Values,
    ) -> Option<(u16, ValueNumber)> {
        let port = std::str::from_utf8(&row[place.port.clone()?]).ok()?;
        if !self.is_row {
            return None;
        }
        let wanted = &self.wanted;
        let number = self.fields.number_of(PORT);
        let own = self.names.of(number, &self.fields);
        let column = own.column.or_new(|| {
            let is_wanted = wanted.iter().any(|name| is_column(PORT, name));
            values.column(PORT, is_wanted)
        });
        let number = (column?, values.value(port)?);
        // A form has it as a field already.
        let has = |own: &(u16, ValueNumber, Option<IpAddr>, u32)| (own.0, own.1) == number;
        (!self.beside.iter().any(has)).then_some(number)
    }

    /// Where an address of the row is.
    pub(super) fn place_of(&mut self, row: &[u8], hit: &Hit) -> HitPlace {
        let mut place = HitPlace {
            event: 0,
            role: AddressRole::Unknown,
            port: None,
            is_version: false,
            field: None,
        };
        if !self.reads_roles {
            return place;
        }
        place.port = port_behind(row, hit);
        if let Some(field) = self.fields.at(row, &hit.at) {
            let (group, at) = (field.group, field.at.clone());
            place.event = self.fields.event_of(group);
            place.field = (field.name != WORD).then_some(field.number);
            if hit.found.address().is_none() {
                return place;
            }
            let mut role = self.names.of(field.path_number, &self.fields).role;
            let pair = pair_of(&self.fields, &field);
            if let Some(name) = pair {
                role = role_of_name(name);
            }
            // `host=198.51.100.7` is a client.
            if field.name.eq_ignore_ascii_case("host") && row[..at.start].ends_with(b"=") {
                role = FieldRole::Other;
            }
            // Behind the two ends of a connection those of the answer, as after a translation.
            if is_of_answer(&self.fields, &field) {
                role = match role {
                    FieldRole::Address(AddressRole::Source) => {
                        FieldRole::Address(AddressRole::Destination)
                    }
                    FieldRole::Address(AddressRole::Destination) => {
                        FieldRole::Address(AddressRole::Own)
                    }
                    other => other,
                };
            }
            match role {
                FieldRole::Address(role) => place.role = role,
                FieldRole::Version => place.is_version = true,
                FieldRole::Agent => {
                    let before = &row[at.start..hit.at.start];
                    place.is_version = before.ends_with(b"/") && !before.ends_with(b"//");
                }
                FieldRole::Forwarded => {
                    let list = self.fields.list_of(group);
                    let mut before = self.fields.iter().take_while(|own| own.at.start < at.start);
                    let is_first = !row[at.start..hit.at.start].contains(&b',')
                        && !before.any(|own| {
                            own.name == field.name
                                && pair.is_none()
                                && list.is_some()
                                && self.fields.list_of(own.group) == list
                        });
                    place.role = if is_first {
                        AddressRole::Source
                    } else {
                        AddressRole::Proxy
                    };
                }
                FieldRole::Time(_) | FieldRole::Zone | FieldRole::Other => {}
            }
        }
        let is_of_field = place.role != AddressRole::Unknown;
        if !is_of_field {
            place.role = match &self.last {
                // `outside:198.51.100.7/51234 (198.51.100.7/51234)`
                Some((last, role)) if is_in_brackets_behind(row, last, &hit.at) => *role,
                last => role_at(row, &hit.at, last.is_none()),
            };
        }
        self.last = Some((hit.at.clone(), place.role));
        if let Some(address) = hit.found.address() {
            // What a line says first of an address is its role there.
            let before = self
                .row_roles
                .iter()
                .find(|own| (own.0, own.1) == (address, place.event));
            match before {
                Some((.., role)) if !is_of_field => place.role = *role,
                _ if self.row_roles.len() < MOST_ADDRESSES => {
                    self.row_roles.push((address, place.event, place.role));
                }
                _ => {}
            }
        }
        place
    }

    /// Whether no address of this event came before in the row.
    pub(super) fn is_new_event(&self, event: u32) -> bool {
        self.is_row && !self.events.iter().any(|(own, _)| *own == event)
    }

    /// The time of an event of the row.
    pub(super) fn time_of(&mut self, row: &[u8], event: u32) -> Option<EventTime> {
        if let Some((_, time)) = self.events.iter().find(|(own, _)| *own == event) {
            return *time;
        }
        if !self.is_row {
            return None;
        }
        let time = self.read_time(row, event);
        self.events.push((event, time));
        time
    }

    fn read_time(&mut self, row: &[u8], event: u32) -> Option<EventTime> {
        let order = self.times.as_ref()?.order();
        let is_of_lines = self.parts.shape().is_of_lines();
        let written = self.written(row, event, order);
        let own = written.and_then(|(written, until)| {
            let times = self.times.as_mut()?;
            let own = times.resolve(&written)?;
            let until = until.and_then(|until| Some(times.resolve(&until)?.at));
            Some(EventTime {
                until: until.filter(|until| *until > own.at),
                ..own
            })
        });
        if !is_of_lines {
            return own;
        }
        let is_indented = row.first().is_some_and(u8::is_ascii_whitespace);
        if !is_indented {
            (self.before_time, self.stamp) = (own, if own.is_some() { None } else { self.stamp });
            self.before.clear();
            return own.or(self.stamp);
        }
        // What is indented belongs to the line before it.
        if own.is_none() && self.before_time.is_none() && !self.before.is_empty() {
            let before = std::mem::take(&mut self.before);
            let none = |_: &Range<usize>| false;
            let written = WrittenTime::of_line(&before, order, &none);
            let times = self.times.as_mut()?;
            self.before_time = written.and_then(|(written, _)| times.resolve(&written));
        }
        own.or(self.before_time).or(self.stamp)
    }

    /// The time that a row says of an event, and to when it goes on: under a key that means it, else anywhere.
    fn written(
        &mut self,
        row: &[u8],
        event: u32,
        order: DateOrder,
    ) -> Option<(WrittenTime, Option<WrittenTime>)> {
        let mut times = NamedTimes::default();
        let is_free = self.parts.shape().has_free_times();
        for (number, field) in self.fields.numbered() {
            let role = self.names.of(number, &self.fields).role;
            let is_unnamed = role == FieldRole::Other;
            if is_unnamed && (is_free || times.unnamed.is_some()) {
                continue;
            }
            let field = field();
            let Some(distance) = self.fields.distance(event, field.group) else {
                continue;
            };
            times.read(role, distance, &field, order);
        }
        times.sort();
        // What is around the events of a list is about all of them; a text of their own is nearer.
        let is_nearer = |(distance, _): (u32, u8)| distance == 0;
        let own_text = || self.time_in_texts(event, order);
        let is_near = times
            .named
            .first()
            .is_some_and(|(rank, _)| is_nearer(*rank));
        if !is_near
            && self.fields.is_divided()
            && let Some(time) = own_text().filter(WrittenTime::is_whole)
        {
            return Some((time.or(times.zone), None));
        }
        if let Some(time) = times.best(|rank| rank <= STRONG) {
            return Some((time.or(times.zone), None));
        }
        let free = is_free.then(|| {
            let others = &times.others;
            let is_left_out = |place: &Range<usize>| {
                let mut others = others.iter();
                others.any(|own| own.start <= place.start && place.end <= own.end)
            };
            Some(WrittenTime::of_line(row, order, &is_left_out)?.0)
        });
        let free = free.flatten();
        let whole = |time: &WrittenTime| time.is_whole();
        let weak = times.best(|_| true);
        let (seen, until) = (times.seen[0].take(), times.seen[1].take());
        let from_seen = seen.or(until).filter(WrittenTime::has_day);
        let span = times.spans.iter().map(|(_, time)| time);
        let span = span.clone().find(|time| time.has_day()).copied();
        if let Some(clock) = times.clock()
            && let Some(day) = &self.file_day
        {
            return Some((clock.or(day.day()).or(times.zone), None));
        }
        let day = times
            .named
            .iter()
            .map(|(_, time)| *time)
            .reduce(WrittenTime::or);
        let found = free.filter(whole).or(weak);
        let found = found.or(times.unnamed.filter(whole));
        if found.is_none()
            && let Some(seen) = from_seen
        {
            return Some((seen.or(times.zone), until.map(|until| until.or(times.zone))));
        }
        let found = found
            .or(day.filter(WrittenTime::has_day))
            .or(span)
            .or(free)
            .or(times.unnamed)?;
        Some((found.or(times.zone), None))
    }

    /// The time in a text of an event of a divided row.
    fn time_in_texts(&self, event: u32, order: DateOrder) -> Option<WrittenTime> {
        const SHORTEST: usize = 20;
        let texts = self.fields.iter().filter(|field| {
            field.value.len() > SHORTEST
                && self.fields.event_of(field.group) == event
                && self.texts.contains(&field.at)
        });
        let mut times = texts.filter_map(|field| {
            let none = |_: &Range<usize>| false;
            WrittenTime::of_line(field.value.as_bytes(), order, &none)
        });
        Some(times.next()?.0)
    }

    /// Whether an address of the row has a port for certain.
    pub(super) fn has_ports(&self) -> bool {
        self.has_ports
    }

    /// What surrounds an address, so that those in the same surroundings are written alike: its field, or the word before it.
    pub(super) fn surroundings(&self, row: &[u8], hit: &Hit, place: &HitPlace) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        if let Some(field) = place.field {
            hasher.write(self.fields.name_of(field).as_bytes());
            return hasher.finish();
        }
        let before = &row[hit.at.start.saturating_sub(NEAR)..hit.at.start];
        let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let is_sign = |byte: &&u8| !byte.is_ascii_alphanumeric() && **byte != b'[';
        let signs = before[line..].iter().rev().take_while(is_sign).count();
        let word = &before[line..before.len() - signs];
        let letters = word.iter().rev().take(LONGEST_CUE);
        let len = letters.take_while(|byte| byte.is_ascii_alphanumeric());
        hasher.write(&word[word.len() - len.count()..]);
        hasher.finish()
    }
}

/// Whether an address is in brackets directly behind another one and its port.
fn is_in_brackets_behind(row: &[u8], last: &Range<usize>, own: &Range<usize>) -> bool {
    let Some(between) = row.get(last.end..own.start) else {
        return false;
    };
    let Some(port) = between.strip_suffix(b" (") else {
        return false;
    };
    port.len() <= 6
        && port
            .iter()
            .all(|byte| byte.is_ascii_digit() || b":/#".contains(byte))
}

/// Whether a field is one of the second pair of `src=` and `dst=` in a line.
fn is_of_answer(fields: &RowFields, field: &FieldView<'_>) -> bool {
    if !matches!(field.name, "src" | "dst") {
        return false;
    }
    let mut before = fields
        .iter()
        .take_while(|own| own.at.start < field.at.start);
    before.any(|own| own.name == field.name && own.group == field.group)
}

/// Whether a field is the time of the row, which is no column: it would have another value in each.
fn is_time(role: FieldRole, value: &str) -> bool {
    const SHORTEST: usize = 8;
    let is_named = matches!(role, FieldRole::Time(TimeRole::Event(_)));
    let is_number = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_epoch = value.find('.').unwrap_or(value.len()) >= SHORTEST;
    is_named && value.len() >= SHORTEST && (!is_number || is_epoch)
}

/// The name that stands beside a value in the same object: `{"name":"Host","value":"203.0.113.5"}`, `{"type":"ip-dst","value":…}`.
fn pair_of<'f>(fields: &'f RowFields, field: &FieldView<'_>) -> Option<&'f str> {
    // CEF: `c6a2=2001:db8::7 c6a2Label=Source IPv6 Address`
    let is_label = |own: &FieldView<'_>| own.name.strip_suffix("Label") == Some(field.name);
    if let Some(label) = fields.iter().find(is_label) {
        return Some(label.value);
    }
    let last = |name: &str| {
        name.rsplit('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    if last(field.name) != "value" {
        return None;
    }
    let mut beside = fields.iter().filter(|own| own.group == field.group);
    let own =
        beside.find(|own| matches!(last(own.name).as_str(), "name" | "key" | "type" | "field"));
    own.map(|own| own.value)
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

/// The place of the port behind an address: `:443`, `]:443`, `.443`, `#53`, `(443)`, and of a firewall `/443`.
fn port_behind(row: &[u8], hit: &Hit) -> Option<Range<usize>> {
    if matches!(hit.found, Found::Network(_)) {
        return None;
    }
    let behind = &row[hit.at.end..];
    let is_v6 = matches!(hit.found.address(), Some(IpAddr::V6(_)));
    let skip = match behind {
        [b']', b':', ..] => 2,
        [b':' | b'.' | b'#' | b'(' | b'/' | b'@' | b'[', ..] => 1,
        _ if behind.starts_with(b" port ") => 6,
        _ => return None,
    };
    let digits = behind[skip..]
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let text = std::str::from_utf8(&behind[skip..skip + digits]).ok()?;
    let port: u16 = text.parse().ok()?;
    let next = behind.get(skip + digits);
    let is_length = behind[0] == b'/' && port <= if is_v6 { 128 } else { 32 };
    let is_end = next.is_none_or(|next| {
        !next.is_ascii_alphanumeric() && *next != b'.'
            || *next == b'.'
                && behind
                    .get(skip + digits + 1)
                    .is_none_or(u8::is_ascii_whitespace)
    });
    let is_port = digits > 0 && is_end && !is_length && port > 0;
    is_port.then(|| hit.at.end + skip..hit.at.end + skip + digits)
}
