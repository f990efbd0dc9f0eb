//! Transforms of data in the host's memory in blocks, by several devices and past their memory: the four-step transform (Bailey, FFTs
//! in External or Hierarchical Memory, 1990) without its transposition.
//!
//! With `j = j1 n2 + j2` and `k = k1 + n1 k2` for `n = n1 n2`,
//!
//! ```text
//! X[k] = sum over j2 of  (w^k1)^j2  (w^n1)^(j2 k2)  sum over j1 of x[j] (w^n2)^(j1 k1)
//!                        twist       rows of n2       columns of n1
//! ```
//!
//! Columns come out in bit-reversed order in place, row `r` has the remainder of the polynomial modulo `x^n2 - c`, and the row's twist is
//! that of a negacyclic transform with another base: `w^reversed(r)`, or `v^(2 reversed(r) + 1)` for negacyclic transforms, whose
//! columns are negacyclic, too. So the spectrum stands in bit-reversed order after two passes, and natural order is a bit reversal of
//! the host's memory. The inverse goes from rows to columns.

use std::sync::Arc;

use manycore_arrays::blocks::{Block, BlockLanes, Blocks, Sizes, bit_reverse, fits, transpose};
use manycore_device::{Buffer, Device, DeviceError, DeviceSet, Executor, HostPool, InPlace, OpenCl};
use manycore_tuning::Planner;

use super::cost::fastest_butterflies;
use super::{Kind, Ntt, NttError, NttField, SpectrumOrder, Way, device, reversal};

/// Words that a thread of the host multiplies by powers of a base at a time.
const TASK: usize = 1 << 12;

/// The transforms of a lane: of columns, where there are any, and of rows or whole runs. On OpenCL devices, whose kernels twist, those of
/// rows are negacyclic ones.
struct Parts<F: NttField> {
    columns: Option<Ntt<F>>,
    rows: Ntt<F>,
}

/// The shape of a run that goes in two passes, and how.
#[derive(Clone, Copy)]
struct Matrix {
    log_rows: u32,
    log_columns: u32,
    log_width: u32,
    way: Way,
}

/// Bytes that a block of so many words takes in a lane's memory, of which there are `copies`: twists of long transforms take an eighth
/// of it, and tables of factors, of both directions of columns and rows, as many words as short transforms have, times 6.
fn lane_bytes<W>(words: usize, copies: usize) -> u64 {
    let tables = words / 4 + 6 * words.min(1 << 13);
    ((copies * words + tables) as u64).saturating_mul(size_of::<W>() as u64).saturating_add(1 << 12)
}

impl<F: NttField> Ntt<F> {
    /// Transforms every run of `len` residues of `data`, which lies on the host, by several devices, as [`Ntt::forward`] does by one: the
    /// same bits, in the same order.
    ///
    /// Runs go to whichever device is free, some at a time. Where there are few of them, or no room for one, each is transformed in two
    /// passes over blocks of its columns and rows, so that all devices do each: then every word crosses the buses twice each way instead
    /// of once. On each device three lanes upload, compute and download at the same time. [Natural](SpectrumOrder::Natural) order takes
    /// a pass over the host's memory more; products need none. A device that fails is named by [`DeviceSet::failures`], and others do
    /// its work.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_field::Goldilocks;
    /// use manycore_ntt::{Kind, Ntt};
    /// let set = DeviceSet::equal(Device::all())?;
    /// let ntt = Ntt::new(&Device::host(), &Goldilocks, 1 << 10, Kind::Cyclic)?;
    /// let mut x = vec![1u64; 1 << 12]; // four runs
    /// ntt.forward_over(&set, &mut x)?;
    /// assert_eq!((x[0], x[1], x[1 << 10]), (1 << 10, 0, 1 << 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ntt::forward`] for lengths; the error of a device where all failed; [`DeviceError::OutOfMemory`] where no device has room for
    /// the smallest blocks, of `2^ceil(n / 2)` of the `2^n` residues of a run, with the bytes needed. What `data` holds after an error
    /// of devices is unspecified.
    pub fn forward_over(&self, set: &DeviceSet, data: &mut [F::Element]) -> Result<(), NttError> {
        self.over(set, data, Way::Forward)
    }

