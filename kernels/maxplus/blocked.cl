// Blocked star: closures of BLOCK by BLOCK blocks on the diagonal and max-plus products of blocks, in place.
//
// Of a triangular matrix x, for blocks K from the first on (forward substitution):
//     W[K, :] = x[K, K]* W[K, :]               maxplus_rows
//     W[R, :] = W[R, :] + x[R, K] W[K, :]      maxplus_update, for all rows R past K
// Of any matrix W (Floyd, Warshall, Carre by blocks; Venkataraman, Sahni, Mukhopadhyaya, 2003): W[K, K]*, W[K, :], W[:, K] and
// W = W + W[:, K] W[K, :] for each block K. Entries of the diagonal are 0 from the first on: a circuit that is longer than `tolerance`
// raises `flag`, and what is written from then on means nothing.
//
//   w          [nodes][width]
//   d          [blocks][BLOCK][BLOCK] closed blocks; past the last node the identity
//   p          [nodes][BLOCK] columns W[:, K] D
//
// parts: maxplus/weight.clh
// set: int
// set: long BLOCK=32 SPANS=1
// set: double BLOCK=32 SPANS=1
// set: float BLOCK=16 SPANS=1

#ifndef BLOCK
#define BLOCK 64 // rows and columns of a block, a multiple of 16
#endif
#ifndef SPANS
#define SPANS 2 // runs of four rows and of four columns that an item of maxplus_update has
#endif

#define SIDE 16u                      // items of a group along rows and along columns
#define PER (BLOCK / 16)              // rows and columns of an item in a block
#define TILE (SIDE * 4u * SPANS)      // rows and columns of a group of maxplus_update
#define DEPTH 16u                     // terms of a sum that a group has in local memory at a time, an even number
#define LINE (TILE + 4u)              // words of a term in local memory: items side by side store to different banks
#define LOADS (DEPTH * TILE / (SIDE * SIDE)) // words of either operand that an item brings

// d[g] = x[K, K]* for K = first + g. An item has PER by PER entries in registers; of each pivot, those that have its row and its
// column write them for all.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void maxplus_diagonals(__global const ELEMENT *restrict x, __global ELEMENT *restrict d, const ulong first, const ulong nodes,
                       const ELEMENT tolerance, __global uint *flag)
{
    // Two of each in turn: what is written for a pivot is read by no item that is still at the one before.
    __local ELEMENT lines[2][BLOCK];
    __local ELEMENT posts[2][BLOCK];
    const uint y = (uint)get_local_id(0) / SIDE;
    const uint x0 = (uint)get_local_id(0) % SIDE;
    const ulong begin = (first + get_group_id(0)) * BLOCK;
    ELEMENT own[PER][PER];
    for (uint i = 0u; i < PER; i++) {
        for (uint j = 0u; j < PER; j++) {
            const uint row = PER * y + i;
            const uint column = PER * x0 + j;
            const bool is_inside = begin + row < nodes && begin + column < nodes;
            const ELEMENT value = is_inside ? x[(begin + row) * nodes + begin + column] : ABSENT;
            own[i][j] = row == column ? (ELEMENT)0 : value;
        }
    }
    bool is_circuit = false;
    for (uint of = 0u; of < SIDE; of++) {
        #pragma unroll
        for (uint k = 0u; k < PER; k++) {
            const uint turn = (PER * of + k) % 2u;
            if (y == of)
                for (uint j = 0u; j < PER; j++)
                    lines[turn][PER * x0 + j] = own[k][j];
            if (x0 == of)
                for (uint i = 0u; i < PER; i++)
                    posts[turn][PER * y + i] = own[i][k];
            barrier(CLK_LOCAL_MEM_FENCE);
            // Row and column of the pivot stay as they are: its entry is 0.
            for (uint i = 0u; i < PER; i++) {
                const ELEMENT left = posts[turn][PER * y + i];
                for (uint j = 0u; j < PER; j++) {
                    const ELEMENT path = left + lines[turn][PER * x0 + j];
                    if (y == x0 && i == j)
                        is_circuit = is_circuit || path > tolerance;
                    else
                        own[i][j] = longer(own[i][j], path);
                }
            }
        }
    }
    if (is_circuit)
        atomic_or(flag, 1u);
    __global ELEMENT *to = d + (first + get_group_id(0)) * (BLOCK * BLOCK);
    for (uint i = 0u; i < PER; i++)
        for (uint j = 0u; j < PER; j++)
            to[(PER * y + i) * BLOCK + PER * x0 + j] = own[i][j];
}

