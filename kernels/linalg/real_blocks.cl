// Elimination of doubles by blocks of rows, pivots in the row by exchanging columns, to the bits of elimination step by step (Golub
// and Van Loan, Matrix Computations, section 3.4, with rows for columns). A launch for each row of a block, two for the rows below.
//
//   a         order n, row after row; becomes L below its diagonal and U from it on
//   columns   the column of the matrix that stands at each place
//   swaps     for each row the place that its pivot's column was exchanged from; n where there was no pivot
//   pivots    the pivot of each row
//   scores, numbers, places   of each group the best candidate of a row: its score, its column and its place, n for none
//   values    of each group the block's entries in that column, BLOCK words
//   front     the block's entries at the place where the pivot's column goes; its column is numbers[groups]
//
// The last five are two of each: a launch reads what the one before wrote. Group g has the places first + g WIDTH + x for
// x < WIDTH. All operations are rounded one by one.
//
// parts: linalg/real_tiles.clh
// set: double RULE=0
// set: double BLOCK=32u WIDTH=32u GROUP=256u LINE=16u SIDE=16u REGS=4u

#ifndef WIDTH
#define WIDTH 16u // places of a group, a divisor of GROUP
#endif
#define LANES (GROUP / WIDTH) // items of a place

// The lower the better; numbers that are none come last.
inline ELEMENT block_score(const ELEMENT x)
{
#if RULE == 0
    (void)x;
    return (ELEMENT)0;
#else
    return isnan(x) ? (ELEMENT)0 : -fabs(x);
#endif
}

