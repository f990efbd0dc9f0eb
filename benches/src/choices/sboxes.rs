//! Tables of S-boxes: blocks of rows of the linear one, counters of the difference one.

use anyhow::Result;
use manycore_boolean::{Boolean, SBox};

use super::bench::Bench;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let boolean = Boolean::new(bench.device);
    let bits: &[u32] = match (bench.gpu(), bench.profile) {
        (true, _) => &[8, 12, 16],
        (_, Profile::Quick) => &[8],
        _ => &[8, 11, 12],
    };
    for &bits in bits {
        // A permutation without structure: an odd multiple, its bits mixed by a shift.
        let mask = (1_u32 << bits) - 1;
        let values: Vec<u16> = (0..1_u32 << bits)
            .map(|x| x.wrapping_mul(0x9e37_79b1) & mask)
            .map(|x| (x ^ x >> (bits / 2)).wrapping_mul(0x85eb_ca6b) & mask)
            .map(|x| x as u16)
            .collect();
        let sbox = SBox::new(bits, values)?;
        let name = format!("choice/sbox-linear/{bits}");
        if bench.wants(&name) {
            let choice = boolean.explain_linear(&sbox)?;
            let seconds = |rows: &manycore_boolean::sbox::cost::Rows| {
                bench.seconds(|| Ok(boolean.linear_summary_in(&sbox, 1 << rows.log).map(|_| ())?))
            };
            bench.candidates("sbox-linear", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
        let name = format!("choice/sbox-differences/{bits}");
        if bench.wants(&name) {
            let choice = boolean.explain_differences(&sbox)?;
            let seconds = |counters: &manycore_boolean::sbox::cost::Counters| {
                bench.seconds(|| Ok(boolean.difference_summary_with(&sbox, counters.log).map(|_| ())?))
            };
            bench.candidates("sbox-differences", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    Ok(())
}
