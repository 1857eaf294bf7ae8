//! What looking up the addresses without an answer would cost, before anything is sent: how many, and what is left afterwards.

use std::collections::HashSet;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use crate::{
    contract::LookupQuery,
    engine::answers::PossiblySpent,
    investigation::board::network_around,
    tui::{
        ctx::{
            Confirm, Destination, Facts, Flow, Gesture, Price, Scope, Surface, UpdateCtx, ViewCtx,
            Why,
        },
        ui::{Popup, TextField, words},
    },
};

/// Cells of the labels.
const LABEL: usize = 15;

/// The addresses of the table that could be looked up, and how many of them will be.
#[derive(Debug)]
pub(in crate::tui::tabs::lookup) struct LookupPlan {
    /// The number of rows in question.
    pub(super) rows: u64,
    /// Of those, the ones that are never sent.
    pub(super) not_public: u64,
    /// Those whose role in the text is no source, or that may end in a port: sent only where the filter names their role.
    pub(super) others: u64,
    /// Those about a day that is not over.
    pub(super) too_early: u64,
    /// The queries of those without an answer, in the order of the table.
    pub(super) unknown: Vec<LookupQuery>,
    /// The number of those that are known as an entry or by their network alone: the head of the table does not count them as unknown.
    pub(super) named: u64,
    /// Those that are possibly spent already: they are sent again where nothing else is left, after a question.
    pub(super) possibly_spent: Vec<LookupQuery>,
    /// Whether of each network and day only the first is sent.
    pub(super) one_of_each: bool,
    /// The most queries to spend; all if it is empty.
    pub(super) most: TextField,
}

impl LookupPlan {
    /// What is sent, and what is done about queries that are possibly spent.
    fn queries(&self) -> (Vec<LookupQuery>, PossiblySpent) {
        let (all, lost) = if self.unknown.is_empty() {
            (&self.possibly_spent, PossiblySpent::Repeated)
        } else {
            (&self.unknown, PossiblySpent::LeftOut)
        };
        let mut networks = HashSet::new();
        let mut is_first =
            |query: &LookupQuery| networks.insert((network_around(query.address), query.date));
        let all = all
            .iter()
            .filter(|query| !self.one_of_each || is_first(query));
        (all.copied().collect(), lost)
    }

    fn more_lines(&self) -> u16 {
        u16::from(self.others > 0)
            + u16::from(self.too_early > 0)
            + u16::from(!self.possibly_spent.is_empty())
    }

    /// How many queries are sent.
    fn number(&self) -> Result<usize, &'static str> {
        let all = self.queries().0.len();
        match self.most.value().trim() {
            "" => Ok(all),
            digits => match digits.replace([',', '_'], "").parse() {
                Ok(0) | Err(_) => Err("a number of queries, 1 or more"),
                Ok(most) => Ok(all.min(most)),
            },
        }
    }

    fn cost(&self, facts: &Facts) -> Result<String, &'static str> {
        let number = self.number()? as u64;
        let cost = words::queries(number);
        let Some(balance) = facts.balance else {
            return Ok(format!("{cost}; the balance is unknown"));
        };
        let left = balance.remaining.saturating_sub(number);
        let guard = facts.guards.stop_below;
        let stops = if left < guard {
            format!("; stops at stop_below ({})", words::number(guard))
        } else {
            String::new()
        };
        Ok(format!("{cost} -> balance {}{stops}", words::number(left)))
    }
}

impl Surface for LookupPlan {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(&mut self.most)
    }

    fn when(&self, gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match gesture {
            Gesture::Open => {
                let number = self.number().map_err(Why::from)?;
                Ok(Some(words::queries(number as u64).into()))
            }
            _ => Ok(None),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match (gesture, self.number()) {
            (Gesture::Open, Ok(number)) => {
                let (queries, lost) = self.queries();
                let place = Destination::BoardLookups(queries[..number].to_vec(), lost);
                let most = ctx.facts.guards.confirm_over;
                let cost = words::queries(number as u64);
                let question = match lost {
                    PossiblySpent::Repeated => Some(format!(
                        "Send {cost} again? They were sent before without an answer, and may be paid for twice."
                    )),
                    PossiblySpent::LeftOut if number as u64 > most => {
                        Some(format!("Send {cost}? More than confirm_over ({most})."))
                    }
                    PossiblySpent::LeftOut => None,
                };
                if let Some(question) = question {
                    ctx.out.confirm = Some(Confirm {
                        question,
                        then: Vec::new(),
                        go: Some(place),
                        erases: false,
                    });
                } else {
                    ctx.out.go = Some(place);
                }
                Flow::Close
            }
            (Gesture::NextPane, _) => {
                self.one_of_each = !self.one_of_each;
                Flow::Done
            }
            (Gesture::Escape, _) => Flow::Close,
            _ => Flow::Ignored,
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let (theme, of_each) = (ctx.theme, usize::from(self.one_of_each));
        let inner = Popup::new(
            "Look up what is unknown",
            Size::new(64, 6 + self.more_lines()),
        )
        .key(theme, "enter", "send", 0)
        .key(
            theme,
            "tab",
            if self.one_of_each {
                "all"
            } else {
                "one of each /24"
            },
            1,
        )
        .key(theme, "esc", "send nothing", 0)
        .draw(frame, area, ctx);
        let [unknown, lost] =
            [&self.unknown, &self.possibly_spent].map(|queries| queries.len() as u64);
        let answered = self.rows - self.not_public - self.others - self.too_early - unknown - lost;
        let networks = self.queries().0.len() as u64;
        let networks = format!("one of each /24 or IPv6 /48: {}", words::number(networks));
        let from_top = match self.named {
            0 => "a query each, from the top".to_owned(),
            named => format!("a query each; {} in part known", words::number(named)),
        };
        let sent = [&from_top, &networks][of_each];
        let line = |label: &'static str, number: u64, rest: &str| {
            let label = Span::styled(format!("{label:<LABEL$}"), theme.dim);
            let number = Span::raw(format!("{:>9}   ", words::number(number)));
            Line::from(vec![
                label,
                number,
                Span::styled(rest.to_owned(), theme.dim),
            ])
        };
        let cost = match self.cost(ctx.facts) {
            Ok(cost) => Line::styled(format!("enter sends {cost}"), theme.warn),
            Err(why) => Line::styled(why, theme.bad),
        };
        let mut lines = vec![
            line("addresses", self.rows, "shown, or marked"),
            line("not public", self.not_public, "never sent"),
            line("answered", answered, "local or cached: free"),
            line("unanswered", unknown, sent),
        ];
        if self.others > 0 {
            lines.push(line(
                "other roles",
                self.others,
                "no sources: a role: filter adds them",
            ));
        }
        if self.too_early > 0 {
            lines.push(line(
                "day not over",
                self.too_early,
                "has no release yet: not sent",
            ));
        }
        if lost > 0 {
            let then = match self.queries().1 {
                PossiblySpent::Repeated => "sent before, no answer: sent again",
                PossiblySpent::LeftOut => "sent before, no answer: not repeated",
            };
            lines.push(line("possibly spent", lost, then));
        }
        let mut places = inner.rows();
        for (line, place) in lines.into_iter().zip(&mut places) {
            frame.render_widget(line, place);
        }
        if let Some(place) = places.next() {
            self.most.draw_behind("at most", frame, place, theme);
        }
        if let Some(place) = places.next() {
            frame.render_widget(cost, place);
        }
    }
}
