//! The tags to which a tag is related; a row each, since each leads there.

use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::{
    model::{Field, Tag, tag::Relation, visible},
    tui::{
        ctx::{
            place::Place,
            sheet::{Meaning, RowId, Writer},
        },
        ui::{
            widgets::page::{Row, Section, Side},
            words,
        },
    },
};

/// Adds the relations, whether there are any or not.
pub(super) fn write(tag: &Tag, writer: &mut Writer<'_>) {
    let leads = tag.relations();
    let title = Line::from(vec![
        Span::raw("Relations"),
        Span::styled("  enter follows, backspace returns", writer.theme.dim),
    ]);
    let mut section = Section::new(title, Side::Both);
    let alias_of = tag.alias_of.as_ref().map(|name| vec![name.clone()]);
    let resells = tag
        .resells
        .as_ref()
        .map(|resold| resold.iter().map(resold_name).collect());
    for (label, names) in [
        ("aliasOf", &alias_of),
        ("aliases", &tag.aliases),
        ("resoldBy", &tag.resold_by),
        ("resells", &resells),
        ("allTags", &tag.all_tags),
    ] {
        rows(label, names, &leads, &mut section, writer);
    }
    writer.push(section);
}

fn rows(
    label: &'static str,
    names: &Field<Vec<String>>,
    leads: &[Relation],
    section: &mut Section<'static, RowId>,
    writer: &mut Writer<'_>,
) {
    let Field::Is(names) = names else {
        let why = words::shown(names, writer.theme, |_| String::new());
        return section.push(writer.field(label, why));
    };
    if names.is_empty() {
        return section.push(writer.field(label, Line::styled("none", writer.theme.dim)));
    }
    for (index, name) in names.iter().enumerate() {
        let lead = leads
            .iter()
            .find(|lead| lead.label == label && lead.tag.as_str() == name);
        let style = if lead.is_some() {
            writer.theme.accent
        } else {
            writer.theme.text
        };
        let line = Line::styled(visible(name).into_owned(), style);
        let head = if index == 0 { label } else { "" };
        let mut meaning = Meaning::new(label, name.clone());
        meaning.lead = lead.map(|lead| Place::Tag(lead.tag.clone()));
        section.push(writer.anchor(Row::field(head, line), meaning));
    }
}

/// What a service resells; the contract does not say how it is written, so whatever is there stands.
fn resold_name(entry: &Value) -> String {
    let named = entry.get("tag").unwrap_or(entry).as_str();
    named.map_or_else(|| entry.to_string(), str::to_owned)
}
