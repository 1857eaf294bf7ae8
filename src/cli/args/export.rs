//! Arguments of `export`, and the request they make.

use std::{path::PathBuf, str::FromStr};

use clap::{Args as Group, ValueEnum};

use super::{
    feeds::feed,
    lookup::{day, tag, usage},
};
use crate::{
    contract::{ExportField, ExportQuery, Output, Rule},
    engine::{Error, Kind, Result},
    model::TagName,
};

/// Arguments of `export`
#[derive(Debug, Group)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a parameter of the contract"
)]
#[command(
    after_help = "FEED: anonymous, anonymous-residential, anonymous-ipv6, anonymous-residential-ipv6, dch\n\
    FIELDS: ip, network, tag, callbackProxy, infrastructure, services, clientCount, locationCity, locationState,\n        \
    locationCountry; for dch network, organization, asn\n\
    JSON: {\"feed\",\"output\",\"file\",\"bytes\",\"records\",\"asked_at\",\"url\",\"source\":\"live|local\",\"day\"}\n\n\
    Examples:\n  ipspect export anonymous --tags ACME_VPN --ccs nl,de --header -o acme.csv\n  \
    ipspect export anonymous --local --output json --diff -o changes.json\n  \
    ipspect export anonymous-residential --output json --limit 1000 --dry-run"
)]
pub struct ExportArgs {
    /// The feed
    pub feed: String,
    /// The file's form
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub output: Form,
    /// A header row, in CSV
    #[arg(long)]
    pub header: bool,
    /// Only these fields, apart by commas
    #[arg(long, value_name = "FIELDS")]
    pub fields: Vec<String>,
    /// The most records, the busiest kept: 1 to 2,000,000
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub limit: Option<String>,
    /// Only these operators, apart by commas
    #[arg(long, value_name = "TAGS")]
    pub tags: Vec<String>,
    /// Only these callback proxies, apart by commas; residential feeds only
    #[arg(long, value_name = "TAGS")]
    pub callback_proxies: Vec<String>,
    /// Only these countries, two letters each, apart by commas
    #[arg(long, value_name = "CODES")]
    pub ccs: Vec<String>,
    /// Only named and attributed VPN exits
    #[arg(long)]
    pub attributed: bool,
    /// Only changes versus the previous day; not for residential feeds
    #[arg(long)]
    pub diff: bool,
    /// The day to compare with the one before it
    #[arg(long, value_name = "DAY")]
    pub diff_date: Option<String>,
    /// Answer from the feed on this disk, with the same meaning: nothing is sent
    #[arg(long)]
    pub local: bool,
    /// Where to; `-` is standard output
    #[arg(short = 'o', long = "output-file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
    /// Guard CSV cells that a spreadsheet would take for formulas
    #[arg(long)]
    pub spreadsheet_safe: bool,
    /// Send nothing: print the URL and a curl line, or with --local what would be read
    #[arg(long)]
    pub dry_run: bool,
}

/// The form of an exported file
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Comma-separated values
    #[default]
    Csv,
    /// JSON
    Json,
    /// A database indexed by address
    Mmdb,
}

impl ExportArgs {
    /// The request that is asked for. Whether the contract forbids it is not looked at here.
    ///
    /// # Errors
    /// [`Kind::Usage`] for what is no feed, field, tag, number or day.
    pub fn query(&self) -> Result<ExportQuery> {
        let mut query = ExportQuery::all_of(feed(&self.feed)?);
        query.output = match self.output {
            Form::Csv => Output::Csv,
            Form::Json => Output::Json,
            Form::Mmdb => Output::Mmdb,
        };
        query.header = self.header;
        query.fields = list(&self.fields, |text| {
            ExportField::from_str(text).map_err(usage)
        })?;
        query.limit = self.limit.as_deref().map(limit).transpose()?;
        query.tags = tags(&self.tags)?;
        query.callback_proxies = tags(&self.callback_proxies)?;
        query.ccs = list(&self.ccs, |text| Ok(text.to_uppercase()))?;
        query.attributed = self.attributed;
        query.diff = self.diff;
        query.diff_date = self.diff_date.as_deref().map(day).transpose()?;
        Ok(query)
    }
}

/// The items of lists apart by commas, each once, in the order given.
fn list<T: PartialEq>(lists: &[String], read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    let items = lists.iter().flat_map(|list| list.split(','));
    let mut found = Vec::new();
    for item in items.map(str::trim).filter(|item| !item.is_empty()) {
        let item = read(item)?;
        if !found.contains(&item) {
            found.push(item);
        }
    }
    if found.is_empty() && !lists.is_empty() {
        // An empty filter would ask for everything, which is not what an empty variable in a script means.
        return Err(Error::new(Kind::Usage, "a list is empty")
            .hint("name something, or leave the option out"));
    }
    Ok(found)
}

fn tags(lists: &[String]) -> Result<Vec<TagName>> {
    list(lists, tag)
}

fn limit(text: &str) -> Result<u64> {
    let digits = text.replace(['_', ','], "");
    if digits.starts_with('-') && digits.parse::<i128>().is_ok() {
        return Err(usage(Rule::LimitOutOfRange(0))
            .hint(format!("{text} was given; set limit to 1 or more")));
    }
    // Whether it is within bounds is a rule of the contract, and told with the other rules.
    digits
        .parse()
        .map_err(|_| usage(format!("limit {text:?} is not a number")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{contract::Feed, model::Day};

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: ExportArgs,
    }

    fn query(line: &str) -> Result<ExportQuery> {
        Line::try_parse_from(format!("export {line}").split_whitespace())
            .expect(line)
            .args
            .query()
    }

    #[test]
    fn all_options_make_one_request() {
        let query = query(
            "anonymous --output json --header --fields ip,tag --fields services,ip --limit 1,000 --tags acme_vpn,CARGO_VPN \
             --ccs nl,DE --attributed --diff --diff-date 20261119",
        )
        .expect("query");
        let parameters = query.parameters();
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(param, value)| format!("{}={value}", param.name()))
            .collect();
        assert_eq!(query.feed, Feed::Anonymous);
        assert_eq!(query.diff_date, Day::new(2026, 11, 19));
        assert_eq!(
            parameters.join("&"),
            "output=json&fields=ip,tag,services&limit=1000&tags=ACME_VPN,CARGO_VPN&ccs=NL,DE&attributed=true&diff=true&diffDate=2026-11-19"
        );
    }

    #[test]
    fn what_is_no_request_is_named() {
        for (line, expected) in [
            ("anonymus", "no feed"),
            ("anonymous --fields ipp", "ipp"),
            ("anonymous --limit many", "not a number"),
            ("anonymous --limit -1", "outside 1 to 2000000"),
            ("anonymous --tags A/B", "not a service tag"),
            ("anonymous --tags ,", "a list is empty"),
            ("anonymous --diff --diff-date 2026-13-01", "not a day"),
        ] {
            let error = query(line).expect_err(line);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
