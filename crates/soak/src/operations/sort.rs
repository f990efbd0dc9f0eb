//! Sorts of numbers by radix, by any plan, alone and with values.

use manycore::sort::{Key, SortError, SortOrder, Sorter};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// Keys, at most.
const MOST: usize = 30_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Type {
    U8,
    I16,
    U32,
    I64,
    F32,
    F64,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    key: Type,
    keys: usize,
    /// Bits that keys differ in.
    mask: u64,
    is_descending: bool,
    with_values: bool,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        Self {
            key: random.pick(&[Type::U8, Type::I16, Type::U32, Type::I64, Type::F32, Type::F64]),
            keys: random.length(MOST),
            mask: match random.below(4) {
                0 => u64::MAX,
                1 => random.word() & random.word() & random.word(),
                2 => 0xff << (8 * random.below(8)),
                _ => u64::MAX >> random.below(64),
            },
            is_descending: random.once_in(2),
            with_values: random.once_in(2),
            candidate: draw_candidate(random),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.key {
            Type::U8 => self.of(random, site, |x| x as u8, u8::cmp),
            Type::I16 => self.of(random, site, |x| x as i16, i16::cmp),
            Type::U32 => self.of(random, site, |x| x as u32, u32::cmp),
            Type::I64 => self.of(random, site, |x| x as i64, i64::cmp),
            Type::F32 => self.of(random, site, |x| f32::from_bits(x as u32), f32::total_cmp),
            Type::F64 => self.of(random, site, f64::from_bits, f64::total_cmp),
        }
    }
}

impl Case {
    fn of<K: Key>(
        &self,
        random: &mut Random,
        site: &Site,
        key: impl Fn(u64) -> K,
        compare: impl Fn(&K, &K) -> std::cmp::Ordering,
    ) -> Result<Found, Failure> {
        let keys: Vec<K> = (0..self.keys).map(|_| key(random.word() & self.mask)).collect();
        let order = if self.is_descending { SortOrder::Descending } else { SortOrder::Ascending };
        let mut places: Vec<u32> = (0..self.keys as u32).collect();
        places.sort_by(|&a, &b| {
            let order = compare(&keys[a as usize], &keys[b as usize]);
            if self.is_descending { order.reverse() } else { order }
        });
        let sorter = site.context("sort", || Ok::<_, SortError>(Sorter::new(&site.device)))?;
        let choice = sorter.explain::<K, u32>(self.keys, self.with_values)?;
        let asked = candidate(&choice, self.candidate, site).map(|&plan| Sorter::new(&site.device).by(plan));
        let sorter = asked.as_ref().unwrap_or(&sorter);
        let (mut sorted, mut values) = (keys.clone(), (0..self.keys as u32).collect::<Vec<u32>>());
        if self.with_values {
            sorter.sort_pairs(&mut sorted, &mut values, order)?;
            values = site.result(values);
        } else {
            sorter.sort(&mut sorted, order)?;
        }
        let sorted = site.result(sorted);
        let expected: Vec<K> = places.iter().map(|&place| keys[place as usize]).collect();
        let same = |a: &K, b: &K, _: usize| bytemuck::bytes_of(a) == bytemuck::bytes_of(b);
        let found = Found::near("the standard library's stable sort", &sorted, &expected, same);
        if !self.with_values {
            return Ok(found);
        }
        Ok(found.and(Found::equal("the standard library's stable sort", &values, &places)))
    }
}
