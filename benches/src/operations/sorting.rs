//! Sorts of numbers, with and without values, and inclusive scans.

use manycore_expressions::{Buffers, Columns, Function, Value};
use manycore_sort::{Fold, Key, Scan, SortOrder, Sorter};

use super::case::{Case, Extent, Work, work};
use crate::data;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for len in extent.of(&[1 << 12, 1 << 20], &[1 << 12, 1 << 20, 1 << 24], &[1 << 20, 1 << 24, 1 << 27]) {
        cases.push(keys("u32", len, |word| word as u32, rdst_u32()));
        cases.push(keys("u64", len, |word| word, rdst_u64()));
        cases.push(keys("f32", len, |word| (word as i32) as f32, None));
        cases.push(pairs(len));
        cases.push(scan(len));
    }
    cases
}

/// Another code's sort of keys in place.
type Sort<K> = fn(&mut [K]);

#[cfg(feature = "rdst")]
fn rdst_u32() -> Option<Sort<u32>> {
    Some(|keys| rdst::RadixSort::radix_sort_unstable(keys))
}

#[cfg(feature = "rdst")]
fn rdst_u64() -> Option<Sort<u64>> {
    Some(|keys| rdst::RadixSort::radix_sort_unstable(keys))
}

#[cfg(not(feature = "rdst"))]
fn rdst_u32() -> Option<Sort<u32>> {
    None
}

#[cfg(not(feature = "rdst"))]
fn rdst_u64() -> Option<Sort<u64>> {
    None
}

fn name(len: usize, what: &str) -> (usize, String) {
    (len, format!("2^{} {what}", len.ilog2()))
}

fn drawn<K>(len: usize, key: impl Fn(u64) -> K) -> Vec<K> {
    // Residues modulo the largest prime of 64 bits: nearly all words.
    data::residues(len, 18_446_744_073_709_551_557, 7).into_iter().map(key).collect()
}

/// Sorts of keys alone, in place; each run first copies the unsorted keys.
fn keys<K: Key + Bits + 'static>(element: &'static str, len: usize, key: fn(u64) -> K, rdst: Option<Sort<K>>) -> Case {
    let case = Case::new(
        ("sort", element),
        name(len, "keys"),
        (len * size_of::<K>(), len as f64),
        "ascending, and the sum of the keys' bits is that of the input",
        move |device| {
            let (sorter, input) = (Sorter::new(device), drawn(len, key));
            let unsorted = device.upload(&input)?;
            let sorted = device.scratch::<K>(len)?;
            Ok(work(
                (sorter, unsorted, sorted),
                |(sorter, unsorted, sorted)| {
                    sorted.copy_from(unsorted)?;
                    Ok(sorter.sort(sorted, SortOrder::Ascending)?)
                },
                move |(_, _, sorted)| Ok(is_sorted_form(&input, &sorted.download()?)),
            ))
        },
    );
    let case = case.beside("Rust's sort_unstable", false, move || {
        let input = drawn(len, key);
        Ok(in_memory(input, |keys| keys.sort_unstable_by_key(Bits::bits)))
    });
    match rdst {
        Some(sort) => case.beside(RDST, true, move || Ok(in_memory(drawn(len, key), sort))),
        None => case,
    }
}

/// The name of the crate and its version, as in `Cargo.toml`.
const RDST: &str = "rdst 0.20.14";

/// Another code's sort of keys in the host's memory.
fn in_memory<K: Bits + Copy + 'static>(input: Vec<K>, sort: impl Fn(&mut [K]) + 'static) -> Box<dyn Work> {
    work(
        (input.clone(), input),
        move |(input, sorted)| {
            sorted.copy_from_slice(input);
            sort(sorted);
            Ok(())
        },
        |(input, sorted)| Ok(is_sorted_form(input, sorted)),
    )
}

fn is_sorted_form<K: Bits>(input: &[K], sorted: &[K]) -> bool {
    let sum = |keys: &[K]| keys.iter().fold(0u64, |sum, key| sum.wrapping_add(mixed(key.bits())));
    input.len() == sorted.len() && sorted.is_sorted_by_key(Bits::bits) && sum(input) == sum(sorted)
}

fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word ^ word >> 29
}

/// Keys as words in the same order.
trait Bits {
    fn bits(&self) -> u64;
}

impl Bits for u32 {
    fn bits(&self) -> u64 {
        (*self).into()
    }
}

impl Bits for u64 {
    fn bits(&self) -> u64 {
        *self
    }
}

impl Bits for f32 {
    /// By the total order: negative numbers reversed below the others.
    fn bits(&self) -> u64 {
        let word = self.to_bits();
        (if word >> 31 == 1 { !word } else { word | 1 << 31 }).into()
    }
}

/// Sorts of keys with the places where they stood.
fn pairs(len: usize) -> Case {
    Case::new(
        ("sort", "u32 with u32"),
        name(len, "pairs"),
        (2 * len * size_of::<u32>(), len as f64),
        "ascending, each key at the place told, equal keys in their old order",
        move |device| {
            let (sorter, input) = (Sorter::new(device), drawn(len, |word| word as u32));
            let unsorted = device.upload(&input)?;
            let numbers = device.upload(&(0..len as u32).collect::<Vec<_>>())?;
            let (sorted, places) = (device.scratch::<u32>(len)?, device.scratch::<u32>(len)?);
            Ok(work(
                (sorter, unsorted, numbers, sorted, places),
                |(sorter, unsorted, numbers, sorted, places)| {
                    sorted.copy_from(unsorted)?;
                    places.copy_from(numbers)?;
                    Ok(sorter.sort_pairs(sorted, places, SortOrder::Ascending)?)
                },
                move |(.., sorted, places)| {
                    let (keys, places) = (sorted.download()?, places.download()?);
                    let pairs: Vec<(u32, u32)> = keys.iter().copied().zip(places.iter().copied()).collect();
                    Ok(pairs.is_sorted() && pairs.iter().all(|&(key, place)| input.get(place as usize) == Some(&key)))
                },
            ))
        },
    )
    .beside("Rust's sort (stable)", false, move || {
        let input: Vec<(u32, u32)> = drawn(len, |word| word as u32).into_iter().zip(0..).collect();
        Ok(work(
            (input.clone(), input),
            |(input, sorted)| {
                sorted.copy_from_slice(input);
                sorted.sort_by_key(|pair| pair.0);
                Ok(())
            },
            |(_, sorted)| Ok(sorted.is_sorted()),
        ))
    })
}

/// Inclusive prefix sums of words that wrap.
fn scan(len: usize) -> Case {
    Case::new(
        ("scan", "u32"),
        name(len, "sums"),
        (len * size_of::<u32>(), len as f64),
        "equal to the sums of one thread of the host",
        move |device| {
            let input = drawn(len, |word| word as u32);
            let sum = Function::new(|(a, b): (Value<u32>, Value<u32>)| a + b)?;
            let fold = Fold::wrapping(device, &sum, 0u32)?;
            let elements = Buffers::upload(device, &Columns::from_elements(&input))?;
            Ok(work(
                (fold, elements, None::<Buffers<u32>>),
                |(fold, elements, sums)| {
                    *sums = Some(fold.scan_on(elements, Scan::Inclusive)?);
                    Ok(())
                },
                move |(.., sums)| {
                    let Some(sums) = sums else { return Ok(false) };
                    let mut sum = 0u32;
                    let expected = input.iter().map(|&x| {
                        sum = sum.wrapping_add(x);
                        sum
                    });
                    Ok(sums.download()?.elements().into_iter().eq(expected))
                },
            ))
        },
    )
    .beside("a loop", false, move || {
        let input = drawn(len, |word| word as u32);
        Ok(work(
            (input.clone(), input),
            |(input, sums)| {
                let mut sum = 0u32;
                for (out, &x) in sums.iter_mut().zip(input.iter()) {
                    sum = sum.wrapping_add(x);
                    *out = sum;
                }
                Ok(())
            },
            |(input, sums)| Ok(sums.last().copied() == input.iter().copied().reduce(u32::wrapping_add)),
        ))
    })
}
