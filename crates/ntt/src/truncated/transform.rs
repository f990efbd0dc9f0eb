//! Truncated transforms as values: what is kept for one length over one field on one device.

use std::sync::Arc;

use manycore_device::{Buffer, Cache, Device, DeviceError, Word};
use manycore_field::{Arithmetic, PrimeField};
use manycore_tuning::Planner;

use super::path::{self, Block, Powers, Step};
use crate::tables::words;
use crate::{NttError, NttField, cost};

/// Truncated transforms of one length over one field on one device: keeps the blocks' transforms, kernels and tables.
///
/// ```
/// use manycore_device::Device;
/// use manycore_field::{PrimeField, Semiring};
/// use manycore_ntt::TruncatedNtt;
/// let device = Device::from_env()?;
/// let field = PrimeField::<u32>::new(469_762_049)?;
/// let ntt = TruncatedNtt::new(&device, &field, 5)?;
/// let a = ntt.forward(&device.upload(&[1u32, 2, 3, 0, 0])?)?; // 1 + 2 x + 3 x^2
/// let mut b = ntt.forward(&device.upload(&[4u32, 0, 5, 0, 0])?)?; // 4 + 5 x^2
/// for (a, b) in a.blocks().iter().zip(b.blocks_mut()) {
///     let products = a.download()?.iter().zip(b.download()?).map(|(&x, y)| field.mul(x, y)).collect::<Vec<_>>();
///     b.write(&products)?;
/// }
/// assert_eq!(ntt.inverse(b)?.download()?, [4, 8, 17, 10, 15]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TruncatedNtt<F: NttField = PrimeField<u32>> {
    pub(super) planner: Arc<Planner>,
    pub(super) field: F,
    pub(super) len: usize,
    root: F::Element,
    /// How the device's kernels compute.
    pub(super) arithmetic: Arithmetic,
    pub(super) steps: Vec<Step<F>>,
    /// By the start of a block.
    device_tables: Cache<usize, Tables<F::Element>>,
}

/// The powers of a block, on the device.
#[derive(Debug)]
pub(super) struct Tables<W: Word> {
    pub(super) twist: [Buffer<W>; 2],
    pub(super) untwist: [Buffer<W>; 2],
}

impl<F: NttField> TruncatedNtt<F> {
    /// Transforms of `len` values modulo the field's prime on `device`.
    ///
    /// # Errors
    /// [`NttError::Empty`] for no values; [`NttError::NoRoot`] where the least power of two that is `len` or more does not
    /// divide `p - 1`, with the largest that does.
    #[inline(never)]
    pub fn new(device: &Device, field: &F, len: usize) -> Result<Self, NttError> {
        if len == 0 {
            return Err(NttError::Empty);
        }
        let planner = Arc::new(Planner::new(device));
        Ok(Self {
            arithmetic: cost::fastest_butterflies(&field.arithmetics(), device, planner.machine()),
            field: field.clone(),
            len,
            root: path::root(field, len)?,
            steps: path::steps(&planner, field, len)?,
            device_tables: Cache::default(),
            planner,
        })
    }

    /// The transforms with kernels that compute in `arithmetic` instead of the arithmetic of the best estimate; the
    /// bits of results do not depend on it.
    ///
    /// # Errors
    /// [`NttError::Arithmetic`] where its range does not hold the prime.
    #[inline(never)]
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Result<Self, NttError> {
        let with = |step: Step<F>| -> Result<Step<F>, NttError> {
            let block = step
                .block
                .map(|block| Ok::<_, NttError>(Block { ntt: block.ntt.with_arithmetic(arithmetic)?, ..block }));
            Ok(Step { block: block.transpose()?, ..step })
        };
        self.steps = self.steps.into_iter().map(with).collect::<Result<_, _>>()?;
        self.arithmetic = arithmetic;
        self.device_tables = Cache::default();
        Ok(self)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// Values of one transform.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never: the shortest transform has a value.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The root of unity of the definition: its order is the least power of two that is [`TruncatedNtt::len`] or more.
    pub fn root(&self) -> F::Element {
        self.root
    }

    /// The tables of the block, uploaded at first use: a word of two and of `B / 2^10` for every 2^10 values.
    pub(super) fn tables(&self, block: &Block<F>) -> Result<Arc<Tables<F::Element>>, DeviceError> {
        let upload = |powers: &[F::Element]| self.device().upload(&words(&self.field, self.arithmetic, powers));
        let both = |powers: &Powers<F::Element>| Ok::<_, DeviceError>([upload(&powers.low)?, upload(&powers.high)?]);
        self.device_tables
            .get(block.start, |_| Ok(Tables { twist: both(&block.twist)?, untwist: both(&block.untwist)? }))
    }
}
