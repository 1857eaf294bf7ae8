//! Indexes with a byte that was flipped, or an end that is missing: the damage is noticed or harmless, never a wrong answer.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use ipspect::store::{
    Filter, Index, RowId, StopFlag,
    index::{FacetBy, NotOpened, QueryError, build::Building},
};
use tempfile::TempDir;

/// Records of every shape that an index treats in its own way.
const FEED: &str = r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"Example Hosting"},"client":{"count":14,"types":["MOBILE"],"proxies":["A_PROXY","B_PROXY"]},"infrastructure":"DATACENTER","location":{"city":"Amsterdam","country":"NL"},"risks":["TUNNEL"],"services":["OPENVPN"],"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"operator":"ACME_VPN","type":"VPN"}]}
{"ip":"198.51.100.9","as":{"number":64501,"organization":"Zweite"},"client":{},"location":{"country":"DE"},"tunnels":[{"type":"PROXY","operator":"B_PROXY"},{"type":"VPN"}]}
nonsense
{"ip": "203.0.113.5", "client": {"count": 3}, "location": {"country": "nl"}, "new": {"x": [1, {"y": null}]}}
{"network":"198.51.100.0/24","organization":"Netz \u0026 Co","client":{"count":2.0}}
{"network":"2001:db8::/32"}
{"network":"2001:db8:1::/48","risks":["TUNNEL","TUNNEL"]}
{"ip":7}
{"ip":"198.51.100.7","location":{"country":"FR"}}
"#;

fn build(path: &Path) {
    let mut building = Building::begin(path).expect("begin");
    building.lines(FEED.as_bytes().to_vec()).expect("lines");
    building.finish(&mut |_, _| ()).expect("finish");
}

/// An answer, or that there is none.
type Said = Result<String, QueryError>;

/// All that an index can be asked, one answer for each question.
fn ask(index: &Index) -> Vec<Said> {
    let stop = StopFlag::default();
    let mut said = vec![Ok(index.records().to_string())];
    // A number of records that is wrong was noticed, or it is not worth asking for each of them.
    for row in (0..u32::try_from(index.records().min(20)).expect("rows")).map(RowId) {
        let mut line = Vec::new();
        let read = index.line(row, &mut line);
        said.push(read.map(|()| String::from_utf8_lossy(&line).into_owned()));
        said.push(index.subject(row).map(|subject| format!("{subject:?}")));
        let mut flat = String::new();
        let read = index.flats().and_then(|flats| {
            flats.each(
                &[row],
                |odd| odd,
                |row| {
                    flat = format!("{row:?}");
                    Ok(())
                },
            )
        });
        said.push(read.map(|()| flat));
    }
    for network in [
        "198.51.100.7/32",
        "198.51.100.0/25",
        "203.0.113.5/32",
        "203.0.113.6/32",
        "2001:db8:1::5/128",
        "2001:db8::/32",
    ] {
        let rows = index.covering(network.parse().expect(network));
        said.push(rows.map(|rows| format!("{rows:?}")));
    }
    for filter in [
        "",
        "tag:ACME_VPN",
        "cc:nl",
        "-cc:NL",
        "clients>2",
        "asn:64501",
        "org:netz",
        "type:VPN proxy:A_PROXY",
        "attributed:yes",
        "entry:198.51.100.70",
        "net:198.51.100.0/24",
        "net:2001:db8::/32",
        "risk:TUNNEL service:OPENVPN infra:DATACENTER",
    ] {
        let filter: Filter = filter.parse().expect(filter);
        let selection = index.select(&filter, &stop);
        let with = |ask: &dyn Fn(&_) -> Result<String, QueryError>| match &selection {
            Ok(selection) => ask(selection),
            Err(why) => Err(why.clone()),
        };
        said.push(with(&|of| {
            Ok(format!(
                "{} {:?}",
                of.count(),
                of.rows().collect::<Vec<_>>()
            ))
        }));
        said.push(with(&|of| {
            index.busiest(of, 3, &stop).map(|rows| format!("{rows:?}"))
        }));
        said.push(with(&|of| {
            index.by_address(of, &stop).map(|rows| format!("{rows:?}"))
        }));
        for by in [
            FacetBy::Keyword(ipspect::model::Keyword::Cc),
            FacetBy::Keyword(ipspect::model::Keyword::Tag),
            FacetBy::Path("location.city".to_owned()),
        ] {
            said.push(with(&|of| {
                index
                    .facets(of, &by, &stop)
                    .map(|facets| format!("{facets:?}"))
            }));
        }
    }
    let subjects: Result<Vec<_>, _> = index.subjects().collect();
    said.push(subjects.map(|subjects| format!("{subjects:?}")));
    said
}

