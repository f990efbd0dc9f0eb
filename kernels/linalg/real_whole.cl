// Elimination of doubles in one launch, by blocks of rows with pivots in the row, to the bits of elimination step by step (Golub and
// Van Loan, Matrix Computations, section 3.4, with rows for columns; the next block's pivots beside the update: section 1.4.4 of
// Dongarra, Duff, Sorensen and van der Vorst, Numerical Linear Algebra for High-Performance Computers).
//
//   a         order n, row after row; becomes L below its diagonal and U from it on
//   columns   the column of the matrix that stands at each place
//   swaps     for each row the place that its pivot's column was exchanged from; n where there was no pivot
//   pivots    the pivot of each row
//   moves     for each column of a block the place that it came from, then for each column before the exchanges the place it went to
//   records   0 before: two times, for each group of a panel, what it tells the others of its best column in a row: words of 32
//             bits beside a stamp, the row plus 1, by which those that wait for it know it
//   signals   0 before: for each block five numbers: the groups that have come to two meetings, the strips of its rows and the tiles of
//             the rows below that were taken, and the groups that have no more strips to do
//
// A panel is a block of rows right of those before, with its columns in registers: item i of group g has the places
// first + (g KEPT + c) GROUP + i for c < KEPT. Columns do not move: their places are exchanged, and they are written there at last.
// Its rows lose the products of the block before in strips, which all groups share. While the first groups find its pivots, the others
// update the rows below it by the block before. All groups run at the same time. All operations are rounded one by one.

#ifndef KEPT
#define KEPT 1u // columns of a panel that an item keeps
#endif
#ifndef PANELS
#define PANELS 1u // groups of a panel, at most
#endif
#ifndef REDUX
#define REDUX 0 // 1: the best of 32 items by PTX, from compute capability 8.0 on
#endif

// Columns stand in registers where all loops are unrolled.
#ifdef __NV_CL_C_VERSION
#define UNROLLED 64
#define WARPS REDUX
#else
#define UNROLLED 1
#define WARPS 0
#endif

// The higher the better; 0 for what is no candidate, 1 for what is no number.
inline ulong panel_score(const ELEMENT x)
{
#if RULE == 0
    return x != (ELEMENT)0 ? 2ul : 0ul;
#elif ELEMENT_BYTES == 8
    return x == (ELEMENT)0 ? 0ul : isnan(x) ? 1ul : as_ulong(fabs(x)) + 1ul;
#else
    return x == (ELEMENT)0 ? 0ul : isnan(x) ? 1ul : (ulong)as_uint(fabs(x)) + 1ul;
#endif
}

#if WARPS
inline uint warp_most(const uint x)
{
    uint most;
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(most) : "r"(x));
    return most;
}

inline uint warp_least(const uint x)
{
    uint least;
    asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(least) : "r"(x));
    return least;
}

// The best candidate of 32 items, of which all learn it: the one of the least number among equal ones.
inline void warp_best(ulong *score, uint *number)
{
    const uint high = (uint)(*score >> 32);
    const uint most_high = warp_most(high);
    const uint low = high == most_high ? (uint)*score : 0u;
    const uint most_low = warp_most(low);
    const bool is_best = high == most_high && (uint)*score == most_low;
    *number = warp_least(is_best ? *number : 0xffffffffu);
    *score = (ulong)most_high << 32 | most_low;
}

inline void warp_barrier(void)
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

#define COMPARED (GROUP / 32u) // candidates that a group compares in local memory
#else
#define COMPARED GROUP
#endif

#define RECORD (2u * BLOCK + 4u) // words of 32 bits: a column, its score, high word first, its number and its place
#define ROUNDS ((PANELS * RECORD / 2u + GROUP - 1u) / GROUP) // pairs of words that an item receives
#define PANEL_WORDS (BLOCK + PANELS * (BLOCK + 2u)) // of local memory

