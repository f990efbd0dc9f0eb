// Number-theoretic transform of contiguous tiles, in place: the lowest STAGES index bits.
//
// A group owns 2^LOG_TILE consecutive values; an item keeps 2^LOG_REGS of them in registers. Index bits, high to low:
//
//   load     [registers][ items                 ]    neighbours side by side
//   round 0  [registers][ items                 ]    of the STAGES bits; the load's layout where STAGES = LOG_TILE
//   round 1  [ items   ][registers][ items      ]
//   ...      until the lowest bits are in registers; then to memory, where an item has few neighbouring values (SHORT) at
//            once, else back in the load's layout
//
// The inverse takes the rounds the other way round. A tile that is a part of a longer array is the block of the tree that
// its number says, whose root is not 1: multiplying value j by the j-th power of the root's 2^STAGES-th root (TWIST) makes
// it one whose root is 1.
//
// parts: ntt/ntt_keep.clh
// set: INVERSE=1 SCALE=1
// set: LOG_TILE=12 STAGES=12 LOG_REGS=5 TWIST=1
// set: LOG_TILE=12 STAGES=12 LOG_REGS=5 TWIST=1 INVERSE=1
// set: LOG_TILE=8 STAGES=3 INVERSE=1
// set: ulong ARITHMETIC=1 TWIST=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 TWIST=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 INVERSE=1 SCALE=1
// set: ulong ARITHMETIC=2 TWIST=1 MOD_WIDE=1
// set: ulong ARITHMETIC=2 INVERSE=1 MOD_WIDE=1
// set: ulong ARITHMETIC=2 TWIST=1 MOD_WIDE=0
// set: ulong ARITHMETIC=2 INVERSE=1 SCALE=1
// set: ulong ARITHMETIC=3 TWIST=1
// set: ulong ARITHMETIC=3 INVERSE=1 SCALE=1

#define LOAD_LOW (LOG_TILE - LOG_REGS)
// Whether the first round has the load's layout.
#define WHOLE (STAGES == LOG_TILE)
// The last round's layout has runs of 2^LAST neighbouring values: 16 bytes are one access.
#define LAST ROUND_WIDTH(ROUNDS - 1u)
#define SHORT ((ELEMENT_BYTES << LAST) <= 16u)
#define RUN (1u << LAST)

#if SHORT
#define JOINED(a, b) a##b
#define VECTOR(type, n) JOINED(type, n)
// Reads the registers in the last round's layout, from values of which `left` exist.
inline void ntt_read_runs(residue *x, __global const ELEMENT *from, const uint item, const ulong left)
{
#pragma unroll
    for (uint e = 0; e < REGS; e += RUN) {
        const uint at = (item << LAST) + e * GROUP;
        if (left < (1u << LOG_TILE) && at >= left)
            continue;
#if LAST == 2
        const VECTOR(ELEMENT, 4) run = *(__global const VECTOR(ELEMENT, 4) *)(from + at);
        x[e] = mod_in(run.s0);
        x[e + 1u] = mod_in(run.s1);
        x[e + 2u] = mod_in(run.s2);
        x[e + 3u] = mod_in(run.s3);
#else
        const VECTOR(ELEMENT, 2) run = *(__global const VECTOR(ELEMENT, 2) *)(from + at);
        x[e] = mod_in(run.s0);
        x[e + 1u] = mod_in(run.s1);
#endif
    }
}

// Writes them.
inline void ntt_write_runs(const residue *x, __global ELEMENT *to, const uint item, const ulong left, const modulus m)
{
#pragma unroll
    for (uint e = 0; e < REGS; e += RUN) {
        const uint at = (item << LAST) + e * GROUP;
        if (left < (1u << LOG_TILE) && at >= left)
            continue;
#if LAST == 2
        *(__global VECTOR(ELEMENT, 4) *)(to + at) = (VECTOR(ELEMENT, 4))(
            NTT_OUT(x[e], m), NTT_OUT(x[e + 1u], m), NTT_OUT(x[e + 2u], m), NTT_OUT(x[e + 3u], m));
#else
        *(__global VECTOR(ELEMENT, 2) *)(to + at) = (VECTOR(ELEMENT, 2))(NTT_OUT(x[e], m), NTT_OUT(x[e + 1u], m));
#endif
    }
}
#endif

