//! Times variants of the passes of the number-theoretic transform on one device, each checked against the host: for tuning.
//!
//! `ntt_variants DEVICE FIELD VARIANT...`, where the field is `29`, `31`, `50` (double precision), `62` or `goldilocks`, a
//! variant is `LOG_LEN:LOG_BATCH:PASSES` and passes are separated by commas: `cROWS/SEGMENT/REGS` and last `tTILE/REGS`;
//! `auto` stands for the library's choice.

use anyhow::{Context, Result, bail};
use manycore_benches::data;
use manycore_device::Device;
use manycore_field::primes::ntt_primes;
use manycore_field::{Arithmetic, Goldilocks, PrimeField, ResidueWord};
use manycore_ntt::cost::{Pass, Plan};
use manycore_ntt::{Kind, Ntt, NttField};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, field, variants @ ..] = arguments.as_slice() else { bail!("DEVICE FIELD VARIANT...") };
    let device = Device::select(device)?;
    println!("{}", device.info());
    for variant in variants {
        let outcome = match field.as_str() {
            "29" => time(&device, &PrimeField::<u32>::new(469_762_049)?, None, variant),
            "31" => time(&device, &PrimeField::<u32>::new(2_013_265_921)?, None, variant),
            "50" => time(&device, &PrimeField::<u64>::new(prime(50)?)?, Some(Arithmetic::Floating), variant),
            "62" => time(&device, &PrimeField::<u64>::new(prime(62)?)?, None, variant),
            "goldilocks" => time(&device, &Goldilocks, None, variant),
            other => bail!("no field {other}"),
        };
        if let Err(error) = outcome {
            println!("{field:<3} {variant:<36} {error:#}");
        }
    }
    Ok(())
}

fn prime(bits: u32) -> Result<u64> {
    ntt_primes(bits, 30).next().context("no prime has the roots")
}

fn parse(text: &str, log_len: u32) -> Result<Option<Plan>> {
    if text == "auto" {
        return Ok(None);
    }
    let mut high = log_len;
    let mut passes = Vec::new();
    for part in text.split(',') {
        let numbers = part[1..].split('/').map(str::parse).collect::<Result<Vec<u32>, _>>().context(part.to_owned())?;
        match (&part[..1], numbers.as_slice()) {
            ("c", &[log_rows, log_segment, log_regs]) => {
                high = high.checked_sub(log_rows).context("too many rows")?;
                passes.push(Pass::Columns { log_stride: high, log_rows, log_segment, log_regs });
            }
            ("t", &[log_tile, log_regs]) => passes.push(Pass::Tile { stages: high, log_tile, log_regs }),
            _ => bail!("{part}: cROWS/SEGMENT/REGS or tTILE/REGS"),
        }
    }
    Ok(Some(Plan { passes }))
}

fn time<F: NttField>(device: &Device, field: &F, arithmetic: Option<Arithmetic>, variant: &str) -> Result<()> {
    let fields: Vec<&str> = variant.split(':').collect();
    let &[log_len, log_batch, passes] = fields.as_slice() else { bail!("LOG_LEN:LOG_BATCH:PASSES") };
    let (log_len, log_batch): (u32, u32) = (log_len.parse()?, log_batch.parse()?);
    let plan = parse(passes, log_len)?;
    let of = |device: &Device| -> Result<Ntt<F>> {
        let ntt = Ntt::new(device, field, 1 << log_len, Kind::Cyclic)?;
        Ok(match arithmetic {
            Some(arithmetic) => ntt.with_arithmetic(arithmetic)?,
            None => ntt,
        })
    };
    let ntt = of(device)?;
    let count = 1usize << (log_len + log_batch);
    let residues = data::residues(count, field.order(), 1);
    let values: Vec<F::Element> = residues.into_iter().map(F::Element::from_u64).collect();
    let forward = |x: &mut _| match &plan {
        Some(plan) => ntt.forward_by(x, plan),
        None => ntt.forward(x),
    };
    let mut x = device.upload(&values)?;
    forward(&mut x)?;
    let right = if count <= 1 << 24 {
        let mut expected = Device::host().upload(&values)?;
        of(&Device::host())?.forward(&mut expected)?;
        expected.as_host() == Some(&x.download()?[..])
    } else {
        ntt.inverse(&mut x)?;
        x.download()? == values
    };
    let seconds = ntt.time(count, plan.as_ref())?;
    let mut passes: Vec<Vec<f64>> = Vec::new();
    for _ in 0..9 {
        let (outcome, profile) = device.profile(|| forward(&mut x))?;
        outcome?;
        passes.resize(profile.entries.len(), Vec::new());
        passes.iter_mut().zip(&profile.entries).for_each(|(pass, entry)| pass.push(entry.seconds));
    }
    let each: Vec<String> = passes
        .iter_mut()
        .map(|pass| {
            pass.sort_by(f64::total_cmp);
            format!("{:.1}", pass[pass.len() / 2] * 1e6)
        })
        .collect();
    println!(
        "{:<28} {variant:<36} {} {:>9.2} us, kernels {} us",
        format!("mod {}", field.order()),
        if right { "ok   " } else { "WRONG" },
        seconds * 1e6,
        each.join(" + ")
    );
    Ok(())
}
