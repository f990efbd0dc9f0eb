//! Times Kronecker transforms on a device, with a copy of the same bytes beside: medians of several runs by the device's clock.
//!
//! ```text
//! cargo run --release -p manycore-kronecker --example device_kronecker_speed -- opencl:0
//! ```
//! The first argument is the device. Without more, a list of cases is timed; else products as text, such as `h12 x walsh^20`
//! or `dft3^15`, each over a ring that follows it after a colon: `i32`, `i64`, `f32` (without one), `f64`, `c32`, `c64`, `p31` (a
//! prime of 29 bits in words of 32), `p61` or `goldilocks`. `plans` before a product times every candidate.
//! Results are compared with those of the host, to the bit where they are exact.

use manycore_device::{Buffer, Device, DeviceError};
use manycore_kronecker::transform::Plan;
use manycore_kronecker::{
    Complexes, Goldilocks, Integers, Kronecker, KroneckerProduct, PrimeField, Reals, Values, parse,
};

type Failure = Box<dyn std::error::Error>;

/// Measurements, of which the median is printed.
const RUNS: usize = 11;
/// Runs in a row that a measurement times, so that the markers around them count little.
const TURNS: u32 = 3;

const CASES: [&str; 16] = [
    "walsh^12",
    "walsh^20",
    "walsh^24",
    "walsh^24:i32",
    "walsh^26:f32",
    "h12 x walsh^20:i32",
    "h20 x walsh^20",
    "h28 x walsh^19",
    "arith^24:i32",
    "walsh^8 x id^8 x arith^8:i32",
    "dft3^14:c32",
    "dft3^15:c32",
    "dft5^9 x dft2^3:c32",
    "dft7^8:c64",
    "walsh^24:p31",
    "dft3 x dft5 x walsh^20:goldilocks",
];

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((device, cases)) = arguments.split_first() else {
        return Err("which device? then products, such as 'h12 x walsh^20:i32'".into());
    };
    let device = Device::select(device)?;
    println!("{}", device.info());
    let kronecker = Kronecker::new(&device);
    println!(
        "{:<34}{:<12}{:>12}{:>10}{:>10}{:>10}{:>8}{:>12}  plan",
        "product", "ring", "bytes", "us", "best us", "copy us", "ratio", "estimate us"
    );
    let (plans, cases) = match cases.split_first() {
        Some((first, rest)) if first == "plans" => (true, rest),
        _ => (false, cases),
    };
    let usual: Vec<String> = CASES.map(str::to_owned).to_vec();
    for case in if cases.is_empty() { &usual } else { cases } {
        let (text, ring) = case.split_once(':').unwrap_or((case, "f32"));
        let failed = |error: Failure| format!("{case}: {error}");
        match ring {
            "i32" => rows(&kronecker, &Integers::<i32>::new(), text, plans),
            "i64" => rows(&kronecker, &Integers::<i64>::new(), text, plans),
            "f32" => rows(&kronecker, &Reals::<f32>::new(), text, plans),
            "f64" => rows(&kronecker, &Reals::<f64>::new(), text, plans),
            "c32" => rows(&kronecker, &Complexes::<f32>::new(), text, plans),
            "c64" => rows(&kronecker, &Complexes::<f64>::new(), text, plans),
            "p31" => rows(&kronecker, &PrimeField::<u32>::new(469_762_049)?, text, plans),
            "p61" => rows(&kronecker, &PrimeField::<u64>::new((1 << 61) - 1)?, text, plans),
            "goldilocks" => rows(&kronecker, &Goldilocks, text, plans),
            _ => Err(format!("no ring is called {ring}").into()),
        }
        .map_err(failed)?;
    }
    Ok(())
}

