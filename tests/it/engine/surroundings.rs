//! What the environment of the process says must not lead a request on this machine astray.

use std::{env, process::Command};

use ipspect::contract::LookupQuery;

use super::{
    fixture::Fixture,
    wire::{Wire, answer},
};

/// Set in the process that is started again.
const AGAIN: &str = "IPSPECT_PROOF_AGAIN";

#[tokio::test]
async fn the_service_on_this_machine_answers() {
    let fixture = Fixture::demo().await;
    let query = LookupQuery::now("198.51.100.77".parse().expect("address"));
    fixture
        .engine
        .answers
        .lookup(&query)
        .await
        .expect("an answer");
    fixture.pull().await.expect("a release");
}

/// The environment cannot be changed within a process that has threads, so a test runs once more in another.
#[tokio::test]
async fn neither_proxies_nor_missing_certificates_keep_this_machine_from_itself() {
    if env::var_os(AGAIN).is_some() {
        return;
    }
    let proxy = Wire::start().await;
    proxy.says(answer(200, "", "{}"));
    let mut again = Command::new(env::current_exe().expect("this test"));
    again
        .args([
            "--exact",
            "engine::surroundings::the_service_on_this_machine_answers",
        ])
        .env(AGAIN, "1");
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "all_proxy",
    ] {
        again.env(name, proxy.url());
    }
    again.env_remove("NO_PROXY").env_remove("no_proxy");
    again
        .env("SSL_CERT_FILE", "/nonexistent")
        .env("SSL_CERT_DIR", "/nonexistent");
    let output = tokio::task::spawn_blocking(move || again.output());
    let output = output.await.expect("a thread").expect("a process");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
    assert_eq!(proxy.heard(), [""; 0]);
}
