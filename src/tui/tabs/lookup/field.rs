//! The field for an address, a network or a text with several; what stands for its text before Enter.

use std::{
    net::IpAddr,
    ops::{Deref, DerefMut},
};

use ipnet::IpNet;

use crate::{
    engine::views::{HeldWithin, ViewQuery},
    report::each,
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{
            outbox::Outbox,
            trail::{Trail, TrailStop},
        },
        ui::{cursor::Motion, theme::Tone, widgets::text_field::TextField, words},
    },
};

#[derive(Debug)]
pub(super) struct AddressField(TextField);

impl Default for AddressField {
    fn default() -> Self {
        Self(TextField::new("address, network or pasted log"))
    }
}

impl Deref for AddressField {
    type Target = TextField;

    fn deref(&self) -> &TextField {
        &self.0
    }
}

impl DerefMut for AddressField {
    fn deref_mut(&mut self) -> &mut TextField {
        &mut self.0
    }
}

impl AddressField {
    /// The newest address of the trail that begins with what is typed.
    pub(super) fn completion(&self, trail: &Trail) -> Option<String> {
        let typed = self.value();
        if typed.is_empty() || self.is_selected() {
            return None;
        }
        addresses(trail)
            .into_iter()
            .find(|address| address.len() > typed.len() && address.starts_with(typed))
    }

    /// Puts an address of the trail into the field: up goes back in time, down forward.
    pub(super) fn recall(&mut self, motion: Motion, trail: &Trail) {
        let addresses = addresses(trail);
        let here = addresses.iter().position(|address| address == self.value());
        let next = match (motion, here) {
            (Motion::Up, None) => Some(0),
            (Motion::Up, Some(index)) => Some((index + 1).min(addresses.len() - 1)),
            (Motion::Down, Some(index)) => index.checked_sub(1),
            _ => return,
        };
        match next.and_then(|index| addresses.get(index)) {
            Some(address) => self.set(address),
            None => self.clear(),
        }
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

/// The records of a network in the local feed that has most of them; names the other feeds, or why there is none.
pub(super) fn richest_view(
    network: IpNet,
    held: &HeldWithin,
    out: &mut Outbox,
) -> Option<ViewQuery> {
    for own in &held.unusable {
        let why = format!("{} not counted: {}", own.feed, own.why.message);
        out.say(Tone::Warn, why);
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
        out.say(Tone::Warn, text);
        return None;
    };
    let others = held
        .counts()
        .filter(|own| own.feed != count.feed && own.records > 0);
    let others: Vec<String> = others
        .map(|own| format!("{} {}", own.feed, words::number(own.records)))
        .collect();
    if !others.is_empty() {
        let text = format!("{network} is also in {}", each(&others, ", "));
        out.say(Tone::Info, text);
    }
    let filter: Filter = [Test::Within(vec![network])].into_iter().collect();
    Some(ViewQuery {
        feed: count.feed,
        day: None,
        filter,
        order: Order::Address,
    })
}
