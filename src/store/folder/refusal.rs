//! Why a file or a folder of ours is not used: in an error of the system, from which it can be taken out again.

use std::io;

/// Why a file or a folder is not used, though it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsafe {
    /// It is a link, and links are followed only to the roots.
    #[error("it is a link, which is not followed here")]
    Link,
    /// It is a FIFO, a device, a socket or a folder, where a file belongs.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is no folder, and one belongs here.
    #[error("it is not a folder")]
    NotAFolder,
    /// Everybody may write into the folder.
    #[error("this folder is writable by everyone")]
    OpenToAll,
    /// The folder belongs to another user.
    #[error("the folder belongs to another user")]
    OfAnother,
    /// It is longer than anything of its kind.
    #[error("it is too long for a file of its kind")]
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
