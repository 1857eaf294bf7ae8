//! A list as a set of addresses, and what it is before it is used.

use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::writer::ListOrigin;
use crate::{
    engine::{Engine, Error, Family, Kind, OpenRelease, Result, off_thread, read_text},
    investigation::{
        address_set::{AddressSet, SetOperation, Widened, Widening, read_list, set_of_records},
        collateral::{Churn, Collateral, LogHits},
        comparison::RecordSet,
    },
    model::{Keyword, Subject},
    store::{
        StopFlag,
        filter::{Filter, Term, Test},
        index::QueryError,
    },
};

/// The shortest prefixes that are written without being forced.
const WIDEST: [(Family, u8); 2] = [(Family::V4, 8), (Family::V6, 19)];

/// What a list is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum ListSource {
    Addresses(Arc<AddressSet>),
    /// Records, without those of these tags.
    Records(RecordSet, Vec<String>),
}

impl ListSource {
    /// Records without those of these tags, where records of the feed have tags at all: netblocks have none.
    #[must_use]
    pub fn records(records: RecordSet, exempt: &[String]) -> Self {
        let exempt = if records.feed.holds_contexts() {
            exempt
        } else {
            &[]
        };
        Self::Records(records, exempt.to_vec())
    }
}

/// A list that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ListQuery {
    pub source: ListSource,
    /// What is never blocked.
    pub allow: AddressSet,
    pub families: Vec<Family>,
    /// How many addresses may be beyond what was asked for, for each hundred of these.
    pub max_beyond: Option<u8>,
}

/// What is known of a list before anybody uses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListCheck {
    pub entries: u64,
    pub addresses: u128,
    /// The addresses beyond those that were asked for, and in which networks.
    pub beyond: AddressSet,
    /// Whether no list covers as few of them with fewer networks.
    pub is_smallest: bool,
    /// Who is behind it; none where no local feed says.
    pub people: Option<Collateral>,
    /// The records that were left out for a tag of theirs.
    pub exempted: u64,
    /// The addresses that were left out, since lists of one's own have them.
    pub allowed: u128,
    /// What of a log is in it, with the name of the log.
    pub log: Option<(String, LogHits)>,
    pub churn: Option<Churn>,
    /// What an earlier list had.
    pub change: Option<ListChange>,
    /// What is wrong with a list that was written before.
    pub faults: Vec<String>,
}

/// A list beside an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListChange {
    /// The name of the earlier one.
    pub earlier: String,
    /// The addresses of each, and those that one of them has alone.
    pub before: u128,
    pub after: u128,
    pub added: u128,
    pub removed: u128,
}

impl ListChange {
    /// One list beside another.
    #[must_use]
    pub fn of((name, before): (&str, &AddressSet), now: &AddressSet) -> Self {
        Self {
            earlier: name.to_owned(),
            before: before.addresses(),
            after: now.addresses(),
            added: now.combined(before, SetOperation::Subtract).addresses(),
            removed: before.combined(now, SetOperation::Subtract).addresses(),
        }
    }

    /// Whether it has grown or shrunk by more than this.
    #[must_use]
    pub fn exceeds(&self, percent: u8) -> bool {
        let change = self.before.abs_diff(self.after);
        match (
            change.checked_mul(100),
            self.before.checked_mul(percent.into()),
        ) {
            (Some(change), Some(most)) => change > most,
            // Numbers of IPv6, of which hundredths are exact enough.
            _ => change / u128::from(percent.max(1)) > self.before / 100,
        }
    }
}

/// A list that can be written.
#[derive(Clone, Debug)]
pub struct MadeList {
    pub set: Arc<AddressSet>,
    pub origin: ListOrigin,
    /// The release of its records.
    pub opened: Option<OpenRelease>,
    /// The tags whose records were left out.
    pub exempt: Vec<String>,
    /// Addresses before those that are never blocked were taken out.
    pub before: u128,
    pub families: Vec<Family>,
    pub check: ListCheck,
}

impl MadeList {
    /// The same without what the lists of the configuration have, which nobody blocks.
    ///
    /// # Errors
    /// As [`MadeList::of`]; such a list that cannot be read.
    pub async fn without_own(engine: &Engine, mut query: ListQuery) -> Result<Self> {
        spare_own(engine, &mut query).await?;
        Self::of(engine, query).await
    }

    /// Who is behind a list of records, before its addresses are known: quick whatever its length. `None` for addresses, of which none of
    /// this is known before.
    ///
    /// # Errors
    /// As [`MadeList::without_own`].
    pub async fn people(engine: &Engine, mut query: ListQuery) -> Result<Option<Collateral>> {
        let ListSource::Records(records, exempt) = &query.source else {
            return Ok(None);
        };
        let opened = engine
            .releases
            .open_local(records.feed, records.day)
            .await?;
        let filter = without(records.filter.clone(), exempt);
        spare_own(engine, &mut query).await?;
        let filter = remaining(filter, &query.allow, &query.families);
        let people = Collateral::of_records(engine, &opened, &filter, None);
        people.await.map(Some)
    }

