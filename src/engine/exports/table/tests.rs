//! Files of every form, read as a table.

use std::{
    fs,
    io::{BufWriter, Write},
    path::PathBuf,
    sync::Arc,
};

use super::*;
use crate::{
    contract::{ExportField, Feed, Output},
    engine::progress::{Progress, unheard},
};

struct TableFixture {
    _folder: tempfile::TempDir,
    query: TableQuery,
    tables: Tables,
}

fn case(text: &str, change: impl FnOnce(&mut ExportQuery)) -> TableFixture {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("export");
    fs::write(&file, text).expect("write");
    let mut export = ExportQuery::all_of(Feed::Anonymous);
    change(&mut export);
    TableFixture {
        _folder: folder,
        query: TableQuery {
            file,
            export,
            sort: None,
            filter: String::new(),
        },
        tables: Tables::default(),
    }
}

impl TableFixture {
    fn page(&self, positions: Range<u64>) -> TablePage {
        self.tables
            .page(&self.query, positions, &StopFlag::default(), unheard())
            .expect("page")
    }

    fn error(&self) -> Error {
        self.tables
            .page(&self.query, 0..9, &StopFlag::default(), unheard())
            .expect_err("no page")
    }

    fn first_cells(&self) -> Vec<String> {
        let rows = self.page(0..50).rows.into_iter();
        rows.map(|row| row[0].clone()).collect()
    }

    fn sorted(&mut self, column: usize, descending: bool) -> Vec<String> {
        self.query.sort = Some(ColumnOrder { column, descending });
        self.first_cells()
    }
}

fn header(query: &mut ExportQuery) {
    query.header = true;
}

fn json(query: &mut ExportQuery) {
    query.output = Output::Json;
}

#[test]
fn csv_of_every_kind_has_its_rows() {
    let with = case(
        "\u{feff}ip,tag\r\n198.51.100.1,\"A\nB\"\r\n\r\n198.51.100.2,\"say \"\"x\"\"\"\r\n",
        header,
    );
    let page = with.page(0..9);
    assert_eq!(page.columns, ["ip", "tag"]);
    assert_eq!((page.records, page.count, page.is_torn), (2, 2, false));
    assert_eq!(
        page.rows,
        [["198.51.100.1", "A\nB"], ["198.51.100.2", "say \"x\""]]
    );
    let fields = vec![ExportField::Ip, ExportField::Tag];
    let without = case("198.51.100.1,A\n198.51.100.2,B", |query| {
        (query.fields, query.diff) = (fields, false);
    });
    let page = without.page(0..9);
    assert_eq!(page.columns, ["ip", "tag"]);
    assert_eq!((page.records, page.is_torn), (2, false));
}

#[test]
fn json_of_every_kind_has_its_rows() {
    let one = r#"{"ip":"198.51.100.1","tag":null,"clientCount":3}"#;
    let other = r#"{"ip":"198.51.100.2","tag":"A}","more":[1]}"#;
    for text in [
        format!("[{one},\n{other}]"),
        format!("{one}\n{other}\n"),
        format!("{one}\r\n{other}"),
    ] {
        let page = case(&text, json).page(0..9);
        assert_eq!(page.columns[..4], ["ip", "tag", "clientCount", "more"]);
        assert_eq!((page.records, page.is_torn), (2, false), "{text}");
        assert_eq!(page.rows[0][..4], ["198.51.100.1", "", "3", ""]);
        assert_eq!(page.rows[1][..4], ["198.51.100.2", "A}", "", "[1]"]);
    }
}

#[test]
fn a_file_without_rows_has_its_columns() {
    let page = case("ip,tag\n", header).page(0..9);
    assert_eq!((page.columns.len(), page.records), (2, 0));
    assert_eq!(page.rows, Vec::<Vec<String>>::new());
    for text in ["", "[]", "\n"] {
        let page = case(text, json).page(0..9);
        assert_eq!((page.records, page.count, page.is_torn), (0, 0, false));
        assert!(page.columns.contains(&"ip".to_owned()));
    }
    assert_eq!(case("", header).page(0..9).records, 0);
}

