//! The answers of the local feeds, batch by batch, as the text is read.

use futures_util::{Stream, stream};

use super::{
    gather::{Gathering, Heard},
    sieve::{Sifted, Sighted},
};
use crate::engine::{Engine, LocalAnswers, Opened, Result, enrich::Wanted};

/// A batch of addresses with what is known of them, or the end.
pub(super) enum Part {
    Answers(Vec<Sighted>, LocalAnswers),
    End(Sifted),
}

/// The answers, batch by batch, and what the text held in all.
pub(super) fn answers<'a>(
    engine: &'a Engine,
    opened: &'a [Opened],
    gathering: Gathering,
    wanted: Wanted,
) -> impl Stream<Item = Result<Part>> + 'a {
    stream::unfold(
        (gathering, Vec::new()),
        move |(mut gathering, mut rest): (Gathering, Vec<Sighted>)| async move {
            if rest.is_empty() {
                match gathering.next().await? {
                    Heard::Addresses(batch) => rest = batch,
                    Heard::End(end) => return Some((end.map(Part::End), (gathering, rest))),
                }
            }
            let addresses = rest.iter().map(|sighted| sighted.address).collect();
            let answers = engine
                .answers
                .answer_locally(opened, addresses, wanted)
                .await;
            let part = answers.map(|answers| {
                let later = rest.split_off(answers.addresses().len());
                Part::Answers(std::mem::replace(&mut rest, later), answers)
            });
            if part.is_err() {
                rest.clear();
            }
            Some((part, (gathering, rest)))
        },
    )
}
