//! `manycore bivariate solve`.

use clap::Args;
use manycore::bivariate::Solutions;
use manycore::device::Kind as Transfer;
use manycore::field::ResidueWord as _;
use manycore::verify::{CheckError, Outcome, Passed};
use manycore::{Bivariate, BivariateField, BivariateRing, Device, MatrixField};
use serde_json::{Value as Json, json};

use super::system::{System, shown};
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger, Report};
use crate::progress::Progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The common zeros of two polynomials in two variables over a prime field

Written as lines: `curve F` for every curve that both polynomials contain, `chain T ; H` for points over the algebraic closure, the roots \
of T(x) and above each those of H(x, y), and `point X Y` for every zero of the chains in the field itself. The sets of points of chains \
are disjoint; some may lie on a curve. Multiplicities are not told.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7).

--verify puts every chain and every point into the system, and decomposes it a second time on the host. No wrong result of a device \
passes.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate solve - --modulus 9001
  manycore bivariate solve system.txt --modulus 469762049 --variables a,b --verify --json";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The system.
    #[command(flatten)]
    pub system: System,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a list of solutions")?;
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
        let names = arguments.system.names()?;
        let device = Device::select(&global.device)?;
        progress.step(format!("reading {}", input::name(&arguments.system.file)));
        let [f, g] = arguments.system.read(&field)?;
        progress.step(format!("solving on {}", label(&device)));
        let ring = BivariateRing::new(&device, field)?;
        let (made, profile) = device.profile(|| ring.solve(&f, &g))?;
        let found = made?;
        let verification = if global.verify { Some(verified(check(&ring, [&f, &g], &found)?, &device)?) } else { None };
        let curves: Vec<String> = found.decomposition.curves.iter().map(|curve| shown(curve, names)).collect();
        let univariate = |t: &[F::Element]| -> Result<String, Error> {
            Ok(shown(&Bivariate::from_rows(ring.field(), vec![t.to_vec()])?, names))
        };
        let chains = found.decomposition.chains.iter();
        let chains: Vec<[String; 2]> =
            chains.map(|chain| Ok([univariate(&chain.t)?, shown(&chain.h, names)])).collect::<Result<_, Error>>()?;
        let points: Vec<[u64; 2]> = found.points.iter().map(|point| point.map(F::Element::as_u64)).collect();
        if global.json {
            let chains: Vec<Json> = chains.iter().map(|[t, h]| json!({ "t": t, "h": h })).collect();
            let points: Vec<[JsonInteger; 2]> =
                points.iter().map(|point| point.map(|c| JsonInteger(c.into()))).collect();
            let result = json!({ "curves": curves, "chains": chains, "points": points });
            let parameters = json!({ "modulus": arguments.system.modulus, "variables": names });
            let report = Report {
                device: Some(label(&device)),
                seconds: Some(profile.span_seconds()),
                transfer_seconds: Some(profile.seconds(Transfer::Upload) + profile.seconds(Transfer::Download)),
                verified: global.verify.then_some(true),
                verification,
                ..Report::new("bivariate solve", parameters, result)
            };
            return output::write_report(global, &report);
        }
        output::write(global, |out| {
            curves.iter().try_for_each(|curve| writeln!(out, "curve {curve}"))?;
            chains.iter().try_for_each(|[t, h]| writeln!(out, "chain {t} ; {h}"))?;
            points.iter().try_for_each(|[x, y]| writeln!(out, "point {x} {y}"))
        })
    }
}

/// Checks solutions on the host.
fn check<F: BivariateField>(
    ring: &BivariateRing<F>,
    [f, g]: [&Bivariate<F>; 2],
    found: &Solutions<F>,
) -> Result<Outcome, Error> {
    let host = BivariateRing::new(&Device::host(), ring.field().clone())?;
    let relation = |relation: &str| Outcome::Err(CheckError::Relation { relation: relation.to_owned() });
    if !host.verify_solutions(f, g, found)? {
        return Ok(relation("that chains and points are zeros of the system"));
    }
    if host.solve(f, g)? != *found {
        return Ok(relation("that a second decomposition gives the chains"));
    }
    Ok(Ok(Passed::by_second_computation("substitution, and second decomposition on the host")))
}
