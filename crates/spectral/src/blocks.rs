//! Transforms of data in the host's memory in blocks, by several devices and past their memory (Bailey, FFTs in External or
//! Hierarchical Memory, 1990).
//!
//! The matrix of a transform here is a Kronecker power, `A(2^n) = A(2^a) x A(2^(n - a))`: rows of `2^(n - a)` values each, then
//! columns of `2^a`, without factors between. Both passes leave the spectrum in natural order; another one is a permutation of the
//! host's memory.

use std::ops::Range;

use manycore_arrays::blocks::{Block, BlockLanes, Blocks, Sizes, bit_reverse, fits, gray_rows, transpose};
use manycore_device::{Buffer, DeviceError, DeviceSet, Executor, InPlace, OpenCl, Word};

use crate::context::Spectral;
use crate::error::SpectralError;
use crate::threads::of_default_host;
use crate::walsh::device;
use manycore_arrays::orders::Order;

/// A transform whose matrix is a Kronecker power of one of two rows, up to an order of rows.
pub(crate) trait KroneckerPower<T: Word>: Sync {
    /// Transforms every run of `2^log_len` values, as it is.
    fn whole(&self, spectral: &Spectral, x: InPlace<'_, T>, log_len: u32) -> Result<(), SpectralError>;

    /// Transforms runs along the bits `bits` of the index of longer ones of `2^log_len` values, in natural order. Those that end at
    /// the highest bit come last.
    fn part(&self, spectral: &Spectral, x: InPlace<'_, T>, bits: Range<u32>, log_len: u32)
    -> Result<(), SpectralError>;

    /// The order of the spectrum.
    fn order(&self) -> Order;

    /// Whether values in this order go in, instead of coming out.
    fn takes_order(&self) -> bool;

    /// Whether bits of the index may change places before a part and after it, without a change of a bit of the result.
    fn commutes(&self) -> bool;
}

/// Bytes that a block of so many words takes in a lane's memory: its words, and a second buffer.
fn lane_bytes<T: Word>(words: usize) -> u64 {
    2 * (words as u64).saturating_mul(size_of::<T>() as u64)
}

fn sizes<T: Word>(len: usize, log_len: u32) -> Sizes<'static> {
    Sizes { count: len >> log_len, log_len, word_bytes: size_of::<T>(), lane_bytes: &lane_bytes::<T> }
}

/// Transforms every run of `2^log_len` values of `data` by the devices of `set`.
pub(crate) fn over<T: Word>(
    set: &DeviceSet,
    data: &mut [T],
    log_len: u32,
    how: &impl KroneckerPower<T>,
) -> Result<(), SpectralError> {
    if data.is_empty() || log_len == 0 {
        return Ok(());
    }
    if let [device] = set.devices()
        && let Executor::Host(_) = device.executor()
    {
        return how.whole(&Spectral::new(device), InPlace::Slice(data), log_len);
    }
    let (lanes, blocks) = sizes::<T>(data.len(), log_len).planned(set)?;
    let lanes = BlockLanes::new(&lanes, Spectral::new)?;
    match blocks {
        Blocks::TwoPasses { log_rows, log_columns, log_width } => data
            .chunks_exact_mut(1 << log_len)
            .try_for_each(|run| two_passes(&lanes, run, (log_rows, log_columns, log_width), how)),
        Blocks::Runs { runs } => {
            lanes.each(Block::runs(data, runs << log_len), |spectral, _, x| how.whole(spectral, x, log_len))
        }
        _ => Err(DeviceError::elsewhere().into()),
    }
}

fn two_passes<T: Word>(
    lanes: &BlockLanes<T, Spectral>,
    run: &mut [T],
    (log_rows, log_columns, log_width): (u32, u32, u32),
    how: &impl KroneckerPower<T>,
) -> Result<(), SpectralError> {
    let log_len = log_rows + log_columns;
    if how.takes_order() {
        reorder(run, log_len, how.order());
    }
    lanes.each(Block::runs(run, 1 << log_columns), |spectral, _, x| how.part(spectral, x, 0..log_columns, log_len))?;
    let columns = Block::columns(run, 1 << log_columns, 1 << log_width)?;
    lanes.each(columns, |spectral, _, x| along_columns(spectral, x, log_rows, how, log_len))?;
    if !how.takes_order() {
        reorder(run, log_len, how.order());
    }
    Ok(())
}

/// Transforms the columns of a matrix of `2^log_rows` rows along the highest bits of an index of `log_len` bits.
fn along_columns<T: Word>(
    spectral: &Spectral,
    x: InPlace<'_, T>,
    log_rows: u32,
    how: &impl KroneckerPower<T>,
    log_len: u32,
) -> Result<(), SpectralError> {
    let part = |x: InPlace<'_, T>| how.part(spectral, x, log_len - log_rows..log_len, log_len);
    let columns = x.len() >> log_rows;
    if columns == 1 {
        return part(x);
    }
    spectral.device().in_place(
        x,
        |pool, x| {
            let mut turned = spectral.device().scratch::<T>(x.len())?;
            transpose(x, columns, turned.host_mut()?, pool.team());
            part((&mut turned).into())?;
            transpose(turned.host()?, 1 << log_rows, x, pool.team());
            Ok(())
        },
        |cl, x| {
            turn(spectral, cl, x, log_rows, how.commutes(), true)?;
            part(x.into())?;
            turn(spectral, cl, x, log_rows, how.commutes(), false)
        },
    )
}

/// Makes the columns of a matrix of `2^log_rows` rows runs, whose order does not matter, or back: the reversal of all bits of the
/// index, and of those of each run.
fn turn<T: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_rows: u32,
    commutes: bool,
    forth: bool,
) -> Result<(), SpectralError> {
    let log_all = x.len().ilog2();
    if !commutes && !forth {
        device::reverse_bits(spectral, cl, x, log_rows)?;
    }
    device::reverse_bits(spectral, cl, x, log_all)?;
    if !commutes && forth {
        device::reverse_bits(spectral, cl, x, log_rows)?;
    }
    Ok(())
}

