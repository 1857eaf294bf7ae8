//! The visited addresses and tags, with back and forward.

use std::{ffi::OsStr, net::IpAddr, path::Path};

use jiff::Timestamp;

use crate::{
    contract::LookupQuery,
    engine::{ExportRun, Pastes, views::ViewQuery},
    model::{TagName, visible},
};

/// A stop of the trail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TrailStop {
    /// The record of an address, for a day and a geolocation.
    Address(LookupQuery),
    Tag(TagName),
    /// The table of the addresses of a text, by the path of its file.
    Board(String),
    /// The records of a local feed.
    View(ViewQuery),
    Rows(ExportRun),
    /// The export form, and the rows beside it.
    Form,
}

impl TrailStop {
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Address(query) => query.address.to_string(),
            Self::Tag(tag) => tag.to_string(),
            Self::Board(file) if Pastes::is_of(file.as_ref()) => "pasted text".to_owned(),
            Self::Board(file) => {
                let name = Path::new(file).file_name();
                let name = name.map_or(file.as_str().into(), OsStr::to_string_lossy);
                visible(&name).into_owned()
            }
            Self::View(query) => format!("{} {}", query.feed, query.filter)
                .trim_end()
                .to_owned(),
            Self::Rows(run) => {
                let file = run.file.file_name().unwrap_or_default().to_string_lossy();
                format!("rows of {}", visible(&file))
            }
            Self::Form => "export form".to_owned(),
        }
    }
}

/// A stop with the time of its last visit, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Its number, in the order of the first visits.
    pub number: usize,
    pub stop: TrailStop,
    /// The time of the last visit.
    pub at: Timestamp,
    /// The index of the address visit from which a tag was opened.
    from: Option<usize>,
}

/// The trail. The tabs keep rows and scroll positions of what was opened, so that they are restored on return.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    visits: Vec<Visit>,
    back: Vec<usize>,
    forward: Vec<usize>,
    here: Option<usize>,
    pins: Vec<IpAddr>,
    notes: Vec<AddressNote>,
}

/// A note about an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressNote {
    pub address: IpAddr,
    /// The time of writing.
    pub at: Timestamp,
    pub text: String,
}

impl Trail {
    /// Opens a stop. A stop that was opened before keeps its position in the list.
    pub fn visit(&mut self, stop: TrailStop, now: Timestamp) {
        let index = self.note(stop, now);
        if self.here == Some(index) {
            return;
        }
        if let Some(here) = self.here.replace(index) {
            self.back.push(here);
        }
        self.forward.clear();
    }

    /// Adds a stop of an earlier run to the list, without opening it.
    pub fn recall(&mut self, stop: TrailStop, at: Timestamp) {
        self.note(stop, at);
    }

    fn note(&mut self, stop: TrailStop, at: Timestamp) -> usize {
        if let Some(index) = self.visits.iter().position(|visit| visit.stop == stop) {
            self.visits[index].at = at;
            return index;
        }
        let from = match stop {
            TrailStop::Tag(_) => self.here.map(|here| self.visits[here].from.unwrap_or(here)),
            _ => None,
        };
        let number = self.visits.len();
        self.visits.push(Visit {
            number,
            stop,
            at,
            from,
        });
        number
    }

    /// Replaces the current view after a change of its filter or order.
    pub fn amend(&mut self, query: ViewQuery) {
        if let Some(here) = self.here
            && let TrailStop::View(view_query) = &mut self.visits[here].stop
        {
            *view_query = query;
        }
    }

    /// Goes back; returns the new stop.
    pub fn back(&mut self) -> Option<&TrailStop> {
        let index = self.back.pop()?;
        self.forward.extend(self.here.replace(index));
        Some(&self.visits[index].stop)
    }

    /// Goes forward; returns the new stop.
    pub fn forward(&mut self) -> Option<&TrailStop> {
        let index = self.forward.pop()?;
        self.back.extend(self.here.replace(index));
        Some(&self.visits[index].stop)
    }

    /// The destination of going back.
    #[must_use]
    pub fn behind(&self) -> Option<&TrailStop> {
        self.back.last().map(|index| &self.visits[*index].stop)
    }

    /// The current stop.
    #[must_use]
    pub fn here(&self) -> Option<&TrailStop> {
        self.here.map(|index| &self.visits[index].stop)
    }

