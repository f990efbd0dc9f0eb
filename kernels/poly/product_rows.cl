// Products of polynomials in the two phases of paper 002, chapter 8: products of x coefficients each, then a tree of
// additions over rows (algorithms 11 to 13, corrected: any sizes, any x, any group size).
//
// With n coefficients of a, m of b, c = n + x - 1 columns and r = ceil(m / x) rows,
//
//   product_rows       rows[s][k] = sum over j < x of a[k - j] b[s x + j]
//   product_add_rows   call i takes the rows s = 2^i - 1 (mod 2^(i+1)): what no later row can still reach, the first 2^i x
//                      columns, goes to out[s x + k]; the rest goes to the row e = s + 2^i, if there is one, 2^i x columns
//                      further left. After floor(log2 r) + 1 calls every row has been taken once.
//
// A group of product_rows never spans two rows. The words past the end of the product are zero and are dropped.
//
// parts: poly/accumulate.clh
// set: GROUP=256 WIDTH=64 SUM_TERMS=4
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif
#ifndef WIDTH
#define WIDTH 4 // the most coefficients of b that an item multiplies by: x is at most this
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void product_rows(__global const ELEMENT *restrict a, const ulong a_at, const ulong n, __global const ELEMENT *restrict b, const ulong b_at,
                  const ulong m, __global ELEMENT *restrict rows, const uint x, const ELEMENT p, const ulong reciprocal)
{
    __local residue a_part[GROUP + WIDTH - 1];
    __local residue b_part[WIDTH];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong columns = n + x - 1u;
    const ulong row_groups = (columns + GROUP - 1u) / GROUP;
    const ulong row = get_group_id(0) / row_groups;
    const ulong base = get_group_id(0) % row_groups * GROUP;
    for (uint u = item; u < GROUP + x - 1u; u += GROUP) {
        // Left of 0 it wraps past n.
        const ulong i = base + u - (x - 1u);
        a_part[u] = i < n ? mod_in(a[a_at + i]) : (residue)0;
    }
    for (uint k = item; k < x; k += GROUP) {
        const ulong j = row * x + k;
        b_part[k] = j < m ? mod_in(b[b_at + j]) : (residue)0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Items past the end of the row stop here. The loop must stay behind this: where all items take it alike, PoCL 5.0 may
    // run it for the last item of the group alone and give the sum to all.
    if (base + item >= columns)
        return;
    sum total = sum_zero();
    for (uint k = 0; k < x; k++) {
        total = sum_add(total, a_part[item + x - 1u - k], b_part[k], mod);
        if ((k + 1u) % SUM_TERMS == 0u)
            total = sum_fold(total, mod);
    }
    rows[row * columns + base + item] = mod_out(sum_residue(total, mod), mod);
}

// `step` is 2^i, `taken` the number of rows s, `length` that of the product.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void product_add_rows(__global ELEMENT *restrict rows, const ulong row_count, const ulong columns, const uint x, const ulong step,
                      const ulong taken, __global ELEMENT *restrict out, const ulong out_at, const ulong length, const ELEMENT p,
                      const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong j = get_global_id(0);
    if (j >= taken * columns)
        return;
    const ulong k = j % columns;
    const ulong s = step - 1u + 2u * step * (j / columns);
    const ulong e = s + step;
    const residue own = mod_in(rows[s * columns + k]);
    if (k < step * x || e >= row_count) {
        const ulong place = s * x + k;
        if (place < length)
            out[out_at + place] = mod_out(mod_add(mod_in(out[out_at + place]), own, mod), mod);
    } else {
        const ulong place = e * columns + k - step * x;
        rows[place] = mod_out(mod_add(mod_in(rows[place]), own, mod), mod);
    }
}
