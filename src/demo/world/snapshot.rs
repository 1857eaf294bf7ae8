//! The state of the world, and of it on one day; how much the service has noticed of an address there.

use super::seed::Seed;
use crate::model::Day;

/// The world. Making one costs nothing.
#[derive(Debug)]
pub(crate) struct World {
    pub(super) seed: Seed,
    /// The day on which the world was begun; the stories are dated from it.
    pub(super) today: Day,
    /// How many blocks of the network for benchmarks are inhabited.
    pub(super) blocks: u16,
}

/// The world as of one day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot<'w> {
    pub(super) world: &'w World,
    pub(super) day: Day,
    pub(super) number: u64,
}

/// How far an address has come to the attention of the service, which decides the feeds that list it: each level's feed
/// holds all higher levels, too (contract, part 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Attention {
    /// In no feed.
    Quiet,
    /// In the IP Summary.
    Notable,
    /// In Anonymous +Residential as well.
    Residential,
    /// In Anonymous as well.
    Anonymous,
}
