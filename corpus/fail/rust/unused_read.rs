// What is read through a dangling pointer is used by nobody.
fn main() {
    let p = Box::into_raw(Box::new((1u32, 2u64)));
    drop(unsafe { Box::from_raw(p) });
    let _unused = unsafe { (*p).1 }; // fault: UseAfterFree freed
}
