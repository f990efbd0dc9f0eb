// Residues of integers modulo primes below 2^31, by Horner's rule in half words: an item for each integer.
//
//   words   word l, of `length` words of 64 bits in two's complement, of integer e stands at l count + e
//   moduli  prime k and its reciprocal (see mod_of) stand at 2 k and 2 k + 1
//   out     integer e modulo prime first + k, canonical, at k count + e, for k < primes
//
// parts: field/arithmetic.clh field/word32.clh
// set: GROUP=64u

#ifndef GROUP
#define GROUP 256u // items of a group
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void integer_residues(__global const ulong *restrict words, const uint length, const ulong count,
                      __global const ulong *restrict moduli, const uint first, const uint primes,
                      __global ELEMENT *restrict out)
{
    const ulong e = get_global_id(0);
    if (e < count) {
        const ulong top = words[(length - 1u) * count + e];
        for (uint k = 0u; k < primes; k++) {
            const ulong at = 2ul * (first + k);
            const modulus mod = mod_of((ELEMENT)moduli[at], moduli[at + 1ul]);
            const residue radix = mod_reduce(1ul << 32, mod);
            // The sign stands above the highest word: 0 or -1.
            residue r = (top >> 63) != 0ul ? mod.p - 1u : 0u;
            for (uint l = length; l > 0u; l--) {
                const ulong word = words[(l - 1u) * count + e];
                r = mod_reduce((ulong)r * radix + (word >> 32), mod);
                r = mod_reduce((ulong)r * radix + (word & 0xfffffffful), mod);
            }
            out[k * count + e] = mod_out(r, mod);
        }
    }
}
