//! `manycore spectrum kronecker`.

use std::path::PathBuf;

use clap::Args;
use manycore::device::Kind as Step;
use manycore::field::ResidueWord as _;
use manycore::kronecker::transform::reference;
use manycore::kronecker::{
    Complex, FactorError, Goldilocks, Integers, Kronecker, KroneckerError, KroneckerProduct, PrimeField, Reals, Values,
    parse,
};
use manycore::{Buffer, Device};
use serde_json::json;

use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress::Progress;
use crate::vector::{NumberType, Vector};
use manycore::verify::SplitMix;

/// The arguments of `spectrum kronecker`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values of vectors, one after the other: text (numbers separated by white space or commas) or .npy; - is standard input
    pub file: PathBuf,

    /// The product of matrices, the most significant variable's first, such as "h12 x walsh^3", "dft3^4" or "id^2 x rm^6"
    #[arg(long)]
    pub product: String,

    /// Multiply by the inverse matrix
    #[arg(long, conflicts_with = "transpose")]
    pub inverse: bool,

    /// Multiply by the transposed matrix
    #[arg(long)]
    pub transpose: bool,

    /// Residues modulo this prime; without it, numbers
    #[arg(long, value_name = "P", conflicts_with_all = ["number_type", "complex"])]
    pub modulus: Option<u64>,

    /// Complex numbers in double precision: two numbers each, the real part first
    #[arg(long, conflicts_with = "number_type")]
    pub complex: bool,

    /// Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own floating-point type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub number_type: Option<NumberType>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Kronecker product of small matrices, times vectors

The factors are walsh, rm (Reed-Muller), arith and arith-inverse, of order 2; h1, h2, h4 to h32 (Hadamard matrices); dft1 to \
dft16 (Fourier matrices, over complex numbers or a modulus with the roots); id or id5 (the identity of order 2, or 5). They \
are joined by x, and repeated by ^: \"h12 x walsh^3\" is of order 96. Every run of so many values is a vector.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
Integers wrap modulo 2^32 or 2^64. --verify computes four values of each vector by the definition, at places that --seed \
chooses: exactly for integers and residues, within rounding for others.

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
    let job = Job { arguments, global, device: Device::select(&global.device)?, progress: Progress::new(global.quiet) };
    let file = input::name(&arguments.file);
    job.progress.step(format!("reading {file}"));
    let exactly = |_: f64| 0.0;
    if let Some(p) = arguments.modulus {
        return if p < 1 << 31 {
            let ring = PrimeField::<u32>::new(p as u32)?;
            let x = input::coefficients(&arguments.file, &ring)?;
            job.residues(&ring, &x, |word| u64::from(*word))
        } else if p == Goldilocks::MODULUS {
            let x = input::coefficients(&arguments.file, &Goldilocks)?;
            job.residues(&Goldilocks, &x, |word| word.as_u64())
        } else {
            let ring = PrimeField::<u64>::new(p)?;
            let x = input::coefficients(&arguments.file, &ring)?;
            job.residues(&ring, &x, |word| *word)
        };
    }
    let single = |size: f64| ROUNDOFFS * f64::from(f32::EPSILON) * size;
    let double = |size: f64| ROUNDOFFS * f64::EPSILON * size;
    let wanted = if arguments.complex { Some(NumberType::F64) } else { arguments.number_type };
    match input::vector(&arguments.file, wanted)? {
        Vector::I32(x) => job.numbers(&Integers::<i32>::new(), &x, Vector::I32, exactly),
        Vector::I64(x) => job.numbers(&Integers::<i64>::new(), &x, Vector::I64, exactly),
        Vector::F32(x) => job.numbers(&Reals::<f32>::new(), &x, Vector::F32, single),
        Vector::F64(x) if arguments.complex => job.numbers(&Complex::<f64>::new(), &x, Vector::F64, double),
        Vector::F64(x) => job.numbers(&Reals::<f64>::new(), &x, Vector::F64, double),
    }
}

/// Roundoffs of the sum of a vector's absolute values that a right result may be wrong by: far more than transforms make.
const ROUNDOFFS: f64 = 1e3;
/// Values of each vector that are computed by the definition.
const PLACES: usize = 4;

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    device: Device,
    progress: Progress,
}

/// What was computed, and the report without it.
struct Done<W> {
    words: Vec<W>,
    report: Report<()>,
}

/// Words as floating-point numbers, for comparisons within rounding.
trait Size: Copy {
    fn real(self) -> f64;
}

macro_rules! size {
    ($($type:ty)*) => {$(
        impl Size for $type {
            fn real(self) -> f64 {
                self as f64
            }
        }
    )*};
}

size!(i32 i64 u32 u64 f32 f64);

