//! Character tables: whole ones, tiles and streams, of every kind of values, by both constructions.

use std::ops::ControlFlow;

use manycore::characters::table::reference;
use manycore::characters::{Complexes, Construction, Exponents, Residues, Tile, Values};
use manycore::{AbelianGroup, CharacterError, Characters, PrimeField};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::groups::{draw, prime_with_roots};
use crate::random::Random;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    ExponentsU8,
    ExponentsU16,
    ExponentsU32,
    ComplexF32,
    ComplexF64,
    Short(u64),
    Long(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    Table,
    Into,
    Stream,
    Product,
}

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 3;

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    #[serde(serialize_with = "super::case::shown")]
    group: AbelianGroup,
    values: Kind,
    rows: (u64, u64),
    columns: (u64, u64),
    construction: Option<&'static str>,
    #[serde(skip)]
    by: Option<Construction>,
    group_bytes: Option<usize>,
    rows_each: Option<u64>,
    which: Which,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let entries = site.most_values(random, 16).min(1 << 20) as u64;
        let most = random.pick(&[entries.isqrt(), entries.isqrt(), entries]);
        let group = draw(random, most);
        let (order, exponent) = (group.order(), group.exponent());
        let values = match random.below(7) {
            0 if exponent <= 256 => Kind::ExponentsU8,
            0 | 1 if exponent <= 65_536 => Kind::ExponentsU16,
            0..3 => Kind::ExponentsU32,
            3 => Kind::ComplexF32,
            4 => Kind::ComplexF64,
            5 => prime_with_roots(random, exponent, 1 << 31).map_or(Kind::ExponentsU32, Kind::Short),
            _ => prime_with_roots(random, exponent, 1 << 62).map_or(Kind::ExponentsU32, Kind::Long),
        };
        let whole = order * order <= entries && random.once_in(2);
        let mut range = |most: u64| {
            let start = random.below(order + 1);
            (start, start + random.below((order - start).min(most) + 1))
        };
        let (rows, columns) = if whole {
            ((0, order), (0, order))
        } else {
            let columns = range(entries);
            (range(entries / (columns.1 - columns.0).max(1)), columns)
        };
        let by = random.pick(&[None, None, Some(Construction::Direct), Some(Construction::Kronecker)]);
        Self {
            group,
            values,
            rows,
            columns,
            construction: by.map(Construction::name),
            by,
            group_bytes: random.once_in(4).then(|| 1 << random.within(6, 16)),
            rows_each: random.once_in(2).then(|| random.within(1, 40)),
            which: random.pick(&[Which::Table, Which::Table, Which::Into, Which::Stream, Which::Product]),
        }
    }

    fn check(&self, _: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.values {
            Kind::ExponentsU8 => self.of(&Exponents::<u8>::new(), site),
            Kind::ExponentsU16 => self.of(&Exponents::<u16>::new(), site),
            Kind::ExponentsU32 => self.of(&Exponents::<u32>::new(), site),
            Kind::ComplexF32 => self.of(&Complexes::<f32>::new(), site),
            Kind::ComplexF64 => self.of(&Complexes::<f64>::new(), site),
            Kind::Short(p) => self.of(&Residues::new(PrimeField::<u32>::new(p as u32).map_err(Failure::other)?), site),
            Kind::Long(p) => self.of(&Residues::new(PrimeField::<u64>::new(p).map_err(Failure::other)?), site),
        }
    }
}

impl Case {
    fn of<V: Values>(&self, values: &V, site: &Site) -> Result<Found, Failure> {
        let group = &self.group;
        let characters =
            site.context("characters", || Ok::<_, Failure>(Characters::with_machine(&site.device, site.machine())))?;
        let whole = self.which == Which::Product && group.order() <= 512;
        let mut tile = if whole {
            Tile::whole()
        } else {
            Tile::whole().rows(self.rows.0..self.rows.1).columns(self.columns.0..self.columns.1)
        };
        if let Some(by) = self.by {
            tile = tile.by(by);
        }
        if let Some(bytes) = self.group_bytes {
            tile = tile.group_bytes(bytes);
        }
        let made = self.made(values, &characters, &tile, site);
        let found = match made {
            // The Kronecker construction has a limit of columns.
            Err(CharacterError::Columns { .. }) if self.by.is_some() => {
                tile = Tile::whole().rows(self.rows.0..self.rows.1).columns(self.columns.0..self.columns.1);
                self.made(values, &characters, &tile, site)?
            }
            made => made?,
        };
        let found = site.result(found);
        let (name, expected) = if whole {
            ("algorithm 1", reference::algorithm_1(group, values)?)
        } else {
            ("definition", reference::table(group, values, &tile)?)
        };
        // A product of roots for each factor, on both sides.
        let roundings = 2 * (group.factors().len() as u32 + 2);
        Ok(Found::near(name, &found, &expected, |&a, &b, _| values.equal(a, b, roundings)))
    }

    fn made<V: Values>(
        &self,
        values: &V,
        characters: &Characters,
        tile: &Tile,
        site: &Site,
    ) -> Result<Vec<V::Value>, CharacterError> {
        let group = &self.group;
        match self.which {
            Which::Table | Which::Product => {
                let table = characters.table(group, values, tile)?;
                site.note("plan", table.plan());
                table.download()
            }
            Which::Into => {
                let (rows, columns) = tile.ranges(group)?;
                let len = ((rows.end - rows.start) * (columns.end - columns.start)) as usize;
                let words = len * (size_of::<V::Value>() / size_of::<V::Word>());
                let mut buffer = site.device.zeros::<V::Word>(words)?;
                site.note("plan", characters.table_into(group, values, tile, &mut buffer)?);
                Ok(bytemuck::pod_collect_to_vec(&buffer.download()?))
            }
            Which::Stream => {
                let mut all = Vec::new();
                characters.stream(group, values, tile, self.rows_each, |block| {
                    all.extend_from_slice(block.entries);
                    Ok::<_, CharacterError>(ControlFlow::Continue(()))
                })?;
                Ok(all)
            }
        }
    }
}
