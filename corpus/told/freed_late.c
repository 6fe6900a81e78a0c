// What a call after all others uses was freed while the threads ran: the call is named, and the step that freed it is told.
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

struct limits {
    int most;
};
static struct limits *limits;
static atomic_int begun, ended;

static int count(void) {
    atomic_fetch_add(&begun, 1);
    int most = limits->most;
    atomic_fetch_add(&ended, 1);
    return most;
}

static void retire(void) {
    int before = atomic_load(&begun);
    int after = atomic_load(&ended);
    if (before == 0 && after == 2)
        free(limits);
}

LINSPECT_SETUP {
    limits = malloc(sizeof *limits);
    limits->most = 7;
    begun = ended = 0;
}
LINSPECT_OP_RET(int, count, count())
LINSPECT_OP(retire, retire())

// client: count count | retire [count]
// says: count(), called after all others, uses memory that was freed at
// says: frees limits
// says: uses memory that was freed
// never: retire() uses memory
