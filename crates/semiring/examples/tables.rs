//! Tables I and III of paper 003: `R = A B` at 1024, of which the first function below is all that a user writes, and plans of figure
//! 5 at 512, with their accesses and seconds: `tables [DEVICE]`.

use std::error::Error;

use manycore_device::{Device, timing};
use manycore_expressions::{Function, Value};
use manycore_semiring::{Computation, DeviceMatrix, Matrix, Plan, Products, Representation, Semiring, SemiringError};

fn table_1(device: &Device, a: &[f32], b: &[f32]) -> Result<(DeviceMatrix<f32>, f64), SemiringError> {
    let products = Products::new(device);
    let (a, b) = (products.upload(&Matrix::stored(1024, 1024, a)?)?, products.upload(&Matrix::stored(1024, 1024, b)?)?);
    let semiring = Semiring::plus_times()?;
    let seconds = timing::seconds_as_enqueued(device, || products.multiply(&semiring, &a, &b).map(drop))?;
    Ok((products.multiply(&semiring, &a, &b)?, seconds))
}

fn entries(n: usize, seed: usize) -> Vec<f32> {
    (0..n * n).map(|i| ((i * 7919 + seed) % 1013) as f32 / 64.0).collect()
}

/// Figure 5: a diagonal matrix times a dense one, which is multiplied by another, and that by the first.
fn figure_5(n: u64) -> Result<Computation, SemiringError> {
    let side = n as usize;
    let diagonal = Function::<(u64, u64), f32>::new(|(x, y): (Value<u64>, Value<u64>)| x.equals(y).select(2.0, 0.0))?;
    let times = Semiring::<f32, f32, f32>::plus_times()?;
    let mut computation = Computation::new();
    let one = computation.matrix("1", Matrix::stored(n, n, &entries(side, 1))?);
    let two = computation.matrix("2", Matrix::function(n, n, diagonal));
    let scale = Function::<(f32, f32), f32>::new(|(a, d): (Value<f32>, Value<f32>)| a * 0.5 + d)?;
    let three = computation.zip("3", &scale, one, two)?;
    let four = computation.matrix("4", Matrix::stored(n, n, &entries(side, 4))?);
    let five = computation.product("5", &times, three, four)?;
    let seven = computation.product("7", &times, one, five)?;
    computation.output("8", seven)?;
    Ok(computation)
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = std::env::args().nth(1).map_or_else(|| Ok(Device::best()), |name| Device::select(&name))?;
    println!("{}", device.info().label());
    let (a, b) = (entries(1024, 1), entries(1024, 2));
    let (made, seconds) = table_1(&device, &a, &b)?;
    let (entry, expected) =
        (made.download()?.get(5, 7), (0..1024).fold(0.0, |sum, i| sum + a[5 * 1024 + i] * b[i * 1024 + 7]));
    println!("R = A B at 1024: {:.3} ms, {}", seconds * 1e3, if entry == Some(expected) { "right" } else { "WRONG" });
    let computation = figure_5(512)?;
    let products = Products::new(&device);
    let stored = vec![Representation::Stored; computation.program().nodes().len()];
    let all = [
        ("all stored", Plan::new(computation.program(), &stored)?),
        ("fewest accesses", computation.cheapest()?),
        ("fewest seconds", computation.fastest(&products)?),
    ];
    for (name, plan) in all {
        computation.run(&products, &plan)?;
        let results = computation.run_timed(&products, &plan)?;
        println!("figure 5 at 512, {name}: {}", computation.explain_on(&products, &plan, Some(&results))?);
    }
    Ok(())
}
