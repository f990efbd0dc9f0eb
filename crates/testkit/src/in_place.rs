//! One operation in place on every kind of data: slices, vectors, buffers and parts of buffers.

use std::fmt::Debug;

use manycore_device::{Device, DeviceError, Executor, InPlace, Kind, Word};

/// The host with two threads and the OpenCL devices that tests run on, each as a device of the caller alone: a profile also has
/// what other threads do on its device.
///
/// # Panics
/// As [`opencl_devices`](crate::opencl_devices), and when the host gives no thread.
pub fn devices() -> Vec<Device> {
    let host = Device::host_with(2).unwrap_or_else(|error| panic!("{error}"));
    let own = |device: Device| device.limited(16 << 10, 256);
    std::iter::once(host).chain(crate::opencl_devices().into_iter().map(own)).collect()
}

/// Checks that `run`, an operation on `device`, does the same with every kind of data that has these words; that it leaves the
/// words around a part of a buffer as they are; that the host copies no slice; and that a buffer of another device is refused.
/// `device_error` is the error of the device in an error of the operation.
///
/// # Panics
/// Where one of these does not hold.
pub fn every_kind_of_data<T: Word, E: Debug>(
    device: &Device,
    words: &[T],
    run: impl Fn(InPlace<'_, T>) -> Result<(), E>,
    device_error: impl Fn(&E) -> Option<&DeviceError>,
) {
    let done = |outcome: Result<(), E>| outcome.unwrap_or_else(|error| panic!("{device:?}: {error:?}"));
    let of_device = |outcome: Result<_, DeviceError>| outcome.unwrap_or_else(|error| panic!("{device:?}: {error}"));
    let mut buffer = device.upload(words).unwrap_or_else(|error| panic!("{device:?}: {error}"));
    done(run((&mut buffer).into()));
    let expected = of_device(buffer.download());
    assert!(expected != words, "{device:?}: an operation that changes nothing shows nothing");

    let mut vector = words.to_vec();
    done(run((&mut vector).into()));
    assert!(vector == expected, "{device:?}: a vector has another result than a buffer");

    // The words within a longer list.
    let around: Vec<T> = [&words[..1], &words[..1], &words[..1], words, &words[..1]].concat();
    let end = 3 + words.len();
    let mut slice = around.clone();
    let (outcome, profile) =
        device.profile(|| run((&mut slice[3..end]).into())).unwrap_or_else(|error| panic!("{device:?}: {error}"));
    done(outcome);
    assert!(slice[3..end] == expected, "{device:?}: a slice has another result than a buffer");
    assert!(slice[..3] == around[..3] && slice[end..] == around[end..], "{device:?}: words around a slice");
    if let Executor::Host(_) = device.executor() {
        let moved = profile.entries.iter().find(|entry| entry.kind != Kind::Kernel);
        assert!(moved.is_none(), "the host copies a slice: {profile}");
    }

    let mut buffer = device.upload(&around).unwrap_or_else(|error| panic!("{device:?}: {error}"));
    let view = buffer.view_mut(3..end).unwrap_or_else(|error| panic!("{device:?}: {error}"));
    done(run(view.into()));
    assert!(of_device(buffer.download()) == slice, "{device:?}: a part of a buffer has another result than a slice");

    let other = Device::host_with(1).unwrap_or_else(|error| panic!("{error}"));
    let mut elsewhere = other.upload(&around).unwrap_or_else(|error| panic!("{error}"));
    let view = elsewhere.view_mut(3..end).unwrap_or_else(|error| panic!("{error}"));
    let Err(error) = run(view.into()) else { panic!("{device:?} takes a part of a buffer of another device") };
    assert!(matches!(device_error(&error), Some(DeviceError::MixedDevices { .. })), "{device:?}: {error:?}");
    let mut elsewhere = other.upload(words).unwrap_or_else(|error| panic!("{error}"));
    let Err(error) = run((&mut elsewhere).into()) else { panic!("{device:?} takes a buffer of another device") };
    assert!(matches!(device_error(&error), Some(DeviceError::MixedDevices { .. })), "{device:?}: {error:?}");
    assert!(of_device(elsewhere.download()) == words, "{device:?}: a buffer that was refused is changed");
}
