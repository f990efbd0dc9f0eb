//! `manycore bivariate report`.

use clap::Args;
use manycore::bivariate::Solutions;
use manycore::field::ResidueWord as _;
use manycore::{Bivariate, BivariateField, BivariateRing, Device, MatrixField};

use super::job::Work as _;
use super::solve::Solve;
use super::system::System;
use super::value::{Value, shown};
use crate::arguments::Global;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::several::one;
use crate::commands::{label, refuse_json};
use crate::error::Error;
use crate::input;
use crate::output;
use crate::pages::{self, curves as page};
use crate::progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Write a page to look at: both curves as points of the plane over a small prime field, their common zeros marked

One HTML file that loads nothing. The modulus is a prime up to 1021, so that every point of the plane has a cell.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
--verify checks the common zeros as bivariate solve does: every chain and every point put into the system, and a second decomposition \
on the host. No wrong result of a device passes. The points of each curve are computed on the host.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate report - --modulus 101 -o curves.html
  manycore bivariate report system.txt --modulus 251 --variables a,b --verify -o curves.html";

/// Elements of a field that a page has room for in a line.
const MOST_ELEMENTS: u64 = 1024;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The system.
    #[command(flatten)]
    pub system: System,
}

/// Solves the system and writes the page.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    refuse_json(global, "bivariate report")?;
    output::check_text(global, "a page")?;
    let system = &arguments.system;
    let names = system.names()?;
    match system.modulus {
        Some(modulus) if modulus <= MOST_ELEMENTS => Modulus(modulus).with(Job { system, names, modulus, global }),
        Some(modulus) => Err(Error::Usage(format!(
            "--modulus {modulus}: a page has room for a field of up to {MOST_ELEMENTS} elements"
        ))),
        None => Err(Error::Usage("--exact: a page shows curves over a prime field: give --modulus".to_owned())),
    }
}

struct Job<'a> {
    system: &'a System,
    names: [&'a str; 2],
    modulus: u64,
    global: &'a Global,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: BivariateField + MatrixField>(self, field: F) -> Result<(), Error> {
        let Self { system, names, modulus, global } = self;
        let device = one(global)?;
        progress::step(format!("reading {}", input::name(&system.file)));
        let read = system.read_with_texts(|line| Bivariate::parse_in(&field, line, names))?;
        let (given, polynomials) = (read.clone().map(|(text, _)| text), read.map(|(_, polynomial)| polynomial));
        progress::compute(format!("solving on {}", label(&device)));
        let ring = BivariateRing::new(&device, field.clone())?;
        let found: Solutions<F> = Solve.modular(&ring, &polynomials)?;
        if global.verify {
            progress::step("verifying");
            let host = BivariateRing::new(&Device::host(), field.clone())?;
            verified(Solve.check_modular(&host, &polynomials, &found, 0)?, &device)?;
        }
        let element = F::Element::from_u64;
        let on = |of: &Bivariate<F>, x: u64, y: u64| of.evaluate(element(x), element(y)).as_u64() == 0;
        let places = (0..modulus).flat_map(|y| (0..modulus).map(move |x| (x, y)));
        let plane = places.map(|(x, y)| u8::from(on(&polynomials[0], x, y)) + 2 * u8::from(on(&polynomials[1], x, y)));
        let plane = plane.collect();
        let equations = [shown(&polynomials[0], names), shown(&polynomials[1], names)];
        let (curves, chains, points) = match Solve.value_of_modular(&field, found, names)? {
            Value::Solutions { curves, chains, points } => (curves, chains, points),
            Value::Residues(_) | Value::Fractions(_) => Default::default(),
        };
        let (name, names) = (input::name(&system.file), names.map(str::to_owned));
        let shown = page::Shown { name, names, modulus, given, equations, plane, points, curves, chains };
        pages::write(global, &page::page(&shown))
    }
}