    /// Makes a list and looks at it.
    ///
    /// # Errors
    /// A release that is not downloaded, a filter that it cannot answer.
    pub async fn of(engine: &Engine, query: ListQuery) -> Result<Self> {
        let ListQuery {
            source,
            allow,
            families,
            max_beyond,
        } = query;
        let mut origin = ListOrigin::default();
        let (set, asked) = match source {
            ListSource::Addresses(set) => (set, None),
            ListSource::Records(records, exempt) => {
                let (set, asked) = AskedRecords::of(engine, records, exempt).await?;
                origin.feed = Some(asked.records.feed.name().to_owned());
                origin.filter = asked.records.filter.to_string();
                origin.release = asked.records.day;
                (Arc::new(set), Some(asked))
            }
        };
        let before = set.addresses();
        let mut kept = set.combined(&allow, SetOperation::Subtract);
        let mut check = ListCheck {
            allowed: before - kept.addresses(),
            ..ListCheck::default()
        };
        if let [family] = families.as_slice() {
            kept = kept.of_family(*family);
        }
        let mut set = Arc::new(kept);
        if let Some(asked) = &asked {
            check.exempted = asked.exempted(engine).await?;
            let filter = remaining(asked.records.filter.clone(), &allow, &families);
            let people = Collateral::of_records(engine, &asked.opened, &filter, None);
            check.people = Some(people.await?);
            // What is left out today would have been left out then.
            let (spared, own) = (allow.clone(), families.clone());
            let is_meant = move |network: IpNet| {
                own.contains(&Family::of(Subject::Network(network))) && !spared.meets(network)
            };
            check.churn = Churn::of(engine, &asked.records, &set, is_meant).await?;
        } else {
            check.people = Collateral::of_set(engine, &set).await?;
        }
        if let Some(percent) = max_beyond {
            let mut barred = allow;
            if let Some(asked) = &asked {
                let exempt = asked.all_exempt(engine).await?;
                barred = barred.combined(&exempt, SetOperation::Union);
                // An address may be in a network of an exempted record.
                barred = barred.combined(&set, SetOperation::Subtract);
            }
            let (how, exact) = (
                Widening {
                    percent,
                    barred,
                    shortest: WIDEST,
                },
                set.clone(),
            );
            let widened = off_thread(move || Ok(exact.widened(&how)));
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
        let (opened, exempt) = asked.map(|asked| (asked.opened, asked.exempt)).unzip();
        Ok(Self {
            set,
            origin,
            opened,
            exempt: exempt.unwrap_or_default(),
            before,
            families,
            check,
        })
    }
}

/// Leaves out what the lists of the configuration have.
async fn spare_own(engine: &Engine, query: &mut ListQuery) -> Result<()> {
    let settings = &engine.settings;
    for file in settings.blocklist.allow_files(&settings.config_file) {
        let name = file.display().to_string();
        let own = off_thread(move || read_list(read_text(&name)?.1.as_bytes(), &name));
        query.allow = query.allow.combined(&own.await?, SetOperation::Union);
    }
    Ok(())
}

/// A filter without the records of these tags.
fn without(mut filter: Filter, exempt: &[String]) -> Filter {
    let without = exempt.iter().map(|tag| Term {
        negated: true,
        test: Test::Is(Keyword::Tag, vec![tag.clone()]),
    });
    filter.terms.extend(without);
    filter
}

/// A filter with the records alone of which an address is left: in one of these families, and not all of them allowed. What a set has
/// all of lies in one of its networks, since they are the fewest.
fn remaining(mut filter: Filter, allow: &AddressSet, families: &[Family]) -> Filter {
    if let [family] = families {
        filter
            .terms
            .push(Test::Within(vec![all_of(*family)]).into());
    }
    if !allow.is_empty() {
        filter.terms.push(Term {
            negated: true,
            test: Test::Within(allow.networks().collect()),
        });
    }
    filter
}

/// All addresses of a family.
fn all_of(family: Family) -> IpNet {
    match family {
        Family::V4 => Ipv4Net::default().into(),
        Family::V6 => Ipv6Net::default().into(),
    }
}

/// Records of a release, and those of their tags that are left out.
struct AskedRecords {
    /// What is asked for, of the day of the release, without the exempt.
    records: RecordSet,
    /// The filter with these.
    typed: Filter,
    exempt: Vec<String>,
    opened: OpenRelease,
}

impl AskedRecords {
    /// Their addresses, and what they are.
    async fn of(
        engine: &Engine,
        mut records: RecordSet,
        exempt: Vec<String>,
    ) -> Result<(AddressSet, Self)> {
        let typed = records.filter.clone();
        records.filter = without(records.filter, &exempt);
        let (set, opened) = set_of_records(engine, &records).await?;
        // What is asked from here on is asked of the same release.
        records.day = Some(opened.release.manifest.moment.day());
        let asked = Self {
            records,
            typed,
            exempt,
            opened,
        };
        Ok((set, asked))
    }

    /// What selects the records of the tags that are left out.
    fn test(&self) -> Option<Test> {
        let exempt = &self.exempt;
        (!exempt.is_empty()).then(|| Test::Is(Keyword::Tag, exempt.clone()))
    }

    /// How many records were left out.
    async fn exempted(&self, engine: &Engine) -> Result<u64> {
        let Some(test) = self.test() else {
            return Ok(0);
        };
        let mut filter = self.typed.clone();
        filter.terms.push(test.into());
        let work = move |opened: &OpenRelease, stop: &StopFlag| -> Result<u64, QueryError> {
            Ok(opened.index.select(&filter, stop)?.count())
        };
        let counted = engine.releases.with_local(self.opened.clone(), work);
        counted.await
    }

    /// All addresses of the release that have such a tag.
    async fn all_exempt(&self, engine: &Engine) -> Result<AddressSet> {
        let Some(test) = self.test() else {
            return Ok(AddressSet::default());
        };
        let records = RecordSet {
            filter: [test].into_iter().collect(),
            ..self.records.clone()
        };
        Ok(set_of_records(engine, &records).await?.0)
    }
}

/// Refuses a list that would harm who uses it, unless that is forced.
///
/// # Errors
/// [`Kind::Usage`] for an empty list and for one with too large a part of the internet.
pub fn refuse(set: &AddressSet, is_forced: impl Fn(&str) -> bool) -> Result<()> {
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
