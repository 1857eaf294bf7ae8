//! Which records an export wants, and the row that a record becomes (contract, part 2.11).

use ipnet::IpNet;
use serde_json::Value;

use crate::{
    contract::{ExportField, ExportQuery, Feed, Output},
    demo::world::{DemoRecord, Netblock, RecordKey},
    model::{TagName, export_row::RowChange},
};

/// A row: what it is about, and its cells in the order of the columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DemoRow {
    pub(super) network: IpNet,
    pub(super) cells: Vec<Value>,
    /// What a diff says of it.
    pub(super) diff: Option<RowChange>,
}

/// The columns of a query, in the contract's order whatever the order asked. Records of IPv6 types are networks.
pub(super) fn columns(query: &ExportQuery) -> Vec<ExportField> {
    use ExportField as F;
    let by_default: &[F] = match query.feed {
        Feed::Dch => &[F::Network, F::Organization, F::Asn],
        _ => &[
            F::Ip,
            F::Tag,
            F::Infrastructure,
            F::Services,
            F::ClientCount,
            F::LocationCity,
            F::LocationState,
            F::LocationCountry,
        ],
    };
    // The contract lists the columns of CSV, and callbackProxy is none of them; the record has it (part 2.11).
    let has_proxy = query.feed.is_residential() && query.output != Output::Csv;
    let is_asked = |field: &F| {
        if query.fields.is_empty() {
            by_default.contains(field) || has_proxy && *field == F::CallbackProxy
        } else {
            query.fields.contains(field)
        }
    };
    let named = |field| match field {
        F::Ip if query.feed.is_ipv6() => F::Network,
        field => field,
    };
    let columns = F::ALL.into_iter().filter(is_asked);
    columns.map(named).collect()
}

/// Whether the filter lets a record through.
pub(super) fn is_wanted(record: &DemoRecord, query: &ExportQuery) -> bool {
    let tunnels = record.tunnels.as_deref().unwrap_or_default();
    let named = |tags: &[TagName], tag: &str| tags.iter().any(|wanted| wanted.as_str() == tag);
    let operated = tunnels
        .iter()
        .filter_map(|tunnel| tunnel.operator)
        .any(|operator| named(&query.tags, operator));
    let proxies = record
        .client
        .as_ref()
        .map(|client| client.proxies.as_slice())
        .unwrap_or_default();
    let country = record
        .location
        .as_ref()
        .map_or("", |location| location.country);
    (query.tags.is_empty() || operated)
        && (query.callback_proxies.is_empty()
            || proxies
                .iter()
                .any(|proxy| named(&query.callback_proxies, proxy)))
        && (query.ccs.is_empty()
            || query
                .ccs
                .iter()
                .any(|wanted| wanted.eq_ignore_ascii_case(country)))
        && (!query.attributed
            || tunnels
                .iter()
                .any(|tunnel| tunnel.kind == "VPN" && tunnel.operator.is_some()))
}

impl DemoRow {
    pub(super) fn of_record(
        record: &DemoRecord,
        columns: &[ExportField],
        diff: Option<RowChange>,
    ) -> Self {
        Self {
            network: record.key.network(),
            cells: columns.iter().map(|field| cell(record, *field)).collect(),
            diff,
        }
    }

    pub(super) fn of_netblock(netblock: &Netblock, columns: &[ExportField]) -> Self {
        let cell = |field: &ExportField| match field {
            ExportField::Organization => netblock.organization.into(),
            ExportField::Asn => netblock.asn.into(),
            _ => netblock.network.to_string().into(),
        };
        Self {
            network: netblock.network,
            cells: columns.iter().map(cell).collect(),
            diff: None,
        }
    }
}

fn cell(record: &DemoRecord, field: ExportField) -> Value {
    let location = record.location.as_ref();
    match field {
        ExportField::Ip => match record.key {
            RecordKey::Address(address) => address.to_string().into(),
            RecordKey::Network(network) => network.to_string().into(),
        },
        ExportField::Network => record.key.network().to_string().into(),
        ExportField::Tag => {
            let mut tunnels = record.tunnels.iter().flatten();
            tunnels.find_map(|tunnel| tunnel.operator).into()
        }
        ExportField::CallbackProxy => record
            .client
            .as_ref()
            .and_then(|client| client.proxies.first().copied())
            .into(),
        ExportField::Infrastructure => record.infrastructure.into(),
        ExportField::Services => record.services.clone().unwrap_or_default().into(),
        ExportField::ClientCount => record.client_count().into(),
        ExportField::LocationCity => location.and_then(|location| location.city).into(),
        ExportField::LocationState => location.and_then(|location| location.state).into(),
        ExportField::LocationCountry => location.map(|location| location.country).into(),
        // Fields of netblocks, which a query for addresses is refused for.
        ExportField::Organization | ExportField::Asn => Value::Null,
    }
}
