// Rows of boomerang connectivity tables of a permutation S with the inverse T: of an input difference a and an output difference b,
// how many x return.
//
//   T(S(x) ^ b) ^ T(S(x ^ a) ^ b) = a
//
// x and x ^ a return together, so only the x whose bit at the leading one of a is 0 are taken, and counted twice; the difference 0
// has no leading one, and all of its x return. An item has one entry: items beside each other have one a and neighbouring b, so
// that they read one word of S, and words of T that lie within a block.
//
// set: GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group
#endif

// out: rows of 2^log_bits entries from input difference first_row on, of which the entries from `from` up to `end` are written.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_boomerangs(__global const ushort *restrict sbox, __global const ushort *restrict inverse, const uint first_row,
                        const uint log_bits, const ulong from, const ulong end, __global uint *restrict out)
{
    const ulong i = from + (ulong)get_global_id(0);
    if (i < end) {
        const uint most = (1u << log_bits) - 1u;
        const uint a = (first_row + (uint)(i >> log_bits)) & most;
        const uint b = (uint)i & most;
        const uint lead = a == 0u ? 0u : 31u - clz(a);
        const uint low = (1u << lead) - 1u;
        uint count = 0u;
        for (uint t = 0u; t < 1u << (log_bits - 1u); t++) {
            const uint x = ((t & ~low) << 1) | (t & low);
            // Bits past log_bits are spoiled ones.
            const uint one = (uint)inverse[((uint)sbox[x] ^ b) & most];
            const uint other = (uint)inverse[((uint)sbox[x ^ a] ^ b) & most];
            count += (one ^ other) == a ? 1u : 0u;
        }
        out[i] = 2u * count;
    }
}
