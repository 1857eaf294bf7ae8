//! Arguments of `watch`.

use std::path::PathBuf;

use clap::{Args as Group, Subcommand};
use ipnet::IpNet;

use super::{
    diff::filter,
    fields::check_filter,
    global::ColumnArgs,
    value::{address as address_of, feed, usage},
};
use crate::{
    contract::Feed,
    engine::{
        Error, Result, at_home,
        watches::{Watch, Watched},
    },
    model::Admission,
};

/// Arguments of `watch`
#[derive(Debug, Group)]
#[command(
    after_help = "A watch is looked for in each new release of a feed: after `feeds pull`, and by `watch check`. Told is what is new or gone, has other operators, has twice the clients or more, or \
    is more or less than it may be; each once, with the days that were compared. Every release in between that is local by then is looked at; a day that is not is said to be unknown, and not looked at when it is pulled later. \
    [watch] on_change of the configuration is a command that gets the changes as lines of JSON on its standard input. Nothing is sent.\n\n\
    Examples:\n  ipspect watch --demo\n  ipspect watch add office --network 198.51.100.0/24 --demo\n  ipspect watch check --format json"
)]
pub struct WatchArgs {
    /// What to do with them; without it, they are listed
    #[command(subcommand)]
    pub command: Option<WatchCommand>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// What to do with watches
#[derive(Debug, Subcommand)]
pub enum WatchCommand {
    /// Watch an address, a network, an AS, a tag, a filter, or the list in a file
    #[command(
        after_help = "It begins at the newest local release: what changes after that is told. --at-least and --at-most are bounds of its number of records, told where it leaves them.\n\n\
        Examples:\n  ipspect watch add office --network 198.51.100.0/24\n  ipspect watch add acme --tag ACME_VPN --at-most 5000\n  ipspect watch add exits --filter 'type:VPN' --feed anonymous"
    )]
    Add(WatchAddArgs),
    /// End a watch
    #[command(after_help = "Examples:\n  ipspect watch rm office\n  ipspect watch rm office acme")]
    Rm {
        /// The names
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
    /// List the watches, with up to which day they were looked at
    #[command(after_help = "Examples:\n  ipspect watch list\n  ipspect watch list --format json")]
    List,
    /// What changed since the last look; ends with 11 where something did
    #[command(
        after_help = "--file looks back at a log instead: which of its addresses were unknown on the day of their event, by the local releases of the last days, and are known now.\n\
        JSON: {\"watch\",\"feed\",\"from\",\"to\",\"kind\",\"subject\",\"before\",\"after\"}: kind is added, removed, operator, clients, count, known or unknown\n\n\
        Examples:\n  ipspect watch check\n  ipspect watch check office --format json\n  ipspect watch check --file access.log"
    )]
    Check {
        /// Only these
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// What was told before, instead of what changed since
        #[arg(long)]
        told: bool,
        /// A log to look back at
        #[arg(long, value_name = "LOG", conflicts_with_all = ["names", "told"])]
        file: Option<PathBuf>,
    },
}

/// Arguments of `watch add`
#[derive(Debug, Group)]
#[group(skip)]
pub struct WatchAddArgs {
    /// A name for it
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The feed; the widest local one of its family without it
    #[arg(long, value_name = "FEED")]
    pub feed: Option<String>,
    /// An address
    #[arg(long, value_name = "ADDRESS", group = "what")]
    pub address: Option<String>,
    /// A network
    #[arg(long, value_name = "NETWORK", group = "what")]
    pub network: Option<String>,
    /// An autonomous system: AS64500
    #[arg(long = "as", value_name = "AS", group = "what")]
    pub system: Option<String>,
    /// A tag of a service
    #[arg(long, value_name = "TAG", group = "what")]
    pub tag: Option<String>,
    /// A filter, as of `search`
    #[arg(long, value_name = "FILTER", group = "what")]
    pub filter: Option<String>,
    /// A list of addresses and networks, read at each check
    #[arg(long, value_name = "FILE", group = "what")]
    pub file: Option<PathBuf>,
    /// Tell where it has fewer records
    #[arg(long, value_name = "N")]
    pub at_least: Option<u64>,
    /// Tell where it has more records
    #[arg(long, value_name = "N")]
    pub at_most: Option<u64>,
}

impl WatchAddArgs {
    /// The watch, where the feed of this one is not given for it.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage).
    pub fn watch(&self, admission: &Admission, widest: impl Fn(bool) -> Feed) -> Result<Watch> {
        let what = self.what(admission)?;
        let is_v6 = match &what {
            Watched::Address(address) => address.is_ipv6(),
            Watched::Network(network) => matches!(network, IpNet::V6(_)),
            _ => false,
        };
        let feed = match &self.feed {
            Some(name) => feed(name)?,
            None => widest(is_v6),
        };
        if feed == Feed::Realtime || !Feed::of_subjects().any(|known| known == feed) {
            let message = format!("{feed} has no daily records about addresses");
            return Err(usage(message).hint("--feed anonymous, or anonymous-residential"));
        }
        if let Some(filter) = what.filter() {
            check_filter(&[feed], &filter)?;
        }
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        if self.name.is_empty() || self.name.len() > 60 || !self.name.chars().all(is_plain) {
            let message = format!("{:?} is no name of a watch", self.name);
            return Err(usage(message).hint("letters, digits, - _ and ., 60 at most"));
        }
        if self
            .at_least
            .zip(self.at_most)
            .is_some_and(|(least, most)| least > most)
        {
            return Err(usage("--at-least is more than --at-most").hint("swap them"));
        }
        Ok(Watch {
            name: self.name.clone(),
            feed: feed.name().to_owned(),
            what,
            at_least: self.at_least,
            at_most: self.at_most,
            looked: None,
            counts: Vec::new(),
        })
    }

    fn what(&self, admission: &Admission) -> Result<Watched> {
        if let Some(address) = &self.address {
            return Ok(Watched::Address(address_of(address, admission)?));
        }
        if let Some(network) = &self.network {
            let read = network.parse::<IpNet>();
            let no_network =
                |_| usage(format!("{network:?} is no network")).hint("198.51.100.0/24");
            return Ok(Watched::Network(read.map_err(no_network)?.trunc()));
        }
        if let Some(system) = &self.system {
            let digits = system
                .strip_prefix("AS")
                .or(system.strip_prefix("as"))
                .unwrap_or(system);
            let no_system =
                |_| usage(format!("{system:?} is no autonomous system")).hint("AS64500");
            return Ok(Watched::As(digits.parse().map_err(no_system)?));
        }
        if let Some(tag) = &self.tag {
            return Ok(Watched::Tag(super::value::tag(tag)?.as_str().to_owned()));
        }
        if let Some(text) = &self.filter {
            filter(Some(text))?;
            return Ok(Watched::Filter(text.clone()));
        }
        if let Some(file) = &self.file {
            // It is read again, from wherever the program is run then.
            let file = at_home(&file.display().to_string());
            let refused = |error| Error::machine_at("find", &file, &error);
            return Ok(Watched::File(std::path::absolute(&file).map_err(refused)?));
        }
        Err(usage("what is watched?").hint("--address, --network, --as, --tag, --filter or --file"))
    }
}