#[test]
fn a_torn_end_is_named_and_costs_no_other_row() {
    let cells = case("ip,tag\n198.51.100.1,A\n198.51.10", header).page(0..9);
    assert_eq!((cells.records, cells.is_torn), (2, true));
    assert_eq!(cells.rows[1], ["198.51.10", ""]);
    let quoted = case("ip,tag\n198.51.100.1,A\n198.51.100.2,\"B", header).page(0..9);
    assert_eq!((quoted.records, quoted.is_torn), (2, true));
    let object = case("{\"ip\":\"198.51.100.1\"}\n{\"ip\":\"198.5", json).page(0..9);
    assert_eq!((object.records, object.is_torn), (1, true));
}

#[test]
fn rows_far_down_are_those_of_the_file() {
    let mut text = "ip,clientCount,tag\n".to_owned();
    for row in 0..5_000_u32 {
        let tag = if row % 7 == 0 { "\"ACME\nVPN\"" } else { "B" };
        text += &format!("198.18.{}.{},{},{tag}\n", row / 256, row % 256, row % 97);
    }
    let mut case = case(&text, header);
    let page = case.page(4_990..6_000);
    assert_eq!(
        (page.first, page.count, page.rows.len()),
        (4_990, 5_000, 10)
    );
    assert_eq!(page.rows[9], ["198.18.19.135", "52", "B"]);
    // Sorted and filtered as a plain computation has it.
    case.query.filter = "tag:acme".to_owned();
    case.query.sort = Some(ColumnOrder {
        column: 1,
        descending: true,
    });
    let mut expected: Vec<u32> = (0..5_000).filter(|row| row % 7 == 0).collect();
    expected.sort_by_key(|row| std::cmp::Reverse(row % 97));
    let rows: Vec<String> = case
        .page(0..1_000)
        .rows
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    let expected: Vec<String> = expected
        .into_iter()
        .map(|row| format!("198.18.{}.{}", row / 256, row % 256))
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(case.page(0..1).records, 5_000);
}

#[test]
fn rows_are_sorted_by_any_column() {
    let text = "ip,clientCount,tag\n198.51.100.9,10,B\n198.51.100.10,9,\n192.0.2.1,,A\n";
    let mut case = case(text, header);
    assert_eq!(
        case.sorted(0, false),
        ["192.0.2.1", "198.51.100.9", "198.51.100.10"]
    );
    assert_eq!(
        case.sorted(1, true),
        ["198.51.100.9", "198.51.100.10", "192.0.2.1"]
    );
    assert_eq!(
        case.sorted(2, false),
        ["192.0.2.1", "198.51.100.9", "198.51.100.10"]
    );
    // An unknown column sorts nothing.
    assert_eq!(case.sorted(9, false)[0], "198.51.100.9");
}

#[test]
fn a_file_that_changed_is_read_anew_and_one_that_is_gone_is_an_error() {
    let case = case("ip,tag\n198.51.100.1,A\n", header);
    assert_eq!(case.page(0..9).records, 1);
    fs::write(&case.query.file, "ip,tag\n198.51.100.1,A\n198.51.100.2,B\n").expect("write");
    assert_eq!(case.page(0..9).records, 2);
    fs::remove_file(&case.query.file).expect("remove");
    assert_eq!(case.error().kind, Kind::Machine);
}

#[test]
fn what_has_no_rows_and_what_has_one_without_end_is_refused() {
    let mmdb = case("", |query| query.output = Output::Mmdb);
    assert_eq!(mmdb.error().kind, Kind::Usage);
    let endless = case(&"x".repeat(3 << 20), header);
    assert_eq!(endless.error().kind, Kind::Integrity);
    let mut device = case("", header);
    device.query.file = PathBuf::from("/dev/null");
    assert_eq!(device.error().kind, Kind::Machine);
}

