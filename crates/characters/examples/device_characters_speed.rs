//! Times character tables on a device, with a fill of the same bytes beside: medians of several runs by the device's clock.
//!
//! ```text
//! cargo run --release -p manycore-characters --example device_characters_speed -- opencl:0
//! ```
//! The first argument is the device. Without more, the four cases are 3^8 and 2^14 in complex f32, direct, 3^8 by the
//! Kronecker construction, and 3^8 as exponents; else lists of factors such as `3,3,3` or powers such as `3^8`, each timed by
//! both constructions. `paper` times the tables of `C_3^m`, `m = 1..8`, as paper 000's figure 3 does: the construction in steps
//! and the direct one against algorithm 1 on one thread of the host. `tune` tries the bytes that a work-group writes. Entries
//! picked at random are compared with the definition.

use std::time::Instant;

use manycore_characters::table::reference;
use manycore_characters::{AbelianGroup, Characters, Complexes, Construction, Exponents, Tile, Values};
use manycore_device::{Buffer, Device, DeviceError};

type Failure = Box<dyn std::error::Error>;

/// Measurements, of which the median is printed.
const RUNS: usize = 15;
/// Runs in a row that a measurement times, so that the markers around them count little.
const TURNS: u32 = 4;
/// Entries that are compared with the definition.
const SAMPLES: u64 = 4096;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((device, lists)) = arguments.split_first() else {
        return Err("which device? then lists of factors, such as 3^8 or 6,10".into());
    };
    let device = Device::select(device)?;
    println!("{}", device.info());
    let characters = Characters::new(&device);
    let (complex, exponents) = (Complexes::<f32>::new(), Exponents::<u8>::new());
    println!(
        "{:<16}{:<14}{:<14}{:>12}{:>10}{:>10}{:>10}{:>8}{:>12}",
        "group", "values", "construction", "bytes", "us", "best us", "fill us", "ratio", "estimate us"
    );
    if lists.is_empty() {
        let (three, two) = (factors("3^8")?, factors("2^14")?);
        row(&characters, &three, "3^8", &complex, Construction::Direct)?;
        row(&characters, &two, "2^14", &complex, Construction::Direct)?;
        row(&characters, &three, "3^8", &complex, Construction::Kronecker)?;
        row(&characters, &three, "3^8", &exponents, Construction::Direct)?;
    }
    for list in lists.iter().filter(|list| *list != "paper" && *list != "tune") {
        let group = factors(list)?;
        for construction in Construction::ALL {
            row(&characters, &group, list, &complex, construction)?;
        }
    }
    if lists.iter().any(|list| list == "tune") {
        tune(&characters)?;
    }
    if lists.iter().any(|list| list == "paper") {
        paper(&characters)?;
    }
    Ok(())
}

/// Times the cases of the goals with other bytes for each work-group.
fn tune(characters: &Characters) -> Result<(), Failure> {
    let (device, values) = (characters.device(), Complexes::<f32>::new());
    let direct = Construction::Direct;
    for (name, construction) in [("3^8", direct), ("2^14", direct), ("3^8", Construction::Kronecker)] {
        let group = factors(name)?;
        let mut out = device.scratch::<f32>(2 * usize::try_from(group.order().pow(2))?)?;
        print!("{name} {construction}:");
        for log_bytes in 13..=19 {
            let tile = Tile::whole().by(construction).group_bytes(1 << log_bytes);
            let (median, _) = seconds(device, || characters.table_into(&group, &values, &tile, &mut out).map(drop))?;
            print!("  2^{log_bytes} {:.1} us", median * 1e6);
        }
        println!();
    }
    Ok(())
}

