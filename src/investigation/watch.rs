//! What changed in the releases since a watch was last looked at. From local releases; sends nothing.
//!
//! Every local release in between is looked at, each beside the one before it. A day whose release is not local is said to be unknown, and
//! what changed around it is told with the days that were compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use ipnet::IpNet;
use serde_json::Value;

use super::{
    address_set::{AddressSet, read_list},
    gather::GatheredText,
    history::{DayFinding, RecentDays},
};
use crate::{
    contract::Feed,
    engine::{
        DiffDays, DiffRecord, Engine, Error, Kind, OpenRelease, Result, off_thread, read_text,
        watches::{LookedAt, Watch, Watched},
    },
    model::{Day, Document, Keyword, Subject, Terms},
    store::{Filter, Moment, StopFlag, diff::ChangeKind, filter::Test, index::QueryError},
};

/// The most changes of a watch that are told one by one.
pub const MOST_CHANGES: usize = 10_000;

/// What happened to what is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchKind {
    Added,
    Removed,
    /// Its operators are others.
    Operator,
    /// It has at least twice the clients.
    Clients,
    /// The number of records left the bounds, or came back.
    Count,
    /// An address of a log was unknown on the day of its event and is known now.
    Known,
    /// A release is not local: what changed on these days is unknown.
    Unknown,
}

impl WatchKind {
    pub const ALL: [Self; 7] = [
        Self::Added,
        Self::Removed,
        Self::Operator,
        Self::Clients,
        Self::Count,
        Self::Known,
        Self::Unknown,
    ];

    /// Its word in machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Operator => "operator",
            Self::Clients => "clients",
            Self::Count => "count",
            Self::Known => "known",
            Self::Unknown => "unknown",
        }
    }
}

