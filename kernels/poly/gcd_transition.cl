// Transition matrices of Euclid's algorithm: the base of the half-gcd recursion. The steps of the s-step gcd (paper 002,
// algorithms 22 and 23, corrected) run on the leading coefficients of two polynomials and on the identity matrix beside them.
//
//   heads   row 0: a, row 1: b         the leading coefficient first; a step drops it, so that `offset` moves on
//   sides   row 0: 1 0, row 1: 0 1     the constant term first: heads[r] = sides[r][0] a + sides[r][1] b
//
// A step multiplies crosswise in place of a division, so that each row is a multiple of a true remainder; `scale` is the
// factor. One group holds all of it in local memory, and one barrier ends a step: a step reads the two heads, which it does not
// write, and item t writes coefficient t of one row.
//
// parts: field/residues.clh
// set: LOG_MOST=8 LOG_GROUP=8
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2 LOG_MOST=8 LOG_GROUP=8
// set: ulong ARITHMETIC=3

#ifndef LOG_MOST
#define LOG_MOST 6 // base-2 logarithm of the largest k
#endif
#ifndef LOG_GROUP
#define LOG_GROUP 6 // items of a group
#endif
#define MOST (1u << LOG_MOST)
#define GROUP (1u << LOG_GROUP)

// x^(p - 2), the inverse of x.
inline residue transition_inverse(const residue x, const ulong p, const modulus mod)
{
    const residue one = mod_in((ELEMENT)1);
    residue power = one;
    for (uint bit = 64u; bit-- > 0u;) {
        power = mod_canonical(mod_mul(power, power, mod), mod);
        if (((p - 2u) >> bit) & 1u)
            power = mod_canonical(mod_mul(power, x, mod), mod);
    }
    return p == 2u ? one : power;
}

