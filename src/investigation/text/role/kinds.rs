//! What fields hold, and whose addresses.

/// What a field holds, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    Time(TimeRole),
    /// The zone of the times of its row.
    Zone,
    /// The address of somebody, if it holds one.
    Address(AddressRole),
    /// Addresses of a client and of the proxies behind it, in this order.
    Forwarded,
    /// The version of a product.
    Version,
    /// The name of a user agent, in which numbers are versions.
    Agent,
    Other,
}

/// Which time a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeRole {
    /// When the event happened; of several the lowest number decides.
    Event(u8),
    /// When what the row is about began or ended: that of the event, where there is no other.
    Span(u8),
    /// When it was seen first, and last: from then to then, where there is no other.
    Seen(bool),
    /// When something else is: an expiry, a build, a birth.
    Other,
}

/// Whose address it is. Of several roles of an address the first of these counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressRole {
    /// Who acted from outside.
    Source,
    /// A hop in between.
    Proxy,
    /// Where the traffic went.
    Destination,
    /// The machine that wrote the row.
    Own,
    /// The text does not say: taken for a source.
    #[default]
    Unknown,
}

impl AddressRole {
    /// Those that have a word, in the order in which they are listed.
    pub const NAMED: [Self; 4] = [Self::Source, Self::Destination, Self::Own, Self::Proxy];

    /// Its word in filters and output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Source | Self::Unknown => "source",
            Self::Proxy => "proxy",
            Self::Destination => "destination",
            Self::Own => "own",
        }
    }

    /// Whether it is somebody outside, about whom a query is worth its price.
    #[must_use]
    pub fn is_source(self) -> bool {
        matches!(self, Self::Source | Self::Unknown)
    }
}
