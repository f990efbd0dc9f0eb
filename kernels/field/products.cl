// Products modulo p one after another, by each of the multiplications: what tests compare and what rates are measured with.
//
// parts: field/montgomery.clh
// set: METHOD=1 CHAINS=8u
// set: METHOD=2
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 METHOD=1
// set: ulong ARITHMETIC=1 METHOD=2
// set: ulong ARITHMETIC=2 METHOD=1
// set: ulong ARITHMETIC=3 METHOD=0
// set: ulong ARITHMETIC=3 METHOD=1

#ifndef METHOD
#define METHOD 0 // 0 of two residues, 1 by a known constant, 2 after Montgomery
#endif
#ifndef CHAINS
#define CHAINS 1u // values of a work-item, independent of each other
#endif

#if METHOD == 2 && ARITHMETIC == WORD32
#define PRODUCT(x) montgomery32(x, b, p, (uint)inverse)
#elif METHOD == 2
#define PRODUCT(x) montgomery64(x, b, p, inverse)
#elif METHOD == 1
#define PRODUCT(x) mod_times(x, w, m)
#else
#define PRODUCT(x) mod_canonical(mod_mul(x, y, m), m)
#endif

// data: `count` residues, each replaced by its product with b, `times` times over (divided by R each time, after
// Montgomery). b_words: b as a factor. inverse: p^-1 modulo the word, after Montgomery.
__kernel void products(__global ELEMENT *restrict data, const ulong count, const ELEMENT b, const ELEMENT b_first,
                       const ELEMENT b_second, const uint times, const ELEMENT p, const ulong reciprocal,
                       const ulong inverse)
{
    const modulus m = mod_of(p, reciprocal);
    const factor w = mod_factor(b_first, b_second);
    const ulong stride = get_global_size(0);
    const ulong first = get_global_id(0);
#if METHOD == 2
    ELEMENT x[CHAINS];
    (void)m, (void)w;
#else
    residue x[CHAINS];
    const residue y = mod_in(b);
    (void)w, (void)y, (void)inverse;
#endif
#pragma unroll
    for (uint k = 0; k < CHAINS; k++) {
        const ELEMENT value = first + k * stride < count ? data[first + k * stride] : (ELEMENT)0;
#if METHOD == 2
        x[k] = value;
#else
        x[k] = mod_in(value);
#endif
    }
    for (uint i = 0; i < times; i++) {
#pragma unroll
        for (uint k = 0; k < CHAINS; k++)
            x[k] = PRODUCT(x[k]);
    }
#pragma unroll
    for (uint k = 0; k < CHAINS; k++) {
        if (first + k * stride < count) {
#if METHOD == 2
            data[first + k * stride] = x[k];
#else
            data[first + k * stride] = mod_out(x[k], m);
#endif
        }
    }
}

// data: `count` residues, an even number: each pair (u, v), the second half being v, goes through (u + b v, u - b v),
// `times` times over.
__kernel void butterflies(__global ELEMENT *restrict data, const ulong count, const ELEMENT b_first,
                          const ELEMENT b_second, const uint times, const ELEMENT p, const ulong reciprocal)
{
    const modulus m = mod_of(p, reciprocal);
    const factor w = mod_factor(b_first, b_second);
    const ulong stride = get_global_size(0);
    const ulong first = get_global_id(0);
    const ulong pairs = count / 2ul;
    residue u[CHAINS];
    residue v[CHAINS];
#pragma unroll
    for (uint k = 0; k < CHAINS; k++) {
        const ulong at = first + k * stride;
        u[k] = mod_in(at < pairs ? data[at] : (ELEMENT)0);
        v[k] = mod_in(at < pairs ? data[pairs + at] : (ELEMENT)0);
    }
    for (uint i = 0; i < times; i++) {
#pragma unroll
        for (uint k = 0; k < CHAINS; k++) {
            // As in a round of four levels: sizes are settled once in four butterflies.
            mod_butterfly(u + k, v + k, w, m, (i & 3u) == 3u);
        }
    }
#pragma unroll
    for (uint k = 0; k < CHAINS; k++) {
        const ulong at = first + k * stride;
        if (at < pairs) {
            data[at] = mod_out(u[k], m);
            data[pairs + at] = mod_out(v[k], m);
        }
    }
}
