//! Copying: the menu of formats, and the formats common to all tabs. Those of the tab have precedence.

use std::net::IpAddr;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use crate::{
    model::visible,
    report::{count, defanged},
    tui::{
        ctx::{Flow, Gesture, Scope, Surface, Tab, UpdateCtx, ViewCtx, Yank},
        ui::{Pen, Popup, cells},
    },
};

/// What can be copied, beside the letters for it.
#[derive(Debug)]
pub(super) struct YankMenu;

impl Surface for YankMenu {
    fn scope(&self) -> Scope {
        Scope::Yank
    }

    fn on(&mut self, _gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        Flow::Ignored
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let choices = ctx.keys.iter().filter(|own| own.scope == Scope::Yank);
        let choices: Vec<_> = choices.collect();
        let height = u16::try_from(choices.len()).unwrap_or(8);
        let widest = choices.iter().map(|own| cells::width(own.help)).max();
        let width = widest.unwrap_or_default().saturating_add(5);
        let inner = Popup::new("Copy", Size::new(width, height)).draw(frame, area, ctx);
        for ((at, binding), row) in choices.iter().enumerate().zip(inner.rows()) {
            Pen::from(ctx).hint(row, at);
            let line = Line::from(vec![
                Span::styled(format!("{:<5}", binding.chord), ctx.theme.key),
                Span::raw(binding.help),
            ]);
            frame.render_widget(line, row);
        }
    }
}

/// Copies in a format; returns whether the tab has something in it.
pub(super) fn copy(tab: &mut dyn Tab, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
    tab.copy(what, ctx) || copy_shared(tab, what, ctx).is_some()
}

fn copy_marked(names: &[String], ctx: &mut UpdateCtx<'_>) {
    let words = match names.len() {
        1 => "1 marked row".to_owned(),
        more => format!("{} marked rows", count(more as u64)),
    };
    let lines: Vec<_> = names.iter().map(|name| visible(name)).collect();
    ctx.out.copy_lines(words, lines.join("\n"));
}

fn copy_shared(tab: &dyn Tab, what: Yank, ctx: &mut UpdateCtx<'_>) -> Option<()> {
    match what {
        Yank::Address => match tab.marked() {
            none if none.is_empty() => {
                let name = tab.subject().name()?;
                ctx.out.copy(name.clone(), name);
            }
            marked => copy_marked(&marked, ctx),
        },
        Yank::Defanged if !tab.marked().is_empty() => {
            let marked = tab.marked().into_iter();
            let addresses = marked.filter(|name| name.parse::<IpAddr>().is_ok());
            let addresses: Vec<String> = addresses.map(|own| defanged(&own)).collect();
            (!addresses.is_empty()).then(|| copy_marked(&addresses, ctx))?;
        }
        Yank::Defanged => {
            let address = defanged(&tab.subject().address?.to_string());
            ctx.out.copy("the address, defanged,", address);
        }
        Yank::Curl => {
            let curl = ctx.facts.curl(&tab.subject().endpoint?);
            ctx.out.copy("the request as curl", curl);
        }
        Yank::Value => {
            let meaning = tab.subject().meaning?;
            ctx.out.copy(meaning.label, meaning.value);
        }
        Yank::Row => {
            let meaning = tab.subject().meaning?;
            let text = format!("{}: {}", meaning.label, meaning.value);
            ctx.out.copy(meaning.label, text);
        }
        Yank::Json => ctx
            .out
            .copy_json("the JSON", tab.subject().document?.text()),
        Yank::Ticket => return None,
    }
    Some(())
}
