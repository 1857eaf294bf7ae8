//! The set of a list, made of its source, and what it is before it is used.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use ipnet::IpNet;
use jiff::Timestamp;

use crate::{
    cli::{
        args::blocklist::{BlocklistArgs, BlocklistArguments},
        console::CommandResult,
        exit::Exit,
        matching,
        run::Run,
        text::InputText,
    },
    engine::{Engine, Error, Family, Kind, Result, at_home, off_thread},
    investigation::{
        address_set::{
            AddressSet, SetName, SetOperation, Widened, Widening, read_written, set_of_records,
        },
        collateral::{Churn, Collateral, LogHits},
        comparison::RecordSet,
        gather::GatheredText,
    },
    model::{Keyword, visible},
    report::{ListChange, ListCheck, ListOrigin, Results, Ticket, check_columns, counted},
    store::filter::{Filter, Term, Test},
};

/// The shortest prefixes that are written without being forced.
const WIDEST: [(Family, u8); 2] = [(Family::V4, 8), (Family::V6, 19)];

/// A list that can be written.
pub(super) struct ListMade {
    pub(super) set: Arc<AddressSet>,
    pub(super) origin: ListOrigin,
    /// The tags whose records were left out.
    pub(super) exempt: Vec<String>,
    /// Addresses before those that are never blocked were taken out.
    pub(super) before: u128,
    /// Addresses beyond those that were asked for.
    pub(super) beyond: u128,
    pub(super) check: ListCheck,
}

impl ListMade {
    /// Makes the set without what these lists have, and looks at it.
    pub(super) async fn of(
        args: &BlocklistArgs,
        given: BlocklistArguments<'_>,
        allow: &[PathBuf],
        run: Run<'_>,
    ) -> Result<Self> {
        let engine = run.engine;
        let mut check = ListCheck::default();
        let mut records = match &given.source {
            SetName::Records(records) => Some(records.clone()),
            _ => None,
        };
        let mut origin = ListOrigin::default();
        let (mut set, release) = match given.earlier {
            Some(file) => {
                check.faults = faults(engine, &file)?;
                (written(&file).await?, None)
            }
            None => matching::set(given.source, Some(&given.typed), run).await?,
        };
        if let Some(records) = &mut records {
            origin.feed = Some(records.feed.name().to_owned());
            origin.filter = records.filter.to_string();
            // What is asked from here on is asked of the same release.
            records.day = release;
        }
        origin.release = release;
        let before = set.addresses();
        let mut barred = AddressSet::default();
        for file in allow {
            let file = SetName::List(file.display().to_string());
            let (allowed, _) = matching::set(file, None, run).await?;
            barred = barred.combined(&allowed, SetOperation::Union);
        }
        set = set.combined(&barred, SetOperation::Subtract);
        check.allowed = before - set.addresses();
        if let [family] = given.families.as_slice() {
            set = set.of_family(*family);
        }
        let is_whole = check.allowed == 0 && given.families.len() > 1;
        let exempted = exempted(&given.exempted);
        let mut set = Arc::new(set);
        if let Some(records) = &records {
            check.exempted = match &exempted {
                Some(term) => count_of(engine, records, &given.typed, term).await?,
                None => 0,
            };
            let opened = engine.releases.open_local(records.feed, release).await?;
            let within = (!is_whole).then(|| set.clone());
            let people = Collateral::of_records(engine, &opened, &records.filter, within);
            check.people = Some(people.await?);
            if let Some(day) = release {
                check.churn = Churn::of(engine, records, day, &set).await?;
            }
        } else {
            check.people = Collateral::of_set(engine, &set).await?;
        }
        if let Some(percent) = given.max_beyond {
            if let (Some(records), Some(exempted)) = (&records, exempted) {
                let records = RecordSet {
                    filter: [exempted].into_iter().collect(),
                    ..records.clone()
                };
                let (exempt, _) = set_of_records(engine, &records).await?;
                barred = barred.combined(&exempt, SetOperation::Union);
                // An address may be in a network of an exempted record.
                barred = barred.combined(&set, SetOperation::Subtract);
            }
            let (how, asked) = (
                Widening {
                    percent,
                    barred,
                    shortest: WIDEST,
                },
                set.clone(),
            );
            let widened = off_thread(move || Ok(asked.widened(&how)));
            let Widened {
                set: wide,
                beyond,
                is_smallest,
            } = widened.await?;
            set = Arc::new(wide);
            (check.beyond, check.is_smallest) = (beyond, is_smallest);
        }
        check.entries = set.len() as u64;
        check.addresses = set.addresses();
        let now = engine.settings.now();
        beside((args, given.max_change), &set, &mut check, now).await?;
        Ok(Self {
            beyond: check.beyond.addresses(),
            set,
            origin,
            exempt: given.exempted,
            before,
            check,
        })
    }

