// Butterflies of the index bits log_stride .. log_stride + LOG_ROWS + LOG_SPILL, in place.
//
// The data are seen as [outer][rows][2^log_stride columns]. A group owns all rows of 2^LOG_SEGMENT neighbouring
// columns, so that each row of its tile is one segment of consecutive addresses (128 bytes by default):
//
//   tile index, high to low   [ LOG_ROWS row bits ][ LOG_SEGMENT column bits ]
//   round k                   registers hold the row bits from k * LOG_REGS on; work-items the rest
//
// Values change places through local memory between rounds. LOG_SPILL further stages above the tile's rows are done
// first, between the values of one work-item in 2^LOG_SPILL tiles (see walsh_tile.cl).
//
// parts: ntt/tile_layout.clh spectral/walsh_registers.clh
// set: LOG_TILE=12
// set: LOG_TILE=7 LOG_SEGMENT=6
// set: LOG_TILE=13 LOG_REGS=5
// set: LOG_TILE=11 LOG_SPILL=1
// set: LOG_TILE=11 LOG_SPILL=2
// set: int LOG_TILE=12
// set: long LOG_TILE=11 LOG_SEGMENT=4
// set: double LOG_TILE=11 LOG_SEGMENT=4 LOG_SPILL=1
// set: long LOG_SEGMENT=4 LOG_SPILL=1 BUTTERFLY=1
// set: BUTTERFLY=2
// set: int BUTTERFLY=3

#ifndef LOG_SEGMENT
#define LOG_SEGMENT 5 // log2 of the columns of a group
#endif
#ifndef LOG_SPILL
#define LOG_SPILL 0 // stages above the tile
#endif

#define LOG_ROWS (LOG_TILE - LOG_SEGMENT)
#define TILES (1u << LOG_SPILL)
// Values of each tile that a work-item has in flight.
#define CHUNK (REGS < 32u / TILES ? REGS : 32u / TILES)
// The first round takes the highest row bits, the last one ends at the lowest; only the last may be narrower.
#define FIRST_WIDTH (LOG_ROWS < LOG_REGS ? LOG_ROWS : LOG_REGS)
#define FIRST_LOW (LOG_TILE - FIRST_WIDTH)
#define ROUNDS ((LOG_ROWS + LOG_REGS - 1) / LOG_REGS)
#define LAST_WIDTH (LOG_ROWS - (ROUNDS - 1) * LOG_REGS)

// Where the tile's value `index` lies, counted from the group's first value.
inline ulong walsh_offset(const uint index, const uint log_stride)
{
    return ((ulong)(index >> LOG_SEGMENT) << log_stride) | (index & ((1u << LOG_SEGMENT) - 1u));
}

// The part of it that register `j` of a round adds: work-items and registers take different bits of the index.
#define WALSH_ROW(j, low, width) walsh_offset(tile_index(0u, j, low, width), log_stride)

