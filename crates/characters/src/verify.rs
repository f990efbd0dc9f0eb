//! The check of a table, by the laws of characters instead of their formula.
//!
//! A function on the group with `f(z + g) = f(z) f(g)` for every element `z` and every generator `g` is a character, and its values at the
//! generators determine which: so a row is proved right with `k` products an entry. Rows of different characters are orthogonal, `sum_z
//! chi_w(z) conj(chi_v(z)) = 0`, and a row times itself is `N`: `T conj(T)^t = N I`.

use std::fmt;

use crate::error::CharacterError;
use crate::table::Table;
use crate::values::Values;

/// Which rows are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// All.
    All,
    /// The first and the last row, and further ones drawn at random by a seed.
    Random {
        /// The number of random rows.
        count: usize,
        /// What determines them.
        seed: u64,
    },
}

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// An entry is not the value of its character.
    Value {
        /// The character.
        character: u64,
        /// The element.
        element: u64,
    },
    /// The value at a sum of two elements is not the product of the values at both.
    Product {
        /// The character.
        character: u64,
        /// One element.
        element: u64,
        /// The other one, a generator.
        generator: u64,
    },
    /// The sum of a row times the conjugate of another is not 0, or that of a row times its own conjugate not `N`.
    Orthogonality {
        /// The first row's character.
        first: u64,
        /// The second row's.
        second: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { character, element } => {
                write!(f, "the value of character {character} at {element} is another one")
            }
            Self::Product { character, element, generator } => {
                write!(
                    f,
                    "the value of character {character} at {element} + {generator} is not the product of its values"
                )
            }
            Self::Orthogonality { first, second } => write!(f, "characters {first} and {second} break orthogonality"),
        }
    }
}

/// What a check found. Nothing that was not checked looks like success.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// What was checked is right.
    Holds {
        /// The number of checks, at least 1: rows, or pairs of rows, a row with itself included.
        checks: u64,
    },
    /// Something is wrong.
    Fault(Fault),
    /// Nothing was checked.
    NotChecked(Unchecked),
}

/// Why nothing was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unchecked {
    /// The table has no rows.
    NoRows,
    /// The table lacks columns, and orthogonality is a property of sums over all of them.
    Columns,
}

impl Verdict {
    /// Whether something was checked and all of it is right.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds { .. })
    }

    /// The outcome of `checks` checks that passed.
    fn passed(checks: u64) -> Self {
        if checks == 0 { Self::NotChecked(Unchecked::NoRows) } else { Self::Holds { checks } }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds { checks } => write!(f, "holds in {checks} checks"),
            Self::Fault(fault) => write!(f, "wrong: {fault}"),
            Self::NotChecked(Unchecked::NoRows) => f.write_str("not checked: the table has no rows"),
            Self::NotChecked(Unchecked::Columns) => f.write_str("not checked: the table lacks columns"),
        }
    }
}

impl<V: Values> Table<V> {
    /// Checks rows: by the product law where the table has all columns, else each entry by the definition. A row that passes is right, for complex numbers up to rounding; so a table with `b` bad rows of `n` passes
    /// `count` random rows with a chance of about `(1 - b / n)^count`.
    ///
    /// ```
    /// use manycore_characters::{AbelianGroup, Characters, Exponents, Rows, Tile, Verdict};
    /// let characters = Characters::new(&manycore_device::Device::host());
    /// let table = characters.table(&AbelianGroup::new(&[4, 6])?, &Exponents::<u8>::new(), &Tile::whole())?;
    /// assert_eq!(table.verify(Rows::All)?, Verdict::Holds { checks: 24 });
    /// assert_eq!(table.verify_orthogonality(Rows::All)?, Verdict::Holds { checks: 24 * 25 / 2 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CharacterError::Device`] when the device failed.
    #[inline(never)]
    pub fn verify(&self, rows: Rows) -> Result<Verdict, CharacterError> {
        let group = self.group();
        let base = self.values().base(group.exponent())?;
        let whole = self.columns() == (0..group.order());
        let picked = self.pick(rows);
        for &row in &picked {
            let character = self.rows().start + row;
            let entries = self.row(row)?;
            let fault = if whole {
                self.row_fault(base, character, &entries)?
            } else {
                self.definition_fault(base, character, &entries)?
            };
            if let Some(fault) = fault {
                return Ok(Verdict::Fault(fault));
            }
        }
        Ok(Verdict::passed(picked.len() as u64))
    }

