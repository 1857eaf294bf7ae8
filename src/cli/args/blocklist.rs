//! Arguments of `blocklist`.

use std::path::{Path, PathBuf};

use clap::{
    Args as Group,
    builder::{PossibleValue, PossibleValuesParser},
};

use super::{
    diff::filter,
    fields::check_filter,
    global::ColumnArgs,
    value::{feed, picked_day, usage},
};
use crate::{
    contract::Feed,
    engine::{Family, Result, at_home},
    investigation::{
        blocklist::{BLOCK_FORMS, BlockForm, ListWriting},
        comparison::RecordSet,
    },
    model::{Day, visible},
    store::Filter,
};

/// Arguments of `blocklist`
#[derive(Debug, Group)]
#[command(
    override_usage = "ipspect blocklist [OPTIONS] --as <FORM> -o <FILE> <FEED> [FILTER]...\n       ipspect blocklist [OPTIONS] --check <FEED>|-|<FILE> [FILTER]...",
    after_help = "The addresses of a filter of a local release, or of a list on standard input (an address, network or first-last in each line), without those of --allow, of [blocklist] \
    allow and of the tags in [blocklist] exempt_tags, as the fewest networks that cover exactly these. FILTER is that of `search`. Nothing is sent.\n\
    FILE is replaced whole, or not at all, and FILE.json beside it says what it is: its form, feed, release, filter, how many addresses and entries, until when it holds, its sha256 and \
    the command that made it. The same input makes the same bytes, but for the end of a list that expires. Standard error says who is behind the list by local feeds: how many clients, \
    carriers, homes; and names the commands that check and apply it.\n\
    --check says the same and writes nothing; with the FILE of an earlier list it reads that and FILE.json, and ends with 11 where the list is over or was changed.\n\
    Refused, unless --force names it: an empty list (empty), a network larger than /8 or an IPv6 one larger than /19 (wide), more change than --max-change allows (change).\n\n\
    Examples:\n  ipspect blocklist anonymous type:VPN --as nft -o vpn.nft --expires 3d --demo\n  \
    ipspect blocklist anonymous 'clients<5' --as edl -o few.txt --split 50000\n  \
    ipspect blocklist anonymous type:VPN --check --log access.log --allow ours.txt\n  \
    ipspect match a.txt b.txt | ipspect blocklist - --as ipset -o both.ipset"
)]
pub struct BlocklistArgs {
    /// The feed; it must be downloaded. - reads a list from standard input; with --check also a FILE
    #[arg(value_name = "FEED")]
    pub feed: String,
    /// Which records; all of them without it
    #[arg(value_name = "FILTER")]
    pub filter: Vec<String>,
    /// The form, by who reads it
    #[arg(long = "as", value_name = "FORM", value_parser = forms(), required_unless_present = "check")]
    pub form: Option<String>,
    /// Where to; `-` is standard output
    #[arg(
        short = 'o',
        long = "output-file",
        value_name = "FILE",
        required_unless_present = "check"
    )]
    pub file: Option<PathBuf>,
    /// Say what the list is and who is behind it, and write nothing
    #[arg(long)]
    pub check: bool,
    /// What sets are called, instead of as the file
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The release of this day, instead of the latest: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
    /// A list of what is never blocked; repeatable
    #[arg(long, value_name = "FILE")]
    pub allow: Vec<PathBuf>,
    /// A log of your own: which of its addresses are in the list
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// An earlier list, in any form: how many addresses come and go
    #[arg(long, value_name = "OLD")]
    pub diff: Option<PathBuf>,
    /// Refuse a list that grows or shrinks by more than N % beside OLD
    #[arg(long, value_name = "N%", requires = "diff")]
    pub max_change: Option<String>,
    /// Fewer, larger networks, with at most N % addresses beyond the filter
    #[arg(long, value_name = "N%")]
    pub max_beyond: Option<String>,
    /// Only addresses of this family: 4 or 6
    #[arg(long, value_name = "FAMILY", value_parser = ["4", "6"])]
    pub family: Option<String>,
    /// For how long the list holds from now on: 12h, 3d
    #[arg(long, value_name = "TIME")]
    pub expires: Option<String>,
    /// At most N entries in a file: FILE-1, FILE-2
    #[arg(long, value_name = "N")]
    pub split: Option<usize>,
    /// What is done with a match, in the forms that say it: postfix, rpz
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// Write what is refused otherwise: empty, wide, change; repeatable
    #[arg(long, value_name = "WHAT", value_parser = ["empty", "wide", "change"])]
    pub force: Vec<String>,
    /// Which columns of the summary are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

