//! Every form of the macro compiles, and each harness is a test that runs its operations one after the other.

use linspect::Observe;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
struct Map(Mutex<BTreeMap<u8, &'static str>>);

struct Size(usize);

impl Observe for Size {
    fn observe(&self) {
        self.0.observe();
    }
}

impl Map {
    fn put(&self, key: u8, value: &'static str) -> Option<&'static str> {
        self.0.lock().unwrap().insert(key, value)
    }
    fn get(&self, key: u8) -> Result<String, ()> {
        self.0
            .lock()
            .unwrap()
            .get(&key)
            .map(ToString::to_string)
            .ok_or(())
    }
    fn clear(&self) {
        self.0.lock().unwrap().clear();
    }
}

type Key = u8;
type Text = &'static str;

linspect::harness! {
    map: Map = Map::default();

    fn put(&self, key: Key in 1..=2, value: Text in ["a", "b"]) -> Option<Text>;
    fn get(&self, key: u8 in [1, 2],) -> Result<String, ()>;
    fn clear(&self);
    fn size(&self) -> Size => Size(map.0.lock().unwrap().len());
    fn pairs(&self) -> Vec<(u8, Text)> => map.0.lock().unwrap().iter().map(|(k, v)| (*k, *v)).collect();

    spec = kv(.missing = nil);
}

/// A second harness in the same module.
mod more {
    use std::sync::atomic::{AtomicUsize, Ordering};

    linspect::harness! {
        counter: AtomicUsize = AtomicUsize::new(0);

        /// Adds.
        #[single_thread]
        fn add(&self, by: usize in [1, 10]) -> usize => counter.fetch_add(by, Ordering::SeqCst);
        #[at_most(1)]
        fn get(&self) -> usize => counter.load(Ordering::SeqCst);
    }

    linspect::harness! {
        flag: std::sync::Mutex<bool> = std::sync::Mutex::new(false);

        fn set(&self, to: bool in [false, true]) -> bool => std::mem::replace(&mut flag.lock().unwrap(), to);
    }
}

/// An object whose results are not determined by its operations.
#[test]
#[should_panic(
    expected = "run alone, one after the other, ticket() ended with 0 the first time and with 1 the second"
)]
fn chance_is_noticed() {
    static TICKETS: AtomicUsize = AtomicUsize::new(0);

    extern "C-unwind" fn build() {}
    extern "C-unwind" fn ticket() {
        TICKETS.fetch_add(1, Ordering::SeqCst).observe();
    }
    extern "C-unwind" fn declare() {
        linspect::machine::operation("ticket", ticket, 1);
    }
    linspect::machine::test(build, declare, None);
}

/// An operation that waits for another thread is not waited for.
#[test]
fn waiting_is_not_waited_for() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);

    extern "C-unwind" fn build() {}
    extern "C-unwind" fn wait() {
        RUNS.fetch_add(1, Ordering::SeqCst);
        loop {
            std::thread::park();
        }
    }
    extern "C-unwind" fn declare() {
        linspect::machine::operation("wait", wait, 1);
    }
    linspect::machine::test(build, declare, None);
    assert_eq!(
        RUNS.load(Ordering::SeqCst),
        1,
        "every sequence starts with it"
    );
}

