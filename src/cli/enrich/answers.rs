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
                let other = match reader.next().await? {
                    ReadStep::Batch(batch) => {
                        rest = batch;
                        None
                    }
                    ReadStep::Failed(text, error) => Some(ReadStep::Failed(text, error)),
                    ReadStep::End(totals) => Some(ReadStep::End(totals)),
                };
                if let Some(step) = other {
                    return Some((Ok(step), (reader, rest)));
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
