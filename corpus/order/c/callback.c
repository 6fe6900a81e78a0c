// exit 1: NOT LINEARIZABLE
// Objects with pointers to functions, also by a name of their type, are as other objects.
#include <linspect.h>
#include <stdatomic.h>

typedef int change_t(int);

typedef struct {
    atomic_int value;
    change_t *change;
    int (*also)(int);
} cell_t;

static cell_t cell;

static int next(int value) { return value + 1; }

static int turn(void) {
    int value = atomic_load(&cell.value);
    atomic_store(&cell.value, cell.also(cell.change(value)));
    return value;
}

LINSPECT_SETUP {
    atomic_store(&cell.value, 0);
    cell.change = next;
    cell.also = next;
}
LINSPECT_OP_RET(int, turn, turn())
