//! Collapsing addresses into CIDR blocks (contract, part 4.3 rule 1): those that share the values of all other columns.

use std::collections::BTreeMap;

use ipnet::IpNet;
use serde_json::Value;

use super::row::DemoRow;

/// The rows of addresses as the fewest rows of networks, by network. The network's column is the first one.
pub(super) fn collapsed(rows: Vec<DemoRow>) -> Vec<DemoRow> {
    let mut alike: BTreeMap<String, (Vec<Value>, Vec<IpNet>)> = BTreeMap::new();
    for row in rows {
        let others = row.cells[1..].to_vec();
        let spelt = Value::from(others.clone()).to_string();
        alike
            .entry(spelt)
            .or_insert_with(|| (others, Vec::new()))
            .1
            .push(row.network);
    }
    let mut collapsed = Vec::new();
    for (others, networks) in alike.into_values() {
        collapsed.extend(
            IpNet::aggregate(&networks)
                .into_iter()
                .map(|network| DemoRow {
                    network,
                    cells: [&[network.to_string().into()], others.as_slice()].concat(),
                    diff: None,
                }),
        );
    }
    collapsed.sort_by_key(|row| row.network);
    collapsed
}
