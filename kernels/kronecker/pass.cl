// One pass of a Kronecker transform, in place: products with small matrices along neighbouring digits of the index.
//
// The data are seen as [outer][ROWS][inner]; the rows are the digits of the pass. A group owns a tile:
//
//   CONTIGUOUS 1   PIECES pieces of [ROWS][COLUMNS] consecutive values, COLUMNS = inner
//   CONTIGUOUS 0   COLUMNS neighbouring columns of all rows of one outer index
//
//   tile index, high to low   [ piece ][ row digits, mixed radix ][ column ]
//
// Round k takes REGISTERS_k values, STRIDE_k apart in the tile, into an item's registers and multiplies along the digits that
// they are: ROUND_k is a text such as STEP_0(4)STEP_1(1), matrix 0 along values 4 apart in registers and then matrix 1 along
// neighbours. Between rounds values change places through local memory. Where a round's values are too near each other for
// loads and stores of whole lines, the tile is copied first or last (STAGE_IN, STAGE_OUT).
// Matrices and their products: kernels/kronecker/matrices.clh and multiply.clh.
//
// unit: -
// parts: kronecker/value.clh kronecker/matrices.clh kronecker/multiply.clh kronecker/multiply.clh kronecker/multiply.clh kronecker/multiply.clh
// set: CONTIGUOUS=0 PIECES=1 COLUMNS=32 STRIDE_0=96 STRIDE_1=32
// set: ROUNDS=1 STAGE_IN=0 STAGE_OUT=0 ROWS=4 REGISTERS_0=4 STRIDE_0=1 DIVIDED=1 DIVISOR=E(0.25f)
// set: int DIVIDED=1 DIVISOR=E(12)
// set: COMPUTATION=1 SIGNS_1=0 Q_1=1 MATRIX_1=E(1.0f)E(0.0f)
// set: double COMPUTATION=1 SIGNS_0=0 Q_0=1 MATRIX_0=E(0.5)E(-1.5)
// unit: RESIDUES
// parts: field/residues.clh kronecker/value.clh kronecker/matrices.clh kronecker/multiply.clh kronecker/multiply.clh kronecker/multiply.clh kronecker/multiply.clh
// set: SIGNS_0=0 Q_0=1 MATRIX_0=E(5u)E(7u) DIVIDED=1 DIVISOR=E(5u)E(7u)
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=2 SIGNS_0=0 Q_0=1 MATRIX_0=E(5ul)E(0ul)

#ifndef GROUP
#define GROUP 64 // items of a group
#endif
#ifndef CONTIGUOUS
#define CONTIGUOUS 1 // 1 where a tile is consecutive addresses
#endif
#ifndef PIECES
#define PIECES 16 // pieces of a tile
#endif
#ifndef ROWS
#define ROWS 12 // the product of the orders of all digits of the pass
#endif
#ifndef COLUMNS
#define COLUMNS 1 // columns of a tile
#endif
#ifndef ROUNDS
#define ROUNDS 2 // rounds, 1 to 4
#endif
#ifndef STAGE_IN
#define STAGE_IN 1 // 1 to copy the tile to local memory first
#endif
#ifndef STAGE_OUT
#define STAGE_OUT 1 // 1 to copy it from there at last
#endif
#ifndef STRIDE_0
#define STRIDE_0 3 // their distance in the tile
#endif
#ifndef STRIDE_1
#define STRIDE_1 1
#endif
#ifndef STRIDE_2
#define STRIDE_2 1
#endif
#ifndef STRIDE_3
#define STRIDE_3 1
#endif
#ifndef ROUND_0
#define ROUND_0 STEP_0(2)STEP_0(1) // what is done in round 0
#endif
#ifndef ROUND_1
#define ROUND_1 STEP_1(1)
#endif
#ifndef ROUND_2
#define ROUND_2
#endif
#ifndef ROUND_3
#define ROUND_3
#endif

#define TILE (PIECES * ROWS * COLUMNS)
// A gap after each run of values that fills the banks of local memory once.
#define GAP (128u / VALUE_BYTES)
#define PLACE(t) ((t) + (t) / GAP)

// Whether the tile has the value `t`: the last tile may have fewer pieces, or fewer columns.
inline bool inside(const uint t, const uint width)
{
#if CONTIGUOUS
    return t < width;
#else
    return t % COLUMNS < width;
#endif
}

// Where it lies, counted from the tile's first.
inline ulong address(const uint t, const ulong inner)
{
#if CONTIGUOUS
    (void)inner;
    return t;
#else
    return t / COLUMNS * inner + t % COLUMNS;
#endif
}

inline REG loaded(const VALUE x)
{
#if COMPUTATION == 2
    return mod_in(x);
#else
    return x;
#endif
}

