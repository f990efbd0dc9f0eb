//! Kronecker products of small matrices over every kind of numbers, by any plan.

use manycore::field::{Integers, Reals};
use manycore::kronecker::transform::{Limits, reference};
use manycore::kronecker::{Complexes, Values};
use manycore::{Factor, Kronecker, KroneckerProduct};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::Field;
use crate::random::Random;
use crate::site::Site;
use crate::values::Drawn;
use crate::with_field;

/// The ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Ring {
    I32,
    I64,
    F32,
    F64,
    ComplexF32,
    ComplexF64,
    Residues(Field),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Forward,
    Transpose,
    Inverse,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn; the factors are noted when they are made.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    ring: Ring,
    most: usize,
    which: Which,
    candidate: Option<u64>,
    /// Values of a tile, columns and registers of a plan that no model would choose.
    within: Option<(usize, usize, usize)>,
    host: bool,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let ring = match random.below(8) {
            0 => Ring::I32,
            1 => Ring::I64,
            2 => Ring::F32,
            3 => Ring::F64,
            4 => Ring::ComplexF32,
            5 => Ring::ComplexF64,
            _ => Ring::Residues(Field::any(random)),
        };
        Self {
            ring,
            most: site.most_values(random, 16).min(1 << 18),
            which: random.pick(&[Which::Forward, Which::Forward, Which::Transpose, Which::Inverse]),
            candidate: draw_candidate(random),
            within: random.once_in(4).then(|| {
                (1 << random.within(4, 9), 1 << random.within(0, 5), random.within(2, 16) as usize) //
            }),
            host: random.once_in(4) && !site.is_host(),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.ring {
            Ring::I32 => self.of(&Integers::<i32>::new(), random, site),
            Ring::I64 => self.of(&Integers::<i64>::new(), random, site),
            Ring::F32 => self.of(&Reals::<f32>::new(), random, site),
            Ring::F64 => self.of(&Reals::<f64>::new(), random, site),
            Ring::ComplexF32 => self.of(&Complexes::<f32>::new(), random, site),
            Ring::ComplexF64 => self.of(&Complexes::<f64>::new(), random, site),
            Ring::Residues(field) => with_field!(field, field => self.of(&field, random, site)),
        }
    }
}

impl Case {
    fn of<V: Drawn>(&self, values: &V, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let (product, names) = self.product(values, random)?;
        let product = product.wrapping();
        site.note("product", names);
        let order = product.order();
        let batch = random.within(1, (self.most / order).clamp(1, 5) as u64) as usize;
        site.note("batch", batch);
        let x: Vec<V::Value> = (0..batch * order).map(|_| values.some(random)).collect();
        let context =
            site.context("kronecker", || Ok::<_, Failure>(Kronecker::with_machine(&site.device, site.machine())))?;
        let mut buffer = site.device.upload::<V::Word>(bytemuck::cast_slice(&x))?;
        let exact = V::ROUNDOFF == 0.0 && !V::INTEGERS;
        if self.which == Which::Inverse && exact && product.inverse().is_ok() {
            self.run(&context, &product, batch, &mut buffer, site)?;
            context.inverse(&product, &mut buffer)?;
            let found = site.taken(&buffer)?;
            return Ok(Found::equal("inverse", bytemuck::cast_slice::<_, V::Value>(&found), &x));
        }
        let product = if self.which == Which::Transpose { product.transposed() } else { product };
        self.run(&context, &product, batch, &mut buffer, site)?;
        let found = site.taken(&buffer)?;
        let found: &[V::Value] = bytemuck::cast_slice(&found);
        let (name, expected) = if self.host {
            let host = Kronecker::with_machine(&site.host, site.host.typical_machine());
            let mut buffer = site.host.upload::<V::Word>(bytemuck::cast_slice(&x))?;
            host.forward(&product, &mut buffer)?;
            ("host", bytemuck::cast_slice(&buffer.download()?).to_vec())
        } else if order * order * batch <= 1 << 16 {
            ("definition", reference::apply(&product, &x))
        } else {
            ("steps", stepped(&product, &x))
        };
        // Each entry sums, factor after factor, as many products as the matrix has columns.
        let roundings: f64 = product.factors().iter().map(|factor| 4.0 * factor.order() as f64 + 8.0).sum();
        let norm: f64 = product.factors().iter().map(|factor| row_norm(values, factor)).product();
        let largest = x.iter().fold(0.0, |most: f64, &x| most.max(values.size(x)));
        let bound = roundings * V::ROUNDOFF * norm * largest;
        Ok(Found::near(name, found, &expected, |&a, &b, _| values.near(a, b, bound)))
    }

