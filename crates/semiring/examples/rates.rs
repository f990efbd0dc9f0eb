//! Checks and times generalized products on a device, by the plan that is taken or by every plan:
//! `rates [DEVICE] [--sizes 1024,4096] [--only NAME] [--all-plans]`.

use std::error::Error;

use manycore_device::{Device, timing};
use manycore_expressions::{Elements, Function, Number, Value};
use manycore_semiring::{DeviceMatrix, Matrix, ProductPlan, Products, Semiring};

struct Options {
    device: Device,
    sizes: Vec<u64>,
    only: Option<String>,
    all_plans: bool,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { device: Device::best(), sizes: vec![1024, 4096], only: None, all_plans: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all-plans" => options.all_plans = true,
            "--only" => options.only = arguments.next(),
            "--sizes" => {
                let sizes = arguments.next().unwrap_or_default();
                options.sizes = sizes.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            device => options.device = Device::select(device)?,
        }
    }
    Ok(options)
}

/// A semiring over one type of numbers.
fn of<T: Number + Elements<Values = Value<T>>>(
    product: impl FnOnce(Value<T>, Value<T>) -> Value<T>,
    sum: impl FnOnce(Value<T>, Value<T>) -> Value<T>,
    zero: T,
) -> Result<Semiring<T, T, T>, Box<dyn Error>> {
    let product = Function::new(|(a, b): (Value<T>, Value<T>)| product(a, b))?;
    Ok(Semiring::new(product, Function::new(|(a, b): (Value<T>, Value<T>)| sum(a, b))?, zero)?)
}

/// Numbers without a pattern.
fn drawn<T>(n: u64, seed: u64, of: impl Fn(i32) -> T) -> Vec<T> {
    let draw =
        |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed).rotate_left(31).wrapping_mul(seed | 1);
    (0..n * n).map(|i| of((draw(i) >> 40) as i32 - (1 << 23))).collect()
}

/// Whether some entries are those of the definition.
fn is_right<S: Elements, A: Elements, B: Elements>(
    semiring: &Semiring<A, B, S>,
    (a, b): (&[A], &[B]),
    made: &Matrix<S>,
    n: u64,
) -> bool {
    let bits = |element: S| {
        let mut bits = Vec::new();
        element.put_bits(&mut bits);
        bits
    };
    (0..48u64).all(|i| {
        let (row, column) = ((i * 7919 + 13 * (i / 7)) % n, if i % 5 == 0 { n - 1 } else { (i * 104_729) % n });
        let terms = (0..n).map(|k| (a[(row * n + k) as usize], b[(k * n + column) as usize]));
        let sum = terms.fold(semiring.zero(), |sum, (a, b)| semiring.step().call((sum, a, b)));
        made.get(row, column).is_some_and(|made| bits(made) == bits(sum))
    })
}

fn run<A: Elements, B: Elements, S: Elements>(
    options: &Options,
    name: &str,
    semiring: &Semiring<A, B, S>,
    left: impl Fn(i32) -> A,
    right: impl Fn(i32) -> B,
) -> Result<(), Box<dyn Error>> {
    if options.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
        return Ok(());
    }
    let products = Products::new(&options.device);
    for &n in &options.sizes {
        let (a, b) = (drawn(n, 1, &left), drawn(n, 2, &right));
        let x = DeviceMatrix::upload(&options.device, &Matrix::stored(n, n, &a)?)?;
        let y = DeviceMatrix::upload(&options.device, &Matrix::stored(n, n, &b)?)?;
        let choice = products.explain(semiring, &x, &y)?;
        let mut plans: Vec<(ProductPlan, f64)> =
            choice.candidates().iter().map(|candidate| (candidate.parameters, candidate.estimate.seconds)).collect();
        plans.truncate(if options.all_plans { usize::MAX } else { 1 });
        for (plan, estimate) in plans {
            let is_right = is_right(semiring, (&a, &b), &products.multiply_by(plan, semiring, &x, &y)?.download()?, n);
            let product = || products.multiply_by(plan, semiring, &x, &y).map(drop);
            let (of_device, of_user) =
                (timing::seconds(&options.device, product)?, timing::seconds_as_enqueued(&options.device, product)?);
            let pairs = (n as f64).powi(3) / 1e12;
            println!(
                "{name:<24} {n:>5} {:>8.3} T/s device {:>8.3} T/s user {:>10.4} ms (estimate {:>10.4}) {} {plan}",
                pairs / of_device,
                pairs / of_user,
                of_user * 1e3,
                estimate * 1e3,
                if is_right { "right" } else { "WRONG" },
            );
        }
    }
    Ok(())
}