fn forms() -> PossibleValuesParser {
    let forms = BLOCK_FORMS.iter();
    let forms = forms.map(|form| PossibleValue::new(form.name).help(form.about));
    PossibleValuesParser::new(forms)
}

/// A part of a hundred, such as `20%` or `20`; at most 100.
fn percent(text: &str) -> Result<u8> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_end();
    let number = number.parse::<u8>().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| {
        usage(format!("{text:?} is no percentage"))
            .hint("a whole number from 0% to 100%, such as 20%")
    })
}

/// What a list is made of.
#[derive(Debug)]
pub enum GivenSource {
    Records(RecordSet),
    /// A list on standard input.
    Input,
    /// A list that was written before.
    Written(PathBuf),
}

/// What a list is made of, and how.
#[derive(Debug)]
pub struct BlocklistArguments {
    pub source: GivenSource,
    /// None where it is only looked at.
    pub writing: Option<ListWriting>,
    pub families: Vec<Family>,
    /// The filter as it was typed.
    pub typed: Filter,
    /// How many addresses may be beyond the filter, in a hundred.
    pub max_beyond: Option<u8>,
    /// How much an earlier list may change, in a hundred.
    pub max_change: Option<u8>,
}

impl BlocklistArgs {
    /// Whether the list goes to standard output.
    #[must_use]
    pub fn is_to_output(&self) -> bool {
        let file = self.file.as_deref();
        !self.check && file == Some(Path::new("-"))
    }

    /// Whether this is written although it is refused otherwise.
    #[must_use]
    pub fn is_forced(&self, what: &str) -> bool {
        self.force.iter().any(|word| word == what)
    }

    /// What the list is made of, and how it is written.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage).
    pub fn list(&self, today: Day) -> Result<BlocklistArguments> {
        let writing = self.writing()?;
        self.check_inputs()?;
        let typed = filter(Some(&self.filter.join(" ")))?;
        let file = at_home(&self.feed);
        let is_file = || self.check && feed(&self.feed).is_err() && file.is_file();
        let source = if self.feed == "-" || is_file() {
            if !self.filter.is_empty() || self.day.is_some() {
                let message = "a list of addresses has no filter and no day";
                return Err(usage(message).hint("name a feed for these"));
            }
            if self.feed == "-" {
                GivenSource::Input
            } else {
                GivenSource::Written(file)
            }
        } else {
            let no_file = || {
                let what = if file.is_dir() {
                    "is a folder"
                } else {
                    "is no feed and no file"
                };
                usage(format!("{} {what}", visible(&self.feed)))
                    .hint("name a feed, or a list that was written")
            };
            let is_path = self.check && feed(&self.feed).is_err() && self.feed.contains(['/', '.']);
            if is_path {
                return Err(no_file());
            }
            GivenSource::Records(self.records(today, typed.clone())?)
        };
        Ok(BlocklistArguments {
            source,
            writing: writing.filter(|_| !self.check),
            families: match self.family.as_deref() {
                Some("4") => vec![Family::V4],
                Some(_) => vec![Family::V6],
                None => Family::ALL.to_vec(),
            },
            typed,
            max_beyond: self.max_beyond.as_deref().map(percent).transpose()?,
            max_change: self.max_change.as_deref().map(percent).transpose()?,
        })
    }

    /// How it is written; none where it is only looked at.
    fn writing(&self) -> Result<Option<ListWriting>> {
        let (Some(form), Some(file)) = (self.form.as_deref(), self.file.as_deref()) else {
            let only = [
                ("--name", self.name.is_some()),
                ("--expires", self.expires.is_some()),
                ("--split", self.split.is_some()),
                ("--action", self.action.is_some()),
            ];
            if let Some((option, _)) = only.iter().find(|(_, is_given)| *is_given) {
                let message = format!("{option} is about a file, and --check writes none");
                return Err(usage(message).hint("leave it out"));
            }
            return Ok(None);
        };
        let unknown = || usage(format!("{form:?} is no form"));
        let form = BlockForm::named(form).ok_or_else(unknown)?;
        let expires = self.expires.as_deref().map(seconds).transpose()?;
        self.check_form(form, expires)?;
        Ok(Some(ListWriting {
            file: file.to_owned(),
            form: form.name,
            name: self.set_name(form, file)?,
            expires,
            action: self.action.clone(),
            split: self.split,
            command: String::new(),
            allow: Vec::new(),
        }))
    }

