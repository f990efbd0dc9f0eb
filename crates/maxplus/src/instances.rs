//! Generic code compiled here, once, for the weights that there are, instead of in each program that uses it: the compiler
//! shares an instance of a function that is never inlined with the programs that use the crate where the crate has one.

use manycore_semiring::Bounded;

use crate::{EventGraph, Graph, LinearMap, LinearSystem, MaxPlus, Weight};

/// The addresses of the operations on graphs of a type of weights.
fn operations<T: Weight + Bounded>() -> impl IntoIterator<Item = *const ()> {
    [
        Graph::<T>::from_arcs_with as *const (),
        Graph::<T>::from_compressed as *const (),
        Graph::<T>::from_dense as *const (),
        Graph::<T>::from_matrix as *const (),
        Graph::<T>::reversed as *const (),
        Graph::<T>::topological_order as *const (),
        Graph::<T>::levels as *const (),
        Graph::<T>::solve as *const (),
        Graph::<T>::longest_from as *const (),
        Graph::<T>::longest_path as *const (),
        Graph::<T>::wrong_column as *const (),
        Graph::<T>::doubtful_circuit as *const (),
        Graph::<T>::product as *const (),
        Graph::<T>::power as *const (),
        Graph::<T>::maximum_cycle_mean as *const (),
        Graph::<T>::maximum_cycle_mean_by_karp as *const (),
        Graph::<T>::critical_graph as *const (),
        Graph::<T>::eigenvectors as *const (),
        MaxPlus::<T>::star_with as *const (),
        MaxPlus::<T>::star_on as *const (),
        MaxPlus::<T>::shortest as *const (),
        MaxPlus::<T>::shortest_on as *const (),
        MaxPlus::<T>::closure as *const (),
        MaxPlus::<T>::explain_of as *const (),
        MaxPlus::<T>::columns_that_fit as *const (),
        MaxPlus::<T>::blocks as *const (),
        LinearMap::<T>::of_graph as *const (),
        LinearMap::<T>::apply as *const (),
        LinearMap::<T>::residual as *const (),
        LinearSystem::<T>::implicit as *const (),
        LinearSystem::<T>::simulate as *const (),
        LinearSystem::<T>::latest as *const (),
        LinearSystem::<T>::cycle_time as *const (),
        EventGraph::<T>::cycle_time as *const (),
        EventGraph::<T>::system as *const (),
    ]
}

/// The addresses of the operations of each type of weights.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<i32>().into_iter().collect();
    all.extend(operations::<i64>());
    all.extend(operations::<f32>());
    all.extend(operations::<f64>());
    all
}
