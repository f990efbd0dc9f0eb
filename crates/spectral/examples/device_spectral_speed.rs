//! Times Reed-Muller, arithmetic and Haar transforms on a device, by its clock, with data on the device.
//!
//! `cargo run --release -p manycore-spectral --example device_spectral_speed -- DEVICE [candidates]`: with `candidates` every
//! candidate, with its estimate, for the largest sizes.

use manycore_device::{Device, timing};
use manycore_spectral::walsh::cost::{Pass, Plan};
use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Bits, Haar, HaarOrder, Normalization, ReedMuller, Scalar, Spectral, SpectralError,
    Walsh, WalshPlan,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The seconds of `work` by the device's clock, on GPUs with launches queued.
fn time(spectral: &Spectral, work: impl FnMut() -> Result<(), SpectralError>) -> Result<f64, SpectralError> {
    timing::seconds(spectral.device(), work)
}

/// The seconds as the host enqueues, and those where launches are already queued.
fn times(spectral: &Spectral, mut work: impl FnMut() -> Result<(), SpectralError>) -> Result<[f64; 2], SpectralError> {
    let enqueued = timing::seconds_as_enqueued(spectral.device(), &mut work)?;
    Ok([enqueued, time(spectral, work)?])
}

fn line(what: &str, [seconds, queued]: [f64; 2], bytes: usize) {
    let (us, queued_us, rate) = (seconds * 1e6, queued * 1e6, 2e-9 * bytes as f64 / queued);
    println!("{what:<44} {us:>9.1} us, queued {queued_us:>9.1} us {rate:>8.1} GB/s of one pass");
}

fn reed_muller<T: Bits>(spectral: &Spectral, log_len: u32, how: &ReedMuller, name: &str) -> Outcome {
    let mut x = spectral.device().zeros::<T>(1 << log_len)?;
    let seconds = times(spectral, || spectral.reed_muller(&mut x, how))?;
    line(&format!("reed-muller {name} 2^{log_len}"), seconds, size_of::<T>() << log_len);
    Ok(())
}

fn arithmetic<T: Scalar>(spectral: &Spectral, log_len: u32, how: &Arithmetic, name: &str) -> Outcome {
    let mut x = spectral.device().zeros::<T>(1 << log_len)?;
    let seconds = times(spectral, || spectral.arithmetic(&mut x, how))?;
    line(&format!("arithmetic {name} 2^{log_len}"), seconds, size_of::<T>() << log_len);
    Ok(())
}

fn haar<T: Scalar>(spectral: &Spectral, log_len: u32, how: &Haar, name: &str) -> Outcome {
    let mut x = spectral.device().zeros::<T>(1 << log_len)?;
    let seconds = times(spectral, || spectral.haar(&mut x, how))?;
    line(&format!("haar {name} 2^{log_len}"), seconds, size_of::<T>() << log_len);
    Ok(())
}

fn packed(spectral: &Spectral, variables: u32, how: &ReedMuller, name: &str) -> Outcome {
    let mut x = spectral.device().zeros::<u64>(1 << (variables - 6))?;
    let seconds = times(spectral, || spectral.reed_muller_packed(&mut x, variables, how))?;
    line(&format!("reed-muller packed{name} n = {variables}"), seconds, 8 << (variables - 6));
    Ok(())
}

