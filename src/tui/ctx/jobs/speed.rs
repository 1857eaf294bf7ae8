//! The speed of a transfer.

use jiff::Timestamp;

/// A smoothed rate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Speed {
    last: Option<(Timestamp, u64)>,
    bytes_per_second: Option<f64>,
}

impl Speed {
    const WEIGHT: f64 = 0.3;

    /// Bytes per second; `None` until it is measured.
    pub(super) fn bytes_per_second(self) -> Option<f64> {
        self.bytes_per_second
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    /// Notes the number of bytes done at this time.
    pub(super) fn follow(&mut self, now: Timestamp, done: u64) {
        if let Some((at, before)) = self.last {
            let seconds = now.duration_since(at).as_secs_f64();
            if seconds < 0.2 {
                return;
            }
            let rate = done.saturating_sub(before) as f64 / seconds;
            let smooth = self
                .bytes_per_second
                .map_or(rate, |old| old + Self::WEIGHT * (rate - old));
            self.bytes_per_second = Some(smooth);
        }
        self.last = Some((now, done));
    }
}
