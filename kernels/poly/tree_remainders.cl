// Words of rows side by side, for subinverse trees and remainders at the nodes of subproduct trees (paper 002, algorithms 26
// and 28, corrected). Rows of the result have N = 2^log_words words, and P is a product of two of N words, 2 N with a zero.
//
// parts: field/residues.clh
// set: OPERATION=1
// set: OPERATION=2
// set: OPERATION=3
// set: OPERATION=4
// set: OPERATION=5
// set: OPERATION=6
// set: ulong ARITHMETIC=1 OPERATION=3
// set: ulong ARITHMETIC=1 MOD_LAZY=1 OPERATION=5
// set: ulong ARITHMETIC=2 OPERATION=5
// set: ulong ARITHMETIC=3 OPERATION=3

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef OPERATION
#define OPERATION 0 // of rows; see tree_rows
#endif

//   0  the reversed second half of rows of 2 N words       a[2 N - 1 - k]
//   1  a reversed                                           a[N - 1 - k]
//   2  a monic polynomial reversed, mod x^N                 1, then a[N - k]
//   3  the next words of an inverse g, from P = g reversed times the node:
//                                                           -(P[N - 1 - k] + P[2 N - 1 - k] + g[k]), and 1 more at k = 0
//   4  rows of N / 2 words behind each other                a[k], then b[k - N / 2]
//   5  the remainder from a row f of 2 N words, P = the quotient q times the node, and q, which goes to row 2 row + side:
//                                                           f[k] + f[k + N] - P[k] - P[k + N] - q[k]
//   6  every other row, from row `side` on                  a
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_rows(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, __global const ELEMENT *restrict c,
               __global ELEMENT *restrict out, const uint log_words, const uint side, const ulong count, const ELEMENT p,
               const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const ulong words = 1ul << log_words;
    const ulong row = i >> log_words;
    const ulong k = i & (words - 1ul);
#if OPERATION == 0
    out[i] = a[2u * row * words + (2u * words - 1u - k)];
#elif OPERATION == 1
    out[i] = a[row * words + (words - 1u - k)];
#elif OPERATION == 2
    out[i] = k == 0u ? (ELEMENT)1 : a[row * words + (words - k)];
#elif OPERATION == 3
    __global const ELEMENT *product = a + 2u * row * words;
    residue word = mod_add(mod_in(product[words - 1u - k]), mod_in(product[2u * words - 1u - k]), mod);
    word = mod_add(word, mod_in(b[i]), mod);
    out[i] = mod_out(mod_sub(k == 0u ? mod_in((ELEMENT)1) : (residue)0, word, mod), mod);
#elif OPERATION == 4
    const ulong half_words = words >> 1;
    out[i] = k < half_words ? a[row * half_words + k] : b[row * half_words + (k - half_words)];
#elif OPERATION == 5
    __global const ELEMENT *f = a + 2u * row * words;
    __global const ELEMENT *product = b + 2u * row * words;
    const residue sum = mod_add(mod_in(f[k]), mod_in(f[k + words]), mod);
    residue less = mod_add(mod_in(product[k]), mod_in(product[k + words]), mod);
    less = mod_add(less, mod_in(c[i]), mod);
    out[(2u * row + side) * words + k] = mod_out(mod_sub(sum, less, mod), mod);
#else
    out[i] = a[(2u * row + side) * words + k];
#endif
    (void)a, (void)b, (void)c, (void)side, (void)mod;
}

// The values of each row of 2^log_words coefficients at as many points, by Horner's rule.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_horner(__global const ELEMENT *restrict f, __global const ELEMENT *restrict points, __global ELEMENT *restrict values,
                 const uint log_words, const ulong count, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const residue u = mod_in(points[i]);
    __global const ELEMENT *own = f + (i >> log_words << log_words);
    residue value = (residue)0;
    for (uint k = 1u << log_words; k-- > 0u;)
        value = mod_canonical(mod_add(mod_canonical(mod_mul(value, u, mod), mod), mod_in(own[k]), mod), mod);
    values[i] = mod_out(value, mod);
}
