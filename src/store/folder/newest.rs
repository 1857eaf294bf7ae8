//! A folder that keeps its newest files.

use std::io;

use super::{Folder, replacement::TEMPORARY};

impl Folder {
    /// Removes the oldest files where there are more than so many, or more than so many bytes; never the newest. Another process may be
    /// doing the same.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn keep_newest(&self, most: usize, most_bytes: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for name in self.names()? {
            let is_temporary = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
            if let Some(stat) = self.stat(&name)?.filter(|_| !is_temporary) {
                let length = u64::try_from(stat.st_size).unwrap_or(0);
                files.push((stat.st_mtime, stat.st_mtime_nsec, length, name));
            }
        }
        files.sort_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (index, (.., length, name)) in files.iter().enumerate() {
            bytes += length;
            if index >= most || (bytes > most_bytes && index > 0) {
                self.remove(name)?;
            }
        }
        Ok(())
    }
}
