//! A session by the mouse alone, as a terminal reports it, and what the service saw of it.

use ipspect::demo::DemoRole;

use crate::{
    explorer_requests::{explorer, line_with, lookups},
    home::Here,
    service::Service,
};

/// Tabs, rows, heads of columns, the wheel and the keys of the footer do what their keys do, and what has a price is asked for once.
#[test]
fn a_session_by_the_mouse() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "service-metrics"]);
    let before = lookups(&service);
    let mut terminal = explorer(&service, here.home.root.path(), DemoRole::Full);
    terminal.press("M");
    terminal.wait_for("ipspect has the mouse");

    // A tab, a row, the wheel over the rows, the head of a column.
    terminal.click("2 Tags");
    terminal.wait_for("[2 Tags]");
    terminal.wait_for("DEVICES v");
    terminal.click("BRAVO_PROXY");
    line_with(&terminal, &["> ", "BRAVO_PROXY"]);
    terminal.wait_until("the page of the row", |screen| {
        screen.lines().any(|line| line.contains("┌ BRAVO_PROXY"))
    });
    terminal.wheel("DEVICES v", true);
    terminal.wait_until("another row", |screen| {
        !screen
            .lines()
            .any(|line| line.contains("> ") && line.contains(" BRAVO_PROXY"))
    });
    terminal.click("DEVICES v");
    terminal.wait_for("DEVICES ^");
    assert_eq!(lookups(&service), before);

    // A record of the browser: two clicks open it from the local feed, for nothing.
    terminal.click("4 Feeds");
    terminal.wait_for("[4 Feeds]");
    terminal.click("anonymous ");
    terminal.settle();
    terminal.click("anonymous ");
    terminal.wait_for("ADDRESS");
    terminal.wait_for("198.");
    terminal.settle();
    let screen = terminal.screen();
    let row = screen.lines().find_map(|line| line.split_once("> 198."));
    let rest = row.expect("a row under the cursor").1;
    let address = format!("198.{}", rest.split(' ').next().unwrap_or_default());
    terminal.click(&address);
    terminal.settle();
    terminal.click(&address);
    terminal.wait_for("[1 Lookup]");
    line_with(&terminal, &[&address, "LOCAL anonymous"]);
    assert_eq!(lookups(&service), before);

    // The key of the footer that names its price asks once.
    terminal.wait_for("enter pivot");
    terminal.settle();
    terminal.click("R live (1 query)");
    line_with(&terminal, &[&address, "LIVE "]);
    assert_eq!(lookups(&service), before + 1);

    // The form of an export on a small screen, and the mouse given back.
    terminal.click("5 Export");
    terminal.wait_for("[5 Export]");
    terminal.resize(80, 24);
    terminal.wait_for("> feed");
    terminal.settle();
    assert!(!terminal.screen().contains("diffDate"));
    for _ in 0..3 {
        terminal.wheel("Build", true);
    }
    terminal.wait_for("diffDate");
    terminal.press("M");
    terminal.wait_for("the terminal has the mouse");
    assert_eq!(lookups(&service), before + 1);
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
}
