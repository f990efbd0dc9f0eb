//! The Kronecker product of small matrices times vectors, as an operation.

use manycore_field::{ModularField, Semiring, with_field};
use manycore_operation::vector::{NumberType, Vector};
use manycore_operation::{
    Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Range, Splits,
    ValueError, read,
};

use super::job::{Options, Vectors};
use super::rings::{Modular, Numbers, Ring, Whole};
use crate::parse::parse;
use crate::product::KroneckerProduct;
use crate::values::{Complexes, Values};
use crate::{Integers, Reals};

/// The types of numbers.
const TYPE: OptionKind = OptionKind::Word { value_name: "TYPE", words: NumberType::WORDS, default: None };

const DECLARATION: Declaration = Declaration {
    name: "spectrum kronecker",
    title: "The Kronecker product of small matrices, times vectors",
    about: "\
The Kronecker product of small matrices, times vectors

The factors are walsh, rm (Reed-Muller), arith and arith-inverse, of order 2; h1, h2, h4 to h32 (Hadamard matrices); dft1 to \
dft16 (Fourier matrices, over complex numbers or a modulus with the roots); id or id5 (the identity of order 2, or 5). They \
are joined by x, and repeated by ^: \"h12 x walsh^3\" is of order 96. Each run of as many values as the order of the product is a vector.",
    help: "\
Integers are computed exactly: vectors with a result past the type are refused, unless --wrap is given. An inverse divides at \
the end: its results times the divisor, which is 2 for each walsh and n for each Hadamard or Fourier matrix, must fit the type.

--verify multiplies again on the host, one factor after another, and compares every value that is written: integers and residues \
exactly, others in double precision within q + 5 roundoffs for each factor of order q, of the sum of the absolute values of its \
terms. No wrong value passes.

Examples:
  echo 3 1 4 1 5 9 2 6 | manycore spectrum kronecker - --product walsh^3
  manycore spectrum kronecker f.txt --product \"dft3^4\" --modulus 7 --verify
  manycore spectrum kronecker x.npy --product \"h12 x walsh^10\" --inverse -o y.npy",
    step: "transforming",
    inputs: &[Input::vector("file", "FILE", "The values of vectors, one after the other: text (numbers separated by white space or commas) or .npy, of complex numbers too; - is standard input")],
    options: &[
        DeclaredOption {
            value: OptionKind::Text { value_name: "PRODUCT", check: |_| Ok(()), default: None, is_required: true },
            ..DeclaredOption::flag("product", "The product of matrices, the most significant variable's first, such as \"h12 x walsh^3\", \"dft3^4\" or \"id^2 x rm^6\"")
        },
        DeclaredOption::flag("inverse", "Multiply by the inverse matrix\n\nThe results over the integers must be integers; with --wrap they are rounded down."),
        DeclaredOption::flag("transpose", "Multiply by the transposed matrix, with --inverse by the transposed inverse"),
        DeclaredOption {
            value: OptionKind::Count { value_name: "P", range: Range::Long, is_required: false, default: None },
            excludes: Some("type"),
            ..DeclaredOption::flag("modulus", "Residues modulo this prime; without it, numbers")
        },
        DeclaredOption {
            excludes: Some("modulus"),
            ..DeclaredOption::flag("complex", "Complex numbers in double precision: two numbers each, the real part first")
        },
        DeclaredOption {
            value: TYPE,
            excludes: Some("complex"),
            ..DeclaredOption::flag("type", "Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own floating-point type")
        },
        DeclaredOption::flag("wrap", "Let integers wrap modulo 2^32 or 2^64, where otherwise vectors whose results do not fit the type are refused"),
    ],
    splits: Some(Splits::Values),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Product;

type Boxed = Box<dyn Job>;

impl Operation for Product {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        if let Some(p) = arguments.number("modulus") {
            return with_field!(p, field => of_field(arguments, files, &field, p))?;
        }
        let is_asked = arguments.is_given("complex");
        let own = arguments.word("type").and_then(NumberType::of_name);
        let wanted = if is_asked { Some(NumberType::F64) } else { own };
        let (vector, is_of_complex) = read::vector_of_parts(files, 0, wanted)?;
        let is_complex = is_asked || is_of_complex;
        match vector {
            Vector::I32(_) | Vector::I64(_) if is_complex => {
                let (file, number_type) = (files.name(0), vector.number_type());
                let message = format!("{file}: an array of complex numbers, which --type {number_type} does not hold");
                Err(OperationError::usage(message))
            }
            Vector::I32(x) => of_ring(arguments, files, &Integers::<i32>::new(), Whole::new(arguments), x),
            Vector::I64(x) => of_ring(arguments, files, &Integers::<i64>::new(), Whole::new(arguments), x),
            Vector::F32(x) if is_complex => of_ring(arguments, files, &Complexes::<f32>::new(), Numbers, x),
            Vector::F64(x) if is_complex => of_ring(arguments, files, &Complexes::<f64>::new(), Numbers, x),
            Vector::F32(x) => of_ring(arguments, files, &Reals::<f32>::new(), Numbers, x),
            Vector::F64(x) => of_ring(arguments, files, &Reals::<f64>::new(), Numbers, x),
        }
    }
}

/// The product with vectors of residues.
fn of_field<F>(arguments: &Arguments, files: &mut dyn Files, field: &F, p: u64) -> Result<Boxed, OperationError>
where
    F: ModularField + Values<Word = <F as Semiring>::Element, Value = <F as Semiring>::Element>,
{
    let x = read::residues(files, 0, field)?;
    of_ring(arguments, files, field, Modular::new(p), x)
}

/// The product with vectors over a ring.
fn of_ring<V: Values, R: Ring<V>>(
    arguments: &Arguments,
    files: &mut dyn Files,
    values: &V,
    ring: R,
    mut x: Vec<V::Word>,
) -> Result<Boxed, OperationError> {
    let options = Options::new(arguments);
    let product = product(values, &options)?;
    ring.accepts(&product)?;
    let file = files.name(0);
    if x.is_empty() {
        return Err(ValueError::Empty { file }.into());
    }
    let vector = product.order() * V::WORDS;
    let len = x.len();
    if !len.is_multiple_of(vector) {
        if !len.is_multiple_of(V::WORDS) {
            return Err(ValueError::Parts { file, len }.into());
        }
        let (len, order) = (len / V::WORDS, product.order() as u64);
        return Err(ValueError::Runs { file, len, what: "vectors", order }.into());
    }
    let vectors = len / vector;
    let range = files.part(vectors);
    x.truncate(range.end * vector);
    x.drain(..range.start * vector);
    Ok(Box::new(Vectors::new(options, ring, product, (file, vectors, range.start), x)))
}

/// The product that the options describe.
fn product<V: Values>(values: &V, options: &Options) -> Result<KroneckerProduct<V>, OperationError> {
    let given = parse(values, &options.product)?;
    let product = if options.is_inverse { given.inverse()? } else { given };
    Ok(if options.is_transposed { product.transposed() } else { product })
}