#if PANELS > 1
// Tells the other groups of a panel of this one's best column in row `target`: by some items, of which this is number `item`.
inline void send_record(volatile __global ulong2 *records, const uint target, const uint group, const ulong score, const uint number,
                        const uint place, __local const ELEMENT *factors, const uint item, const uint items)
{
    const ulong stamp = (ulong)(target + 1u) << 32;
    // Those of two rows before are overwritten, which all have read.
    const uint slot = (target % 2u) * PANELS + group;
    for (uint e = item; e < RECORD / 2u; e += items) {
        const uint2 words = e < BLOCK    ? ((__local const uint2 *)factors)[e]
                            : e == BLOCK ? (uint2)((uint)(score >> 32), (uint)score)
                                         : (uint2)(number, place);
        records[slot * (RECORD / 2u) + e] = (ulong2)(stamp | words.x, stamp | words.y);
    }
}

// Waits for the records of `groups` groups, for all items of a group.
inline void receive_records(volatile __global ulong2 *records, const uint target, const uint groups, __local uint2 *received)
{
    const uint item = (uint)get_local_id(0);
    const ulong stamp = target + 1u;
    const uint slot = (target % 2u) * PANELS;
    const uint pairs = groups * (RECORD / 2u);
    ulong2 words[ROUNDS];
    bool is_missing;
    do {
        is_missing = false;
#pragma unroll UNROLLED
        for (uint w = 0u; w < ROUNDS; w++) {
            if (item + w * GROUP < pairs)
                words[w] = records[slot * (RECORD / 2u) + item + w * GROUP];
        }
#pragma unroll UNROLLED
        for (uint w = 0u; w < ROUNDS; w++) {
            if (item + w * GROUP < pairs)
                is_missing = is_missing || words[w].x >> 32 != stamp || words[w].y >> 32 != stamp;
        }
    } while (is_missing);
#pragma unroll UNROLLED
    for (uint w = 0u; w < ROUNDS; w++) {
        if (item + w * GROUP < pairs)
            received[item + w * GROUP] = (uint2)((uint)words[w].x, (uint)words[w].y);
    }
}
#endif

