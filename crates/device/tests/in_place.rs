//! Operations in place on slices, vectors, buffers and parts of buffers.

use manycore_device::{Device, DeviceError, Executor, InPlace, Kind};
use num_complex::Complex;

/// Reverses the words, and tells which form ran.
fn reverse<'a>(device: &Device, data: impl Into<InPlace<'a, u32>>) -> Result<&'static str, DeviceError> {
    device.in_place(
        data,
        |_, words| {
            words.reverse();
            Ok("host")
        },
        |_, buffer| {
            let mut words = buffer.download()?;
            words.reverse();
            buffer.write(&words)?;
            Ok("opencl")
        },
    )
}

#[test]
fn every_kind_of_data_is_changed_in_place() {
    for device in manycore_testkit::devices() {
        let form = if matches!(device.executor(), Executor::Host(_)) { "host" } else { "opencl" };
        for len in [0, 1, 2, 1000] {
            let words: Vec<u32> = (0..len).collect();
            let reversed: Vec<u32> = words.iter().rev().copied().collect();
            let mut vector = words.clone();
            assert_eq!(reverse(&device, &mut vector), Ok(form));
            assert_eq!(vector, reversed, "{device:?}");
            assert_eq!(reverse(&device, vector.as_mut_slice()), Ok(form));
            assert_eq!(vector, words, "{device:?}");
            let mut buffer = device.upload(&words).unwrap();
            assert_eq!(reverse(&device, &mut buffer), Ok(form));
            assert_eq!(buffer.download().unwrap(), reversed, "{device:?}");
            assert_eq!(reverse(&device, buffer.view_mut(..).unwrap()), Ok(form));
            assert_eq!(buffer.download().unwrap(), words, "{device:?}");
        }
        let mut array = [1, 2, 3];
        assert_eq!(reverse(&device, &mut array), Ok(form));
        assert_eq!(array, [3, 2, 1]);
        let mut buffer = device.upload(&[0u32, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(reverse(&device, buffer.view_mut(1..4).unwrap()), Ok(form));
        assert_eq!(buffer.download().unwrap(), [0, 3, 2, 1, 4, 5], "{device:?}");
    }
}

#[test]
fn a_slice_of_the_host_is_changed_where_it_lies() {
    let mut words = vec![1u32, 2, 3];
    let place = words.as_ptr();
    let found =
        Device::host().in_place(&mut words, |_, words| Ok::<_, DeviceError>(words.as_ptr()), |_, _| unreachable!());
    assert_eq!(found, Ok(place));
}

#[test]
fn data_of_another_device_is_refused() {
    let (one, other) = (Device::host_with(1).unwrap(), Device::host_with(2).unwrap());
    let mut buffer = other.upload(&[1u32, 2]).unwrap();
    assert!(matches!(reverse(&one, &mut buffer), Err(DeviceError::MixedDevices { .. })));
    assert!(matches!(reverse(&one, buffer.view_mut(..1).unwrap()), Err(DeviceError::MixedDevices { .. })));
    assert_eq!(buffer.download().unwrap(), [1, 2]);
}

#[test]
fn the_words_of_an_opencl_buffer_are_not_the_hosts() {
    for device in manycore_testkit::opencl_devices() {
        let mut buffer = device.upload(&[1u32]).unwrap();
        let Err(DeviceError::Elsewhere { place }) = buffer.host() else { panic!("{device:?}") };
        assert!(place.contains("in_place.rs"), "{place}");
        assert!(buffer.host_mut().is_err());
    }
    let mut buffer = Device::host().upload(&[1u32, 2]).unwrap();
    buffer.host_mut().unwrap()[0] = 3;
    assert_eq!(buffer.host().unwrap(), [3, 2]);
}

#[test]
fn errors_of_a_form_are_told() {
    for device in manycore_testkit::devices() {
        let failed = || DeviceError::Threads { reason: "lost".into() };
        let outcome = device.in_place(&mut [1u32], |_, _| Err::<(), _>(failed()), |_, _| Err(failed()));
        assert_eq!(outcome, Err(failed()), "{device:?}");
    }
}

#[test]
fn pairs_and_complex_numbers_are_words_one_after_the_other() {
    for device in manycore_testkit::devices() {
        let mut pairs = vec![[1u32, 2], [3, 4]];
        reverse(&device, &mut pairs).unwrap();
        assert_eq!(pairs, [[4, 3], [2, 1]]);
        let mut numbers = [Complex { re: 1u32, im: 2 }, Complex { re: 3, im: 4 }];
        let place = numbers.as_ptr().addr();
        let mut found = 0;
        let outcome = device.in_place(
            &mut numbers,
            |_, words: &mut [u32]| {
                found = words.as_ptr().addr();
                words.reverse();
                Ok::<_, DeviceError>(true)
            },
            |_, buffer| {
                assert_eq!(buffer.len(), 4);
                Ok(false)
            },
        );
        if outcome.unwrap() {
            assert_eq!((found, numbers[0]), (place, Complex { re: 4, im: 3 }));
        }
    }
}

#[test]
fn steps_have_their_data_on_the_device_once() {
    // Devices of this test alone: a profile has what other threads do meanwhile, too.
    let own = manycore_testkit::opencl_devices().into_iter().map(|device| device.limited(1 << 14, 256));
    for device in own.chain([Device::host_with(2).unwrap()]) {
        let twice = |data: InPlace<'_, u32>| {
            device.in_steps(data, |mut data| {
                reverse(&device, data.reborrow())?;
                reverse(&device, data)
            })
        };
        let mut words = vec![1u32, 2, 3];
        let (done, profile) = device.profile(|| twice((&mut words).into())).unwrap();
        done.unwrap();
        assert_eq!(words, [1, 2, 3]);
        let transfers = profile.entries.iter().filter(|entry| matches!(entry.kind, Kind::Upload | Kind::Download));
        // Each step of the test moves its words once more.
        assert_eq!(transfers.count(), if matches!(device.executor(), Executor::Host(_)) { 0 } else { 6 });
        let mut buffer = device.upload(&[1u32, 2, 3]).unwrap();
        twice((&mut buffer).into()).unwrap();
        twice(buffer.view_mut(1..).unwrap().into()).unwrap();
        assert_eq!(buffer.download().unwrap(), [1, 2, 3]);
    }
}

#[test]
fn an_error_tells_the_place_where_the_data_was_expected() {
    let here = |error: DeviceError, line: u32| {
        assert_eq!(error, DeviceError::Elsewhere { place: format!("{}:{line}", file!()) });
        assert!(error.to_string().contains(&format!("{}:{line}", file!())), "{error}");
    };
    here(DeviceError::elsewhere(), line!());
    for device in manycore_testkit::opencl_devices() {
        let mut x = device.upload(&[1u32, 2]).unwrap();
        here(x.host().unwrap_err(), line!());
        here(x.host_mut().unwrap_err(), line!());
        here(x.view(..1).unwrap().host().unwrap_err(), line!());
        here(x.view_mut(..1).unwrap().into_host().unwrap_err(), line!());
        here(InPlace::from(&mut x).into_host().unwrap_err(), line!());
    }
}

/// Adds 1 to every key and 2 to every value, where there are any.
fn add<'a>(
    device: &Device,
    keys: impl Into<InPlace<'a, u32>>,
    values: Option<InPlace<'_, i64>>,
) -> Result<(), DeviceError> {
    fn more<T: Copy + From<u8> + std::ops::Add<Output = T>>(words: &mut [T], more: u8) {
        for word in words {
            *word = *word + more.into();
        }
    }
    device.in_place(
        (keys, values),
        |_, (keys, values)| {
            more(keys, 1);
            if let Some(values) = values {
                more(values, 2);
            }
            Ok(())
        },
        |_, (keys, values)| {
            let mut own = keys.download()?;
            more(&mut own, 1);
            keys.write(&own)?;
            let Some(values) = values else { return Ok(()) };
            let mut own = values.download()?;
            more(&mut own, 2);
            values.write(&own)
        },
    )
}

