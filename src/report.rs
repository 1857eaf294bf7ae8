//! What is known, in words for a person: values, facts, ticket notes. Both fronts speak through it, so that they say the same.
//!
//! What the service did not say is shown as not said, and nothing is ever called clean. Text from outside is made
//! visible here, where it becomes part of a line. Nothing here prints, draws or asks.

mod age;
mod answer;
mod cell;
mod curl;
mod facts;
mod fields;
mod parameters;
mod reading;
mod ticket;

pub use self::{
    age::age,
    answer::{
        NOTHING, NOTHING_HERE, kept_ticket, local_tag_ticket, local_ticket, lookup_ticket,
        tag_ticket,
    },
    cell::{Cell, bytes, count, each, minute, moment},
    curl::curl,
    facts::{Fact, of_geo, of_hosting, of_record, of_tag},
    fields::{Labelled, about, of_clients, of_network, stated},
    parameters::{PARAMETERS, Parameter},
    reading::{COLUMNS, Reading, Values, tunnels, value, values},
    ticket::{Ticket, defanged, escaped},
};