    /// The inverse of [`Ntt::forward_over`]: takes spectra in the same order.
    ///
    /// # Errors
    /// As [`Ntt::forward_over`].
    pub fn inverse_over(&self, set: &DeviceSet, data: &mut [F::Element]) -> Result<(), NttError> {
        self.over(set, data, Way::Inverse)
    }

    /// Products by several devices, as [`Ntt::convolve`] makes them by one: every run of `len` residues of `x` becomes its convolution
    /// with that of `y`, or with the only one of `y`.
    ///
    /// Runs that go in two passes need as much memory of the host again as `y` has.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_field::PrimeField;
    /// use manycore_ntt::{Kind, Ntt};
    /// let set = DeviceSet::equal(Device::all())?;
    /// let ntt = Ntt::new(&Device::host(), &PrimeField::<u32>::new(469_762_049)?, 4, Kind::Cyclic)?;
    /// let mut x = [1u32, 2, 0, 0, 0, 1, 0, 0]; // 1 + 2 x, and x
    /// ntt.convolve_over(&set, &mut x, &[3, 0, 0, 1])?; // times 3 + x^3, with x^4 = 1
    /// assert_eq!(x, [5, 6, 0, 1, 1, 3, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ntt::forward_over`]; [`NttError::Batch`] for a `y` that has neither one run nor as many as `x`.
    #[inline(never)]
    pub fn convolve_over(&self, set: &DeviceSet, x: &mut [F::Element], y: &[F::Element]) -> Result<(), NttError> {
        let (count, len) = (self.arrays(x.len())?.count, self.len());
        if y.len() != x.len() && y.len() != len {
            return Err(NttError::Batch { buffer_len: y.len(), len });
        }
        if x.is_empty() {
            return Ok(());
        }
        // Both factors, one behind the other once more.
        let bytes = |words: usize| lane_bytes::<F::Element>(words, 4);
        let (set, blocks) = self.sizes(count, &bytes).planned(set)?;
        let lanes = BlockLanes::new(&set, |device| self.parts_on(device, blocks))?;
        match blocks {
            Blocks::Runs { runs } => lanes.each(Block::runs(x, runs * len), |parts, block, mut x| {
                let own = if y.len() == len { y } else { &y[block * runs * len..][..x.len()] };
                let y = parts.rows.device().upload(own)?;
                parts.rows.convolve(x.reborrow(), &y)
            }),
            Blocks::TwoPasses { log_rows, log_columns, log_width } => {
                let mut spectra = manycore_device::zeroed_words::<F::Element>(y.len())?;
                spectra.copy_from_slice(y);
                let matrix = |way| Matrix { log_rows, log_columns, log_width, way };
                let (there, back) = (matrix(Way::Forward), matrix(Way::Inverse));
                spectra.chunks_exact_mut(len).try_for_each(|run| self.two_passes(&lanes, run, there))?;
                for (i, run) in x.chunks_exact_mut(len).enumerate() {
                    let other = if y.len() == len { &spectra[..] } else { &spectra[i * len..][..len] };
                    self.two_passes(&lanes, run, there)?;
                    let row = 1 << log_columns;
                    lanes.each(Block::runs(run, row), |parts, block, x| {
                        let y = parts.rows.device().upload(&other[block * row..][..row])?;
                        parts.rows.pointwise(x, &y)
                    })?;
                    self.two_passes(&lanes, run, back)?;
                }
                Ok(())
            }
            _ => Err(DeviceError::elsewhere().into()),
        }
    }

    /// The blocks in which a slice of `len` residues goes through this device, as it is now and under the caller's
    /// [`Control`](manycore_device::Control); `None` where it goes there as one: where it fits, and on the host.
    ///
    /// # Errors
    /// [`NttError::Batch`] for a length; [`NttError::Device`] where the device has no room for the smallest blocks.
    #[inline(never)]
    pub fn blocks(&self, len: usize) -> Result<Option<Blocks>, NttError> {
        let count = self.arrays(len)?.count;
        if self.log_len == 0 || fits(self.device(), (len as u64).saturating_mul(size_of::<F::Element>() as u64)) {
            return Ok(None);
        }
        Ok(Some(self.sizes(count, &Self::lane_bytes).planned(&self.device().clone().into())?.1))
    }