    fn run<V: Drawn>(
        &self,
        context: &Kronecker,
        product: &KroneckerProduct<V>,
        batch: usize,
        buffer: &mut manycore::Buffer<V::Word>,
        site: &Site,
    ) -> Result<(), Failure> {
        if let Some((tile, columns, registers)) = self.within {
            let bytes = V::WORDS * size_of::<V::Word>();
            let most = (site.device.info().local_memory_bytes as usize / bytes).clamp(1, tile);
            let limits = Limits { tile: most, columns, registers, rounds: usize::MAX, matrices: usize::MAX };
            let plan = context.plan_within(product, &limits);
            site.note("plan", &plan);
            return Ok(context.transform_by(product, batch, plan)?.run(buffer)?);
        }
        let plan = if self.candidate.is_some() {
            let choice = context.explain(product, batch)?;
            candidate(&choice, self.candidate, site).cloned()
        } else {
            None
        };
        match plan {
            Some(plan) => Ok(context.transform_by(product, batch, plan)?.run(buffer)?),
            None => Ok(context.forward(product, buffer)?),
        }
    }

    /// Factors until the order would pass `most`: those with names, and arbitrary matrices.
    fn product<V: Drawn>(&self, values: &V, random: &mut Random) -> Result<(KroneckerProduct<V>, String), Failure> {
        let (mut factors, mut names, mut order) = (Vec::new(), Vec::new(), 1);
        let wanted = random.length(self.most).max(1);
        for _ in 0..random.below(15) {
            let (factor, name) = some_factor(values, random)?;
            if order * factor.order() > wanted {
                continue;
            }
            order *= factor.order();
            // Powers are common.
            let repeats = if random.once_in(3) { random.below(6) } else { 0 };
            factors.push(factor.clone());
            names.push(name.clone());
            for _ in 0..repeats {
                if order * factor.order() <= wanted {
                    order *= factor.order();
                    factors.push(factor.clone());
                    names.push(name.clone());
                }
            }
        }
        Ok((KroneckerProduct::new(values, factors)?, names.join(" x ")))
    }
}

fn some_factor<V: Drawn>(values: &V, random: &mut Random) -> Result<(Factor<V>, String), Failure> {
    let arbitrary = |random: &mut Random| {
        let q = random.within(1, 6) as usize;
        let rows: Vec<Vec<i64>> = (0..q).map(|_| (0..q).map(|_| random.below(7) as i64 - 3).collect()).collect();
        Ok((Factor::from_integers(values, &rows).map_err(Failure::other)?, format!("{rows:?}").replace(' ', "")))
    };
    let named = |name: &str, factor| Ok((factor, name.to_owned()));
    match random.below(9) {
        0 | 1 => named("walsh", Factor::walsh(values)),
        2 => named("rm", Factor::reed_muller(values)),
        3 => named("arith", Factor::arithmetic(values)),
        4 => named("arith-inverse", Factor::arithmetic_inverse(values)),
        5 => {
            let order = random.pick(&[4, 8, 12, 16, 20, 24, 28, 32]);
            Ok((Factor::hadamard(values, order).map_err(Failure::other)?, format!("h{order}")))
        }
        6 => {
            let order = random.within(1, 9) as usize;
            Ok((Factor::identity(order).map_err(Failure::other)?, format!("id{order}")))
        }
        7 => {
            let order = random.within(1, 12) as usize;
            match Factor::fourier(values, order) {
                Ok(factor) => Ok((factor, format!("dft{order}"))),
                // Rings without such roots of unity.
                Err(_) => arbitrary(random),
            }
        }
        _ => arbitrary(random),
    }
}

/// The largest sum of sizes in a row.
fn row_norm<V: Drawn>(values: &V, factor: &Factor<V>) -> f64 {
    let q = factor.order();
    let Some(entries) = factor.entries() else { return 1.0 };
    entries.chunks_exact(q).map(|row| row.iter().map(|&x| values.size(x)).sum()).fold(0.0, f64::max)
}

/// One factor after the other, each over the whole array.
fn stepped<V: Values>(product: &KroneckerProduct<V>, x: &[V::Value]) -> Vec<V::Value> {
    let values = product.values();
    let (mut x, mut stride) = (x.to_vec(), 1);
    for factor in product.factors().iter().rev() {
        let q = factor.order();
        let mut y = x.clone();
        for (from, to) in x.chunks_exact(q * stride).zip(y.chunks_exact_mut(q * stride)) {
            for (place, value) in to.iter_mut().enumerate() {
                let (row, inner) = (place / stride, place % stride);
                *value = (0..q).fold(values.zero(), |sum, column| {
                    values.add(sum, values.mul(factor.entry(values, row, column), from[column * stride + inner]))
                });
            }
        }
        (x, stride) = (y, stride * q);
    }
    x
}
