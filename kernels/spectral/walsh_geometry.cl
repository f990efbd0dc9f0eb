// Walsh-Hadamard transform in constant geometry, out of place: STAGES steps of the algorithm in one pass.
//
// One step takes the lowest index bit away, transforms it and puts it back at position `step`, counting down from the
// highest (paper 001, Algorithm 2). STAGES steps together read groups of 2^STAGES neighbours q and write each result to
// row reverse(q). With the bits that earlier passes have placed on the left,
//
//   read   [ placed ][ waiting: h bits ][ q: STAGES bits ]
//   write  [ placed ][ reverse(q)      ][ waiting        ]
//
// so that after the last pass (h = 0) all bits are reversed: dyadic (Paley) order. For sequency order the last pass
// stores to the inverse Gray code of that index, which equals the paper's rule of changed signs in odd work-items.
// A tile is 2^LOG_TILE consecutive values read; it goes out in runs of 2^min(h, LOG_TILE - STAGES) values or longer.
//
// parts: ntt/tile_layout.clh spectral/walsh_registers.clh
// set: LOG_TILE=10 STAGES=1 RUN=9 SPREAD=1
// set: LOG_TILE=12 STAGES=7 SPREAD=7
// set: LOG_TILE=12 STAGES=12 RUN=0 SPREAD=7 SEQUENCY=1
// set: LOG_TILE=12 STAGES=7 SPREAD=7 BUTTERFLIES=0
// set: int LOG_TILE=12 STAGES=6 RUN=0 SPREAD=1
// set: long LOG_TILE=11 STAGES=6 SPREAD=6
// set: double LOG_TILE=11 STAGES=6 SPREAD=6
// set: int STAGES=6 SPREAD=6 BUTTERFLY=1
// set: STAGES=6 SPREAD=6 BUTTERFLY=2
// set: long STAGES=6 SPREAD=6 BUTTERFLY=3

#ifndef STAGES
#define STAGES 5 // steps of this pass, at most LOG_TILE and 16
#endif
#ifndef RUN
#define RUN 5 // min(h, LOG_TILE - STAGES): log2 of the waiting values that stand side by side in a tile
#endif
#ifndef SPREAD
#define SPREAD 5 // the lowest index bit, at least 1, of those that differ between values stored together
#endif
#ifndef SEQUENCY
#define SEQUENCY 0 // 1 in the last pass of a transform into sequency order
#endif
#ifndef BUTTERFLIES
#define BUTTERFLIES 1 // 0 moves the values only: the bit reversal alone
#endif

// Rounds take LOG_REGS bits of q each, from the lowest on; the last may be narrower.
#define ROUNDS ((STAGES + LOG_REGS - 1) / LOG_REGS)

// The bits of a byte in reversed order: five copies, of which each keeps the bits that it has in the right place modulo
// 10, are added up.
inline uint walsh_reversed_byte(const uint x)
{
    return (uint)((((ulong)x * 0x80200802ul & 0x0884422110ul) * 0x0101010101ul) >> 32) & 0xFFu;
}

// The lowest `bits` bits of x in reversed order, at most 16.
inline uint walsh_reversed(const uint x, const uint bits)
{
    return ((walsh_reversed_byte(x & 0xFFu) << 8) | walsh_reversed_byte(x >> 8)) >> (16u - bits);
}

// The i with i ^ (i >> 1) = x.
inline ulong walsh_gray_inverse(ulong x)
{
    x ^= x >> 1;
    x ^= x >> 2;
    x ^= x >> 4;
    x ^= x >> 8;
    x ^= x >> 16;
    x ^= x >> 32;
    return x;
}

// The results of a tile in the order of their addresses are numbered [placed][row: STAGES bits][waiting: RUN bits].
#define WALSH_RESULT_ROW(o) (((o) >> RUN) & ((1u << STAGES) - 1u))
#define WALSH_RESULT_EXTRA(o) ((((o) >> (RUN + STAGES)) << RUN) | ((o) & ((1u << RUN) - 1u)))
// The tile index that result `o` comes from.
#define WALSH_RESULT_INDEX(o) ((WALSH_RESULT_EXTRA(o) << STAGES) | walsh_reversed(WALSH_RESULT_ROW(o), STAGES))

// A place in the tile that spreads both the rounds (by SWIZZLE) and the reversed reading (by SPREAD) over the banks.
inline uint walsh_spread(const uint index)
{
#if SPREAD == SWIZZLE
    return tile_place(index);
#else
    return tile_place(index) ^ ((index >> SPREAD) & BANK_MASK);
#endif
}

// Where result `o` goes, counted from the transform's or the tile's first value.
inline ulong walsh_target(const ulong source, const uint row, const uint log_waiting)
{
    const ulong waiting = (source >> STAGES) & ((1ul << log_waiting) - 1ul);
    const ulong placed = source >> (STAGES + log_waiting);
    return (((placed << STAGES) | row) << log_waiting) | waiting;
}

// from, to: `count` values each, a multiple of 2^log_length. log_waiting: h above. shift: log2 of the divisor of every
// result (0 for none).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void walsh_geometry(__global const ELEMENT *from, __global ELEMENT *to, const ulong count, const uint log_length,
                    const uint log_waiting, const uint shift)
{
    __local ELEMENT tile[1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << LOG_TILE;
    const ulong left = count - start;
    ELEMENT x[REGS];
    if (left >= (1u << LOG_TILE)) {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = from[start + item + j * GROUP];
    } else {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = item + j * GROUP < left ? from[start + item + j * GROUP] : (ELEMENT)0;
    }
    // Places are linear over xor, as in walsh_registers.clh.
    const uint load_base = walsh_spread(item) * ELEMENT_BYTES;
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        *tile_at(tile, load_base, walsh_spread(j * GROUP)) = x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
#if BUTTERFLIES
#pragma unroll
    for (uint k = 0; k < ROUNDS; k++) {
        const uint low = k * LOG_REGS;
        const uint width = STAGES - low < LOG_REGS ? STAGES - low : LOG_REGS;
        const uint base = walsh_spread(tile_index(item, 0u, low, width)) * ELEMENT_BYTES;
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = *tile_at(tile, base, walsh_spread(tile_index(0u, j, low, width)));
        walsh_butterflies(x, 0u, width);
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            *tile_at(tile, base, walsh_spread(tile_index(0u, j, low, width))) = x[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    const uint base = walsh_spread(WALSH_RESULT_INDEX(item)) * ELEMENT_BYTES;
    const ulong source = start + (WALSH_RESULT_EXTRA(item) << STAGES);
    ulong target = walsh_target(source, WALSH_RESULT_ROW(item), log_waiting);
#if SEQUENCY
    const ulong length_mask = (1ul << log_length) - 1ul;
    target = (target & ~length_mask) | walsh_gray_inverse(target & length_mask);
#else
    (void)log_length;
#endif
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        // The result's number is item + j * GROUP: different bits, so places, sources and targets combine by xor; the
        // inverse Gray code is linear over xor, too, and a carry out of the length's bits does not happen.
        const ulong source_j = WALSH_RESULT_EXTRA(j * GROUP) << STAGES;
        ulong target_j = walsh_target(source_j, WALSH_RESULT_ROW(j * GROUP), log_waiting);
#if SEQUENCY
        target_j = (target_j & ~length_mask) | walsh_gray_inverse(target_j & length_mask);
#endif
        if (source + source_j < count)
            to[target ^ target_j] = walsh_scaled(*tile_at(tile, base, walsh_spread(WALSH_RESULT_INDEX(j * GROUP))), shift);
    }
}
