//! The fields of a row, each with its place in it. Kept flat, since rows are many and each has its fields for a moment only.

use std::ops::Range;

use super::field_names::{FieldNames, without_frame};

/// The most bytes of a value that are kept.
const LONGEST: usize = 512;

/// The most fields of a row.
const MOST: usize = 4096;

/// The fields of a row, and how they are divided into groups.
#[derive(Debug, Default)]
pub struct RowFields {
    names: FieldNames,
    /// The values, one after the other.
    text: String,
    fields: Vec<FieldPlace>,
    /// The numbers of the names that rows had at each place last.
    guesses: Vec<u32>,
    groups: Vec<Group>,
    lists: Vec<List>,
    /// Where the fields of a request end that a line begins with.
    pub(super) request_end: Option<usize>,
    /// The number of the form that the last line with a form had, where that is one of the first few; else 0.
    pub(super) likely_form: usize,
    /// Room for the values of the form that a line has.
    pub(super) form_values: Vec<(&'static str, Range<usize>)>,
}

#[derive(Clone, Debug)]
struct FieldPlace {
    /// The number of its name in the whole document, and within its event.
    path: u32,
    name: u32,
    value: Range<usize>,
    at: Range<usize>,
    group: u32,
}

/// What an object of a list is: the fields that are in it and in no object of a list within it.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// How long the names are that lead to it.
    prefix: usize,
    /// The group around the list.
    parent: u32,
    /// The list that it is in; of the outermost group none.
    list: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct List {
    /// Whether its objects have addresses or times of their own: then they are events.
    is_of_events: bool,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldView<'f> {
    /// Its name within its event.
    pub name: &'f str,
    /// Its name in the whole document.
    pub path: &'f str,
    /// The numbers of both names, which they keep for a generation of names.
    pub number: u32,
    pub path_number: u32,
    pub value: &'f str,
    /// Its place in the row.
    pub at: Range<usize>,
    /// The group that it is in.
    pub group: u32,
}

impl RowFields {
    pub fn clear(&mut self) {
        if self.names.make_room() {
            self.guesses.clear();
        }
        self.text.clear();
        self.fields.clear();
        self.groups.clear();
        self.lists.clear();
        self.request_end = None;
    }

    /// Where the fields of a request end that a line begins with.
    #[must_use]
    pub fn request_end(&self) -> Option<usize> {
        self.request_end
    }

    /// The generation of names: with the next one their numbers begin anew.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.names.generation
    }

    /// The name with this number.
    #[must_use]
    pub fn name_of(&self, number: u32) -> &str {
        self.names.text(number)
    }

    /// The number of a name.
    pub fn number_of(&mut self, name: &str) -> u32 {
        self.names.number(name)
    }

    /// The number of the outermost group, once it is needed.
    pub(super) fn outermost(&mut self) -> u32 {
        if self.groups.is_empty() {
            self.groups.push(Group {
                prefix: 0,
                parent: 0,
                list: None,
            });
        }
        0
    }

    pub(super) fn list(&mut self) -> u32 {
        self.lists.push(List::default());
        u32::try_from(self.lists.len() - 1).unwrap_or(u32::MAX)
    }

