//! Numbers in an order that looks like none, each once, without a table of them.

/// An order of the numbers below a bound: a Feistel network on the bits, walked on until it falls below the bound.
#[derive(Clone, Debug)]
pub(crate) struct Shuffle {
    seed: u64,
    bound: u64,
    /// Bits of a half.
    half: u32,
}

impl Shuffle {
    /// An order of the numbers below `bound`.
    pub(crate) fn new(seed: u64, bound: u64) -> Self {
        let bits = u64::BITS - bound.saturating_sub(1).leading_zeros();
        Self {
            seed,
            bound,
            half: bits.div_ceil(2).max(1),
        }
    }

    /// The number at a place. Places past the bound come round again.
    pub(crate) fn of(&self, place: u64) -> u64 {
        let mut number = place % self.bound.max(1);
        loop {
            number = self.rounds(number);
            if number < self.bound.max(1) {
                return number;
            }
        }
    }

    fn rounds(&self, number: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for round in 0..4 {
            (left, right) = (
                right,
                left ^ (mix(right ^ self.seed.rotate_left(round * 16)) & mask),
            );
        }
        left << self.half | right
    }
}

/// A number that tells nothing of the one it is made from (the finalizer of `splitmix64`).
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
