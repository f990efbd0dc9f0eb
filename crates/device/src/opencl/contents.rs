//! Contents of device memory: written, read and filled by the way that is fastest.

use std::sync::{Mutex, PoisonError};

use super::defines::Defines;
use super::executor::OpenCl;
use super::kernel::Kernel;
use super::launch::Launch;
use super::objects::Memory;
use super::staging::TASK;
use crate::error::DeviceError;
use crate::profile::Kind;
use crate::word::WordType;

// SAFETY: `OpenCl::fill` alone launches it, for as many vectors of 16 bytes as lie in the range that it is given.
crate::kernel! {
    /// Fills memory with a pattern of 16 bytes.
    unsafe FILL in manycore_kernels::device::FILL: fill
}

impl OpenCl {
    /// Writes `data` to byte `offset` of `memory`; `data` may change when it returns.
    pub(crate) fn write(&self, memory: &Memory, offset: usize, data: &[u8]) -> Result<(), DeviceError> {
        if data.is_empty() {
            return Ok(());
        }
        if self.stages(data.len())
            && self.write_staged(memory, offset, data.len(), |start, part| {
                part.copy_from_slice(&data[start..start + part.len()]);
            })?
        {
            return Ok(());
        }
        self.write_from(memory, offset, data, true)
    }

    /// Reads `out.len()` bytes from byte `offset` of `memory`, after everything enqueued before.
    pub(crate) fn read(&self, memory: &Memory, offset: usize, out: &mut [u8]) -> Result<(), DeviceError> {
        if out.is_empty() {
            return Ok(());
        }
        if self.stages(out.len()) {
            let len = out.len();
            let parts: Vec<Mutex<&mut [u8]>> = out.chunks_mut(TASK).map(Mutex::new).collect();
            let take = |start: usize, from: &[u8]| {
                parts[start / TASK].lock().unwrap_or_else(PoisonError::into_inner).copy_from_slice(from);
            };
            if self.read_staged(memory, offset, len, take)? {
                return Ok(());
            }
        }
        self.read_to(memory, offset, out, true)
    }

    /// The kernel of fills, made at its first use.
    fn fill_kernel(&self) -> Result<&Kernel, DeviceError> {
        let made = &self.opened()?.fill;
        if let Some(kernel) = made.get() {
            return Ok(kernel);
        }
        let kernel = self.kernel(&FILL, &Defines::new())?;
        Ok(made.get_or_init(|| kernel))
    }

    /// Fills `bytes` bytes from byte `offset` with repetitions of `pattern`, whose length divides 16, `bytes` and
    /// `offset`.
    pub(crate) fn fill(&self, memory: &Memory, offset: usize, bytes: usize, pattern: &[u8]) -> Result<(), DeviceError> {
        const SMALL: usize = 1 << 16;
        if bytes == 0 {
            return Ok(());
        }
        let alignment = self.info().view_alignment_bytes.max(16);
        // The runtime's own fill is slow on large ranges but takes any; our kernel takes whole aligned vectors.
        let by_runtime = |offset: usize, bytes: usize| {
            self.enqueue(Kind::Fill, "clEnqueueFillBuffer", bytes as u64, |queue, event| {
                queue.fill(memory, pattern, offset, bytes, event)
            })
        };
        if bytes < SMALL || !offset.is_multiple_of(alignment) {
            return by_runtime(offset, bytes);
        }
        let whole = bytes / 16;
        let mut words = [0u32; 4];
        let bytes_of_words = bytemuck::bytes_of_mut(&mut words);
        for chunk in bytes_of_words.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        let kernel = self.fill_kernel()?;
        // A part that is all of a block that no kernel has seen takes NVIDIA's driver half a second for 512 MB.
        let part = if offset == 0 { None } else { Some(memory.part(offset, whole * 16, self.name())?) };
        let target = part.as_ref().unwrap_or(memory);
        let group = kernel.group_limit().min(256);
        words
            .into_iter()
            .fold(self.launch(kernel).memory(target, WordType::U32).value(whole as u64), Launch::value)
            .items(whole, group)
            .kind(Kind::Fill)
            .bytes(bytes as u64)
            .run()?;
        if bytes > whole * 16 { by_runtime(offset + whole * 16, bytes - whole * 16) } else { Ok(()) }
    }
}
