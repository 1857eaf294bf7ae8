//! What is typed: an address in whatever form, a network, or a text with several addresses; what stands for it before Enter; and what
//! Enter does. Nothing is sent before Enter.

use std::net::IpAddr;

use ipnet::IpNet;

use super::{LookupTab, Part, typed::Typed};
use crate::{
    engine::views::{Pivot, Pivots, ViewQuery},
    model::{Document, Subject},
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{
            UpdateCtx,
            intent::Gesture,
            place::Place,
            remote::Remote,
            request::{Answered, JobId, Question},
            tab::Reply,
            trail::{Stop, Trail},
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

impl LookupTab {
    /// Goes to the field; its text is selected, so that what is typed or pasted takes its place.
    pub(super) fn begin_typing(&mut self) {
        self.part = Part::Field;
        self.field.select_all();
    }

    pub(super) fn leave_field(&mut self, part: Part) {
        self.part = part;
        self.preview = None;
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
                None => self.leave_field(Part::Page),
            },
            Gesture::Escape => self.leave_field(Part::Page),
            Gesture::PreviousPane => self.leave_field(Part::Trail),
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

    /// Reads what is at hand about the address in the field, so that its price stands there before Enter. Sends nothing.
    pub(super) fn look_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Typed::Address(address) = Typed::of(self.field.value()) else {
            self.preview = None;
            return;
        };
        let query = self.query_for(address);
        let is_there = self.preview.as_ref().is_some_and(|(own, _)| *own == query);
        if !is_there && ctx.facts.admission.refuses(address).is_none() {
            let mut found = Remote::default();
            found.begin(ctx.ask(Question::Sources(query)));
            self.preview = Some((query, found));
        }
    }

    /// Looks up what is typed.
    fn send(&mut self, ctx: &mut UpdateCtx<'_>) {
        match Typed::of(self.field.value()) {
            Typed::Address(address) => self.visit(self.query_for(address), ctx),
            Typed::Network(network) => self.browse(network, ctx),
            Typed::Several(several) => self.open_board(several, ctx),
            Typed::Nothing => ctx.out.say(Tone::Info, "type an address first"),
            Typed::Bad(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
        }
    }

    /// Opens the records of a network in the local feed that has most of them.
    fn browse(&mut self, network: IpNet, ctx: &mut UpdateCtx<'_>) {
        if let Ok(nothing) = Document::read(b"{}") {
            let subject = Subject::Network(network);
            self.browsing = Some((network, ctx.ask(Question::Pivots(subject, nothing))));
        }
    }

    /// Whether a job was asked to find a feed to browse.
    pub(super) fn is_browsing(&self, job: JobId) -> bool {
        self.browsing.is_some_and(|(_, own)| own == job)
    }

    /// The feeds that have records around the network to browse.
    pub(super) fn browse_richest(&mut self, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Some((network, _)) = self.browsing.take() else {
            return;
        };
        let Pivots { pivots, unusable } = match Pivots::of_result(reply.result) {
            Ok(found) => found,
            Err(error) => return ctx.out.say(Tone::Error, error.message),
        };
        let richest = pivots.iter().find_map(Pivot::richest);
        let first = || pivots.iter().find_map(|pivot| pivot.counts.first());
        for own in &unusable {
            let why = format!("{} not counted: {}", own.feed, own.why.message);
            ctx.out.say(Tone::Warn, why);
        }
        let Some(count) = richest.or_else(first) else {
            let text =
                format!("{network}: no feed is local to browse; 4 opens Feeds, p downloads one");
            return ctx.out.say(Tone::Warn, text);
        };
        let filter: Filter = [Test::Within(vec![network])].into_iter().collect();
        self.leave_field(Part::Page);
        ctx.out.go = Some(Place::Browse(ViewQuery {
            feed: count.feed,
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
        if let Stop::Address(query) = &visit.stop
            && !seen.contains(&query.address)
        {
            seen.push(query.address);
        }
    }
    seen.iter().map(ToString::to_string).collect()
}
