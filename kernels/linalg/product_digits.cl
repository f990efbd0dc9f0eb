// Products of matrices of residues by digits of 8 bits, on tensor cores where the device has them: exact sums of products of
// digits, weighted and reduced once (paper 002, section 7.2, for the modulus; Ootomo, Ozaki, Yokota, 2024, for integers by
// products of bytes; fragments as in the PTX manual, mma.m16n8k32).
//
//   group    WARPS of 32 items; a tile of 16 ROW_TILES WARP_ROWS rows by 8 COLUMN_TILES WARP_COLUMNS columns of the result
//   warp     16 ROW_TILES rows by 8 COLUMN_TILES columns: of each 16 by 8 entries 2 DIGITS - 1 sums in registers, where sum s
//            takes the products of digits i of a and j of b with i + j = s
//   a round  32 columns of a and 32 rows of b go to local memory, digit by digit; those of the next round are read meanwhile
//
// Four digits make a word: of row i of a, digit d, word w has columns w, w + 8, w + 16 and w + 24 of the round; b has its rows
// so. A sum is below DIGITS 255^2 inner, which 32 bits hold: inner <= 2^32 / (DIGITS 255^2).
//
// Entry (i, k) of a stands at a_start + i a_stride + k, and so for b and out: blocks of larger matrices.
//
// parts: field/residues.clh
// set: DIGITS=1u ROW_TILES=4u COLUMN_TILES=4u STORE=1
// set: DIGITS=3u STORE=2
// set: ulong ARITHMETIC=1 DIGITS=8u ROW_TILES=1u WARP_ROWS=4u WARP_COLUMNS=2u
// set: ulong ARITHMETIC=1 MOD_LAZY=1 DIGITS=6u ROW_TILES=1u STORE=2
// set: ulong ARITHMETIC=2 DIGITS=8u ROW_TILES=1u STORE=1

#ifndef DIGITS
#define DIGITS 4u // bytes of a residue
#endif
#ifndef ROW_TILES
#define ROW_TILES 2u // tiles of 16 rows of a warp
#endif
#ifndef COLUMN_TILES
#define COLUMN_TILES 2u // tiles of 8 columns of a warp
#endif
#ifndef WARP_ROWS
#define WARP_ROWS 2u // warps along the rows of a group's tile
#endif
#ifndef WARP_COLUMNS
#define WARP_COLUMNS 4u
#endif
#ifndef STORE
#define STORE 0 // 0: a b; 1: out + a b; 2: out - a b
#endif

// Sums stand in registers where all loops are unrolled.
#ifdef __NV_CL_C_VERSION
#define UNROLLED 64
#else
#define UNROLLED 1
#endif

#define GROUP (32u * WARP_ROWS * WARP_COLUMNS)
#define ROWS (16u * ROW_TILES * WARP_ROWS)
#define COLUMNS (8u * COLUMN_TILES * WARP_COLUMNS)
#define ROUND 32u           // columns of a in a round
#define WORDS (ROUND / 4u)  // words of a digit of a row
#define SUMS (2u * DIGITS - 1u)
#define A_TASKS ((ROWS * WORDS + GROUP - 1u) / GROUP)
#define B_TASKS ((COLUMNS * WORDS + GROUP - 1u) / GROUP)

// Byte d of four words.
inline uint digit_word(const ELEMENT *words, const uint d)
{
    uint bytes = 0u;
#pragma unroll UNROLLED
    for (uint t = 0u; t < 4u; t++)
        bytes |= (uint)((words[t] >> (8u * d)) & (ELEMENT)255) << (8u * t);
    return bytes;
}

#ifdef __NV_CL_C_VERSION
inline uint digit_bytes(const uint a, const uint b, const uint picked)
{
    uint word;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(a), "r"(b), "r"(picked));
    return word;
}

// The four bytes of four 32-bit words, byte by byte.
inline void digit_planes(const uint a, const uint b, const uint c, const uint d, uint *planes)
{
    const uint low_ab = digit_bytes(a, b, 0x5140u);
    const uint low_cd = digit_bytes(c, d, 0x5140u);
    const uint high_ab = digit_bytes(a, b, 0x7362u);
    const uint high_cd = digit_bytes(c, d, 0x7362u);
    planes[0] = digit_bytes(low_ab, low_cd, 0x5410u);
    planes[1] = digit_bytes(low_ab, low_cd, 0x7632u);
    planes[2] = digit_bytes(high_ab, high_cd, 0x5410u);
    planes[3] = digit_bytes(high_ab, high_cd, 0x7632u);
}
#endif

