// Inline assembly as Rust writes it, in Intel's syntax: what the processor can do, and an exchange of two words with `rbx` put aside.
use std::arch::asm;
use std::cell::UnsafeCell;
use std::thread;

#[repr(align(16))]
struct Pair(UnsafeCell<[u64; 2]>);
// SAFETY: all accesses are by locked instructions.
unsafe impl Sync for Pair {}

static PAIR: Pair = Pair(UnsafeCell::new([0, 0]));

fn exchange(old: [u64; 2], new: [u64; 2]) -> ([u64; 2], bool) {
    let (low, high, failed): (u64, u64, u8);
    // SAFETY: the pair is aligned to 16 bytes.
    unsafe {
        asm!(
            "xchg r8, rbx",
            "lock cmpxchg16b xmmword ptr [rsi]",
            "setne cl",
            "mov rbx, r8",
            inout("r8") new[0] => _,
            in("rcx") new[1],
            inout("rax") old[0] => low,
            inout("rdx") old[1] => high,
            in("rsi") PAIR.0.get(),
            lateout("cl") failed,
            options(nostack),
        );
    }
    ([low, high], failed == 0)
}

fn add(by: u64) {
    let mut old = [0, 0];
    loop {
        let (seen, done) = exchange(old, [old[0] + by, old[1] + 1]);
        if done {
            return;
        }
        old = seen;
    }
}

fn larger(a: i64, b: i64) -> i64 {
    let mut result = a;
    // SAFETY: registers only.
    unsafe {
        asm!("cmp {0}, {1}", "jge 2f", "mov {0}, {1}", "2:", inout(reg) result, in(reg) b);
    }
    result
}

fn main() {
    thread::scope(|scope| {
        scope.spawn(|| add(5));
        scope.spawn(|| add(7));
    });
    println!("{:?}", exchange([12, 2], [0, 0]));
    println!("{} {} {}", larger(3, 4), larger(-3, -4), larger(7, 7));
    println!("{}", std::is_x86_feature_detected!("cmpxchg16b"));
    let first = std::arch::x86_64::__cpuid(0);
    println!("{}", first.eax >= 1);
}
