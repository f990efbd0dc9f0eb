//! Right tables and facts pass, and every wrong one is found.

use std::collections::BTreeMap;

use super::*;
use crate::SplitMix;

const PRESENT: [u16; 16] = [0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2];

/// S-boxes of one to six bits: output bits and outputs; square and not, permutations and not, linear, constant and random ones.
fn boxes() -> Vec<(u32, Vec<u16>)> {
    let mut random = SplitMix::new(2);
    let mut boxes = vec![
        (1, vec![0, 1]),
        (1, vec![1, 0]),
        (1, vec![1, 1]),
        (4, PRESENT.to_vec()),
        (3, (0..8).collect()),
        (3, vec![1, 0, 2, 3, 7, 5, 4, 6]),
        (2, vec![0; 8]),
        (6, vec![0, 3]),
    ];
    for (input, output) in [(1, 3), (2, 2), (3, 1), (3, 5), (4, 2), (5, 5), (6, 4)] {
        boxes.push((output, (0..1 << input).map(|_| (random.next_word() >> (64 - output)) as u16).collect()));
    }
    boxes
}

fn linear_entry(outputs: &[u16], a: usize, b: usize) -> i32 {
    let odd = |(x, y): &(usize, &u16)| ((x & a).count_ones() + (usize::from(**y) & b).count_ones()) % 2 == 1;
    outputs.len() as i32 - 2 * outputs.iter().enumerate().filter(odd).count() as i32
}

fn difference_entry(outputs: &[u16], a: usize, b: usize) -> i32 {
    (0..outputs.len()).filter(|&x| usize::from(outputs[x] ^ outputs[x ^ a]) == b).count() as i32
}

type Check = fn(u32, &[u16], Range<usize>, &[i32]) -> Outcome;
type Entry = fn(&[u16], usize, usize) -> i32;
const TABLES: [(Check, Entry); 2] = [(check_linear_table, linear_entry), (check_difference_table, difference_entry)];

