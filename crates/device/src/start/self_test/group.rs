//! Known answers of work-item numbers, local memory behind barriers, and atomics.

use std::ops::Range;

use super::test::{Row, Test, with_memory};
use crate::error::DeviceError;
use crate::failure::NeededBy;
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::word::WordType;

// SAFETY: `run` alone launches it, with the counters and numbers of as many items as its argument says; `test` makes them.
crate::kernel! {
    /// Every item's numbers, exchanges within the group, and counters of group and grid.
    unsafe GROUP in manycore_kernels::device::SELF_TEST_WORDS: self_test_group
}

/// Groups of the launch.
const GROUPS: usize = 4;
/// Items of the largest group, as the kernel's `GROUP_MOST`.
const MOST_ITEMS: usize = 64;
/// The kernel's `COUNTERS`.
const COUNTERS: usize = 6;
/// The number of the kernel's first row, `GROUP_ROW`.
const FIRST: u32 = 32;

/// The test in groups of a power of two of items, as many as the device takes. The operands are the words of the memory before
/// the launch.
pub(super) fn test(group_limit: usize) -> Test {
    let size = 1 << group_limit.clamp(1, MOST_ITEMS).ilog2();
    let count = GROUPS * size;
    let mut test = Test {
        kernel: &GROUP,
        defines: Defines::new(),
        needed_by: NeededBy::Everything,
        operands: before(count),
        width: 1,
        rows: Vec::new(),
        run,
    };
    let items = || 0..count as u32;
    let mut row = |name: &str, number: u32, start: usize, expected: Vec<u64>| {
        let unordered = number == 5;
        test.rows.push(Row { name: name.into(), number: FIRST + number, start, expected, uses: &[], unordered });
    };
    let numbers = items().map(|i| [i, ((i / size as u32) << 16) + i % size as u32, ((GROUPS << 16) + size) as u32]);
    let numbers: Vec<[u32; 3]> = numbers.collect();
    let numbers = (0..3).flat_map(|k| numbers.iter().map(move |of_item| u64::from(of_item[k]))).collect();
    row("work-item numbers", 0, 0, numbers);
    let (words, wide) = exchanged(size);
    row("exchange of 32-bit words in local memory", 1, 3 * count, words.into_iter().map(u64::from).collect());
    let halves = wide.iter().map(|word| word & 0xffff_ffff).chain(wide.iter().map(|word| word >> 32)).collect();
    row("exchange of 64-bit words in local memory", 2, 4 * count, halves);
    row("numbers that atomic_inc returns", 5, 6 * count, items().map(u64::from).collect());
    let groups = (0..GROUPS as u32).flat_map(|group| counters(group * size as u32..(group + 1) * size as u32, size));
    row("local atomics", 3, 7 * count, groups.collect());
    let all = counters(0..count as u32, count).into_iter().chain([0]).collect();
    row("global atomics", 4, 7 * count + COUNTERS * GROUPS, all);
    test
}

/// The memory before the launch: the counters of the grid behind room for everything else.
fn before(count: usize) -> Vec<u64> {
    let mut words = vec![0; 7 * count + COUNTERS * GROUPS];
    words.extend([0, 0, 0, u64::from(u32::MAX), 0, 0, 1]);
    words
}

fn word(i: u32) -> u32 {
    i.wrapping_mul(2_654_435_761)
}

/// What the exchanges leave with each item.
fn exchanged(size: usize) -> (Vec<u32>, Vec<u64>) {
    let mut words: Vec<u32> = (0..(GROUPS * size) as u32).map(word).collect();
    let mut wide: Vec<u64> = words.iter().map(|&word| u64::from(word).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for (words, wide) in words.chunks_exact_mut(size).zip(wide.chunks_exact_mut(size)) {
        for bit in (0..size.ilog2()).map(|bit| 1 << bit) {
            let before: (Vec<u32>, Vec<u64>) = (words.to_vec(), wide.to_vec());
            for item in 0..size {
                words[item] = before.0[item ^ bit].wrapping_mul(5).wrapping_add(1);
                wide[item] = before.1[(item + bit) % size].wrapping_mul(5).wrapping_add(1);
            }
        }
        words.reverse();
        for word in words {
            *word = word.wrapping_mul(5).wrapping_add(1);
        }
    }
    (words, wide)
}

/// What the items of a group, or of the grid, do to counters: sum, number, greatest, least, and the sum of signed numbers. The
/// bits that they set come from the item's number within `size`.
fn counters(items: Range<u32>, size: usize) -> [u64; COUNTERS] {
    let words = || items.clone().map(word);
    let number = |i: u32| i % size as u32;
    let sum = words().fold(0, u32::wrapping_add);
    let bits = items.clone().fold(0u32, |bits, i| bits | 1 << (number(i) % 32));
    let signed = items.clone().map(number).fold(0i32, |sum, i| sum + 1 - 2 * (i % 2) as i32 * i as i32);
    let (most, least) = (words().max().unwrap_or(0), words().min().unwrap_or(u32::MAX));
    [sum, items.len() as u32, most, least, bits, signed as u32].map(u64::from)
}

fn run(cl: &OpenCl, test: &Test, broken: Option<u32>) -> Result<Vec<u64>, DeviceError> {
    let kernel = cl.kernel(test.kernel, &test.defines_with(broken))?;
    let mut words: Vec<u32> = test.operands.iter().map(|&word| word as u32).collect();
    let count = (words.len() - COUNTERS * (GROUPS + 1) - 1) / 7;
    with_memory(cl, size_of_val(&words[..]), |memory| {
        cl.write(memory, 0, bytemuck::cast_slice(&words))?;
        let launch = cl.launch(&kernel).memory(memory, WordType::U32).value(count as u32);
        launch.groups(GROUPS, count / GROUPS).run()?;
        cl.read(memory, 0, bytemuck::cast_slice_mut(&mut words))
    })?;
    Ok(words.into_iter().map(u64::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_a_few_items_are_known() {
        // 2654435761 times 0, 1, 2, 3 modulo 2^32.
        let words = [0u64, 2_654_435_761, 1_013_904_226, 3_668_339_987];
        let sum = words.iter().sum::<u64>() % (1 << 32);
        let signed = [1, -1, 1, -5].iter().sum::<i32>() as u32;
        assert_eq!(counters(0..4, 4), [sum, 4, words[3], 0, 0b1111, u64::from(signed)]);
    }

    #[test]
    fn exchanges_move_every_word_of_a_group_and_none_of_another() {
        for size in [1, 2, 64] {
            let (words, wide) = exchanged(size);
            assert_eq!((words.len(), wide.len()), (GROUPS * size, GROUPS * size));
            // x to 5 x + 1 is a permutation of words, so that no two of a grid are equal.
            let distinct: std::collections::HashSet<u32> = words.iter().copied().collect();
            assert_eq!(distinct.len(), words.len());
        }
        assert_eq!(exchanged(1).0[1], word(1).wrapping_mul(5).wrapping_add(1));
        // After one exchange with the neighbour and the reversal each item has its own word again.
        assert_eq!(exchanged(2).0[2], word(2).wrapping_mul(25).wrapping_add(6));
    }
}
