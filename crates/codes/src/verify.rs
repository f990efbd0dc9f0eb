//! A check of written parts by another route than the one that made them: the dual code. Random sums of the words of each part are
//! a word of the code exactly where all their syndromes vanish (MacWilliams and Sloane, 1977, chapter 10, section 8).
//!
//! If all blocks of a stripe are a word of the code at every place, so are their sums with random factors, equal for all parts. If
//! not, some syndrome is other than zero at some place; its sum with random factors other than zero vanishes with a chance of
//! 1 / 65535 at most, and [`SUMS`] of them with one below `2^-79`.

use manycore_device::{Device, Team};
use manycore_field::{BinaryField16, Semiring as _};

use crate::error::CodeError;
use crate::form::{CHECK_BYTES, HEADER_BYTES, Header, Layout, hexadecimal};
use crate::lagrange::Lagrange;
use crate::parts::PartSource;
use crate::split::{with_team, zeroed};

/// Random sums of the words of a part.
const SUMS: usize = 5;

/// Elements of the field other than zero.
const ORDER: usize = 65_535;

/// The base-2 logarithm of the chance that wrong parity passes [`check_parts`].
pub const CHANCE_LOG2: f64 = 1.0 - 16.0 * SUMS as f64;

/// Reads all parts of a file, in their order, and checks on the host that each has its header and its checksums, that the data
/// blocks hold the file whose header is given, by its checksum, and by five random sums that the parts are a word of the code: wrong
/// ones pass with a chance below `2^-79`. `random` gives random words. Takes five products for each word, and as many for each pair
/// of a part and a parity part.
///
/// # Errors
/// What does not hold, in words, within `Ok`; [`CodeError::Device`].
pub fn check_parts<S: PartSource>(
    parts: &[S],
    header: &Header,
    mut random: impl FnMut() -> u64,
) -> Result<Result<(), String>, CodeError> {
    if !tables_hold() {
        return Ok(Err("the tables of the field are not its logarithms and powers".to_owned()));
    }
    let layout = header.layout;
    let total = layout.data + layout.parity;
    if parts.len() != total {
        return Ok(Err(format!("{} parts are given, and the file has {total}", parts.len())));
    }
    let mut bytes = [0; HEADER_BYTES];
    for (index, part) in parts.iter().enumerate() {
        let read = part.read_at(0, &mut bytes).map_err(|error| error.to_string());
        let told = read.and_then(|count| Header::of_bytes(&bytes[..count]));
        if told.as_ref() != Ok(&Header { index, ..header.clone() }) {
            return Ok(Err(format!("part {index}: {}", told.err().unwrap_or_else(|| "another header".to_owned()))));
        }
    }
    let mut hasher = blake3::Hasher::new();
    let mut sums = vec![[0; SUMS]; parts.len()];
    let row_bytes = layout.block_bytes + CHECK_BYTES;
    let mut rows = zeroed(row_bytes * parts.len())?;
    for stripe in 0..layout.stripes(header.bytes) {
        let block = layout.block_of(layout.bytes_of(header.bytes, stripe));
        // Logarithms of factors.
        let mut logarithm = || (random() % ORDER as u64) as u16;
        let factors: Vec<[u16; SUMS]> = (0..block / 2).map(|_| std::array::from_fn(|_| logarithm())).collect();
        let failed = std::sync::Mutex::new(None);
        with_team(&Device::host(), |team: Team<'_>| {
            let tasks = rows.chunks_mut(row_bytes).zip(&mut sums).zip(parts).enumerate();
            team.each(tasks, |(index, ((row, sums), part))| {
                let row = &mut row[..block + CHECK_BYTES];
                if let Err(reason) = check_block(&layout, part, (index, stripe), row) {
                    let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    failed.get_or_insert(format!("part {index}, block {stripe}: {reason}"));
                }
                add_products(sums, &row[..block], &factors);
            });
        });
        if let Some(reason) = failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Ok(Err(reason));
        }
        let bytes = layout.bytes_of(header.bytes, stripe);
        for (index, row) in rows.chunks(row_bytes).take(layout.data).enumerate() {
            hasher.update(&row[..bytes.saturating_sub(index * block).min(block)]);
        }
    }
    let found = hexadecimal(hasher.finalize().as_bytes());
    if found != header.checksum() {
        return Ok(Err(format!("the data parts have the checksum {found}, the file {}", header.checksum())));
    }
    let multipliers = multipliers(parts.len())?;
    let is_codeword = (0..SUMS).all(|sum| {
        let words: Vec<u16> = sums.iter().map(|sums| sums[sum]).collect();
        is_codeword(&multipliers, &words, layout.parity)
    });
    Ok(if is_codeword { Ok(()) } else { Err("the parts are no values of polynomials".to_owned()) })
}

fn check_block(
    layout: &Layout,
    part: &impl PartSource,
    (index, stripe): (usize, u64),
    row: &mut [u8],
) -> Result<(), String> {
    let count = part.read_at(layout.offset(stripe), row).map_err(|error| error.to_string())?;
    let (block, check) = row.split_at(row.len() - CHECK_BYTES);
    let is_right = count == row.len() && layout.check_of(index, stripe, block) == check;
    if is_right { Ok(()) } else { Err("its checksum is not that of its content".to_owned()) }
}

