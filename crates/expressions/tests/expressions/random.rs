//! Functions that are drawn at random: on every device the bits of a plain evaluation, one operation after the other.

use manycore_device::DeviceKind;
use manycore_expressions::{Function, Map, Value};
use manycore_testkit::devices;
use proptest::prelude::*;

type Step = (u8, u8, u8, u8);
type V = Value<u32>;
type F = Value<f32>;

/// A step on values of both types, the last ones of which are operands.
fn recorded(steps: &[Step], (x, y, z): (V, V, F)) -> (V, F) {
    let (mut words, mut reals) = (vec![x, y], vec![z]);
    for &(what, a, b, c) in steps {
        let word = |i: u8| words[usize::from(i) % words.len()];
        let real = |i: u8| reals[usize::from(i) % reals.len()];
        match what % 14 {
            0 => words.push(word(a) + word(b)),
            1 => words.push(word(a) * word(b) - word(c)),
            2 => words.push((word(a) / word(b)) ^ (word(c) % 7)),
            3 => words.push(word(a).lt(word(b)).select(word(c), word(a))),
            4 => words.push((word(a) << word(b)) | (word(c) >> 3)),
            5 => words.push(word(a).min(word(b)).saturating_add(word(c))),
            6 => words.push(real(a).to::<u32>()),
            // The bits of what is no number are not told.
            7 => words.push(real(a).equals(real(a)).select(real(a).bits(), 0)),
            8 => words.push((real(a).le(real(b)) ^ word(c).equals(0)).number()),
            9 => reals.push(word(a).to::<f32>() * real(b)),
            10 => reals.push(real(a) + real(b)),
            11 => reals.push(real(a) * real(b) - real(c)),
            12 => reals.push(real(a).max(real(b)) / real(c)),
            _ => reals.push(real(a).floor().mul_add(real(b), real(c))),
        }
    }
    (words[words.len() - 1], reals[reals.len() - 1])
}

/// The same, at once.
fn plain(steps: &[Step], (x, y, z): (u32, u32, f32)) -> (u32, f32) {
    let (mut words, mut reals) = (vec![x, y], vec![z]);
    for &(what, a, b, c) in steps {
        let word = |i: u8| words[usize::from(i) % words.len()];
        let real = |i: u8| reals[usize::from(i) % reals.len()];
        match what % 14 {
            0 => words.push(word(a).wrapping_add(word(b))),
            1 => words.push(word(a).wrapping_mul(word(b)).wrapping_sub(word(c))),
            2 => words.push(word(a).checked_div(word(b)).unwrap_or(0) ^ (word(c) % 7)),
            3 => words.push(if word(a) < word(b) { word(c) } else { word(a) }),
            4 => words.push(word(a).wrapping_shl(word(b)) | (word(c) >> 3)),
            5 => words.push(word(a).min(word(b)).saturating_add(word(c))),
            6 => words.push(real(a) as u32),
            7 => words.push(if real(a).is_nan() { 0 } else { real(a).to_bits() }),
            8 => words.push(u32::from((real(a) <= real(b)) ^ (word(c) == 0))),
            9 => reals.push(word(a) as f32 * real(b)),
            10 => reals.push(real(a) + real(b)),
            11 => reals.push(real(a) * real(b) - real(c)),
            12 => reals.push(if real(b) > real(a) { real(b) } else { real(a) } / real(c)),
            _ => reals.push(real(a).floor().mul_add(real(b), real(c))),
        }
    }
    (words[words.len() - 1], reals[reals.len() - 1])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_device_gives_the_bits_of_a_plain_evaluation(
        steps in prop::collection::vec(any::<Step>(), 0..24),
        seed in any::<u32>(),
    ) {
        let function = Function::<(u32, u32, f32), (u32, f32)>::new(|arguments: (V, V, F)| recorded(&steps, arguments)).unwrap();
        let draw = |i: u32, k: u32| (i * 3 + k).wrapping_mul(0x9e37_79b9).wrapping_add(seed).rotate_left(i % 32);
        let x: Vec<u32> = (0..700).map(|i| draw(i, 0) >> (i % 32)).collect();
        let y: Vec<u32> = (0..700).map(|i| draw(i, 1) >> (7 * i % 32)).collect();
        let z: Vec<f32> = (0..700).map(|i| (draw(i, 2) as i32 >> (i % 24)) as f32 / 256.0).collect();
        for device in devices() {
            if device.info().kind != DeviceKind::Host && !device.info().fp64 {
                continue;
            }
            let (a, b, c) = (device.upload(&x).unwrap(), device.upload(&y).unwrap(), device.upload(&z).unwrap());
            let (mut words, mut reals) = (device.zeros::<u32>(700).unwrap(), device.zeros::<f32>(700).unwrap());
            let inputs = [(&a).into(), (&b).into(), (&c).into()];
            Map::new(&device, &function).run(&inputs, &[], &mut [(&mut words).into(), (&mut reals).into()]).unwrap();
            let (words, reals) = (words.download().unwrap(), reals.download().unwrap());
            for i in 0..700 {
                let (word, real) = plain(&steps, (x[i], y[i], z[i]));
                let is_same = (real.is_nan() && reals[i].is_nan()) || real.to_bits() == reals[i].to_bits();
                prop_assert!(is_same, "{real:?} is {:?} at {i} on {device:?}", reals[i]);
                prop_assert!(word == words[i], "{word} is {} at {i} on {device:?}", words[i]);
            }
        }
    }
}
