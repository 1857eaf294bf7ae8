//! The fields of an export's records and the forms of its file (contract, parts 2.9, 2.11 and 4.3).

use std::{fmt, str::FromStr};

use super::catalog::Feed;
use crate::model::instead_of;

/// The file that an export returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// Comma-separated values.
    #[default]
    Csv,
    Json,
    /// A database indexed by address.
    Mmdb,
}

impl Output {
    /// All, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Json, Self::Mmdb];

    /// The value of the parameter, which is the file's usual ending, too.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Mmdb => "mmdb",
        }
    }
}

/// A field of an export's records (contract, parts 2.9 and 2.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportField {
    Ip,
    Tag,
    /// A callback proxy on the address. A field of the record (2.11), though not in the parameter's list (4.3).
    CallbackProxy,
    Infrastructure,
    Services,
    /// Devices per day.
    ClientCount,
    LocationCity,
    LocationState,
    LocationCountry,
    /// All addresses collapsed into CIDR blocks (rule 1); on `dch` the netblock.
    Network,
    /// Registered organization; `dch` only.
    Organization,
    /// Autonomous system number; `dch` only.
    Asn,
}

impl ExportField {
    /// All fields, in the order of CSV columns.
    pub const ALL: [Self; 12] = [
        Self::Ip,
        Self::Network,
        Self::Tag,
        Self::CallbackProxy,
        Self::Infrastructure,
        Self::Services,
        Self::ClientCount,
        Self::LocationCity,
        Self::LocationState,
        Self::LocationCountry,
        Self::Organization,
        Self::Asn,
    ];

    /// The field's name in the parameter, in CSV headers and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ip => "ip",
            Self::Tag => "tag",
            Self::CallbackProxy => "callbackProxy",
            Self::Infrastructure => "infrastructure",
            Self::Services => "services",
            Self::ClientCount => "clientCount",
            Self::LocationCity => "locationCity",
            Self::LocationState => "locationState",
            Self::LocationCountry => "locationCountry",
            Self::Network => "network",
            Self::Organization => "organization",
            Self::Asn => "asn",
        }
    }

    /// Whether records of `feed` have the field.
    #[must_use]
    pub fn is_of(self, feed: Feed) -> bool {
        match self {
            Self::Network => true,
            Self::Organization | Self::Asn => feed == Feed::Dch,
            _ => feed != Feed::Dch,
        }
    }
}

impl fmt::Display for ExportField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that the contract does not have, with those that it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} {name:?}")]
pub struct Unknown {
    what: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl Unknown {
    /// What people call fields whose names are others.
    const ALIASES: [(&str, &str); 6] = [
        ("cc", "locationCountry"),
        ("clients", "clientCount"),
        ("operator", "tag"),
        ("org", "organization"),
        ("cidr", "network"),
        ("address", "ip"),
    ];

    /// The name that was most likely meant, else all of them.
    #[must_use]
    pub fn instead(&self) -> String {
        let alias = Self::ALIASES.into_iter().find(|(alias, name)| {
            alias.eq_ignore_ascii_case(&self.name) && self.known.contains(name)
        });
        match alias {
            Some((_, name)) => format!("did you mean {name}?"),
            None => instead_of(&self.name, &self.known),
        }
    }
}

impl FromStr for Output {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        Self::ALL
            .into_iter()
            .find(|output| output.name() == text)
            .ok_or_else(|| Unknown {
                what: "output",
                name: text.to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            })
    }
}

impl FromStr for ExportField {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        Self::ALL
            .into_iter()
            .find(|field| field.name() == text)
            .ok_or_else(|| Unknown {
                what: "field",
                name: text.to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            })
    }
}
