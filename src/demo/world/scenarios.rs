//! Addresses told by hand, each to show one thing that records do.

mod scenario_records;

use std::net::Ipv4Addr;

use scenario_records::{
    agents, changed_hands, crowded, desktop, far_away, hostile, newcomer, onion, passengers, relay,
    sparse, unattributed,
};

use super::{Snapshot, attention::Attention, record::DemoRecord, seed::day_number};
use crate::model::Day;

/// A scripted address.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) address: Ipv4Addr,
    /// What it shows, in one line for people.
    pub(crate) shows: &'static str,
    pub(crate) standing: Attention,
    /// The days on which it is scripted; on others chance decides.
    pub(crate) on: fn(&Snapshot<'_>) -> bool,
    /// Writes the record, from what is plain about the address.
    pub(crate) tell: fn(&Snapshot<'_>, DemoRecord) -> DemoRecord,
}

/// The story of an address, if it has one.
pub(crate) fn story_of(address: Ipv4Addr) -> Option<&'static Scenario> {
    STORIES.iter().find(|story| story.address == address)
}

const fn story(
    address: [u8; 4],
    standing: Attention,
    shows: &'static str,
    tell: fn(&Snapshot<'_>, DemoRecord) -> DemoRecord,
) -> Scenario {
    let [a, b, c, d] = address;
    Scenario {
        address: Ipv4Addr::new(a, b, c, d),
        shows,
        standing,
        on: |_| true,
        tell,
    }
}

const fn story_on(on: fn(&Snapshot<'_>) -> bool, mut told: Scenario) -> Scenario {
    told.on = on;
    told
}

/// Two exits take turns by this, so that no diff of two days is empty.
fn is_even(day: Day) -> bool {
    day_number(day).is_multiple_of(2)
}

/// All stories, the one to begin with first.
pub(crate) static STORIES: [Scenario; 15] = [
    story(
        [198, 51, 100, 77],
        Attention::Anonymous,
        "a VPN exit that changed hands, with a callback proxy",
        changed_hands,
    ),
    story(
        [203, 0, 113, 8],
        Attention::Residential,
        "a home with eight callback proxies",
        crowded,
    ),
    story(
        [203, 0, 113, 9],
        Attention::Quiet,
        "a home without tunnels or proxies",
        |_, plain| plain,
    ),
    story(
        [192, 0, 2, 44],
        Attention::Residential,
        "phones behind a carrier address, far from its location",
        far_away,
    ),
    story(
        [198, 51, 100, 200],
        Attention::Anonymous,
        "an onion router's exit",
        onion,
    ),
    story(
        [203, 0, 113, 40],
        Attention::Residential,
        "a proxy whose operator is unknown",
        unattributed,
    ),
    story(
        [198, 51, 100, 180],
        Attention::Anonymous,
        "a rented desktop: tunnels that hide and one that does not",
        desktop,
    ),
    story(
        [198, 51, 100, 210],
        Attention::Anonymous,
        "a privacy relay with thousands behind it",
        relay,
    ),
    story(
        [192, 0, 2, 200],
        Attention::Notable,
        "passengers of an aeroplane",
        passengers,
    ),
    story(
        [203, 0, 113, 77],
        Attention::Residential,
        "an `ai` object, which the contract does not describe",
        agents,
    ),
    story(
        [198, 51, 100, 250],
        Attention::Notable,
        "names that try to take over a terminal",
        hostile,
    ),
    story(
        [203, 0, 113, 120],
        Attention::Residential,
        "a record with next to nothing in it",
        sparse,
    ),
    story_on(
        |scene| scene.day >= scene.world.today.plus(-1),
        story(
            [203, 0, 113, 130],
            Attention::Residential,
            "a newcomer: in the feeds since yesterday",
            newcomer,
        ),
    ),
    story_on(
        |scene| is_even(scene.day),
        story(
            [198, 51, 100, 230],
            Attention::Anonymous,
            "an exit that comes and goes: in the feeds every other day",
            unattributed,
        ),
    ),
    story_on(
        |scene| !is_even(scene.day),
        story(
            [198, 51, 100, 231],
            Attention::Anonymous,
            "its other half: in the feeds on the days between",
            unattributed,
        ),
    ),
];
