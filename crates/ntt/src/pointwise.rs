//! Products of spectra value by value, and convolutions by them (the convolution theorem), in the memory of the device.

use manycore_device::{Buffer, Defines, Executor, HostPool, InPlace, OpenCl, Word as _};
use manycore_field::{Arithmetic, ResidueWord as _};
use manycore_tuning::Planner;

use super::{Ntt, NttError, NttField, Rows};

// SAFETY: `multiply_spectra` alone launches it, and compares the lengths of both buffers first.
manycore_device::kernel! {
    /// Spectra times spectra.
    unsafe TRANSFORM_PRODUCT in manycore_kernels::poly::TRANSFORM_PRODUCT: transform_product
}

/// Work-items of a group.
const GROUP: usize = 256;
/// Words of a work-item.
const EACH: usize = 4;
/// Words of a task on the host.
const TASK: usize = 1 << 14;

/// Products of rows of `2^log_len` residues on an OpenCL device, value by value, one launch: `to` gets the rows at the
/// beginning of `spectra`, as many words as it has, each row times one of those behind them, `shared` rows in a row times the
/// same. Where `spectra` has no words behind them, each row is squared.
///
/// # Errors
/// [`NttError::Batch`] where `spectra` does not hold the rows; [`NttError::Device`].
#[doc(hidden)]
#[inline(never)]
pub fn multiply_spectra<F: NttField>(
    (planner, cl): (&Planner, &OpenCl),
    (field, arithmetic): (&F, Arithmetic),
    spectra: &Buffer<F::Element>,
    (shared, log_len): (usize, u32),
    to: &mut Buffer<F::Element>,
) -> Result<(), NttError> {
    let words = to.len();
    let square = spectra.len() == words;
    let right = match shared {
        _ if square => 0,
        1 => words,
        _ => (words >> log_len).div_ceil(shared.max(1)) << log_len,
    };
    if shared == 0 || (shared > 1 && !words.is_multiple_of(1 << log_len)) || words + right > spectra.len() {
        return Err(NttError::Batch { buffer_len: spectra.len(), len: 1 << log_len });
    }
    let defines = arithmetic.define(Defines::new().element(F::Element::TYPE));
    let defines = defines.set("SQUARE", u8::from(square)).set("EACH", format!("{EACH}u"));
    let kernel = planner.kernel(cl, &TRANSFORM_PRODUCT, defines)?;
    cl.launch(&kernel)
        .input(spectra)
        .buffer(to)
        .value(words as u64)
        .value(log_len)
        .value(shared as u64)
        .value(F::Element::from_u64(field.order()))
        .value(field.reciprocal(arithmetic))
        .items(words.div_ceil(EACH), GROUP)
        .bytes((size_of::<F::Element>() * (2 * words + right)) as u64)
        .operations(words as u64)
        .run()?;
    Ok(())
}

