// The last pass of inverse transforms to the coefficients wanted, with no rows of them in memory between: the butterflies as
// in ntt_columns.cl, of whole arrays, each the product that it is.
//
// parts: ntt/ntt_columns.clh
// set: INVERSE=1
// set: INVERSE=1 LOG_TILE=12 LOG_SEGMENT=4
// set: ulong ARITHMETIC=1 INVERSE=1
// set: ulong ARITHMETIC=2 INVERSE=1 LOG_SEGMENT=8
// set: ulong ARITHMETIC=3 INVERSE=1

// rows: arrays of 2^(STAGES + LOG_STRIDE) words, one for each product; one group for each 2^LOG_SEGMENT columns of each. out:
// `len` coefficients of each product from its coefficient `low` on, low + len <= 2^(STAGES + LOG_STRIDE). roots, twiddles:
// inverse ones, as in ntt_columns.cl.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transform_store_columns(__global const ELEMENT *restrict rows, __global ELEMENT *restrict out,
                             const ulong low, const ulong len, const ELEMENT p, const ulong reciprocal,
                             const block_roots roots, __global const ELEMENT *restrict twiddles)
{
    __local residue tile[ROUNDS == 1 ? 1u : TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong number = group >> (LOG_STRIDE - LOG_SEGMENT);
    const ulong column = (group & ((1ul << (LOG_STRIDE - LOG_SEGMENT)) - 1ul)) << LOG_SEGMENT;
    const modulus by = mod_of(p, reciprocal);
    residue x[REGS];
    __global const ELEMENT *from = rows + (number << (LOG_STRIDE + STAGES)) + column + NTT_ITEM(ROUNDS - 1);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_in(from[NTT_AT(ROUNDS - 1, j)]);
    ntt_up(tile, x, roots.of, (__global const factor *)twiddles, item, by);
#if ROUNDS == 1
    (void)tile; // every stage was between registers
#endif
    const ulong first = column + NTT_ITEM(0);
    __global ELEMENT *own = out + number * len;
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        const ulong at = first + NTT_AT(0, j);
        if (at >= low && at - low < len)
            own[at - low] = mod_closed_out(x[j], by);
    }
}
