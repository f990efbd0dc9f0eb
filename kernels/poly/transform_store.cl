// From cyclic products to the coefficients wanted: rows that overlap are added, residues modulo several primes combined.
//
//   rows of one product   [ row 0: block + m - 1 values          ]
//                                       [ row 1                                ]
//   coefficients          0             block         ...
//
// The primes q_0 < q_1 < ... ascend, so that a digit of the mixed radix x = d_0 + d_1 q_0 + d_2 q_0 q_1 + ... is a residue
// modulo every later prime; the products of the primes modulo p weigh the digits.
//
// parts: field/residues.clh
// set: WRAP=1
// set: SPLIT=1 PRIMES=1
// set: PRIMES=3
// set: PRIMES=2 DIGIT=ulong WIDE=ulong WRAP=1
// set: ulong ARITHMETIC=1 WIDE=ulong PRIMES=5 SPLIT=1
// set: ulong ARITHMETIC=1 WIDE=ulong DIGIT=ulong PRIMES=3 WRAP=1
// set: ulong ARITHMETIC=2 DIGIT=ulong WIDE=ulong SPLIT=1 WRAP=1

#ifndef PRIMES
#define PRIMES 0 // how many primes; 0 where the rows hold residues modulo p itself
#endif
#ifndef DIGIT
#define DIGIT uint // the word of a residue modulo one of the primes
#endif
#ifndef WIDE
#define WIDE uint // the wider of DIGIT and ELEMENT
#endif
#ifndef SPLIT
#define SPLIT 0 // 1 where a product has several rows
#endif
#ifndef WRAP
#define WRAP 0 // 1 where the first and the last coefficients fell onto each other
#endif
#ifndef EACH
#define EACH 4u // coefficients of a work-item
#endif

// a / b, where divisions of short numbers are faster.
inline ulong store_quotient(const ulong a, const ulong b)
{
    return ((a | b) >> 32) == 0ul ? (ulong)((uint)a / (uint)b) : a / b;
}

#if PRIMES > 0

// x w mod q, of any x: constants are pairs of w and floor(w 2^B / q), for words of B bits and q < 2^(B-1).
inline DIGIT store_digit_times(const DIGIT x, __global const ulong *w, const DIGIT q)
{
    const DIGIT rest = x * (DIGIT)w[0] - mul_hi(x, (DIGIT)w[1]) * q;
    return min(rest, (DIGIT)(rest - q));
}

inline WIDE store_wide_times(const WIDE x, __global const ulong *w, const WIDE p)
{
    const WIDE rest = x * (WIDE)w[0] - mul_hi(x, (WIDE)w[1]) * p;
    return min(rest, (WIDE)(rest - p));
}

// For each prime: itself, then the inverses of those before it.
#define STORE_STRIDE (2u * PRIMES + 1u)

inline ELEMENT store_combined(DIGIT *r, __global const ulong *constants, const ELEMENT p)
{
    __global const ulong *weights = constants + PRIMES * STORE_STRIDE;
    WIDE sum = store_wide_times((WIDE)r[0], weights, (WIDE)p);
#pragma unroll
    for (uint i = 1; i < PRIMES; i++) {
        __global const ulong *own = constants + i * STORE_STRIDE;
        const DIGIT q = (DIGIT)own[0];
#pragma unroll
        for (uint j = 0; j < i; j++) {
            const DIGIT difference = r[i] - r[j];
            r[i] = store_digit_times(min(difference, (DIGIT)(difference + q)), own + 1u + 2u * j, q);
        }
        const WIDE more = sum + store_wide_times((WIDE)r[i], weights + 2u * i, (WIDE)p);
        sum = min(more, (WIDE)(more - (WIDE)p));
    }
    return (ELEMENT)sum;
}

#else
#define STORE_STRIDE 1u
#endif

// The sum of the values of the rows that have a part in a coefficient, modulo q. `before` is the place in the row before,
// or past every place.
inline DIGIT store_row_value(__global const DIGIT *rows, const ulong at, const ulong before, const DIGIT q)
{
    DIGIT x = rows[at];
#if SPLIT
    if (before != ~0ul) {
        // a - (q - b), for primes that fill the word.
        const DIGIT other = q - rows[before];
        x = x >= other ? x - other : x - other + q;
    }
#else
    (void)before, (void)q;
#endif
    return x;
}

