//! Files split and put together again on the host and every OpenCL device: every choice of parts, damaged parts, mixed ones.

use manycore_codes::{CodeError, Part, join, split};
use manycore_device::Device;
use manycore_testkit::devices;
use proptest::prelude::*;

fn file(len: usize, salt: u64) -> Vec<u8> {
    (0..len as u64).map(|i| ((i + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

fn named(parts: &[Vec<u8>], indices: &[usize]) -> Vec<(String, Vec<u8>)> {
    indices.iter().map(|&i| (format!("part {i}"), parts[i].clone())).collect()
}

/// All choices of three of five parts.
#[test]
fn any_parts_give_the_file_back() {
    for device in devices() {
        for len in [0, 1, 2, 5, 6, 7, 1000] {
            let file = file(len, 1);
            let parts = split(&device, &file, 3, 2).unwrap();
            for lost in 0..5usize {
                for other in 0..5usize {
                    let left: Vec<usize> = (0..5).filter(|&i| i != lost && i != other).collect();
                    let joined = join(&device, &named(&parts, &left)).unwrap();
                    assert!(joined.file == file, "{len} bytes without {lost} and {other}");
                    let expected: Vec<usize> = (0..3).filter(|i| !left.contains(i)).collect();
                    assert_eq!(joined.recovered, expected);
                }
            }
        }
    }
}

#[test]
fn data_parts_hold_the_file_as_it_is() {
    let file = file(100, 2);
    let parts = split(&Device::host(), &file, 5, 1).unwrap();
    for (part, bytes) in parts.iter().zip(file.chunks(20)) {
        let words = Part::of_bytes(part).unwrap().words;
        assert!(words.iter().flat_map(|&word| (word as u16).to_le_bytes()).eq(bytes.iter().copied()));
    }
}

/// A word of parity that 16 bits do not hold.
#[test]
fn the_largest_residue_is_kept() {
    // 1 - x has the values 1, 0, -1.
    let file = [1u16, 0].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    for device in devices() {
        let parts = split(&device, &file, 2, 1).unwrap();
        assert_eq!(Part::of_bytes(&parts[2]).unwrap().words, [65_536]);
        assert_eq!(join(&device, &named(&parts, &[2, 1])).unwrap().file, file);
        assert_eq!(join(&device, &named(&parts, &[0, 2])).unwrap().file, file);
    }
}

#[test]
fn damaged_parts_are_named_and_left_out() {
    let device = Device::host();
    let file = file(999, 3);
    let parts = split(&device, &file, 4, 2).unwrap();
    let mut given = named(&parts, &[0, 1, 2, 3, 5]);
    given[2].1[60] ^= 4;
    let joined = join(&device, &given).unwrap();
    assert!(joined.file == file);
    assert_eq!(joined.damaged.len(), 1);
    assert_eq!(joined.damaged[0].to_string(), "part 2: its checksum is not that of its content");
    assert_eq!(joined.recovered, [2]);
    given[0].1.truncate(10);
    let error = join(&device, &given).unwrap_err();
    let message = "4 parts are needed and 3 are whole; part 0: it does not begin as a part does; \
                   part 2: its checksum is not that of its content";
    assert_eq!(error.to_string(), message);
    assert_eq!(join(&device, &[]).unwrap_err().to_string(), "1 parts are needed and 0 are whole");
}

#[test]
fn parts_of_different_files_are_told_apart() {
    let device = Device::host();
    let parts = split(&device, &file(50, 1), 2, 1).unwrap();
    let others = split(&device, &file(50, 2), 2, 1).unwrap();
    let given = vec![("a".to_owned(), parts[0].clone()), ("b".to_owned(), others[1].clone())];
    let error = join(&device, &given).unwrap_err();
    assert_eq!(error, CodeError::Mixed { first: "a".into(), second: "b".into() });
    // The same part twice is one part.
    let error = join(&device, &named(&parts, &[1, 1])).unwrap_err();
    assert_eq!(error, CodeError::TooFew { needed: 2, present: 1, damaged: Vec::new() });
}

/// Many parts, on every device the same bytes.
#[test]
fn parts_are_the_same_on_every_device() {
    let file = file(20_000, 5);
    let expected = split(&Device::host(), &file, 100, 37).unwrap();
    for device in devices() {
        assert!(split(&device, &file, 100, 37).unwrap() == expected, "{device:?}");
        let left: Vec<usize> = (37..137).collect();
        assert!(join(&device, &named(&expected, &left)).unwrap().file == file, "{device:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_and_any_parts(
        file in proptest::collection::vec(any::<u8>(), 0..300),
        (data, parity) in (1usize..9, 0usize..9),
        seed in any::<u64>(),
    ) {
        let device = Device::host();
        let parts = split(&device, &file, data, parity).unwrap();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&i| (i as u64 + 1).wrapping_mul(seed | 1));
        prop_assert_eq!(join(&device, &named(&parts, &order[..data])).unwrap().file, file);
    }
}
