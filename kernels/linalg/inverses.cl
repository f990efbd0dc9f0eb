// Inverses and determinants of many small matrices of residues, a group for each, in registers: Gauss-Jordan elimination in
// place (Golub and Van Loan, Matrix Computations, section 3.2), without division but two at the end.
//
//   a     matrix g, of order <= TILE, has entry (i, j) at start + g step + i stride + j
//   out   the inverses, one behind the other; of a matrix that has none zeros
//   found for each matrix, from found_start on, its determinant and the number of its first columns that have pivots
//
// All rows have one denominator d, 1 at first. With pivot P in row and column k, row i and column j become
//
//   entry (i, j)   P a[i][j] - a[i][k] a[k][j]     entry (k, j)   d a[k][j]
//   entry (i, k)   -d a[i][k]                      entry (k, k)   d d          and the denominator d P
//
// so that with d[k] the denominator before step k the determinant is d[n] / (d[1] ... d[n - 1]). Where MONTGOMERY is set all
// numbers are in Montgomery's form. Item (y, x) has the entries (y + SIDE r, x + SIDE c) for r, c < REGS; row k + 1 and column
// k + 1 go to local memory, by turns in two places, behind step k.
//
// parts: poly/accumulate.clh field/combine.clh linalg/inverse.clh
// set: MONTGOMERY=1 SIDE=16u REGS=4u
// set: ulong ARITHMETIC=1 MONTGOMERY=1 SIDE=8u REGS=4u
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef SIDE
#define SIDE 8u // items along each side
#endif
#ifndef REGS
#define REGS 2u // entries of an item along each side
#endif

#define GROUP (SIDE * SIDE)
#define TILE (SIDE * REGS)

// p^-1 mod 2^64, whose low half is that mod 2^32, of an odd p: Newton's iteration; p itself is right to 3 bits.
inline ulong form_of(const ELEMENT p)
{
    ulong inverse = (ulong)p;
    for (uint i = 0u; i < 5u; i++)
        inverse *= 2ul - (ulong)p * inverse;
    return inverse;
}

// What takes a residue into the form: the square of R mod p in Montgomery's, else 1.
inline residue form_radix(const modulus mod)
{
#if MONTGOMERY && ARITHMETIC == WORD32
    const residue radix = mod_reduce(1ul << 32, mod);
    return mod_mul(radix, radix, mod);
#elif MONTGOMERY && ARITHMETIC == WORD64
    const residue radix = mod_reduce_wide(0ul, 1ul, mod);
    return mod_canonical(mod_mul(radix, radix, mod), mod);
#else
    (void)mod;
    return mod_in((ELEMENT)1);
#endif
}

// The product of two numbers of the form, in the form.
inline residue form_multiply(const residue a, const residue b, const modulus mod, const ulong by)
{
    return mod_combine(a, b, (residue)0, (residue)0, mod, by);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void inverses(__global const ELEMENT *restrict a, const ulong start, const ulong stride, const ulong step, const uint order,
              __global ELEMENT *restrict out, __global ELEMENT *restrict found, const ulong found_start, const ELEMENT p,
              const ulong reciprocal)
{
    __local residue rows[2][TILE];
    __local residue columns[2][TILE];
    __local residue exchanged[TILE];
    __local residue units[2];
    __local uint places[TILE]; // the row of the matrix that each row was
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    const ulong first = start + get_group_id(0) * step;
    const ulong by = form_of(p);
    const residue radix = form_radix(mod);
    const residue one = mod_in((ELEMENT)1);
    residue own[REGS][REGS];
#pragma unroll
    for (uint r = 0u; r < REGS; r++) {
#pragma unroll
        for (uint c = 0u; c < REGS; c++) {
            const uint i = y + SIDE * r;
            const uint j = x + SIDE * c;
            const residue entry = i < order && j < order ? mod_in(a[first + i * stride + j]) : (residue)0;
            own[r][c] = form_multiply(entry, radix, mod, by);
            if (i == 0u)
                rows[0][j] = own[r][c];
            if (j == 0u)
                columns[0][i] = own[r][c];
        }
    }
    for (uint e = item; e < TILE; e += GROUP)
        places[e] = e;
    residue denominator = form_multiply(one, radix, mod, by);
    residue before = denominator; // the product of the denominators but the last
    bool is_odd = false;
    uint pivots = 0u;
    for (uint k = 0u; k < order; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint now = k & 1u;
        uint source = k;
        while (source < order && columns[now][source] == (residue)0)
            source++;
        if (source > k) {
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
#pragma unroll
                for (uint c = 0u; c < REGS; c++) {
                    if (y + SIDE * r == source) {
                        exchanged[x + SIDE * c] = own[r][c];
                        own[r][c] = rows[now][x + SIDE * c];
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // Behind a column without pivot nothing is of use.
        if (source < order && pivots == k) {
            if (source > k) {
                if (item == 0u) {
                    const uint place = places[k];
                    places[k] = places[source];
                    places[source] = place;
                }
                is_odd = !is_odd;
            }
            pivots = k + 1u;
            const residue pivot = columns[now][source];
            residue left[REGS];
            residue right[REGS];
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
                const uint i = y + SIDE * r;
                // The entry that row `source` got from row k is 0.
                const residue entry = i == source && source > k ? (residue)0 : columns[now][i];
                left[r] = i == k ? denominator : residue_negative(entry, mod);
                const uint j = x + SIDE * r;
                right[r] = j == k ? denominator : source > k ? exchanged[j] : rows[now][j];
            }
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
#pragma unroll
                for (uint c = 0u; c < REGS; c++) {
                    const uint i = y + SIDE * r;
                    const uint j = x + SIDE * c;
                    const residue kept = i == k || j == k ? (residue)0 : own[r][c];
                    own[r][c] = mod_combine(pivot, kept, left[r], right[c], mod, by);
                    if (i == k + 1u)
                        rows[1u - now][j] = own[r][c];
                    if (j == k + 1u)
                        columns[1u - now][i] = own[r][c];
                }
            }
            if (k > 0u)
                before = form_multiply(before, denominator, mod, by);
            denominator = form_multiply(denominator, pivot, mod, by);
        }
    }
    // Out of the form, and inverted.
    if (item < 2u)
        units[item] = residue_inverse(form_multiply(item == 0u ? denominator : before, one, mod, by), (ulong)p, mod);
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong to = get_group_id(0) * order * order;
#pragma unroll
    for (uint r = 0u; r < REGS; r++) {
#pragma unroll
        for (uint c = 0u; c < REGS; c++) {
            const uint i = y + SIDE * r;
            const uint j = x + SIDE * c;
            if (i < order && j < order) {
                const ELEMENT entry = mod_out(form_multiply(own[r][c], units[0], mod, by), mod);
                out[to + i * order + places[j]] = pivots == order ? entry : (ELEMENT)0;
            }
        }
    }
    if (item == 0u) {
        residue determinant = 0;
        if (pivots == order) {
            determinant = form_multiply(denominator, units[1], mod, by);
            if (is_odd)
                determinant = residue_negative(determinant, mod);
        }
        found[found_start + 2ul * get_group_id(0)] = mod_out(determinant, mod);
        found[found_start + 2ul * get_group_id(0) + 1ul] = (ELEMENT)pivots;
    }
}
