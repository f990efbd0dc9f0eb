// One step of the Kronecker construction (paper 000, algorithm 1, in a coalesced form): one item a column of outputs, and for
// small q of all rows that share their source.
//
//   to[r][c] = from[r / q][c / q] * factor[r % q][c % q]
//
// `from` is the table so far (or the tile of it that is needed), `factor` the table of the next cyclic group C_q.
//
// unit: -
// parts: characters/value.clh
// set: DIVIDE=1
// set: Q=3
// set: double
// set: uchar VALUE_WORDS=1 PRODUCT=0
// set: uint VALUE_WORDS=1 PRODUCT=0
// unit: RESIDUES
// parts: field/residues.clh characters/value.clh
// set: Q=5
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2

#ifndef PRODUCT
#ifdef ARITHMETIC
#define PRODUCT 2
#else
#define PRODUCT 1 // of entries: 0 exponents are added mod L, 1 complex numbers, 2 residues
#endif
#endif
#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef DIVIDE
#define DIVIDE 0 // 1 where numbers are too large to be multiplied instead
#endif

#ifndef Q
#define Q 0 // q where it is small: an entry of `from` is then read once for all rows that it goes to
#endif

#if PRODUCT == 1 && ELEMENT_BYTES == 8
#define ENTRY double2
#elif PRODUCT == 1
#define ENTRY float2
#else
#define ENTRY ELEMENT
#endif

// from: rows of from_pitch entries; to: rows of `columns` entries, the first of them row first_row and column
// first_column_mod modulo q. The first rows and columns of `from` are those that the first outputs need.
// magic: floor(2^32 / q) + 1, which divides all numbers that occur by q unless DIVIDE is set. rows_each: rows of a group, or with
// Q blocks of Q rows with the same source.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void characters_kronecker(__global const ELEMENT *restrict from, __global ELEMENT *restrict to, __global const ELEMENT *restrict factor,
                          const uint q, const uint magic, const uint first_row_mod, const ulong rows, const uint rows_each,
                          const uint segments, const uint first_column_mod, const uint columns, const ulong from_pitch,
                          const uint order, const ELEMENT p, const ulong reciprocal)
{
    const uint item = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint segment = group % segments;
#if Q > 0
    const ulong all = (first_row_mod + rows + Q - 1u) / Q;
#else
    const ulong all = rows;
#endif
    const ulong begin = (ulong)(group / segments) * rows_each;
    const ulong end = min(begin + rows_each, all);
    const uint per = (columns + segments - 1u) / segments;
    const uint last = min((segment + 1u) * per, columns);
    (void)order, (void)p, (void)reciprocal, (void)magic;
#if PRODUCT == 2
    const modulus m = mod_of(p, reciprocal);
#endif
    for (ulong row = begin; row < end; row++) {
#if Q > 0
        __global const ENTRY *source = (__global const ENTRY *)from + row * from_pitch;
        __global const ENTRY *scale = (__global const ENTRY *)factor;
        // The first block may begin above the first row, the last one end below the last.
        const long above = (long)(row * Q) - first_row_mod;
        __global ENTRY *target = (__global ENTRY *)to;
#else
        const ulong r = first_row_mod + row;
        __global const ENTRY *source = (__global const ENTRY *)from + r / q * from_pitch;
        __global const ENTRY *scale = (__global const ENTRY *)factor + r % q * q;
        __global ENTRY *target = (__global ENTRY *)to + row * columns;
#endif
#ifdef cl_nv_pragma_unroll // others warn where they cannot
#pragma unroll 4
#endif
        for (uint c = segment * per + item; c < last; c += GROUP) {
            const uint t = first_column_mod + c;
#if Q > 0
            const uint high = t / Q;
#elif DIVIDE
            const uint high = t / q;
#else
            const uint high = mul_hi(t, magic);
#endif
            const ENTRY x = source[high];
            const uint low = t - high * q;
#if PRODUCT == 2
#define PUT(place, y) (place) = mod_out(mod_mul(mod_in(x), mod_in(y), m), m)
#elif PRODUCT == 1
#define PUT(place, y) (place) = (ENTRY)(x.x * (y).x - x.y * (y).y, x.x * (y).y + x.y * (y).x)
#else
#define PUT(place, y) (place) = (ENTRY)min((uint)x + (uint)(y), (uint)x + (uint)(y) - order)
#endif
#if Q > 0
            for (uint i = 0; i < Q; i++) {
                const long at = above + i;
                if (at >= 0 && at < (long)rows) {
                    const ENTRY y = scale[i * Q + low];
                    PUT(target[(ulong)at * columns + c], y);
                }
            }
#else
            const ENTRY y = scale[low];
            PUT(target[c], y);
#endif
        }
    }
}
