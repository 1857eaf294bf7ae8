//! Records of a feed as rows: whole as JSON, or in columns.

use std::cell::OnceCell;

use super::{
    COLUMNS, Cell, ColumnTexts, Columns, EXTRA_COLUMNS, Reading, TextCell, count, tag_columns,
    value,
};
use crate::{
    contract::{Feed, catalog::RecordKind},
    model::{Day, Document, Tag},
};

/// The line of a record, read where its columns are asked for.
pub struct RecordRow {
    feed: Feed,
    /// The day, where records of several are listed.
    day: Option<Day>,
    line: Vec<u8>,
    read: OnceCell<(Reading, ColumnTexts)>,
    tag: OnceCell<Tag>,
}

impl RecordRow {
    #[must_use]
    pub fn of(feed: Feed, line: Vec<u8>) -> Self {
        Self {
            feed,
            day: None,
            line,
            read: OnceCell::new(),
            tag: OnceCell::new(),
        }
    }

    /// The same of this day.
    #[must_use]
    pub fn on(mut self, day: Day) -> Self {
        self.day = Some(day);
        self
    }

    fn read(&self) -> &(Reading, ColumnTexts) {
        self.read.get_or_init(|| {
            let reading = Document::read(&self.line).map_or(Reading::Unread, |document| {
                Reading::of(self.feed, document.value())
            });
            let values = reading.values();
            (reading, values)
        })
    }

    fn tag(&self) -> &Tag {
        self.tag.get_or_init(|| {
            let document = Document::read(&self.line).ok();
            let tag = document.and_then(|document| Tag::decode(document.value()).ok());
            tag.unwrap_or_default()
        })
    }

    /// The first of these values that is known, for people.
    fn first(&self, names: &[&str]) -> TextCell {
        let mut all = names.iter().map(|name| value(self.values(), name));
        self.worded(all.find(|text| !text.trim().is_empty()))
    }

    /// In a table of many rows, absent values take one sign only.
    fn worded(&self, text: Option<&str>) -> TextCell {
        match self.read() {
            (Reading::Unread, _) => TextCell::unknown("unreadable"),
            _ => TextCell::or_dash(text.filter(|text| !text.is_empty())),
        }
    }

    /// The record as it was sent, safe for a screen; marked where bytes of it had to be replaced.
    fn push_line(&self, text: &mut String) {
        if let Some(day) = self.day {
            *text += &format!("{{\"day\":\"{day}\",\"record\":");
        }
        self.push_record(text);
        if self.day.is_some() {
            text.push('}');
        }
    }

    fn push_record(&self, text: &mut String) {
        let (record, lossy) = Document::line_of(&self.line);
        match record.strip_suffix('}').filter(|_| lossy) {
            Some(open) => *text += &(open.to_owned() + ",\"lossy\":true}"),
            None => *text += &record,
        }
    }
}

/// A row about a record of any kind.
pub trait ValueRow {
    /// What the record says in [`COLUMNS`].
    fn values(&self) -> &ColumnTexts;
}

impl ValueRow for RecordRow {
    fn values(&self) -> &ColumnTexts {
        &self.read().1
    }
}

/// Adds the columns of CSV that a record fills, some of them only where they are named.
pub fn value_columns<R: ValueRow>(columns: Columns<R>) -> Columns<R> {
    let names = COLUMNS.into_iter().chain(EXTRA_COLUMNS).enumerate();
    names.fold(columns, |columns, (at, name)| {
        let columns = columns.csv(name, move |row| Cell::from(&*row.values()[at]));
        match at {
            _ if at < COLUMNS.len() => columns,
            _ => columns.if_named(),
        }
    })
}

/// The columns of the records of a feed.
pub fn record_columns(feed: Feed) -> Columns<RecordRow> {
    columns_behind(Columns::default(), feed)
}

/// The same behind the day of each.
pub fn dated_record_columns(feed: Feed) -> Columns<RecordRow> {
    let day = |row: &RecordRow| row.day.map_or(Cell::Null, |day| day.to_string().into());
    let columns = Columns::<RecordRow>::default().column("day", "day", day);
    let shown = |row: &RecordRow| TextCell::or_dash(row.day.map(Day::dashed).as_deref());
    columns_behind(columns.shown(shown), feed)
}

