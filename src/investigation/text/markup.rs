//! XML: the elements of one name are rows; their fields are attributes, texts, and texts under the name that an attribute gives them.

use std::ops::Range;

use quick_xml::{Reader, events::Event};

use super::fields::RowFields;

/// The most bytes of the name of an element.
const LONGEST_NAME: usize = 80;

/// The most elements at the beginning that tell which ones are rows.
const TELLING: usize = 4096;

/// The elements that are rows in a text with this beginning, if it is XML.
pub(super) fn element_of(beginning: &[u8]) -> Option<String> {
    let is_markup = match beginning {
        [b'<', b'?' | b'!', ..] => true,
        [b'<', first, ..] => first.is_ascii_alphabetic(),
        _ => false,
    };
    if !is_markup
        || memchr::memmem::find(beginning, b"</").is_none()
            && memchr::memmem::find(beginning, b"/>").is_none()
    {
        return None;
    }
    // The names of elements by depth, in the order in which they come, with how often.
    let mut levels: Vec<Vec<(String, usize, bool)>> = Vec::new();
    let mut depth = 0_usize;
    let mut reader = Reader::from_reader(beginning);
    reader.config_mut().check_end_names = false;
    for _ in 0..TELLING {
        let (name, is_open) = match reader.read_event() {
            Ok(Event::Start(start)) => (start.name().as_ref().to_owned(), true),
            Ok(Event::Empty(start)) => (start.name().as_ref().to_owned(), false),
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => continue,
        };
        if depth > 0
            && let Some(parent) = levels.get_mut(depth - 1).and_then(|level| level.last_mut())
        {
            parent.2 = true;
        }
        if depth < 4 {
            levels.resize_with(levels.len().max(depth + 1), Vec::new);
            let level = &mut levels[depth];
            match level.iter_mut().find(|parts| parts.0 == name) {
                Some(parts) => parts.1 += 1,
                None => level.push((name, 1, false)),
            }
        }
        depth += usize::from(is_open);
    }
    for (depth, level) in levels.iter().enumerate() {
        let repeated = level
            .iter()
            .max_by_key(|parts| parts.1)
            .filter(|parts| parts.1 > 1);
        if let Some((name, ..)) = repeated {
            return Some(name.clone());
        }
        // What is around others of its kind: `Events` around one `Event`.
        let around = level.iter().find(|parts| parts.2);
        let Some((name, ..)) = around else { break };
        let inner = levels
            .get(depth + 1)
            .and_then(|level| level.iter().find(|parts| parts.2));
        let is_one_of =
            inner.is_some_and(|(text, ..)| name.eq_ignore_ascii_case(&format!("{text}s")));
        let is_wrapper = is_one_of
            || level.len() == 1
                && levels
                    .get(depth + 1)
                    .is_some_and(|next| next.iter().any(|parts| parts.1 > 1));
        if !is_wrapper {
            return Some(name.clone());
        }
    }
    levels.first()?.first().map(|parts| parts.0.clone())
}

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// The element of the name, and where it ends if that is there.
    Element(Option<usize>),
    /// Something else.
    Other,
}

/// Whether the element of this name is that with which a text begins.
pub(super) fn beginning(text: &[u8], name: &str) -> Beginning {
    if !begins(text, name) {
        return Beginning::Other;
    }
    let close = format!("</{name}");
    let empty = memchr::memchr(b'>', text);
    if let Some(end) = empty
        && text[..end].ends_with(b"/")
    {
        return Beginning::Element(Some(end + 1));
    }
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&text[from..], close.as_bytes()) {
        let end = from + at + close.len();
        match text.get(end) {
            Some(b'>') => return Beginning::Element(Some(end + 1)),
            Some(_) => from = end,
            None => break,
        }
    }
    Beginning::Element(None)
}

