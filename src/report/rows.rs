//! Records as rows: whole as JSON, or in columns, page after page.

use super::{
    COLUMNS, Csv, Paint, Reading, ResultFormat, TAG_COLUMNS, TextCell, Ticket, count, each,
    markdown_row, table::RunningTable, tag_values, value,
};
use crate::{
    contract::{Feed, catalog::RecordKind},
    model::{Document, Tag},
};

const CSV: Csv = Csv::of(&[&COLUMNS]);
const TAGS: Csv = Csv::of(&[&TAG_COLUMNS]);
const OF_RECORDS: [&str; 7] = [
    "ADDRESS",
    "CLIENTS",
    "COUNTRY",
    "INFRASTRUCTURE",
    "TUNNELS",
    "PROXIES",
    "ORGANIZATION",
];
const OF_HOSTING: [&str; 3] = ["NETWORK", "ASN", "ORGANIZATION"];
const OF_GEO: [&str; 6] = [
    "NETWORK",
    "COUNTRY",
    "STATE",
    "CITY",
    "ASN",
    "NETWORK OWNER",
];
const OF_TAGS: [&str; 6] = [
    "TAG",
    "NAME",
    "CATEGORIES",
    "ANONYMOUS",
    "DEVICES",
    "ADDRESSES",
];

/// The records of a feed being written.
#[derive(Debug)]
pub struct RecordRows {
    feed: Feed,
    format: ResultFormat,
    paint: Paint,
    table: RunningTable,
}

impl RecordRows {
    #[must_use]
    pub fn of(feed: Feed, format: ResultFormat, paint: Paint) -> Self {
        Self {
            feed,
            format,
            paint,
            table: RunningTable::of(columns(feed)),
        }
    }

    /// The columns of the records of a feed.
    #[must_use]
    pub fn csv(feed: Feed) -> Csv {
        if of_tags(feed) { TAGS } else { CSV }
    }

    /// What precedes the first row.
    pub fn begin(&self, ticket: impl FnOnce() -> Ticket) -> String {
        match self.format {
            ResultFormat::Csv => Self::csv(self.feed).header(),
            ResultFormat::Md => ticket().table(columns(self.feed), &[]),
            ResultFormat::Json | ResultFormat::Text => String::new(),
        }
    }

    /// Some more rows.
    pub fn page(&mut self, lines: &[Vec<u8>]) -> String {
        let each = |row: fn(Feed, &[u8]) -> String| -> String {
            lines.iter().map(|line| row(self.feed, line)).collect()
        };
        match self.format {
            ResultFormat::Json => each(|_, line| json(line)),
            ResultFormat::Csv => each(csv),
            ResultFormat::Md => each(|feed, line| markdown_row(&cells(feed, line))),
            ResultFormat::Text => {
                let rows: Vec<_> = lines.iter().map(|line| cells(self.feed, line)).collect();
                self.table.rows(&rows, self.paint)
            }
        }
    }
}

fn of_tags(feed: Feed) -> bool {
    feed.row().records == RecordKind::Tags
}

fn columns(feed: Feed) -> &'static [&'static str] {
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => &OF_RECORDS,
        RecordKind::Hosting => &OF_HOSTING,
        RecordKind::Geo => &OF_GEO,
        RecordKind::Tags => &OF_TAGS,
    }
}

/// The record as it was sent, safe for a screen; marked where bytes of it had to be replaced.
fn json(line: &[u8]) -> String {
    let (mut record, lossy) = Document::line_of(line);
    if lossy && record.ends_with('}') {
        record.pop();
        record.push_str(",\"lossy\":true}");
    }
    record.push('\n');
    record
}

fn reading(feed: Feed, line: &[u8]) -> Reading {
    Document::read(line).map_or(Reading::Unread, |document| {
        Reading::of(feed, document.value())
    })
}

fn read_tag(line: &[u8]) -> Tag {
    let document = Document::read(line).ok();
    let tag = document.and_then(|document| Tag::decode(document.value()).ok());
    tag.unwrap_or_default()
}

fn csv(feed: Feed, line: &[u8]) -> String {
    if of_tags(feed) {
        TAGS.row(&tag_values(&read_tag(line)))
    } else {
        CSV.row(&reading(feed, line).values())
    }
}

fn cells(feed: Feed, line: &[u8]) -> Vec<TextCell> {
    if of_tags(feed) {
        let tag = read_tag(line);
        let metrics = tag.metrics.clone().into_option().unwrap_or_default();
        return vec![
            said(tag.tag.text().unwrap_or_default()),
            said(tag.name.text().unwrap_or_default()),
            said(&each(tag.categories.items(), " ")),
            TextCell::flag(tag.is_anonymous).dashed(),
            TextCell::number(&metrics.average_device_count).dashed(),
            TextCell::count(&metrics.distinct_ips).dashed(),
        ];
    }
    match reading(feed, line) {
        Reading::Unread => vec![TextCell::unknown("unreadable"); columns(feed).len()],
        reading @ Reading::Context(_) => of_reading(&reading).to_vec(),
        reading @ Reading::Hosting(_) => {
            of_values(&reading, &["network", "as_number", "organization"])
        }
        reading @ Reading::Geo(_) => {
            let names = [
                "network",
                "country",
                "state",
                "city",
                "as_number",
                "as_organization",
            ];
            of_values(&reading, &names)
        }
    }
}

/// The values of some columns of CSV.
fn of_values(reading: &Reading, names: &[&str]) -> Vec<TextCell> {
    let values = reading.values();
    names
        .iter()
        .map(|name| said(value(&values, name)))
        .collect()
}

