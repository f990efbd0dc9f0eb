//! Laws, strategies and device lists for the tests of Manycore.
