//! What names a set.

use ipnet::IpNet;

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result},
    investigation::comparison::{RecordSet, SideName},
    model::{Day, Subject, parse_subject},
};

#[derive(Clone, Debug, PartialEq)]
pub enum SetName {
    Subject(Subject),
    /// A list in a file, or standard input as `-`.
    List(String),
    Records(RecordSet),
}

impl SetName {
    /// Reads `ADDRESS`, `NETWORK` (a file of that name is `./NAME`), `FILE` or `FEED:FILTER`, the last with `@DAY` behind the feed.
    ///
    /// # Errors
    /// [`Kind::Usage`].
    pub fn read(text: &str, today: Day) -> Result<Self> {
        let text = text.trim();
        if let Ok(subject) = parse_subject(text) {
            // As in a list: other programs mask these bits, or drop the network.
            if let Ok(network) = text.parse::<IpNet>()
                && network != network.trunc()
            {
                let (whole, one) = (network.trunc(), network.addr());
                let message = format!("{text} has bits behind its length");
                let hint = format!("write {whole} for the network, or {one} for the address");
                return Err(Error::new(Kind::Usage, message).hint(hint));
            }
            return Ok(Self::Subject(subject));
        }
        match SideName::read(text, today)? {
            SideName::Records(records) => {
                let feed = records.feed;
                if !Feed::of_subjects().any(|known| known == feed) {
                    let message = format!("{feed} has no records about addresses");
                    return Err(Error::new(Kind::Usage, message)
                        .hint("`ipspect feeds --offline` lists local feeds"));
                }
                Ok(Self::Records(records))
            }
            SideName::Text(path, None) => Ok(Self::List(path)),
            SideName::Address(address, None) => Ok(Self::Subject(Subject::Address(address))),
            SideName::Text(name, Some(_)) => Err(dated(&name)),
            SideName::Address(address, Some(_)) => Err(dated(&address.to_string())),
        }
    }
}

/// A day behind what has none.
fn dated(name: &str) -> Error {
    let message = format!("{name} is the same set on every day");
    Error::new(Kind::Usage, message).hint("leave its @DAY out; FEED@DAY:FILTER has one")
}
