/* Loops that try again and keep something of the rounds in vain in memory: what they keep decides what they return, so such a round is no round in vain. In
   the last one nothing that is kept is ever read. */
#include <linspect.h>
#include <stdatomic.h>

static atomic_int word;

struct record {
    int rounds, first, last;
};

LINSPECT_SETUP { word = 0; }

/* Gives up after two rounds: the callee counts them. */
static int count(struct record *r) { return ++r->rounds < 2; }

LINSPECT_OP_BODY(patient) {
    struct record r = {0, 0, 0};
    int old = word;
    while (!atomic_compare_exchange_strong(&word, &old, old + 1)) {
        if (!count(&r)) {
            linspect_return_int(-1);
            return;
        }
        old = word;
    }
    linspect_return_int(old);
}

/* Returns what the first round found: the callee writes it once. */
static void note(struct record *r, int seen) {
    if (!r->rounds) {
        r->rounds = 1;
        r->first = seen;
    }
    r->last = seen;
}

LINSPECT_OP_BODY(first) {
    struct record r = {0, 0, 0};
    int old;
    do {
        old = word;
        note(&r, old);
    } while (!atomic_compare_exchange_strong(&word, &old, old + 1));
    linspect_return_int(r.first);
}

/* Returns what the round before the last one found. */
LINSPECT_OP_BODY(before) {
    struct record r = {0, -1, -1};
    struct record *p = &r;
    int old;
    do {
        old = word;
        p->first = p->last;
        note(p, old);
    } while (!atomic_compare_exchange_strong(&word, &old, old + 1));
    linspect_return_int(r.last * 10 + r.first);
}

/* Everything that the callee writes is overwritten before anybody reads it. */
static void fill(struct record *r, int seen) {
    r->rounds = 1;
    r->first = seen;
    r->last = seen + 1;
}

LINSPECT_OP_BODY(forgets) {
    struct record r;
    for (;;) {
        int old = word;
        fill(&r, old);
        if (atomic_compare_exchange_strong(&word, &r.first, r.last))
            break;
    }
    linspect_return_int(r.last);
}
