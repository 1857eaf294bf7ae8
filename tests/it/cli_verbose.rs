//! `-v`: every request on a line of standard error; `-vv`: its headers, too. Neither shows the token or a signed URL's query.

use ipspect::{
    contract::Host,
    demo::{DemoRole, FaultSite},
};

use crate::{
    fake::{Fake, answer},
    service::{Home, Ran, Service},
};

/// The requests of a run, as it names them.
fn requests(ran: &Ran) -> Vec<String> {
    let lines = ran.err.lines().filter(|line| line.starts_with("GET "));
    lines.map(str::to_owned).collect()
}

#[test]
fn each_request_is_a_line_of_each_host() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for (line, host, place) in [
        (
            "lookup 198.51.100.77 --mmgeo",
            Host::Context,
            FaultSite::Context,
        ),
        ("tag ACME_VPN", Host::Context, FaultSite::Context),
        (
            "export anonymous --limit 3 -o -",
            Host::Exports,
            FaultSite::Exports,
        ),
    ] {
        let ran = home.run(&format!("{line} -v"));
        let lines = requests(ran.ends(0));
        // The query of a request is shown as it was sent.
        let target = service.asked(place).pop().expect("a request");
        let begins = format!("GET {}{target} 200, ", service.demo.url(host));
        assert!(
            matches!(&lines[..], [only] if only.starts_with(&begins) && only.ends_with(" ms")),
            "{begins}: {ran:?}"
        );
        assert!(!ran.err.contains("> "), "{ran:?}");
        assert_eq!(requests(&home.run(line)), [""; 0]);
    }
}

#[test]
fn a_download_shows_where_it_was_led_without_the_query() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run("feeds pull dch -v");
    let lines = requests(ran.ends(0));
    let at = lines
        .iter()
        .position(|line| line.contains("/v2/dch/latest.json.gz 302, 0 bytes, "));
    let storage = &lines[at.expect("the request for the link") + 1];
    let pulled = home.run("feeds pull dch --format json").ends(0).line();
    let (url, rest) = storage.split_once(" 200, ").expect("an answer");
    assert!(rest.starts_with(&format!("{} bytes, ", pulled["bytes"])));
    assert!(!url.contains('?'), "{storage}");
}

#[test]
fn headers_of_both_sides_show_neither_token_nor_signature() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run("feeds pull dch -vv");
    ran.ends(0)
        .says("> GET http")
        .says("\n> token: [hidden]\n")
        .says("\n> user-agent: ipspect/")
        .says("< 302 http")
        .says("\n< location: http")
        .says("?[hidden]\n");
    assert!(!ran.err.contains("sig"), "a signed link shows: {ran:?}");
    assert!(ran.err.matches("> token:").count() < ran.err.matches("> GET ").count());
}

#[test]
fn a_service_that_repeats_the_token_does_not_bring_it_out() {
    let fake = Fake::answering(|_| {
        let headers = "x-echo: fake-token-1\r\nset-cookie: fake-token-1\r\n";
        answer(200, headers, br#"{"active":true}"#)
    });
    let ran = fake.home().run("status -vv");
    ran.ends(0).says("< x-echo: [hidden]");
    assert!(!ran.all().contains("fake-token-1"), "{ran:?}");
}

#[test]
fn tries_that_fail_are_lines_too() {
    let service = Service::with(&["context:500x1"]);
    let ran = service.home(DemoRole::Full).run("tag ACME_VPN -v");
    let lines = requests(ran.ends(0));
    assert!(
        matches!(&lines[..], [one, two] if one.contains(" 500, ") && two.contains(" 200, ")),
        "{ran:?}"
    );
    ran.says("trying again in ");
    let unreachable = Home::of(
        &[(Host::Context, "http://127.0.0.1:9".to_owned())],
        Some("some-token-1"),
    );
    let ran = unreachable.run("status -v --retries 0");
    let lines = requests(ran.ends(5));
    assert!(
        matches!(&lines[..], [only] if only.starts_with("GET http://127.0.0.1:9/status no answer, 0 bytes, ")),
        "{ran:?}"
    );
    let cut = Fake::answering(|_| b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec());
    let ran = cut.home().run("status -v --retries 0");
    let lines = requests(ran.ends(5));
    assert!(lines[0].contains(" 200, 1 bytes, "), "{ran:?}");
    assert!(lines[0].ends_with("cut off before the end"), "{ran:?}");
}
