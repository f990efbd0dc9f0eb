//! `manycore spectrum kronecker`.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use manycore::device::{Kind as Step, Word};
use manycore::files::{NotFinite, Number};
use manycore::kronecker::num_complex::Complex;
use manycore::kronecker::{
    Complexes, FactorError, Goldilocks, Integers, Kronecker, KroneckerError, KroneckerProduct, PrimeField, Reals,
    Values, parse,
};
use manycore::verify::{Outcome, kronecker as verify};
use manycore::{Buffer, Device};
use serde_json::json;

use super::job::words;
use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::choice::groups::KroneckerArguments;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress;
use crate::shard;
use crate::vector::{Integer, NumberType, Vector, number_types};
use crate::verification::verified;

/// The arguments of `spectrum kronecker`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // options without a value
pub struct Arguments {
    /// The values of vectors, one after the other: text (numbers separated by white space or commas) or .npy, of complex numbers
    /// too; - is standard input
    pub file: PathBuf,

    /// The product of matrices, the most significant variable's first, such as "h12 x walsh^3", "dft3^4" or "id^2 x rm^6"
    #[arg(long)]
    pub product: String,

    /// Multiply by the inverse matrix
    ///
    /// The results over the integers must be integers; with --wrap they are rounded down.
    #[arg(long)]
    pub inverse: bool,

    /// Multiply by the transposed matrix, with --inverse by the transposed inverse
    #[arg(long)]
    pub transpose: bool,

    /// Residues modulo this prime; without it, numbers
    #[arg(long, value_name = "P", conflicts_with_all = ["number_type", "complex"])]
    pub modulus: Option<u64>,

    /// Complex numbers in double precision: two numbers each, the real part first
    #[arg(long, conflicts_with = "number_type")]
    pub complex: bool,

    /// Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own floating-point type
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types())]
    pub number_type: Option<NumberType>,

    /// Let integers wrap modulo 2^32 or 2^64, where otherwise vectors whose results do not fit the type are refused
    #[arg(long)]
    pub wrap: bool,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Kronecker product of small matrices, times vectors

The factors are walsh, rm (Reed-Muller), arith and arith-inverse, of order 2; h1, h2, h4 to h32 (Hadamard matrices); dft1 to \
dft16 (Fourier matrices, over complex numbers or a modulus with the roots); id or id5 (the identity of order 2, or 5). They \
are joined by x, and repeated by ^: \"h12 x walsh^3\" is of order 96. Each run of as many values as the order of the product is a vector.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
Integers are computed exactly: vectors with a result past the type are refused, unless --wrap is given. An inverse divides at \
the end: its results times the divisor, which is 2 for each walsh and n for each Hadamard or Fourier matrix, must fit the type.

--verify multiplies again on the host, one factor after another, and compares every value that is written: integers and residues \
exactly, others in double precision within q + 5 roundoffs for each factor of order q, of the sum of the absolute values of its \
terms. No wrong value passes.

Examples:
  echo 3 1 4 1 5 9 2 6 | manycore spectrum kronecker - --product walsh^3
  manycore spectrum kronecker f.txt --product \"dft3^4\" --modulus 7 --verify
  manycore spectrum kronecker x.npy --product \"h12 x walsh^10\" --inverse -o y.npy";

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let job = Job { arguments, global, wanted: Wanted::new(global)? };
    let file = input::name(&arguments.file);
    progress::step(format!("reading {file}"));
    if let Some(p) = arguments.modulus {
        return if p < 1 << 31 {
            let ring = PrimeField::<u32>::new(p as u32)?;
            let x = input::coefficients(&arguments.file, &ring)?;
            job.residues(&ring, &x, u64::from)
        } else if p == Goldilocks::MODULUS {
            let x = input::coefficients(&arguments.file, &Goldilocks)?;
            job.residues(&Goldilocks, &x, |word| word)
        } else {
            let ring = PrimeField::<u64>::new(p)?;
            let x = input::coefficients(&arguments.file, &ring)?;
            job.residues(&ring, &x, |word| word)
        };
    }
    let wanted = if arguments.complex { Some(NumberType::F64) } else { arguments.number_type };
    let (vector, of_complex) = input::vector_of_parts(&arguments.file, wanted)?;
    let complex = arguments.complex || of_complex;
    match vector {
        Vector::I32(_) | Vector::I64(_) if complex => {
            let number_type = vector.number_type();
            Err(Error::Usage(format!("{file}: an array of complex numbers, which --type {number_type} does not hold")))
        }
        Vector::I32(x) => job.integers(&Integers::<i32>::new(), &x),
        Vector::I64(x) => job.integers(&Integers::<i64>::new(), &x),
        Vector::F32(x) if complex => {
            let entry = |entry: Complex<f32>| [entry.re, entry.im].map(f64::from);
            job.numbers(&Complexes::<f32>::new(), &x, Vector::F32, |product, x, y| {
                Ok(verify::complex(x, y, &checked(product, entry)?))
            })
        }
        Vector::F64(x) if complex => job.numbers(&Complexes::<f64>::new(), &x, Vector::F64, |product, x, y| {
            Ok(verify::complex(x, y, &checked(product, |entry: Complex<f64>| [entry.re, entry.im])?))
        }),
        Vector::F32(x) => job.numbers(&Reals::<f32>::new(), &x, Vector::F32, |product, x, y| {
            Ok(verify::reals(x, y, &checked(product, f64::from)?))
        }),
        Vector::F64(x) => job.numbers(&Reals::<f64>::new(), &x, Vector::F64, |product, x, y| {
            Ok(verify::reals(x, y, &checked(product, |entry| entry)?))
        }),
    }
}

