// A pass of a Fourier transform: rows of ROWS numbers in steps of small radices within a tile of local memory.
//
//   from: [outer][row][unit][t]     rows from_row apart, units from_unit, neighbours t of a unit 1
//   to:   [outer][unit][row][t]     rows to_row apart, units to_unit; row k of unit j times the twist w^(j k)
//
// A group does UNITS units of RUN neighbours each, which are the columns of its tile. Items go through the columns of a row
// first, and through rows first where those follow each other in memory. The first step reads from memory, the last one writes
// to it; between them lies the tile, in place:
//
//   step (RADIX, STRIDE, INNER): rows r, r + STRIDE, ..., r + (RADIX - 1) STRIDE to the same places,
//                                row k times the root of order RADIX STRIDE / INNER to the power (r mod STRIDE) / INNER * k
//
// unit: -
// parts: fourier/number.clh fourier/codelets.clh
// set: double TWIST=2 TWIST_BITS=7
// set: ROWS=15 UNITS=5 RUN=3 STEPS=2 LOAD_ROWS=1 STORE_ROWS=1 TWIST=1 RADIX0=5 STRIDE0=3 INNER0=1 OFFSET0=0 RADIX1=3 STRIDE1=1 INNER1=1 OFFSET1=12
// set: RADIX0=16 STRIDE0=1 INNER0=1 OFFSET0=0 ROWS=16
// set: RADIX0=13 STRIDE0=1 INNER0=1 OFFSET0=0 ROWS=13
// unit: RESIDUES
// parts: field/residues.clh fourier/number.clh fourier/codelets.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2

#ifndef GROUP
#define GROUP 64 // items of a group
#endif
#ifndef ROWS
#define ROWS 2 // the product of the radices
#endif
#ifndef UNITS
#define UNITS 1
#endif
#ifndef RUN
#define RUN 16
#endif
#ifndef STEPS
#define STEPS 1 // at most 12; of step i RADIXi, STRIDEi, INNERi, and OFFSETi of its constants: the radix' and its twiddles
#endif
#ifndef PLACE
#define PLACE 1 // rows between the results of the last step
#endif
#ifndef LOAD_ROWS
#define LOAD_ROWS 0 // 1 where rows are read faster than columns
#endif
#ifndef STORE_ROWS
#define STORE_ROWS 0 // 1 where rows are written faster than columns
#endif
#ifndef STAYING
#define STAYING 1 // 0 where no tile is written to where it was read
#endif
#ifndef TWIST
#define TWIST 0 // tables of twists: none, all of them, or low and high powers
#endif
#ifndef TWIST_BITS
#define TWIST_BITS 0 // bits of a low power
#endif
#ifndef SCALE_OFFSET
#define SCALE_OFFSET 0 // of the constant that results are multiplied by, if the flags say so
#endif
#ifndef RADIX0
#define RADIX0 2
#endif
#ifndef STRIDE0
#define STRIDE0 1
#endif
#ifndef INNER0
#define INNER0 1
#endif
#ifndef OFFSET0
#define OFFSET0 0
#endif
#ifndef RADIX1
#define RADIX1 2
#endif
#ifndef STRIDE1
#define STRIDE1 1
#endif
#ifndef INNER1
#define INNER1 1
#endif
#ifndef OFFSET1
#define OFFSET1 0
#endif
#ifndef RADIX2
#define RADIX2 2
#endif
#ifndef STRIDE2
#define STRIDE2 1
#endif
#ifndef INNER2
#define INNER2 1
#endif
#ifndef OFFSET2
#define OFFSET2 0
#endif
#ifndef RADIX3
#define RADIX3 2
#endif
#ifndef STRIDE3
#define STRIDE3 1
#endif
#ifndef INNER3
#define INNER3 1
#endif
#ifndef OFFSET3
#define OFFSET3 0
#endif
#ifndef RADIX4
#define RADIX4 2
#endif
#ifndef STRIDE4
#define STRIDE4 1
#endif
#ifndef INNER4
#define INNER4 1
#endif
#ifndef OFFSET4
#define OFFSET4 0
#endif
#ifndef RADIX5
#define RADIX5 2
#endif
#ifndef STRIDE5
#define STRIDE5 1
#endif
#ifndef INNER5
#define INNER5 1
#endif
#ifndef OFFSET5
#define OFFSET5 0
#endif
#ifndef RADIX6
#define RADIX6 2
#endif
#ifndef STRIDE6
#define STRIDE6 1
#endif
#ifndef INNER6
#define INNER6 1
#endif
#ifndef OFFSET6
#define OFFSET6 0
#endif
#ifndef RADIX7
#define RADIX7 2
#endif
#ifndef STRIDE7
#define STRIDE7 1
#endif
#ifndef INNER7
#define INNER7 1
#endif
#ifndef OFFSET7
#define OFFSET7 0
#endif
#ifndef RADIX8
#define RADIX8 2
#endif
#ifndef STRIDE8
#define STRIDE8 1
#endif
#ifndef INNER8
#define INNER8 1
#endif
#ifndef OFFSET8
#define OFFSET8 0
#endif
#ifndef RADIX9
#define RADIX9 2
#endif
#ifndef STRIDE9
#define STRIDE9 1
#endif
#ifndef INNER9
#define INNER9 1
#endif
#ifndef OFFSET9
#define OFFSET9 0
#endif
#ifndef RADIX10
#define RADIX10 2
#endif
#ifndef STRIDE10
#define STRIDE10 1
#endif
#ifndef INNER10
#define INNER10 1
#endif
#ifndef OFFSET10
#define OFFSET10 0
#endif
#ifndef RADIX11
#define RADIX11 2
#endif
#ifndef STRIDE11
#define STRIDE11 1
#endif
#ifndef INNER11
#define INNER11 1
#endif
#ifndef OFFSET11
#define OFFSET11 0
#endif

