// A reader collects both registers and believes them if the first has not changed meanwhile.
#include "pair_snapshot.h"

#include <stdatomic.h>
#include <stdlib.h>

struct snapshot {
    atomic_int d[2];
};

snapshot_t *snapshot_new(int first, int second) {
    snapshot_t *snapshot = malloc(sizeof *snapshot);
    atomic_init(&snapshot->d[0], first);
    atomic_init(&snapshot->d[1], second);
    return snapshot;
}

void snapshot_free(snapshot_t *snapshot) { free(snapshot); }

void snapshot_write(snapshot_t *snapshot, int i, int value) {
    atomic_store(&snapshot->d[i], value);
}

pair_t snapshot_read(snapshot_t *snapshot) {
    for (;;) {
        int x = atomic_load(&snapshot->d[0]);
        int y = atomic_load(&snapshot->d[1]);
        if (x == atomic_load(&snapshot->d[0]))
            return (pair_t){x, y};
    }
}
