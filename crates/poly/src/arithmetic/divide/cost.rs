//! Counts of divisions, and the candidates.
//!
//! Newton's division counts the products that it takes, each as its own choice says, and the passes between them.

use manycore_device::{DeviceKind, Executor};
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::{Operations, SumCounts};
use manycore_tuning::Costed;

use super::blocks::{Remnant, block_counts, cyclic_shape, quotient_shape, remnant_shape};
use super::device;
use super::newton::steps;
use super::plan::{DivisionPlan, Size};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// Coefficients of the quotient that long division on the host finds together: those of a tile of vectors.
pub(super) const HEAD: usize = 32;
/// The heads of the `s`-head division that are candidates, the naive division among them.
const HEADS: [usize; 5] = [64, 128, 32, 256, 1];
/// Items of a group, and coefficients that an item updates.
const GROUPS: [(usize, usize); 4] = [(256, 4), (256, 1), (128, 8), (64, 4)];

/// Division over a ring.
#[derive(Debug)]
pub(super) struct Division<'a, F: PolyField> {
    pub(super) ring: &'a PolyRing<F>,
}

/// The operations of long division on the host.
pub(super) fn plain_operations<F: PolyField>(ring: &PolyRing<F>, size: Size, head: usize) -> Operations {
    let (len, d, head) = (size.len() as u64, size.m as u64 - 1, head.min(size.len()).max(1) as u64);
    let host = ring.on_host();
    let each =
        host.plain(head, head, head - 1..2 * head - 1).plus(host.plain(head, d + 1, 0..d)).plus(host.additions(d));
    each.times(len.div_ceil(head)).plus(host.products(head * head / 2))
}

/// An error of a product that a division takes.
fn does_not_fit(error: &PolyError) -> DoesNotFit {
    DoesNotFit::Parameter { reason: error.to_string() }
}

