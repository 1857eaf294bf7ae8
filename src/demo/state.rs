//! What a running service has in common between its four listeners.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use hyper::http::request::Parts;
use jiff::Timestamp;

use super::{
    clock::Clock,
    fault::FaultSite,
    faults::Faults,
    files::Files,
    link::Signer,
    request_log::RequestLog,
    role::{DemoRole, Rights},
    world::World,
};
use crate::contract::Token;

/// The service between requests.
#[derive(Debug)]
pub(crate) struct ServiceState {
    pub(crate) clock: Clock,
    pub(crate) world: Arc<World>,
    pub(crate) faults: Faults,
    pub(crate) files: Files,
    pub(crate) log: RequestLog,
    pub(crate) signer: Signer,
    pub(crate) ledger: RoleLedger,
    /// The ports of the places, in the order of [`FaultSite::ALL`].
    pub(crate) ports: [u16; 4],
}

impl ServiceState {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Where a place is reached.
    pub(crate) fn url(&self, place: FaultSite) -> String {
        format!("http://127.0.0.1:{}", self.port(place))
    }

    pub(crate) fn port(&self, place: FaultSite) -> u16 {
        self.ports[place as usize]
    }
}

/// Queries consumed, by role.
#[derive(Debug, Default)]
pub(crate) struct RoleLedger([AtomicU64; DemoRole::ALL.len()]);

impl RoleLedger {
    /// Queries that a role has consumed.
    pub(crate) fn spent(&self, role: DemoRole) -> u64 {
        self.of(role).load(Ordering::Relaxed)
    }

    /// Queries that a role has left.
    pub(crate) fn left(&self, role: DemoRole) -> u64 {
        role.rights().queries.saturating_sub(self.spent(role))
    }

    /// Consumes one query and says how many are left, or `None` when none was.
    pub(crate) fn spend(&self, role: DemoRole) -> Option<u64> {
        let queries = role.rights().queries;
        let one_more = |spent: u64| (spent < queries).then_some(spent + 1);
        let before = self
            .of(role)
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more)
            .ok()?;
        Some(queries - before - 1)
    }

    fn of(&self, role: DemoRole) -> &AtomicU64 {
        &self.0[role as usize]
    }
}

/// The role behind a request's `Token` header.
pub(crate) fn role_of(parts: &Parts) -> Option<DemoRole> {
    let token = parts.headers.get(Token::HEADER)?.to_str().ok()?;
    DemoRole::of_token(token)
}

/// The rights behind a request, for the hosts on which an unknown token and a token without access look the same
/// (contract, part 5.4).
pub(crate) fn rights_if(role: Option<DemoRole>, allows: fn(&Rights) -> bool) -> Option<Rights> {
    role.map(DemoRole::rights)
        .filter(|rights| rights.active && allows(rights))
}
