//! `blocklist`: files against plain sets of what `search` prints, and what is refused.

use std::{collections::BTreeSet, fs};

use ipnet::IpNet;
use ipspect::{
    demo::DemoRole, investigation::blocklist::BLOCK_FORMS, store::checksum::hexadecimal,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::service::{Home, Service};

fn networks(text: &str) -> Vec<IpNet> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let network = |line: &str| match line.parse::<IpNet>() {
        Ok(network) => network,
        Err(_) => line.parse::<std::net::IpAddr>().expect(line).into(),
    };
    lines.map(network).collect()
}

fn is_in(networks: &[IpNet], address: &str) -> bool {
    let address: std::net::IpAddr = address.parse().expect(address);
    networks.iter().any(|network| network.contains(&address))
}

fn home(service: &Service) -> Home {
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    home
}

fn read(home: &Home, name: &str) -> String {
    fs::read_to_string(home.path(name)).expect(name)
}

#[test]
fn a_list_is_what_a_filter_selects_without_what_is_exempt() {
    let service = Service::start();
    let home = home(&service);
    let all = home.run("search anonymous type:VPN --format ids").out;
    let exempt = home
        .run("search anonymous tag:WARP_VPN,ICLOUD_RELAY_PROXY --format ids")
        .out;
    let exempt: BTreeSet<&str> = exempt.lines().collect();
    let allowed = all
        .lines()
        .find(|line| !exempt.contains(line))
        .expect("an address");
    fs::write(home.path("allow.txt"), format!("{allowed} # ours\n")).expect("write");
    let ran = home.run("blocklist anonymous type:VPN --as plain -o vpn.txt --allow allow.txt");
    ran.ends(0).says("to check it: grepcidr -f vpn.txt");
    // Nobody typed the tags that are left out.
    assert!(!ran.err.contains("no record of"), "{}", ran.err);
    let text = read(&home, "vpn.txt");
    let list = networks(&text);
    for address in all.lines() {
        let is_blocked = !exempt.contains(address) && address != allowed;
        assert_eq!(is_in(&list, address), is_blocked, "{address}");
    }
    let about: Value = serde_json::from_str(&read(&home, "vpn.txt.json")).expect("JSON");
    assert_eq!(about["entries"], list.len());
    let sha256 = hexadecimal(&Sha256::digest(&text));
    assert_eq!(about["sha256"], sha256);
    assert_eq!(
        about["command"],
        "ipspect blocklist anonymous 'type:VPN' --as plain -o vpn.txt --allow allow.txt"
    );
    // The same input makes the same bytes, and what is no list of this program stays.
    home.run("blocklist anonymous type:VPN --as plain -o vpn.txt --allow allow.txt -q")
        .ends(0);
    assert_eq!(read(&home, "vpn.txt"), text);
    home.run("blocklist anonymous --as plain -o allow.txt")
        .ends(2)
        .says("no list of this program");
    fs::write(home.path("conf.json"), "{}").expect("write");
    home.run("blocklist anonymous --as plain -o conf")
        .ends(2)
        .says("conf.json is there and no list of this program");
    assert_eq!(read(&home, "conf.json"), "{}");
    // A negated term is no option.
    home.run("blocklist anonymous -type:VPN --as plain -o=others.txt")
        .ends(0);
    let others = networks(&read(&home, "others.txt"));
    assert!(all.lines().all(|address| !is_in(&others, address)));
    // The exempt tags are those of the configuration.
    let configured = read(&home, "config/config.toml")
        + "\n[blocklist]\nexempt_tags = []\nallow = [\"../allow.txt\"]\n";
    fs::write(home.path("config/config.toml"), configured).expect("write");
    home.run("blocklist anonymous --as plain -o all.txt")
        .ends(0);
    let list = networks(&read(&home, "all.txt"));
    for address in all.lines() {
        assert_eq!(is_in(&list, address), address != allowed, "{address}");
    }
}

