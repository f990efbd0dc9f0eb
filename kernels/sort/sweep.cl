// Radix sort by digits of 8 bits from the lowest, stable, each digit in one sweep: keys are counted by all digits at once; then for
// each digit a tile's keys are ranked within parts of 32 items, and the keys of equal digits in the tiles before are summed by looking
// back (Adinets and Merrill, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs, 2022, sections 4.1 to 4.4).
//
// A tile has GROUP * PER keys; the parts of its group have 32 * PER keys each, of which item i has keys i, i + 32, ... Keys are in `a`
// at first, and each sweep moves them to the other array; digits in which all keys agree are left out, but for one where that brings
// the keys back to `a`. `control` is 0 at first: what the survey tells, the tiles that have begun each sweep, and from word TOTALS on
// how many keys have each digit or a smaller one.
//
// A tile tells for each digit its own count, and later that with all tiles before, in one word with a mark of which it is, so that
// no fence is needed between them. Tiles are numbered as their groups begin, so that a group waits for such alone as run already.
// Where groups that run do not get on at the same time, a wait ends after WAIT_TURNS turns: the waiting item counts the tile's keys
// itself.
//
// parts: sort/radix.clh sort/warp.clh sort/told.clh sort/tile.clh
// set: KEY=uint PER=32
// set: KEY=uint VOTES=1 GROUP=512 PER=16 FLIP=0
// set: KEY=uchar GROUP=64 PER=4 WAIT_TURNS=0u
// set: KEY=ushort VALUE=uint PAIRS=1 FLIP=1
// set: KEY=ulong VALUE=ulong PAIRS=1 PER=4
// set: KEY=ulong COUNT=ulong WIDE=1 PER=4

#ifndef COPIES
#define COPIES 4u // of counts in local memory, which keep items apart that have the same digit
#endif
#ifndef BATCH
#define BATCH 8u // keys that an item of the survey reads at a time
#endif
#ifndef LOOK
#define LOOK 4u // tiles that an item looks back at a time
#endif
#ifndef WAIT_TURNS
#define WAIT_TURNS (1u << 16) // of a wait for a tile, at most
#endif

#define ARRIVALS 3u // words of `control`
#define TICKETS 4u
#define TOTALS 16u

// The digits that are swept, of each a bit.
inline uint swept_digits(__global const uint *control)
{
    uint digits = 0u;
    for (uint pass = 0u; pass < PASSES; pass++)
        digits |= (is_sorted_by(control, 8u * pass) ? 1u : 0u) << pass;
    return (popcount(digits) & 1u) != 0u ? digits | (digits + 1u) : digits;
}

