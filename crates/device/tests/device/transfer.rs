//! Overlapped transfers and pinned memory on every device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use manycore_device::{Device, DeviceError};
use manycore_testkit::{devices, simulated};

fn len(device: &Device) -> usize {
    if simulated(device) { 1 << 8 } else { 1 << 16 }
}

fn numbers(len: usize, seed: u32) -> Vec<u32> {
    (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) ^ seed).collect()
}

#[test]
fn transfers_come_back_through_their_tickets() {
    for device in devices() {
        let n = len(&device);
        let (next, now) = (numbers(n, 1), numbers(n, 2));
        let (mut x, y) = (device.zeros::<u32>(n).unwrap(), device.upload(&now).unwrap());
        let mut busy = device.zeros::<u32>(n).unwrap();
        let mut out = vec![0; n];
        let value = device
            .overlap(|transfers| {
                let upload = transfers.upload(&next, x.view_mut(..).unwrap()).unwrap();
                let download = transfers.download(y.view(..).unwrap(), &mut out).unwrap();
                busy.fill(3).unwrap();
                // What is launched from here on sees the new content.
                let mut x = upload.wait().unwrap();
                assert_eq!((x.start(), x.len()), (0, n));
                x.reborrow().split_at(5).unwrap().0.fill(9).unwrap();
                assert!(*download.wait().unwrap() == now);
                41 + 1
            })
            .unwrap();
        assert_eq!(value, 42);
        let mut expected = next;
        expected[..5].fill(9);
        assert!(x.download().unwrap() == expected, "{device:?}");
        assert!(out == now && busy.download().unwrap().iter().all(|&v| v == 3), "{device:?}");
    }
}

#[test]
fn an_upload_waits_for_what_was_enqueued_before() {
    for device in devices() {
        let n = len(&device);
        let data = numbers(n, 3);
        let (mut x, mut out) = (device.zeros::<u32>(n).unwrap(), vec![0; n]);
        for round in 0..10 {
            x.fill(round).unwrap();
            device
                .overlap(|transfers| {
                    transfers.download(x.view(..).unwrap(), &mut out).map(drop).unwrap();
                })
                .unwrap();
            assert!(out.iter().all(|&v| v == round), "{device:?}: a download overtook a fill");
            x.fill(round).unwrap();
            device.overlap(|transfers| transfers.upload(&data, x.view_mut(..).unwrap()).map(drop)).unwrap().unwrap();
            assert!(x.download().unwrap() == data, "{device:?}: a fill overtook an upload");
        }
    }
}

#[test]
fn dropped_tickets_have_ended_with_the_scope() {
    for device in devices() {
        let n = len(&device);
        let data: Vec<Vec<u32>> = (0..6).map(|seed| numbers(n, seed)).collect();
        let mut x = device.zeros::<u32>(6 * n).unwrap();
        let mut outs = vec![vec![0u32; n]; 6];
        device
            .overlap(|transfers| {
                let mut rest = x.view_mut(..).unwrap();
                for data in &data {
                    let (part, after) = rest.split_at(n).unwrap();
                    drop(transfers.upload(data, part).unwrap());
                    rest = after;
                }
            })
            .unwrap();
        assert!(x.download().unwrap() == data.concat(), "{device:?}");
        device
            .overlap(|transfers| {
                for (i, out) in outs.iter_mut().enumerate() {
                    drop(transfers.download(x.view(i * n..(i + 1) * n).unwrap(), out).unwrap());
                }
            })
            .unwrap();
        assert!(outs == data, "{device:?}");
    }
}

#[test]
fn several_threads_share_a_scope() {
    for device in devices() {
        let n = len(&device);
        let data: Vec<Vec<u32>> = (0..4).map(|seed| numbers(n, seed)).collect();
        for _ in 0..5 {
            let mut buffers: Vec<_> = data.iter().map(|_| device.zeros::<u32>(n).unwrap()).collect();
            device
                .overlap(|transfers| {
                    std::thread::scope(|scope| {
                        for (data, buffer) in data.iter().zip(&mut buffers) {
                            scope.spawn(|| drop(transfers.upload(data, buffer.view_mut(..).unwrap()).unwrap()));
                        }
                    });
                })
                .unwrap();
            for (buffer, data) in buffers.iter().zip(&data) {
                assert!(buffer.download().unwrap() == *data, "{device:?}");
            }
        }
    }
}

#[test]
fn wrong_lengths_and_devices_are_errors() {
    let all = devices();
    for device in &all {
        let (data, mut out) = (vec![1u32; 4], vec![0u32; 4]);
        let (mut x, y) = (device.zeros::<u32>(5).unwrap(), device.zeros::<u32>(5).unwrap());
        device
            .overlap(|transfers| {
                let error = transfers.upload(&data, x.view_mut(..).unwrap()).unwrap_err();
                assert!(matches!(error, DeviceError::Length { expected: 5, given: 4, .. }), "{error}");
                let error = transfers.download(y.view(..).unwrap(), &mut out).unwrap_err();
                assert!(matches!(error, DeviceError::Length { expected: 5, given: 4, .. }), "{error}");
            })
            .unwrap();
        assert_eq!((x.download().unwrap(), out), (vec![0; 5], vec![0; 4]));
        for other in all.iter().filter(|other| *other != device) {
            let data = vec![1u32; 5];
            let outcome =
                other.overlap(|transfers| transfers.upload(&data, x.view_mut(..).unwrap()).map(drop)).unwrap();
            assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })), "{outcome:?}");
            let mut out = vec![0; 5];
            let outcome =
                other.overlap(|transfers| transfers.download(y.view(..).unwrap(), &mut out).map(drop)).unwrap();
            assert!(matches!(outcome, Err(DeviceError::MixedDevices { .. })), "{outcome:?}");
        }
    }
}

