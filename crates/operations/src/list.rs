//! The list.

use crate::Operation;

/// Makes [`ALL`], and the macro that gives the operations' identifiers to another macro.
macro_rules! operations {
    (($d:tt) $($identifier:ident { $($facts:tt)* })*) => {
        /// Every operation.
        pub const ALL: &[Operation] = &[$(Operation { $($facts)* }),*];

        /// Gives the identifiers of all operations to a macro: their names with `_` in place of `-`, in the order of
        /// [`ALL`]. What is made for each operation by it does not compile where an operation's part is missing.
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($operation:ident)*) => { [$(stringify!($operation)),*].len() };
        /// }
        /// assert_eq!(manycore_operations::each_operation!(count), manycore_operations::ALL.len());
        /// ```
        #[macro_export]
        macro_rules! each_operation {
            ($d take:ident) => { $d take! { $($identifier)* } };
        }

        /// The identifiers of [`each_operation!`](crate::each_operation).
        #[cfg(test)]
        pub(crate) const IDENTIFIERS: &[&str] = &[$(stringify!($identifier)),*];
    };
}

operations! { ($)
    walsh {
        name: "walsh",
        title: "Walsh-Hadamard transform",
        item: "Walsh",
        folder: "crates/spectral/src/walsh",
        parts: "crates/spectral/src/walsh",
        choices: &["walsh"],
        page: "walsh",
        form: "crates/spectral/src/operations/walsh",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum walsh`",
    }
    reed_muller {
        name: "reed-muller",
        title: "Reed-Muller transform",
        item: "ReedMuller",
        folder: "crates/spectral/src/reed_muller",
        parts: "crates/spectral/src/walsh",
        choices: &["reed-muller"],
        page: "reed-muller",
        form: "crates/spectral/src/operations/reed_muller",
        elements: "bits, one in a `u8`, `u32`, `i32`, `u64` or `i64`, or 64 in a word",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; any fixed polarity",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore spectrum reed-muller`",
    }
    arithmetic {
        name: "arithmetic",
        title: "Arithmetic transform",
        item: "Arithmetic",
        folder: "crates/spectral/src/arithmetic",
        parts: "crates/spectral/src/walsh",
        choices: &["arithmetic"],
        page: "arithmetic",
        form: "crates/spectral/src/operations/arithmetic",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; any fixed polarity",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum arithmetic`",
    }
    haar {
        name: "haar",
        title: "Haar transform",
        item: "Haar",
        folder: "crates/spectral/src/haar",
        parts: "crates/spectral/src/haar",
        choices: &["haar"],
        page: "haar",
        form: "crates/spectral/src/operations/haar",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "2^n values from n = 0 to the memory of the device, in batches; normalised or not",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum haar`",
    }
    ntt {
        name: "ntt",
        title: "Number-theoretic transform",
        item: "Ntt",
        folder: "crates/ntt/src",
        parts: "crates/ntt/src",
        choices: &["ntt"],
        page: "ntt",
        form: "crates/ntt/src/operations/ntt",
        elements: "residues modulo primes below 2^31 (`u32`), below 2^63 and 2^64 - 2^32 + 1 (`u64`)",
        sizes: "2^n values from n = 0 to the memory of the device where 2^n divides p - 1; truncated to any length; in batches",
        host: "threads and SIMD",
        opencl: "every device; in double precision where that is faster",
        program: "`manycore spectrum ntt`",
    }
    poly_mul {
        name: "poly-mul",
        title: "Product of polynomials",
        item: "mul",
        folder: "crates/poly/src/arithmetic/multiply",
        parts: "crates/poly/src/arithmetic/multiply",
        choices: &["poly-mul"],
        page: "polynomials",
        form: "crates/poly/src/operations/product",
        elements: "residues modulo the same primes, with or without roots of unity",
        sizes: "any lengths to the memory of the device; squares, short and middle products, batches",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly mul`",
    }
    poly_div {
        name: "poly-div",
        title: "Division of polynomials with remainder",
        item: "div_rem",
        folder: "crates/poly/src/arithmetic/divide",
        parts: "crates/poly/src/arithmetic/divide",
        choices: &["poly-div"],
        page: "division",
        form: "crates/poly/src/operations/quotient",
        elements: "residues modulo the same primes, with or without roots of unity",
        sizes: "any lengths to the memory of the device; kept divisors, batches",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly div`",
    }
    poly_gcd {
        name: "poly-gcd",
        title: "Greatest common divisors, cofactors, resultants, factors",
        item: "gcd",
        folder: "crates/poly/src/arithmetic/gcd",
        parts: "crates/poly/src/arithmetic/gcd",
        choices: &["poly-gcd"],
        page: "division",
        form: "crates/poly/src/operations/divisor",
        elements: "residues modulo the same primes",
        sizes: "any lengths to the memory of the device, in batches",
        host: "one thread a pair, and SIMD",
        opencl: "every device",
        program: "`manycore poly gcd`",
    }
    poly_eval {
        name: "poly-eval",
        title: "Evaluation and interpolation at many points",
        item: "evaluate_at",
        folder: "crates/poly/src/tree",
        parts: "crates/poly/src/arithmetic/evaluate",
        choices: &["poly-eval"],
        page: "trees",
        form: "crates/poly/src/operations/points",
        elements: "residues modulo the same primes",
        sizes: "any number of points to the memory of the device; kept trees, batches, moduli in place of points",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore poly eval`",
    }
    matrix_mul {
        name: "matrix-mul",
        title: "Products of matrices",
        item: "mul",
        folder: "crates/linalg/src/modular/multiply",
        parts: "crates/linalg/src/modular/multiply",
        choices: &["matrix-mul"],
        page: "linalg",
        form: "crates/linalg/src/operations/product",
        elements: "residues modulo the same primes",
        sizes: "any shapes, of the host's memory also past that of the device and on several devices; powers",
        host: "threads and SIMD",
        opencl: "every device; tensor cores from compute capability 8.0 on",
        program: "`manycore matrix mul`",
    }
    matrix_det {
        name: "matrix-det",
        title: "Determinants, ranks, echelon forms, solutions, nullspaces",
        item: "determinant",
        folder: "crates/linalg/src/modular/eliminate",
        parts: "crates/linalg/src/modular/eliminate",
        choices: &["matrix-det"],
        page: "linalg",
        form: "crates/linalg/src/operations/determinant",
        elements: "residues modulo the same primes; exactly over the integers and rationals; determinants in `f64`",
        sizes: "any shapes to the memory of the device; batches of small ones",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore matrix det`",
    }
    matrix_inverse {
        name: "matrix-inverse",
        title: "Inverses of matrices",
        item: "inverse",
        folder: "crates/linalg/src/modular/inverses",
        parts: "crates/linalg/src/modular/inverses",
        choices: &["matrix-inverse"],
        page: "linalg",
        form: "crates/linalg/src/operations/elimination",
        elements: "residues modulo the same primes; exactly over the rationals",
        sizes: "any orders to the memory of the device; batches of small ones",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore matrix inverse`",
    }
    characters {
        name: "characters",
        title: "Character tables of finite Abelian groups",
        item: "Characters",
        folder: "crates/characters/src/table",
        parts: "crates/characters/src/table",
        choices: &["characters"],
        page: "characters",
        form: "crates/characters/src/operations",
        elements: "exponents `u8`, `u16`, `u32`; complex `f32`, `f64`; residues modulo a prime",
        sizes: "any product of cyclic groups; whole tables, tiles, streams",
        host: "threads",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore characters`",
    }
    boolean {
        name: "boolean",
        title: "Boolean functions",
        item: "Boolean",
        folder: "crates/boolean/src/function",
        parts: "crates/boolean/src/function",
        choices: &[],
        page: "boolean",
        form: "crates/boolean/src/operations/function",
        elements: "packed truth tables",
        sizes: "n variables, from 0 to 34; spectra to 30",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore boolean`",
    }
    sbox {
        name: "sbox",
        title: "Tables of S-boxes",
        item: "SBox",
        folder: "crates/boolean/src/sbox",
        parts: "crates/boolean/src/sbox",
        choices: &["sbox-linear", "sbox-differences"],
        page: "boolean",
        form: "crates/boolean/src/operations/table",
        elements: "outputs of 1 to 16 bits",
        sizes: "1 to 16 input bits; whole tables, rows, counts of entries",
        host: "threads and SIMD",
        opencl: "every device",
        program: "`manycore sbox`",
    }
    kronecker {
        name: "kronecker",
        title: "Kronecker products of small matrices",
        item: "Kronecker",
        folder: "crates/kronecker/src/transform",
        parts: "crates/kronecker/src/transform",
        choices: &["kronecker"],
        page: "kronecker",
        form: "crates/kronecker/src/operations/product",
        elements: "`i32`, `i64`, `f32`, `f64`, complex numbers of both, residues modulo a prime",
        sizes: "any product of matrices of orders 1 to 32 to the memory of the device, in batches",
        host: "threads and vectors by the compiler",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum kronecker`",
    }
    fourier {
        name: "fourier",
        title: "Fourier transform on finite Abelian groups",
        item: "Fourier",
        folder: "crates/fourier/src/transform",
        parts: "crates/fourier/src/transform",
        choices: &["fourier"],
        page: "fourier",
        form: "crates/fourier/src/operations/fourier",
        elements: "complex `f32` and `f64`, residues modulo a prime with the roots",
        sizes: "any product of cyclic groups to the memory of the device, in batches; convolutions, correlations",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore spectrum fourier`",
    }
    sparse {
        name: "sparse",
        title: "Products of sparse matrices",
        item: "SparseProduct",
        folder: "crates/sparse/src/multiply",
        parts: "crates/sparse/src/multiply",
        choices: &["sparse-multiply"],
        page: "sparse",
        form: "crates/sparse/src/operations/multiply",
        elements: "`f32`, `f64`, complex numbers of both, residues modulo a prime",
        sizes: "any sparse matrix below 2^32 rows and columns, in blocks past the memory of the device, by vectors and dense \
                matrices; orders of rows and columns, predicted cache misses",
        host: "threads",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore sparse multiply`",
    }
    semiring {
        name: "semiring",
        title: "Generalized products of matrices",
        item: "Products",
        folder: "crates/semiring/src/multiply",
        parts: "crates/semiring/src/multiply",
        choices: &["semiring-product"],
        page: "semirings",
        form: "crates/semiring/src/operations/product",
        elements: "numbers, truth values and tuples of up to eight, with a sum and a product of a user's own",
        sizes: "any shapes, stored, as functions or as lists of entries; in blocks past the memory of the device, and on several \
                devices; programs of products and functions of entries, too",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore semiring product`",
    }
    sort {
        name: "sort",
        title: "Stable sorts of numbers",
        item: "Sorter",
        folder: "crates/sort/src/radix",
        parts: "crates/sort/src/radix",
        choices: &["sort-numbers"],
        page: "sorting",
        form: "crates/sort/src/operations/numbers",
        elements: "integers of 8 to 128 bits, `f32` and `f64` by the total order, alone or with values of 32 or 64 bits",
        sizes: "any number of keys, past the memory of the device in blocks, and on several devices; segments, places, the first few",
        host: "threads",
        opencl: "every device",
        program: "`manycore sort numbers`",
    }
    maxplus_star {
        name: "maxplus-star",
        title: "Longest paths: Kleene star of a matrix",
        item: "MaxPlus",
        folder: "crates/maxplus/src/star",
        parts: "crates/maxplus/src/star",
        choices: &["maxplus-star"],
        page: "maxplus",
        form: "crates/maxplus/src/operations/star",
        elements: "`i32`, `i64`, `f32`, `f64`",
        sizes: "any graph, with circuits or without, in blocks past the memory of the device, and on several devices",
        host: "threads and SIMD",
        opencl: "every device; `f64` where it has `cl_khr_fp64`",
        program: "`manycore maxplus star`",
    }
}
