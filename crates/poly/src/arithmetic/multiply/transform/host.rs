//! The steps on the host: vectors on short blocks that stay in the nearest cache, threads over longer pieces.

use manycore_device::{Buffer, DeviceError, HostPool, Team, ViewMut};
use manycore_field::{KernelField, PrimeField, ResidueWord, SliceWord};
use manycore_model::Machine;
use manycore_ntt::NttField;
use manycore_ntt::cost::Operations;

use super::component::Component;
use super::convert::Convert;
use super::crt::Crt;
use super::digits::BLOCK;
use super::root_powers::RootPowers;
use super::rows::{Operands, Runs, Wanted};
use super::step::{self, PIECE};

/// The host's threads, and the machine, by which a step is estimated to be worth a launch of all of them.
#[derive(Clone, Copy)]
pub(super) struct Threads<'a> {
    pub(super) pool: &'a HostPool,
    pub(super) machine: &'a Machine,
}

impl<'a> Threads<'a> {
    /// The team that shares a step over `words` words, with `operations` for each, which moves `bytes` bytes.
    fn team(&self, words: usize, operations: Operations, bytes: usize) -> Team<'a> {
        self.pool.team().only_if(!step::is_alone(words as u64, operations, bytes as u64, self.machine))
    }

    /// Runs `work` on pieces of `to` that begin at multiples of `piece`.
    fn pieces<T: Send>(
        &self,
        (name, bytes): (&'static str, usize),
        to: &mut [T],
        (piece, operations): (usize, Operations),
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let team = self.team(to.len(), operations, bytes);
        self.pool.step(name, bytes as u64, to.len() as u64, || {
            team.each(to.chunks_mut(piece).enumerate(), |(i, to)| work(i * piece, to));
        });
    }
}

/// The operands in the host's memory.
struct HostOperands<'a, W: ResidueWord> {
    of: &'a Operands<'a, W>,
    a: HostRuns<'a, W>,
    b: Option<HostRuns<'a, W>>,
}

impl<'a, W: ResidueWord> HostOperands<'a, W> {
    fn new(of: &'a Operands<'a, W>) -> Result<Self, DeviceError> {
        Ok(Self { of, a: HostRuns::new(&of.a)?, b: of.b.as_ref().map(HostRuns::new).transpose()? })
    }

    /// The coefficients of a row, of those of a first.
    fn row(&self, row: usize) -> &[W] {
        let (rows, block, blocks) = (self.of.rows(), self.of.block, self.of.blocks);
        if row < rows {
            let (product, start) = (row / blocks, row % blocks * block);
            &self.a.run(product)[start..self.of.a.len.min(start + block)]
        } else {
            self.b.as_ref().map_or(&[], |b| b.run(row - rows))
        }
    }
}

/// [`Runs`] in the host's memory.
struct HostRuns<'a, W: ResidueWord> {
    of: Runs<'a, W>,
    words: &'a [W],
}

impl<'a, W: ResidueWord> HostRuns<'a, W> {
    fn new(of: &Runs<'a, W>) -> Result<Self, DeviceError> {
        Ok(Self { of: *of, words: of.buffer.host()? })
    }

    fn run(&self, product: usize) -> &'a [W] {
        let start = self.of.start + product * self.of.stride;
        &self.words[start..start + self.of.len]
    }
}

pub(super) fn load<W: ResidueWord, G: NttField>(
    threads: Threads<'_>,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    to: &mut Buffer<G::Element>,
) -> Result<(), DeviceError> {
    let row_len = to.len() / (from.rows() + from.rows_b()).max(1);
    let operands = HostOperands::new(from)?;
    let rows = from.rows();
    let convert = Convert::new::<W>(by, reduce);
    let (left_half, right_half) = from.halves(row_len);
    let (to, piece) = (to.host_mut()?, PIECE.min(row_len / 2).max(1));
    let bytes = size_of_val(to) * 3 / 2;
    let operations = step::load(size_of::<W>(), size_of::<G::Element>(), reduce).host;
    threads.pieces(("transform_load", bytes), to, (piece, operations), |at, to| {
        let (row, start) = (at / row_len, at % row_len);
        // Halves of zeros are not read.
        if start < row_len / 2 || !(if row < rows { left_half } else { right_half }) {
            convert.part(operands.row(row), start, to);
        }
    });
    Ok(())
}

/// Parts of rows of three thirds each, of the same place in every third: with the number of the row and the place.
fn thirds<'a, W: 'a>(
    rows: impl Iterator<Item = (&'a mut [W], &'a mut [W], &'a mut [W])>,
) -> impl Iterator<Item = Thirds<'a, W>> {
    rows.enumerate().flat_map(|(row, (x, y, z))| {
        let parts = x.chunks_mut(PIECE).zip(y.chunks_mut(PIECE)).zip(z.chunks_mut(PIECE));
        parts.enumerate().map(move |(k, ((x, y), z))| Thirds { row, at: k * PIECE, x, y, z })
    })
}

