//! Signed links to the storage: they give access to one file until they expire, and cannot be forged.

use std::hash::{BuildHasher, RandomState};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::file_id::FileId;

/// How long a link is good for, in seconds.
const LIFETIME: i64 = 300;

/// Signs links and checks them, with a secret that dies with the service.
#[derive(Debug)]
pub(crate) struct Signer([u8; 32]);

/// Why a link does not open the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLink {
    /// No such file, no signature, or not this service's.
    Unsigned,
    /// It was good once.
    Expired,
}

impl Signer {
    /// A signer with a secret of its own, from the keys that the system gives to hash maps.
    pub(crate) fn new() -> Self {
        let mut secret = Sha256::new();
        for part in 0..4_u64 {
            secret.update(RandomState::new().hash_one(part).to_le_bytes());
        }
        Self(secret.finalize().into())
    }

    /// Path and query at which the storage has a file, as of now.
    pub(crate) fn sign(&self, file: FileId, now: Timestamp) -> String {
        let expires = now.as_second() + LIFETIME;
        format!(
            "/{file}?expires={expires}&signature={}",
            self.signature(file, expires)
        )
    }

    pub(crate) fn check(&self, target: &str, now: Timestamp) -> Result<FileId, BadLink> {
        let read = || {
            let (path, query) = target.strip_prefix('/')?.split_once('?')?;
            let (expires, signature) = query.strip_prefix("expires=")?.split_once("&signature=")?;
            Some((
                FileId::parse(path)?,
                expires.parse::<i64>().ok()?,
                signature,
            ))
        };
        let (file, expires, signature) = read().ok_or(BadLink::Unsigned)?;
        if signature != self.signature(file, expires) {
            return Err(BadLink::Unsigned);
        }
        if now.as_second() > expires {
            Err(BadLink::Expired)
        } else {
            Ok(file)
        }
    }

    /// Hashed twice around the secret, so that a signature cannot be drawn out to a longer path.
    fn signature(&self, file: FileId, expires: i64) -> String {
        let inner = Sha256::new()
            .chain_update(self.0)
            .chain_update(format!("{file}?{expires}"))
            .finalize();
        let outer = Sha256::new()
            .chain_update(self.0)
            .chain_update(inner)
            .finalize();
        hex(&outer)
    }
}

/// Bytes as lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| {
        digits + &format!("{byte:02x}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_link_as_it_was_signed_opens_the_storage() {
        let signer = Signer::new();
        let now = Timestamp::from_second(1_800_000_000).expect("timestamp");
        let file = FileId::parse("anonymous/20261120/feed.json.gz").expect("file");
        let link = signer.sign(file, now);
        assert_eq!(signer.check(&link, now), Ok(file));
        let later = Timestamp::from_second(now.as_second() + LIFETIME + 1).expect("timestamp");
        assert_eq!(signer.check(&link, later), Err(BadLink::Expired));
        for tampered in [
            link.replace("20261120", "20261119"),
            link.replace("expires=1", "expires=2"),
            link.replace('?', "&"),
        ] {
            assert_eq!(
                signer.check(&tampered, now),
                Err(BadLink::Unsigned),
                "{tampered}"
            );
        }
        assert_eq!(Signer::new().check(&link, now), Err(BadLink::Unsigned));
    }
}
