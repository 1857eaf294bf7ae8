//! `match`: sets of lists and filters against plain sets of what `search` prints.

use std::{collections::BTreeSet, fs, net::IpAddr};

use ipnet::{IpNet, Ipv4AddrRange};
use ipspect::demo::DemoRole;

use crate::{
    cli_compare::two_days,
    service::{Home, Ran, Service},
};

/// The addresses that lines of networks cover.
fn covered(out: &str) -> BTreeSet<IpAddr> {
    let networks = out.lines().map(|line| match line.parse::<IpNet>() {
        Ok(network) => network,
        Err(_) => line.parse::<IpAddr>().expect(line).into(),
    });
    let all = networks.map(|network| match network {
        // The first and the last one, too, which `hosts` leaves out.
        IpNet::V4(network) => Ipv4AddrRange::new(network.network(), network.broadcast()),
        IpNet::V6(network) => panic!("{network} in a feed of IPv4"),
    });
    all.flatten().map(IpAddr::V4).collect()
}

fn ids(home: &Home, words: &str) -> BTreeSet<IpAddr> {
    let ran = home.run(&format!("search {words} --format ids"));
    let lines = ran.ends(0).out.lines();
    lines.map(|line| line.parse().expect(line)).collect()
}

#[test]
fn filters_of_two_days_and_a_list_are_sets() {
    let service = Service::start();
    let (home, days) = two_days(&service);
    // From one day to the next a filter may lose nothing.
    let of = |filter: &str| days.map(|day| ids(&home, &format!("anonymous {filter} --day {day}")));
    let filters = ["type:VPN", "type:PROXY", "clients>=1", "-clients>=1"];
    let mut found = filters.into_iter().map(|filter| (filter, of(filter)));
    let (filter, [before, after]) = found
        .find(|(_, [before, after])| !before.is_subset(after))
        .expect("a filter that loses addresses");
    let both: BTreeSet<IpAddr> = before.intersection(&after).copied().collect();
    let left: BTreeSet<IpAddr> = before.difference(&after).copied().collect();
    let all: BTreeSet<IpAddr> = before.union(&after).copied().collect();
    assert!(!both.is_empty() && !left.is_empty());
    let [a, b] = days.map(|day| format!("anonymous@{day}:{filter}"));
    for (option, expected) in [
        ("", &both),
        ("--intersect", &both),
        ("--subtract", &left),
        ("--union", &all),
    ] {
        let ran = home.run(&format!("match {a} {b} {option}"));
        assert_eq!(&covered(&ran.ends(0).out), expected, "{option}");
        let said = format!(
            "{} IPv4 address",
            ipspect::report::count(expected.len() as u64)
        );
        ran.says(&said)
            .says(&format!(", of anonymous {}", days[0].dashed()));
    }
    // What one run prints is a list for the next.
    home.run(&format!("match {a} {b} --subtract -q")).ends(0);
    fs::write(
        home.path("left.txt"),
        home.run(&format!("match {a} {b} --subtract")).out,
    )
    .expect("write");
    let ran = home.run(&format!("match {a} left.txt"));
    assert_eq!(covered(&ran.ends(0).out), left);
    let ran = home.run(&format!("match left.txt {b}"));
    assert_eq!(ran.ends(0).out, "");
    ran.says("A and B: no addresses");
    // A filter may have several words, and an error in it is found before anything is read.
    home.run("match anonymous:colour:red left.txt").ends(2);
    home.run("match service-metrics left.txt").ends(2);
    home.run("match anonymous@2026-01-01 left.txt").ends(10);
}

#[test]
fn networks_and_addresses_of_lists_are_ranges() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    fs::write(
        home.path("ours.txt"),
        "# ours\n198.51.100.0/25 ; office\n2001:db8::/32\n198.51.100.200-198.51.100.201\n",
    )
    .expect("write");
    let home_run = |words: &str| home.run(words);
    for (words, out) in [
        ("match ours.txt 198.51.100.64/26", "198.51.100.64/26\n"),
        ("match ours.txt 2001:db8:7::1", "2001:db8:7::1\n"),
        (
            "match 198.51.100.0/24 ours.txt --subtract",
            "198.51.100.128/26\n198.51.100.192/29\n198.51.100.202/31\n198.51.100.204/30\n198.51.100.208/28\n198.51.100.224/27\n",
        ),
        (
            "match ours.txt 198.51.100.128/25 --union",
            "198.51.100.0/24\n2001:db8::/32\n",
        ),
    ] {
        assert_eq!(home_run(words).ends(0).out, out, "{words}");
    }
    let json = home.run("match ours.txt ours.txt --format json");
    assert_eq!(
        json.ends(0).out,
        "{\"network\":\"198.51.100.0/25\",\"addresses\":128}\n{\"network\":\"198.51.100.200/31\",\"addresses\":2}\n\
         {\"network\":\"2001:db8::/32\",\"addresses\":null}\n"
    );
    home.run("match ours.txt ours.txt --format csv")
        .ends(0)
        .shows("network,addresses");
    home.run("match ours.txt ours.txt --format md")
        .ends(0)
        .shows("198[.]51[.]100[.]0/25");
    let ids = home.run("match ours.txt ours.txt --format ids");
    assert_eq!(
        ids.ends(0).out,
        "198.51.100.0/25\n198.51.100.200/31\n2001:db8::/32\n"
    );
    let input = fs::File::open(home.path("ours.txt")).expect("open");
    let output = home.command("match - 198.51.100.7").stdin(input).output();
    assert_eq!(Ran::of(output.expect("run")).ends(0).out, "198.51.100.7\n");
    fs::write(home.path("bad.txt"), "198.51.100.7\n198.51.100.7/24\n").expect("write");
    home.run("match bad.txt ours.txt")
        .ends(2)
        .says("line 2 of")
        .says("198.51.100.0/24 for the network");
}