// Loads a block of `from`, whose rows are `stride` long, epsilon past `rows` and `columns`.
inline void load(__local ELEMENT *to, __global const ELEMENT *from, const ulong stride, const ulong rows, const ulong columns)
{
    for (uint at = (uint)get_local_id(0); at < BLOCK * BLOCK; at += SIDE * SIDE) {
        const uint row = at / BLOCK;
        const uint column = at % BLOCK;
        to[row * (BLOCK + 1) + column] = row < rows && column < columns ? from[row * stride + column] : ABSENT;
    }
}

// The product of two blocks: entries (SIDE i + y, SIDE j + x) for the item at (y, x).
inline void product(ELEMENT *sums, __local const ELEMENT *a, __local const ELEMENT *b, const uint y, const uint x)
{
    for (uint i = 0u; i < PER * PER; i++)
        sums[i] = ABSENT;
    for (uint k = 0u; k < BLOCK; k++) {
        for (uint i = 0u; i < PER; i++) {
            const ELEMENT left = a[(SIDE * i + y) * (BLOCK + 1) + k];
            for (uint j = 0u; j < PER; j++)
                sums[i * PER + j] = longer(sums[i * PER + j], left + b[k * (BLOCK + 1) + SIDE * j + x]);
        }
    }
}

// W[K, :] = d[K] W[K, :] in columns up to `active`, a group for each BLOCK of them. Where `skipped` is the block K itself, its entries
// become d[K].
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void maxplus_rows(__global ELEMENT *restrict w, __global const ELEMENT *restrict d, const ulong k, const ulong nodes,
                  const ulong width, const ulong active, const ulong skipped)
{
    __local ELEMENT closed[BLOCK * (BLOCK + 1)];
    __local ELEMENT strip[BLOCK * (BLOCK + 1)];
    const uint y = (uint)get_local_id(0) / SIDE;
    const uint x = (uint)get_local_id(0) % SIDE;
    const ulong rows = min((ulong)BLOCK, nodes - k * BLOCK);
    const ulong begin = (ulong)get_group_id(0) * BLOCK;
    const ulong columns = min((ulong)BLOCK, active - begin);
    __global ELEMENT *own = w + k * BLOCK * width + begin;
    load(closed, d + k * (BLOCK * BLOCK), BLOCK, BLOCK, BLOCK);
    load(strip, own, width, rows, columns);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // other items write what was read
    ELEMENT sums[PER * PER];
    product(sums, closed, strip, y, x);
    for (uint i = 0u; i < PER; i++) {
        for (uint j = 0u; j < PER; j++) {
            const uint row = SIDE * i + y;
            const uint column = SIDE * j + x;
            if (row < rows && column < columns)
                own[row * width + column] =
                    get_group_id(0) == skipped ? closed[row * (BLOCK + 1) + column] : sums[i * PER + j];
        }
    }
}

// p = W[:, K] d[K], and W[:, K] likewise, for all rows but those of K: a group for each BLOCK of rows.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void maxplus_columns(__global ELEMENT *restrict w, __global const ELEMENT *restrict d, __global ELEMENT *restrict p,
                     const ulong k, const ulong nodes)
{
    __local ELEMENT closed[BLOCK * (BLOCK + 1)];
    __local ELEMENT strip[BLOCK * (BLOCK + 1)];
    const uint y = (uint)get_local_id(0) / SIDE;
    const uint x = (uint)get_local_id(0) % SIDE;
    const ulong begin = (ulong)get_group_id(0) * BLOCK;
    const ulong rows = min((ulong)BLOCK, nodes - begin);
    const ulong columns = min((ulong)BLOCK, nodes - k * BLOCK);
    __global ELEMENT *own = w + begin * nodes + k * BLOCK;
    const bool is_skipped = get_group_id(0) == k;
    load(closed, d + k * (BLOCK * BLOCK), BLOCK, BLOCK, BLOCK);
    load(strip, own, nodes, rows, columns);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // other items write what was read
    ELEMENT sums[PER * PER];
    product(sums, strip, closed, y, x);
    for (uint i = 0u; i < PER; i++) {
        for (uint j = 0u; j < PER; j++) {
            const uint row = SIDE * i + y;
            const uint column = SIDE * j + x;
            if (row < rows) {
                p[(begin + row) * BLOCK + column] = is_skipped ? ABSENT : sums[i * PER + j];
                if (column < columns && !is_skipped)
                    own[row * nodes + column] = sums[i * PER + j];
            }
        }
    }
}