// In which bits the images of the `n` keys differ, whether they are out of order, and how many have each digit or a smaller one.
// `words` of `states` become 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sweep_survey(__global const KEY *keys, const ulong n, const KEY other, const KEY difference, const ulong words,
                  __global uint *control, __global COUNT *states)
{
    __local uint counts[PASSES * DIGITS * COPIES];
    __local COUNT sums[2][DIGITS];
    __local uint found[3];
    __local uint is_last;
    const uint me = (uint)get_local_id(0);
    for (uint i = me; i < PASSES * DIGITS * COPIES; i += GROUP)
        counts[i] = 0u;
    if (me < 3u)
        found[me] = 0u;
    if (me == 0u)
        is_last = 0u;
    for (ulong i = get_global_id(0); i < words; i += get_global_size(0))
        states[i] = (COUNT)0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const KEY first = flipped(keys[0], other, difference);
    __local uint *own = counts + me % COPIES;
    ulong bits = 0ul;
    bool is_out_of_order = false;
    for (ulong begin = get_group_id(0) * (GROUP * BATCH); begin < n; begin += get_num_groups(0) * (GROUP * BATCH)) {
        KEY images[BATCH];
        __global const KEY *batch = keys + begin;
        const uint count = (uint)min(n - begin, (ulong)(GROUP * BATCH));
#pragma unroll
        for (uint j = 0u; j < BATCH; j++) {
            const uint i = j * GROUP + me;
            images[j] = i < count ? flipped(batch[i], other, difference) : first;
        }
#pragma unroll
        for (uint j = 0u; j < BATCH; j++) {
            const uint i = j * GROUP + me;
            if (i < count) {
                bits |= (ulong)(KEY)(images[j] ^ first);
                if (!is_out_of_order && begin + i > 0ul)
                    is_out_of_order = flipped(keys[begin + i - 1ul], other, difference) > images[j];
#pragma unroll
                for (uint pass = 0u; pass < PASSES; pass++)
                    atomic_inc(&own[(pass * DIGITS + digit_at(images[j], 8u * pass)) * COPIES]);
            }
        }
    }
    if ((uint)bits != 0u)
        atomic_or(&found[0], (uint)bits);
    if ((uint)(bits >> 32) != 0u)
        atomic_or(&found[1], (uint)(bits >> 32));
    if (is_out_of_order)
        atomic_or(&found[2], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 3u && found[me] != 0u)
        atomic_or(&control[me], found[me]);
    __global COUNT *totals = (__global COUNT *)(control + TOTALS);
    for (uint i = me; i < PASSES * DIGITS; i += GROUP) {
        uint sum = 0u;
        for (uint copy = 0u; copy < COPIES; copy++)
            sum += counts[i * COPIES + copy];
        if (sum != 0u)
            add(&totals[i], (COUNT)sum);
    }
    // The last group to come here sums up.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (me == 0u) {
        fence_between_groups();
        is_last = atomic_inc(&control[ARRIVALS]) + 1u == get_num_groups(0) ? 1u : 0u;
        fence_between_groups();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last == 0u)
        return;
    for (uint pass = 0u; pass < PASSES; pass++) {
        for (uint digit = me; digit < DIGITS; digit += GROUP)
            sums[0][digit] = told_of(&totals[pass * DIGITS + digit]);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint now = 0u;
        for (uint step = 1u; step < DIGITS; step <<= 1) {
            for (uint digit = me; digit < DIGITS; digit += GROUP)
                sums[1u - now][digit] = sums[now][digit] + (digit >= step ? sums[now][digit - step] : (COUNT)0);
            now = 1u - now;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint digit = me; digit < DIGITS; digit += GROUP)
            tell(&totals[pass * DIGITS + digit], sums[0][digit]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// How many keys of a tile have a digit.
inline COUNT counted(__global const KEY *keys, const ulong n, const ulong tile, const uint digit, const uint shift,
                     const KEY other, const KEY difference)
{
    const ulong end = min(n, (tile + 1ul) * TILE);
    COUNT count = (COUNT)0;
    for (ulong i = tile * TILE; i < end; i++)
        count += (COUNT)(digit_at(flipped(keys[i], other, difference), shift) == digit ? 1 : 0);
    return count;
}

// The keys of each tile, and what goes with them, to their places by the digit at `shift`; one group a tile. `states` has two words
// for each digit of each tile: this sweep's are 0 at first, and those of the next become 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sweep_place(__global KEY *a, __global KEY *b, __global VALUE *values_of_a, __global VALUE *values_of_b, const ulong n,
                 const uint shift, const KEY other, const KEY difference, __global uint *control, __global COUNT *states)
{
    __local ulong pool[POOL];
    __local uint ends[DIGITS];
    __local COUNT bases[DIGITS];
    __local uint spread[SPREAD];
    __local uint sums[SUMS];
    __local uint ticket;
    const uint swept = swept_digits(control);
    if ((swept >> (shift / 8u) & 1u) == 0u)
        return;
    __local uint *counts = (__local uint *)pool;
    const uint me = (uint)get_local_id(0);
    if (me == 0u)
        ticket = atomic_inc(&control[TICKETS + shift / 8u]);
    for (uint i = me; i < COUNTS_BYTES / 4u; i += GROUP)
        counts[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tiles = (uint)get_num_groups(0);
    const uint tile = ticket;
    if (tile >= tiles)
        return;
    const bool is_from_b = (popcount(swept & ((1u << (shift / 8u)) - 1u)) & 1u) != 0u;
    __global const KEY *from = (is_from_b ? b : a) + (ulong)tile * TILE;
    __global KEY *to = is_from_b ? a : b;
    __global COUNT *now = states + (is_from_b ? (ulong)tiles * DIGITS : 0ul);
    __global COUNT *next = states + (is_from_b ? 0ul : (ulong)tiles * DIGITS) + (ulong)tile * DIGITS;
    __global COUNT *state = now + (ulong)tile * DIGITS;
    const uint count = (uint)min((ulong)TILE, n - (ulong)tile * TILE);
    const COUNT last = (COUNT)(n - 1ul);
    const uint first = me / WARP * (WARP * PER) + me % WARP;

    // Past the end stand keys that come last.
    KEY images[PER];
    uint places[PER];
    if (count == TILE) {
#pragma unroll
        for (uint j = 0u; j < PER; j++)
            images[j] = flipped(from[first + j * WARP], other, difference);
    } else {
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            const uint i = first + j * WARP;
            images[j] = i < count ? flipped(from[i], other, difference) : (KEY)~(KEY)0;
        }
    }
    rank_keys(images, places, shift, counts, spread);
    barrier(CLK_LOCAL_MEM_FENCE);
    place_keys(images, places, shift, counts, spread, ends, sums, state, tile > 0u ? OWN : ALL);
    __local KEY *keys = (__local KEY *)pool;
#pragma unroll
    for (uint j = 0u; j < PER; j++)
        keys[places[j]] = images[j];
#if PAIRS
    __global const VALUE *values_from = (is_from_b ? values_of_b : values_of_a) + (ulong)tile * TILE;
    __global VALUE *values_to = is_from_b ? values_of_a : values_of_b;
    __local VALUE *values = (__local VALUE *)(keys + TILE);
    if (count == TILE) {
#pragma unroll
        for (uint j = 0u; j < PER; j++)
            values[places[j]] = values_from[first + j * WARP];
    } else {
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            const uint i = first + j * WARP;
            values[places[j]] = i < count ? values_from[i] : (VALUE)0;
        }
    }
#else
    (void)values_of_a;
    (void)values_of_b;
#endif

    // Where the tile's keys of each digit go, less where they stand in the tile.
    __global const COUNT *totals = (__global const COUNT *)(control + TOTALS) + shift / 8u * DIGITS;
    for (uint digit = me; digit < DIGITS; digit += GROUP) {
        const uint begin = digit > 0u ? ends[digit - 1u] : 0u;
        const uint own = ends[digit] - begin;
        next[digit] = (COUNT)0;
        COUNT before = (COUNT)0;
        uint rest = tile;
        uint turns = 0u;
        while (rest > 0u) {
            COUNT told[LOOK];
#pragma unroll
            for (uint l = 0u; l < LOOK; l++)
                told[l] = rest > l ? told_of(&now[(ulong)(rest - 1u - l) * DIGITS + digit]) : ALL;
            uint seen = 0u;
            bool is_all = false;
#pragma unroll
            for (uint l = 0u; l < LOOK; l++) {
                if (!is_all && seen == l && told[l] >= OWN) {
                    before += told[l] & COUNTED;
                    is_all = told[l] >= ALL;
                    seen++;
                }
            }
            rest = is_all ? 0u : rest - seen;
            turns = seen > 0u ? 0u : turns + 1u;
            if (rest > 0u && turns >= WAIT_TURNS) {
                before += counted(is_from_b ? b : a, n, rest - 1u, digit, shift, other, difference);
                rest--;
                turns = 0u;
            }
        }
        if (tile > 0u)
            tell(&state[digit], ALL | ((before + own) & COUNTED));
        bases[digit] = (digit > 0u ? totals[digit - 1u] : (COUNT)0) + before - (COUNT)begin;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0u; j < PER; j++) {
        const uint i = me + j * GROUP;
        const KEY image = keys[bank_of(i)];
        const COUNT target = min(bases[digit_at(image, shift)] + (COUNT)i, last);
        if (count == TILE || i < count) {
            to[target] = key_of(image, other, difference);
#if PAIRS
            values_to[target] = values[bank_of(i)];
#endif
        }
    }
}