/// The product as checks take it.
fn checked<V: Values, E>(
    product: &KroneckerProduct<V>,
    entry: impl Fn(V::Value) -> E,
) -> Result<verify::Product<E>, Error> {
    let mut factors = Vec::new();
    for factor in product.factors() {
        let entries = factor.entries().map(|entries| verify::entries(entries, &entry)).transpose();
        factors.push(verify::Factor { order: factor.order(), entries: entries.map_err(Error::Check)? });
    }
    Ok(verify::Product { factors, divisor: divisor(product)? })
}

/// What the results are divided by.
fn divisor<V: Values>(product: &KroneckerProduct<V>) -> Result<u64, KroneckerError> {
    product.divisor().ok_or_else(|| {
        let error = FactorError::Divisor { divisor: u64::MAX, ring: product.values().name() };
        KroneckerError::Factor { factor: product.factors().len().saturating_sub(1), error }
    })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    wanted: Wanted<'a>,
}

/// Vectors of the file.
struct Part<'x, W> {
    x: &'x [W],
    /// The number of vectors before them, in other shards.
    first: usize,
    /// The number of all.
    vectors: usize,
}

/// What was computed and where, and the report without it.
struct Done<W> {
    words: Vec<W>,
    device: Device,
    report: Report<()>,
}

