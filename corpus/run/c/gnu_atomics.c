// The atomic builtins of GCC, old and new, and _Atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    void *p;
    uint64_t n;
} __attribute__((aligned(16))) dw;
static dw head;
static int n, flags;
static unsigned char byte;
static _Atomic(struct small { short a, b; }) small;
static int *list;
static atomic_flag fl = ATOMIC_FLAG_INIT;
static char lockbyte;
static void *w(void *p) {
    __sync_fetch_and_add(&n, 2);
    __atomic_or_fetch(&flags, 1 << (long)p, __ATOMIC_ACQ_REL);
    __sync_bool_compare_and_swap(&byte, 0, 1);
    while (__sync_lock_test_and_set(&lockbyte, 1)) __builtin_ia32_pause();
    __sync_lock_release(&lockbyte);
    dw o, x;
    __atomic_load(&head, &o, __ATOMIC_ACQUIRE);
    do {
        x.p = &head;
        x.n = o.n + 1;
    } while (!__atomic_compare_exchange(&head, &o, &x, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    unsigned __int128 *q = (unsigned __int128 *)&head;
    (void)__sync_val_compare_and_swap(q, 0, 0);
    while (atomic_flag_test_and_set_explicit(&fl, memory_order_acquire)) {}
    atomic_flag_clear(&fl);
    struct small s = atomic_load(&small), t;
    do {
        t = s;
        t.a++;
        t.b--;
    } while (!atomic_compare_exchange_weak(&small, &s, t));
    __atomic_fetch_nand(&flags, 0, __ATOMIC_SEQ_CST);
    __sync_synchronize();
    int *node = malloc(8);
    *(int **)node = __atomic_load_n(&list, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&list, (int **)node, node, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, w, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    struct small s = small;
    printf("%d %d %lu %d %d\n", n, byte, (unsigned long)head.n, s.a, s.b);
    int e = __atomic_exchange_n(&n, 9, __ATOMIC_SEQ_CST), v;
    __atomic_store_n(&n, 3, __ATOMIC_RELEASE);
    v = __atomic_fetch_xor(&n, 1, __ATOMIC_RELAXED) + __sync_add_and_fetch(&n, 5) + __sync_nand_and_fetch(&n, 1) +
        __atomic_test_and_set(&byte, __ATOMIC_SEQ_CST);
    __atomic_clear(&byte, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d %d\n", e, v, byte, __atomic_always_lock_free(8, 0), __atomic_is_lock_free(16, &head));
    _Atomic uint64_t u = ATOMIC_VAR_INIT(5);
    u++;
    u *= 3;
    u <<= 2;
    printf("%lu %d\n", (unsigned long)u, atomic_is_lock_free(&u));
    _Atomic double d = 1.5;
    d += 2;
    _Atomic(int *) ip = list;
    atomic_fetch_add(&ip, 1);
    printf("%g %d\n", (double)d, (int)(ip - list));
    int *l = list;
    while (l) {
        int *x = *(int **)l;
        free(l);
        l = x;
    }
    return 0;
}
