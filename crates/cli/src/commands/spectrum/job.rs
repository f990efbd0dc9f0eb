//! What the spectra of a vector's runs have in common: their input, the device, `--verify`, times and reports.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manycore::device::{DeviceSet, Word};
use manycore::files::memory;
use manycore::{Algorithm, BitOrder, Buffer, Device, DeviceError, DeviceKind, Direction, SpectralError};
use serde_json::{Value, json};

use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::choice::spectral::Sizes;
use crate::commands::label;
use crate::commands::several::{Devices, Spent, is_several};
use crate::error::Error;
use crate::input::{self, InputError, mapped};
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard;
use crate::vector::{Integer, NumberType, Vector};
use crate::verification::{Verification, verified};
use manycore::verify::{CheckError, Outcome, SplitMix};

/// The values, and the runs of them that are transformed.
#[derive(Debug, Args)]
pub struct Input {
    /// The values: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub file: PathBuf,

    /// Length of one transform: each run of LEN values is transformed separately; a power of two
    #[arg(long, value_name = "LEN")]
    pub batch: Option<usize>,
}

/// The names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// In place, natural order by itself; other orders by a permutation afterwards
    CooleyTukey,
    /// Between two buffers that swap, reversed orders (and sequency) by itself, without a permutation
    ConstantGeometry,
}

impl AlgorithmName {
    /// The name of an algorithm.
    pub(crate) fn of(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::CooleyTukey => Self::CooleyTukey,
            Algorithm::ConstantGeometry => Self::ConstantGeometry,
        }
    }

    /// What the library takes for an order of Reed-Muller and arithmetic spectra.
    pub(crate) fn suited(order: BitOrder) -> Self {
        match order {
            BitOrder::Natural => Self::CooleyTukey,
            BitOrder::Reversed => Self::ConstantGeometry,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CooleyTukey => "cooley-tukey",
            Self::ConstantGeometry => "constant-geometry",
        }
    }

    pub(crate) fn algorithm(self) -> Algorithm {
        match self {
            Self::CooleyTukey => Algorithm::CooleyTukey,
            Self::ConstantGeometry => Algorithm::ConstantGeometry,
        }
    }
}

/// Reads the names of the orders of Reed-Muller and arithmetic spectra.
pub(crate) fn bit_orders() -> impl TypedValueParser<Value = BitOrder> {
    PossibleValuesParser::new(BitOrder::ALL.map(BitOrder::name)).try_map(|name| name.parse::<BitOrder>())
}

/// Reads a polarity: a decimal number, or a hexadecimal one after `0x`.
pub(crate) fn polarity(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        Some(_) => return Err(format!("`{text}` is no number")),
        None => text.parse(),
    };
    number.map_err(|_| format!("`{text}` is no number below 2^64, decimal or hexadecimal after 0x"))
}

/// Refuses a polarity with bits past the variables of the transforms.
pub(super) fn check_polarity(polarity: u64, variables: u32) -> Result<(), Error> {
    if polarity.checked_shr(variables).unwrap_or(0) != 0 {
        return Err(Error::Usage(format!("--polarity {polarity:#x}: the functions have {variables} variables")));
    }
    Ok(())
}

/// Residues as the words that are written and checked.
pub(super) fn words<W: Copy>(values: &[W], word: impl Fn(W) -> u64) -> Result<Vec<u64>, Error> {
    let mut words = Vec::new();
    memory::reserve(&mut words, values.len(), || "residues as words".to_owned()).map_err(InputError::from)?;
    words.extend(values.iter().map(|&value| word(value)));
    Ok(words)
}

/// The name of a direction.
pub(super) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Inverse => "inverse",
    }
}

/// One run of a command: what to compute, and where.
pub(super) struct Job<'a> {
    global: &'a Global,
    /// What messages call the input.
    pub(super) file: String,
    /// The length of one transform; 0 before it is known.
    pub(super) len: usize,
    /// The transforms before those that are computed, in other shards.
    first: usize,
    pub(super) direction: Direction,
    /// Where it computes; of a device that is left to the program the host, until [`Job::choose_device`].
    pub(super) device: Device,
    /// Where several devices share it.
    several: Option<Devices>,
    wanted: Wanted<'a>,
    seed: u64,
    /// The values, where they are left in their file: then the transforms are made in one, too.
    left: Option<mapped::Numbers>,
}