// All digits of four words, those of a task, to `to` and `apart` words behind one another.
inline void digits_keep(const ELEMENT *words, __local uint *to, const uint apart)
{
#ifdef __NV_CL_C_VERSION
    uint planes[4];
    digit_planes((uint)words[0], (uint)words[1], (uint)words[2], (uint)words[3], planes);
#pragma unroll UNROLLED
    for (uint d = 0u; d < min(DIGITS, 4u); d++)
        to[d * apart] = planes[d];
#if ELEMENT_BYTES == 8
    digit_planes((uint)(words[0] >> 32), (uint)(words[1] >> 32), (uint)(words[2] >> 32), (uint)(words[3] >> 32), planes);
#pragma unroll UNROLLED
    for (uint d = 4u; d < DIGITS; d++)
        to[d * apart] = planes[d - 4u];
#endif
#else
#pragma unroll UNROLLED
    for (uint d = 0u; d < DIGITS; d++)
        to[d * apart] = digit_word(words, d);
#endif
}

// sums += a b for 16 by 32 bytes of a and 32 by 8 of b. The item has of a the words (row, 2 q) and (row, 2 q + 1) for its row
// lane / 4 and q = lane % 4, and those of the row 8 below; of b those of column lane / 4; of the sums the columns 2 q and 2 q + 1
// of both rows. Elsewhere than on NVIDIA's devices the words of others are read from local memory.
inline void digits_multiply(uint *sums, const uint2 upper, const uint2 lower, const uint2 right, __local const uint *a,
                            __local const uint *b, const uint lane)
{
#ifdef __NV_CL_C_VERSION
    (void)a, (void)b, (void)lane;
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(upper.s0), "r"(lower.s0), "r"(upper.s1), "r"(lower.s1), "r"(right.s0), "r"(right.s1));
#else
    (void)upper, (void)lower, (void)right;
    for (uint e = 0u; e < 4u; e++) {
        const uint i = lane / 4u + 8u * (e / 2u);
        const uint j = 2u * (lane % 4u) + e % 2u;
        for (uint w = 0u; w < WORDS; w++) {
            for (uint shift = 0u; shift < 32u; shift += 8u)
                sums[e] += ((a[i * WORDS + w] >> shift) & 255u) * ((b[j * WORDS + w] >> shift) & 255u);
        }
    }
#endif
}