#[test]
fn tables() {
    for (output_bits, outputs) in boxes() {
        for (check, entry) in TABLES {
            for rows in [0..outputs.len(), 1..outputs.len(), 0..1, 1..1] {
                let columns = 1usize << output_bits;
                let places = rows.clone().flat_map(|a| (0..columns).map(move |b| (a, b)));
                let right: Vec<i32> = places.map(|(a, b)| entry(&outputs, a, b)).collect();
                assert!(check(output_bits, &outputs, rows.clone(), &right).is_ok(), "{outputs:?} {rows:?}");
                let finds = |wrong: &[i32]| {
                    assert!(check(output_bits, &outputs, rows.clone(), wrong).unwrap_err().is_wrong(), "{wrong:?}");
                };
                finds(&[&right[..], &[0]].concat());
                if outputs.len() * columns > 256 {
                    continue;
                }
                for at in 0..right.len() {
                    for bit in 0..32 {
                        let mut wrong = right.clone();
                        wrong[at] ^= 1 << bit;
                        finds(&wrong);
                    }
                    let (mut swapped, mut zeroed) = (right.clone(), right.clone());
                    swapped.swap(0, at);
                    zeroed[at..].fill(0);
                    for wrong in [swapped, zeroed, right[..at].to_vec()] {
                        if wrong != right {
                            finds(&wrong);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn errors_name_the_entry() {
    let mut table: Vec<i32> = (2..4).flat_map(|a| (0..16).map(move |b| difference_entry(&PRESENT, a, b))).collect();
    table[16 + 5] += 2;
    let error = check_difference_table(4, &PRESENT, 2..4, &table).unwrap_err();
    let right = difference_entry(&PRESENT, 3, 5);
    assert_eq!(error.to_string(), format!("value 6 of run 2 is {}, not {right}", right + 2));
    assert!(!check_difference_table(4, &PRESENT, 3..17, &table).unwrap_err().is_wrong());
    for (bits, outputs) in [(0, vec![0, 0]), (17, vec![0, 0]), (2, vec![0, 1, 4, 2]), (2, vec![0]), (2, vec![0, 1, 2])]
    {
        assert!(!check_linear_table(bits, &outputs, 0..1, &[]).unwrap_err().is_wrong());
        assert!(!Facts::of(bits, &outputs, 9).unwrap_err().is_wrong());
    }
}

/// Facts by their definitions, slowly.
fn facts_of(output_bits: u32, outputs: &[u16], boomerang_bits: u32) -> Facts {
    let (inputs, columns) = (outputs.len(), 1usize << output_bits);
    let input_bits = inputs.ilog2();
    let places = || (0..inputs).flat_map(|a| (0..columns).map(move |b| (a, b)));
    let count = |entry: Entry| {
        places().fold(BTreeMap::new(), |mut counts, (a, b)| {
            *counts.entry(i64::from(entry(outputs, a, b))).or_insert(0u64) += 1;
            counts
        })
    };
    let mut by_mask: Vec<(usize, usize)> = places().filter(|&(_, b)| b != 0).map(|(a, b)| (b, a)).collect();
    by_mask.sort_unstable();
    let size = |(b, a): (usize, usize)| u64::from(linear_entry(outputs, a, b).unsigned_abs());
    let linearity = by_mask.iter().map(|&place| size(place)).max().unwrap();
    let linearity_at = *by_mask.iter().find(|&&place| size(place) == linearity).unwrap();
    let pairs = |(a, b): &(usize, usize)| difference_entry(outputs, *a, *b) as u64;
    let rows = || places().filter(|&(a, _)| a != 0);
    let uniformity = rows().map(|place| pairs(&place)).max().unwrap();
    let uniformity_at = rows().find(|place| pairs(place) == uniformity).unwrap();
    let ones = |(a, b): (usize, usize)| a.count_ones() + b.count_ones();
    let degree = |mask: usize| {
        let odd = |u: usize| {
            (0..inputs).filter(|x| x & !u == 0 && (usize::from(outputs[*x]) & mask).count_ones() % 2 == 1).count() % 2
                == 1
        };
        (0..inputs).filter(|&u| odd(u)).map(usize::count_ones).max().unwrap_or(0)
    };
    let component_degrees = (1..columns).fold(BTreeMap::new(), |mut counts, mask| {
        *counts.entry(degree(mask)).or_insert(0) += 1;
        counts
    });
    let preimages = |y: usize| outputs.iter().filter(|&&z| usize::from(z) == y).count();
    let permutation = inputs == columns && (0..columns).all(|y| preimages(y) == 1);
    let inverse = |y: usize| outputs.iter().position(|&z| usize::from(z) == y).unwrap();
    let boomerang = || {
        let back = |x: usize, b: usize| inverse(usize::from(outputs[x]) ^ b);
        let returns = |a: usize, b: usize| (0..inputs).filter(|&x| back(x, b) ^ back(x ^ a, b) == a).count() as u32;
        (1..inputs).flat_map(|a| (1..inputs).map(move |b| (a, b))).map(|(a, b)| returns(a, b)).max().unwrap()
    };
    Facts {
        input_bits,
        output_bits,
        permutation,
        balanced: (0..columns).all(|y| preimages(y) * columns == inputs),
        fixed_points: (0..inputs).filter(|&x| usize::from(outputs[x]) == x).count(),
        degree: *component_degrees.keys().last().unwrap(),
        component_degrees,
        linearity,
        linearity_at: (linearity_at.1 as u16, linearity_at.0 as u16),
        nonlinearity: (inputs as u64 - linearity) / 2,
        linear_branch_number: by_mask
            .iter()
            .filter(|&&place| size(place) != 0)
            .map(|&place| ones(place))
            .min()
            .unwrap(),
        differential_uniformity: uniformity,
        uniformity_at: (uniformity_at.0 as u16, uniformity_at.1 as u16),
        differential_branch_number: rows().filter(|place| pairs(place) != 0).map(ones).min().unwrap(),
        boomerang_uniformity: (permutation && input_bits <= boomerang_bits).then(boomerang),
        walsh: count(linear_entry),
        differences: count(difference_entry),
    }
}

#[test]
fn facts_by_their_definitions() {
    for (output_bits, outputs) in boxes() {
        for boomerang_bits in [0, 9] {
            let facts = facts_of(output_bits, &outputs, boomerang_bits);
            assert_eq!(facts.check(output_bits, &outputs, boomerang_bits).map(|_| ()), Ok(()), "{outputs:?}");
        }
    }
}

#[test]
fn every_wrong_fact_is_found() {
    let right = Facts::of(4, &PRESENT, 9).unwrap();
    let changes: Vec<fn(&mut Facts)> = vec![
        |facts| facts.input_bits ^= 1,
        |facts| facts.output_bits ^= 1,
        |facts| facts.permutation ^= true,
        |facts| facts.balanced ^= true,
        |facts| facts.fixed_points ^= 1,
        |facts| facts.degree ^= 1,
        |facts| *facts.component_degrees.entry(2).or_default() += 1,
        |facts| facts.linearity ^= 1,
        |facts| facts.linearity_at.0 ^= 1,
        |facts| facts.linearity_at.1 ^= 1,
        |facts| facts.nonlinearity ^= 1,
        |facts| facts.linear_branch_number ^= 1,
        |facts| facts.differential_uniformity ^= 1,
        |facts| facts.uniformity_at.0 ^= 1,
        |facts| facts.uniformity_at.1 ^= 1,
        |facts| facts.differential_branch_number ^= 1,
        |facts| facts.boomerang_uniformity = None,
        |facts| facts.boomerang_uniformity = Some(6),
        |facts| *facts.walsh.entry(4).or_default() ^= 1,
        |facts| *facts.differences.entry(2).or_default() ^= 1,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert!(wrong.check(4, &PRESENT, 9).unwrap_err().is_wrong(), "{at}");
    }
    // The tables of another S-box.
    let mut other = PRESENT;
    other.swap(3, 9);
    assert!(right.check(4, &other, 9).unwrap_err().is_wrong());
}

#[test]
fn sums_past_16_bits_are_right() {
    for bits in [13u32, 14, 15, 16] {
        let len = 1usize << bits;
        let mut row = Vec::new();
        walsh_of_signs(&mut vec![1i16; len], &mut row);
        assert!(row[0] == len as i32 && row[1..].iter().all(|&w| w == 0));
        let mask = 0x5a5 & (len - 1);
        let mut signs: Vec<i16> = (0..len).map(|x| if (x & mask).count_ones() % 2 == 1 { 1 } else { -1 }).collect();
        walsh_of_signs(&mut signs, &mut row);
        assert!(row.iter().enumerate().all(|(w, &value)| value == if w == mask { -(len as i32) } else { 0 }));
    }
}
