//! A service and an engine that speaks to it, in directories of their own, at noon of an invented day.

use std::{path::PathBuf, time::Duration};

use ipspect::{
    contract::{Host, Token},
    demo::{Clock, Demo, DemoOptions, DemoRole, FaultSite, LoggedRequest},
    engine::{Engine, GivenService, Settings, paths::Paths},
    model::Day,
};
use jiff::Timestamp;
use tempfile::TempDir;

use super::wire::Wire;
use crate::fake::Fake;

/// The token of engines that do not speak to the demo.
pub(crate) const TOKEN: &str = "proof-token-5d1e";

/// Noon of the day on which the tests take place.
pub(crate) fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().expect("timestamp")
}

/// That day.
pub(crate) fn today() -> Day {
    Day::of(noon())
}

/// A service and an engine.
pub(crate) struct Fixture<S> {
    pub(crate) service: S,
    pub(crate) engine: Engine,
    dir: TempDir,
}

impl<S> Fixture<S> {
    fn new(
        service: S,
        urls: &[(Host, String)],
        token: &str,
        tune: impl FnOnce(&mut Settings),
    ) -> Self {
        // The first test of the process that gets here installs it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().expect("directory");
        let urls = urls
            .iter()
            .map(|(host, url)| (*host, url.parse().expect(url)));
        let mut settings = Settings::plain(Paths {
            config: dir.path().join("config"),
            cache: dir.path().join("cache"),
            state: dir.path().join("state"),
        })
        .on_invented(GivenService {
            urls: urls.collect(),
            token: Token::new(token).expect("token"),
            admitted: [
                "192.0.2.0/24",
                "198.51.100.0/24",
                "203.0.113.0/24",
                "198.18.0.0/15",
                "2001:db8::/32",
            ]
            .map(|block| block.parse().expect(block))
            .to_vec(),
        });
        settings.clock = noon;
        settings.network.retry_base_ms = 1;
        tune(&mut settings);
        let engine = Engine::new(settings);
        Self {
            service,
            engine,
            dir,
        }
    }

    /// Another engine on the same directories and the same service, as the next run of the program.
    pub(crate) fn restart(&mut self) {
        self.restart_with(|_| ());
    }

    /// The same with other settings.
    pub(crate) fn restart_with(&mut self, tune: impl FnOnce(&mut Settings)) {
        let mut settings = (*self.engine.settings).clone();
        tune(&mut settings);
        self.engine = Engine::new(settings);
    }

    /// A place of this test's own.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

impl Fixture<Demo> {
    /// The embedded service, spoken to by the usual role.
    pub(crate) async fn demo() -> Self {
        Self::demo_as(DemoRole::Full).await
    }

    /// The embedded service, spoken to by this role.
    pub(crate) async fn demo_as(role: DemoRole) -> Self {
        Self::demo_with(role, |_| ()).await
    }

    /// The embedded service and an engine of other settings.
    pub(crate) async fn demo_with(role: DemoRole, tune: impl FnOnce(&mut Settings)) -> Self {
        let options = DemoOptions {
            now: Clock::fixed(noon()),
            blocks: 8,
            ..DemoOptions::default()
        };
        let demo = Demo::start(options).await.expect("a port is free");
        let urls = Host::ALL.map(|host| (host, demo.url(host)));
        let token = demo.token(role);
        Self::new(demo, &urls, token, tune)
    }

    /// Arms a fault: `PLACE:KIND[@SKIP][xTIMES]`.
    pub(crate) fn arm(&self, fault: &str) {
        self.service.faults().add(fault.parse().expect(fault));
    }

    /// What came in at a place, the oldest first.
    pub(crate) fn seen(&self, place: FaultSite) -> Vec<LoggedRequest> {
        let all = self.service.requests().into_iter();
        all.filter(|seen| seen.place == place).collect()
    }
}

impl Fixture<Fake> {
    /// All three hosts at one fake, and an engine of other settings.
    pub(crate) fn fake(fake: Fake, tune: impl FnOnce(&mut Settings)) -> Self {
        let urls = Host::ALL.map(|host| (host, fake.url.clone()));
        Self::new(fake, &urls, TOKEN, tune)
    }
}

impl Fixture<Wire> {
    /// All three hosts at one scripted server.
    pub(crate) async fn wire() -> Self {
        Self::wire_with(|_| ()).await
    }

    /// All three hosts at one scripted server and an engine of other settings.
    pub(crate) async fn wire_with(tune: impl FnOnce(&mut Settings)) -> Self {
        let wire = Wire::start().await;
        let urls = Host::ALL.map(|host| (host, wire.url()));
        Self::new(wire, &urls, TOKEN, tune)
    }
}

/// Waits until something is so, and fails when that takes too long.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waited = tokio::time::timeout(Duration::from_secs(20), async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    waited
        .await
        .unwrap_or_else(|_| panic!("it did not come to this: {what}"));
}