// All stages of one tile that stands in registers in the first round's layout; the result goes to `to`.
inline void walsh_column_stages(__local ELEMENT *tile, ELEMENT *x, __global ELEMENT *to, const uint item,
                                const uint log_stride, const uint shift)
{
    walsh_butterflies(x, 0u, FIRST_WIDTH);
#if ROUNDS == 1
    (void)tile; // every stage was between registers
    __global ELEMENT *first = to + walsh_offset(tile_index(item, 0u, FIRST_LOW, FIRST_WIDTH), log_stride);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        first[WALSH_ROW(j, FIRST_LOW, FIRST_WIDTH)] = walsh_scaled(x[j], shift);
#else
    tile_put(tile, x, item, FIRST_LOW, FIRST_WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // the tile is read before it is written
#pragma unroll
    for (uint k = 1; k + 1u < ROUNDS; k++) {
        tile_get(tile, x, item, FIRST_LOW - k * LOG_REGS, LOG_REGS);
        walsh_butterflies(x, 0u, LOG_REGS);
        tile_put(tile, x, item, FIRST_LOW - k * LOG_REGS, LOG_REGS);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    tile_get(tile, x, item, LOG_SEGMENT, LAST_WIDTH);
    walsh_butterflies(x, 0u, LAST_WIDTH);
    __global ELEMENT *first = to + walsh_offset(tile_index(item, 0u, LOG_SEGMENT, LAST_WIDTH), log_stride);
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        first[WALSH_ROW(j, LOG_SEGMENT, LAST_WIDTH)] = walsh_scaled(x[j], shift);
#endif
}

// data: outer * 2^(LOG_ROWS + LOG_SPILL + log_stride) values, log_stride >= LOG_SEGMENT. One group for each block of
// 2^LOG_SEGMENT columns of each outer index. shift: log2 of the divisor of every result (0 for none).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void walsh_columns(__global ELEMENT *data, const uint log_stride, const uint shift)
{
    __local ELEMENT tile[ROUNDS == 1 ? 1u : 1u << LOG_TILE];
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    const ulong blocks_mask = (1ul << (log_stride - LOG_SEGMENT)) - 1ul;
    __global ELEMENT *own = data + ((group >> (log_stride - LOG_SEGMENT)) << (log_stride + LOG_ROWS + LOG_SPILL))
                            + ((group & blocks_mask) << LOG_SEGMENT);
    __global ELEMENT *at = own + walsh_offset(tile_index(item, 0u, FIRST_LOW, FIRST_WIDTH), log_stride);
    ELEMENT x[REGS];
#if LOG_SPILL == 0
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = at[WALSH_ROW(j, FIRST_LOW, FIRST_WIDTH)];
    walsh_column_stages(tile, x, own, item, log_stride, shift);
#elif BUTTERFLY == BUTTERFLY_REED_MULLER
    // As in walsh_tile.cl: sums of tiles, the last one first.
    const ulong step = 1ul << (log_stride + LOG_ROWS);
#pragma unroll 1
    for (uint k = TILES; k-- > 0u;) {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = at[WALSH_ROW(j, FIRST_LOW, FIRST_WIDTH) + k * step];
#pragma unroll 1
        for (uint m = 0; m < k; m++) {
            if ((m & ~k) != 0u)
                continue;
#pragma unroll
            for (uint j = 0; j < REGS; j++)
                x[j] ^= at[WALSH_ROW(j, FIRST_LOW, FIRST_WIDTH) + m * step];
        }
        if (k + 1u < TILES)
            barrier(CLK_LOCAL_MEM_FENCE);
        walsh_column_stages(tile, x, own + k * step, item, log_stride, shift);
    }
#else
    const ulong step = 1ul << (log_stride + LOG_ROWS);
    // Loads of a chunk all come before its stores, which the compiler must not move them across.
#pragma unroll
    for (uint first = 0; first < REGS; first += CHUNK) {
        ELEMENT y[CHUNK * TILES];
#pragma unroll
        for (uint c = 0; c < CHUNK; c++) {
#pragma unroll
            for (uint k = 0; k < TILES; k++)
                y[c * TILES + k] = at[WALSH_ROW(first + c, FIRST_LOW, FIRST_WIDTH) + k * step];
        }
#pragma unroll
        for (uint b = 1; b < TILES; b *= 2u) {
#pragma unroll
            for (uint k = 0; k < CHUNK * TILES; k++) {
                if ((k & b) == 0u) {
                    const ELEMENT u = y[k];
                    const ELEMENT v = y[k | b];
                    y[k] = WALSH_FIRST(u, v);
                    y[k | b] = WALSH_SECOND(u, v);
                }
            }
        }
#pragma unroll
        for (uint c = 0; c < CHUNK; c++) {
#pragma unroll
            for (uint k = 1; k < TILES; k++)
                at[WALSH_ROW(first + c, FIRST_LOW, FIRST_WIDTH) + k * step] = y[c * TILES + k];
            x[first + c] = y[c * TILES];
        }
    }
    walsh_column_stages(tile, x, own, item, log_stride, shift);
#pragma unroll 1
    for (uint k = 1; k < TILES; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = at[WALSH_ROW(j, FIRST_LOW, FIRST_WIDTH) + k * step];
        walsh_column_stages(tile, x, own + k * step, item, log_stride, shift);
    }
#endif
}
