//! A cache of values by key: each is made at its first use.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// A cache of values by key, such as kernels, tables of roots and plans: a value is made at its first use. Threads
/// share it.
///
/// ```
/// use manycore_device::Cache;
/// let squares = Cache::<u64, u64>::default();
/// let of = |x: u64| squares.get(x, |x| x.checked_mul(*x).ok_or("too large"));
/// assert_eq!(of(12).as_deref(), Ok(&144));
/// assert_eq!(of(1 << 32), Err("too large"));
/// ```
pub struct Cache<K, V: ?Sized> {
    entries: RwLock<HashMap<K, Arc<V>>>,
    /// A lock for each value that a thread makes at the moment: threads that want that value wait for its lock.
    making: Mutex<HashMap<K, Arc<Mutex<()>>>>,
    most: usize,
}

impl<K, V: ?Sized> Cache<K, V> {
    /// A cache of at most `most` entries; before an entry too many is added, all others are dropped.
    pub fn at_most(most: usize) -> Self {
        Self { entries: RwLock::default(), making: Mutex::default(), most }
    }

    fn entries(&self) -> RwLockReadGuard<'_, HashMap<K, Arc<V>>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn making(&self) -> MutexGuard<'_, HashMap<K, Arc<Mutex<()>>>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V: ?Sized> Default for Cache<K, V> {
    /// A cache without a bound on the number of entries.
    fn default() -> Self {
        Self::at_most(usize::MAX)
    }
}

impl<K, V: ?Sized> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries().len();
        f.debug_struct("Cache").field("entries", &entries).field("most", &self.most).finish_non_exhaustive()
    }
}

impl<K: Hash + Eq, V: ?Sized> Cache<K, V> {
    /// Adds an entry; all others are dropped where that would be too many.
    fn insert(&self, key: K, value: Arc<V>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= self.most {
            entries.clear();
        }
        entries.insert(key, value);
    }
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    /// The value of `key`, which `make` makes where the cache has none. Nothing is locked while `make` runs but the
    /// making of this one value: other threads that ask for `key` meanwhile wait for the value. `make` may ask for
    /// values of other keys, but neither for this one nor for one that another thread makes while it waits for this
    /// one.
    ///
    /// # Errors
    /// Those of `make`; the cache then has no entry for `key`, and each thread that waited for the value computes it.
    pub fn get<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(value) = self.entries().get(&key) {
            return Ok(Arc::clone(value));
        }
        let lock = Arc::clone(self.making().entry(key.clone()).or_default());
        let turn = Turn { cache: self, key, lock: &lock };
        let _turn = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.entries().get(&turn.key) {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(make(&turn.key)?);
        self.insert(turn.key.clone(), Arc::clone(&value));
        Ok(value)
    }

    /// The value of `key`, which `make` makes where the cache has none, with nothing locked: for choices, whose measurement
    /// waits for measurements of other threads that may ask for the same value. Two threads may make it; the last one stays.
    ///
    /// # Errors
    /// Those of `make`; the cache then has no entry for `key`.
    pub fn get_unlocked<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(value) = self.entries().get(&key) {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(make(&key)?);
        self.insert(key, Arc::clone(&value));
        Ok(value)
    }
}

/// A thread's turn to make a value; at the end of the last turn for a key, the key's lock is removed.
struct Turn<'a, K: Hash + Eq, V: ?Sized> {
    cache: &'a Cache<K, V>,
    key: K,
    lock: &'a Arc<Mutex<()>>,
}

impl<K: Hash + Eq, V: ?Sized> Drop for Turn<'_, K, V> {
    fn drop(&mut self) {
        let mut making = self.cache.making();
        // The map's reference and this one: others are only made while the map is locked.
        if Arc::strong_count(self.lock) <= 2 {
            making.remove(&self.key);
        }
    }
}

