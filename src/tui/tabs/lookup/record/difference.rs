//! The places in which the local or the cached answer differs from the live one, each in a row.

use ratatui::text::Line;

use crate::{
    model::{compare::DifferenceKind, visible},
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        tabs::lookup::{case::LookupCase, other_sources::SourceAgreement},
        ui::widgets::{
            columns::{Column, Width},
            page::{PageRow, Section, SectionSide},
        },
    },
};

/// Rows of one source; all of them are in the comparison.
const MOST: usize = 12;

/// Writes the differences of each source from the answer that is shown.
pub(super) fn push(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    for one in &case.beside {
        let SourceAgreement::Differs(places) = &one.stands else {
            continue;
        };
        let columns = vec![
            Column::new("", Width::Fixed(1)),
            Column::new("FIELD", Width::Min(8)),
            Column::new("SHOWN", Width::Fill(12)),
            Column::new(one.source.to_uppercase(), Width::Fill(12)),
        ];
        let network = one.network.as_deref().map(|network| format!(" {network}"));
        let day = one.day.as_deref().unwrap_or_default();
        let title = format!("{}{} differs", one.source, network.unwrap_or_default());
        let mut section = Section::new(title, SectionSide::Both)
            .columns(columns)
            .note(day.to_owned());
        for found in places.iter().take(MOST) {
            let style = match found.change() {
                DifferenceKind::Equal => theme.dim,
                DifferenceKind::Changed => theme.warn,
                DifferenceKind::Added => theme.good,
                DifferenceKind::Removed => theme.bad,
            };
            let side = |side: &Option<String>| match side {
                Some(text) => Line::raw(visible(text).into_owned()),
                None => Line::styled("-", theme.dim),
            };
            let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
            let path = visible(&found.path).into_owned();
            let value = format!("{} / {}", text(&found.a), text(&found.b));
            let cells = vec![
                Line::styled(found.change().sign().to_string(), style),
                Line::raw(path.clone()),
                side(&found.a),
                side(&found.b),
            ];
            section.push(writer.anchor(PageRow::cells(cells), Meaning::new(path, value)));
        }
        if places.len() > MOST {
            let text = format!("{} more places differ", places.len() - MOST);
            section.push(writer.aside(text));
        }
        writer.push(section);
    }
}
