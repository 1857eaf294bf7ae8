//! The newest lines of the ledger: what each query was spent for, and what was saved.

use ratatui::text::Line;

use super::super::{
    QuotaTab,
    tally::{LineSubject, TallyLine},
};
use crate::{
    engine::SavedBy,
    tui::{
        ctx::sheet::{Meaning, SheetWriter},
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::SectionSide,
            },
            words::{self, number},
        },
    },
};

pub(super) fn write(tab: &QuotaTab, writer: &mut SheetWriter<'_>) {
    let Some(tally) = tab.ledger.value() else {
        return;
    };
    writer.begin("Latest queries", "", SectionSide::Right);
    writer.columns(vec![
        Column::new("AT", Width::Fixed(20)),
        Column::new("FOR", Width::Fill(16)),
        Column::new("SPENT", Width::Min(5)).right(),
        Column::new("SAVED", Width::Min(5)).right(),
    ]);
    for entry in &tally.latest {
        row(entry, writer);
    }
}

fn row(entry: &TallyLine, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let at = words::instant(entry.at);
    let (what, spent, saved) = match &entry.what {
        LineSubject::Spent(line) => {
            let what = line.work.map_or("kind not recorded", |work| work.word());
            let what = if line.is_total {
                format!("{what}, added up")
            } else {
                what.to_owned()
            };
            let spent = match (line.surely, line.possibly) {
                (0, possibly) => format!("possibly {}", number(possibly.into())),
                (surely, 0) => number(surely.into()),
                (surely, possibly) => {
                    format!(
                        "{} to {}",
                        number(surely.into()),
                        number(u64::from(surely) + u64::from(possibly))
                    )
                }
            };
            (what, Some(spent), None)
        }
        LineSubject::Saved(line) => {
            let by = match line.by {
                SavedBy::Cache => "from the cache",
                SavedBy::Local => "from local feeds",
            };
            (by.to_owned(), None, Some(number(line.queries.into())))
        }
    };
    let said = match (&spent, &saved) {
        (Some(spent), _) => format!("{what}, spent {spent}"),
        (None, saved) => format!("{what}, saved {}", saved.as_deref().unwrap_or("0")),
    };
    let cells = vec![
        Line::styled(at.clone(), theme.dim),
        Line::raw(what),
        or_dash(spent, theme),
        or_dash(saved, theme),
    ];
    writer.cells(cells, Meaning::new(at, said));
}

fn or_dash(text: Option<String>, theme: &Theme) -> Line<'static> {
    text.map_or_else(|| Line::styled("-", theme.dim), Line::raw)
}
