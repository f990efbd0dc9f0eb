//! Parts of erasure codes: bytes flipped, files cut, fields of headers forged with the checksum of the header made right again.

use manycore::codes::{CodeError, Join, split};
use manycore::device::Device;
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::damage::{Damage, damage, damaged};
use crate::{alone, is_of_memory, with_little_memory};

const WORDS: [&str; 12] = [
    "0",
    "65536",
    "65537",
    "4294967295",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "\"",
    "{",
    "\n",
    "manycore part 1\n",
    "manycore part 2\n",
];

const DATA: usize = 3;
const PARITY: usize = 2;

/// The file that is split.
fn file() -> Vec<u8> {
    (0..1000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

/// Fields of a header of form 2: their places and bytes.
const FIELDS: [(usize, usize); 6] = [(16, 32), (48, 8), (56, 4), (60, 4), (64, 4), (68, 4)];

/// What is done to a part.
#[derive(Debug, Clone)]
enum Change {
    Damage(Vec<Damage>),
    /// A field of the header has another number, whose checksum is right.
    Forge {
        field: usize,
        number: u64,
    },
    /// The part of another number.
    Other,
}

fn number() -> impl Strategy<Value = u64> {
    let edges: &[u64] =
        &[0, 1, 2, 3, 4, 5, 62, 64, 1 << 16, (1 << 16) + 1, 1 << 23, u64::MAX >> 1, u64::MAX - 1, u64::MAX, 1 << 32];
    prop_oneof![proptest::sample::select(edges), any::<u64>()]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => damage(&WORDS).prop_map(Change::Damage),
        3 => (0..FIELDS.len(), number()).prop_map(|(field, number)| Change::Forge { field, number }),
        1 => Just(Change::Other),
    ]
}

/// A part of form 2 with another header.
fn forged(mut part: Vec<u8>, field: usize, number: u64) -> Vec<u8> {
    let (at, len) = FIELDS[field];
    let count = len.min(8);
    part[at..at + count].copy_from_slice(&number.to_le_bytes()[..count]);
    let sum = blake3::hash(&part[..72]);
    part[72..88].copy_from_slice(&sum.as_bytes()[..16]);
    part
}

/// A part of form 1: two lines, the number of places of the residue 65536, words, SHA-256.
fn first_form(header: &str, places: u64, words: &[u8]) -> Vec<u8> {
    let mut part = b"manycore part 1\n".to_vec();
    part.extend(header.bytes());
    part.push(b'\n');
    part.extend(places.to_le_bytes());
    part.extend(words);
    let sum = Sha256::digest(&part);
    part.extend(sum);
    part
}

/// Puts parts together: gives the file, or refuses in a few words that name parts.
fn joined(parts: &[Vec<u8>], expected: &[u8]) {
    let given = parts.iter().enumerate().map(|(at, part)| (format!("given{at}"), Ok(part.clone())));
    let (outcome, out) = with_little_memory(|| {
        let mut out = Vec::new();
        let outcome = Join::open(&Device::host(), given).and_then(|mut join| join.write(&mut out));
        (outcome, out)
    });
    match outcome {
        Ok(restored) => {
            assert!(out == expected, "another file of {} bytes", out.len());
            assert!(restored.left_out.iter().all(|left_out| left_out.part.starts_with("given")));
        }
        Err(error) => {
            let told = error.to_string();
            assert!(told.len() < 8000 && !told.chars().any(char::is_control), "{told:?}");
            let is_placed = match &error {
                CodeError::TooFew { left_out, .. } | CodeError::NoPart { left_out } => {
                    left_out.iter().all(|left| told.contains(&left.part) || left_out.len() > 8)
                }
                CodeError::Mixed { first, second } => told.contains(first) && told.contains(second),
                CodeError::Wrong { .. } => true,
                _ => is_of_memory(&told),
            };
            assert!(is_placed, "{error:?}");
            // Nothing is written beyond what the parts hold.
            assert!(out.len() <= 2 * parts.iter().map(Vec::len).sum::<usize>(), "{} bytes", out.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    fn drawn_parts_of_form_2(changes in proptest::collection::vec((0..DATA + PARITY, change()), 1..5)) {
        let file = file();
        let mut parts = split(&Device::host(), &file, DATA, PARITY).unwrap();
        for (at, change) in changes {
            parts[at] = match change {
                Change::Damage(damage) => damaged(&parts[at], &damage),
                Change::Forge { field, number } if parts[at].len() >= 88 => forged(parts[at].clone(), field, number),
                Change::Forge { .. } => continue,
                Change::Other => parts[(at + 1) % parts.len()].clone(),
            };
        }
        joined(&parts, &file);
    }

    fn drawn_all_headers_of_form_2_forged_alike(changes in proptest::collection::vec((0..FIELDS.len() - 2, number()), 1..3)) {
        let file = file();
        let parts = split(&Device::host(), &file, DATA, PARITY).unwrap();
        let parts: Vec<Vec<u8>> = parts
            .into_iter()
            .map(|part| changes.iter().fold(part, |part, &(field, number)| forged(part, field, number)))
            .collect();
        joined(&parts, &file);
    }

    fn drawn_parts_of_form_1(
        numbers in proptest::array::uniform5(number()),
        is_forged in proptest::array::uniform5(proptest::bool::weighted(0.3)),
        places in prop_oneof![3 => Just(0), 1 => number()],
        damage in proptest::option::weighted(0.3, damage(&WORDS)),
    ) {
        let file = file();
        // One data part: its words are the file.
        let right = [file.len() as u64, 1, 0, 0, file.len() as u64 / 2];
        let [bytes, data, parity, index, words] =
            std::array::from_fn(|at| if is_forged[at] { numbers[at] } else { right[at] });
        let sum = format!("{:064x}", num_bigint::BigUint::from_bytes_be(&Sha256::digest(&file)));
        let header = format!(
            "{{\"file\":\"{sum}\",\"bytes\":{bytes},\"data\":{data},\"parity\":{parity},\"index\":{index},\"words\":{words}}}"
        );
        let part = first_form(&header, places, &file);
        if damage.is_none() && is_forged == [false; 5] && places == 0 {
            let restored = Join::open(&Device::host(), [("whole".to_owned(), Ok(part.clone()))]);
            let mut out = Vec::new();
            prop_assert!(restored.and_then(|mut join| join.write(&mut out)).is_ok() && out == file);
        }
        joined(&[damage.map_or(part.clone(), |damage| damaged(&part, &damage))], &file);
    }
}

#[test]
fn parts_of_form_2() {
    alone(drawn_parts_of_form_2);
}

#[test]
fn all_headers_of_form_2_forged_alike() {
    alone(drawn_all_headers_of_form_2_forged_alike);
}

#[test]
fn parts_of_form_1() {
    alone(drawn_parts_of_form_1);
}
