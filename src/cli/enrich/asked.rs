//! What a run of `enrich` asks, beside what an earlier one asked.

use std::{net::IpAddr, path::Path};

use clap::ValueEnum;

use crate::{
    cli::args::enrich::EnrichArgs,
    contract::Feed,
    engine::{Error, Family, Kind, OpenDay, Result},
    investigation::earlier_run::{AnsweredFrom, EarlierAnswer, EarlierLine, RunIdentity, TextMark},
    model::{Day, Subject},
    report::each,
};

/// The way out where a file is of another run.
pub(super) const ANEW: &str = "--rest-anew takes FILE as it is, and asks the rest of this run";

/// What this run asks.
pub(super) struct AskedNow {
    /// With the text as far as it is known.
    pub(super) run: RunIdentity,
    /// Whether it spends queries.
    pub(super) spends: bool,
    /// Whether answers of other runs are taken as they are.
    pub(super) rest_anew: bool,
}

impl AskedNow {
    /// What these arguments ask these releases.
    pub(super) fn of(args: &EnrichArgs, filter: &str, opened: &[OpenDay]) -> Self {
        let releases = opened.iter().map(|day| &day.release.manifest);
        Self {
            run: RunIdentity {
                feeds: releases
                    .map(|manifest| (manifest.feed, manifest.moment.day()))
                    .collect(),
                at: name_of(&args.pick.at),
                filter: Some(filter.to_owned()).filter(|text| !text.is_empty()),
                zone: args.zone.clone(),
                dates: name_of(&args.dates),
                at_time: args.at_time,
                all: args.all,
                top: args.top,
                text: TextMark::default(),
            },
            spends: args.spend > Some(0),
            rest_anew: args.rest_anew,
        }
    }

    /// Refuses a run that asked something else, whatever its text.
    pub(super) fn check(&self, path: &Path, run: &RunIdentity) -> Result<()> {
        let (theirs, own) = (asked_in_words(run), asked_in_words(&self.run));
        let pairs = theirs.iter().zip(&own);
        let others: Vec<_> = pairs.filter(|(theirs, text)| theirs != text).collect();
        if others.is_empty() {
            return Ok(());
        }
        let message = format!(
            "--resume: {} is of {}, this run has {}: nothing was sent",
            path.display(),
            each(others.iter().map(|(theirs, _)| theirs), ", "),
            each(others.iter().map(|(_, text)| text), ", ")
        );
        let hint = format!("give this run what FILE is of; {ANEW}");
        Err(Error::new(Kind::Usage, message).hint(hint))
    }

    /// Whether a line leaves its address to this run.
    pub(super) fn is_open(&self, line: &EarlierLine) -> bool {
        let is_open = match &line.answer {
            EarlierAnswer::Open => true,
            EarlierAnswer::UnknownDay | EarlierAnswer::Nothing { is_local: true } => self.spends,
            EarlierAnswer::Nothing { is_local: false } | EarlierAnswer::Record(..) => false,
        };
        // `enrich` always says it.
        is_open || line.from == AnsweredFrom::Unsaid
    }

    /// Whether the releases without a record are all of this run that might have one.
    pub(super) fn has_searched_all(&self, from: &AnsweredFrom, address: IpAddr) -> bool {
        let AnsweredFrom::Searched(searched) = from else {
            return true;
        };
        let family = Family::of(Subject::Address(address));
        let mut asked = self.run.feeds.iter().filter(|pair| family.is_of(pair.0));
        asked.all(|pair| searched.contains(pair))
    }

    pub(super) fn refused(&self, path: &Path, other: (Feed, Day)) -> Error {
        let message = format!(
            "--resume: {} answers from {}, this run asks {}: nothing was sent",
            path.display(),
            in_words(&[other]),
            in_words(&self.run.feeds)
        );
        let hint = format!("--feed and --day ask what FILE answers from; {ANEW}");
        Error::new(Kind::Usage, message).hint(hint)
    }
}

/// What a run asks, member by member.
fn asked_in_words(run: &RunIdentity) -> [String; 8] {
    let no = |name: &str| format!("no {name}");
    let flag = |name: &str, is_set| {
        if is_set { name.to_owned() } else { no(name) }
    };
    let value = |name: &str, value: Option<&str>| match value {
        Some(value) => format!("{name} {value}"),
        None => no(name),
    };
    [
        in_words(&run.feeds),
        value("--at", Some(&run.at)),
        value("--filter", run.filter.as_deref()),
        value("--zone", Some(&run.zone)),
        value("--dates", Some(&run.dates)),
        flag("--at-time", run.at_time),
        flag("--all", run.all),
        value("--top", run.top.map(|number| number.to_string()).as_deref()),
    ]
}

fn in_words(releases: &[(Feed, Day)]) -> String {
    if releases.is_empty() {
        return "no local feed".to_owned();
    }
    let name = |(feed, day): &(Feed, Day)| format!("{feed} {}", day.dashed());
    each(releases.iter().map(name), ", ")
}

/// The value of an argument, as it is typed.
fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