/// The median and the least seconds of `work` by the device's clock, after runs that build kernels.
fn seconds<E: From<DeviceError>>(device: &Device, mut work: impl FnMut() -> Result<(), E>) -> Result<(f64, f64), E> {
    let mut all = Vec::with_capacity(RUNS);
    for run in 0..RUNS + 2 {
        let (outcome, seconds) = device.elapsed(|| (0..TURNS).try_for_each(|_| work()))?;
        outcome?;
        if run >= 2 {
            all.push(seconds / f64::from(TURNS));
        }
    }
    all.sort_by(f64::total_cmp);
    Ok((all[RUNS / 2], all[0]))
}

/// Small integers in the ring, so that sums of them fit every word.
fn input<V: Values>(values: &V, count: usize) -> Vec<V::Value> {
    let small: Vec<V::Value> = (-1..=1).map(|n| values.integer(n)).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        // A congruential generator, by its upper half.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        small[(state >> 33) as usize % 3]
    };
    (0..count).map(|_| next()).collect()
}

fn rows<V: Values>(kronecker: &Kronecker, values: &V, text: &str, plans: bool) -> Result<(), Failure> {
    let device = kronecker.device();
    let product = parse(values, text)?;
    let input = input(values, product.order());
    let words: &[V::Word] = bytemuck::cast_slice(&input);
    let (mut data, mut other) = (device.upload(words)?, device.scratch::<V::Word>(words.len())?);
    let (copy, _) = seconds(device, || other.copy_from(&data))?;
    let host = Kronecker::new(&Device::host());
    let mut expected = host.device().upload(words)?;
    host.forward(&product, &mut expected)?;
    let explained = kronecker.explain(&product, 1)?;
    let most = if plans { explained.candidates().len() } else { 1 };
    for candidate in explained.candidates().iter().take(most) {
        let estimate = candidate.estimate.seconds;
        data.write(words)?;
        let case = Case { kronecker, product: &product, text, copy, estimate };
        case.row(&candidate.parameters, &mut data, &expected)?;
    }
    Ok(())
}

struct Case<'a, V: Values> {
    kronecker: &'a Kronecker,
    product: &'a KroneckerProduct<V>,
    text: &'a str,
    copy: f64,
    estimate: f64,
}

impl<V: Values> Case<'_, V> {
    fn row(&self, plan: &Plan, data: &mut Buffer<V::Word>, expected: &Buffer<V::Word>) -> Result<(), Failure> {
        let transform = self.kronecker.transform_by(self.product, 1, plan.clone())?;
        transform.run(&mut *data)?;
        compare(&data.download()?, expected.as_host().ok_or("not the host's")?, self.product)?;
        let (median, best) = seconds(self.kronecker.device(), || transform.run(&mut *data))?;
        println!(
            "{:<34}{:<12}{:>12}{:>10.1}{:>10.1}{:>10.1}{:>8.2}{:>12.1}  {plan}",
            self.text,
            // A prime's name is long.
            self.product.values().name().replace("residues ", ""),
            size_of_val(expected.as_host().unwrap_or_default()),
            median * 1e6,
            best * 1e6,
            self.copy * 1e6,
            median / self.copy,
            self.estimate * 1e6
        );
        Ok(())
    }
}

/// Compares words: exactly but for floating point, where sums of `n` values of size 1 round like a random walk.
fn compare<V: Values>(found: &[V::Word], expected: &[V::Word], product: &KroneckerProduct<V>) -> Result<(), Failure> {
    let floating = |x: &V::Word| -> Option<f64> {
        let bytes = bytemuck::bytes_of(x);
        match (<V::Word as manycore_device::Word>::TYPE.is_floating(), bytes.len()) {
            (true, 4) => Some(bytemuck::pod_read_unaligned::<f32>(bytes).into()),
            (true, _) => Some(bytemuck::pod_read_unaligned(bytes)),
            _ => None,
        }
    };
    let tolerance = 1e-6 * (product.order() as f64).sqrt() * 100.0;
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let near = match (floating(a), floating(b)) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance,
            _ => a == b,
        };
        if !near {
            return Err(format!("word {i} is {a:?}, not {b:?}").into());
        }
    }
    Ok(())
}
