//! The engine against the service: what reaches the wire, what is believed of the answers, what stays on the disk.

mod access;
mod ahead;
mod days;
mod exports;
mod feed;
mod headers;
mod kept;
mod lines;
mod links;
mod local;
mod local_export;
mod lookups;
mod meanings;
mod publishing;
mod resume;
mod retries;
mod since;
mod spoilt;
mod stand;
mod surroundings;
mod tag_views;
mod trust;
mod upkeep;
mod views;
mod wire;
