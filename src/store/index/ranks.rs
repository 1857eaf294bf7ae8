//! A bitmap with rank and select: counts of the set bits before each stride.

use super::id::place;

/// A bitmap with rank and select.
#[derive(Debug)]
pub(super) struct Ranks {
    words: Vec<u64>,
    /// The number of set bits before each [`Ranks::STRIDE`] words.
    before: Vec<u64>,
}

impl Ranks {
    const STRIDE: usize = 32;

    pub(super) fn of(words: Vec<u64>) -> Self {
        let mut count = 0;
        let before = words.chunks(Self::STRIDE).map(|words| {
            let own = count;
            count += words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>();
            own
        });
        let before = before.collect();
        Self { words, before }
    }

    /// The position of the set bit with exactly `rank` set bits before it.
    pub(super) fn select(&self, rank: u64) -> Option<usize> {
        let stride = self
            .before
            .partition_point(|before| *before <= rank)
            .checked_sub(1)?;
        let mut left = rank - self.before[stride];
        for (at, word) in self.words.iter().enumerate().skip(stride * Self::STRIDE) {
            let count = u64::from(word.count_ones());
            if left < count {
                let rest = (0..left).fold(*word, |word, _| word & (word - 1));
                return Some(at * 64 + place(rest.trailing_zeros()));
            }
            left -= count;
        }
        None
    }

    /// The number of set bits before a set bit; `None` if the bit is not set.
    pub(super) fn rank(&self, at: usize) -> Option<u64> {
        let word = self.words.get(at / 64)?;
        (word >> (at % 64) & 1 == 1).then(|| self.before(at))
    }

    /// The number of set bits before a position; after the end, of all bits.
    pub(super) fn before(&self, at: usize) -> u64 {
        let stride = (at / 64 / Self::STRIDE).min(self.before.len().saturating_sub(1));
        let start = self.before.get(stride).copied().unwrap_or_default();
        let words = self.words.iter().enumerate().skip(stride * Self::STRIDE);
        let counts = words.map_while(|(number, word)| match number.cmp(&(at / 64)) {
            std::cmp::Ordering::Less => Some(word.count_ones()),
            std::cmp::Ordering::Equal => Some((word & ((1 << (at % 64)) - 1)).count_ones()),
            std::cmp::Ordering::Greater => None,
        });
        start + counts.map(u64::from).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_and_rank_undo_each_other() {
        let mut random = fastrand::Rng::with_seed(3);
        for density in [1, 2, 50, 4000] {
            let mut words = vec![0_u64; 300];
            let set: Vec<usize> = (0..300 * 64)
                .filter(|_| random.u32(..density) == 0)
                .collect();
            for at in &set {
                words[at / 64] |= 1 << (at % 64);
            }
            let ranks = Ranks::of(words);
            for (rank, at) in (0..).zip(&set) {
                assert_eq!(
                    (ranks.select(rank), ranks.rank(*at)),
                    (Some(*at), Some(rank))
                );
            }
            assert_eq!(ranks.select(set.len() as u64), None);
            let not = (0..300 * 64).find(|at| !set.contains(at));
            assert_eq!(not.and_then(|at| ranks.rank(at)), None);
            for at in [0, 1, 64, 32 * 64, 299 * 64 + 63, 300 * 64, 400 * 64] {
                let below = set.iter().filter(|number| **number < at).count();
                assert_eq!(ranks.before(at), below as u64, "{at}");
            }
        }
        assert_eq!(Ranks::of(Vec::new()).select(0), None);
        assert_eq!(Ranks::of(Vec::new()).before(0), 0);
    }
}