/// Figure 3 of paper 000 on this device.
fn paper(characters: &Characters) -> Result<(), Failure> {
    let (device, values) = (characters.device(), Complexes::<f32>::new());
    println!(
        "{:<8}{:>14}{:>12}{:>12}{:>10}{:>10}",
        "C_3^m", "algorithm 1", "steps us", "direct us", "speedup", "direct's"
    );
    for m in 1..=8 {
        let group = AbelianGroup::power(3, m)?;
        let entries = usize::try_from(group.order().pow(2))?;
        let mut out = device.scratch::<f32>(2 * entries)?;
        let mut by = |construction| {
            let tile = Tile::whole().by(construction);
            seconds(device, || characters.table_into(&group, &values, &tile, &mut out).map(drop))
        };
        let ((steps, _), (direct, _)) = (by(Construction::Kronecker)?, by(Construction::Direct)?);
        let start = Instant::now();
        let table = reference::algorithm_1(&group, &values)?;
        let one_thread = start.elapsed().as_secs_f64();
        assert_eq!(table.len(), entries);
        println!(
            "{m:<8}{:>14.1}{:>12.1}{:>12.1}{:>10.1}{:>10.1}",
            one_thread * 1e6,
            steps * 1e6,
            direct * 1e6,
            one_thread / steps,
            one_thread / direct
        );
    }
    Ok(())
}

/// `3,3,5`, or `3^8`, or a list of such.
fn factors(text: &str) -> Result<AbelianGroup, Failure> {
    let mut factors = Vec::new();
    for part in text.split(',') {
        let (n, count) = part.split_once('^').unwrap_or((part, "1"));
        factors.extend(vec![n.parse::<u64>()?; count.parse()?]);
    }
    Ok(AbelianGroup::new(&factors)?)
}

/// The median and the least seconds of `work` by the device's clock, after runs that build kernels and tables.
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

fn row<V: Values>(
    characters: &Characters,
    group: &AbelianGroup,
    name: &str,
    values: &V,
    construction: Construction,
) -> Result<(), Failure> {
    let device = characters.device();
    let n = group.order();
    let entries = usize::try_from(n.checked_mul(n).ok_or("too large")?)?;
    let mut out: Buffer<V::Word> = device.scratch(entries * V::WORDS)?;
    let (fill, _) = seconds(device, || out.fill(bytemuck::Zeroable::zeroed()))?;
    let tile = Tile::whole().by(construction);
    let (median, best) = seconds(device, || characters.table_into(group, values, &tile, &mut out).map(drop))?;
    compare(group, values, construction, &out)?;
    let explained = characters.explain_table(group, values, &tile)?;
    let of = explained.candidates().iter().find(|candidate| candidate.parameters.construction == construction);
    let estimate = of.map_or(f64::NAN, |candidate| candidate.estimate.seconds);
    println!(
        "{name:<16}{:<14}{construction:<14}{:>12}{:>10.1}{:>10.1}{:>10.1}{:>8.2}{:>12.1}",
        values.name(),
        entries * size_of::<V::Value>(),
        median * 1e6,
        best * 1e6,
        fill * 1e6,
        median / fill,
        estimate * 1e6
    );
    Ok(())
}

/// Compares entries of random rows with the definition: the direct construction to the bit.
fn compare<V: Values>(
    group: &AbelianGroup,
    values: &V,
    construction: Construction,
    table: &Buffer<V::Word>,
) -> Result<(), Failure> {
    let n = group.order();
    let base = values.base(group.exponent())?;
    let width = n as usize * V::WORDS;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |bound: u64| {
        // A congruential generator, by its upper half.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) % bound
    };
    let mut words: Vec<V::Word> = bytemuck::zeroed_vec(width);
    for w in (0..16).map(|_| random(n)).chain([0, n - 1]).collect::<Vec<u64>>() {
        let start = w as usize * width;
        table.view(start..start + width)?.read_into(&mut words)?;
        let row: &[V::Value] = bytemuck::cast_slice(&words);
        for z in (0..SAMPLES / 16).map(|_| random(n)).chain([0, n - 1]) {
            let expected = values.root(base, group.character_exponent(w, z)?);
            let (found, exact) = (row[z as usize], construction == Construction::Direct || V::EXPONENTS);
            if exact && found != expected || !exact && !near(found, expected) {
                return Err(format!("entry {w}, {z} is {found:?}, not {expected:?}").into());
            }
        }
    }
    Ok(())
}

/// Whether two entries of `f32` parts differ by rounding only.
fn near<T: bytemuck::Pod>(a: T, b: T) -> bool {
    let parts = |value: &T| bytemuck::cast_slice::<u8, f32>(bytemuck::bytes_of(value)).to_vec();
    parts(&a).iter().zip(parts(&b)).all(|(a, b)| (a - b).abs() < 2e-6)
}
