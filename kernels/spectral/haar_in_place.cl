// Haar transform in place: LEVELS levels of tiles (paper 001, Algorithm 3 in ascending order).
//
// The sum of a pair takes the place of its first value, the difference that of its second. After `done` levels the sums of an
// array stand 2^log_done apart; a tile has 2^LOG_TILE of them. Coefficient 2^j + q comes to the place (2 q + 1) 2^(n - 1 - j).
//
// parts: spectral/haar.clh
// set: LOG_TILE=8 LEVELS=1 INVERSE=1 STRIDED=1
// set: LOG_TILE=12 LEVELS=12 NORMALIZED=1
// set: int LEVELS=7 INVERSE=1 STRIDED=1
// set: long LEVELS=2
// set: double LEVELS=3 NORMALIZED=1

#ifndef INVERSE
#define INVERSE 0
#endif
#ifndef STRIDED
#define STRIDED 0 // 1 where log_done > 0
#endif

// data: `count` sums, a multiple of 2^LEVELS, 2^log_done places apart, of arrays of 2^log_run. offset: the normalisation's.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void haar_in_place(__global ELEMENT *data, const ulong count, const uint log_done, const uint log_run, const int offset)
{
    __local ELEMENT tile[TILE];
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << LOG_TILE;
    const ulong left = count - start;
#if !STRIDED
    (void)log_done;
#define HAAR_AT(i) data[start + (i)]
#else
#define HAAR_AT(i) data[(start + (i)) << log_done]
#endif
#pragma unroll
    for (uint i = 0; i < 16u; i++) {
        const uint index = item + i * GROUP;
        tile[index] = index < left ? HAAR_AT(index) : (ELEMENT)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if INVERSE
    if (log_run == LEVELS) {
        for (uint array = item; array < TILE >> LEVELS; array += GROUP)
            tile[array << LEVELS] = haar_scaled(tile[array << LEVELS], -offset);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    for (uint step = 1; step <= LEVELS; step++) {
        const uint level = INVERSE ? LEVELS + 1u - step : step;
        const int roots = (int)(log_run - level) + offset;
        for (uint pair = item; pair < TILE >> level; pair += GROUP) {
            const uint a = pair << level;
            const uint b = a | (1u << (level - 1u));
            const ELEMENT u = tile[a];
#if INVERSE
            const ELEMENT v = haar_scaled(tile[b], -roots);
            tile[a] = HAAR_HALF(HAAR_PLUS(u, v));
            tile[b] = HAAR_HALF(HAAR_MINUS(u, v));
#else
            const ELEMENT v = tile[b];
            tile[a] = HAAR_PLUS(u, v);
            tile[b] = haar_scaled(HAAR_MINUS(u, v), roots);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#if !INVERSE
    if (log_run == LEVELS) {
        for (uint array = item; array < TILE >> LEVELS; array += GROUP)
            tile[array << LEVELS] = haar_scaled(tile[array << LEVELS], offset);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
#pragma unroll
    for (uint i = 0; i < 16u; i++) {
        const uint index = item + i * GROUP;
        if (index < left)
            HAAR_AT(index) = tile[index];
    }
}
