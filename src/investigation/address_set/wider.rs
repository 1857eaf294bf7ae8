//! Fewer, larger networks that cover a set and a few addresses beyond it.
//!
//! The networks of a set are the leaves of a tree, in which a node is the smallest network around those below it. A list takes some
//! nodes so that each leaf is below one of them or is one. What a node costs is what it has beyond its leaves.
//!
//! Up to [`MOST_EXACT`] leaves the least cost of each number of networks is worked out from the leaves up, so that the list has the
//! smallest number there is. Beyond that each network is given a price in addresses, the highest at which the list still costs no
//! more than it may: no list of as many networks costs less, yet one of a few networks less may be overlooked.

use super::set::{AddressSet, Block, Blocks, Number, SetOperation, meets};
use crate::engine::Family;

/// The most networks of which the smallest number is found.
pub const MOST_EXACT: usize = 10_000;

/// Which networks may be widened how far.
#[derive(Clone, Debug)]
pub struct Widening {
    /// How many addresses beyond the set are allowed, for each hundred of it, in each family.
    pub percent: u8,
    /// What must not be covered.
    pub barred: AddressSet,
    /// The shortest length of each family that a network may be widened to.
    pub shortest: [(Family, u8); 2],
}

/// A set that was widened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widened {
    pub set: AddressSet,
    /// What of it was not in the set.
    pub beyond: AddressSet,
    /// Whether no list has fewer networks.
    pub is_smallest: bool,
}

impl AddressSet {
    /// This set in fewer networks.
    #[must_use]
    pub fn widened(&self, how: &Widening) -> Widened {
        let shortest = |wanted: Family| {
            let mut all = how.shortest.iter();
            all.find(|(family, _)| *family == wanted)
                .map_or(0, |(_, length)| *length)
        };
        let set = Self {
            v4: widened(&self.v4, &how.barred.v4, how.percent, shortest(Family::V4)),
            v6: widened(&self.v6, &how.barred.v6, how.percent, shortest(Family::V6)),
        };
        let set = Self::of(set.networks());
        Widened {
            beyond: set.combined(self, SetOperation::Subtract),
            set,
            is_smallest: self.v4.len().max(self.v6.len()) <= MOST_EXACT,
        }
    }
}

/// A network around leaves.
#[derive(Clone, Copy, Debug)]
struct TreeNode<N: Copy> {
    block: Block<N>,
    /// The addresses of its leaves.
    covered: u128,
    /// What it has beyond them; none where it must not be taken.
    cost: Option<u128>,
    /// The two below it, which come before it; none for a leaf.
    below: Option<(usize, usize)>,
}

/// The nodes of a tree, the root last.
struct Tree<'a, N: Copy> {
    nodes: Vec<TreeNode<N>>,
    barred: &'a [Block<N>],
    shortest: u8,
}

fn widened<N: Number>(
    leaves: &[Block<N>],
    barred: &[Block<N>],
    percent: u8,
    shortest: u8,
) -> Blocks<N> {
    let all = leaves
        .iter()
        .fold(0_u128, |all, block| all.saturating_add(size(*block)));
    let most = match all.checked_mul(percent.into()) {
        Some(product) => product / 100,
        None => (all / 100).saturating_mul(percent.into()),
    };
    if most == 0 || leaves.len() < 2 {
        return leaves.to_vec();
    }
    let mut tree = Tree {
        nodes: Vec::with_capacity(2 * leaves.len()),
        barred,
        shortest,
    };
    tree.grow(leaves);
    if leaves.len() <= MOST_EXACT {
        tree.fewest(most)
    } else {
        tree.at_a_price(most)
    }
}

/// The number of addresses of a network; one too few for all of IPv6.
fn size<N: Number>(block: Block<N>) -> u128 {
    block.host_bits().saturating_add(1)
}

