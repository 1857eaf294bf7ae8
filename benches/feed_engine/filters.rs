//! Filters as people ask them, with the words of a feed.

use anyhow::{Context, Result};
use ipspect::store::Filter;

use super::generator::Vocabulary;

/// About forty filters; those of different variants have no word in common where the feed has enough of them.
pub(crate) fn filters(words: &Vocabulary, variant: usize) -> Result<Vec<Filter>> {
    texts(words, variant)
        .iter()
        .map(|text| {
            text.parse()
                .ok()
                .with_context(|| format!("{text:?} is no filter"))
        })
        .collect()
}

fn texts(words: &Vocabulary, variant: usize) -> Vec<String> {
    let at = |rank: usize| rank * 6 + variant;
    let tag = |rank: usize| words.tags[at(rank) % words.tags.len()].as_str();
    let cc = |rank: usize| words.countries[at(rank) % words.countries.len()].as_str();
    let asn = |rank: usize| words.systems[at(rank) % words.systems.len()].number;
    let firm = |rank: usize| {
        let name = &words.customers[at(rank) % words.customers.len()];
        name.split(' ').next().unwrap_or_default()
    };
    let octet = 240 + at(0) % 15;
    let risk = [
        "TUNNEL",
        "CALLBACK_PROXY",
        "GEO_MISMATCH",
        "WEB_SCRAPING",
        "AD_FRAUD",
        "LOGIN_BRUTEFORCE",
    ][variant % 6];
    let service = ["OPENVPN", "IPSEC", "WIREGUARD", "SOCKS5", "SSH", "3PROXY"][variant % 6];
    let infra = [
        "DATACENTER",
        "MOBILE",
        "GOOGLE",
        "SATELLITE",
        "IN_FLIGHT_WIFI",
        "HOME",
    ][variant % 6];
    vec![
        // One clause.
        format!("tag:{}", tag(0)),
        format!("tag:{}", tag(20)),
        format!("tag:{}", tag(90)),
        format!("-tag:{}", tag(1)),
        format!("proxy:{}", tag(2)),
        format!("proxy:{}", tag(50)),
        format!("cc:{}", cc(0)),
        format!("cc:{}", cc(30)),
        format!("-cc:{}", cc(1)),
        format!("asn:{}", asn(0)),
        format!("asn:{}", asn(4000)),
        format!("risk:{risk}"),
        format!("service:{service}"),
        format!("infra:{infra}"),
        format!("clients>{}", 10 + variant),
        format!("clients>{}", 500 + variant),
        format!("clients={}", 1 + variant),
        format!("clients<={}", 2 + variant),
        format!("org:{}", firm(0)),
        format!("org:{}", firm(900)),
        format!("net:{octet}.0.0.0/8"),
        format!("net:{octet}.{}.0.0/12", at(3) & 0xf0),
        format!("net:{octet}.{}.7.0/24", at(9) & 0xff),
        "attributed:yes".to_owned(),
        // Several.
        format!("tag:{},{},{}", tag(3), tag(4), tag(60)),
        format!("cc:{},{},{},{}", cc(2), cc(3), cc(4), cc(5)),
        format!("tag:{} cc:{}", tag(5), cc(6)),
        format!("tag:{} -cc:{} -infra:{infra}", tag(6), cc(7)),
        format!("risk:{risk} service:{service}"),
        format!("risk:{risk} -service:{service} clients>{}", 3 + variant),
        format!("cc:{} clients>={}", cc(8), 20 + variant),
        format!("asn:{},{},{}", asn(1), asn(2), asn(70)),
        format!("asn:{} org:{}", asn(3), firm(5)),
        format!("net:{octet}.0.0.0/7 tag:{}", tag(7)),
        format!(
            "net:{octet}.{}.0.0/16,241.0.0.0/9 risk:{risk}",
            at(5) & 0xff
        ),
        format!("attributed:yes cc:{} type:VPN", cc(9)),
        format!("attributed:no clients>{}", 40 + variant),
        format!("org:{},{} cc:{}", firm(7), firm(8), cc(10)),
        format!(
            "entry:198.18.{}.{} cc:{}",
            at(1) & 0xff,
            at(30) & 0xff,
            cc(11)
        ),
        format!(
            "device:MOBILE behavior:FILE_SHARING cc:{},{}",
            cc(12),
            cc(13)
        ),
        format!(
            "tag:{},{} proxy:{} -risk:{risk} clients>{}",
            tag(8),
            tag(9),
            tag(10),
            variant
        ),
    ]
}
