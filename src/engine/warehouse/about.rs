//! What loaded days have about addresses and networks; about one address over many days in one question.

use std::{
    collections::{BTreeSet, HashMap},
    net::IpAddr,
    slice,
};

use ipnet::IpNet;

use super::{
    Load, LoadedRecords, PrefixLengths, Warehouse, refusal,
    search::{COUNT, RECORDS, number_in, of_loads},
    statement::WarehouseStatement,
};
use crate::{
    engine::{Family, OpenRelease, error::Result, threads::lock},
    model::{Day, Subject},
    store::{
        Filter,
        filter::{
            Test,
            sql::{MOST_NUMBERS, SqlDialect, SqlValue, digits, range},
        },
    },
};

/// Records of one part.
const PAGE: usize = 4096;

impl Warehouse {
    /// The records of a load about these addresses and networks, those that cover them, and those within the networks, as a release.
    ///
    /// # Errors
    /// As [`Warehouse::open_matching`].
    pub async fn open_about(&self, load: &Load, subjects: &[Subject]) -> Result<OpenRelease> {
        if let [Subject::Address(address)] = subjects
            && let Some(lines) = self.read_before(load, *address)
        {
            return self.index(load, LoadedRecords::kept(lines)).await;
        }
        let one = slice::from_ref(load);
        let lengths = self.prefix_lengths(one).await?;
        let records = match about(one, &lengths, subjects) {
            Some(statement) => self.counted(one, statement).await?,
            None => LoadedRecords::kept(Vec::new()),
        };
        self.index(load, records).await
    }

    /// Reads what loads of one feed have about an address, in one question: whoever asks one of them about it next is answered from here.
    ///
    /// # Errors
    /// As [`Warehouse::open_matching`].
    pub async fn read_ahead(&self, loads: &[Load], address: IpAddr) -> Result<()> {
        let lengths = self.prefix_lengths(loads).await?;
        let mut by_day: HashMap<Day, Vec<(Day, Vec<u8>)>> = HashMap::new();
        if let Some(statement) = about(loads, &lengths, &[Subject::Address(address)]) {
            let mut records = self.counted(loads, statement).await?;
            loop {
                let page = records.page(PAGE).await?;
                if page.is_empty() {
                    break;
                }
                for (day, line) in page {
                    by_day.entry(day).or_default().push((day, line));
                }
            }
        }
        self.still_holds(loads).await?;
        let mut ahead = lock(&self.ahead);
        if ahead.0 != Some(address) {
            *ahead = (Some(address), HashMap::new());
        }
        for load in loads {
            let lines = by_day.remove(&load.day).unwrap_or_default();
            ahead.1.insert(load.name.clone(), lines);
        }
        Ok(())
    }

    fn read_before(&self, load: &Load, address: IpAddr) -> Option<Vec<(Day, Vec<u8>)>> {
        let ahead = lock(&self.ahead);
        ahead
            .1
            .get(&load.name)
            .filter(|_| ahead.0 == Some(address))
            .cloned()
    }

    /// The records that a statement after [`RECORDS`] selects, by day and row, and as many as are counted there.
    async fn counted(
        &self,
        loads: &[Load],
        statement: WarehouseStatement,
    ) -> Result<LoadedRecords> {
        let rest = statement.text.strip_prefix(RECORDS).unwrap_or_default();
        let counting = WarehouseStatement {
            text: format!("{COUNT}{rest}"),
            parameters: statement.parameters.clone(),
        };
        let statement = statement.and(" ORDER BY day, row", []);
        let (counted, records) = tokio::try_join!(
            self.connection.rows(&counting, 1),
            self.connection.ask(&statement, 2)
        )?;
        Ok(LoadedRecords::of(records, loads).promised(number_in(&counted)?))
    }