impl<K: Hash + Eq> Cache<K, dyn Any + Send + Sync> {
    /// The value of type `T` of `key`, or the one that `make` makes, which is added to the cache where `make` says
    /// `true`. Keys of values of different types must differ. Nothing is locked while `make` runs: it may ask for other
    /// values, and two threads may make the same one.
    ///
    /// # Errors
    /// Those of `make`; then nothing is added.
    pub fn get_typed<T: Any + Send + Sync, E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<(T, bool), E>,
    ) -> Result<Arc<T>, E> {
        if let Some(Ok(value)) = self.entries().get(&key).map(|value| Arc::clone(value).downcast::<T>()) {
            return Ok(value);
        }
        let (value, keep) = make()?;
        let value = Arc::new(value);
        if keep {
            self.insert(key, Arc::<T>::clone(&value));
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_value_made_unlocked_may_ask_for_itself() {
        let cache = Cache::<u32, u32>::default();
        let within = || cache.get_unlocked(1, |_| Ok::<_, &str>(7)).map(|value| *value + 1);
        assert_eq!(cache.get_unlocked(1, |_| within()).as_deref(), Ok(&8));
        assert_eq!(cache.get_unlocked(1, |_| Err("made twice")).as_deref(), Ok(&8));
        assert_eq!(cache.get_unlocked(2, |_| Err("no")), Err("no"));
    }

    #[test]
    fn values_are_made_once() {
        let cache = Cache::<&str, u32>::default();
        let first = cache.get("a", |_| Ok::<_, &str>(7)).unwrap();
        let again = cache.get("a", |_| Err("made twice")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(cache.get("b", |_| Ok::<_, &str>(8)).as_deref(), Ok(&8));
    }

    #[test]
    fn an_error_adds_no_entry() {
        let cache = Cache::<u32, u32>::default();
        assert_eq!(cache.get(1, |_| Err("no")), Err("no"));
        assert_eq!(cache.get(1, |key| Ok::<_, &str>(key + 1)).as_deref(), Ok(&2));
    }

    #[test]
    fn other_values_are_made_meanwhile_and_the_same_one_is_waited_for() {
        let cache = Cache::<u32, u32>::default();
        let (started, go) = (Barrier::new(2), Barrier::new(2));
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| {
                *cache
                    .get(1, |_| {
                        started.wait();
                        go.wait();
                        made.fetch_add(1, Ordering::Relaxed);
                        // Values of other keys may be asked for within.
                        Ok::<_, ()>(*cache.get(3, |_| Ok::<_, ()>(30)).unwrap() + 1)
                    })
                    .unwrap()
            });
            started.wait();
            let same: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        *cache
                            .get::<()>(1, |_| {
                                made.fetch_add(1, Ordering::Relaxed);
                                Ok(99)
                            })
                            .unwrap()
                    })
                })
                .collect();
            // While the first value is made, which only this thread can end.
            assert_eq!(cache.get(2, |_| Ok::<_, ()>(20)).as_deref(), Ok(&20));
            go.wait();
            assert_eq!(slow.join().unwrap(), 31);
            assert!(same.into_iter().all(|thread| thread.join().unwrap() == 31));
        });
        assert_eq!((made.into_inner(), cache.making().len()), (1, 0));
    }

    #[test]
    fn a_thread_that_waited_for_a_failed_value_makes_it() {
        let cache = Cache::<u32, u32>::default();
        let started = Barrier::new(2);
        std::thread::scope(|scope| {
            let failing = scope.spawn(|| {
                cache.get(1, |_| {
                    started.wait();
                    Err("no")
                })
            });
            started.wait();
            assert_eq!(cache.get(1, |_| Ok::<_, &str>(7)).as_deref(), Ok(&7));
            assert_eq!(failing.join().unwrap(), Err("no"));
        });
        // A panic blocks nobody either.
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = cache.get::<()>(2, |_| panic!("a panic"));
        }));
        assert!(panic.is_err());
        assert_eq!(cache.get(2, |_| Ok::<_, &str>(8)).as_deref(), Ok(&8));
        assert_eq!(cache.making().len(), 0);
    }

    #[test]
    fn an_entry_too_many_drops_all_others() {
        let cache = Cache::<u32, u32>::at_most(2);
        let get = |key, value| *cache.get::<()>(key, |_| Ok(value)).unwrap();
        assert_eq!([get(1, 10), get(2, 20), get(1, 11)], [10, 20, 10]);
        assert_eq!([get(3, 30), get(1, 12)], [30, 12]);
    }

    #[test]
    fn types_have_entries_of_their_own() {
        let cache = Cache::<&str, dyn Any + Send + Sync>::at_most(8);
        let word = |make: u64, keep| *cache.get_typed::<u64, ()>("word", || Ok((make, keep))).unwrap();
        assert_eq!([word(1, false), word(2, true), word(3, true)], [1, 2, 2]);
        let text = cache.get_typed::<String, ()>("text", || Ok((word(4, true).to_string(), true))).unwrap();
        assert_eq!(*text, "2");
    }
}