    /// Shows what the list is, and nothing is written.
    pub(super) fn show(self, args: &BlocklistArgs, run: Run<'_>) -> CommandResult {
        let Self {
            check, set, origin, ..
        } = self;
        let (entries, addresses) = (counted(check.entries, "entry"), check.addresses_in_words());
        let mut words = format!("{entries}, {addresses}");
        if let (Some(feed), Some(day)) = (&origin.feed, origin.release) {
            words += &format!(", of {feed} {}", day.dashed());
        }
        let mut text = words.clone() + "\n";
        for line in check.lines() {
            text = text + &line + "\n";
        }
        let about = format!("{} {}", args.feed, args.filter.join(" "));
        let mut ticket = Ticket::about(about.trim()).sentence(&words);
        for line in check.lines() {
            ticket = ticket.sentence(&line);
        }
        let is_over = !check.faults.is_empty();
        let refused = refuse(&set, &args.force);
        run.console
            .show(Results::table(check_columns(), &[check], ticket).text(text))?;
        refused?;
        Ok(if is_over { Exit::CHANGED } else { Exit::DONE })
    }
}

/// Looks at a list beside a log and an earlier list, where these are given.
async fn beside(
    (args, max_change): (&BlocklistArgs, Option<u8>),
    set: &Arc<AddressSet>,
    check: &mut ListCheck,
    now: Timestamp,
) -> Result<()> {
    if let Some(log) = &args.log {
        check.log = Some(hits(log, set, now).await?);
    }
    if let Some(old) = &args.diff {
        let earlier = written(old).await?;
        let change = ListChange::of((&old.display().to_string(), &earlier), set);
        let is_forced = args.force.iter().any(|word| word == "change");
        if let Some(percent) = max_change.filter(|_| !is_forced)
            && change.exceeds(percent)
        {
            let message = format!("more than {percent} % change: {}", change.in_words());
            return Err(Error::new(Kind::Usage, message)
                .hint("look at both, then --force change where it is meant"));
        }
        check.change = Some(change);
    }
    Ok(())
}

/// What selects the records of these tags.
fn exempted(tags: &[String]) -> Option<Test> {
    (!tags.is_empty()).then(|| Test::Is(Keyword::Tag, tags.to_vec()))
}

/// How many records of a filter pass a test too.
async fn count_of(
    engine: &Engine,
    records: &RecordSet,
    typed: &Filter,
    test: &Test,
) -> Result<u64> {
    let mut filter = typed.clone();
    filter.terms.push(Term::from(test.clone()));
    let opened = engine
        .releases
        .open_local(records.feed, records.day)
        .await?;
    let found = Collateral::of_records(engine, &opened, &filter, None);
    Ok(found.await?.records)
}

/// The entries of a list that was written before, in any form.
async fn written(file: &Path) -> Result<AddressSet> {
    let file = at_home(&file.display().to_string());
    off_thread(move || {
        let text = InputText::named(&file);
        read_written(text.open()?, &text.name())
    })
    .await
}

/// Which addresses of a log are in a set.
async fn hits(log: &Path, set: &Arc<AddressSet>, now: Timestamp) -> Result<(String, LogHits)> {
    let (file, set) = (at_home(&log.display().to_string()), set.clone());
    off_thread(move || {
        let text = InputText::named(&file);
        let read = GatheredText::read_from(text.open()?, false, "UTC", now);
        let gathered = read.map_err(|failure| text.not_gathered(&failure))?;
        Ok((text.name(), LogHits::of(&gathered, &set)))
    })
    .await
}

/// What is wrong with a list that was written before: it is over, or was changed.
fn faults(engine: &Engine, file: &Path) -> Result<Vec<String>> {
    let (about, sha256) = engine.exports.described(file)?;
    let name = visible(&file.display().to_string()).into_owned();
    let Some(about) = about else {
        return Ok(Vec::new());
    };
    let mut faults = Vec::new();
    if about["sha256"].as_str().is_some_and(|own| own != sha256) {
        faults.push(format!("{name} was changed after it was written"));
    }
    let until = about["until"]
        .as_str()
        .and_then(|until| until.parse::<Timestamp>().ok());
    if let Some(until) = until.filter(|until| *until <= engine.settings.now()) {
        faults.push(format!("{name} is over since {until}"));
    }
    Ok(faults)
}

/// Refuses a list that would harm who uses it.
pub(super) fn refuse(set: &AddressSet, forced: &[String]) -> Result<()> {
    let is_forced = |what: &str| forced.iter().any(|word| word == what);
    if set.is_empty() && !is_forced("empty") {
        let message = "the list would be empty: some firewalls let everything pass then";
        return Err(Error::new(Kind::Usage, message)
            .hint("a wider filter, or --force empty where that is meant"));
    }
    let is_wide = |network: &IpNet| {
        let widest = WIDEST.iter().find(|(family, _)| match network {
            IpNet::V4(_) => *family == Family::V4,
            IpNet::V6(_) => *family == Family::V6,
        });
        widest.is_some_and(|(_, length)| network.prefix_len() < *length)
    };
    if let Some(wide) = set.networks().find(is_wide).filter(|_| !is_forced("wide")) {
        let message = format!("the list has all of {wide}, too large a part of the internet");
        return Err(Error::new(Kind::Usage, message)
            .hint("leave some of it out, or --force wide where that is meant"));
    }
    Ok(())
}
