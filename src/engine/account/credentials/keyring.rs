//! The system's keyring, for those who build with the feature of that name. One entry for each profile, named as its
//! token file would be. Calls wait for the keyring's daemon, which may ask a person to unlock it.

use std::path::Path;

use keyring::{Entry, Error as Refusal};

use crate::engine::error::{Error, Kind, Result};

const SERVICE: &str = "ipspect";

fn entry(file: &Path) -> keyring::Result<Entry> {
    let name = file
        .file_name()
        .map_or_else(|| "token".into(), |name| name.to_string_lossy());
    Entry::new(SERVICE, &name)
}

/// The token kept there, if there is one. A machine without a keyring keeps none.
///
/// # Errors
/// When there is a keyring that cannot be read.
pub(super) fn read(file: &Path) -> Result<Option<String>> {
    match entry(file).and_then(|entry| entry.get_password()) {
        Ok(token) => Ok(Some(token)),
        Err(Refusal::NoEntry | Refusal::NoDefaultStore) => Ok(None),
        Err(error) => Err(Error::new(
            Kind::Machine,
            format!("the keyring cannot be read: {error}"),
        )),
    }
}

/// Keeps a token there; returns whether there is a keyring that did.
pub(super) fn store(file: &Path, text: &str) -> bool {
    entry(file)
        .and_then(|entry| entry.set_password(text))
        .is_ok()
}

/// Removes what is kept there; returns whether there was something.
///
/// # Errors
/// When the keyring has it and does not let it go.
pub(super) fn remove(file: &Path) -> Result<bool> {
    match entry(file).and_then(|entry| entry.delete_credential()) {
        Ok(()) => Ok(true),
        Err(Refusal::NoEntry | Refusal::NoDefaultStore) => Ok(false),
        // Without a keyring there is nothing in it.
        Err(_) if matches!(read(file), Ok(None)) => Ok(false),
        Err(error) => Err(Error::new(
            Kind::Machine,
            format!("the token could not be removed from the keyring: {error}"),
        )),
    }
}