/// The columns for people.
fn of_reading(reading: &Reading) -> [TextCell; OF_RECORDS.len()] {
    let values = reading.values();
    let value = |name: &str| value(&values, name);
    let first = |names: [&str; 2]| {
        let [one, other] = names.map(value);
        said(if one.is_empty() { other } else { one })
    };
    let clients = value("client_count").parse().map(count);
    [
        first(["ip", "network"]),
        said(&clients.unwrap_or_default()),
        said(value("country")),
        said(value("infrastructure")),
        said(&reading.tunnels()),
        said(value("proxies")),
        first(["organization", "as_organization"]),
    ]
}

/// In a table of many rows, absent values take one sign only.
fn said(text: &str) -> TextCell {
    TextCell::or_dash(Some(text).filter(|text| !text.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(feed: Feed, format: ResultFormat, lines: &[&[u8]]) -> String {
        let mut rows = RecordRows::of(feed, format, Paint::PLAIN);
        let lines: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
        rows.begin(|| Ticket::about("x")) + &rows.page(&lines)
    }

    const RECORD: &[u8] = br#"{"ip": "198.51.100.7","as":{"number":64500,"organization":"Example Net"},"client":{"count":1400,"proxies":["A_PROXY"]},"n":1.50,"infrastructure":"DATACENTER","location":{"country":"NL"},"tunnels":[{"operator":"ACME_VPN","type":"VPN"},{"type":"TOR"}]}"#;

    #[test]
    fn a_record_goes_out_in_every_format() {
        let lines: &[&[u8]] = &[RECORD, br#"{"network":"2001:db8::/48"}"#];
        assert_eq!(
            page(Feed::Anonymous, ResultFormat::Text, lines),
            "ADDRESS        CLIENTS  COUNTRY  INFRASTRUCTURE  TUNNELS            PROXIES  ORGANIZATION\n\
             198.51.100.7   1,400    NL       DATACENTER      VPN ACME_VPN; TOR  A_PROXY  Example Net\n\
             2001:db8::/48  -        -        -               -                  -        -\n"
        );
        let json = page(Feed::Anonymous, ResultFormat::Json, lines);
        assert!(
            json.starts_with("{\"ip\":\"198.51.100.7\",\"as\":") && json.contains("\"n\":1.50")
        );
        assert_eq!(json.lines().count(), 2);
        let csv = page(Feed::Anonymous, ResultFormat::Csv, lines);
        assert!(csv.starts_with("ip,network,as_number,"), "{csv}");
        assert!(csv.contains("\r\n198.51.100.7,,64500,Example Net,,DATACENTER,,,NL,possible,VPN TOR,ACME_VPN,A_PROXY,1400,"), "{csv}");
        let md = page(Feed::Anonymous, ResultFormat::Md, lines);
        assert!(md.contains("| 198[.]51[.]100[.]7 | 1,400 | NL |"), "{md}");
        assert!(md.starts_with("### x\n\n| ADDRESS |"), "{md}");
    }

    #[test]
    fn each_kind_of_record_has_columns_of_its_own() {
        let hosting = br#"{"network":"198.51.100.0/24","organization":"Example","asn":64500}"#;
        assert_eq!(
            page(Feed::Dch, ResultFormat::Text, &[hosting]),
            "NETWORK          ASN    ORGANIZATION\n198.51.100.0/24  64500  Example\n"
        );
        let geo = br#"{"prefix":"198.51.100.0/24","country":{"iso_code":"NL"},"city":{"names":{"en":"Sampletown"}},
            "vendor":{"as":{"number":64500,"organization":"Example"}}}"#;
        let md = page(Feed::Ipgeo, ResultFormat::Md, &[geo]);
        assert!(
            md.contains("| NETWORK | COUNTRY | STATE | CITY | ASN | NETWORK OWNER |"),
            "{md}"
        );
        assert!(
            md.contains("| 198[.]51[.]100[.]0/24 | NL | - | Sampletown | 64500 | Example |"),
            "{md}"
        );
        let odd: &[&[u8]] = &[b"7"];
        assert!(
            page(Feed::Dch, ResultFormat::Text, odd)
                .ends_with("unreadable  unreadable  unreadable\n")
        );
    }

    #[test]
    fn what_was_not_utf8_is_marked_in_the_record() {
        assert_eq!(
            page(
                Feed::Anonymous,
                ResultFormat::Json,
                &[b"{\"ip\":\"198.51.100.7\",\"organization\":\"Z\xfcrich\x1b\"}"]
            ),
            "{\"ip\":\"198.51.100.7\",\"organization\":\"Z\u{fffd}rich\\u001b\",\"lossy\":true}\n"
        );
    }

    #[test]
    fn what_cannot_be_read_stays_a_row() {
        let text = page(Feed::Anonymous, ResultFormat::Text, &[b"{\"maxmind_x\":1}"]);
        assert!(
            text.ends_with("unreadable      unreadable  unreadable  unreadable\n"),
            "{text}"
        );
    }

    #[test]
    fn tags_have_columns_of_their_own() {
        let line: &[u8] = br#"{"tag":"ACME_VPN","name":"Acme","categories":["VPN"],"isAnonymous":"true","metrics":{"averageDeviceCount":"12.5","distinctIPs":"6400000"}}"#;
        assert_eq!(
            page(Feed::ServiceMetrics, ResultFormat::Text, &[line]),
            "TAG       NAME  CATEGORIES  ANONYMOUS  DEVICES  ADDRESSES\n\
             ACME_VPN  Acme  VPN         yes        12.5     6,400,000\n"
        );
        let csv = page(Feed::ServiceMetrics, ResultFormat::Csv, &[line]);
        assert!(
            csv.ends_with("ACME_VPN,Acme,,VPN,true,,,12.5,,6400000,\r\n"),
            "{csv}"
        );
    }
}