impl Job<'_> {
    fn residues<W: Word, V: Values<Word = W, Value = W>>(
        self,
        ring: &V,
        x: &[W],
        as_u64: impl Fn(W) -> u64 + Copy,
    ) -> Result<(), Error> {
        let (product, modulus) = (self.product(ring)?, self.arguments.modulus.unwrap_or_default());
        let Some(part) = self.part(&product, x)? else { return shard::write_empty(self.global) };
        let Done { words: y, device, report } = self.compute(&product, &part, NumberType::I64, false)?;
        let y = words(&y, as_u64)?;
        let check = || Ok(verify::residues(&words(part.x, as_u64)?, &y, &checked(&product, as_u64)?, modulus));
        let report = self.verified(report, &device, check)?;
        output::write_residues(self.global, &report.with(Residues(y)))
    }

    fn numbers<V: Values>(
        self,
        ring: &V,
        x: &[V::Word],
        vector: impl Fn(Vec<V::Word>) -> Vector,
        check: impl Fn(&KroneckerProduct<V>, &[V::Word], &[V::Word]) -> Result<Outcome, Error>,
    ) -> Result<(), Error> {
        let product = self.product(ring)?;
        let number_type = if size_of::<V::Word>() == 4 { NumberType::F32 } else { NumberType::F64 };
        let Some(part) = self.part(&product, x)? else { return shard::write_empty(self.global) };
        let Done { words: y, device, report } = self.compute(&product, &part, number_type, V::WORDS == 2)?;
        let report = self.verified(report, &device, || check(&product, part.x, &y))?;
        output::write_vector(self.global, &report.with(vector(y)))
    }

    /// Integers: exact, or refused, or wrapped. An inverse is computed without its divisors, which divide at the end, so that
    /// results that are no integers are found instead of rounded.
    #[allow(clippy::trivially_copy_pass_by_ref)] // as every ring is given
    fn integers<T: Integer + Word>(self, ring: &Integers<T>, x: &[T]) -> Result<(), Error>
    where
        Integers<T>: Values<Word = T, Value = T>,
    {
        let product = self.product(ring)?;
        let (divisor, exact) = (divisor(&product)?, checked(&product, Into::into)?);
        let Some(part) = self.part(&product, x)? else { return shard::write_empty(self.global) };
        let x = part.x;
        if !self.arguments.wrap {
            let limit = i128::from(T::LARGEST);
            let (transform, bound) = verify::largest(x, &exact, limit).map_err(Error::Check)?;
            if bound > limit {
                let wider = if bound > i64::MAX.into() { NumberType::F64 } else { NumberType::I64 };
                let (file, number_type) = (input::name(&self.arguments.file), T::NUMBER_TYPE);
                let transform = part.first + transform;
                return Err(InputError::Overflow { file, transform, bound, number_type, wider, bits: T::BITS }.into());
            }
        }
        let Done { words: mut y, device, report } =
            self.compute(&product.undivided().wrapping(), &part, T::NUMBER_TYPE, false)?;
        if let Some(index) = verify::first_fraction(&y, divisor).filter(|_| !self.arguments.wrap) {
            // The vectors are to blame only if the device is not.
            let undivided = verify::Product { divisor: 1, ..exact };
            self.verified(report, &device, || Ok(verify::exact(x, &y, &undivided)))?;
            let (file, numerator) = (input::name(&self.arguments.file), i128::from(y[index].into()));
            let index = part.first * product.order() + index;
            return Err(InputError::NotSpectrum { file, index, numerator, len: divisor as usize }.into());
        }
        for value in y.iter_mut().filter(|_| divisor > 1) {
            // A quotient by a number that is positive fits the type; it is rounded down where integers wrap.
            let quotient = i128::from((*value).into()).div_euclid(divisor.into());
            *value = T::of_number(Number::Integer(quotient), NotFinite::Refused).unwrap_or(*value);
        }
        let by = if self.arguments.wrap { verify::wrapping::<T> } else { verify::exact::<T> };
        let report = self.verified(report, &device, || Ok(by(x, &y, &exact)))?;
        output::write_vector(self.global, &report.with(T::vector(y)))
    }

    /// The product that the arguments describe.
    fn product<V: Values>(&self, ring: &V) -> Result<KroneckerProduct<V>, Error> {
        let given = parse(ring, &self.arguments.product)?;
        let product = if self.arguments.inverse { given.inverse()? } else { given };
        Ok(if self.arguments.transpose { product.transposed() } else { product })
    }

    /// The report, with how the result was checked where `--verify` asks for it.
    fn verified(
        &self,
        report: Report<()>,
        device: &Device,
        check: impl FnOnce() -> Result<Outcome, Error>,
    ) -> Result<Report<()>, Error> {
        if !self.global.verify {
            return Ok(report);
        }
        progress::step("verifying");
        let verification = verified(check()?, device)?;
        Ok(Report { verified: Some(true), verification: Some(verification), ..report })
    }

    /// The vectors that are multiplied: all, or those of the shard. `None` for a shard without any.
    fn part<'x, V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        x: &'x [V::Word],
    ) -> Result<Option<Part<'x, V::Word>>, Error> {
        let arguments = self.arguments;
        if x.is_empty() {
            return Err(InputError::Empty { file: input::name(&arguments.file) }.into());
        }
        let vector = product.order() * V::WORDS;
        if !x.len().is_multiple_of(vector) {
            let (file, len) = (input::name(&arguments.file), x.len());
            if !len.is_multiple_of(V::WORDS) {
                return Err(InputError::Parts { file, len }.into());
            }
            let (len, order) = (len / V::WORDS, product.order() as u64);
            return Err(InputError::Runs { file, len, what: "vectors", order }.into());
        }
        let vectors = x.len() / vector;
        let part =
            |range: Range<usize>| Part { x: &x[range.start * vector..range.end * vector], first: range.start, vectors };
        Ok(shard::range(self.global, vectors).map(part))
    }

    fn compute<V: Values>(
        &self,
        product: &KroneckerProduct<V>,
        &Part { x, vectors, .. }: &Part<'_, V::Word>,
        number_type: NumberType,
        complex: bool,
    ) -> Result<Done<V::Word>, Error> {
        let Self { arguments, wanted, .. } = self;
        let vector = product.order() * V::WORDS;
        let batch = x.len() / vector;
        let (text, modulus) = (arguments.product.clone(), arguments.modulus);
        let operation = KroneckerArguments { product: text, batch, modulus, complex, number_type };
        let device = &wanted.device(Some(&Operation::Kronecker(operation)));
        let kronecker = Kronecker::new(device);
        let choice = kronecker.explain(product, vectors)?;
        let transform = if shard::is_on(self.global) {
            // Shards go by the plan of the whole: with another one sums may be rounded in another order.
            kronecker.transform_by(product, batch, choice.best().parameters.clone())?
        } else {
            kronecker.transform(product, batch)?
        };
        progress::compute(format!("transforming {batch} vectors on {}", label(device)));
        let (outcome, profile) = device.profile(|| {
            let mut buffer: Buffer<V::Word> = device.upload(x)?;
            transform.run(&mut buffer)?;
            Ok::<_, KroneckerError>(buffer.download()?)
        })?;
        let parameters = json!({
            "product": arguments.product,
            "values": product.values().name(),
            "modulus": arguments.modulus.map(|p| JsonInteger(p.into())),
            "order": product.order(),
            "vectors": vectors,
            "direction": match (arguments.inverse, arguments.transpose) {
                (true, true) => "inverse transposed",
                (true, false) => "inverse",
                (false, true) => "transposed",
                (false, false) => "forward",
            },
            "wrap": arguments.wrap,
            "way": transform.plan().to_string(),
        });
        let report = Report {
            device: Some(label(device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Step::Upload) + profile.seconds(Step::Download)),
            predicted_seconds: Some(choice.best().estimate.seconds * batch as f64 / vectors as f64),
            ..Report::new("spectrum kronecker", parameters, ())
        };
        Ok(Done { words: outcome?, device: device.clone(), report })
    }
}
