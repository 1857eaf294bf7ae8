//! Arguments of `lookup` and `tag`.

use std::net::IpAddr;

use clap::{Args as Group, ValueEnum};

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{Error, Kind, Result},
    model::{Day, TagName, parse_address},
};

/// Arguments of `lookup`
#[derive(Debug, Group)]
#[command(
    after_help = "Sends one query for each different address; non-public ones are refused and never sent.\n\
    JSON: {\"query\",\"source\",\"feed\",\"day\",\"cost\",\"balance\",\"elapsed_ms\",\"record\"}, the record as sent\n\
    CSV: query,source,day,cost,balance,ip,network,as_number,as_organization,organization,infrastructure,\n     \
    city,state,country,anonymization,operators,proxies,client_count,client_countries,client_types,\n     \
    risks,services,error; several values of one cell stand apart by blanks;\n     \
    anonymization is observed, possible, none-observed or unknown\n\n\
    Examples:\n  ipspect lookup 198.51.100.77\n  ipspect lookup 198.51.100.77 2001:db8::7 --date 2026-11-14 --format json"
)]
pub struct LookupArgs {
    /// Addresses, defanged ones too
    #[arg(required = true, value_name = "ADDRESS")]
    pub addresses: Vec<String>,
    /// The day whose data is asked for, YYYYMMDD or YYYY-MM-DD; needs historical access
    #[arg(long, value_name = "DAY")]
    pub date: Option<String>,
    /// Have the location from a third-party geolocation database
    #[arg(long)]
    pub mmgeo: bool,
    /// Where answers come from
    #[arg(long, value_enum, default_value_t, value_name = "SOURCE")]
    pub source: Source,
}

/// Where answers come from
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// The service, for one query each
    #[default]
    Live,
}

impl LookupArgs {
    /// The question about one address, but for the address.
    ///
    /// # Errors
    /// [`Kind::Usage`] for what is no day.
    pub fn query(&self) -> Result<impl Fn(IpAddr) -> LookupQuery + use<>> {
        let date = self.date.as_deref().map(day).transpose()?;
        let geolocation = self.geolocation();
        Ok(move |address| LookupQuery {
            address,
            date,
            geolocation,
        })
    }

    /// Whose geolocation is asked for.
    #[must_use]
    pub fn geolocation(&self) -> Geolocation {
        if self.mmgeo {
            Geolocation::Mmgeo
        } else {
            Geolocation::Service
        }
    }
}

/// Arguments of `tag`
#[derive(Debug, Group)]
#[command(
    after_help = "JSON: {\"query\",\"source\",\"record\"}, the record as sent\n\
    CSV: query,tag,name,website,categories,is_anonymous,is_callback_proxy,is_no_log,average_device_count,\n     \
    churn_rate,distinct_ips,alias_of,error\n\n\
    Examples:\n  ipspect tag ACME_VPN\n  ipspect tag acme_vpn bravo_proxy --format json"
)]
pub struct TagArgs {
    /// Service tags; letters become uppercase
    #[arg(required = true, value_name = "TAG")]
    pub tags: Vec<String>,
}

/// Reads a day.
///
/// # Errors
/// [`Kind::Usage`] for what is none.
pub fn day(text: &str) -> Result<Day> {
    text.parse().map_err(usage)
}

/// Reads an address.
///
/// # Errors
/// [`Kind::Usage`] says what the text is instead.
pub fn address(text: &str) -> Result<IpAddr> {
    parse_address(text).map_err(usage)
}

/// Reads a tag.
///
/// # Errors
/// [`Kind::Usage`] for what is none.
pub fn tag(text: &str) -> Result<TagName> {
    text.parse().map_err(usage)
}

/// What is wrong with an argument.
pub(super) fn usage(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Usage, error.to_string()).hint("nothing was sent")
}
