/work/wt/zoo/zoo/rust/target/debug/deps/zoo-0221a4804563aba0.d: src/lib.rs src/counter.rs src/counter_fixed.rs src/deque.rs src/deque_fixed.rs src/lock_free_list.rs src/lock_free_list_fixed.rs src/map.rs src/map_fixed.rs src/ms_queue.rs src/ms_queue_fixed.rs src/pair_snapshot.rs src/pair_snapshot_fixed.rs src/pool.rs src/pool_fixed.rs src/priority_queue.rs src/priority_queue_fixed.rs src/treiber_stack.rs src/treiber_stack_fixed.rs Cargo.toml

/work/wt/zoo/zoo/rust/target/debug/deps/libzoo-0221a4804563aba0.rmeta: src/lib.rs src/counter.rs src/counter_fixed.rs src/deque.rs src/deque_fixed.rs src/lock_free_list.rs src/lock_free_list_fixed.rs src/map.rs src/map_fixed.rs src/ms_queue.rs src/ms_queue_fixed.rs src/pair_snapshot.rs src/pair_snapshot_fixed.rs src/pool.rs src/pool_fixed.rs src/priority_queue.rs src/priority_queue_fixed.rs src/treiber_stack.rs src/treiber_stack_fixed.rs Cargo.toml

src/lib.rs:
src/counter.rs:
src/counter_fixed.rs:
src/deque.rs:
src/deque_fixed.rs:
src/lock_free_list.rs:
src/lock_free_list_fixed.rs:
src/map.rs:
src/map_fixed.rs:
src/ms_queue.rs:
src/ms_queue_fixed.rs:
src/pair_snapshot.rs:
src/pair_snapshot_fixed.rs:
src/pool.rs:
src/pool_fixed.rs:
src/priority_queue.rs:
src/priority_queue_fixed.rs:
src/treiber_stack.rs:
src/treiber_stack_fixed.rs:
Cargo.toml:

# env-dep:CLIPPY_ARGS=
# env-dep:CLIPPY_CONF_DIR