impl<F: PolyField> Division<'_, F> {
    const WORD_BYTES: u64 = size_of::<F::Element>() as u64;

    /// Blocks of a quotient: a few equal parts of it, or of about the divisor's length.
    fn newton_blocks(size: Size) -> Vec<usize> {
        let (len, m) = (size.len().max(1), size.m);
        let mut found: Vec<usize> = Vec::new();
        let mut offer = |block: usize| {
            // Blocks as long as each other.
            let block = len.div_ceil(len.div_ceil(block.clamp(1, len)));
            if !found.contains(&block) {
                found.push(block);
            }
        };
        (1..=4).for_each(|parts| offer(len.div_ceil(parts)));
        [m.div_ceil(2), m, m.saturating_mul(2), m.saturating_mul(4)].into_iter().for_each(&mut offer);
        // With more blocks than this, products of blocks are as short as heads.
        found.retain(|&block| block > HEAD || block == len);
        found
    }

    /// Long division on the host by one thread.
    fn plain(&self, size: Size, head: usize, machine: &Machine) -> Kernel {
        let operations = plain_operations(self.ring, size, head);
        let (d, heads) = (size.m as u64 - 1, size.len().div_ceil(head.max(1)) as u64);
        let footprint = size.bytes(Self::WORD_BYTES);
        Kernel::new("divide_plain", 1)
            .blocks(Blocks::even(
                1,
                1,
                operations.of_one_kind(machine).max(1),
                heads.saturating_mul(d).saturating_mul(3),
                heads.saturating_mul(d).saturating_mul(2),
            ))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES as u32)
            .footprint_bytes(footprint)
            .fused()
    }

    /// The inverse of a divisor's head by one group.
    fn head_inverse(&self, count: u64, machine: &Machine) -> Kernel {
        let ring = self.ring;
        let counts = SumCounts::of(ring.arithmetic(), ring.sum_terms());
        let items = 64;
        // A product and a difference of each coefficient left.
        let one = counts.products(4).shared(4).plus(counts.residue).plus(counts.addition);
        let steps: u64 = count + count * count / (2 * items);
        let operations = one.times(steps).of_one_kind(machine);
        Kernel::new("divide_head_inverse", items as u32)
            .blocks(Blocks::even(1, items as u32, operations, count.div_ceil(items), count.div_ceil(items)))
            .operation(one.kind())
            .word_bytes(Self::WORD_BYTES as u32)
            .local_words(2 << device::log_room(count as usize))
            .local_accesses(3 * steps)
    }

    /// A launch of the `s`-head division of `h` coefficients.
    fn heads(&self, size: Size, (s, group, each): (usize, usize, usize), h: u64, machine: &Machine) -> Kernel {
        let ring = self.ring;
        let counts = SumCounts::of(ring.arithmetic(), ring.sum_terms());
        let (d, items, each_words) = (size.m as u64 - 1, group as u64, each as u64);
        let width = items * each_words;
        let groups = d.div_ceil(width).max(1);
        // The longest item has a sum of h terms of the quotient's part, and one for each of its coefficients.
        let part = counts.products(h).plus(counts.residue).times(h.div_ceil(items));
        let tail = counts.products(h).plus(counts.residue).plus(counts.addition).times(each_words);
        let operations = part.plus(tail);
        let staged = width + 3 * h;
        Kernel::new("divide_heads", group as u32)
            .blocks(Blocks::even(
                groups,
                group as u32,
                operations.of_one_kind(machine),
                each_words + staged.div_ceil(items),
                each_words + h.div_ceil(items),
            ))
            .operation(operations.kind())
            .word_bytes(Self::WORD_BYTES as u32)
            .local_words(device::local_words(s, group, each))
            .local_accesses(2 * h * h.div_ceil(items) + h * (1 + each_words) + 2 * staged.div_ceil(items))
            .traffic_words(groups.saturating_mul(2 * width + 4 * h))
            .footprint_bytes(size.bytes(Self::WORD_BYTES))
    }

    /// A step over `words` coefficients one by one that reads `reads` words for each.
    fn pass(&self, words: usize, reads: u64, machine: &Machine) -> Kernel {
        let words = words.max(1) as u64;
        let bytes = words.saturating_mul((reads + 1) * Self::WORD_BYTES);
        let kernel = match self.ring.device().executor() {
            Executor::Host(_) => {
                let share = self.ring.on_host().additions(words);
                Kernel::new("divide_subtract", 1)
                    .blocks(Blocks::even(1, 1, share.of_one_kind(machine), reads.saturating_mul(words), words))
                    .operation(share.kind())
                    .fused()
            }
            Executor::OpenCl(_) => {
                let counts = SumCounts::of(self.ring.arithmetic(), self.ring.sum_terms());
                let share = counts.addition.times(reads);
                Kernel::new("divide_subtract", 256)
                    .blocks(Blocks::even(words.div_ceil(256), 256, share.of_one_kind(machine), reads, 1))
                    .operation(share.kind())
            }
        };
        kernel.word_bytes(Self::WORD_BYTES as u32).footprint_bytes(bytes)
    }

    /// Several kernels in a row.
    fn queue(kernels: impl IntoIterator<Item = Kernel>, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let mut program = Program::new();
        for kernel in kernels {
            program.queue(kernel)?;
        }
        machine.estimate(&program)
    }

    /// Newton's division: each of its products, as it is chosen.
    fn newton(&self, size: Size, block: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let (ring, m, d) = (self.ring, size.m, size.m - 1);
        let product = |shape: &crate::arithmetic::multiply::Shape| {
            ring.product_estimate(shape, machine).map_err(|error| does_not_fit(&error))
        };
        let mut all = Estimate::default();
        if !size.kept {
            let base = ring.newton_base();
            let (first, steps) = steps(m, block, 0, base);
            all = all.then(match ring.device().executor() {
                Executor::Host(_) => {
                    let operations = Operations::scalar((first * first) as u64);
                    let kernel = Kernel::new("divide_head_inverse", 1)
                        .blocks(Blocks::even(1, 1, operations.of_one_kind(machine), first as u64, first as u64))
                        .operation(operations.kind())
                        .word_bytes(Self::WORD_BYTES as u32);
                    Self::queue([kernel.fused()], machine)?
                }
                Executor::OpenCl(_) => Self::queue([self.head_inverse(first as u64, machine)], machine)?,
            });
            for step in steps {
                let Some(error) = step.error() else { continue };
                all = all.then(product(&error)?).then(product(&step.correction(error.len))?);
                all = all.then(Self::queue([self.pass(step.to - step.from, 1, machine)], machine)?);
            }
        }
        for (k, times) in block_counts(size.len(), block) {
            let mut one = product(&quotient_shape(k))?;
            if d > 0 {
                let remnant = ring.remnant(k, m).map_err(|error| does_not_fit(&error))?;
                one = one.then(match &*remnant {
                    Remnant::Low(_) => product(&remnant_shape(k, m))?,
                    Remnant::Cyclic { log_len, route } => {
                        ring.multiplier.transform.estimate(&cyclic_shape(*log_len), route, machine)?
                    }
                });
                one = one.then(Self::queue([self.pass(d, 2, machine)], machine)?);
            }
            all = all.then(one.times(times as u64));
        }
        Ok(all)
    }
}

