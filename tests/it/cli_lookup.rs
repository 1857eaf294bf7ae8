//! `lookup` and `tag`: one answer each, in order, and no query too many.

use ipspect::demo::{DemoRole, FaultSite};

use crate::service::Service;

const ADDRESS: &str = "198.51.100.77";

#[test]
fn each_input_gets_its_answer_in_order_and_each_address_one_query() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let line = format!(
        "lookup {ADDRESS} 198.18.0.1 ::ffff:{ADDRESS} 198[.]18[.]0[.]1 2001:DB8:77:1::7 --format json"
    );
    let ran = home.run(&line);
    let lines = ran.ends(0).lines();
    let queries: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["query"].as_str())
        .collect();
    assert_eq!(
        queries,
        [
            ADDRESS,
            "198.18.0.1",
            ADDRESS,
            "198.18.0.1",
            "2001:db8:77:1::7"
        ]
    );
    assert_eq!(service.demo.spent(DemoRole::Full), 3);
    let costs: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["cost"].as_u64())
        .collect();
    assert_eq!(costs, [1, 1, 0, 0, 1]);
    assert_eq!(lines[0]["record"], lines[2]["record"]);
    assert_eq!(lines[0]["record"]["ip"], ADDRESS);
    assert_eq!(
        (&lines[0]["source"], &lines[0]["feed"]),
        (&"live".into(), &serde_json::Value::Null)
    );
    assert!(
        lines[0]["day"].as_str().is_some_and(|day| day.len() == 8)
            && lines[0]["elapsed_ms"].is_u64()
    );
    assert_eq!(ran.err, "");
}

#[test]
fn what_is_not_public_is_refused_and_never_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for refused in [
        "10.0.0.1",
        "::1",
        "100.64.0.1",
        "fe80::1%eth0",
        "198.51.100.0/24",
        "198.051.100.007",
        "example",
        "::ffff:127.0.0.1",
    ] {
        let ran = home.run(&format!("lookup {refused}"));
        assert!(
            ran.ends(2).out.is_empty() && ran.err.contains("\n  "),
            "{ran:?}"
        );
    }
    assert_eq!(service.demo.requests(), []);
    let mixed = home.run(&format!("lookup 10.0.0.1 {ADDRESS} nonsense --format json"));
    let lines = mixed.ends(1).lines();
    assert_eq!(lines[0]["error"]["kind"], "usage");
    assert_eq!(lines[1]["query"], ADDRESS);
    assert_eq!(lines[2]["query"], "nonsense");
    assert_eq!(
        service.asked(FaultSite::Context),
        [format!("/v2/context/{ADDRESS}")]
    );
}

#[test]
fn date_and_geolocation_stand_in_the_request() {
    let service = Service::start();
    let yesterday = ipspect::model::Day::of(jiff::Timestamp::now()).plus(-3);
    let home = service.home(DemoRole::Full);
    let lines = home
        .run(&format!(
            "lookup {ADDRESS} --date {} --mmgeo --format json",
            yesterday.dashed()
        ))
        .ends(0)
        .lines();
    assert_eq!(lines[0]["day"], yesterday.to_string());
    assert_eq!(
        (&lines[0]["date"], &lines[0]["mmgeo"]),
        (&yesterday.to_string().into(), &true.into())
    );
    assert_eq!(
        service.asked(FaultSite::Context),
        [format!("/v2/context/{ADDRESS}?dt={yesterday}&mmgeo=1")]
    );
    // Of the service a day is asked for with either option.
    let line = home.run(&format!("lookup {ADDRESS} --day -4d --format json"));
    assert_eq!(line.ends(0).line()["day"], yesterday.plus(-1).to_string());
    let asked = service.asked(FaultSite::Context);
    let before = yesterday.plus(-1);
    assert_eq!(asked[1..], [format!("/v2/context/{ADDRESS}?dt={before}")]);
    home.run(&format!("lookup {ADDRESS} --date 2026-02-30"))
        .ends(2)
        .says("write 2026-11-01, -7d, yesterday or today");
    home.run(&format!("lookup {ADDRESS} --date 2999-01-01"))
        .ends(2)
        .says("in the future");
    service
        .home(DemoRole::NoHistory)
        .run(&format!("lookup {ADDRESS} --date {yesterday}"))
        .ends(3);
}

