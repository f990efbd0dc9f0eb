// Elimination of doubles in one launch, by blocks of rows with pivots in the row, to the bits of elimination step by step (Golub
// and Van Loan, Matrix Computations, section 3.4, with rows for columns). The next block's pivots are found beside the update.
//
//   a         order n, row after row; becomes L below its diagonal and U from it on
//   columns   the column of the matrix that stands at each place
//   swaps     for each row the place that its pivot's column was exchanged from; n where there was no pivot; for row 0 more than n
//             where groups waited for each other in vain
//   pivots    the pivot of each row
//   moves     for each column of a block the place that it came from, then for each column there before the place that it went to
//   records   0 before: two times, for each group of a panel, what it tells the others of its best column in a row
//   signals   0 before: for each block five numbers: the groups that have come to two meetings, the strips of its rows and the
//             tiles of the rows below that were taken, and the groups that have no more strips to do
//
// A panel's rows lose the products of the block before in strips, which all groups share. While the first groups find its pivots,
// the others update the rows below it by the block before. All groups run at the same time. All operations are rounded one by one.
//
// parts: device/meet.clh linalg/real_tiles.clh linalg/real_panel.clh
// set: KEPT=2u RULE=0
// set: double KEPT=2u PANELS=64u REDUX=1
// set: double BLOCK=32u PANELS=32u REDUX=1 GROUP=256u LINE=16u SIDE=16u REGS=4u

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
        own[s] = is_entry ? a[start + min(moves[s], order - 1u)] : (ELEMENT)0;
        own[BLOCK + s] = is_entry ? a[start + first + s] : (ELEMENT)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    solve_line(own, triangle);
    for (uint s = x; is_inside && s < count; s += LINE) {
        a[start + first + s] = own[s];
        const uint to = moves[BLOCK + s];
        if (to >= first + count && to < order)
            a[start + to] = own[BLOCK + s];
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

#define LEFT_LOADS (BLOCK * TILE_ROWS / GROUP) // of an item, of multipliers
#define RIGHT_LOADS (BLOCK * TILE_COLUMNS / GROUP)
#define AHEAD_WORDS (BLOCK * (TILE_ROWS + 1u + TILE_COLUMNS)) // of local memory

// What a tile from row `row` and column `column` on reads: entries of the block before it, and its own.
inline void read_tile(__global const ELEMENT *a, const uint order, const uint first, const uint row, const uint column,
                      ELEMENT left[LEFT_LOADS], ELEMENT right[RIGHT_LOADS], ELEMENT own[REGS][REGS])
{
    const uint item = (uint)get_local_id(0);
#pragma unroll UNROLLED
    for (uint l = 0u; l < LEFT_LOADS; l++) {
        const uint e = item + l * GROUP;
        left[l] = row + e / BLOCK < order ? a[(ulong)(row + e / BLOCK) * order + first + e % BLOCK] : (ELEMENT)0;
    }
#pragma unroll UNROLLED
    for (uint l = 0u; l < RIGHT_LOADS; l++) {
        const uint e = item + l * GROUP;
        const uint j = column + e % TILE_COLUMNS;
        right[l] = j < order ? a[(ulong)(first + e / TILE_COLUMNS) * order + j] : (ELEMENT)0;
    }
#pragma unroll UNROLLED
    for (uint r = 0u; r < REGS; r++) {
#pragma unroll UNROLLED
        for (uint c = 0u; c < REGS; c++) {
            const uint i = row + item / SIDE + r * (GROUP / SIDE);
            const uint j = column + item % SIDE + c * SIDE;
            own[r][c] = i < order && j < order ? a[(ulong)i * order + j] : (ELEMENT)0;
        }
    }
}

// The tiles right of the block of rows from `first` on and below row `top` less the products of multipliers and the block's rows,
// one after the other. What the next tile reads is on its way meanwhile.
inline void update_tiles(__global ELEMENT *a, const uint order, const uint first, const uint top, __global uint *taken,
                         __local uint *kept, __local ELEMENT *pool)
{
    __local ELEMENT *left = pool; // BLOCK rows of TILE_ROWS + 1
    __local ELEMENT *right = pool + BLOCK * (TILE_ROWS + 1u);
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    const uint begin = first + BLOCK;
    const uint across = (order - begin + TILE_COLUMNS - 1u) / TILE_COLUMNS;
    const uint tiles = (order - top + TILE_ROWS - 1u) / TILE_ROWS * across;
    ELEMENT own[REGS][REGS];
    ELEMENT own_ahead[REGS][REGS];
    ELEMENT left_ahead[LEFT_LOADS];
    ELEMENT right_ahead[RIGHT_LOADS];
    uint tile = next_task(taken, kept);
    uint row = top + tile / across * TILE_ROWS;
    uint column = begin + tile % across * TILE_COLUMNS;
    if (tile < tiles)
        read_tile(a, order, first, row, column, left_ahead, right_ahead, own_ahead);
    while (tile < tiles) {
#pragma unroll UNROLLED
        for (uint l = 0u; l < LEFT_LOADS; l++) {
            const uint e = item + l * GROUP;
            left[e % BLOCK * (TILE_ROWS + 1u) + e / BLOCK] = left_ahead[l];
        }
#pragma unroll UNROLLED
        for (uint l = 0u; l < RIGHT_LOADS; l++)
            right[item + l * GROUP] = right_ahead[l];
#pragma unroll UNROLLED
        for (uint r = 0u; r < REGS; r++) {
#pragma unroll UNROLLED
            for (uint c = 0u; c < REGS; c++)
                own[r][c] = own_ahead[r][c];
        }
        const uint own_row = row;
        const uint own_column = column;
        // All items meet here, too.
        tile = next_task(taken, kept);
        row = top + tile / across * TILE_ROWS;
        column = begin + tile % across * TILE_COLUMNS;
        if (tile < tiles)
            read_tile(a, order, first, row, column, left_ahead, right_ahead, own_ahead);
#pragma unroll AHEAD
        for (uint s = 0u; s < BLOCK; s++) {
#pragma unroll UNROLLED
            for (uint r = 0u; r < REGS; r++) {
#pragma unroll UNROLLED
                for (uint c = 0u; c < REGS; c++) {
                    const ELEMENT factor = left[s * (TILE_ROWS + 1u) + y + r * (GROUP / SIDE)];
                    const ELEMENT product = factor * right[s * TILE_COLUMNS + x + c * SIDE];
                    own[r][c] = own[r][c] - product;
                }
            }
        }
#pragma unroll UNROLLED
        for (uint r = 0u; r < REGS; r++) {
#pragma unroll UNROLLED
            for (uint c = 0u; c < REGS; c++) {
                const uint i = own_row + y + r * (GROUP / SIDE);
                const uint j = own_column + x + c * SIDE;
                if (i < order && j < order)
                    a[(ulong)i * order + j] = own[r][c];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_eliminate(__global ELEMENT *a, const uint order, __global uint *columns, __global uint *swaps, __global ELEMENT *pivots,
                    __global uint *moves, __global ulong *records, __global uint *signals)
{
    __local ELEMENT pool[LARGER_OF(AHEAD_WORDS, LARGER_OF(POOL, PANEL_WORDS))] __attribute__((aligned(16)));
    __local ulong scores[COMPARED];
    __local uint numbers[COMPARED];
    __local uint found;
    __local uint taken;
    __local uint patience;
    patience_begin(&patience);
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
            groups_wait(own_signals + 4u, groups, &patience);
            panel(a, order, first, count, panel_groups, columns, swaps, pivots, moves, (volatile __global ulong2 *)records, pool,
                  scores, numbers, &found, &patience);
        }
        if (first > 0u)
            update_tiles(a, order, first - BLOCK, end, own_signals + 3u, &taken, pool);
        groups_meet(own_signals, groups, &patience);
        for (uint top = end + group * LINES; top < order; top += groups * LINES)
            exchanged_lines(a, order, first, count, moves, top, pool);
        groups_meet(own_signals + 1u, groups, &patience);
    }
    if (get_local_id(0) == 0 && patience == 0u)
        swaps[0] = order + 1u;
}
