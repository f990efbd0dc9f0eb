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
    /// What threads make just now: who wants the same thing waits for its lock.
    making: Mutex<HashMap<K, Arc<Mutex<()>>>>,
    most: usize,
}

impl<K, V: ?Sized> Kept<K, V> {
    /// Keeps so many things at most; one more, and all are let go.
    pub fn at_most(most: usize) -> Self {
        Self { things: Mutex::default(), making: Mutex::default(), most }
    }

    fn things(&self) -> MutexGuard<'_, HashMap<K, Arc<V>>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn making(&self) -> MutexGuard<'_, HashMap<K, Arc<Mutex<()>>>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V: ?Sized> Default for Kept<K, V> {
    fn default() -> Self {
        Self::at_most(usize::MAX)
    }
}

impl<K, V: ?Sized> fmt::Debug for Kept<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("things", &self.things().len()).field("most", &self.most).finish_non_exhaustive()
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

impl<K: Hash + Eq + Clone, V> Kept<K, V> {
    /// What is kept under `key`, or what `make` gives, which then is. Other threads that ask for the same thing meanwhile wait
    /// for it, and those that ask for other things do not; `make` may ask for other things, but not for this one, nor for what
    /// another thread makes that asks for this one.
    ///
    /// # Errors
    /// Those of `make`; then nothing is kept, and a thread that waited makes the thing itself.
    pub fn get<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(thing) = self.things().get(&key) {
            return Ok(Arc::clone(thing));
        }
        let lock = Arc::clone(self.making().entry(key.clone()).or_default());
        let turn = Turn { kept: self, key, lock: &lock };
        let _turn = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thing) = self.things().get(&turn.key) {
            return Ok(Arc::clone(thing));
        }
        let thing = Arc::new(make(&turn.key)?);
        self.keep(turn.key.clone(), Arc::clone(&thing));
        Ok(thing)
    }
}

/// A thread's turn to make a thing; at its end, the last one that wants the thing removes its lock.
struct Turn<'a, K: Hash + Eq, V: ?Sized> {
    kept: &'a Kept<K, V>,
    key: K,
    lock: &'a Arc<Mutex<()>>,
}

impl<K: Hash + Eq, V: ?Sized> Drop for Turn<'_, K, V> {
    fn drop(&mut self) {
        let mut making = self.kept.making();
        // The map's reference and this one: more are only made under the map's lock.
        if Arc::strong_count(self.lock) <= 2 {
            making.remove(&self.key);
        }
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
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

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
    fn other_things_are_made_meanwhile_and_the_same_is_waited_for() {
        let kept = Kept::<u32, u32>::default();
        let (started, go) = (Barrier::new(2), Barrier::new(2));
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| {
                *kept
                    .get(1, |_| {
                        started.wait();
                        go.wait();
                        made.fetch_add(1, Ordering::Relaxed);
                        // Other things may be asked for within.
                        Ok::<_, ()>(*kept.get(3, |_| Ok::<_, ()>(30)).unwrap() + 1)
                    })
                    .unwrap()
            });
            started.wait();
            let same: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        *kept
                            .get::<()>(1, |_| {
                                made.fetch_add(1, Ordering::Relaxed);
                                Ok(99)
                            })
                            .unwrap()
                    })
                })
                .collect();
            // While the first thing is made, which only this thread can end.
            assert_eq!(kept.get(2, |_| Ok::<_, ()>(20)).as_deref(), Ok(&20));
            go.wait();
            assert_eq!(slow.join().unwrap(), 31);
            assert!(same.into_iter().all(|thread| thread.join().unwrap() == 31));
        });
        assert_eq!((made.into_inner(), kept.making().len()), (1, 0));
    }

    #[test]
    fn who_waited_for_what_failed_makes_it() {
        let kept = Kept::<u32, u32>::default();
        let started = Barrier::new(2);
        std::thread::scope(|scope| {
            let failing = scope.spawn(|| {
                kept.get(1, |_| {
                    started.wait();
                    Err("no")
                })
            });
            started.wait();
            assert_eq!(kept.get(1, |_| Ok::<_, &str>(7)).as_deref(), Ok(&7));
            assert_eq!(failing.join().unwrap(), Err("no"));
        });
        // A panic blocks nobody either.
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = kept.get::<()>(2, |_| panic!("a panic"));
        }));
        assert!(panic.is_err());
        assert_eq!(kept.get(2, |_| Ok::<_, &str>(8)).as_deref(), Ok(&8));
        assert_eq!(kept.making().len(), 0);
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
