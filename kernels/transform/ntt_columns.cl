// Number-theoretic transform of the index bits log_stride .. log_stride + STAGES, in place.
//
// The data are seen as [outer][rows][2^log_stride columns]. A group owns all rows of 2^LOG_SEGMENT neighbouring columns:
//
//   tile index, high to low   [ STAGES row bits ][ LOG_SEGMENT column bits ]
//   round k                   registers hold the row bits from the highest down; the inverse goes up
//
// All columns of a row share its twiddles. Parts of longer arrays are twisted as in ntt_tile.cl, or by rows alone (TWIST 2),
// where the pass over the tiles twists the columns too.

// data: outer * 2^(STAGES + log_stride) residues, log_stride >= LOG_SEGMENT; one group for each 2^LOG_SEGMENT columns of
// each outer index. roots, twiddles: as in ntt_tile.cl. twist_items, twist_registers: for each outer index of an array, of
// which there are 2^log_parts, a factor for each value but for the registers' bits of round 0, and one for each register; by
// rows alone, twist_items has one for each row.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ntt_columns(__global ELEMENT *restrict data, const uint log_stride, const ELEMENT p, const ulong reciprocal,
                 __global const ELEMENT *restrict roots, __global const ELEMENT *restrict twiddles,
                 __global const ELEMENT *restrict twist_items, __global const ELEMENT *restrict twist_registers,
                 const uint log_parts, const ELEMENT scale, const ELEMENT scale_quotient)
{
    __local residue tile[ROUNDS == 1 ? 1u : TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong outer = group >> (log_stride - LOG_SEGMENT);
    const ulong column = (group & ((1ul << (log_stride - LOG_SEGMENT)) - 1ul)) << LOG_SEGMENT;
    __global ELEMENT *own = data + (outer << (log_stride + STAGES)) + column;
    __global const factor *round_roots = (__global const factor *)roots;
    __global const factor *block_twiddles = (__global const factor *)twiddles;
    const modulus m = mod_of(p, reciprocal);
    residue x[REGS];
    __global const ELEMENT *from = own + (INVERSE ? NTT_ITEM(ROUNDS - 1) : NTT_ITEM(0));
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_in(from[INVERSE ? NTT_AT(ROUNDS - 1, j) : NTT_AT(0, j)]);
#if TWIST == 2
    (void)twist_registers;
    __global const factor *by_row = (__global const factor *)twist_items
        + ((outer & ((1ul << log_parts) - 1ul)) << STAGES) + (item >> LOG_SEGMENT);
#elif TWIST
    const ulong part = outer & ((1ul << log_parts) - 1ul);
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS);
    // Round 0 takes the highest row bits into registers, LOG_REGS of them: the others number the items' factors.
    const factor by_item = ((__global const factor *)twist_items)
        [(part << (log_stride + STAGES - LOG_REGS)) + column + NTT_ITEM(0)];
#else
    (void)twist_items, (void)twist_registers, (void)log_parts;
#endif
#if !INVERSE && TWIST == 2
    ntt_twist_rows_down(tile, x, by_row, round_roots, block_twiddles, item, m);
#elif !INVERSE && TWIST
    ntt_twist_down(tile, x, by_register, by_item, round_roots, block_twiddles, item, m);
#elif !INVERSE
    ntt_down(tile, x, round_roots, block_twiddles, item, m);
#else
    ntt_up(tile, x, round_roots, block_twiddles, item, m);
#if TWIST == 2
    ntt_twist_rows(x, by_row, m);
#elif TWIST
    ntt_twist(x, by_register, by_item, m);
#endif
#endif
#if ROUNDS == 1
    (void)tile; // every stage was between registers
#endif
#if SCALE
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_times(x[j], mod_factor(scale, scale_quotient), m);
#else
    (void)scale, (void)scale_quotient;
#endif
    __global ELEMENT *to = own + (INVERSE ? NTT_ITEM(0) : NTT_ITEM(ROUNDS - 1));
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        to[INVERSE ? NTT_AT(0, j) : NTT_AT(ROUNDS - 1, j)] = NTT_OUT(x[j], m);
}
