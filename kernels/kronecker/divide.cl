// The exact division of integers by a number, and the first that it does not divide.
//
// set: int
// set: long

#ifndef ELEMENT
#define ELEMENT long // type of the integers: int or long
#endif
#ifndef GROUP
#define GROUP 256
#endif

// data: `count` integers, of which multiples of `divisor`, which is positive, become quotients. first: one word, which becomes the
// least index of another integer, if it was larger; for all indices past 2^32 - 2 that number.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void kronecker_divide(__global ELEMENT *data, __global uint *first, const ulong count, const ELEMENT divisor)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const ELEMENT x = data[i];
    const ELEMENT quotient = x / divisor;
    if (quotient * divisor == x)
        data[i] = quotient;
    else
        atomic_min(first, (uint)min(i, 0xfffffffeul));
}
