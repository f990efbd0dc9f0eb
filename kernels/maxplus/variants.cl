// Schedules of many variants of durations at once: an item has a variant, and goes through the tasks in topological order and back.
//
//   durations  [tasks][count] of each task, in topological order, those of all variants
//   starts, tails   as durations: earliest starts, and the longest ways from starts to the end
//   offsets, others, lags, kinds   the links that lead to (`before`) or from (`after`) each task: the other task, the lag, and as
//              bits whether the duration of the first task and of the second count
//   lengths    [count] the length of each variant
//   critical   [tasks] the number of variants in which each task is critical, 0 before
//
// Offsets and tasks are taken for at most the last one: spoiled ones read and write no memory of others.

__kernel void maxplus_variants(__global const long *restrict durations, __global const long *restrict releases,
                               __global const ulong *restrict before_offsets, __global const uint *restrict before_others,
                               __global const long *restrict before_lags, __global const uint *restrict before_kinds,
                               __global const ulong *restrict after_offsets, __global const uint *restrict after_others,
                               __global const long *restrict after_lags, __global const uint *restrict after_kinds,
                               __global long *restrict starts, __global long *restrict tails, __global long *restrict lengths,
                               __global uint *restrict critical, const ulong tasks, const ulong links, const ulong count)
{
    const ulong variant = get_global_id(0);
    if (variant >= count)
        return;
    long length = 0L;
    for (ulong task = 0ul; task < tasks; task++) {
        const ulong at = task * count + variant;
        const long duration = durations[at];
        long start = releases[task];
        const ulong end = min(before_offsets[task + 1ul], links);
        for (ulong link = before_offsets[task]; link < end; link++) {
            const ulong other = min((ulong)before_others[link], tasks - 1ul) * count + variant;
            const uint kind = before_kinds[link];
            const long first = (kind & 1u) != 0u ? durations[other] : 0L;
            const long second = (kind & 2u) != 0u ? duration : 0L;
            start = max(start, starts[other] + before_lags[link] + first - second);
        }
        starts[at] = start;
        length = task == 0ul ? start + duration : max(length, start + duration);
    }
    lengths[variant] = length;
    for (ulong task = tasks; task-- > 0ul;) {
        const ulong at = task * count + variant;
        const long duration = durations[at];
        long tail = duration;
        const ulong end = min(after_offsets[task + 1ul], links);
        for (ulong link = after_offsets[task]; link < end; link++) {
            const ulong other = min((ulong)after_others[link], tasks - 1ul) * count + variant;
            const uint kind = after_kinds[link];
            const long first = (kind & 1u) != 0u ? duration : 0L;
            const long second = (kind & 2u) != 0u ? durations[other] : 0L;
            tail = max(tail, tails[other] + after_lags[link] + first - second);
        }
        tails[at] = tail;
        if (starts[at] + tail == length)
            atomic_inc(&critical[task]);
    }
}
