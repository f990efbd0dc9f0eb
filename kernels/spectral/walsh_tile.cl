// Walsh-Hadamard, Reed-Muller or arithmetic transform of contiguous tiles, in place.
//
// A group owns 2^(LOG_TILE + LOG_SPILL) consecutive values and applies the butterflies of the lowest
// STAGES index bits (walsh_tile.clh shows how a tile goes through registers and local memory), so that each value
// travels from global memory and back once.
//
// With LOG_SPILL > 0 the stages above the tile are done first, between the values of one work-item in 2^LOG_SPILL
// tiles: the first tile stays in registers, the others go back to memory, in practice to its cache, and the same
// work-item reads them again.
//
// parts: ntt/tile_layout.clh spectral/walsh_registers.clh spectral/walsh_spill.clh spectral/walsh_tile.clh
// set: LOG_TILE=12 STAGES=1
// set: LOG_TILE=12 STAGES=2
// set: LOG_TILE=12 STAGES=7
// set: LOG_TILE=12 STAGES=12 LOG_REGS=5
// set: LOG_TILE=11 STAGES=12 LOG_SPILL=1
// set: LOG_TILE=11 STAGES=13 LOG_SPILL=2
// set: int LOG_TILE=12 STAGES=12
// set: long LOG_TILE=11 STAGES=11
// set: double LOG_TILE=11 STAGES=3
// set: double LOG_TILE=11 STAGES=12 LOG_SPILL=1
// set: long STAGES=10 BUTTERFLY=1
// set: long STAGES=11 LOG_SPILL=1 BUTTERFLY=1 UNIT_LOG_BITS=0
// set: int STAGES=10 BUTTERFLY=2
// set: STAGES=10 BUTTERFLY=3

#define TILES (1u << LOG_SPILL)
// Vectors of each tile that a work-item has in flight.
#define CHUNK (REGS / VECTOR_LENGTH < 8u / TILES ? REGS / VECTOR_LENGTH : 8u / TILES)

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
#elif BUTTERFLY == BUTTERFLY_REED_MULLER
    (void)count; // whole tiles only
    // Tile k is the sum of the tiles whose index bits are among those of k, transformed: the last one is done first, so that
    // the others are still as they were when they are read again, from the cache.
#pragma unroll 1
    for (uint k = TILES; k-- > 0u;) {
        walsh_load(own + (k << LOG_TILE), x, item, 1u << LOG_TILE);
#pragma unroll 1
        for (uint m = 0; m < k; m++) {
            if ((m & ~k) != 0u)
                continue;
            ELEMENT y[REGS];
            walsh_load(own + (m << LOG_TILE), y, item, 1u << LOG_TILE);
#pragma unroll
            for (uint j = 0; j < REGS; j++)
                x[j] ^= y[j];
        }
        if (k + 1u < TILES)
            barrier(CLK_LOCAL_MEM_FENCE);
        walsh_tile_stages(tile, x, own + (k << LOG_TILE), item, 1u << LOG_TILE, shift);
    }
#else
    (void)count; // whole tiles only
    const uint step = (1u << LOG_TILE) / VECTOR_LENGTH;
    // Loads of a chunk all come before its stores, which the compiler must not move them across.
#pragma unroll
    for (uint first = 0; first < REGS; first += CHUNK * VECTOR_LENGTH) {
        VECTOR y[CHUNK * TILES];
#pragma unroll
        for (uint c = 0; c < CHUNK; c++) {
#pragma unroll
            for (uint k = 0; k < TILES; k++)
                y[c * TILES + k] = ((__global const VECTOR *)(own + walsh_load_index(item, first + c * VECTOR_LENGTH)))[k * step];
        }
#pragma unroll
        for (uint b = 1; b < TILES; b *= 2u) {
#pragma unroll
            for (uint k = 0; k < CHUNK * TILES; k++) {
                if ((k & b) == 0u) {
                    const VECTOR u = y[k];
                    const VECTOR v = y[k | b];
                    y[k] = VECTOR_FIRST(u, v);
                    y[k | b] = VECTOR_SECOND(u, v);
                }
            }
        }
#pragma unroll
        for (uint c = 0; c < CHUNK; c++) {
            const uint j = first + c * VECTOR_LENGTH;
#pragma unroll
            for (uint k = 1; k < TILES; k++)
                ((__global VECTOR *)(own + walsh_load_index(item, j)))[k * step] = y[c * TILES + k];
            x[j] = y[c * TILES].s0;
            x[j + 1u] = y[c * TILES].s1;
#if VECTOR_LENGTH == 4
            x[j + 2u] = y[c * TILES].s2;
            x[j + 3u] = y[c * TILES].s3;
#endif
        }
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
