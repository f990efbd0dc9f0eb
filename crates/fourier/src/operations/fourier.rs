//! The Fourier transform of functions on a finite Abelian group, and convolutions of them, as an operation.

use manycore_characters::{AbelianGroup, Complexes, Residues};
use manycore_field::{KernelField, with_field};
use manycore_operation::vector::NumberType;
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Splits,
    ValueError,
};

use super::job::{Functions, Options};
use super::kinds::{Complex, Kind, Modular};
use crate::error::FourierError;
use crate::numbers::Numbers;

const DECLARATION: Declaration = Declaration {
    name: "spectrum fourier",
    title: "The Fourier transform of functions on a finite Abelian group",
    about: "\
The Fourier transform of functions on a finite Abelian group

F(w) is the sum of f(z) times the conjugate of the character w at z, with the characters of the product of cyclic groups that \
--group names, in the order of `manycore characters`. For residues too: over a cyclic group F(k) is the sum of f(j) w^(-j k), \
where `spectrum ntt` has w^(j k). Complex numbers are read and written as two numbers each, the real part \
first; residues modulo a prime as one. The result is one number a line; a .npy file with -o NAME.npy; one JSON object with \
--json.",
    help: "\
--verify computes the transform or the convolution again on the host, by the prime factors of the group's orders, and compares \
every value that is written: residues exactly, complex numbers in double precision within the roundings of the fast algorithm \
times the sum of the absolute values of a coefficient's terms. No wrong value passes.

Examples:
  echo 1 0 0 1 0 0 | manycore spectrum fourier - --real --group 2,3
  manycore spectrum fourier x.npy --group 3^8 --modulus 7 --verify -o spectrum.npy
  echo 1 2 3 | manycore spectrum fourier - --modulus 13 --convolve kernel.txt",
    step: "transforming",
    inputs: &[Input::vector("file", "FILE", "The values of functions, one after the other: text or .npy, of complex numbers too; otherwise complex numbers are two numbers each, the real part first")],
    options: &[
        DeclaredOption {
            value: OptionKind::Text { value_name: "FACTORS", check: |text| AbelianGroup::parse(text).map(drop), default: None, is_required: false },
            ..DeclaredOption::flag("group", "The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3; without it, one cyclic group of all values")
        },
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            ..DeclaredOption::flag("modulus", "Residues modulo this prime, which must have roots of the group's exponent; without it, complex numbers")
        },
        DeclaredOption {
            excludes: Some("convolve"),
            ..DeclaredOption::flag("inverse", "The inverse: from the spectrum to the values, divided by the group's order")
        },
        DeclaredOption {
            excludes: Some("modulus"),
            ..DeclaredOption::flag("real", "The values are real numbers, one number each")
        },
        DeclaredOption {
            excludes: Some("modulus"),
            ..DeclaredOption::flag("single", "Compute complex numbers in single precision")
        },
        DeclaredOption {
            value: OptionKind::File { value_name: "FILE" },
            ..DeclaredOption::flag("convolve", "The convolution on the group with the function of this file, instead of a spectrum")
        },
    ],
    splits: Some(Splits::Values),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Transform;

type Boxed = Box<dyn Job>;

impl Operation for Transform {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        if let Some(p) = arguments.number("modulus") {
            return with_field!(p, field => of_field(arguments, files, field))?;
        }
        if arguments.is_given("single") {
            let kind = Complex::<f32>::new(NumberType::F32);
            return of_numbers(arguments, files, Complexes::<f32>::new(), kind);
        }
        of_numbers(arguments, files, Complexes::<f64>::new(), Complex::<f64>::new(NumberType::F64))
    }
}

/// The transform of functions with residues.
fn of_field<F: KernelField>(arguments: &Arguments, files: &mut dyn Files, field: F) -> Result<Boxed, OperationError>
where
    Residues<F>: Numbers<Word = F::Element>,
{
    of_numbers(arguments, files, Residues::new(field.clone()), Modular::new(field))
}

/// The transform of functions with values of a kind.
fn of_numbers<N: Numbers, K: Kind<N>>(
    arguments: &Arguments,
    files: &mut dyn Files,
    numbers: N,
    kind: K,
) -> Result<Boxed, OperationError> {
    let is_real = arguments.is_given("real");
    let mut x = words::<N, K>(files, 0, &kind, is_real)?;
    let given = match arguments.text("group") {
        Some(text) => {
            Some(AbelianGroup::parse(text).map_err(|reason| OperationError::usage(format!("--group: {reason}")))?)
        }
        None => None,
    };
    let is_given = given.is_some();
    let group = match given {
        Some(group) => group,
        None => AbelianGroup::new(&[(x.len() / N::WORDS) as u64]).map_err(FourierError::from)?,
    };
    let second = DECLARATION.input_of("convolve").filter(|_| arguments.is_given("convolve"));
    let other = second.map(|input| words::<N, K>(files, input, &kind, is_real)).transpose()?;
    let count = functions::<N>(&group, files.name(0), &x)?;
    let mut other = match (second, other) {
        (Some(input), Some(words)) => Some(operand::<N>(&group, files.name(input), words, count)?),
        _ => None,
    };
    let (range, len) = (files.part(count), x.len());
    let words = len / count.max(1);
    let part = |of: &mut Vec<N::Word>| {
        of.truncate(range.end * words);
        of.drain(..range.start * words);
    };
    // One second operand goes with every function.
    other.iter_mut().filter(|other| other.len() == len && count > 1).for_each(part);
    part(&mut x);
    let options = Options { is_inverse: arguments.is_given("inverse"), is_given, group, count };
    Ok(Box::new(Functions::new(options, numbers, kind, [Some(x), other])))
}

/// The words of a file: of real numbers as complex ones, where they are.
fn words<N: Numbers, K: Kind<N>>(
    files: &mut dyn Files,
    input: usize,
    kind: &K,
    is_real: bool,
) -> Result<Vec<N::Word>, OperationError> {
    let words = kind.read(files, input, is_real)?;
    if words.is_empty() {
        return Err(ValueError::Empty { file: files.name(input) }.into());
    }
    if is_real {
        let mut complex: Vec<N::Word> = bytemuck::zeroed_vec(words.len() * N::WORDS);
        complex.iter_mut().step_by(N::WORDS).zip(words).for_each(|(real, word)| *real = word);
        return Ok(complex);
    }
    if words.len() % N::WORDS != 0 {
        return Err(ValueError::Parts { file: files.name(input), len: words.len() }.into());
    }
    Ok(words)
}

/// The number of functions in the words of a file.
fn functions<N: Numbers>(group: &AbelianGroup, file: String, words: &[N::Word]) -> Result<usize, ValueError> {
    let (len, order) = (words.len() / N::WORDS, group.order());
    if (len as u64).is_multiple_of(order) {
        return Ok((len as u64 / order) as usize);
    }
    Err(ValueError::Runs { file, len, what: "functions", order })
}

/// The second operand of a convolution with `expected` functions: one function, or as many.
fn operand<N: Numbers>(
    group: &AbelianGroup,
    file: String,
    words: Vec<N::Word>,
    expected: usize,
) -> Result<Vec<N::Word>, ValueError> {
    let given = functions::<N>(group, file.clone(), &words)?;
    if given == 1 || given == expected { Ok(words) } else { Err(ValueError::Operands { file, given, expected }) }
}
