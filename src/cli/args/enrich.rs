//! Arguments of `enrich`.

use std::path::PathBuf;

use clap::Args as Group;
use jiff::{Timestamp, tz::TimeZone};

use super::{
    diff::filter as filter_of,
    fields::{check_facet, check_filter},
    global::ColumnArgs,
    lookup::PickArgs,
    search::facet,
};
use crate::{
    contract::Feed,
    engine::{Error, Kind, Pick, Result},
    investigation::{
        board::{BoardField, BoardFilter, is_column},
        event_time::{DateOrder, TimeReader, zone_named},
        gather::Room,
    },
    model::Day,
    report::each,
    store::index::FacetBy,
};

/// Arguments of `enrich`
#[derive(Debug, Group)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(
    after_help = "Finds every address in any text, defanged ones too, each once, in the order in which they come up, and answers \
    from the local feeds. Nothing is sent and nothing is spent, except with --spend N. What cannot be asked is set aside, with the reason: \
    non-public addresses, networks, numbers padded with zeros, what was typed as the name of a user beside a client; --set-aside lists it.\n\
    Four numbers behind the name of a product or a key such as version are a version, and are set aside (OpenSSH_9.6.0.1, Chrome/120.0.0.0, \
    ver=6.2.1.132); in src=198.51.100.7, https://198.51.100.7/ and web1/198.51.100.7 they are an address.\n\
    Each address has a role, by what the text says: source, destination, own (the machine that wrote the line) or proxy; source where nothing \
    tells. Others than sources come last, and no query is sent about them unless the filter names the role (role:destination). An IPv6 \
    address that may end in a port is not sent either.\n\
    A time is under a key that means the time of the event, else a full date, else a number at the head of a line. assets/formats.md of the \
    source lists the programs whose texts were tried.\n\
    What is packed by gzip, zstd or bzip2 is unpacked, UTF-16 is decoded; anything else that is not text is refused, with the \
    command that unpacks it.\n\
    One line for each address, with the best record: an IP context before netblocks, then the most specific, then a full \
    record before one of realtime, then the newest day. The other records are named in also; --all prints them.\n\
    --spend N answers addresses without a local IP context from the cache, and then by at most N live queries, a query for each address; \
    with --at-time for each address and day of its events without a local or cached record. The whole text is read first, and the cost is printed before \
    anything is sent. A query that was sent without an answer, by a run that was cut off, is possibly spent: it is not sent again without \
    --yes. Answers are cached, so the same command goes on without paying twice. Where addresses are left out it ends with 1; --spend 0 takes \
    cached answers and leaves none out. With --resume the last line of an address counts.\n\
    --resume FILE leaves out what FILE answers from the cache, the service and the local releases that this run asks. The first row of a run has \
    what it asked, and a checksum of the first 64 KiB of its text, as run. A FILE of other feeds or days, of another --at, --filter, --zone, --dates, \
    --at-time, --all or --top, of a text that does not begin as that of this run, or without run is refused, unless --rest-anew takes it as it is; the \
    address of an answer that names no release is asked again.\n\
    JSON: {\"query\",\"input\",\"source\",\"feed\",\"day\",\"load\",\"cost\",\"balance\",\"elapsed_ms\",\"also\":[{feed,day,subject}],\"count\",\"lines\",\"role\",\"may_end_in_port\",\
    \"first_line\",\"first_time\",\"last_time\",\"columns\":{column:[{value,count}]},\"first_file\",\"left_out\",\"searched\":[{feed,day}],\"recent\",\"record\",\"run\":{\"feeds\":[{feed,day}],\"at\",\"filter\",\"zone\",\"dates\",\"at_time\",\"all\",\"top\",\
    \"text\":{bytes,xxh3}}}; run in the first row; input where it differs from query; record is null where no \
    feed has one, and searched names the releases; recent as of lookup, where the record has no tunnel; left_out is true where a query was not sent; count (occurrences), lines (lines that have it), role \
    and first_line from files, from standard input with --facet or --top only; first_file from several files; with --facet {\"value\",\"count\",\"share\"}, with --group \
    {\"value\",\"addresses\",\"lines\",\"clients\",\"queries\"}: the addresses; with --set-aside {\"text\",\"reason\",\"first_line\",\"first_file\"}\n\
    CSV: as of `ipspect lookup`, and also,count,first_line,first_time,last_time,columns,lines,role; with --facet value,count,share, with --group value,addresses,lines,clients\n\
    --at-time reads the time of each line, also in text, Markdown and standard input. then is the record as of the UTC day of the event: of \
    the local release of that day, else a cached answer about it. If neither exists, the day is unknown, not without a record. An \
    event may be later than the release of its day: next is the record of the day after it, where its verdict differs. A verdict is types, \
    operators and anonymity of the tunnels; without a record it is that of a record without tunnels. --filter, --group, --facet and \
    --top are about then, and count addresses and days.\n\
    JSON of --at-time: also \"event_day\",\"then\":{\"day\",\"known\",\"source\",\"feed\",\"record\"},\"next\",\"changed\"; no then without a time, only day \
    and known where it is unknown; next as then; changed where the verdicts of then and today are known\n\
    CSV of --at-time: also event_day,then_known,then_day,then_feed,then_tunnel_types,then_operators,changed\n\
    JSON of --plan: {\"found\",\"unique\",\"public\",\"set_aside\":{reason:count},\"answered\",\"feeds\":[{feed,day,answered}],\"unknown\",\"cached\",\"live\",\"other_roles\",\"possibly_spent\",\"cost\",\"balance\"}: \
    live are the queries that --spend would need for all, cost those that it allows, balance the last one heard\n\n\
    Examples:\n  ipspect enrich access.log --facet tag\n  ipspect enrich sign-ins.json --filter is:vpn,proxy --group user\n  ipspect enrich access.log access.log.1.gz --feed anonymous --format json\n  \
    ipspect enrich access.log --filter type:TOR,PROXY\n  \
    ipspect enrich access.log --at-time --zone Europe/Berlin\n  ipspect enrich a.log --spend 99 --format json --resume out >> out"
)]
pub struct EnrichArgs {
    /// Text files, also packed by gzip, zstd or bzip2, and UTF-16; `-` or none is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Which feeds to ask
    #[command(flatten)]
    pub pick: PickArgs,
    /// Refused here: only the service has third-party geolocation
    #[arg(long, hide = true)]
    pub mmgeo: bool,
    /// Print every record of an address, not only the best one
    #[arg(long, conflicts_with = "plan")]
    pub all: bool,
    /// Only answers that match: the language of `search`, is:vpn, lines>10, role:destination, time:2026-11-25T03..05, day:2026-11-20 with --at-time, and columns of the text such as user:alice
    #[arg(
        long,
        value_name = "FILTER",
        allow_hyphen_values = true,
        conflicts_with = "plan"
    )]
    pub filter: Option<String>,
    /// The values of a field and how many answers have each: a field of filters, or a path such as location.city
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["plan", "all"])]
    pub facet: Option<String>,
    /// The addresses by a field of filters, by `net` (their /24, of IPv6 /48), by `is` (vpn, proxy, tor, tunnel, hosting, nothing, unreadable, unknown), by `role`, or by a column of the text
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["plan", "all", "facet"])]
    pub group: Option<String>,
    /// The N answers with the most clients, sorted by them; with --facet or --group the N most frequent values
    #[arg(long, value_name = "N", conflicts_with_all = ["plan", "all"])]
    pub top: Option<usize>,
    /// One answer for each address and UTC day of its events, and beside it the record as of that day
    #[arg(long, conflicts_with = "all")]
    pub at_time: bool,
    /// Print only how many addresses there are, how many have an answer at hand, and what the rest costs
    #[arg(long)]
    pub plan: bool,
    /// List what was set aside in place of the answers: each once, with the reason and its first line
    #[arg(long, conflicts_with_all = ["all", "filter", "facet", "group", "top", "at_time", "plan", "spend", "resume"])]
    pub set_aside: bool,
    /// Answer the rest from the cache, and by at most N live queries, for the addresses with most lines first
    #[arg(long, value_name = "N")]
    pub spend: Option<u64>,
    /// Send queries again that were sent without an answer: they may be paid for twice
    #[arg(long)]
    pub yes: bool,
    /// Go on with a run that was cut off: leave out what is answered in FILE, its JSON lines; append with >> FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan", "all", "facet", "group", "top"])]
    pub resume: Option<PathBuf>,
    /// Take the answers in FILE of --resume as they are where they are of other releases, another run or another text, and ask the rest of this run
    #[arg(long, requires = "resume")]
    pub rest_anew: bool,
    /// The order of numbers in a date whose year is not first; without it such dates are not read
    #[arg(long, value_name = "ORDER", value_enum, default_value = "iso")]
    pub dates: DateArg,
    /// The time zone of times in the text that name none, such as Europe/Berlin or +02:00
    #[arg(
        long,
        value_name = "ZONE",
        default_value = "UTC",
        allow_hyphen_values = true
    )]
    pub zone: String,
    /// How much memory the program may take, in MiB; a text with more addresses than fit is refused
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub memory: u32,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// The fewest MiB in which a text is read.
const LEAST_MEMORY: u32 = 128;

