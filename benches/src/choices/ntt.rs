//! The number-theoretic transform: its passes on a GPU, its blocks on the host.

use anyhow::Result;
use manycore_field::primes::ntt_primes;
use manycore_field::{Goldilocks, PrimeField};
use manycore_ntt::cost::Plan;
use manycore_ntt::{Kind, Ntt, NttField};

use super::bench::Bench;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let cases: &[(u32, u32)] = if bench.gpu() {
        &[(12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (18, 0), (20, 0), (22, 0), (24, 0), (26, 0), (12, 14), (14, 12)]
    } else {
        &[(12, 0), (16, 0), (20, 0)]
    };
    for (name, p) in [("29 bits", 469_762_049), ("31 bits", 2_013_265_921)] {
        let field = PrimeField::<u32>::new(p)?;
        for &(log_len, log_batch) in cases {
            one(bench, &field, name, log_len, log_batch, emit)?;
        }
    }
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    // In words of 8 bytes: the arithmetics of each, a few lengths of every shape.
    let every = if bench.gpu() { 4 } else { 1 };
    let wide: Vec<u32> = cases
        .iter()
        .filter(|&&(log_len, batch)| batch == 0 && log_len.is_multiple_of(every))
        .map(|&(log_len, _)| log_len)
        .collect();
    for (name, bits) in [("50 bits", 50), ("62 bits", 62)] {
        let Some(p) = ntt_primes(bits, 24).next() else { continue };
        let field = PrimeField::<u64>::new(p)?;
        wide.iter().try_for_each(|&log_len| one(bench, &field, name, log_len, 0, emit))?;
    }
    wide.iter().try_for_each(|&log_len| one(bench, &Goldilocks, "2^64-2^32+1", log_len, 0, emit))
}

fn one<F: NttField>(
    bench: &Bench<'_>,
    field: &F,
    modulus: &str,
    log_len: u32,
    log_batch: u32,
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let batch = if log_batch == 0 { String::new() } else { format!("x2^{log_batch}") };
    let name = format!("choice/ntt/{modulus}/2^{log_len}{batch}");
    if !bench.wants(&name) {
        return Ok(());
    }
    let ntt = Ntt::new(bench.device, field, 1 << log_len, Kind::Cyclic)?;
    let len = 1usize << (log_len + log_batch);
    let choice = ntt.explain(len)?;
    let seconds = |plan: &Plan| Ok(ntt.time_as_enqueued(len, Some(plan))?);
    bench.candidates("ntt", name, &choice, seconds)?.into_iter().for_each(emit);
    Ok(())
}
