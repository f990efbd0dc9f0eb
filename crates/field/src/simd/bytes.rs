//! Tiles of products of matrices of residues of primes below 256, in bytes, with AVX-512 VNNI: an instruction adds the products of
//! four bytes without sign and four with sign to each of sixteen words of 32 bits.
//!
//! The first factor is the residue itself, the second the one of least size of its class: products are below `255 * 128` in size, so
//! that a word has room for `2^16` of them before it is reduced.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
};

use super::level::{Level, Task};
use super::tile::COLUMNS;
#[cfg(target_arch = "x86_64")]
use super::tile::{ROWS, Residues};

/// Products that an instruction adds in a word.
const TERMS: usize = 4;
/// Groups of products between two reductions.
#[cfg(target_arch = "x86_64")]
const GROUPS: usize = (1 << 16) / TERMS;
/// Groups of products whose first factors are made bytes of at a time.
#[cfg(target_arch = "x86_64")]
const PART: usize = 64;

/// Lines of a panel of a second factor as bytes, four lines together: byte `k` of word `c` of a group, the lowest first, is entry `c`
/// of its line `k`.
#[derive(Debug, Clone, Default)]
pub(super) struct BytePanel {
    groups: Vec<[u32; COLUMNS]>,
}

/// Makes a panel of the lines of residues modulo `p`.
pub(super) struct Pack<'a> {
    pub(super) p: u32,
    pub(super) lines: &'a [[u32; COLUMNS]],
    pub(super) to: &'a mut BytePanel,
}

impl Pack<'_> {
    #[inline(always)]
    fn fill(self) {
        let Self { p, lines, to } = self;
        to.groups.clear();
        to.groups.resize(lines.len().div_ceil(TERMS), [0; COLUMNS]);
        for (group, lines) in to.groups.iter_mut().zip(lines.chunks(TERMS)) {
            for (k, line) in lines.iter().enumerate() {
                for (quad, &word) in group.iter_mut().zip(line) {
                    let less = if word > p / 2 { p } else { 0 };
                    *quad |= (word.wrapping_sub(less) & 0xff) << (8 * k);
                }
            }
        }
    }
}

impl Task for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.fill();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: super::vectors::Pairs>(self) {
        self.fill();
    }
}

/// Whether tiles modulo `p` are taken in bytes.
pub(super) fn has_bytes(level: Level, p: u32) -> bool {
    p < 256 && level.has_vnni()
}

/// `residues[r][c] += sum over k of rows[r][k] panel[k][c]` modulo `p`, over as many `k` as both have.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn add_tile(p: u32, residues: &mut Residues, rows: [&[u32]; ROWS], panel: &BytePanel) {
    for (number, groups) in panel.groups.chunks(GROUPS).enumerate() {
        let mut sums = [[_mm512_setzero_si512(); 2]; ROWS];
        for (part, groups) in groups.chunks(PART).enumerate() {
            let first = (number * GROUPS + part * PART) * TERMS;
            let mut bytes = [[[0u8; TERMS]; PART]; ROWS];
            for (bytes, row) in bytes.iter_mut().zip(rows) {
                let words = row.get(first..).unwrap_or_default();
                bytes.as_flattened_mut().iter_mut().zip(words).for_each(|(byte, &word)| *byte = word as u8);
            }
            for (g, group) in groups.iter().enumerate() {
                let [low, high] = halves(group);
                for (sums, bytes) in sums.iter_mut().zip(&bytes) {
                    let factors = _mm512_set1_epi32(i32::from_le_bytes(bytes[g]));
                    sums[0] = _mm512_dpbusd_epi32(sums[0], factors, low);
                    sums[1] = _mm512_dpbusd_epi32(sums[1], factors, high);
                }
            }
        }
        for (residues, sums) in residues.iter_mut().zip(sums) {
            for (half, sums) in residues.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
                let mut words = [0i32; 16];
                // SAFETY: the array has the 64 bytes.
                unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), sums) };
                half.iter_mut().zip(words).for_each(|(residue, sum)| *residue = reduce(*residue, sum, p));
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(group: &[u32; COLUMNS]) -> [__m512i; 2] {
    let [low, high] = [&group[..16], &group[16..]];
    // SAFETY: both slices have the 64 bytes.
    unsafe { [_mm512_loadu_si512(low.as_ptr().cast()), _mm512_loadu_si512(high.as_ptr().cast())] }
}

/// The residue of `before + sum` for a residue `before` and `|sum| < 2^31 - 2^16`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn reduce(before: u32, sum: i32, p: u32) -> u32 {
    // Twice 2^16 is congruent to its remainder: below 2^15 * 255 + 2^16 + 255 < 2^24 in size.
    let p = p as i32;
    let low = (sum & 0xffff) + (sum >> 16) * (0x1_0000 % p) + before as i32;
    // A float holds the number; the quotient is off by one at most.
    let quotient = (low as f32 * (1.0 / p as f32)) as i32;
    let rest = low - quotient * p;
    let rest = rest + (p & rest >> 31);
    let rest = rest + (p & rest >> 31);
    let less = rest - p;
    (less + (p & less >> 31)) as u32
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn sums_are_reduced() {
        for p in [2, 3, 5, 127, 131, 251] {
            for before in [0, p - 1] {
                let sums =
                    [0, 1, -1, 65_535, 65_536, -65_536, i32::MAX - 65_536, -(1 << 30), 65_536 - i32::MAX, 12_345_678];
                for sum in sums.into_iter().chain((0..5000).map(|i: i32| i.wrapping_mul(0x09e3_779b) >> 1)) {
                    let expected = (i64::from(before) + i64::from(sum)).rem_euclid(i64::from(p));
                    assert_eq!(i64::from(reduce(before, sum, p)), expected, "{before} {sum} {p}");
                }
            }
        }
    }

    #[test]
    fn tiles_are_sums_of_products() {
        if !has_bytes(Level::widest(), 251) {
            return;
        }
        for p in [2u32, 3, 127, 131, 251] {
            for len in [0, 1, 3, 4, 5, 63, 255, 256, 257, 1024, 65_535, 65_536, 65_537] {
                let word = |i: usize| {
                    if i.is_multiple_of(3) || len > 2000 { p - 1 } else { (i as u32).wrapping_mul(0x9e37_79b9) % p }
                };
                let rows: [Vec<u32>; ROWS] = std::array::from_fn(|r| (0..len + r).map(|k| word(r + 5 * k)).collect());
                let lines: Vec<[u32; COLUMNS]> = (0..len)
                    .map(|k| std::array::from_fn(|c| if c == 1 { p / 2 } else { word(7 * k + c + 1) }))
                    .collect();
                let mut panel = BytePanel::default();
                Level::widest().run(Pack { p, lines: &lines, to: &mut panel });
                let mut residues = std::array::from_fn(|r| std::array::from_fn(|c| word(r + c)));
                // SAFETY: the level has the instruction sets.
                unsafe { add_tile(p, &mut residues, std::array::from_fn(|r| rows[r].as_slice()), &panel) };
                for (r, residues) in residues.iter().enumerate() {
                    for (c, &residue) in residues.iter().enumerate() {
                        let products = (0..len).map(|k| u64::from(rows[r][k]) * u64::from(lines[k][c]));
                        let expected = (u64::from(word(r + c)) + products.sum::<u64>()) % u64::from(p);
                        assert_eq!(u64::from(residue), expected, "{p} {len} ({r}, {c})");
                    }
                }
            }
        }
    }
}
