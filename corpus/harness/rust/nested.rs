// What is inside an option or a result counts, however deep.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

type Inner = Result<u32, u32>;

pub struct Turns(AtomicU32);

impl Turns {
    fn turn(&self) -> u32 {
        self.0.fetch_add(1, SeqCst) % 4
    }
    pub fn option(&self) -> Option<Option<Option<u32>>> {
        [None, Some(None), Some(Some(None)), Some(Some(Some(7)))][self.turn() as usize]
    }
    pub fn result(&self) -> Result<Inner, u32> {
        [Err(1), Ok(Err(1)), Ok(Ok(1)), Ok(Ok(2))][self.turn() as usize]
    }
    pub fn tagged(&self) -> Option<(&'static str, Option<u32>)> {
        [None, Some(("some", None)), Some(("none", None)), Some(("some", Some(1)))][self.turn() as usize]
    }
}

linspect::harness! {
    turns: Turns = Turns(AtomicU32::new(0));

    fn option(&self) -> Option<Option<Option<u32>>>;
    fn result(&self) -> Result<Inner, u32>;
    fn tagged(&self) -> Option<(&'static str, Option<u32>)>;
}