/// Between natural order and another one, in place.
fn reorder<T: Word>(run: &mut [T], log_len: u32, order: Order) {
    of_default_host(true, |team| match order {
        Order::Hadamard => {}
        Order::Dyadic => bit_reverse(run, log_len, team),
        Order::Sequency => {
            bit_reverse(run, log_len, team);
            gray_rows(run, log_len, team);
        }
    });
}

impl Spectral {
    /// Whether an OpenCL device has no room for so many words beside their transform.
    pub(crate) fn is_past_memory<T: Word>(&self, len: usize) -> bool {
        !fits(self.device(), (len as u64).saturating_mul(size_of::<T>() as u64))
    }

    /// The blocks in which `len` values, of the host's memory, go through the device, where they do not fit it.
    pub(crate) fn blocks_of<T: Word>(&self, len: usize, log_len: u32) -> Result<Option<Blocks>, SpectralError> {
        if log_len == 0 || !self.is_past_memory::<T>(len) {
            return Ok(None);
        }
        Ok(Some(sizes::<T>(len, log_len).planned(&self.device().clone().into())?.1))
    }

    /// Does `whole`; for a slice that does not fit the memory of an OpenCL device, the same in blocks.
    pub(crate) fn whole_or_blocks<T: Word>(
        &self,
        x: InPlace<'_, T>,
        log_len: u32,
        how: &impl KroneckerPower<T>,
        whole: impl FnOnce(InPlace<'_, T>) -> Result<(), SpectralError>,
    ) -> Result<(), SpectralError> {
        let words = match (x, self.device().executor()) {
            (InPlace::Slice(words), Executor::OpenCl(_)) => words,
            (x, _) => return whole(x),
        };
        if !self.is_past_memory::<T>(words.len()) {
            match whole(InPlace::Slice(words)) {
                // What a second buffer lacks.
                Err(SpectralError::Device(DeviceError::OutOfMemory { .. })) => {}
                outcome => return outcome,
            }
        }
        over(&self.device().clone().into(), words, log_len, how)
    }
}
