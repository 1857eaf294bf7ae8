//! An export as a value: the feed and the parameters (contract, part 4.3), a row each: name, place in the request, kind of value.
//!
//! What a request sends, what is read back from it, how one is set and cleared comes from the table; the form and the flags go over it,
//! too. What a parameter means for records is said where records are filtered.

use std::str::FromStr;

use super::{
    catalog::Feed,
    export_field::{ExportField, Output, Unknown},
};
use crate::model::{Day, TagName};

/// The most records that an export returns; the default, too (contract, part 8.2).
pub const LIMIT: u64 = 2_000_000;

/// The value of a parameter, by its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// Whether something is wanted.
    Truth(bool),
    /// The file's form.
    Output(Output),
    /// Fields; none for all.
    Fields(Vec<ExportField>),
    Number(Option<u64>),
    /// Tags; none for all.
    Tags(Vec<TagName>),
    /// Countries, two letters each; none for all.
    Countries(Vec<String>),
    Day(Option<Day>),
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $param:ident = $name:literal, $kind:ident in $field:ident: $type:ty,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Param {
            $($(#[$doc])* $param,)+
        }

        impl Param {
            /// All, in the contract's order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$param),+];

            /// The parameter's name in the query.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$param => $name,)+
                }
            }
        }

        /// A request for a filtered subset. Whether it may be sent, [`ExportQuery::conflicts`] says.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct ExportQuery {
            pub feed: Feed,
            $($(#[$doc])* pub $field: $type,)+
        }

        impl ExportQuery {
            /// Everything in a feed, with the service's defaults.
            #[must_use]
            pub fn all_of(feed: Feed) -> Self {
                Self {
                    feed,
                    $($field: <$type>::default(),)+
                }
            }

            #[must_use]
            pub fn value(&self, param: Param) -> ParamValue {
                match param {
                    $(Param::$param => ParamValue::$kind(self.$field.clone()),)+
                }
            }

            /// Sets a parameter. A value of another kind than the parameter's changes nothing.
            pub fn set(&mut self, param: Param, value: ParamValue) {
                match (param, value) {
                    $((Param::$param, ParamValue::$kind(value)) => self.$field = value,)+
                    _ => {}
                }
            }
        }
    };
}

parameters! {
    /// The file's form.
    Output = "output", Output in output: Output,
    /// A header row; means something in CSV only.
    Header = "includeCSVHeader", Truth in header: bool,
    /// The fields asked for; empty for all.
    Fields = "fields", Fields in fields: Vec<ExportField>,
    /// The most records, the busiest kept; 2,000,000 without it.
    Limit = "limit", Number in limit: Option<u64>,
    /// Operators to include; empty for all.
    Tags = "tags", Tags in tags: Vec<TagName>,
    /// Callback proxies to include; empty for all.
    CallbackProxies = "callbackProxies", Tags in callback_proxies: Vec<TagName>,
    /// Countries to include, two letters each; empty for all.
    Ccs = "ccs", Countries in ccs: Vec<String>,
    /// Only named and attributed VPN exits.
    Attributed = "attributed", Truth in attributed: bool,
    /// Only changes versus the previous day.
    Diff = "diff", Truth in diff: bool,
    /// The day to compare with the one before it.
    DiffDate = "diffDate", Day in diff_date: Option<Day>,
}

impl Param {
    /// Whether exports of `feed` take the parameter: `dch` has three (contract, part 4.3).
    #[must_use]
    pub fn is_of(self, feed: Feed) -> bool {
        feed != Feed::Dch || matches!(self, Self::Output | Self::Header | Self::Fields)
    }

    /// The value that stands for leaving it out.
    #[must_use]
    pub fn default_value(self) -> ParamValue {
        ExportQuery::all_of(Feed::Anonymous).value(self)
    }

    /// Reads a value as requests spell it.
    ///
    /// # Errors
    /// What is no value of the parameter.
    pub fn parse(self, text: &str) -> Result<ParamValue, String> {
        let name = self.name();
        Ok(match self.default_value() {
            ParamValue::Truth(_) => ParamValue::Truth(match text {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return Err(format!("{name}={text} is not a boolean")),
            }),
            ParamValue::Output(_) => {
                ParamValue::Output(text.parse().map_err(|error: Unknown| error.to_string())?)
            }
            ParamValue::Fields(_) => ParamValue::Fields(list(text, ExportField::from_str)?),
            ParamValue::Number(_) => {
                let number = text.parse();
                ParamValue::Number(Some(
                    number.map_err(|_| format!("{name}={text} is not a number"))?,
                ))
            }
            ParamValue::Tags(_) => ParamValue::Tags(list(text, TagName::new)?),
            ParamValue::Countries(_) => {
                ParamValue::Countries(items(text).map(str::to_owned).collect())
            }
            ParamValue::Day(_) => {
                let day = Day::from_dashed(text);
                ParamValue::Day(Some(
                    day.ok_or_else(|| format!("{name}={text} is not YYYY-MM-DD"))?,
                ))
            }
        })
    }
}

impl ParamValue {
    /// The value as requests spell it; none where it is left out.
    #[must_use]
    pub fn sent(&self) -> Option<String> {
        fn list<T: ToString>(items: &[T]) -> Option<String> {
            let items: Vec<String> = items.iter().map(T::to_string).collect();
            (!items.is_empty()).then(|| items.join(","))
        }
        match self {
            Self::Truth(asked) => asked.then(|| "true".to_owned()),
            Self::Output(output) => Some(output.name().to_owned()),
            Self::Fields(fields) => list(fields),
            Self::Number(number) => number.map(|number| number.to_string()),
            Self::Tags(tags) => list(tags),
            Self::Countries(codes) => list(codes),
            Self::Day(day) => day.map(Day::dashed),
        }
    }
}

impl ExportQuery {
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

    /// The parameters that are sent and their values, in the contract's order. `output` always is; a header is asked for
    /// only where it means something.
    #[must_use]
    pub fn parameters(&self) -> Vec<(Param, String)> {
        let means_something = |param| param != Param::Header || self.output == Output::Csv;
        let params = Param::ALL
            .into_iter()
            .filter(|param| means_something(*param));
        params
            .filter_map(|param| Some((param, self.value(param).sent()?)))
            .collect()
    }

    /// Reads the parameters of a request back; what is not a parameter of the contract is passed over.
    pub(super) fn parse(feed: Feed, pairs: &[(String, String)]) -> Result<Self, String> {
        let mut query = Self::all_of(feed);
        for (name, value) in pairs {
            if let Some(param) = Param::ALL.into_iter().find(|param| param.name() == name) {
                query.set(param, param.parse(value)?);
            }
        }
        Ok(query)
    }

    /// Sets one parameter back to its default.
    pub fn clear(&mut self, param: Param) {
        self.set(param, param.default_value());
        if param == Param::Diff {
            // A date without diff would be the next conflict.
            self.diff_date = None;
        }
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

fn list<T, E: ToString>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Result<Vec<T>, String> {
    let read = |item| read(item).map_err(|error| error.to_string());
    items(text).map(read).collect()
}
