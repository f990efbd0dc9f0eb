//! The kernel `codes_combine` on every OpenCL device, against the host: rows at the edges of groups, of odd numbers of words, one
//! to nine rows of the result.

use manycore_codes::ErasureCode;
use manycore_device::Device;
use manycore_testkit::opencl_devices;

#[test]
fn rows_equal_the_host_s() {
    for device in opencl_devices() {
        for (data, parity, words) in [(1, 1, 1), (3, 2, 509), (2, 4, 512), (5, 9, 515)] {
            let rows: Vec<u8> = (0..2 * data * words).map(|i| ((i * i * 40_503) >> 4) as u8).collect();
            let encode = |device: &Device| ErasureCode::new(device, data, parity).unwrap().encode(&rows).unwrap();
            assert!(encode(&device) == encode(&Device::host()), "{data} and {parity} rows of {words} words");
        }
    }
}