/// The order of numbers in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DateArg {
    /// 2026-11-20, 2026/11/20, 20261120; those below are not read
    Iso,
    /// 11/20/2026, 11-20-2026, 11/20/26
    Us,
    /// 20.11.2026, 20/11/2026, 20.11.26
    Eu,
}

/// A time zone, by the name of the system's database or by its offset.
fn zone(text: &str) -> Result<TimeZone> {
    zone_named(text).ok_or_else(|| {
        let message = format!("--zone: this system knows no time zone {text:?}");
        Error::new(Kind::Usage, message)
            .hint("write an offset such as +02:00, or a name such as Europe/Berlin")
    })
}

/// What of the answers is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnrichSelection {
    /// Every record of an address.
    pub all: bool,
    /// Only answers that match.
    pub filter: BoardFilter,
    /// The filter as it was typed.
    pub filter_text: String,
    /// The addresses by a field, instead of the answers.
    pub group: Option<BoardField>,
    /// The values of a field, instead of the answers.
    pub facet: Option<FacetBy>,
    /// At most so many, the busiest first, or values.
    pub top: Option<usize>,
}

impl EnrichArgs {
    /// How much memory the addresses of the text may take.
    #[must_use]
    pub fn room(&self) -> Room {
        Room::in_mebibytes(self.memory as usize)
    }