/// See [`thirds`].
struct Thirds<'a, W> {
    row: usize,
    at: usize,
    x: &'a mut [W],
    y: &'a mut [W],
    z: &'a mut [W],
}

pub(super) fn load_twisted<W: ResidueWord, G: NttField>(
    threads: Threads<'_>,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    root: &RootPowers<G>,
    cyclic: &mut Buffer<G::Element>,
    twisted: &mut Buffer<G::Element>,
) -> Result<(), DeviceError> {
    let operands = HostOperands::new(from)?;
    let powers = root.powers.host()?;
    let third = powers.len();
    let (cyclic, twisted) = (cyclic.host_mut()?, twisted.host_mut()?);
    let bytes = (size_of_val(cyclic) + size_of_val(twisted)) * 2;
    let words = cyclic.len() + twisted.len();
    let field = &by.field;
    let convert = Convert::new::<W>(by, reduce);
    let rows = cyclic.chunks_mut(2 * third).zip(twisted.chunks_mut(third)).map(|(xy, z)| {
        let (x, y) = xy.split_at_mut(third);
        (x, y, z)
    });
    let one = |part: Thirds<'_, G::Element>| {
        let row = operands.row(part.row);
        let mut block = [field.zero(); BLOCK];
        let chunks = part.x.chunks_mut(BLOCK).zip(part.y.chunks_mut(BLOCK)).zip(part.z.chunks_mut(BLOCK));
        for (k, (((x, y), z), powers)) in chunks.zip(powers[part.at..].chunks(BLOCK)).enumerate() {
            let at = part.at + k * BLOCK;
            let last = &mut block[..x.len()];
            convert.part(row, at, x);
            convert.part(row, at + third, y);
            convert.part(row, at + 2 * third, last);
            for (((x, &y), z), (&last, &power)) in x.iter_mut().zip(&*y).zip(z).zip(last.iter().zip(powers)) {
                *z = field.mul(field.add(field.sub(*x, last), field.mul(y, root.s)), power);
                *x = field.add(*x, last);
            }
        }
    };
    let team = threads.team(words, step::TWISTED, bytes);
    threads.pool.step("transform_load_twisted", bytes as u64, words as u64, || team.each(thirds(rows), one));
    Ok(())
}

pub(super) fn combine<G: NttField>(
    threads: Threads<'_>,
    by: &Component<G>,
    cyclic: &Buffer<G::Element>,
    twisted: &Buffer<G::Element>,
    root: &RootPowers<G>,
    to: &mut Buffer<G::Element>,
) -> Result<(), DeviceError> {
    let powers = root.inverse_powers.host()?;
    let (u, v) = (cyclic.host()?, twisted.host()?);
    let (third, field) = (powers.len(), &by.field);
    let to = to.host_mut()?;
    let (words, bytes) = (to.len(), 2 * size_of_val(to));
    let rows = to.chunks_mut(3 * third).map(|to| {
        let (low, rest) = to.split_at_mut(third);
        let (middle, high) = rest.split_at_mut(third);
        (low, middle, high)
    });
    let one = |Thirds { row, at, x: low, y: middle, z: high }: Thirds<'_, G::Element>| {
        let (u, v) = (&u[2 * row * third + at..], &v[row * third + at..]);
        middle.copy_from_slice(&u[third..third + middle.len()]);
        for ((low, high), (((&u, &s_part), &v), &power)) in
            low.iter_mut().zip(high).zip(u.iter().zip(&*middle).zip(v).zip(&powers[at..]))
        {
            let both = field.add(field.mul(u, root.half), field.mul(s_part, root.half_s));
            let h = field.sub(both, field.mul(v, power));
            (*low, *high) = (field.sub(u, h), h);
        }
    };
    let team = threads.team(words, step::TWISTED, bytes);
    threads.pool.step("transform_combine", bytes as u64, words as u64, || team.each(thirds(rows), one));
    Ok(())
}

pub(super) fn store<F: NttField>(
    threads: Threads<'_>,
    by: &Component<F>,
    rows: &Buffer<F::Element>,
    wanted: &Wanted<'_, F::Element>,
    out: ViewMut<'_, F::Element>,
) -> Result<(), DeviceError> {
    let rows = rows.host()?;
    let add = |x: &mut [F::Element], y: &[F::Element]| {
        x.iter_mut().zip(y).for_each(|(x, &y)| *x = by.field.add(*x, y));
    };
    each_piece(threads, by, wanted, out, (2, Operations::NONE), |product, i, out| {
        gather(rows, product, i, wanted, out, &add);
    })
}

