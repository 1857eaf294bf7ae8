use std::{
    fmt,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    thread,
};

use super::*;

fn folder() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().expect("directory");
    let folder = Folder::make_root(&dir.path().join("cache")).expect("a folder");
    (dir, folder)
}

fn why<T: fmt::Debug>(result: io::Result<T>) -> Option<Unsafe> {
    Unsafe::behind(&result.expect_err("refused"))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("metadata").permissions().mode() & 0o7777
}

#[test]
fn a_file_is_replaced_whole_for_its_owner_only() {
    let (dir, folder) = folder();
    for (text, durability) in [("one", Durability::Synced), ("two", Durability::Cached)] {
        folder
            .replace("file", text.as_bytes(), durability)
            .expect("replace");
        let read = folder.read("file", 3).expect("read");
        assert_eq!(read.as_deref(), Some(text.as_bytes()));
    }
    assert_eq!(mode(&dir.path().join("cache")), 0o700);
    assert_eq!(mode(&dir.path().join("cache/file")), 0o600);
    assert_eq!(folder.names().expect("names"), ["file"]);
    assert_eq!(folder.read("none", 3).expect("read"), None);
    assert_eq!(why(folder.read("file", 2)), Some(Unsafe::TooLong));
    assert!(folder.remove("file").expect("removed"));
    assert!(!folder.remove("file").expect("nothing there"));
}

#[test]
fn no_link_is_followed_and_nothing_behind_one_changes() {
    let (dir, folder) = folder();
    let outside = dir.path().join("outside");
    let precious = outside.join("precious");
    fs::create_dir(&outside).expect("folder");
    fs::write(&precious, "precious").expect("file");
    symlink(&precious, folder.path().join("link")).expect("link");
    symlink(&outside, folder.path().join("day")).expect("link");
    symlink(&precious, folder.path().join(".ipspect-file")).expect("link");
    symlink(dir.path().join("new"), folder.path().join("dangling")).expect("link");

    assert_eq!(why(folder.open("link")), Some(Unsafe::Link));
    assert_eq!(why(folder.update("link")), Some(Unsafe::Link));
    assert_eq!(why(folder.update("dangling")), Some(Unsafe::Link));
    assert!(folder.create_new("dangling").is_err());
    assert_eq!(why(folder.enter("day")), Some(Unsafe::Link));
    assert_eq!(why(folder.make_child("day")), Some(Unsafe::Link));
    assert_eq!(
        why(Folder::reach(folder.path(), &folder.path().join("day"))),
        Some(Unsafe::Link)
    );
    let replaced = folder.replace("file", b"x", Durability::Cached);
    assert_eq!(why(replaced), Some(Unsafe::Link));
    assert!(folder.remove_folder("day").is_err());
    // Replacing a link replaces the link itself.
    folder
        .replace("link", b"mine", Durability::Cached)
        .expect("replace");
    assert!(folder.remove("day").expect("the link goes"));
    assert_eq!(fs::read(&precious).expect("still there"), b"precious");
    assert_eq!(fs::read_dir(&outside).expect("list").count(), 1);
    assert!(!dir.path().join("new").exists());
}

