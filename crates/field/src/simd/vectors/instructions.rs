//! The text that the vectors of every instruction set share: methods of their traits, for a type around a register.

/// Reading, writing and filling vectors of lanes of a type that are words of `$memory` in memory.
macro_rules! memory {
    ($memory:ty: $load:path, $store:path; $($splat:ident($lane:ty $(as $signed:ty)?) = $set:path;)*) => {
        #[inline(always)]
        unsafe fn load(from: *const $memory) -> Self {
            // SAFETY: the caller vouches for the instruction set and the words.
            Self(unsafe { $load(from.cast()) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut $memory) {
            // SAFETY: the caller vouches for the words.
            unsafe { $store(to.cast(), self.0) }
        }

        $(
            #[inline(always)]
            unsafe fn $splat(lane: $lane) -> Self {
                // SAFETY: the caller vouches for the instruction set.
                Self(unsafe { $set(lane $(as $signed)?) })
            }
        )*
    };
}

/// Methods that are an instruction each.
macro_rules! instructions {
    ($($name:ident($($x:ident),*) = $instruction:path;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $x: Self)*) -> Self {
            // SAFETY: the values exist.
            Self(unsafe { $instruction(self.0 $(, $x.0)*) })
        }
    )*};
}

/// High words of products by way of the products of the even words and of the odd ones: a multiplier is itself, and its odd words in
/// the places of the even ones, as `$odd` brings them there. `$high_words` puts the high words of both together.
macro_rules! multipliers {
    ($odd:path, $product:path, $high_words:path) => {
        type Multiplier = (Self, Self);

        #[inline(always)]
        unsafe fn splat_multiplier(word: u32) -> Self::Multiplier {
            // SAFETY: the caller vouches for the instruction set.
            let all = unsafe { Self::splat(word) };
            (all, all)
        }

        #[inline(always)]
        fn multiplier(self) -> Self::Multiplier {
            // SAFETY: the value exists.
            (self, Self(unsafe { $odd(self.0) }))
        }

        #[inline(always)]
        fn high_product(self, by: Self::Multiplier) -> Self {
            // SAFETY: the values exist.
            Self(unsafe { $high_words($product(self.0, by.0.0), $product($odd(self.0), by.1.0)) })
        }
    };
}

pub(super) use {instructions, memory, multipliers};
