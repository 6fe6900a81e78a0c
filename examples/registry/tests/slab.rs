//! sharded-slab: a thread that comes first takes a number, and with it a shard of its own.

use sharded_slab::Slab;

linspect::harness! {
    slab: Slab<u32> = Slab::new();

    fn put_take(&self, value: u32 in 1..=2) -> Option<u32> => {
        let key = slab.insert(value).unwrap();
        slab.take(key)
    };
}
