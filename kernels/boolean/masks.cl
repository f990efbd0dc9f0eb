// Rows of linear approximation tables before their Walsh transform. S has 2^log_inputs outputs of log_outputs bits.
//
//   W(a, b) = sum over x of (-1)^(a . x + b . S(x))
//
// With the output mask b held, this is the transform of the signs (-1)^(b . S(x)) over x; with the input mask a held, that of
// the sums of (-1)^(a . x) over the x of each output.
//
// set: GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group
#endif

// out: a row of signs for each output mask from first_row on.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_components(__global const ushort *restrict sbox, __global int *restrict out, const uint log_inputs, const uint first_row,
                        const ulong len)
{
    const ulong i = (ulong)get_global_id(0);
    if (i < len) {
        const uint mask = first_row + (uint)(i >> log_inputs);
        const uint x = (uint)i & ((1u << log_inputs) - 1u);
        out[i] = 1 - 2 * (int)(popcount(mask & (uint)sbox[x]) & 1u);
    }
}

// out: a row of sums for each input mask from first_row on, added to what stands there. len: rows times 2^log_inputs.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_preimages(__global const ushort *restrict sbox, __global int *restrict out, const uint log_inputs, const uint log_outputs,
                       const uint first_row, const ulong len)
{
    const ulong i = (ulong)get_global_id(0);
    if (i < len) {
        const ulong row = i >> log_inputs;
        const uint mask = first_row + (uint)row;
        const uint x = (uint)i & ((1u << log_inputs) - 1u);
        // Bits past log_outputs are spoiled ones.
        const uint output = sbox[x] & ((1u << log_outputs) - 1u);
        atomic_add(&out[(row << log_outputs) + output], 1 - 2 * (int)(popcount(mask & x) & 1u));
    }
}
