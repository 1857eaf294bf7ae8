//! What keys do in the Quota tab.

use super::{QuotaTab, guards::GuardsForm};
use crate::tui::ctx::{
    UpdateCtx,
    binding::{
        Binding, char,
        rank::{FIRST, LATER, SOON},
        shown,
    },
    intent::{
        Gesture,
        Intent::{Action, Shared},
        Scope,
    },
    tab::Actions,
};

pub(super) const QUOTA: Scope = Scope::Tab("Quota");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaAction {
    /// Ask each host what it allows.
    TestAccess,
    Guards,
    /// Days in place of hours in the chart, and back.
    Days,
}

impl Actions for QuotaTab {
    type Action = QuotaAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<QuotaAction>] = &[
        shown(QUOTA, char('R'), Shared(Gesture::Refresh), FIRST, "refresh (free)", "fetch the status again: costs no query").sends(),
        shown(QUOTA, char('t'), Action(QuotaAction::TestAccess), FIRST, "test access (free)", "ask each host what it allows: costs no query").sends(),
        shown(QUOTA, char('a'), Action(QuotaAction::Guards), FIRST, "guards", "set the guards: warn below, stop below, confirm over"),
        shown(QUOTA, char('b'), Action(QuotaAction::Days), SOON, "days/hours", "group the chart by days in place of hours, and back"),
        shown(QUOTA, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn act(&mut self, action: QuotaAction, ctx: &mut UpdateCtx<'_>) {
        match action {
            QuotaAction::TestAccess => self.test_access(ctx),
            QuotaAction::Guards => self.guards = Some(GuardsForm::of(&ctx.facts.guards)),
            QuotaAction::Days => self.by_day = !self.by_day,
        }
    }
}
