//! Free disk space, and sizes as text.

use std::{fs::File, path::Path};

/// The free bytes for this user in the file system of `path`.
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    let found = path.ancestors().find(|path| path.exists())?;
    // `None` does not prevent a write: a full disk reports its own error.
    let stat = rustix::fs::statvfs(found).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// The free bytes for this user in the file system of an open file.
#[must_use]
pub fn free_beside(file: &File) -> Option<u64> {
    let stat = rustix::fs::fstatvfs(file).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
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
