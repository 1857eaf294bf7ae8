//! Free disk space, and sizes as text.

use std::{
    fmt,
    fs::{self, File},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf, absolute},
};

/// A mounted file system and what it has free for this user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// The folder where it is mounted; for a subvolume its own.
    pub mounted_at: PathBuf,
    /// Free bytes.
    pub free: u64,
    /// Whether it has no inode left, so that no file can be added.
    pub lacks_inodes: bool,
}

impl FileSystem {
    /// The file system of a path, or of the nearest folder above it that exists; `None` for a device, which has none of its own.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        // `None` does not prevent a write: a full disk reports its own error.
        let path = absolute(path).ok()?;
        let found = path.ancestors().find(|path| path.exists())?;
        let found = fs::canonicalize(found).ok()?;
        let metadata = fs::metadata(&found).ok()?;
        if !(metadata.is_file() || metadata.is_dir()) {
            return None;
        }
        let is_same =
            |path: &&Path| fs::metadata(path).is_ok_and(|above| above.dev() == metadata.dev());
        let mounted_at = found.ancestors().take_while(is_same).last()?.to_owned();
        let stat = rustix::fs::statvfs(&found).ok()?;
        Some(Self {
            mounted_at,
            free: stat.f_bavail.saturating_mul(stat.f_frsize),
            lacks_inodes: stat.f_files > 0 && stat.f_favail == 0,
        })
    }

    /// The file system of an open file, even one without a name; `None` where the system does not tell its folder.
    #[must_use]
    pub fn of_file(file: &File) -> Option<Self> {
        use std::os::fd::AsRawFd;
        let path = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
        Self::of(&path)
    }
}

impl fmt::Display for FileSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.mounted_at.display();
        if self.lacks_inodes {
            return write!(f, "the file system at {at} has no inodes free");
        }
        write!(f, "the file system at {at} has {} free", size(self.free))
    }
}

/// The free bytes for this user in the file system of `path`.
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    FileSystem::of(path).map(|system| system.free)
}

/// A size with one decimal, in the largest fitting unit.
#[must_use]
pub fn size(number: u64) -> String {
    const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fits = |(shift, _): &(u32, &str)| number >> shift > 0;
    let Some((shift, unit)) = UNITS.into_iter().find(fits) else {
        return format!("{number} B");
    };
    let half = 1_u128 << (shift - 1);
    let tenths = (u128::from(number) * 10 + half) >> shift;
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_is_named_by_its_mount_point() {
        let root = tempfile::tempdir().expect("directory");
        let file_system = FileSystem::of(&root.path().join("not/there")).expect("a file system");
        let temporary = fs::canonicalize(root.path()).expect("a path");
        assert!(
            temporary.starts_with(&file_system.mounted_at),
            "{file_system:?}"
        );
        let device = |path: &Path| fs::metadata(path).expect("metadata").dev();
        let above = file_system.mounted_at.parent();
        assert_eq!(device(&file_system.mounted_at), device(&temporary));
        assert!(above.is_none_or(|above| device(above) != device(&temporary)));
        let unnamed = tempfile::tempfile_in(root.path()).expect("file");
        let of_file = FileSystem::of_file(&unnamed).expect("a file system");
        assert_eq!(of_file.mounted_at, file_system.mounted_at);
        assert_eq!(FileSystem::of(Path::new("/dev/full")), None);
        let full = FileSystem {
            free: 3 << 10,
            mounted_at: "/mnt/small".into(),
            lacks_inodes: false,
        };
        assert_eq!(
            full.to_string(),
            "the file system at /mnt/small has 3.0 KiB free"
        );
        let full = FileSystem {
            lacks_inodes: true,
            ..full
        };
        assert_eq!(
            full.to_string(),
            "the file system at /mnt/small has no inodes free"
        );
    }

    #[test]
    fn sizes_have_one_decimal() {
        for (number, expected) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_600_000_000, "1.5 GiB"),
            (1_048_576, "1.0 MiB"),
            (u64::MAX, "16777216.0 TiB"),
        ] {
            assert_eq!(size(number), expected);
        }
    }
}