/// An index file in which one byte at a time is changed, in place: nothing has it open meanwhile.
struct Changed {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    _dir: TempDir,
}

impl Changed {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("directory");
        let path = dir.path().join("index");
        build(&path);
        let options = File::options().read(true).write(true).open(&path);
        Self {
            file: options.expect("index"),
            bytes: fs::read(&path).expect("index"),
            path,
            _dir: dir,
        }
    }

    fn open(&self) -> Result<Index, NotOpened> {
        Index::open(&self.path)
    }

    /// Flips a bit of a byte, looks at the file, and flips it back.
    fn flipped<T>(&self, at: usize, look: impl FnOnce(&Self) -> T) -> T {
        let put = |byte| {
            self.file
                .write_all_at(&[byte], at as u64)
                .expect("a byte is written");
        };
        put(self.bytes[at] ^ (1 << (at % 8)));
        let seen = look(self);
        put(self.bytes[at]);
        seen
    }

    fn is_noticed(&self) -> bool {
        self.open()
            .map_or(true, |index| index.check(&StopFlag::default()).is_err())
    }

    /// What a changed index says must be what the whole one says, or that it is damaged.
    fn is_right(&self, whole: &[Said], at: usize) {
        let index = match self.open() {
            Ok(index) => index,
            Err(NotOpened::Io(error)) => panic!("byte {at}: {error}"),
            Err(_) => return,
        };
        let said = ask(&index);
        let damaged = |said: &Said| matches!(said, Err(QueryError::Damaged(_)));
        for (question, (said, right)) in said.iter().zip(whole).enumerate() {
            assert!(
                said == right || damaged(said),
                "byte {at}, question {question}: {said:?}, not {right:?}"
            );
        }
        assert!(
            said.len() == whole.len() || said.iter().any(damaged),
            "byte {at}"
        );
    }

    /// Asks all with each of these bytes flipped.
    fn ask_all(&self, bytes: impl Iterator<Item = usize>) {
        let whole = ask(&self.open().expect("open"));
        assert!(whole.iter().all(Result::is_ok), "{whole:?}");
        for at in bytes {
            self.flipped(at, |changed| changed.is_right(&whole, at));
        }
        assert_eq!(ask(&self.open().expect("as before")), whole);
    }
}

#[test]
fn a_flipped_byte_is_noticed() {
    let changed = Changed::new();
    let length = changed.bytes.len();
    let near_the_ends = (0..200).chain(length - 2000..length);
    let unnoticed: Vec<usize> = near_the_ends
        .chain((200..length).step_by(97))
        .filter(|at| !changed.flipped(*at, Changed::is_noticed))
        .collect();
    assert_eq!(unnoticed, [0; 0], "of {length}");
}

#[test]
fn an_index_with_a_flipped_byte_never_answers_wrongly() {
    let changed = Changed::new();
    let length = changed.bytes.len();
    let sample = (0..64).step_by(13).chain((64..length).step_by(7919));
    changed.ask_all(sample.chain((length - 1500..length).step_by(61)));
}

/// The same for each byte, which takes an hour: `cargo test --release --test it damage -- --ignored`.
#[test]
#[ignore = "takes long"]
fn no_byte_of_an_index_makes_it_answer_wrongly() {
    let changed = Changed::new();
    changed.ask_all(0..changed.bytes.len());
}

#[test]
fn an_end_that_is_missing_is_noticed() {
    let changed = Changed::new();
    let length = changed.bytes.len() as u64;
    changed.file.set_len(length + 1).expect("longer");
    assert!(changed.open().is_err());
    let lengths = (length - 2000..length).rev();
    for length in lengths.chain((0..length - 2000).rev().step_by(501)) {
        changed.file.set_len(length).expect("shorter");
        assert!(changed.open().is_err(), "{length}");
    }
}