pub(super) fn store_combined<F: NttField, W: SliceWord>(
    threads: Threads<'_>,
    by: &Component<F>,
    rows: &[&Buffer<W>],
    crt: &Crt<W>,
    wanted: &Wanted<'_, F::Element>,
    out: ViewMut<'_, F::Element>,
) -> Result<(), DeviceError>
where
    PrimeField<W>: KernelField<Element = W>,
{
    let rows: Vec<&[W]> = rows.iter().map(|rows| rows.host()).collect::<Result<_, _>>()?;
    let operations = step::store(rows.len(), size_of::<W>(), size_of::<F::Element>()).host;
    each_piece(threads, by, wanted, out, (1 + rows.len(), operations), |product, i, out| {
        let mut digits = [[W::zero(); BLOCK]; 5];
        let digits = &mut digits[..rows.len().min(5)];
        for (k, out) in out.chunks_mut(BLOCK).enumerate() {
            for (l, digits) in digits.iter_mut().enumerate() {
                let slices = &crt.slices[l];
                let add = |x: &mut [W], y: &[W]| {
                    // The lengths are equal.
                    let _ = slices.add(x, y);
                };
                gather(rows[l], product, i + k * BLOCK, wanted, &mut digits[..out.len()], &add);
            }
            crt.combine(digits, out);
        }
    })
}

/// Runs `work` for pieces of the result, each with its product's number and the coefficient that it begins with; zeros and
/// what fell onto other coefficients is seen to here.
fn each_piece<F: NttField>(
    threads: Threads<'_>,
    by: &Component<F>,
    wanted: &Wanted<'_, F::Element>,
    out: ViewMut<'_, F::Element>,
    (arrays, operations): (usize, Operations),
    work: impl Fn(usize, usize, &mut [F::Element]) + Sync,
) -> Result<(), DeviceError> {
    let out = out.into_host()?;
    let (a, b) = (HostRuns::new(&wanted.a)?, HostRuns::new(&wanted.b)?);
    let piece = |product: usize, k: usize, out: &mut [F::Element]| {
        let i = wanted.low + k * PIECE;
        let (out, zeros) = out.split_at_mut(wanted.high.saturating_sub(i).min(out.len()));
        zeros.fill(by.field.zero());
        // Coefficients past the row are in no row.
        let held = if wanted.wrap { wanted.row_len.saturating_sub(i).min(out.len()) } else { out.len() };
        let (inside, past) = out.split_at_mut(held);
        work(product, i, inside);
        if wanted.wrap {
            let plain = |i| plain(by, a.run(product), b.run(product), i);
            let terms = wanted.a.len + wanted.b.len - 1;
            let onto = terms.saturating_sub(wanted.row_len).saturating_sub(i).min(inside.len());
            for (j, x) in inside[..onto].iter_mut().enumerate() {
                *x = by.field.sub(*x, plain(i + j + wanted.row_len));
            }
            let first = i + inside.len();
            past.iter_mut().enumerate().for_each(|(j, x)| *x = plain(first + j));
        }
    };
    let (words, bytes) = (out.len(), arrays * size_of_val(out));
    let team = threads.team(words, operations, bytes);
    threads.pool.step("transform_store", bytes as u64, words as u64, || {
        let products = out.chunks_mut(wanted.len).enumerate();
        let pieces = products
            .flat_map(|(product, out)| out.chunks_mut(PIECE).enumerate().map(move |(k, out)| (product, k, out)));
        team.each(pieces, |(product, k, out)| piece(product, k, out));
    });
    Ok(())
}

/// The values of a product's rows for the coefficients from `i` on, which all have a place in a row.
fn gather<D: ResidueWord>(
    rows: &[D],
    product: usize,
    i: usize,
    wanted: &Wanted<'_, impl ResidueWord>,
    to: &mut [D],
    add: &impl Fn(&mut [D], &[D]),
) {
    let &Wanted { row_len, block, blocks, .. } = wanted;
    let first = product * blocks;
    let end = i + to.len();
    let mut done = i;
    while done < end {
        // The last row reaches past its block.
        let row = (done / block).min(blocks - 1);
        let stop = if row == blocks - 1 { end } else { end.min((row + 1) * block) };
        let at = done - row * block;
        let part = &mut to[done - i..stop - i];
        let own = (first + row) * row_len + at;
        part.copy_from_slice(&rows[own..own + part.len()]);
        let over = (wanted.b.len - 1).saturating_sub(at).min(part.len());
        if row > 0 && over > 0 {
            let before = own - row_len + block;
            add(&mut part[..over], &rows[before..before + over]);
        }
        done = stop;
    }
}

/// Coefficient `i` of a product by its definition, where it has few terms.
fn plain<F: NttField>(by: &Component<F>, a: &[F::Element], b: &[F::Element], i: usize) -> F::Element {
    let first = (i + 1).saturating_sub(b.len());
    (first..a.len().min(i + 1)).fold(by.field.zero(), |sum, j| by.field.add(sum, by.field.mul(a[j], b[i - j])))
}
