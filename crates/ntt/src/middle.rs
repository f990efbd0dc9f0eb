//! Long transforms within other operations, whose kernels do the first pass and the last one together with work of their own.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, DeviceError, Executor, OpenCl, Word, Words};

use super::cost::{Arrays, Pass, Plan};
use super::device::{Part, Tables, scaled, sweep};
use super::parts::Parts;
use super::{Ntt, NttError, NttField, Way};

/// The ends of long transforms, which kernels of another operation do together with work of their own: the lowest index bits
/// with what is done to the spectra, the highest with the loading and storing of values. What those kernels read, and the passes
/// between that are left.
#[derive(Debug)]
pub struct Middle<W: Word> {
    passes: Arc<[Pass]>,
    log_parts: u32,
    forward: Arc<Tables<W>>,
    inverse: Arc<Tables<W>>,
    first: Columns,
    first_tables: [Arc<Tables<W>>; 2],
}

/// The shape of a pass over columns, as `kernels/ntt/ntt_columns.cl` is built for it: base-2 logarithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// The lowest index bit.
    pub log_stride: u32,
    /// Rows, all of a group's columns.
    pub log_rows: u32,
    /// Columns of a group.
    pub log_segment: u32,
    /// Values of a work-item.
    pub log_regs: u32,
    /// The registers wished for an item, where compilers would take too many.
    pub registers: Option<u32>,
}

impl Columns {
    /// The base-2 logarithm of the values of a group.
    pub const fn log_tile(&self) -> u32 {
        self.log_rows + self.log_segment
    }

    /// The defines of a kernel over these columns, of words of `bytes`.
    #[must_use]
    pub fn define(&self, defines: Defines, bytes: usize) -> Defines {
        let Self { log_stride, log_rows, log_segment, log_regs, registers } = *self;
        // Values that work-items of the last round have side by side in local memory; wider gaps would fill too much of it.
        let last = log_rows - (log_rows.saturating_sub(1) / log_regs.max(1)) * log_regs;
        let defines = defines
            .set("LOG_TILE", self.log_tile())
            .set("LOG_REGS", log_regs)
            .set("LOG_SEGMENT", log_segment)
            .set("LOG_STRIDE", log_stride)
            .set("TILE_RUN", log_segment)
            .set("TILE_GAP", log_segment + last.max(3))
            .runs(bytes << log_segment);
        match registers {
            Some(most) => defines.registers(most),
            None => defines,
        }
    }
}

impl<W: Word> Middle<W> {
    pub(super) fn new<F: NttField<Element = W>>(
        ntt: &Ntt<F>,
        cl: &OpenCl,
        arrays: &Arrays,
    ) -> Result<Option<Self>, NttError> {
        // The other operation's tiles are of one part each.
        let chosen = ntt.choice(cl, arrays)?;
        let Some(plan) = Plan::for_middle(&chosen.choice) else { return Ok(None) };
        let passes: Arc<[Pass]> = plan.passes.clone().into();
        let Some(tile @ Pass::Tile { .. }) = passes.last().filter(|_| passes.len() > 1) else { return Ok(None) };
        let parts = Parts::of(&passes, passes.len() - 1, arrays);
        let divides = scaled(&passes, arrays) == Some(passes.len() - 1);
        let forward = ntt.tables(tile, arrays, parts, Way::Forward, false)?;
        let inverse = ntt.tables(tile, arrays, parts, Way::Inverse, divides)?;
        let Some((highest, first)) = passes.first().and_then(|highest| {
            let first = highest.columns(F::Element::TYPE.bytes() as u32)?;
            Some((highest, first))
        }) else {
            return Ok(None);
        };
        let tables = |way| ntt.tables(highest, arrays, Parts::first(arrays), way, false);
        let first_tables = [tables(Way::Forward)?, tables(Way::Inverse)?];
        Ok(Some(Self { passes, log_parts: parts.log_count, forward, inverse, first, first_tables }))
    }

    /// The first pass, of the highest index bits: the inverse's last one.
    pub fn first(&self) -> Columns {
        self.first
    }

    /// Roots and twiddles of the first pass, of the forward transform and of the inverse.
    pub fn first_tables(&self) -> [(&Words<W>, &Buffer<W>); 2] {
        self.first_tables.each_ref().map(|t| (&t.roots, &t.twiddles))
    }

    /// Index bits of a tile, and base-2 logarithm of the values of a work-item.
    pub fn tile(&self) -> (u32, u32) {
        self.passes.last().map_or((0, 0), |pass| (pass.stages(), pass.log_regs()))
    }

