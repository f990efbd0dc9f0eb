// Haar transform, out of place: LEVELS levels of tiles of partial sums in one pass (paper 001, Algorithm 4 by tiles).
//
// Each item loads four quads of neighbours, GROUP quads apart, and does two levels of each in registers; the sums go through
// local memory, where a quarter of the items does the next two levels, and so on. Differences go to their places at once: those
// of a level stand side by side.
//
// parts: spectral/haar.clh
// set: LOG_TILE=8 LEVELS=1
// set: LOG_TILE=12 LEVELS=12 NORMALIZED=1
// set: int LEVELS=7
// set: long LEVELS=2
// set: double LEVELS=3 NORMALIZED=1

// from: `count` sums, a multiple of 2^LEVELS, of arrays of 2^log_run; to: the coefficients, arrays of 2^log_len; sums: the
// count >> LEVELS sums that remain, not written in the last pass (log_run = LEVELS), which stores the totals.
// offset: the normalisation's.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void haar_forward(__global const ELEMENT *from, __global ELEMENT *to, __global ELEMENT *sums, const ulong count,
                  const uint log_run, const uint log_len, const int offset)
{
#if LEVELS > 1
    __local ELEMENT tile[TILE / 4u];
#endif
    const uint item = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) << LOG_TILE;
    const ulong left = count - start;
    QUAD quads[4];
#pragma unroll
    for (uint i = 0; i < 4u; i++) {
        const uint index = 4u * (item + i * GROUP);
        if (left >= TILE) {
            quads[i] = *(__global const QUAD *)(from + start + index);
        } else {
            quads[i].s0 = index < left ? from[start + index] : (ELEMENT)0;
            quads[i].s1 = index + 1u < left ? from[start + index + 1u] : (ELEMENT)0;
            quads[i].s2 = index + 2u < left ? from[start + index + 2u] : (ELEMENT)0;
            quads[i].s3 = index + 3u < left ? from[start + index + 3u] : (ELEMENT)0;
        }
    }
#pragma unroll
    for (uint i = 0; i < 4u; i++) {
        const uint quad = item + i * GROUP;
        const ELEMENT a = HAAR_PLUS(quads[i].s0, quads[i].s1);
        const ELEMENT b = HAAR_PLUS(quads[i].s2, quads[i].s3);
        const int roots = (int)log_run - 1 + offset;
        const ELEMENT d = haar_scaled(HAAR_MINUS(quads[i].s0, quads[i].s1), roots);
        const ELEMENT e = haar_scaled(HAAR_MINUS(quads[i].s2, quads[i].s3), roots);
        const ulong sum = (start >> 1) + 2u * quad;
#if LEVELS == 1
        // Pairs may be arrays, and their number odd.
        if (4u * quad < left) {
            to[haar_place(sum, log_run - 1u, log_len)] = d;
            if (log_run == 1u)
                to[sum << log_len] = haar_scaled(a, offset);
            else
                sums[sum] = a;
        }
        if (4u * quad + 2u < left) {
            to[haar_place(sum + 1u, log_run - 1u, log_len)] = e;
            if (log_run == 1u)
                to[(sum + 1u) << log_len] = haar_scaled(b, offset);
            else
                sums[sum + 1u] = b;
        }
#else
        if (4u * quad < left) {
            *(__global PAIR *)(to + haar_place(sum, log_run - 1u, log_len)) = (PAIR)(d, e);
            to[haar_place((start >> 2) + quad, log_run - 2u, log_len)] =
                haar_scaled(HAAR_MINUS(a, b), (int)log_run - 2 + offset);
        }
        tile[quad] = HAAR_PLUS(a, b);
#endif
    }
#if LEVELS > 1
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint level = 2; level + 2u <= LEVELS; level += 2u) {
        ELEMENT sum = 0;
        if (item < TILE >> (level + 2u)) {
            const ELEMENT u = tile[4u * item];
            const ELEMENT v = tile[4u * item + 1u];
            const ELEMENT w = tile[4u * item + 2u];
            const ELEMENT x = tile[4u * item + 3u];
            const ELEMENT a = HAAR_PLUS(u, v);
            const ELEMENT b = HAAR_PLUS(w, x);
            sum = HAAR_PLUS(a, b);
            if (((ulong)item << (level + 2u)) < left) {
                const int roots = (int)(log_run - level) - 1 + offset;
                const ulong first = (start >> (level + 1u)) + 2u * item;
                const ELEMENT d = haar_scaled(HAAR_MINUS(u, v), roots);
                const ELEMENT e = haar_scaled(HAAR_MINUS(w, x), roots);
                *(__global PAIR *)(to + haar_place(first, log_run - level - 1u, log_len)) = (PAIR)(d, e);
                to[haar_place((start >> (level + 2u)) + item, log_run - level - 2u, log_len)] =
                    haar_scaled(HAAR_MINUS(a, b), roots - 1);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < TILE >> (level + 2u))
            tile[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // The sums that remain, or pairs of them where one level is left.
#pragma unroll
    for (uint i = 0; i < (TILE >> LEVELS) / GROUP + 1u; i++) {
        const uint index = item + i * GROUP;
        if (index < TILE >> LEVELS && ((ulong)index << LEVELS) < left) {
#if LEVELS % 2 == 1
            const ELEMENT u = tile[2u * index];
            const ELEMENT v = tile[2u * index + 1u];
            const ELEMENT sum = HAAR_PLUS(u, v);
            to[haar_place((start >> LEVELS) + index, log_run - LEVELS, log_len)] =
                haar_scaled(HAAR_MINUS(u, v), (int)log_run - LEVELS + offset);
#else
            const ELEMENT sum = tile[index];
#endif
            if (log_run == LEVELS)
                to[((start >> LEVELS) + index) << log_len] = haar_scaled(sum, offset);
            else
                sums[(start >> LEVELS) + index] = sum;
        }
    }
#endif
}
