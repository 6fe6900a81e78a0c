//! Concurrent objects in Rust, right and wrong: each module `x` has a twin `x_fixed`.

pub mod counter;
pub mod counter_fixed;
pub mod deque;
pub mod deque_fixed;
pub mod lock_free_list;
pub mod lock_free_list_fixed;
pub mod map;
pub mod map_fixed;
pub mod ms_queue;
pub mod ms_queue_fixed;
pub mod pair_snapshot;
pub mod pair_snapshot_fixed;
pub mod pool;
pub mod pool_fixed;
pub mod priority_queue;
pub mod priority_queue_fixed;
pub mod treiber_stack;
pub mod treiber_stack_fixed;
