//! The kinds of values of Fourier transforms in jobs: complex numbers and residues.

use std::marker::PhantomData;

use manycore_arrays::orders::Direction;
use manycore_characters::{AbelianGroup, Complexes, Residues};
use manycore_field::{KernelField, ResidueWord as _};
use manycore_operation::files::{OutOfMemory, memory};
use manycore_operation::json::{Json, integer};
use manycore_operation::vector::{Element as _, NumberType, Vector};
use manycore_operation::verify::{Passed, fourier as verify};
use manycore_operation::{Files, OperationError, Task, Value, read};

use crate::error::FourierError;
use crate::numbers::Numbers;

/// What is checked: the values of functions, those of the second operand of a convolution, and the result.
pub(super) struct Made<'a, W> {
    pub(super) x: &'a [W],
    pub(super) other: Option<&'a [W]>,
    pub(super) y: &'a [W],
    pub(super) direction: Direction,
    pub(super) group: &'a AbelianGroup,
}

/// A kind of values.
pub(super) trait Kind<N: Numbers>: 'static {
    /// Reads the words of a file.
    ///
    /// # Errors
    /// What is wrong in the file, and where.
    fn read(&self, files: &mut dyn Files, input: usize, is_real: bool) -> Result<Vec<N::Word>, OperationError>;

    /// Checks a result.
    ///
    /// # Errors
    /// The difference of a wrong one; what the check fails with.
    fn check(&self, made: &Made<'_, N::Word>) -> Result<Passed, OperationError>;

    /// Checks that there is memory for `len` words of the result in the form in which they are written, where that differs.
    ///
    /// # Errors
    /// Memory that is missing.
    fn room(&self, _len: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// The result.
    fn value(&self, y: Vec<N::Word>) -> Value;

    /// The modulus in the form of reports.
    fn modulus(&self) -> Json {
        Json::Null
    }

    /// The work as one whose time is estimated, of which the group and the batch are known.
    fn task(&self, task: Task) -> Task;
}

/// Complex numbers with parts of a type.
pub(super) struct Complex<T> {
    number_type: NumberType,
    parts: PhantomData<fn() -> T>,
}

impl<T> Complex<T> {
    pub(super) const fn new(number_type: NumberType) -> Self {
        Self { number_type, parts: PhantomData }
    }

    /// Reads complex or real numbers; an array of complex numbers is none of real ones.
    fn vector(&self, files: &mut dyn Files, input: usize, is_real: bool) -> Result<Vector, OperationError> {
        let (vector, is_complex) = read::vector_of_parts(files, input, Some(self.number_type))?;
        if is_complex && is_real {
            let message = "an array of complex numbers, where --real asks for real ones";
            return Err(OperationError::usage(format!("{}: {message}", files.name(input))));
        }
        Ok(vector)
    }
}

macro_rules! complex {
    ($($word:ident $name:ident)*) => { $(
        impl Kind<Complexes<$word>> for Complex<$word> {
            fn read(
                &self,
                files: &mut dyn Files,
                input: usize,
                is_real: bool,
            ) -> Result<Vec<$word>, OperationError> {
                match self.vector(files, input, is_real)? {
                    Vector::$name(values) => Ok(values),
                    // The reader returns the requested type.
                    _ => Ok(Vec::new()),
                }
            }

            fn check(&self, made: &Made<'_, $word>) -> Result<Passed, OperationError> {
                let group = made.group.factors();
                Ok(match made.other {
                    Some(other) => verify::complex_convolution([made.x, other], made.y, group)?,
                    None => verify::complex(made.x, made.y, made.direction, group)?,
                })
            }

            fn value(&self, y: Vec<$word>) -> Value {
                Value::Vector($word::vector(y))
            }

            fn task(&self, task: Task) -> Task {
                task.with("type", self.number_type.name())
            }
        }
    )* };
}

complex!(f32 F32 f64 F64);

/// Residues.
pub(super) struct Modular<F> {
    field: F,
}

impl<F> Modular<F> {
    pub(super) const fn new(field: F) -> Self {
        Self { field }
    }
}

impl<F: KernelField> Kind<Residues<F>> for Modular<F>
where
    Residues<F>: Numbers<Word = F::Element>,
{
    fn read(&self, files: &mut dyn Files, input: usize, _: bool) -> Result<Vec<F::Element>, OperationError> {
        read::residues(files, input, &self.field)
    }

    fn check(&self, made: &Made<'_, F::Element>) -> Result<Passed, OperationError> {
        let (group, modulus) = (made.group.factors(), self.field.order());
        let root = self.field.root_of_unity(made.group.exponent()).map_err(FourierError::from)?.as_u64();
        Ok(match made.other {
            Some(other) => verify::residue_convolution([made.x, other], made.y, group, modulus, root)?,
            None => verify::residues(made.x, made.y, made.direction, group, modulus, root)?,
        })
    }

    fn room(&self, len: usize) -> Result<(), OutOfMemory> {
        memory::probe(len as u64 * size_of::<u64>() as u64, || "residues as words".to_owned())
    }

    fn value(&self, y: Vec<F::Element>) -> Value {
        Value::Elements(y.into_iter().map(F::Element::as_u64).collect())
    }

    fn modulus(&self) -> Json {
        integer(self.field.order())
    }

    fn task(&self, mut task: Task) -> Task {
        task.sizes.push(("modulus", self.field.order()));
        task
    }
}
