//! The answers of the local feeds, batch by batch, as the text is read.

use futures_util::{Stream, stream};

use super::{
    dedup::FoundAddress,
    reader::{AddressReader, ReadStep},
};
use crate::engine::{Engine, LocalAnswers, OpenRelease, Result, enrich::WantedLines};

/// The answers, batch by batch, and what the text held in all.
pub(super) fn answers<'a>(
    engine: &'a Engine,
    opened: &'a [OpenRelease],
    reader: AddressReader,
    wanted: WantedLines,
) -> impl Stream<Item = Result<ReadStep<(Vec<FoundAddress>, LocalAnswers)>>> + 'a {
    stream::unfold(
        (reader, Vec::new()),
        move |(mut reader, mut rest): (AddressReader, Vec<FoundAddress>)| async move {
            if rest.is_empty() {
                match reader.next().await? {
                    Ok(ReadStep::Batch(batch)) => rest = batch,
                    Ok(ReadStep::End(totals)) => {
                        return Some((Ok(ReadStep::End(totals)), (reader, rest)));
                    }
                    Err(error) => return Some((Err(error), (reader, rest))),
                }
            }
            let addresses = rest
                .iter()
                .map(|found_address| found_address.address)
                .collect();
            let answers = engine
                .answers
                .answer_locally(opened, addresses, wanted)
                .await;
            let part = answers.map(|answers| {
                let later = rest.split_off(answers.addresses().len());
                ReadStep::Batch((std::mem::replace(&mut rest, later), answers))
            });
            if part.is_err() {
                rest.clear();
            }
            Some((part, (reader, rest)))
        },
    )
}
