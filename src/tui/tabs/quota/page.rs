//! The Quota tab as one page: the balance first, then what each host allows, what was spent and saved, and the forecast with the
//! guards.

mod access;
mod balance;
mod forecast;
mod latest;
mod spent;

use ratatui::{layout::Size, style::Style};

use super::QuotaTab;
use crate::tui::ctx::{
    ViewCtx,
    sheet::{Sheet, SheetWriter},
};

/// The size from which a screen is large.
const LARGE: Size = Size::new(150, 50);

impl QuotaTab {
    /// The page in an area of this size: a large one has room for both charts and for the lines of the ledger.
    #[must_use]
    pub fn sheet(&self, area: Size, ctx: &ViewCtx<'_>) -> Sheet {
        let is_large = area.width >= LARGE.width && area.height >= LARGE.height;
        let mut writer = SheetWriter::new(ctx.theme);
        balance::write(self, ctx, &mut writer);
        access::write(self, ctx, &mut writer);
        spent::write(self, is_large, ctx, &mut writer);
        forecast::write(self, ctx, &mut writer);
        if is_large {
            latest::write(self, &mut writer);
        }
        if let Some(status) = self.status.value() {
            let status = &status.value;
            writer.beyond(&status.unknown, &status.odd, false, Style::new());
        }
        writer.finish()
    }
}
