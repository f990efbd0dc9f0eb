//! Buffers and views on every device: ranges, copies, errors, and random sequences against a vector.

use std::ops::Bound;

use manycore_device::{Buffer, Device, DeviceError, View, Word};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

fn round_trip<T: Word>(device: &Device, data: &[T]) {
    let mut x = device.upload(data).unwrap();
    assert_eq!((x.len(), x.is_empty(), x.device()), (data.len(), data.is_empty(), device));
    assert_eq!(x.download().unwrap(), data, "{device:?} {}", T::TYPE.name());
    let reversed: Vec<T> = data.iter().rev().copied().collect();
    x.write(&reversed).unwrap();
    let mut out = vec![T::zeroed(); data.len()];
    x.read_into(&mut out).unwrap();
    assert_eq!(out, reversed);
    assert_eq!(device.zeros::<T>(data.len()).unwrap().download().unwrap(), vec![T::zeroed(); data.len()]);
}

#[test]
fn every_word_comes_back_as_it_went() {
    for device in devices() {
        for len in [0, 1, 3, 64, 257, 4099] {
            let x = numbers(len);
            round_trip(&device, &x);
            round_trip(&device, &x.iter().map(|&v| v as i32).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| v as u8).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| v as i8).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| v as u16).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| v as i16).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| u64::from(v) << 17).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| -(i64::from(v) << 17)).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| v as f32 / 3.0).collect::<Vec<_>>());
            round_trip(&device, &x.iter().map(|&v| f64::from(v) / 3.0).collect::<Vec<_>>());
        }
    }
}

#[test]
fn views_have_the_words_of_their_range() {
    for device in devices() {
        let data = numbers(100);
        let mut x = device.upload(&data).unwrap();
        let check = |view: View<'_, u32>, start: usize, end: usize| {
            assert_eq!((view.start(), view.len(), view.is_empty()), (start, end - start, start == end));
            assert_eq!(view.download().unwrap(), data[start..end]);
        };
        check(x.view(..).unwrap(), 0, 100);
        check(x.view(7..).unwrap(), 7, 100);
        check(x.view(..7).unwrap(), 0, 7);
        check(x.view(13..64).unwrap(), 13, 64);
        check(x.view(13..=64).unwrap(), 13, 65);
        check(x.view((Bound::Excluded(13), Bound::Included(99))).unwrap(), 14, 100);
        check(x.view(0..0).unwrap(), 0, 0);
        check(x.view(100..).unwrap(), 100, 100);
        assert_eq!(x.view(3..4).unwrap().buffer().len(), 100);

        let mut view = x.view_mut(10..20).unwrap();
        assert_eq!((view.start(), view.len(), view.is_empty(), view.device()), (10, 10, false, &device));
        view.reborrow().fill(5).unwrap();
        view.write(&[6; 10]).unwrap();
        let mut expected = data.clone();
        expected[10..20].fill(6);
        assert_eq!(x.download().unwrap(), expected);
    }
}

#[test]
fn ranges_outside_are_errors() {
    for device in devices() {
        let mut x = device.zeros::<u16>(10).unwrap();
        let (five, three) = (5, 3);
        for range in [0..11, 11..11, five..three, 10..usize::MAX] {
            let error = DeviceError::Range { start: range.start, end: range.end, len: 10 };
            assert_eq!(x.view(range.clone()).unwrap_err(), error);
            assert_eq!(x.view_mut(range).unwrap_err(), error);
        }
        assert!(matches!(x.view(..=usize::MAX), Err(DeviceError::Range { .. })));
        assert!(matches!(x.view((Bound::Excluded(usize::MAX), Bound::Unbounded)), Err(DeviceError::Range { .. })));
        let view = x.view_mut(2..8).unwrap();
        assert_eq!(view.split_at(7).unwrap_err(), DeviceError::Range { start: 0, end: 7, len: 6 });
    }
}

