// Class refinement of sparse words and byte strings, one round with one k of each word, or three bytes of each string, as the key (paper
// 002, section 5.1: Algorithms 4 and 5 as corrected): an item for each member of a class that can be split. Members stand class after class; beside member j are its word
// items[j] and its place slots[j] in the order of all, which is that of the j-th member whichever word that is.
//
//   refine_keys      items, classes -> keys: class and position of one k, which are sorted, and the items with them
//   refine_bytes     the same of strings, whose ones are their bytes
//   primitive_heads  keys -> heads: 1 where a class begins; a scan numbers the classes
//   refine_mark      items -> order, and for each class whether a member has a one left
//   refine_keep      heads -> marks: 1 for a member of a class of several with a one left, 2^32 more where that begins; a scan
//   refine_compact   items, slots -> those that are kept, and their classes
//
// Words from memory are bounded before they are indices.

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

// Where the ones of word `item` end, after where they begin.
inline ulong2 ones_of(__global const ulong *offsets, const ulong words, const ulong ones, const uint item)
{
    const ulong word = min((ulong)item, words - 1ul);
    return (ulong2)(min(offsets[word], ones), min(offsets[word + 1ul], ones));
}

// keys[j]: the class of member j in the upper half, and the position of one k of its word, `width` where there is none, with its bits
// flipped by `flip`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void refine_keys(__global const uint *restrict items, __global const uint *restrict classes, const ulong count,
                 __global const ulong *restrict offsets, const ulong words, __global const uint *restrict positions, const ulong ones,
                 const ulong k, const uint width, const uint flip, __global ulong *restrict keys)
{
    const ulong j = get_global_id(0);
    if (j >= count)
        return;
    const ulong2 ends = ones_of(offsets, words, ones, items[j]);
    const uint key = ends.x < ends.y && k < ends.y - ends.x ? positions[ends.x + k] : width;
    keys[j] = (ulong)classes[j] << 32 | (key ^ flip);
}

// keys[j]: the class of member j in the upper half; in the lower, with its bits flipped by `flip`, three bytes of its string from `begin`
// on, the first one uppermost, and below them how many there are.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void refine_bytes(__global const uint *restrict items, __global const uint *restrict classes, const ulong count,
                  __global const ulong *restrict offsets, const ulong words, __global const uchar *restrict bytes, const ulong ones,
                  const ulong begin, const uint flip, __global ulong *restrict keys)
{
    const ulong j = get_global_id(0);
    if (j >= count)
        return;
    const ulong2 ends = ones_of(offsets, words, ones, items[j]);
    const uint here = ends.x < ends.y && begin < ends.y - ends.x ? (uint)min(ends.y - ends.x - begin, 3ul) : 0u;
    uint key = here;
    for (uint i = 0u; i < here; i++)
        key |= (uint)bytes[ends.x + begin + i] << (24u - 8u * i);
    keys[j] = (ulong)classes[j] << 32 | (key ^ flip);
}

// order[slots[j]] = items[j]; alive[c] = 1 for the classes c of which a member has more than k + 1 ones, 0 before. Member j is of class
// heads[0] + ... + heads[j] - 1; before[j]: the sum but for the last.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void refine_mark(__global const uint *restrict items, __global const uint *restrict slots, __global const uint *restrict heads,
                 __global const uint *restrict before, const ulong count, __global const ulong *restrict offsets, const ulong words,
                 const ulong ones, const ulong k, __global uint *restrict order, __global uint *restrict alive)
{
    const ulong j = get_global_id(0);
    if (j >= count)
        return;
    const uint item = items[j];
    order[min((ulong)slots[j], words - 1ul)] = item;
    const ulong2 ends = ones_of(offsets, words, ones, item);
    if (ends.x < ends.y && ends.y - ends.x > k + 1ul)
        (void)atomic_or(&alive[min((ulong)(before[j] + heads[j] - 1u), count - 1ul)], 1u);
}

// marks[j]: 1 where member j is of a class of several of which one has a one left, 2^32 more where that class begins, else 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void refine_keep(__global const uint *restrict heads, __global const uint *restrict before, const ulong count,
                 __global const uint *restrict alive, __global ulong *restrict marks)
{
    const ulong j = get_global_id(0);
    if (j >= count)
        return;
    const uint head = heads[j];
    const bool is_alone = head != 0u && (j + 1ul == count || heads[j + 1ul] != 0u);
    const bool is_kept = !is_alone && alive[min((ulong)(before[j] + head - 1u), count - 1ul)] != 0u;
    marks[j] = is_kept ? (ulong)head << 32 | 1ul : 0ul;
}

// The members that are kept, and their classes; before[j]: the marks before member j, added up.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void refine_compact(__global const uint *restrict items, __global const uint *restrict slots, __global const ulong *restrict marks,
                    __global const ulong *restrict before, const ulong count, const ulong kept, __global uint *restrict kept_items,
                    __global uint *restrict kept_slots, __global uint *restrict classes)
{
    const ulong j = get_global_id(0);
    if (j >= count || marks[j] == 0ul)
        return;
    const ulong place = before[j] & 0xfffffffful;
    if (place < kept) {
        kept_items[place] = items[j];
        kept_slots[place] = slots[j];
        classes[place] = (uint)(before[j] >> 32) + (uint)(marks[j] >> 32) - 1u;
    }
}
