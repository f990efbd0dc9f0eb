//! Condensation in double precision step by step with the host's threads: two buffers that change places.

use manycore_device::{DeviceError, HostPool, checkpoint};

use super::factors::Condensed;
use super::options::Pivoting;

/// Entries of a step that are worth a second thread.
const LONG: usize = 1 << 14;
/// Entries that a thread takes at a time.
const TASK: usize = 1 << 12;

/// The steps for an order above 0. Cancelled work ends between two steps.
pub(super) fn condense(
    pool: &HostPool,
    order: usize,
    words: &[f64],
    pivoting: Pivoting,
) -> Result<Condensed, DeviceError> {
    let operations = 2 * (order * order * order / 3) as u64;
    pool.step("real_step", size_of_val(words) as u64, operations, || {
        let mut pivots = Vec::with_capacity(order);
        let (mut heads, mut tails) = (vec![0.0; order * order], vec![0.0; order * order]);
        let mut from = words.to_vec();
        let mut to = vec![0.0; (order - 1) * (order - 1)];
        for step in 0..order {
            checkpoint()?;
            let n = order - step;
            let Some((row, column)) = choose(&from[..n * n], n, pivoting) else { break };
            let pivot = from[row * n + column];
            pivots.push((row, column, pivot));
            let head = &mut heads[step * order..][..n];
            head.copy_from_slice(&from[row * n..][..n]);
            let tail = &mut tails[step * order..][..n];
            for (i, (tail, line)) in tail.iter_mut().zip(from.chunks(n)).enumerate() {
                *tail = if i == row { 1.0 } else { line[column] / pivot };
            }
            if n > 1 {
                let lines = from[..n * n].chunks(n).zip(tail.iter()).enumerate().filter(|&(i, _)| i != row);
                let mut lines: Vec<_> = to[..(n - 1) * (n - 1)].chunks_mut(n - 1).zip(lines).collect();
                let (head, band) = (&*head, (TASK / n).max(1));
                pool.team().only_if(n * n >= LONG).each(lines.chunks_mut(band), |lines| {
                    for (out, (i, (line, tail))) in lines {
                        let (before, behind) = out.split_at_mut(column);
                        subtract(before, &line[..column], &head[..column], **tail);
                        subtract(behind, &line[column + 1..], &head[column + 1..], **tail);
                        // Entries before the pivot in its row or column, but not both, change their sign.
                        let negative = if *i < row { behind } else { before };
                        for x in negative {
                            *x = -*x;
                        }
                    }
                });
                std::mem::swap(&mut from, &mut to);
            }
        }
        Ok(Condensed { order, pivots, heads, tails })
    })
}

/// `out = line - head factor`, each operation rounded.
fn subtract(out: &mut [f64], line: &[f64], head: &[f64], factor: f64) {
    for (out, (&x, &y)) in out.iter_mut().zip(line.iter().zip(head)) {
        *out = x - y * factor;
    }
}

/// Row and column of the pivot, the first of equal candidates; `None` where all are 0.
fn choose(words: &[f64], order: usize, pivoting: Pivoting) -> Option<(usize, usize)> {
    let searched = if pivoting == Pivoting::Complete { words } else { &words[..order] };
    let mut best: Option<(usize, f64)> = None;
    for (index, &x) in searched.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let own = score(x, pivoting);
        if best.is_none_or(|(_, score)| own < score) {
            best = Some((index, own));
        }
    }
    best.map(|(index, _)| (index / order, index % order))
}

/// What a candidate is compared by, the lower the better; numbers that are none come last.
pub(super) fn score(x: f64, pivoting: Pivoting) -> f64 {
    match pivoting {
        Pivoting::First => 0.0,
        Pivoting::ClosestToOne if x.is_nan() => f64::INFINITY,
        Pivoting::ClosestToOne => (x - 1.0).abs(),
        Pivoting::Partial | Pivoting::Complete if x.is_nan() => 0.0,
        Pivoting::Partial | Pivoting::Complete => -x.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_choose_as_they_say() {
        let words = [0.0, -3.0, 0.75, 1.5, 9.0, 1.0, 0.0, 2.0, -9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let chosen = Pivoting::ALL.map(|pivoting| choose(&words, 4, pivoting));
        assert_eq!(chosen, [Some((0, 1)), Some((0, 2)), Some((0, 1)), Some((1, 0))]);
        assert_eq!(choose(&[0.0, 0.0, 1.0, 2.0], 2, Pivoting::Partial), None);
        assert_eq!(choose(&[0.0, 0.0, 1.0, 2.0], 2, Pivoting::Complete), Some((1, 1)));
        assert_eq!(choose(&[f64::NAN, 1e-9], 1, Pivoting::Partial), Some((0, 0)));
        assert_eq!(choose(&[f64::NAN, 1e-9, 0.0, 0.0], 2, Pivoting::Partial), Some((0, 1)));
    }
}
