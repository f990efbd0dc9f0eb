use manycore_field::{ModularField as _, PrimeField};
use manycore_fourier::num_complex;
use manycore_fourier::transform::reference;
use manycore_fourier::{AbelianGroup, Complexes as ComplexNumbers, Direction as Way, Residues as ResidueNumbers};

use super::cyclic::Cyclic;
use super::numbers::Complex;
use super::*;
use crate::SplitMix;
use crate::complex::{plus, times};
use crate::faults::{SCALES, all_found, moved, unit};

const GROUPS: [&[u64]; 12] =
    [&[1], &[2], &[5], &[8], &[2, 3], &[3, 1, 4], &[12], &[9, 2], &[7, 7], &[37], &[67], &[2, 41]];

fn way(direction: Direction) -> Way {
    if direction == Direction::Inverse { Way::Inverse } else { Way::Forward }
}

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

#[test]
fn residues_pass_and_every_turned_bit_is_found() {
    let mut random = SplitMix::new(1);
    for (group, modulus) in [
        (&[1u64][..], 7u32),
        (&[6], 7),
        (&[2, 3], 7),
        (&[4, 3], 13),
        (&[8, 2], 469_762_049),
        (&[7, 49, 2], 197),
        (&[37], 149),
    ] {
        let field = PrimeField::<u32>::new(modulus).unwrap();
        let abelian = AbelianGroup::new(group).unwrap();
        let root = field.root_of_unity(abelian.exponent()).unwrap();
        let (order, p) = (abelian.order() as usize, u64::from(modulus));
        let count = if order > 100 { 1 } else { 2 };
        let x: Vec<u32> = (0..count * order).map(|_| (random.next_word() % p) as u32).collect();
        for direction in DIRECTIONS {
            let numbers = ResidueNumbers::new(field);
            let y: Vec<u32> = x
                .chunks(order)
                .flat_map(|run| reference::transform(&abelian, &numbers, way(direction), run).unwrap())
                .collect();
            let check = |y: &[u32]| residues(&x, y, direction, group, p, root.into()).map(|_| ());
            if order > 100 {
                assert_eq!(check(&y), Ok(()));
                continue;
            }
            all_found(&y, |_, value| (0..32).map(|bit| value ^ 1 << bit).chain([value + modulus]).collect(), check);
        }
        let g: Vec<u32> = (0..order).map(|_| (random.next_word() % p) as u32).collect();
        let numbers = ResidueNumbers::new(field);
        let of = |f: &[u32]| reference::convolution(&abelian, &numbers, f, &g).unwrap();
        let y: Vec<u32> = x.chunks(order).flat_map(of).collect();
        let check = |y: &[u32]| residue_convolution([&x, &g], y, group, p, root.into()).map(|_| ());
        all_found(&y, |_, value| vec![value ^ 1, (value + 1) % modulus, value + modulus], check);
        let twice = [&g[..], &g].concat();
        let second = if count == 2 { &twice } else { &g };
        assert!(residue_convolution([&x, second], &y, group, p, root.into()).is_ok());
    }
}

fn complexes_of(words: &[f64]) -> Vec<num_complex::Complex<f64>> {
    words.as_chunks().0.iter().map(|&[re, im]| num_complex::Complex { re, im }).collect()
}

/// The definition of one complex transform, which is `reference::transform` in the conventions of checks.
fn defined(group: &AbelianGroup, direction: Direction, x: &[f64]) -> Vec<f64> {
    let numbers = ComplexNumbers::<f64>::new();
    let order = group.order() as usize;
    let of = |run: &[f64]| reference::transform(group, &numbers, way(direction), &complexes_of(run)).unwrap();
    x.chunks(2 * order).flat_map(of).flat_map(|value| [value.re, value.im]).collect()
}