#if WRAP
// Coefficient i of a product from its definition, for the few past a row, where it has few terms; i >= m.
inline residue store_plain(const ulong i, __global const ELEMENT *a, const ulong n, __global const ELEMENT *b, const ulong m,
                           const modulus by)
{
    residue sum = mod_in((ELEMENT)0);
    for (ulong j = i + 1ul - m; j < n; j++)
        sum = mod_add(sum, mod_mul(mod_in(a[j]), mod_in(b[i - j]), by), by);
    return sum;
}
#endif

// out: `count` coefficients, `len` of each product from its coefficient `low` on, zeros from `high` on. rows_0 .. rows_4:
// the rows modulo each prime, `row_len` apart, `blocks` for each product, each of `block` coefficients and those that
// follow. Where WRAP, the rows are products modulo x^row_len - 1 of a and b: n and m coefficients from a_start and b_start
// on. constants: see STORE_STRIDE; then the weights; where PRIMES is 0, unused.
__kernel void transform_store(__global const DIGIT *restrict rows_0, __global const DIGIT *restrict rows_1,
                              __global const DIGIT *restrict rows_2, __global const DIGIT *restrict rows_3,
                              __global const DIGIT *restrict rows_4, __global const ulong *restrict constants,
                              __global ELEMENT *restrict out, const ulong count, const ulong len, const ulong low,
                              const ulong high, const ulong row_len, const ulong block, const ulong blocks,
                              __global const ELEMENT *restrict a, const ulong a_start, const ulong n, const ulong a_stride,
                              __global const ELEMENT *restrict b, const ulong b_start, const ulong m, const ulong b_stride,
                              const ELEMENT p, const ulong reciprocal)
{
    const ulong group = get_local_size(0);
    const ulong first = get_group_id(0) * group * EACH + get_local_id(0);
#if WRAP
    const modulus by = mod_of(p, reciprocal);
#else
    (void)a, (void)a_start, (void)a_stride, (void)b, (void)b_start, (void)b_stride, (void)n, (void)reciprocal;
#endif
    for (uint k = 0; k < EACH; k++) {
        const ulong t = first + k * group;
        if (t >= count)
            continue;
        const ulong product = count == len ? 0ul : store_quotient(t, len);
        const ulong i = low + (t - product * len);
        if (i >= high) {
            out[t] = (ELEMENT)0;
            continue;
        }
#if WRAP
        __global const ELEMENT *own_a = a + a_start + product * a_stride;
        __global const ELEMENT *own_b = b + b_start + product * b_stride;
        if (i >= row_len) {
            out[t] = mod_out(store_plain(i, own_a, n, own_b, m, by), by);
            continue;
        }
#endif
        ulong at = product * blocks * row_len + i;
        ulong before = ~0ul;
#if SPLIT
        // The last rows reach past the blocks.
        const ulong row = min(store_quotient(i, block), blocks - 1ul);
        const ulong in_row = i - row * block;
        at = (product * blocks + row) * row_len + in_row;
        if (row > 0ul && in_row + 1ul < m)
            before = at - row_len + block;
#else
        (void)block, (void)m;
#endif
#if PRIMES == 0
        (void)rows_1, (void)rows_2, (void)rows_3, (void)rows_4, (void)constants;
        ELEMENT x = store_row_value(rows_0, at, before, p);
#else
        DIGIT r[PRIMES];
        r[0] = store_row_value(rows_0, at, before, (DIGIT)constants[0]);
#if PRIMES > 1
        r[1] = store_row_value(rows_1, at, before, (DIGIT)constants[STORE_STRIDE]);
#else
        (void)rows_1;
#endif
#if PRIMES > 2
        r[2] = store_row_value(rows_2, at, before, (DIGIT)constants[2u * STORE_STRIDE]);
#else
        (void)rows_2;
#endif
#if PRIMES > 3
        r[3] = store_row_value(rows_3, at, before, (DIGIT)constants[3u * STORE_STRIDE]);
#else
        (void)rows_3;
#endif
#if PRIMES > 4
        r[4] = store_row_value(rows_4, at, before, (DIGIT)constants[4u * STORE_STRIDE]);
#else
        (void)rows_4;
#endif
        ELEMENT x = store_combined(r, constants, p);
#endif
#if WRAP
        if (i + row_len < n + m - 1ul)
            x = mod_out(mod_sub(mod_in(x), store_plain(i + row_len, own_a, n, own_b, m, by), by), by);
#endif
        out[t] = x;
    }
}