    /// Whether a load has a record about an address or network of this family.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn holds_family(&self, load: &Load, family: Family) -> Result<bool> {
        let lengths = self.prefix_lengths(slice::from_ref(load)).await?;
        Ok(!lengths[family as usize].is_empty())
    }

    /// The lengths of the networks of loads of one feed, of IPv4 and of IPv6. They are asked for once.
    async fn prefix_lengths(&self, loads: &[Load]) -> Result<PrefixLengths> {
        let unknown: Vec<Load> = {
            let known = lock(&self.lengths);
            let unknown = loads.iter().filter(|load| !known.contains_key(&load.name));
            unknown.cloned().collect()
        };
        if !unknown.is_empty() {
            let found = self.lengths_of(&unknown).await?;
            lock(&self.lengths).extend(found);
        }
        let known = lock(&self.lengths);
        let mut all = PrefixLengths::default();
        for bytes in loads.iter().filter_map(|load| known.get(&load.name)) {
            for (all, bytes) in all.iter_mut().zip(bytes) {
                all.extend(bytes);
            }
        }
        Ok(all)
    }

    async fn lengths_of(&self, loads: &[Load]) -> Result<HashMap<String, PrefixLengths>> {
        let beginning = "SELECT load, toString(family), toString(prefix) FROM ipspect_records";
        let statement = of_loads(beginning, loads, &Filter::default());
        let statement = statement.and(" GROUP BY load, family, prefix", []);
        let names = loads.iter().map(|load| load.name.clone());
        let mut found: HashMap<String, PrefixLengths> =
            names.map(|name| (name, PrefixLengths::default())).collect();
        let mut seen = BTreeSet::new();
        for row in self.connection.rows(&statement, 3).await? {
            let read = match row.as_slice() {
                [load, family, length] => found
                    .get_mut(load)
                    .zip(Some(family.as_str()).zip(length.parse::<u8>().ok())),
                _ => None,
            };
            match read {
                Some((bytes, ("4", length @ ..=32))) => bytes[Family::V4 as usize].extend([length]),
                Some((bytes, ("6", length @ ..=128))) => {
                    bytes[Family::V6 as usize].extend([length])
                }
                // Records without an address or network.
                Some((_, ("0", 0))) => {}
                _ => {
                    let what = "the warehouse names lengths of networks that cannot be read";
                    return Err(refusal::unreadable(what));
                }
            }
            seen.insert(row.into_iter().next());
        }
        let mut missing = loads.iter();
        let is_missing =
            |load: &&Load| load.records > 0 && !seen.contains(&Some(load.name.clone()));
        if missing.find(is_missing).is_some() {
            let what = "the warehouse has none of the records of a load";
            return Err(refusal::unreadable(what));
        }
        Ok(found)
    }
}

/// Selects the records of loads about these addresses and networks; `None` where networks of these lengths cannot have any.
fn about(
    loads: &[Load],
    lengths: &PrefixLengths,
    subjects: &[Subject],
) -> Option<WarehouseStatement> {
    let mut firsts: [BTreeSet<String>; 2] = Default::default();
    let mut within = Vec::new();
    for subject in subjects {
        let network = subject.network();
        let at = Family::of(*subject) as usize;
        for length in &lengths[at] {
            // The network of this length that covers it, if one can.
            if *length <= network.prefix_len()
                && let Ok(around) = IpNet::new(network.addr(), *length)
            {
                firsts[at].insert(digits(range(around.trunc()).1));
            }
        }
        if let Subject::Network(network) = subject {
            within.push(*network);
        }
    }
    let mut statement = of_loads(RECORDS, loads, &Filter::default());
    let mut joint = " AND (";
    for (family, firsts) in [4, 6].into_iter().zip(firsts) {
        let firsts: Vec<String> = firsts.into_iter().collect();
        for some in firsts.chunks(MOST_NUMBERS) {
            let condition = format!("{joint}(family = {family} AND first IN ?)");
            statement = statement.and(&condition, [SqlValue::Texts(some.to_vec())]);
            joint = " OR ";
        }
    }
    if !within.is_empty() {
        let filter: Filter = [Test::Within(within)].into_iter().collect();
        statement = statement.with(joint, filter.sql(SqlDialect::ClickHouse).into());
        joint = " OR ";
    }
    (joint != " AND (").then(|| statement.and(")", []))
}