#[test]
fn lists_are_parted_and_refused() {
    let service = Service::start();
    let home = home(&service);
    for form in &BLOCK_FORMS {
        let ran = home.run(&format!(
            "blocklist anonymous cc:NL --as {} -o -",
            form.name
        ));
        assert!(ran.ends(0).out.lines().count() > 3, "{}", form.name);
    }
    fs::write(
        home.path("in"),
        "198.51.100.0/25\n198.51.100.200\n203.0.113.9\n2001:db8::/32\n",
    )
    .expect("write");
    let with_input = |words: &str| {
        let input = fs::File::open(home.path("in")).expect("open");
        let output = home.command(words).stdin(input).output();
        crate::service::Ran::of(output.expect("run"))
    };
    with_input("blocklist - --as plain -o out.txt --split 2 --family 4").ends(0);
    for part in ["out-3.txt", "out-4.txt"] {
        for end in ["", ".json"] {
            fs::copy(
                home.path(&format!("out-2.txt{end}")),
                home.path(&format!("{part}{end}")),
            )
            .expect("copy");
        }
    }
    with_input("blocklist - --as plain -o out.txt --split 2 --family 4")
        .ends(0)
        .says("out-3.txt is of an earlier")
        .says("out-4.txt is of an earlier");
    assert_eq!(networks(&read(&home, "out-1.txt")).len(), 2);
    assert_eq!(networks(&read(&home, "out-2.txt")).len(), 1);
    assert!(home.path("out-2.txt.json").exists() && !home.path("out.txt").exists());
    let ran = with_input("blocklist - --as ipset -o - --name theirs --expires 3d");
    ran.ends(0)
        .shows("add theirs4.new 198.51.100.0/25 timeout 259200")
        .shows("destroy theirs6.new");
    with_input("blocklist - --as ipset -o - --expires 30d")
        .ends(2)
        .says("596 hours at most");
    with_input("blocklist - --as plain -o - --family 6 --allow in")
        .ends(2)
        .says("would be empty");
    with_input("blocklist - --as nft -o - --allow in --force empty")
        .ends(0)
        .shows("flush set inet ipspect ipspect4");
    // Parts are numbered even where there is one, and what another run left is named.
    with_input("blocklist - --as nft -o out.nft --split 9 --expires 3d")
        .ends(0)
        .says("nft -f out-1.nft");
    assert!(read(&home, "out-1.nft").contains("set inet ipspect out-14 "));
    let about: Value = serde_json::from_str(&read(&home, "out-1.nft.json")).expect("JSON");
    assert_eq!(
        (&about["name"], &about["part"]),
        (&"out-1".into(), &1.into())
    );
    let until = about["until"]
        .as_str()
        .expect("a time")
        .parse::<jiff::Timestamp>();
    let left = until
        .expect("a time")
        .duration_since(jiff::Timestamp::now())
        .as_hours();
    assert!((71..=72).contains(&left), "{left}");
    with_input("blocklist - --as nft -o out.nft")
        .ends(0)
        .says("out-1.nft is of an earlier list");
    with_input("blocklist - --as nft -o ip.nft").ends(0);
    assert!(read(&home, "ip.nft").contains("set inet ipspect ipspect6 "));
    fs::write(home.path("in"), "0.0.0.0/7\n").expect("write");
    with_input("blocklist - --as plain -o -")
        .ends(2)
        .says("all of 0.0.0.0/7, too large");
    with_input("blocklist - --as plain -o - --force wide")
        .ends(0)
        .shows("0.0.0.0/7");
}

/// The records of a filter as JSON.
fn records(home: &Home, filter: &str) -> Vec<Value> {
    let out = home
        .run(&format!(
            "search anonymous-residential {filter} --format json"
        ))
        .out;
    let line = |line: &str| serde_json::from_str::<Value>(line).expect(line);
    out.lines().map(line).collect()
}

/// A record as the feed has it: under its own key where the line has more.
fn own(record: &Value) -> &Value {
    record.get("record").unwrap_or(record)
}

