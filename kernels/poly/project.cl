// Sums of products of blocks of coefficients with rows of a table: out[j rows + r] = sum over i < B of data[j B + i]
// table[r B + i] for B = 2^log_block. With powers of a point in the table, a block's value there; with the coordinates of
// powers of an element of an extension field, the coordinates of its value.
//
// A group makes one sum: its items take every GROUP-th product, and their sums are added pairwise in local memory.
//
// parts: poly/accumulate.clh
// set: LOG_GROUP=8 SUM_TERMS=4
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef LOG_GROUP
#define LOG_GROUP 6 // items of a group
#endif
#define GROUP (1u << LOG_GROUP)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void project(__global const ELEMENT *restrict data, const ulong at, const ulong count, __global const ELEMENT *restrict table,
             const uint log_block, const uint rows, __global ELEMENT *restrict out, const ELEMENT p, const ulong reciprocal)
{
    __local residue sums[GROUP];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong block = get_group_id(0) / rows;
    const uint row = (uint)(get_group_id(0) % rows);
    const ulong start = block << log_block;
    const uint length = (uint)min(count - start, (ulong)1 << log_block);
    __global const ELEMENT *own = data + at + start;
    __global const ELEMENT *factors = table + ((ulong)row << log_block);
    sum total = sum_zero();
    for (uint i = item; i < length; i += SUM_TERMS * GROUP) {
#pragma unroll
        for (uint s = 0; s < SUM_TERMS; s++) {
            const uint j = i + s * GROUP;
            if (j < length)
                total = sum_add(total, mod_in(own[j]), mod_in(factors[j]), mod);
        }
        total = sum_fold(total, mod);
    }
    sums[item] = sum_residue(total, mod);
    for (uint width = GROUP / 2u; width > 0u; width /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < width)
            sums[item] = mod_canonical(mod_add(sums[item], sums[item + width], mod), mod);
    }
    if (item == 0u)
        out[get_group_id(0)] = mod_out(sums[0], mod);
}
