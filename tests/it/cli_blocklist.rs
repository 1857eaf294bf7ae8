//! `blocklist`: files against plain sets of what `search` prints, and what is refused.

use std::{collections::BTreeSet, fs};

use ipnet::IpNet;
use ipspect::{demo::DemoRole, report::BLOCK_FORMS, store::checksum::hexadecimal};
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
