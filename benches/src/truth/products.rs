//! Products of polynomials: plain ones, and transforms modulo one prime or several.

use anyhow::Result;
use manycore_field::PrimeField;
use manycore_poly::{Operation, PolyField, PolyRing};

use super::Bench;
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
    // As a new ring on the device would choose with this machine.
    let ring = PolyRing::with_machine(bench.device, bench.machine.clone(), field)?.corrected();
    for &log in degrees {
        let name = format!("model/products/{modulus}/2^{log}");
        if !bench.wants(&name) {
            continue;
        }
        let operation = Operation::Multiply { n: 1 << log, m: 1 << log };
        let choice = bench.chosen(|| ring.explain(operation))?;
        let line = bench.candidates("products", name, &choice, |plan| Ok(ring.time(operation, plan)?))?;
        line.into_iter().for_each(&mut *emit);
    }
    Ok(())
}