// The best of a group's candidates, the one of the least number among equal ones, at index 0.
inline void block_best(__local ELEMENT *scores, __local uint *numbers, __local uint *sources, const uint item)
{
    for (uint half_size = GROUP / 2u; half_size > 0u; half_size /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size) {
            const uint other = item + half_size;
            if (scores[other] < scores[item] || (scores[other] == scores[item] && numbers[other] < numbers[item])) {
                scores[item] = scores[other];
                numbers[item] = numbers[other];
                sources[item] = sources[other];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Launch `step` of a block of `count` rows from row `first` on: the pivot of row step - 1 is taken from the rows below it, for
// step > 0, and candidates of row `step` are found, for step < count.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void block_step(__global ELEMENT *restrict a, const uint order, const uint first, const uint count, const uint step,
                __global uint *restrict columns, __global uint *restrict swaps, __global ELEMENT *restrict pivots,
                __global ELEMENT *restrict scores,
                __global uint *restrict numbers, __global uint *restrict places, __global ELEMENT *restrict values,
                __global ELEMENT *restrict front)
{
    __local ELEMENT best[GROUP];
    __local uint best_numbers[GROUP];
    __local uint sources[GROUP];
    __local ELEMENT pivot_column[BLOCK];
    __local ELEMENT factors[BLOCK];
    const uint item = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);
    const uint from = step + 1u & 1u; // of what is read
    const uint to = step & 1u;
    const uint x = item % WIDTH;
    const uint lane = item / WIDTH;
    const uint place = first + group * WIDTH + x;
    const ulong block = (ulong)first * order;

    // The pivot.
    ELEMENT score = (ELEMENT)INFINITY;
    uint number = order;
    uint source = groups;
    for (uint g = item; step > 0u && g < groups; g += GROUP) {
        const ELEMENT other = scores[from * groups + g];
        const uint other_number = numbers[from * (groups + 1u) + g];
        const bool is_one = places[from * groups + g] < order;
        if (is_one && (source == groups || other < score || (other == score && other_number < number))) {
            score = other;
            number = other_number;
            source = g;
        }
    }
    best[item] = score;
    best_numbers[item] = number;
    sources[item] = source;
    block_best(best, best_numbers, sources, item);
    const uint winner = sources[0];
    const bool is_found = step > 0u && winner < groups;
    const uint chosen_number = best_numbers[0];
    const uint chosen = is_found ? places[from * groups + winner] : order;
    const uint row = step - 1u; // within the block; of no use in launch 0
    const uint target = first + row;
    for (uint r = item; is_found && r < count; r += GROUP) {
        const ELEMENT entry = values[(from * groups + winner) * BLOCK + r];
        const ELEMENT pivot = values[(from * groups + winner) * BLOCK + row];
        pivot_column[r] = entry;
        factors[r] = r > row ? entry / pivot : entry;
    }
    if (item == 0u && group == 0u && step > 0u) {
        swaps[target] = chosen;
        if (is_found)
            pivots[target] = values[(from * groups + winner) * BLOCK + row];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // The entries of the group's places.
    const bool is_inside = place < order;
    if (is_found && is_inside && place == target) {
        for (uint r = lane; r < count; r += LANES)
            a[block + (ulong)r * order + place] = factors[r];
        if (lane == 0u)
            columns[place] = chosen_number;
    }
    if (is_found && is_inside && place > target) {
        const bool is_exchanged = place == chosen;
        const ELEMENT head = is_exchanged ? front[from * BLOCK + row] : a[block + (ulong)row * order + place];
        for (uint r = lane; r < count; r += LANES) {
            const ulong at = block + (ulong)r * order + place;
            if (r > row) {
                const ELEMENT entry = is_exchanged ? front[from * BLOCK + r] : a[at];
                const ELEMENT product = factors[r] * head;
                a[at] = entry - product;
            } else if (is_exchanged && r < row) {
                a[at] = front[from * BLOCK + r];
            }
        }
        if (is_exchanged && lane == 0u)
            columns[place] = numbers[from * (groups + 1u) + groups];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // Row `row` of the exchanged place was read by all its lanes.
    if (is_found && is_inside && place > target && place == chosen && lane == 0u)
        a[block + (ulong)row * order + place] = front[from * BLOCK + row];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    // Candidates of the next row; none where this one had no pivot.
    const bool is_next = step < count && (step == 0u || is_found);
    score = (ELEMENT)INFINITY;
    number = order;
    source = order;
    if (is_next && item < WIDTH && is_inside && place >= first + step) {
        const ELEMENT entry = a[block + (ulong)step * order + place];
        if (entry != (ELEMENT)0) {
            score = block_score(entry);
            number = columns[place];
            source = place;
        }
    }
    best[item] = score;
    best_numbers[item] = number;
    sources[item] = source;
    block_best(best, best_numbers, sources, item);
    const uint own = sources[0];
    if (item == 0u && step < count) {
        scores[to * groups + group] = best[0];
        numbers[to * (groups + 1u) + group] = best_numbers[0];
        places[to * groups + group] = own;
    }
    for (uint r = item; own < order && r < count; r += GROUP)
        values[(to * groups + group) * BLOCK + r] = a[block + (ulong)r * order + own];
    const uint next = first + step;
    if (is_next && next >= first + group * WIDTH && next < first + (group + 1u) * WIDTH) {
        for (uint r = item; r < count; r += GROUP)
            front[to * BLOCK + r] = a[block + (ulong)r * order + next];
        if (item == 0u)
            numbers[to * (groups + 1u) + groups] = columns[next];
    }
}

// The rows below a block, LINES of them for each group: their columns are exchanged as the block's were, and the entries in the
// block's columns become multipliers.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void block_multipliers(__global ELEMENT *restrict a, const uint order, const uint first, const uint count,
                       __global const uint *restrict swaps)
{
    __local ELEMENT triangle[BLOCK * BLOCK];
    __local ELEMENT entries[LINES][2u * BLOCK]; // in the block's columns, and at the places of exchanges behind them
    __local uint exchanged[BLOCK]; // of each exchange its place; a row's own where there was no pivot
    __local uint slots[BLOCK];     // where that stands in `entries`
    const uint item = (uint)get_local_id(0);
    const uint line = item / LINE;
    const uint x = item % LINE;
    const uint row = first + count + (uint)get_group_id(0) * LINES + line;
    const bool is_inside = row < order;
    const ulong start = (ulong)row * order;
    load_triangle(a, order, first, count, triangle);
    // A block has no more rows than a group has items. Exchanges are with places further right.
    if (item < count) {
        const uint place = swaps[first + item];
        exchanged[item] = place > first + item && place < order ? place : first + item;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < count)
        slots[item] = exchanged[item] < first + count ? exchanged[item] - first : BLOCK + item;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Where several exchanges have one place, the first of them.
    for (uint from = 0u; from < BLOCK * BLOCK; from += GROUP) {
        const uint s = (from + item) / BLOCK;
        const uint other = (from + item) % BLOCK;
        if (s < count && other < s && exchanged[other] == exchanged[s])
            atomic_min(slots + s, BLOCK + other);
    }
    // PoCL 3.1 leaves the loop above out where the one below is not behind a barrier.
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = x; is_inside && s < count; s += LINE) {
        entries[line][s] = a[start + first + s];
        entries[line][BLOCK + s] = a[start + exchanged[s]];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint s = 0u; is_inside && x == 0u && s < count; s++) {
        const ELEMENT entry = entries[line][s];
        entries[line][s] = entries[line][slots[s]];
        entries[line][slots[s]] = entry;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    solve_line(entries[line], triangle);
    for (uint s = x; is_inside && s < count; s += LINE) {
        a[start + first + s] = entries[line][s];
        if (slots[s] == BLOCK + s)
            a[start + exchanged[s]] = entries[line][BLOCK + s];
    }
}

// The entries below and to the right of a block: a tile for each group.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void block_update(__global ELEMENT *restrict a, const uint order, const uint first, const uint count)
{
    __local ELEMENT pool[TILE_WORDS];
    const uint end = first + count;
    const uint across = (order - end + TILE_COLUMNS - 1u) / TILE_COLUMNS;
    const uint top = end + (uint)(get_group_id(0) / across) * TILE_ROWS;
    const uint start = end + (uint)(get_group_id(0) % across) * TILE_COLUMNS;
    subtract_tile(a, a, false, a, order, first, count, top, start, order, pool);
}