inline VALUE stored(const REG x, const modulus m)
{
#if COMPUTATION == 2
    return mod_out(x, m);
#else
    (void)m;
    return x;
#endif
}

inline void from_memory(REG *x, __global const VALUE *own, const uint t, const uint stride, const uint count, const ulong inner)
{
    __global const VALUE *first = own + address(t, inner);
#pragma unroll
    for (uint r = 0; r < REGISTERS; r++)
        if (r < count)
            x[r] = loaded(first[address(r * stride, inner)]);
}

inline void to_memory(const REG *x, __global VALUE *own, const uint t, const uint stride, const uint count, const ulong inner,
                      const modulus m)
{
    __global VALUE *first = own + address(t, inner);
#pragma unroll
    for (uint r = 0; r < REGISTERS; r++)
        if (r < count)
            first[address(r * stride, inner)] = stored(x[r], m);
}

inline void from_tile(REG *x, __local const REG *tile, const uint t, const uint stride, const uint count)
{
#pragma unroll
    for (uint r = 0; r < REGISTERS; r++)
        if (r < count)
            x[r] = tile[PLACE(t + r * stride)];
}

inline void to_tile(const REG *x, __local REG *tile, const uint t, const uint stride, const uint count)
{
#pragma unroll
    for (uint r = 0; r < REGISTERS; r++)
        if (r < count)
            tile[PLACE(t + r * stride)] = x[r];
}

inline void divide(REG *x, const uint count, const modulus m)
{
#if DIVIDED
#pragma unroll
    for (uint r = 0; r < REGISTERS; r++)
        if (r < count)
            x[r] = value_divided(x[r], divisor, m);
#else
    (void)x, (void)count, (void)m;
#endif
}

// One round of all items: k is its number.
#define RUN(k)                                                                           \
    for (uint turn = 0; turn < (TILE / REGISTERS_##k + GROUP - 1u) / GROUP; turn++) {    \
        const uint unit = item + turn * GROUP;                                           \
        const uint count = REGISTERS_##k;                                                \
        const uint t = unit / STRIDE_##k * (STRIDE_##k * count) + unit % STRIDE_##k;     \
        if (unit < TILE / count && inside(t, width)) {                                   \
            REG x[REGISTERS];                                                            \
            if (k == 0 && !STAGE_IN)                                                     \
                from_memory(x, own, t, STRIDE_##k, count, inner);                        \
            else                                                                         \
                from_tile(x, tile, t, STRIDE_##k, count);                                \
            ROUND_##k                                                                    \
            if (k == ROUNDS - 1)                                                         \
                divide(x, count, m);                                                     \
            if (k == ROUNDS - 1 && !STAGE_OUT)                                           \
                to_memory(x, own, t, STRIDE_##k, count, inner, m);                       \
            else                                                                         \
                to_tile(x, tile, t, STRIDE_##k, count);                                  \
        }                                                                                \
    }

// data: `values` values, whole vectors of [outer][ROWS][inner]. segments: tiles of an outer index, 1 for contiguous tiles.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void kronecker_pass(__global ELEMENT *data, const ulong values, const ulong inner, const ulong segments, const ELEMENT p,
                    const ulong reciprocal)
{
#if ROUNDS > 1 || STAGE_IN || STAGE_OUT
    __local REG tile[PLACE(TILE)];
#else
    __local REG tile[1];
#endif
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
#if CONTIGUOUS
    const ulong start = group * TILE;
    const uint width = (uint)min(values - start, (ulong)TILE);
    (void)segments;
#else
    const ulong column = group % segments * COLUMNS;
    const ulong start = group / segments * (ROWS * inner) + column;
    const uint width = (uint)min(inner - column, (ulong)COLUMNS);
    (void)values;
#endif
    __global VALUE *own = (__global VALUE *)data + start;
#if COMPUTATION == 2
    const modulus m = mod_of(p, reciprocal);
#else
    const modulus m = 0u;
    (void)p, (void)reciprocal;
#endif
    (void)tile;

    // Fences of both memories: what some items load from the device's memory others store to, some rounds later.
#if STAGE_IN
    for (uint turn = 0; turn < (TILE + GROUP - 1u) / GROUP; turn++) {
        const uint t = item + turn * GROUP;
        if (t < TILE && inside(t, width))
            tile[PLACE(t)] = loaded(own[address(t, inner)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
    RUN(0)
#if ROUNDS > 1
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    RUN(1)
#endif
#if ROUNDS > 2
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    RUN(2)
#endif
#if ROUNDS > 3
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    RUN(3)
#endif
#if STAGE_OUT
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint turn = 0; turn < (TILE + GROUP - 1u) / GROUP; turn++) {
        const uint t = item + turn * GROUP;
        if (t < TILE && inside(t, width))
            own[address(t, inner)] = stored(tile[PLACE(t)], m);
    }
#endif
}
