// Walsh-Hadamard transform of contiguous tiles, in place.
//
// A group owns 2^(LOG_TILE + LOG_SPILL) consecutive values and applies the butterflies (u + v, u - v) of the lowest
// STAGES index bits. A work-item keeps 2^LOG_REGS values in registers; between rounds the values change places through
// local memory, so that each travels from global memory and back once. Index bits, high to low:
//
//   load     [R-V registers][ work-items                  ][V registers]   16-byte loads, neighbours side by side
//   round 1  [ work-items                 ][R registers   ][work-items ]
//   round 2  [ work-items  ][R registers  ][ work-items                ]
//   ...      until the bits of the load's registers are reached; stores from there, one element an item, side by side
//
// With LOG_SPILL > 0 the stages above the tile are done first, between the values of one work-item in 2^LOG_SPILL
// tiles: the first tile stays in registers, the others go back to memory, in practice to its cache, and the same
// work-item reads them again.

#ifndef STAGES
#define STAGES 10 // butterfly stages: the lowest STAGES index bits
#endif
#ifndef LOG_SPILL
#define LOG_SPILL 0 // how many of them lie above the tile; when not 0, STAGES = LOG_TILE + LOG_SPILL
#endif

#define TILES (1u << LOG_SPILL)
#define TILE_STAGES (STAGES - LOG_SPILL)

#if ELEMENT_BYTES == 4
#define LOG_VECTOR 2
#define VECTOR_LENGTH 4
#else
#define LOG_VECTOR 1
#define VECTOR_LENGTH 2
#endif
#define WALSH_PASTE_(a, b) a##b
#define WALSH_PASTE(a, b) WALSH_PASTE_(a, b)
#define VECTOR WALSH_PASTE(ELEMENT, VECTOR_LENGTH)

#define HIGH_REGS (LOG_REGS - LOG_VECTOR) // register bits at the top of the index in the load layout
#define HIGH_BIT (LOG_TILE - HIGH_REGS)   // the lowest of them
#define MIDDLE_END (TILE_STAGES < HIGH_BIT ? TILE_STAGES : HIGH_BIT)
#define HIGH_STAGES (TILE_STAGES > HIGH_BIT ? TILE_STAGES - HIGH_BIT : 0)
// The last round's lowest index bit and width. Rounds take LOG_REGS bits each from LOG_VECTOR on.
#define LAST_LOW (LOG_VECTOR + ((MIDDLE_END - LOG_VECTOR - 1) / LOG_REGS) * LOG_REGS)
#define LAST_WIDTH (MIDDLE_END - LAST_LOW)

// The tile index of register `j` in the load layout.
inline uint walsh_load_index(const uint item, const uint j)
{
    return ((j >> LOG_VECTOR) << HIGH_BIT) | (item << LOG_VECTOR) | (j & (VECTOR_LENGTH - 1u));
}

// `left` values remain in the buffer from `from` on; those past them read as 0.
inline void walsh_load(__global const ELEMENT *from, ELEMENT *x, const uint item, const ulong left)
{
    if (left >= (1u << LOG_TILE)) {
#pragma unroll
        for (uint j = 0; j < REGS; j += VECTOR_LENGTH) {
            const VECTOR v = *(__global const VECTOR *)(from + walsh_load_index(item, j));
            x[j] = v.s0;
            x[j + 1u] = v.s1;
#if VECTOR_LENGTH == 4
            x[j + 2u] = v.s2;
            x[j + 3u] = v.s3;
#endif
        }
    } else {
#pragma unroll
        for (uint j = 0; j < REGS; j++) {
            const uint index = walsh_load_index(item, j);
            x[j] = index < left ? from[index] : (ELEMENT)0;
        }
    }
}

