//! A file that a person asked for by name: it appears by rename when it is whole, and replaces nothing unasked.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::error::{Error, Kind, Result};
use crate::store::layout::UNNAMED;

/// A file on its way. Dropped before [`OutputFile::publish`], nothing of it stays.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    force: bool,
    beside: NamedTempFile,
}

impl OutputFile {
    /// Begins a file beside the final one.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a file that is there, unless `force` says to replace it; a failure of this machine.
    pub fn begin(path: &Path, force: bool) -> Result<Self> {
        if path.is_dir() || path.file_name().is_none() {
            return Err(Error::new(
                Kind::Usage,
                format!("{} is a folder: nothing was sent", path.display()),
            )
            .hint("name a file in it"));
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(already_there(path));
        }
        let beside = beside(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            force,
            beside,
        })
    }

    /// The file, to be written.
    pub fn file(&mut self) -> &mut File {
        self.beside.as_file_mut()
    }

    /// Puts another file in place of this one, made by `write` from it.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn rewrite(
        &mut self,
        write: impl FnOnce(&mut File, &mut File) -> io::Result<()>,
    ) -> Result<()> {
        let rewritten = beside(&self.path).and_then(|mut next| {
            write(self.beside.as_file_mut(), next.as_file_mut())?;
            Ok(next)
        });
        self.beside = rewritten.map_err(|error| unwritable(&self.path, &error))?;
        Ok(())
    }

    /// Gives the file its name; returns its length.
    ///
    /// # Errors
    /// [`Kind::Usage`] when a file of that name has appeared meanwhile; a failure of this machine.
    pub fn publish(self) -> Result<u64> {
        let Self {
            path,
            force,
            beside,
        } = self;
        let whole = beside
            .as_file()
            .sync_all()
            .and_then(|()| beside.as_file().metadata());
        let length = whole.map_err(|error| unwritable(&path, &error))?.len();
        let kept = if force {
            beside.persist(&path)
        } else {
            beside.persist_noclobber(&path)
        };
        match kept {
            Ok(_) => Ok(length),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(appeared(&path))
            }
            Err(error) => Err(unwritable(&path, &error.error)),
        }
    }
}

/// A file in the folder of `path`, so that it can get that name in one step; readable as the user's other files are.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(UNNAMED).suffix(".part").tempfile_in(folder)
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::machine(&format!("write {}", path.display()), error)
}

fn already_there(path: &Path) -> Error {
    Error::new(
        Kind::Usage,
        format!("{} is there already: nothing was sent", path.display()),
    )
    .hint("choose another name, or replace it with --force")
}

fn appeared(path: &Path) -> Error {
    Error::new(
        Kind::Usage,
        format!(
            "{} has appeared meanwhile: it was left as it is",
            path.display()
        ),
    )
    .hint("choose another name, or replace it with --force")
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;

    #[test]
    fn a_file_appears_whole_and_replaces_nothing_unasked() {
        let root = tempfile::tempdir().expect("directory");
        let path = root.path().join("out.csv");
        let mut output = OutputFile::begin(&path, false).expect("begin");
        output.file().write_all(b"one").expect("write");
        assert!(!path.exists());
        assert_eq!(output.publish(), Ok(3));
        assert_eq!(
            OutputFile::begin(&path, false).expect_err("there").kind,
            Kind::Usage
        );
        let mut output = OutputFile::begin(&path, true).expect("begin");
        output.file().write_all(b"two").expect("write");
        drop(output);
        assert_eq!(fs::read(&path).expect("read"), b"one");
        assert_eq!(fs::read_dir(root.path()).expect("list").count(), 1);
    }

    #[test]
    fn a_folder_is_no_file() {
        let root = tempfile::tempdir().expect("directory");
        assert_eq!(
            OutputFile::begin(root.path(), true)
                .expect_err("folder")
                .kind,
            Kind::Usage
        );
        let missing = root.path().join("missing/out.csv");
        assert_eq!(
            OutputFile::begin(&missing, true).expect_err("missing").kind,
            Kind::Machine
        );
    }
}
