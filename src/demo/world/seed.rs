//! Chance that repeats itself: every choice of the world is a function of the seed and of what the choice is about.
//!
//! Nothing here remembers what was chosen before, so any record of any day can be made alone and comes out the same.

use fastrand::Rng;

use crate::model::Day;

/// The number from which a whole world follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    /// Dice for one question, such as `("lease", [block, slice])`. Dice for different questions know nothing of each other.
    pub(crate) fn dice(self, noun: &str, about: &[u64]) -> Rng {
        let letters = noun.bytes().map(u64::from);
        let state = letters
            .chain(about.iter().copied())
            .fold(self.0, |state, part| mix(state ^ part));
        Rng::with_seed(state)
    }
}

/// The finalizer of `SplitMix64`: neighbouring numbers become unrelated ones.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Random choices beyond plain numbers.
pub(crate) trait RngExt {
    /// True in `percent` of a hundred cases.
    fn percent(&mut self, percent: u32) -> bool;
    /// One of `items`, which is never empty.
    fn pick<T: Copy>(&mut self, items: &[T]) -> T;
    /// Each of `items` with this chance, in their order.
    fn some_of<T: Copy>(&mut self, items: &[T], percent: u32) -> Vec<T>;
}

impl RngExt for Rng {
    fn percent(&mut self, percent: u32) -> bool {
        self.u32(..100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.usize(..items.len())]
    }

    fn some_of<T: Copy>(&mut self, items: &[T], percent: u32) -> Vec<T> {
        let kept = items.iter().filter(|_| self.percent(percent));
        kept.copied().collect()
    }
}

/// A day as a number that grows by one each day.
pub(crate) fn day_number(day: Day) -> u64 {
    // The first day of the civil calendar that anything here could be asked about.
    let origin = Day::new(1970, 1, 1).map_or(0, |origin| day.days_since(origin));
    u64::try_from(origin).unwrap_or(0)
}

/// The stretch of `length` days in which a day lies, for a holder whose stretches begin on a day of its own. What is
/// chosen by stretch stays for `length` days, and one in `length` holders changes on any day.
pub(crate) fn tenure(day: u64, holder: u64, length: u64) -> u64 {
    (day + mix(holder) % length) / length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_has_the_same_answer() {
        let seed = Seed(7);
        let rolled = |noun: &str, about: &[u64]| seed.dice(noun, about).u64(..);
        assert_eq!(rolled("host", &[1, 2]), rolled("host", &[1, 2]));
        assert_ne!(rolled("host", &[1, 2]), rolled("host", &[2, 1]));
        assert_ne!(rolled("host", &[1]), rolled("lease", &[1]));
        assert_ne!(
            rolled("host", &[1]),
            Seed(8).dice("host", &[1]).u64(..),
            "another seed is another world"
        );
    }

    #[test]
    fn about_one_holder_in_ten_changes_on_a_day() {
        let changes =
            (0..1000).filter(|holder| tenure(20_001, *holder, 10) != tenure(20_000, *holder, 10));
        assert!((60..140).contains(&changes.count()));
    }
}
