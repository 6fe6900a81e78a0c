#ifndef PAIR_SNAPSHOT_H
#define PAIR_SNAPSHOT_H

// Two registers that can be written one by one and read together.
typedef struct snapshot snapshot_t;

typedef struct {
    int first, second;
} pair_t;

snapshot_t *snapshot_new(int first, int second);
void snapshot_free(snapshot_t *snapshot);

// Sets register `i`, 0 or 1.
void snapshot_write(snapshot_t *snapshot, int i, int value);
// Both registers at one moment.
pair_t snapshot_read(snapshot_t *snapshot);

#endif
