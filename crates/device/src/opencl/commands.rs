//! Single commands on a device's queue: writes, reads and copies, noted where a profile is on.

use super::calls::failure;
use super::executor::OpenCl;
use super::memory::NO_MEMORY;
use super::objects::{Event, Memory, Queue};
use crate::error::DeviceError;
use crate::profile::Kind;

impl OpenCl {
    /// Runs an enqueuing call and records its event if a profile is on.
    pub(super) fn enqueue(
        &self,
        kind: Kind,
        name: &'static str,
        bytes: u64,
        call: impl FnOnce(&Queue, Option<&mut Event>) -> Result<(), i32>,
    ) -> Result<(), DeviceError> {
        let queue = &self.opened()?.queue;
        let mut event = self.recorder.is_on().then(|| queue.event());
        call(queue, event.as_mut()).map_err(|code| match code {
            // Drivers that allocate at first use report missing memory only now.
            NO_MEMORY => DeviceError::OutOfMemory {
                device: self.name().to_owned(),
                wanted_bytes: bytes,
                free_or_limit_bytes: self.info().memory_bytes.saturating_sub(self.allocated_bytes()),
                reason: "what the driver could allocate at first use",
            },
            code => failure(code, name, self.name()),
        })?;
        if let Some(event) = event {
            self.recorder.event(kind, kind.name(), event, bytes, 0);
        }
        Ok(())
    }

    /// One write of the runtime. When it is not `blocking`, `data` must stay as it is until the queue has done it.
    pub(crate) fn write_from(
        &self,
        memory: &Memory,
        offset: usize,
        data: &[u8],
        blocking: bool,
    ) -> Result<(), DeviceError> {
        // SAFETY: the range lies in the block (buffers check it); a write that does not block is only used on staging
        // memory, which waits for it before it is used again.
        self.enqueue(Kind::Upload, "clEnqueueWriteBuffer", data.len() as u64, |queue, event| unsafe {
            queue.write(memory, offset, data, blocking, None, event)
        })
    }

    /// One read of the runtime. When it is not `blocking`, nobody may look at `out` until the queue has done it.
    pub(crate) fn read_to(
        &self,
        memory: &Memory,
        offset: usize,
        out: &mut [u8],
        blocking: bool,
    ) -> Result<(), DeviceError> {
        // SAFETY: the range lies in the block; a read that does not block is only used on staging memory.
        self.enqueue(Kind::Download, "clEnqueueReadBuffer", out.len() as u64, |queue, event| unsafe {
            queue.read(memory, offset, out, blocking, None, event)
        })
    }

    /// Copies `bytes` bytes between two blocks, or two ranges of one that do not overlap.
    pub(crate) fn copy(
        &self,
        from: &Memory,
        from_offset: usize,
        to: &Memory,
        to_offset: usize,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        if bytes == 0 {
            return Ok(());
        }
        self.enqueue(Kind::Copy, "clEnqueueCopyBuffer", 2 * bytes as u64, |queue, event| {
            queue.copy((from, from_offset), (to, to_offset), bytes, event)
        })
    }
}
