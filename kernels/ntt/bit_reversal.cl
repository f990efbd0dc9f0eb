// Bit reversal of arrays of 2^log_len words, in place: index i goes to the place whose bits are i's in reversed order.
//
// set: ulong LOG_SIDE=4

#ifndef ELEMENT
#define ELEMENT uint
#endif
#ifndef LOG_SIDE
#define LOG_SIDE 5 // log2 of the rows and columns of a tile: rows of 128 bytes
#endif
#ifndef LOG_TILE
#define LOG_TILE 10 // log2 of the words that a group of short arrays has
#endif
#ifndef GROUP
#define GROUP 256
#endif

#define SIDE (1u << LOG_SIDE)
#define GAPPED (SIDE + 1u) // a column's words lie in different banks

// The lowest `bits` bits of i in reversed order: four at a time from a table in a word. (Compilers turn exchanges of bits by
// masks into an instruction that not every OpenCL runtime knows.)
inline uint reversed_bits(uint i, const uint bits)
{
    uint reversed = 0u;
#pragma unroll
    for (uint k = 0; k < 8u; k++) {
        reversed = (reversed << 4) | ((uint)(0xf7b3d591e6a2c480ul >> (4u * (i & 15u))) & 15u);
        i >>= 4;
    }
    return bits == 0u ? 0u : reversed >> (32u - bits);
}

// Arrays of at most 2^LOG_TILE words, several in a tile. data: `count` words, a multiple of 2^log_len.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reverse_short(__global ELEMENT *restrict data, const ulong count, const uint log_len)
{
    __local ELEMENT tile[1u << LOG_TILE];
    const ulong first = (ulong)get_group_id(0) << LOG_TILE;
    for (uint i = (uint)get_local_id(0); i < (1u << LOG_TILE); i += GROUP) {
        if (first + i < count)
            tile[i] = data[first + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mask = (1u << log_len) - 1u;
    for (uint i = (uint)get_local_id(0); i < (1u << LOG_TILE); i += GROUP) {
        if (first + i < count)
            data[first + i] = tile[(i & ~mask) | reversed_bits(i & mask, log_len)];
    }
}

// Arrays of at least 2^(2 LOG_SIDE) words. An index is [row][middle][column], and goes to [column][middle][row], each
// reversed: the words of one middle form a square, which changes places with that of the reversed middle. Groups are
// numbered [array][middle]; the one of the greater middle has nothing to do.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reverse_long(__global ELEMENT *restrict data, const uint log_len)
{
    __local ELEMENT here[SIDE * GAPPED];
    __local ELEMENT there[SIDE * GAPPED];
    const uint log_middle = log_len - 2u * LOG_SIDE;
    const ulong number = get_group_id(0);
    const ulong middle = number & ((1ul << log_middle) - 1ul);
    // Middles of up to 64 bits would be longer than any memory: both halves of 32 bits are reversed.
    const ulong reversed = log_middle <= 32u
        ? (ulong)reversed_bits((uint)middle, log_middle)
        : ((ulong)reversed_bits((uint)middle, 32u) << (log_middle - 32u)) | reversed_bits((uint)(middle >> 32), log_middle - 32u);
    __global ELEMENT *own = data + ((number >> log_middle) << log_len);
    if (middle <= reversed) {
        for (uint i = (uint)get_local_id(0); i < SIDE * SIDE; i += GROUP) {
            const uint row = i >> LOG_SIDE;
            const uint column = i & (SIDE - 1u);
            __global const ELEMENT *from = own + ((ulong)row << (log_middle + LOG_SIDE)) + column;
            here[row * GAPPED + column] = from[middle << LOG_SIDE];
            there[row * GAPPED + column] = from[reversed << LOG_SIDE];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (middle <= reversed) {
        for (uint i = (uint)get_local_id(0); i < SIDE * SIDE; i += GROUP) {
            const uint row = i >> LOG_SIDE;
            const uint column = i & (SIDE - 1u);
            const uint from = reversed_bits(column, LOG_SIDE) * GAPPED + reversed_bits(row, LOG_SIDE);
            __global ELEMENT *to = own + ((ulong)row << (log_middle + LOG_SIDE)) + column;
            to[reversed << LOG_SIDE] = here[from];
            if (middle < reversed)
                to[middle << LOG_SIDE] = there[from];
        }
    }
}
