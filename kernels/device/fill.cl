// Fills a buffer with one pattern of 16 bytes, faster than the runtime's own fill on the devices tried.

// data: `count` values of 16 bytes.
__kernel void fill(__global uint4 *data, const ulong count, const uint x, const uint y, const uint z, const uint w)
{
    const ulong i = get_global_id(0);
    if (i < count)
        data[i] = (uint4)(x, y, z, w);
}
