//! What keys do in the Quota tab.

use super::QuotaTab;
use crate::tui::ctx::{
    UpdateCtx,
    binding::{
        Binding, char,
        rank::{FIRST, LATER},
        shown,
    },
    intent::{
        Gesture,
        Intent::{Own, Shared},
        Scope,
    },
    tab::Actions,
};

/// The tab.
pub(super) const QUOTA: Scope = Scope::Tab("Quota");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaAction {
    /// Ask each host what it allows.
    TestAccess,
}

impl Actions for QuotaTab {
    type Action = QuotaAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<QuotaAction>] = &[
        shown(QUOTA, char('R'), Shared(Gesture::Refresh), FIRST, "ask again", "ask for the status again").sends(),
        shown(QUOTA, char('t'), Own(QuotaAction::TestAccess), FIRST, "test access", "ask each host what it allows, without a query").sends(),
        shown(QUOTA, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn act(&mut self, action: QuotaAction, ctx: &mut UpdateCtx<'_>) {
        match action {
            QuotaAction::TestAccess => self.test_access(ctx),
        }
    }
}
