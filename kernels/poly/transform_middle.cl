// The middle of long products in one launch: the lowest STAGES index bits of both operands' transforms, the products, the
// same bits of the transform back. What ntt_columns.cl leaves is read, and what it goes on with is written.
//
//   tile of a -> x   twist, rounds down       tile of b -> y   twist, rounds down
//                       x y   rounds up, twist -> tile of the product
//
// Layouts and tables are those of ntt_tile.cl, for tiles that are parts of longer arrays.
//
// parts: ntt/ntt_rounds.clh
// set: SQUARE=1 LOG_TILE=12
// set: LOG_TILE=12 LOG_REGS=3
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SQUARE=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef SQUARE
#define SQUARE 0 // 1 where every row is multiplied by itself
#endif

#define LOAD_LOW (LOG_TILE - LOG_REGS)

// The tile's values, twisted and transformed.
inline void middle_down(__local residue *tile, residue *x, __global const ELEMENT *own, const uint item,
                        const factor *roots, __global const factor *twiddles,
                        __global const factor *by_register, const factor by_item, const modulus m)
{
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_in(own[item + j * GROUP]);
    ntt_twist_down(tile, x, by_register, by_item, roots, twiddles, item, m);
}

// spectra: first `rows` arrays of 2^log_tiles tiles, `blocks` for each product, then an array for each product; of all,
// one tile a group is taken from a, one from b. product: `rows` arrays. The tables are those of both directions' tiles, of
// which 2^log_parts have twists of their own.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transform_middle(__global const ELEMENT *restrict spectra, __global ELEMENT *restrict product, const ulong rows,
                      const ulong blocks, const uint log_tiles, const uint log_parts, const ELEMENT p, const ulong reciprocal,
                      const block_roots roots, __global const ELEMENT *restrict twiddles,
                      __global const ELEMENT *restrict twist_items, __global const ELEMENT *restrict twist_registers,
                      const block_roots back_roots, __global const ELEMENT *restrict back_twiddles,
                      __global const ELEMENT *restrict back_items, __global const ELEMENT *restrict back_registers)
{
    __local residue tile[TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong number = get_group_id(0);
    const ulong part = number & ((1ul << log_parts) - 1ul);
    const modulus m = mod_of(p, reciprocal);
    __global const factor *down_twiddles = (__global const factor *)twiddles;
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS);
    const ulong item_factor = (part << LOAD_LOW) + item;
    const factor by_item = ((__global const factor *)twist_items)[item_factor];
    residue x[REGS];
    middle_down(tile, x, spectra + (number << LOG_TILE), item, roots.of, down_twiddles, by_register, by_item, m);
#if SQUARE
    (void)rows, (void)blocks, (void)log_tiles;
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        const residue value = mod_canonical(x[j], m);
        x[j] = mod_mul(value, value, m);
    }
#else
    const ulong row = number >> log_tiles;
    const ulong other = rows + (blocks == 1ul ? row : row / blocks);
    const ulong in_row = number & ((1ul << log_tiles) - 1ul);
    residue y[REGS];
    // The places that other items still read are written next.
    barrier(CLK_LOCAL_MEM_FENCE);
    middle_down(tile, y, spectra + (((other << log_tiles) + in_row) << LOG_TILE), item, roots.of, down_twiddles,
                by_register, by_item, m);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_mul(mod_canonical(x[j], m), mod_canonical(y[j], m), m);
#endif
    ntt_up(tile, x, back_roots.of, (__global const factor *)back_twiddles, item, m);
    ntt_twist(x, (__global const factor *)back_registers + (part << LOG_REGS),
              ((__global const factor *)back_items)[item_factor], m);
    __global ELEMENT *own = product + (number << LOG_TILE);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        own[item + j * GROUP] = mod_out(x[j], m);
}
