// Lengths of three quarters of a power of two: products modulo (x^(2B) - 1) (x^B - s), B = 2^log_len, s^2 = -1.
//
// With g^B = s, g of order 4 B, multiplying coefficient j by g^j makes the remainder modulo x^B - s one modulo x^B - 1. A
// polynomial f below degree 3 B with the remainders u_0 + u_1 x^B and v is (u_0 - h) + u_1 x^B + h x^(2B), where
// h = (u_0 + s u_1 - v) / 2.
//
// parts: field/residues.clh poly/transform_rows.clh
// set: SOURCE=ulong REDUCE=1
// set: ulong SOURCE=ulong ARITHMETIC=1
// set: ulong SOURCE=ulong ARITHMETIC=1 MOD_LAZY=1 REDUCE=1
// set: ulong SOURCE=ulong ARITHMETIC=2

// The remainders of rows of at most 3 B coefficients. cyclic: `rows` times 2 B words; twisted: `rows` times B. powers: g^j as
// factors. The other arguments are those of transform_load.
__kernel void transform_load_twisted(__global const SOURCE *restrict a, const ulong a_start, const ulong n,
                                     const ulong a_stride, __global const SOURCE *restrict b, const ulong b_start,
                                     const ulong m, const ulong b_stride, __global ELEMENT *restrict cyclic,
                                     __global ELEMENT *restrict twisted, const ulong rows, const uint log_len,
                                     const ulong rows_a, const ulong block, const ulong blocks,
                                     __global const ELEMENT *restrict powers, const ELEMENT s, const ELEMENT s_quotient,
                                     const ELEMENT p, const ulong reciprocal, const ulong word_reciprocal)
{
    const ulong t = get_global_id(0);
    const ulong r = t >> log_len;
    if (r < rows) {
        const modulus by = mod_of(p, reciprocal);
        const ulong third = 1ul << log_len;
        const ulong j = t & (third - 1ul);
        const load_row row = load_row_of(r, a + a_start, n, a_stride, b + b_start, m, b_stride, rows_a, block, blocks);
        const ELEMENT none = (ELEMENT)0;
        const residue x = mod_in(j < row.len ? load_reduced(row.from[j], p, word_reciprocal) : none);
        const residue y = mod_in(j + third < row.len ? load_reduced(row.from[j + third], p, word_reciprocal) : none);
        const residue z = mod_in(j + 2ul * third < row.len ? load_reduced(row.from[j + 2ul * third], p, word_reciprocal)
                                                           : none);
        cyclic[2ul * r * third + j] = mod_out(mod_add(x, z, by), by);
        cyclic[(2ul * r + 1ul) * third + j] = mod_out(y, by);
        const residue folded = mod_canonical(mod_times(y, mod_factor(s, s_quotient), by), by);
        const residue remainder = mod_add(mod_sub(x, z, by), folded, by);
        twisted[t] = mod_out(mod_times(remainder, ((__global const factor *)powers)[j], by), by);
    }
}

// The polynomials below degree 3 B from their remainders: to has `rows` times 3 B words. powers: g^-j / 2 as factors.
__kernel void transform_combine(__global const ELEMENT *restrict cyclic, __global const ELEMENT *restrict twisted,
                                __global ELEMENT *restrict to, const ulong rows, const uint log_len,
                                __global const ELEMENT *restrict powers, const ELEMENT halved, const ELEMENT halved_quotient,
                                const ELEMENT halved_s, const ELEMENT halved_s_quotient, const ELEMENT p,
                                const ulong reciprocal)
{
    const ulong t = get_global_id(0);
    const ulong r = t >> log_len;
    if (r < rows) {
        const modulus by = mod_of(p, reciprocal);
        const ulong third = 1ul << log_len;
        const ulong j = t & (third - 1ul);
        const residue u = mod_in(cyclic[2ul * r * third + j]);
        const residue high = mod_in(cyclic[(2ul * r + 1ul) * third + j]);
        const residue v = mod_times(mod_in(twisted[t]), ((__global const factor *)powers)[j], by);
        const residue first = mod_canonical(mod_times(u, mod_factor(halved, halved_quotient), by), by);
        const residue second = mod_canonical(mod_times(high, mod_factor(halved_s, halved_s_quotient), by), by);
        const residue h = mod_sub(mod_add(first, second, by), mod_canonical(v, by), by);
        __global ELEMENT *own = to + 3ul * r * third + j;
        own[0] = mod_out(mod_sub(u, h, by), by);
        own[third] = mod_out(high, by);
        own[2ul * third] = mod_out(h, by);
    }
}
