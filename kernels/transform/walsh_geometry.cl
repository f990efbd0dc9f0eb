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

#ifndef STAGES
#define STAGES 5 // steps of this pass, at most LOG_TILE
#endif
#ifndef BUTTERFLIES
#define BUTTERFLIES 1 // 0 moves the values only: the bit reversal alone
#endif

// Rounds take LOG_REGS bits of q each, from the lowest on; the last may be narrower.
#define ROUNDS ((STAGES + LOG_REGS - 1) / LOG_REGS)

// The lowest `bits` bits of x in reversed order.
inline uint walsh_reversed(uint x, const uint bits)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
    x = ((x >> 8) & 0x00FF00FFu) | ((x & 0x00FF00FFu) << 8);
    x = (x >> 16) | (x << 16);
    return x >> (32u - bits);
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

// A place in the tile that spreads both the rounds and the reversed reading over the banks.
inline uint walsh_spread(const uint index, const uint swizzle)
{
    return index ^ ((index >> swizzle) & (ELEMENT_BYTES == 8 ? 15u : 31u));
}

// from, to: `count` values each, a multiple of 2^log_length. log_waiting: h above. sequency: 1 in the last pass of a
// transform into sequency order, else 0. swizzle: 1 or more. shift: log2 of the divisor of every result (0 for none).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void walsh_geometry(__global const ELEMENT *from, __global ELEMENT *to, const ulong count, const uint log_length,
                    const uint log_waiting, const uint sequency, const uint swizzle, const uint shift)
{
    __local ELEMENT tile[1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << LOG_TILE;
    const ulong left = count - start;
    ELEMENT x[REGS];
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        const uint index = item + j * GROUP;
        x[j] = index < left ? from[start + index] : (ELEMENT)0;
    }
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        tile[walsh_spread(item + j * GROUP, swizzle)] = x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
#if BUTTERFLIES
#pragma unroll
    for (uint k = 0; k < ROUNDS; k++) {
        const uint low = k * LOG_REGS;
        const uint width = STAGES - low < LOG_REGS ? STAGES - low : LOG_REGS;
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = tile[walsh_spread(walsh_index(item, j, low, width), swizzle)];
        walsh_butterflies(x, 0u, width);
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            tile[walsh_spread(walsh_index(item, j, low, width), swizzle)] = x[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    const uint extra_bits = LOG_TILE - STAGES;
    const uint run = log_waiting < extra_bits ? log_waiting : extra_bits;
    const ulong length_mask = (1ul << log_length) - 1ul;
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        // o counts the tile's results in the order of their addresses: [placed][row][waiting].
        const uint o = item + j * GROUP;
        const uint row = (o >> run) & ((1u << STAGES) - 1u);
        const uint extra = ((o >> (run + STAGES)) << run) | (o & ((1u << run) - 1u));
        const ulong source = start + (extra << STAGES);
        const ulong waiting = (source >> STAGES) & ((1ul << log_waiting) - 1ul);
        const ulong placed = source >> (STAGES + log_waiting);
        ulong target = (((placed << STAGES) | row) << log_waiting) | waiting;
        if (sequency != 0u)
            target = (target & ~length_mask) | walsh_gray_inverse(target & length_mask);
        if (source < count)
            to[target] = walsh_scaled(tile[walsh_spread((extra << STAGES) | walsh_reversed(row, STAGES), swizzle)], shift);
    }
}
