//! The related tags of a tag, one row each, to open them.

use ratatui::text::Line;
use serde_json::Value;

use crate::{
    model::{Field, Tag, visible},
    tui::{
        ctx::{
            destination::Destination,
            sheet::{Meaning, SheetWriter},
        },
        ui::{
            widgets::page::{PageRow, SectionSide},
            words,
        },
    },
};

/// Adds the relations, whether there are any or not.
pub(super) fn write(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let leads = tag.relations();
    let remark = "enter follows, backspace returns";
    writer.begin("Graph", remark, SectionSide::Both);
    let alias_of = tag.alias_of.as_ref().map(|name| vec![name.clone()]);
    let resells = tag.resells.as_ref();
    let resells = resells.map(|resold| resold.iter().map(resold_name).collect());
    let mut without = Vec::new();
    for (wire, label, names) in [
        ("aliasOf", "alias of", &alias_of),
        ("aliases", "aliases", &tag.aliases),
        ("resoldBy", "resold by", &tag.resold_by),
        ("resells", "resells", &resells),
        ("allTags", "all tags", &others(tag)),
    ] {
        match names {
            Field::Is(names) if names.is_empty() => {
                // All tags of a service are its own name and those above.
                let is_above = wire == "allTags" && !tag.all_tags.items().is_empty();
                let state = if is_above { "no other" } else { "none" };
                without.push((state.to_owned(), label));
            }
            Field::Is(names) => {
                for (index, name) in names.iter().enumerate() {
                    let mut own = leads.iter().filter(|lead| lead.label == wire);
                    let lead = own.find(|lead| lead.tag.as_str() == name);
                    let lead = lead.map(|lead| Destination::Tag(lead.tag.clone()));
                    let theme = writer.theme;
                    let style = if lead.is_some() {
                        theme.accent
                    } else {
                        theme.text
                    };
                    let line = Line::styled(visible(name).into_owned(), style);
                    let head = if index == 0 { label } else { "" };
                    let meaning = Meaning::leading(label, name, lead);
                    writer.stop(PageRow::field(head, line), meaning);
                }
            }
            names => without.push((words::plain(names, |_| String::new()), label)),
        }
    }
    if !without.is_empty() {
        writer.remark(grouped(&without));
    }
}

/// The relations without a row, by what they are instead: `none: aliases   (absent): resells   no other: all tags`.
fn grouped(without: &[(String, &str)]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (state, label) in without {
        match groups.iter_mut().find(|(known, _)| known == state) {
            Some((_, labels)) => labels.push(label),
            None => groups.push((state, vec![label])),
        }
    }
    let groups = groups.iter();
    let groups: Vec<String> = groups
        .map(|(state, labels)| format!("{state}: {}", labels.join(", ")))
        .collect();
    groups.join("   ")
}

/// All tags of the service without those that are in the rows above.
fn others(tag: &Tag) -> Field<Vec<String>> {
    let is_above = |name: &String| {
        tag.tag.text() == Some(name)
            || tag.alias_of.text() == Some(name)
            || tag.aliases.items().contains(name)
    };
    tag.all_tags.as_ref().map(|names| {
        let others = names.iter().filter(|name| !is_above(name));
        others.cloned().collect()
    })
}

/// What a service resells; the contract does not say how it is written, so whatever is there is shown.
fn resold_name(entry: &Value) -> String {
    let named = entry.get("tag").unwrap_or(entry).as_str();
    named.map_or_else(|| entry.to_string(), str::to_owned)
}