#[test]
fn nothing_is_transferred_as_well() {
    for device in devices() {
        let (mut x, y) = (device.zeros::<u64>(0).unwrap(), device.zeros::<u64>(10).unwrap());
        let mut out = [];
        device
            .overlap(|transfers| {
                let upload = transfers.upload(&[], x.view_mut(..).unwrap()).unwrap();
                let download = transfers.download(y.view(10..).unwrap(), &mut out).unwrap();
                assert!(upload.wait().unwrap().is_empty() && download.wait().unwrap().is_empty());
            })
            .unwrap();
        assert!(device.pinned::<u64>(0).unwrap().is_empty());
    }
}

#[test]
fn pinned_memory_is_memory() {
    for device in devices() {
        let n = len(&device) + 3;
        let mut pinned = device.pinned::<u32>(n).unwrap();
        assert!(pinned.len() == n && pinned.iter().all(|&v| v == 0), "{device:?}: zeros at first");
        pinned.copy_from_slice(&numbers(n, 4));
        let mut x = device.upload(&pinned).unwrap();
        assert!(x.download().unwrap() == numbers(n, 4), "{device:?}");
        pinned.fill(0);
        x.read_into(&mut pinned).unwrap();
        assert!(*pinned == numbers(n, 4), "{device:?}");
        let mut back = device.pinned::<u32>(n).unwrap();
        device
            .overlap(|transfers| {
                let x = transfers.upload(&pinned, x.view_mut(..).unwrap()).unwrap();
                x.wait().unwrap();
            })
            .unwrap();
        device.overlap(|transfers| transfers.download(x.view(..).unwrap(), &mut back).map(drop)).unwrap().unwrap();
        assert!(*back == numbers(n, 4), "{device:?}");
        // Other words than the first ones, and many blocks one after the other.
        for i in 0..10u8 {
            let mut bytes = device.pinned::<u8>(1000).unwrap();
            bytes.fill(i);
            assert!(device.upload(&bytes).unwrap().download().unwrap() == [i; 1000]);
        }
    }
}

#[test]
fn a_panic_in_the_scope_waits_for_the_transfers() {
    for device in devices() {
        let n = len(&device);
        let data = numbers(n, 5);
        let (mut x, y) = (device.zeros::<u32>(n).unwrap(), device.upload(&data).unwrap());
        let mut out = vec![0; n];
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            device.overlap(|transfers| {
                let _upload = transfers.upload(&data, x.view_mut(..).unwrap()).unwrap();
                let _download = transfers.download(y.view(..).unwrap(), &mut out).unwrap();
                panic!("on purpose");
            })
        }));
        assert!(panicked.is_err());
        assert!(out == data && x.download().unwrap() == data, "{device:?}");
        assert_eq!(device.overlap(|_| 5).unwrap(), 5, "{device:?}: the device is usable");
    }
}

#[test]
fn blocks_of_a_stream_overlap_with_work_on_the_one_before() {
    for device in devices() {
        let n = len(&device);
        let input: Vec<Vec<u32>> = (0..8).map(|seed| numbers(n, seed)).collect();
        let mut output = vec![vec![0u32; n]; 8];
        let mut blocks = [device.upload(&input[0]).unwrap(), device.scratch::<u32>(n).unwrap()];
        for (i, out) in output.iter_mut().enumerate() {
            let [now, next] = &mut blocks;
            now.view_mut(..1).unwrap().fill(i as u32).unwrap();
            device
                .overlap(|transfers| {
                    if let Some(data) = input.get(i + 1) {
                        transfers.upload(data, next.view_mut(..).unwrap()).map(drop)?;
                    }
                    transfers.download(now.view(..).unwrap(), out).map(drop)
                })
                .unwrap()
                .unwrap();
            blocks.swap(0, 1);
        }
        for (i, (out, data)) in output.iter().zip(&input).enumerate() {
            assert!(out[0] == i as u32 && out[1..] == data[1..], "{device:?}: block {i}");
        }
    }
}

#[test]
fn blocks_of_matrices_are_written() {
    let words: Vec<u32> = (0..7 * 9).collect();
    for device in devices() {
        for (rows, columns) in [(0..7, 0..9), (2..5, 0..9), (2..5, 3..4), (0..7, 8..9), (3..3, 1..2), (6..7, 0..1)] {
            let mut block = device.zeros::<u32>(rows.len() * columns.len()).unwrap();
            block.view_mut(..).unwrap().write_block(&words, 9, rows.clone(), columns.clone()).unwrap();
            let wished: Vec<u32> =
                rows.flat_map(|row| columns.clone().map(move |column| (9 * row + column) as u32)).collect();
            assert_eq!(block.download().unwrap(), wished);
        }
        let mut block = device.zeros::<u32>(2).unwrap();
        let mut write = |rows, columns| block.view_mut(..).unwrap().write_block(&words, 9, rows, columns).unwrap_err();
        assert_eq!(write(6..8, 0..1), DeviceError::Range { start: 6, end: 8, len: 7 });
        assert_eq!(write(0..1, 8..10), DeviceError::Range { start: 8, end: 10, len: 9 });
        assert!(matches!(write(0..3, 0..1), DeviceError::Length { expected: 2, given: 3, .. }));
    }
}
