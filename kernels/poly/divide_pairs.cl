// Divisions of many pairs of polynomials at once, a pair a group, in local memory: the naive division of paper 002, algorithms
// 16 and 17, corrected. Lengths are formal: each divisor has a degree d of its own.
//
// A group looks for the divisor's leading coefficient, inverts it, and subtracts multiples of the divisor from the dividend,
// from its highest word down. The word that gives a coefficient of the quotient is not written any more, so that a barrier a
// step is enough.
//
// parts: field/residues.clh poly/divide_power.clh
// set: GROUP=256 LOG_ROOM=11
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif
#ifndef LOG_ROOM
#define LOG_ROOM 6 // words of local memory for both polynomials, in powers of two
#endif

#define ROOM (1u << LOG_ROOM)

// Pair i: the n words of a from i n on by the m words of b from i b_stride on, n + m <= ROOM. The quotient has n words, the
// remainder m - 1. zeros[0], before the number of pairs or more, becomes the least i whose divisor is zero, if there is one;
// what such a pair gives is unspecified. `exponent` is p - 2.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void divide_pairs(__global const ELEMENT *restrict a, const uint n, __global const ELEMENT *restrict b, const uint m,
                  const ulong b_stride, __global ELEMENT *restrict quotients, __global ELEMENT *restrict remainders,
                  __global uint *restrict zeros, const ulong exponent, const ELEMENT p, const ulong reciprocal)
{
    __local residue tile[ROOM];
    __local uint highest;
    __local uint is_found;
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong pair = get_group_id(0);
    __local residue *const dividend = tile;
    __local residue *const divisor = tile + n;
    if (item == 0u) {
        highest = 0u;
        is_found = 0u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < n; i += GROUP)
        dividend[i] = mod_in(a[pair * n + i]);
    for (uint i = item; i < m; i += GROUP) {
        const ELEMENT word = b[pair * b_stride + i];
        divisor[i] = mod_in(word);
        if (word != (ELEMENT)0) {
            atomic_max(&highest, i);
            atomic_or(&is_found, 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // A zero divisor counts as a constant.
    const uint d = highest;
    if (item == 0u && is_found == 0u)
        atomic_min(zeros, (uint)pair);
    const residue inverse = mod_power(divisor[d], exponent, mod);
    for (uint end = n; end > d; end--) {
        const uint first = end - 1u - d;
        const residue v = mod_mul(dividend[end - 1u], inverse, mod);
        if (item == 0u)
            quotients[pair * n + first] = mod_out(v, mod);
        for (uint j = item; j < d; j += GROUP) {
            __local residue *const to = dividend + first + j;
            *to = mod_sub(*to, mod_mul(v, divisor[j], mod), mod);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = item; i < n; i += GROUP)
        if (i + d >= n)
            quotients[pair * n + i] = (ELEMENT)0;
    for (uint i = item; i + 1u < m; i += GROUP)
        remainders[pair * (m - 1u) + i] = i < min(d, n) ? mod_out(dividend[i], mod) : (ELEMENT)0;
}
