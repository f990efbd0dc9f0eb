//! Transforms of numbers of four types: integers exactly, or wrapped, and floating-point numbers.

use std::marker::PhantomData;

use manycore_device::{Buffer, Device, DeviceError, DeviceSet};
use manycore_operation::json::Json;
use manycore_operation::left::{self, Scratch};
use manycore_operation::vector::{Element, NumberType, Vector};
use manycore_operation::verify::{CheckError, Integer, Outcome, Real};
use manycore_operation::{
    Arguments, Declaration, Files, Job, Operation, OperationError, Task, Value, ValueError, read,
};

use super::job::{Transforms, Work};
use super::options::size;
use super::runs::Runs;
use crate::Direction;
use crate::error::SpectralError;
use crate::scalar::Scalar;

/// An integer type.
pub(super) trait Whole: Scalar + Element + Integer {}

/// A floating-point type.
pub(super) trait Floating: Scalar + Element + Real {}

impl Whole for i32 {}
impl Whole for i64 {}
impl Floating for f32 {}
impl Floating for f64 {}

/// A transform of numbers, with its options.
pub(super) trait Spectrum: Sized + 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;

    /// Whether several devices share it, and it goes through one in blocks where it does not fit.
    const IS_SHARED: bool;

    /// Whether arrays that are larger than memory are left in their file.
    const IS_LEFT: bool;

    /// The number type in the options, if any.
    ///
    /// # Errors
    /// Options that exclude each other.
    fn wanted(arguments: &Arguments) -> Result<Option<NumberType>, OperationError> {
        Ok(arguments.word("type").and_then(NumberType::of_name))
    }

    /// The numbers that are transformed, of those that were read.
    fn taken(_arguments: &Arguments, vector: Vector) -> Vector {
        vector
    }

    /// The transform of these runs of numbers of a type; `is_left` of those that are left in their file.
    ///
    /// # Errors
    /// Options that the runs do not have.
    fn new(arguments: &Arguments, runs: &Runs, number_type: NumberType, is_left: bool) -> Result<Self, OperationError>;

    /// As [`Work::refuse`].
    fn refuse<T: Whole>(&self, x: &[T], runs: &Runs) -> Result<(), OperationError>;

    /// As [`Work::predicted_seconds`].
    fn predicted_seconds<T: Scalar>(&self, device: &Device, len: usize) -> Result<f64, SpectralError>;

    /// As [`Work::transform`].
    fn transform<T: Scalar>(&self, device: &Device, values: &mut Buffer<T>) -> Result<(), SpectralError>;

    /// As [`Work::over`].
    fn over<T: Scalar>(&self, _devices: &DeviceSet, _values: &mut [T]) -> Result<(), SpectralError> {
        Err(DeviceError::elsewhere().into())
    }

    /// As [`Work::is_ordered`].
    fn is_ordered(&self) -> bool {
        false
    }

    /// As [`Work::finish`].
    fn finish<T: Whole>(&self, _y: &mut [T], _runs: &Runs) -> Result<(), OperationError> {
        Ok(())
    }

    /// Checks integers, as [`Work::check`].
    fn check_integers<T: Whole>(&self, x: &[T], y: &[T], seed: u64) -> Outcome;

    /// Checks floating-point numbers, as [`Work::check`].
    fn check_reals<T: Floating>(&self, x: &[T], y: &[T]) -> Outcome;

    /// As [`Work::check_unfinished`].
    fn check_unfinished<T: Whole>(&self, _x: &[T], _y: &[T], _seed: u64) -> Option<Outcome> {
        None
    }

    /// As [`Work::task`].
    fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task;

    /// As [`Work::direction`].
    fn direction(&self) -> Direction;

    /// As [`Work::algorithm`].
    fn algorithm(&self) -> Option<&'static str>;

    /// As [`Work::parameters`].
    fn parameters(&self) -> Vec<(&'static str, Json)>;
}

/// What is the same of all types.
macro_rules! common {
    ($type:ident, $name:ident) => {
        const IS_SHARED: bool = S::IS_SHARED;

        fn predicted_seconds(&self, device: &Device, len: usize) -> Result<f64, SpectralError> {
            Spectrum::predicted_seconds::<$type>(self, device, len)
        }

        fn transform(&self, device: &Device, values: &mut Buffer<$type>) -> Result<(), SpectralError> {
            Spectrum::transform(self, device, values)
        }

        fn over(&self, devices: &DeviceSet, values: &mut [$type]) -> Result<(), SpectralError> {
            Spectrum::over(self, devices, values)
        }

        fn is_ordered(&self) -> bool {
            Spectrum::is_ordered(self)
        }

        fn value(&self, y: Vec<$type>) -> Value {
            Value::Vector(Vector::$name(y))
        }

        fn left(&self, y: Scratch<$type>) -> Value {
            Value::Left(y.into())
        }

        fn task(&self, sizes: Vec<(&'static str, u64)>) -> Task {
            Spectrum::task(self, sizes)
        }

        fn direction(&self) -> Direction {
            Spectrum::direction(self)
        }

        fn algorithm(&self) -> Option<&'static str> {
            Spectrum::algorithm(self)
        }

        fn parameters(&self) -> Vec<(&'static str, Json)> {
            Spectrum::parameters(self)
        }
    };
}

