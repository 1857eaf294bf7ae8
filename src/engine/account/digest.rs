//! What stands for a token or a question in files: a keyed digest, from which neither can be found without the key.
//!
//! The key is random, made once, and lies in the state directory for its owner only. A digest is of a token at a service,
//! so that rights of one token are never shown for another. It must never be shown or leave this machine.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

use crate::{
    contract::{Endpoint, Token},
    store::{
        Folder,
        checksum::hexadecimal,
        folder::{Durability, Replacement, temporary},
    },
};

/// The name of the key's file.
const KEY: &str = "key";
const KEY_BYTES: usize = 32;
/// The block of SHA-256, to which HMAC pads its key.
const BLOCK: usize = 64;

/// The digest of a token at a service, with the identity of the key behind a point: see [`key_of`].
///
/// # Errors
/// A failure of the system with the key.
pub(super) fn of(state: &Path, token: &Token, service: &str) -> io::Result<String> {
    let key = key(&Folder::make_root(state)?)?;
    let message = [token.expose().as_bytes(), b"\0", service.as_bytes()].concat();
    let (digest, identity) = (hmac(&key, &message), hmac(&key, b"key"));
    let [digest, identity] = [&digest[..16], &identity[..4]].map(hexadecimal);
    Ok(format!("{digest}.{identity}"))
}

/// The key for the digests of questions.
pub(super) struct QuestionKey([u8; KEY_BYTES]);

impl QuestionKey {
    /// # Errors
    /// A failure of the system with the key.
    pub(super) fn read(state: &Path) -> io::Result<Self> {
        key(&Folder::make_root(state)?).map(Self)
    }

    /// The digest of a question.
    pub(super) fn digest(&self, endpoint: &Endpoint) -> String {
        let message = [b"question\0", endpoint.target().as_bytes()].concat();
        hexadecimal(&hmac(&self.0, &message)[..16])
    }
}

/// The identity of the key that a digest was made with; digests of earlier versions do not name it.
pub(super) fn key_of(digest: &str) -> Option<&str> {
    Some(digest.split_once('.')?.1)
}

/// The key, made where there is none. One that is damaged is replaced: then nothing is known of any token any more.
fn key(folder: &Folder) -> io::Result<[u8; KEY_BYTES]> {
    if let Some(key) = read_key(folder)? {
        return Ok(key);
    }
    let mut replacement = Replacement::begin(folder, temporary(KEY.as_ref()))?;
    // Another process may have made one while this one waited.
    if let Some(key) = read_key(folder)? {
        return Ok(key);
    }
    let mut key = [0; KEY_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    replacement.file.write_all(hexadecimal(&key).as_bytes())?;
    replacement.publish(KEY, Durability::Cached)?;
    Ok(key)
}

fn read_key(folder: &Folder) -> io::Result<Option<[u8; KEY_BYTES]>> {
    let text = folder.read(KEY, 4 << 10)?.unwrap_or_default();
    let mut key = [0; KEY_BYTES];
    if text.len() != 2 * KEY_BYTES {
        return Ok(None);
    }
    for (byte, pair) in key.iter_mut().zip(text.chunks(2)) {
        let digits = std::str::from_utf8(pair).ok();
        match digits.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(value)) => *byte = value,
            _ => return Ok(None),
        }
    }
    Ok(Some(key))
}

/// HMAC with SHA-256 (RFC 2104), for a key that is shorter than a block.
fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; BLOCK];
        for (own, byte) in block.iter_mut().zip(key) {
            *own ^= byte;
        }
        block
    };
    let inner = Sha256::new()
        .chain_update(padded(0x36))
        .chain_update(message)
        .finalize();
    let outer = Sha256::new()
        .chain_update(padded(0x5c))
        .chain_update(inner)
        .finalize();
    outer.into()
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn token(text: &str) -> Token {
        Token::new(text).expect("token")
    }

    #[test]
    fn the_digest_is_that_of_the_standard() {
        // RFC 4231, test case 2.
        assert_eq!(
            hexadecimal(&hmac(b"Jefe", b"what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_token_at_a_service_has_one_digest_on_one_machine() {
        let dirs = [(); 2].map(|()| tempfile::tempdir().expect("directory"));
        let [here, there] = dirs.each_ref().map(tempfile::TempDir::path);
        let own = of(here, &token("a"), "s").expect("digest");
        assert_eq!(of(here, &token("a"), "s").expect("digest"), own);
        for other in [
            of(here, &token("b"), "s"),
            of(here, &token("a"), "t"),
            of(there, &token("a"), "s"),
        ] {
            assert_ne!(other.expect("digest"), own);
        }
        let key = here.join(KEY);
        assert_eq!(
            fs::metadata(&key).expect("key").permissions().mode() & 0o777,
            0o600
        );
        fs::write(&key, "damaged").expect("write");
        let renewed = of(here, &token("a"), "s").expect("a new key");
        assert_ne!(renewed, own);
        let other = of(there, &token("b"), "t").expect("digest");
        let another = of(there, &token("a"), "s").expect("digest");
        assert_eq!(key_of(&other), key_of(&another));
        assert_ne!(key_of(&renewed), key_of(&own));
    }
}