/// Types that the machine does not know are told apart by what `Debug` prints; operations can be futures, and one thread alone may take `&mut self`.
mod others {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU8, Ordering};

    type Maybe = Option<u32>;

    #[derive(Clone, Debug, PartialEq)]
    enum Refused {
        Full,
    }

    #[derive(Default)]
    struct Shelf {
        pairs: Mutex<Vec<(u8, u8)>>,
        entered: AtomicU8,
        owned: u8,
    }

    impl Shelf {
        fn put(&self, pair: (u8, u8)) -> Result<usize, Refused> {
            let mut pairs = self.pairs.lock().unwrap();
            if pairs.len() == 2 {
                return Err(Refused::Full);
            }
            pairs.push(pair);
            Ok(pairs.len())
        }

        fn scaled(&self, by: Maybe, factor: f64) -> f64 {
            f64::from(by.unwrap_or(7)) * factor
        }

        async fn enter(&self) -> u8 {
            std::future::ready(()).await;
            self.entered.fetch_add(1, Ordering::SeqCst)
        }

        fn own(&mut self, by: u8) -> u8 {
            self.owned = self.owned.wrapping_add(by);
            self.owned
        }
    }

    linspect::harness! {
        shelf: Shelf = Shelf::default();

        fn put(&self, pair: (u8, u8) in [(1, 2), (3, 4)]) -> Result<usize, Refused>;
        fn scaled(&self, by: Maybe in [None, Some(1)], factor: f64 in [1.5, -0.25]) -> f64;
        async fn enter(&self) -> u8;
        async fn twice(&self) -> u8 => shelf.enter().await.wrapping_add(shelf.enter().await);
        #[single_thread]
        fn own(&mut self, by: u8 in [1]) -> u8;
    }
}

/// Arguments of any type that can be printed, references among them, without a name for the type; lines in any order; settings.
mod arguments {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Key<T>(T);

    #[derive(Default)]
    struct Table(Mutex<BTreeMap<Key<u8>, Option<u32>>>);

    impl Table {
        fn put(&self, key: &Key<u8>, value: Option<u32>) -> Option<Option<u32>> {
            self.0.lock().unwrap().insert(key.clone(), value)
        }

        #[expect(
            clippy::ptr_arg,
            reason = "references to owned values are arguments, too"
        )]
        fn length(&self, text: &str, owned: &String, bytes: &[u8], name: &'static str) -> usize {
            text.len() + owned.len() + bytes.len() + name.len()
        }

        fn scale(&self, factor: f64, pair: (u8, f32), by: &u32) -> f64 {
            factor * f64::from(pair.1) * f64::from(*by) + f64::from(pair.0)
        }

        fn fill(&self, into: &mut Vec<u8>) -> usize {
            into.push(1);
            into.len()
        }
    }

    linspect::harness! {
        table: Table = Table::default();

        spec = kv(.missing = nil);
        budget = "10s";
        preemptions = 2;

        fn put(&self, key: &Key<u8> in [Key(1), Key(2)], value: Option<u32> in [None, Some(1)]) -> Option<Option<u32>>;
        fn length(&self, text: &str in ["a", "bb"], owned: &String in ["x".to_owned()], bytes: &[u8] in [&[1u8][..], &[1, 2]], name: &'static str in ["q"]) -> usize;
        fn scale(&self, factor: f64 in [0.5, 1.5], pair: (u8, f32) in [(1, 2.0)], by: &u32 in [&1, &2]) -> f64;
        fn fill(&self, into: &mut Vec<u8> in [vec![], vec![1]],) -> usize;
        #[cancel]
        async fn wait(&self) -> u8 => std::future::ready(7).await;

        model plain: BTreeMap<u8, Option<u32>> = BTreeMap::new();
        fn put(&mut self, key: &Key<u8>, value: Option<u32>) -> Option<Option<u32>> => plain.insert(key.0, value);
        fn length(&mut self, text: &str, owned: &String, bytes: &[u8], name: &'static str) -> usize => text.len() + owned.len() + bytes.len() + name.len();
        fn scale(&mut self, factor: f64, pair: (u8, f32), by: &u32) -> f64 => factor * f64::from(pair.1) * f64::from(*by) + f64::from(pair.0);
        fn fill(&mut self, into: &mut Vec<u8>) -> usize => into.len() + 1;
        fn wait(&mut self) -> u8 => 7;

        show = table.0.lock().unwrap().len();
    }

    /// An ordinary test, here.
    #[linspect::test(budget = "1s", memory = "c20", preemptions = 2, threads = 3)]
    fn two_threads() {
        let table = Table::default();
        std::thread::scope(|scope| {
            scope.spawn(|| table.put(&Key(1), None));
            table.put(&Key(2), None);
        });
        assert_eq!(table.0.lock().unwrap().len(), 2);
    }
}
