//! What the tests of transforms share.

#![allow(dead_code)] // each test program uses its part

use manycore_characters::Values;
use manycore_device::{Device, DeviceError};
use manycore_field::{KernelField, ResidueWord};
use manycore_fourier::num_complex::Complex;
use manycore_fourier::transform::reference;
use manycore_fourier::{AbelianGroup, Complexes, Direction, Fourier, FourierError, Numbers, Residues};

pub(crate) const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

pub(crate) fn group(factors: &[u64]) -> AbelianGroup {
    AbelianGroup::new(factors).unwrap()
}

/// Numbers that only the index determines (the finaliser of `SplitMix64`).
pub(crate) fn mixed(x: u64) -> u64 {
    let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let y = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (y ^ (y >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Kinds of numbers that can be compared with exact or more exact ones.
pub(crate) trait Tested: Numbers {
    /// An arbitrary number.
    fn some(&self, seed: u64) -> Self::Value;

    /// How far two functions are apart.
    fn error(&self, found: &[Self::Value], expected: &[Self::Value]) -> f64 {
        assert_eq!(found.len(), expected.len());
        self.distance(found, expected)
    }

    /// One rounding; 0 for residues.
    fn unit(&self) -> f64;

    /// The definition, in double precision at least.
    fn defined(&self, group: &AbelianGroup, direction: Direction, function: &[Self::Value]) -> Vec<Self::Value> {
        reference::transform(group, self, direction, function).unwrap()
    }
}

fn unit_interval(x: u64) -> f64 {
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A number in double precision.
pub(crate) fn wide(a: Complex<f32>) -> Complex<f64> {
    Complex::new(f64::from(a.re), f64::from(a.im))
}

fn narrow(a: Complex<f64>) -> Complex<f32> {
    Complex::new(a.re as f32, a.im as f32)
}

impl Tested for Complexes<f64> {
    fn some(&self, seed: u64) -> Complex<f64> {
        Complex::new(unit_interval(mixed(2 * seed)), unit_interval(mixed(2 * seed + 1)))
    }

    fn unit(&self) -> f64 {
        f64::EPSILON
    }
}

impl Tested for Complexes<f32> {
    fn some(&self, seed: u64) -> Complex<f32> {
        narrow(Complexes::<f64>::new().some(seed))
    }

    fn unit(&self) -> f64 {
        f64::from(f32::EPSILON)
    }

    fn defined(&self, group: &AbelianGroup, direction: Direction, function: &[Complex<f32>]) -> Vec<Complex<f32>> {
        let wide: Vec<Complex<f64>> = function.iter().copied().map(wide).collect();
        let found = Complexes::<f64>::new().defined(group, direction, &wide);
        found.into_iter().map(narrow).collect()
    }
}

impl<F: KernelField> Tested for Residues<F> {
    fn some(&self, seed: u64) -> F::Element {
        // The extremes come often.
        match mixed(seed) % 11 {
            0 => F::Element::from_u64(0),
            1 => F::Element::from_u64(self.field().order() - 1),
            _ => F::Element::from_u64(mixed(seed ^ 0x5555) % self.field().order()),
        }
    }

    fn unit(&self) -> f64 {
        0.0
    }
}

/// So many arbitrary values.
pub(crate) fn functions<N: Tested>(numbers: &N, group: &AbelianGroup, count: usize, seed: u64) -> Vec<N::Value> {
    (0..group.order() * count as u64).map(|i| numbers.some(i ^ (seed << 40))).collect()
}

/// Transforms `function` on a device; `None` where it has no double precision.
pub(crate) fn transformed<N: Tested>(
    fourier: &Fourier,
    numbers: &N,
    group: &AbelianGroup,
    direction: Direction,
    function: &[N::Value],
    plan: Option<&manycore_fourier::Plan>,
) -> Option<Vec<N::Value>> {
    let mut data = fourier.upload(numbers, function).unwrap();
    match fourier.transform(group, numbers, direction, &mut data, plan) {
        Err(FourierError::Device(DeviceError::Unsupported { .. })) if !fourier.device().info().fp64 => return None,
        other => other.unwrap(),
    };
    Some(fourier.download(numbers, &data).unwrap())
}

/// The bound on errors: so many roundings for each level of the order.
pub(crate) fn tolerance<N: Tested>(numbers: &N, group: &AbelianGroup, roundings: f64) -> f64 {
    roundings * numbers.unit() * (group.order() as f64).log2().max(1.0)
}

/// Compares transforms of `count` functions in both directions with the definition, by every candidate plan if `all` is set.
pub(crate) fn check<N: Tested>(device: &Device, numbers: &N, factors: &[u64], count: usize, all: bool) {
    let (fourier, group) = (Fourier::new(device), group(factors));
    let f = functions(numbers, &group, count, 7);
    let mut plans = vec![None];
    if all && group.order() > 1 {
        let choice = fourier.explain_transform(&group, numbers, count).unwrap();
        plans.extend(choice.candidates().iter().map(|candidate| Some(candidate.parameters.clone())));
    }
    for direction in DIRECTIONS {
        let whole = group.order() as usize;
        let expected: Vec<N::Value> = f.chunks(whole).flat_map(|f| numbers.defined(&group, direction, f)).collect();
        for plan in &plans {
            let Some(found) = transformed(&fourier, numbers, &group, direction, &f, plan.as_ref()) else { return };
            let error = numbers.error(&found, &expected);
            let bound = tolerance(numbers, &group, 2.0);
            let what = format!("{} {} {group} {direction:?} {count}", device.info().name, Values::name(numbers));
            assert!(error <= bound, "{what} {plan:?}: error {error:e} of {bound:e}");
        }
    }
}
