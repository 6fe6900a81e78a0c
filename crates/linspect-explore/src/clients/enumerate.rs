//! All small clients, smallest first. Two that differ only in which thread does what count as one, two that differ in a value do not: no code need treat
//! values alike, whatever its specification does.
//!
//! Nothing is listed before it is wanted: there may be more clients than fit into memory.

use super::is_allowed;
use linspect_core::client::{Client, Declared, Invocation};
use std::cmp::Ordering;
use std::rc::Rc;

/// Which clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The most threads.
    pub threads: usize,
    /// The most operations in all threads together.
    pub operations: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            threads: 3,
            operations: 4,
        }
    }
}

/// The concurrent parts (Pc) with at least two threads and at most these sizes, by number of operations, then of threads.
pub fn enumerate(declared: &[Declared], sizes: Sizes) -> impl Iterator<Item = Client> {
    (2..=sizes.operations).flat_map(move |operations| {
        let threads = 2..=sizes.threads.min(operations);
        threads.flat_map(move |threads| exactly(declared, operations, threads))
    })
}

/// The concurrent parts with exactly so many operations in so many threads, in order.
pub(super) fn exactly(
    declared: &[Declared],
    operations: usize,
    threads: usize,
) -> impl Iterator<Item = Client> {
    let menu = Rc::new(Menu {
        calls: invocations(declared),
        declared,
    });
    fill(&menu, Vec::new(), operations, threads)
}

/// Every call with every argument of its domain.
pub(crate) fn invocations(declared: &[Declared]) -> Vec<Invocation> {
    let mut all = Vec::new();
    for (operation, d) in (0..).zip(declared) {
        for argument in &d.domain {
            all.push(Invocation {
                operation,
                argument: argument.clone(),
            });
        }
    }
    all
}

/// What threads can call.
struct Menu<'a> {
    calls: Vec<Invocation>,
    declared: &'a [Declared],
}

/// What a thread calls, by the numbers of the menu.
type Thread = Vec<usize>;

impl Menu<'_> {
    fn client(&self, threads: &[Thread]) -> Client {
        let calls = |thread: &Thread| thread.iter().map(|&i| self.calls[i].clone()).collect();
        Client {
            threads: threads.iter().map(calls).collect(),
            ..Client::default()
        }
    }

    /// Whether threads may do this. What they may not, they may not either with more to do.
    fn allows(&self, threads: &[Thread]) -> bool {
        is_allowed(&self.client(threads), self.declared)
    }
}

/// The clients that begin with the threads `chosen` and have `left` more calls in `count` more threads. Longer threads come first, and among equally
/// long ones the smaller: one of each kind.
fn fill<'a>(
    menu: &Rc<Menu<'a>>,
    chosen: Vec<Thread>,
    left: usize,
    count: usize,
) -> Box<dyn Iterator<Item = Client> + 'a> {
    if count == 0 {
        return Box::new(std::iter::once(menu.client(&chosen)));
    }
    let longest = (left + 1).saturating_sub(count);
    let longest = longest.min(chosen.last().map_or(longest, Vec::len));
    let threads = Threads {
        menu: Rc::clone(menu),
        shortest: left.div_ceil(count),
        longest,
        here: Vec::new(),
        skip: false,
    };
    let menu = Rc::clone(menu);
    Box::new(threads.flat_map(move |thread| {
        let first_of_its_kind = chosen
            .last()
            .is_none_or(|last| thread.len() < last.len() || thread.cmp(last) != Ordering::Less);
        let mut longer = chosen.clone();
        let left = left - thread.len();
        longer.push(thread);
        let fits = first_of_its_kind && menu.allows(&longer);
        let rest = fits.then(|| fill(&menu, longer, left, count - 1));
        rest.into_iter().flatten()
    }))
}

/// What one thread can do, with a number of calls within these bounds, in order.
struct Threads<'a> {
    menu: Rc<Menu<'a>>,
    shortest: usize,
    longest: usize,
    here: Thread,
    /// Whether nothing that begins like this is wanted.
    skip: bool,
}

