//! The choice among the algorithms of division.

use manycore_device::{Buffer, Executor};
use manycore_field::ResidueWord as _;
use manycore_tuning::{Asked, Choice, Operation, Proof, proof};

use super::cost::Division;
use super::device;
use super::operations::Wanted;
use super::plan::{DivisionPlan, Size};
use super::span::Span;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// Coefficients of the quotient up to which an OpenCL device finds them in one launch, without a choice.
const ONE_LAUNCH: usize = 64;
/// Coefficients of the quotient or of the divisor up to which the host divides by the definition, without a choice: looking one
/// up takes as long, and Newton's iteration begins with as many.
const ALWAYS_PLAIN: usize = super::newton::HOST_BASE;

impl<F: PolyField> PolyRing<F> {
    /// The choice that is taken for divisions of a polynomial of `n` coefficients by one of `m` on this ring's device: every
    /// algorithm and its parameters with an estimate, the chosen one first, and the origin of the choice. Where the device is to
    /// be measured ([`Device::tuned`](manycore_device::Device::tuned)) and these lengths were not yet, the candidates are
    /// measured now.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::host(), PrimeField::<u32>::new(469_762_049)?)?;
    /// println!("{}", ring.explain_division(1 << 12, 1 << 11)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisor`] for `m = 0`; [`PolyError::TooLong`] for lengths that no memory holds;
    /// [`PolyError::NoChoice`] where no algorithm suits the device;
    /// [`PolyError::Device`] when it cannot be opened.
    #[inline(never)]
    pub fn explain_division(&self, n: usize, m: usize) -> Result<Choice<DivisionPlan>, PolyError> {
        if m == 0 {
            return Err(PolyError::ZeroDivisor);
        }
        Self::addressable(1, [n, m], "a division")?;
        self.division_choice(Size { n, m, kept: false })
    }

    /// The seconds of a division of random polynomials of `n` by `m` coefficients, which lie on the device, by its clock, in the
    /// way of `plan`: the median of several runs, after one that builds kernels and tables. For `n < m` nothing is done.
    ///
    /// # Errors
    /// As [`PolyRing::div_rem_by`].
    #[inline(never)]
    pub fn time_division(&self, n: usize, m: usize, plan: &DivisionPlan) -> Result<f64, PolyError> {
        if m == 0 {
            return Err(PolyError::ZeroDivisor);
        }
        self.planner().seconds(&Division { ring: self }, &Size { n, m, kept: false }, plan)
    }

    /// The plan of short divisions, which are not chosen.
    fn short_division(&self, size: Size) -> Result<Option<DivisionPlan>, PolyError> {
        let len = (size.n + 1).saturating_sub(size.m);
        Ok(match self.device().executor() {
            Executor::Host(_) if len.min(size.m) <= ALWAYS_PLAIN => {
                Some(DivisionPlan::Plain { head: super::cost::HEAD })
            }
            Executor::OpenCl(cl) if len <= ONE_LAUNCH => {
                Some(device::usual_plan::<F>(cl, len.max(1).next_power_of_two())?)
            }
            _ => None,
        })
    }

    /// The plan that is taken now: at once for short divisions, else the chosen one.
    pub(super) fn division_plan(&self, size: Size) -> Result<DivisionPlan, PolyError> {
        match self.short_division(size)? {
            Some(plan) => Ok(plan),
            None => self.divisions.chosen.plan(size, |&size| self.ask_division(size)),
        }
    }

    /// Divides by the plan that is taken. `run` may be called again by another plan, and leaves its input as it was.
    pub(super) fn by_division_plan<R>(
        &self,
        size: Size,
        mut run: impl FnMut(&DivisionPlan) -> Result<R, PolyError>,
    ) -> Result<R, PolyError> {
        match self.short_division(size)? {
            Some(plan) => run(&plan),
            None => self.divisions.chosen.run(self.device(), size, |&size| self.ask_division(size), run),
        }
    }

