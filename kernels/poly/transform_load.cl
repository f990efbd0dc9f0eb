// Coefficients to rows of a transform's length, padded with zeros: see transform_rows.clh.
//
// parts: field/arithmetic.clh poly/transform_rows.clh
// set: REDUCE=1
// set: SOURCE=ulong REDUCE=1
// set: ulong REDUCE=1
// set: ulong SOURCE=ulong
// set: ulong SOURCE=ulong REDUCE=1

#ifndef EACH
#define EACH 4u // words of a work-item
#endif

// a, b: coefficients from a_start, b_start on; n and m of each product, a_stride and b_stride apart. to: `count` words, a
// multiple of 2^log_len. block: coefficients of a that a row takes, (blocks - 1) block < n <= blocks block.
__kernel void transform_load(__global const SOURCE *restrict a, const ulong a_start, const ulong n, const ulong a_stride,
                             __global const SOURCE *restrict b, const ulong b_start, const ulong m, const ulong b_stride,
                             __global ELEMENT *restrict to, const ulong count, const uint log_len, const ulong rows_a,
                             const ulong block, const ulong blocks, const ELEMENT p, const ulong reciprocal)
{
    const ulong group = get_local_size(0);
    const ulong first = get_group_id(0) * group * EACH + get_local_id(0);
    for (uint k = 0; k < EACH; k++) {
        const ulong t = first + k * group;
        if (t < count) {
            const load_row row = load_row_of(t >> log_len, a + a_start, n, a_stride, b + b_start, m, b_stride, rows_a,
                                             block, blocks);
            const ulong j = t & ((1ul << log_len) - 1ul);
            to[t] = j < row.len ? load_reduced(row.from[j], p, reciprocal) : (ELEMENT)0;
        }
    }
}
