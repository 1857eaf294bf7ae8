use super::*;

#[tokio::test]
async fn a_stored_token_is_read_back_and_removed() {
    let root = tempfile::tempdir().expect("directory");
    let token = Token::new("stored-1").expect("token");
    let kept = store("work", root.path(), &token).expect("store");
    let path = file_of("work", root.path());
    assert_eq!(kept, TokenStore::File(path.clone()));
    let read = TokenSource::File(path.clone()).read().await.expect("read");
    assert_eq!(read.expose(), "stored-1");
    assert_eq!(remove("work", root.path()), Ok(Some(kept)));
    assert_eq!(remove("work", root.path()), Ok(None));
    assert_eq!(
        TokenSource::File(path)
            .read()
            .await
            .map(|_| ())
            .map_err(|error| error.kind),
        Err(Kind::Credentials)
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().expect("directory");
    store(
        "default",
        root.path(),
        &Token::new("stored-1").expect("token"),
    )
    .expect("store");
    let path = file_of("default", root.path());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("chmod");
    let error = TokenSource::File(path)
        .read()
        .await
        .expect_err("readable by others");
    assert!(
        error.message.contains("mode 644") && !error.to_string().contains("stored-1"),
        "{error}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_gives_its_first_line() {
    let run = |script: &str| TokenSource::Command(vec!["sh".into(), "-c".into(), script.into()]);
    assert_eq!(
        run("echo made-1; echo more")
            .read()
            .await
            .expect("token")
            .expose(),
        "made-1"
    );
    assert!(
        run("echo secret-x; exit 3")
            .read()
            .await
            .expect_err("failed")
            .message
            .contains("failed")
    );
    assert!(
        run("true")
            .read()
            .await
            .expect_err("nothing")
            .message
            .contains("empty")
    );
    assert!(TokenSource::Command(vec![]).read().await.is_err());
}

#[tokio::test]
async fn a_command_that_prints_for_ever_is_stopped() {
    let endless = ["cat", "/dev/zero"].map(str::to_owned).to_vec();
    let error = TokenSource::Command(endless).read().await;
    let error = error.expect_err("no token");
    assert!(error.message.contains("printed more than"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_is_refused_at_once() {
    let root = tempfile::tempdir().expect("directory");
    let fifo = root.path().join("token");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    for path in [fifo, PathBuf::from("/dev/zero")] {
        let error = TokenSource::File(path).read().await.expect_err("no file");
        assert_eq!(error.kind, Kind::Machine);
        assert!(error.message.contains("not a regular file"), "{error}");
    }
    let long = root.path().join("long");
    fs::write(&long, "x".repeat(1 << 20)).expect("write");
    let error = TokenSource::File(long).read().await.expect_err("too long");
    assert_eq!(error.kind, Kind::Credentials);
}

#[cfg(unix)]
#[test]
fn what_a_killed_login_left_is_named_written_over_and_removed() {
    let root = tempfile::tempdir().expect("directory");
    let token = Token::new("stored-1").expect("token");
    let left = root.path().join(".ipspect-token");
    fs::write(&left, "stored-0\n").expect("left behind");
    assert_eq!(leftover("default", root.path()), Some(left.clone()));
    store("default", root.path(), &token).expect("store");
    assert_eq!(leftover("default", root.path()), None);
    fs::write(&left, "stored-0\n").expect("left behind");
    assert!(remove("default", root.path()).expect("removed").is_some());
    assert_eq!(fs::read_dir(root.path()).expect("list").count(), 0);
    fs::write(&left, "stored-0\n").expect("left behind");
    assert!(remove("default", root.path()).expect("removed").is_some());
    assert!(!left.exists());
}

#[cfg(unix)]
#[test]
fn a_later_start_removes_what_killed_logins_left() {
    let root = tempfile::tempdir().expect("directory");
    let config = root.path().join("config");
    remove_leftovers("default", &config).expect("no folder yet");
    store("default", &config, &Token::new("stored-1").expect("token")).expect("store");
    let left = [".ipspect-token", ".ipspect-token-work"].map(|name| config.join(name));
    for path in &left {
        fs::write(path, "stored-0\n").expect("left behind");
    }
    // One that another process is writing stays.
    let written = fs::File::open(&left[1]).expect("open");
    written.lock().expect("lock");
    remove_leftovers("default", &config).expect("removed");
    assert_eq!((left[0].exists(), left[1].exists()), (false, true));
    drop(written);
    remove_leftovers("default", &config).expect("removed");
    assert!(!left[1].exists() && config.join("token").exists());

    // Beside the file that a link leads to.
    let target = root.path().join("secrets");
    fs::create_dir(&target).expect("folder");
    fs::remove_file(config.join("token")).expect("remove");
    std::os::unix::fs::symlink(target.join("mine"), config.join("token")).expect("link");
    fs::write(target.join(".ipspect-mine"), "stored-0\n").expect("left behind");
    remove_leftovers("default", &config).expect("removed");
    assert!(!target.join(".ipspect-mine").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_token_file_may_be_a_link() {
    let root = tempfile::tempdir().expect("directory");
    let (config, secrets) = (root.path().join("config"), root.path().join("secrets"));
    fs::create_dir(&config).expect("folder");
    fs::create_dir(&secrets).expect("folder");
    let target = secrets.join("ip-intelligence");
    std::os::unix::fs::symlink("../secrets/ip-intelligence", config.join("token")).expect("link");
    let token = Token::new("stored-1").expect("token");
    store("default", &config, &token).expect("store");
    assert_eq!(fs::read(&target).expect("behind the link"), b"stored-1\n");
    let read = TokenSource::File(config.join("token")).read().await;
    assert_eq!(read.expect("read").expose(), "stored-1");
    assert!(remove("default", &config).expect("removed").is_some());
    assert!(!target.exists() && config.join("token").symlink_metadata().is_err());
}

#[test]
fn profiles_have_files_of_their_own() {
    let dir = Path::new("/c");
    assert_eq!(file_of("default", dir), dir.join("token"));
    assert_eq!(file_of("work", dir), dir.join("token-work"));
    assert_eq!(file_of("../x", dir).parent(), Some(dir));
    assert_ne!(file_of("a/b", dir), file_of("a.b", dir));
}
