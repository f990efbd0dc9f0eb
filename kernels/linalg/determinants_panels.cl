// Determinants of many matrices of residues in global memory, a group for each, which changes its matrix: elimination by panels of
// PANEL columns, whose rows of the upper factor and whose rest are then changed at once (Golub and Van Loan, Matrix Computations,
// section 3.2.11; any pivot other than 0 serves in a field).
//
//   panel   the pivot P of column s is its first entry that is not 0, and entry (i, j) below it becomes P a[i][j] - a[i][s] a[s][j],
//           so that column s of the lower factor is that of the panel divided by P: one inverse serves all columns of a panel
//   rows    an item takes the entries of a column in PANEL rows through the lower factor, in registers
//   rest    tiles of TILE by TILE entries, each item's REGS by REGS of them sums in registers
//
// With d[s] the product of the pivots before s in the panel, pivot s is d[s] times that of the elimination with divisions, whose product
// is the determinant.
//
// Group g takes the matrix at g order^2. All have one prime in `determinants_panels`, whose determinants begin at `first` of out; in
// `determinants_panels_modulo` it is prime f = first_modulus + g, which stands at 2 f of the moduli, its reciprocal (see mod_of) at
// 2 f + 1.
//
// parts: poly/accumulate.clh linalg/inverse.clh
// set: SIDE=16u REGS=4u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef SIDE
#define SIDE 8u // items along each side of a tile
#endif
#ifndef REGS
#define REGS 2u // entries along each side of an item's part
#endif

// Small tiles are those of processors, which gain nothing by long code, and whose compilers take minutes for it.
#if SIDE > 8u
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("nounroll")
#endif

#define PANEL 16u              // columns of a panel
#define ROWS (GROUP / PANEL)   // rows of a panel that a group changes at a time
#define AHEAD 4u               // entries that an item reads before it writes one
#define GROUP (SIDE * SIDE)
#define TILE (SIDE * REGS)
#define LOWER (TILE > PANEL ? TILE : PANEL)
#define ALL (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// What the items of a group share.
typedef struct {
    residue lower[LOWER][PANEL + 1u]; // rows of the lower factor, negative: of a tile, or of the panel
    residue upper[PANEL][TILE];      // columns of the upper one
    residue heads[PANEL];            // the pivots of the panel
    residue units[PANEL];            // their inverses, negative
    uint first;                      // the row of the pivot
} shared;

// An entry of the lower factor, negative, from what stands in its place.
inline residue lower_of(const ELEMENT entry, const residue unit, const modulus mod)
{
    return mod_canonical(mod_mul(mod_in(entry), unit, mod), mod);
}

// Exchanges two rows from a column on.
inline void exchange_rows(__global ELEMENT *x, __global ELEMENT *y, const uint column, const uint order)
{
    for (uint j = column + (uint)get_local_id(0); j < order; j += GROUP) {
        const ELEMENT word = x[j];
        x[j] = y[j];
        y[j] = word;
    }
}

