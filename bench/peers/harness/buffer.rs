#[path = "../objects/buffer.rs"]
mod buffer;

linspect::harness! {
    object: buffer::Buffer = buffer::Buffer::new();

    fn enqueue(&self, value: usize in [1, 2]);
    fn dequeue(&self) -> usize;

    spec = queue;
}