    /// Asks for the plan of divisions.
    #[allow(clippy::unnecessary_wraps)] // the form that plans ask for
    fn ask_division(&self, size: Size) -> Result<Asked<'_, DivisionPlan, PolyError>, PolyError> {
        Ok(self.planner().ask(Division { ring: self }, size))
    }

    /// The choice among the plans of divisions; none is proved for it.
    pub(super) fn division_choice(&self, size: Size) -> Result<Choice<DivisionPlan>, PolyError> {
        self.planner().choice(&Division { ring: self }, &size)
    }
}

/// Random polynomials whose leading coefficient is 1, with memory for the results.
pub(super) struct Trial<F: PolyField> {
    a: Buffer<F::Element>,
    b: Buffer<F::Element>,
    work: Buffer<F::Element>,
    q: Buffer<F::Element>,
}

impl<F: PolyField> Operation for Division<'_, F> {
    type Costs = Self;
    type Trial = Trial<F>;
    type Error = PolyError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self {
        self
    }

    fn family(&self, size: &Size) -> String {
        let (p, kept) = (self.ring.field().order(), if size.kept { ", kept inverse" } else { "" });
        let (bits, roots) = (u64::BITS - p.leading_zeros(), self.ring.field().two_adicity());
        format!("division, {}{kept}, {bits} bits with roots of order 2^{roots}", self.ring.arithmetic())
    }

    fn sizes(&self, size: &Size) -> Vec<usize> {
        vec![size.n, size.m]
    }

    fn is_empty(&self, size: &Size) -> bool {
        size.n < size.m
    }

    fn trial(&self, &Size { n, m, .. }: &Size) -> Result<Trial<F>, PolyError> {
        let (ring, device) = (self.ring, self.ring.device());
        let monic = |len: usize, seed: u64| -> Result<Buffer<F::Element>, PolyError> {
            let mut words = device.scratch(len)?;
            ring.fill_random(&mut words, seed)?;
            if len > 0 {
                words.view_mut(len - 1..)?.fill(ring.field().one())?;
            }
            Ok(words)
        };
        let (work, q) = (device.scratch(n)?, device.scratch((n + 1).saturating_sub(m))?);
        Ok(Trial { a: monic(n, 1)?, b: monic(m, 2)?, work, q })
    }

    fn try_plan(&self, size: &Size, trial: &mut Trial<F>, plan: &DivisionPlan) -> Result<(), PolyError> {
        if self.is_empty(size) {
            return Ok(());
        }
        let Trial { a, b, work, q } = trial;
        work.copy_from(a)?;
        let b = Span { buffer: b, at: 0, len: size.m };
        self.ring.divide_formal((work, size.n), b, None, q, true, plan)
    }

    fn proof(&self, size: &Size, plan: &DivisionPlan) -> Result<Proof, PolyError> {
        let &Size { n, m, kept } = size;
        let len = (n + 1).saturating_sub(m) as u64;
        // By the definition, and by as many products as Newton's iteration takes.
        let plain = len.saturating_mul(m as u64);
        let newton = (64 * n as u64).saturating_mul(u64::from(n.max(2).ilog2()));
        if !proof::is_small((n + m) as u64, plain.min(newton)) {
            return Ok(Proof::TooLarge);
        }
        let order = F::Element::from_u64(self.ring.field().order());
        let known = |len: usize, seed: u64| {
            let mut words = proof::known_residues(order, len, seed);
            words.iter_mut().last().into_iter().for_each(|leading| *leading = self.ring.field().one());
            words
        };
        let (a, b) = (known(n, 1), known(m, 2));
        let divide = |ring: &PolyRing<F>, plan: Option<&DivisionPlan>| {
            let (a, divisor) = (ring.poly(&a)?, ring.divisor(ring.poly(&b)?)?);
            let with_inverse = Some(&divisor).filter(|_| kept && plan.is_some());
            let (q, r) = ring.divided(&a, divisor.poly(), with_inverse, Wanted::Both, plan)?;
            Ok::<_, PolyError>([ring.coefficients(&q)?, ring.coefficients(&r)?])
        };
        let [expected, expected_rest] = divide(&self.ring.proving()?, None)?;
        let [found, rest] = divide(self.ring, Some(plan))?;
        Ok(Proof::of_words(&found, &expected).and(Proof::of_words(&rest, &expected_rest)))
    }
}
