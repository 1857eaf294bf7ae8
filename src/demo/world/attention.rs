//! How much the service has noticed of an address.

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
