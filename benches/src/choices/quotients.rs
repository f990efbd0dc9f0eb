//! Divisions, greatest common divisors and values: plain forms, steps in launches, Newton's iteration.

use anyhow::Result;
use manycore_field::{PrimeField, ResidueWord as _};
use manycore_poly::evaluate::cost::Blocking;
use manycore_poly::{DivisionPlan, GcdPlan, PolyField, PolyRing};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let (divisions, divisors): (&[u32], &[u32]) = match (bench.gpu(), bench.profile) {
        (true, _) => (&[10, 12, 14, 16, 18, 20], &[6, 8, 10, 12, 14]),
        (_, Profile::Quick) => (&[10], &[8]),
        _ => (&[8, 10, 12, 14, 16, 18], &[6, 8, 10, 12]),
    };
    let logs = (divisions, divisors);
    one(bench, "29 bits", PrimeField::<u32>::new(469_762_049)?, logs, emit)?;
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    one(bench, "2^31-1", PrimeField::<u32>::new(2_147_483_647)?, logs, emit)?;
    // The largest prime below 2^62.
    one(bench, "62 bits", PrimeField::<u64>::new((1 << 62) - 57)?, logs, emit)
}

fn one<F: PolyField>(
    bench: &Bench<'_>,
    modulus: &str,
    field: F,
    (divisions, divisors): (&[u32], &[u32]),
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let p = field.order();
    let ring = PolyRing::new(bench.device, field)?;
    let poly = |len: usize, seed| -> Result<_> {
        let words = data::coefficients(len, p, seed).into_iter().map(F::Element::from_u64);
        Ok(ring.poly(&words.collect::<Vec<_>>())?)
    };
    for &log in divisions {
        let name = format!("choice/poly-div/{modulus}/2^{log}");
        if bench.wants(&name) {
            let (f, g) = (poly(1 << log, 1)?, poly(1 << (log - 1), 2)?);
            let choice = ring.explain_division(f.len(), g.len())?;
            let seconds = |plan: &DivisionPlan| bench.seconds(|| Ok(ring.div_rem_by(&f, &g, plan).map(drop)?));
            bench.candidates("poly-div", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    for &log in divisions {
        let name = format!("choice/poly-eval/{modulus}/2^{log}");
        if bench.wants(&name) {
            let (f, x) = (poly(1 << log, 1)?, F::Element::from_u64(3));
            let choice = ring.explain_evaluate(f.len())?;
            let seconds = |plan: &Blocking| bench.seconds(|| Ok(ring.evaluate_by(&f, x, *plan).map(drop)?));
            bench.candidates("poly-eval", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    for &log in divisors {
        let name = format!("choice/poly-gcd/{modulus}/2^{log}");
        if bench.wants(&name) {
            let (f, g) = (poly(1 << log, 1)?, poly(1 << log, 2)?);
            let choice = ring.explain_gcd(f.len(), g.len())?;
            let seconds = |plan: &GcdPlan| bench.seconds(|| Ok(ring.gcd_by(&f, &g, plan).map(drop)?));
            bench.candidates("poly-gcd", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    Ok(())
}
