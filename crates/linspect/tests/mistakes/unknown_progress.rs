//~ `progress = fast;` promises nothing; there are obstruction_free, lock_free and wait_free
struct Counter;

impl Counter {
    fn get(&self) -> u8 {
        0
    }
}

linspect::harness! {
    counter: Counter = Counter;

    fn get(&self) -> u8;

    progress = fast;
}
