// Number-theoretic transform of the index bits LOG_STRIDE .. LOG_STRIDE + STAGES, in place.
//
// The data are seen as [outer][rows][2^LOG_STRIDE columns]. A group owns all rows of 2^LOG_SEGMENT neighbouring columns:
//
//   tile index, high to low   [ STAGES row bits ][ LOG_SEGMENT column bits ]
//   round k                   registers hold the row bits from the highest down; the inverse goes up
//
// All columns of a row share its twiddles. Parts of longer arrays are twisted as in ntt_tile.cl, or by rows alone (TWIST 2),
// where the pass over the tiles twists the columns too.
//
// parts: ntt/ntt_columns.clh ntt/ntt_keep.clh
// set: INVERSE=1 SCALE=1
// set: LOG_TILE=13 LOG_REGS=5 LOG_STRIDE=9 TWIST=1
// set: LOG_TILE=12 LOG_REGS=4 LOG_SEGMENT=4 LOG_STRIDE=16 TWIST=1
// set: LOG_TILE=12 LOG_REGS=4 TILE_RUN=4 TILE_GAP=8 TWIST=1 INVERSE=1
// set: ulong ARITHMETIC=1 INVERSE=1
// set: ulong ARITHMETIC=2 TWIST=2
// set: ulong ARITHMETIC=2 TWIST=2 INVERSE=1
// set: ulong ARITHMETIC=3 TWIST=1

// The index bits of a part that items have in round 0, and how many of them are low ones.
#define ITEM_BITS (LOG_STRIDE + STAGES - LOG_REGS)
#define LOW_ITEM_BITS (ITEM_BITS / 2)
#define ITEM_FACTORS ((1ul << LOW_ITEM_BITS) + (1ul << (ITEM_BITS - LOW_ITEM_BITS)))

// The factor of the value `place` of a part from those of the low bits, which stand first, and of the high ones: a table of all
// would be an eighth of what the pass reads.
inline factor ntt_item_factor(__global const factor *factors, const uint place, const modulus m)
{
    const factor low = factors[place & ((1u << LOW_ITEM_BITS) - 1u)];
    const factor high = factors[(1u << LOW_ITEM_BITS) + (place >> LOW_ITEM_BITS)];
    return mod_factor_product(low, high, m);
}

// data: outer * 2^(STAGES + LOG_STRIDE) residues, LOG_STRIDE >= LOG_SEGMENT; one group for each 2^LOG_SEGMENT columns of
// each outer index. roots, twiddles: as in ntt_tile.cl. twist_items, twist_registers: for each outer index of an array, of
// which there are 2^log_parts, factors for the values but for the registers' bits of round 0, in two steps, and one for each
// register; by rows alone, twist_items has one for each row. zero: 0, which the compiler is not to know.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ntt_columns(__global ELEMENT *restrict data, const ELEMENT p, const ulong reciprocal, const block_roots roots,
                 __global const ELEMENT *restrict twiddles, __global const ELEMENT *restrict twist_items,
                 __global const ELEMENT *restrict twist_registers, const uint log_parts, const uint zero,
                 const ELEMENT scale, const ELEMENT scale_quotient)
{
    __local residue tile[ROUNDS == 1 ? 1u : TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong outer = group >> (LOG_STRIDE - LOG_SEGMENT);
    const ulong column = (group & ((1ul << (LOG_STRIDE - LOG_SEGMENT)) - 1ul)) << LOG_SEGMENT;
    __global ELEMENT *own = data + (outer << (LOG_STRIDE + STAGES)) + column;
    __global const factor *block_twiddles = (__global const factor *)twiddles;
    const modulus m = mod_of(p, reciprocal);
    residue x[REGS];
    __global const ELEMENT *from = own + (INVERSE ? NTT_ITEM(ROUNDS - 1) : NTT_ITEM(0));
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
#if KEPT && !INVERSE
        if (j < KEPT) {
            x[j] = mod_in(ntt_kept(from + NTT_AT(0, j)));
            continue;
        }
#endif
        x[j] = mod_in(from[INVERSE ? NTT_AT(ROUNDS - 1, j) : NTT_AT(0, j)]);
    }
#if TWIST == 2
    (void)twist_registers, (void)zero;
    __global const factor *by_row = (__global const factor *)twist_items
        + ((outer & ((1ul << log_parts) - 1ul)) << STAGES) + (item >> LOG_SEGMENT);
#elif TWIST
    const ulong part = outer & ((1ul << log_parts) - 1ul);
    // The registers' factors are the same for all items. NVIDIA's compiler would take each to a register of the warp, which is
    // slower than one in every item.
    const ulong apart = (ulong)(item & zero) << LOG_REGS;
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS) + apart;
    // Round 0 takes the highest row bits into registers, LOG_REGS of them: the others number the items' factors.
    __global const factor *item_factors = (__global const factor *)twist_items + part * ITEM_FACTORS;
    const factor by_item = ntt_item_factor(item_factors, (uint)(column + NTT_ITEM(0)), m);
#else
    (void)twist_items, (void)twist_registers, (void)log_parts, (void)zero;
#endif
#if !INVERSE && TWIST == 2
    ntt_twist_rows_down(tile, x, by_row, roots.of, block_twiddles, item, m);
#elif !INVERSE && TWIST
    ntt_twist_down(tile, x, by_register, by_item, roots.of, block_twiddles, item, m);
#elif !INVERSE
    ntt_down(tile, x, roots.of, block_twiddles, item, m);
#else
    ntt_up(tile, x, roots.of, block_twiddles, item, m);
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
#if KEPT && INVERSE
    if ((item & ((1u << LOG_SEGMENT) - 1u)) == 0u) {
        for (uint j = 0; j < KEPT; j++)
            ntt_free_line(to + NTT_AT(0, j));
    }
#endif
}
