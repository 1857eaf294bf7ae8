//! Realtime windows (contract, part 4.2 rule 4): new detections, seen for some windows and then gone, with less in them
//! than the daily records.

use std::collections::BTreeMap;

use super::{
    DemoRecord, RecordKey, Snapshot,
    record::DemoClient,
    seed::RngExt,
    service::{ServiceKind, services_of},
    system::BlockUse,
};
use crate::model::Window;

/// For how many windows a detection stays.
const STAY: u64 = 3;

/// How many detections each window adds.
const NEW: u64 = 30;

impl Snapshot<'_> {
    /// The detections of a window, each address once, by address.
    pub(crate) fn detections(&self, window: Window) -> Vec<DemoRecord> {
        let minutes = u64::from(Window::MINUTES);
        let number = window.begins().as_second().unsigned_abs() / (60 * minutes);
        let detected = (0..STAY).flat_map(|age| (0..NEW).map(move |index| (number - age, index)));
        let records = detected.map(|(window, index)| self.detection(window, index));
        let by_key: BTreeMap<RecordKey, DemoRecord> =
            records.map(|record| (record.key, record)).collect();
        by_key.into_values().collect()
    }

    fn detection(&self, window: u64, index: u64) -> DemoRecord {
        let mut dice = self.world.seed.dice("detection", &[window, index]);
        let homes: Vec<_> = self
            .world
            .blocks()
            .filter(|block| matches!(block.zoning(), BlockUse::Home | BlockUse::Mobile))
            .collect();
        let block = &homes[dice.usize(..homes.len())];
        let address = block.host(dice.u8(..));
        let service = dice.pick(&services_of(|trade| {
            !ServiceKind::is_datacenter_centric(trade)
        }));
        let plain = DemoRecord::plain(
            RecordKey::Address(address.into()),
            block.system,
            block.place,
            None,
        );
        DemoRecord {
            client: Some(DemoClient {
                proxies: vec![service.tag],
                ..DemoClient::default()
            }),
            risks: Some(vec!["CALLBACK_PROXY"]),
            location: dice.percent(40).then(|| block.place.location()),
            ..plain
        }
    }
}
