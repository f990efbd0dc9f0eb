// Number-theoretic transform of the index bits log_stride .. log_stride + LOG_ROWS, in place.
//
// The data are seen as [outer][rows][2^log_stride columns]. A group owns all rows of 2^LOG_SEGMENT neighbouring columns:
//
//   tile index, high to low   [ LOG_ROWS row bits ][ LOG_SEGMENT column bits ]
//   round k                   registers hold the row bits from the highest down; the inverse goes up
//
// All columns of a row's block share its root, so that the items of a warp read the same factors. Parts of longer arrays
// are twisted as in ntt_tile.cl.

#ifndef LOG_SEGMENT
#define LOG_SEGMENT 5 // log2 of the columns of a group
#endif
#ifndef TWIST
#define TWIST 0 // 1 where the matrices are parts of longer arrays, or the transform is negacyclic
#endif
#ifndef SCALE
#define SCALE 0 // 1 to multiply every result by `scale`
#endif

#define LOG_ROWS (LOG_TILE - LOG_SEGMENT)
#define ROUNDS ((LOG_ROWS + LOG_REGS - 1) / LOG_REGS)
#define ROUND_LOW(k) (LOG_ROWS > ((k) + 1u) * LOG_REGS ? LOG_TILE - ((k) + 1u) * LOG_REGS : LOG_SEGMENT)
#define ROUND_WIDTH(k) (LOG_TILE - (k) * LOG_REGS - ROUND_LOW(k))

// Where the tile's value `index` lies, counted from the group's first value.
inline ulong ntt_offset(const uint index, const uint log_stride)
{
    return ((ulong)(index >> LOG_SEGMENT) << log_stride) | (index & ((1u << LOG_SEGMENT) - 1u));
}

// The butterflies of a round: the tree's bits are the rows'.
#define NTT_ROW_ROUND(k) ntt_round(x, factors, item, ROUND_LOW(k), ROUND_WIDTH(k), LOG_TILE, m)
// Where register `j` of a round lies.
#define NTT_AT(k, j) ntt_offset(tile_index(0u, j, ROUND_LOW(k), ROUND_WIDTH(k)), log_stride)
#define NTT_BASE(k) (own + ntt_offset(tile_index(item, 0u, ROUND_LOW(k), ROUND_WIDTH(k)), log_stride))

// data: outer * 2^(LOG_ROWS + log_stride) residues, log_stride >= LOG_SEGMENT; one group for each 2^LOG_SEGMENT columns of
// each outer index. roots: at least 2^(LOG_ROWS - 1). twist_items, twist_registers: for each outer index of an array, of
// which there are 2^log_parts, a factor for each value but for the registers' bits of round 0, and one for each register.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ntt_columns(__global ELEMENT *restrict data, const uint log_stride, const ELEMENT p, const ulong reciprocal, __global const ELEMENT *restrict roots,
                 __global const ELEMENT *restrict twist_items, __global const ELEMENT *restrict twist_registers, const uint log_parts,
                 const ELEMENT scale, const ELEMENT scale_quotient)
{
    __local residue tile[ROUNDS == 1 ? 1u : 1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong outer = group >> (log_stride - LOG_SEGMENT);
    const ulong column = (group & ((1ul << (log_stride - LOG_SEGMENT)) - 1ul)) << LOG_SEGMENT;
    __global ELEMENT *own = data + (outer << (log_stride + LOG_ROWS)) + column;
    __global const factor *factors = (__global const factor *)roots;
    const modulus m = mod_of(p, reciprocal);
    residue x[REGS];
    {
        __global const ELEMENT *from = INVERSE ? NTT_BASE(ROUNDS - 1) : NTT_BASE(0);
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = mod_in(from[INVERSE ? NTT_AT(ROUNDS - 1, j) : NTT_AT(0, j)]);
    }
#if TWIST
    const ulong part = outer & ((1ul << log_parts) - 1ul);
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS);
    // Round 0 takes the highest row bits into registers, LOG_REGS of them: the others number the items' factors.
    const factor by_item = ((__global const factor *)twist_items)
        [(part << (log_stride + LOG_ROWS - LOG_REGS)) + column
         + ntt_offset(tile_index(item, 0u, ROUND_LOW(0), ROUND_WIDTH(0)), log_stride)];
#else
    (void)twist_items, (void)twist_registers, (void)log_parts;
#endif
#if INVERSE
#pragma unroll
    for (uint k = ROUNDS; k > 0u; k--) {
        NTT_ROW_ROUND(k - 1u);
#if ROUNDS > 1
        if (k > 1u)
            ntt_exchange(tile, x, item, ROUND_LOW(k - 1u), ROUND_WIDTH(k - 1u), ROUND_LOW(k - 2u), ROUND_WIDTH(k - 2u));
#endif
    }
#if TWIST
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_times(mod_times(x[j], by_register[j], m), by_item, m);
#endif
#else
#if TWIST
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_times(mod_times(x[j], by_register[j], m), by_item, m);
#endif
#pragma unroll
    for (uint k = 0; k < ROUNDS; k++) {
        NTT_ROW_ROUND(k);
#if ROUNDS > 1
        if (k + 1u < ROUNDS)
            ntt_exchange(tile, x, item, ROUND_LOW(k), ROUND_WIDTH(k), ROUND_LOW(k + 1u), ROUND_WIDTH(k + 1u));
#endif
    }
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
    __global ELEMENT *to = INVERSE ? NTT_BASE(0) : NTT_BASE(ROUNDS - 1);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        to[INVERSE ? NTT_AT(0, j) : NTT_AT(ROUNDS - 1, j)] = mod_out(x[j], m);
}