// Changes the rest behind the panel at `start`: less the products of the lower and the upper factor.
inline void change_rest(__global ELEMENT *a, const uint order, const uint start, const modulus mod, __local shared *cells)
{
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    const residue one = mod_in((ELEMENT)1);
    const uint rest = start + PANEL;
    for (uint top = rest; top < order; top += TILE) {
        for (uint e = item; e < TILE * PANEL; e += GROUP) {
            const uint i = top + e / PANEL;
            const uint k = e % PANEL;
            cells->lower[e / PANEL][k] =
                i < order ? lower_of(a[(ulong)i * order + start + k], cells->units[k], mod) : (residue)0;
        }
        for (uint left = rest; left < order; left += TILE) {
            for (uint e = item; e < PANEL * TILE; e += GROUP) {
                const uint k = e / TILE;
                const uint j = left + e % TILE;
                cells->upper[k][e % TILE] = j < order ? mod_in(a[(ulong)(start + k) * order + j]) : (residue)0;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            sum sums[REGS * REGS];
#pragma unroll
            for (uint r = 0u; r < REGS * REGS; r++) {
                const uint i = top + y + r / REGS * SIDE;
                const uint j = left + x + r % REGS * SIDE;
                const residue own = i < order && j < order ? mod_in(a[(ulong)i * order + j]) : (residue)0;
                sums[r] = sum_add(sum_zero(), one, own, mod);
            }
            UNROLL for (uint k = 0u; k < PANEL; k++) {
                residue lower[REGS];
                residue upper[REGS];
#pragma unroll
                for (uint r = 0u; r < REGS; r++) {
                    lower[r] = cells->lower[y + r * SIDE][k];
                    upper[r] = cells->upper[k][x + r * SIDE];
                }
#pragma unroll
                for (uint r = 0u; r < REGS * REGS; r++) {
                    if (k % SUM_TERMS == 0u)
                        sums[r] = sum_fold(sums[r], mod);
                    sums[r] = sum_add(sums[r], lower[r / REGS], upper[r % REGS], mod);
                }
            }
#pragma unroll
            for (uint r = 0u; r < REGS * REGS; r++) {
                const uint i = top + y + r / REGS * SIDE;
                const uint j = left + x + r % REGS * SIDE;
                if (i < order && j < order)
                    a[(ulong)i * order + j] = mod_out(sum_residue(sum_fold(sums[r], mod), mod), mod);
            }
            barrier(ALL);
        }
    }
}

// Takes the rows of the panel at `start` through its lower factor, behind the panel.
inline void change_rows(__global ELEMENT *a, const uint order, const uint start, const modulus mod, __local shared *cells)
{
    const uint item = (uint)get_local_id(0);
    const residue one = mod_in((ELEMENT)1);
    for (uint e = item; e < PANEL * PANEL; e += GROUP) {
        const uint i = e / PANEL;
        const uint k = e % PANEL;
        if (k < i && start + i < order)
            cells->lower[i][k] = lower_of(a[(ulong)(start + i) * order + start + k], cells->units[k], mod);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = start + PANEL + item; j < order; j += GROUP) {
        residue own[PANEL];
        UNROLL for (uint i = 0u; i < PANEL; i++) {
            const ulong place = (ulong)(start + i) * order + j;
            sum total = sum_add(sum_zero(), one, mod_in(a[place]), mod);
            UNROLL for (uint k = 0u; k < i; k++) {
                if (k % SUM_TERMS == 0u)
                    total = sum_fold(total, mod);
                total = sum_add(total, cells->lower[i][k], own[k], mod);
            }
            own[i] = sum_residue(sum_fold(total, mod), mod);
            a[place] = mod_out(own[i], mod);
        }
    }
    barrier(ALL);
}

// Changes the rows of the panel below the pivot of column s, which is the column of number s - start of the panel.
inline void change_panel(__global ELEMENT *a, const uint order, const uint start, const uint end, const uint s, const residue pivot,
                         const modulus mod)
{
    const uint item = (uint)get_local_id(0);
    const uint j = start + item % PANEL;
    if (j <= s || j >= end)
        return;
    const residue upper = mod_in(a[(ulong)s * order + j]);
    for (uint top = s + 1u + item / PANEL; top < order; top += AHEAD * ROWS) {
        residue own[AHEAD];
        residue left[AHEAD];
#pragma unroll
        for (uint r = 0u; r < AHEAD; r++) {
            const uint i = top + r * ROWS;
            // No item writes row s.
            const ulong place = (ulong)(i < order ? i : s) * order;
            own[r] = mod_in(a[place + j]);
            left[r] = residue_negative(mod_in(a[place + s]), mod);
        }
#pragma unroll
        for (uint r = 0u; r < AHEAD; r++) {
            const uint i = top + r * ROWS;
            const sum both = sum_add(sum_add(sum_zero(), pivot, own[r], mod), left[r], upper, mod);
            if (i < order)
                a[(ulong)i * order + j] = mod_out(sum_residue(sum_fold(both, mod), mod), mod);
        }
    }
}

// The inverses of the pivots of a panel, by that of their product; the product of those of the elimination with divisions.
inline residue invert_heads(const uint count, const modulus mod, __local shared *cells)
{
    residue all = mod_in((ELEMENT)1);
    for (uint k = 0u; k < count; k++) {
        cells->units[k] = all;
        all = mod_canonical(mod_mul(all, cells->heads[k], mod), mod);
    }
    residue inverse = residue_inverse(all, (ulong)mod.p, mod);
    for (uint k = count; k > 0u; k--) {
        // `inverse` is that of the product of the first k pivots.
        const residue unit = mod_canonical(mod_mul(inverse, cells->units[k - 1u], mod), mod);
        inverse = mod_canonical(mod_mul(inverse, cells->heads[k - 1u], mod), mod);
        cells->units[k - 1u] = residue_negative(unit, mod);
        all = mod_canonical(mod_mul(all, inverse, mod), mod);
    }
    return all;
}

// The determinant of the group's matrix, which becomes known to item 0. Behind a column without a pivot, which makes it 0, all goes on
// as if it had one: barriers within conditions take some compilers very long.
inline residue panels_determinant(__global ELEMENT *a, const uint order, const modulus mod, __local shared *cells)
{
    const uint item = (uint)get_local_id(0);
    residue product = mod_in((ELEMENT)1);
    bool is_singular = false;
    if (item == 0u)
        cells->first = order;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint start = 0u; start < order; start += PANEL) {
        const uint end = min(start + PANEL, order);
        for (uint s = start; s < end; s++) {
            if (a[(ulong)s * order + s] != (ELEMENT)0) {
                if (item == 0u)
                    cells->first = s;
            } else {
                for (uint row = s + 1u + item; row < order; row += GROUP) {
                    if (a[(ulong)row * order + s] != (ELEMENT)0) {
                        atomic_min(&cells->first, row);
                        break;
                    }
                }
            }
            barrier(ALL);
            const uint source = cells->first;
            is_singular = is_singular || source >= order;
            if (source > s && source < order) {
                exchange_rows(a + (ulong)s * order, a + (ulong)source * order, start, order);
                product = residue_negative(product, mod);
            }
            barrier(ALL);
            const residue pivot = mod_canonical(mod_in(a[(ulong)s * order + s]), mod);
            if (item == 0u) {
                cells->first = order;
                cells->heads[s - start] = pivot;
            }
            change_panel(a, order, start, end, s, pivot, mod);
            barrier(ALL);
        }
        if (item == 0u)
            product = mod_canonical(mod_mul(product, invert_heads(end - start, mod, cells), mod), mod);
        barrier(CLK_LOCAL_MEM_FENCE);
        change_rows(a, order, start, mod, cells);
        change_rest(a, order, start, mod, cells);
    }
    return is_singular ? (residue)0 : product;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void determinants_panels(__global ELEMENT *restrict a, const uint order, __global ELEMENT *restrict out, const uint first,
                         const ELEMENT p, const ulong reciprocal)
{
    __local shared cells;
    const modulus mod = mod_of(p, reciprocal);
    const residue found = panels_determinant(a + get_group_id(0) * order * order, order, mod, &cells);
    if (get_local_id(0) == 0u)
        out[first + get_group_id(0)] = mod_out(found, mod);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void determinants_panels_modulo(__global ELEMENT *restrict a, const uint order, __global const ulong *restrict moduli,
                                const uint first_modulus, __global ELEMENT *restrict out)
{
    __local shared cells;
    const ulong at = 2ul * (first_modulus + get_group_id(0));
    const modulus mod = mod_of((ELEMENT)moduli[at], moduli[at + 1ul]);
    const residue found = panels_determinant(a + get_group_id(0) * order * order, order, mod, &cells);
    if (get_local_id(0) == 0u)
        out[get_group_id(0)] = mod_out(found, mod);
}
