//! A line with every list reversed, and nothing else changed: the same record, since the order of lists means nothing.

/// Appends the JSON text with the items of every list in reverse order, at every depth. Other bytes stay as they are.
pub(crate) fn reverse_lists(json: &[u8], into: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(byte) = json.get(at) {
        let end = match byte {
            b'"' => string_end(json, at),
            b'[' => list_end(json, at),
            _ => at + 1,
        };
        if *byte == b'[' {
            into.push(b'[');
            let items = items(&json[at + 1..end - 1]);
            for (place, item) in items.iter().rev().enumerate() {
                if place > 0 {
                    into.push(b',');
                }
                reverse_lists(item, into);
            }
            into.push(b']');
        } else {
            into.extend_from_slice(&json[at..end]);
        }
        at = end;
    }
}

/// The items of a list, from what is between its brackets.
fn items(inside: &[u8]) -> Vec<&[u8]> {
    let (mut items, mut start, mut at, mut depth) = (Vec::new(), 0, 0, 0);
    while let Some(byte) = inside.get(at) {
        match byte {
            b'"' => {
                at = string_end(inside, at);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                items.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    items.push(&inside[start..]);
    items
}

/// The place behind the string that begins here.
fn string_end(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

/// The place behind the list that begins here.
fn list_end(json: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => {
                at = string_end(json, at);
                continue;
            }
            b'[' => depth += 1,
            b']' if depth == 1 => return at + 1,
            b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    json.len()
}
