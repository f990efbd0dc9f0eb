//! Primitives (`primitive_histogram`, `primitive_gather`, `primitive_scatter`, `primitive_heads`, `primitive_marks`, `primitive_select`,
//! `primitive_lengths`, `primitive_transpose`) on the host and every OpenCL device against their definitions.

use manycore_device::{Device, Word};
use manycore_sort::{Primitives, SortError};
use manycore_testkit::{devices, simulated};

fn bits(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn lens(device: &Device) -> Vec<usize> {
    if simulated(device) { vec![0, 1, 70] } else { vec![0, 1, 2, 255, 256, 257, 1000, 4099, 20_000] }
}

fn bytes<T: Word>(words: &[T]) -> &[u8] {
    bytemuck::cast_slice(words)
}

fn moves<T: Word>(device: &Device, len: usize, of: impl Fn(u64) -> T) {
    let primitives = Primitives::new(device).unwrap();
    let elements: Vec<T> = (0..len).map(|i| of(bits(i / 3) >> 62)).collect();
    let from = device.upload(&elements).unwrap();

    let places: Vec<u32> = (0..2 * len).map(|i| (bits(i) >> 20) as u32 % len.max(1) as u32).collect();
    let found = primitives.gather(&from, &device.upload(&places).unwrap()).unwrap().download().unwrap();
    let expected: Vec<T> = places.iter().map(|&place| elements[place as usize]).collect();
    assert!(bytes(&found) == bytes(&expected), "{len} of {:?} gathered on {device:?}", T::TYPE);

    let places: Vec<u32> = (0..len).map(|i| (2 * (len - 1 - i)) as u32).collect();
    let found = primitives.scatter(&from, &device.upload(&places).unwrap(), 2 * len).unwrap().download().unwrap();
    let mut expected = vec![T::zeroed(); 2 * len];
    places.iter().zip(&elements).for_each(|(&place, &element)| expected[place as usize] = element);
    assert!(bytes(&found) == bytes(&expected), "{len} of {:?} scattered on {device:?}", T::TYPE);

    for modulus in [1, 2, 5, u64::MAX] {
        let flags: Vec<u32> =
            (0..len).map(|i| if bits(i).is_multiple_of(modulus) { i as u32 + 7 } else { 0 }).collect();
        let found = primitives.select(&from, &device.upload(&flags).unwrap()).unwrap().download().unwrap();
        let expected: Vec<T> = (0..len).filter(|&i| flags[i] != 0).map(|i| elements[i]).collect();
        assert!(bytes(&found) == bytes(&expected), "{len} of {:?} selected on {device:?}", T::TYPE);
    }

    let (found, lengths) = primitives.runs(&from).unwrap();
    let (found, lengths) = (found.download().unwrap(), lengths.download().unwrap());
    let again: Vec<T> = found.iter().zip(&lengths).flat_map(|(&x, &len)| vec![x; len as usize]).collect();
    assert!(bytes(&again) == bytes(&elements) && !lengths.contains(&0), "runs of {len} {:?} on {device:?}", T::TYPE);
    assert!(found.windows(2).all(|pair| bytes(&pair[..1]) != bytes(&pair[1..])), "runs of {len} on {device:?}");

    for rows in [1, 3, 17, 33] {
        let columns = len / rows;
        let matrix = from.view(..rows * columns).unwrap();
        let found = primitives.transpose(matrix, rows).unwrap().download().unwrap();
        let expected: Vec<T> =
            (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j)).map(|at| elements[at]).collect();
        assert!(bytes(&found) == bytes(&expected), "{rows} by {columns} of {:?} on {device:?}", T::TYPE);
    }
}

#[test]
fn elements_go_where_they_should() {
    for device in devices() {
        for len in lens(&device) {
            moves(&device, len, |x| x as u8);
            moves(&device, len, |x| x as i16);
            moves(&device, len, |x| x as u32);
            // Zeros of both signs and what is no number are moved, and told apart, by their bits.
            moves(&device, len, |x| [0.0f32, -0.0, f32::NAN, 1.0][x as usize]);
            moves(&device, len, |x| u64::MAX - x);
            if device.info().fp64 {
                moves(&device, len, |x| [0.0, -0.0, f64::NAN, 1.0][x as usize]);
            }
        }
    }
}

#[test]
fn keys_are_counted() {
    for device in devices() {
        let primitives = Primitives::new(&device).unwrap();
        for len in lens(&device) {
            for range in [1u32, 7, 512, 513, 3000] {
                let keys: Vec<u32> = (0..len).map(|i| (bits(i) >> 11) as u32 % range).collect();
                let found = primitives.histogram(&device.upload(&keys).unwrap(), range).unwrap().download().unwrap();
                let mut expected = vec![0u32; range as usize];
                for &key in &keys {
                    expected[key as usize] += 1;
                }
                assert!(found == expected, "{len} keys below {range} on {device:?}");
            }
        }
        // Parts of buffers, from anywhere.
        let keys = device.upload(&[3u32, 1, 0, 1, 2, 3]).unwrap();
        let part = keys.view(1..5).unwrap();
        assert_eq!(primitives.histogram(part, 4).unwrap().download().unwrap(), [1, 2, 1, 0], "{device:?}");
        assert_eq!(primitives.gather(part, part).unwrap().download().unwrap(), [0, 1, 0, 1], "{device:?}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    for device in devices() {
        let primitives = Primitives::new(&device).unwrap();
        let upload = |words: &[u32]| device.upload(words).unwrap();
        let (x, places) = (upload(&[5, 6, 7]), upload(&[0, 3, 9]));
        let place = SortError::Place { index: 1, place: 3, limit: 3 };
        assert_eq!(primitives.gather(&x, &places).unwrap_err(), place);
        assert_eq!(primitives.scatter(&x, &places, 3).unwrap_err(), place);
        let repeated = primitives.scatter(&x, &upload(&[2, 1, 2]), 3).unwrap_err();
        assert_eq!(repeated, SortError::Repeated { place: 2 });
        let range = SortError::Range { index: 1, key: 6, range: 6 };
        assert_eq!(primitives.histogram(&x, 6).unwrap_err(), range);
        assert_eq!(primitives.histogram(&x, 0).unwrap_err(), SortError::Range { index: 0, key: 5, range: 0 });
        let values = SortError::Values { keys: 2, values: 3 };
        assert_eq!(primitives.select(&x, &upload(&[1, 1])).unwrap_err(), values);
        assert_eq!(primitives.scatter(&x, &upload(&[1, 0]), 3).unwrap_err(), values);
        assert_eq!(primitives.transpose(&x, 2).unwrap_err(), SortError::Rows { elements: 3, rows: 2 });
        assert_eq!(primitives.transpose(&x, 0).unwrap_err(), SortError::Rows { elements: 3, rows: 0 });
    }
}
