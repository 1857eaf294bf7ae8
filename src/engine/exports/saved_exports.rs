//! Exports that are kept to be run again: presets with a name, and those that were run. They are lines of the log, which is kept by
//! profile and service; nothing of what was exported is in it.

use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    Exports,
    run::{ExportFileRun, ExportOrigin, ExportRun},
};
use crate::{
    contract::{Endpoint, ExportQuery, Host},
    engine::error::{ErrorContext, Result},
    store::EntryLog,
    store::{Generation, Moment},
};

const PRESET: &str = "export-preset";
const RUN: &str = "export-run";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedExports {
    /// The presets, by name.
    pub presets: Vec<Preset>,
    /// The exports that were run, the latest first.
    pub runs: Vec<PastRun>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    pub name: String,
    pub query: ExportQuery,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRun {
    /// What was asked for.
    pub query: ExportQuery,
    pub at: Timestamp,
    pub file: PathBuf,
    pub records: Option<u64>,
    /// Whether a local release answered.
    pub is_local: bool,
    /// That release, and from when its age counts; runs of earlier versions do not name it.
    pub release: Option<(Moment, Generation)>,
}

impl Exports {
    /// The presets and the exports that were run with this profile and service.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn saved(&self) -> Result<SavedExports> {
        let log = self.log();
        let read = log.read(&[PRESET, RUN]).at("read", log.path())?;
        let mut saved = SavedExports::default();
        for entry in read.entries {
            match entry.kind.as_str() {
                PRESET => {
                    // The last one of a name holds; one without a request deletes it.
                    let name = entry.value["name"].as_str().unwrap_or_default();
                    let preset = preset_of(&entry.value);
                    if preset.is_some() || entry.value["request"].is_null() {
                        saved.presets.retain(|preset| preset.name != name);
                    }
                    saved.presets.extend(preset);
                }
                _ => saved.runs.extend(run_of(&entry.value)),
            }
        }
        saved.presets.sort_by(|a, b| a.name.cmp(&b.name));
        saved.runs.reverse();
        Ok(saved)
    }

    /// Keeps an export under a name, in place of another one of that name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn save_preset(&self, name: &str, query: &ExportQuery) -> Result<()> {
        let value = json!({"name": name, "request": target_of(query)});
        let log = self.log();
        log.append(PRESET, value).at("write", log.path())
    }

    /// Deletes the preset of a name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn delete_preset(&self, name: &str) -> Result<()> {
        let log = self.log();
        log.append(PRESET, json!({"name": name}))
            .at("write", log.path())
    }

    /// Keeps that an export was run.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remember_run(&self, run: &ExportRun, exported: &ExportFileRun) -> Result<()> {
        let (release, generated) = match &exported.origin {
            ExportOrigin::Disk {
                day, generation, ..
            } => {
                let known = generation.is_known.then(|| generation.at.to_string());
                (Some(day.to_string()), known)
            }
            ExportOrigin::Service { .. } => (None, None),
        };
        let value = json!({
            "request": target_of(&run.query),
            "at": exported.asked_at.to_string(),
            "file": exported.file.to_string_lossy(),
            "records": exported.records,
            "local": release.is_some(),
            "release": release,
            "generated": generated,
        });
        let log = self.log();
        log.append(RUN, value).at("write", log.path())
    }

    fn log(&self) -> EntryLog {
        EntryLog::new(&self.settings.paths.state, self.settings.owner())
    }
}

fn target_of(query: &ExportQuery) -> String {
    Endpoint::Export(query.clone()).target()
}

/// Reads a request back; one that this version does not know is none.
fn query_of(value: &Value) -> Option<ExportQuery> {
    match Endpoint::parse(Host::Exports, value["request"].as_str()?) {
        Ok(Endpoint::Export(query)) => Some(query),
        _ => None,
    }
}

fn preset_of(value: &Value) -> Option<Preset> {
    Some(Preset {
        name: value["name"].as_str()?.to_owned(),
        query: query_of(value)?,
    })
}

fn run_of(value: &Value) -> Option<PastRun> {
    let release = value["release"].as_str().and_then(Moment::parse);
    let generated: Option<Timestamp> = match value["generated"].as_str() {
        Some(text) => Some(text.parse().ok()?),
        None => None,
    };
    Some(PastRun {
        query: query_of(value)?,
        at: value["at"].as_str()?.parse().ok()?,
        file: value["file"].as_str()?.into(),
        records: value["records"].as_u64(),
        is_local: value["local"].as_bool()?,
        release: release.map(|moment| (moment, generated.map_or(moment.generation(), Into::into))),
    })
}
