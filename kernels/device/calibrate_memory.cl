// How fast a device moves words: copies in runs of 2^log_segment blocks of 16 bytes that lie far apart, and a chain of
// reads each of which waits for the one before.

// from, to: 2^log_count blocks of 16 bytes. Read and written in the order in which the index bits above the segment's are
// rotated by `log_jump`: neighbouring runs lie 2^(log_segment + log_jump) blocks apart. At most, log_count is 63,
// log_segment is log_count, and log_jump is log_count - log_segment.
//
//   index   | high bits ........ | log_segment bits |
//   place   | rotated by log_jump | the same        |
__kernel void calibrate_copy(__global const uint4 *from, __global uint4 *to, const uint log_count,
                             const uint log_segment, const uint log_jump)
{
    const ulong count = 1UL << log_count;
    const ulong low = (1UL << log_segment) - 1;
    const uint high_bits = log_count - log_segment;
    const ulong high = (1UL << high_bits) - 1;
    const ulong size = get_local_size(0);
    const ulong step = 4 * size * get_num_groups(0);
    for (ulong at = 4 * size * get_group_id(0) + get_local_id(0); at < count; at += step) {
        uint4 kept[4];
        ulong place[4];
        for (uint k = 0; k < 4; ++k) {
            const ulong i = (at + k * size) & (count - 1);
            const ulong j = i >> log_segment;
            place[k] = ((((j << log_jump) | (j >> (high_bits - log_jump))) & high) << log_segment) | (i & low);
            kept[k] = from[place[k]];
        }
        for (uint k = 0; k < 4; ++k)
            to[place[k]] = kept[k];
    }
}

// next: for each place the one to read after it. out: where the chain of `steps` reads begins; then where it ends. One
// item.
__kernel void calibrate_chase(__global const uint *next, __global uint *out, const uint steps, const uint last)
{
    uint at = min(out[0], last);
    for (uint step = 0; step < steps; ++step)
        at = min(next[at], last);
    out[0] = at;
}
