//! The kernels of matrices of bits on every OpenCL device, against the host: `bits_product`, `bits_product_tables`, `bits_copy`,
//! `bits_add`, `bits_swap` and `bits_transpose`.

use manycore_device::Device;
use manycore_linalg::bits::{BitAlgebra, BitProductPlan, BitSolution, BitTables};
use manycore_testkit::{limited_devices, opencl_devices, simulated};

fn products(device: &Device, shapes: &[(usize, usize, usize)]) {
    let (host, space) = (BitAlgebra::new(&Device::host()), BitAlgebra::new(device));
    for &(rows, inner, columns) in shapes {
        let product = |space: &BitAlgebra| {
            let (a, b) = (space.random(rows, inner, 1).unwrap(), space.random(inner, columns, 2).unwrap());
            space.words(&space.mul(&a, &b).unwrap()).unwrap()
        };
        assert!(product(&space) == product(&host), "{rows} {inner} {columns}");
    }
}

#[test]
fn products_equal_the_host_s() {
    for device in opencl_devices() {
        products(&device, &[(1, 1, 1), (7, 64, 65), (8, 63, 512), (9, 65, 513), (3, 0, 5), (0, 5, 3)]);
        if !simulated(&device) {
            products(&device, &[(130, 200, 1100), (17, 129, 63)]);
        }
    }
    for device in limited_devices() {
        products(&device, &[(9, 65, 513)]);
    }
}

/// Every plan that a device has room for, at the edges of words, strips and bands.
#[test]
fn products_by_every_plan_equal_the_host_s() {
    let host = BitAlgebra::new(&Device::host());
    for device in opencl_devices().into_iter().chain(limited_devices()) {
        let space = BitAlgebra::new(&device);
        let few: &[(usize, usize, usize)] = &[(1, 1, 1), (33, 65, 66)];
        let many = [
            (63, 64, 65),
            (64, 63, 1023),
            (65, 65, 1025),
            (3, 0, 5),
            (0, 5, 3),
            (5, 3, 0),
            (140, 130, 64),
            (600, 200, 129),
        ];
        let is_simulated = simulated(&device);
        let shapes: Vec<_> = few.iter().copied().chain(many.into_iter().filter(|_| !is_simulated)).collect();
        for (rows, inner, columns) in shapes {
            let factors =
                |space: &BitAlgebra| (space.random(rows, inner, 1).unwrap(), space.random(inner, columns, 2).unwrap());
            let (a, b) = factors(&host);
            let expected = host.words(&host.mul(&a, &b).unwrap()).unwrap();
            let (a, b) = factors(&space);
            let choice = space.explain_product(rows, inner, columns).unwrap();
            assert!(
                choice.candidates().iter().any(|candidate| candidate.parameters == BitProductPlan::Masks),
                "{choice}"
            );
            // 32 KiB of local memory hold the smallest tables.
            let has_room = device.info().local_memory_bytes >= 32 << 10;
            assert!(!has_room || choice.candidates().len() > 1, "{choice}");
            let plans = choice.candidates().iter().map(|candidate| candidate.parameters);
            let is_taken = |plan: &BitProductPlan| match plan {
                BitProductPlan::Tables(BitTables { rows, .. }) => !is_simulated || *rows <= 4,
                _ => true,
            };
            for plan in plans.filter(is_taken) {
                let found = space.mul_with(&a, &b, plan).unwrap();
                assert!(space.words(&found).unwrap() == expected, "{rows} {inner} {columns} {plan}");
            }
        }
    }
}

#[test]
fn sums_and_transposes_equal_the_host_s() {
    for device in opencl_devices() {
        let (host, space) = (BitAlgebra::new(&Device::host()), BitAlgebra::new(&device));
        for (rows, columns) in [(1, 1), (63, 65), (64, 64), (130, 3)] {
            let both = |space: &BitAlgebra| {
                let (a, b) = (space.random(rows, columns, 1).unwrap(), space.random(rows, columns, 2).unwrap());
                let sum = space.words(&space.add(&a, &b).unwrap()).unwrap();
                (sum, space.words(&space.transpose(&a).unwrap()).unwrap())
            };
            assert!(both(&space) == both(&host), "{rows} {columns}");
        }
    }
}

#[test]
fn eliminations_equal_the_host_s() {
    for device in opencl_devices() {
        let shapes: &[(usize, usize)] =
            if simulated(&device) { &[(5, 66)] } else { &[(1, 1), (64, 64), (65, 130), (130, 65)] };
        let (host, space) = (BitAlgebra::new(&Device::host()), BitAlgebra::new(&device));
        for &(rows, columns) in shapes {
            let all = |space: &BitAlgebra| {
                let a = space.random(rows, columns, 3).unwrap();
                // Of a rank of 5 at most.
                let low = space.mul(&space.random(rows, 5, 4).unwrap(), &space.random(5, columns, 5).unwrap()).unwrap();
                [a, low].map(|a| {
                    let form = space.echelon(&a).unwrap();
                    let right = space.mul(&a, &space.random(columns, 3, 6).unwrap()).unwrap();
                    let point = match space.solve(&a, &right).unwrap() {
                        BitSolution::Unique(point) | BitSolution::Affine { point, .. } => space.words(&point).unwrap(),
                        BitSolution::None => panic!("a product is consistent"),
                    };
                    let inverse =
                        (rows == columns).then(|| space.inverse(&a).map(|inverse| space.words(&inverse).unwrap()));
                    let nullspace = space.words(&space.nullspace(&a).unwrap()).unwrap();
                    let rank = space.rank(&a).unwrap();
                    (space.words(form.matrix()).unwrap(), form.pivots().to_vec(), point, inverse, nullspace, rank)
                })
            };
            assert!(all(&space) == all(&host), "{rows} {columns}");
        }
    }
}
