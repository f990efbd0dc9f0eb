//! Products of polynomials: plain ones, and transforms modulo one prime or several.

use anyhow::Result;
use manycore_field::{PrimeField, ResidueWord as _};
use manycore_poly::{Operation, Plan, PolyField, PolyRing};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let degrees: &[u32] = match (bench.gpu(), bench.profile) {
        (true, _) => &[8, 10, 12, 14, 16, 18, 20],
        (_, Profile::Quick) => &[10],
        _ => &[6, 8, 10, 12, 14, 16, 18],
    };
    one(bench, "29 bits", PrimeField::<u32>::new(469_762_049)?, degrees, emit)?;
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    one(bench, "2^31-1", PrimeField::<u32>::new(2_147_483_647)?, degrees, emit)?;
    // The largest prime below 2^62.
    one(bench, "62 bits", PrimeField::<u64>::new((1 << 62) - 57)?, degrees, emit)
}

fn one<F: PolyField>(
    bench: &Bench<'_>,
    modulus: &str,
    field: F,
    degrees: &[u32],
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let p = field.order();
    let ring = PolyRing::new(bench.device, field)?;
    for &log in degrees {
        let name = format!("choice/poly-mul/{modulus}/2^{log}");
        if !bench.wants(&name) {
            continue;
        }
        let factor = |seed| -> Result<_> {
            let words = data::coefficients(1 << log, p, seed).into_iter().map(F::Element::from_u64);
            Ok(ring.poly(&words.collect::<Vec<_>>())?)
        };
        let (f, g) = (factor(1)?, factor(2)?);
        let choice = ring.explain(Operation::Multiply { n: f.len(), m: g.len() })?;
        let seconds = |plan: &Plan| bench.seconds(|| Ok(ring.mul_by(&f, &g, plan).map(drop)?));
        bench.candidates("poly-mul", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
    }
    Ok(())
}
