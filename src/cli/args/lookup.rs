//! Arguments of `lookup`, `tag` and `tags`.

use std::net::IpAddr;

use clap::{Args as Group, ValueEnum};

use super::{
    global::ColumnArgs,
    value::{day, feed, picked_day},
    warehouse::PlaceArg,
};
use crate::{
    contract::{Feed, Geolocation, LookupQuery, catalog::RecordKind},
    engine::{Error, Kind, Pick, Result},
    model::Day,
    report::{COLUMNS, EXTRA_COLUMNS},
};

/// Arguments of `lookup`
#[derive(Debug, Group)]
#[command(
    after_help = lookup_help()
)]
pub struct LookupArgs {
    /// Addresses, defanged ones too, or `-` for those on standard input; with --source local also networks
    #[arg(required = true, value_name = "ADDRESS")]
    pub addresses: Vec<String>,
    /// The day whose data the service is asked for, as --day: 2026-11-01, -7d or yesterday; needs historical access
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub date: Option<String>,
    /// Take the location from a third-party geolocation database
    #[arg(long)]
    pub mmgeo: bool,
    /// Send all queries without asking first
    #[arg(long)]
    pub yes: bool,
    /// Send at most N queries
    #[arg(long, value_name = "N")]
    pub spend: Option<u64>,
    /// Where answers come from
    #[arg(long, value_enum, default_value_t, value_name = "SOURCE")]
    pub source: SourceArg,
    /// Which local feeds to ask
    #[command(flatten)]
    pub pick: PickArgs,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

fn lookup_help() -> String {
    let (columns, extra) = (COLUMNS.join(","), EXTRA_COLUMNS.join(","));
    format!(
        "Sends one query for each different address; non-public ones are refused and never sent.\n\
    --source local asks the local feeds, for networks too: a line for each record, the most specific first; a network \
    also has the number of records inside it.\n\
    --at warehouse asks the warehouse in place of the local feeds and the service: of --date, else of the newest loaded day.\n\
    --source auto takes local IP contexts no older than local_max_age_h, then a cached answer younger than \
    answer_max_age_h, then sends the query; with --date the local release of that day, a cached answer about it, then the \
    query. Netblocks, geolocation and realtime stand beside an answer and never replace one. Where nothing may be sent a \
    stale answer is shown, marked.\n\
    --day asks the service with --source live, else the local release of that day.\n\
    More queries than confirm_over need a yes, or --yes or --spend N where there is no terminal.\n\
    JSON: {{\"query\",\"input\",\"date\",\"mmgeo\",\"source\",\"feed\",\"day\",\"load\",\"cost\",\"balance\",\"elapsed_ms\",\"stale\",\"inside\",\
    \"searched\":[{{feed,day}}],\"recent\":{{days,seen,first,last,types,operators}},\"record\"}}: the record as sent; input where it differs from query, date and mmgeo where they were asked \
    for, stale where it is true, load of the warehouse, inside for networks, searched where no local feed has a record, \
    recent where a tunnel or proxy was seen on some of the last ten local days (text says so in its first line)\n\
    CSV: query,source,feed,day,cost,balance,{columns},stale,inside,error; where named: {extra}; tunnels are type:operator:anonymous; \
    several values of one cell are separated by spaces; \
    anonymization is observed (a tunnel anonymizes), possible, none-observed or unknown\n\n\
    Examples:\n  ipspect lookup 198.51.100.77 --demo\n  ipspect lookup 198.51.100.0/24 --source local --feed dch\n  ipspect lookup 198.51.100.77 2001:db8::7 --date 2026-11-14 --format json\n  \
    ipspect lookup 198.51.100.77 --date -90d --at warehouse"
    )
}

/// Where answers come from
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SourceArg {
    /// The service, for one query each
    #[default]
    Live,
    /// The local feeds
    Local,
    /// The local feeds, else a cached answer, else the service
    Auto,
}

impl LookupArgs {
    /// The lookup question, except for its address.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid day.
    pub fn query(&self, today: Day) -> Result<impl Fn(IpAddr) -> LookupQuery + use<>> {
        let date = self.date(today)?;
        let geolocation = self.geolocation();
        Ok(move |address| LookupQuery {
            address,
            date,
            geolocation,
        })
    }

    /// The past day that is asked about.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid day, and for one in the future.
    pub fn date(&self, today: Day) -> Result<Option<Day>> {
        // Of the service a day is asked for with either option.
        let asked = self.pick.day.as_ref().filter(|_| self.asks_service());
        let date = self.date.as_ref().or(asked);
        date.map(|text| day(text, today)).transpose()
    }

    /// Whether nothing but the service is asked.
    fn asks_service(&self) -> bool {
        self.source == SourceArg::Live && self.pick.at == PlaceArg::Local
    }

    /// Whom this run asks: a warehouse in place of local releases.
    #[must_use]
    pub fn asked(&self) -> SourceArg {
        match self.pick.at {
            PlaceArg::Warehouse => SourceArg::Local,
            PlaceArg::Local => self.source,
        }
    }

