//! The local memory of a device, which may be more than it reports.

use super::cache_files;
use crate::error::DeviceError;
use crate::info::DeviceKind;
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::opencl::spec::KernelSpec;
use crate::word::WordType;

/// Bytes of local memory that devices were seen to give.
const LOCAL_CANDIDATES: [usize; 4] = [232_448 - 256, 163_840, 98_304, 65_536];
/// The kind of cache file of the local memory that a device gives.
const LOCAL_KIND: &str = "local-1";

impl OpenCl {
    /// Bytes of local memory that a kernel's static arrays can have: at least the reported size.
    ///
    /// Some drivers report less than they give (48 KB where 227 KB work), so larger arrays are tried once, by building
    /// a kernel and running it.
    ///
    /// # Errors
    /// [`DeviceError::Api`] when the device cannot be opened.
    pub fn local_limit_bytes(&self) -> Result<usize, DeviceError> {
        if let Some(&known) = self.local_limit.get() {
            return Ok(known);
        }
        let reported = self.info.local_memory_bytes as usize;
        if self.info.kind != DeviceKind::Gpu {
            return Ok(*self.local_limit.get_or_init(|| reported));
        }
        let kept = || cache_files::read(LOCAL_KIND, &self.info)?.trim().parse().ok();
        let is_possible = |bytes: &usize| *bytes == reported || LOCAL_CANDIDATES.contains(bytes);
        if let Some(kept) = kept().filter(is_possible) {
            return Ok(*self.local_limit.get_or_init(|| kept));
        }
        self.opened()?;
        Ok(*self.local_limit.get_or_init(|| {
            let has_more = |&bytes: &usize| bytes > reported && self.has_local(bytes).unwrap_or(false);
            let found = LOCAL_CANDIDATES.into_iter().find(has_more).unwrap_or(reported);
            if self.is_whole() {
                // Where it cannot be kept, the next process tries again.
                let _ = cache_files::write(LOCAL_KIND, &self.info, &format!("{found}\n"));
            }
            found
        }))
    }

    /// The kernel that is tried first to find out how much local memory there is.
    pub(crate) fn probe_of_local_memory() -> (&'static KernelSpec, Defines) {
        (&LOCAL_PROBE, probe_defines(LOCAL_CANDIDATES[0]))
    }

    fn has_local(&self, bytes: usize) -> Result<bool, DeviceError> {
        let words = probe_words(bytes);
        let groups = self.info.compute_units.max(1) as usize;
        let kernel = self.kernel(&LOCAL_PROBE, &probe_defines(bytes))?;
        let (memory, size) = self.allocate(groups * 4)?;
        let outcome = (|| {
            self.launch(&kernel).memory(&memory, WordType::U32).value(1u32).groups(groups, 64).run()?;
            let mut kept = vec![0u8; groups * 4];
            self.read(&memory, 0, &mut kept)?;
            Ok(kept.chunks_exact(4).all(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]) as usize == words))
        })();
        self.release(memory, size);
        outcome
    }
}

/// Words of the probe's array, beside which it keeps 64.
const fn probe_words(bytes: usize) -> usize {
    bytes / 4 - 64
}

fn probe_defines(bytes: usize) -> Defines {
    Defines::new().set("LOCAL_WORDS", probe_words(bytes))
}

// SAFETY: `OpenCl::has_local` alone launches it, with one word of memory for each group.
crate::kernel! {
    /// Counts the words of static local memory that groups get.
    unsafe LOCAL_PROBE in manycore_kernels::device::LOCAL_PROBE: local_probe
}
