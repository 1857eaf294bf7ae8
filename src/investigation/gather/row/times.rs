//! The times of a row: what it says under a name that means the time of an event, else anywhere, else the line before it.

use std::ops::Range;

use super::RowReader;
use crate::investigation::{
    event_time::{DateOrder, EventTime, WrittenTime},
    gather::named_times::NamedTimes,
    text::FieldRole,
};

/// The longest line that is nothing but a time.
const LONGEST_STAMP: usize = 80;

/// The weakest rank of a name that decides before a date that is anywhere in a line.
const STRONG: u8 = 2;

impl RowReader {
    /// Passes a row without an address, whose time may be that of those behind it.
    pub(in crate::investigation::gather) fn pass(&mut self, row: &[u8], is_row: bool) {
        if let Some(date) = row.strip_prefix(b"#Date:")
            && let Some(times) = &self.times
        {
            self.file_day = WrittenTime::of_value(date, times.order(), true);
        }
        let is_line = is_row && self.times.is_some() && self.shape.is_of_lines();
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
            .and_then(|bytes| bytes.strip_suffix(b";"))
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

    /// Whether no address of this event came before in the row.
    pub(in crate::investigation::gather) fn is_new_event(&self, event: u32) -> bool {
        self.is_row && !self.events.iter().any(|(number, _)| *number == event)
    }

    /// The time of an event of the row.
    pub(in crate::investigation::gather) fn time_of(
        &mut self,
        row: &[u8],
        event: u32,
    ) -> Option<EventTime> {
        if let Some((_, time)) = self.events.iter().find(|(number, _)| *number == event) {
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
        let is_of_lines = self.shape.is_of_lines();
        let written = self.written(row, event, order);
        let time = written.and_then(|(written, until)| {
            let times = self.times.as_mut()?;
            let time = times.resolve(&written)?;
            let until = until.and_then(|until| Some(times.resolve(&until)?.at));
            Some(EventTime {
                until: until.filter(|until| *until > time.at),
                ..time
            })
        });
        if !is_of_lines {
            return time;
        }
        let is_indented = row.first().is_some_and(u8::is_ascii_whitespace);
        if !is_indented {
            (self.before_time, self.stamp) = (time, if time.is_some() { None } else { self.stamp });
            self.before.clear();
            return time.or(self.stamp);
        }
        // What is indented belongs to the line before it.
        if time.is_none() && self.before_time.is_none() && !self.before.is_empty() {
            let before = std::mem::take(&mut self.before);
            let none = |_: &Range<usize>| false;
            let written = WrittenTime::of_line(&before, order, &none);
            let times = self.times.as_mut()?;
            self.before_time = written.and_then(|(written, _)| times.resolve(&written));
        }
        time.or(self.before_time).or(self.stamp)
    }

    /// The time that a row says of an event, and to when it goes on: under a key that means it, else anywhere.
    fn written(
        &mut self,
        row: &[u8],
        event: u32,
        order: DateOrder,
    ) -> Option<(WrittenTime, Option<WrittenTime>)> {
        let mut times = NamedTimes::default();
        let is_free = self.shape.has_free_times();
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
        if self.shape.is_of_utc() {
            let utc = WrittenTime::of_zone(b"UTC").unwrap_or_default();
            times.zone = times.zone.or(utc);
        }
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
        let seen = |times: &mut NamedTimes| {
            let (first, last) = (times.seen[0].take(), times.seen[1].take());
            let from = first.or(last).filter(WrittenTime::has_day)?;
            let until = last.map(|last| last.or(times.zone));
            Some((from.or(times.zone), until))
        };
        // That of an envelope is when it was asked for.
        if !is_near
            && times.is_seen_near
            && self.fields.is_divided()
            && let Some(seen) = seen(&mut times)
        {
            return Some(seen);
        }
        if let Some(time) = times.best(|rank| rank <= STRONG) {
            return Some((time.or(times.zone), None));
        }
        let free = is_free.then(|| {
            let others = &times.others;
            let is_left_out = |place: &Range<usize>| {
                let mut others = others.iter();
                others.any(|range| range.start <= place.start && place.end <= range.end)
            };
            Some(WrittenTime::of_line(row, order, &is_left_out)?.0)
        });
        let free = free.flatten();
        let whole = |time: &WrittenTime| time.is_whole();
        let weak = times.best(|_| true);
        let from_seen = seen(&mut times);
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
        if found.is_none() && from_seen.is_some() {
            return from_seen;
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
}
