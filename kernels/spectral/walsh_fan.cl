// Walsh-Hadamard, Reed-Muller or arithmetic transform of one array too long for a quick group and too short for several launches, out of place.
//
// The array is 2^LOG_FAN tiles. Group w computes the spectrum's tile w by itself: it reads all tiles, combines
// them by row w of the small transform over the tiles, and transforms the result. Every value is read 2^LOG_FAN times,
// from the cache, and one launch does with as many groups what one group would do slowly.
//
// parts: ntt/tile_layout.clh spectral/walsh_registers.clh spectral/walsh_tile.clh
// set: LOG_TILE=12 TILE_STAGES=12 LOG_FAN=3
// set: LOG_TILE=12 TILE_STAGES=12 LOG_REGS=5 LOG_FAN=1
// set: int LOG_TILE=12 TILE_STAGES=12 LOG_FAN=3
// set: long LOG_TILE=11 TILE_STAGES=11
// set: double LOG_TILE=11 TILE_STAGES=11 LOG_FAN=3
// set: long BUTTERFLY=1 UNIT_LOG_BITS=3
// set: BUTTERFLY=2
// set: int BUTTERFLY=3

#ifndef LOG_FAN
#define LOG_FAN 2
#endif

#define FAN (1u << LOG_FAN)

// from, to: 2^(LOG_TILE + LOG_FAN) values each, TILE_STAGES = LOG_TILE; 2^LOG_FAN groups.
// shift: log2 of the divisor of every result (0 for the forward transform).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void walsh_fan(__global const ELEMENT *from, __global ELEMENT *to, const uint shift)
{
    __local ELEMENT tile[1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const uint row = (uint)get_group_id(0);
    ELEMENT x[REGS];
#pragma unroll
    for (uint j = 0; j < REGS; j += VECTOR_LENGTH) {
        VECTOR y[FAN];
#pragma unroll
        for (uint k = 0; k < FAN; k++)
            y[k] = *(__global const VECTOR *)(from + (k << LOG_TILE) + walsh_load_index(item, j));
        // The sums in the order of the butterflies, so that floating point gives their bits.
#pragma unroll
        for (uint b = 0; b < LOG_FAN; b++) {
            const bool second = ((row >> b) & 1u) != 0u;
#pragma unroll
            for (uint k = 0; k < FAN; k += 2u << b)
                y[k] = second ? VECTOR_SECOND(y[k], y[k + (1u << b)]) : VECTOR_FIRST(y[k], y[k + (1u << b)]);
        }
        x[j] = y[0].s0;
        x[j + 1u] = y[0].s1;
#if VECTOR_LENGTH == 4
        x[j + 2u] = y[0].s2;
        x[j + 3u] = y[0].s3;
#endif
    }
    walsh_tile_stages(tile, x, to + (row << LOG_TILE), item, 1u << LOG_TILE, shift);
}
