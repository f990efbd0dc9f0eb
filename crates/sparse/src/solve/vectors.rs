//! Dot products and combinations of vectors on the host and on OpenCL devices.

use manycore_device::{Buffer, Defines, Device, DeviceError, Executor, Word};

use crate::kernels::Kernels;
use crate::multiply::items_of_group;

// SAFETY: `dot` and `combine` alone launch them, with vectors of one length, which is among their arguments.
manycore_device::kernel! {
    /// Sums of products, one a group.
    unsafe DOT in manycore_kernels::sparse::VECTORS: sparse_dot
    /// `y = a x + b y`.
    unsafe COMBINE in manycore_kernels::sparse::VECTORS: sparse_combine
}

/// Values that a task of the host takes.
const TASK: usize = 1 << 13;
/// Items of a group, at most.
const GROUP: usize = 256;
/// Groups of a dot product for each compute unit, which hide each other's waits for memory.
const GROUPS_OF_UNIT: usize = 4;

/// Real numbers of a word.
pub trait Real: Word + PartialOrd + Default {
    /// The nearest number of this word.
    fn of(value: f64) -> Self;
    /// The number in double precision.
    fn wide(self) -> f64;
}

impl Real for f32 {
    fn of(value: f64) -> Self {
        value as Self
    }

    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }

    fn wide(self) -> f64 {
        self
    }
}

/// The sum of the products of two vectors of one length. On the host in double precision, in parts of fixed length: the
/// same for every number of threads.
pub(super) fn dot<T: Real>(
    (device, kernels): (&Device, &Kernels),
    x: &Buffer<T>,
    y: &Buffer<T>,
) -> Result<f64, DeviceError> {
    let len = x.len();
    if len == 0 {
        return Ok(0.0);
    }
    let bytes = (2 * len * size_of::<T>()) as u64;
    match device.executor() {
        Executor::Host(pool) => {
            let (x, y) = (x.host()?, y.host()?);
            let mut sums = vec![0.0; len.div_ceil(TASK)];
            pool.step("sparse_dot", bytes, len as u64, || {
                let parts = sums.iter_mut().zip(x.chunks(TASK).zip(y.chunks(TASK)));
                pool.team().only_if(len > TASK).each(parts, |(sum, (x, y))| {
                    *sum = x.iter().zip(y).map(|(x, y)| x.wide() * y.wide()).sum();
                });
            });
            Ok(sums.iter().sum())
        }
        Executor::OpenCl(cl) => {
            let group = items_of_group(cl, GROUP, size_of::<T>());
            let groups = len.div_ceil(group).min(GROUPS_OF_UNIT * cl.info().compute_units.max(1) as usize);
            let kernel = kernels.get(cl, &DOT, Defines::new().element(T::TYPE).set("GROUP", group))?;
            let mut sums = device.scratch::<T>(groups)?;
            cl.launch(&kernel)
                .input(x)
                .input(y)
                .buffer(&mut sums)
                .value(len as u64)
                .groups(groups, group)
                .bytes(bytes)
                .operations(len as u64)
                .run()?;
            Ok(sums.download()?.into_iter().map(Real::wide).sum())
        }
    }
}

/// `y = a x + b y`.
pub(super) fn combine<T: Real>(
    (device, kernels): (&Device, &Kernels),
    (a, x): (f64, &Buffer<T>),
    (b, y): (f64, &mut Buffer<T>),
) -> Result<(), DeviceError> {
    let len = y.len();
    if len == 0 {
        return Ok(());
    }
    let bytes = (3 * len * size_of::<T>()) as u64;
    match device.executor() {
        Executor::Host(pool) => {
            let (x, y) = (x.host()?, y.host_mut()?);
            pool.step("sparse_combine", bytes, 2 * len as u64, || {
                let parts = y.chunks_mut(TASK).zip(x.chunks(TASK));
                pool.team().only_if(len > TASK).each(parts, |(y, x)| {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y = T::of(a * x.wide() + b * y.wide());
                    }
                });
            });
            Ok(())
        }
        Executor::OpenCl(cl) => {
            let group = items_of_group(cl, GROUP, size_of::<T>());
            let kernel = kernels.get(cl, &COMBINE, Defines::new().element(T::TYPE).set("GROUP", group))?;
            cl.launch(&kernel)
                .input(x)
                .buffer(y)
                .value(len as u64)
                .value(T::of(a))
                .value(T::of(b))
                .items(len, group)
                .bytes(bytes)
                .operations(2 * len as u64)
                .run()
        }
    }
}