    /// How times in the text are read.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a time zone that the system does not know.
    pub fn times(&self, now: Timestamp) -> Result<TimeReader> {
        let order = match self.dates {
            DateArg::Iso => DateOrder::Iso,
            DateArg::Us => DateOrder::Us,
            DateArg::Eu => DateOrder::Eu,
        };
        Ok(TimeReader::new(order, zone(&self.zone)?, now))
    }

    /// Which local feeds are to be asked.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid day or feed, and for what only the service answers.
    pub fn feeds(&self, today: Day) -> Result<Pick> {
        if self.mmgeo {
            let message = "--mmgeo asks the service for another geolocation: nothing was sent";
            let hint = "leave it out; ipspect lookup --mmgeo asks the service, 1 query each";
            return Err(Error::new(Kind::Usage, message).hint(hint));
        }
        if self.yes && self.spend.is_none() {
            let message = "--yes sends queries again, and --spend is missing: nothing was sent";
            return Err(Error::new(Kind::Usage, message).hint("add --spend N, or leave --yes out"));
        }
        self.pick.pick(today)
    }

    /// What of the answers is wanted.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid filter or field.
    pub fn selected(&self) -> Result<EnrichSelection> {
        if self.memory < LEAST_MEMORY {
            let message = format!("--memory: {} MiB are too few", self.memory);
            return Err(Error::new(Kind::Usage, message).hint(format!(
                "give {LEAST_MEMORY} at least, or leave it out for 256"
            )));
        }
        let filter_text = self.filter.as_deref().unwrap_or_default().trim();
        Ok(EnrichSelection {
            all: self.all,
            filter: board_filter(filter_text, None)?,
            filter_text: filter_text.to_owned(),
            group: self.group.as_deref().map(BoardField::named),
            facet: self.facet.as_deref().map(facet).transpose()?,
            top: self.top,
        })
    }
}

impl EnrichSelection {
    /// Refuses a field that none of the feeds which answer has: it would leave every answer out, and look like an answer itself.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the fields that there are.
    pub fn check(&self, feeds: &[Feed]) -> Result<()> {
        check_filter(feeds, self.filter.record())?;
        let mut facets = self.facet.iter();
        facets.try_for_each(|by| check_facet(feeds, by))
    }

    /// Whether what stands beside an address is asked for.
    #[must_use]
    pub fn asks_for_columns(&self) -> bool {
        matches!(self.group, Some(BoardField::Column(_))) || self.filter.asks_for_columns()
    }

    /// The columns that are asked for.
    #[must_use]
    pub fn wanted_columns(&self) -> Vec<String> {
        let group = match &self.group {
            Some(BoardField::Column(name)) => Some(name.clone()),
            _ => None,
        };
        self.filter.columns().chain(group).collect()
    }

    /// Refuses a name that is neither a field nor a column of the text, once these are known.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the columns that there are.
    pub fn check_columns(&self, columns: &[String]) -> Result<()> {
        let has = |name: &String| columns.iter().any(|text| is_column(text, name));
        if let Some(BoardField::Column(name)) = self.group.as_ref()
            && !has(name)
        {
            let message = format!("--group: there is no field or column {name:?}");
            let hint = match columns {
                [] => "the text has no columns: group by is, net, tag, type, cc, asn or risk"
                    .to_owned(),
                columns => format!(
                    "the text has {}; is, net, tag, type, cc, asn and risk are fields",
                    each(columns, ", ")
                ),
            };
            return Err(Error::new(Kind::Usage, message).hint(hint));
        }
        board_filter(&self.filter_text, Some(columns)).map(drop)
    }
}

/// Refuses a filter with a name that was meant for that of a field, where no text tells of columns.
///
/// # Errors
/// [`Kind::Usage`] with the field that was meant.
pub fn check_names(filter: &str) -> Result<()> {
    match BoardFilter::read(filter, Some(&[])) {
        Err(bad) if bad.mend.is_some() => Err(bad.into()),
        _ => Ok(()),
    }
}

/// A filter of the answers; words by themselves are none.
fn board_filter(text: &str, columns: Option<&[String]>) -> Result<BoardFilter> {
    let filter = BoardFilter::read(text, columns)?;
    if filter.has_words() {
        // The language of search says what was meant.
        filter_of(Some(text))?;
    }
    Ok(filter)
}
