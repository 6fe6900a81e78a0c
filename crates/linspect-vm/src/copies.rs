//! Vectors of states that are copied often: a state is copied when it changes after it was saved, which is at nearly every step.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Bytes of room that a copy of a [`Roomy`] vector has.
const ROOM: usize = 512;

/// A vector that soon grows, so its copies have room for it.
#[derive(Debug)]
pub(crate) struct Roomy<T>(Vec<T>);

impl<T> Default for Roomy<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Clone for Roomy<T> {
    fn clone(&self) -> Self {
        if self.0.is_empty() {
            return Self::default();
        }
        let mut copy = Vec::with_capacity(self.0.len() + ROOM / size_of::<T>());
        copy.extend_from_slice(&self.0);
        Self(copy)
    }
}

impl<T> Deref for Roomy<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Roomy<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

/// A vector that seldom changes and is mostly empty: copies share it until one of them changes.
#[derive(Debug)]
pub(crate) struct Rare<T>(Option<Rc<Vec<T>>>);

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Clone for Rare<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Rare<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        self.0.as_deref().unwrap_or(const { &Vec::new() })
    }
}

impl<T: Clone> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Rc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T: Clone> Rare<T> {
    /// Leaves it empty.
    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    /// What is in it, which is in it no more.
    pub(crate) fn take(&mut self) -> Vec<T> {
        self.0.take().map_or_else(Vec::new, Rc::unwrap_or_clone)
    }
}
