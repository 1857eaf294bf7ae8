//! Draws the record under the cursor beside the table, in words. The row has it: nothing is asked for it.

use ratatui::{Frame, layout::Rect};

use crate::{
    contract::catalog::RecordKind,
    model::{Document, Tag, visible},
    report::{Reading, of_tag},
    tui::{
        ctx::{SheetState, SheetWriter, ViewCtx},
        tabs::feeds::browser::Browser,
        ui::{Focus, Pane, SectionSide},
    },
};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, browser: &Browser, ctx: &ViewCtx<'_>) {
    let Some(row) = browser.list.row().filter(|_| !area.is_empty()) else {
        return;
    };
    let feed = browser.query().feed;
    let mut writer = SheetWriter::new(ctx.theme);
    writer.begin("", "", SectionSide::Both);
    let is_tag = feed.row().records == RecordKind::Tags;
    let facts = row.document().map(Document::value).and_then(|record| {
        if is_tag {
            Tag::decode(record).ok().map(|tag| of_tag(&tag))
        } else {
            Some(Reading::of(feed, record).facts())
        }
    });
    match facts {
        Some(facts) => writer.facts(&facts),
        None => writer.warning("this record cannot be read"),
    }
    let pane = Pane::new(visible(row.name()).into_owned(), Focus::Elsewhere);
    SheetState::default().draw(frame, area, pane, writer.finish(), ctx);
}