fn columns_behind(columns: Columns<RecordRow>, feed: Feed) -> Columns<RecordRow> {
    let columns = columns.lines(RecordRow::push_line);
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => value_columns(columns)
            .words("address", |row| row.first(&["ip", "network"]))
            .words("clients", |row| {
                let number = value(row.values(), "client_count").parse().map(count);
                row.worded(number.ok().as_deref())
            })
            .words("country", |row| row.first(&["country"]))
            .words("infrastructure", |row| row.first(&["infrastructure"]))
            .words("tunnels", |row| row.worded(Some(&row.read().0.tunnels())))
            .words("proxies", |row| row.first(&["proxies"]))
            .words("organization", |row| {
                row.first(&["organization", "as_organization"])
            }),
        RecordKind::Hosting => value_columns(columns)
            .words("network", |row| row.first(&["network"]))
            .words("asn", |row| row.first(&["as_number"]))
            .words("organization", |row| row.first(&["organization"])),
        RecordKind::Geo => value_columns(columns)
            .words("network", |row| row.first(&["network"]))
            .words("country", |row| row.first(&["country"]))
            .words("state", |row| row.first(&["state"]))
            .words("city", |row| row.first(&["city"]))
            .words("asn", |row| row.first(&["as_number"]))
            .words("AS organization", |row| row.first(&["as_organization"])),
        RecordKind::Tags => tag_columns(columns, RecordRow::tag).without(&["kind"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{ResultFormat, RowWriter, TextStyle, Ticket};

    fn page(feed: Feed, format: ResultFormat, lines: &[&[u8]]) -> String {
        let lines = lines.iter().map(|line| RecordRow::of(feed, line.to_vec()));
        let (columns, lines) = (record_columns(feed), lines.collect::<Vec<_>>());
        let mut rows = RowWriter::of(format, TextStyle::PLAIN);
        let head = rows.begin(&columns, || Some(Ticket::about("x")));
        head + &rows.rows(&columns, &lines)
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

    /// Columns that are printed only where they are named stand behind the usual ones.
    #[test]
    fn more_of_a_record_is_printed_where_it_is_named() {
        let line = br#"{"ip":"198.51.100.7","ai":{"scraper":true},"client":{"behaviors":["FILE_SHARING","TOR_PROXY_USER"],"spread":1200,
            "concentration":{"city":"Kyiv","country":"UA","density":1,"geohash":"u8vw","skew":-7}},
            "tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true},{"type":"PROXY","anonymous":false},{}]}"#;
        let columns = record_columns(Feed::Anonymous);
        let row = RecordRow::of(Feed::Anonymous, line.to_vec());
        let texts: Vec<(&str, String)> = columns
            .names()
            .into_iter()
            .zip(columns.texts(&row))
            .collect();
        let (usual, extra) = texts.split_at(COLUMNS.len());
        assert!(usual.iter().map(|(name, _)| *name).eq(COLUMNS));
        assert_eq!(
            extra,
            [
                ("tunnels", "VPN:ACME_VPN:true PROXY::false ::"),
                ("client_spread", "1200"),
                ("client_behaviors", "FILE_SHARING TOR_PROXY_USER"),
                ("concentration_city", "Kyiv"),
                ("concentration_state", ""),
                ("concentration_country", "UA"),
                ("concentration_density", "1"),
                ("concentration_geohash", "u8vw"),
                ("concentration_skew", "-7"),
                ("ai", r#"{"scraper":true}"#),
            ]
            .map(|(name, text)| (name, text.to_owned()))
        );
        let csv = page(Feed::Anonymous, ResultFormat::Csv, &[line]);
        assert!(csv.starts_with(&(COLUMNS.join(",") + "\r\n")), "{csv}");
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
            md.contains("| NETWORK | COUNTRY | STATE | CITY | ASN | AS ORGANIZATION |"),
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
