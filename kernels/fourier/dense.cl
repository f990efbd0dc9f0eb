// A pass of a Fourier transform by the definition: one item an output.
//
//   to[o][j][k][t] = w^(j k) sum over r of from[o][r][j][t] roots[r k mod rows]
//
// unit: -
// parts: fourier/number.clh
// set: double
// unit: RESIDUES
// parts: field/residues.clh fourier/number.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

#define CONJUGATE_FIRST 1u
#define CONJUGATE_LAST 2u
#define SCALED 4u

// roots: those of order rows, then the scale. low, high: powers of the root w of order rows * cofactor, whose exponents are
// split after `bits` bits; not read where cofactor is 1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_dense(__global const ELEMENT *restrict from, __global ELEMENT *restrict to, __global const ELEMENT *restrict roots,
                   __global const ELEMENT *restrict low, __global const ELEMENT *restrict high, const uint bits, const ulong count,
                   const uint rows, const ulong cofactor, const ulong inner, const uint flags, const ELEMENT p,
                   const ulong reciprocal)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const MODULUS m = MODULUS_OF(p, reciprocal);
    __global const VALUE *source = (__global const VALUE *)from;
    __global const CONSTANT *w = (__global const CONSTANT *)roots;
    const bool conjugate = (flags & CONJUGATE_FIRST) != 0u;
    const ulong t = i % inner;
    const uint k = (uint)(i / inner % rows);
    const ulong j = i / inner / rows % cofactor;
    const ulong outer = i / inner / rows / cofactor;
    const ulong apart = cofactor * inner;
    source += outer * rows * apart + j * inner + t;
    NUMBER sum = number_in(source[0], conjugate);
    uint turn = 0u;
    for (uint r = 1u; r < rows; r++) {
        turn += k;
        turn -= turn >= rows ? rows : 0u;
        sum = plus(sum, times(number_in(source[r * apart], conjugate), w[turn], m), m);
    }
    if (cofactor > 1u) {
        const ulong e = j * k;
        sum = times(times(sum, ((__global const CONSTANT *)high)[e >> bits], m),
                    ((__global const CONSTANT *)low)[e & ((1ul << bits) - 1ul)], m);
    }
    if ((flags & SCALED) != 0u)
        sum = times(sum, w[rows], m);
    ((__global VALUE *)to)[i] = number_out(sum, (flags & CONJUGATE_LAST) != 0u, m);
    (void)p, (void)reciprocal;
}