/// What something was before a change, or is after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WatchValue {
    #[default]
    Nothing,
    Number(u64),
    Operators(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchChange {
    /// The name of the watch; empty for a log.
    pub watch: String,
    /// The feed; none for a log.
    pub feed: Option<Feed>,
    pub from: Day,
    pub to: Day,
    pub kind: WatchKind,
    pub subject: Option<Subject>,
    pub before: WatchValue,
    pub after: WatchValue,
}

/// What a check of a watch found.
#[derive(Clone, Debug)]
pub struct WatchCheck {
    /// The watch, with the releases that were looked at.
    pub watch: Watch,
    pub changes: Vec<WatchChange>,
    /// Changes beyond those.
    pub more: u64,
}

impl WatchCheck {
    /// Looks at all local releases that a watch was not looked at in.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where no release of its feed is local; a list that cannot be read; a failure of this machine.
    pub async fn of(engine: &Engine, watch: Watch) -> Result<Self> {
        let Some(feed) = watch.feed() else {
            return Err(
                Error::new(Kind::Usage, format!("there is no feed {:?}", watch.feed)).hint(
                    format!("`ipspect watch rm {}` removes the watch", watch.name),
                ),
            );
        };
        let listed = list_of(&watch.what).await?;
        let newest = engine.releases.open_local(feed, None).await?;
        let mut check = Self {
            watch,
            changes: Vec::new(),
            more: 0,
        };
        let now = looked_at(&newest);
        let Some(looked) = check.watch.looked else {
            let filter = filter_of(engine, &check.watch.what, &listed, &newest).await?;
            let count = count_of(engine, &newest, &filter).await?;
            check.watch.looked_at(now, count);
            return Ok(check);
        };
        if now == looked || now.day < looked.day {
            return Ok(check);
        }
        let mut before = match engine.releases.open_local(feed, Some(looked.day)).await {
            Ok(opened) if looked_at(&opened) == looked => Some(opened),
            Ok(_) => None,
            Err(error) if is_missing(&error) => None,
            Err(error) => return Err(error),
        };
        let moments = engine.releases.moments(feed)?.into_iter().map(Moment::day);
        let mut days: BTreeSet<Day> = moments
            .filter(|day| *day > looked.day && *day < now.day)
            .collect();
        days.insert(now.day);
        let mut last = looked.day;
        for day in days {
            let next = match engine.releases.open_local(feed, Some(day)).await {
                Err(error) if is_missing(&error) && day != now.day => continue,
                opened => opened?,
            };
            check
                .step(engine, &listed, (before.as_ref(), last), &next)
                .await?;
            last = day;
            before = Some(next);
        }
        Ok(check)
    }

    /// Looks at one release beside the one before it, if that is there.
    async fn step(
        &mut self,
        engine: &Engine,
        listed: &[IpNet],
        (before, last): (Option<&OpenRelease>, Day),
        next: &OpenRelease,
    ) -> Result<()> {
        let feed = Some(next.release.manifest.feed);
        let looked = looked_at(next);
        let day = looked.day;
        let change = |name: &str, kind| WatchChange {
            watch: name.to_owned(),
            feed,
            from: last,
            to: day,
            kind,
            subject: None,
            before: WatchValue::Nothing,
            after: WatchValue::Nothing,
        };
        let unknown = |from, to| WatchChange {
            from,
            to,
            ..change(&self.watch.name, WatchKind::Unknown)
        };
        if before.is_none() {
            self.changes.push(unknown(last, day));
        } else if day.days_since(last) > 1 {
            self.changes.push(unknown(last.plus(1), day.plus(-1)));
        }
        let filter = filter_of(engine, &self.watch.what, listed, next).await?;
        if let Some(before) = before {
            let days = DiffDays {
                before: before.clone(),
                after: next.clone(),
            };
            let earlier = filter_of(engine, &self.watch.what, listed, before).await?;
            let name = self.watch.name.clone();
            let (changes, more) = (&mut self.changes, &mut self.more);
            let told = |page: Vec<DiffRecord>| -> Result<()> {
                for record in &page {
                    for (kind, subject, before, after) in changes_of(record) {
                        if changes.len() >= MOST_CHANGES {
                            *more += 1;
                            continue;
                        }
                        changes.push(WatchChange {
                            subject,
                            before,
                            after,
                            ..change(&name, kind)
                        });
                    }
                }
                Ok(())
            };
            engine
                .releases
                .diff_of_sets(&days, [&earlier, &filter], told)
                .await?;
        }
        let count = count_of(engine, next, &filter).await?;
        if let Some((_, earlier)) = self.watch.counts.last().copied()
            && self.watch.admits(earlier) != self.watch.admits(count)
        {
            let change = change(&self.watch.name, WatchKind::Count);
            self.changes.push(WatchChange {
                before: WatchValue::Number(earlier),
                after: WatchValue::Number(count),
                ..change
            });
        }
        self.watch.looked_at(looked, count);
        Ok(())
    }
}

/// What checks of the watches of some feeds found.
#[derive(Clone, Debug, Default)]
pub struct PulledCheck {
    pub checks: Vec<WatchCheck>,
    /// What kept watches from being looked at, and the command of the configuration from being told.
    pub faults: Vec<String>,
}

/// Looks for what is watched in feeds that were pulled, and keeps that it was told, as these objects.
///
/// # Errors
/// A failure of this machine.
pub async fn check_pulled(
    engine: &Engine,
    feeds: &[Feed],
    object: fn(&WatchChange) -> Value,
) -> Result<PulledCheck> {
    let mut found = PulledCheck::default();
    found.faults.extend(engine.watches.unreadable()?);
    let is_asked = |watch: &Watch| watch.feed().is_some_and(|feed| feeds.contains(&feed));
    if !engine.watches.all()?.iter().any(is_asked) {
        return Ok(found);
    }
    let _lock = match engine.watches.lock() {
        // The one who checks tells it, or the next one.
        Err(error) if error.kind == Kind::Locked => return Ok(found),
        lock => lock?,
    };
    // Read again: another one may have told it meanwhile.
    for watch in engine.watches.all()?.into_iter().filter(is_asked) {
        let name = watch.name.clone();
        match WatchCheck::of(engine, watch).await {
            Ok(check) => found.checks.push(check),
            Err(error) => found
                .faults
                .push(format!("watch {name}: {}", error.message)),
        }
    }
    found
        .faults
        .extend(told(engine, &found.checks, object).await?);
    Ok(found)
}

/// Keeps that changes were told, as these objects, and hands them to the command of the configuration; returns what kept that from it.
///
/// # Errors
/// A failure of this machine.
pub async fn told(
    engine: &Engine,
    checks: &[WatchCheck],
    object: fn(&WatchChange) -> Value,
) -> Result<Option<String>> {
    let changes = checks.iter().flat_map(|check| &check.changes);
    engine
        .watches
        .remember(&changes.map(object).collect::<Vec<_>>())?;
    for check in checks {
        engine.watches.save(&check.watch)?;
    }
    let handed = engine.watches.hand_over().await;
    let why = |error: Error| format!("{}; {}", error.message, error.hint.unwrap_or_default());
    Ok(handed.err().map(why))
}

/// The release that was looked at.
fn looked_at(opened: &OpenRelease) -> LookedAt {
    let manifest = &opened.release.manifest;
    LookedAt {
        day: manifest.moment.day(),
        generated: manifest.generation().at,
    }
}

/// Whether a release is not there, or cannot be used.
fn is_missing(error: &Error) -> bool {
    matches!(error.kind, Kind::NotFound | Kind::Integrity)
}

/// The networks of a list that is watched.
async fn list_of(what: &Watched) -> Result<Vec<IpNet>> {
    let Watched::File(path) = what else {
        return Ok(Vec::new());
    };
    let name = path.display().to_string();
    off_thread(move || {
        let (_, text) = read_text(&name)?;
        let set: AddressSet = read_list(text.as_bytes(), &name)?;
        Ok(set.networks().collect())
    })
    .await
}

/// What selects the records that are watched in a release: an address may be within the network of a record.
async fn filter_of(
    engine: &Engine,
    what: &Watched,
    list: &[IpNet],
    opened: &OpenRelease,
) -> Result<Filter> {
    let within = |networks: Vec<IpNet>| [Test::Within(networks)].into_iter().collect();
    match what {
        Watched::File(_) => Ok(within(list.to_vec())),
        Watched::Address(address) => {
            let network = IpNet::from(*address);
            let work = move |opened: &OpenRelease, _: &StopFlag| {
                let mut networks = vec![network];
                if let Some(row) = opened.index.covering(network)?.first() {
                    networks.extend(opened.index.subject(*row)?.map(|subject| subject.network()));
                }
                Ok(networks)
            };
            let networks = engine.releases.with_local(opened.clone(), work).await?;
            Ok(within(networks))
        }
        what => what.filter().ok_or_else(|| {
            Error::new(Kind::Usage, format!("{:?} is no filter", what.value()))
                .hint("remove the watch, and add it anew")
        }),
    }
}

async fn count_of(engine: &Engine, opened: &OpenRelease, filter: &Filter) -> Result<u64> {
    let filter = filter.clone();
    let work = move |opened: &OpenRelease, stop: &StopFlag| -> Result<u64, QueryError> {
        Ok(opened.index.select(&filter, stop)?.count())
    };
    engine.releases.with_local(opened.clone(), work).await
}

/// What is worth telling of a record that is not the same.
fn changes_of(record: &DiffRecord) -> Vec<(WatchKind, Option<Subject>, WatchValue, WatchValue)> {
    let terms = |document: &Option<Document>| {
        document
            .as_ref()
            .map(|document| Terms::of(document.value()))
    };
    let (before, after) = (terms(&record.before), terms(&record.after));
    let operators = |terms: &Option<Terms>| terms.as_ref().map_or(WatchValue::Nothing, operators);
    let clients = |terms: &Option<Terms>| terms.as_ref().and_then(|terms| terms.clients);
    let subject = after
        .as_ref()
        .or(before.as_ref())
        .and_then(|terms| terms.subject);
    let (was, is) = (operators(&before), operators(&after));
    let mut changes = Vec::new();
    match record.kind {
        ChangeKind::Added => changes.push((WatchKind::Added, subject, WatchValue::Nothing, is)),
        ChangeKind::Removed => {
            changes.push((WatchKind::Removed, subject, was, WatchValue::Nothing))
        }
        ChangeKind::Changed => {
            if was != is {
                changes.push((WatchKind::Operator, subject, was, is));
            }
            if let (Some(was), Some(is)) = (clients(&before), clients(&after))
                && was > 0
                && is / 2 >= was
            {
                let (was, is) = (WatchValue::Number(was), WatchValue::Number(is));
                changes.push((WatchKind::Clients, subject, was, is));
            }
        }
    }
    changes
}

/// The operators of its tunnels, else its callback proxies; sorted, each once.
fn operators(terms: &Terms) -> WatchValue {
    let of = |field| {
        terms
            .of_field(field)
            .map(str::to_owned)
            .collect::<BTreeSet<String>>()
    };
    let own = Some(of(Keyword::Tag)).filter(|own| !own.is_empty());
    WatchValue::Operators(
        own.unwrap_or_else(|| of(Keyword::Proxy))
            .into_iter()
            .collect(),
    )
}

/// What a look back at a log found.
#[derive(Clone, Debug, Default)]
pub struct LookBack {
    pub changes: Vec<WatchChange>,
    /// Addresses whose day is not local, or has no time.
    pub unknown: u64,
    pub addresses: u64,
}

impl LookBack {
    /// Which addresses of a log were unknown on the day of their first event there, and are known now.
    ///
    /// # Errors
    /// A release that cannot be read.
    pub async fn of(engine: &Engine, text: &GatheredText) -> Result<Self> {
        let mut first = BTreeMap::<IpAddr, Option<Day>>::new();
        for (address, day, _) in &text.addresses {
            let known = first.entry(*address).or_insert(*day);
            *known = (*known).into_iter().chain(*day).min();
        }
        let mut found = Self {
            addresses: first.len() as u64,
            ..Self::default()
        };
        let (addresses, days): (Vec<IpAddr>, Vec<Option<Day>>) = first.into_iter().unzip();
        let Some(recent) = RecentDays::open(engine, engine.settings.today()).await? else {
            found.unknown = found.addresses;
            return Ok(found);
        };
        let histories = recent.of(engine, &addresses).await?;
        for ((address, day), history) in addresses.into_iter().zip(days).zip(&histories) {
            let newest = history.days().rfind(|(_, finding)| finding.is_known());
            let then = day.and_then(|day| Some((day, history.on(day)?)));
            let (Some((from, then)), Some((to, now))) = (then, newest) else {
                found.unknown += 1;
                continue;
            };
            match (then, now) {
                (DayFinding::Absent(_), DayFinding::Record(record)) => {
                    let operators = record.operators().into_iter().map(str::to_owned);
                    found.changes.push(WatchChange {
                        watch: String::new(),
                        feed: None,
                        from,
                        to,
                        kind: WatchKind::Known,
                        subject: Some(Subject::Address(address)),
                        before: WatchValue::Nothing,
                        after: WatchValue::Operators(operators.collect()),
                    });
                }
                (then, _) if !then.is_known() => found.unknown += 1,
                _ => {}
            }
        }
        Ok(found)
    }
}