// data: `count` residues, a multiple of 2^STAGES. roots: of the blocks of a round, 2^(LOG_REGS - 1) or as many as the tree
// has. twiddles: for the blocks of each round but the last. twist_items, twist_registers: for each part of an array, of
// which there are 2^log_tiles, 2^STAGES values each, a factor for each value but for the registers' bits, and one for each
// register; parts that share a tile are not shorter than an item's values. kept: of so many values, from the first on, the
// lines stay in the cache between the passes.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ntt_tile(__global ELEMENT *restrict data, const ulong count, const ELEMENT p, const ulong reciprocal,
              const block_roots roots, __global const ELEMENT *restrict twiddles,
              __global const ELEMENT *restrict twist_items, __global const ELEMENT *restrict twist_registers,
              const uint log_tiles, const ulong kept, const ELEMENT scale, const ELEMENT scale_quotient)
{
    __local residue tile[TILE_WORDS];
    const uint item = (uint)get_local_id(0);
    // From the end: what the passes before and after, which go from the beginning, touched last is still in a cache.
    const ulong number = get_num_groups(0) - 1u - get_group_id(0);
    const ulong left = count - (number << LOG_TILE);
    __global ELEMENT *own = data + (number << LOG_TILE);
    __global const factor *block_twiddles = (__global const factor *)twiddles;
    const modulus m = mod_of(p, reciprocal);
    residue x[REGS];
#if KEPT
    // No tile of an array that is kept goes past its end.
    const bool keeps = (number << LOG_TILE) < kept;
#if INVERSE
    for (uint at = item * LINE_BYTES; keeps && at < (ELEMENT_BYTES << LOG_TILE); at += GROUP * LINE_BYTES)
        ntt_keep_line((__global const uchar *)own + at);
#endif
#else
    (void)kept;
#endif
#if INVERSE && SHORT
    ntt_read_runs(x, own, item, left);
#else
    if (left >= (1u << LOG_TILE)) {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = mod_in(own[item + j * GROUP]);
    } else {
#pragma unroll
        for (uint j = 0; j < REGS; j++)
            x[j] = item + j * GROUP < left ? mod_in(own[item + j * GROUP]) : (residue)0;
    }
#endif
#if TWIST
    // In round 0's layout, where an item has values of one array.
    const ulong array = (number << (LOG_TILE - STAGES)) + (item >> ROUND_LOW(0));
    const ulong part = array & ((1ul << log_tiles) - 1ul);
    __global const factor *by_register = (__global const factor *)twist_registers + (part << LOG_REGS);
    const factor by_item = ((__global const factor *)twist_items)
        [(part << ROUND_LOW(0)) + (item & ((1u << ROUND_LOW(0)) - 1u))];
#else
    (void)twist_items, (void)twist_registers, (void)log_tiles;
#endif
#if INVERSE
#if !SHORT
    ntt_exchange(tile, x, item, LOAD_LOW, LOG_REGS, ROUND_LOW(ROUNDS - 1), LAST);
#endif
    ntt_up(tile, x, roots.of, block_twiddles, item, m);
#elif !WHOLE
    ntt_exchange(tile, x, item, LOAD_LOW, LOG_REGS, ROUND_LOW(0), ROUND_WIDTH(0));
#endif
#if INVERSE && TWIST
    ntt_twist(x, by_register, by_item, m);
#endif
#if INVERSE && !WHOLE
    ntt_exchange(tile, x, item, ROUND_LOW(0), ROUND_WIDTH(0), LOAD_LOW, LOG_REGS);
#endif
#if !INVERSE
#if TWIST
    ntt_twist_down(tile, x, by_register, by_item, roots.of, block_twiddles, item, m);
#else
    ntt_down(tile, x, roots.of, block_twiddles, item, m);
#endif
#if !SHORT
    ntt_exchange(tile, x, item, ROUND_LOW(ROUNDS - 1), LAST, LOAD_LOW, LOG_REGS);
#endif
#endif
#if SCALE
#pragma unroll
    for (uint j = 0; j < REGS; j++)
        x[j] = mod_times(x[j], mod_factor(scale, scale_quotient), m);
#else
    (void)scale, (void)scale_quotient;
#endif
#if !INVERSE && SHORT
    ntt_write_runs(x, own, item, left, m);
#else
#pragma unroll
    for (uint j = 0; j < REGS; j++) {
        if (left >= (1u << LOG_TILE) || item + j * GROUP < left)
            own[item + j * GROUP] = NTT_OUT(x[j], m);
    }
#endif
#if KEPT && !INVERSE
    for (uint at = item * LINE_BYTES; keeps && at < (ELEMENT_BYTES << LOG_TILE); at += GROUP * LINE_BYTES)
        ntt_free_line((__global const uchar *)own + at);
#endif
}