fn begins(text: &[u8], name: &str) -> bool {
    text.strip_prefix(b"<")
        .and_then(|rest| rest.strip_prefix(name.as_bytes()))
        .is_some_and(|rest| {
            matches!(
                rest.first(),
                Some(b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\r')
            )
        })
}

/// The place of the next element of a name, from a place on.
pub(super) fn next_element(text: &[u8], name: &str) -> Option<usize> {
    let open = format!("<{name}");
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(text.get(from..)?, open.as_bytes())?;
        if begins(&text[at..], name) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Adds the fields of the element at this place of a row; what follows a mistake in it is left out.
pub(super) fn read(row: &[u8], place: Range<usize>, fields: &mut RowFields) {
    let group = fields.outermost();
    let text = &row[place.clone()];
    let mut reader = Reader::from_reader(text);
    reader.config_mut().check_end_names = false;
    let mut path: Vec<String> = Vec::new();
    // The place of a text, which entities divide into several parts.
    let mut open: Option<(Vec<u8>, Range<usize>)> = None;
    loop {
        let start = position(&reader);
        let event = reader.read_event();
        let end = position(&reader);
        let (element, is_empty) = match event {
            Ok(Event::Start(start)) => (start, false),
            Ok(Event::Empty(start)) => (start, true),
            Ok(Event::Text(text)) => {
                add_text(&mut open, text.as_ref().as_bytes(), start..end);
                continue;
            }
            Ok(Event::CData(cdata)) => {
                add_text(&mut open, cdata.as_ref().as_bytes(), start..end);
                continue;
            }
            Ok(Event::GeneralRef(bytes_ref)) => {
                let written = format!("&{};", bytes_ref.as_ref() as &str);
                let text = quick_xml::escape::unescape(&written);
                let text = text.unwrap_or_else(|_| written.as_str().into());
                add_text(&mut open, text.as_bytes(), start..end);
                continue;
            }
            Ok(Event::End(_)) => {
                if let Some((value, range)) = open.take() {
                    let own = place.start + range.start..place.start + range.end;
                    fields.push(&name_of(&path), value.trim_ascii(), own, group);
                }
                path.pop();
                continue;
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => continue,
        };
        open = None;
        let name = element.name().as_ref().to_owned();
        path.push(name.chars().take(LONGEST_NAME).collect());
        for attribute in element.attributes().with_checks(false).flatten() {
            let key = attribute.key.as_ref().to_owned();
            if key.starts_with("xmlns") {
                continue;
            }
            let raw: &str = attribute.value.as_ref();
            let is_name = matches!(key.as_str(), "Name" | "name" | "key" | "Key") && !is_empty;
            if is_name {
                // `<Data Name="TargetUserName">alice</Data>`
                path.pop();
                path.push(format!("={raw}"));
                continue;
            }
            let at = raw.as_ptr() as usize - text.as_ptr().min(raw.as_ptr()) as usize;
            let at = place.start
                + if at + raw.len() <= text.len() {
                    at
                } else {
                    start
                };
            path.push(key);
            let value = quick_xml::escape::unescape(raw);
            let value = value.unwrap_or_else(|_| raw.into());
            fields.push(&name_of(&path), value.as_bytes(), at..at + raw.len(), group);
            path.pop();
        }
        if is_empty {
            path.pop();
        }
    }
}

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

fn add_text(open: &mut Option<(Vec<u8>, Range<usize>)>, text: &[u8], place: Range<usize>) {
    if open.is_none() && text.trim_ascii().is_empty() {
        return;
    }
    let (value, own) = open.get_or_insert_with(|| (Vec::new(), place.clone()));
    value.extend_from_slice(text);
    own.end = place.end;
}

/// The name of a field: that of its attribute, else the elements down to it, without the row.
fn name_of(path: &[String]) -> String {
    let named = path.iter().rposition(|text| text.starts_with('='));
    match named {
        Some(at) => {
            let own: Vec<&str> = path[at..]
                .iter()
                .map(|text| text.trim_start_matches('='))
                .collect();
            own.join(".")
        }
        None if path.len() > 1 => path[1..].join("."),
        None => path.join("."),
    }
}
