//! The state of the world, and of it on one day.

use super::{listed_days::ListedDays, seed::Seed};
use crate::model::Day;

/// The world. Making one costs nothing.
#[derive(Debug)]
pub(crate) struct World {
    pub(super) seed: Seed,
    /// The day on which the world was begun; the stories are dated from it.
    pub(super) today: Day,
    /// How many blocks of the network for benchmarks are inhabited.
    pub(super) blocks: u16,
    pub(super) listed: ListedDays,
}

/// The world as of one day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot<'w> {
    pub(super) world: &'w World,
    pub(super) day: Day,
    pub(super) number: u64,
}
