//! Linearities and differential uniformities of many S-boxes, one figure each, and of all components of one.
//!
//! | file | what |
//! |---|---|
//! | `sboxes` | batches: lists of S-boxes, or their outputs in one array |
//! | `figure` | what is asked of each S-box |
//! | `linear`, `differences` | one S-box on the host: Walsh transforms of 32 components at a time; counters |
//! | `host` | the threads of the host |
//! | `several` | several devices, which share the S-boxes |
//! | `device` | OpenCL: a group takes one S-box at a time in local memory |
//!
//! The definitions are [`reference::component_linearities`](super::reference::component_linearities) and
//! [`reference::difference_table`](super::reference::difference_table).

mod device;
mod differences;
mod figure;
mod host;
mod linear;
mod sboxes;
mod several;

use std::collections::BTreeMap;

use manycore_device::{Buffer, Executor};

pub use sboxes::{Outputs, SBoxes};
pub use several::{linearities_over, nonlinearities_over, uniformities_over};

use super::cost::Bits;
use super::table::SBox;
use crate::context::Boolean;
use crate::error::BooleanError;
use figure::{Figure, Stored};
use sboxes::Values;

/// Nonlinearities by linearities.
fn nonlinearities(sboxes: SBoxes<'_>, mut found: Vec<u32>) -> Vec<u32> {
    for (i, value) in found.iter_mut().enumerate() {
        // A device that failed may return too large a number.
        *value = (1u32 << sboxes.input_bits(i)).saturating_sub(*value) / 2;
    }
    found
}

