//! Loops over blocks of values: chunks of a fixed length, which compilers turn into vector instructions, for each instruction set.

/// Values of a chunk: a few vectors of every type.
pub(super) const CHUNK: usize = 64;

/// An instruction set that this processor has, so a value can only be made after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// What every processor has.
    Portable,
    /// With fused products and sums.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The widest one of this processor.
    pub(super) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Self::Avx2;
            }
        }
        Self::Portable
    }

    /// Every one of this processor.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let widest = Self::widest();
        #[cfg(target_arch = "x86_64")]
        return match widest {
            Self::Portable => vec![widest],
            Self::Avx2 => vec![Self::Portable, widest],
            Self::Avx512 => vec![Self::Portable, Self::Avx2, widest],
        };
        #[cfg(not(target_arch = "x86_64"))]
        vec![widest]
    }
}

/// Values of an operand: one for each element, or a chunk of the one that stands for all.
#[derive(Clone, Copy)]
pub(super) struct Values<'a, T> {
    words: &'a [T],
    /// [`CHUNK`], or 0 where each chunk is the first.
    stride: usize,
}

impl<'a, T: Copy> Values<'a, T> {
    /// A value for each element.
    pub(super) fn of_each(words: &'a [T]) -> Self {
        Self { words, stride: CHUNK }
    }

    /// A chunk that stands for all.
    pub(super) fn of_all(words: &'a [T]) -> Self {
        Self { words, stride: 0 }
    }

    /// The bits as a type of equal size.
    pub(super) fn cast<U: bytemuck::Pod>(self) -> Values<'a, U>
    where
        T: bytemuck::Pod,
    {
        Values { words: bytemuck::cast_slice(self.words), stride: self.stride }
    }

    /// Values from a chunk on.
    #[inline(always)]
    fn from(self, chunk: usize) -> &'a [T] {
        &self.words[chunk * self.stride..]
    }

    #[inline(always)]
    fn chunk(self, chunk: usize) -> &'a [T] {
        &self.from(chunk)[..CHUNK]
    }
}

#[inline(always)]
fn ones_of<T: Copy, R>((a,): (Values<'_, T>,), to: &mut [R], f: impl Fn(T) -> R) {
    let mut chunks = to.chunks_exact_mut(CHUNK);
    let mut at = 0;
    for to in chunks.by_ref() {
        for (to, &a) in to.iter_mut().zip(a.chunk(at)) {
            *to = f(a);
        }
        at += 1;
    }
    for (to, &a) in chunks.into_remainder().iter_mut().zip(a.from(at)) {
        *to = f(a);
    }
}

#[inline(always)]
fn twos_of<T: Copy, U: Copy, R>((a, b): (Values<'_, T>, Values<'_, U>), to: &mut [R], f: impl Fn(T, U) -> R) {
    let mut chunks = to.chunks_exact_mut(CHUNK);
    let mut at = 0;
    for to in chunks.by_ref() {
        for (to, (&a, &b)) in to.iter_mut().zip(a.chunk(at).iter().zip(b.chunk(at))) {
            *to = f(a, b);
        }
        at += 1;
    }
    for (to, (&a, &b)) in chunks.into_remainder().iter_mut().zip(a.from(at).iter().zip(b.from(at))) {
        *to = f(a, b);
    }
}

type Three<'a, T, U, V> = (Values<'a, T>, Values<'a, U>, Values<'a, V>);

#[inline(always)]
fn threes_of<T: Copy, U: Copy, V: Copy, R>((a, b, c): Three<'_, T, U, V>, to: &mut [R], f: impl Fn(T, U, V) -> R) {
    let mut chunks = to.chunks_exact_mut(CHUNK);
    let mut at = 0;
    for to in chunks.by_ref() {
        for ((to, &a), (&b, &c)) in to.iter_mut().zip(a.chunk(at)).zip(b.chunk(at).iter().zip(c.chunk(at))) {
            *to = f(a, b, c);
        }
        at += 1;
    }
    let rest = chunks.into_remainder().iter_mut().zip(a.from(at));
    for ((to, &a), (&b, &c)) in rest.zip(b.from(at).iter().zip(c.from(at))) {
        *to = f(a, b, c);
    }
}

/// A loop, compiled for each instruction set.
macro_rules! compiled {
    ($($what:literal $name:ident = $portable:ident, $avx2:ident, $avx512:ident: $($T:ident)*;)*) => {$(
        #[doc = $what]
        pub(super) fn $name<$($T: Copy,)* R>(
            level: Level,
            of: ($(Values<'_, $T>,)*),
            to: &mut [R],
            f: impl Fn($($T),*) -> R,
        ) {
            match level {
                Level::Portable => $portable(of, to, f),
                // SAFETY: a level exists only if the processor has its instruction set.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => unsafe { $avx2(of, to, f) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => unsafe { $avx512(of, to, f) },
            }
        }

        /// # Safety
        /// The processor has AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        unsafe fn $avx2<$($T: Copy,)* R>(of: ($(Values<'_, $T>,)*), to: &mut [R], f: impl Fn($($T),*) -> R) {
            $portable(of, to, f);
        }

        /// # Safety
        /// The processor has AVX-512 F, BW, DQ and VL.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn $avx512<$($T: Copy,)* R>(of: ($(Values<'_, $T>,)*), to: &mut [R], f: impl Fn($($T),*) -> R) {
            $portable(of, to, f);
        }
    )*};
}

compiled! {
    "Applies a function to each value." ones = ones_of, ones_avx2, ones_avx512: T;
    "Applies a function to each pair." twos = twos_of, twos_avx2, twos_avx512: T U;
    "Applies a function to values of three operands." threes = threes_of, threes_avx2, threes_avx512: T U V;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On each instruction set, of lengths around chunks, of operands of both kinds.
    #[test]
    fn loops_do_what_iterators_do() {
        for level in Level::all() {
            for len in [0, 1, 15, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 17] {
                let a: Vec<i32> = (0..len as i32).map(|i| i.wrapping_mul(0x9e37_79b9_u32 as i32)).collect();
                let b: Vec<i32> = a.iter().map(|a| a ^ 0x4d).collect();
                let same = [5i32; CHUNK];
                let (each, other, all) = (Values::of_each(&a), Values::of_each(&b), Values::of_all(&same));
                let mut made = vec![0i64; len];
                ones(level, (each,), &mut made, |a| i64::from(a) - 1);
                assert!(made.iter().zip(&a).all(|(&made, &a)| made == i64::from(a) - 1));
                ones(level, (all,), &mut made, i64::from);
                assert!(made.iter().all(|&made| made == 5));
                twos(level, (each, all), &mut made, |a, b| i64::from(a) * i64::from(b));
                assert!(made.iter().zip(&a).all(|(&made, &a)| made == i64::from(a) * 5));
                twos(level, (each, other), &mut made, |a, b| i64::from(a) - i64::from(b));
                assert!(made.iter().zip(a.iter().zip(&b)).all(|(&made, (&a, &b))| made == i64::from(a) - i64::from(b)));
                threes(level, (each, all, other), &mut made, |a, b, c| i64::from(if a > b { b } else { c }));
                let expected = a.iter().zip(&b).map(|(&a, &c)| i64::from(if a > 5 { 5 } else { c }));
                assert!(made.iter().copied().eq(expected));
            }
        }
    }
}
