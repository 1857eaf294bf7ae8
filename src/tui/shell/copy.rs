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
        ctx::{
            Facts, Flow, Gesture, Meaning, Outbox, Scope, Subject, Surface, UpdateCtx, ViewCtx,
            Yank,
        },
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
        let choices = ctx
            .keys
            .iter()
            .filter(|binding| binding.scope == Scope::Yank);
        let choices: Vec<_> = choices.collect();
        let height = u16::try_from(choices.len()).unwrap_or(8);
        let widest = choices
            .iter()
            .map(|binding| cells::width(binding.help))
            .max();
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

/// Copies what is in front in a format common to all tabs; `None` if there is nothing in it.
pub(super) fn copy(
    what: Yank,
    subject: &Subject<'_>,
    marked: &[String],
    facts: &Facts,
    out: &mut Outbox,
) -> Option<()> {
    let meaning = subject.meaning.as_ref();
    match what {
        Yank::Address if !marked.is_empty() => copy_marked(marked, out),
        Yank::Address => {
            let name = subject.name()?;
            out.copy(name.clone(), name);
        }
        Yank::Defanged if !marked.is_empty() => {
            let addresses = marked.iter().filter(|name| name.parse::<IpAddr>().is_ok());
            let addresses: Vec<String> = addresses.map(|text| defanged(text)).collect();
            (!addresses.is_empty()).then(|| copy_marked(&addresses, out))?;
        }
        Yank::Defanged => {
            let address = defanged(&subject.address?.to_string());
            out.copy("the address, defanged,", address);
        }
        Yank::Curl => out.copy(
            "the request as curl",
            facts.curl(subject.endpoint.as_ref()?),
        ),
        Yank::Value => out.copy(meaning?.label.clone(), meaning?.value.clone()),
        Yank::Row => {
            let Meaning { label, value, .. } = meaning?;
            out.copy(label.clone(), format!("{label}: {value}"));
        }
        Yank::Json => out.copy_json("the JSON", subject.document?.text()),
        Yank::Ticket => return None,
    }
    Some(())
}

fn copy_marked(names: &[String], out: &mut Outbox) {
    let words = match names.len() {
        1 => "1 marked row".to_owned(),
        more => format!("{} marked rows", count(more as u64)),
    };
    let lines: Vec<_> = names.iter().map(|name| visible(name)).collect();
    out.copy_lines(words, lines.join("\n"));
}