impl<F: PolyField> Costed for Division<'_, F> {
    type Size = Size;
    type Parameters = DivisionPlan;

    fn name(&self) -> &'static str {
        "division"
    }

    fn candidates(&self, &size: &Size, _: &Machine) -> Vec<DivisionPlan> {
        let newton = Self::newton_blocks(size).into_iter().map(|block| DivisionPlan::Newton { block });
        match self.ring.device().executor() {
            Executor::Host(_) => std::iter::once(DivisionPlan::Plain { head: HEAD }).chain(newton).collect(),
            Executor::OpenCl(cl) if cl.info().kind != DeviceKind::Gpu => {
                device::usual_plan::<F>(cl, HEAD).ok().into_iter().chain(newton).collect()
            }
            Executor::OpenCl(cl) => {
                let limit = cl.info().group_limit;
                let groups = GROUPS.into_iter().filter(|&(group, _)| group <= limit);
                let heads = groups
                    .flat_map(|(group, each)| HEADS.into_iter().map(move |s| DivisionPlan::SHead { s, group, each }));
                heads.chain(newton).collect()
            }
        }
    }

    /// Newton's blocks by their number.
    fn kept_name(&self, size: &Size, plan: &DivisionPlan) -> String {
        match *plan {
            DivisionPlan::Newton { block } => {
                let quotient = (size.n + 1).saturating_sub(size.m);
                format!("newton, quotient in {} blocks", quotient.div_ceil(block.max(1)))
            }
            plan => plan.to_string(),
        }
    }

    /// The launches of an algorithm other than Newton's, whose products are programs of their own: see
    /// [`Costed::estimate`].
    fn program(&self, &size: &Size, plan: &DivisionPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        match *plan {
            DivisionPlan::Plain { head } => {
                program.queue(self.plain(size, head, machine))?;
            }
            DivisionPlan::SHead { s, group, each } => {
                program.queue(self.head_inverse(s as u64, machine))?;
                let mut left = size.len();
                while left > 0 {
                    let h = s.max(1).min(left);
                    program.queue(self.heads(size, (s, group, each), h as u64, machine))?;
                    left -= h;
                }
            }
            DivisionPlan::Newton { .. } => {
                let reason = "its products are programs of their own".to_owned();
                return Err(DoesNotFit::Parameter { reason });
            }
        }
        Ok(program)
    }

    fn estimate(&self, size: &Size, plan: &DivisionPlan, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        match *plan {
            DivisionPlan::Plain { .. } => machine.estimate(&self.program(size, plan, machine)?),
            DivisionPlan::Newton { block } => self.newton(*size, block, machine),
            DivisionPlan::SHead { s, group, each } => {
                // All launches but the last are alike.
                let s = s.max(1);
                let (whole, rest) = (size.len() / s, size.len() % s);
                let launch = |h: usize| Self::queue([self.heads(*size, (s, group, each), h as u64, machine)], machine);
                let first = Self::queue([self.head_inverse(s.min(size.len()) as u64, machine)], machine)?;
                let all = first.then(launch(s)?.times(whole as u64));
                if rest > 0 { Ok(all.then(launch(rest)?)) } else { Ok(all) }
            }
        }
    }
}
