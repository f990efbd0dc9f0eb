//! Times Fourier transforms on a device: medians of several runs by the device's clock, data on the device.
//!
//! ```text
//! cargo run --release -p manycore-fourier --example device_fourier_speed -- opencl:0
//! ```
//! The first argument is the device. Without more, the main cases: long and short cyclic transforms in single precision, a
//! batch, powers of small groups, chirps, double precision and residues. Else cases as `GROUP[*BATCH]`, where a group is a list
//! of factors such as `3,3,3` or a power such as `3^8`; each in single precision. `plans` times all plans of the cases given.
//! Spectra are compared with those of the host, whose tests compare them with the definition.

use manycore_characters::Values;
use manycore_device::{Device, DeviceError};
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::{AbelianGroup, Complexes, Direction, Fourier, Numbers, Plan, Residues};

type Failure = Box<dyn std::error::Error>;

/// Measurements, of which the median is printed.
const RUNS: usize = 11;
/// The most values of functions that are compared with the host's result.
const MOST_COMPARED: usize = 1 << 24;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((device, cases)) = arguments.split_first() else {
        return Err("which device? then cases, such as 2^20, 1009 or 4096*4096".into());
    };
    let device = Device::select(device)?;
    println!("{}", device.info());
    println!(
        "{:<20}{:<28}{:>12}{:>10}{:>14}{:>12}  plan",
        "group*batch", "numbers", "median us", "best us", "estimate us", "error"
    );
    let all_plans = cases.iter().any(|case| case == "plans");
    let cases: Vec<&str> = cases.iter().map(String::as_str).filter(|&case| case != "plans").collect();
    let fourier = Fourier::new(&device);
    let single = Complexes::<f32>::new();
    for case in &cases {
        let (group, batch) = parse(case)?;
        if all_plans {
            let choice = fourier.explain_transform(&group, &single, batch)?;
            for candidate in choice.candidates() {
                row(&fourier, case, &single, Some(&candidate.parameters))?;
            }
        } else {
            row(&fourier, case, &single, None)?;
        }
    }
    if cases.is_empty() {
        for case in [
            "4096",
            "2^12",
            "65536",
            "1048576",
            "4194304",
            "16777216",
            "4096*4096",
            "1000000",
            "3^14",
            "2^24",
            "1009*1000",
            "100003",
        ] {
            row(&fourier, case, &single, None)?;
        }
        let short = Residues::new(PrimeField::<u32>::new(469_762_049)?);
        for case in ["1048576", "16777216"] {
            row(&fourier, case, &Complexes::<f64>::new(), None)?;
            row(&fourier, case, &short, None)?;
            row(&fourier, case, &Residues::new(Goldilocks), None)?;
        }
    }
    Ok(())
}

/// A group and a batch: `4096*10`, `3^8`, `6,10`.
fn parse(case: &str) -> Result<(AbelianGroup, usize), Failure> {
    let (group, batch) = case.split_once('*').unwrap_or((case, "1"));
    let group = if let Some((factor, power)) = group.split_once('^') {
        AbelianGroup::power(factor.parse()?, power.parse()?)?
    } else {
        let factors: Result<Vec<u64>, _> = group.split(',').map(str::parse).collect();
        AbelianGroup::new(&factors?)?
    };
    Ok((group, batch.parse()?))
}

/// Times one case, and compares it with the host's result.
fn row<N: Numbers>(fourier: &Fourier, case: &str, numbers: &N, plan: Option<&Plan>) -> Result<(), Failure> {
    let (group, batch) = parse(case)?;
    let device = fourier.device();
    let count = usize::try_from(group.order())? * batch;
    let small = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u64 % 1000;
    let values: Vec<N::Value> = (0..count).map(|i| numbers.natural(small(i))).collect();
    let mut data = fourier.upload(numbers, &values)?;
    let used = match fourier.transform(&group, numbers, Direction::Forward, &mut data, plan) {
        Err(manycore_fourier::FourierError::Device(DeviceError::Unsupported { feature, .. })) => {
            println!("{case:<20}{:<28} {feature}: none here", Values::name(numbers));
            return Ok(());
        }
        other => other?,
    };
    let error = if count <= MOST_COMPARED {
        let host = Fourier::new(&Device::host());
        let mut expected = host.upload(numbers, &values)?;
        host.forward(&group, numbers, &mut expected)?;
        numbers.distance(&fourier.download(numbers, &data)?, &host.download(numbers, &expected)?)
    } else {
        f64::NAN
    };
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let turns = if count < 1 << 20 { 8 } else { 2 };
        // Zeros stay zeros: the values of repeated transforms would grow past all bounds.
        data.fill(bytemuck::Zeroable::zeroed())?;
        let (result, elapsed) = device.elapsed(|| {
            (0..turns)
                .try_for_each(|_| fourier.transform(&group, numbers, Direction::Forward, &mut data, plan).map(drop))
        })?;
        result?;
        seconds.push(elapsed / f64::from(turns));
    }
    seconds.sort_by(f64::total_cmp);
    let choice = fourier.explain_transform(&group, numbers, batch)?;
    let estimate = choice
        .candidates()
        .iter()
        .find(|candidate| candidate.parameters == used)
        .map_or(f64::NAN, |candidate| candidate.estimate.seconds);
    println!(
        "{case:<20}{:<28}{:>12.1}{:>10.1}{:>14.1}{:>12.1e}  {used}",
        Values::name(numbers),
        seconds[RUNS / 2] * 1e6,
        seconds[0] * 1e6,
        estimate * 1e6,
        error
    );
    Ok(())
}