// All stages of one tile that stands in registers in the load layout; the result goes to `to`.
inline void walsh_tile_stages(__local ELEMENT *tile, ELEMENT *x, __global ELEMENT *to, const uint item,
                              const ulong left, const uint shift)
{
    walsh_butterflies(x, 0u, TILE_STAGES < LOG_VECTOR ? TILE_STAGES : LOG_VECTOR);
    walsh_butterflies(x, LOG_VECTOR, LOG_VECTOR + HIGH_STAGES);
#if MIDDLE_END > LOG_VECTOR
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        tile[walsh_place(walsh_load_index(item, j))] = x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint low = LOG_VECTOR; low < LAST_LOW; low += LOG_REGS) {
        walsh_get(tile, x, item, low, LOG_REGS);
        walsh_butterflies(x, 0u, LOG_REGS);
        walsh_put(tile, x, item, low, LOG_REGS);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    walsh_get(tile, x, item, LAST_LOW, LAST_WIDTH);
    walsh_butterflies(x, 0u, LAST_WIDTH);
#endif
#if MIDDLE_END > LOG_VECTOR && LAST_LOW >= 5
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        const uint index = walsh_index(item, j, LAST_LOW, LAST_WIDTH);
        if (index < left)
            to[index] = walsh_scaled(x[j], shift);
    }
#else
#if MIDDLE_END > LOG_VECTOR
    // Few stages: the last round's registers are neighbours in memory, so the stores go through the load layout.
    walsh_put(tile, x, item, LAST_LOW, LAST_WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = tile[walsh_place(walsh_load_index(item, j))];
#endif
    if (left >= (1u << LOG_TILE)) {
#pragma unroll
        for (uint j = 0; j < REGS; j += VECTOR_LENGTH) {
            VECTOR v;
            v.s0 = walsh_scaled(x[j], shift);
            v.s1 = walsh_scaled(x[j + 1u], shift);
#if VECTOR_LENGTH == 4
            v.s2 = walsh_scaled(x[j + 2u], shift);
            v.s3 = walsh_scaled(x[j + 3u], shift);
#endif
            *(__global VECTOR *)(to + walsh_load_index(item, j)) = v;
        }
    } else {
#pragma unroll
        for (uint j = 0; j < REGS; j++) {
            const uint index = walsh_load_index(item, j);
            if (index < left)
                to[index] = walsh_scaled(x[j], shift);
        }
    }
#endif
}

// data: `count` values, a multiple of 2^STAGES; 16-byte aligned. Group g owns the values from g * 2^(LOG_TILE + LOG_SPILL).
// shift: log2 of the divisor of every result (0 for the forward transform).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void walsh_tile(__global ELEMENT *data, const ulong count, const uint shift)
{
    __local ELEMENT tile[1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << (LOG_TILE + LOG_SPILL);
    __global ELEMENT *own = data + start;
    ELEMENT x[REGS];
#if LOG_SPILL == 0
    walsh_load(own, x, item, count - start);
    walsh_tile_stages(tile, x, own, item, count - start, shift);
#else
    (void)count; // whole tiles only
#pragma unroll
    for (uint j = 0; j < REGS; j += VECTOR_LENGTH) {
        __global VECTOR *at = (__global VECTOR *)(own + walsh_load_index(item, j));
        const uint step = (1u << LOG_TILE) / VECTOR_LENGTH;
        VECTOR y[TILES];
#pragma unroll
        for (uint k = 0; k < TILES; k++)
            y[k] = at[k * step];
#pragma unroll
        for (uint b = 1; b < TILES; b *= 2u) {
#pragma unroll
            for (uint k = 0; k < TILES; k++) {
                if ((k & b) == 0u) {
                    const VECTOR u = y[k];
                    const VECTOR v = y[k | b];
                    y[k] = u + v;
                    y[k | b] = u - v;
                }
            }
        }
#pragma unroll
        for (uint k = 1; k < TILES; k++)
            at[k * step] = y[k];
        x[j] = y[0].s0;
        x[j + 1u] = y[0].s1;
#if VECTOR_LENGTH == 4
        x[j + 2u] = y[0].s2;
        x[j + 3u] = y[0].s3;
#endif
    }
    walsh_tile_stages(tile, x, own, item, 1u << LOG_TILE, shift);
#pragma unroll 1
    for (uint k = 1; k < TILES; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        __global ELEMENT *next = own + (k << LOG_TILE);
        walsh_load(next, x, item, 1u << LOG_TILE);
        walsh_tile_stages(tile, x, next, item, 1u << LOG_TILE, shift);
    }
#endif
}
