//! Lines of keys on their way to many places at once (software write-combining; Satish, Kim, Chhugani, Nguyen, Lee, Kim and Dubey, Fast
//! Sort on CPUs and GPUs, 2010, section 4.1): the keys of a digit gather in a line of the first caches, and full lines are written
//! whole, so that a key costs no miss of its own.

use crate::digits::Digits;

/// Keys of a line: 64 bytes of 32-bit keys.
pub(crate) const LINE: usize = 16;

/// What sorts with a key: nothing, or a word.
pub(crate) trait Payload: Copy + Default + Send + Sync {}
impl Payload for () {}
impl Payload for u32 {}
impl Payload for u64 {}
impl Payload for usize {}

/// Keys of each digit, with what goes with them, on their way to a part of memory of each digit.
pub(crate) struct Lines<'a, W, V> {
    lines: Vec<Line<W, V>>,
    targets: Vec<(&'a mut [W], &'a mut [V])>,
}

#[derive(Clone)]
struct Line<W, V> {
    keys: [W; LINE],
    values: [V; LINE],
    /// Places before which there are no keys: the first line ends where a line of the memory does.
    first: usize,
    /// The place of the next key.
    next: usize,
}

impl<'a, W: Digits, V: Payload> Lines<'a, W, V> {
    /// To these parts of memory, one a digit.
    pub(crate) fn new(targets: Vec<(&'a mut [W], &'a mut [V])>) -> Self {
        let line = |(keys, _): &(&'a mut [W], &'a mut [V])| {
            let first = keys.as_ptr().addr() / size_of::<W>() % LINE;
            Line { keys: [W::of_u64(0); LINE], values: [V::default(); LINE], first, next: first }
        };
        Self { lines: targets.iter().map(line).collect(), targets }
    }

    /// The next key of a digit. Keys of digits that are not there, and keys past the end of their part of memory, are dropped.
    #[inline]
    pub(crate) fn push(&mut self, digit: usize, key: W, value: V) {
        let Some(line) = self.lines.get_mut(digit) else { return };
        let next = line.next % LINE;
        line.keys[next] = key;
        line.values[next] = value;
        line.next = next + 1;
        if next + 1 == LINE
            && let Some(target) = self.targets.get_mut(digit)
        {
            write(line, target);
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) {
        for (line, target) in self.lines.iter_mut().zip(&mut self.targets) {
            write(line, target);
        }
    }
}

/// Writes a line to the front of its part of memory.
#[inline]
fn write<W: Digits, V: Payload>(line: &mut Line<W, V>, target: &mut (&mut [W], &mut [V])) {
    let (first, next) = (std::mem::take(&mut line.first), std::mem::take(&mut line.next));
    let (keys, values) = (std::mem::take(&mut target.0), std::mem::take(&mut target.1));
    let count = next.saturating_sub(first).min(keys.len()).min(values.len());
    let (to, later) = keys.split_at_mut(count);
    let (to_values, later_values) = values.split_at_mut(count);
    // Whole lines have a length that the compiler knows.
    if let (Ok(to), Ok(to_values)) = (<&mut [W; LINE]>::try_from(&mut *to), <&mut [V; LINE]>::try_from(&mut *to_values))
    {
        (*to, *to_values) = (line.keys, line.values);
    } else {
        to.copy_from_slice(&line.keys[first..first + count]);
        to_values.copy_from_slice(&line.values[first..first + count]);
    }
    *target = (later, later_values);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of three digits to parts of memory that begin anywhere, also of none and of too few.
    #[test]
    fn keys_keep_their_order() {
        for offset in 0..LINE {
            for len in [0usize, 1, 15, 16, 17, 33, 100] {
                let mut keys = vec![0u32; 3 * len + offset];
                let mut values = vec![0u64; 3 * len];
                let (first, later) = keys[offset..].split_at_mut(len);
                let (second, third) = later.split_at_mut(len);
                let mut of_values = values.chunks_mut(len.max(1));
                let targets = [first, second, &mut third[..len - len.min(1)]];
                let targets = targets.map(|keys| (keys, of_values.next().unwrap_or_default()));
                let mut lines = Lines::new(targets.into());
                for i in 0..3 * len {
                    lines.push(i % 3, i as u32, !(i as u64));
                }
                lines.push(3, 7, 7);
                lines.finish();
                for (digit, keys) in keys[offset..].chunks(len.max(1)).enumerate() {
                    let last = len - usize::from(digit == 2);
                    assert!(keys[..last].iter().enumerate().all(|(i, &key)| key as usize == 3 * i + digit));
                    assert!(keys[last..].iter().all(|&key| key == 0), "nothing past the end");
                    let values = &values[digit * len..][..last];
                    assert!(values.iter().enumerate().all(|(i, &value)| value == !(3 * i as u64 + digit as u64)));
                }
            }
        }
    }
}