#[test]
fn a_spent_quota_stops_the_rest_and_keeps_what_there_is() {
    let service = Service::start();
    let home = service.home(DemoRole::NearlySpent);
    let addresses: Vec<String> = (1..=12).map(|host| format!("198.18.0.{host}")).collect();
    let ran = home.run(&format!(
        "lookup {} 10.0.0.1 --format json",
        addresses.join(" ")
    ));
    let lines = ran.ends(1).lines();
    assert_eq!(lines.len(), 13);
    assert_eq!(
        lines
            .iter()
            .filter(|line| line["record"].is_object() || line.get("record").is_some())
            .count(),
        3
    );
    assert_eq!(
        lines
            .iter()
            .filter(|line| line["error"]["kind"] == "quota")
            .count(),
        9
    );
    assert_eq!(lines[12]["error"]["kind"], "usage");
    // Those under way when the quota ended were answered 429, too; all others were never sent.
    assert!(
        service.asked(FaultSite::Context).len() <= 7,
        "{:?}",
        service.asked(FaultSite::Context)
    );
    ran.says("no query was sent for").says("198.18.0.12");
    assert_eq!(service.demo.spent(DemoRole::NearlySpent), 3);

    service
        .home(DemoRole::Spent)
        .run(&format!("lookup {ADDRESS}"))
        .ends(4)
        .says("insufficient queries");
    service
        .home(DemoRole::Spent)
        .run(&format!("lookup {ADDRESS} 198.18.0.1"))
        .ends(4);
}

#[test]
fn a_token_without_rights_is_asked_with_once() {
    let service = Service::start();
    let ran = service
        .home(DemoRole::Invalid)
        .run("lookup 198.18.0.1 198.18.0.2 198.18.0.3 198.18.0.4 198.18.0.5 198.18.0.6");
    ran.ends(3)
        .says("most likely invalid")
        .says("ipspect login");
    assert!(service.asked(FaultSite::Context).len() <= 4);
    service
        .home(DemoRole::FeedsOnly)
        .run(&format!("lookup {ADDRESS}"))
        .ends(3)
        .says("no access to the Context API");
}

#[test]
fn faults_of_the_service_have_their_codes() {
    for (fault, code, says) in [
        ("context:500", 6, "an error occurred (500)"),
        ("context:html", 6, "a web page"),
        ("context:garbage", 5, "possibly spent"),
        ("context:reset", 5, "possibly spent"),
        ("context:truncate", 5, "possibly spent"),
        ("context:other", 6, "refused"),
        ("context:418", 6, "418"),
        ("context:redirect=http://127.0.0.1:9/", 6, "redirect"),
    ] {
        let service = Service::with(&[fault]);
        let ran = service
            .home(DemoRole::Full)
            .run(&format!("lookup {ADDRESS}"));
        assert!(
            ran.ends(code).says(says).err.lines().count() <= 5,
            "{fault}: {ran:?}"
        );
        assert_eq!(ran.out, "", "{fault}");
    }
}

#[test]
fn passing_faults_are_retried_within_the_budget() {
    let service = Service::with(&["context:500x1"]);
    let home = service.home(DemoRole::Full);
    home.run(&format!("lookup {ADDRESS} --format json"))
        .ends(0)
        .says("possibly spent beyond the cost shown: 1");
    assert_eq!(service.asked(FaultSite::Context).len(), 2);
    service.arm("context:500x1");
    home.run(&format!("lookup {ADDRESS} --retries 0")).ends(6);
    assert_eq!(service.asked(FaultSite::Context).len(), 3);
    assert_eq!(home.spent(), (1, 2));
}

