//! Operations that need not be concurrent move to where nobody else runs, and threads that need not be two become one.

use super::shrink::{Attempt, Progress, Shrinker};
use super::{CallPlace, StepOrder, split};
use linspect_core::client::Client;

impl Shrinker<'_> {
    /// An operation at the end of a thread that need not be concurrent goes into the suffix.
    pub(super) fn move_to_suffix(&mut self) -> Progress<()> {
        let mut thread = 0;
        while thread < self.client.threads.len() {
            let last = self.client.threads[thread].len() - 1;
            let operation = self.client.threads[thread][last].clone();
            let place = CallPlace::Thread(thread, last);
            let (mut client, like) = split::without(&self.client, &self.execution, &[place]);
            client.after.insert(0, operation);
            if self.client.threads.len() < 2 || self.attempt(client, &like)?.is_some() {
                thread += 1;
            }
        }
        Ok(())
    }

    /// An operation at the beginning of a thread that need not be concurrent goes into the prefix.
    pub(super) fn move_to_prefix(&mut self) -> Progress<()> {
        let mut thread = 0;
        while thread < self.client.threads.len() {
            let operation = self.client.threads[thread][0].clone();
            let place = CallPlace::Thread(thread, 0);
            let (mut client, like) = split::without(&self.client, &self.execution, &[place]);
            client.before.push(operation);
            if self.client.threads.len() < 2 || self.attempt(client, &like)?.is_some() {
                thread += 1;
            }
        }
        Ok(())
    }

    /// A test that fails without warm-ups needs none.
    pub(super) fn cool_down(&mut self, attempt: Attempt) -> Progress<()> {
        let warm = (0..self.client.warm.len()).map(CallPlace::Before);
        let warm: Vec<CallPlace> = warm.collect();
        if !warm.is_empty() {
            let cold = split::without(&self.client, &self.execution, &warm);
            self.glimpse(cold, attempt)?;
        }
        Ok(())
    }

    /// Two threads whose operations can follow one another become one.
    pub(super) fn merge_threads(&mut self) -> Progress<()> {
        let count = self.client.threads.len();
        for (first, second) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
            if first == second || self.client.threads.len() < count || count < 3 {
                continue;
            }
            let (client, like) = split::merged(&self.client, &self.execution, first, second);
            self.attempt(client, &like)?;
        }
        Ok(())
    }

    /// A test with a single thread needs no other: all its operations become one sequence.
    pub(super) fn make_sequential(&mut self) -> Progress<()> {
        let Client {
            before,
            threads,
            after,
            ..
        } = &self.client;
        if threads.len() > 1 || before.len() + after.len() == 0 {
            return Ok(());
        }
        let all = before.iter().chain(threads.iter().flatten()).chain(after);
        let client = Client {
            threads: vec![all.cloned().collect()],
            ..Client::default()
        };
        self.attempt(client, &StepOrder::default())?;
        Ok(())
    }
}
