//! Why a file or a folder of ours is not used: in an error of the system, from which it can be taken out again.

use std::{fmt, io};

/// Why a file or a folder is not used, though it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsafe {
    /// It is a link, and links are followed only to the roots.
    Link,
    /// It is a FIFO, a device, a socket or a folder, where a file belongs.
    NotAFile,
    /// It is no folder, and one belongs here.
    NotAFolder,
    /// Everybody may write into the folder.
    OpenToAll,
    /// The folder belongs to somebody else.
    OfAnother,
    /// It is longer than anything of its kind.
    TooLong,
}

impl Unsafe {
    /// The reason behind an error, if it is one of these.
    #[must_use]
    pub fn behind(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// What to do about it.
    #[must_use]
    pub fn mend(self) -> &'static str {
        match self {
            Self::Link => "remove the link, or name the folder that it leads to in its place",
            Self::NotAFile | Self::NotAFolder | Self::TooLong => "move it away, then start again",
            Self::OpenToAll | Self::OfAnother => "use a folder of mode 0700 in it",
        }
    }
}

impl fmt::Display for Unsafe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Link => "it is a link, which is not followed here",
            Self::NotAFile => "it is not a regular file",
            Self::NotAFolder => "it is not a folder",
            Self::OpenToAll => "everybody may write into this folder",
            Self::OfAnother => "the folder belongs to another user",
            Self::TooLong => "it is longer than any file of its kind",
        })
    }
}

impl std::error::Error for Unsafe {}

impl From<Unsafe> for io::Error {
    fn from(why: Unsafe) -> Self {
        Self::other(why)
    }
}
