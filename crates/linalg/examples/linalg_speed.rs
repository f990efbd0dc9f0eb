//! Times of determinants, products and inverses modulo a prime, and of determinants of doubles, on the device of the environment:
//! the best of some runs.
//!
//! `cargo run --release -p manycore-linalg --example linalg_speed -- [ORDER...]`; with PROFILE set, the steps of determinants by
//! the device's own clock follow; with REALS set, only doubles are timed.

use std::time::Instant;

use manycore_device::{Device, Executor};
use manycore_field::PrimeField;
use manycore_linalg::real::{self, RealOptions, RealPlan};
use manycore_linalg::{Elimination, Inversion, LinalgError, LinearAlgebra, MatrixField, ProductPlan, ProductTile};

/// The least seconds of a call in some runs, each of as many calls as take a fifth of a millisecond.
fn best<T>(device: &Device, mut call: impl FnMut() -> Result<T, LinalgError>) -> Result<f64, LinalgError> {
    let mut seconds = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            let _ = call()?;
        }
        device.finish()?;
        Ok::<f64, LinalgError>(start.elapsed().as_secs_f64() / f64::from(calls))
    };
    let calls = (2e-4 / seconds(1)?).clamp(1.0, 1e3) as u32;
    (0..5).try_fold(f64::INFINITY, |least, _| Ok(least.min(seconds(calls)?)))
}

fn times<F: MatrixField>(device: &Device, field: F, orders: &[usize]) -> Result<(), LinalgError> {
    let p = field.order();
    let is_device = matches!(device.executor(), Executor::OpenCl(_));
    let space = LinearAlgebra::new(device, field)?;
    for &order in orders {
        let (a, b) = (space.random(order, order, 1)?, space.random(order, order, 2)?);
        let product = best(device, || space.mul(&a, &b))?;
        // What is slow is left out for large orders.
        let is_small = order <= 5000;
        let by_columns =
            if is_small { best(device, || space.determinant_by(&a, Elimination::Columns))? } else { f64::NAN };
        print!("{order} mod {p}: product {:.4} ms", 1e3 * product);
        let words = |side, registers, depth| ProductPlan::Words(ProductTile { side, registers, depth });
        for (plan, name) in [(words(16, 4, 16), "words"), (ProductPlan::Digits, "digits")] {
            if is_device && space.takes_plan(plan)? {
                print!(", by {name} {:.4}", 1e3 * best(device, || space.mul_with(&a, &b, plan))?);
            }
        }
        let local =
            if is_small { best(device, || space.determinant_by(&a, Elimination::NearMemory))? } else { f64::NAN };
        print!(", determinant by columns {:.4}, in near memory {:.4}", 1e3 * by_columns, 1e3 * local);
        for panel in [32, 64, 128, 256, 512] {
            print!(", by {panel} {:.4}", 1e3 * best(device, || space.determinant_by(&a, Elimination::Blocks(panel)))?);
        }
        print!(", as chosen {:.4}", 1e3 * best(device, || space.determinant(&a))?);
        let condensation = if is_small { best(device, || space.determinant_by_condensation(&a))? } else { f64::NAN };
        let inverse = best(device, || space.inverse(&a))?;
        print!(", by condensation {:.3}, inverse {:.3}", 1e3 * condensation, 1e3 * inverse);
        for how in [Inversion::Beside].into_iter().chain([64, 128, 256, 512].map(Inversion::Blocks)) {
            print!(", {how} {:.3}", 1e3 * best(device, || space.inverse_by(&a, how))?);
        }
        println!();
        if std::env::var_os("PROFILE").is_some() {
            let (result, profile) = device.profile(|| space.determinant(&a))?;
            result?;
            print!("{profile}");
        }
    }
    Ok(())
}

/// Determinants of doubles in the device's memory, by each plan and as chosen, and with the bound of the error.
fn reals(device: &Device, orders: &[usize]) -> Result<(), LinalgError> {
    for &order in orders {
        // Multiples of the golden ratio, which look random.
        let words: Vec<f64> = (0..order * order).map(|e| (e as f64 * 0.618_033_988_749_894_9).fract() - 0.5).collect();
        let a = device.upload(&words)?;
        let (with, without) = (RealOptions::default(), RealOptions { bound: false, ..RealOptions::default() });
        print!("{order} in doubles:");
        if matches!(device.executor(), Executor::OpenCl(_)) {
            let all = [8, 16, 32].map(|block| RealPlan::Whole { block }).into_iter().chain([RealPlan::Rows]);
            for plan in all {
                match best(device, || real::determinant_with(device, order, &a, without, plan)) {
                    Ok(seconds) => print!(" by {plan} {:.3},", 1e3 * seconds),
                    Err(LinalgError::RealPlan { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        print!(" as chosen {:.3}", 1e3 * best(device, || real::determinant_in(device, order, &a, without))?);
        print!(", from the host {:.3}", 1e3 * best(device, || real::determinant(device, order, &words, without))?);
        println!(", with a bound {:.3} ms", 1e3 * best(device, || real::determinant(device, order, &words, with))?);
        if std::env::var_os("PROFILE").is_some() {
            let (result, profile) = device.profile(|| real::determinant_in(device, order, &a, without))?;
            result?;
            print!("{profile}");
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orders: Vec<usize> = std::env::args().skip(1).map(|order| order.parse()).collect::<Result<_, _>>()?;
    let orders = if orders.is_empty() { vec![100, 500, 1000] } else { orders };
    let device = Device::from_env()?;
    println!("{}", device.info());
    if std::env::var_os("REALS").is_none() {
        times(&device, PrimeField::<u32>::new(251)?, &orders)?;
        times(&device, PrimeField::<u32>::new(469_762_049)?, &orders)?;
        times(&device, PrimeField::<u64>::new(4_611_686_009_971_671_041)?, &orders)?;
    }
    reals(&device, &orders)?;
    Ok(())
}