    /// Checks that rows are orthogonal, each pair of those picked; [`Verdict::NotChecked`] for tables without all columns, and
    /// without rows.
    /// Exact for exponents and residues. It takes `N` products a pair.
    ///
    /// # Errors
    /// [`CharacterError::Device`] when the device failed.
    #[inline(never)]
    pub fn verify_orthogonality(&self, rows: Rows) -> Result<Verdict, CharacterError> {
        let group = self.group();
        if self.columns() != (0..group.order()) {
            return Ok(Verdict::NotChecked(Unchecked::Columns));
        }
        let mut pairs = 0;
        let (values, order) = (self.values(), group.exponent());
        let base = values.base(order)?;
        let picked = self.pick(rows);
        for (i, &first) in picked.iter().enumerate() {
            let a = self.row(first)?;
            for &second in &picked[..=i] {
                let b = self.row(second)?;
                let product = |(&a, &b): (&V::Value, &V::Value)| values.multiply(base, a, values.conjugate(base, b));
                let products: Vec<V::Value> = a.iter().zip(&b).map(product).collect();
                let expected = if first == second { group.order() } else { 0 };
                if !values.sum_is(order, &products, expected, self.roundings()) {
                    let start = self.rows().start;
                    let (first, second) = (start + first, start + second);
                    return Ok(Verdict::Fault(Fault::Orthogonality { first, second }));
                }
                pairs += 1;
            }
        }
        Ok(Verdict::passed(pairs))
    }

    /// Roundings of a product of two entries: each entry is a product of as many roots as there are factors.
    fn roundings(&self) -> u32 {
        2 * self.group().factors().len() as u32 + 2
    }

    fn pick(&self, rows: Rows) -> Vec<u64> {
        let height = self.rows().end - self.rows().start;
        match rows {
            _ if height == 0 => Vec::new(),
            Rows::Random { count, seed } if (count as u64).saturating_add(2) < height => {
                let random = (1..=count as u64).map(|i| mixed(seed.wrapping_add(i.wrapping_mul(GOLDEN))) % height);
                let mut picked: Vec<u64> = random.chain([0, height - 1]).collect();
                picked.sort_unstable();
                picked.dedup();
                picked
            }
            Rows::All | Rows::Random { .. } => (0..height).collect(),
        }
    }

    /// The entries of one row on the host.
    pub(crate) fn row(&self, row: u64) -> Result<Vec<V::Value>, CharacterError> {
        let width = (self.columns().end - self.columns().start) as usize;
        let mut entries: Vec<V::Value> = bytemuck::zeroed_vec(width);
        let (start, words) = (row as usize * width * V::WORDS, width * V::WORDS);
        self.buffer().view(start..start + words)?.read_into(bytemuck::cast_slice_mut(&mut entries))?;
        Ok(entries)
    }

    fn definition_fault(
        &self,
        base: V::Base,
        character: u64,
        entries: &[V::Value],
    ) -> Result<Option<Fault>, CharacterError> {
        for (element, &entry) in self.columns().zip(entries) {
            let expected = self.values().root(base, self.group().character_exponent(character, element)?);
            if !self.values().equal(entry, expected, self.roundings()) {
                return Ok(Some(Fault::Value { character, element }));
            }
        }
        Ok(None)
    }

    fn row_fault(&self, base: V::Base, character: u64, entries: &[V::Value]) -> Result<Option<Fault>, CharacterError> {
        let (group, values) = (self.group(), self.values());
        let expected = |element| -> Result<V::Value, CharacterError> {
            Ok(values.root(base, group.character_exponent(character, element)?))
        };
        // At 0, and at the generators: the elements with one digit 1.
        if !values.equal(entries[0], expected(0)?, self.roundings()) {
            return Ok(Some(Fault::Value { character, element: 0 }));
        }
        let mut place = group.order();
        for &n in group.factors() {
            place /= n;
            if n == 1 {
                continue;
            }
            let generator = place;
            let step = entries[generator as usize];
            if !values.equal(step, expected(generator)?, self.roundings()) {
                return Ok(Some(Fault::Value { character, element: generator }));
            }
            for (z, &entry) in entries.iter().enumerate() {
                let last = z as u64 / place % n == n - 1;
                let next = if last { z - ((n - 1) * place) as usize } else { z + place as usize };
                if !values.equal(entries[next], values.multiply(base, entry, step), self.roundings()) {
                    return Ok(Some(Fault::Product { character, element: z as u64, generator }));
                }
            }
        }
        Ok(None)
    }
}

/// `2^64` by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).
fn mixed(x: u64) -> u64 {
    let y = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (y ^ (y >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