// The quotients of a and b, deg a = n, deg b < n, that lower the degree by at most k <= MOST together: the matrix M of them
// all, with M (a, b) = (c, d), deg c >= n - k > deg d. Coefficients from `at` on count as those of a and b; of those the upper
// 2 k + 1 of a are read, and those of b that meet them.
//
// entries: M row by row, k + 1 words each. leads: the leading coefficients of the divisors, and k words of scratch after the
// first k. rest: all of c where k = n, else nothing. facts: n - deg c; the number of divisors; n - degree of each of them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gcd_transition(__global const ELEMENT *restrict a, const ulong a_len, __global const ELEMENT *restrict b, const ulong b_len,
                    const ulong at, const uint k, __global ELEMENT *restrict entries, __global ELEMENT *restrict leads,
                    __global ELEMENT *restrict rest, __global uint *restrict facts, const ELEMENT p, const ulong reciprocal)
{
    __local residue heads[2][2u * MOST + 1u];
    __local residue sides[2][2][MOST + 1u];
    const modulus mod = mod_of(p, reciprocal);
    const residue zero = mod_in((ELEMENT)0);
    const residue one = mod_in((ELEMENT)1);
    const int item = (int)get_local_id(0);
    const ulong top = a_len - 1u;
    const ulong degree = top - at;
    // Degrees are counted from n - min(n, 2 k) on: what is below is not read.
    const int n = (int)min(degree, (ulong)(2u * k));
    const int least = n - (int)k;
    const bool whole = degree == (ulong)k;
    for (int t = item; t <= n; t += (int)GROUP) {
        heads[0][t] = mod_in(a[top - (ulong)t]);
        heads[1][t] = t < n && top - (ulong)t - 1u < b_len ? mod_in(b[top - (ulong)t - 1u]) : zero;
    }
    for (int t = item; t <= (int)k; t += (int)GROUP) {
        sides[0][0][t] = t == 0 ? one : zero;
        sides[0][1][t] = zero;
        sides[1][0][t] = zero;
        sides[1][1][t] = t == 0 ? one : zero;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int degrees[2] = {n, n - 1};
    int offset[2] = {0, 0};
    int length[2] = {1, 1};
    residue scale[2] = {one, one};
    uint divisors = 0u;
    int divisor = 1;
    while (degrees[0] >= least && degrees[1] >= least) {
        const residue head0 = heads[0][offset[0]];
        const residue head1 = heads[1][offset[1]];
        // A division ends when its divisor has the higher degree.
        const int x = head0 == zero             ? 0
                      : head1 == zero           ? 1
                      : degrees[0] > degrees[1] ? 0
                      : degrees[0] < degrees[1] ? 1
                                                : 1 - divisor;
        const int y = 1 - x;
        if (head0 != zero && head1 != zero) {
            const residue hx = x == 0 ? head0 : head1;
            const residue hy = x == 0 ? head1 : head0;
            const int shift = degrees[x] - degrees[y];
            if (divisors == 0u || divisor != y) {
                divisor = y;
                if (item == 0) {
                    leads[divisors] = mod_out(hy, mod);
                    leads[k + divisors] = mod_out(scale[y], mod);
                    facts[2u + divisors] = (uint)(n - degrees[y]);
                }
                divisors++;
            }
            // What later steps read of the row, and there is of it.
            const int end = min(n - offset[x], degrees[0] + degrees[1] - 2 * least);
            for (int t = 1 + item; t <= end; t += (int)GROUP) {
                const residue other = offset[y] + t <= n ? heads[y][offset[y] + t] : zero;
                const residue own = mod_canonical(mod_mul(hy, heads[x][offset[x] + t], mod), mod);
                heads[x][offset[x] + t] =
                    mod_canonical(mod_sub(own, mod_canonical(mod_mul(hx, other, mod), mod), mod), mod);
            }
            length[x] = max(length[x], length[y] + shift);
            for (int t = item; t < 2 * length[x]; t += (int)GROUP) {
                const int column = t >= length[x] ? 1 : 0;
                const int j = t - column * length[x];
                const residue other = j >= shift ? sides[y][column][j - shift] : zero;
                const residue own = mod_canonical(mod_mul(hy, sides[x][column][j], mod), mod);
                sides[x][column][j] =
                    mod_canonical(mod_sub(own, mod_canonical(mod_mul(hx, other, mod), mod), mod), mod);
            }
            scale[x] = mod_canonical(mod_mul(scale[x], hy, mod), mod);
        }
        offset[x]++;
        degrees[x]--;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // The row whose degree fell below is d.
    const int c = degrees[0] < least ? 1 : 0;
    for (int row = 0; row < 2; row++) {
        const int r = row == 0 ? c : 1 - c;
        const residue inverse = transition_inverse(scale[r], (ulong)p, mod);
        for (int t = item; t <= (int)k; t += (int)GROUP) {
            for (int column = 0; column < 2; column++)
                entries[(uint)(2 * row + column) * (k + 1u) + (uint)t] =
                    mod_out(mod_mul(sides[r][column][t], inverse, mod), mod);
            if (whole && row == 0 && t <= degrees[c])
                rest[t] = mod_out(mod_mul(heads[c][offset[c] + degrees[c] - t], inverse, mod), mod);
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = (uint)item; i < divisors; i += GROUP) {
        const residue inverse = transition_inverse(mod_in(leads[k + i]), (ulong)p, mod);
        leads[i] = mod_out(mod_mul(mod_in(leads[i]), inverse, mod), mod);
    }
    if (item == 0) {
        facts[0] = (uint)(n - degrees[c]);
        facts[1] = divisors;
    }
}

// Rows of equal length side by side: row i of out is the row that hexadecimal digit i of the pattern names, of a, or of b where
// the digit has its highest bit; words past the length of a row are 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transition_arrange(__global const ELEMENT *restrict a, const ulong a_at, const ulong a_len, const ulong a_stride,
                        __global const ELEMENT *restrict b, const ulong b_at, const ulong b_len, const ulong b_stride,
                        const uint pattern, const ulong count, const ulong length, __global ELEMENT *restrict out)
{
    const ulong i = get_global_id(0);
    if (i >= count * length)
        return;
    const ulong t = i % length;
    const uint digit = (pattern >> (4u * (uint)(i / length))) & 15u;
    const ulong row = digit & 7u;
    if (digit & 8u)
        out[i] = t < b_len ? b[b_at + row * b_stride + t] : (ELEMENT)0;
    else
        out[i] = t < a_len ? a[a_at + row * a_stride + t] : (ELEMENT)0;
}

// Sums of rows 2 i and 2 i + 1: the first to c, the others one after the other to d. found[i], 0 before, becomes one more than
// the highest place of sum i that is not 0. Each group works on one sum.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void transition_add(__global const ELEMENT *restrict data, const ulong length, __global ELEMENT *restrict c,
                    __global ELEMENT *restrict d, __global uint *restrict found, const ELEMENT p, const ulong reciprocal)
{
    __local uint highest;
    const modulus mod = mod_of(p, reciprocal);
    const ulong groups = (length + GROUP - 1u) / GROUP;
    const ulong pair = get_group_id(0) / groups;
    const ulong t = (get_group_id(0) % groups) * GROUP + get_local_id(0);
    if (get_local_id(0) == 0)
        highest = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < length) {
        __global const ELEMENT *row = data + 2u * pair * length;
        const ELEMENT sum = mod_out(mod_add(mod_in(row[t]), mod_in(row[length + t]), mod), mod);
        if (pair == 0u)
            c[t] = sum;
        else
            d[(pair - 1u) * length + t] = sum;
        if (sum != (ELEMENT)0)
            atomic_max(&highest, (uint)t + 1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && highest > 0u)
        atomic_max(&found[pair], highest);
}