/// Whether the tables that products are taken from are those of the field, by products of its definition.
fn tables_hold() -> bool {
    let (logarithms, powers) = (BinaryField16.logarithms(), BinaryField16.powers());
    let mut power = 1;
    (0..ORDER).all(|exponent| {
        let twice = powers[exponent] == power && powers[exponent + ORDER] == power;
        let holds = twice && usize::from(logarithms[usize::from(power)]) == exponent;
        power = BinaryField16::product_by_definition(power, 2);
        holds
    })
}

/// Points up to which differences are multiplied one by one.
const MOST_POINTS: usize = 1 << 12;

/// For the points 0, 1, ... the inverses of the products of each one's differences from the others: from the differences themselves, and of
/// many points by the convolution that the code is made with.
fn multipliers(points: usize) -> Result<Vec<u16>, CodeError> {
    if points > MOST_POINTS {
        let lagrange = Lagrange::new(&(0..points).collect::<Vec<usize>>(), &[])?;
        return Ok((0..points).map(|i| lagrange.scale(i)).collect());
    }
    let (logarithms, powers) = (BinaryField16.logarithms(), BinaryField16.powers());
    let product = |i: usize| (0..points).filter(|&j| j != i).map(|j| usize::from(logarithms[i ^ j])).sum::<usize>();
    Ok((0..points).map(|i| powers[ORDER - product(i) % ORDER]).collect())
}

/// Adds the products of words with factors, of which the logarithms are given.
fn add_products(sums: &mut [u16; SUMS], block: &[u8], factors: &[[u16; SUMS]]) {
    let (logarithms, powers) = (BinaryField16.logarithms(), BinaryField16.powers());
    for (word, factors) in block.as_chunks::<2>().0.iter().zip(factors) {
        let word = u16::from_le_bytes(*word);
        if word != 0 {
            let logarithm = usize::from(logarithms[usize::from(word)]);
            for (sum, &factor) in sums.iter_mut().zip(factors) {
                *sum ^= powers[logarithm + usize::from(factor)];
            }
        }
    }
}

/// Whether words at the points 0, 1, ... are values of a polynomial: all syndromes, the sums of `v_i c_i x_i^m` for `m` below the
/// number of parity rows, vanish, where `1 / v_i` is the product of the differences of point `i` from the others.
fn is_codeword(multipliers: &[u16], words: &[u16], parity: usize) -> bool {
    let field = BinaryField16;
    let mut terms: Vec<u16> = words.iter().zip(multipliers).map(|(&c, &v)| field.mul(c, v)).collect();
    (0..parity).all(|_| {
        let syndrome = terms.iter().fold(0, |sum, term| sum ^ term);
        for (x, term) in terms.iter_mut().enumerate() {
            *term = field.mul(*term, x as u16);
        }
        syndrome == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErasureCode;

    #[test]
    fn syndromes_tell_words_of_the_code() {
        for (data, parity) in [(1, 1), (3, 2), (1, 5), (20, 30), (4, 0)] {
            let rows: Vec<u8> = (0..2 * data).map(|i| (i * 77 + 5) as u8).collect();
            let code = ErasureCode::new(&Device::host(), data, parity).unwrap();
            let bytes: Vec<u8> = rows.iter().copied().chain(code.encode(&rows).unwrap()).collect();
            let words: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&word| u16::from_le_bytes(word)).collect();
            let multipliers = multipliers(data + parity).unwrap();
            let points: Vec<usize> = (0..data + parity).collect();
            let lagrange = Lagrange::new(&points, &[]).unwrap();
            assert!(points.iter().all(|&i| lagrange.scale(i) == multipliers[i]), "{data} + {parity}");
            assert!(is_codeword(&multipliers, &words, parity), "{data} + {parity}");
            for i in 0..data + parity {
                let mut words = words.clone();
                words[i] ^= 0x100;
                assert_eq!(is_codeword(&multipliers, &words, parity), parity == 0, "{data} + {parity}: {i}");
            }
        }
    }

    /// Parts with wrong parity whose checksums hold.
    #[test]
    fn wrong_parity_is_found() {
        let parts = crate::split(&Device::host(), &[7; 1000], 3, 2).unwrap();
        let header = Header::of_bytes(&parts[0]).unwrap();
        let mut state = 1u64;
        let mut check = |parts: &[Vec<u8>]| {
            let random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 20
            };
            check_parts(parts, &header, random).unwrap()
        };
        assert_eq!(check(&parts), Ok(()));
        assert_eq!(check(&parts[..4]), Err("4 parts are given, and the file has 5".into()));
        assert_eq!(check(&[]), Err("0 parts are given, and the file has 5".into()));
        for index in 0..5 {
            let mut wrong = parts.clone();
            wrong[index][HEADER_BYTES + 9] ^= 4;
            assert!(check(&wrong).unwrap_err().contains("checksum"), "{index}");
            let end = wrong[index].len() - CHECK_BYTES;
            let sum = header.layout.check_of(index, 0, &wrong[index][HEADER_BYTES..end]);
            wrong[index][end..].copy_from_slice(&sum);
            let told = check(&wrong).unwrap_err();
            let expected = if index < 3 { "the data parts have the checksum" } else { "the parts are no values" };
            assert!(told.starts_with(expected), "{index}: {told}");
            wrong[index].truncate(50);
            assert_eq!(check(&wrong), Err(format!("part {index}: it ends within its header")));
        }
    }
}
