//! `manycore poly mul`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::device::Kind;
use manycore::field::ResidueWord as _;
use manycore::poly::{Algorithm, Operation};
use manycore::{Device, PolyError, PolyField, PolyRing};
use serde_json::json;

use super::{Modulus, WithField};
use crate::arguments::Global;
use crate::commands::label;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress::Progress;
use crate::verification::verified;
use manycore::verify::{SplitMix, product};

/// The arguments of `poly mul`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The coefficients of one factor, the constant term first: text (numbers separated by white space or commas, # begins
    /// a comment) or .npy; - is standard input
    pub a: PathBuf,

    /// The coefficients of the other factor; the same file gives the square
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P")]
    pub modulus: u64,

    /// How to compute; without it, what the library chooses (`manycore explain poly-mul`)
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,

    /// Coefficients of the shorter factor for each row, with --algorithm two-phase
    #[arg(long, default_value_t = 16, value_name = "X")]
    pub x: usize,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The product of two polynomials over a prime field

A polynomial is the list of its coefficients, the constant term first, each at least 0 and below the modulus; no \
coefficients are the zero polynomial. The result is one coefficient a line up to the leading one; a .npy file with \
-o NAME.npy; one JSON object with --json. Any prime will do, also one without roots of unity such as 2, 7 or 9001.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the value of the coefficients that are written with the product of the values of those that were read, on \
the host, at a random point of an extension of the field, large enough that a wrong product passes with a chance below \
2^-64; and their number with that of the product. It takes two or three products for each coefficient for large primes, 85 \
modulo 2.

--algorithm karatsuba needs 32 coefficients or more of each factor: shorter products are those of the definition.

Examples:
  echo 2 6 | manycore poly mul - f.txt --modulus 7
  manycore poly mul f.npy g.npy --modulus 469762049 --verify -o product.npy
  manycore poly mul f.txt f.txt --modulus 9001 --algorithm karatsuba --device host --json";

/// The names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// By the definition
    Plain,
    /// By the definition in two phases with the parameter --x; on OpenCL devices
    TwoPhase,
    /// Three products of half the length instead of four; on the host
    Karatsuba,
    /// By number-theoretic transforms
    Transform,
}

impl AlgorithmName {
    fn algorithm(self, x: usize) -> Algorithm {
        match self {
            Self::Plain => Algorithm::Plain,
            Self::TwoPhase => Algorithm::TwoPhase { x },
            Self::Karatsuba => Algorithm::Karatsuba,
            Self::Transform => Algorithm::Transform,
        }
    }
}

/// Reads the factors, multiplies them, checks the product where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = Device::select(&global.device)?;
    Modulus(arguments.modulus).with(Job { arguments, global, device })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    device: Device,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { arguments, global, device } = self;
        let progress = Progress::new(global.quiet);
        let read = |path: &PathBuf| -> Result<Vec<F::Element>, Error> {
            progress.step(format!("reading {}", input::name(path)));
            Ok(input::coefficients(path, &field)?)
        };
        let square = arguments.a == arguments.b;
        let a = read(&arguments.a)?;
        let b = if square { Vec::new() } else { read(&arguments.b)? };
        progress.step(format!("multiplying on {}", label(&device)));
        let ring = PolyRing::new(&device, field.clone())?;
        let algorithm = arguments.algorithm.map(|name| name.algorithm(arguments.x));
        let (outcome, profile) = device.profile(|| multiply(&ring, &a, &b, square, algorithm))?;
        let Product { lengths, coefficients, algorithm, predicted_seconds } = outcome?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let verification = if global.verify {
            progress.step("verifying");
            let b = if square { &a } else { &b };
            let outcome = product::check(field.order(), &a, b, &coefficients, &mut SplitMix::new(seed));
            Some(verified(outcome, &device)?)
        } else {
            None
        };
        progress.step("writing");
        let parameters = json!({
            "modulus": JsonInteger(field.order().into()),
            "lengths": lengths,
            "square": square,
            "way": algorithm.as_ref().map(|(_, way)| way),
            "seed": global.verify.then_some(JsonInteger(seed.into())),
        });
        let report = Report {
            device: Some(label(&device)),
            algorithm: algorithm.map(|(name, _)| name),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
            predicted_seconds,
            verified: global.verify.then_some(true),
            verification,
            ..Report::new("poly mul", parameters, Residues(coefficients))
        };
        output::write_residues(global, &report)
    }
}

/// A product, and how it was made.
struct Product {
    /// The coefficients of the factors, leading zeros left out.
    lengths: [usize; 2],
    coefficients: Vec<u64>,
    /// Its name, and the parameters in words; `None` where a factor is zero.
    algorithm: Option<(&'static str, String)>,
    predicted_seconds: Option<f64>,
}

fn multiply<F: PolyField>(
    ring: &PolyRing<F>,
    a: &[F::Element],
    b: &[F::Element],
    square: bool,
    algorithm: Option<Algorithm>,
) -> Result<Product, PolyError> {
    let f = ring.poly(a)?;
    let g = if square { None } else { Some(ring.poly(b)?) };
    let (n, m) = (f.len(), g.as_ref().unwrap_or(&f).len());
    let operation = if square { Operation::Square { n } } else { Operation::Multiply { n, m } };
    let mut made_by = None;
    let h = if n == 0 || m == 0 {
        ring.zero()?
    } else {
        let (plan, seconds) = match algorithm {
            None => {
                let choice = ring.explain(operation)?;
                (choice.best().parameters.clone(), Some(choice.best().estimate.seconds))
            }
            Some(algorithm) => ring.plan(operation, algorithm)?,
        };
        made_by = Some((plan.algorithm().name(), plan.to_string(), seconds));
        ring.mul_by(&f, g.as_ref().unwrap_or(&f), &plan)?
    };
    let coefficients = ring.coefficients(&h)?.into_iter().map(F::Element::as_u64).collect();
    let predicted_seconds = made_by.as_ref().and_then(|(_, _, seconds)| *seconds);
    let algorithm = made_by.map(|(name, way, _)| (name, way));
    Ok(Product { lengths: [n, m], coefficients, algorithm, predicted_seconds })
}