macro_rules! integers {
    ($($type:ident $name:ident)*) => { $(
        impl<S: Spectrum> Work<$type> for S {
            common!($type, $name);

            fn refuse(&self, x: &[$type], runs: &Runs) -> Result<(), OperationError> {
                Spectrum::refuse(self, x, runs)
            }

            fn finish(&self, y: &mut [$type], runs: &Runs) -> Result<(), OperationError> {
                Spectrum::finish(self, y, runs)
            }

            fn check(&self, x: &[$type], y: &[$type], seed: u64) -> Outcome {
                self.check_integers(x, y, seed)
            }

            fn check_unfinished(&self, x: &[$type], y: &[$type], seed: u64) -> Option<Outcome> {
                Spectrum::check_unfinished(self, x, y, seed)
            }
        }
    )* };
}

macro_rules! reals {
    ($($type:ident $name:ident)*) => { $(
        impl<S: Spectrum> Work<$type> for S {
            common!($type, $name);

            fn check(&self, x: &[$type], y: &[$type], _: u64) -> Outcome {
                self.check_reals(x, y)
            }
        }
    )* };
}

integers!(i32 I32 i64 I64);
reals!(f32 F32 f64 F64);

/// Refuses integers whose coefficients leave the type: `largest` has the run with the largest, given the largest of the type.
///
/// # Errors
/// [`ValueError::Overflow`] with the run; what the search fails with.
pub(super) fn refuse_overflow<T: Whole>(
    runs: &Runs,
    largest: impl FnOnce(i128) -> Result<(usize, i128), CheckError>,
) -> Result<(), OperationError> {
    let limit = <T as Integer>::LARGEST.into();
    let (transform, size) = largest(limit)?;
    if size <= limit { Ok(()) } else { Err(overflow::<T>(runs, transform, size).into()) }
}

/// The error of a transform whose numbers could reach `bound`.
pub(super) fn overflow<T: Whole>(runs: &Runs, transform: usize, bound: i128) -> ValueError {
    ValueError::overflow(&runs.file, runs.number(transform), bound, T::NUMBER_TYPE)
}

/// An operation that transforms numbers.
pub(super) struct Numbers<S>(PhantomData<fn() -> S>);

impl<S> Numbers<S> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

type Boxed = Box<dyn Job>;

impl<S: Spectrum> Operation for Numbers<S> {
    fn declaration(&self) -> &'static Declaration {
        S::DECLARATION
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        S::IS_SHARED
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        let (wanted, batch) = (S::wanted(arguments)?, size(arguments, "batch"));
        if S::IS_LEFT
            && let Some(numbers) = files.left(0, left::types(wanted))?
        {
            let (name, number_type) = (files.name(0), numbers.number_type());
            let runs = Runs::new(name, batch, numbers.len())?;
            let work = S::new(arguments, &runs, number_type, true)?;
            return match number_type {
                NumberType::I32 => of_file::<i32, S>(work, runs, numbers),
                NumberType::I64 => of_file::<i64, S>(work, runs, numbers),
                NumberType::F32 => of_file::<f32, S>(work, runs, numbers),
                NumberType::F64 => of_file::<f64, S>(work, runs, numbers),
            };
        }
        let vector = S::taken(arguments, read::vector(files, 0, wanted)?);
        let runs = Runs::new(files.name(0), batch, vector.len())?;
        match vector {
            Vector::I32(x) => in_memory::<_, S>(arguments, files, runs, x),
            Vector::I64(x) => in_memory::<_, S>(arguments, files, runs, x),
            Vector::F32(x) => in_memory::<_, S>(arguments, files, runs, x),
            Vector::F64(x) => in_memory::<_, S>(arguments, files, runs, x),
        }
    }
}

/// The transforms of an array that is left in its file.
fn of_file<T: Element, S: Work<T>>(work: S, runs: Runs, numbers: left::Numbers) -> Result<Boxed, OperationError> {
    let x = numbers.map::<T>()?;
    Ok(Box::new(Transforms::of_file(work, runs, x, numbers)))
}

/// The transforms of numbers in memory, or of a part of them.
fn in_memory<T: Element, S: Spectrum + Work<T>>(
    arguments: &Arguments,
    files: &mut dyn Files,
    mut runs: Runs,
    x: Vec<T>,
) -> Result<Boxed, OperationError> {
    let len = runs.len;
    let x = runs.part(files, x, len);
    let work = S::new(arguments, &runs, T::NUMBER_TYPE, false)?;
    Ok(Box::new(Transforms::new(work, runs, x)))
}
