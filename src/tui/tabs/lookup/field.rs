//! What is typed: an address in any form, a network, or a text with several addresses; what stands for it before Enter; and what
//! Enter does. Nothing is sent before Enter.

use std::net::IpAddr;

use ipnet::IpNet;

use super::{LookupFocus, LookupTab, input::LookupInput};
use crate::{
    engine::views::ViewQuery,
    report::each,
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{
            UpdateCtx,
            destination::Destination,
            intent::Gesture,
            remote::Remote,
            request::Question,
            tab::TabReply,
            trail::{Trail, TrailStop},
        },
        ui::{cursor::Motion, theme::Tone, words},
    },
};

impl LookupTab {
    /// Goes to the field; its text is selected, so that what is typed or pasted takes its place.
    pub(super) fn begin_typing(&mut self) {
        self.focus(LookupFocus::Field);
        self.field.select_all();
    }

    pub(super) fn leave_field(&mut self, part: LookupFocus, ctx: &mut UpdateCtx<'_>) {
        self.focus(part);
        self.stop_reading_ahead(ctx);
        if let Some(here) = self.here {
            self.field.set(&here.address.to_string());
        }
    }

    pub(super) fn on_field(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Open => self.send(ctx),
            Gesture::Go(motion) => self.recall_typed(motion, ctx),
            Gesture::NextPane => match self.completion(ctx.trail) {
                Some(address) => {
                    self.field.set(&address);
                    self.look_ahead(ctx);
                }
                None => self.leave_field(LookupFocus::Page, ctx),
            },
            Gesture::Escape => self.leave_field(LookupFocus::Page, ctx),
            Gesture::Today => {
                self.date = None;
                self.today_for = self.here;
                ctx.out.say(Tone::Ok, "lookups ask for today");
                self.look_ahead(ctx);
            }
            Gesture::PreviousPane => self.leave_field(LookupFocus::Trail, ctx),
            _ => return false,
        }
        true
    }

    /// The newest address of the trail that begins with what is typed.
    pub(super) fn completion(&self, trail: &Trail) -> Option<String> {
        let typed = self.field.value();
        if typed.is_empty() || self.field.is_selected() {
            return None;
        }
        addresses(trail)
            .into_iter()
            .find(|address| address.len() > typed.len() && address.starts_with(typed))
    }

    /// Puts an address of the trail into the field: up goes back in time, down forward.
    fn recall_typed(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let addresses = addresses(ctx.trail);
        let here = addresses
            .iter()
            .position(|address| address == self.field.value());
        let next = match (motion, here) {
            (Motion::Up, None) => Some(0),
            (Motion::Up, Some(index)) => Some((index + 1).min(addresses.len() - 1)),
            (Motion::Down, Some(index)) => index.checked_sub(1),
            _ => return,
        };
        match next.and_then(|index| addresses.get(index)) {
            Some(address) => self.field.set(address),
            None => self.field.clear(),
        }
        self.look_ahead(ctx);
    }

    /// Looks up what is typed.
    fn send(&mut self, ctx: &mut UpdateCtx<'_>) {
        match LookupInput::of(self.field.value()) {
            LookupInput::Address(address) => {
                let query = self.query_for(address);
                if self.is_said_free(query, ctx.facts) {
                    self.visit_at_hand(query, ctx);
                } else {
                    self.visit(query, ctx);
                }
            }
            LookupInput::Network(network) => self.browse(network, ctx),
            LookupInput::List(list) => self.open_board(list, ctx),
            LookupInput::Nothing => ctx.out.say(Tone::Info, "type an address first"),
            LookupInput::Bad(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
        }
    }

    /// Opens the records of a network in the local feed that holds most of them.
    fn browse(&mut self, network: IpNet, ctx: &mut UpdateCtx<'_>) {
        self.stop_reading_ahead(ctx);
        let mut held = Remote::default();
        held.begin(ctx.ask(Question::HeldWithin(network)));
        self.browsing = Some((network, held));
    }

    /// The feeds that hold records within the network to browse. A user who left the field meanwhile is not moved.
    pub(super) fn browse_richest(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Some((network, mut held)) = self.browsing.take() else {
            return;
        };
        if !held.settle(reply.job, reply.result) {
            self.browsing = Some((network, held));
            return;
        }
        let held = match (held.value(), held.error()) {
            (Some(held), None) => held,
            (_, error) => {
                let why = error.map(|error| error.message.clone());
                return ctx.out.say(Tone::Error, why.unwrap_or_default());
            }
        };
        for own in &held.unusable {
            let why = format!("{} not counted: {}", own.feed, own.why.message);
            ctx.out.say(Tone::Warn, why);
        }
        let Some(count) = held.richest() else {
            let feeds: Vec<&str> = held.counts().map(|own| own.feed.name()).collect();
            let text = if feeds.is_empty() {
                format!(
                    "{network}: no feed is local to browse; esc, then 4 opens Feeds, p downloads one"
                )
            } else {
                format!("{network}: no record lies in it in {}", each(&feeds, ", "))
            };
            return ctx.out.say(Tone::Warn, text);
        };
        let others = held
            .counts()
            .filter(|own| own.feed != count.feed && own.records > 0);
        let others: Vec<String> = others
            .map(|own| format!("{} {}", own.feed, words::number(own.records)))
            .collect();
        if !others.is_empty() {
            let text = format!("{network} is also in {}", each(&others, ", "));
            ctx.out.say(Tone::Info, text);
        }
        let filter: Filter = [Test::Within(vec![network])].into_iter().collect();
        let feed = count.feed;
        self.leave_field(LookupFocus::Page, ctx);
        ctx.out.go = Some(Destination::Browse(ViewQuery {
            feed,
            day: None,
            filter,
            order: Order::Address,
        }));
    }
}

/// The addresses of the trail, each once, the newest first.
fn addresses(trail: &Trail) -> Vec<String> {
    let mut seen: Vec<IpAddr> = Vec::new();
    for (visit, _) in trail.listed() {
        if let TrailStop::Address(query) = &visit.stop
            && !seen.contains(&query.address)
        {
            seen.push(query.address);
        }
    }
    seen.iter().map(ToString::to_string).collect()
}