#[test]
fn several_buffers_are_changed_together_wherever_each_lies() {
    for device in manycore_testkit::devices() {
        let (mut keys, mut values) = (vec![1u32, 2, 3], vec![-1i64, -2]);
        let mut own_keys = device.upload(&[7u32, 8, 9, 10]).unwrap();
        let mut own_values = device.upload(&[5i64, 6, 7]).unwrap();
        add(&device, &mut keys, Some((&mut values).into())).unwrap();
        add(&device, &mut own_keys, Some((&mut values).into())).unwrap();
        add(&device, &mut keys, Some((&mut own_values).into())).unwrap();
        add(&device, own_keys.view_mut(1..3).unwrap(), Some(own_values.view_mut(2..).unwrap().into())).unwrap();
        add(&device, &mut keys, Some(own_values.view_mut(..1).unwrap().into())).unwrap();
        add(&device, keys.as_mut_slice(), None).unwrap();
        assert_eq!((keys, values), (vec![5, 6, 7], vec![3, 2]), "{device:?}");
        assert_eq!(own_keys.download().unwrap(), [8, 10, 11, 11], "{device:?}");
        assert_eq!(own_values.download().unwrap(), [9, 8, 11], "{device:?}");
    }
}

#[test]
fn an_error_leaves_nothing_lost() {
    for device in manycore_testkit::devices() {
        let failed = || DeviceError::Threads { reason: "lost".into() };
        let (mut keys, mut values) = (vec![1u32, 2, 3], device.upload(&[5i64, 6]).unwrap());
        let outcome = device.in_place(
            (&mut keys, values.view_mut(1..).unwrap()),
            |_, (keys, values)| if (keys.len(), values.len()) == (3, 1) { Err::<(), _>(failed()) } else { Ok(()) },
            |_, (keys, values)| if (keys.len(), values.len()) == (3, 1) { Err(failed()) } else { Ok(()) },
        );
        assert_eq!(outcome, Err(failed()), "{device:?}");
        assert_eq!((keys, values.download().unwrap()), (vec![1, 2, 3], vec![5, 6]), "{device:?}");
    }
    // Of several buffers one of another device is refused, whichever it is.
    let (one, other) = (Device::host_with(1).unwrap(), Device::host_with(2).unwrap());
    let (mut keys, mut values) = (other.upload(&[1u32]).unwrap(), other.upload(&[1i64]).unwrap());
    let (mut own, mut own_values) = ([1u32], [1i64]);
    for outcome in
        [add(&one, &mut own, Some((&mut values).into())), add(&one, &mut keys, Some((&mut own_values).into()))]
    {
        assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })));
    }
    assert_eq!((own, own_values, keys.download().unwrap()), ([1], [1], vec![1]));
}

