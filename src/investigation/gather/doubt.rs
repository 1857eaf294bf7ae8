//! IPv6 addresses whose last group may be a port: the rest of the text decides, or they are marked.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, Ipv6Addr},
};

use foldhash::fast::RandomState;

use super::{numbers::AddressNumbers, occurrences::Occurrences};
use crate::model::{
    Day,
    scan::{Found, Hit},
};

/// What is in doubt, and what may decide it.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// By the number of the address: what it would be without the port, and what surrounds it.
    open: HashMap<u32, Doubt, RandomState>,
    /// Surroundings of addresses that have a port for certain.
    ports: HashSet<u64, RandomState>,
    /// Addresses in brackets, each with its port: of IPv4 none is ever asked for.
    sockets: HashSet<(Ipv6Addr, u16), RandomState>,
}

/// Ports of servers that are often written, below those that clients have.
const SERVERS: [u16; 14] = [
    22, 25, 53, 80, 110, 123, 143, 389, 443, 465, 587, 853, 993, 995,
];

#[derive(Clone, Copy, Debug)]
struct Doubt {
    whole: Ipv6Addr,
    without: Ipv6Addr,
    surroundings: u64,
    /// Whether another address in its row has a port.
    is_beside_port: bool,
    /// Whether it has a port of its own behind it, so that it ends in none.
    is_whole: bool,
}

/// What the text decides.
#[derive(Debug, Default)]
pub(super) struct SettledDoubts {
    /// Addresses that are another one, by number.
    pub(super) renamed: HashMap<u32, Ipv6Addr>,
    /// Addresses that are one that is there already.
    pub(super) gone: HashSet<u32>,
}

impl Doubts {
    /// Notes an occurrence of an address, in these surroundings.
    pub(super) fn note(
        &mut self,
        number: u32,
        hit: &Hit,
        port: Option<u16>,
        (surroundings, is_beside_port): (u64, bool),
    ) {
        match hit.found {
            Found::MayEndInPort(whole, without) => {
                let doubt = self.open.entry(number).or_insert(Doubt {
                    whole,
                    without,
                    surroundings,
                    is_beside_port,
                    is_whole: false,
                });
                doubt.is_beside_port |= is_beside_port;
                doubt.is_whole |= port.is_some();
            }
            Found::Address(address) => {
                if let Some(port) = port {
                    self.ports.insert(surroundings);
                    if let IpAddr::V6(address) = address {
                        self.sockets.insert((address, port));
                    }
                }
            }
            Found::Network(_) | Found::Padded | Found::Version => {}
        }
    }

    /// Notes the addresses of a row that are one with several ports. A row with more addresses is no row of a program.
    pub(super) fn note_row(&mut self, hits: &[Hit]) {
        const MOST: usize = 32;
        if hits.len() > MOST {
            return;
        }
        let ends = || {
            hits.iter().filter_map(|hit| match hit.found {
                Found::MayEndInPort(whole, without) => Some((without, port_of(whole))),
                _ => None,
            })
        };
        let is_there = |address: Ipv6Addr| {
            let mut others = hits.iter();
            others.any(|hit| hit.found == Found::Address(address.into()))
        };
        for (without, port) in ends() {
            if is_there(without) || ends().any(|other| other.0 == without && other.1 != port) {
                self.sockets.insert((without, port));
            }
        }
    }

    /// The address that is meant by one that may end in a port, as far as that is known before the end of the text.
    pub(super) fn meant(&self, found: Found) -> Option<Ipv6Addr> {
        match found {
            Found::MayEndInPort(whole, without) => {
                let is_socket = self.sockets.contains(&(without, port_of(whole)));
                is_socket.then_some(without)
            }
            _ => None,
        }
    }

    /// Decides what can be decided: by the same address elsewhere without a port or with another one, and by ports in the same surroundings.
    pub(super) fn settle(
        &self,
        numbers: &AddressNumbers,
        seen: &mut [Occurrences],
    ) -> SettledDoubts {
        let mut settled = SettledDoubts::default();
        if self.open.is_empty() {
            return settled;
        }
        let mut siblings: HashMap<Ipv6Addr, u32> = HashMap::new();
        for doubt in self.open.values() {
            *siblings.entry(doubt.without).or_default() += u32::from(!doubt.is_whole);
        }
        let mut open: Vec<(u32, Doubt)> = self
            .open
            .iter()
            .map(|(number, doubt)| (*number, *doubt))
            .collect();
        open.sort_unstable_by_key(|(number, _)| *number);
        let days: HashMap<u32, Option<Day>> = numbers.days_of_v6().collect();
        let mut first: HashMap<(Ipv6Addr, Option<Day>), u32> = HashMap::new();
        for (number, doubt) in open {
            if doubt.is_whole {
                continue;
            }
            let Doubt {
                whole,
                without,
                surroundings,
                ..
            } = doubt;
            let day = days.get(&number).copied().flatten();
            let known = numbers.of_v6(without, day);
            let known = known.filter(|number| (*number as usize) < seen.len());
            let port = port_of(whole);
            let is_likely = port >= 1024 || SERVERS.contains(&port);
            let is_port = doubt.is_beside_port
                || self.sockets.contains(&(without, port))
                || self.ports.contains(&surroundings)
                || is_likely && (known.is_some() || siblings[&without] > 1);
            if !is_port {
                if let Some(occurrences) = seen.get_mut(number as usize) {
                    occurrences.may_end_in_port = is_likely;
                }
                continue;
            }
            let into = known.unwrap_or_else(|| *first.entry((without, day)).or_insert(number));
            if into == number {
                settled.renamed.insert(number, without);
                continue;
            }
            let occurrences = seen[number as usize].clone();
            seen[into as usize].merge(&occurrences);
            settled.gone.insert(number);
        }
        settled
    }
}

/// The last group of an address, read as decimal digits.
fn port_of(address: Ipv6Addr) -> u16 {
    let group = format!("{:x}", address.segments()[7]);
    group.parse().unwrap_or(0)
}
