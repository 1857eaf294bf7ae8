//! Copying what a tab shows: what only the tab can make comes first, the rest is made here once for all tabs.

use crate::{
    report::defanged,
    tui::ctx::{UpdateCtx, intent::Yank, tab::Tab},
};

/// Copies something; says whether there was something of that kind.
pub(super) fn copy(tab: &mut dyn Tab, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
    tab.copy(what, ctx) || copy_shared(tab, what, ctx).is_some()
}

fn copy_shared(tab: &dyn Tab, what: Yank, ctx: &mut UpdateCtx<'_>) -> Option<()> {
    match what {
        Yank::Address => {
            let name = tab.name(ctx)?;
            ctx.out.copy(name.clone(), name);
        }
        Yank::Defanged => {
            let address = defanged(&tab.address()?.to_string());
            ctx.out.copy("the address, defanged,", address);
        }
        Yank::Curl => {
            let curl = ctx.facts.curl(&tab.endpoint(ctx)?);
            ctx.out.copy("the request as curl", curl);
        }
        Yank::Value => {
            let meaning = tab.meaning(ctx)?;
            ctx.out.copy(meaning.label, meaning.value);
        }
        Yank::Row => {
            let meaning = tab.meaning(ctx)?;
            let text = format!("{}: {}", meaning.label, meaning.value);
            ctx.out.copy(meaning.label, text);
        }
        Yank::Json => ctx.out.copy_json("the JSON", tab.document()?.text()),
        Yank::Ticket => return None,
    }
    Some(())
}