impl<N: Number> Tree<'_, N> {
    /// Adds the nodes of these leaves, which are not none; returns the number of the last one. As deep as an address has bits.
    fn grow(&mut self, leaves: &[Block<N>]) -> usize {
        if let [leaf] = leaves {
            self.nodes.push(TreeNode {
                block: *leaf,
                covered: size(*leaf),
                cost: Some(0),
                below: None,
            });
            return self.nodes.len() - 1;
        }
        let (first, last) = (leaves[0].first.to_bits(), leaves[leaves.len() - 1].last());
        // The bits that are not the same in all.
        let bits = 128 - (first ^ last).leading_zeros();
        let half = 1_u128 << (bits - 1);
        let middle = leaves.partition_point(|block| block.first.to_bits() & half == 0);
        let (lower, upper) = leaves.split_at(middle);
        let below = (self.grow(lower), self.grow(upper));
        let covered = self.nodes[below.0]
            .covered
            .saturating_add(self.nodes[below.1].covered);
        let host = half | (half - 1);
        let block = Block {
            first: N::of_bits(first & !host),
            length: N::BITS - u8::try_from(bits).unwrap_or(N::BITS),
        };
        let may_be_taken = block.length >= self.shortest
            && !meets(self.barred, (block.first.to_bits(), block.last()));
        self.nodes.push(TreeNode {
            block,
            covered,
            cost: may_be_taken.then(|| size(block).saturating_sub(covered)),
            below: Some(below),
        });
        self.nodes.len() - 1
    }

    /// The fewest networks that cost no more than this, and of those the ones that cost least.
    fn fewest(&self, most: u128) -> Blocks<N> {
        let mut costs: Vec<Costs> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let own = match node.below {
                None => Costs {
                    from: 1,
                    least: vec![0],
                },
                Some((lower, upper)) => {
                    let mut both = costs[lower].and(&costs[upper], most);
                    if let Some(cost) = node.cost.filter(|cost| *cost <= most) {
                        both.take_one(cost);
                    }
                    both
                }
            };
            costs.push(own);
        }
        let mut taken = Vec::new();
        // As many networks of each node as the least number allows.
        let root = self.nodes.len() - 1;
        let mut left = vec![(root, costs[root].from)];
        while let Some((at, number)) = left.pop() {
            let node = self.nodes[at];
            let least = costs[at].of(number);
            match node.below {
                Some((lower, upper)) if node.cost != least => {
                    let of_lower = (1..number).find(|of_lower| {
                        let rest = costs[upper].of(number - of_lower);
                        let both = costs[lower].of(*of_lower).zip(rest);
                        both.map(|(a, b)| a.saturating_add(b)) == least
                    });
                    let of_lower = of_lower.unwrap_or(1);
                    left.push((upper, number - of_lower));
                    left.push((lower, of_lower));
                }
                _ => taken.push(node.block),
            }
        }
        taken
    }

    /// The networks at the highest price of a network at which they cost no more than this.
    fn at_a_price(&self, most: u128) -> Blocks<N> {
        let (mut low, mut high) = (0_u128, most);
        let mut best = self.taken_at(low).0;
        while low < high {
            let price = high - (high - low) / 2;
            let (taken, cost) = self.taken_at(price);
            if cost <= most {
                (low, best) = (price, taken);
            } else {
                high = price - 1;
            }
        }
        best
    }

    /// The networks that are cheapest where each costs this much beside what it has beyond the set, and what they have.
    fn taken_at(&self, price: u128) -> (Blocks<N>, u128) {
        let mut cheapest: Vec<(u128, bool)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let one = node.cost.map(|cost| cost.saturating_add(price));
            cheapest.push(match node.below {
                None => (price, true),
                Some((lower, upper)) => {
                    let two = cheapest[lower].0.saturating_add(cheapest[upper].0);
                    one.filter(|one| *one < two)
                        .map_or((two, false), |one| (one, true))
                }
            });
        }
        let (mut taken, mut cost) = (Vec::new(), 0_u128);
        let mut left = vec![self.nodes.len() - 1];
        while let Some(at) = left.pop() {
            let node = self.nodes[at];
            match node.below {
                Some((lower, upper)) if !cheapest[at].1 => left.extend([upper, lower]),
                _ => {
                    cost = cost.saturating_add(node.cost.unwrap_or(0));
                    taken.push(node.block);
                }
            }
        }
        (taken, cost)
    }
}

/// For each number of networks the least that a node costs in so many or fewer, from the smallest number that is not too much.
#[derive(Debug)]
struct Costs {
    from: usize,
    /// Falls from one number to the next, down to 0.
    least: Vec<u128>,
}

impl Costs {
    fn of(&self, number: usize) -> Option<u128> {
        let at = number.checked_sub(self.from)?;
        self.least.get(at).copied()
    }

    /// Of two nodes together.
    fn and(&self, other: &Self, most: u128) -> Self {
        let mut least = vec![u128::MAX; self.least.len() + other.least.len() - 1];
        for (at, own) in self.least.iter().enumerate() {
            for (least, others) in least[at..].iter_mut().zip(&other.least) {
                *least = (*least).min(own.saturating_add(*others));
            }
        }
        let many = least.partition_point(|cost| *cost > most);
        least.drain(..many);
        Self {
            from: self.from + other.from + many,
            least,
        }
    }

    /// What one network costs.
    fn take_one(&mut self, cost: u128) {
        let missing = self.from - 1;
        self.least.splice(0..0, std::iter::repeat_n(cost, missing));
        self.from = 1;
        for least in &mut self.least {
            *least = (*least).min(cost);
        }
    }
}

#[cfg(test)]
mod tests;
