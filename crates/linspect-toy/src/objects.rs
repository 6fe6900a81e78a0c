//! The papers' small objects, and objects whose faults no conflict of accesses reveals.
use crate::program::Program;

fn parse(text: &str) -> Program {
    Program::parse(text).expect("the built-in objects are well formed")
}

/// Treiber's stack.
pub fn treiber() -> Program {
    parse(
        "object treiber
         arena 12
         global top = 0
         op push 1 2 3 4
           n = alloc 2
           init n arg
         again:
           t = read top
           init n+1 t
           ok = cas top t n
           if ok==0 goto again
           return
         op pop
         again:
           t = read top
           if t!=0 goto some
           return nil
         some:
           x = read t+1
           ok = cas top t x
           if ok==0 goto again
           v = read t
           return v",
    )
}

/// Treiber's stack whose `pop` writes the top without comparing.
pub fn treiber_blind_pop() -> Program {
    parse(
        "object treiber_blind_pop
         arena 12
         global top = 0
         op push 1 2 3 4
           n = alloc 2
           init n arg
         again:
           t = read top
           init n+1 t
           ok = cas top t n
           if ok==0 goto again
           return
         op pop
           t = read top
           if t!=0 goto some
           return nil
         some:
           x = read t+1
           write top x
           v = read t
           return v",
    )
}

/// A pool of two stacks, each thread with its own, used as one stack.
pub fn two_stacks() -> Program {
    parse(
        "object two_stacks
         arena 12
         global tops[2] = 0
         op push 1 2 3 4
           n = alloc 2
           init n arg
           mine = set tid%2+tops
         again:
           t = read mine
           init n+1 t
           ok = cas mine t n
           if ok==0 goto again
           return
         op pop
           from = set tid%2+tops
           rounds = set 0
         again:
           t = read from
           if t!=0 goto some
           rounds = set rounds+1
           if rounds==2 goto empty
           from = set tid+1%2+tops
           goto again
         some:
           x = read t+1
           ok = cas from t x
           if ok==0 goto again
           v = read t
           return v
         empty:
           return nil",
    )
}

/// The queue of Michael and Scott.
pub fn ms_queue() -> Program {
    parse(MS_QUEUE)
}

const MS_QUEUE: &str = "object ms_queue
    arena 12
    global dummy[2] = 0
    global head = 1
    global tail = 1
    op enq 1 2 3 4
      n = alloc 2
      init n arg
    again:
      t = read tail
      x = read t+1
      t2 = read tail
      if t!=t2 goto again
      if x!=0 goto help
      ok = cas t+1 0 n
      if ok==0 goto again
      ok = cas tail t n
      return
    help:
      ok = cas tail t x
      goto again
    op deq
    again:
      h = read head
      t = read tail
      x = read h+1
      h2 = read head
      if h!=h2 goto again
      if h==t goto maybe
      v = read x
      ok = cas head h x
      if ok==0 goto again
      return v
    maybe:
      if x!=0 goto help
      return nil
    help:
      ok = cas tail t x
      goto again
    ";

/// The queue of Michael and Scott with an `is_empty` that always says yes.
pub fn ms_queue_constant_empty() -> Program {
    parse(&format!("{MS_QUEUE}\nop is_empty\nreturn bool 1"))
}

/// The stack of Figure 1 of "Root Causing Linearizability Violations" (CAV 2020): `pop` reads an item and clears it in two steps.
pub fn figure_1() -> Program {
    parse(
        "object figure_1
         global range = 0
         global items[8] = 0
         op push 1 2 3 4
           i = faa range 1
           write items+i arg
           return
         op pop
           i = read range
         down:
           if i==0 goto empty
           i = set i-1
           v = read items+i
           write items+i 0
           if v==0 goto down
           return v
         empty:
           return nil",
    )
}

/// The stack of Afek, Gafni and Morrison: fetch-and-add for pushing, swap for popping.
pub fn afek_stack() -> Program {
    parse(
        "object afek_stack
         global range = 0
         global items[8] = 0
         op push 1 2 3 4
           i = faa range 1
           write items+i arg
           return
         op pop
           i = read range
         down:
           if i==0 goto empty
           i = set i-1
           v = swap items+i 0
           if v==0 goto down
           return v
         empty:
           return nil",
    )
}

