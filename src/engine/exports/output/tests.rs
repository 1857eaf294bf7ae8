use std::{io::Write, os::unix::fs::symlink, thread};

use super::*;

struct Fixture {
    dir: tempfile::TempDir,
    paths: Paths,
}

impl Fixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("directory");
        let [config, cache, state] = ["config", "cache", "state"].map(|name| dir.path().join(name));
        fs::create_dir(dir.path().join("out")).expect("folder");
        Self {
            dir,
            paths: Paths {
                config,
                cache,
                state,
            },
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("out").join(name)
    }

    fn begin(&self, name: &str, force: bool) -> Result<OutputFile> {
        OutputFile::begin(&self.paths, &self.path(name), force)
    }

    fn write(&self, name: &str, text: &str, force: bool) -> Result<u64> {
        let mut output = self.begin(name, force)?;
        output.file().write_all(text.as_bytes()).expect("write");
        output.publish()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path().join("out")).expect("list");
        let mut names: Vec<String> = entries
            .map(|entry| {
                let name = entry.expect("entry").file_name();
                name.to_string_lossy().into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_file_appears_whole_and_replaces_nothing_unasked() {
    let place = Fixture::new();
    let path = place.path("out.csv");
    let mut output = place.begin("out.csv", false).expect("begin");
    output.file().write_all(b"one").expect("write");
    assert!(place.names().is_empty(), "{:?}", place.names());
    assert_eq!(output.publish(), Ok(3));
    let refused = place.begin("out.csv", false).expect_err("there");
    assert_eq!(refused.kind, Kind::Usage);
    let mut output = place.begin("out.csv", true).expect("begin");
    output.file().write_all(b"two").expect("write");
    drop(output);
    assert_eq!(fs::read(&path).expect("read"), b"one");
    assert_eq!(place.write("out.csv", "three", true), Ok(5));
    assert_eq!(fs::read(&path).expect("read"), b"three");
    assert_eq!(place.names(), ["out.csv"]);
    let appeared = place.begin("new.csv", false).expect("begin");
    fs::write(place.path("new.csv"), "somebody else's").expect("write");
    assert_eq!(appeared.publish().expect_err("there").kind, Kind::Usage);
    assert_eq!(
        fs::read(place.path("new.csv")).expect("read"),
        b"somebody else's"
    );
}

#[test]
fn with_a_name_it_is_the_same() {
    let place = Fixture::new();
    let path = place.path("out.csv");
    for force in [false, true] {
        let beside = beside(&path);
        let note = UnfinishedNote::write(&place.paths.state, &beside).expect("note");
        let mut file = File::create_new(&beside).expect("file");
        note.is_file(&file).expect("note");
        file.write_all(b"text").expect("write");
        let scratch = Scratch {
            file,
            named: Some(Named {
                path: TempPath::try_from_path(beside).expect("a path"),
                _note: note,
            }),
        };
        let target = OutputTarget::File {
            path: path.clone(),
            force,
        };
        let length = published(&place.paths, &path, &target, scratch).expect("published");
        assert_eq!((length, place.names()), (4, vec!["out.csv".to_owned()]));
        let note = fs::read(place.paths.state.join("unfinished/0")).expect("note");
        assert_eq!(note, b"");
    }
}

#[test]
fn a_folder_is_no_file() {
    let place = Fixture::new();
    fs::create_dir(place.path("folder")).expect("folder");
    assert_eq!(
        place.begin("folder", true).expect_err("folder").kind,
        Kind::Usage
    );
    let missing = place.begin("missing/out.csv", true).expect_err("missing");
    assert_eq!(missing.kind, Kind::Machine);
}

#[test]
fn devices_and_pipes_are_written_through_and_stay() {
    let place = Fixture::new();
    let fifo = place.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    for force in [false, true] {
        let reader = thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).expect("read")
        });
        assert_eq!(place.write("fifo", "text", force), Ok(4));
        assert_eq!(reader.join().expect("reader"), b"text");
    }
    assert!(fs::metadata(&fifo).expect("fifo").file_type().is_fifo());
    symlink("/dev/full", place.path("full")).expect("link");
    let full = place.write("full", "text", true).expect_err("full");
    assert_eq!(full.kind, Kind::Machine);
    symlink("/dev/null", place.path("null")).expect("link");
    assert_eq!(place.write("null", "text", false), Ok(4));
    assert_eq!(place.names(), ["fifo", "full", "null"]);
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let place = Fixture::new();
    let real = place.dir.path().join("real.csv");
    fs::write(&real, "old").expect("write");
    symlink(&real, place.path("out.csv")).expect("link");
    assert!(place.begin("out.csv", false).is_err());
    assert_eq!(place.write("out.csv", "new", true), Ok(3));
    assert_eq!(fs::read(&real).expect("read"), b"new");
    assert!(place.path("out.csv").is_symlink());
    symlink("nowhere", place.path("dangling")).expect("link");
    let refused = place.begin("dangling", true).expect_err("leads nowhere");
    assert_eq!(refused.kind, Kind::Usage);
}
