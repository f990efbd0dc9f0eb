//! The spectral transforms beside Walsh: Reed-Muller, arithmetic, Haar.

use anyhow::Result;
use manycore_spectral::{Arithmetic, Haar, ReedMuller, Spectral};

use super::bench::Bench;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let spectral = Spectral::new(bench.device);
    let lengths: &[u32] = match (bench.gpu(), bench.profile) {
        (true, _) => &[16, 20, 24, 26],
        (_, Profile::Quick) => &[14],
        _ => &[16, 20, 22],
    };
    for &n in lengths {
        let len = 1_usize << n;
        let name = format!("choice/arithmetic/i32/2^{n}");
        if bench.wants(&name) {
            let choice = spectral.explain_arithmetic::<i32>(len, &Arithmetic::new())?;
            let mut x = bench.device.zeros::<i32>(len)?;
            let seconds = |plan: &_| {
                let how = Arithmetic::new().wrapping().by(plan);
                bench.seconds(|| Ok(spectral.arithmetic(&mut x, &how)?))
            };
            bench.candidates("arithmetic", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
        let name = format!("choice/haar/f32/2^{n}");
        if bench.wants(&name) {
            let choice = spectral.explain_haar::<f32>(len, &Haar::new())?;
            let mut x = bench.device.zeros::<f32>(len)?;
            let seconds = |plan: &_| {
                let how = Haar::new().wrapping().by(plan);
                bench.seconds(|| Ok(spectral.haar(&mut x, &how)?))
            };
            bench.candidates("haar", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
        // Packed: a 64th of the bits are words.
        let variables = n + 5;
        let name = format!("choice/reed-muller/packed/2^{variables}");
        if bench.wants(&name) {
            let words = 1_usize << (variables - 6);
            let choice = spectral.explain_reed_muller_packed(words, variables, &ReedMuller::new())?;
            let mut x = bench.device.zeros::<u64>(words)?;
            let seconds = |plan: &_| {
                let how = ReedMuller::new().by(plan);
                bench.seconds(|| Ok(spectral.reed_muller_packed(&mut x, variables, &how)?))
            };
            bench.candidates("reed-muller", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
        }
    }
    Ok(())
}