/// A queue per thread, used as one queue: sequentially consistent, not linearizable.
pub fn per_thread_queue() -> Program {
    parse(
        "object per_thread_queue
         global heads[2] = 0
         global tails[2] = 0
         global items[16] = 0
         op enq 1 2 3 4
           me = set tid%2
           t = read tails+me
           write me*8+t+items arg
           write tails+me t+1
           return
         op deq
           from = set tid%2
           rounds = set 0
         again:
           h = read heads+from
           t = read tails+from
           if h<t goto some
           rounds = set rounds+1
           if rounds==2 goto empty
           from = set 1-from
           goto again
         some:
           v = read from*8+h+items
           write heads+from h+1
           return v
         empty:
           return nil",
    )
}

/// A counter in two stripes; `sum` reads them one after the other.
pub fn striped_counter() -> Program {
    parse(
        "object striped_counter
         global stripes[2] = 0
         op add_first 1 10
           old = faa stripes arg
           return
         op add_second 1 10
           old = faa stripes+1 arg
           return
         op sum
           a = read stripes
           b = read stripes+1
           return a+b",
    )
}

/// A counter behind a lock.
pub fn locked_counter() -> Program {
    parse(
        "object locked_counter
         global guard = 0
         global count = 0
         op get_and_inc
           lock guard
           v = read count
           write count v+1
           unlock guard
           return v
         op get
           v = read count
           return v",
    )
}

/// A counter that unlocks too early.
pub fn early_unlock() -> Program {
    parse(
        "object early_unlock
         global guard = 0
         global count = 0
         op get_and_inc
           lock guard
           v = read count
           unlock guard
           write count v+1
           return v
         op get
           v = read count
           return v",
    )
}

/// A counter behind a spin lock.
pub fn spin_counter() -> Program {
    parse(
        "object spin_counter
         global guard = 0
         global count = 0
         op get_and_inc
         again:
           ok = cas guard 0 1
           if ok!=0 goto mine
           spin again
         mine:
           v = read count
           write count v+1
           write guard 0
           return v
         op get
           v = read count
           return v",
    )
}

/// A counter behind two locks that two operations take in opposite order.
pub fn crossed_locks() -> Program {
    parse(
        "object crossed_locks
         global a = 0
         global b = 0
         global count = 0
         op get_and_inc
           lock a
           lock b
           v = read count
           write count v+1
           unlock b
           unlock a
           return v
         op get_and_add 1
           lock b
           lock a
           v = read count
           write count v+1
           unlock a
           unlock b
           return v",
    )
}

/// A buffer of one element with a lock and two conditions.
pub fn one_place_buffer() -> Program {
    parse(
        "object one_place_buffer
         global guard = 0
         global nonempty = 0
         global nonfull = 0
         global item = 0
         op put 1 2 3
           lock guard
         full:
           v = read item
           if v==0 goto free
           wait nonfull guard
           goto full
         free:
           write item arg
           wake nonempty
           unlock guard
           return
         op take
           lock guard
         empty:
           v = read item
           if v!=0 goto some
           wait nonempty guard
           goto empty
         some:
           write item 0
           wake nonfull
           unlock guard
           return v",
    )
}

/// An `increment` that reads and then writes, and an assertion on what it sees.
pub fn asserting_counter() -> Program {
    parse(
        "object asserting_counter
         global count = 0
         op get_and_inc
           v = read count
           write count v+1
           w = read count
           assert w-v==1
           return
         op get
           v = read count
           return v",
    )
}

/// A pair of cells; `read` repeats until the first cell is unchanged (PairSnapshot of FGVT).
pub fn pair_snapshot() -> Program {
    parse(
        "object pair_snapshot
         global a = 0
         global b = 0
         op write_a 1 2
           write a arg
           return
         op write_b 1 2
           write b arg
           return
         op read
         again:
           x = read a
           y = read b
           z = read a
           if x!=z goto again
           return x*10+y",
    )
}
