//! The library's operations on polynomials, in the form in which they are timed: operands and results stay on the device.

use anyhow::{Result, bail};
use manycore_device::{Buffer, Device};
use manycore_field::{PrimeField, ResidueWord as _};
use manycore_poly::{Poly, PolyField, PolyRing};

use crate::peers::tasks::{Computation, Task};
use crate::solved::Planned;

/// Takes a task to a device.
pub(super) fn prepare(device: &Device, p: u64, task: &Task) -> Result<Planned> {
    match u32::try_from(p) {
        Ok(p) if p >> 31 == 0 => over(device, PrimeField::<u32>::new(p)?, task),
        _ => over(device, PrimeField::<u64>::new(p)?, task),
    }
}

fn over<F: PolyField + 'static>(device: &Device, field: F, task: &Task) -> Result<Planned> {
    let ring = PolyRing::new(device, field)?;
    let words = |x: &[u64]| -> Vec<F::Element> { x.iter().map(|&value| F::Element::from_u64(value)).collect() };
    let poly = |x: &[u64]| ring.poly(&words(x));
    let buffer = |x: &[u64]| device.upload(&words(x));
    let (operands, way) = match task {
        Task::Divide { a, b } => {
            let way = ring.explain_division(a.len(), b.len())?.best().parameters.to_string();
            (Operands::Divide(poly(a)?, poly(b)?), way)
        }
        Task::Gcd { a, b } => {
            let way = ring.explain_gcd(a.len(), b.len())?.best().parameters.to_string();
            (Operands::Gcd(poly(a)?, poly(b)?), way)
        }
        Task::Evaluate { f, points } => (Operands::Evaluate(poly(f)?, buffer(points)?), "subproduct tree".to_owned()),
        Task::Interpolate { points, values } => {
            (Operands::Interpolate(buffer(points)?, buffer(values)?), "subproduct tree".to_owned())
        }
        other => bail!("{other:?} is no task of polynomials"),
    };
    Ok((Box::new(Ours { ring, operands, results: Vec::new(), values: None }), way))
}

enum Operands<F: PolyField> {
    Divide(Poly<F>, Poly<F>),
    Gcd(Poly<F>, Poly<F>),
    /// A polynomial and points.
    Evaluate(Poly<F>, Buffer<F::Element>),
    /// Points and values.
    Interpolate(Buffer<F::Element>, Buffer<F::Element>),
}

struct Ours<F: PolyField> {
    ring: PolyRing<F>,
    operands: Operands<F>,
    results: Vec<Poly<F>>,
    values: Option<Buffer<F::Element>>,
}

impl<F: PolyField> Computation for Ours<F> {
    fn run(&mut self) -> Result<()> {
        let Self { ring, operands, results, values } = self;
        // A tree takes its points over.
        let tree = |points: &Buffer<F::Element>| -> Result<_> {
            let mut own = ring.device().scratch(points.len())?;
            own.copy_from(points)?;
            Ok(ring.tree_of(own)?)
        };
        match operands {
            Operands::Divide(a, b) => *results = <[_; 2]>::from(ring.div_rem(a, b)?).into(),
            Operands::Gcd(a, b) => *results = vec![ring.gcd(a, b)?],
            Operands::Evaluate(f, points) => *values = Some(ring.evaluate_at(f, &tree(points)?)?),
            Operands::Interpolate(points, values) => *results = vec![ring.interpolate(&tree(points)?, values)?],
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        let numbers = |words: Vec<F::Element>| words.iter().map(|word| word.as_u64()).collect();
        if let Some(values) = &self.values {
            return Ok(vec![numbers(values.download()?)]);
        }
        self.results.iter().map(|f| Ok(numbers(self.ring.coefficients(f)?))).collect()
    }
}