#[test]
fn words_are_seen_as_others() {
    for device in manycore_testkit::devices() {
        let one = |data: InPlace<'_, f32>| {
            let bits = 1f32.to_bits();
            let fill = |words: &mut [u32]| {
                words.fill(bits);
                Ok::<_, DeviceError>(())
            };
            device.in_place(data.seen_as::<u32>(), |_, words| fill(words), |_, buffer| buffer.fill(bits))
        };
        let (mut words, mut buffer) = ([0f32; 3], device.upload(&[0f32; 3]).unwrap());
        one((&mut words).into()).unwrap();
        one(buffer.view_mut(1..).unwrap().into()).unwrap();
        assert_eq!((words, buffer.download().unwrap()), ([1.0; 3], vec![0.0, 1.0, 1.0]), "{device:?}");
        one((&mut buffer).into()).unwrap();
        assert_eq!(buffer.download().unwrap(), [1.0; 3], "{device:?}");
        let mut bytes = [1u8, 2, 3];
        let wide = InPlace::from(&mut bytes).seen_as::<u16>();
        let outcome = device.in_place(wide, |_, _| Ok(()), |_, _| Ok(()));
        assert!(matches!(outcome, Err(DeviceError::Length { expected: 4, given: 3, .. })), "{outcome:?}");
    }
}

#[test]
fn words_of_a_device_come_to_the_host_and_go_back() {
    for device in manycore_testkit::devices() {
        let (mut words, mut buffer) = (vec![1u32, 2], device.upload(&[3u32, 4, 5]).unwrap());
        let both = (&mut words, buffer.view_mut(1..).unwrap());
        let swapped = device.on_host(both, |(words, others)| {
            words.swap_with_slice(others);
            Ok::<_, DeviceError>(())
        });
        swapped.unwrap();
        assert_eq!((words, buffer.download().unwrap()), (vec![4, 5], vec![3, 1, 2]), "{device:?}");
        let failed = DeviceError::Threads { reason: "lost".into() };
        let reversed = device.on_host(&mut buffer, |words| {
            words.reverse();
            Ok::<_, DeviceError>(())
        });
        reversed.unwrap();
        let outcome = device.on_host(buffer.view_mut(..).unwrap(), |_| Err::<(), _>(failed.clone()));
        assert_eq!((outcome, buffer.download().unwrap()), (Err(failed), vec![2, 1, 3]), "{device:?}");
    }
}