impl Iterator for Threads<'_> {
    type Item = Thread;

    fn next(&mut self) -> Option<Thread> {
        loop {
            if !self.skip && self.here.len() < self.longest {
                self.here.push(0);
            } else {
                *self.here.last_mut()? += 1;
            }
            while *self.here.last()? == self.menu.calls.len() {
                self.here.pop();
                *self.here.last_mut()? += 1;
            }
            self.skip = !self.menu.allows(std::slice::from_ref(&self.here));
            if !self.skip && self.here.len() >= self.shortest {
                return Some(self.here.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::client::Limits;
    use linspect_core::value::Value;
    use linspect_toy::objects;
    use std::collections::BTreeSet;

    fn show(client: &Client, declared: &[Declared]) -> String {
        let thread = |t: &Vec<Invocation>| {
            let call = |i: &Invocation| match &i.argument {
                Value::Unit => declared[usize::from(i.operation)].name.clone(),
                v => format!("{}{v}", declared[usize::from(i.operation)].name),
            };
            t.iter().map(call).collect::<Vec<_>>().join(",")
        };
        client
            .threads
            .iter()
            .map(thread)
            .collect::<Vec<_>>()
            .join(" | ")
    }

    #[test]
    fn the_smallest_come_first_with_every_value() {
        let mut stack = objects::treiber();
        stack.declared[0].domain.truncate(2);
        let sizes = Sizes {
            threads: 2,
            operations: 3,
        };
        let shown: Vec<String> = enumerate(&stack.declared, sizes)
            .map(|c| show(&c, &stack.declared))
            .collect();
        assert_eq!(
            shown[..10],
            [
                "push1 | push1",
                "push1 | push2",
                "push1 | pop",
                "push2 | push2",
                "push2 | pop",
                "pop | pop",
                "push1,push1 | push1",
                "push1,push1 | push2",
                "push1,push1 | pop",
                "push1,push2 | push1",
            ]
        );
        assert_eq!(shown.len(), 6 + 27);
    }

    /// Every sequence of calls, cut into threads in every way, is there once up to the order of its threads.
    #[test]
    fn no_client_is_missing() {
        let mut object = objects::treiber();
        object.declared[0].domain.truncate(2);
        object.declared[1].limits.at_most = Some(2);
        let calls = invocations(&object.declared);
        let mut all = BTreeSet::new();
        for operations in 2..=4_usize {
            for number in 0..calls.len().pow(operations as u32) {
                let call =
                    |i: usize| calls[number / calls.len().pow(i as u32) % calls.len()].clone();
                // A bit says whether a thread ends there.
                for cuts in 0..1_u32 << (operations - 1) {
                    let mut threads = vec![Vec::new()];
                    for i in 0..operations {
                        threads.last_mut().expect("never empty").push(call(i));
                        if i + 1 < operations && cuts >> i & 1 == 1 {
                            threads.push(Vec::new());
                        }
                    }
                    threads.sort();
                    let client = Client {
                        threads,
                        ..Client::default()
                    };
                    let size = (2..=3).contains(&client.threads.len());
                    if size && is_allowed(&client, &object.declared) {
                        all.insert(client);
                    }
                }
            }
        }
        let enumerated: Vec<Client> = enumerate(&object.declared, Sizes::default()).collect();
        let kinds: BTreeSet<Client> = enumerated
            .iter()
            .map(|client| {
                let mut client = client.clone();
                client.threads.sort();
                client
            })
            .collect();
        assert_eq!(kinds.len(), enumerated.len());
        assert_eq!(kinds, all);
    }

    /// The first of more clients than could ever be listed are there at once.
    #[test]
    fn nothing_is_listed_before_it_is_wanted() {
        let sizes = Sizes {
            threads: 4,
            operations: 40,
        };
        let stack = objects::treiber();
        let first = exactly(&stack.declared, sizes.operations, sizes.threads).next();
        let lengths: Vec<usize> = first
            .expect("there are")
            .threads
            .iter()
            .map(Vec::len)
            .collect();
        assert_eq!(lengths, [10, 10, 10, 10]);
    }

    #[test]
    fn limits_are_kept() {
        let mut queue = objects::ms_queue();
        queue.declared[0].domain.truncate(1);
        queue.declared[0].limits = Limits {
            role: Some("producer".into()),
            at_most: Some(1),
            ..Limits::default()
        };
        queue.declared[1].limits.after = Some(0);
        let shown: Vec<String> = enumerate(&queue.declared, Sizes::default())
            .map(|c| show(&c, &queue.declared))
            .collect();
        // Only the one thread that enqueues may dequeue, so there is never a second thread.
        assert_eq!(shown, [""; 0]);
        queue.declared[1].limits.after = None;
        queue.declared[1].limits.at_most = Some(2);
        let shown: Vec<String> = enumerate(&queue.declared, Sizes::default())
            .map(|c| show(&c, &queue.declared))
            .collect();
        assert_eq!(
            shown,
            [
                "enq1 | deq",
                "deq | deq",
                "enq1,deq | deq",
                "deq,enq1 | deq",
                "deq,deq | enq1",
                "enq1 | deq | deq",
            ]
        );
    }
}
