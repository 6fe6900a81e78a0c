//! Operations leave the test: many at once as long as that goes well (after Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), then
//! one by one over all schedules, which certifies the rest.

use super::shrink::{Attempt, Progress, Shrinker};
use super::{CallPlace, StepOrder, split};
use linspect_core::client::Client;

/// Pairs are tried among at most so many operations.
pub(super) const MAX_PAIRED: usize = 16;

impl Shrinker<'_> {
    /// Deletes many operations at once, then fewer and fewer, as long as a run without them is bad (after Zeller and Hildebrandt, "Simplifying
    /// and Isolating Failure-Inducing Input", 2002).
    pub(super) fn thin(
        &mut self,
        part: fn(&Client) -> Vec<CallPlace>,
        attempt: Attempt,
    ) -> Progress<()> {
        let mut length = part(&self.client).len().div_ceil(2);
        while length > 0 {
            let mut at = 0;
            loop {
                let places = part(&self.client);
                let Some(chunk) = places.get(at..places.len().min(at + length)) else {
                    break;
                };
                if chunk.is_empty() {
                    break;
                }
                let smaller = split::without(&self.client, &self.execution, chunk);
                if !self.glimpse(smaller, attempt)? {
                    // What belongs together may lie across two chunks.
                    at += length.div_ceil(2);
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// Deletes long runs of the prefix at once: halves, quarters, …
    pub(super) fn halve_prefix(&mut self) -> Progress<()> {
        let mut length = self.client.before.len() / 2;
        while length > 1 {
            let mut at = 0;
            while at < self.client.before.len() {
                let mut client = self.client.clone();
                let end = (at + length).min(client.before.len());
                (at..end).rev().for_each(|gone| client.remove_before(gone));
                let like = StepOrder::of(&self.execution);
                if self.attempt(client, &like)?.is_some() {
                    at += length;
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// Deletes single operations until none can go; remembers why.
    pub(super) fn delete_each(&mut self) -> Progress<()> {
        loop {
            self.needed.clear();
            let mut deleted = false;
            let mut at = 0;
            while let Some(place) = self.places().get(at).copied() {
                let (client, like) = split::without(&self.client, &self.execution, &[place]);
                match self.attempt(client, &like)? {
                    None => deleted = true,
                    Some(assurance) => {
                        self.needed.push((place, assurance));
                        at += 1;
                    }
                }
            }
            // What was tried before a deletion was tried with that operation present: once more.
            if !deleted {
                return Ok(());
            }
        }
    }

    /// Deletes two operations of a short prefix at once: an insertion and its removal are only needed for one another.
    pub(super) fn delete_pairs(&mut self) -> Progress<()> {
        let mut pairs = self.prefix_pairs();
        while let Some((first, second)) = pairs.pop() {
            let mut client = self.client.clone();
            client.remove_before(second);
            client.remove_before(first);
            let like = StepOrder::of(&self.execution);
            if self.attempt(client, &like)?.is_none() {
                pairs = self.prefix_pairs();
            }
        }
        Ok(())
    }

    fn prefix_pairs(&self) -> Vec<(usize, usize)> {
        let length = self.client.before.len();
        if length > MAX_PAIRED {
            return Vec::new();
        }
        (0..length)
            .flat_map(|a| (a + 1..length).map(move |b| (a, b)))
            .collect()
    }

    /// Deletes two operations at once, one of them concurrent: what was added, and what takes it away again.
    pub(super) fn delete_concurrent_pairs(&mut self, attempt: Attempt) -> Progress<()> {
        let mut pairs = self.concurrent_pairs();
        while let Some(pair) = pairs.pop() {
            let smaller = split::without(&self.client, &self.execution, &pair);
            if self.glimpse(smaller, attempt)? {
                pairs = self.concurrent_pairs();
            }
        }
        Ok(())
    }

    fn concurrent_pairs(&self) -> Vec<[CallPlace; 2]> {
        let concurrent = in_threads(&self.client);
        if concurrent.len() > MAX_PAIRED {
            return Vec::new();
        }
        let mut places = self.places();
        if places.len() > MAX_PAIRED {
            places.clone_from(&concurrent);
        }
        // Concurrent operations come first among the places.
        let pairs = concurrent.iter().enumerate();
        pairs
            .flat_map(|(i, a)| places[i + 1..].iter().map(|b| [*a, *b]))
            .collect()
    }

    fn places(&self) -> Vec<CallPlace> {
        let mut places = in_threads(&self.client);
        places.extend(in_suffix(&self.client));
        places.extend(in_prefix(&self.client));
        places
    }
}

/// The operations of the threads.
pub(super) fn in_threads(client: &Client) -> Vec<CallPlace> {
    let threads = client.threads.iter().enumerate();
    let places = threads.flat_map(|(t, ops)| (0..ops.len()).map(move |i| CallPlace::Thread(t, i)));
    places.collect()
}

/// The operations of the prefix, the last first.
pub(super) fn in_prefix(client: &Client) -> Vec<CallPlace> {
    (0..client.before.len())
        .rev()
        .map(CallPlace::Before)
        .collect()
}

/// The operations of the suffix.
pub(super) fn in_suffix(client: &Client) -> Vec<CallPlace> {
    (0..client.after.len()).map(CallPlace::After).collect()
}