#[test]
fn odd_fields_cost_themselves_only() {
    let service = Service::with(&["context:odd", "context:badheader", "context:nobalance"]);
    let home = service.home(DemoRole::Full);
    let ran = home.run(&format!("lookup {ADDRESS} --format json"));
    // Half a surrogate pair stays as it was sent, which not every reader of JSON takes.
    ran.ends(0)
        .shows("\"balance\":null")
        .shows("\"lone\":\"\\ud800 surrogate\"")
        .shows("\"lossy\":true");
    home.run(&format!("lookup {ADDRESS}"))
        .ends(0)
        .shows("balance unknown")
        .shows("unreadable")
        .shows("other keys");
}

#[test]
fn csv_has_a_row_for_each_input_and_text_a_sheet() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run(&format!("lookup {ADDRESS} 10.0.0.1 --format csv"));
    let mut rows = csv::Reader::from_reader(ran.ends(1).out.as_bytes());
    let header = rows.headers().expect("header").clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("row")).collect();
    let cell = |row: usize, name: &str| {
        let column = header.iter().position(|text| text == name).expect("column");
        rows[row][column].to_owned()
    };
    assert_eq!(
        (cell(0, "ip"), cell(0, "operators"), cell(0, "error")),
        (ADDRESS.into(), "ACME_VPN".into(), String::new())
    );
    assert_eq!(
        (cell(1, "query"), cell(1, "ip"), cell(1, "error")),
        ("10.0.0.1".into(), String::new(), "usage".into())
    );
    assert!(ran.out.lines().count() == 3 && ran.out.ends_with("\r\n"));

    let text = home.run(&format!("lookup {ADDRESS}"));
    text.ends(0)
        .shows("anonymization     observed")
        .shows("ACME_VPN")
        .shows("absent");
    let ticket = home.run(&format!("lookup {ADDRESS} --format md"));
    ticket
        .ends(0)
        .shows("### 198[.]51[.]100[.]77")
        .shows("**data date:**")
        .shows("**not known:**");
    assert!(!ticket.out.contains(ADDRESS), "{ticket:?}");
}

#[test]
fn a_low_balance_is_noted_unless_quiet() {
    let service = Service::start();
    let home = service.home(DemoRole::NearlySpent);
    home.run(&format!("lookup {ADDRESS}"))
        .ends(0)
        .says("note: the balance is 2");
    assert_eq!(home.run(&format!("lookup {ADDRESS} -q")).ends(0).err, "");
}

#[test]
fn tags_are_asked_once_each_and_cost_nothing() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run("tag acme_vpn ACME_VPN NO_SUCH_TAG a/b --format json");
    let lines = ran.ends(1).lines();
    assert_eq!(
        (&lines[0]["query"], &lines[0]["source"]),
        (&"ACME_VPN".into(), &"live".into())
    );
    assert_eq!(lines[0]["record"]["tag"], "ACME_VPN");
    assert_eq!(lines[0]["record"], lines[1]["record"]);
    assert_eq!(
        (&lines[2]["error"]["kind"], &lines[2]["error"]["status"]),
        (&"not-found".into(), &404.into())
    );
    assert_eq!(lines[3]["error"]["kind"], "usage");
    assert_eq!(
        service.asked(FaultSite::Context),
        [
            "/v2/metadata/tags/ACME_VPN",
            "/v2/metadata/tags/NO_SUCH_TAG"
        ]
    );
    assert_eq!(service.demo.spent(DemoRole::Full), 0);
    home.run("tag NO_SUCH_TAG")
        .ends(10)
        .says("tag NO_SUCH_TAG not found (404)");
    home.run("tag ACME_VPN")
        .ends(0)
        .shows("Acme Virtual Private Network");
    home.run("tag ACME_VPN --format csv")
        .ends(0)
        .shows("query,tag,name")
        .shows("ACME_VPN,ACME_VPN");
    home.run("tag ACME_VPN --format md")
        .ends(0)
        .shows("hxxps://acme-vpn[.]example");
}