// Finds the pivots of the block of `count` rows from row `first` on, for the first `groups` groups.
inline void panel(__global ELEMENT *a, const uint order, const uint first, const uint count, const uint groups,
                  __global uint *columns, __global uint *swaps, __global ELEMENT *pivots, __global uint *moves,
                  volatile __global ulong2 *records, __local ELEMENT *pool, __local ulong *scores, __local uint *numbers,
                  __local uint *found)
{
    const uint item = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
#if PANELS == 1
    (void)groups;
    (void)records;
#endif
    ELEMENT own[KEPT][BLOCK];
    uint places[KEPT];
    uint names[KEPT];
#pragma unroll UNROLLED
    for (uint c = 0u; c < KEPT; c++) {
        const uint place = first + (group * KEPT + c) * GROUP + item;
        places[c] = place;
        names[c] = place < order ? columns[place] : order;
#pragma unroll UNROLLED
        for (uint r = 0u; r < BLOCK; r++)
            own[c][r] = place < order && r < count ? a[(ulong)(first + r) * order + place] : (ELEMENT)0;
    }
    // Columns are read before others are written at their places.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // A step for each row; those past the last have no candidates.
#pragma unroll UNROLLED
    for (uint r = 0u; r < BLOCK; r++) {
        const uint target = first + r;
        ulong score = 0ul;
        uint number = 0xffffffffu;
#pragma unroll UNROLLED
        for (uint c = 0u; c < KEPT; c++) {
            const bool is_left = r < count && places[c] < order && places[c] >= target;
            const ulong other = is_left ? panel_score(own[c][r]) : 0ul;
            if (other > score || (other != 0ul && other == score && names[c] < number)) {
                score = other;
                number = names[c];
            }
        }
        const ulong own_score = score;
        const uint own_number = number;
        // The best column of the group from row r on, with multipliers below row r.
        __local ELEMENT *factors = pool;
#if WARPS
        // Of 32 items first. The winner's 32 divide, and tell the other groups.
        const uint warp = item / 32u;
        const uint lane = item % 32u;
        warp_best(&score, &number);
        if (lane == 0u) {
            scores[warp] = score;
            numbers[warp] = number;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        score = lane < COMPARED ? scores[lane] : 0ul;
        number = lane < COMPARED ? numbers[lane] : 0xffffffffu;
        const uint candidate = number;
        warp_best(&score, &number);
        if (warp == warp_least(candidate == number && lane < COMPARED ? lane : COMPARED - 1u)) {
            if (score == 0ul) {
                *found = order;
            } else if (own_score == score && own_number == number) {
#pragma unroll UNROLLED
                for (uint c = 0u; c < KEPT; c++) {
                    if (names[c] == number) {
                        *found = places[c];
#pragma unroll UNROLLED
                        for (uint q = 0u; q < BLOCK; q++) {
                            if (q >= r)
                                factors[q] = own[c][q];
                        }
                    }
                }
            }
            warp_barrier();
            if (lane > r && lane < BLOCK)
                factors[lane] = factors[lane] / factors[r];
            warp_barrier();
#if PANELS > 1
            if (groups > 1u)
                send_record(records, target, group, score, number, *found, factors, lane, 32u);
#endif
        }
#else
        scores[item] = score;
        numbers[item] = number;
        for (uint half_size = GROUP / 2u; half_size > 0u; half_size /= 2u) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item < half_size) {
                const uint other = item + half_size;
                if (scores[other] > scores[item] || (scores[other] == scores[item] && numbers[other] < numbers[item])) {
                    scores[item] = scores[other];
                    numbers[item] = numbers[other];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        score = scores[0];
        number = numbers[0];
        if (score == 0ul ? item == 0u : own_score == score && own_number == number) {
            *found = order;
#pragma unroll UNROLLED
            for (uint c = 0u; c < KEPT; c++) {
                if (score != 0ul && names[c] == number) {
                    *found = places[c];
#pragma unroll UNROLLED
                    for (uint q = 0u; q < BLOCK; q++)
                        factors[q] = own[c][q];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item > r && item < BLOCK)
            factors[item] = factors[item] / factors[r];
#if PANELS > 1
        if (groups > 1u) {
            barrier(CLK_LOCAL_MEM_FENCE);
            send_record(records, target, group, score, number, *found, factors, item, GROUP);
        }
#endif
#endif
        uint chosen = order;
#if PANELS > 1
        if (groups > 1u) {
            __local uint2 *received = (__local uint2 *)(pool + BLOCK);
            receive_records(records, target, groups, received);
            barrier(CLK_LOCAL_MEM_FENCE);
            __local const uint *heads = (__local const uint *)received + 2u * BLOCK;
            uint winner = 0u;
#if WARPS
            const uint sender = min(lane, groups - 1u);
            __local const uint *head = heads + sender * RECORD;
            score = (ulong)head[0] << 32 | head[1];
            number = head[2];
            const uint sent = number;
            warp_best(&score, &number);
            winner = warp_least(sent == number ? sender : groups - 1u);
#else
            score = 0ul;
            number = 0xffffffffu;
            for (uint g = 0u; g < groups; g++) {
                __local const uint *head = heads + g * RECORD;
                const ulong other = (ulong)head[0] << 32 | head[1];
                if (other > score || (other == score && head[2] < number)) {
                    score = other;
                    number = head[2];
                    winner = g;
                }
            }
#endif
            factors = (__local ELEMENT *)(received + winner * (RECORD / 2u));
            chosen = heads[winner * RECORD + 3u];
        } else
#endif
        {
            barrier(CLK_LOCAL_MEM_FENCE);
            chosen = *found;
        }
        if (group == 0u && item == 0u && r < count) {
            swaps[target] = chosen;
            if (chosen < order)
                pivots[target] = factors[r];
        }
        if (chosen < order) {
#pragma unroll UNROLLED
            for (uint c = 0u; c < KEPT; c++) {
                const uint place = places[c];
                if (place == chosen) {
                    places[c] = target;
#pragma unroll UNROLLED
                    for (uint q = 0u; q < BLOCK; q++) {
                        if (q > r)
                            own[c][q] = factors[q];
                    }
                } else if (place >= target) {
                    places[c] = place == target ? chosen : place;
                    const ELEMENT head = own[c][r];
#pragma unroll UNROLLED
                    for (uint q = 0u; q < BLOCK; q++) {
                        if (q > r) {
                            const ELEMENT product = factors[q] * head;
                            own[c][q] = own[c][q] - product;
                        }
                    }
                }
            }
        }
    }
#pragma unroll UNROLLED
    for (uint c = 0u; c < KEPT; c++) {
        const uint place = places[c];
        if (place < order) {
            const uint from = first + (group * KEPT + c) * GROUP + item;
            columns[place] = names[c];
            if (place < first + count)
                moves[place - first] = from;
            if (from < first + count)
                moves[BLOCK + from - first] = place;
#pragma unroll UNROLLED
            for (uint r = 0u; r < BLOCK; r++) {
                if (r < count)
                    a[(ulong)(first + r) * order + place] = own[c][r];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// LINES rows from `top` on: their columns are exchanged as the block's were, and the entries in the block's columns become
// multipliers.
inline void exchanged_lines(__global ELEMENT *a, const uint order, const uint first, const uint count, __global const uint *moves,
                            const uint top, __local ELEMENT *pool)
{
    __local ELEMENT *triangle = pool;
    const uint line = (uint)get_local_id(0) / LINE;
    const uint x = (uint)get_local_id(0) % LINE;
    const bool is_inside = top + line < order;
    const ulong start = (ulong)(top + line) * order;
    // In the block's columns, and those that leave them.
    __local ELEMENT *own = pool + BLOCK * BLOCK + line * 2u * BLOCK;
    load_triangle(a, order, first, count, triangle);
    for (uint s = x; s < BLOCK; s += LINE) {
        const bool is_entry = is_inside && s < count;
        own[s] = is_entry ? a[start + moves[s]] : (ELEMENT)0;
        own[BLOCK + s] = is_entry ? a[start + first + s] : (ELEMENT)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    solve_line(own, triangle);
    for (uint s = x; is_inside && s < count; s += LINE) {
        a[start + first + s] = own[s];
        if (moves[BLOCK + s] >= first + count)
            a[start + moves[BLOCK + s]] = own[BLOCK + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The next task of those that all groups share, for all items of this one.
inline uint next_task(__global uint *taken, __local uint *kept)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *kept = atomic_inc(taken);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *kept;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_eliminate(__global ELEMENT *a, const uint order, __global uint *columns, __global uint *swaps, __global ELEMENT *pivots,
                    __global uint *moves, __global ulong *records, __global uint *signals)
{
    __local ELEMENT pool[LARGER_OF(POOL, PANEL_WORDS)] __attribute__((aligned(16)));
    __local ulong scores[COMPARED];
    __local uint numbers[COMPARED];
    __local uint found;
    __local uint taken;
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);
    for (uint first = 0u; first < order; first += BLOCK) {
        const uint count = min(BLOCK, order - first);
        const uint end = first + count;
        __global uint *own_signals = signals + 5u * (first / BLOCK);
        // The panel's rows, and where it is the first one's turn none.
        const uint strips = first > 0u ? (order - first + SIDE - 1u) / SIDE : 0u;
        for (uint strip = next_task(own_signals + 2u, &taken); strip < strips; strip = next_task(own_signals + 2u, &taken))
            update_strip(a, order, first - BLOCK, BLOCK, first, count, first + strip * SIDE, pool);
        groups_arrive(own_signals + 4u);
        const uint panel_groups = (order - first + KEPT * GROUP - 1u) / (KEPT * GROUP);
        if (group < panel_groups) {
            groups_wait(own_signals + 4u, groups);
            panel(a, order, first, count, panel_groups, columns, swaps, pivots, moves, (volatile __global ulong2 *)records, pool, scores, numbers,
                  &found);
        }
        // Tiles of the rows below, of the block before.
        const uint down = first > 0u ? (order - end + TILE_ROWS - 1u) / TILE_ROWS : 0u;
        const uint across = (order - first + TILE_COLUMNS - 1u) / TILE_COLUMNS;
        for (uint tile = next_task(own_signals + 3u, &taken); tile < down * across; tile = next_task(own_signals + 3u, &taken))
            update_tile(a, order, first - BLOCK, BLOCK, end + tile / across * TILE_ROWS, first + tile % across * TILE_COLUMNS, pool);
        groups_meet(own_signals, groups);
        for (uint top = end + group * LINES; top < order; top += groups * LINES)
            exchanged_lines(a, order, first, count, moves, top, pool);
        groups_meet(own_signals + 1u, groups);
    }
}