/// Times the first candidates of a choice.
fn candidates(
    spectral: &Spectral,
    choice: &manycore_tuning::Choice<WalshPlan>,
    most: usize,
    mut run: impl FnMut(&WalshPlan) -> Result<(), SpectralError>,
) -> Outcome {
    for candidate in choice.candidates().iter().take(most) {
        let seconds = time(spectral, || run(&candidate.parameters))?;
        let (estimate, plan) = (candidate.estimate.seconds * 1e6, &candidate.parameters);
        println!("  {:>9.1} us, estimate {estimate:>9.1}: {plan}", seconds * 1e6);
    }
    Ok(())
}

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let device = Device::select(&arguments.next().unwrap_or_else(|| "host".into()))?;
    let all = arguments.next().is_some_and(|word| word == "candidates");
    let spectral = Spectral::new(&device);
    let large = device.info().memory_bytes > 64 << 30 && device.info().id != "host";
    let lengths: &[u32] = if large { &[12, 16, 20, 22, 24, 26, 28] } else { &[12, 16, 20, 22] };
    for &log_len in lengths {
        let mut x = device.zeros::<i32>(1 << log_len)?;
        let seconds = times(&spectral, || spectral.walsh(&mut x, &Walsh::new()))?;
        line(&format!("walsh i32 2^{log_len}"), seconds, 4 << log_len);
        reed_muller::<i32>(&spectral, log_len, &ReedMuller::new(), "i32")?;
        reed_muller::<u8>(&spectral, log_len, &ReedMuller::new(), "u8")?;
        arithmetic::<i32>(&spectral, log_len, &Arithmetic::new(), "i32")?;
        arithmetic::<f32>(&spectral, log_len, &Arithmetic::new().inverse(), "f32 inverse")?;
        haar::<f32>(&spectral, log_len, &Haar::new(), "f32")?;
        haar::<f32>(&spectral, log_len, &Haar::new().inverse(), "f32 inverse")?;
        let orthonormal = Haar::new().normalization(Normalization::Orthonormal);
        haar::<f32>(&spectral, log_len, &orthonormal, "f32 orthonormal")?;
        haar::<f32>(&spectral, log_len, &Haar::new().order(HaarOrder::InPlace), "f32 in place")?;
        let reversed = ReedMuller::new().order(BitOrder::Reversed);
        reed_muller::<i32>(&spectral, log_len, &reversed, "i32 reversed")?;
        let one = reversed.algorithm(Algorithm::ConstantGeometry).steps_per_pass(1);
        reed_muller::<i32>(&spectral, log_len, &one, "i32, one step a pass")?;
    }
    for &variables in if large { &[18, 22, 26, 30, 32, 34, 38][..] } else { &[18, 22, 26][..] } {
        packed(&spectral, variables, &ReedMuller::new(), "")?;
    }
    packed(&spectral, if large { 32 } else { 26 }, &ReedMuller::new().polarity(0x2A5_5A5A), ", a polarity,")?;
    if all {
        let log_len = if large { 26 } else { 22 };
        let mut x = device.zeros::<f32>(1 << log_len)?;
        for how in [Haar::new(), Haar::new().inverse()] {
            let choice = spectral.explain_haar::<f32>(1 << log_len, &how)?;
            println!("haar f32 2^{log_len}:");
            for candidate in choice.candidates() {
                let seconds = time(&spectral, || spectral.haar(&mut x, &how.clone().by(&candidate.parameters)))?;
                let estimate = candidate.estimate.seconds * 1e6;
                println!("  {:>9.1} us, estimate {estimate:>9.1}: {}", seconds * 1e6, candidate.parameters);
            }
        }
        let (variables, log_len) = if large { (32_u32, 24) } else { (26, 20) };
        let words = 1 << (variables - 6);
        let mut x = device.zeros::<u64>(words)?;
        let how = ReedMuller::new();
        let choice = spectral.explain_reed_muller_packed(words, variables, &how)?;
        println!("packed, {variables} variables, {} candidates:", choice.candidates().len());
        candidates(&spectral, &choice, 40, |plan| {
            spectral.reed_muller_packed(&mut x, variables, &how.clone().by(plan))
        })?;
        // Passes of 26 index bits by hand: tiles and columns with stages through the cache.
        let by_hand = |log_tile, tile_regs, tile_spill: u32, log_segment, column_tile: u32, column_regs| {
            let stages = log_tile + tile_spill;
            let log_rows = column_tile - log_segment;
            let log_spill = u32::saturating_sub(variables - 6 - stages, log_rows);
            let log_rows = variables - 6 - stages - log_spill;
            let columns = Pass::Columns { log_stride: stages, log_rows, log_segment, log_regs: column_regs, log_spill };
            let tiles = Pass::Tile { stages, log_tile, log_regs: tile_regs, log_spill: tile_spill };
            WalshPlan::Device(Plan { algorithm: Algorithm::CooleyTukey, passes: vec![columns, tiles] })
        };
        for plan in [
            by_hand(13, 4, 1, 2, 13, 4),
            by_hand(13, 4, 2, 4, 13, 4),
            by_hand(13, 3, 2, 4, 13, 3),
            by_hand(12, 4, 3, 4, 13, 4),
            by_hand(12, 4, 2, 3, 13, 4),
            by_hand(13, 4, 1, 3, 13, 4),
            by_hand(14, 4, 1, 4, 13, 4),
            by_hand(14, 4, 1, 4, 14, 4),
            by_hand(14, 4, 1, 3, 14, 4),
            by_hand(14, 4, 0, 3, 14, 4),
            by_hand(14, 4, 0, 4, 13, 4),
            by_hand(13, 4, 2, 3, 13, 4),
        ] {
            let seconds = time(&spectral, || spectral.reed_muller_packed(&mut x, variables, &how.clone().by(&plan)))?;
            println!("  {:>9.1} us by hand: {plan}", seconds * 1e6);
        }
        let mut x = device.zeros::<i32>(1 << log_len)?;
        let how = Arithmetic::new();
        let choice = spectral.explain_arithmetic::<i32>(1 << log_len, &how)?;
        println!("arithmetic i32 2^{log_len}, {} candidates:", choice.candidates().len());
        candidates(&spectral, &choice, 10, |plan| spectral.arithmetic(&mut x, &how.clone().by(plan)))?;
    }
    Ok(())
}
