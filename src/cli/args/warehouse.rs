//! Arguments of `warehouse` and its subcommands.

use clap::{Args as Group, Subcommand, ValueEnum};

use super::{
    global::ColumnArgs,
    value::{day, feed, usage},
};
use crate::{
    contract::Feed,
    engine::{DayPlace, Result},
    model::Day,
};

/// Where releases are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlaceArg {
    /// The local feeds
    #[default]
    Local,
    /// In the warehouse of the profile
    Warehouse,
}

impl From<PlaceArg> for DayPlace {
    fn from(arg: PlaceArg) -> Self {
        match arg {
            PlaceArg::Local => Self::Disk,
            PlaceArg::Warehouse => Self::Warehouse,
        }
    }
}

/// Arguments of `warehouse`
#[derive(Debug, Group)]
#[command(
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    after_help = "The warehouse is the one of the profile: [profiles.NAME.warehouse] of config.toml. `ipspect doctor` tests it.\n\
    What is asked of it: `search`, `lookup`, `enrich` and `diff` with --at warehouse.\n\n\
    Examples:\n  ipspect warehouse init\n  ipspect warehouse load anonymous --new\n  ipspect warehouse days"
)]
pub struct WarehouseArgs {
    /// What to do; without it the days are listed
    #[command(subcommand)]
    pub command: Option<WarehouseCommand>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// What to do with the warehouse of the profile
#[derive(Debug, Subcommand)]
pub enum WarehouseCommand {
    /// Create its two tables, where they do not exist
    #[command(after_help = "JSON: {\"warehouse\",\"created\"}\n\n\
        Examples:\n  ipspect warehouse init\n  ipspect warehouse init --profile team")]
    Init,
    /// Load local releases of a feed
    Load(LoadArgs),
    /// The days that are loaded, and those that are local
    #[command(
        after_help = "JSON: {\"feed\",\"day\",\"records\",\"hash\",\"loaded\",\"local\",\"same\"}; records and hash of what is loaded, else of what is local; \
        same: whether both are the same release, null where one is missing\n\
        CSV: feed,day,records,hash,loaded,local,same\n\n\
        Examples:\n  ipspect warehouse days\n  ipspect warehouse days anonymous --format csv"
    )]
    Days {
        /// The feed; all of them without it
        feed: Option<String>,
    },
    /// Remove loaded days, or what broken loads have left
    Drop(DropArgs),
}

/// Arguments of `warehouse load`
#[derive(Debug, Group)]
#[command(
    after_help = "Records are seen when all of a day have arrived, and not before: a run that ends early leaves what was there, and the next goes on.\n\
    The same release is loaded once; another one of a day replaces it.\n\
    JSON: {\"feed\",\"day\",\"records\",\"hash\",\"replaced\",\"was_there\",\"resumed_from\"}; hash: SHA-256 of the feed file\n\
    CSV: feed,day,records,hash,replaced,was_there,resumed_from\n\n\
    Examples:\n  ipspect warehouse load anonymous\n  ipspect warehouse load anonymous --new\n  \
    ipspect warehouse load anonymous --from 2026-11-01 --to 2026-11-20"
)]
pub struct LoadArgs {
    /// The feed; its releases must be downloaded
    pub feed: String,
    /// The release of this day, instead of the latest: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true, conflicts_with_all = ["from", "to", "new"])]
    pub day: Option<String>,
    /// The local releases from this day on
    #[arg(
        long,
        value_name = "DAY",
        allow_hyphen_values = true,
        conflicts_with = "new"
    )]
    pub from: Option<String>,
    /// The local releases up to this day
    #[arg(
        long,
        value_name = "DAY",
        allow_hyphen_values = true,
        conflicts_with = "new"
    )]
    pub to: Option<String>,
    /// All local releases that the warehouse does not have
    #[arg(long)]
    pub new: bool,
}

/// Arguments of `warehouse drop`
#[derive(Debug, Group)]
#[command(
    after_help = "A day is removed for everybody who asks this warehouse.\n\
    --stale removes records that nothing reads: of loads that were replaced, of those that this machine did not end, and of those of others that began more than a day ago.\n\
    JSON: {\"feed\",\"day\",\"records\"} a day; with --stale {\"loads\"}\n\n\
    Examples:\n  ipspect warehouse drop anonymous --day 2026-11-01\n  \
    ipspect warehouse drop anonymous --to -365d\n  ipspect warehouse drop --stale"
)]
pub struct DropArgs {
    /// The feed
    #[arg(required_unless_present = "stale")]
    pub feed: Option<String>,
    /// This day: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true, conflicts_with_all = ["from", "to"])]
    pub day: Option<String>,
    /// Days from this one on
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Days up to this one
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// Records of loads that were replaced or cut off
    #[arg(long, conflicts_with_all = ["feed", "day", "from", "to"])]
    pub stale: bool,
}

/// Days from one to another; either may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayRange {
    pub from: Option<Day>,
    pub to: Option<Day>,
}

impl DayRange {
    /// Whether the day is one of them.
    #[must_use]
    pub fn has(&self, day: Day) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }

    /// Reads `--from` and `--to`.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for invalid days, or the wrong order.
    pub fn read(from: Option<&str>, to: Option<&str>, today: Day) -> Result<Self> {
        let read = |text: Option<&str>| text.map(|text| day(text, today)).transpose();
        let (from, to) = (read(from)?, read(to)?);
        match (from, to) {
            (Some(from), Some(to)) if from > to => Err(usage(format!(
                "--from {} is after --to {}",
                from.dashed(),
                to.dashed()
            ))
            .hint("the earlier day comes first")),
            _ => Ok(Self { from, to }),
        }
    }
}

/// Which releases to load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedLoads {
    /// That of a day, or the latest.
    One(Option<Day>),
    Days(DayRange),
    New,
}

impl LoadArgs {
    /// The feed and its releases.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid feed or day.
    pub fn wanted(&self, today: Day) -> Result<(Feed, WantedLoads)> {
        let feed = feed(&self.feed)?;
        let wanted = if self.new {
            WantedLoads::New
        } else if self.from.is_some() || self.to.is_some() {
            WantedLoads::Days(DayRange::read(
                self.from.as_deref(),
                self.to.as_deref(),
                today,
            )?)
        } else {
            let day = self.day.as_deref().map(|text| day(text, today));
            WantedLoads::One(day.transpose()?)
        };
        Ok((feed, wanted))
    }
}

impl DropArgs {
    /// The feed and its days; `None` for what broken loads left.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid feed or day, and where no day is named.
    pub fn wanted(&self, today: Day) -> Result<Option<(Feed, DayRange)>> {
        let Some(name) = &self.feed else {
            return Ok(None);
        };
        let one = self.day.as_deref();
        let range = DayRange::read(
            one.or(self.from.as_deref()),
            one.or(self.to.as_deref()),
            today,
        )?;
        if range
            == (DayRange {
                from: None,
                to: None,
            })
        {
            return Err(usage("no day is named").hint(format!(
                "`ipspect warehouse drop {name} --day DAY`, or --from and --to"
            )));
        }
        Ok(Some((feed(name)?, range)))
    }
}
