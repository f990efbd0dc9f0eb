//! Sums and prefix sums on an OpenCL device: tiles, and the sums of tiles in the same way.

use std::sync::Arc;

use manycore_device::{Defines, DeviceError, Kernel, OpenCl, WordType};
use manycore_expressions::{Buffers, Elements, Memory, ScalarType, generated};

use super::text::Step;
use super::{Fold, Scan};
use crate::error::SortError;

/// Items of a group, at most.
const GROUP: usize = 256;
/// Elements of an item, at most.
const PER: usize = 16;

impl<T: Elements> Fold<T> {
    /// The sum of all elements, one element.
    pub(super) fn sums_of_tiles(&self, cl: &OpenCl, elements: &Buffers<T>) -> Result<Buffers<T>, SortError> {
        let mut sums = self.sums(cl, elements)?;
        while sums.len() > 1 {
            sums = self.sums(cl, &sums)?;
        }
        Ok(sums)
    }

    pub(super) fn scan_device(&self, cl: &OpenCl, elements: &Buffers<T>, scan: Scan) -> Result<Buffers<T>, SortError> {
        let (step, kernel) = self.kernel(cl, true)?;
        let before = if elements.len() <= step.group * step.per {
            self.identity_on(elements)?
        } else {
            self.scan_device(cl, &self.sums(cl, elements)?, Scan::Exclusive)?
        };
        let mut made = Buffers::scratch(&self.device, elements.len())?;
        let launch = self.begin(cl, &kernel, elements);
        let launch = before.memory().iter().fold(launch, |launch, memory| memory.words().pass(launch));
        let launch = launch.value(u32::from(scan == Scan::Exclusive));
        let launch = made.memory_mut().iter_mut().fold(launch, |launch, memory| memory.words_mut().pass(launch));
        let (len, bytes) = (elements.len(), elements.len() * bytes(&kinds::<T>()));
        launch
            .groups(len.div_ceil(step.group * step.per), step.group)
            .bytes(2 * bytes as u64)
            .operations((2 * len * self.sum.program().operations()) as u64)
            .run()?;
        Ok(made)
    }

    /// The sum of each tile.
    fn sums(&self, cl: &OpenCl, elements: &Buffers<T>) -> Result<Buffers<T>, SortError> {
        let (step, kernel) = self.kernel(cl, false)?;
        let len = elements.len();
        let tiles = len.div_ceil(step.group * step.per);
        let mut made = Buffers::scratch(&self.device, tiles)?;
        let launch = self.begin(cl, &kernel, elements);
        let launch = made.memory_mut().iter_mut().fold(launch, |launch, memory| memory.words_mut().pass(launch));
        launch
            .groups(tiles, step.group)
            .bytes(((len + tiles) * bytes(&kinds::<T>())) as u64)
            .operations((len * self.sum.program().operations()) as u64)
            .run()?;
        Ok(made)
    }

    /// A launch with the number of elements, the elements and the identity.
    pub(super) fn begin<'a>(
        &self,
        cl: &'a OpenCl,
        kernel: &'a Kernel,
        elements: &'a Buffers<T>,
    ) -> manycore_device::Launch<'a> {
        let launch = cl.launch(kernel).value(elements.len() as u64);
        let launch = elements.memory().iter().fold(launch, |launch, memory| memory.words().pass(launch));
        let mut bits = Vec::new();
        self.identity.put_bits(&mut bits);
        kinds::<T>().iter().zip(bits).fold(launch, |launch, (kind, bits)| generated::value(launch, kind.memory(), bits))
    }

    fn identity_on(&self, like: &Buffers<T>) -> Result<Buffers<T>, SortError> {
        let mut bits = Vec::new();
        self.identity.put_bits(&mut bits);
        let of = |(memory, bits): (&Memory, u64)| Memory::from_bits(&self.device, memory.word(), std::iter::once(bits));
        let memory = like.memory().iter().zip(bits).map(of).collect::<Result<_, _>>()?;
        Buffers::of(memory, 1).ok_or_else(|| DeviceError::elsewhere().into())
    }

    fn kernel(&self, cl: &OpenCl, is_scan: bool) -> Result<(Step, Arc<Kernel>), SortError> {
        let kinds = self.kinds_on(cl)?;
        let program = self.sum.program();
        let step = tile(cl, is_scan, bytes(&kinds))?;
        let kernel = self.kernels.get(step, |step| {
            let (text, params) = step.text(program, &kinds);
            // SAFETY: `sums` and `scan_device` launch it with as many elements and results as its arguments say, a group a tile, and a sum
            // before each tile.
            cl.kernel(unsafe { generated::spec(step.entry(), text, params) }, &Defines::new())
        })?;
        Ok((step, kernel))
    }

    /// The scalars of an element, where the device has their types.
    pub(super) fn kinds_on(&self, cl: &OpenCl) -> Result<Vec<ScalarType>, DeviceError> {
        let kinds = kinds::<T>();
        if (self.sum.program().needs_fp64() || kinds.iter().any(|kind| kind.memory() == WordType::F64))
            && !cl.info().fp64
        {
            let feature = "double precision".to_owned();
            return Err(DeviceError::Unsupported { device: cl.info().label(), feature });
        }
        Ok(kinds)
    }
}

fn kinds<T: Elements>() -> Vec<ScalarType> {
    let mut kinds = Vec::new();
    T::types(&mut kinds);
    kinds
}

pub(super) fn bytes(kinds: &[ScalarType]) -> usize {
    kinds.iter().map(|kind| kind.memory().bytes()).sum()
}

/// A tile that fits local memory: elements of the group's items, and one more an item.
fn tile(cl: &OpenCl, is_scan: bool, bytes: usize) -> Result<Step, DeviceError> {
    let info = cl.info();
    let mut group = GROUP;
    loop {
        let room = info.local_memory_bytes as usize / (group * bytes.max(1));
        if group <= info.group_limit && room >= 2 {
            let per = PER.min(room - 1);
            return Ok(Step { is_scan, group, per: 1 << per.ilog2() });
        }
        if group == 1 {
            let feature =
                format!("a tile of elements of {bytes} bytes in {} bytes of local memory", info.local_memory_bytes);
            return Err(DeviceError::Unsupported { device: info.label(), feature });
        }
        group /= 2;
    }
}