    fn lane_bytes(words: usize) -> u64 {
        lane_bytes::<F::Element>(words, 2)
    }

    fn sizes<'a>(&self, count: usize, lane_bytes: &'a dyn Fn(usize) -> u64) -> Sizes<'a> {
        Sizes { count, log_len: self.log_len, word_bytes: size_of::<F::Element>(), lane_bytes }
    }

    /// A slice through an OpenCL device, in blocks where it does not fit.
    pub(super) fn at_once_or_in_blocks(&self, words: &mut [F::Element], way: Way) -> Result<(), NttError> {
        if fits(self.device(), size_of_val(words) as u64) {
            let arrays = self.arrays(words.len())?;
            match self.at_once(InPlace::Slice(words), &arrays, way, None) {
                // What tables lack.
                Err(NttError::Device(DeviceError::OutOfMemory { .. })) => {}
                outcome => return outcome,
            }
        }
        self.over(&self.device().clone().into(), words, way)
    }

    #[inline(never)]
    pub(crate) fn over(&self, set: &DeviceSet, data: &mut [F::Element], way: Way) -> Result<(), NttError> {
        let count = self.arrays(data.len())?.count;
        if data.is_empty() || self.log_len == 0 {
            return Ok(());
        }
        if let [device] = set.devices()
            && let Executor::Host(_) = device.executor()
        {
            return self.part_on(device, (self.log_len, self.kind, self.order), self.root).run(data.into(), way, None);
        }
        let (set, blocks) = self.sizes(count, &Self::lane_bytes).planned(set)?;
        let lanes = BlockLanes::new(&set, |device| self.parts_on(device, blocks))?;
        match blocks {
            Blocks::Runs { runs } => {
                lanes.each(Block::runs(data, runs << self.log_len), |parts, _, x| parts.rows.run(x, way, None))
            }
            Blocks::TwoPasses { log_rows, log_columns, log_width } => {
                let matrix = Matrix { log_rows, log_columns, log_width, way };
                let natural = self.order == SpectrumOrder::Natural;
                if natural && way == Way::Inverse {
                    self.reorder(data);
                }
                data.chunks_exact_mut(self.len()).try_for_each(|run| self.two_passes(&lanes, run, matrix))?;
                if natural && way == Way::Forward {
                    self.reorder(data);
                }
                Ok(())
            }
            _ => Err(DeviceError::elsewhere().into()),
        }
    }

    /// Between bit-reversed and natural order, by the host.
    fn reorder(&self, data: &mut [F::Element]) {
        if let Executor::Host(pool) = Device::host().executor() {
            bit_reverse(data, self.log_len, pool.team());
        }
    }

    /// A transform on another device with a root of its own.
    fn part_on(&self, device: &Device, how: (u32, Kind, SpectrumOrder), root: F::Element) -> Self {
        if device == self.device() {
            return Self::of(&self.planner, &self.field, how, root, self.arithmetic);
        }
        let planner = Arc::new(Planner::new(device));
        let arithmetic = fastest_butterflies(&self.field.arithmetics(), device, planner.machine());
        Self::of(&planner, &self.field, how, root, arithmetic)
    }

    fn parts_on(&self, device: &Device, blocks: Blocks) -> Parts<F> {
        let Blocks::TwoPasses { log_rows, log_columns, .. } = blocks else {
            let rows = self.part_on(device, (self.log_len, self.kind, self.order), self.root);
            return Parts { columns: None, rows };
        };
        let log_root = |log_len: u32, kind: Kind| log_len + u32::from(kind == Kind::Negacyclic);
        let part = |log_len: u32, kind: Kind, order: SpectrumOrder| {
            self.part_on(device, (log_len, kind, order), self.root_of(log_root(log_len, kind), Way::Forward))
        };
        let (rows, order) = match device.executor() {
            Executor::Host(_) => (Kind::Cyclic, SpectrumOrder::BitReversed),
            Executor::OpenCl(_) => (Kind::Negacyclic, SpectrumOrder::Natural),
        };
        let columns = Some(part(log_rows, self.kind, order));
        Parts { columns, rows: part(log_columns, rows, SpectrumOrder::BitReversed) }
    }

    /// One run of `data` between natural order of its values and bit-reversed order of its spectrum.
    fn two_passes(
        &self,
        lanes: &BlockLanes<F::Element, Parts<F>>,
        run: &mut [F::Element],
        matrix: Matrix,
    ) -> Result<(), NttError> {
        let Matrix { log_rows, log_columns, log_width, way } = matrix;
        let along_columns = |run: &mut [F::Element]| {
            let columns = Block::columns(run, 1 << log_columns, 1 << log_width)?;
            lanes.each(columns, |parts, _, x| match &parts.columns {
                Some(ntt) => ntt.along_columns(x, way),
                None => Err(DeviceError::elsewhere().into()),
            })
        };
        if way == Way::Forward {
            along_columns(run)?;
        }
        lanes.each(Block::runs(run, 1 << log_columns), |parts, row, x| {
            parts.rows.run_twisted(x, way, self.twist(row, log_rows, way))
        })?;
        if way == Way::Inverse {
            along_columns(run)?;
        }
        Ok(())
    }

    /// The base of the twist of row `row` of `2^log_rows`, or its inverse.
    fn twist(&self, row: usize, log_rows: u32, way: Way) -> F::Element {
        let place = (row as u64).reverse_bits() >> (64 - log_rows);
        match self.kind {
            Kind::Cyclic => self.field.power(self.root_of(self.log_len, way), place),
            Kind::Negacyclic => self.field.power(self.root_of(self.log_len + 1, way), 2 * place + 1),
        }
    }

    /// Transforms the columns of a matrix of as many rows as this transform has values, in bit-reversed order.
    fn along_columns(&self, x: InPlace<'_, F::Element>, way: Way) -> Result<(), NttError> {
        let columns = x.len() >> self.log_len;
        self.device().in_place(
            x,
            |pool, x| {
                let mut turned = self.device().scratch::<F::Element>(x.len())?;
                transpose(x, columns, turned.host_mut()?, pool.team());
                self.run((&mut turned).into(), way, None)?;
                transpose(turned.host()?, self.len(), x, pool.team());
                Ok(())
            },
            |cl, x| self.along_columns_on(cl, x, way),
        )
    }

    /// On OpenCL devices columns become runs by the reversal of all bits of the index: those of the columns' numbers, whose order does
    /// not matter, and those of the rows', which are the bits of bit-reversed order. `self` has spectra in natural order.
    fn along_columns_on(&self, cl: &OpenCl, x: &mut Buffer<F::Element>, way: Way) -> Result<(), NttError> {
        let log_all = x.len().ilog2();
        let reverse = |x: &mut Buffer<F::Element>, log_len: u32| {
            let kernel = reversal::build::<F::Element>(&self.planner, cl, log_len)?;
            reversal::run(cl, &kernel, x, log_len)
        };
        reverse(x, log_all)?;
        match way {
            Way::Forward => {
                reverse(x, self.log_len)?;
                self.run(x.into(), way, None)?;
            }
            Way::Inverse => {
                self.run(x.into(), way, None)?;
                reverse(x, self.log_len)?;
            }
        }
        Ok(reverse(x, log_all)?)
    }

    /// One cyclic transform of value `j` times `base^j`, or the inverse, whose results take the powers of its base.
    fn run_twisted(&self, x: InPlace<'_, F::Element>, way: Way, base: F::Element) -> Result<(), NttError> {
        self.device().in_place(
            x,
            |pool, x| {
                if way == Way::Forward {
                    self.times_powers(pool, x, base);
                }
                self.run(InPlace::Slice(&mut *x), way, None)?;
                if way == Way::Inverse {
                    self.times_powers(pool, x, base);
                }
                Ok(())
            },
            |cl, x| device::twisted(self, cl, x, way, base),
        )
    }

    fn times_powers(&self, pool: &HostPool, x: &mut [F::Element], base: F::Element) {
        let (bytes, operations) = (2 * size_of_val(x) as u64, 2 * x.len() as u64);
        let task = |(task, part): (usize, &mut [F::Element])| {
            let mut power = self.field.power(base, (task * TASK) as u64);
            for value in part {
                *value = self.field.mul(*value, power);
                power = self.field.mul(power, base);
            }
        };
        pool.step("ntt_twist", bytes, operations, || pool.team().each(x.chunks_mut(TASK).enumerate(), task));
    }
}
