// Products of matrices of residues by tiles in local memory, sums reduced late (Volkov and Demmel, SC 2008, for tiles; paper
// 002, section 7.2, for the modulus).
//
//   group     a tile of SIDE REGS rows by SIDE REGS columns of the result
//   item      REGS by REGS entries of the tile, SIDE rows and SIDE columns apart, each a sum in registers
//   a round   DEPTH columns of a and DEPTH rows of b go to local memory, one barrier before and one after they are read
//
// Entry (i, k) of a stands at a_start + i a_stride + k, and so for b and out: blocks of larger matrices.
//
// parts: poly/accumulate.clh
// set: STORE=2 SUM_TERMS=4 SIDE=16u REGS=4u DEPTH=16u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4 STORE=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef SIDE
#define SIDE 8u // items along each side of a tile
#endif
#ifndef REGS
#define REGS 2u // entries along each side of an item's part
#endif
#ifndef DEPTH
#define DEPTH 8u // columns of a in local memory
#endif
#ifndef STORE
#define STORE 0 // 0: a b; 1: out + a b; 2: out - a b
#endif

#define GROUP (SIDE * SIDE)
#define TILE (SIDE * REGS)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void matrix_product(__global const ELEMENT *restrict a, const ulong a_start, const ulong a_stride,
                    __global const ELEMENT *restrict b, const ulong b_start, const ulong b_stride,
                    __global ELEMENT *restrict out, const ulong out_start, const ulong out_stride,
                    const uint rows, const uint inner, const uint columns, const ELEMENT p, const ulong reciprocal)
{
    __local residue a_tile[DEPTH][TILE + 1u];
    __local residue b_tile[DEPTH][TILE];
    const modulus mod = mod_of(p, reciprocal);
    const uint tiles = (columns + TILE - 1u) / TILE;
    const uint first_row = (uint)(get_group_id(0) / tiles) * TILE;
    const uint first_column = (uint)(get_group_id(0) % tiles) * TILE;
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    sum sums[REGS * REGS];
#pragma unroll
    for (uint r = 0u; r < REGS * REGS; r++)
        sums[r] = sum_zero();
    for (uint k = 0u; k < inner; k += DEPTH) {
        for (uint e = item; e < DEPTH * TILE; e += GROUP) {
            const uint i = e / DEPTH;
            const uint j = e % DEPTH;
            const bool inside = first_row + i < rows && k + j < inner;
            a_tile[j][i] = inside ? mod_in(a[a_start + (ulong)(first_row + i) * a_stride + k + j]) : (residue)0;
        }
        for (uint e = item; e < DEPTH * TILE; e += GROUP) {
            const uint i = e / TILE;
            const uint j = e % TILE;
            const bool inside = k + i < inner && first_column + j < columns;
            b_tile[i][j] = inside ? mod_in(b[b_start + (ulong)(k + i) * b_stride + first_column + j]) : (residue)0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 0u; d < DEPTH; d++) {
            residue left[REGS];
            residue right[REGS];
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
                left[r] = a_tile[d][y + r * SIDE];
                right[r] = b_tile[d][x + r * SIDE];
            }
#pragma unroll
            for (uint r = 0u; r < REGS * REGS; r++) {
                if (d % SUM_TERMS == 0u)
                    sums[r] = sum_fold(sums[r], mod);
                sums[r] = sum_add(sums[r], left[r / REGS], right[r % REGS], mod);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint r = 0u; r < REGS * REGS; r++) {
        const uint i = first_row + y + r / REGS * SIDE;
        const uint j = first_column + x + r % REGS * SIDE;
        if (i < rows && j < columns) {
            const ulong place = out_start + (ulong)i * out_stride + j;
            const residue total = sum_residue(sum_fold(sums[r], mod), mod);
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
