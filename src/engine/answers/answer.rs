//! What the service answered about an address: read from its text, and kept in files.

use crate::{
    contract::{Endpoint, Host, LookupQuery},
    engine::{
        error::{Error, Result},
        http::{CapturedBody, Provenance, is_web_page, read_document, web_page},
        live::about_another,
    },
    model::{Context, Document, Subject, terms},
};

/// What the service answered about an address.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupAnswer {
    /// The record, or `None` when the service has no record: that is an answer, and does not mean harmless.
    pub record: Option<AnswerRecord>,
    /// Where it comes from and what it cost.
    pub provenance: Provenance,
}

/// A record: what was read, and the service's own text.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRecord {
    /// What was read.
    pub context: Context,
    /// What was sent.
    pub document: Document,
}

/// What the service answered to a question, if it is about that address.
pub(super) fn read_answer(query: &LookupQuery, answered: CapturedBody) -> Result<LookupAnswer> {
    if answered.provenance.status == 404 {
        return nothing_known(answered);
    }
    let document = read_document(&Endpoint::Context(*query), &answered)?;
    let context = Context::decode(document.value()).map_err(|why| {
        Error::faulty(format!(
            "the answer about {} is not a record: {why}",
            query.address
        ))
    })?;
    let subject = context.subject().ok_or_else(|| {
        Error::faulty(format!(
            "the answer does not name its address; {} was requested",
            query.address
        ))
    })?;
    if !subject.covers(query.address) {
        return Err(about_another(
            &subject.to_string(),
            &query.address.to_string(),
        ));
    }
    // A key may be repeated: no reader is to take another of its values for what the answer is about.
    let key = match subject {
        Subject::Address(_) => "ip",
        Subject::Network(_) => "network",
    };
    for value in document.values_of(key) {
        let named = terms::subject_under(key, &value);
        if !value.is_null() && !named.is_some_and(|named| named.covers(query.address)) {
            let named = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            return Err(about_another(&named, &query.address.to_string()));
        }
    }
    Ok(LookupAnswer {
        record: Some(AnswerRecord { context, document }),
        provenance: answered.provenance,
    })
}

/// The service's answer that it has no record, unless something in between said so.
fn nothing_known(answered: CapturedBody) -> Result<LookupAnswer> {
    if is_web_page(&answered.body) {
        return Err(web_page(Host::Context).status(404));
    }
    Ok(LookupAnswer {
        record: None,
        provenance: answered.provenance,
    })
}
