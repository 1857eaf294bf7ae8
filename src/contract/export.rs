//! An export as a value: feed, parameters, fields (contract, part 4.3).

use std::{fmt, str::FromStr};

use super::catalog::Feed;
use crate::model::{Day, TagName};

/// The most records that an export returns; the default, too (contract, part 8.2).
pub const LIMIT: u64 = 2_000_000;

/// The file that an export returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// Comma-separated values.
    #[default]
    Csv,
    /// JSON.
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
    /// The address.
    Ip,
    /// The operator.
    Tag,
    /// A callback proxy on the address. A field of the record (2.11), though not in the parameter's list (4.3).
    CallbackProxy,
    /// Infrastructure type.
    Infrastructure,
    /// Listening services.
    Services,
    /// Devices per day.
    ClientCount,
    /// City.
    LocationCity,
    /// State.
    LocationState,
    /// Country.
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

/// A request for a filtered subset. Whether it may be sent, [`ExportQuery::conflicts`] says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExportQuery {
    /// The feed to filter.
    pub feed: Feed,
    /// The file's form.
    pub output: Output,
    /// A header row; means something in CSV only.
    pub header: bool,
    /// The fields asked for; empty for all.
    pub fields: Vec<ExportField>,
    /// The most records, the busiest kept; 2,000,000 without it.
    pub limit: Option<u64>,
    /// Operators to include; empty for all.
    pub tags: Vec<TagName>,
    /// Callback proxies to include; empty for all.
    pub callback_proxies: Vec<TagName>,
    /// Countries to include, two letters each; empty for all.
    pub ccs: Vec<String>,
    /// Only named and attributed VPN exits.
    pub attributed: bool,
    /// Only changes versus the previous day.
    pub diff: bool,
    /// The day to compare with the one before it.
    pub diff_date: Option<Day>,
}

impl ExportQuery {
    /// Everything in a feed, with the service's defaults.
    #[must_use]
    pub fn all_of(feed: Feed) -> Self {
        Self {
            feed,
            output: Output::default(),
            header: false,
            fields: Vec::new(),
            limit: None,
            tags: Vec::new(),
            callback_proxies: Vec::new(),
            ccs: Vec::new(),
            attributed: false,
            diff: false,
            diff_date: None,
        }
    }

    /// Whether a field is asked for by name.
    #[must_use]
    pub fn asks_for(&self, field: ExportField) -> bool {
        self.fields.contains(&field)
    }

    /// The columns of the file: in the contract's order whatever the order asked, those that the contract lists where none is asked
    /// for, and `network` for `ip` where records are about networks (parts 2.9, 2.11 and 4.3, rule 4).
    #[must_use]
    pub fn columns(&self) -> Vec<ExportField> {
        let listed = |field: ExportField| match field {
            ExportField::Network => self.feed == Feed::Dch,
            // In CSV, files of all types have the same columns.
            ExportField::CallbackProxy => self.feed.is_residential() && self.output != Output::Csv,
            field => field.is_of(self.feed),
        };
        let wanted = |field| {
            if self.fields.is_empty() {
                listed(field)
            } else {
                self.asks_for(field)
            }
        };
        let by_network = self.feed.is_ipv6();
        let columns = ExportField::ALL.into_iter();
        columns
            .filter(|field| match field {
                ExportField::Ip => wanted(*field) && !by_network,
                ExportField::Network => wanted(*field) || by_network && wanted(ExportField::Ip),
                _ => wanted(*field),
            })
            .collect()
    }

    /// Whether anything narrows the export down.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        let named =
            !self.tags.is_empty() || !self.callback_proxies.is_empty() || !self.ccs.is_empty();
        named || self.attributed || self.diff || self.limit.is_some()
    }
}

/// A name that the contract does not have, with those that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    what: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no {} {:?}; there are {}",
            self.what,
            self.name,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for Unknown {}

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
