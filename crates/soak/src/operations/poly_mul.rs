//! Products of polynomials: every algorithm and route, squares, parts of products and batches, at any place of a buffer.

use manycore::field::{ModularField, ResidueWord as _};
use manycore::poly::multiply::reference;
use manycore::poly::multiply::transform::TransformProduct;
use manycore::poly::{Operation, Plan, Shape};
use manycore::{Device, PolyField, PolyRing};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, residues};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

/// Products by the definition take longer for more products of coefficients.
const MOST_DEFINED: usize = 1 << 19;

/// What is multiplied with, and how much of the product is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    /// One product.
    Whole,
    /// The square of one factor.
    Square,
    /// Some coefficients.
    Middle,
    /// Several products.
    Batch,
}

/// Who multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    /// The ring, by the plan drawn or its own.
    Ring,
    /// Products by transforms of views, by the route drawn or their own.
    Transforms,
}

/// The second route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Definition,
    Host,
    Ramp,
    Point,
    OtherPlan,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 8;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    part: Part,
    count: usize,
    n: usize,
    m: usize,
    low: usize,
    len: usize,
    entry: Entry,
    /// Words before the operands and the result in their buffers.
    offset: usize,
    candidate: Option<u64>,
    left: Residues,
    right: Residues,
    route: Route,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let field = Field::any(random);
        // Several primes have several spectra each.
        let most = site.most_values(random, 8 * field.bytes());
        let part = random.pick(&[Part::Whole, Part::Whole, Part::Square, Part::Middle, Part::Batch]);
        let count = if part == Part::Batch { random.within(2, 9) as usize } else { 1 };
        let n = random.length(most / count).max(usize::from(part == Part::Batch));
        // Lengths near each other, or one much shorter: blocks.
        let m = if random.once_in(3) { random.length(n) } else { n - random.below(n as u64 / 8 + 1) as usize };
        let (n, m) = if random.once_in(2) { (n, m) } else { (m, n) };
        let m = if part == Part::Square { n } else { m };
        let terms = if n == 0 || m == 0 { 0 } else { n + m - 1 };
        let (low, len) = if part == Part::Middle {
            let low = random.below(terms as u64 + 2) as usize;
            (low, random.below(terms as u64 + 4) as usize)
        } else {
            (0, terms)
        };
        let (left, right) = (Residues::draw(random), Residues::draw(random));
        let ramp = |residues| matches!(residues, Residues::Ones | Residues::Largest);
        let route = match random.below(4) {
            _ if ramp(left) && (ramp(right) || part == Part::Square) => Route::Ramp,
            0 | 1 if n * m * count <= MOST_DEFINED => Route::Definition,
            2 if matches!(part, Part::Whole | Part::Square) => Route::Point,
            3 => Route::OtherPlan,
            _ if site.is_host() => Route::OtherPlan,
            _ => Route::Host,
        };
        Self {
            field,
            part,
            count,
            n,
            m,
            low,
            len,
            entry: random.pick(&[Entry::Ring, Entry::Transforms]),
            offset: if random.once_in(3) { random.below(9) as usize } else { 0 },
            candidate: draw_candidate(random),
            left,
            right,
            route,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn shape(&self) -> Shape {
        let Self { count, n, m, low, len, .. } = *self;
        Shape { count, n, m, low, len, square: self.part == Part::Square }
    }

    fn of<F: PolyField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let a = residues(field, random, self.count * self.n, self.left);
        let b = if self.part == Part::Square {
            a.clone()
        } else {
            residues(field, random, self.count * self.m, self.right)
        };
        let ring = site.context(self.field, || PolyRing::with_machine(&site.device, site.machine(), field.clone()))?;
        let by = site.context(self.field, || TransformProduct::with_machine(&site.device, site.machine(), field))?;
        let found = match self.entry {
            Entry::Ring => self.by_ring(&ring, &a, &b, self.candidate, site)?,
            Entry::Transforms => self.by_transforms(&by, &a, &b, self.candidate, site)?,
        };
        let found = site.result(found);
        match self.route {
            Route::Definition => Ok(Found::equal("definition", &found, &self.defined(field, &a, &b))),
            Route::Host => {
                let host = host_ring(field, &site.host)?;
                Ok(Found::equal("host", &found, &self.by_ring(&host, &a, &b, None, site)?))
            }
            Route::OtherPlan => {
                let expected = match self.entry {
                    Entry::Ring => self.by_transforms(&by, &a, &b, None, site)?,
                    Entry::Transforms => self.by_ring(&ring, &a, &b, None, site)?,
                };
                Ok(Found::equal("other plan", &found, &expected))
            }
            Route::Ramp => Ok(Found::equal("closed form", &found, &self.ramp(field))),
            Route::Point => {
                // On the host, by another context than that of the product.
                let host = host_ring(field, &site.host)?;
                let (f, g, h) = (host.poly(&a)?, host.poly(&b)?, host.poly(&found)?);
                let holds = host.verify_product(&f, &g, &h, random.word())?;
                Ok(Found::holds("random point", holds, || "its value at a random point is another".to_owned()))
            }
        }
    }

    /// By the ring. Polynomials drop leading zeros, so what is wanted of them is filled up again.
    fn by_ring<F: PolyField>(
        &self,
        ring: &PolyRing<F>,
        a: &[F::Element],
        b: &[F::Element],
        drawn: Option<u64>,
        site: &Site,
    ) -> Result<Vec<F::Element>, Failure> {
        if self.part == Part::Batch {
            let (f, g) = (ring.batch(a, self.count, self.n)?, ring.batch(b, self.count, self.m)?);
            let plan = ring_plan(ring, self.shape(), drawn, site)?;
            return Ok(ring.mul_batch_by(&f, &g, plan.as_ref())?.buffer().download()?);
        }
        let (f, g) = (ring.poly(a)?, ring.poly(b)?);
        let h = match self.part {
            Part::Square => {
                let shape = Shape { square: true, ..Shape::full(f.len(), f.len()) };
                match ring_plan(ring, shape, drawn, site)? {
                    Some(plan) => ring.mul_by(&f, &f, &plan)?,
                    None => ring.square(&f)?,
                }
            }
            Part::Middle if self.low == 0 => ring.mul_short(&f, &g, self.len)?,
            Part::Middle => ring.mul_middle(&f, &g, self.low..self.low + self.len)?,
            _ => match ring_plan(ring, Shape::full(f.len(), g.len()), drawn, site)? {
                Some(plan) => ring.mul_by(&f, &g, &plan)?,
                None => ring.mul(&f, &g)?,
            },
        };
        let mut words = ring.coefficients(&h)?;
        words.resize(self.len, ring.field().zero());
        Ok(words)
    }

    fn by_transforms<F: PolyField>(
        &self,
        by: &TransformProduct<F>,
        a: &[F::Element],
        b: &[F::Element],
        drawn: Option<u64>,
        site: &Site,
    ) -> Result<Vec<F::Element>, Failure> {
        let (offset, device) = (self.offset, by.device());
        let shifted = |x: &[F::Element]| {
            let mut words = vec![by.field().one(); offset];
            words.extend_from_slice(x);
            device.upload(&words)
        };
        let (left, right) = (shifted(a)?, shifted(b)?);
        let left = left.view(offset..)?;
        let right = if self.part == Part::Square { left } else { right.view(offset..)? };
        let mut out = shifted(&vec![by.field().one(); self.count * self.len])?;
        let to = out.view_mut(offset..)?;
        let shape = self.shape();
        let mut route = None;
        if drawn.is_some() && self.n > 0 && self.m > 0 && self.len > 0 && self.low < self.n + self.m - 1 {
            let choice = by.explain(&shape)?;
            route = candidate(&choice, drawn, site).copied();
        }
        match route {
            Some(route) => by.multiply_by(left, right, self.count, self.low, to, &route)?,
            None => by.multiply(left, right, self.count, self.low, to)?,
        }
        let words = out.download()?;
        if words[..offset].iter().any(|&word| word != by.field().one()) {
            return Err(Failure::other("words before the result were written"));
        }
        Ok(words[offset..].to_vec())
    }

    fn defined<F: ModularField>(&self, field: &F, a: &[F::Element], b: &[F::Element]) -> Vec<F::Element> {
        let mut words = Vec::with_capacity(self.count * self.len);
        for i in 0..self.count {
            let (a, b) = (&a[i * self.n..(i + 1) * self.n], &b[i * self.m..(i + 1) * self.m]);
            let product = reference::multiply(field, a, b);
            words.extend((self.low..self.low + self.len).map(|k| product.get(k).copied().unwrap_or(field.zero())));
        }
        words
    }

    /// Factors of equal coefficients `c` and `d`: coefficient `k` is `c d min(k + 1, n, m, n + m - 1 - k)`.
    fn ramp<F: ModularField>(&self, field: &F) -> Vec<F::Element> {
        let Self { n, m, .. } = *self;
        let (p, right) = (field.order(), if self.part == Part::Square { self.left } else { self.right });
        let sign = |residues| residues == Residues::Largest;
        let coefficient = |k: usize| {
            let terms = (k + 1).min(n).min(m).min((n + m).saturating_sub(k + 1)) as u64 % p;
            let negative = sign(self.left) != sign(right) && terms != 0;
            F::Element::from_u64(if negative { p - terms } else { terms })
        };
        (0..self.count).flat_map(|_| (self.low..self.low + self.len).map(coefficient)).collect()
    }
}

fn host_ring<F: PolyField>(field: &F, host: &Device) -> Result<PolyRing<F>, Failure> {
    Ok(PolyRing::with_machine(host, host.typical_machine(), field.clone())?)
}

/// The plan drawn of the ring's.
fn ring_plan<F: PolyField>(
    ring: &PolyRing<F>,
    shape: Shape,
    drawn: Option<u64>,
    site: &Site,
) -> Result<Option<Plan>, Failure> {
    if drawn.is_none() || shape.n == 0 || shape.m == 0 || shape.len == 0 {
        return Ok(None);
    }
    let choice = ring.explain(Operation::Products(shape))?;
    Ok(candidate(&choice, drawn, site).cloned())
}
