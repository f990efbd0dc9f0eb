//! Times variants of the Walsh-Hadamard passes on one device, each checked against the host: for tuning.
//!
//! `walsh_variants DEVICE TYPE VARIANT...`, where a variant is `LOG_LEN:LOG_BATCH:PASSES` and passes are separated by
//! commas: `cROWS/SEGMENT/REGS/SPILL` and last `tTILE/REGS/SPILL`; `auto` stands for the library's choice, `dyadic` and
//! `sequency` for its passes in those orders.

use anyhow::{Context, Result, bail};
use manycore_benches::data::{self, Number};
use manycore_device::Device;
use manycore_spectral::walsh::cost::Pass;
use manycore_spectral::{Order, Spectral, Walsh};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, element, variants @ ..] = arguments.as_slice() else { bail!("DEVICE TYPE VARIANT...") };
    let device = Device::select(device)?;
    println!("{}", device.info());
    for variant in variants {
        let outcome = match element.as_str() {
            "f32" => time::<f32>(&device, variant),
            "i32" => time::<i32>(&device, variant),
            "f64" => time::<f64>(&device, variant),
            "i64" => time::<i64>(&device, variant),
            other => bail!("no element type {other}"),
        };
        if let Err(error) = outcome {
            println!("{variant:<44} {error:#}");
        }
    }
    Ok(())
}

fn parse(text: &str, log_len: u32) -> Result<Walsh> {
    match text {
        "auto" => return Ok(Walsh::new().wrapping()),
        "dyadic" => return Ok(Walsh::new().wrapping().order(Order::Dyadic)),
        "sequency" => return Ok(Walsh::new().wrapping().order(Order::Sequency)),
        _ => {}
    }
    let mut high = log_len;
    let mut passes = Vec::new();
    for part in text.split(',') {
        let numbers = part[1..].split('/').map(str::parse).collect::<Result<Vec<u32>, _>>().context(part.to_owned())?;
        match (&part[..1], numbers.as_slice()) {
            ("c", &[log_rows, log_segment, log_regs, log_spill]) => {
                high = high.checked_sub(log_rows + log_spill).context("too many rows")?;
                passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs, log_spill });
            }
            ("t", &[log_tile, log_regs, log_spill]) => {
                passes.push(Pass::Tile { stages: high, log_tile, log_regs, log_spill });
            }
            ("f", &[log_tile, log_regs, log_fan]) => passes.push(Pass::Fan { log_tile, log_regs, log_fan }),
            _ => bail!("{part}: cROWS/SEGMENT/REGS/SPILL or tTILE/REGS/SPILL"),
        }
    }
    Ok(Walsh::new().wrapping().passes(passes))
}

fn time<T: Number>(device: &Device, variant: &str) -> Result<()> {
    let fields: Vec<&str> = variant.split(':').collect();
    let &[log_len, log_batch, passes] = fields.as_slice() else { bail!("LOG_LEN:LOG_BATCH:PASSES") };
    let (log_len, log_batch): (u32, u32) = (log_len.parse()?, log_batch.parse()?);
    let how = parse(passes, log_len)?.batch(1 << log_len);
    let count = 1usize << (log_len + log_batch);
    let values: Vec<T> = data::values(count);
    let spectral = Spectral::new(device);
    let mut x = device.upload(&values)?;
    spectral.walsh(&mut x, &how)?;
    let result = x.download()?;
    let right = if count <= 1 << 26 {
        let host = Spectral::new(&Device::host());
        let mut expected = host.device().upload(&values)?;
        host.walsh(&mut expected, &how.clone().passes(Vec::new()))?;
        expected.as_host() == Some(&result[..])
    } else {
        spectral.walsh(&mut x, &how.clone().inverse())?;
        x.download()? == values && result != values
    };
    // The values grow with every transform; inverses in turn keep them in range.
    let inverse = how.clone().inverse();
    let repeats = (1usize << 30).div_euclid(count).clamp(2, 50);
    let mut times = Vec::new();
    for _ in 0..9 {
        let (outcome, seconds) = device.elapsed(|| {
            for i in 0..repeats {
                spectral.walsh(&mut x, if i % 2 == 0 { &how } else { &inverse })?;
            }
            Ok::<(), manycore_spectral::SpectralError>(())
        })?;
        outcome?;
        times.push(seconds / repeats as f64);
    }
    times.sort_by(f64::total_cmp);
    let (_, profile) = device.profile(|| spectral.walsh(&mut x, &how))?;
    let each: Vec<String> = profile.entries.iter().map(|e| format!("{:.1}", e.seconds * 1e6)).collect();
    let bytes = 2.0 * (count * size_of::<T>()) as f64;
    println!(
        "{variant:<44} {} {:>9.2} us (min {:.2}, max {:.2}), once-through {:.0} GB/s, kernels {} us",
        if right { "ok   " } else { "WRONG" },
        times[4] * 1e6,
        times[0] * 1e6,
        times[8] * 1e6,
        bytes / times[4] / 1e9,
        each.join(" + ")
    );
    Ok(())
}
