// Inverse Haar transform, out of place: LEVELS levels of tiles in one pass, from coarse sums to finer ones.
//
// The mirror of haar_forward.cl: few items begin with the coarse sums of a tile, each step of two levels makes four sums of one,
// and the last one, of four quads an item, stores neighbours side by side.
//
// parts: spectral/haar.clh
// set: LOG_TILE=8 LEVELS=1
// set: LOG_TILE=12 LEVELS=12 NORMALIZED=1
// set: int LEVELS=7
// set: long LEVELS=2
// set: double LEVELS=3 NORMALIZED=1

// sums: (count >> LEVELS) coarse sums, not read in the first pass (log_run = LEVELS), which takes the totals; from: the
// coefficients, arrays of 2^log_len; to: `count` sums, a multiple of 2^LEVELS, of arrays of 2^log_run.
// offset: the normalisation's; the coefficients are multiplied by the reciprocal.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void haar_inverse(__global const ELEMENT *from, __global const ELEMENT *sums, __global ELEMENT *to, const ulong count,
                  const uint log_run, const uint log_len, const int offset)
{
    __local ELEMENT tile[LEVELS == 1 ? TILE : TILE / 4u];
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << LOG_TILE;
    const ulong left = count - start;
#if LEVELS > 1
    // The finest differences, most of what is read, are on their way while the coarse levels are done.
    ELEMENT coarser[4];
    PAIR finest[4];
#pragma unroll
    for (uint i = 0; i < 4u; i++) {
        const uint quad = item + i * GROUP;
        const ulong coarse = (start >> 2) + quad;
        if (4u * quad < left) {
            coarser[i] = from[haar_place(coarse, log_run - 2u, log_len)];
            finest[i] = *(__global const PAIR *)(from + haar_place(2u * coarse, log_run - 1u, log_len));
        }
    }
#endif
    // The coarse sums, and one level where their number is odd.
#pragma unroll
    for (uint i = 0; i < (TILE >> LEVELS) / GROUP + 1u; i++) {
        const uint index = item + i * GROUP;
        if (index < TILE >> LEVELS && ((ulong)index << LEVELS) < left) {
            const ulong coarse = (start >> LEVELS) + index;
            const ELEMENT s = log_run == LEVELS ? haar_scaled(from[coarse << log_len], -offset) : sums[coarse];
#if LEVELS % 2 == 1
            const ELEMENT d = haar_scaled(from[haar_place(coarse, log_run - LEVELS, log_len)], -((int)log_run - LEVELS + offset));
            tile[2u * index] = HAAR_HALF(HAAR_PLUS(s, d));
            tile[2u * index + 1u] = HAAR_HALF(HAAR_MINUS(s, d));
#else
            tile[index] = s;
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if LEVELS == 1
#pragma unroll
    for (uint i = 0; i < 16u; i++) {
        const uint index = item + i * GROUP;
        if (index < left)
            to[start + index] = tile[index];
    }
#else
#pragma unroll
    for (uint level = LEVELS - LEVELS % 2; level > 2u; level -= 2u) {
        QUAD fine = (QUAD)0;
        if (item < TILE >> level && ((ulong)item << level) < left) {
            const ulong coarse = (start >> level) + item;
            const int roots = (int)(log_run - level) + offset;
            const ELEMENT s = tile[item];
            const ELEMENT d = haar_scaled(from[haar_place(coarse, log_run - level, log_len)], -roots);
            const PAIR e = *(__global const PAIR *)(from + haar_place(2u * coarse, log_run - level + 1u, log_len));
            const ELEMENT a = HAAR_HALF(HAAR_PLUS(s, d));
            const ELEMENT b = HAAR_HALF(HAAR_MINUS(s, d));
            const ELEMENT f = haar_scaled(e.s0, -roots - 1);
            const ELEMENT g = haar_scaled(e.s1, -roots - 1);
            fine = (QUAD)(HAAR_HALF(HAAR_PLUS(a, f)), HAAR_HALF(HAAR_MINUS(a, f)), HAAR_HALF(HAAR_PLUS(b, g)),
                          HAAR_HALF(HAAR_MINUS(b, g)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < TILE >> level) {
            tile[4u * item] = fine.s0;
            tile[4u * item + 1u] = fine.s1;
            tile[4u * item + 2u] = fine.s2;
            tile[4u * item + 3u] = fine.s3;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint i = 0; i < 4u; i++) {
        const uint quad = item + i * GROUP;
        if (4u * quad < left) {
            const int roots = (int)log_run - 2 + offset;
            const ELEMENT s = tile[quad];
            const ELEMENT d = haar_scaled(coarser[i], -roots);
            const PAIR e = finest[i];
            const ELEMENT a = HAAR_HALF(HAAR_PLUS(s, d));
            const ELEMENT b = HAAR_HALF(HAAR_MINUS(s, d));
            const ELEMENT f = haar_scaled(e.s0, -roots - 1);
            const ELEMENT g = haar_scaled(e.s1, -roots - 1);
            *(__global QUAD *)(to + start + 4u * quad) =
                (QUAD)(HAAR_HALF(HAAR_PLUS(a, f)), HAAR_HALF(HAAR_MINUS(a, f)), HAAR_HALF(HAAR_PLUS(b, g)),
                       HAAR_HALF(HAAR_MINUS(b, g)));
        }
    }
#endif
}
