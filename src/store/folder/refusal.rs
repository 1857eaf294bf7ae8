//! Why a file or a folder of this program is not used. The reason is wrapped in an I/O error and can be extracted again.

use std::io;

/// Why an existing file or folder is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// It is a link; links are followed only up to the roots.
    #[error("it is a link, which is not followed here")]
    Link,
    /// It is a FIFO, a device, a socket or a folder instead of a file.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is not a folder.
    #[error("it is not a folder")]
    NotAFolder,
    /// Everyone may write to the folder.
    #[error("this folder is writable by everyone")]
    OpenToAll,
    /// The folder belongs to another user.
    #[error("the folder belongs to another user")]
    OfAnother,
    /// It exceeds the size limit of its kind.
    #[error("it is too long for a file of its kind")]
    TooLong,
}

impl Unsafe {
    /// The reason inside an I/O error, if there is one.
    #[must_use]
    pub fn behind(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// What to do about it.
    #[must_use]
    pub fn mend(self) -> &'static str {
        match self {
            Self::Link => "remove the link, or name its target folder",
            Self::NotAFile | Self::NotAFolder | Self::TooLong => "move it away, then start again",
            Self::OpenToAll | Self::OfAnother => "use a folder of mode 0700 in it",
        }
    }
}

impl From<Unsafe> for io::Error {
    fn from(why: Unsafe) -> Self {
        Self::other(why)
    }
}
