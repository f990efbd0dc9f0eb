//! Signatures of users' kernels, and their comparison with the runtime's record of the source.

use crate::opencl::spec::{Pass, Shape};
use crate::word::{Word, WordType};

/// The arguments of a kernel of a user's own, in order.
///
/// ```
/// use manycore_device::Signature;
/// // __kernel void sums(__global const float *x, __global float *sums, __local float *scratch, const uint len)
/// let signature = Signature::new().input::<f32>().buffer::<f32>().local::<f32>().value::<u32>();
/// assert_eq!(signature.len(), 4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Signature(Vec<Shape>);

impl Signature {
    /// No arguments.
    pub fn new() -> Self {
        Self::default()
    }

    fn with<T: Word>(mut self, passing: Pass, count: usize) -> Self {
        self.0.push(Shape { passing, words: T::TYPE, count });
        self
    }

    /// A buffer that the kernel only reads: `__global const` or `__constant` memory. A buffer of vectors (`float4*`) is one of
    /// their words.
    #[must_use]
    pub fn input<T: Word>(self) -> Self {
        self.with::<T>(Pass::Input, 0)
    }

    /// A buffer that the kernel writes, or reads and writes: `__global` memory.
    #[must_use]
    pub fn buffer<T: Word>(self) -> Self {
        self.with::<T>(Pass::Buffer, 0)
    }

    /// A number by value.
    #[must_use]
    pub fn value<T: Word>(self) -> Self {
        self.with::<T>(Pass::Value, 0)
    }

    /// A vector (`float4`), or a struct of `count` numbers of one type, by value. A vector of 3 has the size of one of 4.
    #[must_use]
    pub fn words<T: Word>(self, count: usize) -> Self {
        self.with::<T>(Pass::Words, count)
    }

    /// Local memory, of a size that each launch gives: a `__local` pointer.
    #[must_use]
    pub fn local<T: Word>(self) -> Self {
        self.with::<T>(Pass::Local, 0)
    }

    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_shapes(self) -> Vec<Shape> {
        self.0
    }
}

/// What an argument is in the source, by the runtime's record of its address space and its type, if that is not the declared shape.
pub(super) fn difference(space: Option<&str>, found: Option<&str>, shape: Shape) -> Option<String> {
    let is_space = |space| match shape.passing {
        Pass::Input => matches!(space, "global" | "constant"),
        Pass::Buffer => space == "global",
        Pass::Local => space == "local",
        Pass::Value | Pass::Words => space == "private",
    };
    let is_type = |found: &str| {
        let found = found.replace(' ', "");
        let is_pointer = matches!(shape.passing, Pass::Input | Pass::Buffer | Pass::Local);
        let base = found.trim_end_matches('*');
        if (base.len() < found.len()) != is_pointer {
            return false;
        }
        let word = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let lanes = match &base[word.len()..] {
            "" => Some(1),
            "3" => Some(4),
            lanes => lanes.parse().ok(),
        };
        match WordType::of_opencl(word) {
            // A type that the program defines.
            None => true,
            Some(word) if word != shape.words => false,
            Some(_) => match shape.passing {
                Pass::Value => lanes == Some(1),
                Pass::Words => lanes == Some(shape.count) && shape.count > 1,
                Pass::Input | Pass::Buffer | Pass::Local => true,
            },
        }
    };
    if space.is_none_or(is_space) && found.is_none_or(is_type) {
        return None;
    }
    let space = space.filter(|&space| space != "private").map(|space| format!("__{space} ")).unwrap_or_default();
    Some(format!("`{space}{}`, as its source has", found.unwrap_or("memory")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(passing: Pass, words: WordType, count: usize) -> Shape {
        Shape { passing, words, count }
    }

    #[test]
    fn what_agrees_is_no_difference() {
        let agree = |space: &str, found: &str, passing, words, count| {
            let shape = shape(passing, words, count);
            assert_eq!(difference(Some(space), Some(found), shape), None, "{space} {found}");
            assert_eq!(difference(None, None, shape), None, "nothing is known");
            assert_eq!(difference(Some(space), None, shape), None);
            assert_eq!(difference(None, Some(found), shape), None);
        };
        agree("global", "float*", Pass::Input, WordType::F32, 0);
        agree("constant", "float *", Pass::Input, WordType::F32, 0);
        agree("global", "float4*", Pass::Buffer, WordType::F32, 0);
        agree("local", "ulong*", Pass::Local, WordType::U64, 0);
        agree("private", "ulong", Pass::Value, WordType::U64, 0);
        agree("private", "uint4", Pass::Words, WordType::U32, 4);
        agree("private", "uint3", Pass::Words, WordType::U32, 4);
        // Types that the program defines.
        agree("global", "real*", Pass::Buffer, WordType::F64, 0);
        agree("private", "real", Pass::Value, WordType::F64, 0);
        agree("private", "struct constants", Pass::Words, WordType::F64, 6);
    }

    #[test]
    fn differences_tell_the_source() {
        let differ = |space: &str, found: &str, passing, words, count, told: &str| {
            let difference = difference(Some(space), Some(found), shape(passing, words, count));
            assert_eq!(difference.as_deref(), Some(&*format!("`{told}`, as its source has")));
        };
        differ("global", "float*", Pass::Input, WordType::F64, 0, "__global float*");
        differ("constant", "float*", Pass::Buffer, WordType::F32, 0, "__constant float*");
        differ("local", "float*", Pass::Buffer, WordType::F32, 0, "__local float*");
        differ("global", "float*", Pass::Local, WordType::F32, 0, "__global float*");
        differ("global", "float*", Pass::Value, WordType::F32, 0, "__global float*");
        differ("private", "float", Pass::Buffer, WordType::F32, 0, "float");
        differ("private", "uint", Pass::Value, WordType::I32, 0, "uint");
        differ("private", "uint2", Pass::Value, WordType::U32, 0, "uint2");
        differ("private", "uint2", Pass::Words, WordType::U32, 3, "uint2");
        differ("private", "uint", Pass::Words, WordType::U32, 1, "uint");
        let no_space = difference(None, Some("real*"), shape(Pass::Value, WordType::F32, 0));
        assert_eq!(no_space.as_deref(), Some("`real*`, as its source has"));
        let no_type = difference(Some("local"), None, shape(Pass::Buffer, WordType::F32, 0));
        assert_eq!(no_type.as_deref(), Some("`__local memory`, as its source has"));
    }
}