// Sorts at most a tile of keys, and what goes with them, in one group.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sweep_tile(__global KEY *a, __global VALUE *values_of_a, const ulong n, const KEY other, const KEY difference)
{
    __local ulong pool[POOL];
    __local uint ends[DIGITS];
    __local uint spread[SPREAD];
    __local uint sums[SUMS];
    __local uint found[2];
    __local uint *counts = (__local uint *)pool;
    __local KEY *keys = (__local KEY *)pool;
    const uint me = (uint)get_local_id(0);
    const uint count = (uint)min((ulong)TILE, n);
    const uint begin = me / WARP * (WARP * PER) + me % WARP;
    if (me < 2u)
        found[me] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    KEY images[PER];
    uint places[PER];
#if PAIRS
    __local VALUE *values = (__local VALUE *)(keys + TILE);
    VALUE own_values[PER];
#else
    (void)values_of_a;
#endif
    const KEY first = flipped(a[0], other, difference);
    ulong bits = 0ul;
#pragma unroll
    for (uint j = 0u; j < PER; j++) {
        const uint i = begin + j * WARP;
        images[j] = i < count ? flipped(a[i], other, difference) : (KEY)~(KEY)0;
        bits |= i < count ? (ulong)(KEY)(images[j] ^ first) : 0ul;
#if PAIRS
        own_values[j] = i < count ? values_of_a[i] : (VALUE)0;
#endif
    }
    if ((uint)bits != 0u)
        atomic_or(&found[0], (uint)bits);
    if ((uint)(bits >> 32) != 0u)
        atomic_or(&found[1], (uint)(bits >> 32));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint pass = 0u; pass < PASSES; pass++) {
        const uint shift = 8u * pass;
        if ((found[shift / 32u] >> (shift % 32u) & (DIGITS - 1u)) == 0u)
            continue;
        for (uint i = me; i < COUNTS_BYTES / 4u; i += GROUP)
            counts[i] = 0u;
        barrier(CLK_LOCAL_MEM_FENCE);
        rank_keys(images, places, shift, counts, spread);
        barrier(CLK_LOCAL_MEM_FENCE);
        place_keys(images, places, shift, counts, spread, ends, sums, (__global COUNT *)a, (COUNT)0);
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            keys[places[j]] = images[j];
#if PAIRS
            values[places[j]] = own_values[j];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            const uint place = bank_of(begin + j * WARP);
            images[j] = keys[place];
#if PAIRS
            own_values[j] = values[place];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint j = 0u; j < PER; j++) {
        const uint i = begin + j * WARP;
        if (i < count) {
            a[i] = key_of(images[j], other, difference);
#if PAIRS
            values_of_a[i] = own_values[j];
#endif
        }
    }
}