#[test]
fn other_lengths_are_errors_and_change_nothing() {
    for device in devices() {
        let mut x = device.upload(&[1u32, 2, 3]).unwrap();
        let other = device.zeros::<u32>(4).unwrap();
        let length = |error: DeviceError, expected: usize, given: usize| match error {
            DeviceError::Length { expected: e, given: g, .. } => assert_eq!((e, g), (expected, given)),
            error => panic!("{error}"),
        };
        length(x.write(&[0; 4]).unwrap_err(), 3, 4);
        length(x.write(&[]).unwrap_err(), 3, 0);
        length(x.read_into(&mut [0; 2]).unwrap_err(), 3, 2);
        length(x.copy_from(&other).unwrap_err(), 3, 4);
        length(x.view_mut(1..).unwrap().write(&[0; 3]).unwrap_err(), 2, 3);
        length(x.view(1..).unwrap().read_into(&mut [0; 3]).unwrap_err(), 2, 3);
        assert_eq!(x.download().unwrap(), [1, 2, 3]);
    }
}

#[test]
fn copies_stay_on_their_device() {
    let all = devices();
    for device in &all {
        let x = device.upload(&numbers(1000)).unwrap();
        let mut y = device.zeros::<u32>(1000).unwrap();
        y.copy_from(&x).unwrap();
        assert_eq!(y.download().unwrap(), numbers(1000));
        y.view_mut(17..40).unwrap().copy_from(x.view(900..923).unwrap()).unwrap();
        let mut expected = numbers(1000);
        expected.copy_within(900..923, 17);
        assert_eq!(y.download().unwrap(), expected);
        for other in all.iter().filter(|other| *other != device) {
            let mut z = other.zeros::<u32>(1000).unwrap();
            let error = z.copy_from(&x).unwrap_err();
            let DeviceError::MixedDevices { expected, given } = &error else { panic!("{error}") };
            assert!(expected.starts_with(&other.info().id) && given.starts_with(&device.info().id), "{error}");
            assert_eq!(device.same_as(other).unwrap_err(), other_way(&error));
        }
        device.same_as(&device.clone()).unwrap();
    }
}

fn other_way(error: &DeviceError) -> DeviceError {
    match error.clone() {
        DeviceError::MixedDevices { expected, given } => DeviceError::MixedDevices { expected: given, given: expected },
        error => error,
    }
}

#[test]
fn split_parts_are_written_apart() {
    for device in devices() {
        let mut x = device.zeros::<i64>(50).unwrap();
        for middle in [0, 1, 29, 40] {
            let (mut left, mut right) = x.view_mut(5..45).unwrap().split_at(middle).unwrap();
            assert_eq!((left.start(), left.len(), right.start(), right.len()), (5, middle, 5 + middle, 40 - middle));
            left.fill(-1).unwrap();
            right.write(&vec![2; 40 - middle]).unwrap();
            let expected: Vec<i64> =
                (0..50).map(|i| i64::from((5..45).contains(&i)) * if i < 5 + middle { -1 } else { 2 }).collect();
            assert_eq!(x.download().unwrap(), expected);
        }
    }
}

#[test]
fn nothing_is_a_size() {
    for device in devices() {
        let mut x = device.upload::<f64>(&[]).unwrap();
        let y = device.zeros::<f64>(0).unwrap();
        assert!(x.is_empty() && x.download().unwrap().is_empty());
        x.write(&[]).unwrap();
        x.fill(1.0).unwrap();
        x.copy_from(&y).unwrap();
        x.read_into(&mut []).unwrap();
        let (left, right) = x.view_mut(..).unwrap().split_at(0).unwrap();
        assert!(left.is_empty() && right.is_empty());
        assert!(device.scratch::<u8>(0).unwrap().view(0..0).unwrap().download().unwrap().is_empty());
    }
}

