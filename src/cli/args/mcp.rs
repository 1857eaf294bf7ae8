//! Arguments of `mcp`.

use clap::Args as Group;

/// Arguments of `mcp`
#[derive(Clone, Copy, Debug, Group)]
pub struct McpArgs {
    /// The most paid queries that it may send in this run, each only after a person agreed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub spend: u64,
    /// Print what names this server in the configuration of a client, with the options of this command line
    #[arg(long)]
    pub print_config: bool,
}
