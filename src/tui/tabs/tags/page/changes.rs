//! The changes of a tag since the previous local release.

use ratatui::text::{Line, Span};

use crate::{
    engine::{TagChange, TagChanges},
    model::visible,
    store::diff::ChangeKind,
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        ui::widgets::page::{PageRow, Section, SectionSide},
    },
};

/// Differences that are shown.
const MOST: usize = 8;

pub(super) fn write(changes: &TagChanges, change: &TagChange, writer: &mut SheetWriter<'_>) {
    let title = format!("Since {}", changes.since.dashed());
    let mut section = Section::new(title, SectionSide::Both);
    let theme = writer.theme;
    match change.kind {
        ChangeKind::Added => section.push(PageRow::text("+ added")),
        ChangeKind::Removed => {
            let text = "- removed: this is its last record";
            section.push(PageRow::text(Line::styled(text, theme.warn)));
        }
        ChangeKind::Changed => {
            for difference in change.differences.iter().take(MOST) {
                let (before, after) = (
                    plain(difference.a.as_deref()),
                    plain(difference.b.as_deref()),
                );
                let text = format!("{before} -> {after}");
                let line = Line::from(vec![
                    Span::styled(format!("{}  ", visible(&difference.path)), theme.label),
                    Span::raw(visible(&text).into_owned()),
                ]);
                let row = PageRow::text(line);
                let meaning = Meaning::new(difference.path.clone(), text);
                section.push(writer.anchor(row, meaning));
            }
            let more = change.differences.len().saturating_sub(MOST);
            if more > 0 {
                section.push(writer.aside(format!("and {more} more")));
            }
        }
    }
    writer.push(section);
}

fn plain(value: Option<&str>) -> &str {
    value.unwrap_or("(absent)")
}
