// A box that is destroyed at the end: whoever has taken its content has freed it.
#include <linspect.h>
#include <stdlib.h>

struct box { int *content; };

static struct box *box_new(void) {
    struct box *b = malloc(sizeof *b);
    b->content = malloc(sizeof *b->content);
    *b->content = 7;
    return b;
}

static int peek(struct box *b) { return *b->content; }

static int take(struct box *b) {
    int value = *b->content;
    free(b->content);
    return value;
}

LINSPECT_OBJECT(struct box *, b, box_new())
LINSPECT_OP_RET(int, peek, peek(b))
LINSPECT_OP_RET(int, take, take(b))
LINSPECT_TEARDOWN {
    free(b->content);
    free(b);
    b = NULL;
}
