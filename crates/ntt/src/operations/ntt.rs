//! The number-theoretic transform as an operation.

use manycore_field::with_field;
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Range, Splits,
    ValueError, left, read,
};

use super::job::{Options, Residues, Spectra};
use crate::NttField;

/// The orders of a spectrum.
const ORDERS: &[(&str, &str)] = &[
    ("natural", "X(k) at place k"),
    ("bit-reversed", "X(k) at the place whose bits are those of k in reversed order: a pass less"),
];

const DECLARATION: Declaration = Declaration {
    name: "spectrum ntt",
    title: "The number-theoretic transform of 2^n residues modulo a prime",
    about: "\
The number-theoretic transform of 2^n residues modulo a prime

X(k) is the sum of x(j) w^(j k), where w is the root of unity of order 2^n that the report of --json tells; with \
--negacyclic the sum of x(j) v^(j (2 k + 1)), with v of order 2^(n+1). That order must divide the modulus less one. The \
exponents are positive, as is usual for residues; `spectrum fourier --modulus` has the conjugate, w^(-j k), as over complex \
numbers. The result is one number a line; a .npy file with -o NAME.npy; one JSON object with --json.

A .npy array of residues of 64 bits larger than memory, or --memory, is left in its file where the result goes to one, beside which the \
disk must have room for it once more.",
    help: "\
--verify computes the transform again on the host, by plain loops of radix 2, and compares every value that is written; no \
wrong value passes.

Examples:
  echo 1 1 0 0 | manycore spectrum ntt - --modulus 17
  manycore spectrum ntt x.npy --modulus 469762049 --verify -o spectrum.npy
  manycore spectrum ntt spectrum.npy --modulus 469762049 --inverse",
    step: "transforming",
    inputs: &[Input::vector("file", "FILE", "The values, integers that are taken modulo the prime: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input")],
    options: &[
        DeclaredOption {
            value: OptionKind::Modulus { is_required: true },
            ..DeclaredOption::flag("modulus", "The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1")
        },
        DeclaredOption::flag("inverse", "The inverse: from the spectrum to the residues"),
        DeclaredOption::flag("negacyclic", "Products of spectra are products modulo x^n + 1 instead of x^n - 1"),
        DeclaredOption {
            value: OptionKind::Word { value_name: "ORDER", words: ORDERS, default: Some("natural") },
            ..DeclaredOption::flag("order", "The order of the spectrum")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "LEN", range: Range::Long, is_required: false, default: None },
            ..DeclaredOption::flag("batch", "Length of one transform: each run of LEN values is transformed separately; a power of two")
        },
    ],
    splits: Some(Splits::Values),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Transform;

impl Operation for Transform {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let options = Options::new(arguments);
        // Zero is no prime, and refused as such.
        with_field!(arguments.number("modulus").unwrap_or(0), field => of_field(field, options, arguments, files))?
    }
}

fn of_field<F: NttField>(
    field: F,
    options: Options,
    arguments: &Arguments,
    files: &mut dyn Files,
) -> Result<Box<dyn Job>, OperationError> {
    let batch = arguments.number("batch").map(|batch| usize::try_from(batch).unwrap_or(usize::MAX));
    if size_of::<F::Element>() == size_of::<u64>()
        && let Some(numbers) = files.left(0, left::WORDS)?
    {
        let x = numbers.map_words()?;
        // Others are reduced, in memory.
        if x.iter().all(|&word| word < field.order()) {
            let len = length(files, batch, x.len())?;
            let all = x.len() / len;
            return Ok(Box::new(Spectra::new(field, options, (len, all), Residues::File(x, numbers))));
        }
    }
    let mut x = read::residues(files, 0, &field)?;
    let len = length(files, batch, x.len())?;
    let all = x.len() / len;
    let range = files.part(all);
    x.truncate(range.end * len);
    x.drain(..range.start * len);
    Ok(Box::new(Spectra::new(field, options, (len, all), Residues::Memory(x))))
}

/// The length of each transform of `total` values.
fn length(files: &dyn Files, batch: Option<usize>, total: usize) -> Result<usize, OperationError> {
    let (file, len) = (files.name(0), batch.unwrap_or(total));
    if total == 0 {
        return Err(ValueError::Empty { file }.into());
    }
    if len == 0 || !total.is_multiple_of(len) {
        return Err(ValueError::Batch { file, len: total, batch: len }.into());
    }
    match batch {
        _ if len.is_power_of_two() => Ok(len),
        Some(len) => {
            let message = format!("--batch {len}: the length of a transform must be a power of two");
            Err(OperationError::usage(message))
        }
        None => Err(ValueError::NotPowerOfTwo { file, len }.into()),
    }
}
