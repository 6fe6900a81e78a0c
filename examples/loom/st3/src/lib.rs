//! Nothing: `examples/loom/run` puts the suite that st3 0.4.1 publishes into `tests`.
