//! The answers of the local feeds, batch by batch, as the text is read.

use futures_util::{Stream, stream};

use super::{
    gather::{Gathering, Step},
    sieve::Sighted,
};
use crate::engine::{Engine, LocalAnswers, Opened, Result, enrich::Wanted};

/// The answers, batch by batch, and what the text held in all.
pub(super) fn answers<'a>(
    engine: &'a Engine,
    opened: &'a [Opened],
    gathering: Gathering,
    wanted: Wanted,
) -> impl Stream<Item = Result<Step<(Vec<Sighted>, LocalAnswers)>>> + 'a {
    stream::unfold(
        (gathering, Vec::new()),
        move |(mut gathering, mut rest): (Gathering, Vec<Sighted>)| async move {
            if rest.is_empty() {
                match gathering.next().await? {
                    Ok(Step::Batch(batch)) => rest = batch,
                    Ok(Step::End(sifted)) => {
                        return Some((Ok(Step::End(sifted)), (gathering, rest)));
                    }
                    Err(error) => return Some((Err(error), (gathering, rest))),
                }
            }
            let addresses = rest.iter().map(|sighted| sighted.address).collect();
            let answers = engine
                .answers
                .answer_locally(opened, addresses, wanted)
                .await;
            let part = answers.map(|answers| {
                let later = rest.split_off(answers.addresses().len());
                Step::Batch((std::mem::replace(&mut rest, later), answers))
            });
            if part.is_err() {
                rest.clear();
            }
            Some((part, (gathering, rest)))
        },
    )
}
