//! Products on the host, for the model.

use manycore_field::Goldilocks;
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use crate::multiply::{Plan, Shape, host, karatsuba};

/// The sizes at which Karatsuba's algorithm may turn to the definition.
const BASES: [usize; 5] = [32, 64, 128, 256, 512];
/// The least coefficients of a factor that Karatsuba's algorithm cuts: with fewer it is the definition.
pub(crate) const LEAST_CUT: usize = BASES[0];

/// Operations that a call takes as long as: 0.15 us of a Sapphire Rapids.
const CALL: u64 = 5_500;

/// Products on the host, by the algorithms that the host alone has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// Bytes of a coefficient's word.
    pub word_bytes: u32,
    /// The modulus.
    pub order: u64,
}

/// Times in multiply-adds of 32-bit words of one thread, between what a Zen 4 and a Sapphire Rapids take.
struct Prices {
    /// A product that is added to a sum.
    product: f64,
    /// A coefficient's reduction, and its part of a call's beginning.
    coefficient: f64,
    /// An addition of two residues, with the memory that it goes through.
    addition: f64,
    /// A call.
    call: f64,
}

impl OnHost {
    fn prices(&self) -> Prices {
        if self.word_bytes == 4 {
            // Sums of 32-bit products are reduced the less often the smaller the modulus is.
            let product = if self.order > 1 << 30 { 2.6 } else { 1.8 };
            Prices { product, coefficient: 28.0, addition: 3.8, call: 900.0 }
        } else {
            let coefficient = if self.order == Goldilocks::MODULUS { 45.0 } else { 90.0 };
            Prices { product: 20.0, coefficient, addition: 8.0, call: 1500.0 }
        }
    }

    /// The operations of one product of `n` by `m` coefficients by Karatsuba's algorithm.
    fn karatsuba(&self, n: usize, m: usize, base: usize) -> f64 {
        let (n, m) = (n.min(m), n.max(m));
        let prices = self.prices();
        if n < base.max(2) {
            return self.plain(n, m, n + m - 1);
        }
        let half = m.div_ceil(2);
        if n <= half {
            let (parts, rest) = (m / n, m % n);
            let whole = parts as f64 * self.karatsuba(n, n, base);
            let last = if rest > 0 { self.karatsuba(n, rest, base) } else { 0.0 };
            return whole + last + 2.0 * m as f64 * prices.addition;
        }
        let corner = if n - half == half {
            2.0 * self.karatsuba(half, half, base)
        } else {
            self.karatsuba(half, half, base) + self.karatsuba(n - half, m - half, base)
        };
        let middle = self.karatsuba(half, half, base);
        corner + middle + 10.0 * half as f64 * prices.addition + prices.call
    }

    /// Of the operations of a product that threads share, those of the caller, who cuts and joins it `levels` times at most,
    /// and how many parts it has then.
    fn cuts(&self, n: usize, m: usize, base: usize, levels: u32) -> (f64, u64) {
        let (n, m) = (n.min(m), n.max(m));
        if levels == 0 || n < base.max(karatsuba::LEAST_SHARED) {
            return (0.0, 1);
        }
        let prices = self.prices();
        let half = m.div_ceil(2);
        if n <= half {
            let (joins, parts) = self.cuts(n, n, base, levels - 1);
            let times = m.div_ceil(n);
            return (times as f64 * joins + 2.0 * m as f64 * prices.addition, times as u64 * parts);
        }
        let (joins, parts) = self.cuts(half, half, base, levels - 1);
        (3.0 * joins + 10.0 * half as f64 * prices.addition + prices.call, 3 * parts)
    }

    fn plain(&self, n: usize, m: usize, len: usize) -> f64 {
        let prices = self.prices();
        let (n, m) = (n.min(m) as f64, n.max(m) as f64);
        // At both ends of the product sums are shorter; a tile of coefficients takes the terms of its longest.
        let terms = if len as f64 >= n + m - 1.0 { n * m / len as f64 + 16f64.min(n) } else { n };
        len as f64 * (terms.min(n) * prices.product + prices.coefficient) + prices.call
    }
}

impl Costed for OnHost {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        "product"
    }

    fn candidates(&self, shape: &Shape, _: &Machine) -> Vec<Plan> {
        let short = shape.n.min(shape.m);
        let karatsuba = BASES.into_iter().filter(|&base| base <= short).map(|base| Plan::Karatsuba { base });
        std::iter::once(Plan::Plain).chain(karatsuba).collect()
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let (n, m) = (shape.n.max(1), shape.m.max(1));
        let one = match plan {
            Plan::Plain => self.plain(n, m, shape.len),
            Plan::Karatsuba { base } => self.karatsuba(n, m, *base) + self.prices().addition * shape.len as f64,
            _ => return Err(DoesNotFit::Parameter { reason: format!("{plan}: not on the host") }),
        };
        let threads = machine.processors.max(1) as usize;
        let serial = host::is_serial(shape);
        // Karatsuba's products that threads share have a part that they don't.
        let (joins, tasks) = match plan {
            _ if serial => (0.0, 1),
            Plan::Karatsuba { base } if threads > 1 && shape.count < host::PRODUCTS_PER_THREAD * threads => {
                let (joins, parts) = self.cuts(n, m, *base, karatsuba::shared_levels(threads));
                (shape.count as f64 * joins, parts)
            }
            _ => (0.0, threads as u64),
        };
        let operations = ((shape.count as f64 * one - joins) / tasks as f64).max(1.0) as u64 + CALL;
        let words = (shape.n + shape.m + shape.len) as u64 * shape.count as u64;
        let kernel = Kernel::new(if matches!(plan, Plan::Plain) { "product_plain" } else { "karatsuba" }, 1)
            .blocks(Blocks::even(tasks, 1, operations, (words / tasks).max(1), shape.len as u64 / tasks))
            .operation(Operation::Int32)
            .word_bytes(self.word_bytes)
            .traffic_words(words)
            .footprint_bytes(words * u64::from(self.word_bytes));
        let mut program = Program::new();
        if joins > 0.0 {
            let alone = Kernel::new("karatsuba_joins", 1).blocks(Blocks::even(1, 1, joins as u64, 1, 1));
            program.queue(alone.operation(Operation::Int32).word_bytes(self.word_bytes).fused())?;
        }
        program.queue(if serial { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}
