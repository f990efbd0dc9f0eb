// Character tables by exponents: each entry from its exponent, in one pass that only writes.
//
// A column z = high * low_len + low has E(w, z) = E(w, high * low_len) + E(w, low) mod L, because the two parts share no
// carry. For each row a group computes the exponents of all lows and of all highs (`parts`), and then every entry takes
// one addition, one conditional subtraction and one look-up:
//
//   parts     | E(w, low): low_count | E(w, high * low_len): high_count |
//   row w     ...|--- 16 bytes ---|--- 16 bytes ---|...      item i stores vectors i, i + GROUP, i + 2 GROUP, ...
//
// Rows begin at any entry, so vectors of 16 bytes are counted from the row's first whole line of 128 bytes, and the entries
// before it and after the last vector are stored one by one.
//
// parts: characters/value.clh
// set: LOOKUP=1 ROOTS=4
// set: LOOKUP=2 PART=uint PARTS=4096 WIDE=1
// set: LOOKUP=3 LOG_ORDER=1
// set: double LOOKUP=1 ROOTS=64
// set: uchar VALUE_WORDS=1
// set: ushort VALUE_WORDS=1
// set: uint VALUE_WORDS=1 PART=uint WIDE=1
// set: ulong VALUE_WORDS=1 LOOKUP=1 ROOTS=8

#ifndef GROUP
#define GROUP 256 // items of a group, at least 64
#endif
#ifndef PART
#define PART ushort // holds exponents below L
#endif
#ifndef PARTS
#define PARTS 256 // at least low_count + high_count
#endif
#ifndef LOOKUP
#define LOOKUP 0 // a root is found: 0 it is the exponent, 1 in local memory, 2 in global memory, 3 L divides 4, complex float
#endif
#ifndef ROOTS
#define ROOTS 1 // at least L, for LOOKUP 1
#endif
#ifndef LOG_ORDER
#define LOG_ORDER 2 // log2 L, for LOOKUP 3
#endif
#ifndef WIDE
#define WIDE 0 // 1 where sums of products of digits may pass 32 bits
#endif

#define PER_VECTOR (16u / VALUE_BYTES)
// Vectors begin where a cache line does, so that those of neighbouring items fill whole lines.
#define LINE (128u / VALUE_BYTES)

#if LOOKUP == 0
#define ROOT(e) ((VALUE)(e))
#elif LOOKUP == 1
#define ROOT(e) (table[e])
#elif LOOKUP == 2
#define ROOT(e) (((__global const VALUE *)roots)[e])
#else
// 1, i, -1, -i: the lowest bit of the quarter says which part is not 0, the other one its sign.
inline VALUE quarter(const uint e)
{
    const uint turn = e << (2 - LOG_ORDER);
    const uint one = 0x3f800000u | (turn & 2u) << 30;
    return (turn & 1u) != 0u ? (VALUE)(0u, one) : (VALUE)(one, 0u);
}
#define ROOT(e) quarter(e)
#endif

// radices: for each factor its place (the product of the factors after it) and itself.
// terms: for each factor, of all lows and then of all highs, the digit times L / n.
// out: rows of `pitch` entries; entry `offset` of each is the first of this panel of `columns` entries, with low `start_low`
// and the first high. Group g does rows_each rows from g / segments * rows_each on, and segment g % segments of each.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void characters_direct(__global ELEMENT *restrict out, __global const ELEMENT *restrict roots, __global const uint *restrict terms,
                       __global const ulong *restrict radices, const uint factors, const uint order, const ulong first_row,
                       const ulong rows, const uint rows_each, const uint segments, const ulong pitch, const ulong offset,
                       const uint columns, const uint low_len, const uint low_count, const uint high_count, const uint start_low)
{
    __local PART parts[PARTS];
    __local uint digits[64];
#if LOOKUP == 1
    __local VALUE table[ROOTS];
#endif
    const uint item = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint segment = group % segments;
    const ulong begin = (ulong)(group / segments) * rows_each;
    const ulong end = min(begin + rows_each, rows);
    const uint entries = low_count + high_count;
    const uint step_high = GROUP * PER_VECTOR / low_len;
    const uint step_low = GROUP * PER_VECTOR % low_len;
    __global VALUE *const values = (__global VALUE *)out;
#if LOOKUP == 1
    for (uint t = item; t < order; t += GROUP)
        table[t] = ((__global const VALUE *)roots)[t];
#else
    (void)roots;
#endif

    for (ulong row = begin; row < end; row++) {
        // A spoiled radix of 0 would end the program of a CPU. One turn at most. Of a condition PoCL 5 with LLVM 16 stores the second item's digit in the first place.
        for (uint j = item; j < factors; j += GROUP)
            digits[j] = (uint)((first_row + row) / max(radices[2u * j], 1ul) % max(radices[2u * j + 1u], 1ul));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint t = item; t < entries; t += GROUP) {
#if WIDE
            ulong sum = 0ul;
            for (uint j = 0u; j < factors; j++)
                sum = (sum + (ulong)digits[j] * terms[j * entries + t]) % order;
#else
            uint sum = 0u;
            for (uint j = 0u; j < factors; j++)
                sum += digits[j] * terms[j * entries + t];
            sum %= order;
#endif
            parts[t] = (PART)sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        const ulong start = row * pitch + offset;
        const uint lead = min((uint)((0ul - start) & (LINE - 1u)), columns);
        const uint vectors = (columns - lead) / PER_VECTOR;
        const uint tail = (columns - lead) % PER_VECTOR;
        for (uint i = segment == 0u ? item : columns; i < lead + tail; i += GROUP) {
            const uint column = i < lead ? i : columns - tail + (i - lead);
            const uint t = start_low + column;
            const uint e = (uint)parts[t % low_len] + (uint)parts[low_count + t / low_len];
            values[start + column] = ROOT(min(e, e - order));
        }
        const uint per = (vectors + segments - 1u) / segments;
        const uint last = min((segment + 1u) * per, vectors);
        const uint first = segment * per + item;
        uint high = (start_low + lead + first * PER_VECTOR) / low_len;
        uint low = (start_low + lead + first * PER_VECTOR) % low_len;
        __global uint4 *const whole = (__global uint4 *)(values + start + lead);
        for (uint i = first; i < last; i += GROUP) {
            VALUE v[PER_VECTOR];
            uint l = low;
            uint h = high;
#pragma unroll
            for (uint k = 0u; k < PER_VECTOR; k++) {
                const uint e = (uint)parts[l] + (uint)parts[low_count + h];
                // Below the order the difference wraps to a larger number.
                v[k] = ROOT(min(e, e - order));
                l++;
                if (l == low_len) {
                    l = 0u;
                    h++;
                }
            }
#if VALUE_BYTES == 16
            whole[i] = v[0];
#elif VALUE_BYTES == 8
            whole[i] = (uint4)(v[0], v[1]);
#elif VALUE_BYTES == 4
            whole[i] = (uint4)(v[0], v[1], v[2], v[3]);
#else
            uint word[4];
#pragma unroll
            for (uint k = 0u; k < 4u; k++) {
                word[k] = 0u;
#pragma unroll
                for (uint b = 0u; b < 4u / VALUE_BYTES; b++)
                    word[k] |= (uint)v[k * (4u / VALUE_BYTES) + b] << (8u * VALUE_BYTES * b);
            }
            whole[i] = (uint4)(word[0], word[1], word[2], word[3]);
#endif
            high += step_high;
            low += step_low;
            if (low >= low_len) {
                low -= low_len;
                high++;
            }
        }
    }
}