impl Job<'_> {
    fn residues<V: Values<Word: Size>>(
        self,
        ring: &V,
        x: &[V::Word],
        as_u64: impl Fn(&V::Word) -> u64,
    ) -> Result<(), Error> {
        let global = self.global;
        let Done { words, report } = self.compute(ring, x, |_| 0.0)?;
        let result = Residues(words.iter().map(as_u64).collect());
        output::write_residues(global, &report.with(result))
    }

    fn numbers<V: Values<Word: Size>>(
        self,
        ring: &V,
        x: &[V::Word],
        vector: impl Fn(Vec<V::Word>) -> Vector,
        tolerance: impl Fn(f64) -> f64,
    ) -> Result<(), Error> {
        let global = self.global;
        let Done { words, report } = self.compute(ring, x, tolerance)?;
        output::write_vector(global, &report.with(vector(words)))
    }

    fn compute<V: Values<Word: Size>>(
        self,
        ring: &V,
        x: &[V::Word],
        tolerance: impl Fn(f64) -> f64,
    ) -> Result<Done<V::Word>, Error> {
        let Self { arguments, global, device, progress } = self;
        if x.is_empty() {
            return Err(InputError::Empty { file: input::name(&arguments.file) }.into());
        }
        let given = parse(ring, &arguments.product)?;
        let product = match (arguments.inverse, arguments.transpose) {
            (true, _) => given.inverse()?,
            (false, true) => given.transposed(),
            (false, false) => given,
        };
        let vector = product.order() * V::WORDS;
        if !x.len().is_multiple_of(vector) {
            let (file, len) = (input::name(&arguments.file), x.len());
            if !len.is_multiple_of(V::WORDS) {
                return Err(InputError::Parts { file, len }.into());
            }
            let (len, order) = (len / V::WORDS, product.order() as u64);
            return Err(InputError::Runs { file, len, what: "vectors", order }.into());
        }
        let kronecker = Kronecker::new(&device);
        let batch = x.len() / vector;
        let transform = kronecker.transform(&product, batch)?;
        let choice = kronecker.explain(&product, batch)?;
        progress.step(format!("transforming {batch} vectors on {}", label(&device)));
        let (outcome, profile) = device.profile(|| {
            let mut buffer: Buffer<V::Word> = device.upload(x)?;
            transform.run(&mut buffer)?;
            Ok::<_, KroneckerError>(buffer.download()?)
        })?;
        let words = outcome?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        if global.verify {
            progress.step("verifying");
            if let Some(index) = wrong::<V>(&product, x, &words, seed, tolerance)? {
                let reason = format!("value {index} is not that of the definition");
                return Err(Error::Wrong { device: label(&device), reason });
            }
        }
        progress.step("writing");
        let parameters = json!({
            "product": arguments.product,
            "values": ring.name(),
            "modulus": arguments.modulus.map(|p| JsonInteger(p.into())),
            "order": product.order(),
            "vectors": batch,
            "direction": match (arguments.inverse, arguments.transpose) {
                (true, _) => "inverse",
                (false, true) => "transposed",
                (false, false) => "forward",
            },
            "way": transform.plan().to_string(),
            "seed": global.verify.then_some(JsonInteger(seed.into())),
        });
        let report = Report {
            device: Some(label(&device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Step::Upload) + profile.seconds(Step::Download)),
            predicted_seconds: Some(choice.best().prediction.seconds),
            verified: global.verify.then_some(true),
            ..Report::new("spectrum kronecker", parameters, ())
        };
        Ok(Done { words, report })
    }
}

/// The place of a value, of some of each vector that `seed` chooses, that the definition does not give.
fn wrong<V: Values<Word: Size>>(
    product: &KroneckerProduct<V>,
    x: &[V::Word],
    y: &[V::Word],
    seed: u64,
    tolerance: impl Fn(f64) -> f64,
) -> Result<Option<usize>, KroneckerError> {
    let (ring, n) = (product.values(), product.order());
    let divisor = product.factors().iter().try_fold(1_u64, |all, factor| all.checked_mul(factor.divisor()));
    let Some(by) = divisor.and_then(|n| ring.divisor(n)) else {
        let error = FactorError::Divisor { divisor: divisor.unwrap_or(u64::MAX), ring: ring.name() };
        return Err(KroneckerError::Factor { factor: 0, error });
    };
    let mut random = SplitMix::new(seed);
    let (x, y): (&[V::Value], &[V::Value]) = (bytemuck::cast_slice(x), bytemuck::cast_slice(y));
    for (vector, (x, y)) in x.chunks_exact(n).zip(y.chunks_exact(n)).enumerate() {
        let size = |values: &[V::Value]| -> f64 {
            bytemuck::cast_slice::<V::Value, V::Word>(values).iter().map(|word| word.real().abs()).sum()
        };
        let allowed = tolerance(size(x));
        for _ in 0..PLACES.min(n) {
            let row = (random.next_word() % n as u64) as usize;
            let sum = x.iter().enumerate().fold(ring.zero(), |sum, (column, &x)| {
                ring.add(sum, ring.mul(reference::entry(product, row, column), x))
            });
            let expected = if divisor == Some(1) { sum } else { ring.divided(sum, &by) };
            let right = expected == y[row] || allowed > 0.0 && size(&[ring.sub(expected, y[row])]) <= allowed;
            if !right {
                return Ok(Some(vector * n + row));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_seen() {
        let ring = Integers::<i32>::new();
        let product = parse(&ring, "walsh^2").unwrap();
        let (x, mut y) = ([3, 1, 4, 1], vec![9, 5, -1, -1]);
        let seen = |y: &[i32], seed| wrong(&product, &x, y, seed, |_| 0.0).unwrap();
        let right = reference::apply(&product, &x);
        assert!((0..20).all(|seed| seen(&right, seed).is_none()));
        y.copy_from_slice(&right);
        y[2] += 1;
        assert!((0..20).any(|seed| seen(&y, seed) == Some(2)));
        let inverse = product.inverse().unwrap();
        assert!((0..20).all(|seed| wrong(&inverse, &right, &x, seed, |_| 0.0).unwrap().is_none()));
    }
}
