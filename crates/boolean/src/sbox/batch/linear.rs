//! Fast Walsh-Hadamard transforms of 32 components of an S-box at a time, in lanes of 8 or 16 bits.
//!
//! Row `x` has `b . S(x)` for 32 output masks `b`, one a lane, so that every butterfly is one of whole rows. Half the sum and the
//! difference of the signs of inputs `2x` and `2x + 1` are `1 - f - g` and `g - f` of the bits `f` and `g`; after `k` stages lanes are
//! at most `2^(k-1)` in size. The last stage is never done: the larger of `|u + v|` and `|u - v|` is `|u| + |v|`. Up to 8 input bits,
//! lanes of 8 bits hold all of it.

/// Components that are transformed together.
pub(super) const COLUMNS: usize = 32;

/// The parities of `y . b` for numbers below 32.
static PARITIES: [[u8; COLUMNS]; COLUMNS] = parities();

const fn parities() -> [[u8; COLUMNS]; COLUMNS] {
    let mut table = [[0; COLUMNS]; COLUMNS];
    let mut i = 0;
    while i < COLUMNS * COLUMNS {
        table[i / COLUMNS][i % COLUMNS] = ((i / COLUMNS) & (i % COLUMNS)).count_ones() as u8 & 1;
        i += 1;
    }
    table
}

/// A lane: `i8` for at most 8 input bits, `i16` for at most 16.
pub(super) trait Lane: Copy + Default + Send {
    /// Half the sum and half the difference of the signs of two bits.
    fn pair(f: u8, g: u8) -> (Self, Self);
    fn butterfly(u: Self, v: Self) -> (Self, Self);
    /// `most`, or `|u| + |v|` of each column where that is larger.
    fn larger(most: &mut [u16; COLUMNS], rows: (&[[Self; COLUMNS]], &[[Self; COLUMNS]]));
}

macro_rules! lane {
    ($signed:ty, $unsigned:ty) => {
        impl Lane for $signed {
            #[inline(always)]
            fn pair(f: u8, g: u8) -> (Self, Self) {
                let (f, g) = (f as Self, g as Self);
                (1 - f - g, g - f)
            }

            #[inline(always)]
            fn butterfly(u: Self, v: Self) -> (Self, Self) {
                (u.wrapping_add(v), u.wrapping_sub(v))
            }

            #[inline(always)]
            fn larger(most: &mut [u16; COLUMNS], (low, high): (&[[Self; COLUMNS]], &[[Self; COLUMNS]])) {
                let mut found = [0 as $unsigned; COLUMNS];
                for (u, v) in low.iter().zip(high) {
                    for j in 0..COLUMNS {
                        found[j] = found[j].max(u[j].unsigned_abs().wrapping_add(v[j].unsigned_abs()));
                    }
                }
                for (most, found) in most.iter_mut().zip(found) {
                    *most = (*most).max(found.into());
                }
            }
        }
    };
}

lane!(i8, u8);
lane!(i16, u16);

/// The linearities, halved, of the components with the masks from `first` on, a multiple of [`COLUMNS`]; those of masks of
/// `2^n` and more are of no use. `rows` has one for each output, of anything.
#[inline(always)]
pub(super) fn halves<T: Lane, V: Copy + Into<u16>>(
    values: &[V],
    first: u16,
    rows: &mut [[T; COLUMNS]],
) -> [u16; COLUMNS] {
    let bits = |y: u16| (&PARITIES[usize::from(y) % COLUMNS], ((y & first).count_ones() & 1) as u8);
    for (pair, out) in values.chunks_exact(2).zip(rows.chunks_exact_mut(2)) {
        let ((f, odd_f), (g, odd_g)) = (bits(pair[0].into()), bits(pair[1].into()));
        let (u, v) = out.split_at_mut(1);
        for j in 0..COLUMNS {
            (u[0][j], v[0][j]) = T::pair(f[j] ^ odd_f, g[j] ^ odd_g);
        }
    }
    let half = rows.len() / 2;
    let mut step = 2;
    while step < half {
        for block in rows.chunks_exact_mut(2 * step) {
            let (low, high) = block.split_at_mut(step);
            for (u, v) in low.iter_mut().zip(high) {
                for j in 0..COLUMNS {
                    (u[j], v[j]) = T::butterfly(u[j], v[j]);
                }
            }
        }
        step *= 2;
    }
    let mut most = [0; COLUMNS];
    T::larger(&mut most, rows.split_at(half));
    most
}
