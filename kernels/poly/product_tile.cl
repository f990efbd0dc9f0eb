// Products of polynomials by their definition, in one launch: out[k] = sum of a[i] b[k - i].
//
// A group makes TILE = SLOTS * OUTPUTS neighbouring coefficients of each of PACK products. An item has OUTPUTS of them and
// every SEGMENTS-th run of 4 terms, which keeps many items busy where the coefficients alone are few:
//
//   item      = (pack * SLOTS + slot) * SEGMENTS + segment
//   outputs   first + OUTPUTS * slot + 0 ... OUTPUTS - 1
//   terms     i = 4 (segment + SEGMENTS * q) + 0 ... 3
//
// CHUNK terms are staged at a time: the coefficients of a, and the CHUNK + TILE of b that they meet. An item reads a run of
// a and the window of b that slides below it in quads; quads of neighbouring segments are neighbours. In the end the sums
// of the segments are added in local memory, up to eight at a time. What lies outside of a polynomial is read as 0.
//
//   a_tile[u] = a[start + u]        b_tile[u] = b[first - start - CHUNK + u]
//   term T + s of output r:  a_tile[T + s] * b_tile[CHUNK + OUTPUTS * slot + r - T - s]
//
// parts: poly/accumulate.clh
// set: LOG_SEGMENTS=0 LOG_PACK=3 LOG_SLOTS=2 OUTPUTS=8 SUM_TERMS=4
// set: LOG_SEGMENTS=6 LOG_SLOTS=4 LOG_CHUNK=11 SUM_TERMS=4 READS=4
// set: ulong ARITHMETIC=1 LOG_SEGMENTS=2 READS=4
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4 OUTPUTS=8
// set: ulong ARITHMETIC=2 LOG_PACK=1
// set: ulong ARITHMETIC=3

#ifndef LOG_SLOTS
#define LOG_SLOTS 3 // runs of outputs of a group
#endif
#ifndef LOG_SEGMENTS
#define LOG_SEGMENTS 3 // parts of the sums
#endif
#ifndef LOG_PACK
#define LOG_PACK 0 // products of a group
#endif
#ifndef LOG_CHUNK
#define LOG_CHUNK 8 // terms staged at a time, at least LOG_SEGMENTS + 2
#endif
#ifndef OUTPUTS
#define OUTPUTS 4 // coefficients of an item: 4 or 8
#endif
#ifndef READS
#define READS 1 // reads of an item that are under way together
#endif

#define RUN 4u
#define PACK (1u << LOG_PACK)
#define SEGMENTS (1u << LOG_SEGMENTS)
#define SLOTS (1u << LOG_SLOTS)
#define GROUP (PACK * SLOTS * SEGMENTS)
#define TILE (SLOTS * OUTPUTS)
#define OWN (SLOTS * SEGMENTS) // items of a product
#define CHUNK (1u << LOG_CHUNK)
#define WINDOW (CHUNK + TILE)
#define STAGED (PACK * (CHUNK + WINDOW))
#define SUMS (LOG_SEGMENTS > 0 ? PACK * TILE * SEGMENTS : 0u)
#define LOCAL_WORDS (STAGED > SUMS ? STAGED : SUMS)