    /// Which local feeds are to be asked; none for what only the service answers. For a past day the releases of that day.
    ///
    /// # Errors
    /// [`Kind::Usage`] for options that do not belong to the source.
    pub fn local(&self, today: Day) -> Result<Option<Pick>> {
        let mistake = |option: &str, what: &str, hint: &str| {
            let message = format!("{option} {what}: nothing was sent");
            Err(Error::new(Kind::Usage, message).hint(hint))
        };
        let is_of_service = self.date.is_some() || self.mmgeo;
        if self.pick.at == PlaceArg::Warehouse {
            return match (&self.date, &self.pick.day) {
                _ if self.mmgeo => mistake(
                    "--mmgeo",
                    "asks the service for another geolocation",
                    "leave it out, or leave --at warehouse out",
                ),
                _ if self.source == SourceArg::Auto => mistake(
                    "--source auto",
                    "may ask the service, --at warehouse only the warehouse",
                    "leave one of them out",
                ),
                (Some(_), Some(_)) => mistake(
                    "--date and --day",
                    "both name the day",
                    "leave one of them out",
                ),
                (Some(_), None) => Ok(Some(Pick {
                    day: self.date(today)?,
                    ..self.pick.pick(today)?
                })),
                (None, _) => self.pick.pick(today).map(Some),
            };
        }
        match self.source {
            SourceArg::Live if self.pick.feed.is_some() => {
                mistake("--feed", "is about the local feeds", "add --source local")
            }
            SourceArg::Live if self.date.is_some() && self.pick.day.is_some() => mistake(
                "--date and --day",
                "both name the day",
                "leave one of them out",
            ),
            SourceArg::Local if self.date.is_some() => mistake(
                "--date",
                "asks the service for a past day",
                "--day takes the local release of a day",
            ),
            SourceArg::Local if self.mmgeo => mistake(
                "--mmgeo",
                "asks the service for another geolocation",
                "leave it out, or leave --source local out",
            ),
            SourceArg::Auto if is_of_service && !self.pick.is_empty() => mistake(
                "--feed and --day",
                "are about the local feeds, --date and --mmgeo about the service",
                "leave one of them out",
            ),
            SourceArg::Live => Ok(None),
            SourceArg::Auto if self.mmgeo => Ok(None),
            SourceArg::Auto if self.date.is_some() => Ok(Some(Pick {
                feed: None,
                day: self.date(today)?,
            })),
            SourceArg::Local | SourceArg::Auto => self.pick.pick(today).map(Some),
        }
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
    CSV: query,tag,name,website,categories,is_anonymous,is_callback_proxy,is_no_log,average_device_count,\
    churn_rate,distinct_ips,alias_of,error\n\n\
    Examples:\n  ipspect tag ACME_VPN\n  ipspect tag acme_vpn bravo_proxy --format json\n  \
    ipspect tag ACME_VPN --source local"
)]
pub struct TagArgs {
    /// Service tags; letters become uppercase
    #[arg(required = true, value_name = "TAG")]
    pub tags: Vec<String>,
    /// Where answers come from
    #[arg(long, value_enum, default_value_t, value_name = "SOURCE")]
    pub source: TagSource,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// Where metadata of tags comes from
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TagSource {
    /// The service; costs no query
    #[default]
    Live,
    /// The local service-metrics feed, which writes booleans and numbers as strings
    Local,
}

/// Arguments of `tags`
#[derive(Debug, Group)]
#[command(
    after_help = "Lists the local service-metrics feed: `ipspect feeds pull service-metrics` downloads it.\n\
    JSON: the record as sent, a tag a line\n\
    CSV: tag,name,website,categories,is_anonymous,is_callback_proxy,is_no_log,average_device_count,\
    churn_rate,distinct_ips,alias_of\n\n\
    Examples:\n  ipspect tags\n  ipspect tags residential --format csv"
)]
pub struct TagsArgs {
    /// Part of a tag, an alias, a name, a description or a category, in any case
    #[arg(value_name = "FILTER")]
    pub filter: Option<String>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// Which local feeds to ask
#[derive(Clone, Debug, Default, Group)]
pub struct PickArgs {
    /// Ask only this local feed; default: all that hold addresses or networks
    #[arg(long, value_name = "NAME")]
    pub feed: Option<String>,
    /// As of this day: 2026-11-01, -7d, yesterday; else of the latest local release of each feed
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
    /// Where the releases are: local, or the warehouse of the profile
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub at: PlaceArg,
}

impl PickArgs {
    /// The pick.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid feed or day, and for a feed without addresses.
    pub fn pick(&self, today: Day) -> Result<Pick> {
        let feed = self.feed.as_deref().map(feed).transpose()?;
        if let Some(feed) = feed.filter(|feed| feed.row().records == RecordKind::Tags) {
            return Err(tags_only(feed));
        }
        let day = picked_day(self.day.as_deref(), today)?;
        Ok(Pick { feed, day })
    }

    /// Whether nothing is picked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.feed.is_none() && self.day.is_none()
    }
}

fn tags_only(feed: Feed) -> Error {
    Error::new(
        Kind::Usage,
        format!("the feed {feed} holds tags, no addresses"),
    )
    .hint("`ipspect tags` lists them, `ipspect tag TAG --source local` shows one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pick_is_a_feed_with_addresses_and_a_day() {
        let today = Day::new(2026, 11, 20).expect("a day");
        let pick = |feed: &str, day: &str| {
            let args = PickArgs {
                at: PlaceArg::Local,
                feed: Some(feed.to_owned()),
                day: Some(day.to_owned()),
            };
            args.pick(today)
        };
        let feed = Some(Feed::Dch);
        for (text, day) in [
            ("2026-11-19", Day::new(2026, 11, 19)),
            ("yesterday", Day::new(2026, 11, 19)),
            ("-7d", Day::new(2026, 11, 13)),
            ("latest", None),
        ] {
            assert_eq!(pick("dch", text), Ok(Pick { feed, day }), "{text}");
        }
        for (feed, day, says) in [
            ("dhc", "20261119", "no feed"),
            ("service-metrics", "20261119", "holds tags"),
            ("dch", "20261131", "not a day"),
        ] {
            let error = pick(feed, day).expect_err(says);
            assert!(
                error.kind == Kind::Usage && error.message.contains(says),
                "{error}"
            );
        }
    }
}
