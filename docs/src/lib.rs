//! The book of Manycore; its examples are compiled and run as tests.