// The residue of the sum of sums[s] 2^(8 s).
inline residue digits_residue(const uint *sums, const modulus mod)
{
    ulong parts[(SUMS + 3u) / 4u];
#pragma unroll UNROLLED
    for (uint part = 0u; part < (SUMS + 3u) / 4u; part++) {
        parts[part] = 0ul;
#pragma unroll UNROLLED
        for (uint s = 4u * part; s < min(4u * part + 4u, SUMS); s++)
            parts[part] += (ulong)sums[s] << (8u * (s - 4u * part));
    }
    // Parts are below 2^57, and weigh 2^32 each.
#if ARITHMETIC == WORD32
    residue total = mod_reduce(parts[(SUMS - 1u) / 4u], mod);
#pragma unroll UNROLLED
    for (uint part = (SUMS - 1u) / 4u; part > 0u; part--)
        total = mod_reduce(((ulong)total << 32) + parts[part - 1u], mod);
    return total;
#else
    residue total = 0ul;
#pragma unroll UNROLLED
    for (uint part = (SUMS + 3u) / 4u; part > 0u; part--) {
        const ulong low = (total << 32) + parts[part - 1u];
        const ulong high = (total >> 32) + (low < parts[part - 1u] ? 1ul : 0ul);
#if ARITHMETIC == GOLDILOCKS
        total = mod_canonical(mod_reduce_wide(low, high), mod);
#else
        total = mod_reduce_wide(low, high, mod);
#endif
    }
    return total;
#endif
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void product_digits(__global const ELEMENT *restrict a, const ulong a_start, const ulong a_stride,
                    __global const ELEMENT *restrict b, const ulong b_start, const ulong b_stride,
                    __global ELEMENT *restrict out, const ulong out_start, const ulong out_stride, const uint rows,
                    const uint inner, const uint columns, const ELEMENT p, const ulong reciprocal)
{
    __local uint a_words[2][DIGITS * ROWS * WORDS] __attribute__((aligned(16)));
    __local uint b_words[2][DIGITS * COLUMNS * WORDS] __attribute__((aligned(16)));
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const uint lane = item % 32u;
    const uint warp_row = item / 32u / WARP_COLUMNS * 16u * ROW_TILES;
    const uint warp_column = item / 32u % WARP_COLUMNS * 8u * COLUMN_TILES;
    const uint tiles = (columns + COLUMNS - 1u) / COLUMNS;
    const uint first_row = (uint)(get_group_id(0) / tiles) * ROWS;
    const uint first_column = (uint)(get_group_id(0) % tiles) * COLUMNS;
    uint sums[ROW_TILES][COLUMN_TILES][SUMS][4];
#pragma unroll UNROLLED
    for (uint r = 0u; r < ROW_TILES; r++) {
#pragma unroll UNROLLED
        for (uint c = 0u; c < COLUMN_TILES; c++) {
#pragma unroll UNROLLED
            for (uint s = 0u; s < SUMS; s++) {
#pragma unroll UNROLLED
                for (uint e = 0u; e < 4u; e++)
                    sums[r][c][s][e] = 0u;
            }
        }
    }
    const uint rounds = (inner + ROUND - 1u) / ROUND;
    for (uint round = 0u; round <= rounds; round++) {
        // Those of this round are read while those of the round before are multiplied.
        ELEMENT a_next[A_TASKS][4];
        ELEMENT b_next[B_TASKS][4];
        const uint k = round * ROUND;
#pragma unroll UNROLLED
        for (uint task = 0u; task < A_TASKS; task++) {
            const uint place = item + task * GROUP;
            const uint i = place / WORDS;
#pragma unroll UNROLLED
            for (uint t = 0u; t < 4u; t++) {
                const uint column = k + place % WORDS + WORDS * t;
                const bool is_inside = i < ROWS && first_row + i < rows && column < inner;
                a_next[task][t] = is_inside ? a[a_start + (ulong)(first_row + i) * a_stride + column] : (ELEMENT)0;
            }
        }
#pragma unroll UNROLLED
        for (uint task = 0u; task < B_TASKS; task++) {
            // 8 columns by 4 words of neighbouring items.
            const uint place = item + task * GROUP;
            const uint w = place / 8u % WORDS;
            const uint j = place % 8u + place / (8u * WORDS) * 8u;
#pragma unroll UNROLLED
            for (uint t = 0u; t < 4u; t++) {
                const uint row = k + w + WORDS * t;
                const bool is_inside = row < inner && j < COLUMNS && first_column + j < columns;
                b_next[task][t] = is_inside ? b[b_start + (ulong)row * b_stride + first_column + j] : (ELEMENT)0;
            }
        }
        if (round > 0u) {
            __local const uint *a_now = a_words[(round - 1u) & 1u];
            __local const uint *b_now = b_words[(round - 1u) & 1u];
            uint2 right[COLUMN_TILES][DIGITS];
#pragma unroll UNROLLED
            for (uint c = 0u; c < COLUMN_TILES; c++) {
#pragma unroll UNROLLED
                for (uint d = 0u; d < DIGITS; d++) {
                    const uint column = d * COLUMNS + warp_column + 8u * c + lane / 4u;
                    right[c][d] = *(__local const uint2 *)&b_now[column * WORDS + 2u * (lane % 4u)];
                }
            }
#pragma unroll UNROLLED
            for (uint r = 0u; r < ROW_TILES; r++) {
#pragma unroll UNROLLED
                for (uint i = 0u; i < DIGITS; i++) {
                    const uint top = i * ROWS + warp_row + 16u * r;
                    const uint place = (top + lane / 4u) * WORDS + 2u * (lane % 4u);
                    const uint2 upper = *(__local const uint2 *)&a_now[place];
                    const uint2 lower = *(__local const uint2 *)&a_now[place + 8u * WORDS];
#pragma unroll UNROLLED
                    for (uint c = 0u; c < COLUMN_TILES; c++) {
#pragma unroll UNROLLED
                        for (uint j = 0u; j < DIGITS; j++) {
                            const uint left_column = j * COLUMNS + warp_column + 8u * c;
                            digits_multiply(sums[r][c][i + j], upper, lower, right[c][j], &a_now[top * WORDS],
                                            &b_now[left_column * WORDS], lane);
                        }
                    }
                }
            }
        }
        if (round < rounds) {
#pragma unroll UNROLLED
            for (uint task = 0u; task < A_TASKS; task++) {
                const uint place = item + task * GROUP;
                if (place < ROWS * WORDS)
                    digits_keep(a_next[task], &a_words[round & 1u][place], ROWS * WORDS);
            }
#pragma unroll UNROLLED
            for (uint task = 0u; task < B_TASKS; task++) {
                const uint place = item + task * GROUP;
                const uint w = place / 8u % WORDS;
                const uint j = place % 8u + place / (8u * WORDS) * 8u;
                if (j < COLUMNS)
                    digits_keep(b_next[task], &b_words[round & 1u][j * WORDS + w], COLUMNS * WORDS);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll UNROLLED
    for (uint r = 0u; r < ROW_TILES; r++) {
#pragma unroll UNROLLED
        for (uint c = 0u; c < COLUMN_TILES; c++) {
#pragma unroll UNROLLED
            for (uint e = 0u; e < 4u; e++) {
                const uint i = first_row + warp_row + 16u * r + lane / 4u + 8u * (e / 2u);
                const uint j = first_column + warp_column + 8u * c + 2u * (lane % 4u) + e % 2u;
                uint own[SUMS];
#pragma unroll UNROLLED
                for (uint s = 0u; s < SUMS; s++)
                    own[s] = sums[r][c][s][e];
                if (i < rows && j < columns) {
                    const ulong place = out_start + (ulong)i * out_stride + j;
                    const residue total = digits_residue(own, mod);
#if STORE == 2
                    out[place] = mod_out(mod_sub(mod_in(out[place]), total, mod), mod);
#elif STORE == 1
                    out[place] = mod_out(mod_add(mod_in(out[place]), total, mod), mod);
#else
                    out[place] = mod_out(total, mod);
#endif
                }
            }
        }
    }
}
