// Concurrency Kit's hash set: one thread writes, the others read. The set is compiled in libck.a.
#include <linspect.h>
#include <ck_hs.h>
#include <stdlib.h>
#include <string.h>

static void *hs_malloc(size_t bytes) { return malloc(bytes); }
static void hs_free(void *p, size_t bytes, bool later) { (void)bytes; if (!later) free(p); }
static struct ck_malloc allocator = {.malloc = hs_malloc, .free = hs_free};
static unsigned long hash(const void *key, unsigned long seed) { return (unsigned long)*(const char *)key + seed; }
static bool same(const void *a, const void *b) { return strcmp(a, b) == 0; }
static const char *const keys[] = {"none", "a", "b"};

static ck_hs_t *make(void) {
    static ck_hs_t set;
    if (!ck_hs_init(&set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT, hash, same, &allocator, 4, 1)) abort();
    return &set;
}

LINSPECT_OBJECT(ck_hs_t *, set, make())
LINSPECT_OP_RET(bool, insert, ck_hs_put(set, CK_HS_HASH(set, hash, keys[k]), keys[k]), int k, 1, 2)
LINSPECT_OP_RET(bool, remove, ck_hs_remove(set, CK_HS_HASH(set, hash, keys[k]), keys[k]) != NULL, int k, 1, 2)
LINSPECT_OP_RET(bool, contains, ck_hs_get(set, CK_HS_HASH(set, hash, keys[k]), keys[k]) != NULL, int k, 1, 2)
LINSPECT_SINGLE_THREAD(insert, remove)
LINSPECT_SPEC(set)
