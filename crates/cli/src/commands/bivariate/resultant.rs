//! `manycore bivariate resultant`.

use clap::{Args, ValueEnum};
use manycore::bivariate::Variable;
use manycore::device::Kind as Transfer;
use manycore::field::ResidueWord as _;
use manycore::verify::{Chance, CheckError, Outcome, Passed, SplitMix};
use manycore::{Bivariate, BivariateError, BivariateField, BivariateRing, Device, MatrixField};
use serde_json::json;

use super::system::System;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress::Progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The resultant of two polynomials in two variables with respect to one of them

A polynomial in the other variable: its coefficients, the constant term first. Its roots are the coordinates of the common zeros, and \
where both leading coefficients vanish. Nothing for zero, where the polynomials have a common factor with the variable.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7).

--verify computes the resultant of the images at random elements of the field on the host, at as many as make the chance that a wrong \
result passes less than 2^-64; over fields of few elements it computes the resultant a second time, by exact divisions.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate resultant - --modulus 9001
  manycore bivariate resultant system.txt --modulus 469762049 --eliminate x --verify";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The system.
    #[command(flatten)]
    pub system: System,

    /// The variable that the resultant has not: the first or the second one
    #[arg(long, value_name = "WHICH", default_value = "second")]
    pub eliminate: Eliminated,
}

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Eliminated {
    /// The first variable
    First,
    /// The second variable
    Second,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    arguments.system.names()?;
    Modulus(arguments.system.modulus).with(Job { arguments, global })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: BivariateField + MatrixField>(self, field: F) -> Result<(), Error> {
        let Self { arguments, global } = self;
        let progress = Progress::new(global.quiet);
        let device = Device::select(&global.device)?;
        progress.step(format!("reading {}", input::name(&arguments.system.file)));
        let [f, g] = arguments.system.read(&field)?;
        let (eliminated, name) = match arguments.eliminate {
            Eliminated::First => (Variable::X, "first"),
            Eliminated::Second => (Variable::Y, "second"),
        };
        progress.step(format!("computing a resultant on {}", label(&device)));
        let ring = BivariateRing::new(&device, field)?;
        let (made, profile) = device.profile(|| ring.resultant(&f, &g, eliminated))?;
        let words = made?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        let verification = if global.verify {
            Some(verified(check(&ring, [&f, &g], eliminated, &words, seed)?, &device)?)
        } else {
            None
        };
        let parameters = json!({ "modulus": arguments.system.modulus, "eliminate": name, "seed": global.verify.then_some(JsonInteger(seed.into())) });
        let report = Report {
            device: Some(label(&device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Transfer::Upload) + profile.seconds(Transfer::Download)),
            verified: global.verify.then_some(true),
            verification,
            ..Report::new(
                "bivariate resultant",
                parameters,
                Residues(words.into_iter().map(F::Element::as_u64).collect()),
            )
        };
        output::write_residues(global, &report)
    }
}

/// The chance that a wrong resultant passes, as a base-2 logarithm, is below this.
const CHANCE_LOG2: f64 = -64.0;

/// Checks a resultant on the host.
fn check<F: BivariateField>(
    ring: &BivariateRing<F>,
    [f, g]: [&Bivariate<F>; 2],
    eliminated: Variable,
    words: &[F::Element],
    seed: u64,
) -> Result<Outcome, Error> {
    let host = BivariateRing::new(&Device::host(), ring.field().clone())?;
    let relation = |relation: &str| Outcome::Err(CheckError::Relation { relation: relation.to_owned() });
    let [x, y] = [f, g].map(|f| [f.degree_x().unwrap_or(0) as f64, f.degree_y().unwrap_or(0) as f64]);
    let bound = (x[0] * y[1] + y[0] * x[1]).max(words.len() as f64).max(1.0);
    // The difference of two polynomials vanishes at an element with a chance of at most degree / p.
    let bits = bound.log2() - (ring.field().order() as f64).log2();
    if bits > -1.0 {
        let second = host.resultant_by_divisions(f, g, eliminated)?;
        if second != words {
            return Ok(relation("that a second computation by exact divisions gives the polynomial"));
        }
        return Ok(Ok(Passed::by_second_computation("second computation by exact divisions")));
    }
    let points = (CHANCE_LOG2 / bits).ceil();
    let holds = match host.verify_resultant(f, g, eliminated, words, (points as usize, seed)) {
        // A word that is no residue is no result.
        Err(BivariateError::OutOfRange(_)) => false,
        other => other?,
    };
    if !holds {
        return Ok(relation("that the resultants of images are its values"));
    }
    Ok(Ok(Passed { method: "resultants of images at random elements", chance: Chance::Below { log2: points * bits } }))
}