impl<F: NttField> Ntt<F> {
    /// Products of spectra value by value: `x[i] y[i]` takes the place of `x[i]`. Where `y` holds one spectrum and `x` several,
    /// each is multiplied by it. Their order does not matter, as long as it is the same.
    ///
    /// The residues must be below `p`; the results are. `x` is whatever [`Ntt::forward`] takes, `y` a buffer of the device:
    /// nothing is downloaded but a slice that was uploaded.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_ntt::{Kind, Ntt};
    /// let device = Device::from_env()?;
    /// let ntt = Ntt::new(&device, &PrimeField::<u32>::new(469_762_049)?, 4, Kind::Cyclic)?;
    /// let mut x = device.upload(&[1u32, 2, 0, 0])?; // 1 + 2 x
    /// let mut y = device.upload(&[3u32, 0, 0, 1])?; // 3 + x^3
    /// ntt.forward(&mut x)?;
    /// ntt.forward(&mut y)?;
    /// ntt.pointwise(&mut x, &y)?;
    /// ntt.inverse(&mut x)?;
    /// assert_eq!(x.download()?, [5, 6, 0, 1]); // x^4 = 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NttError::Batch`] for an `x` that is no whole number of spectra, or a `y` that has neither one nor as many;
    /// [`NttError::Device`].
    pub fn pointwise<'a>(&self, x: impl Into<InPlace<'a, F::Element>>, y: &Buffer<F::Element>) -> Result<(), NttError> {
        self.multiply_values(x.into(), y)
    }

    #[inline(never)]
    pub(crate) fn multiply_values(&self, x: InPlace<'_, F::Element>, y: &Buffer<F::Element>) -> Result<(), NttError> {
        let shared = self.shared(&x, y)?;
        if x.is_empty() {
            return Ok(());
        }
        self.device().in_place(
            x,
            |pool, x| {
                on_host(&self.field, pool, x, y.host()?);
                Ok(())
            },
            |cl, x| {
                let both = self.joined(x, y)?;
                multiply_spectra((&self.planner, cl), (&self.field, self.arithmetic), &both, (shared, self.log_len), x)
            },
        )
    }

    /// Products modulo `x^len - 1`, or for negacyclic transforms modulo `x^len + 1`: every run of `len` residues of `x` becomes its
    /// convolution with that of `y`, or with the only one of `y`, by two transforms there, products of spectra, and one back.
    ///
    /// The residues must be below `p`; the results are. `x` is whatever [`Ntt::forward`] takes, `y` a buffer of the device, which
    /// keeps its values.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_ntt::{Kind, Ntt};
    /// let device = Device::from_env()?;
    /// let ntt = Ntt::new(&device, &PrimeField::<u32>::new(469_762_049)?, 4, Kind::Negacyclic)?;
    /// let mut x = device.upload(&[1u32, 2, 0, 0])?; // 1 + 2 x
    /// ntt.convolve(&mut x, &device.upload(&[3u32, 0, 0, 1])?)?; // times 3 + x^3, with x^4 = -1
    /// assert_eq!(x.download()?, [1, 6, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ntt::pointwise`] and [`Ntt::forward`].
    pub fn convolve<'a>(&self, x: impl Into<InPlace<'a, F::Element>>, y: &Buffer<F::Element>) -> Result<(), NttError> {
        self.convolve_runs(x.into(), y)
    }

    #[inline(never)]
    pub(crate) fn convolve_runs(&self, x: InPlace<'_, F::Element>, y: &Buffer<F::Element>) -> Result<(), NttError> {
        let shared = self.shared(&x, y)?;
        if x.is_empty() {
            return Ok(());
        }
        self.device().in_steps(x, |x| match x {
            InPlace::Buffer(x) => self.convolve_joined(x, y, shared),
            // Of the host: its products want both in one buffer.
            other => {
                let words = other.into_host()?;
                let mut x = self.device().upload(words)?;
                self.convolve_joined(&mut x, y, shared)?;
                Ok(x.read_into(words)?)
            }
        })
    }

    fn convolve_joined(
        &self,
        x: &mut Buffer<F::Element>,
        y: &Buffer<F::Element>,
        shared: usize,
    ) -> Result<(), NttError> {
        let mut both = self.joined(x, y)?;
        match self.device().executor() {
            Executor::Host(_) => {
                let left = x.len() >> self.log_len;
                let rows = Rows { left, shared, left_half: false, right_half: false, shift: 0 };
                self.multiply_rows(&mut both, &rows)?;
                let len = x.len();
                x.view_mut(..)?.copy_from(both.view(..len)?)?;
                Ok(())
            }
            Executor::OpenCl(cl) => {
                self.forward(&mut both)?;
                let (by, rows) = ((&self.field, self.arithmetic), (shared, self.log_len));
                multiply_spectra((&self.planner, cl), by, &both, rows, x)?;
                self.inverse(x)
            }
        }
    }

    /// The number of runs of `x` that share a run of `y`.
    fn shared(&self, x: &InPlace<'_, F::Element>, y: &Buffer<F::Element>) -> Result<usize, NttError> {
        self.device().accepts(x)?;
        self.device().same_as(y.device())?;
        let count = self.arrays(x.len())?.count;
        match y.len() {
            len if len == x.len() => Ok(1),
            len if len == self.len() => Ok(count),
            len => Err(NttError::Batch { buffer_len: len, len: self.len() }),
        }
    }

    /// The words of both, one after the other.
    fn joined(&self, x: &Buffer<F::Element>, y: &Buffer<F::Element>) -> Result<Buffer<F::Element>, NttError> {
        let mut both = self.device().scratch(x.len() + y.len())?;
        both.view_mut(..x.len())?.copy_from(x)?;
        both.view_mut(x.len()..)?.copy_from(y)?;
        Ok(both)
    }
}

/// Products on the host; a shorter `y` is taken again and again.
fn on_host<F: NttField>(field: &F, pool: &HostPool, x: &mut [F::Element], y: &[F::Element]) {
    let (bytes, operations) = (3 * size_of_val(x) as u64, x.len() as u64);
    pool.step("ntt_pointwise", bytes, operations, || {
        let tasks = x.chunks_mut(y.len()).flat_map(|x| x.chunks_mut(TASK).zip(y.chunks(TASK)));
        pool.team().each(tasks, |(x, y)| field.multiply_slice(x, y));
    });
}
