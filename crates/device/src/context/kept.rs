//! Things that are made at their first use and kept.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Things that are made at their first use and kept by a key: kernels, tables of roots, plans.
///
/// ```
/// use manycore_device::context::Kept;
/// let squares = Kept::<u64, u64>::default();
/// let of = |x: u64| squares.get(x, |x| x.checked_mul(*x).ok_or("too large"));
/// assert_eq!(of(12).as_deref(), Ok(&144));
/// assert_eq!(of(1 << 32), Err("too large"));
/// ```
pub struct Kept<K, V: ?Sized> {
    things: Mutex<HashMap<K, Arc<V>>>,
    most: usize,
}

impl<K, V: ?Sized> Kept<K, V> {
    /// Keeps so many things at most; one more, and all are let go.
    pub fn at_most(most: usize) -> Self {
        Self { things: Mutex::default(), most }
    }

    fn things(&self) -> MutexGuard<'_, HashMap<K, Arc<V>>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V: ?Sized> Default for Kept<K, V> {
    fn default() -> Self {
        Self::at_most(usize::MAX)
    }
}

impl<K, V: ?Sized> fmt::Debug for Kept<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("things", &self.things().len()).field("most", &self.most).finish()
    }
}

impl<K: Hash + Eq, V: ?Sized> Kept<K, V> {
    /// Keeps one thing more; all others are let go where that would be too many.
    fn keep(&self, key: K, thing: Arc<V>) {
        let mut things = self.things();
        if things.len() >= self.most {
            things.clear();
        }
        things.insert(key, thing);
    }
}

impl<K: Hash + Eq, V> Kept<K, V> {
    /// What is kept under `key`, or what `make` gives, which then is. Other threads that ask for the same thing meanwhile wait
    /// for it; `make` must not ask this `Kept`.
    ///
    /// # Errors
    /// Those of `make`; then nothing is kept.
    pub fn get<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        let mut things = self.things();
        if let Some(thing) = things.get(&key) {
            return Ok(Arc::clone(thing));
        }
        let thing = Arc::new(make(&key)?);
        if things.len() >= self.most {
            things.clear();
        }
        things.insert(key, Arc::clone(&thing));
        Ok(thing)
    }
}

impl<K: Hash + Eq> Kept<K, dyn Any + Send + Sync> {
    /// The thing of type `T` that is kept under `key`, or the one that `make` gives, which then is where `make` says so. Keys
    /// of things of different types must differ. `make` may ask for other things.
    ///
    /// # Errors
    /// Those of `make`; then nothing is kept.
    pub fn get_typed<T: Any + Send + Sync, E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<(T, bool), E>,
    ) -> Result<Arc<T>, E> {
        if let Some(Ok(thing)) = self.things().get(&key).map(|thing| Arc::clone(thing).downcast::<T>()) {
            return Ok(thing);
        }
        let (thing, keep) = make()?;
        let thing = Arc::new(thing);
        if keep {
            self.keep(key, Arc::<T>::clone(&thing));
        }
        Ok(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_made_once() {
        let kept = Kept::<&str, u32>::default();
        let first = kept.get("a", |_| Ok::<_, &str>(7)).unwrap();
        let again = kept.get("a", |_| Err("made twice")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(kept.get("b", |_| Ok::<_, &str>(8)).as_deref(), Ok(&8));
    }

    #[test]
    fn nothing_is_kept_of_an_error() {
        let kept = Kept::<u32, u32>::default();
        assert_eq!(kept.get(1, |_| Err("no")), Err("no"));
        assert_eq!(kept.get(1, |key| Ok::<_, &str>(key + 1)).as_deref(), Ok(&2));
    }

    #[test]
    fn one_too_many_lets_all_go() {
        let kept = Kept::<u32, u32>::at_most(2);
        let get = |key, value| *kept.get::<()>(key, |_| Ok(value)).unwrap();
        assert_eq!([get(1, 10), get(2, 20), get(1, 11)], [10, 20, 10]);
        assert_eq!([get(3, 30), get(1, 12)], [30, 12]);
    }

    #[test]
    fn types_have_things_of_their_own() {
        let kept = Kept::<&str, dyn Any + Send + Sync>::at_most(8);
        let word = |make: u64, keep| *kept.get_typed::<u64, ()>("word", || Ok((make, keep))).unwrap();
        assert_eq!([word(1, false), word(2, true), word(3, true)], [1, 2, 2]);
        let text = kept.get_typed::<String, ()>("text", || Ok((word(4, true).to_string(), true))).unwrap();
        assert_eq!(*text, "2");
    }
}
