//! What the service answers when nothing goes wrong, host by host. Faults are put on top elsewhere (see `fault_effects`).

mod context;
mod exports;
mod feeds;
mod readme;
mod storage;

pub(crate) use storage::expired;

use std::sync::Arc;

use hyper::http::request::Parts;

use super::{fault::FaultSite, reply::HttpReply, state::ServiceState};

/// Answers a request whose host and method are right.
pub(crate) async fn answer(
    state: &Arc<ServiceState>,
    place: FaultSite,
    request: &Parts,
) -> HttpReply {
    match place {
        FaultSite::Context => context::answer(state, request),
        FaultSite::Feeds => feeds::answer(state, request).await,
        FaultSite::Exports => exports::answer(state, request).await,
        FaultSite::Storage => storage::answer(state, request).await,
    }
}
