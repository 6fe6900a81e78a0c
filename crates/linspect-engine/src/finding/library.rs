//! What a library does for its caller: a lock is taken or given back, a collection is read or changed. How it does that says nothing to its user.

use linspect_core::execution::Access;
use linspect_core::machine::Site;
use linspect_report::finding::{self, Action};

/// What keeps data of its own, by a part of the file's path: collections and owners, and everything that makes threads wait. Atomics and cells are the user's data.
const KEEPERS: [&str; 22] = [
    "/alloc/src/vec/",
    "/alloc/src/raw_vec",
    "/alloc/src/collections/",
    "/alloc/src/string.rs",
    "/alloc/src/sync.rs",
    "/alloc/src/rc.rs",
    "/hashbrown",
    "/std/src/collections/",
    "/std/src/sync/",
    "/std/src/sys/sync/",
    "/std/src/thread/",
    "/parking_lot-",
    "/lock_api-",
    "/bits/stl_vector.h",
    "/bits/vector.tcc",
    "/bits/stl_deque.h",
    "/bits/deque.tcc",
    "/bits/stl_list.h",
    "/bits/list.tcc",
    "/bits/stl_tree.h",
    "/bits/hashtable",
    "/bits/basic_string",
];

/// Of these, what is no data to its user: what makes threads wait, and the counts of owners.
const WAITERS: [&str; 7] = [
    "/std/src/sync/",
    "/std/src/sys/sync/",
    "/std/src/thread/",
    "/parking_lot-",
    "/lock_api-",
    "/alloc/src/sync.rs",
    "/alloc/src/rc.rs",
];

/// In a word of Rust's read-write lock, who holds it; the bits above say who waits.
const HOLDERS: u64 = (1 << 30) - 1;

/// An access inside of the library `calls`, the innermost last, as its user sees it. Nothing if it is the user's own, none of `Some` if nothing is to be seen of it.
pub(super) fn seen_outside(
    calls: &[Site],
    access: &Access,
    told: &finding::Access,
) -> Option<Option<finding::Access>> {
    let is_keeper = |site: &&Site| KEEPERS.iter().any(|part| site.file.contains(part));
    let keeper = calls.iter().rfind(is_keeper)?;
    let takes_lock = told.action == Action::Lock && lock_of(&keeper.file).is_some();
    if !takes_lock && (!told.action.is_data() || told.action == Action::Free) {
        return None;
    }
    let Some(variable) = owner(&told.variable) else {
        return Some(None);
    };
    let action = match lock_of(&keeper.file) {
        Some(lock) => lock.action(calls, access),
        None if WAITERS.iter().any(|part| keeper.file.contains(part)) => None,
        None if access.action.writes() => Some(Action::Write),
        None => Some(Action::Read),
    };
    Some(action.map(|action| finding::Access {
        variable: variable.to_owned(),
        action,
        value: String::new(),
    }))
}

/// Whether a collection writes to memory of its own that has no name.
pub(super) fn keeps_elsewhere(calls: &[Site], access: &Access, told: &finding::Access) -> bool {
    let is = |parts: &[&str], site: &Site| parts.iter().any(|part| site.file.contains(part));
    let is_collection = |site: &Site| is(&KEEPERS, site) && !is(&WAITERS, site);
    let is_waiter = |site: &Site| is(&WAITERS, site);
    access.action.writes()
        && told.variable.starts_with("memory#")
        && calls.iter().any(is_collection)
        && !calls.iter().any(is_waiter)
}

/// A change of what a library keeps for the user.
pub(super) fn change(variable: String) -> finding::Access {
    finding::Access {
        variable,
        action: Action::Write,
        value: String::new(),
    }
}

/// What is kept for the user: `object.heap` of `object.heap+8` and of `object.heap.lock`. Nothing if it has no name.
fn owner(name: &str) -> Option<&str> {
    let whole = match name.rsplit_once('+') {
        Some((whole, offset)) if offset.bytes().all(|b| b.is_ascii_digit()) => whole,
        _ => name,
    };
    let whole = whole.split_once(".poison").map_or(whole, |(lock, _)| lock);
    let whole = whole.strip_suffix(".lock").unwrap_or(whole);
    let whole = whole.strip_suffix(".raw.state").unwrap_or(whole);
    let is_named = !whole.starts_with("memory#") && !whole.starts_with("std::");
    is_named.then_some(whole)
}

/// A lock that is a word of memory: of Rust's standard library, or of parking_lot.
#[derive(Clone, Copy)]
enum WordLock {
    Mutex,
    ReadWrite,
    Parking,
    ParkingReadWrite,
}

