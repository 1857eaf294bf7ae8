//! Arguments of `enrich`.

use std::path::{Path, PathBuf};

use clap::Args as Group;

use super::local::PickArgs;

/// Arguments of `enrich`
#[derive(Debug, Group)]
#[command(
    after_help = "Finds every address in any text, defanged ones too, each once, in the order in which they come up, and answers\n\
    from the feeds on this disk. Nothing is sent and nothing is spent. What cannot be asked is set aside, with the\n\
    reason: non-public addresses, networks, numbers padded with zeros.\n\
    JSON: {\"query\",\"source\",\"feed\",\"day\",\"cost\",\"balance\",\"elapsed_ms\",\"record\"}, a line for each record, the most specific\n     \
    first; record is null when nothing is known\n\
    CSV: as of `ipspect lookup`\n\
    JSON of --plan: {\"found\",\"unique\",\"public\",\"set_aside\":{reason:count},\"answered\",\"feeds\":[{feed,day,answered}],\"unknown\",\"cost\"}\n\n\
    Examples:\n  ipspect enrich access.log\n  zcat access.log.gz | ipspect enrich --feed anonymous --format json -\n  ipspect enrich access.log --plan"
)]
pub struct EnrichArgs {
    /// The text; standard input without it, or for `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Which feeds to ask
    #[command(flatten)]
    pub pick: PickArgs,
    /// Print how many addresses there are, how many are answered here and how many are not; answer none
    #[arg(long)]
    pub plan: bool,
}

impl EnrichArgs {
    /// The file to be read, unless it is standard input.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| *file != Path::new("-"))
    }
}
