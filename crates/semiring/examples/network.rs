//! Sorts by a bitonic network whose steps are products of a row with matrices of lists that functions make (paper 003, algorithm 1,
//! corrected), checks the result and times it: `network [DEVICE] [--bits 10,20,24] [--fused 1,3]`. So many steps are one product: a
//! column finds its key among the `2^steps` that may come to it.

use std::error::Error;

use manycore_device::{Device, timing};
use manycore_expressions::{Function, Value};
use manycore_semiring::{DeviceMatrix, ListMatrix, Matrix, Products, Semiring, SemiringError};

type At = (Value<u64>, Value<u64>);

/// A key and the place that it comes from.
type Found = (Value<f32>, Value<u64>);

/// The key at place `x` after `steps` steps. The last one is step `last - 1` of table 1, which holds the distance of pairs and the length
/// of runs.
fn behind(last: u64, steps: u64, x: Value<u64>) -> Found {
    if steps == 0 {
        return (x.read::<f32>(0), x);
    }
    let word = |at: u64| Value::from(at).read::<u64>(1);
    let (mask, turn) = (word(2 * last - 2), word(2 * last - 1));
    let (own, other) = (behind(last - 1, steps - 1, x), behind(last - 1, steps - 1, x ^ mask));
    let is_less = own.0.lt(other.0) | (own.0.equals(other.0) & x.lt(x ^ mask));
    let (is_lower, ascends) = ((x & mask).equals(0), (x & turn).equals(0));
    (is_less ^ is_lower ^ ascends).select_elements::<(f32, u64)>(own, other)
}

/// A network of `2^bits` keys.
struct Network {
    semiring: Semiring<f32, bool, f32>,
    lists: ListMatrix<'static, bool>,
    /// The distance of the pairs of each step and the length of the runs that it makes: a matrix for the steps of each product.
    steps: Vec<DeviceMatrix<u64>>,
}

impl Network {
    fn new(products: &Products, bits: u32, fused: u64) -> Result<Self, Box<dyn Error>> {
        let n = 1u64 << bits;
        // The one entry of a column, or nothing.
        let product = Function::new(|(a, is_there): (Value<f32>, Value<bool>)| is_there.select(a, f32::NEG_INFINITY))?;
        let sum = Function::new(|(a, b): (Value<f32>, Value<f32>)| a.max(b))?;
        let row = Function::<(u64, u64), u64>::new(|(x, _): At| behind(fused, fused, x).1)?;
        let one = Function::<u64, u64>::new(|_: Value<u64>| Value::from(1))?;
        let value = Function::<(u64, u64), bool>::new(|_: At| true.into())?;
        let steps = (1..=bits).flat_map(|stage| (1..=stage).map(move |part| [1 << (stage - part), 1u64 << stage]));
        let mut steps: Vec<[u64; 2]> = steps.collect();
        // A pair of distance 0 stays.
        steps.resize(steps.len().next_multiple_of(fused as usize), [0, 0]);
        let of_product = |steps: &[[u64; 2]]| products.upload(&Matrix::stored(1, 2 * fused, &steps.concat())?);
        Ok(Self {
            semiring: Semiring::new(product, sum, f32::NEG_INFINITY)?,
            lists: ListMatrix::by_columns(n, n, (one, row, value), false)?,
            steps: steps.chunks(fused as usize).map(of_product).collect::<Result<_, _>>()?,
        })
    }

    /// The sorted keys; `None` of one key.
    fn sort(&self, products: &Products, keys: &DeviceMatrix<f32>) -> Result<Option<DeviceMatrix<f32>>, SemiringError> {
        let mut sorted: Option<DeviceMatrix<f32>> = None;
        for step in &self.steps {
            let from = sorted.as_ref().unwrap_or(keys);
            let swap = self.lists.clone().reading(from)?.reading(step)?;
            sorted = Some(products.multiply(&self.semiring, from, &swap)?);
        }
        Ok(sorted)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut device, mut bits, mut fused) = (Device::best(), vec![10u32, 16, 20, 24], vec![1u64, 2, 3, 4]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--bits" {
            let all = arguments.next().unwrap_or_default();
            bits = all.split(',').map(str::parse).collect::<Result<_, _>>()?;
        } else if argument == "--fused" {
            let all = arguments.next().unwrap_or_default();
            fused = all.split(',').map(str::parse).collect::<Result<_, _>>()?;
        } else {
            device = Device::select(&argument)?;
        }
    }
    println!("{}", device.info().label());
    let products = Products::new(&device);
    for bits in bits {
        let mut state = 1u64;
        let draw = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 - 8e6
        };
        let keys: Vec<f32> = (0..1u64 << bits).map(draw).collect();
        let mut expected = keys.clone();
        expected.sort_by(f32::total_cmp);
        let given = products.upload(&Matrix::stored(1, 1 << bits, &keys)?)?;
        for &fused in fused.iter().filter(|fused| (1..=6).contains(*fused)) {
            let network = Network::new(&products, bits, fused)?;
            let made = network.sort(&products, &given)?;
            let is_right =
                made.map_or(Ok(keys.clone()), |made| made.download().map(|made| made.entries()))? == expected;
            let sort = || network.sort(&products, &given).map(drop);
            let (seconds, of_device) = (timing::seconds_as_enqueued(&device, sort)?, timing::seconds(&device, sort)?);
            println!(
                "2^{bits} keys, {} products of {fused} steps: {:.3} ms waited, {:.3} ms of the device, {}",
                network.steps.len(),
                seconds * 1e3,
                of_device * 1e3,
                if is_right { "right" } else { "WRONG" },
            );
        }
    }
    Ok(())
}
