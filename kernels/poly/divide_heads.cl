// Division of polynomials by several coefficients of the quotient a launch: the s-head division of paper 002, algorithms 18
// and 19, corrected. With s = 1 it is the naive division, algorithms 16 and 17.
//
// Offsets u count down from the highest word of the dividend that is left, a[top]. With h <= s coefficients of the quotient
// v[0], v[1], ... and d the degree of the divisor, a launch leaves
//
//   a[top - u] - sum over w < h of v[w] b[d - (u - w)]        for h <= u < h + d
//
// and nothing at u < h, the head. The v[w] depend on the head and on b[d], ..., b[d - h + 1] alone: v is the product of both
// the head and the inverse of the latter as power series. Every group computes all of v, the first group writes them, and each
// group updates WIDTH coefficients below the head. Heads are read by all groups and written by none; the updated parts are
// disjoint.
//
//   divide_head_inverse   that inverse, to at most ROOM coefficients, by one group: a step for each coefficient
//   divide_heads          one launch of the division
//
// parts: poly/accumulate.clh poly/divide_power.clh
// set: GROUP=256 EACH=4 LOG_ROOM=7 SUM_TERMS=4
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4 EACH=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif
#ifndef EACH
#define EACH 1 // coefficients that an item updates
#endif
#ifndef LOG_ROOM
#define LOG_ROOM 4 // the most coefficients of a head, in powers of two
#endif

#define ROOM (1u << LOG_ROOM)
#define WIDTH (GROUP * EACH)

// The first `count` <= ROOM coefficients of the inverse of b[m - 1] + b[m - 2] x + ..., by one group; b begins at b_at. The
// leading coefficient is inverted as its power p - 2, `exponent`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void divide_head_inverse(__global const ELEMENT *restrict b, const ulong b_at, const ulong m, __global ELEMENT *restrict inverse, const ulong inverse_at,
                         const uint count, const uint is_reversed, const ulong exponent, const ELEMENT p, const ulong reciprocal)
{
    __local residue head[ROOM];
    __local residue rest[ROOM];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    for (uint t = item; t < count; t += GROUP) {
        head[t] = t < m ? mod_in(b[b_at + m - 1u - t]) : (residue)0;
        rest[t] = mod_in((ELEMENT)(t == 0u ? 1 : 0));
    }
    const residue leading = mod_power(mod_in(b[b_at + m - 1u]), exponent, mod);
    barrier(CLK_LOCAL_MEM_FENCE);
    // What is left of 1 after each coefficient times the head.
    for (uint w = 0; w < count; w++) {
        const residue v = mod_mul(rest[w], leading, mod);
        if (item == 0u)
            inverse[inverse_at + (is_reversed ? count - 1u - w : w)] = mod_out(v, mod);
        for (uint t = w + 1u + item; t < count; t += GROUP)
            rest[t] = mod_sub(rest[t], mod_mul(v, head[t - w], mod), mod);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// `h` <= ROOM coefficients of the quotient of a by b, of m coefficients, from q[top - (m - 1)] downwards; `inverse` has as
// many coefficients.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void divide_heads(__global ELEMENT *restrict a, const ulong top, __global const ELEMENT *restrict b, const ulong b_at,
                  const ulong m, __global const ELEMENT *restrict inverse, __global ELEMENT *restrict q, const uint h,
                  const ELEMENT p, const ulong reciprocal)
{
    __local residue head[ROOM];
    __local residue series[ROOM];
    __local residue v[ROOM];
    __local residue window[WIDTH + ROOM];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong d = m - 1u;
    // The first offset of the group's part, and the offset in b that the first word of the window has.
    const ulong low = h + (ulong)get_group_id(0) * WIDTH;
    const ulong first = low + 1u - h;
    for (uint t = item; t < h; t += GROUP) {
        head[t] = mod_in(a[top - t]);
        series[t] = mod_in(inverse[t]);
    }
    for (uint t = item; t < WIDTH + h - 1u; t += GROUP)
        window[t] = first + t <= d ? mod_in(b[b_at + d - (first + t)]) : (residue)0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = item; t < h; t += GROUP) {
        sum total = sum_zero();
        for (uint w = 0; w <= t; w++) {
            total = sum_add(total, head[w], series[t - w], mod);
            if ((w + 1u) % SUM_TERMS == 0u)
                total = sum_fold(total, mod);
        }
        const residue own = sum_residue(total, mod);
        v[t] = mod_canonical(own, mod);
        if (get_group_id(0) == 0u)
            q[top - d - t] = mod_out(own, mod);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Items past the end stop here: see product_rows.cl.
    if (low + item >= h + d)
        return;
    sum sums[EACH];
#pragma unroll
    for (uint e = 0; e < EACH; e++)
        sums[e] = sum_zero();
    for (uint w = 0; w < h; w++) {
        const residue factor = v[w];
#pragma unroll
        for (uint e = 0; e < EACH; e++) {
            sums[e] = sum_add(sums[e], factor, window[item + e * GROUP + h - 1u - w], mod);
            if ((w + 1u) % SUM_TERMS == 0u)
                sums[e] = sum_fold(sums[e], mod);
        }
    }
#pragma unroll
    for (uint e = 0; e < EACH; e++) {
        const ulong u = low + item + e * GROUP;
        if (u < h + d) {
            const residue less = mod_canonical(sum_residue(sums[e], mod), mod);
            a[top - u] = mod_out(mod_sub(mod_in(a[top - u]), less, mod), mod);
        }
    }
}
