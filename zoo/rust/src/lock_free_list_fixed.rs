//! A sorted set as a lock-free linked list after Harris and Michael: the lowest bit of a node's `next` says that the
//! node is removed; whoever meets such a node unlinks it.
//!
//! Unlinked nodes are leaked; a set for production would hand them to an epoch collector.

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

struct Node {
    key: u8,
    next: AtomicPtr<Node>,
}

/// A lock-free set of small numbers.
pub struct LockFreeSet {
    head: AtomicPtr<Node>,
}

fn marked(next: *mut Node) -> bool {
    next.addr() & 1 == 1
}

fn mark(next: *mut Node) -> *mut Node {
    next.map_addr(|addr| addr | 1)
}

fn unmark(next: *mut Node) -> *mut Node {
    next.map_addr(|addr| addr & !1)
}

fn node<'a>(next: *mut Node) -> Option<&'a Node> {
    // SAFETY: nodes are freed only when the set is dropped, and nobody holds on to one for longer.
    unsafe { unmark(next).as_ref() }
}

impl LockFreeSet {
    /// An empty set.
    pub fn new() -> Self {
        Self {
            head: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// The first node with a key not below `key`, and the link that leads to it.
    fn find(&self, key: u8) -> (&AtomicPtr<Node>, Option<&Node>) {
        'retry: loop {
            let mut link = &self.head;
            let mut here = link.load(Acquire);
            while let Some(curr) = node(here) {
                let next = curr.next.load(Acquire);
                if marked(next) {
                    let next = unmark(next);
                    if link.compare_exchange(here, next, AcqRel, Acquire).is_err() {
                        continue 'retry;
                    }
                    here = next;
                } else if curr.key >= key {
                    return (link, Some(curr));
                } else {
                    link = &curr.next;
                    here = next;
                }
            }
            return (link, None);
        }
    }

    /// Adds `key`; false if it was there already.
    pub fn insert(&self, key: u8) -> bool {
        let mut new = Box::new(Node {
            key,
            next: AtomicPtr::default(),
        });
        loop {
            let (link, found) = self.find(key);
            if found.is_some_and(|curr| curr.key == key) {
                return false;
            }
            let next = found.map_or(ptr::null_mut(), |curr| ptr::from_ref(curr).cast_mut());
            *new.next.get_mut() = next;
            let raw = Box::into_raw(new);
            match link.compare_exchange(next, raw, AcqRel, Acquire) {
                Ok(_) => return true,
                // SAFETY: the node was not linked, so it is still ours.
                Err(_) => new = unsafe { Box::from_raw(raw) },
            }
        }
    }

    /// Removes `key`; false if it was not there.
    pub fn remove(&self, key: u8) -> bool {
        loop {
            let (link, found) = self.find(key);
            let Some(curr) = found.filter(|curr| curr.key == key) else {
                return false;
            };
            let next = curr.next.load(Acquire);
            if marked(next) {
                continue;
            }
            if curr
                .next
                .compare_exchange(next, mark(next), AcqRel, Acquire)
                .is_err()
            {
                continue;
            }
            let here = ptr::from_ref(curr).cast_mut();
            let _ = link.compare_exchange(here, next, AcqRel, Acquire);
            return true;
        }
    }

    /// Whether `key` is in the set.
    pub fn contains(&self, key: u8) -> bool {
        let mut here = self.head.load(Acquire);
        while let Some(curr) = node(here) {
            let next = curr.next.load(Acquire);
            if curr.key >= key {
                return curr.key == key && !marked(next);
            }
            here = next;
        }
        false
    }
}

impl Default for LockFreeSet {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for LockFreeSet {
    fn drop(&mut self) {
        let mut here = *self.head.get_mut();
        while !here.is_null() {
            // SAFETY: every node came from a box and is linked once.
            here = unmark(*unsafe { Box::from_raw(here) }.next.get_mut());
        }
    }
}
