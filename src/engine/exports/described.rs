//! A file with a description beside it, `FILE.json`: both are written whole, and replace only what this program described before.

use std::{
    fs,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Exports, OutputFile, is_there};
use crate::{
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        threads::off_thread,
    },
    store::checksum::hexadecimal,
};

/// What a description says of who wrote it.
pub const MADE_BY: &str = "ipspect blocklist";
/// The longest description that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A file and its description, which are being written.
#[derive(Debug)]
pub struct DescribedFile {
    pub file: OutputFile,
    pub description: OutputFile,
}

/// What is said beside a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ListDescription {
    /// What this program said, and the sha256 that the file has.
    Known(Value, String),
    None,
    /// Something that this program did not say.
    Unreadable,
}

/// The path of the description of a file.
#[must_use]
fn description_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// The description beside a path, if it is one of this program.
fn about(path: &Path) -> io::Result<Option<Value>> {
    let about = description_of(path);
    if fs::metadata(&about)?.len() > LONGEST {
        return Ok(None);
    }
    let about: Option<Value> = serde_json::from_slice(&fs::read(about)?).ok();
    Ok(about.filter(|about| about["made_by"] == MADE_BY))
}

impl Exports {
    /// Whether a file is there that this program wrote and described.
    #[must_use]
    pub fn is_described(&self, path: &Path) -> bool {
        is_there(path) && about(path).is_ok_and(|about| about.is_some())
    }

    /// What is said of a file beside it, if this program said it, and the sha256 that the file has.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn described(&self, path: &Path) -> Result<ListDescription> {
        let file = fs::File::open(path).at("read", path)?;
        let mut text = BufReader::with_capacity(1 << 16, file);
        let mut hash = Sha256::new();
        loop {
            let piece = text.fill_buf().at("read", path)?;
            if piece.is_empty() {
                break;
            }
            hash.update(piece);
            let read = piece.len();
            text.consume(read);
        }
        let sha256 = hexadecimal(&hash.finalize());
        Ok(match about(path) {
            Ok(Some(about)) => ListDescription::Known(about, sha256),
            Err(error) if error.kind() == io::ErrorKind::NotFound => ListDescription::None,
            Ok(None) | Err(_) => ListDescription::Unreadable,
        })
    }

    /// Begins a file and its description.
    ///
    /// # Errors
    /// [`Kind::Usage`] where either is there and this program did not describe it; a failure of this machine.
    pub fn begin_described(&self, path: &Path) -> Result<DescribedFile> {
        let about = description_of(path);
        let taken = [path, &about].into_iter().find(|path| is_there(path));
        if let Some(taken) = taken {
            let is_ours = match self::about(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                read => read.at("read", &about)?.is_some(),
            };
            if !is_ours {
                let message = format!("{} is there and no list of this program", taken.display());
                return Err(Error::new(Kind::Usage, message)
                    .hint("choose another name: a list is replaced where FILE.json describes it"));
            }
        }
        let paths = &self.settings.paths;
        Ok(DescribedFile {
            file: OutputFile::begin(paths, path, true)?,
            description: OutputFile::begin(paths, &about, true)?,
        })
    }
}

impl DescribedFile {
    /// Gives all of these their names. Whether they are written through is seen before the first of them is named, so that they
    /// appear together.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn publish(files: Vec<Self>) -> Result<()> {
        off_thread(move || {
            let mut files = files;
            for Self { file, description } in &mut files {
                for one in [file, description] {
                    one.sync()?;
                }
            }
            for Self { file, description } in files {
                // A list without its description would be taken for another's the next time.
                description.publish()?;
                file.publish()?;
            }
            Ok(())
        })
        .await
    }
}