#[test]
fn complex_numbers_pass_and_every_change_above_the_bound_is_found() {
    let mut random = SplitMix::new(1);
    for group in GROUPS {
        let abelian = AbelianGroup::new(group).unwrap();
        let order = abelian.order() as usize;
        for scale in SCALES.into_iter().filter(|&scale| scale > 1e-305) {
            for direction in DIRECTIONS {
                let x: Vec<f64> = (0..4 * order).map(|_| unit(random.next_word())).collect();
                // The sums of the definition overflow sooner than those of the check.
                let y: Vec<f64> = defined(&abelian, direction, &x).iter().map(|value| value * scale).collect();
                let x: Vec<f64> = x.iter().map(|value| value * scale).collect();
                let changes = |_, value| moved(value, 1e-10 * scale + 1e-303);
                all_found(&y, changes, |y| complex(&x, y, direction, group).map(|_| ()));
            }
        }
    }
}

#[test]
fn the_bound_is_a_small_multiple_of_the_roundoff() {
    // 2^10 values of size 1: 10 levels of 7 roundings, of terms that add up to 2^10.
    let x: Vec<f64> = (0..2048).map(|i| if i % 2 == 0 { 1.0 } else { 0.0 }).collect();
    let mut y = vec![0.0; 2048];
    y[0] = 1024.0;
    assert!(complex(&x, &y, Direction::Forward, &[1024]).is_ok());
    y[777] = 2e-11;
    let error = complex(&x, &y, Direction::Forward, &[1024]).unwrap_err();
    assert!(matches!(error, CheckError::Bound { index: 388, bound, .. } if bound < 2e-11), "{error}");
}

#[test]
fn convolutions_pass_and_every_change_above_the_bound_is_found() {
    let mut random = SplitMix::new(2);
    for group in GROUPS {
        let abelian = AbelianGroup::new(group).unwrap();
        let order = abelian.order() as usize;
        let numbers = ComplexNumbers::<f64>::new();
        let mut numbers_of = |count: usize| (0..count).map(|_| unit(random.next_word())).collect::<Vec<f64>>();
        let (f, g) = (numbers_of(4 * order), numbers_of(2 * order));
        let of =
            |run: &[f64]| reference::convolution(&abelian, &numbers, &complexes_of(run), &complexes_of(&g)).unwrap();
        let y = f.chunks(2 * order).flat_map(of).flat_map(|value| [value.re, value.im]).collect::<Vec<f64>>();
        for (f_scale, g_scale) in [(1.0, 1.0), (1e200, 1e-200), (1e-100, 1e-150), (1e150, 1e150), (1e300, 1e-10)] {
            let scaled = |values: &[f64], scale: f64| values.iter().map(|value| value * scale).collect::<Vec<_>>();
            let (f, g, y) = (scaled(&f, f_scale), scaled(&g, g_scale), scaled(&y, f_scale * g_scale));
            let changes = |_, value| moved(value, 1e-9 * f_scale * g_scale);
            all_found(&y, changes, |y| complex_convolution([&f, &g], y, group).map(|_| ()));
        }
    }
}

#[test]
fn single_precision_passes_within_its_own_roundoff() {
    let x = [1.0f32, 0.0, 0.0, 0.0, 0.0, 0.0];
    let y = [1.0f32, 0.0, 1.0, 0.0, 1.0, 0.0];
    for scale in [1e-44f32, 1e-30, 1.0, 1e37] {
        let [x, y] = [&x, &y].map(|list| list.iter().map(|value| value * scale).collect::<Vec<_>>());
        assert!(complex(&x, &y, Direction::Forward, &[3]).is_ok());
        let mut wrong = y.clone();
        wrong[2] *= 1.001;
        assert_eq!(complex(&x, &wrong, Direction::Forward, &[3]).is_ok(), scale < 1e-40);
    }
}

#[test]
fn overflow_is_told() {
    let x = [1e308, 0.0, 1e308, 0.0];
    let error = complex(&x, &[f64::INFINITY, 0.0, 0.0, 0.0], Direction::Forward, &[2]).unwrap_err();
    assert!(matches!(error, CheckError::NotFinite { index: 0, overflow: true, .. }), "{error}");
    assert!(complex(&[1e200, 0.0, 0.0, 0.0], &[1e200, 0.0, 1e200, 0.0], Direction::Forward, &[2]).is_ok());
    let error = complex(&[f64::NAN, 0.0], &[1.0, 0.0], Direction::Forward, &[1]).unwrap_err();
    assert!(!error.is_wrong(), "{error}");
}