// `count` products side by side: a has n coefficients for each, b has m, and out gets `length` of them from `low` on.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void product_tile(__global const ELEMENT *restrict a, const ulong a_at, const ulong n, __global const ELEMENT *restrict b, const ulong b_at,
                  const ulong m, __global ELEMENT *restrict out, const ulong out_at, const ulong low, const ulong length,
                  const ulong count, const ELEMENT p, const ulong reciprocal)
{
    __local residue tile[LOCAL_WORDS] __attribute__((aligned(32)));
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const uint segment = item & (SEGMENTS - 1u);
    const uint slot = (item >> LOG_SEGMENTS) & (SLOTS - 1u);
    const uint pack = item >> (LOG_SEGMENTS + LOG_SLOTS);
    __local residue *const a_tile = tile + pack * CHUNK;
    __local residue *const b_tile = tile + PACK * CHUNK + pack * WINDOW;
    const ulong tiles = (length + TILE - 1u) / TILE;
    const ulong product = get_group_id(0) / tiles << LOG_PACK;
    const ulong offset = get_group_id(0) % tiles * TILE;
    const ulong first = low + offset;
    // The terms that any of these outputs has.
    const ulong begin = first < m ? 0ul : first - m + 1ul;
    const ulong end = min(n, first + TILE);

    sum sums[OUTPUTS];
#pragma unroll
    for (uint r = 0; r < OUTPUTS; r++)
        sums[r] = sum_zero();

    // The items of a product stage its coefficients.
    const uint own_item = item & (OWN - 1u);
    // n, m and count are at least 1. Reads outside of a polynomial or of the products are of its last coefficient, or of the last product, and not used: more
    // than four reads under way, each by a condition of its own, were seen to end in faults on an H200 (driver 580.159).
    const ulong mine = min(product + pack, count - 1u);
    __global const ELEMENT *own_a = a + a_at + mine * n;
    __global const ELEMENT *own_b = b + b_at + mine * m;
    for (ulong start = begin; start < end; start += CHUNK) {
        const uint terms = (uint)min((ulong)CHUNK, end - start);
        const uint whole = (terms + RUN - 1u) & ~(RUN - 1u);
        // Places of the window that b has, from lowest + from on; below 0 it wraps past m.
        const ulong lowest = first - start - CHUNK;
        const uint from = start + CHUNK > first ? (uint)min(start + CHUNK - first, (ulong)WINDOW) : 0u;
        const uint to = (uint)min(m - lowest, (ulong)WINDOW);
        for (uint at = own_item; at < whole; at += READS * OWN) {
            ELEMENT read[READS];
#pragma unroll
            for (uint e = 0; e < READS; e++)
                read[e] = own_a[start + min(at + e * OWN, terms - 1u)];
#pragma unroll
            for (uint e = 0; e < READS; e++) {
                const uint u = at + e * OWN;
                if (u < whole)
                    a_tile[u] = u < terms ? mod_in(read[e]) : (residue)0;
            }
        }
        for (uint at = CHUNK - whole + own_item; at < WINDOW; at += READS * OWN) {
            ELEMENT read[READS];
#pragma unroll
            for (uint e = 0; e < READS; e++)
                read[e] = own_b[lowest + clamp(at + e * OWN, from, to - 1u)];
#pragma unroll
            for (uint e = 0; e < READS; e++) {
                const uint u = at + e * OWN;
                if (u < WINDOW)
                    b_tile[u] = u >= from && u < to ? mod_in(read[e]) : (residue)0;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint run = segment * RUN; run < terms; run += SEGMENTS * RUN) {
            const residue_quad x = *(__local const residue_quad *)(a_tile + run);
            const residue factors[RUN] = {x.s0, x.s1, x.s2, x.s3};
            residue window[OUTPUTS + RUN];
            __local const residue_quad *quads =
                (__local const residue_quad *)(b_tile + CHUNK + slot * OUTPUTS - run - RUN);
#pragma unroll
            for (uint q = 0; q < OUTPUTS / RUN + 1u; q++) {
                const residue_quad y = quads[q];
                window[4u * q] = y.s0;
                window[4u * q + 1u] = y.s1;
                window[4u * q + 2u] = y.s2;
                window[4u * q + 3u] = y.s3;
            }
#pragma unroll
            for (uint s = 0; s < RUN; s++) {
#pragma unroll
                for (uint r = 0; r < OUTPUTS; r++) {
                    sums[r] = sum_add(sums[r], factors[s], window[RUN + r - s], mod);
                    if ((s + 1u) % SUM_TERMS == 0u)
                        sums[r] = sum_fold(sums[r], mod);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

#if LOG_SEGMENTS > 0
    // Column by column: the sums of one output are neighbours.
    __local residue *const own = tile + ((pack * TILE + slot * OUTPUTS) << LOG_SEGMENTS) + segment;
#pragma unroll
    for (uint r = 0; r < OUTPUTS; r++)
        own[r << LOG_SEGMENTS] = sum_residue(sums[r], mod);
    for (uint log_width = LOG_SEGMENTS; log_width > 0u;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint log_fan = min(log_width, 3u);
        log_width -= log_fan;
        for (uint u = item; u < PACK * TILE << log_width; u += GROUP) {
            __local residue *const to = tile + (u >> log_width << LOG_SEGMENTS) + (u & ((1u << log_width) - 1u));
            residue total = *to;
            for (uint e = 1; e < 1u << log_fan; e++)
                total = mod_add(total, to[e << log_width], mod);
            *to = mod_canonical(total, mod);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint u = item; u < PACK * TILE; u += GROUP) {
        const ulong which = product + u / TILE;
        const ulong place = offset + u % TILE;
        if (which < count && place < length)
            out[out_at + which * length + place] = mod_out(tile[u << LOG_SEGMENTS], mod);
    }
#else
#pragma unroll
    for (uint r = 0; r < OUTPUTS; r++) {
        const ulong place = offset + slot * OUTPUTS + r;
        if (product + pack < count && place < length)
            out[out_at + (product + pack) * length + place] = mod_out(sum_residue(sums[r], mod), mod);
    }
#endif
}