#[test]
fn it_tells_how_far_it_is_and_stops_when_told_so() {
    let case = case(&"198.51.100.1,A\n".repeat(200_000), |_| ());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let report: Report = Arc::new(move |now: Progress| lock(&told).push(now));
    let page = case
        .tables
        .page(&case.query, 0..9, &StopFlag::default(), report)
        .expect("page");
    assert_eq!(page.records, 200_000);
    let heard = lock(&heard).clone();
    assert!(heard.iter().all(|now| now.total == Some(3_000_000)));
    let stopped = StopFlag::default();
    stopped.stop();
    let sorted = TableQuery {
        sort: Some(ColumnOrder {
            column: 0,
            descending: false,
        }),
        ..case.query.clone()
    };
    let error = case.tables.page(&sorted, 0..9, &stopped, unheard());
    assert_eq!(
        error.map_err(|error| error.kind).err(),
        Some(Kind::Interrupted)
    );
}

/// As many rows as an export gives at most: see CONTRIBUTING.md.
#[test]
#[ignore = "long, and measures memory and time: see CONTRIBUTING.md"]
#[expect(clippy::print_stdout, reason = "it prints what it measures")]
fn two_million_rows_take_little_memory_and_little_time() {
    const ROWS: u32 = 2_000_000;
    const MOST_MEMORY: u64 = 96 << 20;
    // Without optimisation everything takes many times as long.
    let most_time = Duration::from_secs(if cfg!(debug_assertions) { 90 } else { 6 });
    let mut case = case("", header);
    let file = fs::File::create(&case.query.file).expect("create");
    let mut file = BufWriter::new(file);
    writeln!(file, "ip,tag,clientCount,locationCountry").expect("write");
    // A step that has no factor in common with the rows mixes them, each address once.
    let address = |row: u32| {
        0xf000_0000 + u32::try_from(u64::from(row) * 1_299_709 % 2_000_000).expect("small")
    };
    for row in 0..ROWS {
        let ip = std::net::Ipv4Addr::from(address(row));
        let country = ["NL", "DE", "US", ""][row as usize % 4];
        writeln!(file, "{ip},ACME_{},{},{country}", row % 997, row % 1_013).expect("write");
    }
    drop(file);
    let before = memory("VmRSS:");
    let timed = |case: &TableFixture, what: &str, positions: Range<u64>| {
        let page = case.page(positions);
        let most = memory("VmHWM:").saturating_sub(before);
        println!("{what}: {:?}, {} MiB at most", page.took, most >> 20);
        assert!(page.took < most_time, "{what}: {:?}", page.took);
        assert!(most < MOST_MEMORY, "{what}: {} MiB", most >> 20);
        page
    };
    let page = timed(&case, "open", 1_999_990..2_000_010);
    assert_eq!((page.records, page.rows.len()), (2_000_000, 10));
    let quick = timed(&case, "a page of an open file", 1_000_000..1_000_100);
    assert!(quick.took < most_time / 60, "{:?}", quick.took);
    for (column, what) in [(0, "by address"), (1, "by text"), (2, "by number")] {
        for descending in [false, true] {
            case.query.sort = Some(ColumnOrder { column, descending });
            let page = timed(&case, what, 0..100);
            assert_eq!((page.count, page.rows.len()), (2_000_000, 100));
            let first = &page.rows[0][column];
            let expected = match (column, descending) {
                (0, false) => "240.0.0.0",
                (0, true) => "240.30.132.127",
                (1, false) => "ACME_0",
                (1, true) => "ACME_996",
                (_, false) => "0",
                (_, true) => "1012",
            };
            assert_eq!(first, expected, "{what}");
        }
    }
    case.query.filter = "locationCountry:nl acme_12".to_owned();
    let page = timed(&case, "filtered and sorted", 0..100);
    let is_kept = |row: &u32| row.is_multiple_of(4) && (row % 997).to_string().starts_with("12");
    let kept = (0..ROWS).filter(is_kept).count() as u64;
    assert_eq!(page.count, kept);
    case.query.sort = None;
    assert_eq!(timed(&case, "filtered", 0..100).count, kept);
}

/// Bytes of memory of this process.
fn memory(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    let number = line.and_then(|line| line.split_whitespace().next());
    let kib: u64 = number.expect(what).parse().expect("a number");
    kib << 10
}