#[test]
fn who_is_behind_a_list_is_counted_as_its_records_say() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous-residential").ends(0);
    for filter in [
        "cc:NL",
        "type:PROXY -infra:DATACENTER",
        "proxy:*",
        "clients>1000",
        "cc:NL type:VPN",
    ] {
        let exempt = ["WARP_VPN", "ICLOUD_RELAY_PROXY"];
        let has_tag = |record: &Value| {
            let text = own(record)["tunnels"].to_string();
            exempt.iter().any(|tag| text.contains(tag))
        };
        let (left_out, records): (Vec<Value>, Vec<Value>) =
            records(&home, filter).into_iter().partition(has_tag);
        let clients = |record: &Value| own(record)["client"]["count"].as_u64();
        let mut numbers: Vec<u64> = records.iter().filter_map(clients).collect();
        numbers.sort_unstable();
        let infra = |record: &Value| own(record)["infrastructure"].as_str().map(str::to_owned);
        let is_of = |record: &Value, kinds: &[&str]| {
            infra(record).is_some_and(|infra| kinds.contains(&&*infra))
        };
        let number =
            |test: &dyn Fn(&Value) -> bool| records.iter().filter(|record| test(record)).count();
        let has = |value: &Value, word: &str| {
            value
                .as_array()
                .is_some_and(|list| list.iter().any(|own| own == word))
        };
        let ran = home.run(&format!(
            "blocklist anonymous-residential {filter} --check --format json --force empty"
        ));
        let check: Value = serde_json::from_str(&ran.ends(0).out).expect("JSON");
        assert_eq!(check["records"], records.len(), "{filter}");
        assert_eq!(check["clients"], numbers.iter().sum::<u64>(), "{filter}");
        let median = numbers.get(numbers.len().saturating_sub(1) / 2);
        assert_eq!(
            check["median"],
            median.map_or(Value::Null, |own| (*own).into()),
            "{filter}"
        );
        assert_eq!(
            check["shared"],
            numbers.iter().filter(|own| **own >= 100).count(),
            "{filter}"
        );
        assert_eq!(
            check["carrier"],
            number(&|record| is_of(record, &["MOBILE", "SATELLITE"])),
            "{filter}"
        );
        assert_eq!(
            check["mobile"],
            number(&|record| has(&own(record)["client"]["types"], "MOBILE")),
            "{filter}"
        );
        let is_home = |record: &Value| {
            let proxies = own(record)["client"]["proxies"].as_array();
            proxies.is_some_and(|list| !list.is_empty()) && !is_of(record, &["DATACENTER"])
        };
        assert_eq!(check["homes"], number(&is_home), "{filter}");
        assert_eq!(check["exempted"], left_out.len(), "{filter}");
    }
}

