//! Boolean functions on a device: spectra, and the properties that follow from them.
//!
//! The Walsh spectrum is that of the signs, `W(w) = sum over x of (-1)^(f(x) + w . x)` in natural order (paper 001), and the
//! autocorrelation is `r(a) = sum over x of (-1)^(f(x) + f(x + a))`, the Walsh transform of the squares `W^2` divided by `2^n`.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definitions, quadratic: specification and oracle |
//! | `summary` | properties of a function from its spectrum |
//! | `host`, `device` | the primitives of both: threads, and OpenCL kernels |

mod device;
mod host;
mod properties;
pub mod reference;
pub(crate) mod summary;

use manycore_device::{Buffer, Executor};

use crate::context::Boolean;
use crate::error::BooleanError;
use crate::table::{Anf, TruthTable, word_count};
use crate::tally::Tally;
pub use properties::Properties;
pub use summary::{AutocorrelationSummary, Histogram, WalshSummary};

/// The most variables of spectra: coefficients to `2^30` fit 32 bits, and the autocorrelation's sums to `2^60` fit 64.
pub const MOST_SPECTRAL_VARIABLES: u32 = 30;

/// A Boolean function, or the coefficients of a normal form, in a device's memory: packed as in a [`TruthTable`].
#[derive(Debug)]
pub struct Function {
    variables: u32,
    words: Buffer<u64>,
}

impl Function {
    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The packed values.
    pub fn buffer(&self) -> &Buffer<u64> {
        &self.words
    }

    /// The values on the host.
    ///
    /// # Errors
    /// [`BooleanError::Device`] when the device failed.
    pub fn download(&self) -> Result<TruthTable, BooleanError> {
        Ok(TruthTable::of_words(self.variables, self.words.download()?))
    }
}

/// `2^n` integers in a device's memory: a Walsh spectrum or an autocorrelation.
#[derive(Debug)]
pub struct Spectrum {
    variables: u32,
    values: Buffer<i32>,
    is_autocorrelation: bool,
}

impl Spectrum {
    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The integers, in natural order.
    pub fn buffer(&self) -> &Buffer<i32> {
        &self.values
    }

    /// The integers on the host.
    ///
    /// # Errors
    /// [`BooleanError::Device`] when the device failed.
    pub fn download(&self) -> Result<Vec<i32>, BooleanError> {
        Ok(self.values.download()?)
    }

    /// Copies the integers to `out`.
    ///
    /// # Errors
    /// [`BooleanError::Device`] for an output of another length, and when the device failed.
    pub fn download_into(&self, out: &mut [i32]) -> Result<(), BooleanError> {
        Ok(self.values.read_into(out)?)
    }
}

/// Refuses functions that have more variables than `limit`.
fn check(what: &'static str, variables: u32, limit: u32) -> Result<(), BooleanError> {
    if variables > limit { Err(BooleanError::TooManyVariables { what, variables, limit }) } else { Ok(()) }
}

impl Boolean {
    /// A copy of a function in the device's memory.
    ///
    /// # Errors
    /// [`BooleanError::Device`] for too little memory or a failure.
    pub fn upload(&self, f: &TruthTable) -> Result<Function, BooleanError> {
        Ok(Function { variables: f.variables(), words: self.device().upload(f.words())? })
    }

    /// The Walsh spectrum `W(w) = sum over x of (-1)^(f(x) + w . x)` in natural order, of up to
    /// [`MOST_SPECTRAL_VARIABLES`] variables: `n 2^n` additions, 4 bytes a value.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, TruthTable};
    /// use manycore_device::Device;
    /// let boolean = Boolean::new(&Device::from_env()?);
    /// let f = boolean.upload(&TruthTable::from_binary("00100100")?)?;
    /// let spectrum = boolean.walsh(&f)?;
    /// assert_eq!(spectrum.download()?, [4, 0, 0, 4, 0, -4, 4, 0]);
    /// let summary = boolean.walsh_summary(&spectrum)?; // nothing but this comes to the host
    /// assert_eq!((summary.nonlinearity(), summary.correlation_immunity()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BooleanError::TooManyVariables`]; [`BooleanError::Device`] for a function of another device, too little memory or a
    /// failure.
    pub fn walsh(&self, f: &Function) -> Result<Spectrum, BooleanError> {
        check("Walsh spectra", f.variables, MOST_SPECTRAL_VARIABLES)?;
        self.device().same_as(f.words.device())?;
        let len = 1usize << f.variables;
        let mut values = self.device().scratch::<i32>(len)?;
        self.signs(&f.words, &mut values)?;
        self.transforms.walsh(&mut values, len)?;
        Ok(Spectrum { variables: f.variables, values, is_autocorrelation: false })
    }