/// Values in memory, or in a file.
pub(super) enum Storage<T> {
    Memory(Vec<T>),
    File(mapped::Scratch<T>),
}

impl<T: Word> Deref for Storage<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Memory(values) => values,
            Self::File(values) => values,
        }
    }
}

impl<T: Word> DerefMut for Storage<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Memory(values) => values,
            Self::File(values) => values,
        }
    }
}

impl<'a> Job<'a> {
    /// Selects the device, and begins to read the file.
    pub(super) fn new(global: &'a Global, path: &Path, inverse: bool) -> Result<Self, Error> {
        output::check_form(global)?;
        Ok(Self::of(global, path, inverse, (Wanted::new(global)?, None)))
    }

    /// [`Job::new`] of transforms that several devices may share.
    pub(super) fn shared(global: &'a Global, path: &Path, inverse: bool) -> Result<Self, Error> {
        output::check_form(global)?;
        Ok(Self::of(global, path, inverse, Self::wanted(global)?))
    }

    /// The device that is wanted, the first of several.
    pub(super) fn wanted(global: &'a Global) -> Result<(Wanted<'a>, Option<Devices>), Error> {
        if !is_several(&global.device) {
            return Ok((Wanted::new(global)?, None));
        }
        let devices = Devices::new(global)?;
        Ok((Wanted::Named(devices.set().devices()[0].clone()), Some(devices)))
    }