#[test]
fn what_a_list_meets_of_ones_own_is_told_and_too_much_change_is_refused() {
    let service = Service::start();
    let home = home(&service);
    let all = home
        .run("search anonymous type:VPN -tag:WARP_VPN,ICLOUD_RELAY_PROXY --format ids")
        .out;
    let first = all.lines().next().expect("an address");
    let line = |address: &str, user: &str| {
        format!(
            "{address} - {user} [20/Nov/2026:03:58:07 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl/8\"\n"
        )
    };
    let log = line(first, "alice") + &line(first, "alice") + &line("203.0.113.255", "bob");
    fs::write(home.path("access.log"), log).expect("write");
    fs::write(home.path("ours.txt"), format!("{first}\n")).expect("write");
    let check = "blocklist anonymous type:VPN --check";
    home.run(&format!("{check} --log access.log"))
        .ends(0)
        .shows("access.log: 1 of its 2 addresses in the list, in 2 lines")
        .shows(&format!("{first}: 2 lines, user alice 2, status 200 2"));
    home.run(&format!("{check} --log access.log --allow ours.txt"))
        .ends(0)
        .shows("left out: 1 address of yours")
        .shows("access.log: none of its 2 addresses is in the list");
    // Beside an earlier list, in any form.
    home.run("blocklist anonymous type:VPN --as rpz -o vpn.rpz")
        .ends(0);
    home.run(&format!("{check} --diff vpn.rpz --max-change 0"))
        .ends(0)
        .shows("the same addresses as vpn.rpz");
    let narrow = "blocklist anonymous type:VPN clients<10 --as edl -o vpn.txt --diff vpn.rpz --max-change 20%";
    home.run(narrow).ends(2).says("more than 20 % change");
    assert!(!home.path("vpn.txt").exists());
    home.run(&format!("{narrow} --force change"))
        .ends(0)
        .says("beside vpn.rpz: 0 addresses more, ");
    // Fewer networks, and never what is exempt or one's own.
    home.run("blocklist anonymous type:VPN --as plain -o exact.txt --allow ours.txt")
        .ends(0);
    home.run(
        "blocklist anonymous type:VPN --as plain -o wide.txt --allow ours.txt --max-beyond 60%",
    )
    .ends(0)
    .says("beyond the filter: ");
    let [exact, wide] = ["exact.txt", "wide.txt"].map(|name| networks(&read(&home, name)));
    assert!(
        wide.len() < exact.len() / 2,
        "{} {}",
        wide.len(),
        exact.len()
    );
    assert!(!is_in(&wide, first));
    let exempt = home
        .run("search anonymous tag:WARP_VPN,ICLOUD_RELAY_PROXY --format ids")
        .out;
    assert!(
        exempt
            .lines()
            .all(|address| is_in(&wide, address) == is_in(&exact, address))
    );
    let about: Value = serde_json::from_str(&read(&home, "wide.txt.json")).expect("JSON");
    let size = |list: &[IpNet]| -> u64 {
        list.iter()
            .map(|network| 1 << (32 - network.prefix_len()))
            .sum()
    };
    let beyond = size(&wide) - size(&exact);
    assert_eq!(about["beyond"], beyond);
    assert!(beyond <= size(&exact) * 60 / 100);
}

/// Servers take a zone over where its serial number is larger, and readers of STIX an indicator where its time is later.
#[test]
fn another_list_in_place_of_one_is_another_version() {
    let service = Service::start();
    let home = home(&service);
    let zone = |filter: &str| {
        let line = format!("blocklist anonymous {filter} --as rpz -o vpn.rpz");
        home.run(&line).ends(0);
        let text = read(&home, "vpn.rpz");
        let words = text.split_whitespace();
        let serial = words.skip_while(|word| *word != "SOA").nth(3);
        let serial: u32 = serial.expect("a record").parse().expect("a number");
        let about: Value = serde_json::from_str(&read(&home, "vpn.rpz.json")).expect("JSON");
        let sum = hexadecimal(&Sha256::digest(&text));
        assert_eq!(about["sha256"], sum);
        (serial, text)
    };
    let first = zone("type:VPN");
    assert!(first.0.to_string().ends_with("00"), "{}", first.0);
    assert_eq!(zone("type:VPN"), first);
    assert_eq!(zone("cc:NL").0, first.0 + 1);
    assert_eq!(zone("cc:NL").0, first.0 + 1);
    assert_eq!(zone("type:VPN").0, first.0 + 2);

    let version = |options: &str| {
        let line = format!("blocklist anonymous type:VPN --as stix -o - {options}");
        let bundle: Value = serde_json::from_str(&home.run(&line).ends(0).out).expect("JSON");
        let indicator = bundle["objects"][0].clone();
        let text = |key: &str| indicator[key].as_str().map(str::to_owned);
        (text("id"), text("modified"), text("valid_until"))
    };
    let (open, held) = (version(""), version("--expires 3d"));
    assert_eq!(open.0, held.0);
    assert!(
        open.1 < held.1 && open.2.is_none() && held.1 < held.2,
        "{open:?} {held:?}"
    );
    assert_eq!(version(""), open);
}

