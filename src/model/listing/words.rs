//! Names in a text that is no JSON: lines, columns, a page.

use std::collections::HashSet;

use super::entry::{ListingEntry, MOST, is_file, last_segment};
use crate::model::Day;

/// Every word that looks like a run or a file of the service, each once; none when there is no such word.
///
/// Menus, style sheets and links to parents do not look like that, so a page that is no index has none.
pub(super) fn entries(text: &str) -> Option<Vec<ListingEntry>> {
    if text.trim_start().starts_with(['{', '[']) {
        return None; // JSON that breaks off is not a list of words
    }
    let mut seen = HashSet::new();
    let mut entries = Vec::new();
    for word in text.split(ends_a_word).filter(|word| is_name(word)) {
        let absolute = word.starts_with('/') || word.contains("://");
        let entry = ListingEntry::named(if absolute { last_segment(word) } else { word });
        if seen.insert(entry.name.clone()) {
            entries.push(entry);
        }
        if entries.len() > MOST {
            break; // it is refused
        }
    }
    (!entries.is_empty()).then_some(entries)
}

fn ends_a_word(character: char) -> bool {
    character.is_whitespace() || character.is_control() || "<>\"'=,;?#".contains(character)
}

/// A dashed date is more often a column than a name.
fn is_name(word: &str) -> bool {
    is_file(word) || Day::from_compact(last_segment(word)).is_some()
}
