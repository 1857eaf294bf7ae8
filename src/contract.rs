//! How to ask: hosts, token, endpoints, the catalogue of feeds, the rules of exports, the meaning of a refusal.
//!
//! The service's interface as values, in both directions: a client turns an [`Endpoint`] into a request target, the
//! embedded service parses it back. Nothing here sends anything or touches a file.

pub mod cadence;
pub mod catalog;
pub mod endpoint;
pub mod export;
pub mod export_field;
pub mod export_rules;
pub mod host;
pub mod refusal;
pub mod token;
pub mod vocabulary;

pub use cadence::Freshness;
pub use catalog::{Feed, Format};
pub use endpoint::{Endpoint, Geolocation, LookupQuery, NotOffered, Resource, Unrouted};
pub use export::{ExportQuery, Param, ParamValue};
pub use export_field::{ExportField, Output};
pub use export_rules::{Conflict, Fix, Rule, Severity};
pub use host::{BaseUrl, Host};
pub use refusal::Refusal;
pub use token::Token;