#[test]
fn a_list_that_was_written_is_checked_by_what_is_said_beside_it() {
    let service = Service::start();
    let home = home(&service);
    home.run("blocklist anonymous cc:NL --as nft -o nl.nft --expires 12h")
        .ends(0);
    let about: Value = serde_json::from_str(&read(&home, "nl.nft.json")).expect("JSON");
    let ran = home.run("blocklist nl.nft --check --format json");
    let check: Value = serde_json::from_str(&ran.ends(0).out).expect("JSON");
    assert_eq!(
        (&check["entries"], &check["addresses"], &check["faults"]),
        (
            &about["entries"],
            &about["addresses"],
            &Value::Array(Vec::new())
        )
    );
    let over = read(&home, "nl.nft.json").replace(
        about["until"].as_str().expect("a time"),
        "2026-01-01T00:00:00Z",
    );
    fs::write(home.path("nl.nft.json"), over).expect("write");
    home.run("blocklist nl.nft --check")
        .ends(11)
        .shows("nl.nft is over since 2026-01-01T00:00:00Z");
    fs::write(home.path("nl.nft"), read(&home, "nl.nft") + "# by hand\n").expect("write");
    home.run("blocklist nl.nft --check")
        .ends(11)
        .shows("nl.nft was changed after it was written");
    let odd = read(&home, "nl.nft.json").replace("2026-01-01T00:00:00Z", "some day");
    fs::write(home.path("nl.nft.json"), odd).expect("write");
    home.run("blocklist nl.nft --check")
        .ends(11)
        .shows("does not say until when");
    // What is said beside it is unreadable; nothing is said.
    fs::write(home.path("nl.nft.json"), "{").expect("write");
    home.run("blocklist nl.nft --check")
        .ends(11)
        .shows("nl.nft.json says nothing");
    fs::remove_file(home.path("nl.nft.json")).expect("remove");
    home.run("blocklist nl.nft --check")
        .ends(0)
        .says("there is no nl.nft.json");
    fs::write(
        home.path("odd.txt"),
        "198.51.100.7\n198.51.100.065\n198.51.100.0/33\n",
    )
    .expect("write");
    home.run("blocklist odd.txt --check")
        .ends(11)
        .shows("2 entries of odd.txt not read, the first in line 2: \"198.51.100.065\"");
    home.run("blocklist none.txt --check")
        .ends(2)
        .says("no feed and no file");
    home.run("blocklist anonymous cc:XX --as plain -o none.txt --force empty")
        .ends(0);
    home.run("blocklist none.txt --check --force empty")
        .ends(0)
        .shows("0 entries");
    // A list of another program, and who is behind it where no feed says.
    fs::write(home.path("theirs.netset"), "# theirs\n198.51.100.0/24\n").expect("write");
    home.run("blocklist theirs.netset --check")
        .ends(0)
        .shows("1 entry, 256 addresses");
    home.run("feeds rm anonymous --all").ends(0);
    home.run("blocklist theirs.netset --check")
        .ends(0)
        .shows("no local feed says");
    home.run("blocklist theirs.netset --as nft -o theirs.nft")
        .ends(2);
}

#[test]
fn what_is_spared_today_is_not_gone_since() {
    let service = Service::start();
    let home = home(&service);
    let day = ipspect::model::Day::of(jiff::Timestamp::now()).plus(-3);
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
    let check = |more: &str| -> Value {
        let ran = home.run(&format!(
            "blocklist anonymous type:VPN --check --format json {more}"
        ));
        serde_json::from_str(&ran.out).expect("JSON")
    };
    let ids = |day: &str| {
        home.run(&format!(
            "search anonymous type:VPN -tag:WARP_VPN,ICLOUD_RELAY_PROXY {day} --format ids"
        ))
        .out
    };
    let (now, then) = (ids(""), ids(&format!("--day {day}")));
    let now: BTreeSet<&str> = now.lines().collect();
    let then: BTreeSet<&str> = then.lines().collect();
    let whole = check("");
    assert_eq!(
        (&whole["earlier_records"], &whole["gone"]),
        (&then.len().into(), &then.difference(&now).count().into())
    );
    let spared: Vec<&str> = now.intersection(&then).take(9).copied().collect();
    fs::write(home.path("ours.txt"), spared.join("\n")).expect("write");
    let some = check("--allow ours.txt");
    assert_eq!(
        (&some["earlier_records"], &some["gone"]),
        (&(then.len() - 9).into(), &whole["gone"])
    );
    let none = check("--family 6 --force empty");
    assert_eq!(
        (&none["earlier_records"], &none["gone"]),
        (&0.into(), &0.into())
    );
}
