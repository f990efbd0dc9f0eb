//! Lanes: further in-order queues of a device, by which transfers of one part of the work run beside kernels of another.

use std::sync::{Arc, OnceLock, PoisonError};

use super::ahead::Ahead;
use super::executor::{OpenCl, Opened};
use super::objects::Queue;
use super::pinned::Staging;
use crate::error::DeviceError;

impl OpenCl {
    /// The first `count` lanes beside the device's own queue, made where they do not exist yet.
    pub(crate) fn lanes(&self, count: usize) -> Result<Vec<Arc<Self>>, DeviceError> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        while lanes.len() < count {
            lanes.push(Arc::new(self.lane()?));
        }
        Ok(lanes[..count].to_vec())
    }

    /// The device with its own queue, blocks and staging; context, programs, memory and facts are shared.
    fn lane(&self) -> Result<Self, DeviceError> {
        let opened = self.opened()?;
        let lane = Opened {
            fill: OnceLock::new(),
            programs: Arc::clone(&opened.programs),
            pool: opened.pool.beside(),
            staging: Staging::default(),
            ahead: Ahead::default(),
            queue: Arc::new(Queue::of(&opened.context, self.raw_id(), self.name())?),
            transfers: Queue::of(&opened.context, self.raw_id(), self.name())?,
            context: Arc::clone(&opened.context),
        };
        Ok(Self {
            proof: Arc::clone(&self.proof),
            broken: self.broken.clone(),
            opened: OnceLock::from(Ok(lane)),
            local_limit: self.local_limit.clone(),
            is_limited: self.is_limited,
            machine: Arc::clone(&self.machine),
            ..Self::new(self.raw_id(), self.info.clone(), Arc::clone(&self.start))
        })
    }
}
