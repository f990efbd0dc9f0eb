// Inverses of triangular factors, products with them, and weighted sums of rows, which bounds of the error of a determinant of
// doubles take: to the bits of the host, which takes SUMS columns at once (Rump, Acta Numerica 19 (2010), section 10, for the
// bounds).
//
//   factors   order n, row after row: L below the diagonal, with ones on it, and U from it on
//   x         an inverse, or what is left of a product
//
// With is_upper a kernel reads the factors from the last entry to the first, so that U is a lower triangle. All operations are
// rounded one by one.
//
// parts: linalg/real_tiles.clh
// set: double
// set: double BLOCK=32u GROUP=256u SIDE=16u REGS=4u

#define SUMS 32u // columns of a part of a sum

// Begins an inverse with the identity, or what is left of a product with L.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bound_begin(__global ELEMENT *restrict x, __global const ELEMENT *restrict factors, const uint order, const uint is_upper)
{
    const ulong all = (ulong)order * order;
    const ulong e = get_global_id(0);
    const ulong i = e / order;
    const ulong j = e % order;
    if (e < all)
        x[e] = i == j ? (ELEMENT)1 : is_upper != 0u && j > i ? factors[all - 1u - e] : (ELEMENT)0;
}

// The rows of an inverse from `first` on, `count` of them, from what the rows before have left: an item for each of the first
// first + count columns.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bound_solve(__global ELEMENT *restrict x, __global const ELEMENT *restrict factors, const uint order, const uint first,
                 const uint count, const uint is_upper)
{
    __local ELEMENT triangle[BLOCK * BLOCK];
    __local ELEMENT columns[BLOCK * GROUP];
    const uint item = (uint)get_local_id(0);
    const uint column = (uint)get_global_id(0);
    const ulong last = (ulong)order * order - 1u;
    for (uint e = item; e < BLOCK * BLOCK; e += GROUP) {
        const uint i = e / BLOCK;
        const uint j = e % BLOCK;
        const ulong at = (ulong)(first + i) * order + first + j;
        const bool is_read = i < count && j < i + is_upper;
        triangle[e] = is_read ? factors[is_upper != 0u ? last - at : at] : (ELEMENT)1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0u; r < count; r++) {
        const ulong at = (ulong)(first + r) * order + column;
        ELEMENT own = column < first + count ? x[at] : (ELEMENT)0;
        for (uint s = 0u; s < r; s++) {
            const ELEMENT product = triangle[r * BLOCK + s] * columns[s * GROUP + item];
            own = own - product;
        }
        own = own / triangle[r * BLOCK + r];
        columns[r * GROUP + item] = own;
        if (column < first + count)
            x[at] = own;
    }
}

// The rows of an inverse behind those from `first` on, `count` of them, less products: a tile of the first first + count columns
// for each group.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bound_update(__global ELEMENT *x, __global const ELEMENT *factors, const uint order, const uint first, const uint count,
                  const uint is_upper)
{
    __local ELEMENT pool[TILE_WORDS];
    const uint end = first + count;
    const uint across = (end + TILE_COLUMNS - 1u) / TILE_COLUMNS;
    const uint top = end + (uint)(get_group_id(0) / across) * TILE_ROWS;
    const uint start = (uint)(get_group_id(0) % across) * TILE_COLUMNS;
    subtract_tile(x, factors, is_upper != 0u, x, order, first, count, top, start, end, pool);
}

// Entries less the products of a matrix a and a lower triangle b: a tile for each group.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bound_product(__global ELEMENT *x, __global const ELEMENT *a, __global const ELEMENT *b, const uint order)
{
    __local ELEMENT pool[TILE_WORDS];
    const uint across = (order + TILE_COLUMNS - 1u) / TILE_COLUMNS;
    const uint top = (uint)(get_group_id(0) / across) * TILE_ROWS;
    const uint start = (uint)(get_group_id(0) % across) * TILE_COLUMNS;
    subtract_tile(x, a, false, b, order, start, order - start, top, start, order, pool);
}

// The sum of the sizes of each row's entries times weights, part by part: a row for each group.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bound_sums(__global const ELEMENT *restrict x, __global const ELEMENT *restrict weights, __global ELEMENT *restrict sums,
                const uint order)
{
    __local ELEMENT parts[GROUP];
    const uint item = (uint)get_local_id(0);
    const uint row = (uint)get_group_id(0);
    const uint count = (order + SUMS - 1u) / SUMS;
    ELEMENT sum = (ELEMENT)0;
    for (uint from = 0u; from < count; from += GROUP) {
        ELEMENT part = (ELEMENT)0;
        for (uint c = 0u; c < SUMS; c++) {
            const uint column = (from + item) * SUMS + c;
            if (column < order) {
                const ELEMENT product = fabs(x[(ulong)row * order + column]) * weights[column];
                part = part + product;
            }
        }
        parts[item] = part;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = 0u; p < min(GROUP, count - from); p++)
            sum = sum + parts[p];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0u)
        sums[row] = sum;
}