    /// A new group in a list; `prefix` are the names that lead to it.
    pub(super) fn group(&mut self, parent: u32, list: u32, prefix: &str) -> u32 {
        self.groups.push(Group {
            prefix: prefix.len(),
            parent,
            list: Some(list),
        });
        u32::try_from(self.groups.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn push(&mut self, name: &str, value: &[u8], at: Range<usize>, group: u32) {
        if self.fields.len() == MOST || name.is_empty() {
            return;
        }
        // Rows are alike: the name at the same place of the last row is a good guess.
        let at_place = self.fields.len();
        let guess = self.guesses.get(at_place).copied();
        let path = match guess.filter(|number| self.names.text(*number) == name) {
            Some(path) => path,
            None => self.names.number(name),
        };
        match self.guesses.get_mut(at_place) {
            Some(guess) => *guess = path,
            None => self.guesses.push(path),
        }
        let start = self.text.len();
        let value = &value[..value.len().min(4 * LONGEST)];
        match std::str::from_utf8(value) {
            Ok(value) => self.push_value(value),
            Err(_) => self.push_value(&String::from_utf8_lossy(value)),
        }
        self.fields.push(FieldPlace {
            path,
            name: self.names.within(path),
            value: start..self.text.len(),
            at,
            group,
        });
    }

    fn push_value(&mut self, value: &str) {
        // Most values have nothing to trim.
        let is_visible = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
        let bytes = value.as_bytes();
        let is_trimmed = is_visible(bytes.first()) && is_visible(bytes.last());
        let value = if is_trimmed { value } else { value.trim() };
        let value = &value[..value.floor_char_boundary(LONGEST)];
        self.text.push_str(value);
    }

    /// Adds the fields of a message that is the value of a field at this place.
    pub(super) fn take_message(&mut self, message: &Self, place: &Range<usize>, group: u32) {
        for view in message.iter() {
            self.push(view.name, view.value.as_bytes(), place.clone(), group);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = FieldView<'_>> + Clone {
        self.fields.iter().map(|place| self.view(place))
    }

    /// The numbers of the names of all fields within their events, each with what looks at its field.
    pub fn numbered<'f>(&'f self) -> impl Iterator<Item = (u32, impl FnOnce() -> FieldView<'f>)> {
        let fields = self.fields.iter();
        fields.map(move |place| (place.name, move || self.view(place)))
    }

    fn view(&self, place: &FieldPlace) -> FieldView<'_> {
        FieldView {
            name: self.names.text(place.name),
            path: self.names.text(place.path),
            number: place.name,
            path_number: place.path,
            value: &self.text[place.value.clone()],
            at: place.at.clone(),
            group: place.group,
        }
    }

    /// Names the fields within their events, once these are known.
    pub fn name_within_events(&mut self) {
        for at in 0..self.fields.len() {
            let FieldPlace { path, group, .. } = self.fields[at];
            let event = self.event_of(group) as usize;
            let prefix = self.groups.get(event).map_or(0, |group| group.prefix);
            if prefix == 0 {
                continue;
            }
            let path = self.names.text(path);
            let within = without_frame(path.get(prefix..).unwrap_or(path));
            // An element of a list of texts.
            let last = || path.rsplit('.').next().unwrap_or(path);
            let within = if within.is_empty() { last() } else { within };
            let within = within.to_owned();
            self.fields[at].name = self.names.number(&within);
        }
    }

    /// The list that a group is directly in.
    #[must_use]
    pub fn list_of(&self, group: u32) -> Option<u32> {
        self.groups.get(group as usize)?.list
    }

    /// The innermost field of a row that has this place; of several in one string that with what is there.
    #[must_use]
    pub fn at(&self, row: &[u8], place: &Range<usize>) -> Option<FieldView<'_>> {
        let mut found: Option<&FieldPlace> = None;
        let spelled = &row[place.clone()];
        let has = |place: &FieldPlace| {
            let value = self.text[place.value.clone()].as_bytes();
            memchr::memmem::find(value, spelled).is_some()
        };
        for field_place in &self.fields {
            if field_place.at.start > place.start || field_place.at.end < place.end {
                continue;
            }
            let is_better = found.is_none_or(|best| {
                let (len, of_best) = (field_place.at.len(), best.at.len());
                len < of_best || len == of_best && !has(best) && has(field_place)
            });
            if is_better {
                found = Some(field_place);
            }
        }
        Some(self.view(found?))
    }

    /// Whether the row has lists of objects.
    #[must_use]
    pub fn is_divided(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Notes that a group has an address or a time of its own, so that its list is one of events.
    pub fn mark_event(&mut self, group: u32) {
        let mut group = group;
        while let Some(Group {
            parent,
            list: Some(list),
            ..
        }) = self.groups.get(group as usize).copied()
        {
            self.lists[list as usize].is_of_events = true;
            group = parent;
        }
    }

    /// The event that a group belongs to: itself, or the first around it that is no mere part of another.
    #[must_use]
    pub fn event_of(&self, group: u32) -> u32 {
        let mut group = group;
        loop {
            match self.groups.get(group as usize) {
                Some(Group {
                    parent,
                    list: Some(list),
                    ..
                }) if !self.lists[*list as usize].is_of_events => group = *parent,
                _ => return group,
            }
        }
    }

    /// How many lists of events are between the event of one group and that of another around it; `None` where it is not around it.
    #[must_use]
    pub fn distance(&self, inner: u32, outer: u32) -> Option<u32> {
        if self.lists.is_empty() {
            return Some(0);
        }
        let outer = self.event_of(outer);
        let mut own = self.event_of(inner);
        let mut steps = 0;
        while own != outer {
            let group = self.groups.get(own as usize)?;
            group.list?;
            own = self.event_of(group.parent);
            steps += 1;
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_a_list_share_what_is_around_it_and_nothing_else() {
        let mut fields = RowFields::default();
        let outer = fields.outermost();
        let events = fields.list();
        let first = fields.group(outer, events, "");
        let second = fields.group(outer, events, "");
        let headers = fields.list();
        let header = fields.group(first, headers, "headers");
        for group in [first, second] {
            fields.mark_event(group);
        }
        assert_eq!(fields.event_of(header), first, "a part of the event");
        assert_eq!(fields.distance(header, first), Some(0));
        assert_eq!(fields.distance(first, outer), Some(1));
        assert_eq!(fields.distance(first, second), None);
        assert_eq!(fields.distance(outer, first), None);
    }
}