#define COLUMNS (UNITS * RUN)
#define VALUES (ROWS * COLUMNS)
// Strides of powers of two would meet the same banks.
#define PADDED(i) ((i) + ((i) >> 4) + ((i) >> 8))

#define CONJUGATE_FIRST 1u
#define CONJUGATE_LAST 2u
#define SCALED 4u

#define PASTE(a, b) a##b
#define TRANSFORM(radix) PASTE(transform_, radix)
// Constants of a radix before its twiddles.
#define RADIX_CONSTANTS(radix) ((radix) % 2 == 0 ? 7u : (radix) - 1u)

#define STEP(I, RADIX, STRIDE, INNER, OFFSET)                                                                                \
    for (uint b = item; b < VALUES / RADIX; b += GROUP) {                                                                    \
        const bool first = I == 0;                                                                                           \
        const bool last = I + 1 == STEPS;                                                                                    \
        const bool by_rows = last ? STORE_ROWS : first && LOAD_ROWS;                                                         \
        const uint g = by_rows ? b / RUN % (ROWS / RADIX) : b / COLUMNS;                                                     \
        const uint u = by_rows ? b / (RUN * (ROWS / RADIX)) : b % COLUMNS / RUN;                                             \
        const uint t = b % RUN;                                                                                              \
        const uint column = u * RUN + t;                                                                                     \
        const bool active = u < here && first_t + t < inner;                                                                 \
        const uint result = g / PLACE * (PLACE * RADIX) + g % PLACE;                                                         \
        const uint read = last && !first ? min(places[result], ROWS - 1u - (RADIX - 1u) * STRIDE) : 0u;                      \
        const uint row = last ? read : g / STRIDE * (RADIX * STRIDE) + g % STRIDE;                                           \
        NUMBER v[RADIX];                                                                                                     \
        if (first) {                                                                                                         \
            __global const VALUE *source = from + (unit + u) * from_unit + t;                                                \
            _Pragma("unroll") for (uint j = 0u; j < RADIX; j++)                                                              \
                v[j] = active ? number_in(source[(row + j * STRIDE) * from_row], (flags & CONJUGATE_FIRST) != 0u) : ZERO;    \
        } else {                                                                                                             \
            _Pragma("unroll") for (uint j = 0u; j < RADIX; j++)                                                              \
                v[j] = tile[PADDED((row + j * STRIDE) * COLUMNS + column)];                                                  \
        }                                                                                                                    \
        TRANSFORM(RADIX)(v, constants + OFFSET, m);                                                                          \
        if (last) {                                                                                                          \
            __global VALUE *target = to + (unit + u) * to_unit + t;                                                          \
            _Pragma("unroll") for (uint k = 0u; k < RADIX; k++)                                                              \
            {                                                                                                                \
                const uint place = result + k * PLACE;                                                                       \
                NUMBER x = twisted(v[k], (uint)(unit + u) * place, low, high, m);                                            \
                if ((flags & SCALED) != 0u)                                                                                  \
                    x = times(x, constants[SCALE_OFFSET], m);                                                                \
                if (active)                                                                                                  \
                    target[place * to_row] = number_out(x, (flags & CONJUGATE_LAST) != 0u, m);                               \
            }                                                                                                                \
        } else {                                                                                                             \
            __global const CONSTANT *twiddles = constants + OFFSET + RADIX_CONSTANTS(RADIX) + g % STRIDE / INNER;            \
            tile[PADDED(row * COLUMNS + column)] = v[0];                                                                     \
            _Pragma("unroll") for (uint k = 1u; k < RADIX; k++)                                                              \
            {                                                                                                                \
                const NUMBER x = STRIDE > INNER ? times(v[k], twiddles[(k - 1u) * (STRIDE / INNER)], m) : v[k];              \
                tile[PADDED((row + k * STRIDE) * COLUMNS + column)] = x;                                                     \
            }                                                                                                                \
        }                                                                                                                    \
    }                                                                                                                        \
    if (I + 1 < STEPS)                                                                                                       \
        barrier(I == 0 && STAYING ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);

