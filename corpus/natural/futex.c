// verdict: holds
#define _GNU_SOURCE
#include <linspect.h>
#include <stdatomic.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int f; static int c;
static void fwait(int v) { syscall(SYS_futex, &f, FUTEX_WAIT_PRIVATE, v, NULL, NULL, 0); }
static void fwake(void) { syscall(SYS_futex, &f, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
static void lock(void) { int z = 0; if (atomic_compare_exchange_strong(&f, &z, 1)) return;
    do { int o = 1; if (z == 2 || atomic_compare_exchange_strong(&f, &o, 2) || o == 2) fwait(2); z = 0; } while (!atomic_compare_exchange_strong(&f, &z, 2)); }
static void unlock(void) { if (atomic_fetch_sub(&f, 1) != 1) { atomic_store(&f, 0); fwake(); } }
static int inc(void) { lock(); int v = ++c; unlock(); return v; }
LINSPECT_SETUP { f = 0; c = 0; }
LINSPECT_OP_RET(int, inc, inc())