    fn of(global: &'a Global, path: &Path, inverse: bool, (wanted, several): (Wanted<'a>, Option<Devices>)) -> Self {
        let device = match &wanted {
            Wanted::Named(device) => device.clone(),
            Wanted::Auto(_) => Device::host(),
        };
        let file = input::name(path);
        progress::step(format!("reading {file}"));
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let direction = if inverse { Direction::Inverse } else { Direction::Forward };
        Self { global, file, len: 0, first: 0, direction, device, several, wanted, seed, left: None }
    }

    /// The values of the file, where they are left there ([`mapped::numbers`]).
    pub(super) fn leave(
        &mut self,
        path: &Path,
        wanted: Option<NumberType>,
    ) -> Result<Option<mapped::Numbers>, InputError> {
        self.left = mapped::numbers(path, wanted, self.global)?;
        Ok(self.left.clone())
    }

    /// The devices for values that are left in their file and come out in another order: of the host twice itself, since blocks are put in
    /// order in place, where all values at once take as much memory again.
    pub(super) fn by_blocks(&self, set: &DeviceSet, is_ordered: bool) -> Result<Option<DeviceSet>, DeviceError> {
        match set.devices() {
            [device] if self.left.is_some() && is_ordered && device.info().kind == DeviceKind::Host => {
                DeviceSet::equal(vec![device.clone(), device.clone()]).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The algorithm, where none is asked for: of values that are left in their file the one in place.
    pub(super) fn algorithm(&self, asked: Option<AlgorithmName>, suited: AlgorithmName) -> AlgorithmName {
        asked.unwrap_or(if self.left.is_some() { AlgorithmName::CooleyTukey } else { suited })
    }

    /// Takes the device that is done first with the operation on `total` values, where the device is left to the program.
    pub(super) fn choose_device(&mut self, total: usize, operation: impl FnOnce(Sizes) -> Operation) {
        let sizes = Sizes { n: self.len, batch: total / self.len.max(1) };
        self.device = self.wanted.device(Some(&operation(sizes)));
    }

    /// Takes the length of one transform of `total` values: that of `--batch`, or all.
    pub(super) fn cut(&mut self, batch: Option<usize>, total: usize) -> Result<(), Error> {
        let file = self.file.clone();
        self.len = match batch {
            Some(len) if !len.is_power_of_two() => {
                return Err(Error::Usage(format!("--batch {len}: the length of a transform must be a power of two")));
            }
            Some(batch) if !total.is_multiple_of(batch) => {
                return Err(InputError::Batch { file, len: total, batch }.into());
            }
            Some(batch) => batch,
            None if !total.is_power_of_two() => return Err(InputError::NotPowerOfTwo { file, len: total }.into()),
            None => total,
        };
        Ok(())
    }

    /// The runs of values that are transformed: all, or those of the shard. `None` for a shard without any.
    pub(super) fn part<T>(&mut self, mut values: Vec<T>, len: usize) -> Option<Vec<T>> {
        let range = shard::range(self.global, values.len() / len.max(1))?;
        self.first = range.start;
        values.truncate(range.end * len);
        values.drain(..range.start * len);
        Some(values)
    }

    /// The same of numbers of any type.
    pub(super) fn part_of_vector(&mut self, vector: Vector) -> Option<Vector> {
        let len = self.len;
        Some(match vector {
            Vector::I32(values) => Vector::I32(self.part(values, len)?),
            Vector::I64(values) => Vector::I64(self.part(values, len)?),
            Vector::F32(values) => Vector::F32(self.part(values, len)?),
            Vector::F64(values) => Vector::F64(self.part(values, len)?),
        })
    }

    /// Writes a shard without transforms.
    pub(super) fn write_none(&self) -> Result<(), Error> {
        shard::write_empty(self.global)
    }

    /// The first value that is transformed, by its place in the file.
    pub(super) fn first_value(&self) -> usize {
        self.first * self.len
    }

    /// The choices of `--verify`, if it is on.
    pub(super) fn random(&self) -> Option<SplitMix> {
        self.global.verify.then(|| SplitMix::new(self.seed))
    }

    /// The base-2 logarithm of the length of one transform.
    pub(super) fn log_len(&self) -> u32 {
        self.len.ilog2()
    }

    /// Refuses integers whose coefficients leave the type: `largest` has the run with the largest, given the largest of the type.
    pub(super) fn refuse_overflow<T: Integer>(
        &self,
        largest: impl FnOnce(i128) -> Result<(usize, i128), CheckError>,
    ) -> Result<(), Error> {
        let limit = T::LARGEST.into();
        match largest(limit) {
            Ok((_, size)) if size <= limit => Ok(()),
            Ok((transform, size)) => Err(self.overflow::<T>(transform, size).into()),
            Err(error) => Err(Error::Check(error)),
        }
    }

    /// The error of a transform whose numbers could reach `bound`.
    pub(super) fn overflow<T: Integer>(&self, transform: usize, bound: i128) -> InputError {
        let wider = if bound > i64::MAX.into() { NumberType::F64 } else { NumberType::I64 };
        let file = self.file.clone();
        let transform = self.first + transform;
        InputError::Overflow { file, transform, bound, number_type: T::NUMBER_TYPE, wider, bits: T::BITS }
    }

    /// Brings `x` to the device, lets `work` change it there, and brings it back; with the model's estimate beside.
    pub(super) fn compute<T: Word>(
        &self,
        x: &[T],
        predicted_seconds: f64,
        work: impl FnOnce(&mut Buffer<T>) -> Result<(), SpectralError>,
    ) -> Result<Computed<T>, Error> {
        progress::compute(format!("transforming {} values on {}", x.len(), self.devices()));
        let (values, profile) = self.device.profile(|| {
            let mut buffer = self.device.upload(x)?;
            work(&mut buffer)?;
            Ok::<_, SpectralError>(buffer.download()?)
        })?;
        let times = Times::new((&profile).into(), Some(predicted_seconds));
        Ok(Computed { values: Storage::Memory(values?), times, verification: None })
    }

    /// [`Job::compute`] on one device, or in blocks by `over` where several devices share it or `x` does not fit the one.
    pub(super) fn compute_over<T: Word>(
        &self,
        x: &[T],
        predict: impl FnOnce() -> Result<f64, Error>,
        work: impl FnOnce(&mut Buffer<T>) -> Result<(), SpectralError>,
        over: impl FnOnce(&DeviceSet, &mut [T]) -> Result<(), SpectralError>,
    ) -> Result<Computed<T>, Error> {
        let fits = size_of_val(x) as u64 <= self.device.room_bytes().min(self.device.info().largest_allocation_bytes);
        if self.several.is_none() && fits && self.left.is_none() {
            match self.compute(x, predict()?, work) {
                // A second buffer had no room.
                Err(Error::Spectral(SpectralError::Device(DeviceError::OutOfMemory { .. }))) => {}
                outcome => return outcome,
            }
        }
        progress::compute(format!("transforming {} values on {}, in blocks", x.len(), self.devices()));
        let mut values = if let Some(numbers) = &self.left {
            Storage::File(numbers.copy(self.global)?)
        } else {
            let mut values = Vec::new();
            memory::reserve(&mut values, x.len(), || "the transform".to_owned()).map_err(InputError::from)?;
            values.extend_from_slice(x);
            Storage::Memory(values)
        };
        let (outcome, spent) = match &self.several {
            Some(devices) => devices.measured(|| over(devices.set(), &mut values))?,
            None => Devices::from(self.device.clone()).waited_for(|set| over(set, &mut values)),
        };
        outcome?;
        Ok(Computed { values, times: Times::new(spent, None), verification: None })
    }

    /// What messages and reports call the devices.
    fn devices(&self) -> String {
        self.several.as_ref().map_or_else(|| label(&self.device), label)
    }

    /// Checks the values that are to be written where `--verify` asks for it.
    pub(super) fn verify<T: Word>(
        &self,
        computed: &mut Computed<T>,
        check: impl FnOnce(&[T], &mut SplitMix) -> Outcome,
    ) -> Result<(), Error> {
        if let Some(mut random) = self.random() {
            progress::step("verifying");
            computed.verification = Some(match &self.several {
                Some(devices) => verified(check(&computed.values, &mut random), devices)?,
                None => verified(check(&computed.values, &mut random), &self.device)?,
            });
        }
        Ok(())
    }

    /// The report of a result; `parameters` beside the shape, the direction and the seed.
    pub(super) fn report<R>(
        &self,
        command: &'static str,
        algorithm: Option<&'static str>,
        total: usize,
        parameters: &Value,
        (result, times, verification): (R, Times, Option<Verification>),
    ) -> Report<R> {
        let mut all = json!({
            "length": self.len,
            "transforms": total / self.len,
            "direction": direction_name(self.direction),
            "seed": self.global.verify.then_some(JsonInteger(self.seed.into())),
        });
        if let (Some(all), Some(more)) = (all.as_object_mut(), parameters.as_object()) {
            all.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        Report {
            device: Some(self.devices()),
            algorithm,
            seconds: Some(times.seconds),
            transfer_seconds: times.transfer_seconds,
            predicted_seconds: times.predicted_seconds,
            verified: verification.is_some().then_some(true),
            verification,
            ..Report::new(command, all, result)
        }
    }
}

/// A transform and its times.
pub(super) struct Computed<T> {
    pub(super) values: Storage<T>,
    pub(super) times: Times,
    pub(super) verification: Option<Verification>,
}

/// How long a transform took, and should take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) seconds: f64,
    /// Of one device that has all.
    pub(super) transfer_seconds: Option<f64>,
    /// Likewise.
    pub(super) predicted_seconds: Option<f64>,
}

impl Times {
    const fn new(spent: Spent, predicted_seconds: Option<f64>) -> Self {
        let Spent { seconds, transfer_seconds } = spent;
        Self { seconds, transfer_seconds, predicted_seconds }
    }
}

impl<T: Word> Computed<T> {
    /// The values as `to` has them, the times, and how they were verified.
    pub(super) fn split<R>(self, to: impl FnOnce(Vec<T>) -> R) -> (R, Times, Option<Verification>) {
        let values = match self.values {
            Storage::Memory(values) => values,
            Storage::File(values) => values.to_vec(),
        };
        (to(values), self.times, self.verification)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_and_their_names() {
        for name in AlgorithmName::value_variants() {
            assert_eq!(name.to_possible_value().unwrap().get_name(), name.name());
            assert_eq!(AlgorithmName::of(name.algorithm()), *name);
        }
        assert_eq!(AlgorithmName::suited(BitOrder::Natural), AlgorithmName::CooleyTukey);
        assert_eq!(AlgorithmName::suited(BitOrder::Reversed), AlgorithmName::ConstantGeometry);
    }

    #[test]
    fn polarities_are_decimal_or_hexadecimal() {
        assert_eq!(polarity("13"), Ok(13));
        assert_eq!(polarity("0x1F"), Ok(31));
        assert_eq!(polarity("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "-1", "0x", "x", "0x+1", "18446744073709551616", "1.5"] {
            assert!(polarity(wrong).is_err(), "{wrong}");
        }
    }
}