impl Boolean {
    /// The linearity of each S-box of a batch in its order: the largest `|W(a, b)|` with an output mask `b != 0`, from
    /// `2^(m/2)` on for `n = 1`, to `2^m`. `m 2^(m+n)` additions each, of 8 bits up to 8 input bits.
    ///
    /// On OpenCL devices S-boxes of at most 12 input bits are done one by each group; larger ones one after the other, as
    /// [`Boolean::linear_summary`] does them.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox, SBoxes};
    /// use manycore_device::Device;
    /// let boolean = Boolean::new(&Device::from_env()?);
    /// let (cube, swap) = (SBox::try_from([0u8, 1, 3, 4, 5, 6, 7, 2])?, SBox::try_from([1u8, 0, 2, 3])?);
    /// assert_eq!(boolean.linearities(&[cube, swap])?, [4, 4]);
    /// // Two S-boxes of 2 bits, one after the other.
    /// let flat = [0u8, 1, 2, 3, 0, 0, 0, 1];
    /// assert_eq!(boolean.linearities(SBoxes::new(2, 2, &flat)?)?, [4, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BooleanError::Device`] for too little memory, a failure, or a buffer of another device.
    pub fn linearities<'a>(&self, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
        self.figures(sboxes.into(), Figure::Linearity)
    }

    /// The nonlinearity of each S-box of a batch in its order, `(2^m - linearity) / 2`: the least distance of a component with a
    /// mask other than 0 to the affine functions.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox};
    /// use manycore_device::Device;
    /// let cube = SBox::try_from([0u8, 1, 3, 4, 5, 6, 7, 2])?; // x^3 in GF(2^3)
    /// assert_eq!(Boolean::new(&Device::from_env()?).nonlinearities(&[cube])?, [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boolean::linearities`].
    pub fn nonlinearities<'a>(&self, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
        let sboxes = sboxes.into();
        Ok(nonlinearities(sboxes, self.linearities(sboxes)?))
    }

    /// The differential uniformity of each S-box of a batch in its order: the most `x` with `S(x) + S(x + a) = b`, over all
    /// `a != 0` and all `b`. `2^(2m-1)` look-ups each.
    ///
    /// On OpenCL devices S-boxes of at most 12 input and 13 output bits are done one by each group; larger ones one after the
    /// other, as [`Boolean::difference_summary`] does them.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox};
    /// use manycore_device::Device;
    /// let boxes = [SBox::try_from([0u8, 1, 3, 4, 5, 6, 7, 2])?, SBox::try_from([0u8, 1, 2, 3])?];
    /// assert_eq!(Boolean::new(&Device::from_env()?).uniformities(&boxes)?, [2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boolean::linearities`].
    pub fn uniformities<'a>(&self, sboxes: impl Into<SBoxes<'a>>) -> Result<Vec<u32>, BooleanError> {
        self.figures(sboxes.into(), Figure::Uniformity)
    }

    /// The linearity of every component: entry `b - 1` is the largest `|W(a, b)|` for the output mask `b`, from 1 to
    /// `2^n - 1`. `m 2^(m+n)` additions; S-boxes of more than 12 input bits on the host, by all its threads.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox};
    /// use manycore_device::Device;
    /// let boolean = Boolean::new(&Device::from_env()?);
    /// let sbox = SBox::try_from([0u8, 1, 2, 3, 4, 5, 7, 6])?; // the lowest bit has a product of two others added
    /// assert_eq!(boolean.component_linearities(&sbox)?, [4, 8, 4, 8, 4, 8, 4]);
    /// assert_eq!(boolean.worst_components(&sbox)?, [2, 4, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BooleanError::Device`] for too little memory or a failure.
    pub fn component_linearities(&self, sbox: &SBox) -> Result<Vec<u32>, BooleanError> {
        let mut all = match self.device().executor() {
            Executor::OpenCl(cl) if device::fits(sbox.bits(), Figure::Linearity) => device::components(self, cl, sbox)?,
            Executor::OpenCl(_) => crate::threads::with_host(true, |team| host::components(team, sbox)),
            Executor::Host(pool) => {
                let operations = (u64::from(sbox.input_bits()) << sbox.input_bits()) << sbox.output_bits();
                pool.step("boolean_component_linearities", 0, operations, || host::components(pool.team(), sbox))
            }
        };
        all.remove(0);
        Ok(all)
    }

    /// The output masks `b` from 1 on, ascending, whose components have the largest linearity of all: those nearest to an affine
    /// function.
    ///
    /// # Errors
    /// As [`Boolean::component_linearities`].
    pub fn worst_components(&self, sbox: &SBox) -> Result<Vec<u16>, BooleanError> {
        let all = self.component_linearities(sbox)?;
        let most = all.iter().copied().max().unwrap_or(0);
        Ok((1..=u16::MAX).zip(all).filter(|(_, linearity)| *linearity == most).map(|(mask, _)| mask).collect())
    }

    fn figures(&self, sboxes: SBoxes<'_>, figure: Figure) -> Result<Vec<u32>, BooleanError> {
        match sboxes.values {
            Values::List(list) => self.of_list(list, figure),
            Values::Flat(bits, Outputs::Bytes(values)) => self.of_slice(bits, values, figure),
            Values::Flat(bits, Outputs::Words(values)) => self.of_slice(bits, values, figure),
            Values::Flat(bits, Outputs::ByteBuffer(values)) => self.of_buffer(bits, values, figure),
            Values::Flat(bits, Outputs::WordBuffer(values)) => self.of_buffer(bits, values, figure),
        }
    }

    /// S-boxes of each shape together.
    fn of_list(&self, list: &[SBox], figure: Figure) -> Result<Vec<u32>, BooleanError> {
        let mut shapes: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (i, sbox) in list.iter().enumerate() {
            shapes.entry((sbox.input_bits(), sbox.output_bits())).or_default().push(i);
        }
        let mut found = vec![0; list.len()];
        for ((input, output), places) in shapes {
            let bits = Bits { input, output };
            let each = (device::MOST_VALUES >> input).max(1);
            for places in places.chunks(each) {
                let of_shape = if let Executor::Host(pool) = self.device().executor() {
                    let rows: Vec<&[u16]> = places.iter().map(|&i| list[i].values()).collect();
                    host::figures(pool, bits, &rows, figure)
                } else {
                    let flat: Vec<u16> = places.iter().flat_map(|&i| list[i].values()).copied().collect();
                    self.of_slice(bits, &flat, figure)?
                };
                for (&place, value) in places.iter().zip(of_shape) {
                    found[place] = value;
                }
            }
        }
        Ok(found)
    }

    fn of_slice<T: Stored>(&self, bits: Bits, values: &[T], figure: Figure) -> Result<Vec<u32>, BooleanError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                let rows: Vec<&[T]> = values.chunks_exact(1 << bits.input).collect();
                Ok(host::figures(pool, bits, &rows, figure))
            }
            Executor::OpenCl(cl) if device::fits(bits, figure) => {
                let mut found = Vec::with_capacity(values.len() >> bits.input);
                for part in values.chunks(device::MOST_VALUES.max(1 << bits.input)) {
                    found.extend(device::figures(self, cl, bits, &self.device().upload(part)?, figure)?);
                }
                Ok(found)
            }
            Executor::OpenCl(_) => {
                let one = |values: &[T]| self.one(bits, values.iter().map(|&y| y.into()), figure);
                values.chunks_exact(1 << bits.input).map(one).collect()
            }
        }
    }

    fn of_buffer<T: Stored>(&self, bits: Bits, values: &Buffer<T>, figure: Figure) -> Result<Vec<u32>, BooleanError> {
        self.device().same_as(values.device())?;
        // Nobody looked at the outputs in a buffer yet.
        let limit = ((1u32 << bits.output) - 1) as u16;
        match self.device().executor() {
            Executor::Host(_) if values.host()?.iter().all(|&y| y.into() <= limit) => {
                self.of_slice(bits, values.host()?, figure)
            }
            Executor::OpenCl(cl) if device::fits(bits, figure) => device::figures(self, cl, bits, values, figure),
            _ => {
                let values = values.download()?;
                let one = |values: &[T]| self.one(bits, values.iter().map(|&y| y.into() & limit), figure);
                values.chunks_exact(1 << bits.input).map(one).collect()
            }
        }
    }

    /// The figure from the whole tables of one S-box.
    fn one(&self, bits: Bits, values: impl Iterator<Item = u16>, figure: Figure) -> Result<u32, BooleanError> {
        let sbox = SBox::new(bits.output, values.collect())?;
        Ok(match figure {
            Figure::Linearity => self.linear_summary(&sbox)?.linearity as u32,
            Figure::Uniformity => self.difference_summary(&sbox)?.uniformity as u32,
        })
    }
}