/// A value with its place.
type Best = (f32, u32);
type Pair = (Value<f32>, Value<u32>);

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let info = options.device.info();
    println!("{}, driver {}, {}", info.label(), info.driver, info.platform);
    // Sums saturate nowhere: wrapping is what the types do.
    run(&options, "max-plus i32", &of(|a, b| a + b, Value::max, i32::MIN)?, |x| x, |x| x)?;
    run(&options, "max-plus f32", &of(|a, b| a + b, Value::max, f32::NEG_INFINITY)?, |x| x as f32, |x| x as f32)?;
    run(&options, "min-plus i32", &of(|a, b| a + b, Value::min, i32::MAX)?, |x| x, |x| x)?;
    run(&options, "min-plus f32", &of(|a, b| a + b, Value::min, f32::INFINITY)?, |x| x as f32, |x| x as f32)?;
    run(&options, "plus-times f32", &of(|a, b| a * b, |a, b| a + b, 0f32)?, |x| x as f32, |x| x as f32)?;
    run(&options, "plus-times i32", &of(|a, b| a * b, |a, b| a + b, 0i32)?, |x| x, |x| x)?;
    run(&options, "max-min f32", &of(Value::min, Value::max, f32::NEG_INFINITY)?, |x| x as f32, |x| x as f32)?;
    run(&options, "min-max i32", &of(Value::max, Value::min, i32::MAX)?, |x| x, |x| x)?;
    run(&options, "max-plus i16", &of(|a, b| a + b, Value::max, i16::MIN)?, |x| (x >> 9) as i16, |x| (x >> 9) as i16)?;
    run(&options, "or-and u32", &of(|a, b| a & b, |a, b| a | b, 0u32)?, |x| x as u32, |x| x as u32)?;
    run(&options, "or-and bool", &Semiring::<bool, bool, bool>::or_and()?, |x| x % 61 == 0, |x| x % 67 == 0)?;
    run(&options, "max-plus i64", &of(|a, b| a + b, Value::max, i64::MIN)?, i64::from, i64::from)?;
    if info.fp64 {
        run(&options, "max-plus f64", &of(|a, b| a + b, Value::max, f64::NEG_INFINITY)?, f64::from, f64::from)?;
        run(&options, "plus-times f64", &of(|a, b| a * b, |a, b| a + b, 0f64)?, f64::from, f64::from)?;
    }
    // An operator that a user wrote: the sum of the sizes of differences, and the shortest path with its last step.
    run(&options, "distance f32 (user)", &of(|a, b| (a - b).abs(), |a, b| a + b, 0f32)?, |x| x as f32, |x| x as f32)?;
    let product = Function::<(f32, Best), Best>::new(|(a, (b, place)): (Value<f32>, Pair)| (a + b, place))?;
    let sum = Function::<(Best, Best), Best>::new(|((x, i), (y, j)): (Pair, Pair)| {
        let second = y.lt(x) | (y.equals(x) & j.lt(i));
        (second.select(y, x), second.select(j, i))
    })?;
    let nearest = Semiring::new(product, sum, (f32::INFINITY, u32::MAX))?;
    run(&options, "min-plus f32 with index", &nearest, |x| x as f32, |x| (x as f32, x as u32 & 0xff))?;
    Ok(())
}
