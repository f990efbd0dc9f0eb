// Tells whether a group really gets LOCAL_WORDS words of static local memory: some drivers report less than they give.

#ifndef LOCAL_WORDS
#define LOCAL_WORDS 8192
#endif

// out: one value for each group, the number of words that kept what was written. Groups of 64 items.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void local_probe(__global uint *out, const uint salt)
{
    __local uint words[LOCAL_WORDS];
    __local uint kept[64];
    const uint item = (uint)get_local_id(0);
    for (uint i = item; i < LOCAL_WORDS; i += 64u)
        words[i] = i * 2654435761u + salt;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0u;
    for (uint i = item; i < LOCAL_WORDS; i += 64u) {
        const uint from = LOCAL_WORDS - 1u - i; // another item's word
        sum += words[from] == from * 2654435761u + salt ? 1u : 0u;
    }
    kept[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0u) {
        uint total = 0u;
        for (uint i = 0u; i < 64u; i++)
            total += kept[i];
        out[get_group_id(0)] = total;
    }
}
