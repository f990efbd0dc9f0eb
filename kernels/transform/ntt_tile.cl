// Number-theoretic transform of contiguous tiles, in place: the lowest STAGES index bits.
//
// A group owns 2^LOG_TILE consecutive values; an item keeps 2^LOG_REGS of them in registers. Index bits, high to low:
//
//   load     [registers][ items                 ]    neighbours side by side
//   round 0  [registers][ items                 ]    of the STAGES bits; the load's layout where STAGES = LOG_TILE
//   round 1  [ items   ][registers][ items      ]
//   ...      until the lowest bits are in registers; then back to the load's layout, and stored
//
// The inverse takes the rounds the other way round. A tile that is a part of a longer array is the block of the tree that
// its number says, whose root is not 1: multiplying value j by the j-th power of the root's 2^STAGES-th root (TWIST) makes
// it one whose root is 1.

#ifndef STAGES
#define STAGES 10 // levels of the tree: the lowest index bits
#endif
#ifndef TWIST
#define TWIST 0 // 1 where the tiles are parts of longer arrays, or the transform is negacyclic
#endif
#ifndef SCALE
#define SCALE 0 // 1 to multiply every result by `scale`
#endif

#define ROUNDS ((STAGES + LOG_REGS - 1) / LOG_REGS)
#define ROUND_LOW(k) (STAGES > ((k) + 1u) * LOG_REGS ? STAGES - ((k) + 1u) * LOG_REGS : 0u)
#define ROUND_WIDTH(k) (STAGES - (k) * LOG_REGS - ROUND_LOW(k))
#define LOAD_LOW (LOG_TILE - LOG_REGS)
// Whether the first round has the load's layout.
#define WHOLE (STAGES == LOG_TILE)

// data: `count` residues, a multiple of 2^STAGES. roots: at least 2^(STAGES - 1). twist_items, twist_registers: for each
// tile of an array, of which there are 2^log_tiles, a factor for each item and one for each register.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ntt_tile(__global ELEMENT *restrict data, const ulong count, const ELEMENT p, const ulong reciprocal, __global const ELEMENT *restrict roots,
              __global const ELEMENT *restrict twist_items, __global const ELEMENT *restrict twist_registers, const uint log_tiles,
              const ELEMENT scale, const ELEMENT scale_quotient)
{
    __local residue tile[1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong number = get_group_id(0);
    const ulong left = count - (number << LOG_TILE);
    __global ELEMENT *own = data + (number << LOG_TILE) + item;
    __global const factor *factors = (__global const factor *)roots;
    const modulus m = mod_of(p, reciprocal);
    residue x[REGS];
    if (left >= (1u << LOG_TILE)) {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = mod_in(own[j * GROUP]);
    } else {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = item + j * GROUP < left ? mod_in(own[j * GROUP]) : (residue)0;
    }
#if TWIST
    const ulong part = number & ((1ul << log_tiles) - 1ul);
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS);
    const factor by_item = ((__global const factor *)twist_items)[(part << (LOG_TILE - LOG_REGS)) + item];
#else
    (void)twist_items, (void)twist_registers, (void)log_tiles;
#endif
#if INVERSE
    ntt_exchange(tile, x, item, LOAD_LOW, LOG_REGS, ROUND_LOW(ROUNDS - 1), ROUND_WIDTH(ROUNDS - 1));
#pragma unroll
    for (uint k = ROUNDS; k > 0u; k--) {
        ntt_round(x, factors, item, ROUND_LOW(k - 1u), ROUND_WIDTH(k - 1u), STAGES, m);
        if (k > 1u)
            ntt_exchange(tile, x, item, ROUND_LOW(k - 1u), ROUND_WIDTH(k - 1u), ROUND_LOW(k - 2u), ROUND_WIDTH(k - 2u));
    }
#if !WHOLE
    ntt_exchange(tile, x, item, ROUND_LOW(0), ROUND_WIDTH(0), LOAD_LOW, LOG_REGS);
#endif
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
#if !WHOLE
    ntt_exchange(tile, x, item, LOAD_LOW, LOG_REGS, ROUND_LOW(0), ROUND_WIDTH(0));
#endif
#pragma unroll
    for (uint k = 0; k < ROUNDS; k++) {
        ntt_round(x, factors, item, ROUND_LOW(k), ROUND_WIDTH(k), STAGES, m);
        if (k + 1u < ROUNDS)
            ntt_exchange(tile, x, item, ROUND_LOW(k), ROUND_WIDTH(k), ROUND_LOW(k + 1u), ROUND_WIDTH(k + 1u));
    }
    ntt_exchange(tile, x, item, ROUND_LOW(ROUNDS - 1), ROUND_WIDTH(ROUNDS - 1), LOAD_LOW, LOG_REGS);
#endif
#if SCALE
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_times(x[j], mod_factor(scale, scale_quotient), m);
#else
    (void)scale, (void)scale_quotient;
#endif
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        if (left >= (1u << LOG_TILE) || item + j * GROUP < left)
            own[j * GROUP] = mod_out(x[j], m);
    }
}
