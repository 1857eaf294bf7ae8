//! What the Quota tab says, as one page: the balance first, then what was spent and saved, the forecast with the guards, and
//! what each host allows.

mod access;
mod balance;
mod forecast;
mod spent;

use ratatui::style::Style;

use super::QuotaTab;
use crate::tui::ctx::{
    ViewCtx,
    sheet::{Sheet, Writer},
};

impl QuotaTab {
    /// The page.
    #[must_use]
    pub fn sheet(&self, ctx: &ViewCtx<'_>) -> Sheet {
        let mut writer = Writer::new(ctx.theme);
        balance::write(self, ctx, &mut writer);
        spent::write(self, ctx, &mut writer);
        forecast::write(self, ctx, &mut writer);
        access::write(self, ctx, &mut writer);
        if let Some(status) = self.status.value() {
            let status = &status.value;
            writer.beyond(&status.unknown, &status.odd, false, Style::new());
        }
        writer.finish()
    }
}
