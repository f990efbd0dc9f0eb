//! The page of a system over a small prime field.

use manycore_device::{Device, DeviceSet};
use manycore_field::ResidueWord as _;
use manycore_operation::{Answer, Arguments, Declaration, Files, Job, Operation, OperationError, Value, unmade};
use manycore_verify::Passed;

use super::curves::{Shown, page};
use super::job::{WithField, Work as _, with_field};
use super::solve::{Found, Solve};
use super::system::{self, EXACT, KIND, MODULUS, SYSTEM, VARIABLES, shown};
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};
use crate::solve::Solutions;

const DECLARATION: Declaration = Declaration {
    name: "bivariate report",
    title: "A page to look at: both curves as points of the plane over a small field, common zeros marked",
    about: "\
Write a page to look at: both curves as points of the plane over a small prime field, their common zeros marked

One HTML file that loads nothing. The modulus is a prime up to 1021, so that every point of the plane has a cell.",
    help: "\
--verify checks the common zeros as bivariate solve does: every chain and every point put into the system, and a second decomposition \
on the host. No wrong result of a device passes. The points of each curve are computed on the host.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate report - --modulus 101 -o curves.html
  manycore bivariate report system.txt --modulus 251 --variables a,b --verify -o curves.html",
    step: "solving",
    inputs: SYSTEM,
    options: &[MODULUS, EXACT, VARIABLES],
    one_of: KIND,
    is_page: true,
    ..Declaration::BASE
};

/// Elements of a field that a page has room for in a line.
const MOST_ELEMENTS: u64 = 1024;

/// The operation.
pub(super) static REPORT: Report = Report;

pub(super) struct Report;

impl Operation for Report {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let names = system::names(arguments)?;
        match arguments.number("modulus") {
            Some(modulus) if modulus <= MOST_ELEMENTS => with_field(modulus, OfFile { names, modulus, files }),
            Some(modulus) => Err(OperationError::usage(format!(
                "--modulus {modulus}: a page has room for a field of up to {MOST_ELEMENTS} elements"
            ))),
            None => Err(OperationError::usage("--exact: a page shows curves over a prime field: give --modulus")),
        }
    }
}

struct OfFile<'a> {
    names: [String; 2],
    modulus: u64,
    files: &'a mut dyn Files,
}

impl WithField for OfFile<'_> {
    fn read<F: BivariateField>(self, field: F) -> Result<Box<dyn Job>, OperationError> {
        let Self { names, modulus, files } = self;
        let [x, y] = &names;
        let read = system::read(files, |line| Bivariate::parse_in(&field, line, [x, y]))?;
        let [(first, f), (second, g)] = read;
        let given = [first, second];
        Ok(Box::new(Task { name: files.name(0), names, modulus, field, given, system: [f, g], found: None }))
    }
}

/// A call.
struct Task<F: BivariateField> {
    name: String,
    names: [String; 2],
    modulus: u64,
    field: F,
    /// The polynomials as they were written.
    given: [String; 2],
    system: [Bivariate<F>; 2],
    found: Option<(Solutions<F>, Found)>,
}

impl<F: BivariateField> Task<F> {
    /// For each y and then each x 0, 1 on the first curve, 2 on the second, 3 on both.
    fn plane(&self) -> Vec<u8> {
        let element = F::Element::from_u64;
        let on = |of: &Bivariate<F>, x: u64, y: u64| of.evaluate(element(x), element(y)).as_u64() == 0;
        let [f, g] = &self.system;
        let places = (0..self.modulus).flat_map(|y| (0..self.modulus).map(move |x| (x, y)));
        places.map(|(x, y)| u8::from(on(f, x, y)) + 2 * u8::from(on(g, x, y))).collect()
    }
}

impl<F: BivariateField> Job for Task<F> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let ring = BivariateRing::new(&devices.devices()[0], self.field.clone())?;
        let solutions = Solve.modular(&ring, &self.system)?;
        let found = Found::of(&self.field, &solutions, self.names.each_ref().map(String::as_str))?;
        self.found = Some((solutions, found));
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let (solutions, _) = self.found.as_ref().ok_or_else(unmade)?;
        let host = BivariateRing::new(&Device::host(), self.field.clone())?;
        Ok(Solve.check_modular(&host, &self.system, solutions, seed)??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let plane = self.plane();
        let Self { name, names, modulus, given, system, found, .. } = *self;
        let Some((_, Found { curves, chains, points })) = found else { return Answer::of(Value::None) };
        let own = names.each_ref().map(String::as_str);
        let equations = system.each_ref().map(|f| shown(f, own));
        let shown = Shown { name, names, modulus, given, equations, plane, points, curves, chains };
        Answer::of(Value::Page(page(&shown)))
    }
}