fn lock_of(file: &str) -> Option<WordLock> {
    if file.contains("/sys/sync/mutex/") {
        return Some(WordLock::Mutex);
    }
    if file.contains("/parking_lot-") && file.ends_with("/src/raw_mutex.rs") {
        return Some(WordLock::Parking);
    }
    if file.contains("/parking_lot-") && file.ends_with("/src/raw_rwlock.rs") {
        return Some(WordLock::ParkingReadWrite);
    }
    file.contains("/sys/sync/rwlock/")
        .then_some(WordLock::ReadWrite)
}

impl WordLock {
    /// What an access to its word does for the user: a word that only says who waits does nothing.
    fn action(self, calls: &[Site], access: &Access) -> Option<Action> {
        let held = |word: u64| match self {
            Self::Mutex => u64::from(word != 0),
            Self::ReadWrite => word & HOLDERS,
            Self::Parking => word & 1,
            // A writer that lets the last readers go does not hold it yet; who waits is in the lower bits.
            Self::ParkingReadWrite => word >> 3,
        };
        let gives_back = calls.iter().any(|site| site.function.contains("unlock"));
        let changes = access.action.writes() && held(access.read) != held(access.written);
        match (changes, gives_back) {
            (true, true) => Some(Action::Unlock),
            (true, false) => Some(Action::Lock),
            (false, _) => None,
        }
    }
}

/// Whether a thread of Rust's standard library has parked itself in `calls`.
pub(super) fn is_parked(calls: &[Site]) -> bool {
    let mut files = calls.iter().map(|site| &site.file);
    files.any(|file| file.contains("/sys/sync/thread_parking/"))
}

/// The name of a lock that somebody waits for inside of the library `calls`.
pub(super) fn lock_name<'a>(calls: &[Site], name: &'a str) -> &'a str {
    match calls.iter().any(|site| lock_of(&site.file).is_some()) {
        true => owner(name).unwrap_or(name),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::execution::{self, Location};

    fn call(file: &str, function: &str) -> Site {
        Site {
            file: file.into(),
            line: 1,
            column: 1,
            function: function.into(),
            inlined_at: Vec::new(),
        }
    }

    fn word(action: execution::Action, read: u64, written: u64) -> Access {
        Access {
            action,
            location: Location {
                allocation: 1,
                offset: 0,
                size: 4,
            },
            read,
            written,
            ordering: execution::Ordering::SeqCst,
            site: 1,
            from: None,
            after: None,
        }
    }

    fn seen(calls: &[Site], access: Access, variable: &str) -> Option<Option<String>> {
        let told = finding::Access {
            variable: variable.into(),
            action: Action::Read,
            value: "1".into(),
        };
        seen_outside(calls, &access, &told).map(|seen| seen.map(|seen| seen.effect()))
    }

    #[test]
    fn a_library_is_told_by_what_it_does_for_its_user() {
        use execution::Action::{CasOk, Read, Update, Write};
        let atomic = || call("/rustc/1/library/core/src/sync/atomic.rs", "fetch_sub");
        let of = |file: &str, function: &str| vec![call(file, function), atomic()];
        let mutex = |f: &str| of("/rustc/1/library/std/src/sys/sync/mutex/futex.rs", f);
        let rwlock = |f: &str| of("/rustc/1/library/std/src/sys/sync/rwlock/futex.rs", f);
        let vec = of("/rustc/1/library/alloc/src/vec/mod.rs", "push");
        let said = |text: &str| Some(Some(text.to_owned()));
        // The user's own atomics and cells.
        assert_eq!(seen(&[], word(Read, 1, 0), "object.head"), None);
        assert_eq!(seen(&[atomic()], word(Read, 1, 0), "object.head"), None);
        // Locks.
        let object = "object.items.lock";
        let locks = said("locks object.items");
        assert_eq!(seen(&mutex("lock"), word(CasOk, 0, 1), object), locks);
        assert_eq!(
            seen(&mutex("lock_contended"), word(Update, 1, 2), object),
            Some(None)
        );
        assert_eq!(
            seen(&mutex("lock_contended"), word(Update, 0, 2), object),
            locks
        );
        let unlocks = said("unlocks object.items");
        assert_eq!(seen(&mutex("unlock"), word(Update, 2, 0), object), unlocks);
        assert_eq!(seen(&rwlock("read"), word(CasOk, 1, 2), object), locks);
        let waits = word(CasOk, 1, 1 | 1 << 30);
        assert_eq!(seen(&rwlock("write_contended"), waits, object), Some(None));
        assert_eq!(
            seen(&rwlock("read_unlock"), word(Update, 2, 1), object),
            unlocks
        );
        // Collections.
        let changes = said("changes object.items");
        assert_eq!(seen(&vec, word(Write, 0, 3), "object.items+16"), changes);
        assert_eq!(
            seen(&vec, word(Read, 3, 0), "object.items"),
            said("reads object.items")
        );
        assert_eq!(seen(&vec, word(Read, 3, 0), "memory#3+8"), Some(None));
    }
}
