//! Nothing: `examples/loom/run` puts the suite that parking 2.2.1 publishes into `tests`.
