// Products of rows that fit a tile, in one launch: loaded with zeros behind, transformed, multiplied, transformed back.
//
//   a -> x   rounds down                      b -> y   rounds down
//                       x y   rounds up, scale -> the coefficients wanted, or the rows
//
// The layouts are those of ntt_tile.cl. Between the rounds down and up the values stay in registers, in the last round's
// layout; both ways take the same local memory.
//
// parts: ntt/ntt_rounds.clh poly/transform_rows.clh
// set: SQUARE=1 LOG_REGS=3 ROWS=0
// set: LOG_TILE=8 LOG_REGS=3 STAGES=5 SOURCE=ulong REDUCE=1
// set: ulong ARITHMETIC=1 LOG_REGS=3 SOURCE=ulong ROWS=0
// set: ulong ARITHMETIC=1 MOD_LAZY=1 LOG_REGS=3 REDUCE=1
// set: ulong ARITHMETIC=2 LOG_REGS=3 SOURCE=ulong
// set: ulong ARITHMETIC=3 LOG_REGS=3 SOURCE=ulong REDUCE=1

#ifndef SQUARE
#define SQUARE 0 // 1 where every row is multiplied by itself
#endif
#ifndef ROWS
#define ROWS 1 // 1 to write whole rows, 0 to write the coefficients wanted
#endif

#define LOAD_LOW (LOG_TILE - LOG_REGS)

// The values of the tile's rows from one operand, n coefficients of each product: row k of its `blocks` rows takes at most
// `most` of them from k step on. Past the last row all zeros.
inline void tile_load(residue *x, const ulong first, const uint item, const ulong rows, __global const SOURCE *from,
                      const ulong n, const ulong stride, const ulong step, const ulong most, const ulong blocks,
                      const ELEMENT p, const ulong word_reciprocal)
{
#pragma unroll
    for (uint k = 0; k < REGS; k++) {
        const uint at = item + k * GROUP;
        const ulong r = first + (at >> STAGES);
        const ulong j = at & ((1u << STAGES) - 1u);
        const ulong product = blocks == 1ul ? r : load_quotient(r, blocks);
        const ulong start = (r - product * blocks) * step;
        const bool present = r < rows && j < most && start + j < n;
        x[k] = mod_in(present ? load_reduced(from[product * stride + start + j], p, word_reciprocal) : (ELEMENT)0);
    }
}

// a, b: as transform_load takes them. to: `rows` rows of 2^STAGES residues; or, unless ROWS, `len` coefficients of each
// product from `low` on, zeros from `high` on, low + len <= 2^STAGES. The four tables are those of ntt_tile.cl for both ways.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transform_tile(__global const SOURCE *restrict a, const ulong a_start, const ulong n, const ulong a_stride,
                    __global const SOURCE *restrict b, const ulong b_start, const ulong m, const ulong b_stride,
                    __global ELEMENT *restrict to, const ulong rows, const ulong block, const ulong blocks,
                    const ulong len, const ulong low, const ulong high, const block_roots roots,
                    __global const ELEMENT *restrict twiddles, const block_roots back_roots,
                    __global const ELEMENT *restrict back_twiddles, const ELEMENT scale, const ELEMENT scale_quotient,
                    const ELEMENT p, const ulong reciprocal, const ulong word_reciprocal)
{
    __local residue tile[TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong first = get_group_id(0) << (LOG_TILE - STAGES);
    const modulus by = mod_of(p, reciprocal);
    residue x[REGS];
    tile_load(x, first, item, rows, a + a_start, n, a_stride, block, block, blocks, p, word_reciprocal);
#if STAGES < LOG_TILE
    ntt_exchange(tile, x, item, LOAD_LOW, LOG_REGS, ROUND_LOW(0), ROUND_WIDTH(0));
#endif
    ntt_down(tile, x, roots.of, (__global const factor *)twiddles, item, by);
#if SQUARE
    (void)b, (void)b_start, (void)m, (void)b_stride;
#pragma unroll
    for (uint k = 0; k < REGS; k++) {
        const residue value = mod_canonical(x[k], by);
        x[k] = mod_mul(value, value, by);
    }
#else
    residue y[REGS];
    // A row of b serves all rows of its product.
    tile_load(y, first, item, rows, b + b_start, m, b_stride, 0ul, m, blocks, p, word_reciprocal);
    // The places that other items still read are written next.
    barrier(CLK_LOCAL_MEM_FENCE);
#if STAGES < LOG_TILE
    ntt_exchange(tile, y, item, LOAD_LOW, LOG_REGS, ROUND_LOW(0), ROUND_WIDTH(0));
#endif
    ntt_down(tile, y, roots.of, (__global const factor *)twiddles, item, by);
#pragma unroll
    for (uint k = 0; k < REGS; k++)
        x[k] = mod_mul(mod_canonical(x[k], by), mod_canonical(y[k], by), by);
#endif
    ntt_up(tile, x, back_roots.of, (__global const factor *)back_twiddles, item, by);
#if STAGES < LOG_TILE
    ntt_exchange(tile, x, item, ROUND_LOW(0), ROUND_WIDTH(0), LOAD_LOW, LOG_REGS);
#endif
#pragma unroll
    for (uint k = 0; k < REGS; k++) {
        const uint at = item + k * GROUP;
        const ulong r = first + (at >> STAGES);
        const ulong j = at & ((1u << STAGES) - 1u);
        if (r < rows) {
            const ELEMENT value = mod_out(mod_times(x[k], mod_factor(scale, scale_quotient), by), by);
#if ROWS
            (void)len, (void)low, (void)high;
            to[(r << STAGES) + j] = value;
#else
            if (j >= low && j - low < len)
                to[r * len + (j - low)] = j < high ? value : (ELEMENT)0;
#endif
        }
    }
}