    /// The base-2 logarithm of the parts that have twists of their own.
    pub fn log_parts(&self) -> u32 {
        self.log_parts
    }

    /// Roots, twiddles, and twists by item and by register, of the forward transform and of the inverse.
    pub fn tables(&self) -> [(&Words<W>, [&Buffer<W>; 3]); 2] {
        [&self.forward, &self.inverse].map(|t| (&t.roots, [&t.twiddles, &t.items, &t.registers]))
    }

    pub(super) fn part<F: NttField<Element = W>>(
        &self,
        ntt: &Ntt<F>,
        cl: &OpenCl,
        x: &mut Buffer<W>,
        arrays: &Arrays,
        (way, part): (Way, Part),
    ) -> Result<(), NttError> {
        sweep(ntt, cl, x, arrays, (way, part), &self.passes)
    }
}

impl<F: NttField> Ntt<F> {
    /// The lowest and the highest index bits of the transforms of `len` values, where other kernels do them together with work
    /// of their own: `None` on the host, for transforms of one pass, and where spectra are in natural order.
    ///
    /// # Errors
    /// As [`Ntt::forward`].
    #[inline(never)]
    pub fn middle(&self, len: usize) -> Result<Option<Arc<Middle<F::Element>>>, NttError> {
        let arrays = self.arrays(len)?;
        let Executor::OpenCl(cl) = self.device().executor() else { return Ok(None) };
        if len == 0 || self.log_len == 0 || arrays.natural {
            return Ok(None);
        }
        let middle = self.middles.get_typed(arrays, || {
            let middle = Middle::new(self, cl, &arrays)?.map(Arc::new);
            Ok::<_, NttError>((middle, true))
        })?;
        Ok((*middle).clone())
    }

    /// What [`Ntt::forward`] does before the lowest index bits.
    ///
    /// # Errors
    /// As [`Ntt::forward`]; [`NttError::Passes`] for the middle of transforms of another length.
    #[inline(never)]
    pub fn forward_to(&self, x: &mut Buffer<F::Element>, middle: &Middle<F::Element>) -> Result<(), NttError> {
        self.part(x, middle, Way::Forward, Part::Columns)
    }

    /// What it does between the highest index bits and the lowest.
    ///
    /// # Errors
    /// As [`Ntt::forward_to`].
    #[inline(never)]
    pub fn forward_between(&self, x: &mut Buffer<F::Element>, middle: &Middle<F::Element>) -> Result<(), NttError> {
        self.part(x, middle, Way::Forward, Part::Between)
    }

    /// What [`Ntt::inverse`] does after the lowest index bits.
    ///
    /// # Errors
    /// As [`Ntt::forward_to`].
    #[inline(never)]
    pub fn inverse_from(&self, x: &mut Buffer<F::Element>, middle: &Middle<F::Element>) -> Result<(), NttError> {
        self.part(x, middle, Way::Inverse, Part::Columns)
    }

    /// What it does between the lowest index bits and the highest.
    ///
    /// # Errors
    /// As [`Ntt::forward_to`].
    #[inline(never)]
    pub fn inverse_between(&self, x: &mut Buffer<F::Element>, middle: &Middle<F::Element>) -> Result<(), NttError> {
        self.part(x, middle, Way::Inverse, Part::Between)
    }

    /// What [`Ntt::inverse`] does last, after [`Ntt::inverse_between`]: the highest index bits.
    ///
    /// # Errors
    /// As [`Ntt::forward_to`].
    #[inline(never)]
    pub fn inverse_highest(&self, x: &mut Buffer<F::Element>, middle: &Middle<F::Element>) -> Result<(), NttError> {
        self.part(x, middle, Way::Inverse, Part::Highest)
    }

    fn part(
        &self,
        x: &mut Buffer<F::Element>,
        middle: &Middle<F::Element>,
        way: Way,
        part: Part,
    ) -> Result<(), NttError> {
        self.device().same_as(x.device())?;
        let arrays = self.arrays(x.len())?;
        if let Some(reason) = Pass::fault(&middle.passes, &arrays) {
            return Err(NttError::Passes { log_len: arrays.log_len, reason });
        }
        match self.device().executor() {
            Executor::OpenCl(cl) if !x.is_empty() => middle.part(self, cl, x, &arrays, (way, part)),
            Executor::OpenCl(_) => Ok(()),
            // The host has no transform in parts.
            Executor::Host(_) => Err(DeviceError::elsewhere().into()),
        }
    }
}