    /// Refuses what has no meaning in a form.
    fn check_form(&self, form: &BlockForm, expires: Option<u64>) -> Result<()> {
        if self.action.is_some() && form.action.is_none() {
            let message = format!("entries of {} have no action", form.name);
            return Err(usage(message).hint("postfix and rpz have one"));
        }
        if let Some(action) = self.action.as_deref().filter(|action| !form.takes(action)) {
            let message = format!("{action:?} is no action of {}", form.name);
            return Err(usage(message).hint(match form.name {
                "rpz" => "a name that answers are replaced by: `.`, `*.`, rpz-drop., rpz-passthru.",
                _ => "words of ASCII in one line, such as REJECT",
            }));
        }
        if self.name.is_some() && !form.has_names() {
            let message = format!("nothing in {} has a name", form.name);
            return Err(usage(message).hint("leave --name out"));
        }
        if self.split == Some(0) {
            return Err(usage("a file holds at least one entry").hint("--split 50000"));
        }
        if self.split.is_some() && self.is_to_output() {
            let message = "standard output is one file, which --split cannot part";
            return Err(usage(message).hint("name a file: FILE-1, FILE-2"));
        }
        if let Some(seconds) = expires.filter(|time| *time > form.most_seconds) {
            let message = format!(
                "{} ends entries after {} hours at most, not {}",
                form.name,
                form.most_seconds / 3600,
                seconds / 3600
            );
            return Err(
                usage(message).hint("a shorter --expires, or none and a list that is made anew")
            );
        }
        Ok(())
    }

    fn check_inputs(&self) -> Result<()> {
        let files = self.allow.iter().chain(&self.log).chain(&self.diff);
        let inputs = files.filter(|file| *file == Path::new("-"));
        if inputs.count() + usize::from(self.feed == "-") > 1 {
            return Err(usage("standard input is read once").hint("name a file for the other list"));
        }
        Ok(())
    }

    fn records(&self, today: Day, filter: Filter) -> Result<RecordSet> {
        let feed = feed(&self.feed)?;
        if !Feed::of_subjects().any(|known| known == feed) {
            let message = format!("{feed} has no records about addresses");
            return Err(usage(message).hint("`ipspect feeds --offline` lists local feeds"));
        }
        check_filter(&[feed], &filter)?;
        let day = picked_day(self.day.as_deref(), today)?;
        Ok(RecordSet { feed, day, filter })
    }

    /// The name of sets: letters, digits and what all consumers take between them.
    fn set_name(&self, form: &BlockForm, file: &Path) -> Result<String> {
        let most = form.longest_name(self.split.is_some());
        let is_reserved = |name: &str| form.reserved.contains(&name);
        if let Some(name) = &self.name {
            if is_reserved(name) {
                let message = format!(
                    "{} takes {name}4 and {name}6 for words of its own",
                    form.name
                );
                return Err(usage(message).hint("another --name, such as blocked"));
            }
            let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
            if !begins || !name.chars().all(BlockForm::is_plain) || name.len() > most {
                let message = format!("{name:?} is no name of a set of {}", form.name);
                let hint = format!("a letter, then letters, digits, - and _, {most} at most");
                return Err(usage(message).hint(hint));
            }
            return Ok(name.clone());
        }
        Ok(form.name_of(file, self.split.is_some()))
    }
}

/// A time such as 12h or 3d in seconds.
fn seconds(text: &str) -> Result<u64> {
    let number = |unit: &str| {
        text.strip_suffix(unit)
            .and_then(|text| text.parse::<u32>().ok())
    };
    let seconds = match (number("h"), number("d")) {
        (Some(hours), _) => u64::from(hours) * 3600,
        (_, Some(days)) => u64::from(days) * 86_400,
        _ => 0,
    };
    // A hundred years: what is beyond is a mistake, and no calendar counts it.
    if (1..=100 * 366 * 86_400).contains(&seconds) {
        return Ok(seconds);
    }
    Err(usage(format!("{text:?} is not how long a list holds")).hint("write 12h or 3d"))
}
