use serde_json::json;

use super::*;

fn file() -> (tempfile::TempDir, LineFile) {
    let dir = tempfile::tempdir().expect("directory");
    let lines = LineFile::new(&dir.path().join("state"), "log", 1 << 20);
    (dir, lines)
}

fn line(n: u64) -> Map<String, Value> {
    let value = json!({"n": n, "text": "a\u{202e}\n"});
    value.as_object().expect("object").clone()
}

fn numbers(lines: &LineFile) -> (Vec<u64>, SetAside) {
    let mut numbers = Vec::new();
    let set_aside = lines.scan(|line| numbers.push(line["n"].as_u64().expect("number")));
    (numbers, set_aside.expect("scan"))
}

fn damaged(damaged: u64) -> SetAside {
    SetAside { damaged, newer: 0 }
}

struct EveryOther(Vec<Map<String, Value>>);

impl Collect for EveryOther {
    fn take(&mut self, line: Map<String, Value>) {
        self.0.push(line);
    }

    fn finish(self) -> Vec<Map<String, Value>> {
        self.0.into_iter().step_by(2).collect()
    }
}

struct AllLines(Vec<Map<String, Value>>);
impl Collect for AllLines {
    fn take(&mut self, line: Map<String, Value>) {
        self.0.push(line);
    }
    fn finish(self) -> Vec<Map<String, Value>> {
        self.0
    }
}

#[test]
fn lines_come_back_in_their_order() {
    let (_dir, lines) = file();
    assert_eq!(numbers(&lines), (vec![], damaged(0)));
    for n in 0..3 {
        assert!(!lines.append(line(n)).expect("append"));
    }
    let mut found = Vec::new();
    lines.scan(|line| found.push(line)).expect("scan");
    assert_eq!(found, (0..3).map(line).collect::<Vec<_>>());
}

#[test]
fn what_is_torn_flipped_foreign_or_newer_is_counted_and_not_believed() {
    let (_dir, lines) = file();
    lines.append(line(1)).expect("append");
    let whole = fs::read(lines.path()).expect("file");
    for bit in 0..(whole.len() - 1) * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(lines.path(), &flipped).expect("write");
        let (numbers, set_aside) = numbers(&lines);
        assert!(numbers.is_empty() && set_aside.count() > 0, "bit {bit}");
    }
    let newer = checksum::sign(json!({"version": 2}).as_object().expect("object").clone());
    let unsigned = json!({"version": 1, "n": 7});
    let text = format!("{newer}\n{unsigned}\nforeign\n\n\u{0}\n{{\"half\":");
    fs::write(lines.path(), [text.as_bytes(), b"\xff"].concat()).expect("write");
    assert_eq!(
        numbers(&lines),
        (
            vec![],
            SetAside {
                damaged: 4,
                newer: 1
            }
        )
    );
    // The torn end does not swallow the next line.
    lines.append(line(2)).expect("append");
    assert_eq!(numbers(&lines).0, [2]);
}

#[test]
fn a_file_that_has_grown_is_rewritten_and_loses_nothing_unsaid() {
    let dir = tempfile::tempdir().expect("directory");
    let lines = LineFile::new(dir.path(), "log", 300);
    fs::write(lines.path(), "foreign\n").expect("write");
    let grown: Vec<bool> = (0..8)
        .map(|n| lines.append(line(n)).expect("append"))
        .collect();
    assert!(grown.contains(&true) && !grown[0], "{grown:?}");
    lines.rewrite(EveryOther(Vec::new())).expect("rewrite");
    assert_eq!(numbers(&lines), (vec![0, 2, 4, 6], damaged(0)));
    assert_eq!(lines.count_aside().expect("count"), 1);
    assert_eq!(fs::read(lines.aside()).expect("aside"), b"foreign\n");
    fs::write(lines.path(), "torn").expect("write");
    lines.rewrite(EveryOther(Vec::new())).expect("rewrite");
    assert_eq!(lines.count_aside().expect("count"), 2);
    lines.forget_aside().expect("forget");
    assert_eq!(lines.count_aside().expect("count"), 0);
}

#[test]
fn a_failed_rewrite_leaves_both_files_as_they_were() {
    let (dir, lines) = file();
    lines.append(line(1)).expect("append");
    let whole = fs::read(lines.path()).expect("file");
    let blocked = dir.path().join("state/.ipspect-log");
    for (n, earlier) in [None, Some("earlier, without its end")]
        .into_iter()
        .enumerate()
    {
        if let Some(earlier) = earlier {
            fs::write(lines.aside(), earlier).expect("write");
        }
        let grown = [b"foreign\n", whole.as_slice()].concat();
        fs::write(lines.path(), &grown).expect("write");
        fs::create_dir(&blocked).expect("folder");
        for _ in 0..2 {
            assert!(lines.rewrite(AllLines(Vec::new())).is_err());
            assert_eq!(fs::read(lines.path()).expect("file"), grown);
            assert_eq!(fs::read_to_string(lines.aside()).ok().as_deref(), earlier);
        }
        fs::remove_dir(&blocked).expect("folder");
        lines.rewrite(AllLines(Vec::new())).expect("rewrite");
        let count = lines.count_aside().expect("count");
        assert_eq!(count, 1 + u64::try_from(n).expect("small"));
    }
}

#[test]
fn a_line_of_any_length_takes_no_more_memory_than_the_longest() {
    let (_dir, lines) = file();
    lines.append(line(1)).expect("append");
    let long = json!({"text": "x".repeat(LONGEST)});
    let refused = lines.append(long.as_object().expect("object").clone());
    let why = Unsafe::behind(&refused.expect_err("too long"));
    assert_eq!(why, Some(Unsafe::TooLong));
    let mut foreign = fs::read(lines.path()).expect("file");
    foreign.extend(vec![b'y'; 5 * LONGEST]);
    fs::write(lines.path(), foreign).expect("write");
    lines.append(line(2)).expect("append");
    assert_eq!(numbers(&lines), (vec![1, 2], damaged(1)));
    let mut reader = BufReader::new(File::open(lines.path()).expect("file"));
    let mut bytes = Vec::new();
    while next_line(&mut reader, &mut bytes).expect("read") {
        assert!(bytes.len() <= LONGEST + 1 && bytes.capacity() <= 4 * LONGEST);
    }
}

#[test]
fn a_link_in_its_place_is_an_error_and_nothing_is_written_behind_it() {
    let (dir, lines) = file();
    let precious = dir.path().join("precious");
    fs::write(&precious, "precious").expect("file");
    fs::create_dir(dir.path().join("state")).expect("folder");
    std::os::unix::fs::symlink(&precious, lines.path()).expect("link");
    let refused = lines.append(line(1)).expect_err("a link");
    assert_eq!(Unsafe::behind(&refused), Some(Unsafe::Link));
    assert!(lines.scan(|_| ()).is_err());
    assert_eq!(fs::read(&precious).expect("still there"), b"precious");
}

#[test]
fn writers_and_rewriters_at_the_same_time_lose_no_line() {
    let (_dir, lines) = file();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let lines = &lines;
            scope.spawn(move || {
                for n in 0..25 {
                    lines.append(line(writer * 100 + n)).expect("append");
                    if n % 10 == 0 {
                        lines.rewrite(AllLines(Vec::new())).expect("rewrite");
                    }
                }
            });
        }
    });
    let (mut found, set_aside) = numbers(&lines);
    found.sort_unstable();
    let expected: Vec<u64> = (0..4)
        .flat_map(|writer| (0..25).map(move |n| writer * 100 + n))
        .collect();
    assert_eq!((found, set_aside), (expected, damaged(0)));
}
