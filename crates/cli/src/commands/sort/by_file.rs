//! `manycore sort numbers` of numbers that are left in their file, because they are more than memory holds: sorted into a file without a
//! name.

use std::cmp::Ordering;

use manycore::field::{Goldilocks, Ring as _, Semiring as _};
use manycore::sort::{SortOrder, Sorter};
use manycore::verify::{Chance, CheckError, Outcome, Passed, SplitMix};

use super::numbers::{Arguments, SortKey};
use super::order;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::Devices;
use crate::error::Error;
use crate::input::mapped::{self, Mapped, Numbers};
use crate::progress;
use crate::vector::NumberType;
use crate::verification::verified;

/// Sorts the numbers of a file, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(numbers: &Numbers, arguments: &Arguments, global: &Global, devices: &Devices) -> Result<(), Error> {
    match numbers.number_type() {
        NumberType::I32 => sort(numbers, &numbers.map_all::<i32>()?, arguments, global, devices),
        NumberType::I64 => sort(numbers, &numbers.map_all::<i64>()?, arguments, global, devices),
        NumberType::F32 => sort(numbers, &numbers.map_all::<f32>()?, arguments, global, devices),
        NumberType::F64 => sort(numbers, &numbers.map_all::<f64>()?, arguments, global, devices),
    }
}

/// Sorts the numbers of a file, which `x` are, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn sort<K: SortKey>(
    numbers: &Numbers,
    x: &Mapped<K>,
    arguments: &Arguments,
    global: &Global,
    devices: &Devices,
) -> Result<(), Error> {
    progress::compute(format!("sorting {} numbers of a file on {}", numbers.len(), label(devices)));
    let (mut keys, mut sorted) = (numbers.copy::<K>()?, numbers.copy::<K>()?);
    let sorter = Sorter::over(devices.set())?;
    let direction = order(arguments.descending);
    let (made, _) = devices.measured(|| sorter.sort_into(&mut keys, &mut sorted, direction))?;
    made?;
    if global.verify {
        progress::step("verifying");
        let directed = |a: &K, b: &K| match direction {
            SortOrder::Ascending => a.order(b),
            SortOrder::Descending => b.order(a),
        };
        let random = SplitMix::new(global.seed.unwrap_or_else(SplitMix::fresh_seed));
        verified(check(x, &sorted, directed, K::bits, random), devices)?;
    }
    let count = arguments.first.unwrap_or(sorted.len()).min(sorted.len());
    mapped::write(global, &sorted[..count])
}

/// Whether keys are in order, and are these: each is `a + b S` for the halves of its bits, and the products of all `r - a - b s` at
/// random `r` and `s` of a field are equal. Those of other keys are polynomials that differ, of as high a degree as there are keys, which
/// have a common value with a chance of at most the degree by the order of the field (Schwartz 1980).
fn check<K: Copy>(
    x: &[K],
    sorted: &[K],
    compare: impl Fn(&K, &K) -> Ordering,
    bits: impl Fn(K) -> u64,
    mut random: SplitMix,
) -> Outcome {
    if x.len() != sorted.len() {
        return Err(CheckError::Length { found: sorted.len(), expected: x.len() });
    }
    if let Some(at) = sorted.windows(2).position(|pair| compare(&pair[0], &pair[1]).is_gt()) {
        return Err(CheckError::Relation {
            relation: format!("that number {} does not come before number {at}", at + 1),
        });
    }
    let field = Goldilocks;
    let mut element = || loop {
        let word = random.next_word();
        if word < Goldilocks::MODULUS {
            break word;
        }
    };
    let (r, s) = (element(), element());
    let product = |keys: &[K]| {
        keys.iter().fold(1, |product, &key| {
            let (high, low) = (bits(key) >> 32, bits(key) & u64::from(u32::MAX));
            field.mul(product, field.sub(r, field.add(low, field.mul(high, s))))
        })
    };
    if product(x) != product(sorted) {
        return Err(CheckError::Relation { relation: "that the numbers are those of the file".to_owned() });
    }
    let log2 = (x.len().max(1) as f64).log2() - (Goldilocks::MODULUS as f64).log2();
    Ok(Passed {
        method: "order of neighbours, and products of the numbers at random points",
        chance: Chance::Below { log2 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_numbers_and_orders_do_not_pass() {
        let x = [5i64, -3, i64::MAX, 5, i64::MIN];
        let check = |sorted: &[i64]| check(&x, sorted, i64::cmp, i64::cast_unsigned, SplitMix::new(7));
        let sorted = [i64::MIN, -3, 5, 5, i64::MAX];
        assert!(check(&sorted).is_ok());
        assert!(matches!(check(&sorted[1..]), Err(CheckError::Length { .. })));
        assert!(matches!(check(&[-3, i64::MIN, 5, 5, i64::MAX]), Err(CheckError::Relation { .. })));
        for wrong in
            [[i64::MIN, -3, -3, 5, i64::MAX], [i64::MIN, -3, 5, 6, i64::MAX], [i64::MIN + 1, -3, 5, 5, i64::MAX]]
        {
            assert!(matches!(check(&wrong), Err(CheckError::Relation { .. })), "{wrong:?}");
        }
        assert!(super::check::<i64>(&[], &[], i64::cmp, i64::cast_unsigned, SplitMix::new(7)).is_ok());
    }
}
