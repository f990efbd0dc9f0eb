// How transfer, local memory and arithmetic overlap: tiles are loaded, exchanged among the items of a group and combined
// for some rounds, and stored. Local memory beyond the tile keeps other groups off the compute unit.
//
// set: GROUP=256 LOCAL_WORDS=4096
// set: GROUP=256 LOCAL_WORDS=8192
// set: ulong LOCAL_WORDS=1024

#ifndef ELEMENT
#define ELEMENT uint // type of the words: uint or ulong
#endif
#ifndef GROUP
#define GROUP 64 // items of a group, a power of two
#endif
#ifndef LOCAL_WORDS
#define LOCAL_WORDS 1024 // words of local memory of a group, at least 16 * GROUP
#endif

#define EACH 16

// data: tiles of 16 * GROUP words, one a group. After a round, item i's word k is 5 times, plus 1, the word that had the
// place whose number differs in the bits of the round's.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void calibrate_tile(__global ELEMENT *data, const uint rounds)
{
    __local ELEMENT tile[LOCAL_WORDS];
    const uint item = get_local_id(0);
    __global ELEMENT *mine = data + (ulong)get_group_id(0) * (EACH * GROUP);
    ELEMENT kept[EACH];
    for (uint k = 0; k < EACH; ++k)
        kept[k] = mine[k * GROUP + item];
    for (uint round = 0; round < rounds; ++round) {
        for (uint k = 0; k < EACH; ++k)
            tile[k * GROUP + item] = kept[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < EACH; ++k)
            kept[k] = tile[(k * GROUP + item) ^ (round & (GROUP - 1))] * 5 + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 0; k < EACH; ++k)
        mine[k * GROUP + item] = kept[k];
}
