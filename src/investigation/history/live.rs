//! Queries about the days between known days that differ, as a [`Bisection`] plans them.

use std::{cell::RefCell, collections::BTreeSet, net::IpAddr};

use super::{
    Bisection, DayFinding, DaySource, History, UnknownDay,
    local::{of_answer, query_of},
};
use crate::{
    contract::LookupQuery,
    engine::{
        Answers, Error, Result, Spending,
        answers::{PossiblySpent, Source},
    },
    model::Day,
};

/// What the queries of a history came to.
#[derive(Clone, Debug, Default)]
pub struct HistorySpending {
    /// Queries that were spent.
    pub cost: u64,
    /// Queries that may have been spent beyond the cost.
    pub possibly_spent: u64,
    /// The days whose query failed. What would stop every later query ended the search.
    pub failed: Vec<(Day, Error)>,
}

impl Bisection {
    /// A search with so many queries at most. It does not repeat queries that are possibly spent, and gives their number.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn plan(
        answers: &Answers,
        address: IpAddr,
        history: &History,
        most: u64,
    ) -> Result<(Self, usize)> {
        let days = Self::new(history, most, BTreeSet::new()).gaps(history);
        let queries = days.into_iter().flatten();
        let queries: Vec<LookupQuery> = queries.map(|day| query_of(address, day)).collect();
        let lost = answers.possibly_spent(queries).await?;
        let refused = lost.iter().filter_map(|query| query.date).collect();
        Ok((Self::new(history, most, refused), lost.len()))
    }
}

/// Sends the queries of a search, and adds each answer to the history. A query that fails, or that another run sends meanwhile, leaves
/// its day unknown.
pub async fn look_up_between(
    answers: &Answers,
    address: IpAddr,
    history: &mut History,
    mut search: Bisection,
    spending: &Spending,
) -> HistorySpending {
    let mut spent = HistorySpending::default();
    loop {
        let days = search.next(history);
        if days.is_empty() {
            return spent;
        }
        let told = RefCell::new(Vec::new());
        let tell = |query: LookupQuery, answer| told.borrow_mut().push((query.date, answer));
        let queries = days.iter().map(|day| query_of(address, *day)).collect();
        let end = answers.look_up_all(queries, (spending, PossiblySpent::LeftOut), tell);
        let end = Box::pin(end).await;
        for (day, answer) in told.into_inner() {
            match (day, answer) {
                (Some(day), Ok((Source::Live, answer))) => {
                    spent.cost += u64::from(answer.provenance.cost);
                    spent.possibly_spent += u64::from(answer.provenance.possibly_spent);
                    history.learn(day, of_answer(&answer, DaySource::Live));
                }
                (Some(day), Ok((_, answer))) => {
                    history.learn(day, of_answer(&answer, DaySource::Cached));
                }
                (Some(day), Err(error)) => spent.failed.push((day, error)),
                (None, _) => {}
            }
        }
        if let Some(why) = end.stopped {
            if spent.failed.is_empty() {
                spent.failed.push((days[0], why));
            }
            return spent;
        }
        for day in days {
            history.learn(day, DayFinding::Unknown(UnknownDay::NotAnswered));
        }
    }
}
