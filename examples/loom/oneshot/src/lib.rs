//! Nothing: `examples/loom/run` puts the suite that oneshot 0.1.8 publishes into `tests`.