    /// The number of the current stop.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.here
    }

    /// The list: addresses, each followed by the tags that were opened from it; sorted by the last visit of either, newest first.
    #[must_use]
    pub fn listed(&self) -> Vec<(&Visit, Depth)> {
        let mut roots: Vec<usize> = (0..self.visits.len())
            .filter(|index| self.visits[*index].from.is_none())
            .collect();
        let newest = |root: usize| {
            let own = |(index, visit): &(usize, &Visit)| *index == root || visit.from == Some(root);
            let family = self.visits.iter().enumerate().filter(own);
            family.map(|(index, visit)| (visit.at, index)).max()
        };
        roots.sort_by_cached_key(|index| std::cmp::Reverse(newest(*index)));
        let mut listed = Vec::with_capacity(self.visits.len());
        for root in roots {
            listed.push((&self.visits[root], Depth::Root));
            let children = self.visits.iter().filter(|visit| visit.from == Some(root));
            listed.extend(children.map(|visit| (visit, Depth::Child)));
        }
        listed
    }

    /// How many stops there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.visits.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.visits.is_empty()
    }

    #[must_use]
    pub fn is_pinned(&self, address: IpAddr) -> bool {
        self.pins.contains(&address)
    }

    /// Pins or unpins an address.
    pub fn pin(&mut self, address: IpAddr, on: bool) {
        self.pins.retain(|ip| *ip != address);
        if on {
            self.pins.push(address);
        }
    }

    /// Adds a note about an address; an empty text removes its last note. Returns whether anything changed.
    pub fn annotate(&mut self, address: IpAddr, at: Timestamp, text: String) -> bool {
        if !text.is_empty() {
            self.notes.push(AddressNote { address, at, text });
            return true;
        }
        let last = self.notes.iter().rposition(|note| note.address == address);
        last.map(|last| self.notes.remove(last)).is_some()
    }

    /// The notes about an address, the oldest first.
    pub fn notes(&self, address: IpAddr) -> impl Iterator<Item = &AddressNote> {
        self.notes
            .iter()
            .filter(move |note| note.address == address)
    }

    /// Forgets all stops.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The level of a visit in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// At the top level.
    Root,
    /// Under the address from which it was opened.
    Child,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> TrailStop {
        TrailStop::Address(LookupQuery::now([198, 51, 100, last].into()))
    }

    fn tag(name: &str) -> TrailStop {
        TrailStop::Tag(name.parse().expect(name))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("timestamp")
    }

    #[test]
    fn back_and_forward_walk_the_same_way() {
        let mut trail = Trail::default();
        assert_eq!(trail.back(), None);
        assert_eq!(trail.here(), None);
        for (second, stop) in [address(1), tag("ACME_VPN"), tag("BRAVO_PROXY")]
            .into_iter()
            .enumerate()
        {
            trail.visit(stop, at(i64::try_from(second).expect("small")));
        }
        assert_eq!(trail.back(), Some(&tag("ACME_VPN")));
        assert_eq!(trail.back(), Some(&address(1)));
        assert_eq!(trail.back(), None);
        assert_eq!(trail.forward(), Some(&tag("ACME_VPN")));
        trail.visit(address(2), at(9));
        assert_eq!(trail.forward(), None);
        assert_eq!(trail.back(), Some(&tag("ACME_VPN")));
    }

    #[test]
    fn the_list_has_the_newest_first_and_tags_under_their_address() {
        let mut trail = Trail::default();
        for (second, stop) in [
            (1, address(1)),
            (2, tag("ACME_VPN")),
            (3, tag("BRAVO_PROXY")),
            (4, address(2)),
        ] {
            trail.visit(stop, at(second));
        }
        let listed = |trail: &Trail| {
            trail
                .listed()
                .into_iter()
                .map(|(visit, depth)| (visit.stop.clone(), depth))
                .collect::<Vec<_>>()
        };
        let (root, child) = (Depth::Root, Depth::Child);
        assert_eq!(
            listed(&trail),
            [
                (address(2), root),
                (address(1), root),
                (tag("ACME_VPN"), child),
                (tag("BRAVO_PROXY"), child)
            ]
        );
        trail.visit(address(1), at(5));
        assert_eq!(listed(&trail)[0], (address(1), root));
        assert_eq!(trail.len(), 4);
    }

    #[test]
    fn what_is_visited_after_a_step_back_stands_at_the_top() {
        let mut trail = Trail::default();
        for (second, stop) in [(1, address(1)), (2, address(2)), (3, address(3))] {
            trail.visit(stop, at(second));
        }
        trail.back();
        trail.back();
        trail.visit(tag("ACME_VPN"), at(4));
        let listed: Vec<TrailStop> = trail
            .listed()
            .into_iter()
            .map(|(visit, _)| visit.stop.clone())
            .collect();
        assert_eq!(
            listed,
            [address(1), tag("ACME_VPN"), address(3), address(2)]
        );
        assert_eq!(trail.back(), Some(&address(1)));
    }

    #[test]
    fn opening_what_is_open_goes_nowhere() {
        let mut trail = Trail::default();
        trail.visit(address(1), at(1));
        trail.visit(address(1), at(2));
        assert_eq!((trail.len(), trail.behind()), (1, None));
    }
}
