//! Tests of the whole program, from outside: the real binary against real sockets and in a real pseudo-terminal.

mod cli_contract;
mod cli_diff;
mod cli_enrich;
mod cli_export;
mod cli_export_local;
mod cli_feeds;
mod cli_interrupted;
mod cli_local;
mod cli_lookup;
mod cli_parquet;
mod cli_records;
mod cli_releases;
mod cli_search;
mod cli_services;
mod cli_session;
mod damage;
mod engine;
mod explorer;
mod fake;
mod here;
mod index;
mod layers;
mod pty;
mod screen;
mod service;
mod state;