#define JOINED(a, b) a##b
#define VECTOR_OF(element) JOINED(element, 4)
#define FOUR VECTOR_OF(ELEMENT)

// W[R, C] = max(W[R, C], a[R, :] W[K, C]) for rows R from `first_row` on and columns C up to `active`, without rows and columns of K
// where `diagonal` is 1; a has rows of `stride` words, of which row R has those of K from word R * stride + offset on.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void maxplus_update(__global ELEMENT *restrict w, __global const ELEMENT *restrict a, const ulong offset, const ulong stride,
                    const ulong k, const ulong first_row, const ulong nodes, const ulong width, const ulong active,
                    const uint diagonal, const ELEMENT tolerance, __global uint *flag)
{
    __local ELEMENT left[DEPTH][LINE] __attribute__((aligned(32)));
    __local ELEMENT right[DEPTH][LINE] __attribute__((aligned(32)));
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    const ulong across = (active + TILE - 1ul) / TILE;
    const ulong row0 = first_row + (ulong)get_group_id(0) / across * TILE;
    const ulong column0 = (ulong)get_group_id(0) % across * TILE;
    const ulong begin = k * BLOCK;
    const uint depth = (uint)min((ulong)BLOCK, nodes - begin);
    ELEMENT sums[4 * SPANS][4 * SPANS];
    for (uint i = 0u; i < 4u * SPANS; i++)
        for (uint j = 0u; j < 4u * SPANS; j++)
            sums[i][j] = ABSENT;
    for (uint chunk = 0u; chunk < depth; chunk += DEPTH) {
        // Not behind the sums: PoCL 5 aborts where they are carried from a barrier to the loop's beginning.
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint load = 0u; load < LOADS; load++) {
            const uint at = item + load * SIDE * SIDE;
            const ulong row = row0 + at / DEPTH;
            const ulong column = column0 + at % TILE;
            const uint of_left = chunk + at % DEPTH;
            const uint of_right = chunk + at / TILE;
            left[at % DEPTH][at / DEPTH] =
                row < nodes && of_left < depth ? a[row * stride + offset + of_left] : ABSENT;
            right[at / TILE][at % TILE] =
                column < active && of_right < depth ? w[(begin + of_right) * width + column] : ABSENT;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint term = 0u; term < DEPTH; term += 2u) {
            union { FOUR vectors[SPANS]; ELEMENT words[4 * SPANS]; } rows[2], columns[2];
            for (uint t = 0u; t < 2u; t++) {
                for (uint span = 0u; span < SPANS; span++) {
                    rows[t].vectors[span] = *(__local const FOUR *)&left[term + t][span * (4u * SIDE) + 4u * y];
                    columns[t].vectors[span] = *(__local const FOUR *)&right[term + t][span * (4u * SIDE) + 4u * x];
                }
            }
            for (uint i = 0u; i < 4u * SPANS; i++)
                for (uint j = 0u; j < 4u * SPANS; j++)
                    sums[i][j] = longer(longer(sums[i][j], rows[0].words[i] + columns[0].words[j]),
                                        rows[1].words[i] + columns[1].words[j]);
        }
    }
    for (uint i = 0u; i < 4u * SPANS; i++) {
        const ulong row = row0 + i / 4u * (4u * SIDE) + 4u * y + i % 4u;
        const bool is_of_row = row < nodes && !(diagonal != 0u && row - begin < BLOCK);
        for (uint j = 0u; j < 4u * SPANS; j++) {
            const ulong column = column0 + j / 4u * (4u * SIDE) + 4u * x + j % 4u;
            if (is_of_row && column < active && !(diagonal != 0u && column - begin < BLOCK)) {
                const ulong at = row * width + column;
                const bool is_circuit = diagonal != 0u && row == column;
                if (is_circuit && sums[i][j] > tolerance)
                    atomic_or(flag, 1u);
                if (!is_circuit && sums[i][j] > w[at])
                    w[at] = sums[i][j];
            }
        }
    }
}