    /// The autocorrelation `r(a) = sum over x of (-1)^(f(x) + f(x + a))`, of up to [`MOST_SPECTRAL_VARIABLES`] variables, from
    /// the Walsh spectrum: its squares, transformed back. Takes 8 bytes a value meanwhile.
    ///
    /// # Errors
    /// As [`Boolean::walsh`]; [`BooleanError::NotWalsh`] for an autocorrelation, whose squares add up to more than 64 bits hold.
    pub fn autocorrelation(&self, walsh: &Spectrum) -> Result<Spectrum, BooleanError> {
        if walsh.is_autocorrelation {
            return Err(BooleanError::NotWalsh);
        }
        self.device().same_as(walsh.values.device())?;
        let len = walsh.values.len();
        let mut squares = self.device().scratch::<i64>(len)?;
        self.squares(&walsh.values, &mut squares)?;
        self.transforms.walsh(&mut squares, len)?;
        let mut values = self.device().scratch::<i32>(len)?;
        self.shifted(&squares, walsh.variables, &mut values)?;
        Ok(Spectrum { variables: walsh.variables, values, is_autocorrelation: true })
    }

    /// The coefficients of the algebraic normal form, as a function on the device: bit `u` is the coefficient of the product
    /// of the variables whose bits stand in `u`. Applied twice it gives the function back. `n 2^n / 64` word operations.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn reed_muller(&self, f: &Function) -> Result<Function, BooleanError> {
        self.device().same_as(f.words.device())?;
        let mut words = self.device().scratch::<u64>(f.words.len())?;
        words.copy_from(&f.words)?;
        self.transforms.reed_muller(&mut words, f.variables)?;
        Ok(Function { variables: f.variables, words })
    }

    /// The algebraic normal form on the host.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn anf(&self, f: &Function) -> Result<Anf, BooleanError> {
        Ok(Anf::of_coefficients(self.reed_muller(f)?.download()?))
    }

    /// The weight of packed values, and the most ones of an index whose value is 1: of a function's coefficients
    /// ([`Boolean::reed_muller`]) the number of terms and the algebraic degree, which is 0 for constants.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn weigh(&self, f: &Function) -> Result<(u64, u32), BooleanError> {
        self.device().same_as(f.words.device())?;
        match self.device().executor() {
            Executor::Host(pool) => {
                let words = f.words.host()?;
                let bytes = size_of_val(words) as u64;
                Ok(host::step(pool, "boolean_weigh", bytes, host::WORD_VALUES * words.len(), |team| {
                    host::weigh(team, words)
                }))
            }
            Executor::OpenCl(cl) => device::weigh(self, cl, &f.words),
        }
    }

    /// Properties from a Walsh spectrum: maxima, zeros and sums, computed on the device.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn walsh_summary(&self, walsh: &Spectrum) -> Result<WalshSummary, BooleanError> {
        Ok(WalshSummary { variables: walsh.variables, sums: self.class_sums(walsh)? })
    }

    /// Properties from an autocorrelation, computed on the device.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn autocorrelation_summary(&self, r: &Spectrum) -> Result<AutocorrelationSummary, BooleanError> {
        Ok(AutocorrelationSummary { variables: r.variables, sums: self.class_sums(r)? })
    }

    fn class_sums(&self, spectrum: &Spectrum) -> Result<summary::ClassSums, BooleanError> {
        let Spectrum { variables, values, .. } = spectrum;
        self.device().same_as(values.device())?;
        match self.device().executor() {
            Executor::Host(pool) => {
                let values = values.host()?;
                let bytes = size_of_val(values) as u64;
                Ok(host::step(pool, "boolean_classes", bytes, values.len(), |team| {
                    host::class_sums(team, values, *variables)
                }))
            }
            Executor::OpenCl(cl) => device::class_sums(self, cl, values, *variables),
        }
    }

    /// The multiplicities of the values of a Walsh spectrum or an autocorrelation. All values are even, except the single one of functions
    /// of no variables.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn histogram(&self, spectrum: &Spectrum) -> Result<Histogram, BooleanError> {
        let sums = self.class_sums(spectrum)?;
        if spectrum.variables == 0 {
            let counts = spectrum.download()?.into_iter().map(|v| (v.into(), 1)).collect();
            return Ok(Histogram { counts });
        }
        let most = sums.most.into_iter().max().unwrap_or(0).into();
        let mut tally = Tally::new(self, most)?;
        tally.add(&spectrum.values, spectrum.values.len(), spectrum.variables, 1)?;
        let mut tallied = tally.finish()?;
        if tallied.incomplete {
            // Many values far from 0, of a function near an affine one.
            let far = 2 * tallied.offset;
            for v in spectrum.download()?.into_iter().filter(|v| u64::from(v.unsigned_abs()) > far) {
                *tallied.histogram.counts.entry(v.into()).or_default() += 1;
            }
        }
        Ok(tallied.histogram)
    }

    /// The dual of a bent function, with `W(w) = 2^(n/2) (-1)^dual(w)`, from its Walsh spectrum; `None` where the function is
    /// not bent.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn dual(&self, walsh: &Spectrum) -> Result<Option<Function>, BooleanError> {
        if !self.walsh_summary(walsh)?.is_bent() {
            return Ok(None);
        }
        let mut words = self.device().scratch::<u64>(word_count(walsh.variables))?;
        match self.device().executor() {
            Executor::Host(pool) => {
                let values = walsh.values.host()?;
                let out = words.host_mut()?;
                let bytes = size_of_val(values) as u64;
                host::step(pool, "boolean_negative", bytes, values.len(), |team| host::negative(team, values, out));
            }
            Executor::OpenCl(cl) => device::negative(self, cl, &walsh.values, &mut words)?,
        }
        Ok(Some(Function { variables: walsh.variables, words }))
    }

    fn signs(&self, words: &Buffer<u64>, out: &mut Buffer<i32>) -> Result<(), BooleanError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                let words = words.host()?;
                let out = out.host_mut()?;
                let (bytes, len) = (size_of_val(out) as u64, out.len());
                host::step(pool, "boolean_signs", bytes, len, |team| host::signs(team, words, out));
                Ok(())
            }
            Executor::OpenCl(cl) => device::signs(self, cl, words, out),
        }
    }

    fn squares(&self, values: &Buffer<i32>, out: &mut Buffer<i64>) -> Result<(), BooleanError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                let values = values.host()?;
                let out = out.host_mut()?;
                let (bytes, len) = (12 * out.len() as u64, out.len());
                host::step(pool, "boolean_squares", bytes, len, |team| host::squares(team, values, out));
                Ok(())
            }
            Executor::OpenCl(cl) => device::squares(self, cl, values, out),
        }
    }

    fn shifted(&self, values: &Buffer<i64>, shift: u32, out: &mut Buffer<i32>) -> Result<(), BooleanError> {
        match self.device().executor() {
            Executor::Host(pool) => {
                let values = values.host()?;
                let out = out.host_mut()?;
                let (bytes, len) = (12 * out.len() as u64, out.len());
                host::step(pool, "boolean_shifted", bytes, len, |team| host::shifted(team, values, shift, out));
                Ok(())
            }
            Executor::OpenCl(cl) => device::shifted(self, cl, values, shift, out),
        }
    }
}
