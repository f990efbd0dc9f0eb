// Coefficients to the first pass of their transforms, with no rows of them in memory before: loads as in transform_load.cl, the
// butterflies as in ntt_columns.cl, of whole arrays.
//
// parts: ntt/ntt_columns.clh poly/transform_rows.clh
// set: LOG_TILE=12 LOG_SEGMENT=4 REDUCE=1
// set: SOURCE=ulong REDUCE=1 LOG_SEGMENT=8
// set: ulong ARITHMETIC=1 SOURCE=ulong
// set: ulong ARITHMETIC=2 SOURCE=ulong
// set: ulong ARITHMETIC=3 REDUCE=1

// a, b, rows_a, block, blocks: as in transform_load.cl. to: a row of 2^(STAGES + LOG_STRIDE) words for each of a's and b's;
// one group for each 2^LOG_SEGMENT columns of each. roots, twiddles: as in ntt_columns.cl. word_reciprocal: of load_reduced.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transform_load_columns(__global const SOURCE *restrict a, const ulong a_start, const ulong n, const ulong a_stride,
                            __global const SOURCE *restrict b, const ulong b_start, const ulong m, const ulong b_stride,
                            __global ELEMENT *restrict to, const ulong rows_a, const ulong block,
                            const ulong blocks, const ELEMENT p, const ulong reciprocal, const ulong word_reciprocal,
                            const block_roots roots, __global const ELEMENT *restrict twiddles)
{
    __local residue tile[ROUNDS == 1 ? 1u : TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong number = group >> (LOG_STRIDE - LOG_SEGMENT);
    const ulong column = (group & ((1ul << (LOG_STRIDE - LOG_SEGMENT)) - 1ul)) << LOG_SEGMENT;
    const load_row row = load_row_of(number, a + a_start, n, a_stride, b + b_start, m, b_stride, rows_a, block, blocks);
    const modulus by = mod_of(p, reciprocal);
    residue x[REGS];
    const ulong first = column + NTT_ITEM(0);
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        const ulong at = first + NTT_AT(0, j);
        x[j] = mod_in(at < row.len ? load_reduced(row.from[at], p, word_reciprocal) : (ELEMENT)0);
    }
    ntt_down(tile, x, roots.of, (__global const factor *)twiddles, item, by);
#if ROUNDS == 1
    (void)tile; // every stage was between registers
#endif
    __global ELEMENT *own = to + (number << (LOG_STRIDE + STAGES)) + column + NTT_ITEM(ROUNDS - 1);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        own[NTT_AT(ROUNDS - 1, j)] = mod_closed_out(x[j], by);
}