#[test]
fn a_root_may_be_a_link_and_no_other_way_leads_out() {
    let (dir, folder) = folder();
    let root = dir.path().join("link");
    symlink(folder.path(), &root).expect("link");
    let below = Folder::make(&root, &root.join("a/b")).expect("below a linked root");
    below
        .replace("file", b"x", Durability::Cached)
        .expect("replace");
    assert!(folder.path().join("a/b/file").is_file());
    for elsewhere in [dir.path().to_owned(), root.join("../outside")] {
        let error = Folder::make(&root, &elsewhere).expect_err("elsewhere");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}

#[test]
fn only_regular_files_are_used_and_nothing_is_waited_for() {
    let (dir, folder) = folder();
    let fifo = folder.path().join("fifo");
    sys::mknodat(sys::CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a fifo");
    fs::create_dir(folder.path().join("folder")).expect("folder");
    fs::write(folder.path().join("file"), "x").expect("file");
    for name in ["fifo", "folder"] {
        assert_eq!(why(folder.open(name)), Some(Unsafe::NotAFile), "{name}");
        assert_eq!(why(folder.update(name)), Some(Unsafe::NotAFile), "{name}");
    }
    assert_eq!(why(folder.enter("file")), Some(Unsafe::NotAFolder));
    assert_eq!(
        why(Folder::root(&folder.path().join("file"))),
        Some(Unsafe::NotAFolder)
    );
    assert_eq!(why(read_users_file(&fifo, 9)), Some(Unsafe::NotAFile));
    let endless = read_users_file(Path::new("/dev/zero"), 9);
    assert_eq!(why(endless), Some(Unsafe::NotAFile));
    let link = dir.path().join("link");
    symlink(folder.path().join("file"), &link).expect("link");
    let read = read_users_file(&link, 1).expect("a link of a person's own");
    assert_eq!(read.as_deref(), Some(&b"x"[..]));
    assert_eq!(
        read_users_file(&dir.path().join("none"), 1).expect("none"),
        None
    );
}

#[test]
fn a_folder_into_which_others_may_write_is_refused() {
    let (dir, _folder) = folder();
    let path = dir.path().join("cache");
    let set = |mode| {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("chmod");
    };
    set(0o777);
    assert_eq!(why(Folder::root(&path)), Some(Unsafe::OpenToAll));
    let mine = Folder::make_root(&path.join("mine"));
    assert!(mine.is_ok(), "a folder of mode 0700 in it will do");
    set(0o1777);
    assert!(Folder::root(&path).is_ok(), "as /tmp is");
}

#[test]
fn a_folder_of_another_user_is_refused() {
    let (_dir, folder) = folder();
    let mut stat = sys::fstat(&folder.fd).expect("stat");
    assert_eq!(write_access(&stat), None);
    stat.st_uid = 0;
    assert_eq!(write_access(&stat), None, "that of root is as good as ours");
    stat.st_uid = rustix::process::geteuid().as_raw() + 4711;
    assert_eq!(write_access(&stat), Some(Unsafe::OfAnother));
}

#[test]
fn what_a_killed_run_left_is_used_again() {
    let (dir, folder) = folder();
    let left = folder.path().join(".ipspect-file");
    fs::write(&left, "the long beginning of something").expect("left behind");
    folder
        .replace("file", b"new", Durability::Cached)
        .expect("replace");
    assert_eq!(folder.names().expect("names"), ["file"]);
    assert_eq!(fs::read(folder.path().join("file")).expect("file"), b"new");
    // A hard link to it outside the folder is not truncated.
    let precious = dir.path().join("precious");
    fs::write(&precious, "precious").expect("file");
    fs::hard_link(&precious, &left).expect("second name");
    folder
        .replace("file", b"newer", Durability::Cached)
        .expect("replace");
    assert_eq!(fs::read(&precious).expect("still there"), b"precious");
    let unpublished = Replacement::begin(&folder, temporary(OsStr::new("file")));
    drop(unpublished.expect("begun"));
    assert_eq!(folder.names().expect("names"), ["file"]);
}

#[test]
fn writers_at_the_same_time_do_not_mix() {
    let (_dir, folder) = folder();
    let texts = [vec![b'a'; 100_000], vec![b'b'; 50_000]];
    thread::scope(|scope| {
        for text in &texts {
            scope.spawn(|| {
                for _ in 0..50 {
                    folder
                        .replace("file", text, Durability::Cached)
                        .expect("replace");
                    let read = folder.read("file", 1 << 20).expect("read");
                    assert!(texts.contains(&read.expect("there")));
                }
            });
        }
    });
    assert_eq!(folder.names().expect("names"), ["file"]);
}

#[test]
fn a_file_without_a_name_leaves_nothing() {
    let (_dir, folder) = folder();
    let mut file = folder.unnamed().expect("a file");
    file.write_all(b"x").expect("write");
    assert!(folder.names().expect("names").is_empty());
}
