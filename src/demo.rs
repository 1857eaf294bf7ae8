//! The other end of the contract: a real HTTP service on loopback over an invented, seeded world.
//!
//! Three hosts and the storage that downloads are redirected to, each on a port that the system picks. It enforces the
//! contract (tokens with different rights, balances, dates, export rules) and has faults on demand, so that every
//! screen and every error can be shown and tested without an account. The seam is the socket: clients speak to it as to
//! any service.
//!
//! It uses `model` and `contract` alone; its answers are an independent check of what the rest of the program believes.
//! It must never listen beyond loopback, know a real token, write to disk, or print.
//!
//! | place in the code | is |
//! |---|---|
//! | [`Demo`] | the running service |
//! | `server` | sockets, and what can go wrong with them |
//! | `answers` | what each host says |
//! | `release`, `files`, `link` | when files appear, how they are made, how they are reached |
//! | `export`, `mmdb` | filtered subsets, databases |
//! | `fault`, `faults`, `fault_effects` | what can go wrong, what is about to, and what it does |
//! | `role`, `state`, `request_log` | who asks, what they have left, what they sent |
//! | `table` | the tables in `assets/demo` |
//! | `world` | who has which address, day by day |

mod answers;
mod clock;
mod example;
mod export;
mod fault;
mod fault_effects;
mod faults;
mod file_id;
mod files;
mod link;
mod mmdb;
mod release;
mod reply;
mod request_log;
mod role;
mod server;
mod state;
mod table;
mod world;

use std::{
    io,
    net::{Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use tokio::{net::TcpListener, task::JoinSet};

pub use self::{
    clock::Clock,
    example::{Example, examples},
    fault::{BadFault, Fault, FaultKind, FaultSite, KINDS, KindRow},
    faults::Faults,
    request_log::LoggedRequest,
    role::{DemoRole, Rights, UnknownRole},
};
use self::{
    files::Files,
    link::Signer,
    request_log::RequestLog,
    state::{RoleLedger, ServiceState},
    world::World,
};
use crate::{contract::Host, model::Day};

/// The ranges that the world lives on: all of them for documentation or benchmarks, so that it never says anything about
/// anybody's real address.
pub const RANGES: [IpNet; 5] = [
    range([192, 0, 2, 0], 24),
    range([198, 51, 100, 0], 24),
    range([203, 0, 113, 0], 24),
    range([198, 18, 0, 0], 15),
    IpNet::V6(Ipv6Net::new_assert(
        Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0),
        32,
    )),
];

const fn range(octets: [u8; 4], length: u8) -> IpNet {
    let [a, b, c, d] = octets;
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length))
}

/// How a service is set up.
#[derive(Clone, Debug)]
pub struct DemoOptions {
    /// The world: the same seed on the same day is the same world.
    pub seed: u64,
    /// Whose time it is.
    pub now: Clock,
    /// Faults that are armed from the start.
    pub faults: Vec<Fault>,
    /// About how many of the 512 /24 networks for benchmarks are inhabited; tests do with few.
    pub blocks: u16,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            now: Clock::system(),
            faults: Vec::new(),
            blocks: 512,
        }
    }
}

/// A running service. Dropping it stops it and closes its connections.
#[derive(Debug)]
pub struct Demo {
    state: Arc<ServiceState>,
    /// One listener each; dropped with the service.
    _listeners: JoinSet<std::convert::Infallible>,
}

impl Demo {
    /// Starts the service on four free ports of 127.0.0.1. Nothing of the world is made before it is asked for. Boxed, so that programs do not
    /// compile it once more.
    ///
    /// # Errors
    /// When the system gives no port.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(options: DemoOptions) -> BoxFuture<'static, io::Result<Self>> {
        Box::pin(Self::start_here(options))
    }

    async fn start_here(options: DemoOptions) -> io::Result<Self> {
        let mut listeners = Vec::new();
        let mut ports = [0; FaultSite::ALL.len()];
        for (place, port) in FaultSite::ALL.into_iter().zip(&mut ports) {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
            *port = listener.local_addr()?.port();
            listeners.push((place, listener));
        }
        let state = Arc::new(ServiceState {
            world: Arc::new(World::new(
                options.seed,
                Day::of(options.now.now()),
                options.blocks,
            )),
            clock: options.now,
            faults: Faults::armed(options.faults),
            files: Files::default(),
            log: RequestLog::default(),
            signer: Signer::new(),
            ledger: RoleLedger::default(),
            ports,
        });
        let mut running = JoinSet::new();
        for (place, listener) in listeners {
            running.spawn(server::serve(listener, place, Arc::clone(&state)));
        }
        Ok(Self {
            state,
            _listeners: running,
        })
    }

    /// Where a host is reached: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self, host: Host) -> String {
        self.state.url(host.into())
    }

    /// Where the storage is reached, which no client has to know before it is redirected there.
    #[must_use]
    pub fn storage_url(&self) -> String {
        self.state.url(FaultSite::Storage)
    }

    #[must_use]
    pub fn token(&self, role: DemoRole) -> &'static str {
        role.token()
    }

    /// The faults that are armed, to add to and to clear.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.state.faults
    }

    /// The last 10,000 requests, the oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.state.log.all()
    }

    /// Queries that a role has consumed.
    #[must_use]
    pub fn spent(&self, role: DemoRole) -> u64 {
        self.state.ledger.spent(role)
    }
}

#[cfg(test)]
mod tests;