inline NUMBER twisted(const NUMBER x, const uint e, __global const CONSTANT *low, __global const CONSTANT *high, const MODULUS m)
{
    (void)e, (void)low, (void)high, (void)m;
#if TWIST == 0
    return x;
#elif TWIST == 1
    return times(x, low[e], m);
#else
    return times(times(x, high[e >> TWIST_BITS], m), low[e & ((1u << TWIST_BITS) - 1u)], m);
#endif
}

inline void tile_pass(__global const VALUE *from, __global VALUE *to, __global const CONSTANT *constants,
                      __global const uint *places, __global const CONSTANT *low, __global const CONSTANT *high,
                      const ulong units, const ulong inner, const uint unit_tiles, const uint run_tiles, const ulong from_outer,
                      const ulong from_unit, const ulong from_row, const ulong to_outer, const ulong to_unit, const ulong to_row,
                      const uint flags, const MODULUS m, __local NUMBER *tile)
{
    const uint item = (uint)get_local_id(0);
    const size_t group = get_group_id(0);
    const ulong first_t = group % run_tiles * RUN;
    const ulong unit = group / run_tiles % unit_tiles * UNITS;
    const ulong outer = group / run_tiles / unit_tiles;
    const uint here = (uint)min((ulong)UNITS, units - unit);
    from += outer * from_outer + first_t;
    to += outer * to_outer + first_t;
    (void)tile, (void)places;
#if STEPS > 0
    STEP(0, RADIX0, STRIDE0, INNER0, OFFSET0)
#endif
#if STEPS > 1
    STEP(1, RADIX1, STRIDE1, INNER1, OFFSET1)
#endif
#if STEPS > 2
    STEP(2, RADIX2, STRIDE2, INNER2, OFFSET2)
#endif
#if STEPS > 3
    STEP(3, RADIX3, STRIDE3, INNER3, OFFSET3)
#endif
#if STEPS > 4
    STEP(4, RADIX4, STRIDE4, INNER4, OFFSET4)
#endif
#if STEPS > 5
    STEP(5, RADIX5, STRIDE5, INNER5, OFFSET5)
#endif
#if STEPS > 6
    STEP(6, RADIX6, STRIDE6, INNER6, OFFSET6)
#endif
#if STEPS > 7
    STEP(7, RADIX7, STRIDE7, INNER7, OFFSET7)
#endif
#if STEPS > 8
    STEP(8, RADIX8, STRIDE8, INNER8, OFFSET8)
#endif
#if STEPS > 9
    STEP(9, RADIX9, STRIDE9, INNER9, OFFSET9)
#endif
#if STEPS > 10
    STEP(10, RADIX10, STRIDE10, INNER10, OFFSET10)
#endif
#if STEPS > 11
    STEP(11, RADIX11, STRIDE11, INNER11, OFFSET11)
#endif
}

// constants: of each step those of its radix and its twiddles, then the scale. places: for each row of the result its row
// in the tile after all steps, taken for one of those. low, high: powers of the root of the twist.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_tile(__global const ELEMENT *restrict from, __global ELEMENT *restrict to, __global const ELEMENT *restrict constants,
                  __global const uint *restrict places, __global const ELEMENT *restrict low, __global const ELEMENT *restrict high,
                  const ulong units, const ulong inner, const uint unit_tiles, const uint run_tiles, const ulong from_outer,
                  const ulong from_unit, const ulong from_row, const ulong to_outer, const ulong to_unit, const ulong to_row,
                  const uint flags, const ELEMENT p, const ulong reciprocal)
{
    __local NUMBER tile[PADDED(VALUES - 1) + 1];
    (void)p, (void)reciprocal;
    tile_pass((__global const VALUE *)from, (__global VALUE *)to, (__global const CONSTANT *)constants, places,
              (__global const CONSTANT *)low, (__global const CONSTANT *)high, units, inner, unit_tiles, run_tiles, from_outer,
              from_unit, from_row, to_outer, to_unit, to_row, flags, MODULUS_OF(p, reciprocal), tile);
}

// The same where units stay where they are.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_tile_in_place(__global ELEMENT *data, __global const ELEMENT *restrict constants, __global const uint *restrict places,
                           __global const ELEMENT *restrict low, __global const ELEMENT *restrict high, const ulong units,
                           const ulong inner, const uint unit_tiles, const uint run_tiles, const ulong from_outer,
                           const ulong from_unit, const ulong from_row, const ulong to_outer, const ulong to_unit,
                           const ulong to_row, const uint flags, const ELEMENT p, const ulong reciprocal)
{
    __local NUMBER tile[PADDED(VALUES - 1) + 1];
    (void)p, (void)reciprocal;
    tile_pass((__global const VALUE *)data, (__global VALUE *)data, (__global const CONSTANT *)constants, places,
              (__global const CONSTANT *)low, (__global const CONSTANT *)high, units, inner, unit_tiles, run_tiles, from_outer,
              from_unit, from_row, to_outer, to_unit, to_row, flags, MODULUS_OF(p, reciprocal), tile);
}
