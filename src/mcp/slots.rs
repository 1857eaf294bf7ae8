//! The calls that are answered at once.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// A place among them.
#[derive(Debug)]
pub(super) struct Slot {
    all: Arc<Semaphore>,
    own: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Slot {
    /// Waits for a place; `None` where there will be none.
    pub(super) async fn of(all: &Arc<Semaphore>) -> Option<Arc<Self>> {
        let own = Arc::clone(all).acquire_owned().await.ok()?;
        Some(Arc::new(Self {
            all: Arc::clone(all),
            own: Mutex::new(Some(own)),
        }))
    }

    /// Waits for something, such as a person, and leaves the place to others meanwhile.
    pub(super) async fn aside<T>(&self, waiting: impl Future<Output = T>) -> T {
        drop(self.own.lock().await.take());
        let value = waiting.await;
        *self.own.lock().await = Arc::clone(&self.all).acquire_owned().await.ok();
        value
    }
}