#[test]
fn only_the_host_s_words_are_slices() {
    for device in devices() {
        let mut x = device.upload(&[3u8, 4, 5]).unwrap();
        if device.info().id == "host" {
            x.as_host_mut().unwrap()[1] = 9;
            x.view_mut(2..).unwrap().into_host().unwrap()[0] = 8;
            assert_eq!(x.as_host().unwrap(), [3, 9, 8]);
            assert!(x.as_host().unwrap().as_ptr().addr().is_multiple_of(64), "host memory begins at a cache line");
        } else {
            assert!(x.as_host().is_none() && x.as_host_mut().is_none() && x.view_mut(..).unwrap().into_host().is_err());
        }
        assert!(format!("{x:?}").contains("u8") && format!("{x:?}").contains(&device.info().id));
    }
}

/// A step on two buffers of one device: numbers are cut to what the lengths allow.
#[derive(Debug, Clone)]
enum Step {
    Write { start: usize, len: usize, seed: u32 },
    Fill { start: usize, len: usize, value: u32 },
    Copy { from: usize, to: usize, len: usize },
    Read { start: usize, len: usize },
    Swap,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let at = 0..=most;
    // Lengths near nothing, near a group, and past the size from which fills take the kernel.
    let len = prop_oneof![0..5usize, 250..260usize, 0..=most];
    let step = prop_oneof![
        (at.clone(), len.clone(), any::<u32>()).prop_map(|(start, len, seed)| Step::Write { start, len, seed }),
        (at.clone(), len.clone(), any::<u32>()).prop_map(|(start, len, value)| Step::Fill { start, len, value }),
        (at.clone(), at.clone(), len.clone()).prop_map(|(from, to, len)| Step::Copy { from, to, len }),
        (at, len).prop_map(|(start, len)| Step::Read { start, len }),
        Just(Step::Swap),
    ];
    prop::collection::vec(step, 1..12)
}

/// Takes the steps on the device and on vectors, and compares.
fn follow(device: &Device, len: usize, steps: &[Step]) -> Result<(), TestCaseError> {
    let range = |start: usize, wanted: usize| start.min(len)..start.saturating_add(wanted).min(len);
    let (mut x, mut y): (Buffer<u32>, Buffer<u32>) =
        (device.upload(&numbers(len)).unwrap(), device.zeros(len).unwrap());
    let (mut a, mut b) = (numbers(len), vec![0; len]);
    for step in steps {
        match *step {
            Step::Write { start, len, seed } => {
                let range = range(start, len);
                let data: Vec<u32> = numbers(range.len()).iter().map(|v| v ^ seed).collect();
                x.view_mut(range.clone()).unwrap().write(&data).unwrap();
                a[range].copy_from_slice(&data);
            }
            Step::Fill { start, len, value } => {
                x.view_mut(range(start, len)).unwrap().fill(value).unwrap();
                a[range(start, len)].fill(value);
            }
            Step::Copy { from, to, len: wanted } => {
                let (from, to) = (from.min(len), to.min(len));
                let wanted = wanted.min(len - from).min(len - to);
                let source = x.view(from..from + wanted).unwrap();
                y.view_mut(to..to + wanted).unwrap().copy_from(source).unwrap();
                b[to..to + wanted].copy_from_slice(&a[from..from + wanted]);
            }
            Step::Read { start, len } => {
                let read = x.view(range(start, len)).unwrap().download().unwrap();
                prop_assert!(read == a[range(start, len)], "{device:?} {step:?}");
            }
            Step::Swap => {
                std::mem::swap(&mut x, &mut y);
                std::mem::swap(&mut a, &mut b);
            }
        }
    }
    prop_assert!(x.download().unwrap() == a && y.download().unwrap() == b, "{device:?}");
    Ok(())
}

const MOST: usize = 40_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn steps_on_a_device_are_steps_on_vectors(
        len in prop_oneof![Just(0), Just(1), 2..300usize, 0..=MOST],
        steps in steps(MOST),
    ) {
        for device in devices() {
            follow(&device, if simulated(&device) { len.min(500) } else { len }, &steps)?;
        }
    }
}
