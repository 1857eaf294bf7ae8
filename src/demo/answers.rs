//! What the service answers when nothing goes wrong, host by host. Faults are put on top elsewhere (see `fault_effects`).

mod context;
mod exports;
mod feeds;
mod readme;
mod storage;

pub(crate) use storage::expired;

use std::sync::Arc;

use hyper::http::request::Parts;

use super::{fault::Place, reply::Reply, state::State};

/// Answers a request that has come to the right place by the right method.
pub(crate) async fn answer(state: &Arc<State>, place: Place, request: &Parts) -> Reply {
    match place {
        Place::Context => context::answer(state, request),
        Place::Feeds => feeds::answer(state, request).await,
        Place::Exports => exports::answer(state, request).await,
        Place::Storage => storage::answer(state, request).await,
    }
}
