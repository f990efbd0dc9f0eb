//! Files split and put together again on the host and every OpenCL device: every choice of parts, damaged ones, ones of other
//! files, ones that lie.

use std::io;

use manycore_codes::{CodeError, Header, Join, Layout, LeftOut, join, split};
use manycore_device::Device;
use manycore_testkit::devices;
use proptest::prelude::*;

/// Bytes of the header of a part, and of each checksum.
const HEADER: usize = 88;
const CHECK: usize = 16;

fn file(len: usize, salt: u64) -> Vec<u8> {
    (0..len as u64).map(|i| ((i + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

fn named(parts: &[Vec<u8>], indices: &[usize]) -> Vec<(String, Vec<u8>)> {
    indices.iter().map(|&i| (format!("part {i}"), parts[i].clone())).collect()
}

fn told(given: &[(String, Vec<u8>)]) -> Vec<String> {
    let restored = join(&Device::host(), given).unwrap().restored;
    restored.left_out.iter().map(ToString::to_string).collect()
}

/// Changes a byte of a block, and makes its checksum right again.
fn forge(part: &mut [u8], at: usize) {
    let end = part.len() - CHECK;
    part[HEADER + at] ^= 1;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&part[HEADER..end]);
    // The number of the part and of the block, and the numbers of the layout.
    let field = |at: usize| &part[at..at + 4];
    for field in [field(64), &[0; 8], field(56), field(60), field(68)] {
        hasher.update(field);
    }
    let sum = hasher.finalize();
    part[end..].copy_from_slice(&sum.as_bytes()[..CHECK]);
}

/// Every choice of so many of the numbers below `count`.
fn choices(count: usize, size: usize) -> Vec<Vec<usize>> {
    let sets = (0..1u32 << count).filter(|set| set.count_ones() as usize == size);
    sets.map(|set| (0..count).filter(|i| set >> i & 1 == 1).collect()).collect()
}

/// Sizes at the edges of words, units, blocks and stripes, and every loss of small codes.
#[test]
fn any_parts_restore_the_file() {
    for device in devices() {
        for (data, parity) in [(1, 0), (1, 3), (2, 1), (3, 2), (4, 3)] {
            let stripe = data * Layout::new(data, parity).unwrap().block_bytes;
            let sizes = [0, 1, 2, 3, 4, 5, 4 * data, 4 * data + 1, 1000];
            let edges = [stripe - 1, stripe, stripe + 1];
            let sizes = sizes.into_iter().chain(edges.into_iter().filter(|_| data < 4));
            for len in sizes {
                let file = file(len, 1);
                let parts = split(&device, &file, data, parity).unwrap();
                let bytes = Layout::new(data, parity).unwrap().part_bytes(len as u64);
                assert!(parts.iter().all(|part| part.len() as u64 == bytes), "{len}: {data} + {parity}");
                for left in choices(data + parity, data) {
                    let joined = join(&device, &named(&parts, &left)).unwrap();
                    assert!(joined.file == file, "{len} bytes, {data} + {parity}, from {left:?}");
                    let expected: Vec<usize> = (0..data).filter(|i| len > 0 && !left.contains(i)).collect();
                    assert_eq!(joined.restored.recovered, expected);
                    assert!(joined.restored.left_out.is_empty());
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
        assert_eq!(&part[HEADER..part.len() - CHECK], bytes);
        assert_eq!(&part[16..48], blake3::hash(&file).as_bytes());
    }
    let zeros = split(&Device::host(), &file[..99], 5, 1).unwrap();
    assert_eq!(zeros[4][HEADER + 19], 0);
}

#[test]
fn damaged_parts_are_named_and_left_out() {
    let device = Device::host();
    let file = file(999, 3);
    let parts = split(&device, &file, 4, 2).unwrap();
    let mut given = named(&parts, &[0, 1, 2, 3, 5]);
    given[2].1[HEADER + 60] ^= 4;
    let joined = join(&device, &given).unwrap();
    assert!(joined.file == file);
    assert_eq!(told(&given), ["part 2: its checksum is not that of its content (1 of 1 blocks)"]);
    assert_eq!(joined.restored.recovered, [2]);
    given[0].1.truncate(10);
    let error = join(&device, &given).unwrap_err();
    let message = "4 different parts are needed, and 3 are whole; part 0: it does not begin as a part does; \
                   part 2: its checksum is not that of its content (1 of 1 blocks)";
    assert_eq!(error.to_string(), message);
    let none: [(String, Vec<u8>); 0] = [];
    assert_eq!(join(&device, &none).unwrap_err().to_string(), "none of the files is a part of a split file");
    // A spare part that is damaged is told of, too.
    let mut given = named(&parts, &[0, 1, 2, 3, 4]);
    given[4].1.push(0);
    assert_eq!(told(&given), ["part 4: 1 bytes follow its last block"]);
    given[4].1.truncate(HEADER + 7);
    assert_eq!(told(&given), ["part 4: it ends before its last block (1 of 1 blocks)"]);
}

#[test]
fn every_changed_byte_is_found() {
    let device = Device::host();
    let file = file(5, 1);
    let parts = split(&device, &file, 1, 1).unwrap();
    for i in 0..parts[0].len() {
        let mut given = named(&parts, &[0, 1]);
        given[0].1[i] ^= 1 << (i % 8);
        let joined = join(&device, &given).unwrap();
        assert_eq!((joined.file == file, joined.restored.left_out.len()), (true, 1), "byte {i}");
        given[0].1.truncate(i);
        assert_eq!(told(&given).len(), 1, "cut at {i}");
    }
}

/// Other parts in each stripe: no part is whole, and the file is.
#[test]
fn each_stripe_takes_the_blocks_that_are_whole() {
    for device in devices() {
        let layout = Layout::new(3, 2).unwrap();
        let file = file(5 * 3 * layout.block_bytes + 777, 9);
        let mut parts = split(&device, &file, 3, 2).unwrap();
        for (stripe, part) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 0), (5, 1)] {
            parts[part][HEADER + stripe * (layout.block_bytes + CHECK) + 5] ^= 1;
        }
        let joined = join(&device, &named(&parts, &[0, 1, 2, 3, 4])).unwrap();
        assert!(joined.file == file);
        assert_eq!(joined.restored.recovered, [0, 1, 2]);
        let reasons: Vec<String> = joined.restored.left_out.iter().map(ToString::to_string).collect();
        assert_eq!(reasons[0], "part 0: its checksum is not that of its content (2 of 6 blocks)");
        assert_eq!(reasons.len(), 5);
        parts[2][HEADER + 5 * (layout.block_bytes + CHECK) + 5] ^= 1;
        let error = join(&device, &named(&parts, &[0, 1, 2, 3, 4])).unwrap_err();
        assert!(matches!(error, CodeError::TooFew { needed: 3, present: 2, .. }), "{error}");
    }
}

#[test]
fn foreign_stale_and_unreadable_parts_are_left_out() {
    let device = Device::host();
    let (file, other) = (file(50, 1), file(50, 2));
    let parts = split(&device, &file, 3, 3).unwrap();
    let others = split(&device, &other, 3, 3).unwrap();
    let finer = split(&device, &file, 4, 2).unwrap();
    let error = io::Error::from(io::ErrorKind::PermissionDenied);
    let given = [
        ("stale 0".to_owned(), Ok(others[0].clone())),
        ("part 4".to_owned(), Ok(parts[4].clone())),
        ("stale 1".to_owned(), Ok(others[1].clone())),
        ("finer".to_owned(), Ok(finer[1].clone())),
        ("part 1".to_owned(), Ok(parts[1].clone())),
        ("again".to_owned(), Ok(parts[1].clone())),
        ("text".to_owned(), Ok(b"no part".to_vec())),
        ("locked".to_owned(), Err(error)),
        ("part 2".to_owned(), Ok(parts[2].clone())),
    ];
    let mut join = Join::open(&device, given).unwrap();
    let mut out = Vec::new();
    let restored = join.write(&mut out).unwrap();
    assert!(out == file);
    let left_out: Vec<(&str, &str)> =
        restored.left_out.iter().map(|left| (left.part.as_str(), left.reason.as_str())).collect();
    let names: Vec<&str> = left_out.iter().map(|left| left.0).collect();
    assert_eq!(names, ["again", "finer", "locked", "stale 0", "stale 1", "text"]);
    assert_eq!(left_out[0].1, "the same part as part 1");
    assert!(left_out[1].1.starts_with("a part of another file, or of another split of it: 50 bytes with checksum "));
    assert_eq!((left_out[2].1, left_out[5].1), ("permission denied", "it does not begin as a part does"));
}

#[test]
fn enough_parts_of_two_files_are_no_choice() {
    let device = Device::host();
    let parts = split(&device, &file(50, 1), 2, 1).unwrap();
    let others = split(&device, &file(50, 2), 2, 1).unwrap();
    let mut given = named(&parts, &[0, 1]);
    given.extend([("b".to_owned(), others[1].clone()), ("c".to_owned(), others[2].clone())]);
    let error = join(&device, &given).unwrap_err();
    assert_eq!(error, CodeError::Mixed { first: "part 0".into(), second: "b".into() });
    given.pop();
    assert_eq!(join(&device, &given).unwrap().restored.left_out.len(), 1);
    // The same part twice is one part, and one of both may be damaged.
    let mut given = named(&parts, &[1, 1]);
    let error = join(&device, &given).unwrap_err();
    let left_out = vec![LeftOut { part: "part 1".into(), reason: "the same part as part 1".into() }];
    assert_eq!(error, CodeError::TooFew { needed: 2, present: 1, left_out });
    given[0].1[HEADER] ^= 1;
    given[1].0 = "copy".into();
    given.extend(named(&parts, &[2]));
    assert_eq!(told(&given), ["part 1: its checksum is not that of its content (1 of 1 blocks)"]);
}

/// Parts whose checksums hold and that are of no such file.
#[test]
fn parts_that_lie_are_found_where_others_are_left() {
    let device = Device::host();
    let file = file(400, 4);
    let mut parts = split(&device, &file, 3, 3).unwrap();
    forge(&mut parts[1], 17);
    let given = named(&parts, &[0, 1, 2, 3, 4]);
    assert!(join(&device, &given).unwrap().file == file);
    assert_eq!(told(&given), ["part 1: every checksum of it holds, and with it the file's does not"]);
    forge(&mut parts[2], 3);
    let given = named(&parts, &[0, 1, 2, 3, 4, 5]);
    let joined = join(&device, &given).unwrap();
    assert!(joined.file == file && joined.restored.left_out.len() == 2);
    let error = join(&device, &named(&parts, &[0, 1, 2, 3])).unwrap_err();
    assert!(matches!(error, CodeError::Wrong { .. }), "{error}");
}

/// Many parts, on every device the same bytes.
#[test]
fn parts_are_the_same_on_every_device() {
    for (len, data, parity) in [(20_000, 100, 37), (300_000, 3, 5), (1, 300, 300)] {
        let file = file(len, 5);
        let expected = split(&Device::host(), &file, data, parity).unwrap();
        for device in devices() {
            assert!(split(&device, &file, data, parity).unwrap() == expected, "{device:?}");
            let left: Vec<usize> = (parity..data + parity).collect();
            assert!(join(&device, &named(&expected, &left)).unwrap().file == file, "{device:?}");
        }
    }
}

/// Parts that an earlier release wrote.
#[test]
fn parts_of_form_1_are_read() {
    let text = b"A file of one line that was split into parts of form 1.\n";
    let part = |name: &str| std::fs::read(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let texts: Vec<Vec<u8>> = (0..5).map(|i| part(&format!("text.part{i}"))).collect();
    for left in choices(5, 3) {
        let joined = join(&Device::host(), &named(&texts, &left)).unwrap();
        assert_eq!(joined.file, text, "{left:?}");
        let expected: Vec<usize> = (0..3).filter(|i| !left.contains(i)).collect();
        assert_eq!(joined.restored.recovered, expected);
    }
    // 1 - x has the values 1, 0, -1: a word of parity that 16 bits do not hold.
    let words: Vec<Vec<u8>> = (0..3).map(|i| part(&format!("words.part{i}"))).collect();
    for left in choices(3, 2) {
        assert_eq!(join(&Device::host(), &named(&words, &left)).unwrap().file, [1, 0, 0, 0], "{left:?}");
    }
    for i in 0..texts[1].len() {
        let mut given = named(&texts, &[0, 1, 2, 3]);
        given[1].1[i] ^= 1 << (i % 8);
        assert_eq!(join(&Device::host(), &given).unwrap().file, text, "byte {i}");
        given[1].1.truncate(i);
        assert_eq!(told(&given).len(), 1, "cut at {i}");
    }
    let given = named(&texts, &[0, 1]);
    let error = join(&Device::host(), &given).unwrap_err();
    assert_eq!(error, CodeError::TooFew { needed: 3, present: 2, left_out: Vec::new() });
}

#[test]
fn headers_tell_of_the_file() {
    let file = file(70, 1);
    let mut input = &file[..];
    let parts: Vec<std::sync::Mutex<Vec<u8>>> = (0..5).map(|_| std::sync::Mutex::default()).collect();
    let header: Header = manycore_codes::split_to(&Device::host(), &mut input, 3, 2, &parts).unwrap();
    assert_eq!((header.bytes, header.index, header.checksum()), (70, 0, blake3::hash(&file).to_string()));
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
