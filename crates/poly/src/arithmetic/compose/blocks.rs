//! Blocks of coefficients times powers of a polynomial: a product of matrices, of dot products that both executors have.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Coefficients of the powers that are multiplied at a time, which bounds the transposed copy.
const COLUMNS: usize = 1 << 13;
/// Coefficients of a power that are transposed at a time: a line or two of the cache.
const LINE: usize = 16;

impl<F: PolyField> PolyRing<F> {
    /// The powers `g^0, ..., g^(count - 1)`, each the product of two earlier ones, or a square.
    pub(super) fn powers_of(
        &self,
        g: &Poly<F>,
        count: usize,
        product: &impl Fn(&Poly<F>, &Poly<F>) -> Result<Poly<F>, PolyError>,
    ) -> Result<Vec<Poly<F>>, PolyError> {
        let mut powers = Vec::with_capacity(count);
        for k in 0..count {
            powers.push(match k {
                0 => self.one()?,
                1 => self.copy(g)?,
                k if k % 2 == 0 => product(&powers[k / 2], &powers[k / 2])?,
                k => product(&powers[k - 1], g)?,
            });
        }
        Ok(powers)
    }

    /// For each block of `2^log_block` coefficients of `f` the sum of its coefficients times `powers`, of which there are as many:
    /// the value of the block at the polynomial of which they are the powers.
    ///
    /// The powers go through the host once, transposed, and so do the sums.
    pub(super) fn values_of_blocks(
        &self,
        f: &Poly<F>,
        powers: &[Poly<F>],
        log_block: u32,
    ) -> Result<Vec<Poly<F>>, PolyError> {
        let tables = Columns::of(self, powers)?;
        let tables = (0..tables.width).step_by(COLUMNS).map(|start| tables.transposed(self, start, log_block));
        self.values_with(f, tables.map(|table| table.map(Table::Once)), log_block)
    }

    /// Powers as [`PolyRing::values_at`] takes them, kept on the device.
    pub(super) fn kept_powers(&self, powers: &[Poly<F>], log_block: u32) -> Result<KeptPowers<F>, PolyError> {
        let tables = Columns::of(self, powers)?;
        let starts = (0..tables.width).step_by(COLUMNS);
        let tables = starts.map(|start| tables.transposed(self, start, log_block)).collect::<Result<_, _>>()?;
        Ok(KeptPowers { tables, log_block })
    }

    /// [`PolyRing::values_of_blocks`] at kept powers.
    pub(super) fn values_at(&self, f: &Poly<F>, powers: &KeptPowers<F>) -> Result<Vec<Poly<F>>, PolyError> {
        self.values_with(f, powers.tables.iter().map(|table| Ok(Table::Kept(table))), powers.log_block)
    }

    fn values_with<'t>(
        &self,
        f: &Poly<F>,
        tables: impl Iterator<Item = Result<Table<'t, F>, PolyError>>,
        log_block: u32,
    ) -> Result<Vec<Poly<F>>, PolyError>
    where
        F: 't,
    {
        let (field, block) = (self.field(), 1usize << log_block);
        let rows = f.len().div_ceil(block);
        let mut coefficients = self.coefficients(f)?;
        coefficients.resize(rows << log_block, field.zero());
        let mut values: Vec<Vec<F::Element>> = vec![Vec::new(); rows];
        for table in tables {
            let sums = match table? {
                Table::Once(table) => self.project(&table, &coefficients, log_block, rows)?,
                Table::Kept(table) => self.project(table, &coefficients, log_block, rows)?,
            };
            for sums in sums.chunks(rows) {
                values.iter_mut().zip(sums).for_each(|(value, &sum)| value.push(sum));
            }
        }
        values.iter().map(|value| self.poly(value)).collect()
    }
}

/// Powers on a device, transposed: for each place their coefficients side by side, up to [`COLUMNS`] places a table.
pub(super) struct KeptPowers<F: PolyField> {
    tables: Vec<Poly<F>>,
    log_block: u32,
}

enum Table<'t, F: PolyField> {
    Once(Poly<F>),
    Kept(&'t Poly<F>),
}

/// Powers on the host.
struct Columns<E> {
    powers: Vec<Vec<E>>,
    width: usize,
}

impl<E: Copy> Columns<E> {
    fn of<F: PolyField<Element = E>>(ring: &PolyRing<F>, powers: &[Poly<F>]) -> Result<Self, PolyError> {
        let width = powers.iter().map(Poly::len).max().unwrap_or(0);
        Ok(Self { powers: powers.iter().map(|power| ring.coefficients(power)).collect::<Result<_, _>>()?, width })
    }

    /// The table of the places from `start` on.
    fn transposed<F: PolyField<Element = E>>(
        &self,
        ring: &PolyRing<F>,
        start: usize,
        log_block: u32,
    ) -> Result<Poly<F>, PolyError> {
        let columns = COLUMNS.min(self.width - start);
        let mut transposed = vec![ring.field().zero(); columns << log_block];
        for at in (0..columns).step_by(LINE) {
            for (j, power) in self.powers.iter().enumerate() {
                let first = power.len().min(start + at);
                let last = power.len().min(start + columns.min(at + LINE));
                for (i, &c) in power[first..last].iter().enumerate() {
                    transposed[((at + i) << log_block) + j] = c;
                }
            }
        }
        let len = transposed.len();
        Ok(ring.exact(ring.device().upload(&transposed)?, len))
    }
}