#[test]
fn chirps_give_what_sums_give() {
    let mut random = SplitMix::new(3);
    for (order, modulus) in [(3, 7), (7, 29), (2 * 37, 149), (9 * 11, 199), (101, 607), (5, 11)] {
        let field = Modulus::new(modulus).unwrap();
        let mut candidates = (2..modulus).map(|g| field.power(g, (modulus - 1) / order));
        let Some(root) = candidates.find(|&root| field.has_order(root, order)) else { continue };
        let numbers = Residues { field, root, exponent: order };
        let x: Vec<u64> = (0..order).map(|_| random.next_word() % modulus).collect();
        let [mut sums, mut chirps] = [vec![0; order as usize], vec![0; order as usize]];
        Cyclic::limited(&numbers, order, 1, u128::MAX).unwrap().transform(&numbers, &x, 1, &mut sums).unwrap();
        Cyclic::limited(&numbers, order, 1, 0).unwrap().transform(&numbers, &x, 1, &mut chirps).unwrap();
        assert_eq!(sums, chirps, "{order} modulo {modulus}");
        let direct: Vec<u64> = (0..order)
            .map(|k| {
                (0..order).fold(0, |sum, j| field.add(sum, field.mul(x[j as usize], field.power(root, j * k % order))))
            })
            .collect();
        assert_eq!(sums, direct, "{order} modulo {modulus}");
    }
    for order in [3, 5, 2 * 37, 9 * 11, 101] {
        let numbers = Complex { inverse: false };
        let x: Vec<[f64; 2]> = (0..order).map(|_| [unit(random.next_word()), unit(random.next_word())]).collect();
        let [mut sums, mut chirps] = [vec![[0.0; 2]; order as usize], vec![[0.0; 2]; order as usize]];
        Cyclic::limited(&numbers, order, 1, u128::MAX).unwrap().transform(&numbers, &x, 1, &mut sums).unwrap();
        Cyclic::limited(&numbers, order, 1, 0).unwrap().transform(&numbers, &x, 1, &mut chirps).unwrap();
        let roots = cyclic::Numbers::roots(&numbers, order).unwrap();
        for k in 0..order as usize {
            let direct =
                (0..order as usize).fold([0.0; 2], |sum, j| plus(sum, times(x[j], roots[j * k % order as usize])));
            for other in [sums[k], chirps[k]] {
                assert!((0..2).all(|part| (direct[part] - other[part]).abs() < 1e-13 * order as f64), "{order} {k}");
            }
        }
    }
}

#[test]
fn what_cannot_be_checked_is_told() {
    let shape = |outcome: Outcome| assert!(matches!(outcome, Err(CheckError::Shape { .. })), "{outcome:?}");
    shape(residues(&[1u32, 2], &[3, 6], Direction::Forward, &[2], 7, 2));
    shape(residues(&[1u32, 2], &[3, 6], Direction::Forward, &[3], 7, 2));
    shape(residues(&[1u32, 2], &[3, 14], Direction::Forward, &[2], 15, 14));
    shape(complex(&[1.0f64; 4], &[1.0; 4], Direction::Forward, &[0]));
    shape(complex(&[1.0f64; 4], &[1.0; 4], Direction::Forward, &[u64::MAX, 3]));
    shape(complex(&[1.0f64; 3], &[1.0; 3], Direction::Forward, &[1]));
    shape(complex_convolution([&[1.0f64; 4], &[1.0; 2]], &[1.0; 4], &[2]));
    let error = residues(&[1u32, 7], &[3, 6], Direction::Forward, &[2], 7, 6).unwrap_err();
    assert!(matches!(error, CheckError::Input { index: 1, .. }), "{error}");
}
