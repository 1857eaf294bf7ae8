//! What names a set.

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
    /// Reads `ADDRESS`, `NETWORK`, `FILE` or `FEED:FILTER`, the last with `@DAY` behind the feed.
    ///
    /// # Errors
    /// [`Kind::Usage`].
    pub fn read(text: &str, today: Day) -> Result<Self> {
        let text = text.trim();
        let side = match (SideName::read(text, today), parse_subject(text)) {
            (Ok(side), _) => side,
            (Err(_), Ok(subject)) => return Ok(Self::Subject(subject)),
            (Err(error), Err(_)) => return Err(error),
        };
        match side {
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
