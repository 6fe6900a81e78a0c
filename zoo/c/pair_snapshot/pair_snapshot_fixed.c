// Both registers share one word, so that one load reads them at one moment.
#include "pair_snapshot.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct snapshot {
    _Atomic(uint64_t) both; // the first register in the low half
};

static uint64_t pack(uint32_t first, uint32_t second) { return (uint64_t)second << 32 | first; }

snapshot_t *snapshot_new(int first, int second) {
    snapshot_t *snapshot = malloc(sizeof *snapshot);
    atomic_init(&snapshot->both, pack((uint32_t)first, (uint32_t)second));
    return snapshot;
}

void snapshot_free(snapshot_t *snapshot) { free(snapshot); }

void snapshot_write(snapshot_t *snapshot, int i, int value) {
    uint64_t old = atomic_load(&snapshot->both);
    uint64_t new;
    do {
        new = i == 0 ? pack((uint32_t)value, (uint32_t)(old >> 32))
                     : pack((uint32_t)old, (uint32_t)value);
    } while (!atomic_compare_exchange_weak(&snapshot->both, &old, new));
}

pair_t snapshot_read(snapshot_t *snapshot) {
    uint64_t both = atomic_load(&snapshot->both);
    return (pair_t){(int)(uint32_t)both, (int)(uint32_t)(both >> 32)};
}
