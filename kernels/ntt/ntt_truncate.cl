// Truncated number-theoretic transforms: one step of the path down the tree of remainders, for `count` values of nodes side
// by side. ntt_tile.cl and ntt_columns.cl transform the blocks.
//
// A node of 2 B values, B = 2^log_len, is a remainder modulo x^(2 B) - c^2, and its halves are remainders of its own:
//
//   node   [ lo | hi ]          modulo x^B - c:  lo + c hi          modulo x^B + c:  lo - c hi
//
// A row of `row` <= 2 B values is a node whose other values are 0. Item t has the value q = t mod B of array t / B: all
// accesses are of neighbours side by side. A left half that is a block is multiplied by s^q, s^B = c, which makes it a
// remainder modulo x^B - 1; the power is the product of an entry of `low` and one of `high`, tables of factors.
//
// parts: field/residues.clh
// set: GROUP=64 LOG_LOW=4
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef LOG_LOW
#define LOG_LOW 10 // log2 of the entries of `low`
#endif

inline residue truncate_read(__global const ELEMENT *from, const ulong row, const ulong array, const ulong q)
{
    return mod_in(q < row ? from[array * row + q] : (ELEMENT)0);
}

// x times the power q of the tables, canonical.
inline residue truncate_twist(const residue x, __global const ELEMENT *low, __global const ELEMENT *high, const ulong q,
                              const modulus m)
{
    const factor by_low = ((__global const factor *)low)[q & ((1ul << LOG_LOW) - 1ul)];
    const factor by_high = ((__global const factor *)high)[q >> LOG_LOW];
    return mod_canonical(mod_times(mod_times(x, by_low, m), by_high, m), m);
}

// A block and the right half of a node; the half only where `keep` is not 0. low, high: powers of s.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void truncate_split(__global const ELEMENT *restrict from, const ulong row, __global ELEMENT *restrict block,
                    __global ELEMENT *restrict rest, const uint keep, const ulong count, const uint log_len,
                    const ELEMENT c, const ELEMENT c_quotient, __global const ELEMENT *restrict low,
                    __global const ELEMENT *restrict high, const ELEMENT p, const ulong reciprocal)
{
    const modulus m = mod_of(p, reciprocal);
    const ulong t = get_global_id(0);
    if (t >= count)
        return;
    const ulong half_len = 1ul << log_len;
    const ulong q = t & (half_len - 1ul);
    const residue lo = truncate_read(from, row, t >> log_len, q);
    const residue hi = truncate_read(from, row, t >> log_len, q + half_len);
    const residue folded = mod_canonical(mod_times(hi, mod_factor(c, c_quotient), m), m);
    block[t] = mod_out(truncate_twist(mod_add(lo, folded, m), low, high, q, m), m);
    if (keep)
        rest[t] = mod_out(mod_sub(lo, folded, m), m);
}

// The left half of a node.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void truncate_fold(__global const ELEMENT *restrict from, const ulong row, __global ELEMENT *restrict rest,
                   const ulong count, const uint log_len, const ELEMENT c, const ELEMENT c_quotient, const ELEMENT p,
                   const ulong reciprocal)
{
    const modulus m = mod_of(p, reciprocal);
    const ulong t = get_global_id(0);
    if (t >= count)
        return;
    const ulong half_len = 1ul << log_len;
    const ulong q = t & (half_len - 1ul);
    const residue lo = truncate_read(from, row, t >> log_len, q);
    const residue hi = truncate_read(from, row, t >> log_len, q + half_len);
    const residue folded = mod_canonical(mod_times(hi, mod_factor(c, c_quotient), m), m);
    rest[t] = mod_out(mod_add(lo, folded, m), m);
}

// What a block adds to the coefficients known so far, which are `from` modulo the node: with v the block's remainder,
// h = (v - lo - c hi) / d goes to the places from `start` on of a row of `len` coefficients. Where `keep` is not 0 the
// coefficients known now, modulo the right half, are v - 2 c hi. low, high: powers of 1 / s; d_inverse is 1 / d.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void truncate_join(__global const ELEMENT *restrict block, __global const ELEMENT *restrict from, const ulong row,
                   __global ELEMENT *restrict to, const ulong len, const ulong start, __global ELEMENT *restrict rest,
                   const uint keep, const ulong count, const uint log_len, const ELEMENT c, const ELEMENT c_quotient,
                   const ELEMENT d_inverse, const ELEMENT d_inverse_quotient, __global const ELEMENT *restrict low,
                   __global const ELEMENT *restrict high, const ELEMENT p, const ulong reciprocal)
{
    const modulus m = mod_of(p, reciprocal);
    const ulong t = get_global_id(0);
    if (t >= count)
        return;
    const ulong half_len = 1ul << log_len;
    const ulong array = t >> log_len;
    const ulong q = t & (half_len - 1ul);
    const residue lo = truncate_read(from, row, array, q);
    const residue hi = truncate_read(from, row, array, q + half_len);
    const residue folded = mod_canonical(mod_times(hi, mod_factor(c, c_quotient), m), m);
    const residue v = truncate_twist(mod_in(block[t]), low, high, q, m);
    const residue low_part = mod_sub(v, folded, m); // of the node that has v for its left half
    const residue missing = mod_sub(low_part, lo, m);
    to[array * len + start + q] = mod_out(mod_times(missing, mod_factor(d_inverse, d_inverse_quotient), m), m);
    if (keep)
        rest[t] = mod_out(mod_sub(low_part, folded, m), m);
}

// Rows of `len` values h_1, g with h_1 from `start` on and g of `tail` < 2^log_len values at the end, to h_1 + (x^B - c) g,
// which has g where it stands.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void truncate_unfold(__global ELEMENT *restrict to, const ulong len, const ulong start, const ulong tail,
                     const ulong count, const uint log_len, const ELEMENT c, const ELEMENT c_quotient, const ELEMENT p,
                     const ulong reciprocal)
{
    const modulus m = mod_of(p, reciprocal);
    const ulong t = get_global_id(0);
    const ulong q = t & ((1ul << log_len) - 1ul);
    if (t >= count || q >= tail)
        return;
    __global ELEMENT *own = to + (t >> log_len) * len + q;
    const residue g = mod_in(own[len - tail]);
    const residue folded = mod_canonical(mod_times(g, mod_factor(c, c_quotient), m), m);
    own[start] = mod_out(mod_sub(mod_in(own[start]), folded, m), m);
}
